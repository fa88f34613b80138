"""Rules for parameters accept what they say, and name what they refuse."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from eigenlens.core.parameters import boolean, check_parameters, either, integer, number, one_of

INTEGERS = [0, 3, -2, np.int64(3), np.uint8(200), 10**400]
REALS = [0.5, np.float32(0.5), np.float64(-3), Fraction(1, 3)]
TRUTHS = [True, False, np.True_]
OTHERS = [None, "1", "", 1j, [1], np.array([1, 2]), float("nan"), float("inf"), -np.inf, object()]
EVERYTHING = [*INTEGERS, *REALS, *TRUTHS, *OTHERS]


@pytest.mark.parametrize(
    ("test", "accepted"),
    [
        (integer(0), [0, 3, np.int64(3), np.uint8(200), 10**400]),
        (integer(1, 100), [3, np.int64(3)]),
        (number(), [*INTEGERS[:-1], *REALS]),
        (number(0.4), [3, np.int64(3), np.uint8(200), 0.5, np.float32(0.5)]),
        (boolean, TRUTHS),
        (one_of("1", None), ["1", None]),
        (one_of("auto"), []),
        (either(boolean, integer(201)), [*TRUTHS, 10**400]),
    ],
)
def test_rule_accepts_what_it_says_and_nothing_else(test, accepted):
    kinds = [(type(value), repr(value)) for value in EVERYTHING if test(value)]
    assert sorted(kinds, key=str) == sorted(((type(value), repr(value)) for value in accepted), key=str)


class Model(BaseEstimator):
    def __init__(self, alpha=1.0, solver="auto"):
        self.alpha, self.solver = alpha, solver


RULES = {"alpha": (number(0), "a number of at least 0"), "solver": (one_of("auto", "dense"), "'auto' or 'dense'")}


def test_first_broken_rule_is_named():
    check_parameters(Model(), RULES)
    with pytest.raises(ValueError, match=r"^Model\(alpha=-1\): alpha must be a number of at least 0\.$"):
        check_parameters(Model(-1, "other"), RULES)
    with pytest.raises(ValueError, match=r"^Model\(solver='other'\): solver must be 'auto' or 'dense'\.$"):
        check_parameters(Model(1, "other"), RULES)
