"""Contracts of eigensolvers, on matrices of known spectrum."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..core.numerics import Array
from ..eigen import EigenResult
from ..gram import DenseGram, GramOperator
from .comparing import expect_same, fail

# Relative to the largest entry of what is compared: a few thousand roundings of float64.
_TOLERANCE = 1e-11

Solver = Callable[[GramOperator, int, np.random.Generator], EigenResult]

SPECTRA: Mapping[str, Sequence[float]] = {
    "distinct": [10.0 / (i + 1) for i in range(30)],
    "fast decay": [10.0**-i for i in range(16)] + [0.0] * 14,
    "tie across k": [5.0, 3.0, 3.0, 3.0, 3.0, 1.0, 0.5, 0.1] + [0.0] * 12,
    "one eigenvalue": [1.0] * 25,
    "zero": [0.0] * 20,
    "rank below k": [4.0, 1.0] + [0.0] * 18,
    "cluster": [1.0 + 1e-9 * i for i in range(10)] + [0.5 - 0.01 * i for i in range(20)],
    "indefinite": [3.0, 2.0, 1.0, 0.5] + [0.0] * 10 + [-0.4, -0.7],
    "large negative end": [1.0, 0.8, 0.6, 0.1] + [0.0] * 14 + [-50.0, -60.0],
    "negative": [-1.0 - i for i in range(20)],
}


def known_matrix(spectrum: Sequence[float], seed: int = 0) -> Array:
    """Return a symmetric matrix with these eigenvalues and random eigenvectors, exact to rounding."""
    n = len(spectrum)
    Q = np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))[0]
    K = (Q * np.asarray(spectrum)) @ Q.T
    return (K + K.T) / 2


def check_solver(solve: Solver, *, counts: Sequence[int] = (1, 3), tolerance: float | None = None) -> None:
    """Run every solver contract on matrices of known spectrum; raise AssertionError for the first that is broken.

    ``solve(operator, k, rng)`` returns the k largest eigenpairs. ``tolerance`` is the residual, relative to the norm of
    the matrix, that it promises where it says that it converged.
    """
    for name, spectrum in SPECTRA.items():
        K = known_matrix(spectrum)
        before = K.copy()
        for k in counts:
            result = solve(DenseGram(K), k, np.random.default_rng(0))
            where = f"{result.solver} on the spectrum {name!r} with k={k}"
            check_pairs(result, K, k, where)
            check_certificate(result, np.sort(spectrum)[::-1], where)
            again = solve(DenseGram(K), k, np.random.default_rng(0))
            expect_same(where, again.vectors, result.vectors, "equal seeds must give equal bits", 0.0)
            reached = result.certificate.residual.max() / max(np.abs(spectrum).max(), np.finfo(float).tiny)
            if tolerance is not None and result.converged and reached > tolerance:
                fail(where, f"converged is True, but the relative residual is {reached:.1e} > {tolerance:.1e}")
            expect_same(where, K, before, "solving must not write on the matrix", 0.0)


def check_pairs(result: EigenResult, K: Array, k: int, where: Any) -> None:
    """k values in decreasing order, orthonormal vectors, their images, and the residuals of just these."""
    V, values = result.vectors, result.values
    if values.shape != (k,) or V.shape != (len(K), k):
        fail(where, f"there must be {k} pairs, and the shapes are {values.shape} and {V.shape}")
    # rounding of products: the same bound that the certificate states
    rounding = result.certificate.rounding + 1e-13 * float(np.abs(K).max(initial=0.0))
    if np.any(np.diff(values) > rounding):
        fail(where, "eigenvalues must come the largest first")
    expect_same(where, V.T @ V, np.eye(k), "vectors must be orthonormal", _TOLERANCE)
    expect_same(where, result.images, K @ V, "images must be K V", _TOLERANCE, scale=float(np.linalg.norm(K)))
    residual = np.linalg.norm(K @ V - V * values, axis=0)
    if np.any(np.abs(residual - result.certificate.residual) > rounding + result.certificate.rounding):
        fail(where, f"residuals must be |K v - theta v| = {residual}, not {result.certificate.residual}")
    if abs(result.trace - np.trace(K)) > len(K) * rounding:
        fail(where, f"the trace must be {np.trace(K)}, not {result.trace}")


def check_certificate(result: EigenResult, truth: Array, where: Any) -> None:
    """What a certificate says is true of the eigenvalues, ``truth`` being all of them in decreasing order."""
    certificate, theta, k = result.certificate, result.values, len(result.values)
    low, high = certificate.lower > truth[:k], certificate.upper < truth[:k]
    if low.any() or high.any():
        i = int(np.argmax(low | high))
        interval = f"[{certificate.lower[i]:.17g}, {certificate.upper[i]:.17g}]"
        fail(where, f"lambda_{i} = {truth[i]:.17g} must lie in {interval}")
    reach = certificate.residual + certificate.rounding
    distance = np.abs(truth[:, None] - theta).min(axis=0)
    if np.any(distance > reach):
        fail(where, "an eigenvalue must lie within the residual of every theta")
    missed = certificate.index_proven & (np.abs(truth[:k] - theta) > reach + certificate.rounding)
    if missed.any():
        i = int(np.argmax(missed))
        fail(where, f"the index of {theta[i]:.17g} is proven, but lambda_{i} is {truth[i]:.17g}")
