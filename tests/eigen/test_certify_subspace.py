"""Enclosures from a subspace hold against a spectrum that is known to the last bit, however good the subspace is."""

import numpy as np
import pytest
from exact_matrices import SPECTRA, SUBSPACES, UNIT, exact_matrix, sorted_pairs, subspace, units
from hypothesis import given, settings
from hypothesis import strategies as st

from eigenlens.eigen import Basis, certified
from eigenlens.gram import DenseGram
from eigenlens.gram.base import moments_of
from eigenlens.testing import check_certificate


class Distant(DenseGram):
    """A matrix that no factorisation may look at."""

    in_memory = False


def certify(K, Q, k, trace_error=0.0, *, operator=Distant):
    operator, basis = operator(K, trace_error=trace_error), Basis(Q, K @ Q)
    return certified(operator, basis, moments_of(K), k, passes=1, solver="test", reason="test", converged=True)


def check_everything(K, V, truth, Q, k, where):
    """All that a certificate says, for the k leading Ritz pairs of the basis Q, with and without the whole matrix."""
    check_what_is_said(certify(K, Q, k, operator=DenseGram), K, V, truth, Q, k, where)
    return check_what_is_said(certify(K, Q, k), K, V, truth, Q, k, where)


def check_what_is_said(result, K, V, truth, Q, k, where):
    certificate, n, m = result.certificate, *Q.shape
    check_certificate(result, truth, where)
    Z = np.linalg.svd(Q)[0][:, m:]
    outside = np.linalg.eigvalsh(Z.T @ K @ Z)[-1] if m < n else -np.inf
    assert certificate.remainder >= outside - certificate.rounding, where
    assert not np.any(certificate.index_proven & (result.values < outside - certificate.rounding)), where
    # the sine of the largest angle to the span of the first k, if that is one span
    if k < n and truth[k - 1] > truth[k]:
        sine = np.linalg.norm(V[:, k:].T @ result.vectors, 2)
        assert certificate.subspace_sine >= sine - 1e-14, where  # vectors are orthonormal to a few eps
    return certificate


