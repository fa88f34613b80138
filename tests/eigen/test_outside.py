"""What a factorisation proves of the complement of a basis, on spectra that are known to the last bit."""

import numpy as np
import pytest
from exact_matrices import SPECTRA, exact_matrix, sorted_pairs, units

from eigenlens import KernelPCA
from eigenlens.eigen.outside import bound_by_factorisation, bound_by_moments
from eigenlens.gram.base import moments_of


def bound(d, m, scale=1.0):
    """The bound outside the m leading eigenvectors of the matrix with eigenvalues d."""
    K, V = exact_matrix(d)
    theta, V = sorted_pairs(np.asarray(d), V)
    return bound_by_factorisation(scale * K, V[:, :m], scale * theta[:m], moments_of(scale * K))


FLAT = units(np.r_[6.0, 5.0, 4.0, np.linspace(3.9, 3.0, 125)])


@pytest.mark.parametrize("scale", [1.0, 1e-100, 1e100])
@pytest.mark.parametrize("m", [1, 2, 3])
def test_a_flat_spectrum_is_separated_where_moments_are_not_enough(m, scale):
    K, _ = exact_matrix(FLAT)
    assert bound(FLAT, m, scale) == pytest.approx(0.9999 * FLAT[m - 1] * scale)
    assert bound_by_moments(FLAT[:m], np.zeros(m), moments_of(K), len(K)) > FLAT[m - 1]


def test_an_eigenvalue_that_was_missed_leaves_nothing_proven():
    K, V = exact_matrix(FLAT)
    for missing in range(4):
        inside = np.delete(np.arange(4), missing)[: max(missing, 3)]
        found = bound_by_factorisation(K, V[:, inside], FLAT[inside], moments_of(K))
        assert np.isinf(found) == (missing < 3)


def test_a_tie_proves_nothing_and_a_small_gap_is_seen():
    d = FLAT.copy()
    d[3] = d[2]
    assert np.isinf(bound(d, 3))
    d[3] = d[2] - 2.0**-9  # one in two thousand, and float32 resolves one in five thousand at this size
    assert d[3] < bound(d, 3) < d[2]


@pytest.mark.parametrize("spectrum", SPECTRA)
@pytest.mark.parametrize("n", [4, 16, 64, 256])
def test_what_is_proven_is_true(spectrum, n):
    for seed in range(5):
        rng = np.random.default_rng([n, seed])
        d = -np.sort(-SPECTRA[spectrum](n, rng))
        for m in range(1, min(n, 8)):
            assert bound(d, m) >= d[m]


def test_no_positive_eigenvalue_proves_nothing():
    assert np.isinf(bound(-FLAT, 2))
    assert np.isinf(bound(np.zeros(8), 2))


@pytest.mark.parametrize("solver", ["arpack", "block", "randomized"])
@pytest.mark.parametrize("n", [300, 1000])
def test_components_of_a_small_table_have_their_index_proven(solver, n):
    X = np.random.default_rng(0).standard_normal((n, 5))
    model = KernelPCA(3, kernel="rbf", gamma="median", eigen_solver=solver, random_state=0).fit(X)
    assert model.certificate_.index_proven.all()
    assert model.certificate_.subspace_sine < 1e-3
