"""How a contract is found broken, and said to be."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np


def fail(subject: Any, contract: str) -> NoReturn:
    """Say which contract of what is broken."""
    raise AssertionError(f"{subject if isinstance(subject, str) else repr(subject)} breaks a contract: {contract}.")


def expect_same(
    subject: Any, actual: Any, expected: Any, contract: str, tolerance: float, *, scale: float | None = None
) -> None:
    """Fail unless two arrays are equal up to ``tolerance`` times ``scale``, which is the largest expected entry."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    if actual.shape != expected.shape:
        fail(subject, f"{contract}, but the shapes are {actual.shape} and {expected.shape}")
    scale = float(np.max(np.abs(expected), initial=0)) if scale is None else scale
    difference = np.abs(np.asarray(actual, np.float64) - expected)
    if not np.max(difference, initial=0) <= tolerance * scale:  # NaN fails too
        place = tuple(int(i) for i in np.unravel_index(np.argmax(difference), difference.shape))
        fail(subject, f"{contract}, but entry {place} is {actual[place]:.17g} and not {expected[place]:.17g}")
