"""Kernels that are a profile of one number a pair: squared distance (radial) or inner product.

A kernel of either kind is one small class: the scale of the number, and the profile applied to a whole block of them.
Every engine that can make blocks of distances or inner products accelerates all of them at once.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from ..core.numerics import Array
from .base import Invariance, Kernel
from .rows import Pairs, Rows


class Radial(Kernel):
    """k(x, y) = profile(scale |x - y|^2): unchanged when all rows are shifted together."""

    @property
    def invariance(self) -> Invariance:
        """A shift of all rows changes nothing."""
        return Invariance.EXACT

    @property
    def trusted(self) -> bool:
        """A profile of a symmetric block is symmetric."""
        return True

    @property
    @abstractmethod
    def scale(self) -> float:
        """Factor of the squared distance, folded into the matrix product that makes the block."""

    @abstractmethod
    def profile(self, t: Array) -> Array:
        """Apply the profile to a block of t = scale |x - y|^2, which may be overwritten."""

    def distance(self, pairs: Pairs) -> Array:
        """Return the block of |x - y|^2, the distance whose median is a sensible width."""
        return pairs.squared_distance()

    def relative_error(self, rows: Rows) -> float:
        """Return the error of the squared distance, for a profile that is nowhere steeper than it is high."""
        return Pairs(rows, rows).distance_error(self.scale)

    def evaluate(self, pairs: Pairs) -> Array:
        """Return the block of profile(scale |x - y|^2)."""
        return self.profile(pairs.squared_distance(self.scale))

    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Return profile(0) for each row."""
        return self.profile(np.zeros(len(rows)))


class DotProduct(Kernel):
    """k(x, y) = profile(scale <x, y>)."""

    @property
    def trusted(self) -> bool:
        """A profile of a symmetric block is symmetric."""
        return True

    @property
    @abstractmethod
    def scale(self) -> float:
        """Factor of the inner product, folded into the matrix product that makes the block."""

    @abstractmethod
    def profile(self, t: Array) -> Array:
        """Apply the profile to a block of t = scale <x, y>, which may be overwritten."""

    def evaluate(self, pairs: Pairs) -> Array:
        """Return the block of profile(scale <x, y>)."""
        return self.profile(pairs.inner(self.scale))

    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Return profile(scale |x|^2) for each row."""
        return self.profile(rows.squared_norms * float(self.scale))
