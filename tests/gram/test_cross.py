"""Blocks of new rows, and their products with weights, by tiles of any number."""

import numpy as np
import pytest
import scipy.sparse
from operator_registry import KERNELS, table

from eigenlens.gram import cross_block, cross_matmat
from eigenlens.kernels import Cosine

X = table(31)


@pytest.fixture(params=["usual tiles", "small tiles"])
def tiles(request):
    if request.param == "small tiles":
        request.getfixturevalue("small_tiles")


@pytest.mark.usefixtures("tiles")
@pytest.mark.parametrize("n_jobs", [1, 2, 5])
@pytest.mark.parametrize("m", [0, 1, 6, 7, 8, 50])
@pytest.mark.parametrize("name", ["rbf", "laplacian", "composite"])
def test_block_and_product_are_those_of_the_kernel(name, m, n_jobs, rng):
    kernel, Y, A = KERNELS[name], rng.standard_normal((m, 3)), rng.standard_normal((31, 4))
    block = kernel(Y, X) if m else np.empty((0, 31))
    np.testing.assert_allclose(cross_block(kernel, Y, X, n_jobs=n_jobs), block, atol=1e-13)
    np.testing.assert_allclose(cross_matmat(kernel, Y, X, A, n_jobs=n_jobs), block @ A, atol=1e-12)


@pytest.mark.usefixtures("tiles")
@pytest.mark.parametrize("kinds", [(np.asarray, scipy.sparse.csr_matrix), (scipy.sparse.csr_matrix, np.asarray)])
def test_sparse_and_dense_rows_go_together(kinds, rng):
    Y, kernel = rng.standard_normal((9, 3)), KERNELS["rbf"]
    np.testing.assert_allclose(cross_block(kernel, kinds[0](Y), kinds[1](X)), kernel(Y, X), atol=1e-13)


@pytest.mark.usefixtures("tiles")
def test_equal_bits_for_any_number_of_threads(rng):
    # every row of the answer belongs to one thread, whatever their number
    Y, A = rng.standard_normal((40, 3)), rng.standard_normal((31, 2))
    answers = [cross_matmat(KERNELS["rbf"], Y, X, A, n_jobs=n_jobs) for n_jobs in (1, 2, 5)]
    np.testing.assert_array_equal(answers[1], answers[0])
    np.testing.assert_array_equal(answers[2], answers[0])


def test_a_shift_that_is_given_takes_the_place_of_the_mean(rng):
    kernel, Y, shift = KERNELS["linear"], rng.standard_normal((4, 3)), np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(cross_block(kernel, Y, X, shift=shift), (Y - shift) @ (X - shift).T)
    np.testing.assert_allclose(cross_block(kernel, Y, X), (Y - X.mean(axis=0)) @ (X - X.mean(axis=0)).T, atol=1e-13)


@pytest.mark.parametrize("shape", [(30, 2), (32, 2), (31,)])
def test_weights_need_a_row_for_each_of_x(shape, rng):
    with pytest.raises(ValueError, match="a row for each of the 31 rows of X"):
        cross_matmat(KERNELS["rbf"], rng.standard_normal((5, 3)), X, np.ones(shape))


def test_rows_of_two_kinds_are_refused(rng):
    with pytest.raises(ValueError, match="X has 3 features and Y has 2"):
        cross_block(KERNELS["rbf"], rng.standard_normal((5, 2)), X)


def test_cosines_of_huge_and_tiny_rows(rng):
    Y = rng.standard_normal((6, 3))
    for unit in (1e-150, 1e150):
        np.testing.assert_allclose(cross_block(Cosine(), Y * unit, X), Cosine()(Y, X), atol=1e-14)
