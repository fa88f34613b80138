"""The door: a table is checked once, here, and every refusal names the place and the remedy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

Table = Any  # a dense float array or a CSR matrix of shape (n_samples, n_features)


def check_table(estimator: BaseEstimator, X: Any, *, reset: bool, copy: bool = False) -> Table:
    """Return X as a finite float32 or float64 array, or CSR matrix, with scikit-learn's feature bookkeeping done.

    float32 stays float32; everything else becomes float64. NaN and infinity are refused with their row and column.
    """
    try:
        X = validate_data(
            estimator,
            X,
            reset=reset,
            copy=copy,
            accept_sparse="csr",
            dtype=[np.float64, np.float32],
            ensure_all_finite=False,
            ensure_min_samples=2 if reset else 1,
        )
    except ValueError as error:
        raise _explain(error, X) from error
    refuse_non_finite(X, type(estimator).__name__, getattr(estimator, "feature_names_in_", None))
    return X


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


def _explain(error: ValueError, X: Any) -> ValueError:
    """Say where a text stands in a table that cannot be read as numbers; other messages are clear already."""
    if "could not convert string to float" not in str(error):
        return error
    cells = np.asarray(X, dtype=object)
    for place, cell in np.ndenumerate(cells):
        try:
            float(cell)
        except (TypeError, ValueError):
            where = ", ".join(f"{axis} {i}" for axis, i in zip(("row", "column"), place, strict=False))
            return ValueError(
                f"{error}: X holds text in {where}. Leave text columns out or encode them as numbers "
                "(sklearn.preprocessing.OneHotEncoder)."
            )
    return error


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
