"""Scores of training and new rows are one thing, and tell how much of the variance the components hold."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from agreement import assert_scores_agree, histograms, table
from sklearn.datasets import make_circles
from sklearn.linear_model import Perceptron
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from eigenlens import KernelPCA
from eigenlens.core.errors import ConvergenceWarning
from eigenlens.kernels import RBF, AdditiveChiSquared, Cosine, Laplacian, Linear, Matern, Polynomial

KERNELS = [Linear(), RBF(0.1), Polynomial(3, gamma=0.1), Cosine(), Laplacian(0.1), Matern(2.0), 2 * RBF(0.3) + Linear()]
SOLVERS = ["auto", "dense", "arpack", "randomized", "lanczos", "block"]


def assert_transform_repeats_fit_transform(model, X):
    """To 1e-10 of the largest score: both are K H v / sqrt(lambda), so that only rounding lies between them."""
    scores = model.fit_transform(X)
    np.testing.assert_allclose(model.transform(X), scores, rtol=0, atol=1e-10 * np.abs(scores).max())
    np.testing.assert_array_equal(model.fit(X).fit_transform(X), scores)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_fit_transform_is_fit_and_transform(kernel, solver):
    model = KernelPCA(3, kernel=kernel, eigen_solver=solver, random_state=0)
    assert_transform_repeats_fit_transform(model, table(50, 4))


@pytest.mark.parametrize("solver", ["arpack", "lanczos", "block"])
def test_also_where_the_solver_stopped_early(solver):
    model = KernelPCA(6, kernel="laplacian", eigen_solver=solver, tol=0.3, random_state=0)
    X = table(400, 4)
    assert_transform_repeats_fit_transform(model, X)
    # it did stop early, or this would test nothing: v sqrt(lambda) is then not what K H v / sqrt(lambda) is
    shortcut = model.eigenvectors_ * np.sqrt(model.eigenvalues_)
    assert np.abs(model.transform(X) - shortcut).max() > 1e-8


@pytest.mark.parametrize("solver", ["arpack", "lanczos", "block"])
def test_also_where_max_iter_stopped_it(solver):
    model = KernelPCA(20, kernel="laplacian", eigen_solver=solver, max_iter=1, random_state=0)
    with pytest.warns(ConvergenceWarning, match=r"residual is .* above the .* asked for.*max_iter"):
        model.fit(table(400, 4))
    with pytest.warns(ConvergenceWarning):
        assert_transform_repeats_fit_transform(model, table(400, 4))


def test_also_by_tiles():
    X = table(2200, 3)
    assert_transform_repeats_fit_transform(KernelPCA(4, kernel="rbf", tol=1e-2, random_state=0), X)


def test_also_in_float32_and_for_small_components():
    """Private weights are float64: rounded to float32, they would leave nothing right of the last components here."""
    X = table(50, 4).astype(np.float32)
    model = KernelPCA(30, kernel="rbf", gamma=0.001)
    scores = model.fit_transform(X)
    sizes = np.abs(scores).max(axis=0)
    assert sizes[-1] < 1e-3 * sizes[0]
    assert (np.abs(model.transform(X) - scores).max(axis=0) <= 1e-6 * sizes).all()  # each beside its own size


@pytest.mark.parametrize("container", [scipy.sparse.csr_array, pd.DataFrame, np.asfortranarray, list])
def test_also_for_other_containers(container):
    assert_transform_repeats_fit_transform(KernelPCA(2, kernel="rbf"), container(table(30, 3)))


def test_also_for_a_matrix_that_only_centring_makes_symmetric():
    X = table(30, 3)
    K = X @ X.T + np.arange(30.0)[:, None]
    assert_transform_repeats_fit_transform(KernelPCA(2, kernel="precomputed"), K)
    np.testing.assert_allclose(
        KernelPCA(2, kernel="precomputed").fit(K).eigenvalues_, KernelPCA(2).fit(X).eigenvalues_, rtol=1e-12
    )


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kernel", [*KERNELS, AdditiveChiSquared()], ids=repr)
def test_score_of_training_rows_is_the_share_of_variance(kernel, solver):
    X = histograms(50, 4) if kernel == AdditiveChiSquared() else table(50, 4)
    model = KernelPCA(3, kernel=kernel, eigen_solver=solver, iterated_power=30, random_state=0).fit(X)
    np.testing.assert_allclose(model.score(X), model.explained_variance_ratio_.sum(), rtol=1e-10)
    everything = KernelPCA(kernel=kernel, eigen_solver="dense").fit(X)
    np.testing.assert_allclose(
        model.explained_variance_ratio_, everything.eigenvalues_[:3] / everything.eigenvalues_.sum(), rtol=1e-10
    )
    assert 0 < model.explained_variance_ratio_.sum() < 1


@pytest.mark.parametrize("k", [1, 4])
def test_score_samples_by_reconstruction_in_explicit_features(k):
    """(<x, y> + 1)^2 has the features 1, sqrt(2) x_i, x_i^2, sqrt(2) x_i x_j, where everything can be written out."""

    def features(X):
        powers = PolynomialFeatures(2).fit(X)
        weights = [1.0 if row.sum() == 0 or row.max() == 2 else 2**0.5 for row in powers.powers_]
        return powers.transform(X) * weights

    X, new = table(60, 3), table(20, 3, seed=1)
    F, G = features(X), features(new)
    U = np.linalg.svd(F - F.mean(axis=0))[2][:k].T
    G = G - F.mean(axis=0)
    lost = np.sum((G - G @ U @ U.T) ** 2, axis=1)
    expected = 1 - lost / np.mean(np.sum((F - F.mean(axis=0)) ** 2, axis=1))

    model = KernelPCA(k, kernel="poly", degree=2, gamma=1.0).fit(X)
    np.testing.assert_allclose(model.score_samples(new), expected, rtol=0, atol=1e-10)
    np.testing.assert_allclose(model.score(new), expected.mean(), rtol=0, atol=1e-10)


def test_score_samples_of_rows_far_away():
    """Of a row that no training row is like, nothing is reconstructed but the mean image."""
    model = KernelPCA(3, kernel="rbf").fit(table(50, 3))
    near, far = model.score_samples(np.vstack([model.X_fit_[:1], np.full((1, 3), 1e3)]))
    assert near > far
    np.testing.assert_allclose(model.transform(np.full((2, 3), 1e3)), model.transform(np.full((2, 3), -1e3)))


def test_cross_validation_sees_held_out_rows():
    X = table(90, 4)
    model = KernelPCA(2, kernel="rbf", gamma=0.2)
    folds = KFold(3)
    by_hand = [KernelPCA(2, kernel=RBF(0.2)).fit(X[train]).score(X[test]) for train, test in folds.split(X)]
    np.testing.assert_allclose(cross_val_score(model, X, cv=folds), by_hand, rtol=1e-12)
    assert max(by_hand) < model.fit(X).score(X) + 0.05


@pytest.mark.parametrize(
    ("model", "name"),
    [(KernelPCA(2, kernel=RBF()), "kernel__gamma"), (KernelPCA(2, kernel="rbf"), "gamma")],
    ids=["object", "string"],
)
def test_grid_search_reaches_gamma(model, name):
    """A narrow kernel leaves no held-out row like any other, so that the widest explains most."""
    grid = GridSearchCV(model, {name: [10.0, 1.0, 0.01]}, cv=3).fit(table(60, 3))
    assert grid.best_params_ == {name: 0.01}
    assert grid.best_estimator_.gamma_ == 0.01
    assert np.isfinite(grid.cv_results_["mean_test_score"]).all()
    assert model.get_params()[name] in (1.0, None)  # what was searched from is as it was


@pytest.mark.parametrize(("kernel", "name"), [("rbf", "kernelpca__gamma"), (RBF(), "kernelpca__kernel__gamma")])
def test_in_a_pipeline_with_a_classifier(kernel, name):
    X, y = make_circles(200, factor=0.3, noise=0.05, random_state=0)
    pipeline = make_pipeline(StandardScaler(), KernelPCA(2, kernel=kernel), Perceptron(random_state=0))
    grid = GridSearchCV(pipeline, {name: [0.001, 1.0]}, cv=3).fit(X, y)
    assert grid.best_params_ == {name: 1.0}
    assert grid.best_score_ == 1.0  # two rings, one inside the other: the first component tells them apart


def test_precomputed_kernels_in_cross_validation_take_rows_and_columns():
    X, y = make_circles(150, factor=0.3, noise=0.05, random_state=0)
    pipeline = make_pipeline(KernelPCA(2, kernel="precomputed"), Perceptron(random_state=0))
    assert cross_val_score(pipeline, RBF(2.0)(X), y, cv=3).min() == 1.0


def test_more_components_than_one_asks_change_none():
    X, new = table(60, 4), table(10, 4, seed=1)
    few, many = (KernelPCA(k, kernel="rbf").fit(X).transform(new) for k in (2, 8))
    assert_scores_agree(few, many[:, :2], 1e-10)
