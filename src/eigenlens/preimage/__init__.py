"""Back to input space."""

from .ridge import RidgePreimage

__all__ = ["RidgePreimage"]
