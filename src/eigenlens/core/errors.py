"""Errors and warnings; each text says what was wrong, where, and what to do."""

import inspect
import warnings

from sklearn.exceptions import ConvergenceWarning as _SklearnConvergenceWarning


class EigenlensWarning(UserWarning):
    """Base of every warning that Eigenlens gives, so that one filter reaches all."""


class IndefiniteKernelWarning(EigenlensWarning):
    """The kernel matrix has negative eigenvalues that rounding does not explain."""


class RankWarning(EigenlensWarning):
    """Fewer components exist than were asked for."""


class ConvergenceWarning(EigenlensWarning, _SklearnConvergenceWarning):
    """The certified residual is above the tolerance that was asked for."""


class IndefiniteKernelError(ValueError):
    """An indefinite kernel matrix where it is refused."""


class KernelBlockError(ValueError):
    """A kernel returned a block that cannot be part of a kernel matrix."""


class MemoryLimitError(ValueError):
    """The memory limit cannot hold what the computation needs at least."""


_BETWEEN = ("eigenlens", "sklearn", "joblib")  # packages between the user's call and a warning


def warn(message: str, category: type[Warning]) -> None:
    """Warn, pointing at the user's line that called, through however many functions of ours and scikit-learn's."""
    frame, level = inspect.currentframe(), 1
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _BETWEEN:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
