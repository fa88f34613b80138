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
    certificate does not exclude that, the k pairs are kept aside and the same is done in what is orthogonal to them,
    from another random vector, until nothing turns up there that belongs among the k largest.
    """
    exact = at_hand(operator)
    most = max(k, min(plan.capacity, max_iter or plan.capacity))
    nothing = Basis.empty(exact.shape[0])
    basis, moments, converged = _krylov(exact, nothing, k, tolerance, most, rng, progress)
    state = State(passes=basis.size)
    finish = partial(certified, exact, moments=moments, k=k, solver="lanczos", reason=reason)
    result = finish(basis, passes=state.passes, converged=converged)
    if converged and result.certificate.index_proven.all():
        return result
    if converged:
        basis, converged, news = _with_further_copies(exact, basis, k, tolerance, most, max_iter, state, rng, progress)
        if converged and not news:
            return replace(result, passes=state.passes)  # nothing was missed, and no more is proven than before
    if converged or state.passes >= (max_iter or np.inf):
        return finish(basis, passes=state.passes, converged=converged)
    progress.say("the basis is full: on by blocks")
    theta, Y = basis.ritz()
    basis = basis.restarted(theta[: plan.width], Y[:, : plan.width])
    plan = replace(plan, max_passes=max_iter or state.passes + plan.max_passes)
    basis = iterate(exact, basis, k, tolerance, plan, state, progress)
    return finish(basis, passes=state.passes, converged=state.residual <= tolerance)


def at_hand(operator: GramOperator) -> GramOperator:
    """Return the exact operator as one array that was centred once, if it may be; or else as it is.

    A matrix that is somebody else's would have to be copied for that, which takes longer than centring every product.
    """
    exact = operator.exact()
    if not (exact.in_memory and exact.owned):
        return exact
    K, moments = exact.whole()
    return DenseGram(K, moments=moments, trace_error=operator.trace_error)


def _with_further_copies(
    operator: GramOperator,
    basis: Basis,
    k: int,
    tolerance: float,
    most: int,
    max_iter: int | None,
    state: State,
    rng: np.random.Generator,
    progress: Progress,
) -> tuple[Basis, bool, bool]:
    """Return a basis whose k leading pairs nothing beside them exceeds, whether it converged, and whether it is news.

    News is that a larger eigenvalue turned up, or one as large as the k-th, which the certificate wants to know of.
    """
    news = False
    while state.passes < (max_iter or np.inf):
        progress.say("an eigenvalue may have been missed: looking in what is orthogonal to those found")
        theta, Y = basis.ritz()
        kept = basis.restarted(theta[:k], Y[:, :k])
        wanted = min(k + 1, operator.shape[0])  # one more than k: what is found beside them has to converge, too
        basis, _, converged = _krylov(operator, kept, wanted, tolerance, k + most, rng, progress)
        state.passes += basis.size - k
        slack, beside = tolerance * float(np.abs(theta).max()), basis.ritz()[0]
        missed = bool(np.any(beside[:k] > theta[:k] + slack))
        news = news or missed or bool(np.any(beside[k:] > theta[k - 1] - slack))
        if not (converged and missed):
            return basis, converged, news
    return basis, True, True


def _krylov(
    operator: GramOperator,
    kept: Basis,
    k: int,
    tolerance: float,
    most: int,
    rng: np.random.Generator,
    progress: Progress,
) -> tuple[Basis, Moments, bool]:
    """Return a basis with the k leading Ritz pairs to the tolerance, or of ``most`` vectors, and the moments of K.

    ``kept`` are Ritz vectors that are in it from the start; what is new is orthogonal to them.
    """
    n, first = operator.shape[0], kept.size
    most = min(n, most)
    Q, P, T = np.empty((most, n)), np.empty((most, n)), np.zeros((most, most))  # a vector a row; T = Q K Q'
    Q[:first], P[:first], T[:first, :first] = kept.Q.T, kept.P.T, np.diag(kept.ritz()[0])
    Q[first] = _outside(Q[:first], rng)
    product, moments = operator.matmat_with_moments(Q[first : first + 1].T)
    P[first] = product[:, 0]
    size, look, converged = first + 1, max(k, first) + max(_LOOK_EVERY, k // 4), False
    while True:
        j = size - 1
        T[j, j] = Q[j] @ P[j]
        near = slice(max(j - 1, first), size)  # T is tridiagonal: only the last two have a large part in the product
        w = _orthogonalised(P[j] - T[j, near] @ Q[near], Q[:size])
        length = float(np.sqrt(w @ w))
        if size >= look or size == most:
            residual = _largest_residual(T[:size, :size], length, k)
            progress.say(f"after product {size - first}: residual {residual:.1e} of the first eigenvalue")
            converged, look = residual <= _MARGIN * tolerance, size + max(_LOOK_EVERY, size // 4)
        if converged or size == most:
            return Basis(Q[:size].T, P[:size].T), moments, converged
        if length <= 10 * eps(np.float64) * moments.evaluated_norm:  # an invariant subspace: on from outside it
            w, length = _outside(Q[:size], rng), 0.0
        Q[size] = w / (length or 1.0)
        P[size] = operator.matmat(Q[size : size + 1].T)[:, 0]
        T[j, size] = T[size, j] = length
        size += 1


def _outside(Q: Array, rng: np.random.Generator) -> Array:
    """Return a random vector of length one that is orthogonal to the rows of Q."""
    return orthonormal_complement(rng.standard_normal((Q.shape[1], 1)), [Q.T])[:, 0]


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
