"""Low-rank Gram matrices F F' <= K by landmarks, each with the trace that they leave out."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import scipy.sparse
from scipy.linalg import cholesky, eigh, solve_triangular
from sklearn.cluster import MiniBatchKMeans

from ..core.numerics import Array, Indices, eps, zero_cut
from ..core.parameters import integer
from ..kernels import Definiteness, Kernel, Rows, shift_for
from .cross import cross_block
from .factored import FactoredGram


def nystroem(
    kernel: Kernel,
    X: Any,
    n_landmarks: int,
    *,
    landmarks: Literal["uniform", "kmeans"] = "uniform",
    rng: np.random.Generator,
    n_jobs: int | None = None,
) -> FactoredGram:
    """Return F F' = C W^+ C', with C = k(X, L), W = k(L, L) for m landmarks L (Williams and Seeger 2001).

    F F' is the Gram matrix of the images projected onto the span of the landmarks' images, so K - F F' is positive
    semidefinite and ``trace_error`` bounds its norm. Landmarks are rows drawn uniformly, or k-means centres (Zhang,
    Tsang and Kwok 2008), which need not be rows.

    >>> import numpy as np
    >>> from eigenlens.kernels import RBF
    >>> X = np.random.default_rng(0).standard_normal((50, 2))
    >>> gram = nystroem(RBF(gamma=0.1), X, 25, rng=np.random.default_rng(0))
    >>> bool(0 <= gram.trace_error < 0.1)
    True
    """
    _refuse_indefinite(kernel)
    _refuse_no_landmarks(n_landmarks)
    if landmarks not in ("uniform", "kmeans"):
        raise ValueError(f'landmarks={landmarks!r} is not known: there are "uniform" and "kmeans".')
    n, shift = X.shape[0], shift_for(kernel, X)
    m = min(n_landmarks, n)
    if landmarks == "kmeans":
        seed = int(rng.integers(2**31 - 1))
        L = MiniBatchKMeans(m, n_init=1, random_state=seed).fit(X).cluster_centers_
        L = scipy.sparse.csr_matrix(L) if scipy.sparse.issparse(X) else L
        chosen: Indices | None = None
    else:
        chosen = np.sort(rng.choice(n, m, replace=False))
        L = X[chosen]
    C, W = (cross_block(kernel, rows, L, shift=shift, n_jobs=n_jobs) for rows in (X, L))
    s, U = eigh((W + W.T) / 2)
    kept = s > zero_cut(m) * s[-1]
    to_features = U[:, kept] / np.sqrt(s[kept])
    F = C @ to_features
    trace = float(_diagonal(kernel, X, shift).sum())
    rounding = n * eps(np.float64) * trace  # a trace error is proven only down to the rounding of the trace itself
    return FactoredGram(
        F,
        lambda Y: cross_block(kernel, Y, L, shift=shift, n_jobs=n_jobs) @ to_features,
        trace_error=max(trace - float(np.vdot(F, F)), 0.0) + rounding,
        landmarks=chosen,
    )


def randomly_pivoted_cholesky(
    kernel: Kernel,
    X: Any,
    n_landmarks: int,
    *,
    block: int = 64,
    tolerance: float = 0.0,
    rng: np.random.Generator,
    n_jobs: int | None = None,
) -> FactoredGram:
    """Return a partial Cholesky factor F F' of K whose pivots are drawn in proportion to what is left of the diagonal.

    Blocks of pivots at a time (Chen, Epperly, Tropp and Webber 2025, doi:10.1002/cpa.22234, algorithm 4): K - F F' is
    positive semidefinite, its trace is known exactly, and in expectation near that of the best approximation of the
    rank. Stops at ``n_landmarks`` or when the trace left is ``tolerance`` of the whole.
    """
    _refuse_indefinite(kernel)
    _refuse_no_landmarks(n_landmarks)
    n, shift = X.shape[0], shift_for(kernel, X)
    diagonal = _diagonal(kernel, X, shift)
    rank, rounding = 0, n * eps(np.float64) * float(diagonal.sum())
    # what is left may be no more than the rounding of what was there: a shift of that size keeps it positive, and only
    # makes F F' smaller
    ridge = 4 * n * eps(np.float64) * float(diagonal.max())
    F = np.empty((n, min(n_landmarks, n)))
    triangle = np.zeros((F.shape[1], F.shape[1]))  # k(X, pivots) = F triangle'
    pivots: Indices = np.empty(0, dtype=np.intp)
    left, weights = diagonal.copy(), diagonal.copy()
    while rank < F.shape[1] and weights.sum() > max(tolerance * diagonal.sum(), n * ridge):
        new = np.unique(rng.choice(n, min(block, F.shape[1] - rank), p=weights / weights.sum()))
        part = slice(rank, rank + len(new))
        G = cross_block(kernel, X, X[new], shift=shift, n_jobs=n_jobs) - F[:, :rank] @ F[new, :rank].T
        core = (G[new] + G[new].T) / 2
        core.flat[:: len(new) + 1] += ridge
        triangle[part, part] = cholesky(core, lower=True)
        triangle[part, :rank] = F[new, :rank]
        F[:, part] = solve_triangular(triangle[part, part], G.T, lower=True).T
        left = np.maximum(left - np.square(F[:, part]).sum(axis=1), 0.0)
        pivots, rank = np.concatenate([pivots, new]), part.stop
        weights = left.copy()
        weights[pivots] = 0.0
    F, triangle, L = F[:, :rank], triangle[:rank, :rank], X[pivots]
    return FactoredGram(
        F,
        lambda Y: solve_triangular(triangle, cross_block(kernel, Y, L, shift=shift, n_jobs=n_jobs).T, lower=True).T,
        trace_error=float(left.sum()) + rounding,
        landmarks=pivots,
    )


def _diagonal(kernel: Kernel, X: Any, shift: Array | None) -> Array:
    return np.array(kernel.evaluate_diagonal(Rows(X, np.float64, shift)), dtype=np.float64)


def _refuse_no_landmarks(n_landmarks: int) -> None:
    if not integer(1)(n_landmarks):
        raise ValueError(f"n_landmarks={n_landmarks!r} must be a whole number of at least 1.")


def _refuse_indefinite(kernel: Kernel) -> None:
    if kernel.definiteness is not Definiteness.POSITIVE:
        raise ValueError(
            f"{kernel!r} is not positive semidefinite: landmarks give no bound for it. Use a positive kernel, or the "
            "whole matrix by tiles."
        )
