"""The Gram matrix by tiles: as many as memory allows are kept, the rest are made anew in every pass."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ..core.numerics import Array, Indices
from ..core.progress import SILENT, Progress
from ..core.threads import run_workers, worker_count
from .base import GramOperator, Moments
from .checks import check_product
from .sources import TileSource

TILE = 512  # a float32 tile of one megabyte stays in a core's second-level cache while it is made and used


class TiledGram(GramOperator):
    """K as tiles i <= j, each visited once a pass and used with its transpose, by threads with one BLAS thread each.

    The first ``cache_bytes`` worth of tiles are kept in ``dtype`` once made; the others are made again in every pass.
    The answer does not depend on how many are kept, only the time does.

    Threads take tiles in a fixed order and add into sums of their own, so that equal ``n_jobs`` gives equal bits.
    """

    def __init__(
        self,
        source: TileSource,
        dtype: DTypeLike = np.float32,
        *,
        cache_bytes: int = 0,
        n_jobs: int | None = None,
        progress: Progress = SILENT,
    ) -> None:
        self.source = source
        self.dtype = np.dtype(dtype)
        self.shape = (source.n, source.n)
        self._n_jobs = n_jobs
        self._progress = progress
        self._starts = range(0, source.n, TILE)
        self._n_tiles = len(self._starts) * (len(self._starts) + 1) // 2
        kept = min(self._n_tiles, cache_bytes // (TILE * TILE * self.dtype.itemsize))
        # one array for all kept tiles: the system backs it by large pages, which makes filling it far cheaper
        self._kept = np.empty((kept, TILE * TILE), self.dtype)
        self._made = np.zeros(kept, dtype=bool)

    def exact(self) -> GramOperator:
        """Return the same matrix in float64, its tiles made anew in every pass."""
        if self.dtype == np.float64:
            return self
        return TiledGram(self.source, np.float64, n_jobs=self._n_jobs, progress=self._progress)

    def matmat(self, V: Array) -> Array:
        """Return K V."""
        return self._pass(V, gather=False)[0]

    def matmat_with_moments(self, V: Array) -> tuple[Array, Moments]:
        """Return K V and the moments of K: the row sums are one more column, the norm one more look at each tile."""
        product, squared_norm = self._pass(np.column_stack([V, np.ones(len(V))]), gather=True)
        trace = float(self.diagonal().sum())
        norm = squared_norm**0.5
        error = norm * self.source.relative_error()
        return product[:, :-1], Moments(product[:, -1], squared_norm, trace, norm, error)

    def diagonal(self) -> Array:
        """Return the diagonal of K."""
        return self.source.diagonal()

    def columns(self, indices: Indices) -> Array:
        """Return columns of K, in this operator's dtype."""
        block = np.empty((self.shape[0], len(indices)), self.dtype)
        self._for_each_strip(indices, lambda part, strip: block.__setitem__(part, strip))
        return check_product(block, None, self.source, self.dtype)

    def extend(self, indices: Indices, U: Array) -> Array:
        """Return K[:, indices] U, a strip of rows at a time."""
        product, U = np.empty((self.shape[0], U.shape[1])), U.astype(self.dtype)
        self._for_each_strip(indices, lambda part, strip: product.__setitem__(part, strip @ U))
        return check_product(product, U, self.source, self.dtype)

    def _for_each_strip(self, indices: Indices, use: Callable[[slice, Array], None]) -> None:
        """Hand columns of K to ``use``, a few rows at a time; threads share out the rows."""
        strip_of = self.source.rectangles(self.dtype, indices)
        workers = min(worker_count(self._n_jobs), len(self._starts))

        def work(index: int, stop: threading.Event) -> None:
            for i in range(index, len(self._starts), workers):
                if stop.is_set():
                    return
                use(self._slice(i), strip_of(self._slice(i)))

        run_workers(work, workers)

    def cross(self, Y: Any) -> Array:
        """Return the block of new rows against the rows of the operator."""
        return self.source.cross(Y, self._n_jobs)

    def _pass(self, V: Array, *, gather: bool) -> tuple[Array, float]:
        """Visit every tile once: K V, and ||K||_F^2 if ``gather``."""
        n, p = V.shape
        V = np.ascontiguousarray(V, dtype=self.dtype)
        workers = min(worker_count(self._n_jobs), self._n_tiles)
        sums = [np.zeros((n, p)) for _ in range(workers)]
        squares = [0.0] * workers
        make = self.source.tiles(self.dtype)
        self._progress.begin(f"pass of {p} vectors in {self.dtype}", self._n_tiles)

        def work(index: int, stop: threading.Event) -> None:
            scratch = np.empty(TILE * TILE, self.dtype)
            with np.errstate(over="ignore", invalid="ignore"):  # what they would warn of is refused below
                for t in range(index, self._n_tiles, workers):
                    if stop.is_set():
                        return
                    squares[index] += self._use_tile(t, make, scratch, V, sums[index], gather)
                    self._progress.advance()

        try:
            run_workers(work, workers)
        finally:
            self._progress.end()
        product = sums[0]
        for other in sums[1:]:
            product += other
        check_product(product, V, self.source, self.dtype)
        return product, sum(squares)

    def _use_tile(
        self, t: int, make: Callable[..., Array], scratch: Array, V: Array, total: Array, gather: bool
    ) -> float:
        """Add what tile t contributes to K V, above and below the diagonal; return what it adds to ||K||_F^2."""
        i, j = self._place(t)
        rows, columns = self._slice(i), self._slice(j)
        tile = self._tile(t, rows, columns, make, scratch)
        total[rows] += tile @ V[columns]
        if i != j:
            total[columns] += tile.T @ V[rows]
        return float(np.vdot(tile, tile)) * (1 if i == j else 2) if gather else 0.0

    def _tile(self, t: int, rows: slice, columns: slice, make: Callable[..., Array], scratch: Array) -> Array:
        """Return tile t: the kept one, or a new one, which is kept if it has a place."""
        if t >= len(self._kept):
            return make(rows, columns, scratch)
        shape = (rows.stop - rows.start, columns.stop - columns.start)
        place = self._kept[t, : shape[0] * shape[1]].reshape(shape)
        if not self._made[t]:
            tile = make(rows, columns, self._kept[t])
            if not np.may_share_memory(tile, place):  # the kernel needed memory of its own
                place[:] = tile
            self._made[t] = True
        return place

    def _place(self, t: int) -> tuple[int, int]:
        """Return row and column of tile t, counted along the rows of the upper triangle."""
        m = len(self._starts)
        left = self._n_tiles - 1 - t  # tiles after t: rows counted from the last have 1, 2, 3, .. of them
        row = (math.isqrt(8 * left + 1) - 1) // 2
        return m - 1 - row, m - 1 - (left - row * (row + 1) // 2)

    def _slice(self, i: int) -> slice:
        start = self._starts[i]
        return slice(start, min(start + TILE, self.shape[0]))
