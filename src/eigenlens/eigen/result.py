"""What a solver returns: eigenpairs with what is proven about each, and why this solver was taken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.numerics import Array


@dataclass(frozen=True)
class Certificate:
    """What is proven about k eigenpairs (theta_i, v_i) of a symmetric matrix K, the largest first.

    Proofs are in docs/certificates.md. All is rigorous up to ``rounding``, a stated bound on what floating point did
    to K and to the products; ``lower`` and ``upper`` include it.
    """

    residual: Array  # ||K v_i - theta_i v_i||: some eigenvalue of K lies within this of theta_i
    lower: Array  # lower[i] <= lambda_i, the i-th largest eigenvalue of K
    upper: Array  # lambda_i <= upper[i]
    index_proven: NDArray[np.bool_]  # lambda_i itself lies within residual of theta_i, above all that was not seen
    remainder: float  # upper bound on the eigenvalues of K outside the subspace that was looked at
    rounding: float
    subspace_sine: float  # bound on the sine of the angle between the span of v_1..v_k and the true one; 1: none

    def __str__(self) -> str:
        proven = int(np.sum(self.index_proven))
        lines = [
            f"{len(self.residual)} eigenpairs, largest residual {np.max(self.residual, initial=0.0):.2g}, "
            f"rounding at most {self.rounding:.2g}",
            f"index proven for {proven} of them: eigenvalues outside the subspace are at most {self.remainder:.4g}",
        ]
        if proven < len(self.residual):
            lines.append("the others are residual certified, index not certified")
        return "\n".join(lines)


@dataclass(frozen=True)
class EigenResult:
    """The k algebraically largest eigenpairs that were asked for, the largest first."""

    values: Array  # (k,)
    vectors: Array  # (n, k), orthonormal
    images: Array  # K vectors, (n, k)
    certificate: Certificate
    trace: float  # of K
    solver: str
    reason: str  # why this solver
    passes: int  # products of K with a block of vectors
    converged: bool = True
    negative_mass: float = 0.0  # at least this much is the sum of |lambda| over negative eigenvalues