@pytest.mark.parametrize("kind", SUBSPACES)
@pytest.mark.parametrize("spectrum", SPECTRA)
def test_enclosures_hold(spectrum, kind):
    for n in (2, 4, 8, 32):
        for seed in range(4):
            rng = np.random.default_rng([n, seed])
            d = SPECTRA[spectrum](n, rng)
            K, V = exact_matrix(d)
            truth, V = sorted_pairs(d, V)
            for m in sorted({1, 2, n // 2, n - 1, n}):
                for k in sorted({1, (m + 1) // 2, m}):
                    Q = subspace(kind, V, m, rng)
                    check_everything(K, V, truth, Q, k, f"{spectrum}, {kind}, n={n}, m={m}, k={k}, seed={seed}")


@pytest.mark.parametrize("n", [2, 3, 7, 30, 101])
def test_enclosures_hold_for_random_matrices(n):
    """Other sizes than powers of two; the truth is LAPACK's, whose error is a small part of the stated rounding."""
    for seed in range(10):
        rng = np.random.default_rng([n, seed])
        K = rng.standard_normal((n, n)) * 10.0 ** rng.integers(-3, 4)
        K = (K + K.T) / 2
        truth, V = sorted_pairs(*np.linalg.eigh(K))
        for kind in SUBSPACES:
            m = int(rng.integers(1, n + 1))
            check_everything(K, V, truth, subspace(kind, V, m, rng), int(rng.integers(1, m + 1)), f"{kind}, {seed}")


@settings(max_examples=150, deadline=None)
@given(
    d=st.lists(st.integers(-(2**12), 2**12), min_size=8, max_size=8),
    entries=st.lists(st.integers(-5, 5), min_size=64, max_size=64),
    m=st.integers(1, 8),
    k=st.integers(1, 8),
)
def test_enclosures_hold_for_whatever_spectrum_and_subspace(d, entries, m, k):
    d = UNIT * np.array(d, dtype=float)
    K, V = exact_matrix(d)
    truth, V = sorted_pairs(d, V)
    Q = np.linalg.qr(np.reshape(entries, (8, 8)) + 1e-9 * np.eye(8))[0][:, :m]
    check_everything(K, V, truth, Q, min(k, m), "hypothesis")


# -- the index ---------------------------------------------------------------------------------------------------------


def test_an_eigenvalue_that_is_half_inside_does_not_pass_unseen():
    """(2, e1) is an exact eigenpair and 2 is above all that lies outside, and yet it is the second eigenvalue."""
    K = np.array([[2.0, 0, 0], [0, 1.9, 1.8], [0, 1.8, 1.9]])  # eigenvalues 3.7, 2, 0.1
    result = certify(K, np.eye(3)[:, :2], 2)
    certificate = result.certificate
    assert result.values[0] == 2
    assert certificate.residual[0] == 0
    assert certificate.remainder < 2
    assert not certificate.index_proven[0]
    assert certificate.upper[0] >= 3.7


@pytest.mark.parametrize("overlap", [0.0, 1e-8, 1e-3, 0.5, 0.9, 0.999, 1 - 1e-9])
def test_no_index_is_proven_below_a_hidden_eigenvalue(overlap):
    """Nine exact eigenvectors, and of the largest eigenvalue's only a part in a tenth vector."""
    d = units(np.r_[40.0, 20 - np.arange(9), 4 * 0.8 ** np.arange(22)])
    K, V = exact_matrix(d)
    rng = np.random.default_rng(0)
    mixed = np.sqrt(overlap) * V[:, 0] + np.sqrt(1 - overlap) * V[:, 30]
    Q = np.column_stack([V[:, 1:10], mixed])
    certificate = check_everything(K, V, d, Q, 10, overlap)
    theta = certify(K, Q, 10).values
    # a pair is claimed only where the eigenvalue of its index is within its residual
    assert not np.any(certificate.index_proven & (np.abs(d[:10] - theta) > certificate.residual + 1e-10))
    if overlap <= 0.5:
        assert not certificate.index_proven.any()
    Q = np.column_stack([V[:, 1:10], rng.standard_normal(32)])
    check_everything(K, V, d, np.linalg.qr(Q)[0], 10, "random tenth vector")


def test_a_tie_with_what_is_outside_leaves_the_index_open():
    K, V = exact_matrix(np.ones(8))
    for m in (3, 7):
        assert not certify(K, V[:, :m], 2).certificate.index_proven.any()


# -- certificates are worth having -------------------------------------------------------------------------------------


def spread_out():
    return exact_matrix(units(np.r_[100, 60, 30, 10, 1.0 * 0.7 ** np.arange(28)]))


@pytest.mark.parametrize("noise", [0.0, 1e-8, 1e-5])
def test_a_converged_subspace_is_certified(noise):
    K, V = spread_out()
    Q = np.linalg.qr(V[:, :6] + noise * np.random.default_rng(0).standard_normal((32, 6)))[0]
    certificate = certify(K, Q, 4).certificate
    assert certificate.index_proven.all()
    # the remainder is about the norm of what is left, two; the gap of the fourth is then seven at least
    assert certificate.subspace_sine <= 200 * noise * 32**0.5 / 7 + 1e-10
    width = certificate.upper - certificate.lower
    assert np.all(width <= 10 * (200 * noise) ** 2 + 2.1 * certificate.rounding)


def test_the_upper_bound_is_of_second_order_in_the_residual():
    K, V = spread_out()
    N = np.random.default_rng(0).standard_normal((32, 6))
    widths = []
    for noise in (1e-3, 1e-4):
        result = certify(K, np.linalg.qr(V[:, :6] + noise * N)[0], 4)
        widths.append(result.certificate.upper - result.values)
    # a tenth of the residual, a hundredth of the width; third order terms make the ratio inexact
    np.testing.assert_allclose(widths[0] / widths[1], 100, rtol=0.1)


def test_what_did_not_converge_hardly_widens_what_did():
    K, V = spread_out()
    rng = np.random.default_rng(0)
    good = V[:, :4] + 1e-9 * rng.standard_normal((32, 4))
    bad = V[:, 4:8] + 0.1 * rng.standard_normal((32, 4))
    certificate = certify(K, np.linalg.qr(np.column_stack([good, bad]))[0], 4).certificate
    assert certificate.index_proven.all()
    assert np.all(certificate.upper - certificate.lower <= 1e-11)  # noise^2 and rounding; the bad ones alone: 0.1


def test_upper_bounds_rest_on_the_pairs_from_their_own_on():
    """A leading pair that did not converge leaves those below it as they are."""
    K, V = exact_matrix(units(np.r_[100, 60, 30, 10, np.zeros(28)]))
    bad = np.cos(0.1) * V[:, 0] + np.sin(0.1) * V[:, 30]
    result = certify(K, np.column_stack([bad, V[:, 1:4]]), 4)
    assert result.certificate.residual[0] > 9
    # what is outside has eigenvalue one: mu - 60 = g / (mu - 1) with g = 0, up to rounding
    assert np.all(result.certificate.upper[1:] - result.values[1:] <= 1e-11)
    assert result.certificate.index_proven[1:].all()


def test_the_remainder_is_the_bound_of_wolkowicz_and_styan():
    """It is attained where all eigenvalues outside are equal, and where all but the largest are."""
    for outside, expected in ((np.full(28, 3.0), 3.0), (np.r_[5.0, np.full(27, 1.0)], 5.0)):
        K, V = exact_matrix(np.r_[100, 60, 30, 10, outside])
        remainder = certify(K, V[:, :4], 4).certificate.remainder
        assert remainder == pytest.approx(expected, abs=1e-4)  # rounding is under a root here: sqrt(1e-14) of 100


def test_the_remainder_is_never_more_than_the_norm_outside():
    for seed in range(50):
        rng = np.random.default_rng(seed)
        d = units(rng.uniform(-5, 10, 16))
        K, V = exact_matrix(d)
        result = certify(K, V[:, :5], 5)
        assert result.certificate.remainder <= np.linalg.norm(d[5:]) * (1 + 1e-10)


def test_a_basis_of_everything_leaves_nothing_outside():
    K, V = spread_out()
    certificate = certify(K, V, 32).certificate
    assert certificate.remainder == -np.inf
    assert certificate.index_proven.all()
    assert certificate.subspace_sine == 0
    assert np.all(certificate.upper - certificate.lower <= 2.1 * certificate.rounding)


# -- a matrix in the place of a larger one -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", SUBSPACES)
def test_a_trace_error_makes_it_a_certificate_of_the_larger_matrix(kind):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        smaller, V = exact_matrix(units(rng.exponential(3, 16)))
        F = rng.standard_normal((16, 2)) * 0.3
        larger = smaller + F @ F.T
        truth, W = sorted_pairs(*np.linalg.eigh(larger))
        m = int(rng.integers(2, 16))
        Q = subspace(kind, V, m, rng)
        trace = float(np.sum(F**2))
        result = certify(smaller, Q, 2, trace_error=trace)
        check_certificate(result, truth, kind)
        Z = np.linalg.svd(Q)[0][:, m:]
        assert result.certificate.remainder >= np.linalg.eigvalsh(Z.T @ larger @ Z)[-1] - 1e-12
        assert result.certificate.subspace_sine >= np.linalg.norm(W[:, 2:].T @ result.vectors, 2) - 1e-12
        assert np.all(
            np.linalg.norm(larger @ result.vectors - result.vectors * result.values, axis=0)
            <= trace + certify(smaller, Q, 2).certificate.residual + 1e-12
        )
