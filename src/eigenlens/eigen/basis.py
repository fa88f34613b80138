"""A growing orthonormal basis with its image under K: what Rayleigh-Ritz needs, whole."""

from __future__ import annotations

import numpy as np

from ..core.numerics import Array
from ..gram import GramOperator


class Basis:
    """Q orthonormal (n, m) and P = K Q; Ritz pairs are those of T = Q'P, which grows with them."""

    def __init__(self, Q: Array, P: Array) -> None:
        self.Q, self.P = Q, P
        self._T = Q.T @ P

    @classmethod
    def empty(cls, n: int) -> Basis:
        """Return a basis without vectors."""
        return cls(np.empty((n, 0)), np.empty((n, 0)))

    @property
    def size(self) -> int:
        """Number of basis vectors m."""
        return int(self.Q.shape[1])

    def extend(self, operator: GramOperator, W: Array) -> None:
        """Take orthonormal W, orthogonal to Q, into the basis: one pass over K."""
        image = operator.matmat(W)
        beside = self.Q.T @ image
        self._T = np.block([[self._T, beside], [beside.T, W.T @ image]])
        self.Q = np.hstack([self.Q, W])
        self.P = np.hstack([self.P, image])

    def ritz(self) -> tuple[Array, Array]:
        """Return Ritz values, the largest first, and their coordinates in the basis, (m, m)."""
        theta, Y = np.linalg.eigh((self._T + self._T.T) / 2)  # symmetric up to the rounding of K
        return theta[::-1], Y[:, ::-1]

    def residuals(self, theta: Array, Y: Array) -> Array:
        """Return K v - theta v for the Ritz pairs given by columns of Y."""
        return self.P @ Y - self.Q @ (Y * theta)

    def restarted(self, theta: Array, Y: Array) -> Basis:
        """Return the basis of the Ritz vectors in columns of Y: a restart that loses nothing of what is kept."""
        kept = object.__new__(Basis)
        kept.Q, kept.P, kept._T = self.Q @ Y, self.P @ Y, np.diag(theta)
        return kept
