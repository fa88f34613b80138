"""Profiles of the inner product: linear, polynomial, tanh."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from ..core.numerics import Array, eps
from .base import Definiteness, Invariance, check_number
from .powers import is_whole, raise_to
from .profiles import DotProduct
from .rows import Rows


@dataclass(frozen=True)
class Linear(DotProduct):
    """k(x, y) = <x, y>: kernel PCA with it is PCA.

    >>> Linear()([[1.0, 2.0]], [[3.0, 4.0]]).item()
    11.0
    """

    @property
    def invariance(self) -> Invariance:
        """Centring removes whatever a shift of all rows adds."""
        return Invariance.CENTRED

    @property
    def scale(self) -> float:
        """The inner product itself."""
        return 1.0

    def profile(self, t: Array) -> Array:
        """Return t."""
        return t


@dataclass(frozen=True)
class Polynomial(DotProduct):
    """k(x, y) = (gamma <x, y> + coef0)^degree.

    Positive semidefinite when the degree is a whole number and neither gamma nor coef0 is negative: its features are
    then all monomials of that degree (coef0 = 0) or up to it (coef0 > 0). A degree that is no whole number is refused
    where its base is negative.

    >>> Polynomial.homogeneous(2)([[1.0, 2.0]], [[3.0, 4.0]]).item()
    121.0
    """

    degree: float = 3
    gamma: float = 1.0
    coef0: float = 1.0

    def __post_init__(self) -> None:
        check_number(self, "degree", low=0)
        check_number(self, "gamma")
        check_number(self, "coef0")

    @classmethod
    def homogeneous(cls, degree: int, gamma: float = 1.0) -> Self:
        """(gamma <x, y>)^degree: the monomials of exactly this degree."""
        return cls(degree=degree, gamma=gamma, coef0=0.0)

    @classmethod
    def inhomogeneous(cls, degree: int, coef0: float = 1.0, gamma: float = 1.0) -> Self:
        """(gamma <x, y> + coef0)^degree: the monomials up to this degree."""
        return cls(degree=degree, gamma=gamma, coef0=coef0)

    @property
    def definiteness(self) -> Definiteness:
        """Positive for whole degrees and non-negative coefficients."""
        positive = is_whole(self.degree) and self.gamma >= 0 and self.coef0 >= 0
        return Definiteness.POSITIVE if positive else Definiteness.INDEFINITE

    @property
    def scale(self) -> float:
        """Factor gamma."""
        return float(self.gamma)

    def profile(self, t: Array) -> Array:
        """Return (t + coef0)^degree."""
        t += float(self.coef0)
        return raise_to(t, self.degree, self)


@dataclass(frozen=True)
class Tanh(DotProduct):
    """k(x, y) = tanh(gamma <x, y> + coef0), the sigmoid kernel: not positive semidefinite for any useful parameters.

    Kernel PCA keeps the components whose eigenvalue is positive.
    """

    gamma: float = 1.0
    coef0: float = 1.0

    def __post_init__(self) -> None:
        check_number(self, "gamma")
        check_number(self, "coef0")

    @property
    def definiteness(self) -> Definiteness:
        """Indefinite (Smola, Ovari and Williamson 2001: for no parameters positive in general)."""
        return Definiteness.INDEFINITE

    @property
    def scale(self) -> float:
        """Factor gamma."""
        return float(self.gamma)

    def relative_error(self, rows: Rows) -> float:
        """Return the error of the argument: however large that is, tanh and its derivative are at most one."""
        return eps(np.float64) * abs(self.scale) * float(rows.squared_norms.max(initial=0))

    def profile(self, t: Array) -> Array:
        """Return tanh(t + coef0)."""
        t += float(self.coef0)
        return np.tanh(t, out=t)
