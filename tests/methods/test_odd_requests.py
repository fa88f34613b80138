"""Odd but legal requests give the answers of scikit-learn's dense solver."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from agreement import assert_scores_agree, histograms, table
from sklearn.decomposition import KernelPCA as ScikitLearnKernelPCA
from sklearn.metrics.pairwise import pairwise_kernels

from eigenlens import KernelPCA
from eigenlens.core.errors import RankWarning

SOLVERS = ["auto", "dense", "arpack", "randomized", "lanczos", "block"]
NAMES = ["linear", "poly", "polynomial", "rbf", "sigmoid", "cosine", "laplacian", "chi2", "additive_chi2"]
X = table(20, 4)


def assert_same_as_theirs(table, k, solver="auto", kernel="rbf", plain=None, **parameters):
    """Compare eigenvalues and the scores of all components that are no rounding."""
    plain = np.asarray(table, dtype=float) if plain is None else plain
    theirs = ScikitLearnKernelPCA(k, kernel=kernel, eigen_solver="dense").fit(plain)
    ours = KernelPCA(k, kernel=kernel, eigen_solver=solver, iterated_power=30, random_state=0, **parameters)
    scores = ours.fit_transform(table)
    assert np.isfinite(scores).all()
    first = theirs.eigenvalues_[0]
    assert ours.eigenvalues_.shape == theirs.eigenvalues_.shape
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=0, atol=1e-12 * first)
    there = theirs.eigenvalues_ > 1e-8 * first
    assert_scores_agree(scores[:, there], theirs.transform(plain)[:, there], 1e-7)  # eps lambda_1 / lambda_i
    np.testing.assert_allclose(ours.transform(table), scores, rtol=0, atol=1e-10 * first**0.5)
    return ours


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("k", [1, 2, 7, 19, None])
@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_any_number_of_components(kernel, k, solver):
    assert_same_as_theirs(X, k, solver, kernel)


@pytest.mark.parametrize("solver", ["dense", "randomized", "lanczos", "block"])
def test_as_many_components_as_rows(solver):
    with pytest.warns(RankWarning, match="only 19 of 20"):
        assert_same_as_theirs(X, 20, solver)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("n", "k"), [(2, 1), (2, None), (3, 1), (3, 2), (3, None)])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_two_and_three_rows(n, k, kernel, solver):
    assert_same_as_theirs(X[:n], k, solver, kernel)


@pytest.mark.filterwarnings("ignore::eigenlens.core.errors.IndefiniteKernelWarning")  # sigmoid
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kernel", NAMES)
def test_every_solver_with_every_kernel(kernel, solver):
    """scikit-learn's pairwise functions make the matrix, its dense solver decomposes it."""
    rows = histograms(20, 4)
    parameters = {} if kernel in ("linear", "cosine", "additive_chi2") else {"gamma": 0.25}
    theirs = ScikitLearnKernelPCA(3, kernel="precomputed", eigen_solver="dense")
    expected = theirs.fit_transform(pairwise_kernels(rows, metric=kernel, **parameters))
    ours = KernelPCA(3, kernel=kernel, eigen_solver=solver, iterated_power=60, random_state=0)
    assert_scores_agree(ours.fit_transform(rows), expected, 1e-8)


@pytest.mark.parametrize("solver", SOLVERS)
def test_rows_that_repeat(solver):
    """Sixty rows of which twenty differ have nineteen components, and equal rows equal scores."""
    repeated = np.repeat(X, 3, axis=0)
    model = assert_same_as_theirs(repeated, None, solver)
    assert model.eigenvalues_.shape == (19,)
    scores = model.transform(repeated)
    np.testing.assert_array_equal(scores[::3], scores[1::3])


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("shape", "kernel", "k"), [((20, 1), "linear", 1), ((20, 1), "rbf", 3), ((15, 1000), "linear", 14)]
)
def test_one_column_and_a_thousand(shape, kernel, k, solver):
    assert_same_as_theirs(table(*shape), k, solver, kernel)


@pytest.mark.parametrize("solver", SOLVERS)
def test_ties(solver):
    """A square grid has pairs of equal eigenvalues: any basis of their plane is right, so that planes are compared."""
    grid = np.stack(np.meshgrid(np.arange(16.0), np.arange(16.0)), axis=-1).reshape(-1, 2)
    ours = KernelPCA(2, kernel="rbf", gamma=0.01, eigen_solver=solver, iterated_power=60, random_state=0).fit(grid)
    theirs = ScikitLearnKernelPCA(2, kernel="rbf", gamma=0.01, eigen_solver="dense").fit(grid)
    assert ours.eigenvalues_[0] == pytest.approx(ours.eigenvalues_[1], rel=1e-12)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-12)
    first, second = (model.transform(grid) for model in (ours, theirs))
    np.testing.assert_allclose(first @ first.T, second @ second.T, atol=1e-9)


@pytest.mark.parametrize("gamma", [1e5, 1e300])
def test_a_kernel_so_narrow_that_no_row_is_like_another(gamma):
    """K is the identity: n - 1 eigenvalues of one."""
    model = KernelPCA(kernel="rbf", gamma=gamma).fit(X)
    np.testing.assert_allclose(model.eigenvalues_, np.ones(19), rtol=1e-12)
    np.testing.assert_array_equal(model.transform(X + 1e3), model.transform(X - 1e3))


