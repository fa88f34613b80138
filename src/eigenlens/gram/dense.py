"""A Gram matrix held whole, in float64: the simplest operator, and the fastest for small n."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg.blas import dsymv

from ..core.numerics import Array, Indices
from ..kernels import Kernel, Pairs, Rows, shift_for
from .base import GramOperator, Moments, moments_of
from .checks import check_block, check_finite, symmetric
from .cross import compiled_tables, cross_block


class DenseGram(GramOperator):
    """K as an array.

    ``owned`` says that nobody else holds it, so that it may be centred in place; ``moments`` are given where they are
    known already; ``relative_error`` is that of the entries beyond a few eps; ``trace_error`` is given where K stands
    for a larger matrix.

    >>> import numpy as np
    >>> DenseGram(np.array([[2.0, 1.0], [1.0, 2.0]])).matmat(np.ones((2, 1))).ravel().tolist()
    [3.0, 3.0]
    """

    in_memory = True

    def __init__(
        self,
        K: Array,
        cross: Any = None,
        *,
        owned: bool = False,
        moments: Moments | None = None,
        relative_error: float = 0.0,
        trace_error: float = 0.0,
    ) -> None:
        self.K = K
        self.trace_error = trace_error
        self.owned = owned
        self._moments, self._relative_error = moments, relative_error
        self.shape = (K.shape[0], K.shape[0])
        self.dtype = np.dtype(np.float64)
        self._cross = cross

    @classmethod
    def of(cls, kernel: Kernel, X: Any, n_jobs: int | None = None) -> DenseGram:
        """Evaluate the whole matrix."""
        n, shift = X.shape[0], shift_for(kernel, X)
        compiled = compiled_tables(kernel, X, X, shift)
        if compiled is not None:
            K = compiled.sweeper.block(compiled.new, compiled.training, n_jobs, mirrored=True)
            del compiled  # before rows are made once more
            rows = Rows(X, np.float64, shift)
        else:
            rows = Rows(X, np.float64, shift)
            K = check_block(kernel.evaluate(Pairs(rows, rows, same=True)), (n, n), kernel)
        check_finite(K, slice(0, n), slice(0, n), kernel)
        if not kernel.trusted:
            K = symmetric(K, f"The kernel {kernel!r}")
        error = kernel.relative_error(rows)
        return cls(K, lambda Y: cross_block(kernel, Y, X, n_jobs=n_jobs), owned=True, relative_error=error)

    def matmat(self, V: Array) -> Array:
        """Return K V; with one vector, which takes as long as reading the matrix does, only one triangle is read."""
        if V.shape[1] != 1:
            return self.K @ V
        # a symmetric array in C order is, transposed, the same matrix in the order that BLAS wants: no copy
        by_columns = self.K if self.K.flags.f_contiguous else self.K.T
        return dsymv(1.0, by_columns, V[:, 0])[:, None]

    def matmat_with_moments(self, V: Array) -> tuple[Array, Moments]:
        """Return K V and the moments of K."""
        return self.matmat(V), self._gathered()

    def diagonal(self) -> Array:
        """Return the diagonal of K."""
        return np.diagonal(self.K)

    def columns(self, indices: Indices) -> Array:
        """Return columns of K."""
        return self.K[:, indices]

    def whole(self) -> tuple[Array, Moments]:
        """Return K and its moments."""
        return self.K, self._gathered()

    def _gathered(self) -> Moments:
        moments = self._moments or moments_of(self.K, self._relative_error)
        if not self.owned:  # then nobody centres it in place, and once is enough
            self._moments = moments
        return moments

    def cross(self, Y: Any) -> Array:
        """Return the block of new rows; for a matrix that was given, Y is that block."""
        return np.asarray(Y) if self._cross is None else self._cross(Y)
