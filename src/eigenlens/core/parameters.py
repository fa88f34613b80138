"""Rules for constructor parameters, as data: checked in fit, as scikit-learn has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

Rule = tuple[Callable[[Any], bool], str]  # a test, and what must hold in words


def integer(low: int, high: float = np.inf) -> Callable[[Any], bool]:
    """Test for a whole number from ``low`` to ``high``; True and False are no numbers here."""
    return lambda value: isinstance(value, Integral) and not boolean(value) and low <= int(value) <= high


def number(low: float = -np.inf) -> Callable[[Any], bool]:
    """Test for a finite number of at least ``low``."""

    def test(value: Any) -> bool:
        if not isinstance(value, Real) or boolean(value):
            return False
        try:
            size = float(value)
        except OverflowError:  # a whole number beyond all floating point ones
            return False
        return bool(np.isfinite(size)) and size >= low

    return test


def one_of(*options: Any) -> Callable[[Any], bool]:
    """Test for one of a few values; None counts only if it is among them."""
    return lambda value: any(value is option or (isinstance(value, str) and value == option) for option in options)


def boolean(value: Any) -> bool:
    """Test for True or False."""
    return isinstance(value, bool | np.bool_)


def either(*tests: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Test for any of several."""
    return lambda value: any(test(value) for test in tests)


def check_parameters(estimator: BaseEstimator, rules: Mapping[str, Rule]) -> None:
    """Raise ValueError for the first parameter that breaks its rule, saying what it must be."""
    for name, (test, words) in rules.items():
        value = getattr(estimator, name)
        if not test(value):
            raise ValueError(f"{type(estimator).__name__}({name}={value!r}): {name} must be {words}.")
