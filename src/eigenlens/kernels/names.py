"""Kernels by the names that scikit-learn knows, with its parameters."""

from __future__ import annotations

from collections.abc import Callable as Function
from typing import Any

from sklearn.base import clone

from .base import Kernel, refuse_bad_number
from .dot_products import Linear, Polynomial, Tanh
from .gaussian_process import GaussianProcess, is_gaussian_process_kernel
from .others import AdditiveChiSquared, Callable, ChiSquared, Cosine, Laplacian, Precomputed
from .radial import RBF, Matern, RationalQuadratic


def _length_scale(gamma: float) -> float:
    refuse_bad_number("kernel", "gamma", gamma, low=0, strict=True)
    return float((2 * gamma) ** -0.5)


_BY_NAME: dict[str, Function[[float, float, float], Kernel]] = {
    "linear": lambda gamma, degree, coef0: Linear(),
    "poly": lambda gamma, degree, coef0: Polynomial(degree, gamma, coef0),
    "polynomial": lambda gamma, degree, coef0: Polynomial(degree, gamma, coef0),
    "rbf": lambda gamma, degree, coef0: RBF(gamma),
    "sigmoid": lambda gamma, degree, coef0: Tanh(gamma, coef0),
    "laplacian": lambda gamma, degree, coef0: Laplacian(gamma),
    "cosine": lambda gamma, degree, coef0: Cosine(),
    "chi2": lambda gamma, degree, coef0: ChiSquared(gamma),
    "additive_chi2": lambda gamma, degree, coef0: AdditiveChiSquared(),
    # not scikit-learn's; gamma is read as the Gaussian's, so that all radial kernels share one sense of width
    "matern": lambda gamma, degree, coef0: Matern(_length_scale(gamma)),
    "rational_quadratic": lambda gamma, degree, coef0: RationalQuadratic(_length_scale(gamma)),
    "precomputed": lambda gamma, degree, coef0: Precomputed(),
}

NAMES = tuple(_BY_NAME)


def as_kernel(
    kernel: str | Kernel | Function[..., float],
    *,
    gamma: float = 1.0,
    degree: float = 3,
    coef0: float = 1,
    parameters: dict[str, Any] | None = None,
) -> Kernel:
    """Return the kernel that a name, a kernel object or a function of two rows stands for.

    gamma, degree and coef0 belong to names, ``parameters`` to functions; a kernel object carries its own.

    >>> as_kernel("poly", gamma=0.5, degree=2)
    Polynomial(degree=2, gamma=0.5, coef0=1)
    """
    if isinstance(kernel, Kernel):
        return kernel
    if is_gaussian_process_kernel(kernel):
        return GaussianProcess(clone(kernel))  # a later change of its parameters reaches no fitted model
    if callable(kernel) and not isinstance(kernel, type):
        return Callable(kernel, parameters)
    if not isinstance(kernel, str) or kernel not in _BY_NAME:
        raise ValueError(
            f"kernel={kernel!r} is not known; there are {', '.join(NAMES)}, kernel objects (RBF(gamma=0.5), not the "
            "class RBF) and functions of two rows."
        )
    return _BY_NAME[kernel](gamma, degree, coef0)
