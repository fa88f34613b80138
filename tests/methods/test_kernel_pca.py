"""KernelPCA gives the answers of scikit-learn's, for every kernel, solver and kind of table that both take."""

import numpy as np
import pytest
import scipy.sparse
from agreement import assert_scores_agree, histograms, table
from sklearn.decomposition import PCA
from sklearn.decomposition import KernelPCA as ScikitLearnKernelPCA
from sklearn.gaussian_process import kernels as gp
from sklearn.metrics.pairwise import pairwise_kernels

from eigenlens import KernelPCA
from eigenlens.kernels import RBF, Laplacian, Linear, Polynomial, Tanh

# Scores carry the rounding of the eigenvectors, about eps lambda_1 / gap: below 1e-10 for these well separated spectra.
EXACT = 1e-10

NAMES = ["linear", "poly", "rbf", "sigmoid", "cosine"]
SOLVERS = ["auto", "dense", "arpack", "lanczos", "block"]


def overlap(x, y):
    return np.minimum(x, y).sum()


def assert_same_answers(ours, theirs, X, new, tolerance=EXACT):
    ours.fit(X)
    theirs.fit(X)
    assert np.abs(ours.eigenvalues_ - theirs.eigenvalues_).max() <= tolerance * theirs.eigenvalues_[0]
    assert_scores_agree(ours.eigenvectors_, theirs.eigenvectors_, tolerance)
    assert_scores_agree(ours.transform(new), theirs.transform(new), tolerance)
    assert_scores_agree(ours.fit_transform(X), theirs.fit_transform(X), tolerance)


@pytest.mark.filterwarnings("ignore::eigenlens.core.errors.IndefiniteKernelWarning")  # sigmoid; theirs is silent
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kernel", NAMES)
def test_named_kernels(kernel, solver):
    X, new = table(60, 4), table(15, 4, seed=1)
    parameters = {"kernel": kernel, "gamma": 0.1, "degree": 2, "coef0": 0.5}
    ours = KernelPCA(3, eigen_solver=solver, random_state=0, **parameters)
    assert_same_answers(ours, ScikitLearnKernelPCA(3, eigen_solver="dense", **parameters), X, new)


@pytest.mark.parametrize("solver", SOLVERS)
def test_parameters_left_alone_mean_the_same(solver):
    X, new = table(60, 4), table(15, 4, seed=1)
    for kernel in ("rbf", "poly"):
        ours = KernelPCA(3, kernel=kernel, eigen_solver=solver, random_state=0)
        assert_same_answers(ours, ScikitLearnKernelPCA(3, kernel=kernel, eigen_solver="dense"), X, new)
        assert ours.gamma_ == 1 / 4


def test_randomized_agrees_as_far_as_it_converges():
    """Power iterations leave an error of (lambda_{k+11} / lambda_k)^(2 powers): with 20 of them nothing is left."""
    X, new = table(60, 4), table(15, 4, seed=1)
    ours = KernelPCA(3, kernel="rbf", eigen_solver="randomized", iterated_power=20, random_state=0)
    assert_same_answers(ours, ScikitLearnKernelPCA(3, kernel="rbf", eigen_solver="dense"), X, new)


@pytest.mark.parametrize("kernel", ["laplacian", "chi2", "additive_chi2", "polynomial"])
def test_names_that_theirs_knows_only_as_matrices(kernel):
    X, new = histograms(50, 5), histograms(10, 5, seed=1)
    parameters = {"additive_chi2": {}, "polynomial": {"gamma": 0.5, "degree": 2, "coef0": 1}}.get(
        kernel, {"gamma": 0.5}
    )
    theirs = ScikitLearnKernelPCA(3, kernel="precomputed").fit(pairwise_kernels(X, metric=kernel, **parameters))
    expected = theirs.transform(pairwise_kernels(new, X, metric=kernel, **parameters))
    ours = KernelPCA(3, kernel=kernel, gamma=0.5, degree=2).fit(X)
    assert_scores_agree(ours.transform(new), expected, EXACT)


