"""Gram matrices held as K = F F': explicit features, and low-rank approximations by landmarks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.numerics import Array, Indices
from .base import GramOperator, Moments


class FactoredGram(GramOperator):
    """K = F F' for an n x r factor F: products cost n r a vector.

    ``features`` maps new rows to rows of F, so that their cross block is features(Y) F'. Where F F' stands for a larger
    matrix, ``trace_error`` is the trace of the positive semidefinite difference. ``landmarks`` are the training rows
    it keeps, if it does.
    """

    def __init__(
        self,
        F: Array,
        features: Callable[[Any], Array] | None = None,
        *,
        trace_error: float = 0.0,
        landmarks: Indices | None = None,
    ) -> None:
        self.F = F
        self.shape = (F.shape[0], F.shape[0])
        self.dtype = np.dtype(np.float64)
        self.trace_error = trace_error
        self.landmarks = landmarks
        self._features = features

    def matmat(self, V: Array) -> Array:
        """Return F (F'V)."""
        return self.F @ (self.F.T @ V)

    def matmat_with_moments(self, V: Array) -> tuple[Array, Moments]:
        """Return F (F'V) and the moments: ||F F'||_F = ||F'F||_F, an r x r matrix."""
        small = self.F.T @ self.F
        row_sums = self.F @ self.F.sum(axis=0)
        norm = float(np.linalg.norm(small))
        return self.matmat(V), Moments(row_sums, norm**2, float(np.trace(small)), norm)

    def diagonal(self) -> Array:
        """Return the squared length of each row of F."""
        return np.einsum("ij,ij->i", self.F, self.F)

    def columns(self, indices: Indices) -> Array:
        """Return columns of F F'."""
        return self.F @ self.F[indices].T

    def cross(self, Y: Any) -> Array:
        """Return features(Y) F'."""
        if self._features is None:
            raise TypeError("This FactoredGram was made from a factor alone; give `features` to reach new rows.")
        return self._features(Y) @ self.F.T

    @property
    def factor(self) -> Array:
        """F itself."""
        return self.F
