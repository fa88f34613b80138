"""One road from ``random_state`` to numbers, so that equal seeds give equal answers."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state

RandomState = int | np.random.RandomState | None


def generator(random_state: RandomState) -> np.random.Generator:
    """Return a NumPy Generator for scikit-learn's ``random_state`` (None, an integer, or a RandomState).

    >>> float(generator(0).standard_normal()) == float(generator(0).standard_normal())
    True
    """
    if isinstance(random_state, Integral):
        return np.random.default_rng(int(random_state))  # a RandomState between would take as long as a small fit
    return np.random.default_rng(check_random_state(random_state).randint(0, 2**31 - 1, size=4))
