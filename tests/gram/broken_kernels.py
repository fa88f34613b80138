"""Kernels that return what cannot be part of a kernel matrix, for the row that starts with 99 where it is one row."""

from dataclasses import dataclass

import numpy as np

from eigenlens.kernels import RBF

MARK = 99.0


@dataclass(frozen=True)
class Untrusted(RBF):
    gamma: float = 1e-5  # so wide that the marked row is no stranger

    @property
    def trusted(self):
        return False


def marked(rows):
    return rows.data[:, 0] > MARK / 2


@dataclass(frozen=True)
class NotFinite(Untrusted):
    value: float = np.nan
    with_itself_only: bool = False

    def evaluate(self, pairs):
        block = super().evaluate(pairs)
        if self.with_itself_only:
            block[np.ix_(marked(pairs.a), marked(pairs.b))] = self.value
            return block
        block[marked(pairs.a)] = self.value
        block[:, marked(pairs.b)] = self.value
        return block


@dataclass(frozen=True)
class WrongShape(Untrusted):
    def evaluate(self, pairs):
        return super().evaluate(pairs)[:, :-1]


@dataclass(frozen=True)
class Asymmetric(Untrusted):
    def evaluate(self, pairs):
        block = super().evaluate(pairs)
        block[marked(pairs.a)] *= 1.01
        return block


def marked_table(n=40, row=23):
    X = np.random.default_rng(0).standard_normal((n, 3))
    X[row] = MARK, 0, 0  # kernels that allow it see rows less their mean, which leaves the mark near enough
    return X
