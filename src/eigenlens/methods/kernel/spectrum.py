"""From eigenpairs to components: what is rounding, what is negative, what is missing, and what to say about it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import DTypeLike

from ...core.errors import ConvergenceWarning, IndefiniteKernelError, IndefiniteKernelWarning, RankWarning, warn
from ...core.numerics import Array, clear_rounding, fix_signs, is_significantly_negative, subtract_column_means
from ...eigen import Certificate, EigenResult
from ...kernels import Definiteness, Kernel

_TELLING = 1e-3  # of the largest eigenvalue: below, an excess over the trace may be many roundings added up


@dataclass(frozen=True)
class Components:
    """The components that a model keeps."""

    values: Array  # (k,), none negative
    vectors: Array  # (n, k), of length one
    scores: Array  # (n, k): of the training rows, from the same exact product as the eigenvalues
    weights: Array  # (n, k): what turns kernel values of any row into its scores, H v / sqrt(lambda)
    certificate: Certificate
    variance: float  # in all of feature space, times n; zero if there is none to speak of

    @property
    def ratios(self) -> Array:
        """Share of each component in the variance."""
        return self.values / self.variance if self.variance else np.zeros_like(self.values)


def select_components(
    result: EigenResult, kernel: Kernel, *, asked: int | None, remove_zero: bool, indefinite: str
) -> Components:
    """Return the components to keep: rounding cleared, negative eigenvalues refused or dropped, signs fixed.

    ``asked`` is the number of components the user named, or None for all that are there.
    """
    n = len(result.vectors)
    values = clear_rounding(result.values, n)
    # where centring took nearly all of the matrix, what is left may be no more than its rounding
    values = np.where(np.abs(values) <= result.certificate.rounding, 0.0, values)
    negative = is_significantly_negative(values)
    mass = _negative_mass(values, result)
    if mass > 0:
        declared = kernel.definiteness is Definiteness.INDEFINITE
        refused = indefinite == "raise" or (indefinite == "auto" and bool(negative.any()) and not declared)
        _tell_of_negative(mass, values, refused)
    _judge_rank(values, mass, n, None if remove_zero else asked)
    keep = ~negative
    keep[n if asked is None else asked :] = False  # more may have been found, to know how negative the matrix is
    values = np.maximum(values, 0.0)  # what is negative and kept is rounding
    if remove_zero or asked is None:
        keep &= values > 0
    signs = fix_signs(result.vectors[:, keep])
    values, vectors = values[keep], result.vectors[:, keep] * signs
    scale = inverse_roots(values)
    return Components(
        values=values,
        vectors=vectors,
        scores=result.images[:, keep] * (signs * scale),
        weights=subtract_column_means(vectors) * scale,
        certificate=loosened(_part(result.certificate, keep), np.abs(result.values[keep] - values)),
        variance=max(result.trace, 0.0) if np.any(values > 0) else 0.0,
    )


def inverse_roots(values: Array) -> Array:
    """Return 1 / sqrt(lambda), zero for a component of eigenvalue zero: its feature-space length is nothing."""
    return np.divide(1.0, np.sqrt(values), out=np.zeros_like(values), where=values > 0)


def narrowed(values: Array, dtype: DTypeLike) -> Array:
    """Return eigenvalues in the dtype of the table, if they are numbers there."""
    with np.errstate(over="ignore", under="ignore"):
        narrow = values.astype(dtype, copy=False)
    if not np.isfinite(narrow).all() or np.any((narrow == 0) & (values > 0)):
        raise ValueError(
            f"The eigenvalues go from {values[-1]:.1e} to {values[0]:.1e}, more than {np.dtype(dtype)} holds. Pass the "
            "table as float64 (X.astype(float)), or scale it."
        )
    return narrow


def warn_unless_converged(result: EigenResult, tolerance: float) -> None:
    """Warn where the residual that was asked for was not reached."""
    residual = float(result.certificate.residual.max(initial=0.0))
    if result.converged or residual <= result.certificate.rounding:
        return
    reached = residual / max(float(np.max(np.abs(result.values))), np.finfo(np.float64).tiny)
    warn(
        f"After {result.passes} passes the residual is {reached:.1e} of the first eigenvalue, above the "
        f"{tolerance:.1e} that was asked for. Raise max_iter, or accept it by raising tol; certificate_ says what "
        "holds as it is.",
        ConvergenceWarning,
    )


def _negative_mass(values: Array, result: EigenResult) -> float:
    """Return what is known to be the least sum of the sizes of all negative eigenvalues, zero if rounding explains it.

    Those that were found are one such sum. And all eigenvalues add up to the trace: what the positive ones have too
    much, negative ones take away.
    """
    excess = float(values[values > 0].sum()) - result.trace
    if excess <= _TELLING * np.max(np.abs(values), initial=0.0):
        excess = 0.0
    mass = max(result.negative_mass, excess)
    return mass if mass > len(result.vectors) * result.certificate.rounding else 0.0


def _tell_of_negative(mass: float, values: Array, refused: bool) -> None:
    """Refuse negative eigenvalues, or warn of them."""
    share = f"{mass:.4g} in all at least, beside {float(values[values > 0].sum()):.4g} of the positive ones found"
    if refused:
        raise IndefiniteKernelError(
            f"There are significant negative eigenvalues ({share}): the centred kernel matrix is not positive "
            "semidefinite, so these have no component in a feature space. Ask for fewer components, use another "
            'kernel, or pass indefinite="warn" to keep only components with positive eigenvalues.'
        )
    warn(
        f"The centred kernel matrix is indefinite: it has negative eigenvalues ({share}). Only components with "
        "positive eigenvalues are kept; distances in the embedding leave the negative part out. "
        'indefinite="raise" refuses such kernels.',
        IndefiniteKernelWarning,
    )


def _judge_rank(values: Array, mass: float, n: int, asked: int | None) -> None:
    """Warn where fewer components exist than were asked for."""
    there = int(np.sum(values > 0))
    if there == 0 and mass > 0:
        warn("No positive eigenvalue was found, so that there is no component.", RankWarning)
    elif there == 0:
        warn(
            "The centred kernel matrix is zero up to rounding: all rows are equal as far as this kernel can tell, and "
            "there is no component. Check the table, or the width of the kernel.",
            RankWarning,
        )
    elif asked is not None and there < asked:
        warn(
            f"n_components={asked}, but only {there} of {n} eigenvalues were found to be positive beyond rounding: "
            f"any column beyond holds zeros. Set n_components={there}, or remove_zero_eig=True "
            "to leave such columns out.",
            RankWarning,
        )


def loosened(certificate: Certificate, moved: Array) -> Certificate:
    """Return the certificate for values that were moved by as much: cleared of rounding, or narrowed to float32."""
    return replace(
        certificate,
        residual=certificate.residual + moved,
        lower=certificate.lower - moved,
        upper=certificate.upper + moved,
    )


def _part(certificate: Certificate, keep: np.ndarray) -> Certificate:
    names = ("residual", "lower", "upper", "index_proven")
    return replace(certificate, **{name: getattr(certificate, name)[keep] for name in names})
