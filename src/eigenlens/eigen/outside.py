"""Upper bounds on the eigenvalues of K on the complement of a basis: by trace and norm, or by a factorisation."""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import ssyrk
from scipy.linalg.lapack import spotrf

from ..core.numerics import Array, rounding_of_products
from ..gram import Moments

_BELOW = 0.9999  # of the smallest Ritz value: where K is tried for being smaller outside


def bound_by_moments(theta: Array, squares: Array, moments: Moments, n: int) -> float:
    """Return a bound from the trace and Frobenius norm of K, whatever the basis.

    theta are the Ritz values of the basis, squares the squared norms of their residuals, both of length m. C = K on the
    complement has trace tau = trace(K) - sum(theta) and squared norm sigma^2 = ||K||^2 - sum(theta^2) - 2 sum |r_j|^2.
    Its N = n - m eigenvalues are therefore at most tau / N + sqrt((N - 1) / N (sigma^2 - tau^2 / N)) (Wolkowicz and
    Styan 1980, doi:10.1016/0024-3795(80)90258-X), which is never more than sigma.
    """
    N = n - len(theta)
    if N == 0:
        return -np.inf
    rounding = rounding_of_products(n, moments.evaluated_norm)
    tau = moments.trace - float(theta.sum())
    # ||K Q||^2 = ||T||^2 + ||R||^2, since R is orthogonal to Q
    squared = moments.squared_norm - float(theta @ theta) - 2 * float(squares.sum())
    spread = max(squared - tau**2 / N, 0.0) + 2 * rounding * moments.evaluated_norm
    return tau / N + float(np.sqrt((N - 1) / N * spread)) + rounding


def bound_by_factorisation(K: Array, V: Array, theta: Array, moments: Moments) -> float:
    """Return mu just below the smallest of the Ritz values theta if K is proven smaller outside V, else infinity.

    x'Kx = x'(K - V diag(theta) V')x wherever V'x = 0, so it is enough that M = mu I - K + V diag(theta) V' is positive
    semidefinite; and it is if it has a Cholesky factor. The factor is sought in float32, twice as fast as in float64:
    what is found is that of M + E, so M is shifted down by a bound on ||E|| first.
    """
    n, mu = len(K), _BELOW * float(theta[-1])
    shift = rounding_of_products(n, np.sqrt(n) * abs(mu) + 2 * moments.squared_norm**0.5, np.float32)
    if not mu > shift:
        return np.inf
    # in units of mu, which float32 holds; both routines look at one triangle alone, and the transpose of a symmetric
    # array in C order is in the order that they want
    M = np.multiply(K, 1 / mu, out=np.empty((n, n), np.float32), casting="same_kind").T
    W = np.asarray(V * np.sqrt(theta / mu), dtype=np.float32, order="F")
    M = ssyrk(1.0, W, beta=-1.0, c=M, lower=1, overwrite_c=1)
    M.flat[:: n + 1] += np.float32(1 - shift / mu)
    _, failed = spotrf(M, lower=1, clean=0, overwrite_a=1)
    return mu if failed == 0 else np.inf
