"""What a kernel is: a similarity k(x, y) with parameters and algebra."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from enum import IntEnum
from typing import Any, Self

import numpy as np
import scipy.sparse
from sklearn.utils import check_array

from ..core.numerics import Array
from .rows import Pairs, Rows


class Definiteness(IntEnum):
    """What is known of every matrix of k(xi, xj); ordered, so that a sum is as definite as its weakest part."""

    INDEFINITE = 0
    CONDITIONAL = 1  # v'Kv >= 0 whenever the entries of v sum to zero: centring makes it positive
    POSITIVE = 2


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

    def check(self, X: Any) -> None:  # noqa: B027  most kernels accept every row
        """Raise ValueError if the kernel is not defined on some row of X; naming the row and the remedy."""

    def __call__(self, X: Any, Y: Any = None) -> Array:
        """Return the block of all k(xi, yj); Y is X when left out, and the block is then exactly symmetric."""
        X = _table(X)
        Y = X if Y is None else _table(Y)
        if X.shape[1] != Y.shape[1]:
            raise ValueError(f"X has {X.shape[1]} features and Y has {Y.shape[1]}: a kernel compares rows of one kind.")
        self.check(X)
        self.check(Y)
        shift = shift_for(self, X) if self.invariance is Invariance.EXACT else None
        dtype = np.result_type(X.dtype, Y.dtype)
        a = Rows(X, np.float64, shift)
        b = a if Y is X else Rows(Y, np.float64, shift)
        block = self.evaluate(Pairs(a, b, same=Y is X))
        if Y is X:
            lower = np.tril_indices(len(a), -1)
            block.T[lower] = block[lower]
        return block.astype(dtype, copy=False)

    def diag(self, X: Any) -> Array:
        """Return k(x, x) of each row of X."""
        X = _table(X)
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
        a copy of the kernel they were fitted with, so a change here never reaches a fitted model.
        """
        known = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]
        for key, value in parameters.items():
            name, nested, rest = key.partition("__")
            if name not in known:
                raise ValueError(
                    f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(known) or 'none'}."
                )
            if nested:
                getattr(self, name).set_params(**{rest: value})
            else:
                object.__setattr__(self, name, value)
        check_parameters = getattr(self, "__post_init__", None)
        if check_parameters is not None:
            check_parameters()
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


def shift_for(kernel: Kernel, X: Any) -> Array | None:
    """Return the mean of X where subtracting it leaves the centred kernel matrix as it is, or else None.

    Squared distances by matrix products lose accuracy like eps |x|^2: on data far from the origin that is everything.
    A sparse table is left alone, since subtracting would fill it.
    """
    if kernel.invariance is Invariance.NONE or scipy.sparse.issparse(X):
        return None
    return X.mean(axis=0, dtype=np.float64)


def check_number(owner: Any, name: str, *, low: float = -np.inf, strict: bool = False) -> None:
    """Raise unless the parameter is a finite number above ``low`` (``strict``) or at least ``low``."""
    value = getattr(owner, name)
    try:
        good = np.isfinite(value) and (value > low if strict else value >= low)
    except TypeError:
        good = False
    if not good or isinstance(value, bool | np.bool_):
        bound = "" if low == -np.inf else f" {'above' if strict else 'of at least'} {low:g}"
        raise ValueError(f"{type(owner).__name__}({name}={value!r}): {name} must be a finite number{bound}.")


def _table(X: Any) -> Any:
    return check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32])
