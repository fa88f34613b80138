"""The whole matrix at once, by LAPACK: all eigenvalues, or the largest k."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from ..core.numerics import Array, is_significantly_negative
from ..gram import GramOperator, Moments
from .certify import certify_decomposition
from .result import EigenResult


def solve_dense(operator: GramOperator, k: int, *, reason: str) -> EigenResult:
    """Return the k largest eigenpairs of the operator by a decomposition of its whole matrix.

    All eigenpairs come by divide and conquer (LAPACK syevd), a few by relatively robust representations (syevr).
    """
    n = operator.shape[0]
    K, moments = operator.whole()
    if k > n // 4:
        values, vectors = eigh(K, driver="evd", check_finite=False)
        negative_mass = -float(values[is_significantly_negative(values)].sum())
        values, vectors = values[n - k :], vectors[:, n - k :]
    else:
        values, vectors = eigh(K, subset_by_index=(n - k, n - 1), driver="evr", check_finite=False)
        negative_mass = -float(values[is_significantly_negative(values)].sum())
    values, vectors = values[::-1], np.ascontiguousarray(vectors[:, ::-1])
    return decomposed(values, vectors, K @ vectors, moments, "dense", reason, negative_mass=negative_mass)


def decomposed(
    values: Array,
    vectors: Array,
    images: Array,
    moments: Moments,
    solver: str,
    reason: str,
    *,
    negative_mass: float = 0.0,
    trace_error: float = 0.0,
) -> EigenResult:
    """Return the eigenpairs of a backward stable decomposition, with their certificate."""
    R = images - vectors * values
    residual = np.sqrt(np.einsum("ij,ij->j", R, R))
    return EigenResult(
        values=values,
        vectors=vectors,
        images=images,
        certificate=certify_decomposition(values, residual, moments, len(vectors), trace_error),
        trace=moments.trace,
        solver=solver,
        reason=reason,
        passes=1,
        negative_mass=negative_mass,
    )
