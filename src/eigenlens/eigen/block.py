"""Thick-restarted block Krylov with Rayleigh-Ritz over the whole basis, warm-started: the largest eigenpairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.numerics import Array, eps, is_significantly_negative, orthonormal_complement
from ..core.progress import SILENT, Progress
from ..gram import GramOperator, Moments
from .basis import Basis
from .certify import certify_subspace, tighter
from .outside import bound_by_factorisation, bound_by_moments
from .power_step import PowerStep, for_the_exact_pass, rounding_of_sums
from .result import EigenResult
from .start import warm_start

_MARGIN = 0.3  # of the tolerance: a pair that has just reached it is improved on while others are not there yet
_STEP = 8  # vectors that the widest instructions take at once in float64
_FACTORED_BELOW = 2000  # rows; a factorisation takes less time than finding the components did
_FLOAT32_FLOOR = 3e-7  # residual over the first eigenvalue at which a float32 operator has nothing more to say


@dataclass(frozen=True)
class BlockPlan:
    """Sizes of a block Krylov iteration: chosen once, from n and k."""

    width: int  # vectors at the start and kept by a restart
    block: int  # vectors added by a pass
    capacity: int  # most vectors in the basis
    landmarks: int  # rows sampled for the start
    max_passes: int


@dataclass
class State:
    """How an iteration goes."""

    passes: int = 0
    residual: float = np.inf  # largest of the wanted ones, relative to the largest Ritz value
    contraction: float = 1.0  # what the first step left of it


def solve_block(
    operator: GramOperator,
    k: int,
    *,
    tolerance: float,
    plan: BlockPlan,
    rng: np.random.Generator,
    reason: str,
    progress: Progress = SILENT,
) -> EigenResult:
    """Return the k largest eigenpairs to a residual of ``tolerance`` times the first eigenvalue (the largest by size).

    The iteration runs in the operator's own precision; then its leading Ritz vectors, brought a power step nearer, are
    multiplied once by the exact operator. That gives eigenvalues, residuals and everything that the certificate needs.
    Should it show more residual than wanted, the iteration goes on with the exact operator.
    """
    state = State()
    Q = warm_start(operator, plan.width, plan.landmarks, rng)
    exact = operator.exact()
    if exact is not operator:
        P, estimate = operator.matmat_with_moments(Q)
        state.passes = 1
        basis = Basis(Q, P)
        goal = max(tolerance, _FLOAT32_FLOOR, rounding_of_sums(basis.ritz()[0], estimate))
        basis = iterate(operator, basis, k, goal, plan, state, progress, estimate)
        step = PowerStep.outside(basis.ritz()[0], estimate, k, state.contraction)
        Q = for_the_exact_pass(basis, estimate, k, range(plan.block, plan.width + 1, _STEP), step, state.residual)
    P, moments = exact.matmat_with_moments(Q)
    state.passes += 1
    basis = iterate(exact, Basis(Q, P), k, tolerance, plan, state, progress)
    converged = state.residual <= tolerance
    return certified(
        operator, basis, moments, k, passes=state.passes, solver="block", reason=reason, converged=converged
    )


def certified(
    operator: GramOperator,
    basis: Basis,
    moments: Moments,
    k: int,
    *,
    passes: int,
    solver: str,
    reason: str,
    converged: bool = True,
) -> EigenResult:
    """Return the k leading Ritz pairs of an exact basis, with their certificate.

    What lies outside the basis is bounded by the moments; if that proves too little, and a small matrix is at hand,
    what lies outside the k pairs is bounded by a factorisation.
    """
    theta, Y = basis.ritz()
    R, V = basis.residuals(theta, Y), basis.vectors(Y[:, :k])
    n = operator.shape[0]
    squares = np.einsum("ij,ij->j", R, R)
    outside = bound_by_moments(theta, squares, moments, n)
    certificate = certify_subspace(theta, squares, outside, moments, k, operator.trace_error)
    if not certificate.index_proven.all() and operator.in_memory and n <= _FACTORED_BELOW:
        outside = bound_by_factorisation(operator.whole()[0], V, theta[:k], moments)
        if np.isfinite(outside):
            other = certify_subspace(theta[:k], squares[:k], outside, moments, k, operator.trace_error)
            certificate = tighter(certificate, other)
    return EigenResult(
        values=theta[:k],
        vectors=V,
        images=basis.images(Y[:, :k]),
        certificate=certificate,
        trace=moments.trace,
        solver=solver,
        reason=reason,
        passes=passes,
        converged=converged,
        # Ky Fan: no more than the sum over all negative eigenvalues
        negative_mass=-float(theta[is_significantly_negative(theta)].sum()),
    )


def iterate(
    operator: GramOperator,
    basis: Basis,
    k: int,
    tolerance: float,
    plan: BlockPlan,
    state: State,
    progress: Progress,
    before_power_step: Moments | None = None,
) -> Basis:
    """Extend the basis by residuals until the first k are small enough, rounding is reached, or passes run out.

    With the moments ``before_power_step``, it is enough that they are small enough after a power step.
    """
    floor = 1e3 * eps(operator.dtype)  # below it, a residual that no longer halves in a few passes is rounding
    stalls, best = 0, np.inf
    while True:
        theta, Y = basis.ritz()
        R = basis.residuals(theta[: plan.width], Y[:, : plan.width])
        sizes = np.sqrt(np.einsum("ij,ij->j", R, R)) / max(float(np.abs(theta).max()), np.finfo(np.float64).tiny)
        before, state.residual = state.residual, float(sizes[:k].max())
        if state.contraction == 1.0 and np.isfinite(before):
            state.contraction = min(1.0, state.residual / (before or 1.0))
        expected = state.residual
        if before_power_step is not None:
            expected = min(expected, PowerStep.outside(theta, before_power_step, k, state.contraction).leaves(expected))
        progress.say(f"after pass {state.passes}: residual {state.residual:.1e} of the first eigenvalue")
        improved = state.residual < 0.5 * best or state.residual > floor
        stalls, best = (0, state.residual) if improved else (stalls + 1, best)
        if expected <= tolerance or state.passes >= plan.max_passes or stalls >= 4:
            return basis
        W = _new_directions(basis, R, sizes, k, tolerance, plan)
        if W.shape[1] == 0:
            return basis
        if basis.size + W.shape[1] > plan.capacity:
            basis = basis.restarted(theta[: plan.width], Y[:, : plan.width])
        basis.extend(operator, W)
        state.passes += 1


def _new_directions(basis: Basis, R: Array, sizes: Array, k: int, tolerance: float, plan: BlockPlan) -> Array:
    """Return orthonormal directions to add: residuals of wanted pairs that are above tolerance, then of the next.

    What has converged stays out: its residual, small as it is, would take the place of one that still says something.
    """
    room = min(plan.block, len(R) - basis.size)
    wanted = np.flatnonzero(sizes[:k] > _MARGIN * tolerance)
    beyond = k + np.flatnonzero(sizes[k:] > min(tolerance, 1e-14))
    return orthonormal_complement(R[:, np.append(wanted, beyond)[:room]], basis.blocks)
