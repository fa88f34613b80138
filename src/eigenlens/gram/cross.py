"""New rows against training rows: the block itself, or its product with weights without ever building it whole."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from ..core.numerics import Array
from ..core.threads import run_workers, worker_count
from ..engine import PackedRows, Sweeper, engine_in_use, recipe_for
from ..kernels import Kernel, Pairs, Rows, shift_for
from .checks import check_block, check_finite

_FEW_NEW_ROWS = 4  # fewer are soonest done by NumPy
_TILE = 512  # rows and columns of a tile: with the vectors it meets, it stays in a core's second-level cache


def cross_block(kernel: Kernel, Y: Any, X: Any, *, shift: Array | None = None, n_jobs: int | None = None) -> Array:
    """Return the block of all k(yi, xj), (m, n).

    ``shift`` is subtracted from every row; by default it is where X is, if the kernel allows one. Blocks that are
    parts of one matrix need one shift: a kernel like the linear one does not change with it only once centred.
    """
    compiled = compiled_tables(kernel, Y, X, shift)
    if compiled is not None:
        block = compiled.sweeper.block(compiled.new, compiled.training, n_jobs)
        check_finite(block, slice(0, len(block)), slice(0, X.shape[0]), kernel)
        return block
    block = np.empty((Y.shape[0], X.shape[0]))

    def keep(part: slice, columns: slice, tile: Array) -> None:
        block[part, columns] = tile

    for_each_tile(kernel, Y, X, keep, n_jobs, shift)
    return block


def cross_matmat(kernel: Kernel, Y: Any, X: Any, A: Array, *, n_jobs: int | None = None) -> Array:
    """Return K(Y, X) A in float64, (m, p), a tile at a time."""
    if A.ndim != 2 or len(A) != X.shape[0]:
        raise ValueError(
            f"The weights have shape {A.shape}; they must have a row for each of the {X.shape[0]} rows of X"
        )
    compiled = compiled_tables(kernel, Y, X)
    if compiled is not None:
        product = compiled.sweeper.product(compiled.new, compiled.training, A, n_jobs)
        if np.isfinite(product).all():
            return product  # what is not finite is looked for below, a tile at a time
    product = np.zeros((Y.shape[0], A.shape[1]))

    def add(part: slice, columns: slice, tile: Array) -> None:
        product[part] += tile @ A[columns]

    for_each_tile(kernel, Y, X, add, n_jobs)
    return product


@dataclass(frozen=True)
class CompiledTables:
    """Both tables, packed for the compiled engine."""

    sweeper: Sweeper
    new: PackedRows
    training: PackedRows


def compiled_tables(kernel: Kernel, Y: Any, X: Any, shift: Array | None = None) -> CompiledTables | None:
    """Pack both tables in float64 for the compiled engine, if there is one and it knows the kernel; Y may be X."""
    if Y.shape[1] != X.shape[1]:
        raise ValueError(f"X has {X.shape[1]} features and Y has {Y.shape[1]}: a kernel compares rows of one kind.")
    engine, recipe = engine_in_use(), recipe_for(kernel)
    if engine is None or recipe is None or scipy.sparse.issparse(X) or scipy.sparse.issparse(Y):
        return None
    if Y.shape[0] < _FEW_NEW_ROWS and Y is not X:
        return None  # packing the table would take longer than NumPy does with it
    shift = shift_for(kernel, X) if shift is None else shift
    sweeper = Sweeper(engine, recipe, np.float64)
    training = sweeper.pack(X, shift)
    return CompiledTables(sweeper, training if Y is X else sweeper.pack(Y, shift), training)


def for_each_tile(kernel: Kernel, Y: Any, X: Any, use: Any, n_jobs: int | None, shift: Array | None = None) -> None:
    """Hand every tile of K(Y, X) to ``use``; threads share out the rows of Y, so that no two write to one place."""
    shift = shift_for(kernel, X) if shift is None else shift
    new, training = Rows(Y, np.float64, shift), Rows(X, np.float64, shift)
    m, n = len(new), len(training)
    height = max(1, min(_TILE, m))
    width = max(1, _TILE * _TILE // height)  # a few rows meet many columns at a time: fewer, not tinier, tiles
    strips = range(0, m, height)
    workers = min(worker_count(n_jobs), len(strips)) if m * n > _TILE * _TILE else 1

    def work(index: int, stop: threading.Event) -> None:
        scratch = np.empty(height * min(width, n))
        for start in strips[index::workers]:
            part = slice(start, min(start + height, m))
            for left in range(0, n, width):
                if stop.is_set():
                    return
                columns = slice(left, min(left + width, n))
                with np.errstate(over="ignore", invalid="ignore"):  # what they would warn of is refused, by its place
                    pairs = Pairs(new[part], training[columns], scratch=scratch)
                    tile = check_block(kernel.evaluate(pairs), pairs.shape, kernel)
                check_finite(tile, part, columns, kernel)
                use(part, columns, tile)

    run_workers(work, workers)
