"""Nearest rows and sums of rows, with the compiled engine and without, against brute force."""

import numpy as np
import pytest
import scipy.sparse
from operator_registry import KERNELS

from eigenlens.core.errors import KernelBlockError
from eigenlens.gram import nearest_rows, row_sums, squared_row_norms
from eigenlens.kernels import RBF, Polynomial


@pytest.fixture(params=["as installed", "numpy"], autouse=True)
def engine(request, monkeypatch):
    if request.param == "numpy":
        monkeypatch.setenv("EIGENLENS_ENGINE", "numpy")


def by_brute_force(Y, X, k):
    distances = np.sqrt(np.square(Y[:, None, :] - X).sum(axis=2))
    order = np.argsort(distances, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(distances, order, axis=1), order


@pytest.mark.parametrize(("m", "n", "d"), [(1, 1, 1), (7, 5, 2), (300, 900, 3), (40, 700, 70), (600, 20, 5)])
@pytest.mark.parametrize("offset", [0.0, 300.0, 1e6])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_nearest_rows_are_those_of_brute_force(m, n, d, offset, n_jobs, rng):
    X, Y = rng.standard_normal((n, d)) + offset, rng.standard_normal((m, d)) + offset
    for k in {1, min(n, 5), n}:
        distances, rows = nearest_rows(Y, X, k, n_jobs=n_jobs)
        expected, order = by_brute_force(Y, X, k)
        np.testing.assert_array_equal(rows, order)
        np.testing.assert_allclose(distances, expected, rtol=1e-14)


def test_equal_distances_are_in_the_order_of_rows(rng):
    X = np.repeat(rng.integers(0, 3, (50, 2)).astype(float), 4, axis=0)  # a grid of copies: ties everywhere
    distances, rows = nearest_rows(X, X, 12)
    expected, order = by_brute_force(X, X, 12)
    np.testing.assert_array_equal(rows, order)
    np.testing.assert_array_equal(distances, expected)


def test_rows_nearer_than_the_rounding_of_products_are_told_apart(rng):
    near = 1e-9 * rng.standard_normal((40, 3))
    X = np.vstack([near, near + 1e3])  # |x|^2 of 1e6 rounds at 1e-10, and squared distances are 1e-18
    distances, rows = nearest_rows(X, X, 3)
    expected, order = by_brute_force(X, X, 3)
    np.testing.assert_array_equal(rows, order)
    np.testing.assert_allclose(distances, expected, rtol=1e-13)


@pytest.mark.parametrize("unit", [1e-300, 1e-200, 1e160, 1e300])
def test_any_unit_will_do(unit, rng):
    X, Y = rng.standard_normal((40, 3)), rng.standard_normal((9, 3))
    distances, rows = nearest_rows(Y * unit, X * unit, 4)
    expected, order = by_brute_force(Y, X, 4)
    np.testing.assert_array_equal(rows, order)
    np.testing.assert_allclose(distances / unit, expected, rtol=1e-12)


def test_a_row_far_from_all_others_has_neighbours_too():
    X = np.array([[1e200], [-2e200], [3e200], [0.0], [1.0]])
    distances, rows = nearest_rows(X, X, 3)
    assert rows.tolist() == [[0, 3, 4], [1, 3, 4], [2, 0, 3], [3, 4, 0], [4, 3, 0]]
    assert distances[3].tolist() == [0.0, 1.0, 1e200]


@pytest.mark.parametrize("d", [5000, 16384])
def test_terms_that_all_round_the_same_way_deceive_nobody(d, rng):
    X = np.full((60, d), 0.1) * (1 + 1e-15 * rng.integers(0, 2000, (60, 1)))
    X[30:] += 7.3
    distances, rows = nearest_rows(X, X, 5)
    expected, order = by_brute_force(X, X, 5)
    np.testing.assert_allclose(distances, expected, rtol=1e-9)
    np.testing.assert_array_equal(rows, order)


def test_as_many_as_one_likes(rng):
    X = rng.standard_normal((700, 3))
    distances, rows = nearest_rows(X[:50], X, 600)
    expected, order = by_brute_force(X[:50], X, 600)
    np.testing.assert_array_equal(rows, order)
    np.testing.assert_allclose(distances, expected, rtol=1e-13)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_no_number_is_refused(value):
    X = np.ones((5, 2))
    X[3, 1] = value
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        nearest_rows(X, np.ones((5, 2)), 1)


def test_rows_of_two_kinds_are_refused():
    with pytest.raises(ValueError, match="X has 3 features and Y has 2"):
        nearest_rows(np.ones((4, 2)), np.ones((5, 3)), 1)


@pytest.mark.parametrize("k", [0, 6, 1.5, True, "2"])
def test_as_many_as_there_are_at_most(k):
    with pytest.raises(ValueError, match=r"k=.* must be a whole number from 1 to 5"):
        nearest_rows(np.ones((2, 3)), np.ones((5, 3)), k)


def test_no_new_rows_have_no_neighbours():
    distances, rows = nearest_rows(np.empty((0, 3)), np.ones((5, 3)), 2)
    assert distances.shape == rows.shape == (0, 2)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("container", [np.asarray, scipy.sparse.csr_matrix])
def test_sums_are_those_of_the_block(name, container, rng):
    kernel, X, Y = KERNELS[name], rng.standard_normal((600, 3)) + 1, rng.standard_normal((30, 3)) + 1
    block = kernel(Y, X)
    sums, squares = (f(kernel, container(Y), container(X), n_jobs=2) for f in (row_sums, squared_row_norms))
    np.testing.assert_allclose(sums, block.sum(axis=1), rtol=1e-11)
    np.testing.assert_allclose(squares, np.square(block).sum(axis=1), rtol=1e-11)


def test_the_diagonal_of_the_square(rng):
    X, kernel = rng.standard_normal((200, 4)), RBF(gamma=0.3)
    K = kernel(X)
    np.testing.assert_allclose(squared_row_norms(kernel, X, X), np.diagonal(K @ K), rtol=1e-12)


def test_a_value_that_is_not_finite_is_named(rng):
    X = rng.standard_normal((20, 2))
    X[3] = 1e200
    with pytest.raises(KernelBlockError, match="gives inf for rows 0 and 3"):
        row_sums(Polynomial(degree=2), X[:5], X)
