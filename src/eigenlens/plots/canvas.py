"""Figures and axes to draw on, made without pyplot, so that nothing global changes and no screen is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of this size in inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError('Pictures need Matplotlib: pip install "eigenlens[plots]"') from error
    return Figure(figsize=(width, height), layout="constrained")


def axes_or_new(ax: Axes | None, width: float = 5.6, height: float = 4.4) -> Axes:
    """Return the caller's axes, or the only axes of a new figure."""
    if ax is None:
        ax = new_figure(width, height).subplots()
    ax.spines[["top", "right"]].set_visible(False)
    return ax
