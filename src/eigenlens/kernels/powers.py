"""Powers of a block of kernel values, in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.numerics import Array


def is_whole(exponent: float) -> bool:
    """Tell whether an exponent is a whole number, of whatever type."""
    return float(exponent).is_integer()


def raise_to(block: Array, exponent: float, kernel: Any) -> Array:
    """Return block^exponent, written over the block; 0^0 is 1.

    A fractional power of a negative number is not real: it is refused, naming the kernel that asked for it.
    """
    if is_whole(exponent):
        return _whole_power(block, int(exponent))
    lowest = np.min(block, initial=0)
    if lowest < 0:
        raise ValueError(
            f"{kernel!r} takes the power {float(exponent):g} of {lowest:g}, which is not a real number. Choose a whole "
            "exponent, or keep its base from being negative (non-negative features, or a larger constant added)."
        )
    return np.power(block, float(exponent), out=block)  # a plain number: a NumPy one would widen float32


def _whole_power(block: Array, exponent: int) -> Array:
    """Square and multiply, from the exponent's first binary digit on: many times faster than a general power."""
    if exponent == 0:
        block.fill(1)
        return block
    digits = f"{exponent:b}"
    base = block.copy() if "1" in digits[1:] else block
    with np.errstate(over="ignore"):  # what is no number any more is refused where blocks enter, by its place
        for digit in digits[1:]:
            np.square(block, out=block)
            if digit == "1":
                block *= base
    return block
