"""The kernels of sklearn.gaussian_process, as scikit-learn's pairwise_kernels takes them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from ..core.numerics import Array
from .base import Definiteness, Kernel
from .rows import Pairs, Rows

_CHUNK = 256  # rows whose matrix is made for the sake of its diagonal


@dataclass(frozen=True)
class GaussianProcess(Kernel):
    """k(x, y) by a kernel object of ``sklearn.gaussian_process.kernels``.

    It is always asked for two tables, so that a WhiteKernel, which tells a row from its copy, adds nothing.

    >>> from sklearn.gaussian_process.kernels import RBF
    >>> GaussianProcess(RBF(length_scale=1.0))([[0.0], [2.0]]).round(4).tolist()
    [[1.0, 0.1353], [0.1353, 1.0]]
    """

    kernel: Any

    @property
    def definiteness(self) -> Definiteness:
        """Not known of every such object."""
        return Definiteness.UNKNOWN

    def check(self, X: Any) -> None:
        """Refuse sparse tables, which these kernels do not take."""
        if scipy.sparse.issparse(X):
            raise TypeError(f"{self.kernel!r} does not take sparse tables: pass X.toarray(), or an eigenlens kernel.")

    def evaluate(self, pairs: Pairs) -> Array:
        """Return the kernel of the two tables."""
        return np.asarray(self.kernel(pairs.a.data, pairs.b.data))

    def evaluate_diagonal(self, rows: Rows) -> Array:
        """Return k(x, x) as a block has it; the object's own ``diag`` would count noise."""
        chunks = [rows.data[start : start + _CHUNK] for start in range(0, len(rows), _CHUNK)]
        return np.concatenate([np.diagonal(self.kernel(chunk, chunk)) for chunk in chunks])


def is_gaussian_process_kernel(value: Any) -> bool:
    """Tell whether this is such an object; there is none before their module was imported, and we do not import it."""
    module = sys.modules.get("sklearn.gaussian_process.kernels")
    return module is not None and isinstance(value, module.Kernel)
