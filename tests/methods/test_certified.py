"""What certificate_ says holds: against decompositions in float64 of matrices built independently."""

import numpy as np
import pytest
from agreement import assert_scores_agree, table
from scipy.linalg import eigvalsh
from scipy.sparse import csr_matrix
from scipy.spatial.distance import cdist
from sklearn.datasets import make_blobs
from sklearn.decomposition import KernelPCA as ScikitLearnKernelPCA

from eigenlens import KernelPCA

SOLVERS = ["auto", "dense", "arpack", "randomized", "lanczos", "block"]

KERNELS = {
    "linear": lambda X: X @ X.T,
    "poly": lambda X: (0.2 * X @ X.T + 1) ** 3,
    "rbf": lambda X: np.exp(-0.2 * cdist(X, X, "sqeuclidean")),
    "laplacian": lambda X: np.exp(-0.2 * cdist(X, X, "cityblock")),
}


def true_eigenvalues(kernel, X):
    """All eigenvalues of the centred matrix, the largest first; distances are taken as differences, exactly."""
    K = KERNELS[kernel](X)
    K -= K.mean(axis=0)
    K -= K.mean(axis=1)[:, None]
    return eigvalsh(K)[::-1]


def assert_enclosed(model, true):
    """Bounds hold, to the rounding of the reference itself: a hundred eps of the first eigenvalue."""
    certificate, rounding = model.certificate_, 100 * np.finfo(float).eps * true[0]
    k = len(model.eigenvalues_)
    assert (certificate.lower <= true[:k] + rounding).all()
    assert (true[:k] <= certificate.upper + rounding).all()
    nearest = np.abs(model.eigenvalues_[:, None] - true).min(axis=1)
    assert (nearest <= certificate.residual + certificate.rounding + rounding).all()


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_bounds_hold(kernel, solver):
    X = table(300, 4)
    model = KernelPCA(5, kernel=kernel, gamma=0.2, eigen_solver=solver, random_state=0)
    if kernel == "linear":
        model.set_params(n_components=4)  # there are no more
    true = true_eigenvalues(kernel, X)
    assert_enclosed(model.fit(X), true)
    if solver != "randomized":
        # the default tolerance is a residual of 1e-10, or 1e-6 in float32, and eigenvalues are its square
        np.testing.assert_allclose(model.eigenvalues_, true[: model.n_components], rtol=1e-10)
        assert model.certificate_.residual.max() <= 1e-6 * true[0]


@pytest.mark.parametrize("solver", ["arpack", "lanczos", "block"])
def test_bounds_hold_where_the_solver_stopped_early(solver):
    X = table(300, 4)
    model = KernelPCA(5, kernel="laplacian", gamma=0.2, eigen_solver=solver, tol=0.2, random_state=0).fit(X)
    assert_enclosed(model, true_eigenvalues("laplacian", X))


@pytest.mark.parametrize(("n", "kernel"), [(2300, "rbf"), (2300, "poly"), (3000, "rbf")])
def test_bounds_hold_by_float32_tiles(n, kernel):
    X = table(n, 5)
    model = KernelPCA(6, kernel=kernel, gamma=0.2, random_state=0).fit(X)
    assert model.solver_ == "block"
    true = true_eigenvalues(kernel, X)
    assert_enclosed(model, true)
    np.testing.assert_allclose(model.eigenvalues_, true[:6], rtol=1e-10)
    assert model.certificate_.index_proven.all()
    assert model.certificate_.residual.max() <= 1e-6 * true[0]


@pytest.mark.parametrize("solver", SOLVERS[1:])
def test_bounds_hold_where_the_kernel_is_far_narrower_than_the_data(solver):
    """Distances come from products that cancel; what that costs the kernel's values is part of the bounds."""
    X = make_blobs(600, n_features=2, centers=5, cluster_std=0.1, center_box=(-20, 20), random_state=0)[0]
    model = KernelPCA(3, kernel="rbf", gamma=50.0, eigen_solver=solver, random_state=0).fit(X)
    K = np.exp(-50.0 * cdist(X, X, "sqeuclidean"))
    true = eigvalsh(K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean())[::-1]
    certificate = model.certificate_
    assert (certificate.lower <= true[:3]).all()
    assert (true[:3] <= certificate.upper).all()
    if solver != "randomized":
        assert (certificate.upper - certificate.lower <= 1e-8 * true[0]).all()


@pytest.mark.parametrize("offset", [1e3, 1e4, 1e6])
def test_bounds_hold_for_sparse_tables_far_from_the_origin(offset):
    X = table(400, 5) + offset
    model = KernelPCA(3, kernel="rbf", gamma=0.2, random_state=0).fit(csr_matrix(X))
    assert_enclosed(model, true_eigenvalues("rbf", X))
    np.testing.assert_allclose(model.eigenvalues_, true_eigenvalues("rbf", X)[:3], rtol=1e-8)


@pytest.mark.parametrize("n", [400, 1500])
def test_a_matrix_symmetric_to_float32_is_one_matrix_to_all_solvers(n):
    K = KERNELS["rbf"](table(n, 4))
    K = (K + 1e-7 * np.random.default_rng(0).standard_normal(K.shape)).astype(np.float32)
    mean = (K.astype(np.float64) + K.T) / 2
    true = eigvalsh(mean - mean.mean(axis=0) - mean.mean(axis=1)[:, None] + mean.mean())[::-1]
    for solver in ("dense", "arpack", "lanczos", "block"):
        model = KernelPCA(3, kernel="precomputed", eigen_solver=solver, random_state=0).fit(K)
        assert_enclosed(model, true)


