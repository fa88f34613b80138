"""Kernels that are not positive: the components that are there are kept, and what is missing is said."""

import re
import warnings

import numpy as np
import pytest
from agreement import assert_scores_agree, table
from scipy.spatial.distance import cdist
from sklearn.decomposition import KernelPCA as ScikitLearnKernelPCA

from eigenlens import KernelPCA
from eigenlens.core.errors import IndefiniteKernelError, IndefiniteKernelWarning, RankWarning
from eigenlens.kernels import Tanh

SOLVERS = ["auto", "dense", "arpack", "randomized", "lanczos", "block"]


def sigmoid(X):
    """Return the eigenpairs of the centred matrix of tanh(<x, y> + 1), the largest first."""
    K = np.tanh(X @ X.T + 1)
    H = np.eye(len(X)) - 1 / len(X)
    values, vectors = np.linalg.eigh(H @ K @ H)
    return values[::-1], vectors[:, ::-1]


def of_spectrum(values, n=30, seed=0):
    """Return a centred matrix with these eigenvalues, zeros besides."""
    Z = np.random.default_rng(seed).standard_normal((n, len(values)))
    Q = np.linalg.qr(Z - Z.mean(axis=0))[0]
    return Q * np.asarray(values) @ Q.T


@pytest.mark.parametrize("solver", SOLVERS)
def test_positive_components_are_kept_with_a_warning(solver):
    X = table(60, 3)
    values, vectors = sigmoid(X)
    model = KernelPCA(3, kernel="sigmoid", gamma=1.0, eigen_solver=solver, iterated_power=30, random_state=0)
    with pytest.warns(IndefiniteKernelWarning, match='negative eigenvalues.*indefinite="raise"'):
        scores = model.fit_transform(X)
    np.testing.assert_allclose(model.eigenvalues_, values[:3], rtol=1e-10)
    assert_scores_agree(scores, vectors[:, :3] * np.sqrt(values[:3]), 1e-9)
    np.testing.assert_allclose(model.transform(X), scores, atol=1e-10)


@pytest.mark.parametrize("solver", ["auto", "dense"])
@pytest.mark.parametrize("n", [60, 200])
def test_the_warning_names_all_of_the_negative_mass(solver, n):
    X = table(n, 3)
    values = sigmoid(X)[0]
    negative = -values[values < -1e-5 * values[0]].sum()
    with pytest.warns(IndefiniteKernelWarning, match=f"{negative:.4g} in all"):
        model = KernelPCA(2, kernel=Tanh(1.0), eigen_solver=solver).fit(X)
    assert model.eigenvalues_.shape == (2,)  # however many were looked at


def test_beyond_two_hundred_rows_the_mass_that_was_seen_is_named():
    X = table(700, 3)
    values = sigmoid(X)[0]
    negative = -values[values < -1e-5 * values[0]].sum()
    named = []
    for solver in ("auto", "dense"):
        with pytest.warns(IndefiniteKernelWarning) as warned:
            model = KernelPCA(2, kernel=Tanh(1.0), eigen_solver=solver, random_state=0).fit(X)
        named.append(float(re.search(r"\(([0-9.]+) in all at least", str(warned[0].message))[1]))
        np.testing.assert_allclose(model.eigenvalues_, values[:2], rtol=1e-10)
    assert -values[-1] < named[0] <= negative  # the iteration sees the most negative one at least
    assert named[1] == pytest.approx(negative, rel=1e-3)


@pytest.mark.parametrize("solver", ["auto", "block", "randomized", "arpack"])
def test_an_indefinite_kernel_is_told_of_or_refused_at_any_size(solver):
    """Iterations towards the largest eigenvalues need not meet a negative one: a part of the matrix is asked."""
    X = table(2100, 5)
    model = KernelPCA(2, kernel="sigmoid", gamma=0.5, eigen_solver=solver, random_state=0)
    with pytest.warns(IndefiniteKernelWarning):
        model.fit(X)
    with pytest.raises(IndefiniteKernelError):
        model.set_params(indefinite="raise").fit(X)
    K = np.tanh(0.5 * X @ X.T + 1)
    with pytest.raises(IndefiniteKernelError):
        KernelPCA(2, kernel="precomputed", eigen_solver=solver, indefinite="raise", random_state=0).fit(K)


@pytest.mark.filterwarnings("error::eigenlens.core.errors.EigenlensWarning")
def test_a_given_matrix_that_is_positive_is_not_refused_at_any_size():
    X = table(2100, 5)
    K = np.exp(-0.1 * cdist(X, X, "sqeuclidean"))
    for matrix in (K, K.astype(np.float32)):
        KernelPCA(2, kernel="precomputed", indefinite="raise", random_state=0).fit(matrix)


def test_all_positive_components():
    X = table(40, 3)
    values = sigmoid(X)[0]
    with pytest.warns(IndefiniteKernelWarning):
        model = KernelPCA(kernel="sigmoid", gamma=1.0).fit(X)
    positive = values[values > 1e-12 * values[0]]
    np.testing.assert_allclose(model.eigenvalues_, positive, atol=1e-12 * values[0])
    # the share is of the exact trace, from which the negative part has been taken away
    np.testing.assert_allclose(model.explained_variance_ratio_, model.eigenvalues_ / values.sum(), rtol=1e-10)
    np.testing.assert_allclose(model.score(X), model.explained_variance_ratio_.sum(), rtol=1e-10)
    assert model.explained_variance_ratio_.sum() > 1


