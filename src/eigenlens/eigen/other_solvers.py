"""ARPACK and the randomised range finder, on any operator: scikit-learn's other two choices, certified as ours are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from ..core.numerics import Array, filled_up, orthonormal_complement
from ..gram import GramOperator
from .basis import Basis
from .block import certified
from .lanczos import at_hand
from .result import EigenResult


def solve_arpack(
    operator: GramOperator,
    k: int,
    *,
    tolerance: float,
    max_iter: int | None,
    rng: np.random.Generator,
    reason: str,
) -> EigenResult:
    """Return the k largest eigenpairs by ARPACK's restarted Lanczos iteration, one vector a pass.

    ``tolerance`` is ARPACK's own; zero is machine precision.
    """
    exact = at_hand(operator)
    n = exact.shape[0]
    if k >= n:
        raise ValueError(
            f'eigen_solver="arpack" finds fewer components than samples, but n_components={k} and there are {n} '
            'samples. Use eigen_solver="dense".'
        )
    converged, start, products = True, rng.uniform(-1, 1, n), 1
    # ARPACK takes eigenvalues far below one for converged: it is given K in units of its own size
    scale = float(np.abs(exact.matmat(start.reshape(n, 1))).max())
    if scale == 0:  # K is zero, which ARPACK refuses: every vector is an eigenvector
        return _finish(exact, rng.standard_normal((n, k)), k, "arpack", reason, products, True)

    def matvec(v: Array) -> Array:
        nonlocal products
        products += 1
        return exact.matmat(v.reshape(n, 1)) / scale

    linear = LinearOperator((n, n), matvec=matvec, dtype=np.float64)
    try:
        V = eigsh(linear, k, which="LA", tol=tolerance, maxiter=max_iter, v0=start)[1]
    except ArpackError as stopped:  # restarts ran out, or no shift was left to restart with
        # keep what it has: the certificate will say how far it got
        converged = False
        found = getattr(stopped, "eigenvectors", np.empty((n, 0)))
        V = np.hstack([found, rng.standard_normal((n, k - found.shape[1]))])
    return _finish(exact, V, k, "arpack", reason, products, converged)


def solve_randomized(
    operator: GramOperator,
    k: int,
    *,
    tolerance: float,
    iterated_power: int | str,
    rng: np.random.Generator,
    reason: str,
) -> EigenResult:
    """Return the k largest eigenpairs by subspace iteration from a random block (Halko, Martinsson and Tropp 2011).

    Unlike scikit-learn's, it selects the algebraically largest of the Ritz values that it finds. Power iterations
    favour what is large in size, though: where negative eigenvalues are larger, it may find fewer positive ones than
    there are. A ``tolerance`` of zero asks for no particular residual.
    """
    exact = operator.exact()
    n = exact.shape[0]
    powers = (7 if k < 0.1 * n else 4) if iterated_power == "auto" else int(iterated_power)
    Q = orthonormal_complement(rng.standard_normal((n, min(n, k + 10))))
    for _ in range(2 * powers + 1):  # a power is a product with K K', as for matrices that are not symmetric
        Q = filled_up(orthonormal_complement(exact.matmat(Q)), min(n, k + 10), rng)
    result = _finish(exact, Q, k, "randomized", reason, 2 * powers + 1, True)
    reached = float(result.certificate.residual.max()) <= tolerance * float(np.abs(result.values).max())
    return replace(result, converged=tolerance == 0 or reached)


def _finish(
    exact: GramOperator,
    V: Array,
    k: int,
    solver: str,
    reason: str,
    products: int,
    converged: bool,
) -> EigenResult:
    """One exact pass over an orthonormal basis gives eigenvalues, residuals and the certificate."""
    Q = filled_up(orthonormal_complement(V), k, np.random.default_rng(0))
    P, moments = exact.matmat_with_moments(Q)
    return certified(
        exact, Basis(Q, P), moments, k, passes=products + 1, solver=solver, reason=reason, converged=converged
    )
