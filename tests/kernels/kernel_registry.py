"""Every kernel with a few settings of its parameters: what the contracts are crossed with."""

import numpy as np
import scipy.sparse

from eigenlens.kernels import (
    RBF,
    AdditiveChiSquared,
    Callable,
    ChiSquared,
    Constant,
    Cosine,
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
from eigenlens.testing import normal_sample


def inner(x, y, scale=1.0):
    """A function of two rows as scikit-learn hands them over: arrays, or CSR matrices of one row."""
    product = x @ y.T
    return scale * (product.toarray().item() if scipy.sparse.issparse(product) else product.item())


def gaussian(x, y):
    return np.exp(-(inner(x, x) - 2 * inner(x, y) + inner(y, y)))


# np.float64 parameters stand here because grids and searches yield them, and they must not widen float32
ANY_ROWS = [
    Linear(),
    Polynomial(degree=0),
    Polynomial(degree=1, gamma=0.5),
    Polynomial(degree=2),
    Polynomial(degree=3, gamma=0.5, coef0=2.0),
    Polynomial(degree=np.float64(5), gamma=np.float64(0.3), coef0=np.float64(1)),
    Polynomial(degree=3, gamma=-0.5, coef0=-1.0),
    Polynomial.homogeneous(2),
    Polynomial.homogeneous(3, gamma=0.7),
    Polynomial.inhomogeneous(4, coef0=0.5),
    RBF(gamma=0.0),
    RBF(gamma=0.5),
    RBF(gamma=np.float64(1e3)),
    RBF(gamma=1e300),
    RBF.from_denominator(0.1),
    RBF.from_width(3.0),
    RBF.from_sigma(2.0),
    Laplacian(gamma=0.0),
    Laplacian(gamma=np.float64(0.7)),
    Laplacian(gamma=1e300),
    Matern(),
    Matern(length_scale=np.float64(0.3), nu=np.float64(1.5)),
    Matern(length_scale=2.0, nu=2.5),
    Matern(length_scale=1e-9, nu=2.5),
    RationalQuadratic(),
    RationalQuadratic(length_scale=np.float64(0.5), alpha=np.float64(0.2)),
    RationalQuadratic(length_scale=2.0, alpha=1e6),
    Cosine(),
    Tanh(),
    Tanh(gamma=np.float64(2.0), coef0=np.float64(-1.0)),
    Constant(2.0),
    Constant(np.float64(0.0)),
    Constant(-1.0),
    Callable(inner),
    Callable(inner, {"scale": 2.0}),
    Callable(gaussian),
    # composites
    Linear() + RBF(gamma=0.5),
    Cosine() + Tanh(),
    RBF(gamma=2.0) + 1.5,
    RBF(gamma=2.0) + -0.5,
    RBF() + Polynomial(degree=2),
    Product(Linear(), RBF(gamma=0.5)),
    RBF(gamma=0.5) * Matern(),
    Linear() * Tanh(),
    np.float64(0.5) * RBF(gamma=0.5),
    Scaled(Linear(), 0.0),
    -2 * Laplacian(),
    Linear() ** 2,
    Power(RBF(gamma=0.5), np.float64(0.5)),
    Power(Cosine() + 1, 3),
    Tanh() ** 0,
    Normalised(Polynomial(degree=2)),
    Linear().normalised(),
    (3 * RBF(gamma=0.5) + Linear()).normalised(),
    0.5 * (RBF(gamma=2.0) + Linear() ** 2) * (Matern(nu=2.5) + 0.25 * Cosine()) + Callable(inner),
    Sum(Product(Scaled(RBF(gamma=0.1), 2.0), Constant(3.0)), Power(Normalised(Linear() + 1), 2)),
]

HISTOGRAMS = [
    ChiSquared(),
    ChiSquared(gamma=np.float64(0.2)),
    ChiSquared(gamma=0.0),
    ChiSquared(gamma=1e300),
    AdditiveChiSquared(),
    AdditiveChiSquared() + RBF(gamma=0.5),
    2.0 * ChiSquared() * Linear(),
    Polynomial(degree=1.5),
    Polynomial(degree=0.5, coef0=0.0),
    Linear() ** 2.5,
]

SAMPLES = [(kernel, normal_sample) for kernel in ANY_ROWS]
SAMPLES += [(kernel, lambda dimension: np.abs(normal_sample(dimension))) for kernel in HISTOGRAMS]
