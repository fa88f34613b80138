"""Rows and pairs of them: what every kernel is evaluated from, and what an engine relies on."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse

from eigenlens.kernels import (
    RBF,
    Laplacian,
    Linear,
    Matern,
    Pairs,
    Polynomial,
    RationalQuadratic,
    Rows,
    Tanh,
    shift_for,
)

RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((30, 4)), RNG.standard_normal((20, 4))
X[RNG.random(X.shape) < 0.5] = 0
Y[0] = X[3]
D2 = np.square(X[:, None] - Y).sum(axis=2)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("shift", [None, np.array([1.0, -2.0, 3.0, 0.5])])
@pytest.mark.parametrize(
    "container", [np.array, scipy.sparse.csr_matrix, scipy.sparse.csr_array, scipy.sparse.coo_matrix]
)
def test_rows_hold_the_shifted_table_and_its_norms(container, shift, dtype):
    rows = Rows(container(X), dtype, shift)
    expected = X if shift is None else X - shift
    assert len(rows) == 30
    assert rows.dtype == rows.data.dtype == rows.squared_norms.dtype == dtype
    assert rows.sparse == (container is not np.array and shift is None)  # shifting fills a sparse table
    for part in (slice(None), slice(3, 9), np.array([8, 1, 1])):
        held = rows[part].data.toarray() if rows.sparse else rows[part].data
        np.testing.assert_array_equal(held, expected[part].astype(dtype))
        norms = np.square(expected[part].astype(dtype), dtype=np.float64).sum(axis=1)
        np.testing.assert_allclose(rows[part].squared_norms, norms, rtol=4 * np.finfo(dtype).eps)


def test_rows_are_prepared_by_strips():
    """Many rows are converted a strip at a time: the last strip is as good as the first."""
    table = RNG.standard_normal((10_000, 2))
    rows = Rows(table, np.float64, table.mean(axis=0))
    np.testing.assert_array_equal(rows.data, table - table.mean(axis=0))
    np.testing.assert_allclose(rows.squared_norms, np.square(rows.data).sum(axis=1), rtol=1e-15)


KINDS = {
    "dense": Rows,
    "sparse": lambda Z, dtype: Rows(scipy.sparse.csr_matrix(Z), dtype),
    "sparse array": lambda Z, dtype: Rows(scipy.sparse.csr_array(Z), dtype),
}


@pytest.mark.parametrize("scale", [1.0, -0.25, np.float64(3.0), 0.0])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind_a", KINDS)
@pytest.mark.parametrize("kind_b", KINDS)
def test_pairs_of_dense_and_sparse_rows(kind_a, kind_b, dtype, scale):
    pairs = Pairs(KINDS[kind_a](X, dtype), KINDS[kind_b](Y, dtype))
    # entries are sums of four products of numbers up to three: a few roundings of numbers up to a hundred
    tolerance = 500 * np.finfo(dtype).eps
    for block, expected in (
        (pairs.inner(scale), scale * X @ Y.T),
        (pairs.squared_distance(scale), scale * D2),
        (pairs.city_block_distance(), np.abs(X[:, None] - Y).sum(axis=2)),
    ):
        assert type(block) is np.ndarray
        assert block.dtype == dtype
        np.testing.assert_allclose(block, expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", KINDS)
def test_same_rows_are_at_distance_zero(kind, dtype):
    rows = KINDS[kind](X + 0.1, dtype)
    assert not np.diagonal(Pairs(rows, rows, same=True).squared_distance(-0.3)).any()


@pytest.mark.parametrize("sparse_training", [False, True])
@pytest.mark.parametrize(
    "kernel", [RBF(0.5), Laplacian(0.5), Linear(), Polynomial(), RBF() + Linear(), Tanh()], ids=repr
)
def test_new_rows_may_be_sparse_where_training_rows_are_not(kernel, sparse_training):
    """As engines do it: the shift of the training rows is applied to the new ones, whatever their kind."""
    training = scipy.sparse.csr_matrix(X) if sparse_training else X
    new = Y if sparse_training else scipy.sparse.csr_matrix(Y)
    shift = shift_for(kernel, training)
    block = kernel.evaluate(Pairs(Rows(new, np.float64, shift), Rows(training, np.float64, shift)))
    dense = kernel.evaluate(Pairs(Rows(Y, np.float64, shift), Rows(X, np.float64, shift)))
    np.testing.assert_allclose(block, dense, rtol=1e-12, atol=1e-13)


def test_shift_is_for_kernels_it_does_not_change():
    np.testing.assert_array_equal(shift_for(RBF(), X), X.mean(axis=0))
    np.testing.assert_array_equal(shift_for(Linear(), X), X.mean(axis=0))
    assert shift_for(Polynomial(), X) is None
    assert shift_for(RBF(), scipy.sparse.csr_matrix(X)) is None
    assert shift_for(RBF(), X.astype(np.float32)).dtype == np.float64


# -- what makes blocks fast -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kernel", [RBF(0.3), Linear(), Tanh(), Polynomial(2), Polynomial(4), 2.0 * RBF(0.3)], ids=repr)
def test_block_is_made_in_the_scratch_buffer_alone(kernel, dtype):
    table = RNG.standard_normal((400, 5))
    rows, scratch = Rows(table, dtype), np.empty(400 * 400 + 7, dtype)
    kernel.evaluate(Pairs(rows, rows, scratch=scratch))  # whatever is set up once
    tracemalloc.start()
    block = kernel.evaluate(Pairs(rows, rows, scratch=scratch))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert np.shares_memory(block, scratch)
    assert peak < 0.2 * block.nbytes  # rows with their scale, and NumPy's small buffers; no second block
    np.testing.assert_array_equal(block, kernel.evaluate(Pairs(rows, rows)))


@pytest.mark.parametrize(
    "kernel", [RBF() + Laplacian(), RBF() * Linear(), Matern() + RBF(), (RBF() + Linear()) ** 2], ids=repr
)
def test_composite_uses_the_scratch_buffer_for_one_part_only(kernel):
    rows, scratch = Rows(X), np.empty(30 * 30)
    expected = kernel.evaluate(Pairs(rows, rows))
    np.testing.assert_array_equal(kernel.evaluate(Pairs(rows, rows, scratch=scratch)), expected)


def test_gaussian_block_is_one_product_and_one_exponential(monkeypatch):
    calls = []

    def counted(name):
        original = getattr(np, name)

        def call(*arguments, **keywords):
            calls.append((name, np.shape(arguments[0])))
            return original(*arguments, **keywords)

        return call

    rows = Rows(RNG.standard_normal((50, 3)))
    passes = [
        "matmul",
        "exp",
        "multiply",
        "add",
        "subtract",
        "maximum",
        "minimum",
        "clip",
        "negative",
        "square",
        "sqrt",
    ]
    for name in passes:
        monkeypatch.setattr(np, name, counted(name))
    RBF(0.3).evaluate(Pairs(rows, rows, same=True))
    assert [name for name, shape in calls if shape == (50, 50)] == ["exp"]
    assert [name for name, _ in calls].count("matmul") == 1


def test_block_of_one_table_is_mirrored_in_place():
    """Evaluating a whole matrix needs the block, the mask that looks for NaN, and little more."""
    table = RNG.standard_normal((1200, 3))
    RBF()(table[:9])
    tracemalloc.start()
    block = RBF()(table)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.3 * block.nbytes
    np.testing.assert_array_equal(block, block.T)


@pytest.mark.parametrize("kernel", [RBF(1e9), Matern(1e-5), RationalQuadratic(1e-5)], ids=repr)
def test_narrow_kernel_in_float32_takes_its_distances_in_float64(kernel):
    """Where float32 products would leave no digit, blocks are still right to the rounding of the values."""
    table = (X / 1024).astype(np.float32)
    block = kernel.evaluate(Pairs(Rows(table, np.float32), Rows(table, np.float32)))
    assert block.dtype == np.float32
    np.testing.assert_allclose(block, kernel(table.astype(float)), rtol=0, atol=1e-6)


FAR = np.vstack([RNG.standard_normal((40, 2)) * 0.1 + centre for centre in ([-20, -20], [20, -15], [0, 20])])
LOSING_DIGITS = [
    RBF(50.0),
    Matern(0.1),
    RationalQuadratic(0.1, alpha=1.0),
    RationalQuadratic(0.1, alpha=1e4),
    RBF(0.5) ** 100,
    RBF(25.0) * RBF(25.0),
    (RBF(1.0) * RBF(1.0)) ** 20,
    3.0 * RBF(50.0) + RBF(1.0),
    RBF(50.0).normalised(),
]


@pytest.mark.parametrize("kernel", LOSING_DIGITS, ids=repr)
def test_what_cancellation_costs_is_stated(kernel, monkeypatch):
    """Blocks by products against blocks by differences; beyond a few eps they differ by no more than is said."""
    rows = Rows(FAR, np.float64, FAR.mean(axis=0))
    stated = kernel.relative_error(rows)
    by_products = kernel.evaluate(Pairs(rows, rows, same=True))
    monkeypatch.setattr(Pairs, "_product_keeps_half_the_digits", lambda pairs, scale: False)
    by_differences = kernel.evaluate(Pairs(rows, rows, same=True))
    error = np.linalg.norm(by_products - by_differences) / np.linalg.norm(by_differences)
    assert 100 * np.finfo(float).eps < stated  # there is something to state here, and it is not nothing
    assert error <= stated + 100 * np.finfo(float).eps


@pytest.mark.parametrize("factor", [2, 30])
def test_errors_of_products_and_powers_add_up(factor):
    rows, kernel = Rows(FAR), RBF(1.0)
    one = kernel.relative_error(rows)
    assert (kernel**factor).relative_error(rows) == pytest.approx(factor * one)
    assert (kernel * kernel).relative_error(rows) == pytest.approx(2 * one)
    assert (kernel + kernel).relative_error(rows) == pytest.approx(one)
    steep = RationalQuadratic(1.0, alpha=float(factor))
    flat = Pairs(rows, rows).distance_error(steep.scale)
    assert steep.relative_error(rows) == pytest.approx(factor * flat)
