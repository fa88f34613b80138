"""Tables at the edge of what a kernel takes, and beyond it."""

import warnings

import numpy as np
import pytest
import scipy.sparse

from eigenlens.core.errors import KernelBlockError
from eigenlens.kernels import (
    RBF,
    AdditiveChiSquared,
    Callable,
    ChiSquared,
    Constant,
    Cosine,
    Laplacian,
    Linear,
    Matern,
    Normalised,
    Polynomial,
    Precomputed,
    RationalQuadratic,
    Rows,
    Tanh,
)
from eigenlens.kernels.rows import Pairs

ALL = [
    Linear(),
    Polynomial(),
    RBF(),
    Laplacian(),
    Matern(),
    RationalQuadratic(),
    Cosine(),
    Tanh(),
    ChiSquared(),
    AdditiveChiSquared(),
    Constant(),
    RBF() + Linear(),
    RBF().normalised(),
]


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


# -- refused ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [*ALL, Precomputed()], ids=repr)
@pytest.mark.parametrize(
    ("table", "error", "words"),
    [
        (np.array([[1.0, 2.0], [3.0, np.nan]]), ValueError, r"contains NaN: .* row 1, column 1"),
        (np.array([[1.0, np.inf], [3.0, 4.0]]), ValueError, r"contains infinity: .* row 0, column 1"),
        ([["a", "b"], ["c", "d"]], ValueError, "could not convert string to float: '?a"),
        (np.eye(2) * 1j, ValueError, "Complex data not supported"),
        (np.array([1.0, 2.0]), ValueError, r"(?s)Expected 2D array, got 1D array.*Reshape"),
        (np.empty((0, 2)), ValueError, "Found array with 0 sample"),
        (np.empty((2, 0)), ValueError, "0 feature"),
    ],
    ids=["nan", "infinity", "text", "complex", "one-dimensional", "no rows", "no columns"],
)
def test_bad_table_is_refused(kernel, table, error, words):
    for call in (kernel, kernel.diag):
        with pytest.raises(error, match=words):
            call(table)


def test_bad_second_table_is_refused():
    X = np.ones((2, 3))
    with pytest.raises(ValueError, match="contains NaN"):
        RBF()(X, np.full((1, 3), np.nan))
    with pytest.raises(ValueError, match="X has 3 features and Y has 2"):
        RBF()(X, np.ones((4, 2)))
    with pytest.raises(ValueError, match="row 1, column 0 is -3"):
        ChiSquared()(X, np.array([[1.0, 2, 0], [-3, 0, -1]]))


@pytest.mark.parametrize("kernel", [ChiSquared(), AdditiveChiSquared(), RBF() + ChiSquared(), 2 * ChiSquared() ** 2])
def test_negative_histogram_entry_is_named(kernel):
    X = np.array([[1.0, 2.0, 0.0], [0.0, -0.5, 1.0], [3.0, 0.0, -0.25]])
    for call in (kernel, kernel.diag):
        with pytest.raises(ValueError, match=r"row 1, column 1 is -0\.5\. Shift or clip"):
            call(X)


def test_sparse_histograms_are_refused_with_the_way_out():
    with pytest.raises(TypeError, match=r"convert the sparse table with X\.toarray\(\)"):
        ChiSquared()(scipy.sparse.csr_matrix(np.eye(2)))


