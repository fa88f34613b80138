"""The steps of fitting kernel PCA: which kernel, which operator and solver, which components, which inverse."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import clone

from ...choose import median_gamma
from ...core.errors import MemoryLimitError
from ...core.memory import format_bytes
from ...core.numerics import Array, default_tolerance, is_significantly_negative
from ...core.progress import Progress
from ...core.threads import one_blas_thread
from ...core.validation import Table
from ...eigen import DENSE_BYTES, WHOLE_BYTES, Choice, EigenResult, block_plan, choose, solve
from ...gram import CentredGram, CentringMeans, DenseGram, centred_features, centred_gram, centred_matrix
from ...kernels import Definiteness, Kernel, Linear, Precomputed, as_kernel
from ...preimage import RidgePreimage
from .spectrum import Components, select_components, warn_unless_converged

# an indefinite matrix of this size is decomposed whole, so that its negative mass is exact: unasked, where that costs
# next to nothing; where it decides ("raise"), or is done anyway ("dense"), up to a second
_ALL_VALUES_BELOW = 200
_ALL_VALUES_ASKED_BELOW = 2000
_SAMPLE = 500  # rows of a larger matrix that are looked at for negative eigenvalues
_ONE_BLAS_THREAD_BELOW = {"dense": 1000, "block": 20_000, "lanczos": np.inf}  # samples
_ONE_BLAS_THREAD_OTHERWISE = 1500
_LEAST, _MOST = 1e-120, 1e120  # of kernel values: solvers add up squares of sums of them, which must be numbers too


@dataclasses.dataclass(frozen=True)
class SolverRequest:
    """What the user asked of the eigensolver."""

    n_components: int | None
    solver: str
    tolerance: float
    max_iter: int | None
    iterated_power: int | str
    remove_zero: bool
    indefinite: str

    @classmethod
    def of(cls, model: Any) -> SolverRequest:
        """Read the parameters of an estimator."""
        return cls(
            model.n_components,
            model.eigen_solver,
            model.tol,
            model.max_iter,
            model.iterated_power,
            model.remove_zero_eig,
            model.indefinite,
        )


@dataclasses.dataclass(frozen=True)
class Resources:
    """What a fit may use."""

    memory: int
    workers: int
    progress: Progress


@dataclasses.dataclass(frozen=True)
class Fit:
    """All that fitting finds."""

    components: Components
    means: CentringMeans
    result: EigenResult


def resolve_gamma(
    kernel: str | Kernel | Callable[..., float], gamma: float | str | None, X: Table, rng: np.random.Generator
) -> float | None:
    """Return gamma as a number: given, 1 / n_features, or from the median distance; a kernel object's own, if any."""
    if isinstance(kernel, Kernel):
        if gamma is None:
            return getattr(kernel, "gamma", None)
        raise ValueError(
            f"gamma={gamma!r} was given beside the kernel object {kernel!r}, which carries its own parameters. Set it "
            "there (kernel__gamma reaches it), or name the kernel by a string."
        )
    if gamma is None:
        return 1.0 / X.shape[1]
    if isinstance(gamma, str):
        if callable(kernel):
            raise ValueError('gamma="median" is for named kernels; a function takes its keywords from kernel_params.')
        return median_gamma(as_kernel(kernel), X, rng)
    return float(gamma)


def resolve_kernel(model: Any, gamma: float | None) -> Kernel:
    """Return the kernel to fit with, a copy that later changes of parameters do not reach."""
    if isinstance(model.kernel, Kernel):
        return clone(model.kernel)
    return as_kernel(
        model.kernel, gamma=gamma or 0.0, degree=model.degree, coef0=model.coef0, parameters=model.kernel_params
    )


