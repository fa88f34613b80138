"""Rows of a table prepared once, and what pairs of them have in common: inner products and distances."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import DTypeLike
from scipy.spatial.distance import cdist

from ..core.numerics import Array

_CHUNK = 4096  # rows converted at a time, so that preparing never needs a second table


class Rows:
    """Rows x1..xn of a table, shifted and cast, with their squared norms: what kernels evaluate blocks from.

    The dense table is stored as [x, |x|^2, 1]: the squared distance of two rows is then one matrix product,
    [x, |x|^2, 1] . [-2y, 1, |y|^2], with no pass over the block to add the norms. Subtracting the mean of the table
    first (``shift``) keeps the cancellation in that product small.
    """

    def __init__(self, X: Any, dtype: DTypeLike = np.float64, shift: Array | None = None) -> None:
        self.dtype = np.dtype(dtype)
        self.sparse = scipy.sparse.issparse(X)
        if self.sparse:
            self.table = X.tocsr().astype(self.dtype, copy=False)
        else:
            self.table = _augmented(np.asarray(X), self.dtype, shift)

    def __len__(self) -> int:
        return int(self.table.shape[0])

    def __getitem__(self, index: slice | Array) -> Rows:
        part = object.__new__(Rows)
        part.dtype, part.sparse, part.table = self.dtype, self.sparse, self.table[index]
        return part

    @property
    def data(self) -> Any:
        """The rows themselves, (n, d)."""
        return self.table if self.sparse else self.table[:, :-2]

    @cached_property
    def squared_norms(self) -> Array:
        """|x|^2 of each row, (n,)."""
        if self.sparse:
            return np.asarray(self.table.multiply(self.table).sum(axis=1), dtype=self.dtype).ravel()
        return self.table[:, -2]


def _augmented(X: Array, dtype: np.dtype, shift: Array | None) -> Array:
    n, d = X.shape
    table = np.empty((n, d + 2), dtype)
    for start in range(0, n, _CHUNK):
        part = slice(start, start + _CHUNK)
        table[part, :d] = X[part] if shift is None else X[part] - shift
        # norms of the rows as stored, summed in float64: a row's distance to itself then stays at rounding
        table[part, d] = np.einsum("ij,ij->i", table[part, :d], table[part, :d], dtype=np.float64)
    table[:, d + 1] = 1
    return table


class Pairs:
    """All pairs of rows a (m of them) and b (p of them), as blocks of shape (m, p).

    Every method returns an array that the caller may overwrite. ``scratch``, when given, is a flat buffer that the
    first block is written to, so that a sweep over many tiles does not allocate each of them.
    """

    def __init__(self, a: Rows, b: Rows, *, same: bool = False, scratch: Array | None = None) -> None:
        self.a, self.b = a, b
        self.same = same  # a and b are the same rows: their distances have an exactly zero diagonal
        self.shape = (len(a), len(b))
        self._scratch = scratch

    def inner(self, scale: float = 1.0) -> Array:
        """Return scale * <a, b>."""
        if self.a.sparse:
            return scale * self._sparse_inner()
        b = self.b.data if scale == 1.0 else self.b.data * scale
        return np.matmul(self.a.data, b.T, out=self._take_scratch())

    def squared_distance(self, scale: float = 1.0) -> Array:
        """Return scale * |a - b|^2, which rounding may leave on the other side of zero by about eps |a|^2."""
        if self.a.sparse:
            block = self._sparse_inner()
            block *= -2
            block += self.a.squared_norms[:, None]
            block += self.b.squared_norms
            block *= scale
        else:
            other = np.empty_like(self.b.table)
            np.multiply(self.b.data, -2 * scale, out=other[:, :-2])
            other[:, -2] = scale
            np.multiply(self.b.squared_norms, scale, out=other[:, -1])
            block = np.matmul(self.a.table, other.T, out=self._take_scratch())
        if self.same:
            np.fill_diagonal(block, 0)
        return block

    def city_block_distance(self) -> Array:
        """Return the sum over features of |a - b|."""
        if self.a.sparse:
            from sklearn.metrics.pairwise import manhattan_distances

            return manhattan_distances(self.a.data, self.b.data).astype(self.a.dtype, copy=False)
        return cdist(self.a.data, self.b.data, "cityblock").astype(self.a.dtype, copy=False)

    def _sparse_inner(self) -> Array:
        return np.asarray((self.a.data @ self.b.data.T).toarray(), dtype=self.a.dtype)

    def _take_scratch(self) -> Array | None:
        """Hand out the buffer once; a composite kernel's second block gets memory of its own."""
        scratch, self._scratch = self._scratch, None
        if scratch is None:
            return None
        m, p = self.shape
        return scratch[: m * p].reshape(m, p)
