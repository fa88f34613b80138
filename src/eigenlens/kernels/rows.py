"""Rows of a table prepared once, and what pairs of them have in common: inner products and distances."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import DTypeLike
from scipy.spatial.distance import cdist
from sklearn.utils.extmath import safe_sparse_dot

from ..core.numerics import Array, Indices, eps, products_suffice

_CHUNK = 4096  # rows converted at a time, so that preparing never needs a second table


class Rows:
    """Rows x1..xn of a table, shifted and cast, with their squared norms: what kernels evaluate blocks from.

    The dense table is stored as [x, |x|^2, 1]: the squared distance of two rows is then one matrix product,
    [x, |x|^2, 1] . [-2y, 1, |y|^2], with no pass over the block to add the norms. Subtracting the mean of the table
    first (``shift``) keeps the cancellation in that product small. A sparse table stays sparse unless it is shifted,
    as new rows are that meet dense training rows.
    """

    def __init__(self, X: Any, dtype: DTypeLike = np.float64, shift: Array | None = None) -> None:
        self.dtype = np.dtype(dtype)
        self.sparse = scipy.sparse.issparse(X) and shift is None
        X = X.tocsr() if scipy.sparse.issparse(X) else np.asarray(X)
        self.table: Any = X.astype(self.dtype, copy=False) if self.sparse else _augmented(X, self.dtype, shift)

    def __len__(self) -> int:
        return int(self.table.shape[0])

    def __getitem__(self, index: slice | Indices) -> Rows:
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


def _augmented(X: Any, dtype: np.dtype, shift: Array | None) -> Array:
    n, d = X.shape
    table = np.empty((n, d + 2), dtype)
    for start in range(0, n, _CHUNK):
        part = slice(start, start + _CHUNK)
        rows = X[part].toarray() if scipy.sparse.issparse(X) else X[part]
        with np.errstate(over="ignore"):  # a norm beyond float32 is infinite, and its distances are taken otherwise
            table[part, :d] = rows if shift is None else rows - shift
            # norms of the rows as stored, summed in float64: a row's distance to itself then stays at rounding
            table[part, d] = np.einsum("ij,ij->i", table[part, :d], table[part, :d], dtype=np.float64)
    table[:, d + 1] = 1
    return table


def _narrow_indices(table: Any) -> Any:
    """Return a sparse table with 32-bit indices, as scikit-learn's distances want them; others as they are."""
    if not scipy.sparse.issparse(table) or table.indices.dtype == np.int32:
        return table
    return type(table)((table.data, table.indices.astype(np.int32), table.indptr.astype(np.int32)), table.shape)


def multiply(block: Array, scale: float) -> Array:
    """Multiply a block of distances in place: what is too large for a number is infinite, and zero stays zero."""
    limit = float(np.finfo(block.dtype).max)  # a scale beyond it would be infinite in float32, and NaN times zero
    with np.errstate(over="ignore"):
        block *= min(max(float(scale), -limit), limit)
    return block


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
        scale = float(scale)  # a NumPy number would widen float32
        if self._sparse:
            block = self._sparse_inner()
            block *= scale
            return block
        b = self.b.data if scale == 1.0 else self.b.data * scale
        return np.matmul(self.a.data, b.T, out=self._take_scratch())

    def squared_distance(self, scale: float = 1.0) -> Array:
        """Return scale * |a - b|^2, which rounding may leave on the other side of zero, by far less than one."""
        scale = float(scale)
        if self._sparse:
            block = self._sparse_squared_distance(scale)
        elif self._product_keeps_half_the_digits(scale):
            other = np.empty_like(self.b.table)
            np.multiply(self.b.data, -2 * scale, out=other[:, :-2])
            other[:, -2] = scale
            np.multiply(self.b.squared_norms, scale, out=other[:, -1])
            block = np.matmul(self.a.table, other.T, out=self._take_scratch())
        else:
            block = self._sharp_squared_distance(scale)
        if self.same:
            np.fill_diagonal(block, 0)
        return block

    def city_block_distance(self) -> Array:
        """Return the sum over features of |a - b|."""
        if self._sparse:
            from sklearn.metrics.pairwise import manhattan_distances

            return manhattan_distances(*map(_narrow_indices, (self.a.data, self.b.data))).astype(
                self.a.dtype, copy=False
            )
        return cdist(self.a.data, self.b.data, "cityblock").astype(self.a.dtype, copy=False)

    @property
    def _sparse(self) -> bool:
        """Whether a or b is sparse; products of a sparse and a dense table are dense."""
        return self.a.sparse or self.b.sparse

    def _sparse_inner(self) -> Array:
        # scikit-learn adds up into a dense block, where a sparse product that is made dense takes twice as long
        return np.asarray(safe_sparse_dot(self.a.data, self.b.data.T, dense_output=True), dtype=self.a.dtype)

    def _sparse_squared_distance(self, scale: float) -> Array:
        if not self._product_keeps_half_the_digits(scale):
            dense = [Rows(rows.data.toarray() if rows.sparse else rows.data, rows.dtype) for rows in (self.a, self.b)]
            return Pairs(*dense, same=self.same)._sharp_squared_distance(scale)
        block = self._sparse_inner()
        block *= -2
        block += self.a.squared_norms[:, None]
        block += self.b.squared_norms
        # rounding neither turns a distance over nor sets a row apart from its copy, however large the scale
        block[block <= 8 * eps(block.dtype) * self.a.squared_norms[:, None]] = 0
        return multiply(block, scale)

    def distance_error(self, scale: float) -> float:
        """Return the error that rounding leaves in scale |a - b|^2: of a sum of products that cancel, or next to none.

        The terms are at most 4 scale max |x|^2 in size together, and rounding of d + 2 of them sqrt(d + 2) eps of that.
        """
        if not self._product_keeps_half_the_digits(scale):
            return 0.0
        norms = self.a.squared_norms.max(initial=0) + self.b.squared_norms.max(initial=0)
        return 2 * eps(self.a.dtype) * abs(scale) * float(norms) * float(np.sqrt(self.a.data.shape[1] + 2))

    def _product_keeps_half_the_digits(self, scale: float) -> bool:
        norms = self.a.squared_norms.max(initial=0) + self.b.squared_norms.max(initial=0)
        return products_suffice(scale, float(norms), self.a.dtype)

    def _sharp_squared_distance(self, scale: float) -> Array:
        """The same with more digits, several times slower: a float64 product, or the differences themselves."""
        if self.a.dtype != np.float64:
            wide = Pairs(Rows(self.a.data), Rows(self.b.data), same=self.same)
            with np.errstate(over="ignore"):  # a distance beyond float32 is infinite, as profiles understand
                return wide.squared_distance(scale).astype(self.a.dtype)
        if scale == 0:
            return np.zeros(self.shape)  # even where a distance is infinite
        return multiply(cdist(self.a.data, self.b.data, "sqeuclidean"), scale)

    def _take_scratch(self) -> Array | None:
        """Hand out the buffer once; a composite kernel's second block gets memory of its own."""
        scratch, self._scratch = self._scratch, None
        if scratch is None:
            return None
        m, p = self.shape
        return scratch[: m * p].reshape(m, p)
