"""The Gram matrix of a kernel that the compiled engine knows, at the rows of a dense table."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ..core.numerics import Array, Indices
from ..core.progress import SILENT, Progress
from ..engine import Engine, Recipe, Sweeper, SymmetricSweep
from ..kernels import Kernel, Rows, shift_for
from .base import GramOperator, Moments
from .checks import check_product
from .cross import cross_block
from .sources import KernelSource

_PART = 1 << 18  # numbers prepared at a time for what is said of each row


class NativeGram(GramOperator):
    """K by tiles that compiled code makes, uses with their transposes and forgets, or keeps within ``cache_bytes``."""

    def __init__(
        self,
        engine: Engine,
        recipe: Recipe,
        kernel: Kernel,
        X: Any,
        dtype: DTypeLike = np.float32,
        *,
        cache_bytes: int = 0,
        n_jobs: int | None = None,
        progress: Progress = SILENT,
    ) -> None:
        self.engine, self.recipe, self.kernel, self.X = engine, recipe, kernel, X
        self.dtype = np.dtype(dtype)
        self.shape = (X.shape[0], X.shape[0])
        self._n_jobs, self._progress = n_jobs, progress
        self._shift = shift_for(kernel, X)
        self._sweeper = Sweeper(engine, recipe, dtype)
        self._rows = self._sweeper.pack(X, self._shift)
        self._sweep = SymmetricSweep(
            self._sweeper, self._rows, cache_bytes=cache_bytes, n_jobs=n_jobs, progress=progress
        )
        self._exact: NativeGram | None = None

    @property
    def kept_bytes(self) -> int:
        """Bytes set aside for tiles that are kept."""
        return self._sweep.kept_bytes

    def exact(self) -> NativeGram:
        """Return the same matrix in float64, its tiles made anew in every pass."""
        if self.dtype == np.float64:
            return self
        if self._exact is None:
            self._exact = NativeGram(
                self.engine, self.recipe, self.kernel, self.X, np.float64, n_jobs=self._n_jobs, progress=self._progress
            )
            self._exact._said_of_rows = self._said_of_rows
        return self._exact

    def matmat(self, V: Array) -> Array:
        """Return K V."""
        return self._checked(self._sweep.product(V), V)

    def matmat_with_moments(self, V: Array) -> tuple[Array, Moments]:
        """Return K V and the moments of K, gathered from each tile while it is there."""
        product, sums = self._sweep.product_and_sums(V)
        self._checked(sums.rows, None)
        squared_norm, trace = float(sums.squares.sum()), float(self.diagonal().sum())
        norm = squared_norm**0.5
        error = norm * self._said_of_rows[1]
        return self._checked(product, V), Moments(sums.rows, squared_norm, trace, norm, error)

    def diagonal(self) -> Array:
        """Return the diagonal of K."""
        return self._said_of_rows[0]

    def columns(self, indices: Indices) -> Array:
        """Return columns of K, in this operator's dtype."""
        chosen = self._sweeper.pack(self.X[indices], self._shift)
        return self._checked(self._sweeper.block(self._rows, chosen, self._n_jobs), None)

    def sample(self, indices: Indices) -> Array:
        """Return K at these rows and columns."""
        chosen = self._sweeper.pack(self.X[indices], self._shift)
        return self._checked(self._sweeper.block(chosen, chosen, self._n_jobs, mirrored=True), None).astype(np.float64)

    def extend(self, indices: Indices, U: Array) -> Array:
        """Return K[:, indices] U; the columns are never there as a whole."""
        chosen = self._sweeper.pack(self.X[indices], self._shift)
        return self._checked(self._sweeper.product(self._rows, chosen, U, self._n_jobs), U)

    def cross(self, Y: Any) -> Array:
        """Return the block of new rows against the rows of the operator."""
        return cross_block(self.kernel, Y, self.X, n_jobs=self._n_jobs)

    @cached_property
    def _said_of_rows(self) -> tuple[Array, float]:
        """The diagonal, and what cancellation in distances by products does to the entries, a part of X at a time.

        The error grows with the largest norm, so that the largest of the parts' is that of all.
        """
        height = max(1, _PART // (self.X.shape[1] + 2))
        diagonals, error = [], 0.0
        for start in range(0, self.shape[0], height):
            rows = Rows(self.X[start : start + height], np.float64, self._shift)
            diagonals.append(np.asarray(self.kernel.evaluate_diagonal(rows), dtype=np.float64))
            error = max(error, self.kernel.relative_error(rows))
        return np.concatenate(diagonals), error

    def _checked(self, product: Array, V: Array | None) -> Array:
        return check_product(product, V, KernelSource(self.kernel, self.X), self.dtype)
