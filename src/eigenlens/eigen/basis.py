"""A growing orthonormal basis with its image under K: what Rayleigh-Ritz needs, whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.numerics import Array
from ..gram import GramOperator


@dataclass
class Basis:
    """Q orthonormal (n, m) and P = K Q; Ritz pairs are those of T = Q'P."""

    Q: Array
    P: Array

    @property
    def size(self) -> int:
        """Number of basis vectors m."""
        return int(self.Q.shape[1])

    def extend(self, operator: GramOperator, W: Array) -> None:
        """Take orthonormal W, orthogonal to Q, into the basis: one pass over K."""
        self.Q = np.hstack([self.Q, W])
        self.P = np.hstack([self.P, operator.matmat(W)])

    def ritz(self) -> tuple[Array, Array]:
        """Return Ritz values, the largest first, and their coordinates in the basis, (m, m)."""
        T = self.Q.T @ self.P
        theta, Y = np.linalg.eigh((T + T.T) / 2)  # symmetric up to the rounding of K
        return theta[::-1], Y[:, ::-1]

    def residuals(self, theta: Array, Y: Array) -> Array:
        """Return K v - theta v for the Ritz pairs given by columns of Y."""
        return self.P @ Y - self.Q @ (Y * theta)

    def rotated(self, Y: Array) -> Basis:
        """Return the basis Q Y with its image: a restart that loses nothing of what is kept."""
        return Basis(self.Q @ Y, self.P @ Y)
