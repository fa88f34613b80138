"""Every solver against LAPACK, on kernel matrices and on spectra that are made to be hard."""

from itertools import product

import numpy as np
import pytest
import scipy.linalg
from sklearn.utils.extmath import randomized_svd

from eigenlens.eigen import SOLVERS, Choice, block_plan, solve
from eigenlens.gram import CentredGram, DenseGram, FactoredGram, KernelSource, TiledGram, centred_features
from eigenlens.kernels import RBF, Cosine, Laplacian, Linear, Matern, Polynomial, Tanh
from eigenlens.testing import check_certificate, check_pairs, check_solver, known_matrix

ALL = [solver for solver in SOLVERS if solver not in ("auto", "factor")]  # a factor has its own tests below
TOLERANCE = 1e-10
# Residuals, relative to the largest eigenvalue by size, and so twice that of eigenvalues: LAPACK's rounding for a
# decomposition; the default tolerance for iterations; seven powers promise nothing for the randomised method
REACHED = {"dense": 1e-13, "arpack": TOLERANCE, "lanczos": TOLERANCE, "block": TOLERANCE, "randomized": 1.0}


def find(K, k, solver, **options):
    operator = K if hasattr(K, "matmat") else DenseGram(K)
    return solve(operator, k, Choice(solver, "asked for"), rng=np.random.default_rng(0), **options)


@pytest.mark.parametrize("solver", ALL)
def test_solver_keeps_contracts(solver):
    def run(operator, k, rng):
        return solve(operator, k, Choice(solver, "asked for"), rng=rng)

    check_solver(run, counts=(1, 3, 8), tolerance=REACHED[solver])


# -- kernel matrices ---------------------------------------------------------------------------------------------------


X = np.random.default_rng(0).standard_normal((150, 4))
KERNELS = [RBF(gamma=0.1), RBF(gamma=3.0), Laplacian(gamma=0.2), Matern(), Polynomial(degree=3), Linear()]
KERNELS += [Cosine(), Tanh()]


@pytest.mark.parametrize("k", [1, 7, 60])
@pytest.mark.parametrize("solver", ["dense", "arpack", "lanczos", "block"])
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_eigenpairs_are_those_of_lapack(kernel, solver, k):
    C = kernel(X) - kernel(X).mean(axis=0)
    C -= C.mean(axis=1)[:, None]
    truth, vectors = scipy.linalg.eigh(C)
    truth, vectors = truth[::-1], vectors[:, ::-1]
    result = find(CentredGram(DenseGram(kernel(X))), k, solver)
    assert result.converged
    # eigenvalues err by the square of the residual, or by the residual where the next one is near: 1e-9 leaves ten
    np.testing.assert_allclose(result.values, truth[:k], atol=1e-9 * truth[0])
    check_pairs(result, C, k, solver)
    check_certificate(result, truth, solver)
    clear = np.abs(np.subtract.outer(truth[:k], truth)) > 1e-3 * truth[0]
    alone = np.flatnonzero(clear.sum(axis=1) == len(truth) - 1)
    cosines = np.abs(np.einsum("ij,ij->j", vectors[:, alone], result.vectors[:, alone]))
    assert np.all(cosines > 1 - 1e-12)  # the square of a residual of 1e-10 over a gap of 1e-3


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("k", [1, 5, 20])
def test_iterating_in_float32_ends_in_float64(k, n_jobs):
    """What was found in float32 is decided on in float64: eigenvalues are those of float64 kernel values."""
    rows = np.random.default_rng(1).standard_normal((700, 3))
    kernel = RBF(gamma=0.2)
    C = kernel(rows) - kernel(rows).mean(axis=0)
    C -= C.mean(axis=1)[:, None]
    truth = scipy.linalg.eigvalsh(C)[::-1]
    for cache in (0, 10**9):
        inner = TiledGram(KernelSource(kernel, rows), np.float32, cache_bytes=cache, n_jobs=n_jobs)
        result = find(CentredGram(inner), k, "block")
        assert result.converged
        assert result.certificate.residual.max() <= 1e-6 * truth[0]  # the default tolerance of float32
        # float32 values would be wrong by 1e-7; second order in a residual of 1e-6, or as the gap allows
        np.testing.assert_allclose(result.values, truth[:k], atol=1e-10 * truth[0])
        check_certificate(result, truth, cache)
        check_pairs(result, C, k, cache)


