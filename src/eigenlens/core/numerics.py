"""Numerical decisions, one function a worry, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import DTypeLike, NDArray

Array = NDArray[np.floating]
Indices = NDArray[np.integer]


def eps(dtype: DTypeLike) -> float:
    """Distance from one to the next number of this dtype."""
    return float(np.finfo(np.dtype(dtype)).eps)


def zero_cut(n: int) -> float:
    """Relative size below which an eigenvalue of an n x n matrix is taken for rounding.

    A backward stable solver returns eigenvalues with an error of about ``n eps ||K||`` at the worst. Kernel matrices
    are evaluated in float64 wherever eigenvalues are decided, so the dtype of the input plays no part. The floor of
    1e-12 is scikit-learn's, so that both libraries count the same components.
    """
    return max(1e-12, n * eps(np.float64))


def clear_rounding(values: Array, n: int) -> Array:
    """Set to zero the eigenvalues whose size relative to the largest is rounding."""
    scale = np.max(np.abs(values), initial=0.0)
    return np.where(np.abs(values) <= zero_cut(n) * scale, 0.0, values)


def is_significantly_negative(values: Array) -> NDArray[np.bool_]:
    """Mark eigenvalues that are negative beyond rounding.

    A positive semidefinite kernel that passes through a float32 table or a lossy formula shows negative eigenvalues
    up to about 1e-5 of the largest; scikit-learn draws the line there, and so do we.
    """
    scale = np.max(np.abs(values), initial=0.0)
    return (values < -1e-5 * scale) & (values < -1e-10)


def fix_signs(vectors: Array) -> Array:
    """Return one sign, +1 or -1, a column: the column's entry of largest size becomes positive.

    Among entries within 1e-6 of the largest the first one decides: symmetric data give exact ties, which rounding
    would otherwise decide differently from one solver to the next.
    """
    if vectors.size == 0:
        return np.ones(vectors.shape[1])
    sizes = np.abs(vectors)
    leading = np.argmax(sizes >= (1 - 1e-6) * sizes.max(axis=0), axis=0)
    return np.where(vectors[leading, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)


def default_tolerance(dtype: DTypeLike) -> float:
    """Residual, relative to the first eigenvalue, to iterate to when the user names none.

    Eigenvalue errors are the square of the residual over a gap, so either value leaves eigenvalues exact far beyond
    1e-6. An operator held in float64 converges on; one that iterates in float32 stops where its rounding starts.
    """
    return 1e-10 if np.dtype(dtype) == np.float64 else 1e-6


def rounding_of_products(n: int, norm: float, dtype: DTypeLike = np.float64) -> float:
    """Stated bound on what rounding does to the eigenvalues of an n x n matrix of Frobenius norm ``norm``.

    Each kernel value carries a relative error of a few eps, and a sum of n products one that grows like
    sqrt(n) eps (the worst case, n eps, needs all errors to align: Higham and Mary 2019, doi:10.1137/18M1226312).
    The spectral norm of the error is at most its Frobenius norm.
    """
    return eps(dtype) * (16.0 + float(np.sqrt(n))) * norm


def products_suffice(scale: float, squared_norms: float, dtype: DTypeLike) -> bool:
    """Tell whether scale |a - b|^2 by matrix products keeps half its digits; |a|^2 + |b|^2 is ``squared_norms``.

    Its rounding is about eps scale (|a|^2 + |b|^2), which is small beside one unless the kernel is far narrower than
    the data are wide; infinite norms answer no. Differences of the rows keep all digits, and take longer.
    """
    return abs(scale) * squared_norms <= eps(dtype) ** -0.5


def float32_suffices(reference: Array, trial: Array, tolerance: float) -> bool:
    """Tell whether kernel values in float32 are near enough to iterate with.

    ``reference`` and ``trial`` are the same sample block in float64 and float32. Random errors of size delta in the
    entries of K move it by about delta sqrt(n), its leading eigenvalues are of order n: the root mean square error
    may therefore be of the order of the residual that is asked for.
    """
    scale = float(np.sqrt(np.mean(np.square(reference))))
    with np.errstate(over="ignore", invalid="ignore"):  # what float32 cannot hold does not suffice
        error = float(np.sqrt(np.mean(np.square(reference - trial))))
    return bool(np.isfinite(error)) and error <= tolerance * scale


def subtract_column_means(block: Array) -> Array:
    """Return H V: the block with each column's mean removed (H = I - 11'/n)."""
    return block - block.mean(axis=0)


def filled_up(Q: Array, width: int, rng: np.random.Generator) -> Array:
    """Return orthonormal columns Q with random ones beside them where there are fewer than ``width``."""
    missing = min(width, len(Q)) - Q.shape[1]
    if missing <= 0:
        return Q
    return np.hstack([Q, orthonormal_complement(rng.standard_normal((len(Q), missing)), [Q])])


def orthonormal_complement(block: Array, basis: Sequence[Array] = ()) -> Array:
    """Return an orthonormal basis of what ``block`` adds to ``basis``, dropping what is rounding.

    ``basis`` are blocks of columns, orthonormal together. Two rounds of projection and factorisation: the second
    removes what the first leaves of the basis by cancellation ("twice is enough", Kahan and Parlett). Within a round
    the columns are scaled to one and rotated by the eigenvectors of their Gram matrix (SVQB: Stathopoulos and Wu 2002,
    doi:10.1137/S1064827500370883), which is one matrix product where Householder's QR is many small ones; directions
    below 1e-7 of the leading one are dropped.
    """
    before = np.sqrt(np.einsum("ij,ij->j", block, block))
    for _ in range(2):
        for part in basis:
            block = block - part @ (part.T @ block)
        norms = np.sqrt(np.einsum("ij,ij->j", block, block))
        # nothing but rounding is left of a column that lay in the basis, or was far smaller than the others
        kept = norms > 1e-10 * np.maximum(before, np.max(norms, initial=0.0))
        if not kept.all():
            block, norms = block[:, kept], norms[kept]
        if block.shape[1] == 0:
            break
        block = block / norms
        values, rotation = np.linalg.eigh(block.T @ block)
        kept = values > 1e-14 * values[-1]
        block = block @ (rotation[:, kept] / np.sqrt(values[kept]))
        before = np.ones(block.shape[1])
    return block
