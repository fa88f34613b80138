"""The scree: every eigenvalue with what is proven about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .canvas import axes_or_new
from .palette import CLASS_COLOURS, FAINT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE = CLASS_COLOURS[0]
LOG_FROM = 100.0  # ratio of the largest to the smallest eigenvalue from which a log axis shows more


def plot_scree(model_or_values: Any, certificate: Any = None, ax: Axes | None = None) -> Axes:
    """Draw eigenvalues with their lower and upper bounds.

    A filled mark means that the index is proven: this is the i-th largest eigenvalue. A hollow one means that some
    eigenvalue lies there. An arrow stands for a bound that is infinite. The axis is logarithmic when the values span a
    factor of 100 or more.

    Parameters
    ----------
    model_or_values : a fitted model with `eigenvalues_`, or an array of eigenvalues.
    certificate : a record with arrays `lower`, `upper`, `index_proven`, one entry a component; without it the model's
        `certificate_`, where it has one.
    ax : where to draw; without it a figure is made, and `ax.figure.savefig(...)` writes it.

    Returns
    -------
    The axes drawn on.

    Examples
    --------
    >>> ax = plot_scree([9.0, 3.0, 1.0])
    >>> ax.get_ylabel()
    'eigenvalue'
    """
    values = getattr(model_or_values, "eigenvalues_", model_or_values)
    values = np.empty(0) if hasattr(values, "get_params") else np.asarray(values, dtype=float)
    if values.ndim != 1 or len(values) == 0:
        raise ValueError("plot_scree needs a fitted model with eigenvalues_, or a 1-D array of eigenvalues.")
    certificate = getattr(model_or_values, "certificate_", None) if certificate is None else certificate
    ax = axes_or_new(ax)
    index = np.arange(1, len(values) + 1)
    ax.plot(index, values, color=FAINT, linewidth=1, zorder=1)
    if certificate is None:
        _marks(ax, index, values, filled=True, label="eigenvalue")
    else:
        _certified(ax, index, values, certificate)
    if values.min() > 0 and values.max() >= LOG_FROM * values.min():
        ax.set_yscale("log")
    else:
        ax.set_ylim(bottom=min(0.0, values.min()))
    ax.locator_params(axis="x", integer=True)
    ax.set_xlabel("component")
    ax.set_ylabel("eigenvalue")
    ax.legend(frameon=False, loc="upper right", fontsize=9)
    return ax


def _certified(ax: Axes, index: NDArray[Any], values: NDArray[Any], certificate: Any) -> None:
    lower, upper, proven = (np.asarray(getattr(certificate, name)) for name in ("lower", "upper", "index_proven"))
    if not lower.shape == upper.shape == proven.shape == values.shape:
        raise ValueError(f"The certificate speaks of {len(lower)} component(s), the eigenvalues are {len(values)}.")
    below, above = values - lower, upper - values
    if np.isfinite(below).any() or np.isfinite(above).any():
        _bars(ax, index, values, below, above)
    _marks(ax, index[proven], values[proven], filled=True, label="index proven: the i-th largest")
    _marks(ax, index[~proven], values[~proven], filled=False, label="index not proven: one of the eigenvalues")
    _arrows(ax, index[np.isposinf(above)], values[np.isposinf(above)], up=True)
    _arrows(ax, index[np.isposinf(below)], values[np.isposinf(below)], up=False)


def _bars(ax: Axes, index: NDArray[Any], values: NDArray[Any], below: NDArray[Any], above: NDArray[Any]) -> None:
    # An infinite side is drawn as an arrow instead. A value may lie outside its own bounds by rounding, and Matplotlib
    # refuses negative bars.
    sides = np.stack([below, above])
    bars = np.where(np.isfinite(sides), np.clip(sides, 0, None), 0)
    gap = bars.sum(axis=0).max() / (np.abs(values).max() or 1.0)
    label = f"proven bounds; widest gap: {gap:.0e} of the first value"
    ax.errorbar(index, values, bars, fmt="none", ecolor=BLUE, capsize=5, label=label)


def _marks(ax: Axes, index: NDArray[Any], values: NDArray[Any], *, filled: bool, label: str) -> None:
    if len(index):
        face = BLUE if filled else "white"
        ax.scatter(index, values, s=36, facecolor=face, edgecolor=BLUE, linewidths=1.5, zorder=3, label=label)


def _arrows(ax: Axes, index: NDArray[Any], values: NDArray[Any], *, up: bool) -> None:
    """Point away from the values that have no bound on this side."""
    if len(index) == 0:
        return
    from matplotlib.transforms import ScaledTranslation

    shift = ScaledTranslation(0, (1 if up else -1) * 12 / 72, ax.figure.dpi_scale_trans)
    marker, label = (r"$\uparrow$", "no upper bound") if up else (r"$\downarrow$", "no lower bound")
    ax.scatter(index, values, s=120, marker=marker, color=BLUE, transform=ax.transData + shift, label=label)
