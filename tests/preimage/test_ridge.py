"""The learned map back to input space against a naive solve, and where it must refuse."""

import numpy as np
import pytest

from eigenlens.kernels import RBF, ChiSquared, Linear, Polynomial, Tanh
from eigenlens.preimage import RidgePreimage

KERNELS = [RBF(gamma=0.3), Linear(), Polynomial(degree=2), Tanh(gamma=0.5, coef0=1.0)]  # tanh is indefinite


def scores_and_rows(n=25, k=3, d=5):
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((n, k))
    return Z - Z.mean(axis=0), rng.standard_normal((n, d)) + np.arange(d)  # scores are centred


@pytest.mark.parametrize("alpha", [1e-3, 1.0])
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_it_is_kernel_ridge_regression_on_centred_rows(kernel, alpha):
    Z, X = scores_and_rows()
    new = np.random.default_rng(1).standard_normal((7, 3))
    learned = RidgePreimage.learn(kernel, Z, X, alpha)
    mean = X.mean(axis=0)
    dual = np.linalg.inv(kernel(Z) + alpha * np.eye(len(Z))) @ (X - mean)
    # an inverse loses as many digits as alpha is small beside the kernel matrix: seven at the worst here
    np.testing.assert_allclose(learned(new), kernel(new, Z) @ dual + mean, atol=1e-7)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_a_small_penalty_brings_the_training_rows_back(kernel):
    Z, X = scores_and_rows(n=8, k=8)
    if isinstance(kernel, RBF):
        np.testing.assert_allclose(RidgePreimage.learn(kernel, Z, X, 1e-10)(Z), X, atol=1e-6)
    A = np.random.default_rng(2).standard_normal((8, 5))
    linear = Z @ A + 3.0
    if isinstance(kernel, Linear):
        np.testing.assert_allclose(RidgePreimage.learn(kernel, Z, linear, 1e-10)(Z), linear, atol=1e-6)


def test_the_mean_comes_back_whatever_the_penalty():
    """Far from all scores, and under a penalty that leaves nothing else, the pre-image is the mean of the rows."""
    Z, X = scores_and_rows()
    mean = X.mean(axis=0)
    np.testing.assert_allclose(RidgePreimage.learn(RBF(gamma=0.3), Z, X, 1e12)(Z), np.tile(mean, (25, 1)), atol=1e-9)
    np.testing.assert_allclose(RidgePreimage.learn(RBF(gamma=0.3), Z, X, 1.0)(np.full((1, 3), 1e3))[0], mean)


def test_a_shift_of_the_rows_shifts_the_pre_images():
    Z, X = scores_and_rows()
    before = RidgePreimage.learn(RBF(gamma=0.3), Z, X, 0.5)(Z)
    after = RidgePreimage.learn(RBF(gamma=0.3), Z, X + 1e3, 0.5)(Z)
    np.testing.assert_allclose(after - 1e3, before, atol=1e-9)


def test_float32_rows_are_summed_in_float64():
    Z, X = scores_and_rows()
    narrow = (X + 1e4).astype(np.float32)
    learned = RidgePreimage.learn(RBF(gamma=0.3), Z, narrow, 0.5)
    np.testing.assert_allclose(learned.mean, narrow.astype(float).mean(axis=0), rtol=1e-14)
    assert learned.dual.dtype == np.float64


def test_neither_scores_nor_rows_are_written_to():
    Z, X = scores_and_rows()
    before = Z.copy(), X.copy()
    RidgePreimage.learn(RBF(gamma=0.3), Z, X, 0.5)(Z)
    np.testing.assert_array_equal(Z, before[0])
    np.testing.assert_array_equal(X, before[1])


def test_a_singular_matrix_is_refused_with_the_remedy():
    Z, X = np.zeros((4, 2)), np.eye(4)
    with pytest.raises(ValueError, match=r"alpha=0: .*singular.*Raise alpha"):
        RidgePreimage.learn(Linear(), Z, X, 0.0)


def test_rows_the_kernel_does_not_take_are_refused():
    Z, X = scores_and_rows()
    with pytest.raises(ValueError, match="negative"):
        RidgePreimage.learn(ChiSquared(), Z, X, 1.0)