# -- spectra made to be hard -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["dense", "arpack", "lanczos", "block"])
class TestHardSpectra:
    def check(self, spectrum, k, solver, tolerance=1e-9):
        truth = np.sort(spectrum)[::-1]
        K = known_matrix(truth)
        result = find(K, k, solver)
        check_pairs(result, K, k, solver)
        check_certificate(result, truth, solver)
        np.testing.assert_allclose(result.values, truth[:k], atol=tolerance * np.abs(truth).max())
        return result

    def test_a_tie_across_the_last_one_asked_for(self, solver):
        self.check(np.r_[9.0, 5, 5, 5, 5, np.linspace(4, 0, 295)], 3, solver)

    def test_a_multiplicity_larger_than_any_block(self, solver):
        self.check(np.r_[np.full(120, 3.0), np.linspace(1, 0, 180)], 4, solver)

    def test_nothing_but_one_eigenvalue(self, solver):
        result = self.check(np.full(300, 2.5), 5, solver)
        assert solver == "dense" or not result.certificate.index_proven.any()

    def test_fewer_eigenvalues_than_asked_for(self, solver):
        self.check(np.r_[4.0, 2.0, np.zeros(298)], 6, solver)

    def test_many_close_together(self, solver):
        self.check(np.r_[1 + 1e-7 * np.arange(30), np.linspace(0.5, 0, 270)], 10, solver, tolerance=1e-6)

    def test_a_large_negative_end(self, solver):
        self.check(np.r_[np.linspace(1, 0, 250), np.linspace(-1e3, -2e3, 50)], 2, solver, tolerance=1e-8)

    def test_nothing_positive(self, solver):
        self.check(np.linspace(-1, -300, 300), 3, solver)

    def test_zero(self, solver):
        result = find(np.zeros((300, 300)), 3, solver)
        assert result.converged
        np.testing.assert_array_equal(result.values, 0)
        np.testing.assert_allclose(result.vectors.T @ result.vectors, np.eye(3), atol=1e-13)

    @pytest.mark.parametrize("scale", [1e-120, 1e-60, 1e60, 1e120])
    def test_the_scale_does_not_matter(self, solver, scale):
        truth = scale * np.linspace(1, 0, 200)
        result = find(known_matrix(truth), 3, solver)
        np.testing.assert_allclose(result.values, truth[:3], rtol=1e-9)
        assert result.certificate.residual.max() <= TOLERANCE * scale
        check_certificate(result, truth, solver)

    def test_two_rows(self, solver):
        result = find(np.array([[2.0, 1.0], [1.0, 2.0]]), 1, solver)
        np.testing.assert_allclose(result.values, [3.0])
        np.testing.assert_allclose(np.abs(result.vectors.ravel()), np.sqrt(0.5))


@pytest.mark.parametrize("solver", ["lanczos", "block"])
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 8])
def test_every_copy_of_a_tie_is_found_and_proven(k, solver):
    """Points evenly on a circle: all eigenvalues but one come in pairs, and one start vector sees one of each."""
    angles = 2 * np.pi * np.arange(400) / 400
    operator = CentredGram(DenseGram(RBF(gamma=1.0)(np.column_stack([np.cos(angles), np.sin(angles)]))))
    truth = scipy.linalg.eigvalsh(operator.whole()[0])[::-1]
    result = find(operator, k, solver)
    np.testing.assert_allclose(result.values, truth[:k], atol=1e-12 * truth[0])
    assert result.certificate.index_proven.all()
    check_certificate(result, truth, k)


@pytest.mark.parametrize("solver", ["block", "lanczos", "arpack", "randomized"])
@pytest.mark.parametrize("max_iter", [1, 2])
def test_of_a_low_rank_as_many_pairs_are_returned_as_asked_for(solver, max_iter):
    """Twenty rows, each thirty times: nothing but rounding is left beyond them."""
    X = np.eye(20)[np.arange(600) % 20]
    result = find(CentredGram(DenseGram(RBF(gamma=1.0)(X))), 60, solver, max_iter=max_iter)
    assert result.values.shape == (60,)
    np.testing.assert_allclose(result.vectors.T @ result.vectors, np.eye(60), atol=1e-12)


