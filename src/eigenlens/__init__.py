"""Eigenlens: the shape of high-dimensional data, by kernel PCA and its family."""

from .engine import show_config
from .methods.kernel import KernelPCA

__version__ = "0.1.0.dev0"
__all__ = ["KernelPCA", "show_config"]
