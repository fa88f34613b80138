"""The door: good tables pass as they are, bad ones are refused with the place and the remedy."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import BaseEstimator

from eigenlens.core.validation import all_or_nothing, check_table, refuse_non_finite


class Model(BaseEstimator):
    """An estimator with nothing but feature bookkeeping."""


X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@pytest.mark.parametrize(
    ("table", "dtype"),
    [
        (X, np.float64),
        (X.astype(np.float32), np.float32),
        (X.astype(int), np.float64),
        (X.astype(np.float16), np.float64),
        (X > 2, np.float64),
        (X.tolist(), np.float64),
        (pd.DataFrame(X), np.float64),
        (X.astype(object), np.float64),
    ],
    ids=["float64", "float32", "int", "float16", "bool", "list", "frame", "object"],
)
def test_float32_stays_and_all_else_is_float64(table, dtype):
    checked = check_table(Model(), table, reset=True)
    assert checked.dtype == dtype
    np.testing.assert_array_equal(checked, np.asarray(table, dtype=float))


@pytest.mark.parametrize("container", [scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.coo_array])
def test_sparse_tables_become_csr(container):
    checked = check_table(Model(), container(X), reset=True)
    assert checked.format == "csr"
    np.testing.assert_array_equal(checked.toarray(), X)


def test_table_is_copied_only_if_asked_for():
    assert np.shares_memory(check_table(Model(), X, reset=True), X)
    assert not np.shares_memory(check_table(Model(), X, reset=True, copy=True), X)


def test_features_are_counted_and_named_as_in_scikit_learn():
    model = Model()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    check_table(model, frame, reset=True)
    assert model.n_features_in_ == 3
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    with pytest.raises(ValueError, match="feature names should match"):
        check_table(model, frame[["b", "a", "c"]], reset=False)
    nameless = Model()
    check_table(nameless, X, reset=True)
    with pytest.raises(ValueError, match="X has 2 features, but Model is expecting 3"):
        check_table(nameless, X[:, :2], reset=False)


def test_one_row_is_too_few_to_fit_and_enough_to_transform():
    model = Model()
    with pytest.raises(ValueError, match="minimum of 2 is required"):
        check_table(model, X[:1], reset=True)
    check_table(model, X, reset=True)
    assert check_table(model, X[:1], reset=False).shape == (1, 3)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("container", [np.array, scipy.sparse.csr_matrix, pd.DataFrame])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_what_is_not_finite_is_named_with_its_place(container, value, dtype):
    table = np.array([[1, 0, 2], [0, value, 0], [np.nan, 3, 4]], dtype)
    what, remedy = ("NaN", "SimpleImputer") if np.isnan(value) else ("infinity", "division by zero")
    words = (
        rf"Input X contains {what}: the first of 2 such values is in row 1, column 1.* Model needs finite .*{remedy}"
    )
    with pytest.raises(ValueError, match=words):
        check_table(Model(), container(table), reset=True)


def test_column_is_named_where_names_are_known():
    frame = pd.DataFrame({"height": [1.0, 2.0], "weight": [3.0, np.nan]})
    with pytest.raises(ValueError, match=r"in row 1, column 1 \('weight'\)\. Model"):
        check_table(Model(), frame, reset=True)


@pytest.mark.parametrize("container", [np.array, scipy.sparse.csr_matrix])
def test_finite_numbers_whose_sum_overflows_pass(container):
    refuse_non_finite(container([[1e308, 1e308], [1e308, -1e308]]), "Model")
    refuse_non_finite(container(np.full((2, 2), 3e38, np.float32)), "Model")


@pytest.mark.parametrize("container", [list, np.array, lambda cells: np.array(cells, dtype=object), pd.DataFrame])
def test_text_is_named_with_its_place_and_the_remedy(container):
    cells = [["1", "2"], ["3", "four"]]
    with pytest.raises(ValueError, match=r"in row 1, column 1\b.*OneHotEncoder"):
        check_table(Model(), container(cells), reset=True)


@pytest.mark.parametrize(
    ("table", "error", "words"),
    [
        (np.empty((0, 2)), ValueError, "0 sample"),
        (np.empty((2, 0)), ValueError, "0 feature"),
        (np.arange(3.0), ValueError, "(?s)Expected 2D array.*Reshape"),
        (np.zeros((2, 2, 2)), ValueError, "dim 3"),
        (X * 1j, ValueError, "Complex data not supported"),
        ("table.csv", TypeError, r"'table\.csv'.*Read a file first"),
        (None, TypeError, "got None"),
        ({"a": [1, 2]}, TypeError, "make a table of a dict"),
        ([[1.0, 2.0], [3.0]], ValueError, "(?s)inhomogeneous.*same number of values"),
        (np.array([["2020-01-01"]], "M8[D]"), TypeError, "Dates and times are not supported"),
    ],
    ids=[
        "no rows",
        "no columns",
        "one-dimensional",
        "three-dimensional",
        "complex",
        "text",
        "none",
        "dict",
        "ragged",
        "dates",
    ],
)
def test_what_is_no_table_is_refused(table, error, words):
    with pytest.raises(error, match=words):
        check_table(Model(), table, reset=True)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_failure_leaves_the_estimator_as_it_was(error):
    model = Model()
    model.values_, model.alpha = [1, 2], 3
    before = dict(vars(model))

    def fail():
        with all_or_nothing(model):
            model.values_, model.vectors_ = [9], [8]
            del model.alpha
            raise error

    with pytest.raises(error):
        fail()
    assert vars(model) == before


def test_a_success_stays():
    model = Model()
    with all_or_nothing(model):
        model.values_ = [1]
    assert model.values_ == [1]
