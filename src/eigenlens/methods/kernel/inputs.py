"""What a kernel asks of its table: found out by asking it, before there is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from ...kernels import Precomputed, as_kernel

_SPARSE, _NEGATIVE = scipy.sparse.csr_matrix((1, 1)), np.full((1, 1), -1.0)  # tables to ask with


def is_precomputed(kernel: Any) -> bool:
    """Tell whether the table is to be the kernel matrix itself, by name or by object."""
    return isinstance(kernel, Precomputed) or (isinstance(kernel, str) and kernel == "precomputed")


def takes_sparse(kernel: Any) -> bool:
    """Tell whether a kernel takes sparse tables."""
    return not is_precomputed(kernel) and _takes(kernel, _SPARSE)


def takes_negative(kernel: Any) -> bool:
    """Tell whether a kernel takes negative numbers."""
    return _takes(kernel, _NEGATIVE)


def has_score(model: Any) -> bool:
    """Say why a precomputed kernel gives no score; for all others there is one."""
    if is_precomputed(model.kernel):
        raise AttributeError(
            "Scores of a precomputed kernel would need k(x, x) of the new rows, which the block of new against "
            "training rows does not hold. Give the kernel as an object or a function instead."
        )
    return True


def _takes(kernel: Any, X: Any) -> bool:
    try:
        known = as_kernel(kernel)
    except (TypeError, ValueError):
        return True  # no kernel at all, which is for fit to refuse
    try:
        known.check(X)
    except (TypeError, ValueError):
        return False
    return True
