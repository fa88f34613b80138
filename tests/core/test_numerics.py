"""Each numerical decision does what its reason says."""

import numpy as np
import pytest
from sklearn.utils.extmath import svd_flip

from eigenlens.core.numerics import (
    clear_rounding,
    default_tolerance,
    eps,
    fix_signs,
    float32_suffices,
    is_significantly_negative,
    orthonormal_complement,
    rounding_of_products,
    subtract_column_means,
    zero_cut,
)

RNG = np.random.default_rng(0)


def orthonormal(n, k):
    return np.linalg.qr(RNG.standard_normal((n, k)))[0]


def test_eps_is_the_step_at_one():
    assert eps(np.float64) == 2.0**-52
    assert eps("float32") == 2.0**-23


def test_zero_cut_separates_rounding_from_eigenvalues():
    """The zero eigenvalues of a matrix of rank 10 are cleared, and no other, up to the size where n eps takes over."""
    F = RNG.standard_normal((200, 10)) * np.logspace(0, -3, 10)
    values = np.linalg.eigvalsh(F @ F.T)
    np.testing.assert_array_equal(np.flatnonzero(clear_rounding(values, 200)), np.arange(190, 200))
    assert zero_cut(10) == zero_cut(4000) == 1e-12
    assert zero_cut(10**5) == 10**5 * eps(float) > 1e-12


def test_clear_rounding_leaves_the_others_and_takes_either_sign():
    values = np.array([3.0, 1e-11, 2e-12, -2e-12, -1e-3, 0.0])
    np.testing.assert_array_equal(clear_rounding(values, 6), [3.0, 1e-11, 0, 0, -1e-3, 0])
    np.testing.assert_array_equal(clear_rounding(np.zeros(3), 3), np.zeros(3))
    assert clear_rounding(np.empty(0), 0).size == 0


def test_significantly_negative_is_where_scikit_learn_draws_the_line():
    """_check_psd_eigenvalues of scikit-learn: beyond 1e-5 of the largest, and beyond 1e-10 at all."""
    np.testing.assert_array_equal(is_significantly_negative(np.array([5.0, -4.9e-5, -5.1e-5])), [False, False, True])
    np.testing.assert_array_equal(is_significantly_negative(np.array([1e-6, -0.9e-10, -1.1e-10])), [False, False, True])
    np.testing.assert_array_equal(is_significantly_negative(np.array([-5.0, 1.0])), [True, False])
    assert is_significantly_negative(np.empty(0)).size == 0


def test_fix_signs_makes_the_largest_entry_positive_as_scikit_learn_does():
    V = RNG.standard_normal((30, 8))
    signs = fix_signs(V)
    np.testing.assert_array_equal(V * signs, svd_flip(V.copy(), np.zeros((8, 30)))[0])
    np.testing.assert_array_equal(fix_signs(V * signs), np.ones(8))
    np.testing.assert_array_equal(fix_signs(-V), -signs)


def test_fix_signs_breaks_ties_by_the_first():
    V = np.array([[-0.5, 0.5 - 1e-9], [0.5 + 1e-9, -0.5], [0.1, 0.1]])
    np.testing.assert_array_equal(fix_signs(V), [-1, 1])
    np.testing.assert_array_equal(fix_signs(np.zeros((3, 2))), [1, 1])
    np.testing.assert_array_equal(fix_signs(np.empty((0, 2))), [1, 1])


def test_default_tolerance_is_above_the_rounding_of_its_dtype():
    for dtype in (np.float32, np.float64):
        assert eps(dtype) < default_tolerance(dtype) <= 1e-6


@pytest.mark.parametrize("n", [50, 400])
def test_rounding_of_products_bounds_what_rounding_does(n):
    """Eigenvalues of an evaluated matrix against those of the exact one, here in extended precision."""
    X = RNG.standard_normal((n, 5))
    squared = np.square(X[:, None] - X).sum(axis=2)
    if np.finfo(np.longdouble).eps < 1e-18:
        wide = X.astype(np.longdouble)
        exact = np.exp(-np.square(wide[:, None] - wide).sum(axis=2) / 10)
        error = np.linalg.norm((np.exp(-squared / 10) - exact).astype(float), 2)
    else:  # where there is none, evaluation in float32 stands in, with its own eps
        error = np.linalg.norm(np.exp(-squared.astype(np.float32) / 10) - np.exp(-squared / 10), 2)
        error *= eps(float) / eps(np.float32)
    bound = rounding_of_products(n, float(np.linalg.norm(np.exp(-squared / 10))))
    assert 0 < error < bound < 1e-12 * n  # it bounds, and it is not so wide as to say nothing


