"""The learned way back: as scikit-learn's, without what is known to be wrong with it."""

import numpy as np
import pytest
import scipy.sparse
from agreement import table
from sklearn.base import clone
from sklearn.datasets import load_digits, make_blobs
from sklearn.decomposition import PCA
from sklearn.decomposition import KernelPCA as ScikitLearnKernelPCA
from sklearn.metrics.pairwise import rbf_kernel

from eigenlens import KernelPCA
from eigenlens.core.errors import MemoryLimitError


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
def test_centred_tables_give_what_scikit_learn_gives(kernel):
    """Where the mean is zero, leaving it out of the penalty changes nothing."""
    X = table(40, 3)
    X -= X.mean(axis=0)
    Z = KernelPCA(2, kernel=kernel).fit_transform(X)[:5]
    parameters = {"n_components": 2, "kernel": kernel, "fit_inverse_transform": True, "alpha": 0.5}
    ours, theirs = KernelPCA(**parameters).fit(X), ScikitLearnKernelPCA(**parameters).fit(X)
    signs = np.sign(np.sum(ours.X_transformed_fit_ * theirs.X_transformed_fit_, axis=0))
    np.testing.assert_allclose(ours.inverse_transform(Z), theirs.inverse_transform(Z * signs), atol=1e-9)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-9)


@pytest.mark.parametrize("shift", [0.0, 1000.0])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_the_mean_comes_back(kernel, shift):
    """Pre-images move with the table; theirs are drawn to the origin, however far the table lies from it."""
    X = table(60, 3)
    parameters = {"n_components": 3, "kernel": kernel, "gamma": 0.1, "fit_inverse_transform": True}
    expected = KernelPCA(**parameters).fit(X)
    model = KernelPCA(**parameters).fit(X + shift)
    back = model.inverse_transform(model.transform(X + shift))
    # rounding of X + shift is a thousand eps, and the ridge does not enlarge it
    np.testing.assert_allclose(back - shift, expected.inverse_transform(expected.transform(X)), atol=1e-9)
    assert np.abs(back.mean(axis=0) - (X + shift).mean(axis=0)).max() < 0.5


def test_far_from_every_score_it_gives_the_mean():
    X = table(60, 3)
    model = KernelPCA(2, kernel="rbf", fit_inverse_transform=True).fit(X)
    np.testing.assert_allclose(model.inverse_transform([[1e4, -1e4]]), X.mean(axis=0)[None], rtol=1e-12)


def test_gamma_of_its_own():
    """Ridge regression written out, with a gamma for scores that is not that for rows."""
    X = table(40, 3)
    model = KernelPCA(2, kernel="rbf", gamma=0.1, inverse_gamma=2.0, alpha=0.3, fit_inverse_transform=True).fit(X)
    Z, mean = model.X_transformed_fit_, X.mean(axis=0)
    dual = np.linalg.solve(rbf_kernel(Z, gamma=2.0) + 0.3 * np.eye(40), X - mean)
    np.testing.assert_allclose(model.dual_coef_, dual, atol=1e-10)
    np.testing.assert_allclose(
        model.inverse_transform(Z[:5]), rbf_kernel(Z[:5], Z, gamma=2.0) @ dual + mean, atol=1e-10
    )
    assert model.gamma_ == 0.1


def test_median_gamma_of_scores():
    X = table(40, 3)
    model = KernelPCA(2, kernel="rbf", inverse_gamma="median", fit_inverse_transform=True).fit(X)
    Z = model.X_transformed_fit_
    distances = np.sum((Z[:, None] - Z) ** 2, axis=2)[np.triu_indices(40, 1)]
    with_gamma = clone(model).set_params(inverse_gamma=0.5 / np.median(distances)).fit(X)
    np.testing.assert_allclose(model.dual_coef_, with_gamma.dual_coef_, atol=1e-9)


def test_a_kernel_without_gamma_has_none_to_set():
    with pytest.raises(ValueError, match=r"inverse_gamma=1\.0 was given, but .*Linear.* has no gamma.*None"):
        KernelPCA(2, fit_inverse_transform=True, inverse_gamma=1.0).fit(table(10, 3))


@pytest.mark.parametrize("alpha", [1e-3, 1.0])
def test_reconstruction_is_at_least_as_good_as_scikit_learn_s(alpha):
    X = make_blobs(n_samples=100, n_features=4, random_state=0)[0]
    parameters = {"n_components": 20, "kernel": "rbf", "fit_inverse_transform": True, "alpha": alpha}

    def error(model):
        return np.linalg.norm(model.inverse_transform(model.fit_transform(X)) - X)

    assert error(KernelPCA(**parameters)) <= error(ScikitLearnKernelPCA(**parameters))


def test_denoising_digits_brings_them_nearer_to_what_they_were():
    X = load_digits().data[:300]
    noisy = X + np.random.default_rng(0).normal(0, 4, X.shape)
    model = KernelPCA(20, kernel="rbf", gamma="median", inverse_gamma="median", alpha=1e-2, fit_inverse_transform=True)
    back = model.fit(X[:200]).inverse_transform(model.transform(noisy[200:]))
    assert np.linalg.norm(back - X[200:]) < 0.8 * np.linalg.norm(noisy[200:] - X[200:])


def test_of_the_linear_kernel_it_is_that_of_pca():
    X = table(50, 4)
    """Up to what the ridge takes away, alpha beside eigenvalues of about 30."""
    model = KernelPCA(2, fit_inverse_transform=True, alpha=1e-4).fit(X)
    pca = PCA(2).fit(X)
    np.testing.assert_allclose(
        model.inverse_transform(model.transform(X)), pca.inverse_transform(pca.transform(X)), atol=1e-4
    )


@pytest.mark.parametrize("kernel", ["linear", "rbf", "cosine"])
def test_sparse_tables_come_back_dense(kernel):
    dense = np.where(np.abs(table(40, 4)) > 1, table(40, 4), 0)
    parameters = {"n_components": 3, "kernel": kernel, "gamma": 0.1, "fit_inverse_transform": True}
    expected = KernelPCA(**parameters).fit(dense)
    model = KernelPCA(**parameters).fit(scipy.sparse.csr_array(dense))
    Z = expected.transform(dense)
    back = model.inverse_transform(model.transform(dense))
    assert isinstance(back, np.ndarray)
    np.testing.assert_allclose(back, expected.inverse_transform(Z), atol=1e-8)


def test_dtype_is_that_of_the_table():
    X = table(30, 3).astype(np.float32)
    model = KernelPCA(2, kernel="rbf", fit_inverse_transform=True).fit(X)
    assert model.inverse_transform(model.transform(X)).dtype == np.float32
    assert model.inverse_transform([[0, 1]]).dtype == np.float32


def test_no_component_at_all_leaves_the_mean():
    with pytest.warns(UserWarning, match="no component"):
        model = KernelPCA(kernel="rbf", fit_inverse_transform=True).fit(np.full((5, 2), 3.0))
    scores = model.transform([[3.0, 3.0]])
    assert scores.shape == (1, 0)
    np.testing.assert_array_equal(model.inverse_transform(scores), [[3.0, 3.0]])


def test_a_limit_that_is_too_small_says_what_to_do():
    model = KernelPCA(2, kernel="rbf", fit_inverse_transform=True, memory_limit="30MB", n_jobs=1)
    with pytest.raises(MemoryLimitError, match=r"inverse transform of 2200 rows.*fit_inverse_transform=False.*raise"):
        model.fit(table(2200, 3))
    assert not hasattr(model, "eigenvalues_")
