"""Where tiles come from: a kernel evaluated at rows, or a matrix that was given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import DTypeLike

from ..core.numerics import Array, Indices
from ..kernels import Kernel, Pairs, Rows, shift_for
from .checks import check_block, mean
from .cross import cross_block


class TileSource(Protocol):
    """What a tiled operator needs to know of its matrix."""

    n: int

    def tiles(self, dtype: DTypeLike) -> Callable[[slice, slice, Array | None], Array]:
        """Return a function of two slices and a scratch buffer (or None: new memory) that makes their tile."""

    def rectangles(self, dtype: DTypeLike, indices: Indices) -> Callable[[slice], Array]:
        """Return a function of a slice of rows that makes their block with the rows at ``indices``."""

    def relative_error(self) -> float:
        """Return the relative error of the entries beyond a few eps, in float64."""

    def diagonal(self) -> Array:
        """Return the diagonal in float64."""

    def cross(self, Y: Any, n_jobs: int | None) -> Array:
        """Return the block of new rows against all rows."""


class KernelSource:
    """Tiles of a kernel at the rows of a table; rows are prepared once a dtype."""

    def __init__(self, kernel: Kernel, X: Any) -> None:
        self.kernel, self.X = kernel, X
        self.n = X.shape[0]
        self._shift = shift_for(kernel, X)
        self._rows: dict[np.dtype, Rows] = {}

    def __repr__(self) -> str:
        return repr(self.kernel)

    def rows(self, dtype: DTypeLike) -> Rows:
        """Return the prepared rows in a dtype."""
        dtype = np.dtype(dtype)
        if dtype not in self._rows:
            self._rows[dtype] = Rows(self.X, dtype, self._shift)
        return self._rows[dtype]

    def tiles(self, dtype: DTypeLike) -> Callable[[slice, slice, Array | None], Array]:
        """Return a function that evaluates a tile."""
        rows = self.rows(dtype)

        def make(part: slice, columns: slice, scratch: Array | None) -> Array:
            pairs = Pairs(rows[part], rows[columns], same=part == columns, scratch=scratch)
            return check_block(self.kernel.evaluate(pairs), pairs.shape, self.kernel)

        return make

    def rectangles(self, dtype: DTypeLike, indices: Indices) -> Callable[[slice], Array]:
        """Return a function that evaluates a strip of columns."""
        rows = self.rows(dtype)
        chosen = rows[indices]

        def make(part: slice) -> Array:
            pairs = Pairs(rows[part], chosen)
            return check_block(self.kernel.evaluate(pairs), pairs.shape, self.kernel)

        return make

    def relative_error(self) -> float:
        """Return what cancellation in distances by products does to the entries."""
        return self.kernel.relative_error(self.rows(np.float64))

    def diagonal(self) -> Array:
        """Return k(x, x) of every row."""
        return np.asarray(self.kernel.evaluate_diagonal(self.rows(np.float64)), dtype=np.float64)

    def cross(self, Y: Any, n_jobs: int | None) -> Array:
        """Return the block of new rows."""
        return cross_block(self.kernel, Y, self.X, n_jobs=n_jobs)


class MatrixSource:
    """Tiles cut from a matrix that was given; it is never copied whole, so it may be a memory map.

    Where it is not quite symmetric (``mirrored``), its mean with its transpose is meant.
    """

    def __init__(self, K: Array, *, mirrored: bool = False) -> None:
        self.K, self.n, self._mirrored = K, K.shape[0], mirrored

    def __repr__(self) -> str:
        return "precomputed matrix"

    def tiles(self, dtype: DTypeLike) -> Callable[[slice, slice, Array | None], Array]:
        """Return a function that cuts a tile."""
        if not self._mirrored:
            return lambda part, columns, scratch: np.asarray(self.K[part, columns], dtype=dtype)
        return lambda part, columns, scratch: mean(self.K[part, columns], self.K[columns, part].T).astype(dtype)

    def rectangles(self, dtype: DTypeLike, indices: Indices) -> Callable[[slice], Array]:
        """Return a function that cuts a strip of columns."""
        if not self._mirrored:
            return lambda part: np.asarray(self.K[part][:, indices], dtype=dtype)
        return lambda part: mean(self.K[part][:, indices], self.K[indices, part].T).astype(dtype)

    def relative_error(self) -> float:
        """Return zero: the matrix is what it is."""
        return 0.0

    def diagonal(self) -> Array:
        """Return the diagonal."""
        return np.asarray(np.diagonal(self.K), dtype=np.float64)

    def cross(self, Y: Any, n_jobs: int | None) -> Array:
        """Return Y: the block of new rows is what a precomputed kernel is given."""
        return np.asarray(Y)
