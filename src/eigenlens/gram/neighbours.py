"""Nearest rows by brute force: exact, whatever the number of features."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.numerics import Array, Indices, eps
from ..core.parameters import integer
from ..engine import Pairing, Profile, Recipe, Sweeper, engine_in_use
from ..kernels import Pairs, Rows

_SPARE = 4  # more candidates than are wanted: rows that rounding could have left out are told by the last of them
_BLOCK = 1 << 22  # numbers in a block of differences, 32 MB
_STRIP = 256  # rows of Y at a time without the compiled engine
_BY_PRODUCTS = Recipe(Pairing.SQUARED_DIFFERENCE, Profile.IDENTITY, at_zero=0.0)


def nearest_rows(Y: Any, X: Any, k: int, *, n_jobs: int | None = None) -> tuple[Array, Indices]:
    """Return the distances of each row of Y to its k nearest rows of X, in ascending order, and their indices.

    Euclidean distances in float64, from differences, so that near rows far from the origin keep all their digits. Equal
    distances are in the order of their rows. Where Y is X, every row is its own nearest (or a copy before it is).

    Candidates come from |x|^2 + |y|^2 - 2 <x, y>, whose rounding is at most e = 4 eps sqrt(d + 2) (|x|^2 + |y|^2):
    a row is done where its k-th distance^2 is smaller by 2 e than any candidate that was left out; the others are done
    again by differences.

    >>> import numpy as np
    >>> distances, rows = nearest_rows(np.array([[0.0]]), np.array([[3.0], [-1.0], [2.0]]), 2)
    >>> distances.tolist(), rows.tolist()
    ([[1.0, 2.0]], [[1, 2]])
    """
    n = X.shape[0]
    if not integer(1)(k) or k > n:
        raise ValueError(f"k={k!r} must be a whole number from 1 to {n}, the number of rows to choose from.")
    X, Y = np.asarray(X, dtype=np.float64), np.asarray(Y, dtype=np.float64)
    wanted = min(n, k + _SPARE)
    values, places, rounding = _candidates(Y, X, wanted, n_jobs)
    distances, rows = _by_differences(Y, X, places)
    doubtful = np.flatnonzero(~(distances[:, k - 1] < values[:, -1] - 2 * rounding)) if wanted < n else np.empty(0, int)
    if doubtful.size:
        distances[doubtful, :k], rows[doubtful, :k] = _exactly(Y[doubtful], X, k, n_jobs)
    return np.sqrt(distances[:, :k]), rows[:, :k]


def _candidates(Y: Array, X: Array, k: int, n_jobs: int | None) -> tuple[Array, Indices, Array]:
    """Return the k smallest squared distances by products of each row, their places, and a bound on rounding."""
    engine, mean = engine_in_use(), X.mean(axis=0)
    new, rows = Rows(Y, shift=mean), Rows(X, shift=mean)
    norms = new.squared_norms + float(rows.squared_norms.max(initial=0.0))
    rounding = 4 * eps(np.float64) * np.sqrt(X.shape[1] + 2) * norms
    if engine is not None:
        sweeper = Sweeper(engine, _BY_PRODUCTS, np.float64)
        return *sweeper.nearest(sweeper.pack(Y, mean), sweeper.pack(X, mean), k, n_jobs), rounding
    parts = range(0, max(len(Y), 1), _STRIP)
    found = [_smallest(Pairs(new[i : i + _STRIP], rows).squared_distance(), k) for i in parts]
    return np.vstack([values for values, _ in found]), np.vstack([places for _, places in found]), rounding


def _exactly(Y: Array, X: Array, k: int, n_jobs: int | None) -> tuple[Array, Indices]:
    """Return the k smallest squared distances by differences of each row, and where they are."""
    engine = engine_in_use()
    if engine is not None:
        sweeper = Sweeper(engine, Recipe(Pairing.SQUARED_DIFFERENCE, Profile.IDENTITY, by_products=False), np.float64)
        return sweeper.nearest(sweeper.pack(Y, None), sweeper.pack(X, None), k, n_jobs)
    height = max(1, _BLOCK // max(X.size, 1))
    found = [_smallest(np.square(Y[i : i + height, None, :] - X).sum(axis=2), k) for i in range(0, len(Y), height)]
    return np.vstack([values for values, _ in found]), np.vstack([places for _, places in found])


def _smallest(block: Array, k: int) -> tuple[Array, Indices]:
    """Return the k smallest values of each row in ascending order, equal ones by their places, and their places."""
    places = np.argsort(block, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(block, places, axis=1), places


def _by_differences(Y: Array, X: Array, places: Indices) -> tuple[Array, Indices]:
    """Return the squared distances to these rows of X from differences, in ascending order, and the rows."""
    distances = np.empty(places.shape)
    height = max(1, _BLOCK // max(places.shape[1] * X.shape[1], 1))
    for start in range(0, len(Y), height):
        part = slice(start, start + height)
        distances[part] = np.square(X[places[part]] - Y[part, None, :]).sum(axis=2)
    order = np.lexsort((places, distances), axis=1)
    return np.take_along_axis(distances, order, axis=1), np.take_along_axis(places, order, axis=1)
