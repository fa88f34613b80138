"""Certificates: residuals and enclosures of eigenvalues from one exact product. Proofs: docs/certificates.md."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..core.numerics import Array
from ..gram import Moments
from .result import Certificate


def certify_subspace(
    theta: Array, squares: Array, outside: float, moments: Moments, k: int, trace_error: float = 0.0
) -> Certificate:
    """Certify the first k of m Ritz pairs of a matrix K.

    theta are the Ritz values of the whole basis Q in decreasing order, squares the squared norms |r_j|^2 of their
    residuals r_j = K v_j - theta_j v_j, both of length m; ``outside`` bounds the eigenvalues of C, which is K on the
    complement of Q (see ``outside.py``).

    - ``lower``: lambda_i >= theta_i (Cauchy interlacing).
    - ``upper``: see ``_upper_bounds``.
    - ``index_proven``: lambda_i itself lies within |r_i| of theta_i, and theta_i above all that lambda_max(C) can be.
    - ``subspace_sine``: ||R_k|| / (theta_k - upper bound of lambda_k+1) (Davis and Kahan 1970).

    Where K stands for a larger matrix, ``trace_error`` loosens all of it, as in ``certify_decomposition``.
    """
    rounding = moments.rounding
    # one more than k, if there is one: the gap below the last component decides the angle
    upper = _upper_bounds(theta, squares, outside, min(k + 1, len(theta)))
    below = upper[k] if len(upper) > k else outside
    gap = float(theta[k - 1] - below) - 2 * rounding - trace_error
    sine = (float(np.sqrt(squares[:k].sum())) + rounding + trace_error) / gap if gap > 0 else 1.0
    residual, remainder = np.sqrt(squares[:k]), float(outside + trace_error)
    return Certificate(
        residual=residual + trace_error,
        lower=theta[:k] - rounding,
        upper=upper[:k] + rounding + trace_error,
        index_proven=(theta[:k] - rounding > remainder) & (upper[:k] <= theta[:k] + residual + rounding),
        remainder=remainder,
        rounding=float(rounding),
        subspace_sine=min(1.0, sine),
    )


def tighter(a: Certificate, b: Certificate) -> Certificate:
    """Return what two certificates of the same pairs prove together; ``remainder`` is that of the second."""
    return replace(
        b,
        lower=np.maximum(a.lower, b.lower),
        upper=np.minimum(a.upper, b.upper),
        index_proven=a.index_proven | b.index_proven,
        subspace_sine=min(a.subspace_sine, b.subspace_sine),
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
    rounding = moments.rounding + float(np.max(residual, initial=0.0))
    return Certificate(
        residual=residual + trace_error,
        lower=values - rounding,
        upper=values + rounding + trace_error,
        index_proven=np.ones(len(values), dtype=bool),
        remainder=float(values[-1] + rounding + trace_error) if 0 < len(values) < n else -np.inf,
        rounding=rounding,
        subspace_sine=1.0,
    )


def _upper_bounds(theta: Array, squares: Array, beta: float, count: int) -> Array:
    """Return mu_i >= lambda_i for the first ``count`` indices, beta bounding K on the complement from above.

    lambda_i is at most the largest eigenvalue of K on the complement of v_1..v_i-1, and that is at most mu > beta if
    diag(theta_i..theta_m) + G / (mu - beta) <= mu, where G = R'R for the residuals i..m. As G <= trace(G),

        mu = root(theta_i, |r_i|^2 + .. + |r_m|^2),    root(t, g) = ((t + beta) + sqrt((t - beta)^2 + 4 g)) / 2,

    is a bound, root being the larger solution of (mu - t)(mu - beta) = g. Splitting the pairs after the s-th, s >= i,
    gives others, since G <= 2 blockdiag(G_i..s, G_s+1..m):

        mu = max(root(theta_i, 2 (|r_i|^2 + .. + |r_s|^2)), root(theta_s+1, 2 (|r_s+1|^2 + .. + |r_m|^2))).

    The smallest is of second order in the residuals of the pairs that converged, whatever those of the others are.
    """
    if beta == -np.inf:  # the basis spans everything: its Ritz values are the eigenvalues
        return theta[:count].copy()

    def root(t: Array, g: Array) -> Array:
        return ((t + beta) + np.sqrt((t - beta) ** 2 + 4 * g)) / 2

    m = len(theta)
    i, s = np.arange(count)[:, None], np.arange(m)
    from_i = np.cumsum(np.where(s >= i, squares, 0.0), axis=1)  # (count, m): |r_i|^2 + .. + |r_s|^2
    beyond = np.cumsum(squares[::-1])[::-1][1:]  # (m - 1,): |r_s+1|^2 + .. + |r_m|^2
    split = np.maximum(root(theta[:count, None], 2 * from_i[:, : m - 1]), root(theta[1:], 2 * beyond))
    split[s[: m - 1] < i] = np.inf
    return np.minimum(root(theta[:count], from_i[:, -1]), split.min(axis=1, initial=np.inf))
