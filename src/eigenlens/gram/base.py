"""What a Gram operator is: the matrix of all k(xi, xj) as something that multiplies blocks of vectors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.numerics import Array, Indices, rounding_of_products


@dataclass(frozen=True)
class Moments:
    """What one pass over K gathers for centring and certificates, besides the product."""

    row_sums: Array  # K 1, (n,)
    squared_norm: float  # ||K||_F^2
    trace: float
    evaluated_norm: float  # ||K||_F before centring, which may have taken most of it: rounding is relative to this
    entry_error: float = 0.0  # bound on ||E||_F for what cancellation did to the entries beyond a few eps

    @property
    def rounding(self) -> float:
        """Stated bound on what floating point did to the eigenvalues: to products with K, and to K itself."""
        return rounding_of_products(len(self.row_sums), self.evaluated_norm) + self.entry_error


class GramOperator(ABC):
    """A symmetric n x n matrix that multiplies blocks of vectors; solvers see nothing else of it.

    ``matmat`` may work in ``dtype``; ``exact()`` is the same matrix with products in float64, on which eigenvalues
    and certificates are decided.
    """

    shape: tuple[int, int]
    dtype: np.dtype
    in_memory: bool = False  # the whole matrix is an array already
    owned: bool = False  # and nobody else's, so that it may be centred in place
    trace_error: float = 0.0  # trace(K_true - K) where this stands for a larger positive semidefinite matrix

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.shape[0]} rows in {self.dtype}>"

    @abstractmethod
    def matmat(self, V: Array) -> Array:
        """Return K V in float64, (n, p)."""

    @abstractmethod
    def matmat_with_moments(self, V: Array) -> tuple[Array, Moments]:
        """Return K V and the moments of K, gathered in the same pass."""

    @abstractmethod
    def diagonal(self) -> Array:
        """Return the diagonal of K, (n,)."""

    @abstractmethod
    def columns(self, indices: Indices) -> Array:
        """Return the columns of K at ``indices``, (n, len(indices))."""

    def sample(self, indices: Indices) -> Array:
        """Return the matrix of these rows alone, as if there were no others: what an iteration starts from."""
        return np.asarray(self.columns(indices)[indices], dtype=np.float64)

    def extend(self, indices: Indices, U: Array) -> Array:
        """Return vectors for all rows from vectors U of a sample: K[:, indices] U, in float64."""
        C = self.columns(indices)
        return np.asarray(C @ U.astype(C.dtype), dtype=np.float64)

    @abstractmethod
    def cross(self, Y: Any) -> Array:
        """Return the block of new rows against the rows of the operator, (m, n)."""

    def whole(self) -> tuple[Array, Moments]:
        """Return the matrix as one float64 array, which is not to be written to, and its moments."""
        K = np.asarray(self.exact().columns(np.arange(self.shape[0])), dtype=np.float64)
        return K, moments_of(K)

    def exact(self) -> GramOperator:
        """Return the same matrix with products in float64."""
        return self

    @property
    def factor(self) -> Array | None:
        """F with K = F F' where the operator is held that way, or None."""
        return None


def moments_of(K: Array, relative_error: float = 0.0) -> Moments:
    """Return the moments of a matrix that is at hand, whose entries have this relative error beyond a few eps."""
    norm = float(np.linalg.norm(K))
    return Moments(K.sum(axis=0), norm * norm, float(np.trace(K)), norm, relative_error * norm)
