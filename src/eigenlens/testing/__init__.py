"""Public contract tests: run them on a kernel, an operator or a solver of your own, and read which contract it breaks.

>>> from eigenlens.kernels import RBF, Linear
>>> check_kernel(RBF(gamma=0.5) + Linear())
"""

from .kernels import KERNEL_CHECKS, check_kernel, normal_sample
from .operators import OPERATOR_CHECKS, check_operator
from .solvers import SPECTRA, check_certificate, check_pairs, check_solver, known_matrix

__all__ = [
    "KERNEL_CHECKS",
    "OPERATOR_CHECKS",
    "SPECTRA",
    "check_certificate",
    "check_kernel",
    "check_operator",
    "check_pairs",
    "check_solver",
    "known_matrix",
    "normal_sample",
]
