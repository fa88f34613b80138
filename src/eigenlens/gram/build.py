"""Which Gram operator: held whole, held as a factor, or by tiles under a memory limit."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import scipy.sparse

from ..core.errors import MemoryLimitError
from ..core.memory import format_bytes
from ..core.numerics import Array, float32_suffices
from ..core.progress import SILENT, Progress
from ..core.threads import worker_count
from ..engine import engine_in_use, recipe_for
from ..kernels import Kernel, Pairs, Rows, shift_for
from .base import GramOperator, moments_of
from .centred import CentredGram, CentringMeans
from .checks import check_block, check_symmetry, mean, symmetric
from .dense import DenseGram
from .factored import FactoredGram
from .native import NativeGram
from .sources import KernelSource, MatrixSource
from .tiled import TILE, TiledGram

_IN_MEMORY_BELOW = 1200  # a float64 matrix of 12 MB: products with it are as fast as can be, tiles only cost
_SAMPLE = 256
_KEPT_FROM = 64  # operations a pair of rows
_FLOAT32_REACH = 1e15  # of entries: the squares of their differences must be float32 numbers, too


def centred_gram(
    kernel: Kernel,
    X: Any,
    *,
    whole: bool,
    vectors: int,
    memory: int,
    tolerance: float,
    n_jobs: int | None = None,
    progress: Progress = SILENT,
) -> CentredGram:
    """Return the centred Gram operator of a kernel at the rows of X.

    ``whole`` asks for one float64 array; ``vectors`` is how many n-vectors the solver will hold beside the operator;
    ``memory`` bounds all of it, in bytes. Tiles are iterated with in float32 where a sample shows that its rounding
    stays below ``tolerance``.
    """
    n = X.shape[0]
    if whole or n <= _IN_MEMORY_BELOW:
        return CentredGram(DenseGram.of(kernel, X, n_jobs))
    source = KernelSource(kernel, X)
    dtype = _working_dtype(kernel, X, tolerance)
    cache = _cache_bytes(n, int(X.shape[1]) if not scipy.sparse.issparse(X) else 0, vectors, memory, n_jobs)
    if not kernel.trusted:
        sample = np.unique(np.linspace(0, n - 1, _SAMPLE).astype(int))
        check_symmetry(np.array(source.rectangles(np.float64, sample)(slice(None)))[sample], f"The kernel {kernel!r}")
    engine, recipe = engine_in_use(), recipe_for(kernel)
    if engine is not None and recipe is not None and not scipy.sparse.issparse(X):
        # a tile of rows with few features takes no longer to make than to fetch, and memory takes time to be given
        cache = cache if recipe.operations(X.shape[1]) >= _KEPT_FROM else 0
        gram: GramOperator = NativeGram(
            engine, recipe, kernel, X, dtype, cache_bytes=cache, n_jobs=n_jobs, progress=progress
        )
    else:
        gram = TiledGram(source, dtype, cache_bytes=cache, n_jobs=n_jobs, progress=progress)
    return CentredGram(gram)


def centred_features(X: Array) -> CentredGram:
    """Return the centred Gram operator of the linear kernel: X itself is its factor."""
    mean = X.mean(axis=0, dtype=np.float64)
    return CentredGram(FactoredGram(X - mean, lambda Y: Y - mean))


def centred_matrix(
    K: Array,
    *,
    whole: bool,
    memory: int,
    vectors: int,
    n_jobs: int | None = None,
    progress: Progress = SILENT,
) -> CentredGram:
    """Return the centred Gram operator of a matrix of kernel values; K is neither copied whole nor written to.

    Only the centred matrix has to be symmetric: K_ij + a_i + b_j has the same one as K.
    """
    n = K.shape[0]
    if K.shape != (n, n):
        raise ValueError(
            f"A precomputed kernel must be a square matrix of shape (n_samples, n_samples), and this one is {K.shape}. "
            'Pass kernel(X, X) to fit, or use kernel="rbf" or another name to have it computed from a table.'
        )
    try:
        asymmetry = check_symmetry(K, "The precomputed kernel")
    except ValueError:
        means = CentringMeans(K.mean(axis=0, dtype=np.float64), float(K.mean(dtype=np.float64)))
        C: Array = np.subtract(K, means.row_means, dtype=np.float64)
        C -= C.mean(axis=1)[:, None]
        C = symmetric(C, "The precomputed kernel, even after centring,")
        moments = dataclasses.replace(moments_of(C), evaluated_norm=float(np.linalg.norm(K)))
        return CentredGram(DenseGram(C, owned=True, moments=moments), means)
    if whole or n <= _IN_MEMORY_BELOW:
        return CentredGram(DenseGram(mean(K, K.T) if asymmetry else np.asarray(K, dtype=np.float64)))
    cache = _cache_bytes(n, 0, vectors, memory, n_jobs)
    source = MatrixSource(K, mirrored=asymmetry > 0)
    return CentredGram(TiledGram(source, np.float32, cache_bytes=cache, n_jobs=n_jobs, progress=progress))


def _working_dtype(kernel: Kernel, X: Any, tolerance: float) -> type:
    """float32 where a sample of kernel values in it is near enough to float64, else float64."""
    n = X.shape[0]
    if scipy.sparse.issparse(X) or max(float(X.max()), -float(X.min())) > _FLOAT32_REACH:
        return np.float64
    # rows next to each other in the table as well as far apart: near pairs are where cancellation shows
    chosen = np.unique(np.linspace(0, n - 1, _SAMPLE).astype(int))
    shift = shift_for(kernel, X)
    blocks = []
    for dtype in (np.float64, np.float32):
        rows = Rows(X[chosen], dtype, shift)
        with np.errstate(over="ignore", invalid="ignore"):
            block = kernel.evaluate(Pairs(rows, rows, same=True))
        blocks.append(check_block(block, (len(rows), len(rows)), kernel).astype(np.float64))
    return np.float32 if float32_suffices(blocks[0], blocks[1], tolerance) else np.float64


def _cache_bytes(n: int, features: int, vectors: int, memory: int, n_jobs: int | None) -> int:
    """Bytes left for tiles once rows (the model's, and in both precisions), vectors and scratch are paid for."""
    workers = min(worker_count(n_jobs), (-(-n // TILE) + 1) ** 2)  # no more than there are tiles
    rows = (8 + 8 + 4) * n * (features + 2)
    landmarks = 2 * 8 * min(n, 2000) * (features + 2)  # rows of the sample that an iteration starts from, twice
    scratch = workers * (TILE * TILE * 8 * 3 + 32 * n * 8)  # and each worker's own sums
    needed = rows + landmarks + 8 * n * vectors + scratch
    if needed > memory:
        raise MemoryLimitError(
            f"The memory limit of {format_bytes(memory)} is too small: {n} rows need {format_bytes(needed)} for the "
            f"table, {vectors} vectors and {workers} tiles of {TILE} x {TILE} before any tile is kept. Raise "
            "memory_limit, or ask for fewer components."
        )
    return memory - needed
