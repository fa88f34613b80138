"""Both sides of what docs/differences.md says: scikit-learn's answer, and ours."""

import numpy as np
import pytest
import scipy.sparse
from agreement import table
from scipy.sparse.linalg import ArpackNoConvergence
from sklearn.decomposition import KernelPCA as ScikitLearnKernelPCA

from eigenlens import KernelPCA
from eigenlens.core.errors import ConvergenceWarning

X = table(30, 3)


def test_fit_transform_with_a_loose_tolerance():
    def disagreement(model):
        scores = model.fit_transform(rows)
        return np.abs(model.transform(rows) - scores).max()

    rows = table(300, 3)
    parameters = {"n_components": 5, "kernel": "rbf", "gamma": 3.0, "eigen_solver": "arpack", "tol": 0.5}
    assert disagreement(ScikitLearnKernelPCA(random_state=0, **parameters)) > 1e-6
    assert disagreement(KernelPCA(random_state=0, **parameters)) < 1e-12


def test_data_far_from_the_origin():
    near = KernelPCA(3).fit(X).eigenvalues_
    assert np.abs(ScikitLearnKernelPCA(3).fit(X + 1e8).eigenvalues_ / near - 1).max() > 0.1
    assert np.abs(KernelPCA(3).fit(X + 1e8).eigenvalues_ / near - 1).max() < 1e-7


def test_float32_tables():
    exact = ScikitLearnKernelPCA(kernel="rbf", gamma=0.01).fit(X.astype(np.float32).astype(float)).eigenvalues_
    assert len(ScikitLearnKernelPCA(kernel="rbf", gamma=0.01).fit(X.astype(np.float32)).eigenvalues_) < len(exact)
    ours = KernelPCA(kernel="rbf", gamma=0.01).fit(X.astype(np.float32)).eigenvalues_
    np.testing.assert_allclose(ours, exact, rtol=1e-6, atol=1e-14)


def test_a_nearly_constant_matrix():
    """Of 1 - 1e-10 |x - y|^2 only three components can be told from the rounding of 1."""
    assert len(ScikitLearnKernelPCA(kernel="rbf", gamma=1e-10).fit(X).eigenvalues_) > 3
    assert len(KernelPCA(kernel="rbf", gamma=1e-10).fit(X).eigenvalues_) == 3


def test_the_mean_in_pre_images():
    parameters = {"n_components": 2, "fit_inverse_transform": True}
    means = {}
    for estimator in (ScikitLearnKernelPCA, KernelPCA):
        model = estimator(**parameters)
        means[estimator] = model.fit(X + 100).inverse_transform(model.transform(X + 100)).mean(axis=0)
    assert np.abs(means[ScikitLearnKernelPCA]).max() < 1  # at the origin
    assert np.abs(means[KernelPCA] - (X + 100).mean(axis=0)).max() < 1


def test_pre_images_of_sparse_tables():
    parameters = {"n_components": 2, "fit_inverse_transform": True}
    with pytest.raises(NotImplementedError):
        ScikitLearnKernelPCA(**parameters).fit(scipy.sparse.csr_array(X))
    assert KernelPCA(**parameters).fit(scipy.sparse.csr_array(X)).inverse_transform(X[:, :2]).shape == (30, 3)


def test_a_matrix_that_is_not_symmetric():
    K = X @ X.T + np.triu(np.outer(X[:, 0], X[:, 0]), 1)
    ScikitLearnKernelPCA(2, kernel="precomputed").fit(K)
    with pytest.raises(ValueError, match="not symmetric"):
        KernelPCA(2, kernel="precomputed").fit(K)


def test_one_row():
    assert ScikitLearnKernelPCA().fit_transform(X[:1]).shape == (1, 0)
    with pytest.raises(ValueError, match="minimum of 2"):
        KernelPCA().fit(X[:1])


def test_arpack_and_all_components():
    parameters = {"kernel": "rbf", "eigen_solver": "arpack", "random_state": 0}
    with pytest.warns(RuntimeWarning, match="scipy.linalg.eigh instead"):
        expected = ScikitLearnKernelPCA(**parameters).fit(X).eigenvalues_
    np.testing.assert_allclose(KernelPCA(**parameters).fit(X).eigenvalues_, expected, rtol=1e-10, atol=1e-12)
    with pytest.raises(ValueError, match="dense"):
        KernelPCA(30, **parameters).fit(X)


def test_arpack_that_does_not_converge():
    parameters = {"n_components": 20, "kernel": "laplacian", "eigen_solver": "arpack", "max_iter": 1, "random_state": 0}
    rows = table(400, 4)
    matrix = KernelPCA(kernel="laplacian").fit(rows).kernel_(rows)
    with pytest.raises(ArpackNoConvergence):
        ScikitLearnKernelPCA(**parameters | {"kernel": "precomputed"}).fit(matrix)
    with pytest.warns(ConvergenceWarning):
        model = KernelPCA(**parameters).fit(rows)
    assert model.certificate_.residual.shape == (20,)


def test_dates():
    days = np.array([["2020-01-01"], ["2020-01-02"], ["NaT"]], dtype="M8[D]")
    assert ScikitLearnKernelPCA().fit(days).eigenvalues_[0] > 1e30
    with pytest.raises(TypeError, match="Dates"):
        KernelPCA().fit(days)


@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")  # theirs
def test_a_fractional_power_of_a_negative_number():
    parameters = {"kernel": "poly", "degree": 1.5}
    with pytest.raises(ValueError, match="contains NaN"):
        ScikitLearnKernelPCA(**parameters).fit(X)
    with pytest.raises(ValueError, match=r"degree=1\.5.*not a real number"):
        KernelPCA(**parameters).fit(X)


@pytest.mark.parametrize(("estimator", "written"), [(ScikitLearnKernelPCA, True), (KernelPCA, False)])
def test_writing_on_the_callers_matrix(estimator, written):
    K = X @ X.T
    estimator(2, kernel="precomputed", copy_X=False).fit(K)
    assert (not np.array_equal(K, X @ X.T)) == written


@pytest.mark.parametrize(("estimator", "reached"), [(ScikitLearnKernelPCA, True), (KernelPCA, False)])
def test_parameters_set_after_fit(estimator, reached):
    model = estimator(2, kernel="poly").fit(X)
    before = model.transform(X)
    assert (not np.array_equal(model.set_params(coef0=5.0).transform(X), before)) == reached


@pytest.mark.parametrize(("estimator", "kept"), [(ScikitLearnKernelPCA, True), (KernelPCA, False)])
def test_the_inverse_of_an_earlier_fit(estimator, kept):
    model = estimator(2, fit_inverse_transform=True).fit(X).set_params(fit_inverse_transform=False).fit(X)
    assert hasattr(model, "dual_coef_") == kept
