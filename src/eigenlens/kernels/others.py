"""Kernels that are no profile of a squared distance or an inner product."""

from __future__ import annotations

from collections.abc import Callable as Function
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
import scipy.sparse

from ..core.errors import KernelBlockError
from ..core.numerics import Array
from .base import Definiteness, Invariance, Kernel, check_number, check_rows
from .rows import Pairs, Rows, multiply


def _decay(distance: Array, gamma: float) -> Array:
    """Return exp(-gamma distance), written over the distance."""
    return np.exp(multiply(distance, -gamma), out=distance)


@dataclass(frozen=True)
class Laplacian(Kernel):
    """k(x, y) = exp(-gamma sum_f |x_f - y_f|), with the city-block distance, as scikit-learn has it.

    A product of one positive semidefinite kernel a feature, hence positive semidefinite in any dimension.

    >>> Laplacian(gamma=0.5)([[0.0, 0.0]], [[1.0, -1.0]]).round(6).item()
    0.367879
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        check_number(self, "gamma", low=0)

    @property
    def invariance(self) -> Invariance:
        """A shift of all rows changes nothing."""
        return Invariance.EXACT

    @property
    def trusted(self) -> bool:
        """The distance is symmetric."""
        return True

    def distance(self, pairs: Pairs) -> Array:
        """Return the block of city-block distances."""
        return pairs.city_block_distance()

    def evaluate(self, pairs: Pairs) -> Array:
        """Return exp(-gamma distance)."""
        return _decay(self.distance(pairs), self.gamma)

    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Return ones."""
        return np.ones(len(rows))


@dataclass(frozen=True)
class Cosine(Kernel):
    """k(x, y) = <x, y> / (|x| |y|); a row of zeros has similarity zero to everything, itself included.

    >>> Cosine()([[1.0, 0.0]], [[2.0, 0.0], [0.0, 3.0]]).tolist()
    [[1.0, 0.0]]
    """

    @property
    def trusted(self) -> bool:
        """The formula is symmetric."""
        return True

    def evaluate(self, pairs: Pairs) -> Array:
        """Return the inner products over the norms."""
        block = pairs.inner()
        block *= _inverse_norms(pairs.a)[:, None]
        block *= _inverse_norms(pairs.b)
        return block

    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Return one, or zero for a row of zeros."""
        return (rows.squared_norms > 0).astype(np.float64)


def _inverse_norms(rows: Rows) -> Array:
    norms = np.sqrt(rows.squared_norms)
    return np.divide(1, norms, out=np.zeros_like(norms), where=norms > 0)


class _ChiSquaredBase(Kernel):
    """Kernels of sum_f (x_f - y_f)^2 / (x_f + y_f), a feature where both are zero adding nothing."""

    @property
    def trusted(self) -> bool:
        """The distance is symmetric."""
        return True

    def check(self, X: Any) -> None:
        """Refuse sparse tables and negative entries: the kernels compare histograms."""
        name = type(self).__name__
        if scipy.sparse.issparse(X):
            raise TypeError(f"{name} compares dense histograms; convert the sparse table with X.toarray().")
        if np.min(X, initial=0) < 0:
            row, column = np.unravel_index(np.argmin(X), X.shape)
            raise ValueError(
                f"Negative values in data: {name} is defined for non-negative histograms, but row {row}, "
                f"column {column} is {X[row, column]:g}. Shift or clip the table, or use another kernel."
            )

    def distance(self, pairs: Pairs) -> Array:
        """Return the block of chi-squared distances."""
        block = np.zeros(pairs.shape, pairs.a.dtype)
        total, difference, tiny = np.empty_like(block), np.empty_like(block), np.finfo(block.dtype).tiny
        # one feature at a time: memory of a block, not of a block a feature
        for x, y in zip(pairs.a.data.T, pairs.b.data.T, strict=True):
            np.add.outer(x, y, out=total)
            np.subtract.outer(x, y, out=difference)
            np.maximum(total, tiny, out=total)  # where both are zero, so is the difference
            np.divide(difference, total, out=total)
            total *= difference
            block += total
        return block


@dataclass(frozen=True)
class ChiSquared(_ChiSquaredBase):
    """k(x, y) = exp(-gamma sum_f (x_f - y_f)^2 / (x_f + y_f)), for histograms (non-negative features).

    >>> ChiSquared(gamma=1.0)([[1.0, 0.0]], [[0.0, 1.0]]).round(6).item()
    0.135335
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        check_number(self, "gamma", low=0)

    def evaluate(self, pairs: Pairs) -> Array:
        """Return exp(-gamma distance)."""
        return _decay(self.distance(pairs), self.gamma)

    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Return ones."""
        return np.ones(len(rows))


@dataclass(frozen=True)
class AdditiveChiSquared(_ChiSquaredBase):
    """k(x, y) = -sum_f (x_f - y_f)^2 / (x_f + y_f), for histograms: positive once centred.

    >>> float(AdditiveChiSquared()([[1.0, 0.0]], [[0.0, 1.0]]).item())
    -2.0
    """

    @property
    def definiteness(self) -> Definiteness:
        """Conditionally positive: minus a distance that embeds in a Hilbert space."""
        return Definiteness.CONDITIONAL

    def evaluate(self, pairs: Pairs) -> Array:
        """Return minus the distance."""
        block = self.distance(pairs)
        return np.negative(block, out=block)

    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Return zeros."""
        return np.zeros(len(rows))


