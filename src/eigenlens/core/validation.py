"""The door: a table is checked once, here, and every refusal names the place and the remedy."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

Table = Any  # a dense float array or a CSR matrix of shape (n_samples, n_features)

_DTYPES = [np.float64, np.float32]
_LEAST, _MOST = 1e-140, 1e140  # of the largest entry: distances and norms square it, and add that up

# What to do about a refusal of scikit-learn's, by a part of its text.
_REMEDIES = {
    "sample(s)": "See what left so few rows.",
    "feature(s)": "See what left no column.",
    "at least one array or dtype": "See what left no column.",
    "Found array with dim": "Give one row a sample: X.reshape(len(X), -1).",
    "inhomogeneous shape": "Every row must have the same number of values.",
    "features, but": "Give the columns of the fit (for a precomputed kernel: new rows against all training rows).",
    "feature names should match": "Select the columns by name: X[model.feature_names_in_].",
}


def check_table(
    estimator: BaseEstimator, X: Any, *, reset: bool, copy: bool = False, accept_sparse: bool = True
) -> Table:
    """Return X as a finite float32 or float64 array, or CSR matrix, with scikit-learn's feature bookkeeping done.

    float32 stays float32; everything else becomes float64. NaN and infinity are refused with their row and column.
    """
    who = type(estimator).__name__
    _refuse_no_table(X, who)
    _refuse_silent_casts(X)
    with _explaining(X):
        table = check_array(
            X,
            copy=copy,
            accept_sparse="csr" if accept_sparse else False,
            dtype=_DTYPES,
            ensure_all_finite=False,
            ensure_min_samples=2 if reset else 1,
            estimator=estimator,
            input_name="X",
        )
    refuse_non_finite(table, who, getattr(X, "columns", None))
    _refuse_extremes(table, who)
    with _explaining(X):
        validate_data(estimator, X, reset=reset, skip_check_array=True)  # names and number of features
    return table


def check_scores(estimator: BaseEstimator, Z: Any, n_components: int) -> Table:
    """Return scores as a finite float32 or float64 array with one column a component."""
    who = type(estimator).__name__
    _refuse_no_table(Z, who)
    _refuse_silent_casts(Z)
    with _explaining(Z):
        Z = check_array(Z, dtype=_DTYPES, ensure_all_finite=False, estimator=estimator, ensure_min_features=0)
    if Z.shape[1] != n_components:
        raise ValueError(
            f"{who}.inverse_transform takes scores of shape (n, {n_components}), one column a component as transform "
            f"returns them, and got {Z.shape}."
        )
    refuse_non_finite(Z, who)
    return Z


def refuse_non_finite(X: Table, who: str, names: Any = None) -> None:
    """Raise for the first NaN or infinity in X, saying in which row and column it stands."""
    values = X.data if scipy.sparse.issparse(X) else X
    # one cheap sum first: it is finite unless a value is not, or the sum overflows
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(np.sum(values)) or np.isfinite(values).all():
            return
    coordinates = X.tocoo() if scipy.sparse.issparse(X) else None
    bad = np.flatnonzero(~np.isfinite(values if coordinates is None else coordinates.data))
    row, column = (
        (coordinates.row[bad[0]], coordinates.col[bad[0]])
        if coordinates is not None
        else np.unravel_index(bad[0], X.shape)
    )
    value = "NaN" if np.isnan(X[row, column]) else "infinity"
    name = "" if names is None else f" ({names[column]!r})"
    remedy = (
        "Drop those rows, fill them in (sklearn.impute.SimpleImputer), or use a method that takes holes."
        if value == "NaN"
        else "Check the units or a division by zero in what made the table."
    )
    raise ValueError(
        f"Input X contains {value}: the first of {bad.size} such values is in row {row}, column {column}{name}. "
        f"{who} needs finite numbers. {remedy}"
    )


def _refuse_extremes(X: Table, who: str) -> None:
    """Refuse a table whose squares are no numbers any more, or nothing."""
    values = X.data if scipy.sparse.issparse(X) else X
    size = max(float(np.max(values, initial=0)), -float(np.min(values, initial=0)))
    if size > _MOST or 0 < size < _LEAST:
        raise ValueError(
            f"The entries of X reach {size:.1e} in size, and {who} needs their squares, which leave the range of "
            "floating point. Choose other units, or scale the table (sklearn.preprocessing.MaxAbsScaler)."
        )


@contextmanager
def all_or_nothing(estimator: BaseEstimator) -> Iterator[None]:
    """Leave the estimator as it was when what happens inside is interrupted or fails: never a half-fitted state."""
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


@contextmanager
def _explaining(X: Any) -> Iterator[None]:
    """Add the place or the remedy to what scikit-learn refuses."""
    try:
        yield
    except (TypeError, ValueError, OverflowError) as error:
        text = str(error).rstrip()
        remedy = next((remedy for part, remedy in _REMEDIES.items() if part in text), None) or _first_unreadable(X)
        if remedy is None:
            raise
        separator = "\n" if "\n" in text else " " if text.endswith(".") else ". "
        raise (TypeError if isinstance(error, TypeError) else ValueError)(f"{text}{separator}{remedy}") from error


def _refuse_no_table(X: Any, who: str) -> None:
    """Refuse what has no rows at all."""
    if X is None or isinstance(X, str | bytes) or (isinstance(X, Mapping) and not scipy.sparse.issparse(X)):
        raise TypeError(
            f"{who} takes a table of numbers of shape (n_samples, n_features), an array or a data frame, and got "
            f"{reprlib.repr(X)}. Read a file first (pandas.read_csv); make a table of a dict by pandas.DataFrame."
        )


def _refuse_silent_casts(X: Any) -> None:
    """Refuse what NumPy would turn into real numbers without a word: gaps, complex numbers, dates and times."""
    if np.ma.is_masked(X):
        raise ValueError(
            "Masked cells are not supported: what lies under the mask would count as data. Fill them in "
            "(sklearn.impute.SimpleImputer on X.filled(np.nan)), or leave those rows out."
        )
    framed = hasattr(X, "columns")
    for column, dtype in enumerate(X.dtypes if framed else [getattr(X, "dtype", None)]):
        where = f"column {column} ({X.columns[column]!r})" if framed else "X"
        kind = str(getattr(dtype, "kind", None))
        if kind == "c":
            raise ValueError(
                f"Complex data not supported: {where} is of {dtype}. Put real and imaginary parts side by side: "
                "np.hstack([X.real, X.imag])."
            )
        if kind in "mM":
            raise TypeError(
                f"Dates and times are not supported: {where} is of {dtype}. Turn them into numbers in a unit that "
                "suits the other columns, such as days: (t - t.min()) / np.timedelta64(1, 'D')."
            )


def _first_unreadable(X: Any) -> str | None:
    """Say where the first cell stands that is no number, and what to do about it."""
    for place, cell in np.ndenumerate(() if scipy.sparse.issparse(X) else np.asarray(X, dtype=object)):
        try:
            float(cell)
        except (TypeError, ValueError, OverflowError):
            where = ", ".join(f"{axis} {i}" for axis, i in zip(("row", "column"), place, strict=False))
            name = f" ({X.columns[place[1]]!r})" if hasattr(X, "columns") else ""
            return (
                f"The cell in {where}{name} is {reprlib.repr(cell)}: leave such columns out, or turn them into numbers "
                "(sklearn.preprocessing.OneHotEncoder for categories, float('nan') and SimpleImputer for gaps)."
            )
    return None
