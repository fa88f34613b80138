"""Parameters and calls that make no sense: refused before any work, with what they may be."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from agreement import table
from refusals import assert_refused, in_order
from sklearn.exceptions import NotFittedError

from eigenlens import KernelPCA
from eigenlens.core.errors import IndefiniteKernelWarning, MemoryLimitError
from eigenlens.kernels import RBF, Kernel, Linear, Precomputed

X = table(30, 3)
NOT_NUMBERS = [None, "1", True, np.nan, np.inf, 1j, [1]]

WRONG = {
    "n_components": ([0, -1, 2.0, 2.5, True, "2", np.nan], "None or a whole number of at least 1"),
    "kernel": (["gauss", "RBF", None, 3, ["rbf"]], "one of linear, poly, "),
    "eigen_solver": (["lapack", "factor", "DENSE", None, 3], "one of auto, dense, arpack, randomized, lanczos, block"),
    "gamma": ([-1, -0.5, "mean", "scale", *NOT_NUMBERS[2:], 10**400], 'None, "median" or a number of at least 0'),
    "inverse_gamma": ([-1, "mean", *NOT_NUMBERS[2:]], 'None, "median" or a number of at least 0'),
    "degree": ([-1, *NOT_NUMBERS], "a number of at least 0"),
    "coef0": (NOT_NUMBERS, "a finite number"),
    "alpha": ([-1, *NOT_NUMBERS], "a number of at least 0"),
    "tol": ([-1, *NOT_NUMBERS], "a number of at least 0"),
    "kernel_params": ([3, [("a", 1)], "a"], "None or a dict"),
    "max_iter": ([0, -2, 1.5, True, "1"], "None or a whole number of at least 1"),
    "iterated_power": ([-1, 1.5, "7", None], '"auto" or a whole number of at least 0'),
    "remove_zero_eig": ([1, 0, None, "yes"], "True or False"),
    "fit_inverse_transform": ([1, None, "yes"], "True or False"),
    "copy_X": ([1, None], "True or False"),
    "n_jobs": ([0, 1.5, True, "2"], "None or a whole number other than 0"),
    "random_state": (["a", -1, 1.5, 2**32, np.random.default_rng(0)], "None, a whole number from 0"),
    "indefinite": (["ignore", None, True], '"auto", "warn" or "raise"'),
    "verbose": (["yes", None, -1], "True, False or a whole number"),
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, (values, _) in WRONG.items() for value in values])
def test_wrong_values_are_named_with_what_is_right(name, value):
    assert_refused(X, f"KernelPCA({name}=", f"{name} must be {WRONG[name][1]}", **{name: value})


def test_every_parameter_is_checked():
    """memory_limit is read by a parser of its own, below."""
    assert set(KernelPCA().get_params()) == set(WRONG) | {"memory_limit"}


@pytest.mark.parametrize("value", [np.int64(2), np.int8(2)])
def test_numbers_of_numpy_are_numbers(value):
    model = KernelPCA(value, kernel="rbf", gamma=np.float32(0.5), degree=value, n_jobs=value, random_state=value)
    assert model.fit(X).eigenvalues_.shape == (2,)


@pytest.mark.parametrize("kernel", [RBF, Kernel])
def test_a_class_is_not_yet_a_kernel(kernel):
    assert_refused(X, "is not known", "RBF(gamma=0.5), not the class RBF", kernel=kernel)


@pytest.mark.parametrize("limit", ["2 GBs", "lots", "", "-2GB", "2,5GB", True, [], {}])
def test_memory_limits_that_are_no_size(limit):
    assert_refused(X, "memory_limit=", "is not a size", '"2GB"', memory_limit=limit)


@pytest.mark.parametrize("limit", [0, -5, np.nan, np.inf, "0MB", "1e400GB"])
def test_memory_limits_that_are_no_positive_size(limit):
    assert_refused(X, "memory_limit=", "positive, finite size", memory_limit=limit)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("rows", [30, 700, 1600])
def test_memory_limits_too_small_for_anything(rows, kernel):
    words = ("memory limit", "kB", "Raise memory_limit")
    assert_refused(table(rows, 3), *words, kernel=kernel, n_components=2, memory_limit="1kB", error=MemoryLimitError)


def test_a_memory_limit_does_not_forbid_a_few_components_of_an_indefinite_kernel():
    """Where there is room for all eigenvalues, all are found, to name the negative ones; here there is not."""
    with pytest.warns(IndefiniteKernelWarning):
        model = KernelPCA(2, kernel="sigmoid", gamma=1.0, memory_limit="5MB", n_jobs=1).fit(table(480, 3))
    assert model.solver_ == "lanczos"


def test_memory_limits_too_small_for_one_tile():
    parameters = {"kernel": "rbf", "n_jobs": 1, "error": MemoryLimitError}
    words = ("memory limit", "too small", "tiles", "Raise memory_limit", "fewer components")
    assert_refused(table(2000, 3), *words, n_components=2, memory_limit="5MB", **parameters)


def test_memory_limits_too_small_for_the_whole_matrix():
    parameters = {"kernel": "rbf", "n_jobs": 1, "memory_limit": "50MB", "error": MemoryLimitError}
    words = ("128 MB", "50 MB", "n_components", "memory_limit")
    assert_refused(table(2000, 3), *words, **parameters)
    assert_refused(table(2000, 3), *words[:2], "block", n_components=2, eigen_solver="dense", **parameters)


@pytest.mark.parametrize("kernel", ["linear", "poly", "sigmoid", "cosine", "precomputed", "additive_chi2"])
def test_median_width_of_what_has_no_width(kernel):
    rows = X @ X.T if kernel == "precomputed" else np.abs(X)
    if kernel == "additive_chi2":  # it has a distance, but no gamma to divide it by; the name ignores gamma
        assert KernelPCA(2, kernel=kernel, gamma="median").fit(rows).eigenvalues_.shape == (2,)
    else:
        assert_refused(rows, 'gamma="median" is for kernels of a distance', "a number", kernel=kernel, gamma="median")


def test_median_width_of_a_function_and_of_equal_rows():
    assert_refused(X, "named kernels", "kernel_params", kernel=lambda x, y: 1.0, gamma="median")
    assert_refused(np.ones((5, 2)), "rows that differ", "a number", kernel="rbf", gamma="median")


@pytest.mark.parametrize("gamma", [0.5, "median"])
def test_gamma_beside_a_kernel_object(gamma):
    words = (f"gamma={gamma!r}", "RBF(gamma=1.0)", "carries its own", "kernel__gamma")
    assert_refused(X, *words, kernel=RBF(), gamma=gamma)


def test_a_fractional_degree_of_negative_numbers():
    assert_refused(X, "Polynomial(degree=1.5", "not a real number", "whole exponent", kernel="poly", degree=1.5)


@pytest.mark.parametrize("kernel", ["precomputed", Precomputed()])
def test_no_inverse_of_a_matrix(kernel):
    words = ("Cannot fit_inverse_transform with a precomputed kernel", "no rows to go back to", "False")
    assert_refused(X @ X.T, *words, kernel=kernel, fit_inverse_transform=True)


def test_no_inverse_by_a_kernel_that_does_not_take_scores():
    words = ("inverse transform cannot be learned", "ChiSquared", "fit_inverse_transform=False")
    assert_refused(np.abs(X), *words, kernel="chi2", fit_inverse_transform=True)


@pytest.mark.filterwarnings("error::scipy.linalg.LinAlgWarning")
def test_no_penalty_where_the_matrix_of_scores_is_singular():
    """Thirty rows of three scores have a linear kernel matrix of rank three: LAPACK must not be what says so."""
    assert_refused(
        X, "inverse transform cannot be learned with alpha=0", "Raise alpha", fit_inverse_transform=True, alpha=0
    )


@pytest.mark.parametrize("kernel", ["precomputed", Precomputed()])
def test_no_score_of_a_matrix(kernel):
    model = KernelPCA(2, kernel=kernel).fit(X @ X.T)
    assert not hasattr(model, "score")
    with pytest.raises(AttributeError) as refused:
        model.score_samples(X @ X.T)
    assert "Give the kernel as an object" in str(refused.value.__cause__)
    assert hasattr(model.set_params(kernel=Linear()), "score")


def test_calls_before_fit():
    for call in ("transform", "score_samples", "score", "inverse_transform"):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(KernelPCA(fit_inverse_transform=True), call)(X)
    with pytest.raises(NotFittedError, match="not fitted yet"):
        KernelPCA().get_feature_names_out()


@pytest.mark.parametrize("later", [False, True])
def test_inverse_that_was_not_learned(later):
    """Setting the parameter after fit learns nothing either."""
    model = KernelPCA(2).fit(X).set_params(fit_inverse_transform=later)
    with pytest.raises(NotFittedError, match="fit_inverse_transform=True before fitting"):
        model.inverse_transform(X[:, :2])
    with pytest.raises(AttributeError, match="dual_coef_ is there once fit has learned the inverse"):
        model.dual_coef_  # noqa: B018


@pytest.mark.parametrize("call", ["transform", "score_samples"])
def test_new_rows_of_another_table(call):
    model = KernelPCA(2, kernel="rbf").fit(X)
    with pytest.raises(ValueError, match=in_order("X has 2 features", "expecting 3", "Give the columns of the fit")):
        getattr(model, call)(X[:, :2])
    with pytest.raises(ValueError, match=in_order("NaN", "row 1, column 0")):
        getattr(model, call)([[1, 2, 3], [np.nan, 2, 3]])
    with pytest.raises(ValueError, match=in_order("Expected 2D array", "reshape(1, -1)")):
        getattr(model, call)(X[0])
    with pytest.raises(ValueError, match=in_order("0 sample(s)", "See what left so few rows")):
        getattr(model, call)(X[:0])
    with pytest.raises(ValueError, match="range of floating point"):
        getattr(model, call)(X * 1e200)


def test_new_rows_of_a_matrix():
    model = KernelPCA(2, kernel="precomputed").fit(X @ X.T)
    with pytest.raises(ValueError, match=in_order("3 features", "expecting 30", "new rows against all training rows")):
        model.transform(X)


def test_columns_of_other_names_or_order():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = KernelPCA(2).fit(frame)
    for other in (frame[["b", "a", "c"]], frame.rename(columns={"a": "z"})):
        with pytest.raises(ValueError, match=in_order("feature names should match", "X[model.feature_names_in_]")):
            model.transform(other)
    np.testing.assert_array_equal(
        model.transform(frame[["b", "a", "c"]][model.feature_names_in_]), model.transform(frame)
    )


def test_scores_that_are_none():
    model = KernelPCA(2, kernel="rbf", fit_inverse_transform=True).fit(X)
    for bad, words in (
        (X, ("(n, 2)", "(30, 3)")),
        (X[:, 0], ("Expected 2D array",)),
        ([[1, np.nan]], ("NaN", "row 0, column 1")),
        ([["a", "b"]], ("row 0, column 0 is 'a'",)),
    ):
        with pytest.raises(ValueError, match=in_order(*words)):
            model.inverse_transform(bad)
    with pytest.raises(TypeError, match="toarray"):
        model.inverse_transform(scipy.sparse.csr_array(X[:, :2]))
    assert model.inverse_transform([[1, 2]]).shape == (1, 3)
    assert model.inverse_transform(pd.DataFrame(X[:, :2])).shape == (30, 3)


def test_copies_of_a_wide_table_count_towards_the_limit():
    X = np.random.default_rng(0).standard_normal((300, 3000))  # 7.2 MB, and a copy, and twice that for products
    assert_refused(X, "memory limit", kernel="rbf", n_components=2, memory_limit="15MB", error=MemoryLimitError)
    KernelPCA(2, kernel="rbf", memory_limit="25MB", random_state=0).fit(X)