def fit_components(kernel: Kernel, X: Table, request: SolverRequest, use: Resources, rng: np.random.Generator) -> Fit:
    """Find the components: choose a solver, build the operator it wants, solve, and judge the spectrum."""
    n = X.shape[0]
    rank = X.shape[1] if isinstance(kernel, Linear) and not scipy.sparse.issparse(X) else None
    wanted = _wanted(n, rank, kernel, request, use.memory)
    choice = choose(n, wanted, request.solver, memory=use.memory, rank=rank, table=_table_bytes(X, kernel))
    _refuse_beyond_memory(X, kernel, choice, use.memory)
    with _blas_threads(n, choice):
        operator = _operator(kernel, X, wanted, choice, request, use)
        _refuse_beyond_memory(X, kernel, choice, use.memory, operator)
        _refuse_extremes(operator, kernel)
        result = solve(
            operator,
            wanted,
            choice,
            tolerance=request.tolerance,
            max_iter=request.max_iter,
            iterated_power=request.iterated_power,
            rng=rng,
            progress=use.progress,
        )
        unseen = result.negative_mass == 0 and kernel.definiteness < Definiteness.CONDITIONAL
        if unseen and (n > _ALL_VALUES_ASKED_BELOW or request.indefinite == "raise"):
            result = dataclasses.replace(result, negative_mass=_negative_mass_of_sample(kernel, X, rng))
    components = select_components(
        result,
        kernel,
        asked=request.n_components,
        remove_zero=request.remove_zero,
        indefinite=request.indefinite,
    )
    warn_unless_converged(result, request.tolerance or default_tolerance(operator.dtype))
    assert operator.means is not None
    return Fit(components, operator.means, result)


def learn_inverse(
    model: Any, kernel: Kernel, scores: Array, X: Table, memory: int, rng: np.random.Generator
) -> RidgePreimage:
    """Learn the map from scores back to rows of X; its points are dense even where X is sparse."""
    n, d = X.shape
    needed = 8 * (2 * n * n + 3 * n * d)
    if needed > memory:
        raise MemoryLimitError(
            f"The inverse transform of {n} rows of {d} features needs {format_bytes(needed)} to be learned, and the "
            f"memory limit is {format_bytes(memory)}. Set fit_inverse_transform=False, or raise memory_limit."
        )
    ridge_kernel = _inverse_kernel(kernel, model.inverse_gamma, scores, rng)
    return RidgePreimage.learn(ridge_kernel, scores, X.toarray() if scipy.sparse.issparse(X) else X, model.alpha)


def _inverse_kernel(
    fitted: Kernel, inverse_gamma: float | str | None, scores: Array, rng: np.random.Generator
) -> Kernel:
    """Return the kernel of the ridge regression: the fitted one, with a gamma of its own if one is given."""
    try:
        fitted.check(scores)
    except ValueError as error:
        raise ValueError(
            f"The inverse transform cannot be learned with {fitted!r}: it compares rows of scores by the same kernel, "
            "which does not accept them. Set fit_inverse_transform=False, or use a kernel for numbers of either sign."
        ) from error
    if inverse_gamma is None:
        return fitted
    if not hasattr(fitted, "gamma"):
        raise ValueError(
            f"inverse_gamma={inverse_gamma!r} was given, but the kernel {fitted!r} has no gamma. Leave it at None."
        )
    gamma = median_gamma(fitted, scores, rng) if isinstance(inverse_gamma, str) else float(inverse_gamma)
    return dataclasses.replace(fitted, gamma=gamma)  # type: ignore[type-var]


def _wanted(n: int, rank: int | None, kernel: Kernel, request: SolverRequest, memory: int) -> int:
    """How many eigenpairs to solve for."""
    doubtful = kernel.definiteness is Definiteness.INDEFINITE or (
        kernel.definiteness is Definiteness.UNKNOWN and request.indefinite == "raise"
    )
    asked = request.solver == "dense" or request.indefinite == "raise"
    below = _ALL_VALUES_ASKED_BELOW if asked else _ALL_VALUES_BELOW
    affordable = n <= below and DENSE_BYTES * n * n <= memory
    if doubtful and affordable and request.solver in ("auto", "dense"):
        return n
    if request.n_components is not None:
        return min(n, request.n_components)
    if rank is not None and request.solver == "auto":
        return min(n, rank)
    # ARPACK cannot find all; the last of n is zero after centring anyway
    return n - 1 if request.solver == "arpack" else n


