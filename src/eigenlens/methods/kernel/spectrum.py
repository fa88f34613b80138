"""From eigenpairs to components: what is rounding, what is negative, what is missing, and what to say about it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np

from ...core.errors import ConvergenceWarning, IndefiniteKernelError, IndefiniteKernelWarning, RankWarning
from ...core.numerics import Array, clear_rounding, fix_signs, is_significantly_negative
from ...eigen import Certificate, EigenResult
from ...kernels import Definiteness, Kernel


@dataclass(frozen=True)
class Components:
    """The components that a model keeps."""

    values: Array  # (k,), none negative
    vectors: Array  # (n, k), of length one
    scores: Array  # (n, k): of the training rows, from the same exact product as the eigenvalues
    certificate: Certificate


def select_components(
    result: EigenResult, kernel: Kernel, *, asked: int | None, remove_zero: bool, indefinite: str
) -> Components:
    """Return the components to keep: rounding cleared, negative eigenvalues refused or dropped, signs fixed.

    ``asked`` is the number of components the user named, or None for all that are there.
    """
    n = len(result.vectors)
    values = clear_rounding(result.values, n)
    negative = is_significantly_negative(values)
    _judge_negative(values, negative, result, kernel, indefinite)
    keep = ~negative
    values = np.maximum(values, 0.0)  # what is negative and kept is rounding
    if remove_zero or asked is None:
        keep &= values > 0
    _judge_rank(values, n, asked)
    signs = fix_signs(result.vectors[:, keep])
    values, vectors = values[keep], result.vectors[:, keep] * signs
    scale = inverse_roots(values)
    return Components(values, vectors, result.images[:, keep] * (signs * scale), _part(result.certificate, keep))


def inverse_roots(values: Array) -> Array:
    """Return 1 / sqrt(lambda), zero for a component of eigenvalue zero: its feature-space length is nothing."""
    return np.divide(1.0, np.sqrt(values), out=np.zeros_like(values), where=values > 0)


def warn_unless_converged(result: EigenResult, tolerance: float) -> None:
    """Warn where the residual that was asked for was not reached."""
    if result.converged:
        return
    first = max(float(np.max(np.abs(result.values), initial=0.0)), np.finfo(np.float64).tiny)
    reached = float(result.certificate.residual.max(initial=0.0)) / first
    warnings.warn(
        f"After {result.passes} passes the residual is {reached:.1e} of the first eigenvalue, above the "
        f"{tolerance:.1e} that was asked for. Raise max_iter, or accept it by raising tol; certificate_ says what "
        "holds as it is.",
        ConvergenceWarning,
        stacklevel=5,
    )


def _judge_negative(values: Array, negative: np.ndarray, result: EigenResult, kernel: Kernel, indefinite: str) -> None:
    """Refuse or warn of negative eigenvalues, as the parameter ``indefinite`` has it."""
    mass = max(result.negative_mass, -float(values[negative].sum()))
    if mass == 0:
        return
    positive = float(values[values > 0].sum())
    share = (
        f"{mass:.4g} in all at least, {100 * mass / positive:.3g} % of the kept positive ones"
        if positive
        else f"{mass:.4g}"
    )
    declared = kernel.definiteness is Definiteness.INDEFINITE
    if indefinite == "raise" or (indefinite == "auto" and negative.any() and not declared):
        raise IndefiniteKernelError(
            f"There are significant negative eigenvalues ({share}): the centred kernel matrix is not positive "
            "semidefinite, so these have no component in a feature space. Ask for fewer components, use another "
            'kernel, or pass indefinite="warn" to keep the components with positive eigenvalues.'
        )
    warnings.warn(
        f"The kernel matrix is indefinite: it has negative eigenvalues ({share}). The {int(np.sum(values > 0))} "
        "components with positive eigenvalues are kept; distances in the embedding leave the negative part out. "
        'indefinite="raise" refuses such kernels.',
        IndefiniteKernelWarning,
        stacklevel=6,
    )


def _judge_rank(values: Array, n: int, asked: int | None) -> None:
    """Warn where fewer components exist than were asked for."""
    there = int(np.sum(values > 0))
    if there == 0:
        warnings.warn(
            "The centred kernel matrix is zero up to rounding: all rows are equal as far as this kernel can tell, and "
            "there is no component. Check the table, or the width of the kernel.",
            RankWarning,
            stacklevel=6,
        )
    elif asked is not None and there < asked:
        warnings.warn(
            f"n_components={asked}, but only {there} eigenvalues are above rounding ({n} samples): the components "
            f"beyond are zero. Set n_components={there}, or remove_zero_eig=True to leave them out.",
            RankWarning,
            stacklevel=6,
        )


def _part(certificate: Certificate, keep: np.ndarray) -> Certificate:
    names = ("residual", "lower", "upper", "index_proven")
    return replace(certificate, **{name: getattr(certificate, name)[keep] for name in names})
