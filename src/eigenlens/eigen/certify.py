"""Certificates: residuals and enclosures of eigenvalues from one exact product. Proofs: docs/certificates.md."""

from __future__ import annotations

import numpy as np

from ..core.numerics import Array, rounding_of_products
from ..gram import Moments
from .result import Certificate


def certify_subspace(theta: Array, squares: Array, moments: Moments, n: int, k: int) -> Certificate:
    """Certify the first k of m Ritz pairs of an n x n matrix K.

    theta are the Ritz values of the whole basis Q in decreasing order, squares the squared norms |r_j|^2 of their
    residuals r_j = K v_j - theta_j v_j, both of length m.

    - ``lower``: lambda_i >= theta_i (Cauchy interlacing).
    - ``remainder``: C = K on the complement of Q has trace tau = trace(K) - sum(theta) and squared norm
      sigma^2 = ||K||^2 - sum(theta^2) - 2 sum |r_j|^2. Its N = n - m eigenvalues are therefore at most
      tau / N + sqrt((N - 1) / N (sigma^2 - tau^2 / N)) (Wolkowicz and Styan 1980, doi:10.1016/0024-3795(80)90258-X),
      which is never more than sigma.
    - ``upper``: see ``_upper_bounds``.
    - ``subspace_sine``: ||R_k|| / (theta_k - upper bound of lambda_k+1) (Davis and Kahan 1970).
    """
    rounding = rounding_of_products(n, moments.evaluated_norm)
    remainder = _bound_outside(theta, squares, moments, n, rounding)
    # one more than k, if there is one: the gap below the last component decides the angle
    upper = _upper_bounds(theta, squares, remainder, min(k + 1, len(theta)))
    below = upper[k] if len(upper) > k else remainder
    gap = float(theta[k - 1]) - below - 2 * rounding
    sine = float(np.sqrt(squares[:k].sum())) / gap if gap > 0 else 1.0
    return Certificate(
        residual=np.sqrt(squares[:k]),
        lower=theta[:k] - rounding,
        upper=upper[:k] + rounding,
        index_proven=theta[:k] - rounding > remainder,
        remainder=float(remainder),
        rounding=float(rounding),
        subspace_sine=min(1.0, sine),
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


def _bound_outside(theta: Array, squares: Array, moments: Moments, n: int, rounding: float) -> float:
    """Upper bound on the eigenvalues of K on the complement of the basis."""
    N = n - len(theta)
    if N == 0:
        return -np.inf
    tau = moments.trace - float(theta.sum())
    # ||K Q||^2 = ||T||^2 + ||R||^2, since R is orthogonal to Q
    squared = moments.squared_norm - float(theta @ theta) - 2 * float(squares.sum())
    spread = max(squared - tau**2 / N, 0.0) + 2 * rounding * moments.evaluated_norm
    return tau / N + float(np.sqrt((N - 1) / N * spread)) + rounding


def _upper_bounds(theta: Array, squares: Array, beta: float, count: int) -> Array:
    """Return mu_i >= lambda_i for the first ``count`` indices, beta bounding K on the complement from above.

    For mu > beta, lambda_i(diag(theta) + G / (mu - beta)) <= mu implies lambda_i <= mu, G = R'R. Split the Ritz pairs
    after the s-th, s >= i: G <= 2 blockdiag(G_S, G_L), whose norms are at most 2 c_s and 2 t_s, c_s and t_s being the
    sums of |r_j|^2 up to s and beyond. With root(t, g) = ((t + beta) + sqrt((t - beta)^2 + 4 g)) / 2, the larger
    solution of (mu - t)(mu - beta) = g, every

        mu_i = max(root(theta_i, 2 c_s), root(theta_s+1, 2 t_s))

    is a bound, and root(theta_i, c_m) is one without a split. The smallest is of second order in the residuals of the
    pairs that converged, whatever those of the others are.
    """
    if beta == -np.inf:  # the basis spans everything: its Ritz values are the eigenvalues
        return theta[:count].copy()

    def root(t: Array, g: Array) -> Array:
        return ((t + beta) + np.sqrt((t - beta) ** 2 + 4 * g)) / 2

    m = len(theta)
    head = np.cumsum(squares)
    tail = np.maximum(head[-1] - head, 0.0)
    above = root(theta[:count, None], 2 * head[: m - 1])  # (count, m - 1), split after s = 1..m-1
    split = np.maximum(above, root(theta[1:], 2 * tail[:-1]))
    split[np.arange(1, m) < np.arange(1, count + 1)[:, None]] = np.inf  # s >= i
    return np.minimum(root(theta[:count], head[-1]), split.min(axis=1, initial=np.inf))