def test_the_randomised_method_converges_as_fast_as_scikit_learn_s():
    X = np.random.default_rng(0).standard_normal((400, 4))
    K = RBF(gamma=1.0)(X)
    C = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    truth = scipy.linalg.eigvalsh(C)[::-1]
    errors = {"ours": [], "theirs": []}
    for seed in range(5):
        ours = solve(DenseGram(C), 5, Choice("randomized", ""), rng=np.random.default_rng(seed)).values
        theirs = randomized_svd(C, 5, n_iter=7, random_state=seed)[1]
        errors["ours"].append(np.abs(ours - truth[:5]).max())
        errors["theirs"].append(np.abs(theirs - truth[:5]).max())
    assert max(errors["ours"]) <= 10 * max(errors["theirs"]) + 1e-12 * truth[0]


def test_the_randomised_method_says_that_a_tolerance_was_not_reached():
    assert find(SLOW, 4, "randomized").converged  # none was asked for
    assert not find(SLOW, 4, "randomized", tolerance=1e-10, iterated_power=1).converged


TIED = {
    "pairs": np.r_[np.repeat(np.linspace(10, 9, 20), 2), np.linspace(5, 0, 260)],
    "one pair above many": np.r_[10, 9, 9, 8, 7, 3.5 - np.linspace(0, 3, 295)],
    "three triples": np.r_[np.repeat([5.0, 4, 3], 3), 2, np.zeros(290)],
    "sixty copies": np.r_[np.full(60, 9.0), np.full(40, 8.0), np.ones(200)],
    "nothing but two": np.r_[np.ones(250), np.full(50, 0.5)],
    "nearly tied": np.r_[3, 2, 2 - 1e-11, 2 - 2e-11, np.ones(96), np.full(200, 0.1)],
}


@pytest.mark.parametrize("k", [1, 2, 3, 5, 8, 20, 70])
@pytest.mark.parametrize("spectrum", TIED)
@pytest.mark.parametrize("solver", ["lanczos", "block"])
def test_a_repeated_eigenvalue_counts_as_often_as_it_is_there(solver, spectrum, k):
    truth = TIED[spectrum]
    for seed in range(3):
        result = solve(DenseGram(known_matrix(truth, seed)), k, Choice(solver, ""), rng=np.random.default_rng(seed))
        assert result.converged
        np.testing.assert_allclose(result.values, truth[:k], atol=1e-9)
        check_certificate(result, truth, (spectrum, k))


SYMMETRIC = {
    "circle": np.column_stack([np.cos(2 * np.pi * np.arange(250) / 250), np.sin(2 * np.pi * np.arange(250) / 250)]),
    "grid": np.array(list(product(range(20), repeat=2))) / 4.0,
    "cube": np.array(list(product(range(7), repeat=3)), dtype=float),
    "factorial design": np.array(list(product([-1.0, 1.0], repeat=9))),
}


@pytest.mark.parametrize("k", [1, 2, 3, 4, 6, 10])
@pytest.mark.parametrize("kernel", [RBF(0.1), RBF(5.0), Polynomial(3, 1.0, 1.0), Laplacian(0.3)], ids=repr)
@pytest.mark.parametrize("table", SYMMETRIC)
def test_symmetric_tables_have_tied_components_and_lanczos_finds_all(table, kernel, k):
    operator = CentredGram(DenseGram.of(kernel, SYMMETRIC[table]))
    truth = scipy.linalg.eigvalsh(operator.whole()[0])[::-1]
    result = find(operator, k, "lanczos")
    np.testing.assert_allclose(result.values, truth[:k], atol=1e-9 * truth[0])
    check_certificate(result, truth, table)


@pytest.mark.parametrize("max_iter", [1, 5, 20])
def test_lanczos_that_runs_out_of_products_is_certified_as_it_is(max_iter):
    result = find(SLOW, 4, "lanczos", tolerance=1e-12, max_iter=max_iter)
    assert not result.converged
    assert result.passes == max(max_iter, 4)
    check_pairs(result, SLOW, 4, max_iter)
    check_certificate(result, np.linspace(1, 0, 400), max_iter)


