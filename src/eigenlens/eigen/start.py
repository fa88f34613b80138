"""Where an iteration starts: leading vectors of a small sample of the matrix, and a few random ones."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from ..core.numerics import Array, filled_up, orthonormal_complement
from ..gram import GramOperator

_RANDOM = 4  # a direction that the sample misses can only appear if the start is not orthogonal to it


def warm_start(operator: GramOperator, width: int, landmarks: int, rng: np.random.Generator) -> Array:
    """Return at least ``width`` orthonormal vectors (or n), most of them near the leading eigenvectors.

    The eigenvectors U of the sampled square, W U = U diag(s), extended to all rows as C U (Nystroem; Williams and
    Seeger 2001), where C are the sampled columns; the last few columns are random.
    """
    n = operator.shape[0]
    landmarks = min(n, landmarks)
    chosen = np.sort(rng.choice(n, landmarks, replace=False))
    C = operator.approximate_columns(chosen)
    W = np.asarray(C[chosen], dtype=np.float64)
    leading = min(landmarks, max(width - _RANDOM, 1))
    U = eigh((W + W.T) / 2, subset_by_index=(landmarks - leading, landmarks - 1), check_finite=False)[1]
    extended = np.asarray(C @ U.astype(C.dtype), dtype=np.float64)
    random = rng.standard_normal((n, min(_RANDOM, n)))
    # what the sample found, if it did, is scaled to the size of the others, so that neither part is taken for rounding
    extended /= float(np.abs(extended).max(initial=0.0)) or 1.0
    return filled_up(orthonormal_complement(np.hstack([extended, random])), width, rng)
