"""What KernelPCA's parameters must be."""

from __future__ import annotations

import numpy as np

from ...core.parameters import Rule, boolean, either, integer, number, one_of
from ...eigen import SOLVERS
from ...kernels import NAMES, Kernel

_METHODS = tuple(name for name in SOLVERS if name != "factor")

KERNEL_PCA: dict[str, Rule] = {
    "n_components": (either(one_of(None), integer(1)), "None or a whole number of at least 1"),
    "kernel": (
        either(one_of(*NAMES), lambda value: isinstance(value, Kernel) or callable(value)),
        f"one of {', '.join(NAMES)}, a kernel object, or a function of two rows",
    ),
    "gamma": (either(one_of(None, "median"), number(0)), 'None, "median" or a number of at least 0'),
    "degree": (number(0), "a number of at least 0"),
    "coef0": (number(), "a finite number"),
    "kernel_params": (lambda value: value is None or isinstance(value, dict), "None or a dict"),
    "alpha": (number(0), "a number of at least 0"),
    "inverse_gamma": (either(one_of(None, "median"), number(0)), 'None, "median" or a number of at least 0'),
    "fit_inverse_transform": (boolean, "True or False"),
    "eigen_solver": (one_of(*_METHODS), f"one of {', '.join(_METHODS)}"),
    "tol": (number(0), "a number of at least 0"),
    "max_iter": (either(one_of(None), integer(1)), "None or a whole number of at least 1"),
    "iterated_power": (either(one_of("auto"), integer(0)), '"auto" or a whole number of at least 0'),
    "remove_zero_eig": (boolean, "True or False"),
    "indefinite": (one_of("auto", "warn", "raise"), '"auto", "warn" or "raise"'),
    "copy_X": (boolean, "True or False"),
    "n_jobs": (either(one_of(None), integer(-(10**6), -1), integer(1)), "None or a whole number other than 0"),
    "random_state": (
        either(one_of(None), integer(0, 2**32 - 1), lambda value: isinstance(value, np.random.RandomState)),
        "None, a whole number from 0 to 2**32 - 1, or a numpy.random.RandomState",
    ),
    "verbose": (either(boolean, integer(0)), "True, False or a whole number of at least 0"),
}
