"""Eigenlens: the shape of high-dimensional data, by kernel PCA and its family."""

from .methods.kernel import KernelPCA

__version__ = "0.1.0.dev0"
__all__ = ["KernelPCA"]