def test_lanczos_goes_on_by_blocks_where_its_basis_is_full():
    truth = np.r_[2 + 1e-3 * np.arange(5), np.linspace(1.99, 0, 2495)]  # 0.1 % apart: 200 vectors do not resolve that
    K = known_matrix(truth)
    result = find(K, 3, "lanczos", tolerance=1e-12)
    assert result.converged
    assert result.passes > block_plan(2500, 3, None).capacity
    check_pairs(result, K, 3, "lanczos")
    np.testing.assert_allclose(result.values, np.sort(truth)[::-1][:3], atol=1e-8)


@pytest.mark.parametrize("k", [1, 2, 3, 10, 29, 30])
def test_as_many_as_there_are(k):
    truth = np.linspace(3, -1, 30)
    for solver in ("dense", "lanczos", "block"):
        np.testing.assert_allclose(find(known_matrix(truth), k, solver).values, truth[:k], atol=1e-9)
    # a random block of k + 10 vectors finds all that it has room for
    values = find(known_matrix(truth), k, "randomized").values
    np.testing.assert_allclose(values, truth[:k], atol=1e-9 if k + 10 >= 30 else 1.0)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("solver", ALL)
def test_a_cluster_without_landmarks_is_found_or_left_open(solver, seed):
    """Two parts of the matrix know nothing of each other, and the small one has the largest eigenvalues."""
    rng = np.random.default_rng(seed)
    large, small = known_matrix(np.linspace(5, 0, 396), seed), known_matrix([9.0, 7.0, 1.0, 1.0], seed)
    K = scipy.linalg.block_diag(large, small)
    order = rng.permutation(400)
    result = solve(DenseGram(K[np.ix_(order, order)]), 3, Choice(solver, ""), rng=rng)
    truth = np.sort(np.r_[np.linspace(5, 0, 396), 9, 7, 1, 1])[::-1]
    check_certificate(result, truth, solver)
    if solver != "randomized":
        np.testing.assert_allclose(result.values, truth[:3], atol=1e-8)


@pytest.mark.parametrize("seed", range(20))
def test_a_diagonal_matrix_deceives_no_certificate(seed):
    """Every landmark brings an exact eigenvector, so that an iteration has nothing left to do, and may be wrong."""
    d = np.random.default_rng(seed).exponential(3, 500)
    for solver in ALL:
        result = solve(DenseGram(np.diag(d)), 3, Choice(solver, ""), rng=np.random.default_rng(seed))
        check_certificate(result, np.sort(d)[::-1], solver)


# -- what was asked for ------------------------------------------------------------------------------------------------


SLOW = known_matrix(np.linspace(1, 0, 400))


@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-8, 1e-12])
@pytest.mark.parametrize("solver", ["block", "lanczos", "arpack"])
def test_tolerance_is_the_residual_relative_to_the_largest_eigenvalue(solver, tolerance):
    result = find(SLOW, 4, solver, tolerance=tolerance)
    assert result.converged
    assert result.certificate.residual.max() <= tolerance


def test_a_larger_tolerance_costs_fewer_passes():
    passes = [find(SLOW, 4, "block", tolerance=tolerance).passes for tolerance in (1e-2, 1e-5, 1e-9)]
    assert passes == sorted(set(passes))


@pytest.mark.parametrize("max_iter", [1, 3, 10])
def test_passes_that_run_out_are_said_to_and_certified_as_they_are(max_iter):
    result = find(SLOW, 4, "block", tolerance=1e-12, max_iter=max_iter)
    assert not result.converged
    assert result.passes == max_iter
    assert result.certificate.residual.max() > 1e-12
    check_certificate(result, np.linspace(1, 0, 400), max_iter)


def test_float32_passes_count_and_one_in_float64_follows():
    rows = np.random.default_rng(0).standard_normal((600, 10))
    operator = CentredGram(TiledGram(KernelSource(RBF(gamma=0.3), rows), np.float32, n_jobs=1))
    result = find(operator, 5, "block", tolerance=1e-12, max_iter=3)
    assert not result.converged
    assert result.passes == 4