def test_bounds_hold_where_only_centring_makes_the_matrix_symmetric():
    K = KERNELS["rbf"](table(300, 4))
    for size in (1e2, 1e4):
        model = KernelPCA(3, kernel="precomputed", random_state=0).fit(K + size * np.arange(300.0)[:, None])
        true = true_eigenvalues("rbf", table(300, 4))
        assert (model.certificate_.lower <= true[:3]).all()
        assert (true[:3] <= model.certificate_.upper).all()


@pytest.mark.parametrize("n", [100, 400, 2200])
def test_float32_eigenvalues_lie_within_their_own_bounds(n):
    model = KernelPCA(5, kernel="rbf", gamma=0.2, random_state=0).fit(table(n, 4).astype(np.float32))
    assert model.eigenvalues_.dtype == np.float32
    assert (model.certificate_.lower <= model.eigenvalues_).all()
    assert (model.eigenvalues_ <= model.certificate_.upper).all()
    true = true_eigenvalues("rbf", table(n, 4).astype(np.float32).astype(np.float64))
    assert_enclosed(model, true)


@pytest.mark.parametrize("n", [300, 2200])
@pytest.mark.parametrize("kernel", ["linear", "rbf", "laplacian"])
def test_data_far_from_the_origin(kernel, n):
    """X + 1e6 keeps ten digits of X; with |x|^2 of 1e12, a distance that is not taken from centred rows keeps four."""
    X = table(n, 4) + 1e6
    model = KernelPCA(3, kernel=kernel, gamma=0.2, random_state=0).fit(X)
    true = true_eigenvalues(kernel, X - 1e6)  # exact: the nearby numbers differ by a number
    np.testing.assert_allclose(model.eigenvalues_, true[:3], rtol=1e-10)
    assert_enclosed(model, true)
    # to the end of float64: a shorter iteration leaves both tables a residual of their own
    near, far = (KernelPCA(3, kernel=kernel, gamma=0.2, tol=1e-11, random_state=0).fit(x) for x in (X - 1e6, X))
    assert_scores_agree(far.transform(X[:9]), near.transform(X[:9] - 1e6), 1e-9)
    np.testing.assert_allclose(model.score(X), model.explained_variance_ratio_.sum(), rtol=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("scale", [1e-50, 1e-6, 1e50])
def test_the_unit_of_a_table_does_not_matter(scale, solver):
    X = table(300, 30)
    parameters = {"n_components": 3, "eigen_solver": solver, "iterated_power": 30, "random_state": 0}
    expected = KernelPCA(**parameters).fit(X)
    model = KernelPCA(**parameters).fit(X * scale)
    np.testing.assert_allclose(model.eigenvalues_ / scale**2, expected.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(model.explained_variance_ratio_, expected.explained_variance_ratio_, rtol=1e-10)
    assert_scores_agree(model.transform(X * scale) / scale, expected.transform(X), 1e-8)
    assert_enclosed(model, scale**2 * true_eigenvalues("linear", X))


@pytest.mark.parametrize("n", [60, 2200])
@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
@pytest.mark.parametrize("scale", [1e-130, 1e130])
def test_median_width_takes_any_unit(scale, kernel, n):
    X = table(n, 3)
    parameters = {"n_components": 3, "kernel": kernel, "gamma": "median", "random_state": 0}
    expected, model = KernelPCA(**parameters).fit(X), KernelPCA(**parameters).fit(X * scale)
    np.testing.assert_allclose(model.eigenvalues_, expected.eigenvalues_, rtol=1e-10)


@pytest.mark.parametrize("limit", ["1GB", "40MB", 40_000_000, "38.5 MiB"])
def test_a_memory_limit_changes_no_answer(limit):
    X = table(3000, 4)
    model = KernelPCA(4, kernel="rbf", memory_limit=limit, n_jobs=1, random_state=0).fit(X)
    expected = KernelPCA(4, kernel="rbf", n_jobs=1, random_state=0).fit(X)
    np.testing.assert_array_equal(model.eigenvalues_, expected.eigenvalues_)
    np.testing.assert_array_equal(model.transform(X[:20]), expected.transform(X[:20]))


@pytest.mark.parametrize("shape", [(500, 20), (2200, 5)])
def test_same_answers_as_scikit_learn_s_where_it_would_be_slow(shape):
    X, new = table(*shape), table(50, shape[1], seed=1)
    ours = KernelPCA(8, kernel="rbf", random_state=0).fit(X)
    theirs = ScikitLearnKernelPCA(8, kernel="rbf", eigen_solver="arpack", random_state=0).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-10)
    # float32 tiles leave a residual of 1e-6 of the first eigenvalue in the vectors, more where the next is near
    assert_scores_agree(ours.transform(new), theirs.transform(new), 1e-4 if len(X) > 1500 else 1e-8)


def test_certificate_reads_well():
    text = str(KernelPCA(3, kernel="rbf").fit(table(50, 3)).certificate_)
    assert "3 eigenpairs" in text
    assert "index proven for 3" in text
