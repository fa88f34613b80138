"""Sweeps of new rows over a table: products, blocks, sums and nearest rows, by threads that share out the new rows."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ..core.numerics import Array, Indices
from ..core.threads import run_workers, worker_count
from .config import Engine
from .recipes import Form, Recipe
from .tables import PackedRows, aligned_empty, aligned_zeros, padded_vectors

_PAIRS_A_CALL = 1 << 19  # pairs of rows in one compiled call: under a millisecond each, between two looks at `stop`


class Sweeper:
    """One kernel's values in one dtype, made by the compiled engine."""

    def __init__(self, engine: Engine, recipe: Recipe, dtype: DTypeLike) -> None:
        self.engine, self.recipe, self.dtype = engine, recipe, np.dtype(dtype)
        self.layout = engine.layout(dtype)

    def pack(self, X: Any, shift: Array | None) -> PackedRows:
        """Return rows as this sweeper takes them."""
        return PackedRows(X, self.dtype, self.layout, shift, unit=self.recipe.unit_rows)

    def form(self, y: PackedRows, x: PackedRows) -> Form:
        """Decide how pairs of these rows are compared."""
        return self.recipe.form(y.largest_squared_norm + x.largest_squared_norm, self.dtype)

    def product(self, y: PackedRows, x: PackedRows, A: Array, n_jobs: int | None = None) -> Array:
        """Return K(Y, X) A in float64, (m, p)."""
        V = padded_vectors(A, self.dtype, self.layout.lanes)
        sums = aligned_zeros((len(y.squared_norms), V.shape[1]), np.float64)
        self._sweep(self.engine.native.cross, y, x, ((V, sums, V.shape[1]), (None, None)), n_jobs)
        return sums[: y.count, : A.shape[1]]

    def sums(self, y: PackedRows, x: PackedRows, n_jobs: int | None = None) -> tuple[Array, Array]:
        """Return the sums over X of K(Y, X) and of its squares, (m,) each."""
        sums, squares = np.zeros(y.count), np.zeros(y.count)
        self._sweep(self.engine.native.cross, y, x, ((None, None, 0), (sums, squares)), n_jobs)
        return sums, squares

    def block(self, y: PackedRows, x: PackedRows, n_jobs: int | None = None, *, mirrored: bool = False) -> Array:
        """Return K(Y, X), (m, n); ``mirrored``: y is x, and only one triangle has to be computed."""
        values = aligned_empty((y.count, x.count), self.dtype)
        self._sweep(self.engine.native.block, y, x, (values, mirrored), n_jobs)
        return values

    def nearest(self, y: PackedRows, x: PackedRows, k: int, n_jobs: int | None = None) -> tuple[Array, Indices]:
        """Return the k smallest values of each row of K(Y, X) in ascending order and where they are, (m, k) each."""
        values, places = np.empty((y.count, k), self.dtype), np.empty((y.count, k), np.intp)
        self._sweep(self.engine.native.nearest, y, x, (k, values, places), n_jobs)
        return values, places

    def _sweep(
        self, call: Callable[..., None], y: PackedRows, x: PackedRows, arguments: tuple[Any, ...], n_jobs: int | None
    ) -> None:
        """Call for parts of the rows of y, whole tiles high unless there are few."""
        form = self.form(y, x)
        pairs = y.count * x.count
        workers = worker_count(n_jobs) if pairs > _PAIRS_A_CALL // 4 else 1
        height = self._height(y.count, x.count, workers)
        starts = range(0, y.count, height)
        tables = (y.arguments(form), x.arguments(form))
        workers = max(1, min(workers, len(starts)))

        def work(index: int, stop: threading.Event) -> None:
            tile = aligned_empty((self.layout.tile_size,), self.dtype)
            for start in starts[index::workers]:
                if stop.is_set():
                    return
                part = (start, min(start + height, y.count))
                call(self.engine.name, self.dtype.itemsize, form.arguments, *tables, part, tile, *arguments)

        run_workers(work, workers)

    def _height(self, m: int, n: int, workers: int) -> int:
        """Rows of Y in a call: whole tiles of them, as many as are quick, but a share for every worker."""
        tile = self.layout.tile_rows
        height = max(tile, _PAIRS_A_CALL // max(n, 1) // tile * tile)
        return min(height, max(tile, -(-m // (workers * tile)) * tile))
