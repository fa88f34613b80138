"""Symmetric matrices whose eigenvalues are known exactly, and subspaces that know their eigenvectors well or badly.

K = H diag(d) H' / n with a Hadamard matrix H of order n = 2^p and entries of d in multiples of 2^-10: every entry of K
is a floating point number without rounding, so that d are the eigenvalues of K as stored, to the last bit.
"""

import numpy as np
from scipy.linalg import hadamard

UNIT = 2.0**-10


def exact_matrix(d):
    """Return K and its orthonormal eigenvectors in the order of d, in multiples of 2^-10 and no larger than 2^20."""
    n = len(d)
    H = hadamard(n).astype(float)
    assert np.all(np.asarray(d) / UNIT % 1 == 0)
    return (H * d) @ H.T / n, H / np.sqrt(n)


def units(values):
    """Round to multiples of 2^-10."""
    return np.round(np.asarray(values) / UNIT) * UNIT


# n, generator -> spectrum in decreasing order
SPECTRA = {
    "random": lambda n, rng: units(rng.uniform(-5, 10, n)),
    "positive": lambda n, rng: units(rng.exponential(3, n)),
    "fast decay": lambda n, rng: units(500.0 * 0.3 ** np.arange(n)),
    "slow decay": lambda n, rng: units(20 / (1 + np.arange(n))),
    "clusters": lambda n, rng: units(rng.choice([7.0, 6.0, 1.0], n) + UNIT * rng.integers(0, 3, n)),
    "ties": lambda n, rng: units(rng.choice([4.0, 3.0, 1.0], n)),
    "rank one": lambda n, rng: units(5.0 * (np.arange(n) == 0)),
    "rank deficient": lambda n, rng: units(rng.uniform(0, 5, n) * (np.arange(n) < n // 3)),
    "zero": lambda n, rng: np.zeros(n),
    "identity": lambda n, rng: np.ones(n),
    "negative": lambda n, rng: -units(rng.exponential(3, n)),
    "large negative end": lambda n, rng: units(np.where(np.arange(n) < n - 1, rng.uniform(0, 1, n), -300.0)),
    "two signs": lambda n, rng: units(5.0 * rng.choice([-1, 1], n)),
}


def _noisy(size):
    def subspace(V, m, rng):
        return V[:, :m] + size * rng.standard_normal((len(V), m))

    return subspace


def _without_the_top(V, m, rng):
    return np.roll(V, -1, axis=1)[:, :m]


def _part_of_the_top(V, m, rng):
    """The second eigenvector exactly, and a vector that leans towards the first by any angle."""
    angle = rng.uniform(0, np.pi / 2)
    W = np.roll(V, -1, axis=1)[:, :m].copy()
    W[:, -1] = np.cos(angle) * V[:, -1] + np.sin(angle) * V[:, 0]
    return W


def _some_converged(V, m, rng):
    """Leading vectors to 1e-7, trailing ones hardly at all: what an iteration that just finished holds."""
    return V[:, :m] + np.logspace(-7, -1, m) * rng.standard_normal((len(V), m))


def _krylov(V, m, rng):
    return rng.standard_normal((len(V), m))


SUBSPACES = {
    "exact": _noisy(0.0),
    "converged": _noisy(1e-8),
    "rough": _noisy(1e-3),
    "bad": _noisy(0.3),
    "random": _krylov,
    "some converged": _some_converged,
    "without the top": _without_the_top,
    "part of the top": _part_of_the_top,
}


def subspace(kind, V, m, rng):
    """Return an orthonormal basis of dimension m, in no particular order, V being eigenvectors, the largest first."""
    Q = np.linalg.qr(SUBSPACES[kind](V, m, rng))[0]
    return Q @ np.linalg.qr(rng.standard_normal((m, m)))[0]


def sorted_pairs(d, V):
    order = np.argsort(-d, kind="stable")
    return d[order], V[:, order]