def _negative_mass_of_sample(kernel: Kernel, X: Table, rng: np.random.Generator) -> float:
    """Return a lower bound on the sum of the sizes of all negative eigenvalues, by a look at a part of the matrix.

    An iteration towards the largest eigenvalues need not meet a negative one. The centred matrix of some of the rows is
    H K H on a subspace, so that its negative eigenvalues add up to no more (Ky Fan).
    """
    rows = np.sort(rng.choice(X.shape[0], min(_SAMPLE, X.shape[0]), replace=False))
    part = X[rows]
    K = part[:, rows] if isinstance(kernel, Precomputed) else DenseGram.of(kernel, part).K
    values = np.linalg.eigvalsh(CentredGram(DenseGram(np.asarray(K, dtype=np.float64))).whole()[0])
    return -float(values[is_significantly_negative(values)].sum())


def _blas_threads(n: int, choice: Choice) -> AbstractContextManager[None]:
    """Let BLAS have its threads only where it does the heavy work.

    In small matrices they wait for each other longer than they work, and beside our own threads over tiles they get
    in the way.
    """
    below = _ONE_BLAS_THREAD_BELOW.get(choice.solver, _ONE_BLAS_THREAD_OTHERWISE)
    return one_blas_thread() if n <= below else nullcontext()


def _table_bytes(X: Table, kernel: Kernel) -> int:
    """Bytes of the copy that the model keeps and of the rows as products want them, for their left and right sides."""
    return 0 if isinstance(kernel, Precomputed) or scipy.sparse.issparse(X) else 3 * 8 * X.shape[0] * (X.shape[1] + 2)


def _refuse_beyond_memory(
    X: Table, kernel: Kernel, choice: Choice, memory: int, operator: CentredGram | None = None
) -> None:
    """Refuse what could not be held; what tiles need is counted where they are made."""
    n, d = X.shape
    remedy, table = "", _table_bytes(X, kernel)
    if choice.solver == "factor":
        needed, what = 4 * 8 * n * d, f"A table of {n} rows and {d} columns with its singular vectors"
    elif choice.solver == "dense":
        needed, what = DENSE_BYTES * n * n + table, f"The decomposition of the whole matrix of {n} rows"
        remedy = ', or take eigen_solver="block", which makes what does not fit anew in every pass'
    elif operator is not None and operator.in_memory:
        needed, what = WHOLE_BYTES * n * n + table, f"The matrix of {n} rows and its work space"
    else:
        return
    if needed > memory:
        raise MemoryLimitError(
            f"{what} needs {format_bytes(needed)}, and the memory limit is {format_bytes(memory)}. Raise memory_limit"
            f"{remedy}."
        )


def _refuse_extremes(operator: CentredGram, kernel: Kernel) -> None:
    """Refuse kernel values so large or small that floating point loses their squares; a look at a few tells."""
    with np.errstate(over="ignore", invalid="ignore"):
        some = np.append(operator.inner.diagonal(), operator.inner.columns(np.zeros(1, dtype=int)))
    size = float(np.max(np.abs(some)))
    if size != 0 and not _LEAST <= size <= _MOST:
        raise ValueError(
            f"The values of {kernel!r} reach {size:.1e} on this table, and their squares leave the range of floating "
            "point. Scale the table (sklearn.preprocessing.MaxAbsScaler), or the matrix if it is precomputed."
        )


def _operator(kernel: Kernel, X: Table, k: int, choice: Choice, request: SolverRequest, use: Resources) -> CentredGram:
    """Build the operator that the solver wants."""
    n = X.shape[0]
    if choice.solver == "factor":
        return centred_features(X)
    fits = WHOLE_BYTES * n * n + _table_bytes(X, kernel) <= use.memory
    whole = fits and choice.solver in ("dense", "arpack", "randomized", "lanczos")
    vectors = 4 * block_plan(n, k, request.max_iter).capacity
    if isinstance(kernel, Precomputed):
        return centred_matrix(
            X, whole=whole, memory=use.memory, vectors=vectors, n_jobs=use.workers, progress=use.progress
        )
    return centred_gram(
        kernel,
        X,
        whole=whole,
        vectors=vectors,
        memory=use.memory,
        tolerance=request.tolerance or default_tolerance(np.float32),
        n_jobs=use.workers,
        progress=use.progress,
    )