def test_arpack_that_runs_out_keeps_what_it_has():
    result = find(SLOW, 4, "arpack", tolerance=1e-14, max_iter=1)
    assert not result.converged
    check_pairs(result, SLOW, 4, "arpack")
    check_certificate(result, np.linspace(1, 0, 400), "arpack")


def test_slow_progress_is_no_standstill():
    """A residual that falls by less than half in four passes goes on falling."""
    result = find(known_matrix(1 / np.sqrt(np.arange(1, 501))), 60, "block", tolerance=1e-6)
    assert result.converged


def test_a_tolerance_below_rounding_ends_all_the_same():
    result = find(known_matrix(np.r_[4.0, 3, 2, np.linspace(1, 0, 297)]), 2, "block", tolerance=1e-18)
    assert not result.converged
    assert result.passes < 40
    assert result.certificate.residual.max() <= 1e-13


def test_more_powers_make_the_randomised_method_better():
    residuals = [find(SLOW, 4, "randomized", iterated_power=powers).certificate.residual.max() for powers in (0, 2, 8)]
    assert residuals == sorted(residuals, reverse=True)


@pytest.mark.parametrize("solver", ALL)
def test_equal_seeds_repeat_exactly_and_others_agree(solver):
    K = known_matrix(np.r_[4.0, 3, 2, np.linspace(1, 0, 297)])
    first, again, other = (
        solve(DenseGram(K), 3, Choice(solver, ""), rng=np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first.vectors, again.vectors)
    assert first.passes == again.passes
    np.testing.assert_allclose(first.values, other.values, rtol=1e-3 if solver == "randomized" else 1e-9)


def test_arpack_refuses_all_of_them():
    with pytest.raises(ValueError, match=r'fewer components than samples.*eigen_solver="dense"'):
        find(known_matrix([3.0, 2.0, 1.0]), 3, "arpack")


def test_the_reason_is_passed_on():
    for solver in ALL:
        result = solve(DenseGram(SLOW), 2, Choice(solver, "because"), rng=np.random.default_rng(0))
        assert (result.solver, result.reason) == (solver, "because")


def test_negative_mass_is_that_of_the_spectrum_or_less():
    truth = np.r_[5.0, 3.0, np.zeros(90), -1.0, -2.0]
    assert find(known_matrix(truth), len(truth), "dense").negative_mass == pytest.approx(3.0)
    for solver in ALL:
        assert 0 <= find(known_matrix(truth), 2, solver).negative_mass <= 3.0 + 1e-9


# -- factors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "r"), [(50, 6), (50, 50), (6, 20), (2, 1)])
def test_a_factor_gives_the_eigenpairs_of_its_product(n, r):
    F = np.random.default_rng(1).standard_normal((n, r))
    K, truth = F @ F.T, scipy.linalg.eigvalsh(F @ F.T)[::-1]
    for k in sorted({1, min(n, 4), n}):
        result = find(FactoredGram(F), k, "factor")
        np.testing.assert_allclose(result.values, truth[:k], atol=1e-12 * truth[0])
        check_pairs(result, K, k, "factor")
        check_certificate(result, truth, "factor")


def test_centred_features_are_principal_components():
    rows = np.random.default_rng(0).standard_normal((40, 3)) * [5, 2, 1] + 100
    result = find(centred_features(rows), 3, "factor")
    np.testing.assert_allclose(result.values, np.linalg.svd(rows - rows.mean(axis=0))[1] ** 2, rtol=1e-10)


@pytest.mark.parametrize("F", [np.zeros((10, 2)), np.empty((10, 0))], ids=["zeros", "no columns"])
def test_a_factor_of_nothing(F):
    result = find(FactoredGram(F), 2, "factor")
    np.testing.assert_array_equal(result.values, 0)
    np.testing.assert_allclose(result.vectors.T @ result.vectors, np.eye(2), atol=1e-13)


def test_an_operator_without_factor_is_refused():
    with pytest.raises(TypeError, match="not held as a factor"):
        find(np.eye(3), 1, "factor")
