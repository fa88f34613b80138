"""Parameters: scikit-learn's protocol reaches them, and bad ones are refused in words."""

import dataclasses
import re
from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.svm import SVC

from eigenlens.kernels import (
    RBF,
    Callable,
    ChiSquared,
    Constant,
    Laplacian,
    Linear,
    Matern,
    Normalised,
    Polynomial,
    Power,
    Precomputed,
    RationalQuadratic,
    Scaled,
    Sum,
    Tanh,
    as_kernel,
)
from eigenlens.kernels.names import NAMES


def test_get_params_reaches_into_parts():
    kernel = (0.5 * RBF(2.0) + Linear()).normalised()
    assert kernel.get_params() == {
        "kernel": kernel.kernel,
        "kernel__left": 0.5 * RBF(2.0),
        "kernel__left__kernel": RBF(2.0),
        "kernel__left__kernel__gamma": 2.0,
        "kernel__left__factor": 0.5,
        "kernel__right": Linear(),
    }
    assert kernel.get_params(deep=False) == {"kernel": kernel.kernel}


def test_set_params_reaches_into_parts():
    kernel = RBF(1.0) + 2 * Polynomial(3)
    assert kernel.set_params(left__gamma=4.0, right__kernel__degree=2, right__factor=5) is kernel
    assert kernel == RBF(4.0) + 5 * Polynomial(2)
    kernel.set_params(left=Laplacian(1.0), left__gamma=7.0)  # the new part, as scikit-learn has it
    assert kernel.left == Laplacian(7.0)


def test_set_params_leaves_shared_parts_alone():
    part = RBF(1.0)
    one, other = part + part, part * 2
    one.set_params(left__gamma=9.0)
    assert one == RBF(9.0) + RBF(1.0)
    assert other == RBF(1.0) * 2
    assert part == RBF(1.0)


@pytest.mark.parametrize("bad", [{"left__gamma": 2.0, "right__gamma": -1.0}, {"left__gamma": 2.0, "middle": 1}])
def test_set_params_changes_nothing_if_anything_is_wrong(bad):
    kernel = RBF(1.0) + Laplacian(1.0)
    with pytest.raises(ValueError, match=r"gamma must be|no parameter"):
        kernel.set_params(**bad)
    assert kernel == RBF(1.0) + Laplacian(1.0)


@pytest.mark.parametrize(
    ("kernel", "parameters", "words"),
    [
        (RBF(), {"sigma": 1}, "RBF has no parameter 'sigma'; it has gamma."),
        (Linear(), {"gamma": 1}, "Linear has no parameter 'gamma'; it has none."),
        (RBF() + RBF(), {"left__width": 1}, "RBF has no parameter 'width'; it has gamma."),
        (RBF(), {"gamma__width": 1}, "RBF has no parameter 'gamma__width'; it has gamma."),
        (Polynomial(), {"coef": 1}, "Polynomial has no parameter 'coef'; it has degree, gamma, coef0."),
    ],
)
def test_unknown_parameter_is_refused_with_the_known_ones(kernel, parameters, words):
    with pytest.raises(ValueError, match="^" + re.escape(words) + "$"):
        kernel.set_params(**parameters)


NO_NUMBER = [
    float("nan"),
    10**400,
    float("inf"),
    -float("inf"),
    "1",
    None,
    True,
    np.True_,
    1j,
    [1.0],
    np.array([1.0, 2.0]),
]


@pytest.mark.parametrize("value", NO_NUMBER, ids=repr)
@pytest.mark.parametrize(
    ("make", "name"),
    [
        (RBF, "gamma"),
        (Laplacian, "gamma"),
        (ChiSquared, "gamma"),
        (lambda value: Polynomial(degree=value), "degree"),
        (lambda value: Polynomial(gamma=value), "gamma"),
        (lambda value: Polynomial(coef0=value), "coef0"),
        (lambda value: Tanh(gamma=value), "gamma"),
        (lambda value: Tanh(coef0=value), "coef0"),
        (lambda value: Matern(length_scale=value), "length_scale"),
        (lambda value: RationalQuadratic(length_scale=value), "length_scale"),
        (lambda value: RationalQuadratic(alpha=value), "alpha"),
        (Constant, "value"),
        (lambda value: Scaled(RBF(), value), "factor"),
        (lambda value: Power(RBF(), value), "exponent"),
        (RBF.from_gamma, "gamma"),
        (RBF.from_denominator, "c"),
        (RBF.from_width, "c"),
        (RBF.from_sigma, "sigma"),
        (lambda value: as_kernel("rbf", gamma=value), "gamma"),
        (lambda value: as_kernel("matern", gamma=value), "gamma"),
        (lambda value: as_kernel("rational_quadratic", gamma=value), "gamma"),
    ],
)
def test_what_is_no_finite_number_is_refused_by_name(make, name, value):
    with pytest.raises(ValueError, match=rf"\({name}=.*{name} must be a finite number"):
        make(value)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: RBF(-0.5), r"RBF\(gamma=-0.5\): gamma must be a finite number of at least 0"),
        (lambda: Laplacian(-1), r"Laplacian\(gamma=-1\): .* at least 0"),
        (lambda: ChiSquared(-1), r"ChiSquared\(gamma=-1\): .* at least 0"),
        (lambda: Matern(0), r"Matern\(length_scale=0\): .* above 0"),
        (lambda: RationalQuadratic(alpha=0.0), r"alpha=0.0\): .* above 0"),
        (lambda: Polynomial(-1), r"Polynomial\(degree=-1\): .* at least 0"),
        (lambda: RBF() ** -1, r"Power\(exponent=-1\): .* at least 0"),
        (lambda: RBF.from_sigma(0), r"RBF\(sigma=0\): .* above 0"),
        (lambda: RBF.from_width(-2), r"RBF\(c=-2\): .* above 0"),
        (lambda: RBF.from_width(1e-200), r"RBF\(gamma=inf\)"),
        (lambda: Matern(nu=0.5), "nu must be 1.5 or 2.5"),
        (lambda: Matern(nu="1.5"), "nu must be 1.5 or 2.5"),
        (lambda: as_kernel("matern", gamma=0.0), "gamma must be a finite number above 0"),
    ],
)
def test_what_is_out_of_range_is_refused_with_the_range(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: Sum("rbf", RBF()),
        lambda: Sum(RBF(), 1),
        lambda: Scaled(None),
        lambda: Power("linear", 2),
        lambda: Normalised(RBF),
        lambda: (RBF() + RBF()).set_params(left="rbf"),
    ],
)
def test_part_that_is_no_kernel_is_refused(make):
    with pytest.raises(TypeError, match=r"must be a kernel object, such as RBF\(gamma=0.5\)"):
        make()


