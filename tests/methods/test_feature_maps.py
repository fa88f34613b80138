"""A feature map before linear kernel PCA is kernel PCA with its kernel: explicit maps, exact and approximate."""

import math

import numpy as np
import pytest
from agreement import assert_scores_agree, histograms, table
from sklearn.decomposition import PCA
from sklearn.kernel_approximation import AdditiveChi2Sampler, Nystroem, RBFSampler
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, Normalizer, PolynomialFeatures

from eigenlens import KernelPCA
from eigenlens.kernels import AdditiveChiSquared, Cosine, Polynomial


def scaled_by(weights):
    return FunctionTransformer(lambda X: X * weights)


def monomials(degree, coef0, d):
    """Return a map whose inner product is (<x, y> + coef0)^degree: monomials times roots of multinomial numbers."""
    powers = PolynomialFeatures(degree).fit(np.zeros((1, d))).powers_
    weights = [
        math.sqrt(
            math.factorial(degree)
            / math.prod(math.factorial(p) for p in (*row, degree - sum(row)))
            * coef0 ** (degree - sum(row))
        )
        for row in powers.tolist()
    ]
    return make_pipeline(PolynomialFeatures(degree), scaled_by(weights))


@pytest.mark.parametrize(("degree", "coef0"), [(2, 1.0), (3, 0.5), (2, 0.0)])
@pytest.mark.parametrize("solver", ["auto", "dense", "block"])
def test_monomials_are_the_polynomial_kernel(degree, coef0, solver):
    X, new = table(60, 3), table(15, 3, seed=1)
    explicit = make_pipeline(monomials(degree, coef0, 3), KernelPCA(4, eigen_solver=solver, random_state=0)).fit(X)
    model = KernelPCA(4, kernel=Polynomial(degree=degree, coef0=coef0), eigen_solver=solver, random_state=0).fit(X)
    assert_scores_agree(model.transform(new), explicit.transform(new), 1e-10)
    np.testing.assert_allclose(model.eigenvalues_, explicit[-1].eigenvalues_, rtol=1e-11)
    np.testing.assert_allclose(model.explained_variance_ratio_, explicit[-1].explained_variance_ratio_, rtol=1e-11)


def test_unit_rows_are_the_cosine_kernel():
    X, new = table(60, 4), table(15, 4, seed=1)
    explicit = make_pipeline(Normalizer(), PCA(3, svd_solver="full")).fit(X)
    model = KernelPCA(3, kernel=Cosine()).fit(X)
    assert_scores_agree(model.transform(new), explicit.transform(new), 1e-10)


def test_nystroem_with_every_row_as_landmark_is_the_kernel():
    """K^(-1/2) costs digits: eps times the condition number of K, here a few thousand."""
    X, new = table(60, 4), table(15, 4, seed=1)
    features = Nystroem(kernel="rbf", gamma=0.3, n_components=60, random_state=0)
    explicit = make_pipeline(features, KernelPCA(4)).fit(X)
    model = KernelPCA(4, kernel="rbf", gamma=0.3).fit(X)
    np.testing.assert_allclose(model.eigenvalues_, explicit[-1].eigenvalues_, rtol=1e-9)
    assert_scores_agree(model.transform(new), explicit.transform(new), 1e-9)


def test_random_fourier_features_approach_the_rbf_kernel():
    """Each of their kernel values has a standard deviation of at most 1 / sqrt(D).

    ||K' - K|| is then about n / sqrt(D), which bounds the change of every eigenvalue (Weyl); twice that is allowed.
    """
    n, D = 80, 20_000
    X = table(n, 3)
    explicit = make_pipeline(RBFSampler(gamma=0.1, n_components=D, random_state=0), KernelPCA(5)).fit(X)
    model = KernelPCA(5, kernel="rbf", gamma=0.1).fit(X)
    allowed = 2 * n / math.sqrt(D)
    assert allowed < 0.1 * model.eigenvalues_[0]  # or this would say nothing
    assert np.abs(model.eigenvalues_ - explicit[-1].eigenvalues_).max() <= allowed


def test_sampled_chi_squared_approaches_the_additive_chi_squared_kernel():
    """-(x - y)^2 / (x + y) = 4xy / (x + y) - x - y, and centring takes x and y away.

    What is left is twice the kernel that the sampler stands for (Vedaldi and Zisserman 2012). It samples the spectrum
    sech(pi w) in steps of 0.3, here up to w = 6, where less than 1e-8 of it is left.
    """
    X = histograms(80, 6) + 0.05
    explicit = make_pipeline(
        AdditiveChi2Sampler(sample_steps=20, sample_interval=0.3), scaled_by(math.sqrt(2)), KernelPCA(3)
    ).fit(X)
    model = KernelPCA(3, kernel=AdditiveChiSquared()).fit(X)
    np.testing.assert_allclose(model.eigenvalues_, explicit[-1].eigenvalues_, rtol=1e-6)
    assert_scores_agree(model.transform(X), explicit.transform(X), 1e-6)
