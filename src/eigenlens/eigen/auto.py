"""Which solver: the one place that says "auto", and why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.errors import MemoryLimitError
from ..core.memory import format_bytes
from ..core.numerics import default_tolerance
from ..core.progress import SILENT, Progress
from ..gram import GramOperator
from .block import BlockPlan, solve_block
from .dense import solve_dense
from .factored import solve_factored
from .lanczos import solve_lanczos
from .other_solvers import solve_arpack, solve_randomized
from .result import EigenResult

SOLVERS = ("auto", "dense", "arpack", "randomized", "lanczos", "block", "factor")

_DENSE_BELOW = 200  # a whole decomposition of this size takes two milliseconds, as long as setting up an iteration
_LANCZOS_BELOW = 2000  # below, K fits a cache or nearly: products with one vector are cheap, and few of them needed
_DENSE_SHARE = 0.05  # share of all components from which a whole decomposition is cheaper than an iteration
WHOLE_BYTES = 2 * 8  # a pair of rows: K in float64, and work space, for an iteration on the whole matrix
DENSE_BYTES = 4 * 8  # a pair of rows: K, its copy, vectors, work space of a whole decomposition


@dataclass(frozen=True)
class Choice:
    """A solver and the reason for it, in words for the user."""

    solver: str
    reason: str


def choose(n: int, k: int, requested: str, *, memory: int, rank: int | None = None, table: int = 0) -> Choice:
    """Choose the solver for the k largest of n eigenpairs; ``rank`` is that of a factor, if the matrix has one.

    ``memory`` is all there is, in bytes, and ``table`` what is taken while the whole matrix is made of its rows.

    >>> choose(10_000, 10, "auto", memory=2**30)
    Choice(solver='block', reason='10 of 10000 components: an iteration finds them in a few passes over the matrix')
    """
    if requested != "auto":
        return Choice(requested, "chosen by the caller")
    whole = DENSE_BYTES * n * n + table
    if rank is not None and rank <= n // 2:
        return Choice("factor", f"the matrix has a factor of rank {rank}: its singular values are the answer")
    if n <= _DENSE_BELOW or (k > _DENSE_SHARE * n and whole <= memory):
        share = f"{n} samples" if n <= _DENSE_BELOW else f"{k} of {n} components"
        return Choice("dense", f"{share}: a whole decomposition is cheaper than an iteration")
    if n <= _LANCZOS_BELOW and k <= _DENSE_SHARE * n and WHOLE_BYTES * n * n + table <= memory:
        return Choice("lanczos", f"{k} of {n} components of a small matrix: one vector at a time is quickest")
    if k == n:
        raise MemoryLimitError(
            f"All {n} components need a decomposition of the whole matrix, {format_bytes(whole)}, but the memory limit "
            f"is {format_bytes(memory)}. Set n_components to the number you need, or raise memory_limit."
        )
    return Choice("block", f"{k} of {n} components: an iteration finds them in a few passes over the matrix")


def _whole_vectors(count: int) -> int:
    """Round up to what the widest vector instructions take at once: the others of them would be zeros."""
    return -(-count // 16) * 16


def block_plan(n: int, k: int, max_iter: int | None) -> BlockPlan:
    """Choose the sizes of a block iteration."""
    width = min(n, _whole_vectors(max(32, k + max(12, k // 2))))
    block = min(width, _whole_vectors(k + 6))
    return BlockPlan(
        width=width,
        block=block,
        capacity=min(n, width + 6 * block),
        landmarks=min(n, max(2 * width, min(n // 8, max(500, min(n // 200, 2000))))),
        max_passes=max_iter or 200,
    )


def solve(
    operator: GramOperator,
    k: int,
    choice: Choice,
    *,
    tolerance: float = 0.0,
    max_iter: int | None = None,
    iterated_power: int | str = "auto",
    rng: np.random.Generator,
    progress: Progress = SILENT,
) -> EigenResult:
    """Return the k largest eigenpairs of the operator by the chosen solver.

    ``tolerance`` is the residual relative to the first eigenvalue; zero means the default of the operator's dtype,
    to ARPACK machine precision, and to the randomised method none.
    """
    progress.say(f"solver: {choice.solver} ({choice.reason})")
    if choice.solver == "dense":
        return solve_dense(operator, k, reason=choice.reason)
    if choice.solver == "factor":
        return solve_factored(operator, k, rng=rng, reason=choice.reason)
    if choice.solver == "arpack":
        return solve_arpack(operator, k, tolerance=tolerance, max_iter=max_iter, rng=rng, reason=choice.reason)
    if choice.solver == "randomized":
        return solve_randomized(
            operator, k, tolerance=tolerance, iterated_power=iterated_power, rng=rng, reason=choice.reason
        )
    tolerance = tolerance or default_tolerance(operator.dtype)
    plan = block_plan(operator.shape[0], k, max_iter)
    if choice.solver == "lanczos":
        return solve_lanczos(
            operator,
            k,
            tolerance=tolerance,
            plan=plan,
            max_iter=max_iter,
            rng=rng,
            reason=choice.reason,
            progress=progress,
        )
    return solve_block(operator, k, tolerance=tolerance, plan=plan, rng=rng, reason=choice.reason, progress=progress)
