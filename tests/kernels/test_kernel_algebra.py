"""Laws that hold for every kernel and every table: algebra, and shifts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eigenlens.kernels import (
    RBF,
    AdditiveChiSquared,
    Callable,
    Constant,
    Cosine,
    Definiteness,
    Invariance,
    Laplacian,
    Linear,
    Matern,
    Normalised,
    Polynomial,
    Power,
    Product,
    RationalQuadratic,
    Scaled,
    Sum,
    Tanh,
)

# Derandomised, so that a run says the same everywhere; no deadline, so that a slow machine is no failure.
laws = settings(derandomize=True, deadline=None, max_examples=60)

positive = st.floats(0.01, 10)
simple = st.one_of(
    st.just(Linear()),
    st.just(Cosine()),
    st.builds(Polynomial, degree=st.integers(0, 4), gamma=positive, coef0=st.floats(0, 3)),
    st.builds(RBF, gamma=positive),
    st.builds(Laplacian, gamma=positive),
    st.builds(Matern, length_scale=positive, nu=st.sampled_from([1.5, 2.5])),
    st.builds(RationalQuadratic, length_scale=positive, alpha=positive),
    st.builds(Tanh, gamma=positive, coef0=st.floats(-2, 2)),
)
# multiples of 1/64, so that the data add no rounding of their own
cells = st.integers(-256, 256).map(lambda whole: whole / 64)
tables = st.integers(1, 4).flatmap(lambda d: st.tuples(*[arrays(float, (m, d), elements=cells) for m in (5, 3)]))


def near(actual, expected, *sizes):
    """Equal up to the rounding of operands of these sizes: a part may be evaluated from unshifted rows in a composite.

    Rows have norms up to 64 here and gamma goes to 10, so exponents carry errors up to about 1e3 eps, tanh and powers
    no more: 1e-11 is a hundred times that.
    """
    scale = max(1.0, *(float(np.abs(size).max()) for size in (expected, *sizes)))
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-11 * scale)


@laws
@given(simple, simple, tables, st.floats(-3, 3))
def test_sum_product_and_scaling(k, l, XY, c):
    X, Y = XY
    K, L = k(X, Y), l(X, Y)
    near((k + l)(X, Y), K + L, K, L)
    near((k * l)(X, Y), K * L, K, L)
    near((c * k + 2)(X, Y), c * K + 2, K)
    near((k + l).diag(X), k.diag(X) + l.diag(X))
    near((k * l).diag(X), k.diag(X) * l.diag(X))


@laws
@given(simple, tables, st.integers(0, 3))
def test_power_is_repeated_product(k, XY, exponent):
    X, Y = XY
    near((k**exponent)(X, Y), np.prod([np.ones((5, 3))] + [k(X, Y)] * exponent, axis=0))


@laws
@given(simple.filter(lambda k: not isinstance(k, Tanh)), tables)
def test_normalised_kernel_has_images_of_length_one(k, XY):
    X, Y = XY
    unit = k.normalised()
    there = k.diag(X) > 0
    np.testing.assert_array_equal(unit.diag(X), there)
    lengths = np.sqrt(np.outer(k.diag(X), k.diag(Y)))
    near(unit(X, Y) * lengths, k(X, Y), lengths)


@laws
@given(simple, tables)
def test_block_of_one_table_is_exactly_symmetric(k, XY):
    K = k(XY[0])
    np.testing.assert_array_equal(K, K.T)


RADIAL = [RBF(0.5), Laplacian(0.5), Matern(1.0, 1.5), Matern(1.0, 2.5), RationalQuadratic(1.0, 2.0)]


@laws
@given(
    tables, st.sampled_from([3e3, 1e6, 1e9]), st.sampled_from([*RADIAL, 2 * RADIAL[0] * RADIAL[2] + 1, RBF(0.5) ** 2])
)
def test_data_far_from_the_origin(XY, offset, kernel):
    """A shift leaves a shift-invariant kernel alone: distances do not cancel.

    Adding the offset is exact here (multiples of 1/64, and offset eps < 1/64), so only the subtraction of the mean
    rounds: by up to eps * offset a coordinate, the same for every row up to another rounding of that size. Squared
    distances move by 2 |x - y| times that a feature, at most 2 * 8 * 4 * 4 eps offset; no kernel here has a slope
    above 5 in them.
    """
    X, Y = XY
    tolerance = 5 * 256 * np.finfo(float).eps * offset + 1e-13
    np.testing.assert_allclose(kernel(X + offset, Y + offset), kernel(X, Y), rtol=0, atol=tolerance)
    np.testing.assert_allclose(kernel(X + offset), kernel(X), rtol=0, atol=tolerance)


@pytest.mark.parametrize("kernel", RADIAL, ids=repr)
def test_mean_is_subtracted_before_distances_are_made_by_a_product(kernel):
    """Norms of 3e7 still go by the product, whose rounding of 1e-8 the subtraction prevents.

    Going back by 3000 is exact (Sterbenz), so both tables hold the same numbers but for the offset; what remains is
    the rounding of the mean's subtraction, 3000 eps, times distances up to ten.
    """
    X = np.random.default_rng(0).standard_normal((30, 3)) + 3000
    np.testing.assert_allclose(kernel(X), kernel(X - 3000), rtol=0, atol=1e-10)
    np.testing.assert_allclose(kernel(X[:9], X), kernel(X[:9] - 3000, X - 3000), rtol=0, atol=1e-10)


def test_operators_build_what_they_say():
    k, l = RBF(0.5), Linear()
    assert k + l == Sum(k, l)
    assert k + 2 == 2 + k == Sum(k, Constant(2))
    assert k * l == Product(k, l)
    assert k * 2 == 2 * k == np.float64(2) * k == np.int64(2) * k == Scaled(k, 2)
    assert np.float32(2) + k == Sum(k, Constant(2.0))
    assert k**2 == Power(k, 2)
    assert k.normalised() == Normalised(k)
    assert sum([k, l]) == Sum(Sum(k, Constant(0)), l)
    with pytest.raises(ValueError, match="factor must be a finite number"):
        np.array([1.0, 2.0]) * k  # and not an array of two kernels


POSITIVE, CONDITIONAL = Definiteness.POSITIVE, Definiteness.CONDITIONAL
INDEFINITE, UNKNOWN = Definiteness.INDEFINITE, Definiteness.UNKNOWN


@pytest.mark.parametrize(
    ("kernel", "definiteness"),
    [
        (RBF(), POSITIVE),
        (Tanh(), INDEFINITE),
        (AdditiveChiSquared(), CONDITIONAL),
        (Callable(max), UNKNOWN),
        (Constant(0), POSITIVE),
        (Constant(-1), CONDITIONAL),
        (Polynomial(2, 1, 0), POSITIVE),
        (Polynomial(2, 1, -1), INDEFINITE),
        (Polynomial(2, -1, 1), INDEFINITE),
        (Polynomial(1.5), INDEFINITE),
        (RBF() + Linear(), POSITIVE),
        (RBF() + -0.5, CONDITIONAL),
        (RBF() + Tanh(), INDEFINITE),
        (RBF() + Callable(max), UNKNOWN),
        (RBF() * Linear(), POSITIVE),
        (RBF() * AdditiveChiSquared(), UNKNOWN),
        (2 * AdditiveChiSquared(), CONDITIONAL),
        (-1 * Linear(), INDEFINITE),
        (Linear() ** 2, POSITIVE),
        (Linear() ** 0.5, UNKNOWN),
        (Tanh() ** 2, UNKNOWN),
        (Linear().normalised(), POSITIVE),
        (AdditiveChiSquared().normalised(), UNKNOWN),
    ],
    ids=repr,
)
def test_definiteness_of_composites(kernel, definiteness):
    assert kernel.definiteness is definiteness


@pytest.mark.parametrize(
    ("kernel", "invariance"),
    [
        (RBF(), Invariance.EXACT),
        (Linear(), Invariance.CENTRED),
        (Polynomial(), Invariance.NONE),
        (RBF() + Laplacian(), Invariance.EXACT),
        (RBF() + Linear(), Invariance.CENTRED),
        (RBF() + Cosine(), Invariance.NONE),
        (RBF() * Laplacian(), Invariance.EXACT),
        (RBF() * Linear(), Invariance.NONE),
        (2 * Linear(), Invariance.CENTRED),
        (Linear() ** 1, Invariance.NONE),
        (RBF() ** 2, Invariance.EXACT),
        (Linear().normalised(), Invariance.NONE),
        (RBF().normalised(), Invariance.EXACT),
        (Constant(1), Invariance.EXACT),
    ],
    ids=repr,
)
def test_invariance_of_composites(kernel, invariance):
    assert kernel.invariance is invariance


@pytest.mark.parametrize(
    "kernel", [RBF() + Callable(max), Callable(max) * RBF(), 2 * Callable(max), Callable(max) ** 2]
)
def test_composite_is_trusted_only_if_its_parts_are(kernel):
    assert not kernel.trusted
    assert (RBF() + 2 * Linear().normalised() ** 2).trusted
