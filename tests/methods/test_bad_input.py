"""Tables that cannot be used: refused with the place and the remedy, or warned of and answered rightly."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from agreement import table
from refusals import assert_refused, in_order

from eigenlens import KernelPCA
from eigenlens.core.errors import RankWarning

X = table(30, 3)
FRAME = pd.DataFrame(X, columns=["height", "width", "depth"])


def with_cell(value, row=4, column=1):
    changed = X.copy()
    changed[row, column] = value
    return changed


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize(("value", "words"), [(np.nan, ("NaN", "SimpleImputer")), (-np.inf, ("infinity", "units"))])
def test_cells_that_are_not_finite(value, words, kernel):
    what, remedy = words
    bad = with_cell(value)
    assert_refused(bad, what, "row 4, column 1", remedy, kernel=kernel)
    assert_refused(scipy.sparse.csr_array(bad), what, "row 4, column 1", remedy, kernel=kernel)
    assert_refused(pd.DataFrame(bad, columns=FRAME.columns), what, "column 1 ('width')", remedy, kernel=kernel)
    assert_refused(bad.astype(np.float32), what, "row 4, column 1", remedy, kernel=kernel)


@pytest.mark.parametrize("gap", [None, pd.NA, pd.NaT])
def test_gaps_of_other_kinds(gap):
    bad = FRAME.astype(object)
    bad.iloc[2, 1] = gap
    words = ("NaN", "row 2, column 1 ('width')") if gap is None else ("row 2, column 1 ('width')", "SimpleImputer")
    assert_refused(bad, *words, error=(TypeError, ValueError))


def test_masked_cells():
    assert_refused(np.ma.masked_greater(X, 2), "Masked cells", "SimpleImputer")
    np.testing.assert_array_equal(KernelPCA(2).fit(np.ma.array(X)).eigenvalues_, KernelPCA(2).fit(X).eigenvalues_)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (np.empty((0, 3)), ("0 sample(s)", "minimum of 2", "See what left so few rows")),
        (X[:1], ("1 sample(s)", "minimum of 2", "See what left so few rows")),
        (np.empty((5, 0)), ("0 feature(s)", "See what left no column")),
        (FRAME.iloc[:, :0], ("See what left no column",)),
        ([], ("Expected 2D array", "Reshape")),
        (X[:, 0], ("Expected 2D array, got 1D", "reshape(-1, 1)")),
        (FRAME["width"], ("Expected a 2-dimensional container", "Series")),
        (3.0, ("Expected 2D array, got scalar",)),
        (X[None], ("dim 3", "X.reshape(len(X), -1)")),
        ([[1, 2], [3]], ("inhomogeneous shape", "same number of values")),
    ],
    ids=["no rows", "one row", "no columns", "frame of none", "empty list", "1-D", "series", "scalar", "3-D", "ragged"],
)
def test_shapes(bad, words):
    assert_refused(bad, *words)
    assert_refused(bad, *words, kernel="rbf", n_components=1)


@pytest.mark.parametrize("bad", [None, "wine.csv", b"1,2", {"a": [1, 2]}], ids=["none", "path", "bytes", "dict"])
def test_what_is_no_table(bad):
    assert_refused(bad, "takes a table of numbers", "got", "pandas.read_csv", error=TypeError)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ([["a", "b"], ["c", "d"]], ("row 0, column 0 is 'a'",)),
        (np.array([[1, 2], [3, "x"]], dtype=object), ("row 1, column 1 is 'x'",)),
        (np.array([["1", "2"], ["x", "4"]]), ("row 1, column 0 is",)),
        (np.array([[b"a", b"b"], [b"c", b"d"]]), ("row 0, column 0 is b'a'",)),
        (FRAME.assign(width="tall"), ("row 0, column 1 ('width') is 'tall'",)),
        (FRAME.assign(width=pd.Categorical(["u"] * 30)), ("row 0, column 1 ('width') is 'u'",)),
        ([[1, [2]], [3, 4]], ("inhomogeneous",)),
        (np.array([[1, {}], [3, 4]], dtype=object), ("row 0, column 1 is {}",)),
        ([[1, 10**400], [2, 3]], ("row 0, column 1 is 1000",)),
    ],
    ids=["list", "object", "text array", "bytes", "frame", "categories", "nested", "dict", "beyond floats"],
)
def test_cells_that_are_no_numbers(bad, words):
    remedy = "same number" if words == ("inhomogeneous",) else "OneHotEncoder"
    assert_refused(bad, *words, remedy, error=(TypeError, ValueError))


def test_numbers_written_as_text_are_numbers():
    model = KernelPCA(2).fit(X.astype(str))
    np.testing.assert_allclose(model.eigenvalues_, KernelPCA(2).fit(X).eigenvalues_, rtol=1e-14)


def test_complex_numbers():
    words = ("Complex data not supported", "X.real, X.imag")
    assert_refused(X + 1j, *words)
    assert_refused(scipy.sparse.csr_array(X + 1j), *words)
    assert_refused(pd.DataFrame(X + 1j), "column 0", *words[1:])
    assert_refused([[1 + 2j, 1], [2, 3]], "row 0, column 0 is (1+2j)", error=TypeError)
    assert_refused(X[:4, :3] @ X[:4, :3].T + 0j, *words, kernel="precomputed")


def test_dates():
    """As numbers they would be days or nanoseconds since 1970, as their dtype has it, and a gap among them -9e18."""
    days = np.array(["2020-01-01", "2020-01-02", "NaT"], dtype="M8[D]")
    words = ("Dates and times are not supported", "in a unit that suits", "timedelta64")
    assert_refused(days[:, None], *words, error=TypeError)
    assert_refused(days[:, None] - days[0], *words, error=TypeError)
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0], "when": days})
    assert_refused(frame, "column 1 ('when')", "timedelta64", error=TypeError)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "sigmoid", "cosine", "laplacian", "chi2", "additive_chi2"])
@pytest.mark.parametrize("solver", ["auto", "dense", "arpack", "randomized", "lanczos", "block"])
def test_all_rows_equal(kernel, solver):
    equal = np.full((12, 3), 0.1)
    model = KernelPCA(2, kernel=kernel, eigen_solver=solver, random_state=0)
    with pytest.warns(RankWarning, match=in_order("zero up to rounding", "rows are equal", "Check the table")):
        scores = model.fit_transform(equal)
    np.testing.assert_array_equal(scores, np.zeros((12, 2)))
    np.testing.assert_array_equal(model.eigenvalues_, [0, 0])
    np.testing.assert_array_equal(model.explained_variance_ratio_, [0, 0])
    np.testing.assert_array_equal(model.transform(np.full((3, 3), 0.7)), np.zeros((3, 2)))
    with pytest.raises(ValueError, match=in_order("variance of the training rows", "none", "rows that differ")):
        model.score(equal)


def test_constant_columns_change_nothing():
    constant = np.hstack([X, np.full((30, 2), 7.0)])
    for kernel in ("linear", "rbf", "laplacian"):
        expected = KernelPCA(2, kernel=kernel, gamma=0.1).fit_transform(X)
        np.testing.assert_allclose(KernelPCA(2, kernel=kernel, gamma=0.1).fit_transform(constant), expected, atol=1e-12)


@pytest.mark.parametrize("solver", ["auto", "dense", "arpack", "randomized", "lanczos", "block"])
@pytest.mark.parametrize("k", [5, 29])
def test_more_components_than_the_rank(k, solver):
    model = KernelPCA(k, eigen_solver=solver, random_state=0)
    with pytest.warns(
        RankWarning, match=in_order(f"n_components={k}", "only 3 of 30", "n_components=3", "remove_zero")
    ):
        scores = model.fit_transform(X)
    assert scores.shape == (30, k)
    np.testing.assert_array_equal(scores[:, 3:], 0)
    np.testing.assert_array_equal(model.eigenvalues_[3:], 0)
    np.testing.assert_allclose(scores[:, :3], KernelPCA(3).fit_transform(X), atol=1e-12)
    np.testing.assert_array_equal(model.transform(X[:4])[:, 3:], 0)
    assert KernelPCA(k, eigen_solver=solver, remove_zero_eig=True).fit_transform(X).shape == (30, 3)


def test_more_components_than_rows():
    model = KernelPCA(50, kernel="rbf")
    with pytest.warns(RankWarning, match="n_components=50, but only 29 of 30"):
        assert model.fit_transform(X).shape == (30, 30)
    assert_refused(
        X, "fewer components than samples", "30", '"dense"', kernel="rbf", eigen_solver="arpack", n_components=50
    )


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "cosine", "sigmoid", "laplacian"])
@pytest.mark.parametrize("size", [1e-160, 1e160, 1e300])
def test_entries_whose_squares_are_no_numbers(size, kernel):
    for bad in (X * size, scipy.sparse.csr_array(X * size)):
        assert_refused(bad, "reach", "range of floating point", "MaxAbsScaler", kernel=kernel, n_components=2)
    assert_refused(X * size, "range of floating point", kernel="rbf", gamma="median")


@pytest.mark.parametrize("solver", ["auto", "dense", "arpack", "randomized", "lanczos", "block"])
@pytest.mark.parametrize("size", [1e-90, 1e90])
def test_kernel_values_whose_squares_are_no_numbers(size, solver):
    words = ("Linear()", "reach", "range of floating point", "Scale")
    assert_refused(X * size, *words, n_components=2, eigen_solver=solver)
    assert_refused(X @ X.T * size**2, "range of floating point", kernel="precomputed", eigen_solver=solver)


def test_powers_that_overflow():
    assert_refused(X * 1e120, "Polynomial", "inf", "Scale", kernel="poly", n_components=2)


@pytest.mark.parametrize("size", [1e-30, 1e30])
def test_eigenvalues_beyond_float32(size):
    assert_refused((X * size).astype(np.float32), "eigenvalues", "float32", "float64")
    assert KernelPCA(2).fit((X * size).astype(np.float32).astype(float)).eigenvalues_.shape == (2,)


@pytest.mark.parametrize("kernel", ["chi2", "additive_chi2"])
def test_histogram_kernels_want_histograms(kernel):
    assert_refused(with_cell(-9.0), "non-negative", "row 4, column 1", "-9", "another kernel", kernel=kernel)
    assert_refused(scipy.sparse.csr_array(np.abs(X)), "sparse", "toarray", kernel=kernel, error=TypeError)
    model = KernelPCA(2, kernel=kernel).fit(np.abs(X))
    with pytest.raises(ValueError, match=in_order("non-negative", "row 4, column 1", "-9")):
        model.transform(np.where(np.arange(30)[:, None] == 4, with_cell(-9.0), np.abs(X)))


def test_precomputed_matrices():
    K = X @ X.T
    assert_refused(X, "square matrix", "(30, 3)", 'kernel="rbf"', kernel="precomputed")
    assert_refused(K + np.triu(K), "not symmetric", "(K + K.T) / 2", kernel="precomputed")
    assert_refused(np.where(np.eye(30), np.nan, K), "NaN", "row 0, column 0", kernel="precomputed")
    assert_refused(scipy.sparse.csr_array(K), "Sparse", "toarray", kernel="precomputed", error=TypeError)
