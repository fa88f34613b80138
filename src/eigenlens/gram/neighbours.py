"""Nearest rows by brute force: exact, whatever the number of features."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.utils import check_array

from ..core.numerics import Array, Indices, eps
from ..core.parameters import integer
from ..engine import Pairing, Profile, Recipe, Sweeper, engine_in_use
from ..kernels import Pairs, Rows

_SPARE = 4  # more candidates than are wanted: rows that rounding could have left out are told by the last of them
_FEW = 256  # neighbours that are put in order one by one; more are found by sorting whole rows
_BLOCK = 1 << 22  # numbers in a block, 32 MB
_LEAST, _MOST = 1e-100, 1e100  # sizes whose squares float64 holds with room to spare
_BY_PRODUCTS = Recipe(Pairing.SQUARED_DIFFERENCE, Profile.IDENTITY, at_zero=0.0)


def nearest_rows(Y: Any, X: Any, k: int, *, n_jobs: int | None = None) -> tuple[Array, Indices]:
    """Return the distances of each row of Y to its k nearest rows of X, in ascending order, and their indices.

    Euclidean distances in float64, from differences, so that near rows far from the origin keep all their digits. Equal
    distances are in the order of their rows. Where Y is X, every row is its own nearest (or a copy before it is).

    Candidates come from |x|^2 + |y|^2 - 2 <x, y>, whose rounding is at most e = 2 (d + 4) eps (|x|^2 + |y|^2): d + 2
    terms that all round the same way (Higham 2002, section 3.1), and the mean that was subtracted. A row is done where
    its k-th distance^2 is smaller by 2 e than any candidate that was left out; the others are done by differences.

    >>> import numpy as np
    >>> distances, rows = nearest_rows(np.array([[0.0]]), np.array([[3.0], [-1.0], [2.0]]), 2)
    >>> distances.tolist(), rows.tolist()
    ([[1.0, 2.0]], [[1, 2]])
    """
    X, Y = (check_array(rows, dtype=np.float64, ensure_min_samples=0, ensure_min_features=0) for rows in (X, Y))
    n = len(X)
    if not integer(1)(k) or k > n:
        raise ValueError(f"k={k!r} must be a whole number from 1 to {n}, the number of rows to choose from.")
    if X.shape[1] != Y.shape[1]:
        raise ValueError(f"X has {X.shape[1]} features and Y has {Y.shape[1]}: distances are between rows of one kind.")
    size = max(float(np.abs(table).max(initial=0.0)) for table in (X, Y))
    if not (size == 0 or _LEAST < size < _MOST):
        return _without_squares(Y, X, k)
    wanted = min(n, k + _SPARE)
    values, places, rounding = _candidates(Y, X, wanted, n_jobs)
    distances, rows = _by_differences(Y, X, places)
    doubtful = np.flatnonzero(~(distances[:, k - 1] < values[:, -1] - 2 * rounding)) if wanted < n else np.empty(0, int)
    if doubtful.size:
        distances[doubtful, :k], rows[doubtful, :k] = _exactly(Y[doubtful], X, k, n_jobs)
    return np.sqrt(distances[:, :k]), rows[:, :k]


def _without_squares(Y: Array, X: Array, k: int) -> tuple[Array, Indices]:
    """Return the k nearest where squares of entries are no numbers: differences are divided by the largest first."""

    def distances(part: slice) -> Array:
        differences = np.abs(Y[part, None, :] - X)
        sizes = differences.max(axis=2, initial=0.0)
        differences /= np.where(sizes > 0, sizes, 1)[:, :, None]
        return sizes * np.sqrt(np.square(differences).sum(axis=2))

    return _by_blocks(distances, len(Y), len(X), k, features=X.shape[1])


def _candidates(Y: Array, X: Array, k: int, n_jobs: int | None) -> tuple[Array, Indices, Array]:
    """Return the k smallest squared distances by products of each row, their places, and a bound on rounding."""
    mean = X.mean(axis=0)
    new, rows = Rows(Y, shift=mean), Rows(X, shift=mean)
    largest = float(rows.squared_norms.max(initial=0.0))
    rounding = 2 * (X.shape[1] + 4) * eps(np.float64) * (new.squared_norms + largest)
    found = _by_engine(Y, X, k, mean, _BY_PRODUCTS, n_jobs)
    if found is None:
        found = _by_blocks(lambda part: Pairs(new[part], rows).squared_distance(), len(Y), len(X), k)
    return *found, rounding


def _exactly(Y: Array, X: Array, k: int, n_jobs: int | None) -> tuple[Array, Indices]:
    """Return the k smallest squared distances by differences of each row, and where they are."""
    found = _by_engine(Y, X, k, None, replace(_BY_PRODUCTS, by_products=False), n_jobs)
    if found is None:
        found = _by_blocks(lambda part: cdist(Y[part], X, "sqeuclidean"), len(Y), len(X), k)
    return found


def _by_engine(
    Y: Array, X: Array, k: int, shift: Array | None, recipe: Recipe, n_jobs: int | None
) -> tuple[Array, Indices] | None:
    engine = engine_in_use()
    if engine is None:
        return None
    sweeper = Sweeper(engine, recipe, np.float64)
    rows = sweeper.pack(X, shift)
    if k <= _FEW:
        return sweeper.nearest(sweeper.pack(Y, shift), rows, k, n_jobs)
    return _by_blocks(lambda part: sweeper.block(sweeper.pack(Y[part], shift), rows, n_jobs), len(Y), len(X), k)


def _by_blocks(
    block_of: Callable[[slice], Array], m: int, n: int, k: int, *, features: int = 1
) -> tuple[Array, Indices]:
    """Return the k smallest values of each row in ascending order, equal ones by their places, and their places."""
    values, places = np.empty((m, k)), np.empty((m, k), np.intp)
    height = max(1, _BLOCK // max(n * features, 1))
    for start in range(0, m, height):
        part = slice(start, min(start + height, m))
        block = block_of(part)
        places[part] = np.argsort(block, axis=1, kind="stable")[:, :k]
        values[part] = np.take_along_axis(block, places[part], axis=1)
    return values, places


def _by_differences(Y: Array, X: Array, places: Indices) -> tuple[Array, Indices]:
    """Return the squared distances to these rows of X from differences, in ascending order, and the rows."""
    distances = np.empty(places.shape)
    height = max(1, _BLOCK // max(places.shape[1] * X.shape[1], 1))
    for start in range(0, len(Y), height):
        part = slice(start, start + height)
        distances[part] = np.square(X[places[part]] - Y[part, None, :]).sum(axis=2)
    order = np.lexsort((places, distances), axis=1)
    return np.take_along_axis(distances, order, axis=1), np.take_along_axis(places, order, axis=1)
