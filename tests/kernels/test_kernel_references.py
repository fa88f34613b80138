"""Blocks against independent references: scikit-learn, written-out formulas, explicit feature maps."""

import math
from itertools import combinations_with_replacement

import numpy as np
import pytest
import scipy.sparse
from sklearn.gaussian_process import kernels as gp
from sklearn.metrics.pairwise import pairwise_kernels

from eigenlens.kernels import (
    RBF,
    AdditiveChiSquared,
    Callable,
    ChiSquared,
    Constant,
    Cosine,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    RationalQuadratic,
    Tanh,
    as_kernel,
)

RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((40, 3)), RNG.standard_normal((30, 3))
D2 = np.square(X[:, None] - Y).sum(axis=2)

# Both sides are a few dozen float64 operations on numbers of order one to a hundred: differences are rounding, below
# 1e-13 of the largest entry.
NEAR = {"rtol": 1e-11, "atol": 1e-12}


@pytest.mark.parametrize(
    ("kernel", "name", "parameters"),
    [
        (Linear(), "linear", {}),
        (Polynomial(3, 0.5, 2.0), "poly", {"degree": 3, "gamma": 0.5, "coef0": 2.0}),
        (Polynomial(2, 1.5, 0.0), "polynomial", {"degree": 2, "gamma": 1.5, "coef0": 0.0}),
        (RBF(0.3), "rbf", {"gamma": 0.3}),
        (Laplacian(0.7), "laplacian", {"gamma": 0.7}),
        (Tanh(0.2, 0.5), "sigmoid", {"gamma": 0.2, "coef0": 0.5}),
        (Cosine(), "cosine", {}),
        (ChiSquared(0.4), "chi2", {"gamma": 0.4}),
        (AdditiveChiSquared(), "additive_chi2", {}),
    ],
)
def test_agrees_with_scikit_learn(kernel, name, parameters):
    A, B = (np.abs(X), np.abs(Y)) if "chi2" in name else (X.copy(), Y.copy())
    A[5] = B[7] = 0  # a zero row too, and the same row on both sides
    np.testing.assert_allclose(kernel(A, B), pairwise_kernels(A, B, metric=name, **parameters), **NEAR)
    np.testing.assert_allclose(kernel(A), pairwise_kernels(A, metric=name, **parameters), **NEAR)
    assert as_kernel(name, **parameters) == kernel
    if "chi2" not in name:
        sparse = scipy.sparse.csr_matrix(A)
        np.testing.assert_allclose(kernel(sparse, sparse), pairwise_kernels(A, metric=name, **parameters), **NEAR)


@pytest.mark.parametrize(
    ("kernel", "reference"),
    [
        (Matern(0.7, 1.5), gp.Matern(0.7, nu=1.5)),
        (Matern(2.0, 2.5), gp.Matern(2.0, nu=2.5)),
        (RationalQuadratic(0.6, 0.3), gp.RationalQuadratic(0.6, 0.3)),
        (RationalQuadratic(2.0, 5.0), gp.RationalQuadratic(2.0, 5.0)),
        (RBF.from_sigma(1.7), gp.RBF(1.7)),
        (Constant(2.5), gp.ConstantKernel(2.5)),
        (Linear() + 0.25, gp.DotProduct(0.5)),
        (2.0 * RBF.from_sigma(0.5) * Matern() + 1.0, 2.0 * gp.RBF(0.5) * gp.Matern() + 1.0),
    ],
    ids=str,
)
def test_agrees_with_gaussian_processes(kernel, reference):
    np.testing.assert_allclose(kernel(X, Y), reference(X, Y), **NEAR)


