"""A matrix held as F F': its eigenpairs are the singular pairs of F."""

from __future__ import annotations

import numpy as np
from scipy.linalg import svd

from ..core.numerics import orthonormal_complement
from ..gram import GramOperator
from .dense import decomposed
from .result import EigenResult


def solve_factored(operator: GramOperator, k: int, *, rng: np.random.Generator, reason: str) -> EigenResult:
    """Return the k largest eigenpairs of F F', F of shape (n, r): lambda_i = sigma_i^2, v_i = u_i.

    Components beyond the rank r have eigenvalue zero and any orthonormal vectors outside the range of F.
    """
    F = operator.factor
    if F is None:
        raise TypeError("This operator is not held as a factor; choose another solver.")
    U, sigma, _ = svd(F, full_matrices=False, check_finite=False)
    U, values = U[:, :k], sigma[:k] ** 2
    missing = k - U.shape[1]
    if missing > 0:
        extra = orthonormal_complement(rng.standard_normal((len(F), missing)), [U])
        U, values = np.hstack([U, extra]), np.append(values, np.zeros(extra.shape[1]))
    images, moments = operator.matmat_with_moments(U)
    return decomposed(values, U, images, moments, "factor", reason, trace_error=operator.trace_error)
