"""What "similar" means: kernels as immutable values with parameters and algebra."""

from .algebra import Constant, Normalised, Power, Product, Scaled, Sum
from .base import Definiteness, Invariance, Kernel, shift_for
from .dot_products import Linear, Polynomial, Tanh
from .names import NAMES, as_kernel
from .others import AdditiveChiSquared, Callable, ChiSquared, Cosine, Laplacian, Precomputed
from .profiles import DotProduct, Radial
from .radial import RBF, Matern, RationalQuadratic
from .rows import Pairs, Rows

__all__ = [
    "NAMES",
    "RBF",
    "AdditiveChiSquared",
    "Callable",
    "ChiSquared",
    "Constant",
    "Cosine",
    "Definiteness",
    "DotProduct",
    "Invariance",
    "Kernel",
    "Laplacian",
    "Linear",
    "Matern",
    "Normalised",
    "Pairs",
    "Polynomial",
    "Power",
    "Precomputed",
    "Product",
    "Radial",
    "RationalQuadratic",
    "Rows",
    "Scaled",
    "Sum",
    "Tanh",
    "as_kernel",
    "shift_for",
]