@pytest.mark.parametrize("kernel", [Polynomial(1.5, coef0=0), Polynomial(0.5, gamma=-1), Linear() ** 0.5], ids=repr)
def test_fractional_power_of_a_negative_number_is_refused(kernel):
    X = np.array([[1.0, -3.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match=r"takes the power \d\.5 of -\d+, which is not a real number\. Choose a whole"):
        kernel(X)


def test_fractional_power_of_what_is_not_negative():
    X = np.array([[1.0, 0.0], [0.0, 3.0], [2.0, 2.0]])
    np.testing.assert_allclose(Polynomial(1.5, 1, 0)(X), (X @ X.T) ** 1.5, rtol=1e-14)
    assert Polynomial(2.5)(X.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize(
    ("kernel", "value"),
    [
        (Linear(), "inf"),
        (Polynomial(3), "inf"),
        (Polynomial(300), "inf"),
        (Linear() * Linear() + -1 * Linear() ** 2, "nan"),
        (Cosine(), "nan|inf"),
    ],
    ids=repr,
)
def test_block_that_is_not_finite_never_comes_out(kernel, value):
    X = np.array([[1.0, 0.0], [1e200, 1e200]])
    with pytest.raises(KernelBlockError, match=rf"is -?({value}) for rows \d and 1: scale the table"):
        kernel(X)


def test_block_too_large_for_float32_is_refused():
    X = np.array([[1e30]], np.float32)
    assert Linear()(X.astype(float)) == pytest.approx(1e60)
    with pytest.raises(KernelBlockError, match="is inf for rows 0 and 0"):
        Linear()(X)


def test_normalising_what_is_negative_on_the_diagonal_is_refused():
    with pytest.raises(
        ValueError, match=r"Tanh.* is negative on the diagonal \(-0\.7\d+\), so its images have no length"
    ):
        Normalised(Tanh(coef0=-1.0))(np.zeros((2, 1)))


def give(value):
    return lambda x, y: value


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (None, "NoneType"),
        ("text", "str"),
        (np.ones(2), r"ndarray of shape \(2,\)"),
        (np.ones((1, 1)), r"ndarray of shape \(1, 1\)"),
        (1j, "complex"),
        (np.complex128(1), "complex128"),
        (float("nan"), "nan"),
        (np.inf, "inf"),
    ],
    ids=repr,
)
def test_function_that_returns_no_number_is_refused(value, found):
    kernel = Callable(give(value))
    for call in (kernel, kernel.diag):
        with pytest.raises(
            KernelBlockError, match=rf"kernel function <lambda> returned {found}.*one finite real number"
        ):
            call(np.eye(2))


@pytest.mark.parametrize("value", [1, 1.0, True, np.float32(1), np.int64(1), np.array(1.0), np.True_], ids=repr)
def test_function_may_return_any_number(value):
    np.testing.assert_array_equal(Callable(give(value))(np.eye(2)), np.ones((2, 2)))


def test_function_that_depends_on_the_order_of_its_arguments_is_refused():
    def first_alone(x, y):
        return x[0]

    X = np.array([[1.0], [2.0], [3.0]])
    with pytest.raises(
        KernelBlockError, match="first_alone is not symmetric: it is 1 for rows 0 and 2 and 3 for rows 2"
    ):
        Callable(first_alone)(X)
    np.testing.assert_array_equal(Callable(first_alone)(X, X[:2]), [[1, 1], [2, 2], [3, 3]])  # two tables show nothing


def test_what_is_no_function_is_refused():
    with pytest.raises(TypeError, match="give a function of two rows"):
        Callable("rbf")


def test_precomputed_kernel_gives_the_matrix_back():
    K = np.array([[2, 1], [1, 3]])
    np.testing.assert_array_equal(Precomputed()(K), K)
    np.testing.assert_array_equal(Precomputed().diag(K), [2, 3])
    assert Precomputed()(K.astype(np.float32)).dtype == np.float32
    rows = Rows(K)
    for call in (lambda: Precomputed().evaluate(Pairs(rows, rows)), lambda: Precomputed().evaluate_diagonal(rows)):
        with pytest.raises(TypeError, match="pass the matrix of kernel values instead"):
            call()
    with pytest.raises(TypeError, match="Sparse data was passed"):
        Precomputed()(scipy.sparse.csr_matrix(K))


# -- accepted ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ALL, ids=repr)
def test_one_row_and_one_column(kernel):
    X = np.array([[2.0]])
    assert kernel(X).shape == (1, 1)
    np.testing.assert_allclose(kernel(X)[0], kernel.diag(X), rtol=1e-14)
    assert kernel(X, np.ones((3, 1))).shape == (1, 3)


@pytest.mark.parametrize("kernel", ALL, ids=repr)
@pytest.mark.parametrize("table", [[[1, 2], [3, 4]], np.array([[1, 2], [3, 4]], np.int8), np.array([[True, False]])])
def test_lists_integers_and_booleans_are_tables(kernel, table):
    K = kernel(table)
    assert K.dtype == np.float64
    np.testing.assert_array_equal(K, kernel(np.array(table, float)))


def test_views_and_memory_orders_give_equal_blocks():
    X = np.random.default_rng(0).standard_normal((12, 6))
    expected = RBF()(X[::2, ::3].copy())
    for table in (X[::2, ::3], np.asfortranarray(X[::2, ::3]), np.asfortranarray(X)[::2, ::3]):
        np.testing.assert_allclose(RBF()(table), expected, rtol=1e-15)
    read_only = X.copy()
    read_only.flags.writeable = False
    np.testing.assert_array_equal(RBF()(read_only), RBF()(X))


def test_mixed_precisions_give_the_wider():
    X = np.eye(3)
    assert RBF()(X, X.astype(np.float32)).dtype == np.float64
    assert RBF()(X.astype(np.float32), X.astype(np.float32)).dtype == np.float32


def test_zero_row_is_similar_to_nothing_under_cosine():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    for kernel in (Cosine(), Linear().normalised()):
        np.testing.assert_allclose(kernel(X), [[0, 0, 0], [0, 1, 0.5**0.5], [0, 0.5**0.5, 1]], rtol=1e-15)
        np.testing.assert_array_equal(kernel.diag(X), [0, 1, 1])


@pytest.mark.parametrize("kernel", [RBF(0), Laplacian(0), ChiSquared(0), Polynomial(degree=0), Polynomial(gamma=0)])
def test_kernel_that_sees_no_difference_is_one_everywhere(kernel):
    np.testing.assert_array_equal(kernel(np.array([[0.0, 1.0], [5.0, 0.0], [1e200, 3.0]])), np.ones((3, 3)))


NARROW = [
    RBF(1e300),
    Laplacian(1e300),
    Matern(1e-100),
    Matern(1e-100, 2.5),
    RationalQuadratic(1e-100, 5),
    ChiSquared(1e300),
]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kernel", NARROW, ids=repr)
def test_kernel_narrower_than_any_distance_tells_only_equal_rows(kernel, dtype):
    X = np.abs(np.random.default_rng(0).standard_normal((6, 3))).astype(dtype) + 100
    X[4] = X[1]
    equal = np.eye(6)
    equal[1, 4] = equal[4, 1] = 1
    for block in (kernel(X), kernel(X, X.copy()), kernel.evaluate(Pairs(Rows(X, dtype), Rows(X, dtype)))):
        assert block.dtype == dtype
        np.testing.assert_array_equal(block, equal)


@pytest.mark.parametrize("kernel", [*NARROW[:-1], RBF(), Matern(), RationalQuadratic(1.0, 3.0), Laplacian()], ids=repr)
def test_rows_too_far_for_their_distance_to_be_a_number(kernel):
    X = np.array([[-1e300, 0.0], [1e300, 1.0], [1e300, 1.0]])
    np.testing.assert_array_equal(kernel(X), [[1, 0, 0], [0, 1, 1], [0, 1, 1]])


@pytest.mark.parametrize("kernel", [RBF(1e4), Matern(0.01), RationalQuadratic(0.01, 1.0), Laplacian(100.0)], ids=repr)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_distances_small_beside_the_table_keep_their_digits(kernel, dtype):
    """Two clusters far apart and narrow: the mean takes nothing from the norms, so that the product alone cancels.

    Coordinates are multiples of 1/1024 below 2048, exact in both dtypes, and so are their differences.
    """
    near = np.random.default_rng(0).integers(-16, 16, (8, 2)) / 1024
    X = np.vstack([near + 1000, near - 1000]).astype(dtype)
    block = kernel.evaluate(Pairs(Rows(X, dtype), Rows(X, dtype)))
    expected = kernel(near)
    # differences are exact; the value's own few roundings remain, with exponents up to a hundred: 1e-4 in float32
    tolerance = 1e3 * np.finfo(dtype).eps
    for part in (slice(0, 8), slice(8, 16)):
        np.testing.assert_allclose(block[part, part], expected, rtol=0, atol=tolerance)
    assert np.abs(block[:8, 8:]).max() < 1e-8
