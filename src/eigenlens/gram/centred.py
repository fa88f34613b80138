"""Centring: H K H with H = I - 11'/n, around any Gram operator; the one place where it is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.numerics import Array, Indices, subtract_column_means
from .base import GramOperator, Moments


@dataclass(frozen=True)
class CentringMeans:
    """What centring needs of the training rows to centre new ones.

    For a new row y: k~(y, xj) = k(y, xj) - mean_i k(y, xi) - row_means[j] + grand_mean.
    """

    row_means: Array  # mean_i k(xi, xj), (n,)
    grand_mean: float

    def centre_cross(self, block: Array) -> Array:
        """Return the centred block of new rows against training rows, (m, n)."""
        return block - block.mean(axis=1)[:, None] - self.row_means + self.grand_mean

    def centre_diagonal(self, diagonal: Array, means: Array) -> Array:
        """Return k~(y, y) from k(y, y) and mean_i k(y, xi): the squared distance of y's image to the mean image."""
        return diagonal - 2 * means + self.grand_mean


class CentredGram(GramOperator):
    """H K H as an operator.

    The means that new rows need are gathered by ``matmat_with_moments``, in the pass that makes the certificate; they
    are in ``means`` afterwards.

    >>> import numpy as np
    >>> from eigenlens.gram import DenseGram
    >>> CentredGram(DenseGram(np.ones((3, 3)))).matmat(np.eye(3)).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """

    def __init__(self, inner: GramOperator, means: CentringMeans | None = None) -> None:
        self.inner = inner
        self.shape, self.dtype = inner.shape, inner.dtype
        self.in_memory, self.owned = inner.in_memory, inner.owned
        self.trace_error = inner.trace_error  # centring projects, which makes no trace larger
        self._given, self._means = means, means
        self._inner_means: CentringMeans | None = None  # of ``inner`` as it stands, which may have been centred before
        self._evaluated_norm = self._entry_error = 0.0
        self._exact = self

    @property
    def means(self) -> CentringMeans | None:
        """The means, once they have been gathered: by the exact twin, if it has, since its digits are better."""
        return self._given or (self._exact.means if self._exact is not self else None) or self._means

    def exact(self) -> CentredGram:
        """Return the same matrix with products in float64."""
        exact = self.inner.exact()
        if exact is not self.inner and self._exact is self:
            self._exact = CentredGram(exact, self._given)
        return self._exact

    def matmat(self, V: Array) -> Array:
        """Return H K H V."""
        return subtract_column_means(self.inner.matmat(subtract_column_means(V)))

    def matmat_with_moments(self, V: Array) -> tuple[Array, Moments]:
        """Return H K H V and the moments of H K H.

        With s = K 1 and t = 1'K 1: ||HKH||^2 = ||K||^2 - (2/n) ||s||^2 + t^2 / n^2, trace(HKH) = trace(K) - t / n.
        """
        n = self.shape[0]
        product, moments = self.inner.matmat_with_moments(subtract_column_means(V))
        s, t = moments.row_sums, float(moments.row_sums.sum())
        self._inner_means = CentringMeans(s / n, t / n**2)
        self._means = self._means or self._inner_means
        self._evaluated_norm = max(self._evaluated_norm, moments.evaluated_norm)
        self._entry_error = max(self._entry_error, moments.entry_error)
        squared_norm = moments.squared_norm - 2 / n * float(s @ s) + (t / n) ** 2
        # row sums of H K H are zero
        centred = Moments(
            np.zeros(n), max(squared_norm, 0.0), moments.trace - t / n, self._evaluated_norm, self._entry_error
        )
        return subtract_column_means(product), centred

    def whole(self) -> tuple[Array, Moments]:
        """Return H K H as one array, and its moments.

        An array that only the inner operator holds is centred in place, which spares a second matrix. The inner
        operator then stands for H K H, and this one for the same as before, since H H = H.
        """
        K, moments = self.inner.whole()
        n = self.shape[0]
        row_means, grand_mean = moments.row_sums / n, float(moments.row_sums.sum()) / n**2
        self._inner_means = CentringMeans(row_means, grand_mean)
        self._means = self._means or self._inner_means
        self._evaluated_norm = max(self._evaluated_norm, moments.evaluated_norm)
        in_place = self.inner.owned
        K = np.subtract(K, row_means, out=K if in_place else None)
        K -= (row_means - grand_mean)[:, None]
        if in_place:
            self._inner_means = CentringMeans(np.zeros(n), 0.0)
        norm = float(np.linalg.norm(K))
        self._entry_error = max(self._entry_error, moments.entry_error)
        return K, Moments(np.zeros(n), norm**2, float(np.trace(K)), self._evaluated_norm, self._entry_error)

    def diagonal(self) -> Array:
        """Return the diagonal of H K H."""
        means = self._gathered_of_inner()
        return means.centre_diagonal(self.inner.diagonal(), means.row_means)

    def columns(self, indices: Indices) -> Array:
        """Return columns of H K H."""
        means = self._gathered_of_inner()
        block = self.inner.columns(indices)
        return block - means.row_means[:, None] - means.row_means[indices] + means.grand_mean

    def sample(self, indices: Indices) -> Array:
        """Return the matrix of these rows alone, centred among themselves."""
        S = subtract_column_means(self.inner.sample(indices))
        return S - S.mean(axis=1)[:, None]

    def extend(self, indices: Indices, U: Array) -> Array:
        """Return H K[:, indices] H U, the inner H being that of the sample: no pass over K is needed for it."""
        return subtract_column_means(self.inner.extend(indices, subtract_column_means(U)))

    def cross(self, Y: Any) -> Array:
        """Return the centred block of new rows."""
        if self.means is None:
            self._gathered_of_inner()
        assert self.means is not None
        return self.means.centre_cross(self.inner.cross(Y))

    @property
    def factor(self) -> Array | None:
        """H F, if the inner operator is F F'."""
        factor = self.inner.factor
        return None if factor is None else subtract_column_means(factor)

    def _gathered_of_inner(self) -> CentringMeans:
        """Return the means of the inner operator's rows, by a pass of their own where none has gathered them."""
        if self._inner_means is None:
            self.matmat_with_moments(np.zeros((self.shape[0], 0)))
        assert self._inner_means is not None
        return self._inner_means
