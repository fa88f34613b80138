"""What the tests of KernelPCA share: tables, and agreement of scores up to the sign of each column."""

import numpy as np


def table(n, d, seed=0):
    """Return rows of clear variance in every direction, so that no two eigenvalues lie close."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)) * np.linspace(2, 0.5, d) + rng.standard_normal(d)


def histograms(n, d, seed=0):
    """Return rows of non-negative numbers that sum to one."""
    return np.random.default_rng(seed).dirichlet(np.ones(d), n)


def assert_scores_agree(actual, expected, tolerance):
    """Fail unless columns agree up to sign, within ``tolerance`` of the largest score."""
    assert actual.shape == expected.shape
    signs = np.where(np.einsum("ij,ij->j", np.asarray(actual, np.float64), expected) < 0, -1, 1)
    scale = np.abs(expected).max(initial=0)
    np.testing.assert_allclose(actual * signs, expected, rtol=0, atol=tolerance * scale)
