"""Certificates of a whole decomposition, and of a low-rank matrix in the place of the whole one."""

import numpy as np
import pytest
from exact_matrices import SPECTRA, exact_matrix, units

from eigenlens.eigen import Choice, certify_decomposition, solve
from eigenlens.gram import CentredGram, DenseGram, FactoredGram, nystroem, randomly_pivoted_cholesky
from eigenlens.gram.base import moments_of
from eigenlens.kernels import RBF, Laplacian, Linear, Polynomial
from eigenlens.testing import check_certificate


@pytest.mark.parametrize("spectrum", SPECTRA)
def test_every_eigenvalue_is_enclosed(spectrum):
    for n in (2, 8, 64):
        for seed in range(5):
            d = SPECTRA[spectrum](n, np.random.default_rng([n, seed]))
            K, truth = exact_matrix(d)[0], np.sort(d)[::-1]
            for k in sorted({1, n // 2, n}):
                result = solve(DenseGram(K), k, Choice("dense", ""), rng=np.random.default_rng(0))
                check_certificate(result, truth, f"{spectrum}, n={n}, k={k}, seed={seed}")
                certificate = result.certificate
                assert certificate.index_proven.all()
                assert certificate.remainder >= truth[k] if k < n else certificate.remainder == -np.inf
                # no wider than rounding: a few thousand eps
                norm = np.linalg.norm(d)
                assert np.all(certificate.upper - certificate.lower <= 1e-12 * norm)


def test_measured_residuals_widen_the_enclosure():
    """A decomposition that is off by more than rounding says so."""
    d = units(np.arange(16.0))[::-1]
    K, V = exact_matrix(d)
    off = V[:, 0] + 1e-6 * V[:, 5]
    residual = np.array([np.linalg.norm(K @ off - 15 * off)])
    certificate = certify_decomposition(d[:1] + 5e-6, residual, moments_of(K), 16)
    assert certificate.lower[0] <= 15 <= certificate.upper[0]


KERNELS = [RBF(gamma=0.1), RBF(gamma=5.0), Laplacian(gamma=0.3), Polynomial(degree=2), Linear()]
MAKERS = {
    "uniform": nystroem,
    "kmeans": lambda *args, **options: nystroem(*args, landmarks="kmeans", **options),
    "pivoted": randomly_pivoted_cholesky,
}


X = np.random.default_rng(0).standard_normal((60, 3)) + 2


@pytest.mark.parametrize("landmarks", [2, 15, 60])
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_low_rank_certificates_enclose_the_eigenvalues_of_the_whole_matrix(kernel, maker, landmarks):
    """lambda_i(HK'H) <= lambda_i(HKH) <= lambda_i(HK'H) + trace(K - K'), whichever solver finds those of HK'H."""
    C = kernel(X) - kernel(X).mean(axis=0)
    truth = np.linalg.eigvalsh(C - C.mean(axis=1)[:, None])[::-1]
    operator = CentredGram(MAKERS[maker](kernel, X, landmarks, rng=np.random.default_rng(0)))
    for solver in ("factor", "dense", "lanczos", "block", "arpack", "randomized"):
        result = solve(operator, 4, Choice(solver, ""), rng=np.random.default_rng(0))
        check_certificate(result, truth, f"{solver}, {landmarks} landmarks")
        assert np.all(result.certificate.upper - result.certificate.lower >= operator.trace_error)
        assert np.all(result.certificate.residual >= operator.trace_error)


def test_the_bounds_of_a_low_rank_matrix_are_attained():
    """K' leaves out t along one eigenvector: that eigenvalue moves by all of t, the others not at all."""
    d = units([9.0, 5.0, 3.0, 1.0, 0, 0, 0, 0])
    V = exact_matrix(d)[1]
    left_out = 3.0
    F = V[:, :4] * np.sqrt(d[:4] - np.array([0, left_out, 0, 0]))
    result = solve(FactoredGram(F, trace_error=left_out), 3, Choice("factor", ""), rng=np.random.default_rng(0))
    np.testing.assert_allclose(result.values, [9, 3, 2], atol=1e-12)
    check_certificate(result, d, "attained")
    assert result.certificate.upper[1] == pytest.approx(6)
