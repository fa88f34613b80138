"""The whole matrix at once, by LAPACK: all eigenvalues, or the largest k."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from ..core.numerics import Array, is_significantly_negative, rounding_of_products
from ..gram import GramOperator, Moments
from .certify import certify_decomposition
from .result import EigenResult


def solve_dense(operator: GramOperator, k: int, *, reason: str) -> EigenResult:
    """Return the k largest eigenpairs of the operator by a decomposition of its whole matrix.

    All eigenpairs come by divide and conquer (LAPACK syevd), a few by relatively robust representations (syevr). Of a
    large cluster of equal eigenvalues, syevr may return fewer than it was asked for: then all are found.
    """
    n = operator.shape[0]
    K, moments = operator.whole()
    # the transpose of a symmetric array is the same matrix in the order that LAPACK wants: no transposing copy
    by_columns = K.T
    found = 0
    if k <= n // 4:
        values, vectors = eigh(by_columns, subset_by_index=(n - k, n - 1), driver="evr", check_finite=False)
        found = len(values)
    if found < k:
        values, vectors = eigh(by_columns, driver="evd", check_finite=False)
    negative_mass = -float(values[is_significantly_negative(values)].sum())
    values, vectors = values[::-1][:k], np.ascontiguousarray(vectors[:, ::-1][:, :k])
    # measuring the residuals of many pairs would take a good part of what finding them did
    images = K @ vectors if k <= n // 10 else None
    return decomposed(
        values,
        vectors,
        images,
        moments,
        "dense",
        reason,
        negative_mass=negative_mass,
        trace_error=operator.trace_error,
    )


def decomposed(
    values: Array,
    vectors: Array,
    images: Array | None,
    moments: Moments,
    solver: str,
    reason: str,
    *,
    negative_mass: float = 0.0,
    trace_error: float = 0.0,
) -> EigenResult:
    """Return the eigenpairs of a backward stable decomposition, with their certificate.

    ``images`` are K vectors, from which residuals are measured; None takes vectors * values, and LAPACK's stated
    backward error for the residuals.
    """
    n = len(vectors)
    expected = vectors * values
    if images is None:
        images, residual = expected, np.full(len(values), rounding_of_products(n, moments.evaluated_norm))
    else:
        R = images - expected
        residual = np.sqrt(np.einsum("ij,ij->j", R, R))
    return EigenResult(
        values=values,
        vectors=vectors,
        images=images,
        certificate=certify_decomposition(values, residual, moments, n, trace_error),
        trace=moments.trace,
        solver=solver,
        reason=reason,
        passes=1,
        negative_mass=negative_mass,
    )
