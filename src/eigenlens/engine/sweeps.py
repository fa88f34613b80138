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

_WORK_A_CALL = 1 << 26  # operations of one compiled call: about a millisecond between two looks at `stop`
_PROFILE = 20  # operations of a profile, about
_MOST_ROWS = 1 << 12  # in one call
_WORK_WORTH_A_THREAD = 1 << 22  # a thread takes about as long to start as this takes to do


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
        self._sweep(self.engine.native.cross, y, x, ((V, sums, V.shape[1]), (None, None)), n_jobs, vectors=V.shape[1])
        return sums[: y.count, : A.shape[1]]

    def sums(self, y: PackedRows, x: PackedRows, n_jobs: int | None = None) -> tuple[Array, Array]:
        """Return the sums over X of K(Y, X) and of its squares, (m,) each."""
        sums, squares = np.zeros(y.count), np.zeros(y.count)
        self._sweep(self.engine.native.cross, y, x, ((None, None, 0), (sums, squares)), n_jobs)
        return sums, squares

    def block(self, y: PackedRows, x: PackedRows, n_jobs: int | None = None, *, mirrored: bool = False) -> Array:
        """Return K(Y, X), (m, n); ``mirrored``: y is x, and only one triangle has to be computed."""
        values = aligned_empty((y.count, x.count), self.dtype)
        step = self.layout.tile_rows if mirrored else self.layout.panel
        self._sweep(self.engine.native.block, y, x, (values, mirrored), n_jobs, step=step)
        return values

    def nearest(self, y: PackedRows, x: PackedRows, k: int, n_jobs: int | None = None) -> tuple[Array, Indices]:
        """Return the k smallest values of each row of K(Y, X) in ascending order and where they are, (m, k) each.

        For a few hundred of them at most: each that is found is put in its place among those found before. Where there
        are fewer than k finite values, the rest are infinite, at -1.
        """
        values, places = np.empty((y.count, k), self.dtype), np.empty((y.count, k), np.intp)
        self._sweep(self.engine.native.nearest, y, x, (k, values, places), n_jobs)
        return values, places

    def _sweep(
        self,
        call: Callable[..., None],
        y: PackedRows,
        x: PackedRows,
        arguments: tuple[Any, ...],
        n_jobs: int | None,
        *,
        vectors: int = 0,
        step: int | None = None,
    ) -> None:
        """Call for parts of the rows of y, a multiple of ``step`` each (or of a panel), shared out among threads."""
        form, step = self.form(y, x), step or self.layout.panel
        a_row = x.count * (2 * self.recipe.operations(y.features) + 2 * vectors + _PROFILE)  # operations
        workers = min(worker_count(n_jobs), 1 + y.count * a_row // _WORK_WORTH_A_THREAD)
        # whole tiles where there are many rows, but no more than is quick, and a share for every worker
        height = min(max(_WORK_A_CALL // max(a_row, 1), step), -(-y.count // workers), _MOST_ROWS)
        height = max(step, -(-height // step) * step)
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
