"""The median heuristic against all pairs by brute force."""

import itertools

import numpy as np
import pytest
import scipy.sparse

from eigenlens.choose import median_gamma
from eigenlens.kernels import RBF, ChiSquared, Laplacian, Linear, Matern

SQUARED = lambda x, y: np.sum((x - y) ** 2)  # noqa: E731  a table of formulas
CITY = lambda x, y: np.sum(np.abs(x - y))  # noqa: E731
CHI = lambda x, y: np.sum((x - y) ** 2 / (x + y))  # noqa: E731
KERNELS = [(RBF(), SQUARED), (Laplacian(), CITY), (ChiSquared(), CHI), (Matern(), SQUARED)]


def brute_force(X, distance):
    return 0.5 / np.median([distance(x, y) for x, y in itertools.combinations(X, 2)])


def table(n=40, seed=0):
    return np.random.default_rng(seed).exponential(1.0, (n, 3))  # positive, as histograms are


@pytest.mark.parametrize(("kernel", "distance"), KERNELS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("n", [2, 3, 4, 40])
def test_it_is_half_over_the_median_distance(n, kernel, distance):
    X = table(n)
    expected = brute_force(X, distance)
    for rows in (X, X.astype(np.float32), np.asfortranarray(X)):
        np.testing.assert_allclose(median_gamma(kernel, rows, np.random.default_rng(0)), expected, rtol=1e-6)


def test_the_kernels_own_gamma_plays_no_part():
    X = table()
    widths = {median_gamma(RBF(gamma=gamma), X, np.random.default_rng(0)) for gamma in (1e-3, 1.0, 1e3)}
    assert len(widths) == 1


def test_sparse_rows_give_what_dense_ones_give():
    X = np.random.default_rng(0).poisson(1.0, (30, 5)).astype(float)
    dense, sparse = (median_gamma(RBF(), rows, np.random.default_rng(0)) for rows in (X, scipy.sparse.csr_matrix(X)))
    np.testing.assert_allclose(dense, sparse)


def test_rows_far_from_the_origin_lose_nothing():
    X = table()
    shifted = median_gamma(RBF(), X + 1e6, np.random.default_rng(0))
    np.testing.assert_allclose(shifted, brute_force(X, SQUARED), rtol=1e-7)


def test_a_few_equal_rows_count_as_pairs_at_no_distance():
    X = np.repeat(table(20), 2, axis=0)
    np.testing.assert_allclose(median_gamma(RBF(), X, np.random.default_rng(0)), brute_force(X, SQUARED))


def test_where_most_pairs_are_equal_rows_the_others_decide():
    X = np.zeros((30, 2))
    X[0], X[1] = (3, 4), (6, 8)
    # pairs that differ: 28 at 25, 28 at 100, one at 25
    assert median_gamma(RBF(), X, np.random.default_rng(0)) == 0.5 / 25


def test_equal_rows_are_refused():
    with pytest.raises(ValueError, match=r"needs rows that differ.*Give gamma as a number"):
        median_gamma(RBF(), np.ones((5, 2)), np.random.default_rng(0))


def test_a_kernel_without_a_distance_is_refused():
    with pytest.raises(ValueError, match=r"kernels of a distance .* and Linear\(\) is not one"):
        median_gamma(Linear(), table(), np.random.default_rng(0))


def test_rows_the_kernel_does_not_take_are_refused():
    with pytest.raises(ValueError, match="negative"):
        median_gamma(ChiSquared(), table() - 1, np.random.default_rng(0))


def test_a_large_table_is_sampled_near_enough_and_by_the_seed():
    X = table(4000)
    exact = 0.5 / np.median(scipy.spatial.distance.pdist(X, "sqeuclidean"))
    first, again, other = (median_gamma(RBF(), X, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first == again != other
    # 1,000 rows: the error of a median of pairs is a few over the square root of that
    np.testing.assert_allclose([first, other], exact, rtol=0.1)