@pytest.mark.parametrize(
    "parameters", [{"kernel": "rbf", "gamma": 0}, {"kernel": "poly", "degree": 0}, {"gamma": 1e-18}]
)
def test_a_kernel_so_wide_that_all_rows_are_alike(parameters):
    with pytest.warns(RankWarning, match="zero up to rounding"):
        model = KernelPCA(2, **({"kernel": "rbf"} | parameters)).fit(X)
    np.testing.assert_array_equal(model.transform(X), np.zeros((20, 2)))


def test_rounding_is_not_counted_as_a_component():
    """1 - 1e-10 |x - y|^2 leaves six digits to the linear part and none to the next order."""
    model = KernelPCA(kernel="rbf", gamma=1e-10).fit(X)
    assert model.eigenvalues_.shape == (4,)
    np.testing.assert_allclose(model.eigenvalues_ / 2e-10, KernelPCA().fit(X).eigenvalues_, rtol=1e-4)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int64, np.float16, np.longdouble, ">f8", "<i4", object])
def test_numbers_of_any_dtype(dtype):
    rows = (np.abs(X) * 3).astype(dtype)
    if dtype is bool:
        rows[::2, 0] = rows[::3, 1] = rows[1::4, 2] = False
    model = assert_same_as_theirs(rows, 2)
    assert model.transform(rows).dtype == np.float64


def test_a_float32_model_and_float64_rows():
    model = KernelPCA(2, kernel="rbf").fit(X.astype(np.float32))
    assert model.transform(X).dtype == np.float64
    assert_scores_agree(model.transform(X), KernelPCA(2, kernel="rbf").fit_transform(X), 1e-6)


def test_arrays_of_any_layout(tmp_path):
    locked = X.copy()
    locked.flags.writeable = False
    mapped = np.memmap(tmp_path / "table", dtype=float, mode="w+", shape=X.shape)
    mapped[:] = X
    for rows in (locked, np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], X[:, ::-1], X[::-1], mapped, X.tolist()):
        for copy in (True, False):
            assert_same_as_theirs(rows, 2, copy_X=copy)
            assert_same_as_theirs(rows, 2, kernel="linear", copy_X=copy)


def test_memory_map_of_a_kernel_matrix(tmp_path):
    np.save(tmp_path / "K.npy", pairwise_kernels(X, metric="rbf"))
    K = np.load(tmp_path / "K.npy", mmap_mode="r")
    assert_same_as_theirs(K, 2, kernel="precomputed", copy_X=False)


@pytest.mark.parametrize("dtype", [object, "Float64", "Float32"])
def test_data_frames_of_any_dtype(dtype):
    plain = X.astype(np.float32).astype(float)
    assert_same_as_theirs(pd.DataFrame(plain, columns=list("abcd")).astype(dtype), 2, plain=plain)


def test_data_frames_of_mixed_and_sparse_columns():
    mixed = pd.DataFrame({"a": X[:, 0], "b": np.arange(20), "c": X[:, 1] > 0, "d": X[:, 2].astype(np.float32)})
    assert_same_as_theirs(mixed, 2, plain=mixed.to_numpy(dtype=float))
    thin = np.where(np.abs(X) > 1, X, 0)
    assert_same_as_theirs(pd.DataFrame.sparse.from_spmatrix(scipy.sparse.csr_array(thin)), 2, plain=thin)


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
def test_sparse_tables_of_any_format(format):
    thin = np.where(np.abs(X) > 1, X, 0)
    for kind in (scipy.sparse.csr_array, scipy.sparse.csr_matrix):
        assert_same_as_theirs(kind(thin).asformat(format), 2, plain=thin)


def test_a_sparse_table_of_nothing():
    with pytest.warns(RankWarning):
        model = KernelPCA(2).fit(scipy.sparse.csr_array((10, 3)))
    np.testing.assert_array_equal(model.transform(scipy.sparse.csr_array((2, 3))), np.zeros((2, 2)))


@pytest.mark.parametrize("n_jobs", [-1, -2, 1, 4])
@pytest.mark.parametrize("n", [20, 2200])
def test_any_number_of_threads(n, n_jobs):
    rows = table(n, 3)
    parameters = {"n_components": 3, "kernel": "rbf", "random_state": 0}
    expected = KernelPCA(n_jobs=2, **parameters).fit(rows)
    model = KernelPCA(n_jobs=n_jobs, **parameters).fit(rows)
    np.testing.assert_allclose(model.eigenvalues_, expected.eigenvalues_, rtol=1e-12)
    np.testing.assert_allclose(model.transform(rows), expected.transform(rows), atol=1e-5)  # residual of float32 tiles


def test_one_new_row_and_very_many():
    model = KernelPCA(3, kernel="rbf").fit(X)
    many = table(3000, 4, seed=2)
    together = model.transform(many)
    np.testing.assert_allclose(np.vstack([model.transform(row[None]) for row in many[:50]]), together[:50], atol=1e-13)
    np.testing.assert_allclose(
        np.vstack([model.transform(many[:700]), model.transform(many[700:])]), together, atol=1e-13
    )
