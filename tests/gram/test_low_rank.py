"""Low-rank Gram matrices lie below the whole one, by no more than they say."""

import numpy as np
import pytest
import scipy.sparse
from operator_registry import table

from eigenlens.gram import CentredGram, nystroem, randomly_pivoted_cholesky
from eigenlens.kernels import RBF, Constant, Laplacian, Linear, Matern, Polynomial, Tanh

N = 90
MAKERS = {
    "uniform": nystroem,
    "kmeans": lambda *args, **options: nystroem(*args, landmarks="kmeans", **options),
    "pivoted": randomly_pivoted_cholesky,
    "pivoted, one at a time": lambda *args, **options: randomly_pivoted_cholesky(*args, block=1, **options),
}
KERNELS = [RBF(gamma=0.05), RBF(gamma=1e-4), RBF(gamma=50.0), Laplacian(gamma=0.3), Matern(), Polynomial(degree=3)]
KERNELS += [Linear(), Linear() + RBF(gamma=0.2), 0.0 * RBF()]
X = table(N, offset=4.0)
X[7] = X[3]  # a row twice


def same_frame(kernel, operator, X):
    """The matrix that the operator stands below: a kernel that only centring makes invariant is taken less the mean."""
    K = kernel(X - X.mean(axis=0))
    return K if kernel.invariance > 0 else kernel(X)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("count", [1, 12, N, 3 * N])
@pytest.mark.parametrize("maker", MAKERS)
def test_what_is_left_out_is_positive_and_bounded_by_the_trace_error(maker, count, kernel):
    operator = MAKERS[maker](kernel, X, count, rng=np.random.default_rng(count))
    K = same_frame(kernel, operator, X)
    for centre in (np.eye(N), np.eye(N) - 1 / N):
        values = np.linalg.eigvalsh(centre @ (K - operator.F @ operator.F.T) @ centre)
        # n eps trace: the rounding that the trace error states for itself
        rounding = N * np.finfo(float).eps * np.trace(K)
        assert values[0] >= -rounding
        assert values[-1] <= operator.trace_error + rounding
    assert np.trace(K) - np.sum(operator.F**2) <= operator.trace_error
    assert operator.trace_error <= max(np.trace(K) - np.sum(operator.F**2), 0) + 3 * rounding
    assert operator.F.shape[1] <= min(count, N)


@pytest.mark.parametrize("maker", MAKERS)
def test_enough_landmarks_leave_nothing_out(maker):
    kernel = Polynomial(degree=2)  # ten features of three
    operator = MAKERS[maker](kernel, X, 40, rng=np.random.default_rng(0))
    np.testing.assert_allclose(operator.F @ operator.F.T, kernel(X), rtol=1e-9)
    assert operator.trace_error <= 1e-9 * np.trace(kernel(X))


@pytest.mark.parametrize("block", [1, 5, 64])
def test_pivoted_cholesky_stops_soon_after_the_rank(block):
    operator = randomly_pivoted_cholesky(Polynomial(degree=2), X, N, block=block, rng=np.random.default_rng(0))
    # the rank is 10; a pivot may be spent on rounding before it is known for that, and the last block may pass it
    assert 10 <= operator.F.shape[1] <= 20 + block


def test_pivoted_cholesky_stops_at_the_tolerance():
    kernel, rng = RBF(gamma=0.05), np.random.default_rng(0)
    sizes = []
    for tolerance in (0.3, 0.1, 1e-3):
        operator = randomly_pivoted_cholesky(kernel, X, N, block=2, tolerance=tolerance, rng=rng)
        assert operator.trace_error <= tolerance * N * (1 + 1e-10)
        sizes.append(operator.F.shape[1])
    assert sizes == sorted(set(sizes))


@pytest.mark.parametrize("maker", ["uniform", "pivoted", "pivoted, one at a time"])
def test_landmarks_are_different_rows_that_come_back_exactly(maker):
    kernel = RBF(gamma=0.3)
    operator = MAKERS[maker](kernel, X, 15, rng=np.random.default_rng(1))
    chosen = operator.landmarks
    assert len(set(chosen)) == len(chosen) == 15
    np.testing.assert_allclose(operator.columns(chosen), kernel(X)[:, chosen], atol=1e-10)


@pytest.mark.parametrize("maker", MAKERS)
def test_equal_seeds_give_equal_factors(maker):
    first, again, other = (
        MAKERS[maker](RBF(gamma=0.3), X, 15, rng=np.random.default_rng(seed)).F for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("kernel", [RBF(gamma=0.3), Linear()], ids=repr)
@pytest.mark.parametrize("maker", MAKERS)
def test_sparse_rows_give_what_dense_ones_give(maker, kernel):
    counts = np.random.default_rng(0).poisson(0.7, (N, 5)).astype(float)
    dense, sparse = (
        CentredGram(MAKERS[maker](kernel, rows, 20, rng=np.random.default_rng(3)))
        for rows in (counts, scipy.sparse.csr_matrix(counts))
    )
    K = kernel(counts)
    K = K - K.mean(axis=0)
    K -= K.mean(axis=1)[:, None]
    for operator in (dense, sparse):
        assert np.linalg.norm(K - operator.factor @ operator.factor.T, 2) <= operator.trace_error + 1e-9
    # new rows of either kind
    for rows in (counts[:4], scipy.sparse.csr_matrix(counts[:4])):
        np.testing.assert_allclose(sparse.cross(rows), sparse.columns(np.arange(N))[:4], atol=1e-7)


@pytest.mark.parametrize("kernel", [Tanh(), Constant(-1.0), -1.0 * RBF()], ids=repr)
@pytest.mark.parametrize("maker", MAKERS)
def test_a_kernel_that_is_not_positive_is_refused(maker, kernel):
    with pytest.raises(ValueError, match=r"not positive semidefinite.*landmarks give no bound"):
        MAKERS[maker](kernel, X, 5, rng=np.random.default_rng(0))


@pytest.mark.parametrize("count", [0, -1, 2.5, "10"])
@pytest.mark.parametrize("method", [nystroem, randomly_pivoted_cholesky])
def test_a_number_of_landmarks_that_is_none_is_refused(method, count):
    with pytest.raises(ValueError, match=r"n_landmarks=.* whole number of at least 1"):
        method(RBF(), np.eye(5), count, rng=np.random.default_rng(0))


def test_unknown_landmarks_are_refused_by_name():
    with pytest.raises(ValueError, match=r"landmarks='foo'.*uniform.*kmeans"):
        nystroem(RBF(), np.eye(5), 2, landmarks="foo", rng=np.random.default_rng(0))
