"""Which kernels the compiled engine knows, and what it has to be told of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

import numpy as np

from ..core.numerics import products_suffice
from ..kernels import RBF, Cosine, Kernel, Laplacian, Linear, Matern, Polynomial, RationalQuadratic, Scaled, Tanh


class Pairing(IntEnum):
    """How two rows become one number s; the order is that of native/engine.h."""

    INNER_PRODUCT = 0
    SQUARED_DIFFERENCE = 1
    CITY_BLOCK = 2


class Profile(IntEnum):
    """What is done with t; the order is that of native/engine.h."""

    IDENTITY = 0
    EXPONENTIAL = 1
    MATERN3 = 2
    MATERN5 = 3
    RATIONAL_QUADRATIC = 4
    WHOLE_POWER = 5
    TANH = 6


@dataclass(frozen=True)
class Recipe:
    """k(x, y) = factor profile(scale s + constant), s being the pairing of two rows.

    A squared difference may be taken as |x|^2 + |y|^2 - 2 <x, y> where that keeps enough digits: a matrix product.
    """

    pairing: Pairing
    profile: Profile
    scale: float = 1.0
    constant: float = 0.0
    exponent: float = 0.0
    factor: float = 1.0
    at_zero: float = math.nan  # the profile at a distance of zero, where distances are taken by products
    unit_rows: bool = False  # rows are divided by their norms first
    by_products: bool = True  # squared differences may be taken by products

    def operations(self, features: int) -> int:
        """Operations that the pairing of two rows takes, in which a profile or a product with a vector is little."""
        return features * (1 + int(self.pairing))

    def form(self, squared_norms: float, dtype: np.dtype) -> Form:
        """Decide how distances are taken in a dtype, for tables whose largest squared norms add up to this."""
        may_be = self.by_products and self.pairing is Pairing.SQUARED_DIFFERENCE
        by_products = may_be and products_suffice(self.scale, squared_norms, dtype)
        scale = self.scale
        if self.profile is Profile.EXPONENTIAL:
            scale /= math.log(2)  # powers of two take less work than those of e
        largest = float(np.finfo(dtype).max)  # beyond it a scale would be infinite, and NaN times a distance of zero
        return Form(
            pairing=Pairing.INNER_PRODUCT if by_products else self.pairing,
            profile=self.profile,
            multiplier=min(max(-2 * scale if by_products else scale, -largest), largest),
            exponent=self.exponent,
            factor=self.factor,
            diagonal=self.at_zero * self.factor if by_products else math.nan,
            norm_weight=scale if by_products else 0.0,
            constant=self.constant / 2,
        )


@dataclass(frozen=True)
class Form:
    """What one sweep is told: k = factor profile(multiplier s + u_i + u_j), u = norm_weight |x|^2 + constant."""

    pairing: Pairing
    profile: Profile
    multiplier: float
    exponent: float
    factor: float
    diagonal: float
    norm_weight: float
    constant: float

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The part of it that the compiled functions take."""
        return (int(self.pairing), int(self.profile), self.multiplier, self.exponent, self.factor, self.diagonal)


def recipe_for(kernel: Kernel) -> Recipe | None:
    """Return how the engine makes a kernel's values, or None where only the kernel's own code can.

    Classes are looked up themselves, not what they inherit from: a subclass may have changed the formula.
    """
    if type(kernel) is Scaled:
        inner = recipe_for(kernel.kernel)
        return None if inner is None else replace(inner, factor=inner.factor * float(kernel.factor))
    make = _RECIPES.get(type(kernel))
    return None if make is None else make(kernel)


def _radial(kernel: Any, profile: Profile, exponent: float = 0.0) -> Recipe | None:
    if kernel.scale == 0:
        return None  # constant, even where a distance is infinite
    return Recipe(Pairing.SQUARED_DIFFERENCE, profile, scale=float(kernel.scale), exponent=exponent, at_zero=1.0)


def _laplacian(kernel: Laplacian) -> Recipe | None:
    if kernel.gamma == 0:
        return None
    return Recipe(Pairing.CITY_BLOCK, Profile.EXPONENTIAL, scale=-float(kernel.gamma))


def _polynomial(kernel: Polynomial) -> Recipe | None:
    degree = float(kernel.degree)
    if not degree.is_integer() or degree >= 2**31:
        return None  # a fractional power of a negative number is refused with a text of the kernel's own
    return Recipe(Pairing.INNER_PRODUCT, Profile.WHOLE_POWER, float(kernel.gamma), float(kernel.coef0), exponent=degree)


_RECIPES: dict[type, Callable[[Any], Recipe | None]] = {
    RBF: lambda kernel: _radial(kernel, Profile.EXPONENTIAL),
    Matern: lambda kernel: _radial(kernel, Profile.MATERN3 if kernel.nu == 1.5 else Profile.MATERN5),
    RationalQuadratic: lambda kernel: _radial(kernel, Profile.RATIONAL_QUADRATIC, float(kernel.alpha)),
    Laplacian: _laplacian,
    Linear: lambda kernel: Recipe(Pairing.INNER_PRODUCT, Profile.IDENTITY),
    Polynomial: _polynomial,
    Tanh: lambda kernel: Recipe(Pairing.INNER_PRODUCT, Profile.TANH, float(kernel.gamma), float(kernel.coef0)),
    Cosine: lambda kernel: Recipe(Pairing.INNER_PRODUCT, Profile.IDENTITY, unit_rows=True),
}
