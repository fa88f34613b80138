"""The width of a kernel from the data: the median heuristic."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels import Kernel, Pairs, Rows, shift_for

_SAMPLE = 1000  # rows looked at: the median of half a million distances is off by about a hundredth at most


def median_gamma(kernel: Kernel, X: Any, rng: np.random.Generator) -> float:
    """Return gamma = 1 / (2 median D) for a kernel of gamma D, D being its distance of two different rows of X.

    For exp(-gamma |x - y|^2) the median distance is then the standard deviation sigma of the Gaussian (Garreau,
    Jitkrittum and Kanagawa 2018, arXiv:1707.07269). The median is over all pairs, or those of a sample of 1,000 rows.

    >>> import numpy as np
    >>> from eigenlens.kernels import RBF
    >>> median_gamma(RBF(), np.array([[0.0], [2.0]]), np.random.default_rng(0))
    0.125
    """
    if not hasattr(kernel, "distance"):
        raise ValueError(
            f'gamma="median" is for kernels of a distance (rbf, laplacian, chi2, matern), and {kernel!r} is not one. '
            "Give gamma as a number."
        )
    kernel.check(X)
    n = X.shape[0]
    if n > _SAMPLE:
        X = X[np.sort(rng.choice(n, _SAMPLE, replace=False))]
    rows = Rows(X, np.float64, shift_for(kernel, X))
    block = kernel.distance(Pairs(rows, rows, same=True))
    distances = block[np.triu_indices(len(rows), 1)]
    # where most pairs are equal rows, the median of the others is the width that shows something
    differing = distances[distances > 1e-12 * distances.max(initial=0.0)]
    if differing.size == 0:
        raise ValueError('gamma="median" needs rows that differ, and all rows are equal. Give gamma as a number.')
    median = float(np.median(distances))
    return 0.5 / (median if median >= differing.min() else float(np.median(differing)))
