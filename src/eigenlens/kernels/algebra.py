"""Kernels made of kernels: constant, sum, product, scaling, power, normalisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.numerics import Array
from .base import Definiteness, Invariance, Kernel, check_number
from .powers import is_whole, raise_to
from .rows import Pairs, Rows


@dataclass(frozen=True)
class Constant(Kernel):
    """k(x, y) = value; added to a kernel it moves all images by the same amount."""

    value: float = 1.0

    def __post_init__(self) -> None:
        check_number(self, "value")

    @property
    def definiteness(self) -> Definiteness:
        """Positive for a value of at least zero; else conditionally so, since centring removes it."""
        return Definiteness.POSITIVE if self.value >= 0 else Definiteness.CONDITIONAL

    @property
    def invariance(self) -> Invariance:
        """Nothing changes it."""
        return Invariance.EXACT

    @property
    def trusted(self) -> bool:
        """One number everywhere."""
        return True

    def evaluate(self, pairs: Pairs) -> Array:
        """Return the value everywhere."""
        return np.full(pairs.shape, self.value, pairs.a.dtype)

    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Return the value for each row."""
        return np.full(len(rows), float(self.value))


def _check_parts(owner: Kernel, *names: str) -> None:
    for name in names:
        part = getattr(owner, name)
        if not isinstance(part, Kernel):
            raise TypeError(
                f"{type(owner).__name__}({name}={part!r}): {name} must be a kernel object, such as RBF(gamma=0.5); "
                "as_kernel makes one from a name or a function."
            )


class _OfTwo(Kernel):
    """What a sum and a product share."""

    left: Kernel
    right: Kernel

    def __post_init__(self) -> None:
        _check_parts(self, "left", "right")

    @property
    def trusted(self) -> bool:
        """As trusted as both parts."""
        return self.left.trusted and self.right.trusted

    def check(self, X: Any) -> None:
        """Ask both parts."""
        self.left.check(X)
        self.right.check(X)


