"""The embedding: every row a point, two components its coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .canvas import axes_or_new
from .palette import INK, SEQUENTIAL_MAP
from .points import check_labels, is_numeric, scatter_classes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROUNDING = 1e-5  # by which float32 shares may add up to more than one


def plot_embedding(
    scores: ArrayLike,
    labels: ArrayLike | None = None,
    *,
    components: tuple[int, int] = (0, 1),
    names: Sequence[str] | None = None,
    eigen_share: ArrayLike | None = None,
    legend: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Scatter two components' scores, both axes on one scale.

    Parameters
    ----------
    scores : array (n, k), what `transform` returns.
    labels : one for each row. Classes (strings, booleans, a few integers) get a legend, measurements a colour bar.
    components : the two columns of `scores` to draw, counted from 0.
    names : what to call the classes, in the order of the sorted labels.
    eigen_share : each component's share of the variance (`explained_variance_ratio_`), named on the axes.
    legend : whether to add the legend or the colour bar.
    ax : where to draw; without it a figure is made, and `ax.figure.savefig(...)` writes it.

    Returns
    -------
    The axes drawn on.

    Examples
    --------
    >>> ax = plot_embedding([[0.0, 1.0], [2.0, 0.5]], ["a", "b"], eigen_share=[0.62, 0.3])
    >>> ax.get_xlabel()
    'component 1 (62% of variance)'
    """
    scores = np.asarray(scores, dtype=float)
    if scores.ndim != 2 or len(scores) == 0:
        raise ValueError(f"scores has shape {scores.shape}: give the (n, k) array that transform returns.")
    check_components(components, scores.shape[1])
    points = scores[:, list(components)]
    ax = axes_or_new(ax)
    # Many points: small and see-through, so that density shows.
    style: dict[str, Any] = {"s": float(np.clip(6000 / len(points), 4, 36)), "linewidths": 0, "alpha": 0.8}
    labels = None if labels is None else check_labels(labels, len(points))
    if labels is None:
        ax.scatter(points[:, 0], points[:, 1], color=INK, **style)
    elif is_numeric(labels):
        marks = ax.scatter(points[:, 0], points[:, 1], c=labels, cmap=SEQUENTIAL_MAP, **style)
        if legend:
            ax.figure.colorbar(marks, ax=ax)
    else:
        scatter_classes(ax, points, labels, names, **style)
        if legend:
            # Beside the points: "best" inside them is a slow search when there are many, and need not find room.
            ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    ax.set_xlabel(component_label(components[0], eigen_share))
    ax.set_ylabel(component_label(components[1], eigen_share))
    ax.set_aspect("equal", adjustable="datalim")
    return ax


def component_label(index: int, eigen_share: ArrayLike | None = None) -> str:
    """Name a component, counted from 1, with its share of the variance.

    Shares that add up to more than the whole come from an indefinite kernel, whose negative eigenvalues are taken off
    the whole: they are no parts of a variance, and are not named.

    >>> component_label(2), component_label(0, [0.034]), component_label(0, [0.999])
    ('component 3', 'component 1 (3.4% of variance)', 'component 1 (100% of variance)')
    """
    name = f"component {index + 1}"
    share = np.asarray([] if eigen_share is None else eigen_share, dtype=float)
    if len(share) == 0 or share.sum() > 1 + ROUNDING:
        return name
    percent = 100 * share[index]
    return f"{name} ({percent:{'.0f' if percent >= 10 else '.2g'}}% of variance)"


def check_components(components: Sequence[int], available: int) -> None:
    """Refuse component numbers that are not there."""
    if len(components) == 0 or not all(0 <= index < available for index in components):
        raise ValueError(
            f"components={tuple(components)} does not pick from the {available} component(s) there are: "
            f"give numbers from 0 to {available - 1}."
        )
