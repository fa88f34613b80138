"""Blocks of kernel values are checked where they enter: their shape, that they are finite, that they are symmetric."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ..core.errors import KernelBlockError
from ..core.numerics import Array

_STRIP = 256  # the checks go by squares, so that they need no second matrix


def check_block(block: Any, shape: tuple[int, int], kernel: Any) -> Array:
    """Return the block as floating point numbers, if it is one real number a pair."""
    values = np.asarray(block)
    if values.shape != shape or values.dtype.kind not in "fiub":
        kind = f"of {values.dtype}" if values.dtype.kind != "O" else f"({type(block).__name__})"
        raise KernelBlockError(
            f"The kernel {kernel!r} returned a block of shape {values.shape} {kind} for {shape[0]} and {shape[1]} "
            f"rows; evaluate() must return one value a pair: real numbers, of shape {shape}."
        )
    return values if values.dtype.kind == "f" else values.astype(np.float64)


def check_finite(block: Array, rows: slice, columns: slice, kernel: Any) -> None:
    """Raise for the first value that is not finite, naming its pair of rows."""
    # one cheap sum first: it is finite unless a value is not, or the sum overflows
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(np.sum(block)):
            return
    finite = np.isfinite(block)
    if not finite.all():
        i, j = np.argwhere(~finite)[0]
        raise KernelBlockError(
            f"The kernel {kernel!r} gives {block[i, j]} for rows {(rows.start or 0) + i} and {(columns.start or 0) + j}"
            ". Scale the table (sklearn.preprocessing.StandardScaler) or choose parameters that keep values finite."
        )


def check_product(product: Array, V: Array | None, source: Any, dtype: DTypeLike) -> Array:
    """Return K V (or, without V, columns of K) if it is finite; else name the pair of rows that made it infinite."""
    if np.isfinite(product).all():
        return product
    make = source.tiles(dtype)
    starts = range(0, source.n, _STRIP)
    with np.errstate(over="ignore", invalid="ignore"):
        for i, j in ((i, j) for i in starts for j in starts if i <= j):
            rows, columns = slice(i, min(i + _STRIP, source.n)), slice(j, min(j + _STRIP, source.n))
            check_finite(make(rows, columns, None), rows, columns, source)
    if V is None or np.isfinite(V).all():
        raise KernelBlockError(
            f"Sums of values of {source} overflow {np.dtype(dtype)}. Scale the kernel or the table to smaller values."
        )
    return product


def symmetric(K: Array, what: str) -> Array:
    """Return K, or the mean of K and its transpose if they differ by rounding; raise if they differ by more.

    Solvers may read either triangle, and what is proven must be proven of one matrix.
    """
    return K if check_symmetry(K, what) == 0 else mean(K, K.T)


def mean(a: Array, b: Array) -> Array:
    """Return (a + b) / 2 in float64: of a block and its transpose, what both stand for."""
    return np.add(a, b, dtype=np.float64) / 2


def check_symmetry(K: Array, what: str) -> float:
    """Return by how much K differs from its transpose; raise if that is more than rounding, naming the worst pair."""
    scale = max(float(np.max(K, initial=0.0)), -float(np.min(K, initial=0.0)))
    starts = range(0, K.shape[0], _STRIP)
    worst, row, column = 0.0, 0, 0
    for i, j in ((i, j) for i in starts for j in starts if i <= j):
        difference = np.abs(K[i : i + _STRIP, j : j + _STRIP] - K[j : j + _STRIP, i : i + _STRIP].T)
        if np.max(difference, initial=0.0) > worst:
            r, c = np.unravel_index(np.argmax(difference), difference.shape)
            worst, row, column = float(difference[r, c]), i + int(r), j + int(c)
    # 1e-6: a matrix that was computed or stored in float32 is symmetric to its own rounding only
    if worst > 1e-6 * scale:
        raise KernelBlockError(
            f"{what} is not symmetric: entry ({row}, {column}) is {K[row, column]:g} and entry ({column}, {row}) is "
            f"{K[column, row]:g}. A similarity must not depend on the order of its arguments; (K + K.T) / 2 makes one "
            "that does not."
        )
    return worst
