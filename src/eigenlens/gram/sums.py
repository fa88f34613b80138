"""Sums over rows of a kernel matrix that is never there as a whole: K 1, and the diagonal of K^2."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from ..core.numerics import Array
from ..kernels import Invariance, Kernel
from .cross import compiled_tables, for_each_tile


def row_sums(kernel: Kernel, Y: Any, X: Any, *, n_jobs: int | None = None) -> Array:
    """Return sum_j k(yi, xj) for each row of Y, (m,): kernel mean scores, and n times the means that centring needs.

    Values are those of ``kernel(Y, X)``: no shift of the rows, which would change sums of a kernel that is not
    shift-invariant.

    >>> import numpy as np
    >>> from eigenlens.kernels import Linear
    >>> row_sums(Linear(), np.array([[1.0], [2.0]]), np.array([[1.0], [3.0]])).tolist()
    [4.0, 8.0]
    """
    return _sums(kernel, Y, X, n_jobs)[0]


def squared_row_norms(kernel: Kernel, Y: Any, X: Any, *, n_jobs: int | None = None) -> Array:
    """Return sum_j k(yi, xj)^2 for each row of Y, (m,): the diagonal of K^2 where Y is X.

    >>> import numpy as np
    >>> from eigenlens.kernels import Linear
    >>> squared_row_norms(Linear(), np.array([[1.0], [2.0]]), np.array([[1.0], [3.0]])).tolist()
    [10.0, 40.0]
    """
    return _sums(kernel, Y, X, n_jobs)[1]


def _sums(kernel: Kernel, Y: Any, X: Any, n_jobs: int | None) -> tuple[Array, Array]:
    # a shift that centring would undo stays in sums; zeros say that there is none
    keeps_shift = kernel.invariance is Invariance.EXACT or scipy.sparse.issparse(X)
    shift = None if keeps_shift else np.zeros(X.shape[1])
    compiled = compiled_tables(kernel, Y, X, shift)
    if compiled is not None:
        sums, squares = compiled.sweeper.sums(compiled.new, compiled.training, n_jobs)
        if np.isfinite(squares).all():
            return sums, squares  # what is not finite is looked for below, a tile at a time
    sums, squares = np.zeros(Y.shape[0]), np.zeros(Y.shape[0])

    def add(part: slice, columns: slice, tile: Array) -> None:
        sums[part] += tile.sum(axis=1)
        squares[part] += np.einsum("ij,ij->i", tile, tile)

    for_each_tile(kernel, Y, X, add, n_jobs, shift)
    return sums, squares