@pytest.mark.parametrize(
    ("kernel", "formula"),
    [
        (RBF.from_gamma(0.3), np.exp(-0.3 * D2)),
        (RBF.from_denominator(0.1), np.exp(-D2 / 0.1)),
        (RBF.from_width(3.0), np.exp(-D2 / 3.0**2)),
        (RBF.from_sigma(2.0), np.exp(-D2 / (2 * 2.0**2))),
        (Matern(0.5, 1.5), (1 + np.sqrt(3 * D2) / 0.5) * np.exp(-np.sqrt(3 * D2) / 0.5)),
        (Matern(0.5, 2.5), (1 + np.sqrt(5 * D2) / 0.5 + 5 * D2 / 0.75) * np.exp(-np.sqrt(5 * D2) / 0.5)),
        (RationalQuadratic(2.0, 3.0), (1 + D2 / 24) ** -3.0),
        (Polynomial.inhomogeneous(3, coef0=0.5, gamma=2.0), (2 * X @ Y.T + 0.5) ** 3),
        (Tanh(2.0, 1.0), np.tanh(2 * X @ Y.T + 1)),
        (Linear().normalised(), (X @ Y.T) / np.outer(np.linalg.norm(X, axis=1), np.linalg.norm(Y, axis=1))),
        (Linear() ** 5, (X @ Y.T) ** 5),
        (RBF(0.4) ** 0.5, np.exp(-0.2 * D2)),
    ],
    ids=lambda value: repr(value) if not isinstance(value, np.ndarray) else "formula",
)
def test_agrees_with_its_formula(kernel, formula):
    np.testing.assert_allclose(kernel(X, Y), formula, **NEAR)


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_homogeneous_polynomial_is_the_inner_product_of_all_monomials(degree):
    """<x, y>^p is the sum of (multinomial coefficient) x^a y^a over |a| = p (Schoelkopf and Smola 2002, 2.1)."""

    def features(Z):
        columns = []
        for chosen in combinations_with_replacement(range(Z.shape[1]), degree):
            counts = np.bincount(chosen, minlength=Z.shape[1])
            weight = math.factorial(degree) / math.prod(math.factorial(count) for count in counts)
            columns.append(math.sqrt(weight) * np.prod(Z**counts, axis=1))
        return np.column_stack(columns)

    np.testing.assert_allclose(Polynomial.homogeneous(degree)(X, Y), features(X) @ features(Y).T, **NEAR)
    with_constant = [np.column_stack([Z, np.full(len(Z), math.sqrt(0.5))]) for Z in (X, Y)]
    product = features(with_constant[0]) @ features(with_constant[1]).T
    np.testing.assert_allclose(Polynomial.inhomogeneous(degree, coef0=0.5)(X, Y), product, **NEAR)


@pytest.mark.parametrize("exponent", [*range(18), 31, 64])
def test_whole_powers_agree_with_numpy(exponent):
    base = np.linspace(-1.2, 1.2, 13)[:, None]
    block = (Linear() ** exponent)(base, np.ones((1, 1)))
    # repeated squaring rounds once a factor: the relative error is at most about exponent * eps
    np.testing.assert_allclose(block, np.power(base, float(exponent)), rtol=(exponent + 1) * 2.3e-16, atol=0)


def overlap(x, y, scale=1.0):
    return scale * np.minimum(x, y).sum()


def test_function_agrees_with_scikit_learn():
    expected = pairwise_kernels(np.abs(X), np.abs(Y), metric=overlap, scale=2.0)
    kernel = Callable(overlap, {"scale": 2.0})
    np.testing.assert_array_equal(kernel(np.abs(X), np.abs(Y)), expected)
    np.testing.assert_array_equal(kernel(np.abs(X)), pairwise_kernels(np.abs(X), metric=overlap, scale=2.0))


@pytest.mark.parametrize("container", [scipy.sparse.csr_matrix, scipy.sparse.csr_array])
def test_function_gets_sparse_rows_as_from_scikit_learn(container):
    seen = set()

    def product(x, y):
        seen.add((type(x), x.shape, y.shape))
        return (x @ y.T).toarray().item()

    table = container(X)
    expected = pairwise_kernels(table, metric=product)
    theirs, seen = seen, set()
    np.testing.assert_allclose(Callable(product)(table), expected, **NEAR)
    assert seen == theirs
