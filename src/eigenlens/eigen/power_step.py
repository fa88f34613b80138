"""A power step for nothing: K V is at hand when an iteration ends, and is nearer the eigenvectors than V is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..core.numerics import Array, eps, orthonormal_complement
from ..gram import Moments
from .basis import Basis
from .outside import bound_by_moments

_SUMS = 10.0  # eps that rounding of a float32 sum comes to, relative to its terms: measured for kernels far from zero
# what a step left in trials, of well spread spectra and of flat ones: at most 1.4 sigma / theta_k, and at most 2.1
# times what the first step of the iteration had left
_OF_SIGMA, _OF_FIRST = 1.5, 2.2


@dataclass(frozen=True)
class PowerStep:
    """A product with K - sigma, and what it leaves of the k-th residual.

    Outside the Ritz vectors K has eigenvalues mu whose sum and sum of squares the moments tell. What a Ritz vector has
    of their eigenvectors shrinks by (mu - sigma) / (theta_k - sigma), least on the whole where sigma is their mean
    weighted by themselves, sum mu^2 / sum mu. The first step of a block Krylov iteration does about as much, since it
    finds the best sigma for each vector.
    """

    shift: float
    factor: float
    rounding: float  # what float32 adds, relative to the first eigenvalue

    @classmethod
    def outside(cls, theta: Array, moments: Moments, k: int, contraction: float) -> PowerStep:
        """Find the step for what is outside these Ritz values; ``contraction`` is what the first step had left."""
        left, squares = moments.trace - float(theta.sum()), moments.squared_norm - float(theta @ theta)
        last = float(theta[k - 1])
        # what is outside an indefinite matrix has no such mean, and a step towards it would make things worse
        if not (left > 0 and squares > 0 and _OF_SIGMA * squares < last * left):
            return cls(0.0, 1.0, np.inf)
        sigma = squares / left
        rounding = rounding_of_sums(theta, moments)
        return cls(sigma, min(_OF_SIGMA * sigma / last, _OF_FIRST * contraction), rounding)

    def leaves(self, residual: float) -> float:
        """Return what becomes of a residual, relative to the first eigenvalue."""
        return max(self.factor * residual, self.rounding)


def rounding_of_sums(theta: Array, moments: Moments) -> float:
    """Return about how large rounding in float32 makes a residual, relative to the largest Ritz value."""
    largest = float(np.abs(theta).max()) or 1.0
    return _SUMS * eps(np.float32) * moments.evaluated_norm / float(np.sqrt(len(moments.row_sums))) / largest


def for_the_exact_pass(
    basis: Basis, moments: Moments, k: int, sizes: Iterable[int], step: PowerStep, residual: float
) -> Array:
    """Return orthonormal vectors nearer the leading eigenvectors than the Ritz vectors are, one of ``sizes`` of them.

    Where rounding would add more than the step takes away, they are the Ritz vectors themselves.
    """
    theta, Y = basis.ritz()
    Y = Y[:, : _worth_proving_with(theta, moments, k, list(sizes))]
    V = basis.vectors(Y)
    if step.leaves(residual) >= residual:
        return V
    nearer = orthonormal_complement(basis.images(Y) - step.shift * V)
    return nearer if nearer.shape == V.shape else V


def _worth_proving_with(theta: Array, moments: Moments, k: int, sizes: list[int]) -> int:
    """Return how many Ritz vectors the exact pass should have: fewer take less time, more leave less outside.

    As few as will do to prove the place of the k-th, by what the moments say now; all, where none will: they still
    tighten the bounds.
    """
    n, nothing = len(moments.row_sums), np.zeros(1)  # residuals are small by now, and play no part outside
    for m in sizes:
        if bound_by_moments(theta[:m], nothing, moments, n) < theta[k - 1]:
            return m
    return sizes[-1]
