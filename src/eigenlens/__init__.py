"""Eigenlens: the shape of high-dimensional data, by kernel PCA and its family."""

__version__ = "0.1.0.dev0"