@pytest.mark.parametrize("solver", SOLVERS)
def test_function_of_two_rows(solver):
    X, new = histograms(40, 5), histograms(10, 5, seed=1)
    ours = KernelPCA(3, kernel=overlap, eigen_solver=solver, random_state=0)
    assert_same_answers(ours, ScikitLearnKernelPCA(3, kernel=overlap), X, new)


def test_function_takes_its_keywords_from_kernel_params():
    def shifted(x, y, shift, power=1):
        return float((x @ y + shift) ** power)

    X, new = table(30, 3), table(8, 3, seed=1)
    parameters = {"kernel": shifted, "kernel_params": {"shift": 1.0, "power": 2}}
    assert_same_answers(KernelPCA(3, **parameters), ScikitLearnKernelPCA(3, **parameters), X, new)


@pytest.mark.parametrize("solver", SOLVERS)
def test_precomputed(solver):
    X, new = table(60, 4), table(15, 4, seed=1)
    K, block = X @ X.T, new @ X.T
    ours = KernelPCA(3, kernel="precomputed", eigen_solver=solver, random_state=0)
    assert_same_answers(ours, ScikitLearnKernelPCA(3, kernel="precomputed", eigen_solver="dense"), K, block)
    np.testing.assert_array_equal(K, X @ X.T)  # fitting wrote nothing on it


@pytest.mark.parametrize(
    ("name", "kernel"),
    [
        ("linear", Linear()),
        ("poly", Polynomial(degree=3, gamma=0.1, coef0=1)),
        ("rbf", RBF(gamma=0.1)),
        ("laplacian", Laplacian(gamma=0.1)),
        ("sigmoid", Tanh(gamma=0.1, coef0=1)),
    ],
)
@pytest.mark.filterwarnings("ignore::eigenlens.core.errors.IndefiniteKernelWarning")  # sigmoid
def test_a_kernel_object_is_its_name(name, kernel):
    X, new = table(30, 3), table(8, 3, seed=1)
    by_name = KernelPCA(3, kernel=name, gamma=0.1).fit(X)
    by_object = KernelPCA(3, kernel=kernel).fit(X)
    assert by_name.kernel_ == by_object.kernel_ == kernel
    np.testing.assert_array_equal(by_name.transform(new), by_object.transform(new))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "cosine", "laplacian"])
def test_sparse_tables_give_the_answers_of_dense_ones(kernel, solver):
    dense, new = (np.where(np.abs(X) > 1, X, 0) for X in (table(60, 4), table(15, 4, seed=1)))
    parameters = {"n_components": 3, "kernel": kernel, "gamma": 0.1, "random_state": 0}
    expected = KernelPCA(eigen_solver="dense", **parameters).fit(dense)
    model = KernelPCA(eigen_solver=solver, **parameters).fit(scipy.sparse.csr_array(dense))
    assert np.abs(model.eigenvalues_ - expected.eigenvalues_).max() <= EXACT * expected.eigenvalues_[0]
    for rows in (new, scipy.sparse.csr_array(new), scipy.sparse.coo_matrix(new)):
        assert_scores_agree(model.transform(rows), expected.transform(new), EXACT)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kernel", ["linear", "rbf", "cosine"])
def test_float32_stays_float32_and_is_as_exact_as_it_can_be(kernel, solver):
    X, new = table(60, 4).astype(np.float32), table(15, 4, seed=1).astype(np.float32)
    parameters = {"n_components": 3, "kernel": kernel, "gamma": 0.1, "random_state": 0}
    model = KernelPCA(eigen_solver=solver, **parameters).fit(X)
    expected = KernelPCA(eigen_solver="dense", **parameters).fit(X.astype(np.float64))
    scores = model.transform(new)
    assert {scores.dtype, model.fit_transform(X).dtype, model.eigenvalues_.dtype, model.eigenvectors_.dtype} == {
        np.dtype(np.float32)
    }
    # all that is lost is the last rounding: half a unit of float32's 1.2e-7
    np.testing.assert_allclose(model.eigenvalues_, expected.eigenvalues_, rtol=1e-7)
    assert_scores_agree(scores, expected.transform(new.astype(np.float64)), 1e-7)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("shape", [(60, 4), (20, 50)])
