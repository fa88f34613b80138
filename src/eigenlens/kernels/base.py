"""What a kernel is: a similarity k(x, y) with parameters and algebra."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from enum import IntEnum
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse
from sklearn.utils import check_array

from ..core.errors import KernelBlockError
from ..core.numerics import Array
from ..core.parameters import number
from ..core.validation import refuse_non_finite
from .rows import Pairs, Rows

_FEW_ROWS = 65  # whose median tells where a table is


class Definiteness(IntEnum):
    """What is known of every matrix of k(xi, xj); ordered, so that a sum is as definite as its weakest part."""

    INDEFINITE = 0  # known not to be positive
    UNKNOWN = 1  # nobody said; taken for positive until its eigenvalues show otherwise
    CONDITIONAL = 2  # v'Kv >= 0 whenever the entries of v sum to zero: centring makes it positive
    POSITIVE = 3


class Invariance(IntEnum):
    """What a common shift of all rows changes; ordered like Definiteness."""

    NONE = 0
    CENTRED = 1  # the kernel matrix changes, the centred one does not
    EXACT = 2  # nothing


class Kernel(ABC):
    """A similarity k(x, y): an immutable value with parameters, blocks and algebra.

    A subclass is a frozen dataclass whose fields are its parameters. It gives ``evaluate`` (a block from ``Pairs``)
    and ``evaluate_diagonal``, and may declare ``definiteness`` and ``invariance``. ``kernel(X, Y)`` is the block of
    k(xi, yj); kernels add, multiply, scale and take powers.

    >>> from eigenlens.kernels import RBF, Linear
    >>> kernel = 0.5 * RBF(gamma=2.0) + Linear() ** 2
    >>> kernel([[0.0, 1.0], [1.0, 1.0]]).round(4).tolist()
    [[1.5, 1.0677], [1.0677, 4.5]]
    """

    # NumPy numbers leave arithmetic with a kernel to the kernel, or 2 * k and np.float64(2) * k would differ
    __array_ufunc__: ClassVar[None] = None

    @property
    def definiteness(self) -> Definiteness:
        """What is known of this kernel's matrices for rows it accepts."""
        return Definiteness.POSITIVE

    @property
    def invariance(self) -> Invariance:
        """What a common shift of all rows changes."""
        return Invariance.NONE

    @property
    def trusted(self) -> bool:
        """Whether blocks come from this package, so that symmetry need not be checked at run time."""
        return False

    @abstractmethod
    def evaluate(self, pairs: Pairs) -> Array:
        """Return the block of shape ``pairs.shape``; the caller may overwrite it."""

    @abstractmethod
    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Return k(x, x) of each row."""

    def relative_error(self, rows: Rows) -> float:
        """Return the relative error of a block of these rows beyond a few eps; that of the worst part it is made of."""
        fields = [getattr(self, field.name) for field in dataclasses.fields(self)]  # type: ignore[arg-type]
        return max((part.relative_error(rows) for part in fields if isinstance(part, Kernel)), default=0.0)

    def check(self, X: Any) -> None:  # noqa: B027  most kernels accept every row
        """Raise ValueError if the kernel is not defined on some row of X; naming the row and the remedy."""

    def __call__(self, X: Any, Y: Any = None) -> Array:
        """Return the block of all k(xi, yj); Y is X when left out, and the block is then exactly symmetric."""
        X = check_rows(self, X)
        Y = X if Y is None else check_rows(self, Y)
        if X.shape[1] != Y.shape[1]:
            raise ValueError(f"X has {X.shape[1]} features and Y has {Y.shape[1]}: a kernel compares rows of one kind.")
        self.check(X)
        if Y is not X:
            self.check(Y)
        shift = shift_for(self, X) if self.invariance is Invariance.EXACT else None
        dtype = np.result_type(X.dtype, Y.dtype)
        a = Rows(X, np.float64, shift)
        b = a if Y is X else Rows(Y, np.float64, shift)
        with np.errstate(over="ignore", invalid="ignore"):  # what they would warn of is refused below, by its place
            block = self.evaluate(Pairs(a, b, same=Y is X)).astype(dtype, copy=False)
        if Y is X:
            _mirror(block)
        finite = np.isfinite(block)
        if not finite.all():
            i, j = np.argwhere(~finite)[0]
            raise KernelBlockError(
                f"{self!r} is {block[i, j]} for rows {i} and {j}: scale the table "
                "(sklearn.preprocessing.StandardScaler) or choose parameters that keep values finite."
            )
        return block

    def diag(self, X: Any) -> Array:
        """Return k(x, x) of each row of X."""
        X = check_rows(self, X)
        self.check(X)
        return self.evaluate_diagonal(Rows(X)).astype(X.dtype, copy=False)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; with ``deep`` also those of the kernels this one is made of."""
        parameters: dict[str, Any] = {}
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            parameters[field.name] = value
            if deep and isinstance(value, Kernel):
                parameters |= {f"{field.name}__{name}": inner for name, inner in value.get_params().items()}
        return parameters

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters in place and return self: scikit-learn's protocol, which works on its own clones.

        This is the one exception to a kernel being immutable; elsewhere use ``dataclasses.replace``. Estimators keep
        a copy of the kernel they were fitted with, so a change here never reaches a fitted model. Only this object
        changes, and only if all is well: a kernel it is made of may be part of another, so it is replaced instead.
        """
        changed = _with_parameters(self, parameters)
        for name in _parameter_names(self):
            object.__setattr__(self, name, getattr(changed, name))
        return self

    def __add__(self, other: Kernel | float) -> Kernel:
        from .algebra import Constant, Sum

        return Sum(self, other if isinstance(other, Kernel) else Constant(other))

    __radd__ = __add__

    def __mul__(self, other: Kernel | float) -> Kernel:
        from .algebra import Product, Scaled

        return Product(self, other) if isinstance(other, Kernel) else Scaled(self, other)

    __rmul__ = __mul__

    def __pow__(self, exponent: float) -> Kernel:
        from .algebra import Power

        return Power(self, exponent)

    def normalised(self) -> Kernel:
        """Return k(x, y) / sqrt(k(x, x) k(y, y)): every image gets length one."""
        from .algebra import Normalised

        return Normalised(self)


def _parameter_names(kernel: Kernel) -> list[str]:
    return [field.name for field in dataclasses.fields(kernel)]  # type: ignore[arg-type]


def _with_parameters(kernel: Kernel, parameters: dict[str, Any]) -> Kernel:
    """Return a changed copy; ``part__name`` reaches into the kernels that this one is made of."""
    known = _parameter_names(kernel)
    changes: dict[str, Any] = {}
    inner: dict[str, dict[str, Any]] = {}
    for key, value in parameters.items():
        name, reaches_in, rest = key.partition("__")
        if name not in known or (reaches_in and not isinstance(getattr(kernel, name), Kernel)):
            raise ValueError(f"{type(kernel).__name__} has no parameter {key!r}; it has {', '.join(known) or 'none'}.")
        if reaches_in:
            inner.setdefault(name, {})[rest] = value
        else:
            changes[name] = value
    for name, nested in inner.items():
        changes[name] = _with_parameters(changes.get(name, getattr(kernel, name)), nested)
    return dataclasses.replace(kernel, **changes)  # type: ignore[type-var]


def shift_for(kernel: Kernel, X: Any) -> Array | None:
    """Return where the rows of X are, if subtracting that leaves the centred kernel matrix as it is, or else None.

    Squared distances by matrix products lose accuracy like eps |x|^2: on data far from the origin that is everything.
    It is the mean; but a row far out draws the mean away from all others, which would then lose as many digits to the
    subtraction. Where it is a thousand times as far from the median (of a few rows) as most rows are, it is the median.
    A sparse table is left alone, since subtracting would fill it.
    """
    if kernel.invariance is Invariance.NONE or scipy.sparse.issparse(X) or X.shape[0] == 0:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        mean: Array = X.mean(axis=0, dtype=np.float64)
        sample = np.asarray(X[:: -(-X.shape[0] // _FEW_ROWS)], dtype=np.float64)
        median = np.sort(sample, axis=0)[len(sample) // 2]
        usual = np.sort(np.abs(sample - median).max(axis=1, initial=0.0))[len(sample) // 2]
        drawn = not np.abs(mean - median).max(initial=0.0) <= 1e3 * usual
    return median if drawn and usual > 0 else mean


def check_number(owner: Any, name: str, *, low: float = -np.inf, strict: bool = False) -> None:
    """Raise unless the parameter is a finite number above ``low`` (``strict``) or at least ``low``."""
    refuse_bad_number(type(owner).__name__, name, getattr(owner, name), low=low, strict=strict)


def refuse_bad_number(owner: str, name: str, value: Any, *, low: float = -np.inf, strict: bool = False) -> None:
    """Raise unless the value is a finite real number (True and False are none) above or at least ``low``."""
    if not number(low)(value) or (strict and value == low):
        bound = "" if low == -np.inf else f" {'above' if strict else 'of at least'} {low:g}"
        raise ValueError(f"{owner}({name}={value!r}): {name} must be a finite number{bound}.")


def check_rows(kernel: Kernel, X: Any, *, accept_sparse: bool = True) -> Any:
    """Return X as a float32 or float64 array, or CSR matrix, of finite numbers."""
    accepted = "csr" if accept_sparse else False
    X = check_array(X, accept_sparse=accepted, dtype=[np.float64, np.float32], ensure_all_finite=False)
    refuse_non_finite(X, type(kernel).__name__)
    return X


def _mirror(block: Array) -> None:
    """Copy the lower triangle over the upper one, in place, a strip that fits the cache at a time."""
    for start in range(0, len(block), 256):
        strip = slice(start, start + 256)
        block[:start, strip] = block[strip, :start].T
        corner = block[strip, strip]
        corner[...] = np.tril(corner) + np.tril(corner, -1).T