@pytest.mark.parametrize("remove", [False, True])
def test_asking_for_more_than_are_positive(remove):
    X = table(40, 3)
    positive = np.sum(sigmoid(X)[0] > 1e-12 * sigmoid(X)[0][0])
    model = KernelPCA(35, kernel="sigmoid", gamma=1.0, remove_zero_eig=remove)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        model.fit(X)
    assert IndefiniteKernelWarning in {w.category for w in warned}
    assert np.sum(model.eigenvalues_ > 0) == positive
    assert (model.eigenvalues_ >= 0).all()
    assert len(model.eigenvalues_) < 35
    said = [str(w.message) for w in warned if w.category is RankWarning]
    assert said == [] if remove else f"only {positive} of 40 eigenvalues were found to be positive" in said[0]


@pytest.mark.parametrize("solver", ["auto", "dense"])
def test_refused_on_request_even_if_no_negative_one_was_asked_for(solver):
    X = table(60, 3)
    message = r"negative eigenvalues \(.* in all.*not positive semidefinite.*Ask for fewer.*another kernel.*\"warn\""
    for kernel, rows in (("sigmoid", X), ("precomputed", of_spectrum([5, 3, 2, -1]))):
        with pytest.raises(IndefiniteKernelError, match=message):
            KernelPCA(2, kernel=kernel, gamma=1.0, eigen_solver=solver, indefinite="raise").fit(rows)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_given_matrix_is_refused_where_a_negative_component_was_asked_for(solver):
    """As scikit-learn does; the error is a ValueError there too."""
    K = of_spectrum([5, 3, 2, -1, -1, -1])
    with pytest.raises(ValueError, match="There are significant negative eigenvalues"):
        KernelPCA(29, kernel="precomputed", eigen_solver=solver, random_state=0).fit(K)
    with pytest.raises(ValueError, match="There are significant negative eigenvalues"):
        ScikitLearnKernelPCA(29, kernel="precomputed", eigen_solver="dense").fit(K)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_given_matrix_with_indefinite_warn(solver):
    K = of_spectrum([5, 3, 2, -1, -1, -1])
    model = KernelPCA(29, kernel="precomputed", eigen_solver=solver, indefinite="warn", random_state=0)
    with pytest.warns(IndefiniteKernelWarning), pytest.warns(RankWarning, match="only 3 of 30"):
        model.fit(K)
    np.testing.assert_allclose(model.eigenvalues_[:3], [5, 3, 2], rtol=1e-10)
    np.testing.assert_array_equal(model.eigenvalues_[3:], 0)


@pytest.mark.parametrize("solver", ["arpack", "randomized", "lanczos", "block"])
def test_the_largest_are_meant_not_the_largest_in_size(solver):
    K = of_spectrum([5, 3, 2, -7, -4])
    parameters = {"kernel": "precomputed", "eigen_solver": solver, "indefinite": "warn", "random_state": 0}
    model = KernelPCA(2, iterated_power=40, **parameters)
    # ARPACK never sees a negative one, but the trace of -1 beside 5 + 3 tells that there is at least -9
    with pytest.warns(IndefiniteKernelWarning, match="9 in all" if solver == "arpack" else "in all"):
        model.fit(K)
    np.testing.assert_allclose(model.eigenvalues_, [5, 3], rtol=1e-10)


def test_rounding_below_zero_is_not_negative_mass():
    """scikit-learn's threshold: a hundred thousandth of the largest."""
    model = KernelPCA(kernel="precomputed").fit(of_spectrum([5, 3, 2, -4e-5]))
    np.testing.assert_allclose(model.eigenvalues_, [5, 3, 2], rtol=1e-10)
    with pytest.raises(IndefiniteKernelError):
        KernelPCA(kernel="precomputed").fit(of_spectrum([5, 3, 2, -6e-5]))


def test_a_function_that_is_not_positive():
    """Nothing is known of a function, and it is treated as a matrix is."""

    def function(x, y):
        return float(np.tanh(x @ y + 1))

    X = table(40, 3)
    with pytest.warns(IndefiniteKernelWarning):  # the trace tells, though no negative one was asked for
        model = KernelPCA(5, kernel=function).fit(X)
    np.testing.assert_allclose(model.eigenvalues_, sigmoid(X)[0][:5], rtol=1e-10)
    for refused in (KernelPCA(kernel=function), KernelPCA(1, kernel=function, indefinite="raise")):
        with pytest.raises(IndefiniteKernelError):
            refused.fit(X)


def test_a_matrix_without_any_positive_eigenvalue():
    model = KernelPCA(kernel="precomputed", indefinite="warn")
    with pytest.warns(IndefiniteKernelWarning), pytest.warns(RankWarning, match="No positive eigenvalue was found"):
        scores = model.fit_transform(of_spectrum([-1, -2]))
    assert scores.shape == (30, 0)
    assert model.explained_variance_ratio_.shape == (0,)
