"""Contracts of kernels."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable

import numpy as np
import scipy.sparse
from sklearn.base import clone

from .. import kernels
from ..core.numerics import Array, subtract_column_means
from ..kernels import Definiteness, Invariance, Kernel, Pairs, Rows
from .comparing import expect_same, fail

# Relative to the largest entry of a block. Rounding of a few dozen float64 operations stays below 1e-13, and what a
# formula gets wrong shows well above 1e-8; kernels with long sums may ask for more.
TOLERANCE = 1e-10
# The same for blocks evaluated in float32: a thousand times its eps.
TOLERANCE_32 = 1e-4


def check_kernel(
    kernel: Kernel,
    *,
    dimensions: Iterable[int] = (1, 2, 5),
    sample: Callable[[int], Array] | None = None,
    tolerance: float = TOLERANCE,
) -> None:
    """Run every kernel contract on samples of several dimensions; raise AssertionError for the first that is broken.

    ``sample`` makes a table of at least 12 rows from a number of features; give one where the kernel does not accept
    every row (``lambda d: np.abs(normal_sample(d))`` for histograms). ``KERNEL_CHECKS`` are the single contracts.
    """
    for dimension in dimensions:
        X = (sample or normal_sample)(dimension)
        for check in KERNEL_CHECKS:
            check(kernel, X, tolerance)


def check_symmetry(kernel: Kernel, X: Array, tolerance: float = TOLERANCE) -> None:
    """k(x, y) = k(y, x)."""
    block = kernel(X, X.copy())  # a second table: for one alone the block is mirrored, and would pass always
    expect_same(kernel, block, block.T, "k(x, y) must equal k(y, x)", tolerance)
    expect_same(kernel, kernel(X), block, "kernel(X) must equal kernel(X, Y) for equal tables X and Y", tolerance)


def check_diagonal(kernel: Kernel, X: Array, tolerance: float = TOLERANCE) -> None:
    """The diagonal is that of the block."""
    block = np.diagonal(kernel(X, X.copy()))
    expect_same(kernel, kernel.diag(X), block, "evaluate_diagonal must be the diagonal of the block", tolerance)


def check_parts(kernel: Kernel, X: Array, tolerance: float = TOLERANCE) -> None:
    """A block of some rows is that part of the whole block: no value depends on the other rows."""
    whole, some = kernel(X, X.copy()), np.array([11, 2, 8])
    contract = "a block of some rows must be that part of the whole block"
    expect_same(kernel, kernel(X[4:9], X[7:]), whole[4:9, 7:], contract, tolerance)
    expect_same(kernel, kernel(X[:1]), whole[:1, :1], contract, tolerance)
    rows = Rows(X)
    expect_same(kernel, kernel.evaluate(Pairs(rows[4:9], rows[some])), whole[4:9, some], contract, tolerance)


def check_definiteness(kernel: Kernel, X: Array, tolerance: float = TOLERANCE) -> None:
    """The smallest eigenvalue is not negative beyond rounding, if the kernel declares so; after centring, if that."""
    if kernel.definiteness <= Definiteness.UNKNOWN:
        return
    K = kernel(X) if kernel.definiteness is Definiteness.POSITIVE else _centred(kernel(X))
    values = np.linalg.eigvalsh(K)
    if values[0] < -tolerance * np.abs(values).max():
        found = f"a matrix of it has the eigenvalue {values[0]:g} beside the largest, {values[-1]:g}"
        fail(kernel, f"definiteness is declared {kernel.definiteness.name}, but {found}")


def check_invariance(kernel: Kernel, X: Array, tolerance: float = TOLERANCE) -> None:
    """What the kernel declares that a shift of all rows leaves alone, it leaves alone."""
    if kernel.invariance is Invariance.NONE:
        return
    shift = np.linspace(2, 3, X.shape[1])
    # evaluated directly: kernel(X) relies on the declaration, and subtracts the mean first
    before, after = (kernel.evaluate(Pairs(rows, rows)) for rows in (Rows(X), Rows(X + shift)))
    if kernel.invariance is Invariance.CENTRED:
        before, after = _centred(before), _centred(after)
    declared = f"invariance is declared {kernel.invariance.name}"
    expect_same(kernel, after, before, f"{declared}, so a shift of all rows must change nothing", tolerance)


def check_float32(kernel: Kernel, X: Array, tolerance: float = TOLERANCE) -> None:
    """float32 comes back as float32, near what float64 gives; inside an engine too."""
    narrow = X.astype(np.float32)
    wide, rows = kernel(narrow.astype(np.float64)), Rows(narrow, np.float32)
    for block, how in ((kernel(narrow), "kernel(X)"), (kernel.evaluate(Pairs(rows, rows)), "evaluate")):
        expect_same(kernel, block, wide, f"{how} in float32 must agree with float64", max(tolerance, TOLERANCE_32))
        if block.dtype != np.float32:
            fail(kernel, f"{how} must return float32 for float32 rows, not {block.dtype}")


def check_sparse(kernel: Kernel, X: Array, tolerance: float = TOLERANCE) -> None:
    """A sparse table gives the block of the dense one, beside a dense one too, or is refused with a TypeError."""
    table = scipy.sparse.csr_matrix(X)
    try:
        block = kernel(table)
    except TypeError:
        return
    expect_same(kernel, block, kernel(X), "a sparse table must give the block of the dense one", tolerance)
    expect_same(
        kernel, kernel.diag(table), kernel.diag(X), "a sparse table must give the dense one's diagonal", tolerance
    )
    for first, second in ((table, X), (X, table)):
        expect_same(kernel, kernel(first, second), block, "a sparse and a dense table must go together", tolerance)


def check_overwriting(kernel: Kernel, X: Array, tolerance: float = TOLERANCE) -> None:
    """What evaluate returns belongs to the caller: writing on it changes no later block, and no table."""
    before, rows, scratch = X.copy(), Rows(X), np.empty(len(X) ** 2)
    expected = kernel.evaluate(Pairs(rows, rows)).copy()
    for buffer in (None, None, scratch, scratch):
        block = kernel.evaluate(Pairs(rows, rows, scratch=buffer))
        expect_same(kernel, block, expected, "a block must not depend on earlier blocks", tolerance)
        if not block.flags.writeable:
            fail(kernel, "evaluate must return memory that the caller may write on")
        block.fill(np.nan)
    if not np.array_equal(X, before):
        fail(kernel, "evaluating must not write on the table")


def check_parameters(kernel: Kernel, X: Array, tolerance: float = TOLERANCE) -> None:
    """Parameters are read, set and cloned the scikit-learn way, and an unknown one is refused."""
    if clone(kernel) != kernel or type(kernel)(**kernel.get_params(deep=False)) != kernel:
        fail(kernel, "a kernel made from get_params() must equal the first")
    if clone(kernel).set_params(**kernel.get_params()) != kernel:
        fail(kernel, "set_params(**get_params()) must change nothing")
    try:
        clone(kernel).set_params(no_such_parameter=1)
    except ValueError:
        return
    fail(kernel, "set_params must refuse a parameter that does not exist, with a ValueError")


def check_immutable(kernel: Kernel, X: Array, tolerance: float = TOLERANCE) -> None:
    """No parameter can be assigned to; evaluating changes none."""
    before = kernel.get_params()
    kernel(X)
    if kernel.get_params() != before:
        fail(kernel, "evaluating must not change a parameter")
    for name, value in kernel.get_params(deep=False).items():
        try:
            setattr(kernel, name, value)
        except AttributeError:
            continue
        fail(kernel, f"assigning to {name} must be refused: make the class a frozen dataclass")


def check_copies(kernel: Kernel, X: Array, tolerance: float = TOLERANCE) -> None:
    """A pickled kernel comes back equal, and so does its repr where the parameters are plain."""
    if pickle.loads(pickle.dumps(kernel)) != kernel:
        fail(kernel, "a kernel that was pickled must come back equal")
    values = kernel.get_params().values()
    plain = all(isinstance(value, Kernel | str | int | float | np.generic | None) for value in values)
    names = vars(kernels) | {type(value).__name__: type(value) for value in (kernel, *values)} | {"np": np}
    if plain and eval(repr(kernel), names) != kernel:
        fail(kernel, "repr must be the expression that makes an equal kernel")


# fmt: off
KERNEL_CHECKS: tuple[Callable[..., None], ...] = (
    check_overwriting, check_symmetry, check_diagonal, check_parts, check_definiteness, check_invariance,
    check_float32, check_sparse, check_parameters, check_immutable, check_copies,
)
# fmt: on


def normal_sample(dimension: int) -> Array:
    """Return 26 rows of standard normal numbers, of which one is a row of zeros and two are equal."""
    X = np.random.default_rng(dimension).standard_normal((26, dimension))
    X[3] = 0
    X[17] = X[8]
    return X


def _centred(K: Array) -> Array:
    return subtract_column_means(subtract_column_means(K).T).T
