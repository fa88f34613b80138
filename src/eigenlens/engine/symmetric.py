"""Products with a symmetric kernel matrix: each tile made once, used with its transpose, and kept if it has a place."""

from __future__ import annotations

import functools
import operator
import threading
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..core.numerics import Array
from ..core.progress import SILENT, Progress
from ..core.threads import run_workers, worker_count
from .config import Layout
from .sweeps import Sweeper
from .tables import PackedRows, aligned_empty, aligned_zeros, padded_vectors

# tiles of a strip: a call takes a millisecond or less, Python a hundredth of that
_LONGEST, _SHORTEST = 32, 2
_STRIPS_A_WORKER = 24  # enough for all workers to end at about the same time
_NO_CACHE, _FILL_CACHE, _USE_CACHE = range(3)  # as native/engine.h has them


@dataclass(frozen=True)
class Strip:
    """Tiles side by side: rows from ``begin`` on, columns [left, right)."""

    begin: int
    left: int
    right: int
    tiles: int


@dataclass(frozen=True)
class Sums:
    """What is gathered of K on the way."""

    rows: Array  # K 1, (n,)
    squares: Array  # ||K||_F^2, (1,)

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.rows + other.rows, self.squares + other.squares)


class SymmetricSweep:
    """K V for the matrix of all k(xi, xj), by threads with sums of their own: equal ``n_jobs`` gives equal bits.

    The first ``cache_bytes`` worth of tiles are kept once made. The answer does not depend on how many.
    """

    def __init__(
        self,
        sweeper: Sweeper,
        rows: PackedRows,
        *,
        cache_bytes: int = 0,
        n_jobs: int | None = None,
        progress: Progress = SILENT,
    ) -> None:
        self.sweeper, self.rows = sweeper, rows
        self._workers, self._progress = worker_count(n_jobs), progress
        self._strips = cut_into_strips(rows.count, sweeper.layout, self._workers)
        self._form = sweeper.form(rows, rows)
        kept, tile = cache_bytes // sweeper.dtype.itemsize, sweeper.layout.tile_size
        # where each strip's tiles begin, for the strips that are kept whole
        ends = np.cumsum([strip.tiles * tile for strip in self._strips], dtype=np.int64)
        self._places = [int(end) - s.tiles * tile for s, end in zip(self._strips, ends, strict=True) if end <= kept]
        self._cache = aligned_empty((int(ends[len(self._places) - 1]) if self._places else 0,), sweeper.dtype)
        self._made = [False] * len(self._places)

    @property
    def kept_bytes(self) -> int:
        """Bytes set aside for tiles that are kept."""
        return int(self._cache.nbytes)

    @cached_property
    def _table(self) -> tuple[object, ...]:
        return self.rows.arguments(self._form)

    def product(self, V: Array) -> Array:
        """Return K V in float64."""
        return self._pass(V, None)

    def product_and_sums(self, V: Array) -> tuple[Array, Sums]:
        """Return K V in float64, and what is gathered of K in the same pass."""
        gathered = [Sums(np.zeros(len(V)), np.zeros(1)) for _ in range(self._workers)]
        return self._pass(V, gathered), functools.reduce(operator.add, gathered)

    def _pass(self, V: Array, gathered: list[Sums] | None) -> Array:
        n, p = V.shape
        padded = padded_vectors(V, self.sweeper.dtype, self.sweeper.layout.lanes)
        workers = max(1, min(self._workers, len(self._strips)))
        sums = [aligned_zeros((len(self.rows.squared_norms), padded.shape[1]), np.float64) for _ in range(workers)]
        self._progress.begin(f"pass of {p} vectors in {self.sweeper.dtype}", sum(s.tiles for s in self._strips))

        def work(index: int, stop: threading.Event) -> None:
            tile = aligned_empty((self.sweeper.layout.tile_size,), self.sweeper.dtype)
            for t in range(index, len(self._strips), workers):
                if stop.is_set():
                    return
                self._use_strip(t, padded, sums[index], gathered[index] if gathered else None, tile)
                self._progress.advance(self._strips[t].tiles)

        try:
            run_workers(work, workers)
        finally:
            self._progress.end()
        for other in sums[1:]:
            sums[0] += other
        return sums[0][:n, :p]

    def _use_strip(self, t: int, V: Array, sums: Array, gathered: Sums | None, tile: Array) -> None:
        strip, cache, use = self._strips[t], None, _NO_CACHE
        if t < len(self._places):
            cache = self._cache[self._places[t] :][: strip.tiles * self.sweeper.layout.tile_size]
            use = _USE_CACHE if self._made[t] else _FILL_CACHE
        self.sweeper.engine.native.symmetric(
            self.sweeper.engine.name,
            self.sweeper.dtype.itemsize,
            self._form.arguments,
            self._table,
            (strip.begin, strip.left, strip.right),
            (V, sums, V.shape[1]),
            (None, None) if gathered is None else (gathered.rows, gathered.squares),
            tile,
            cache,
            use,
        )
        if use == _FILL_CACHE:
            self._made[t] = True


def cut_into_strips(n: int, layout: Layout, workers: int) -> list[Strip]:
    """Cut the upper triangle of tiles, and the lower half of those on the diagonal, into strips for the workers."""
    height, width = layout.tile_rows, layout.tile_columns
    total = sum(-(-(n - begin) // width) for begin in range(0, n, height))
    longest = min(_LONGEST, max(_SHORTEST, total // (_STRIPS_A_WORKER * workers)))
    return [
        Strip(begin, left, right := min(left + longest * width, n), -(-(right - left) // width))
        for begin in range(0, n, height)
        for left in range(begin, n, longest * width)
    ]
