"""Choosing a kernel and its width from the data."""

from .width import median_gamma

__all__ = ["median_gamma"]
