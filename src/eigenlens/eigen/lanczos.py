"""Lanczos with every vector kept: the largest eigenpairs of a matrix at hand, one product with one vector at a time."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from ..core.numerics import Array, eps, orthonormal_complement
from ..core.progress import SILENT, Progress
from ..gram import DenseGram, GramOperator, Moments
from .basis import Basis
from .block import BlockPlan, State, certified, iterate
from .result import EigenResult

_MARGIN = 0.01  # of the tolerance: convergence is so fast at its end that two more digits cost a few products
_LOOK_EVERY = 5  # products between two looks at the Ritz values, and later a fourth of those already made


def solve_lanczos(
    operator: GramOperator,
    k: int,
    *,
    tolerance: float,
    plan: BlockPlan,
    max_iter: int | None,
    rng: np.random.Generator,
    reason: str,
    progress: Progress = SILENT,
) -> EigenResult:
    """Return the k largest eigenpairs to a residual of ``tolerance`` times the first eigenvalue (the largest by size).

    Rayleigh-Ritz over span(q, Kq, K^2 q, ..), fully reorthogonalised (Paige 1972; Parlett 1998, chapter 13). It takes
    the fewest products of all, and the whole basis, far larger than k, goes into the certificate.

    One start vector finds one vector of every eigenspace, so a repeated eigenvalue may be counted once. Where the
    certificate does not exclude that, or the basis is full, the iteration goes on by blocks, from a random one.
    """
    exact = at_hand(operator)
    most = max(k, min(plan.capacity, max_iter or plan.capacity))
    basis, moments, converged = _krylov(exact, k, tolerance, most, rng, progress)
    finish = partial(certified, exact, moments=moments, k=k, solver="lanczos", reason=reason)
    result = finish(basis, passes=basis.size, converged=converged)
    if (converged and result.certificate.index_proven.all()) or (max_iter is not None and basis.size >= max_iter):
        return result
    progress.say("an eigenvalue may have been missed: on from a random block")
    bar = result.values[-1] - tolerance * np.abs(result.values).max()
    seen = np.sum(basis.ritz()[0] >= bar)
    state = State(passes=basis.size)
    basis = _with_random_block(exact, basis, plan, state, rng)
    plan = replace(plan, max_passes=max_iter or state.passes + plan.max_passes)
    # one more than k: a second vector of the last one's eigenspace is then among those that have to converge
    basis = iterate(exact, basis, min(k + 1, basis.size), tolerance, plan, state, rng, progress)
    if converged and np.sum(basis.ritz()[0] >= bar) == seen == k:
        return replace(result, passes=state.passes)  # nothing was missed, and no more is proven than before
    return finish(basis, passes=state.passes, converged=state.residual <= tolerance)


def at_hand(operator: GramOperator) -> GramOperator:
    """Return the exact operator as one array, if it is held as one: centred once, and not in every product."""
    exact = operator.exact()
    if not exact.in_memory:
        return exact
    K, moments = exact.whole()
    return DenseGram(K, moments=moments, trace_error=operator.trace_error)


def _with_random_block(
    operator: GramOperator, basis: Basis, plan: BlockPlan, state: State, rng: np.random.Generator
) -> Basis:
    """Return the leading Ritz vectors and a random block beside them."""
    theta, Y = basis.ritz()
    basis = basis.restarted(theta[: plan.width], Y[:, : plan.width])
    more = orthonormal_complement(rng.standard_normal((len(basis.Q), plan.block)), basis.Q)
    if more.shape[1]:
        basis.extend(operator, more)
        state.passes += 1
    return basis


def _krylov(
    operator: GramOperator, k: int, tolerance: float, most: int, rng: np.random.Generator, progress: Progress
) -> tuple[Basis, Moments, bool]:
    """Return a basis with the k leading Ritz pairs to the tolerance, or of ``most`` vectors, and the moments of K."""
    n = operator.shape[0]
    Q, P, T = np.empty((most, n)), np.empty((most, n)), np.zeros((most, most))  # a vector a row; T = Q K Q'
    Q[0] = orthonormal_complement(rng.standard_normal((n, 1)))[:, 0]
    product, moments = operator.matmat_with_moments(Q[:1].T)
    P[0] = product[:, 0]
    size, look, converged = 1, k + max(_LOOK_EVERY, k // 4), False
    while True:
        j = size - 1
        T[j, j] = Q[j] @ P[j]
        near = slice(max(j - 1, 0), size)  # T is tridiagonal: only the last two have a large part in the product
        w = _orthogonalised(P[j] - T[j, near] @ Q[near], Q[:size])
        length = float(np.sqrt(w @ w))
        if size >= look or size == most:
            residual = _largest_residual(T[:size, :size], length, k)
            progress.say(f"after product {size}: residual {residual:.1e} of the first eigenvalue")
            converged, look = residual <= _MARGIN * tolerance, size + max(_LOOK_EVERY, size // 4)
        if converged or size == most:
            return Basis(Q[:size].T, P[:size].T), moments, converged
        if length <= 10 * eps(np.float64) * moments.evaluated_norm:  # an invariant subspace: on from outside it
            w, length = orthonormal_complement(rng.standard_normal((n, 1)), Q[:size].T)[:, 0], 0.0
        Q[size] = w / (length or 1.0)
        P[size] = operator.matmat(Q[size : size + 1].T)[:, 0]
        T[j, size] = T[size, j] = length
        size += 1


def _orthogonalised(w: Array, Q: Array) -> Array:
    """Return w less its part in the rows of Q: again if that was a large part, for then rounding is left of it."""
    for _ in range(2):
        c = Q @ w
        w = w - c @ Q
        if c @ c <= 1e-2 * (w @ w):
            break
    return w


def _largest_residual(T: Array, length: float, k: int) -> float:
    """Return the largest of the k leading residuals over the first eigenvalue: |length y_m| for eigenvectors y of T."""
    theta, Y = np.linalg.eigh(T)
    return length * float(np.abs(Y[-1, -k:]).max()) / max(float(np.abs(theta).max()), np.finfo(np.float64).tiny)
