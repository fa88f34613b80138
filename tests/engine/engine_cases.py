"""Kernels that the compiled engine knows, and tables for it."""

import numpy as np

from eigenlens.kernels import RBF, Cosine, Laplacian, Linear, Matern, Polynomial, RationalQuadratic, Tanh

KERNELS = [
    RBF(gamma=0.1),
    RBF(gamma=1e9),  # by differences: products would lose all digits
    RBF(gamma=1e300),
    Matern(length_scale=2.0, nu=1.5),
    Matern(length_scale=0.5, nu=2.5),
    Matern(length_scale=1e-9, nu=2.5),
    RationalQuadratic(alpha=0.7),
    RationalQuadratic(length_scale=2.0, alpha=30.0),
    Laplacian(gamma=0.3),
    Linear(),
    Polynomial(degree=3, gamma=0.2),
    Polynomial(degree=2, gamma=-0.5, coef0=0.0),
    Polynomial(degree=0),
    Polynomial(degree=7, gamma=0.1, coef0=-1.0),
    Tanh(gamma=0.1, coef0=0.2),
    Cosine(),
    2.5 * RBF(gamma=0.2),
    -0.5 * (3.0 * Matern()),
]
DTYPES = [np.float32, np.float64]
# rows, new rows, features: one of all; less than a panel; more than a tile either way; more features than a chunk
SHAPES = [(1, 1, 1), (5, 3, 2), (130, 700, 3), (601, 77, 17), (70, 40, 300), (40, 9, 600)]


def tables(n, m, d, seed=0):
    """Rows and new rows, of which some are equal, and one is zero."""
    rng = np.random.default_rng(seed)
    X, Y = (2 * rng.standard_normal((rows, d)) / np.sqrt(d) + 0.5 for rows in (n, m))
    X[n // 2], Y[0] = X[0], X[0]
    X[-1] = 0 if n > 2 else X[-1]
    return X, Y


def tolerance(dtype, K):
    """Rounding of the largest values, of which a few dozen eps are lost in powers and steep profiles."""
    return (1e-4 if dtype == np.float32 else 1e-12) * max(float(np.abs(K).max()), 1e-30)
