"""Profiles of the squared distance: Gaussian, Matern, rational quadratic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from ..core.numerics import Array
from .base import check_number, refuse_bad_number
from .profiles import Radial
from .rows import Rows


@dataclass(frozen=True)
class RBF(Radial):
    """k(x, y) = exp(-gamma |x - y|^2), the Gaussian kernel.

    gamma is the only convention in the code; the others that the literature uses are constructors.

    >>> RBF.from_denominator(4.0) == RBF.from_width(2.0) == RBF(gamma=0.25)
    True
    >>> RBF.from_sigma(2.0)
    RBF(gamma=0.125)
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        check_number(self, "gamma", low=0)

    @classmethod
    def from_gamma(cls, gamma: float) -> Self:
        """exp(-gamma |x - y|^2): scikit-learn, LIBSVM."""
        return cls(gamma=gamma)

    @classmethod
    def from_denominator(cls, c: float) -> Self:
        """exp(-|x - y|^2 / c): Schoelkopf, Smola and Mueller 1998; Mika et al. 1999."""
        return cls(gamma=1.0 / _width("c", c))

    @classmethod
    def from_width(cls, c: float) -> Self:
        """exp(-|x - y|^2 / c^2)."""
        c = _width("c", c)
        return cls(gamma=1.0 / c / c)

    @classmethod
    def from_sigma(cls, sigma: float) -> Self:
        """exp(-|x - y|^2 / (2 sigma^2)): sigma is the standard deviation of the Gaussian, a GP's length scale."""
        sigma = _width("sigma", sigma)
        return cls(gamma=0.5 / sigma / sigma)

    @property
    def scale(self) -> float:
        """The sign is folded in too, which spares a pass over the block."""
        return -float(self.gamma)

    def profile(self, t: Array) -> Array:
        """Return exp(t), t = -gamma |x - y|^2."""
        return np.exp(t, out=t)


@dataclass(frozen=True)
class Matern(Radial):
    """k(x, y) = p(r) exp(-r), r = sqrt(2 nu) |x - y| / length_scale; p = 1 + r (nu = 3/2), 1 + r + r^2/3 (nu = 5/2).

    Its functions are once (3/2) or twice (5/2) differentiable, between Laplace's and Gauss's. Rasmussen and Williams
    2006, equation 4.17.

    >>> Matern(nu=1.5)([[0.0]], [[1.0]]).round(6).item()
    0.483358
    """

    length_scale: float = 1.0
    nu: float = 1.5

    def __post_init__(self) -> None:
        check_number(self, "length_scale", low=0, strict=True)
        if self.nu not in (1.5, 2.5):
            raise ValueError(f"Matern(nu={self.nu!r}): nu must be 1.5 or 2.5, the two with a short closed form.")

    @property
    def scale(self) -> float:
        """Factor 2 nu / length_scale^2, so that t = r^2."""
        length = float(self.length_scale)
        return 2.0 * float(self.nu) / length / length

    def profile(self, t: Array) -> Array:
        """Return the polynomial in r times exp(-r), r = sqrt(t)."""
        # rounding may leave t below zero; beyond r = 1000 the exponential is zero, and r^2 must not overflow
        r = np.sqrt(np.clip(t, 0, 1e6, out=t), out=t)
        polynomial = 1 + r if self.nu == 1.5 else 1 + r + r * r / 3
        polynomial *= np.exp(np.negative(r, out=r), out=r)
        return polynomial


@dataclass(frozen=True)
class RationalQuadratic(Radial):
    """k(x, y) = (1 + |x - y|^2 / (2 alpha length_scale^2))^-alpha: a mixture of Gaussian kernels of many widths.

    alpha -> infinity gives ``RBF.from_sigma(length_scale)``. Rasmussen and Williams 2006, equation 4.19.

    >>> RationalQuadratic(alpha=1.0)([[0.0]], [[2.0]]).round(6).item()
    0.333333
    """

    length_scale: float = 1.0
    alpha: float = 1.0

    def __post_init__(self) -> None:
        check_number(self, "length_scale", low=0, strict=True)
        check_number(self, "alpha", low=0, strict=True)

    @property
    def scale(self) -> float:
        """Factor 1 / (2 alpha length_scale^2)."""
        length = float(self.length_scale)
        return 0.5 / float(self.alpha) / length / length

    def relative_error(self, rows: Rows) -> float:
        """Return the distance's error times alpha, if that is more than one: the profile is as much steeper."""
        return max(1.0, float(self.alpha)) * super().relative_error(rows)

    def profile(self, t: Array) -> Array:
        """Return (1 + t)^-alpha."""
        np.log1p(t, out=t)  # t > -1: rounding may leave it below zero, but not by much
        t *= -float(self.alpha)
        return np.exp(t, out=t)


def _width(name: str, value: float) -> float:
    refuse_bad_number("RBF", name, value, low=0, strict=True)
    return float(value)