def test_linear_kernel_is_pca(shape, solver):
    X, new = table(*shape), table(10, shape[1], seed=1)
    pca = PCA(3, svd_solver="full").fit(X)
    model = KernelPCA(3, eigen_solver=solver, random_state=0).fit(X)
    assert_scores_agree(model.transform(new), pca.transform(new), EXACT)
    np.testing.assert_allclose(model.eigenvalues_ / (shape[0] - 1), pca.explained_variance_, rtol=1e-12)
    np.testing.assert_allclose(model.explained_variance_ratio_, pca.explained_variance_ratio_, rtol=1e-12)


@pytest.mark.parametrize("solver", SOLVERS)
def test_all_components_that_there_are(solver):
    X = table(20, 4)
    for kernel, rank in (("linear", 4), ("rbf", 19)):
        model = KernelPCA(kernel=kernel, eigen_solver=solver, random_state=0).fit(X)
        assert model.eigenvalues_.shape == (rank,)
        assert (model.eigenvalues_ > 0).all()
        np.testing.assert_allclose(model.explained_variance_ratio_.sum(), 1, rtol=1e-12)


def test_attributes():
    X = table(30, 3)
    model = KernelPCA(2, kernel="rbf", gamma=0.5, fit_inverse_transform=True).fit(X)
    theirs = ScikitLearnKernelPCA(2, kernel="rbf", gamma=0.5, fit_inverse_transform=True).fit(X)
    public = {name for name in vars(theirs) if name.endswith("_")} | {"dual_coef_", "X_transformed_fit_"}
    assert all(hasattr(model, name) for name in public)
    assert model.n_features_in_ == 3
    assert model.gamma_ == 0.5
    np.testing.assert_array_equal(model.X_fit_, X)
    np.testing.assert_allclose(np.linalg.norm(model.eigenvectors_, axis=0), 1, rtol=1e-12)
    assert_scores_agree(model.X_transformed_fit_, theirs.X_transformed_fit_, EXACT)
    assert model.dual_coef_.shape == theirs.dual_coef_.shape
    for array in (model.certificate_.residual, model.certificate_.lower, model.certificate_.upper):
        assert array.shape == (2,)
    assert model.certificate_.index_proven.dtype == bool
    assert model.n_iter_ >= 1
    assert model.solver_ in ("dense", "lanczos", "block")
    assert str(len(X)) in model.solver_reason_


def test_scikit_learn_s_signature_is_a_part_of_ours():
    ours, theirs = KernelPCA().get_params(), ScikitLearnKernelPCA().get_params()
    assert theirs.items() <= ours.items()


def test_copy_X():
    X = table(20, 3)
    assert KernelPCA(2, kernel="rbf", copy_X=False).fit(X).X_fit_ is X
    assert not np.shares_memory(KernelPCA(2, kernel="rbf").fit(X).X_fit_, X)


def test_kernels_of_gaussian_processes_are_taken_as_scikit_learn_takes_them():
    X, new = table(60, 4), table(15, 4, seed=1)
    for kernel in (gp.RBF(2.0), gp.ConstantKernel(2.0) * gp.Matern(1.5, nu=2.5) + gp.WhiteKernel(0.5)):
        ours = KernelPCA(3, kernel=kernel, random_state=0)
        assert_same_answers(ours, ScikitLearnKernelPCA(3, kernel=kernel, eigen_solver="dense"), X, new)
        np.testing.assert_allclose(ours.score(X), ours.explained_variance_ratio_.sum(), rtol=1e-9)
    before = ours.transform(new)
    kernel.set_params(k2__noise_level=3.0, k1__k2__length_scale=9.0)
    np.testing.assert_array_equal(ours.transform(new), before)
    with pytest.raises(TypeError, match="sparse"):
        KernelPCA(2, kernel=gp.RBF(1.0)).fit(scipy.sparse.csr_matrix(X))
