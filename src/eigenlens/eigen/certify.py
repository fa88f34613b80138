"""Certificates: residuals and enclosures of eigenvalues from one exact product. Proofs: docs/certificates.md."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigvalsh

from ..core.numerics import Array, rounding_of_products
from ..gram import Moments
from .result import Certificate

_TRIALS = 6  # enlargements by 8 of a second-order guess before the closed form is taken


def certify_subspace(theta: Array, G: Array, moments: Moments, n: int, k: int) -> Certificate:
    """Certify the first k of m Ritz pairs of an n x n matrix K.

    theta are the Ritz values of the whole basis Q in decreasing order, G = R'R the Gram matrix of their residuals
    R = K V - V diag(theta), (m, m).

    - ``lower``: lambda_i >= theta_i (Cauchy interlacing).
    - ``remainder``: C = K on the complement of Q has trace tau = trace(K) - sum(theta) and squared norm
      sigma^2 = ||K||^2 - 2 ||K Q||^2 + ||T||^2. Its N = n - m eigenvalues are therefore at most
      tau / N + sqrt((N - 1) / N (sigma^2 - tau^2 / N)) (Wolkowicz and Styan 1980, doi:10.1016/0024-3795(80)90258-X),
      which is never more than sigma.
    - ``upper``: for mu > beta >= lambda_max(C), lambda_i(diag(theta) + G / (mu - beta)) <= mu implies lambda_i <= mu.
    """
    residual = np.sqrt(np.maximum(np.diagonal(G), 0.0))
    rounding = rounding_of_products(n, moments.evaluated_norm)
    remainder = _bound_outside(theta, G, moments, n, rounding)
    # one more than k, if there is one: the gap below the last component decides the angle
    upper = np.array([_upper_bound(i, theta, G, remainder) for i in range(min(k + 1, len(theta)))])
    below = upper[k] if len(upper) > k else remainder
    return Certificate(
        residual=residual[:k],
        lower=theta[:k] - rounding,
        upper=upper[:k] + rounding,
        index_proven=theta[:k] - rounding > remainder,
        remainder=float(remainder),
        rounding=float(rounding),
        subspace_sine=_subspace_sine(G[:k, :k], float(theta[k - 1]) - below - 2 * rounding),
    )


def certify_decomposition(
    values: Array, residual: Array, moments: Moments, n: int, trace_error: float = 0.0
) -> Certificate:
    """Certify the k largest eigenpairs from a backward stable decomposition of the whole matrix.

    LAPACK's eigenvalues are those of K + E with ||E|| of the order of eps ||K||; the index is then known for all. The
    residuals that were measured stand for E where they are larger than its stated bound.

    Where the matrix K' was decomposed in the place of K >= K', with trace(K - K') = ``trace_error``:
    lambda_i(K') <= lambda_i(K) <= lambda_i(K') + trace_error (Weyl), and residuals grow by no more than that.
    """
    rounding = rounding_of_products(n, moments.evaluated_norm) + float(np.max(residual, initial=0.0))
    return Certificate(
        residual=residual + trace_error,
        lower=values - rounding,
        upper=values + rounding + trace_error,
        index_proven=np.ones(len(values), dtype=bool),
        remainder=float(values[-1]) if len(values) else -np.inf,
        rounding=rounding,
        subspace_sine=1.0,
    )


def _bound_outside(theta: Array, G: Array, moments: Moments, n: int, rounding: float) -> float:
    """Upper bound on the eigenvalues of K on the complement of the basis."""
    N = n - len(theta)
    if N == 0:
        return -np.inf
    tau = moments.trace - float(theta.sum())
    # ||K Q||^2 = ||T||^2 + ||R||^2, since R is orthogonal to Q
    squared = moments.squared_norm - float(theta @ theta) - 2 * float(np.trace(G))
    spread = max(squared - tau**2 / N, 0.0) + 2 * rounding * moments.evaluated_norm
    return tau / N + float(np.sqrt((N - 1) / N * spread)) + rounding


def _upper_bound(i: int, theta: Array, G: Array, beta: float) -> float:
    """Smallest mu that could be verified quickly, or the closed form with ||G|| in the place of G."""
    if not np.isfinite(beta):
        return float(theta[i])
    g = float(eigvalsh(G)[-1])
    closed = ((theta[i] + beta) + np.sqrt((theta[i] - beta) ** 2 + 4 * g)) / 2
    gap = theta[i] - beta
    if gap <= 0:
        return float(closed)
    # a pair that is far from the others moves by its own |r|^2 / gap: try a little more, then more
    step = 2 * max(float(G[i, i]) / gap, np.finfo(np.float64).eps * abs(theta[i]))
    for _ in range(_TRIALS):
        mu = theta[i] + step
        if mu >= closed:
            break
        if eigvalsh(np.diag(theta) + G / (mu - beta))[::-1][i] <= mu:
            return float(mu)
        step *= 8
    return float(closed)


def _subspace_sine(G: Array, gap: float) -> float:
    """Davis and Kahan: sin <= ||R|| / gap, if the gap is proven to be there."""
    if gap <= 0 or not np.isfinite(gap):
        return 0.0 if gap == np.inf else 1.0
    return min(1.0, float(np.sqrt(max(eigvalsh(G)[-1], 0.0))) / gap)
