"""ARPACK and the randomised range finder, on any operator: scikit-learn's other two choices, certified as ours are."""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from ..core.numerics import Array, orthonormal_complement
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
    """Return the k largest eigenpairs by ARPACK's restarted Lanczos iteration, one vector a pass."""
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
    except ArpackNoConvergence as stopped:
        # keep what it has: the certificate will say how far it got
        converged = False
        V = np.hstack([stopped.eigenvectors, rng.standard_normal((n, k - stopped.eigenvectors.shape[1]))])
    return _finish(exact, V, k, "arpack", reason, products, converged)


def solve_randomized(
    operator: GramOperator, k: int, *, iterated_power: int | str, rng: np.random.Generator, reason: str
) -> EigenResult:
    """Return the k largest eigenpairs by subspace iteration from a random block (Halko, Martinsson and Tropp 2011).

    Unlike scikit-learn's, it selects the algebraically largest Ritz values, so that an indefinite matrix gives the
    same components as every other solver.
    """
    exact = operator.exact()
    n = exact.shape[0]
    powers = (7 if k < 0.1 * n else 4) if iterated_power == "auto" else int(iterated_power)
    Q = orthonormal_complement(rng.standard_normal((n, min(n, k + 10))))
    for _ in range(powers):
        Q = _filled(orthonormal_complement(exact.matmat(Q)), min(n, k + 10), rng)
    return _finish(exact, Q, k, "randomized", reason, powers, True)


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
    Q = _filled(orthonormal_complement(V), k, np.random.default_rng(0))
    P, moments = exact.matmat_with_moments(Q)
    return certified(
        exact, Basis(Q, P), moments, k, passes=products + 1, solver=solver, reason=reason, converged=converged
    )


def _filled(Q: Array, width: int, rng: np.random.Generator) -> Array:
    """Add random directions where a rank-deficient matrix left fewer than ``width``."""
    missing = width - Q.shape[1]
    if missing <= 0:
        return Q
    return np.hstack([Q, orthonormal_complement(rng.standard_normal((len(Q), missing)), Q)])
