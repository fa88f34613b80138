"""Elementary functions of the compiled engine, in units in the last place, against mpmath and wider numbers."""

import mpmath
import numpy as np
import pytest

from eigenlens.engine import Engine, instruction_sets

EXP, DECAY, EXP2, LOG1P, TANH = range(5)
RNG = np.random.default_rng(0)
DTYPES = [np.float32, np.float64]
pytestmark = pytest.mark.parametrize("isa", instruction_sets())


def apply(isa, function, x):
    y = np.empty_like(x)
    Engine(isa).native.evaluate(isa, x.itemsize, function, x, y, len(x))
    return y


def near_and_far(low, high, count, dtype):
    """Numbers all over an interval, and of every size near zero."""
    small = RNG.uniform(-1, 1, count) * 10.0 ** RNG.uniform(-8, 0, count)
    x = np.concatenate([RNG.uniform(low, high, count), small[(small > low) & (small < high)], [low, high, 0.0]])
    return x.astype(dtype)


def units_off(y, exact):
    """Largest distance in units in the last place, from numbers with more digits."""
    exact = np.asarray(exact)
    unit = np.spacing(np.abs(exact.astype(y.dtype)))
    return float(np.max(np.abs((y - exact) / unit)))


def by_mpmath(function, x):
    """Values to forty digits."""
    with mpmath.workdps(40):
        return [function(mpmath.mpf(float(value))) for value in x]


def units_off_64(y, exact):
    with mpmath.workdps(40):
        return max(
            float(abs(mpmath.mpf(float(a)) - b)) / float(np.spacing(abs(float(b))))
            for a, b in zip(y, exact, strict=True)
        )


CASES = {
    # name: function, NumPy's, mpmath's, interval in float32, interval in float64, units
    "exp": (EXP, np.exp, mpmath.exp, (-87.3, 88.0), (-708.0, 709.0), 2),
    "decay": (DECAY, np.exp, mpmath.exp, (-87.3, 1.0), (-708.0, 1.0), 2),
    "exp2": (EXP2, np.exp2, lambda x: mpmath.power(2, x), (-126.0, 126.0), (-1022.0, 1022.0), 2),
    "log1p": (LOG1P, np.log1p, mpmath.log1p, (-0.9, 1e30), (-0.9, 1e200), 2),
    # a quotient of two numbers that are off by up to 1.5 units each
    "tanh": (TANH, np.tanh, mpmath.tanh, (-20.0, 20.0), (-40.0, 40.0), 3),
}


@pytest.mark.parametrize("name", CASES)
def test_float32_is_near_float64(isa, name):
    function, numpy_function, _, interval, _, units = CASES[name]
    x = near_and_far(*interval, 200_000, np.float32)
    assert units_off(apply(isa, function, x), numpy_function(x.astype(np.float64))) <= units


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_both_are_near_mpmath(isa, dtype, name):
    function, _, exact, interval32, interval64, units = CASES[name]
    x = near_and_far(*(interval32 if dtype == np.float32 else interval64), 500, dtype)
    y = apply(isa, function, x)
    values = by_mpmath(exact, x)
    if dtype == np.float64:
        assert units_off_64(y, values) <= units
    else:
        assert units_off(y, np.array([float(value) for value in values])) <= units


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_at_the_ends(isa, dtype):
    inf, nan = np.inf, np.nan
    lowest = np.log(np.finfo(dtype).tiny)  # below it, e^x is subnormal: zero is what products take as fast as others
    x = np.array([0.0, -0.0, inf, -inf, nan, 1e30, -1e30, lowest * 1.001], dtype)
    np.testing.assert_array_equal(apply(isa, EXP, x), np.array([1, 1, inf, 0, nan, inf, 0, 0], dtype))
    np.testing.assert_array_equal(apply(isa, TANH, x[:7]), np.array([0, 0, 1, -1, nan, 1, -1], dtype))
    y = apply(isa, DECAY, np.array([0.0, -inf, nan, -1e30, lowest * 1.001], dtype))
    np.testing.assert_array_equal(y, np.array([1, 0, nan, 0, 0], dtype))
    y = apply(isa, EXP2, np.array([0.0, 1.0, -1.0, -inf, nan, -1e30], dtype))
    np.testing.assert_array_equal(y, np.array([1, 2, 0.5, 0, nan, 0], dtype))
    y = apply(isa, LOG1P, np.array([0.0, 1e-40, nan], dtype))
    np.testing.assert_array_equal(y, np.array([0.0, 1e-40, nan], dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("count", [0, 1, 3, 15, 16, 17])
def test_any_number_of_numbers(isa, dtype, count):
    x = np.linspace(-1, 1, count).astype(dtype)
    np.testing.assert_allclose(apply(isa, EXP, x), np.exp(x), rtol=3 * np.finfo(dtype).eps)