@dataclass(frozen=True)
class Callable(Kernel):
    """k(x, y) = function(x, y, **parameters): any function of two rows that returns a number.

    The function is called once a pair, in Python: exact and slow. Write a ``Kernel`` subclass for speed (a radial one
    takes ten lines). Nothing is known of its definiteness; its symmetry is tried on the first row of each block.

    >>> Callable(lambda x, y: float(min(x[0], y[0])))([[1.0], [2.0]]).tolist()
    [[1.0, 1.0], [1.0, 2.0]]
    """

    function: Function[..., float] = field()
    parameters: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(f"Callable(function={self.function!r}): give a function of two rows that returns a number.")

    @property
    def definiteness(self) -> Definiteness:
        """Nothing is known of it."""
        return Definiteness.UNKNOWN

    def evaluate(self, pairs: Pairs) -> Array:
        """Call the function for each pair; where both sides are the same rows, once for both orders."""
        block = np.empty(pairs.shape, pairs.a.dtype)
        a, b = _each(pairs.a), _each(pairs.b)
        for i, x in enumerate(a):
            for j in range(i if pairs.same else 0, len(b)):
                block[i, j] = self._number(x, b[j])
                if pairs.same:
                    block[j, i] = block[i, j]
        if pairs.same and a:
            self._try_symmetry(a, block[0])
        return block

    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Call the function on each row with itself."""
        return np.array([self._number(x, x) for x in _each(rows)])

    def _number(self, x: Any, y: Any) -> float:
        value = self.function(x, y, **(self.parameters or {}))
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        if isinstance(value, Real | np.bool_) and np.isfinite(value):
            return float(value)
        found = value if isinstance(value, Real) else f"{type(value).__name__} of shape {np.shape(value)}"
        raise KernelBlockError(
            f"The kernel function {self._name} returned {found} for two rows; it must return one finite real number. "
            "A function of whole tables can be wrapped in a Kernel subclass."
        )

    def _try_symmetry(self, rows: list[Any], first: Array) -> None:
        """Compare the first row with the first column: calling for every pair in both orders would double the time."""
        column = np.array([self._number(x, rows[0]) for x in rows])
        worst = int(np.argmax(np.abs(column - first)))
        # 1e-6 as for matrices: a function may compute in float32
        if abs(column[worst] - first[worst]) > 1e-6 * np.max(np.abs(first)):
            raise KernelBlockError(
                f"The kernel function {self._name} is not symmetric: it is {first[worst]:g} for rows 0 and {worst} and "
                f"{column[worst]:g} for rows {worst} and 0. A similarity must not depend on the order of its arguments."
            )

    @property
    def _name(self) -> str:
        return getattr(self.function, "__name__", repr(self.function))


def _each(rows: Rows) -> list[Any]:
    """Each row as scikit-learn hands it to a function: an array (d,), or a CSR matrix (1, d)."""
    return [rows.data[[i]] if rows.sparse else rows.data[i] for i in range(len(rows))]


@dataclass(frozen=True)
class Precomputed(Kernel):
    """The table is the kernel matrix: X[i, j] = k(xi, yj) is given.

    ``transform`` then takes the block of new rows against training rows, of shape (n_new, n_training).
    """

    @property
    def definiteness(self) -> Definiteness:
        """Taken for positive until its eigenvalues say otherwise."""
        return Definiteness.UNKNOWN

    def __call__(self, X: Any, Y: Any = None) -> Array:
        """Return X, checked."""
        return check_rows(self, X, accept_sparse=False)

    def diag(self, X: Any) -> Array:
        """Return the diagonal of X."""
        return np.diagonal(check_rows(self, X, accept_sparse=False)).copy()

    def evaluate(self, pairs: Pairs) -> Array:
        """Refuse: there are no rows to evaluate."""
        raise TypeError("A precomputed kernel cannot be evaluated at rows; pass the matrix of kernel values instead.")

    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Refuse: there are no rows to evaluate."""
        raise TypeError("A precomputed kernel cannot be evaluated at rows; pass the matrix of kernel values instead.")
