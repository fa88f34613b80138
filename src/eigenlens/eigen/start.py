"""Where an iteration starts: leading vectors of a small sample of the matrix, and a few random ones."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from ..core.numerics import Array, filled_up, orthonormal_complement
from ..gram import GramOperator

_PART = 200  # rows of a sample that are decomposed whole, in two milliseconds
_RANDOM = 4  # a direction that the sample misses can only appear if the start is not orthogonal to it


def warm_start(operator: GramOperator, width: int, landmarks: int, rng: np.random.Generator) -> Array:
    """Return at least ``width`` orthonormal vectors (or n), most of them near the leading eigenvectors.

    The eigenvectors U of the sampled square, W U = U diag(s), extended to all rows as C U (Nystroem; Williams and
    Seeger 2001), where C are the sampled columns; the last few columns are random.
    """
    n = operator.shape[0]
    landmarks = min(n, landmarks)
    chosen = np.sort(rng.choice(n, landmarks, replace=False))
    leading = min(landmarks, max(width - _RANDOM, 1))
    extended = operator.extend(chosen, _leading_vectors(operator.sample(chosen), leading, rng))
    random = rng.standard_normal((n, min(_RANDOM, n)))
    # what the sample found, if it did, is scaled to the size of the others, so that neither part is taken for rounding
    extended /= float(np.abs(extended).max(initial=0.0)) or 1.0
    return filled_up(orthonormal_complement(np.hstack([extended, random])), width, rng)


def _leading_vectors(W: Array, count: int, rng: np.random.Generator) -> Array:
    """Return the leading eigenvectors of a sampled square; of a large one to the few digits that a start is good for.

    Those of a part of the sample, extended to all of it, then two products with it.
    """
    m = len(W)
    part = np.sort(rng.choice(m, max(_PART, 2 * count), replace=False)) if m > 2 * max(_PART, 2 * count) else None
    S = W if part is None else W[np.ix_(part, part)]
    U = eigh((S + S.T) / 2, subset_by_index=(len(S) - count, len(S) - 1), check_finite=False)[1]
    if part is None:
        return U
    Q = orthonormal_complement(W[:, part] @ U)
    for _ in range(2):
        Q = orthonormal_complement(W @ Q)
    return Q
