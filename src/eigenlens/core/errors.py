"""Errors and warnings; each text says what was wrong, where, and what to do."""

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
