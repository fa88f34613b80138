"""Back to input space by a learned map: kernel ridge regression of the table on its scores."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, LinAlgWarning, cho_factor, cho_solve, solve

from ..core.numerics import Array
from ..gram import DenseGram, cross_matmat
from ..kernels import Kernel


@dataclass(frozen=True)
class RidgePreimage:
    """x(z) = mean + sum_i k(z, z_i) dual_i, learned from pairs of scores z_i and rows x_i.

    dual = (K + alpha I)^-1 (X - mean), with K the kernel matrix of the scores (Bakir, Weston and Schoelkopf 2004).
    The mean is left out of the penalty: scores are centred and know nothing of it, so a map without it would pull
    every pre-image towards the origin.
    """

    kernel: Kernel
    scores: Array  # (n, k)
    dual: Array  # (n, d)
    mean: Array  # (d,)

    @classmethod
    def learn(cls, kernel: Kernel, scores: Array, X: Array, alpha: float) -> RidgePreimage:
        """Solve once for all features."""
        kernel.check(scores)
        mean = X.mean(axis=0, dtype=np.float64)
        K = DenseGram.of(kernel, scores).K
        K.flat[:: len(K) + 1] += alpha
        return cls(kernel, scores, _solve(K, X - mean, alpha), mean)

    def __call__(self, scores: Array, n_jobs: int | None = None) -> Array:
        """Return the pre-images of scores, (m, d)."""
        return cross_matmat(self.kernel, scores, self.scores, self.dual, n_jobs=n_jobs) + self.mean


def _solve(K: Array, B: Array, alpha: float) -> Array:
    """Solve K A = B; by Cholesky if K is positive definite, as it is for every positive kernel and alpha > 0."""
    try:
        return cho_solve(cho_factor(K, lower=True, check_finite=False), B, check_finite=False)
    except LinAlgError:
        pass  # an indefinite kernel, or alpha too small
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", LinAlgWarning)  # a solution without a right digit is none
            return solve(K, B, assume_a="sym", check_finite=False)
    except (LinAlgError, LinAlgWarning):
        raise ValueError(
            f"The inverse transform cannot be learned with alpha={alpha:g}: the kernel matrix of the scores is "
            "singular to rounding. Raise alpha (1e-3 is usually small enough)."
        ) from None
