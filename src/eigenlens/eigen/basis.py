"""A growing orthonormal basis with its image under K: what Rayleigh-Ritz needs, whole."""

from __future__ import annotations

import numpy as np

from ..core.numerics import Array
from ..gram import GramOperator


class Basis:
    """Q orthonormal (n, m) and P = K Q; Ritz pairs are those of T = Q'P, which grows with them.

    Both stay in the blocks they came in: joining them at every step would move more memory than all else does.
    """

    def __init__(self, Q: Array, P: Array) -> None:
        self._blocks = [(Q, P)]
        self._T = Q.T @ P

    @classmethod
    def empty(cls, n: int) -> Basis:
        """Return a basis without vectors."""
        return cls(np.empty((n, 0)), np.empty((n, 0)))

    @property
    def size(self) -> int:
        """Number of basis vectors m."""
        return len(self._T)

    @property
    def Q(self) -> Array:
        """The basis as one array: a copy, unless it is one block."""
        return _joined([Q for Q, _ in self._blocks])

    @property
    def P(self) -> Array:
        """K Q as one array: a copy, unless it is one block."""
        return _joined([P for _, P in self._blocks])

    @property
    def blocks(self) -> list[Array]:
        """Q in its blocks, side by side."""
        return [Q for Q, _ in self._blocks]

    def extend(self, operator: GramOperator, W: Array) -> None:
        """Take orthonormal W, orthogonal to Q, into the basis: one pass over K."""
        image = operator.matmat(W)
        beside = np.vstack([Q.T @ image for Q in self.blocks])
        self._T = np.block([[self._T, beside], [beside.T, W.T @ image]])
        self._blocks.append((W, image))

    def ritz(self) -> tuple[Array, Array]:
        """Return Ritz values, the largest first, and their coordinates in the basis, (m, m)."""
        theta, Y = np.linalg.eigh((self._T + self._T.T) / 2)  # symmetric up to the rounding of K
        return theta[::-1], Y[:, ::-1]

    def vectors(self, Y: Array) -> Array:
        """Return Q Y: the vectors with coordinates in columns of Y, (n, p)."""
        return _combined(self.blocks, Y)

    def images(self, Y: Array) -> Array:
        """Return P Y = K Q Y, (n, p)."""
        return _combined([P for _, P in self._blocks], Y)

    def residuals(self, theta: Array, Y: Array) -> Array:
        """Return K v - theta v for the Ritz pairs given by columns of Y."""
        residuals = self.images(Y)
        residuals -= self.vectors(Y * theta)
        return residuals

    def restarted(self, theta: Array, Y: Array) -> Basis:
        """Return the basis of the Ritz vectors in columns of Y: a restart that loses nothing of what is kept."""
        kept = object.__new__(Basis)
        kept._blocks, kept._T = [(self.vectors(Y), self.images(Y))], np.diag(theta)
        return kept


def _joined(blocks: list[Array]) -> Array:
    return blocks[0] if len(blocks) == 1 else np.hstack(blocks)


def _combined(blocks: list[Array], Y: Array) -> Array:
    """Return the blocks, side by side, times Y."""
    parts = np.split(Y, np.cumsum([block.shape[1] for block in blocks])[:-1])
    total: Array = blocks[0] @ parts[0]
    for block, part in zip(blocks[1:], parts[1:], strict=True):
        total += block @ part
    return total
