"""Methods in the feature space of a kernel."""

from .kernel_pca import KernelPCA

__all__ = ["KernelPCA"]
