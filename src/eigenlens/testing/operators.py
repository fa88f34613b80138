"""Contracts of Gram operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.numerics import Array
from ..gram import GramOperator
from .comparing import expect_same, fail

# Relative to the largest entry of what is compared: a few thousand roundings of the operator's dtype.
_TOLERANCES = {np.dtype(np.float64): 1e-11, np.dtype(np.float32): 1e-4}


def check_operator(operator: GramOperator, K: Array, *, new_rows: Any = None, cross: Array | None = None) -> None:
    """Run every operator contract against the explicit matrix K; raise AssertionError for the first that is broken.

    ``cross`` is the block that ``new_rows`` must give, where the operator can reach new rows. All contracts run twice,
    forwards and backwards, since no call may change what a later one answers.
    """
    before = K.copy()
    for checks in (OPERATOR_CHECKS, OPERATOR_CHECKS[::-1]):
        for check in checks:
            check(operator, K)
        if cross is not None:
            _expect(
                operator,
                operator.cross(new_rows),
                cross,
                "cross must be the block of new rows against all rows",
            )
    expect_same(operator, K, before, "no call may write on the matrix", 0)


def check_products(operator: GramOperator, K: Array) -> None:
    """``matmat`` is K V in float64 for any number of vectors, which it leaves alone."""
    for count in (0, 1, 5):
        V = np.random.default_rng(count).standard_normal((len(K), count))
        before = V.copy()
        product = operator.matmat(V)
        _expect(operator, product, K @ V, "matmat must be K V")
        expect_same(operator, V, before, "matmat must not write on the vectors", 0)
        if product.dtype != np.float64:
            fail(operator, f"matmat must accumulate in float64, not {product.dtype}")


def check_moments(operator: GramOperator, K: Array) -> None:
    """``matmat_with_moments`` is the product with the row sums, the squared norm and the trace of K."""
    V = np.random.default_rng(7).standard_normal((len(K), 3))
    product, moments = operator.matmat_with_moments(V)
    _expect(operator, product, K @ V, "matmat_with_moments must return K V")
    # rounding is relative to what was evaluated, which centring may have taken most of
    size = moments.evaluated_norm
    sums = np.sqrt(len(K)) * size
    _expect(operator, moments.row_sums, K.sum(axis=0), "row_sums must be those of K", scale=sums)
    _expect(operator, moments.trace, np.trace(K), "trace must be that of K", scale=sums)
    _expect(
        operator,
        moments.squared_norm,
        np.sum(K**2),
        "squared_norm must be that of K",
        scale=size**2,
    )
    if moments.evaluated_norm < (1 - _TOLERANCES[operator.dtype]) * np.linalg.norm(K):
        fail(operator, "evaluated_norm must not be below the norm of K: rounding is relative to it")


def check_operator_diagonal(operator: GramOperator, K: Array) -> None:
    """``diagonal`` is that of K."""
    _expect(
        operator,
        operator.diagonal(),
        np.diagonal(K),
        "diagonal must be that of K",
        scale=np.abs(K).max(initial=0),
    )


def check_columns(operator: GramOperator, K: Array) -> None:
    """``columns`` are those of K in the order asked for, some or none or all."""
    n = len(K)
    for indices in (np.array([n - 1, 0, n // 2, 0]), np.empty(0, dtype=int), np.arange(n)):
        _expect(operator, operator.columns(indices), K[:, indices], "columns must be those of K")


def check_whole(operator: GramOperator, K: Array) -> None:
    """``whole`` is K in float64 with its moments."""
    whole, moments = operator.whole()
    _expect(operator, whole, K, "whole must be K")
    _expect(operator, moments.squared_norm, np.sum(K**2), "the moments of whole() must be those of K")
    if whole.dtype != np.float64:
        fail(operator, f"whole must be in float64, not {whole.dtype}")
    # an operator may have changed what it holds inside, but not what it stands for
    check_operator_diagonal(operator, K)
    check_columns(operator, K)


def check_exact(operator: GramOperator, K: Array) -> None:
    """``exact`` is K in float64, and its own exact twin."""
    exact = operator.exact()
    if exact.dtype != np.float64 or exact.exact() is not exact:
        fail(operator, "exact() must be an operator in float64 that is its own exact()")
    V = np.random.default_rng(3).standard_normal((len(K), 2))
    _expect(exact, exact.matmat(V), K @ V, "the products of exact() must be those of K in float64")


def check_factor(operator: GramOperator, K: Array) -> None:
    """``factor`` is None, or F with F F' = K."""
    F = operator.factor
    if F is not None:
        _expect(operator, F @ F.T, K, "factor must be F with F F' = K")
    if operator.trace_error < 0:
        fail(operator, "trace_error must not be negative")


# fmt: off
OPERATOR_CHECKS: tuple[Callable[[GramOperator, Array], None], ...] = (
    check_products, check_moments, check_operator_diagonal, check_columns, check_whole, check_exact, check_factor,
)
# fmt: on


def _expect(operator: GramOperator, actual: Any, expected: Any, contract: str, *, scale: float | None = None) -> None:
    """Fail unless two arrays are equal up to the rounding of the operator's dtype."""
    expect_same(operator, actual, expected, contract, _TOLERANCES[operator.dtype], scale=scale)