def test_float32_suffices_compares_the_error_with_the_tolerance():
    K = np.exp(-np.square(RNG.standard_normal((50, 1)) - RNG.standard_normal(50)))
    assert float32_suffices(K, K.astype(np.float32), 1e-6)
    assert not float32_suffices(K, K.astype(np.float32), 1e-9)
    assert not float32_suffices(K, K * (1 + 1e-5), 1e-6)
    assert float32_suffices(1e20 * K, (1e20 * K).astype(np.float32), 1e-6)  # relative to the size of K
    for bad in (np.nan, np.inf):
        broken = K.astype(np.float32)
        broken[3, 4] = bad
        assert not float32_suffices(K, broken, 1e-6)


def test_subtract_column_means_is_the_centring_matrix():
    V = RNG.standard_normal((7, 3))
    np.testing.assert_allclose(subtract_column_means(V), (np.eye(7) - 1 / 7) @ V, atol=1e-15)


@pytest.mark.parametrize("basis", [None, orthonormal(60, 7)], ids=["alone", "beside a basis"])
@pytest.mark.parametrize(
    "block",
    [
        RNG.standard_normal((60, 5)),
        RNG.standard_normal((60, 5)) * np.logspace(0, -9, 5),  # columns of very different length
        orthonormal(60, 6) @ np.diag(np.logspace(0, -5, 6)) @ orthonormal(6, 6).T,  # ill conditioned: 1e5
        1e-200 * RNG.standard_normal((60, 2)) / 1e-60,
    ],
    ids=["random", "lengths", "ill conditioned", "tiny"],
)
def test_complement_is_orthonormal_and_spans_what_the_block_adds(block, basis):
    Q = orthonormal_complement(block, [] if basis is None else [basis[:, :1], basis[:, 1:]])
    assert Q.shape == block.shape
    np.testing.assert_allclose(Q.T @ Q, np.eye(Q.shape[1]), atol=1e-14)  # a few dozen roundings of numbers up to one
    if basis is not None:
        np.testing.assert_allclose(basis.T @ Q, 0, atol=1e-14)
    whole = Q if basis is None else np.hstack([basis, Q])
    # the span is as good as the block is conditioned, 1e5 here; each column is compared at its own length
    lengths = np.abs(block).max(axis=0)
    np.testing.assert_allclose((block - whole @ (whole.T @ block)) / lengths, 0, atol=1e-10)


def test_complement_drops_what_adds_nothing():
    basis, v = orthonormal(40, 4), RNG.standard_normal((40, 1))
    assert orthonormal_complement(np.hstack([v, v, 2 * v])).shape == (40, 1)
    assert orthonormal_complement(np.hstack([v, np.zeros((40, 2))])).shape == (40, 1)
    assert orthonormal_complement(np.hstack([basis @ RNG.standard_normal((4, 2)), v]), [basis]).shape == (40, 1)
    assert orthonormal_complement(np.zeros((40, 3))).shape == (40, 0)
    assert orthonormal_complement(np.empty((40, 0)), [basis]).shape == (40, 0)


def test_complement_is_one_sided():
    """The block that is given is not written on."""
    block, basis = RNG.standard_normal((20, 3)), orthonormal(20, 2)
    before = block.copy(), basis.copy()
    orthonormal_complement(block, [basis])
    np.testing.assert_array_equal(block, before[0])
    np.testing.assert_array_equal(basis, before[1])


def test_the_complement_of_what_lies_in_the_basis_is_empty():
    rng = np.random.default_rng(0)
    Q = np.linalg.qr(rng.standard_normal((50, 4)))[0]
    assert orthonormal_complement(Q @ rng.standard_normal((4, 3)), [Q]).shape == (50, 0)
    mixed = np.column_stack([Q @ rng.standard_normal((4, 2)), rng.standard_normal(50)])
    assert orthonormal_complement(mixed, [Q]).shape == (50, 1)
