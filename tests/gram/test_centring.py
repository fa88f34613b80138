"""Centring: H K H by brute force, its means, new rows by their definition in feature space, and what cancels."""

import numpy as np
import pytest
from operator_registry import known_symmetric, table

from eigenlens.core.numerics import rounding_of_products
from eigenlens.gram import CentredGram, CentringMeans, DenseGram, FactoredGram, KernelSource, TiledGram
from eigenlens.kernels import RBF

N = 23
H = np.eye(N) - 1 / N


@pytest.fixture
def features(rng):
    """Explicit features of training rows and of new ones, far from their origin: K = F F'."""
    return rng.standard_normal((N, 4)) + 3, rng.standard_normal((6, 4)) + 3


def test_new_rows_are_centred_as_images_less_the_mean_image(features):
    F, new = features
    K, cross, mean = F @ F.T, new @ F.T, F.mean(axis=0)
    means = CentringMeans(K.mean(axis=0), K.mean())
    # 1e-12: products of about 40, a few roundings each
    np.testing.assert_allclose(means.centre_cross(cross), (new - mean) @ (F - mean).T, atol=1e-12)
    diagonal = np.einsum("ij,ij->i", new, new)
    lengths = means.centre_diagonal(diagonal, cross.mean(axis=1))
    np.testing.assert_allclose(lengths, np.square(new - mean).sum(axis=1), atol=1e-12)


def test_means_are_those_of_the_matrix(features):
    K = features[0] @ features[0].T
    for gather in (CentredGram.whole, CentredGram.diagonal, lambda operator: operator.cross(K[:2])):
        operator = CentredGram(DenseGram(K))
        assert operator.means is None
        gather(operator)
        np.testing.assert_allclose(operator.means.row_means, K.mean(axis=0))
        np.testing.assert_allclose(operator.means.grand_mean, K.mean())


def test_training_rows_as_new_ones_give_the_centred_matrix():
    X = table(N)
    for inner in (DenseGram.of(RBF(gamma=0.1), X), TiledGram(KernelSource(RBF(gamma=0.1), X), np.float64)):
        operator = CentredGram(inner)
        np.testing.assert_allclose(operator.cross(X), operator.columns(np.arange(N)), atol=1e-14)


def test_rows_of_the_centred_matrix_sum_to_zero(rng):
    K = rng.standard_normal((N, N))
    operator = CentredGram(DenseGram(K + K.T))
    np.testing.assert_allclose(operator.matmat(np.ones((N, 1))), 0, atol=1e-13)
    np.testing.assert_allclose(operator.matmat(rng.standard_normal((N, 3))).sum(axis=0), 0, atol=1e-12)


def test_a_sample_is_centred_among_its_rows(rng):
    K = known_symmetric(30)
    operator, rows, U = CentredGram(DenseGram(K)), np.arange(3, 20, 2), rng.standard_normal((9, 2))
    H, few = np.eye(30) - 1 / 30, np.eye(9) - 1 / 9
    np.testing.assert_allclose(operator.sample(rows), few @ K[np.ix_(rows, rows)] @ few, atol=1e-13)
    np.testing.assert_allclose(operator.extend(rows, U), H @ K[:, rows] @ few @ U, atol=1e-13)


def test_an_owned_matrix_is_centred_in_place_and_a_borrowed_one_is_not(rng):
    K = rng.standard_normal((N, N))
    K += K.T
    before = K.copy()
    borrowed, _ = CentredGram(DenseGram(K)).whole()
    np.testing.assert_array_equal(K, before)
    owned, _ = CentredGram(DenseGram(K, owned=True)).whole()
    assert owned is K
    np.testing.assert_allclose(owned, borrowed)
    np.testing.assert_allclose(owned, H @ before @ H, atol=1e-13)


def test_means_gathered_in_float64_reach_the_operator_that_iterates_in_float32():
    X = table(N)
    narrow = CentredGram(TiledGram(KernelSource(RBF(gamma=0.1), X), np.float32))
    narrow.exact().matmat_with_moments(np.ones((N, 1)))
    assert narrow.exact() is narrow.exact()
    np.testing.assert_allclose(narrow.means.row_means, RBF(gamma=0.1)(X).mean(axis=0), rtol=1e-14)


@pytest.mark.parametrize("size", [1e-4, 1e-8, 1e-12])
@pytest.mark.parametrize("kind", ["dense", "factored"])
def test_a_matrix_that_centring_takes_most_of(size, kind, rng):
    """K = 11' + small: what is left is right to the rounding of K, which is what certificates allow for."""
    F = np.column_stack([np.ones(N), np.sqrt(size) * rng.standard_normal((N, 3))])
    truth = _centred_in_long_double(F @ F.T)
    norm = float(np.linalg.norm(F @ F.T))
    inner = DenseGram(F @ F.T) if kind == "dense" else FactoredGram(F)
    rounding = rounding_of_products(N, norm)
    V = np.linalg.qr(rng.standard_normal((N, 4)))[0]
    product, moments = CentredGram(inner).matmat_with_moments(V)
    assert np.linalg.norm(product - truth @ V) <= 4 * rounding  # a column of length one has one rounding; here are four
    assert abs(moments.squared_norm - np.sum(truth**2)) <= 2 * rounding * norm
    assert abs(moments.trace - np.trace(truth)) <= rounding
    assert moments.evaluated_norm == pytest.approx(norm)
    whole, again = CentredGram(inner).whole()
    assert np.linalg.norm(whole - truth) <= rounding
    assert again.evaluated_norm == pytest.approx(norm)


def test_rounding_stays_relative_to_what_was_evaluated_once_centred_in_place(rng):
    F = np.column_stack([np.ones(N), 1e-6 * rng.standard_normal((N, 3))])
    operator = CentredGram(DenseGram(F @ F.T, owned=True))
    for _ in range(2):
        assert operator.whole()[1].evaluated_norm == pytest.approx(N)
    assert operator.matmat_with_moments(np.ones((N, 1)))[1].evaluated_norm == pytest.approx(N)


def _centred_in_long_double(K):
    K = K.astype(np.longdouble)
    K = K - K.mean(axis=0)
    return np.asarray(K - K.mean(axis=1)[:, None], dtype=np.float64)