def test_numbers_of_any_real_type_are_accepted():
    for number in (2, 2.0, np.float32(2), np.int64(2), Fraction(2), np.uint8(2)):
        X = np.eye(3)
        np.testing.assert_array_equal(RBF(number)(X), RBF(2.0)(X))
        np.testing.assert_array_equal(Polynomial(number, number, number)(X), Polynomial(2.0, 2.0, 2.0)(X))
        np.testing.assert_array_equal(Matern(number)(X), Matern(2.0)(X))
        np.testing.assert_array_equal(RBF.from_sigma(number)(X), RBF.from_sigma(2.0)(X))
        np.testing.assert_array_equal((number * RBF() + number)(X), (2.0 * RBF() + 2.0)(X))
        np.testing.assert_array_equal((RBF() ** number)(X), (RBF() ** 2.0)(X))


def test_kernel_is_a_value():
    assert RBF(0.5) == RBF(0.5) != RBF(0.6)
    assert RBF(0.5) != Laplacian(0.5)
    assert len({RBF(0.5), RBF(0.5), RBF(0.5) + Linear(), RBF(0.5) + Linear()}) == 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        RBF().gamma = 2.0


def test_clone_shares_nothing():
    kernel = RBF(0.5) + 2 * Linear()
    copy = clone(kernel)
    assert copy == kernel
    assert copy.left is not kernel.left
    function = Callable(max, {"default": 0})
    assert clone(function) == function
    assert clone(function).parameters is not function.parameters


def test_support_vector_machine_takes_a_kernel_and_a_grid_reaches_it():
    X, y = load_iris(return_X_y=True)
    ours = cross_val_score(SVC(kernel=RBF(0.3)), X, y, cv=3)
    np.testing.assert_array_equal(ours, cross_val_score(SVC(kernel="rbf", gamma=0.3), X, y, cv=3))
    kernel = RBF(1.0) + Polynomial(2)
    grid = {"kernel__left__gamma": [1e-3, 0.1], "kernel__right__degree": [0, 2]}
    search = GridSearchCV(SVC(kernel=kernel), grid, cv=3).fit(X, y)
    scores = search.cv_results_["mean_test_score"]
    for parameters, score in zip(search.cv_results_["params"], scores, strict=True):
        machine = SVC(kernel=clone(kernel)).set_params(**parameters)
        assert score == pytest.approx(cross_val_score(machine, X, y, cv=3).mean())
    assert len(set(scores)) > 1  # the parameters do reach the kernel
    assert kernel == RBF(1.0) + Polynomial(2)


# -- names ------------------------------------------------------------------------------------------------------------


def test_every_name_makes_a_kernel_with_its_parameters():
    made = {name: as_kernel(name, gamma=0.5, degree=2, coef0=3) for name in NAMES}
    assert made["poly"] == made["polynomial"] == Polynomial(2, 0.5, 3)
    assert made["rbf"] == RBF(0.5)
    assert made["sigmoid"] == Tanh(0.5, 3)
    assert made["matern"] == Matern(1.0)
    assert made["rational_quadratic"] == RationalQuadratic(1.0)
    assert made["precomputed"] == Precomputed()


def test_kernel_objects_and_functions_are_taken_as_they_are():
    kernel = RBF(0.5)
    assert as_kernel(kernel, gamma=9.0) is kernel
    assert as_kernel(max, parameters={"default": 1}) == Callable(max, {"default": 1})


@pytest.mark.parametrize("kernel", ["RBF", "gauss", "", None, 3, ["rbf"], RBF], ids=repr)
def test_what_is_no_kernel_is_refused_with_what_is(kernel):
    with pytest.raises(ValueError, match=r"is not known; there are linear, poly, .* kernel objects .* and functions"):
        as_kernel(kernel)