@dataclass(frozen=True)
class Sum(_OfTwo):
    """k(x, y) = left(x, y) + right(x, y): the images side by side."""

    left: Kernel
    right: Kernel

    @property
    def definiteness(self) -> Definiteness:
        """As definite as the weaker part."""
        return min(self.left.definiteness, self.right.definiteness)

    @property
    def invariance(self) -> Invariance:
        """As invariant as the weaker part."""
        return min(self.left.invariance, self.right.invariance)

    def evaluate(self, pairs: Pairs) -> Array:
        """Return the sum of both blocks."""
        block = self.left.evaluate(pairs)
        block += self.right.evaluate(pairs)
        return block

    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Return the sum of both diagonals."""
        return self.left.evaluate_diagonal(rows) + self.right.evaluate_diagonal(rows)


@dataclass(frozen=True)
class Product(_OfTwo):
    """k(x, y) = left(x, y) right(x, y): positive semidefinite with both parts (Schur's product theorem)."""

    left: Kernel
    right: Kernel

    @property
    def definiteness(self) -> Definiteness:
        """Positive if both parts are; nothing is known otherwise."""
        both = self.left.definiteness == self.right.definiteness == Definiteness.POSITIVE
        return Definiteness.POSITIVE if both else Definiteness.UNKNOWN

    @property
    def invariance(self) -> Invariance:
        """Unchanged by a shift only if both parts are."""
        both = self.left.invariance == self.right.invariance == Invariance.EXACT
        return Invariance.EXACT if both else Invariance.NONE

    def relative_error(self, rows: Rows) -> float:
        """Return the sum of both parts' errors."""
        return self.left.relative_error(rows) + self.right.relative_error(rows)

    def evaluate(self, pairs: Pairs) -> Array:
        """Return the product of both blocks."""
        block = self.left.evaluate(pairs)
        block *= self.right.evaluate(pairs)
        return block

    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Return the product of both diagonals."""
        return self.left.evaluate_diagonal(rows) * self.right.evaluate_diagonal(rows)


class _OfOne(Kernel):
    """What kernels made of one other kernel share."""

    kernel: Kernel

    def __post_init__(self) -> None:
        _check_parts(self, "kernel")

    @property
    def trusted(self) -> bool:
        """As trusted as the inner kernel."""
        return self.kernel.trusted

    def check(self, X: Any) -> None:
        """Ask the inner kernel."""
        self.kernel.check(X)


@dataclass(frozen=True)
class Scaled(_OfOne):
    """k(x, y) = factor kernel(x, y)."""

    kernel: Kernel
    factor: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self, "factor")

    @property
    def definiteness(self) -> Definiteness:
        """That of the inner kernel, unless the factor turns it over."""
        return self.kernel.definiteness if self.factor >= 0 else Definiteness.INDEFINITE

    @property
    def invariance(self) -> Invariance:
        """That of the inner kernel."""
        return self.kernel.invariance

    def evaluate(self, pairs: Pairs) -> Array:
        """Return the scaled block."""
        block = self.kernel.evaluate(pairs)
        block *= float(self.factor)
        return block

    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Return the scaled diagonal."""
        return self.kernel.evaluate_diagonal(rows) * float(self.factor)


@dataclass(frozen=True)
class Power(_OfOne):
    """k(x, y) = kernel(x, y)^exponent: positive semidefinite for whole exponents of a positive kernel."""

    kernel: Kernel
    exponent: float = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self, "exponent", low=0)

    @property
    def definiteness(self) -> Definiteness:
        """Positive for whole exponents of a positive kernel; nothing is known otherwise."""
        positive = is_whole(self.exponent) and self.kernel.definiteness is Definiteness.POSITIVE
        return Definiteness.POSITIVE if positive else Definiteness.UNKNOWN

    @property
    def invariance(self) -> Invariance:
        """Unchanged by a shift only if the inner kernel is."""
        return Invariance.EXACT if self.kernel.invariance is Invariance.EXACT else Invariance.NONE

    def relative_error(self, rows: Rows) -> float:
        """Return the inner kernel's error as often as it is multiplied."""
        return float(self.exponent) * self.kernel.relative_error(rows)

    def evaluate(self, pairs: Pairs) -> Array:
        """Return the power of the block."""
        return raise_to(self.kernel.evaluate(pairs), self.exponent, self)

    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Return the power of the diagonal."""
        return raise_to(self.kernel.evaluate_diagonal(rows), self.exponent, self)


@dataclass(frozen=True)
class Normalised(_OfOne):
    """k(x, y) = kernel(x, y) / sqrt(kernel(x, x) kernel(y, y)): every image gets length one.

    Rows whose image is zero keep similarity zero. The inner kernel must not be negative on the diagonal.
    """

    kernel: Kernel

    @property
    def definiteness(self) -> Definiteness:
        """Positive if the inner kernel is; scaling rows and columns undoes conditional positivity."""
        positive = self.kernel.definiteness is Definiteness.POSITIVE
        return Definiteness.POSITIVE if positive else Definiteness.UNKNOWN

    @property
    def invariance(self) -> Invariance:
        """Unchanged by a shift only if the inner kernel is."""
        return Invariance.EXACT if self.kernel.invariance is Invariance.EXACT else Invariance.NONE

    def evaluate(self, pairs: Pairs) -> Array:
        """Return the block over the lengths of the images."""
        block = self.kernel.evaluate(pairs)
        block *= self._inverse_lengths(pairs.a)[:, None]
        block *= self._inverse_lengths(pairs.b)
        return block

    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Return one, or zero where the image is zero."""
        return (self._inverse_lengths(rows) > 0).astype(np.float64)

    def _inverse_lengths(self, rows: Rows) -> Array:
        squared = np.asarray(self.kernel.evaluate_diagonal(rows), dtype=rows.dtype)
        if np.min(squared, initial=0) < 0:
            raise ValueError(
                f"{self.kernel!r} is negative on the diagonal ({float(squared.min()):g}), so its images have no length "
                "to normalise by; normalise a positive kernel."
            )
        return np.divide(1, np.sqrt(squared), out=np.zeros_like(squared), where=squared > 0)
