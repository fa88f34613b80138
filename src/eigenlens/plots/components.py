"""The field of each component: what score every point of the plane would get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .canvas import new_figure
from .embedding import check_components, component_label
from .palette import DIVERGING_MAP, INK
from .points import check_labels, scatter_classes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
MOST_PANELS = 8  # drawn unless asked for
MOST_COLUMNS = 4
MARGIN = 0.15  # of the larger side of the data, left around it
LINES = 5  # contour lines on each side of zero
SHADES = 3  # steps of colour between two lines


def plot_components(
    model: Any,
    X: ArrayLike,
    labels: ArrayLike | None = None,
    *,
    components: Sequence[int] | None = None,
    resolution: int = 120,
    names: Sequence[str] | None = None,
) -> Figure:
    """Draw a panel for each component of a model of two features: the plane coloured by score, with contour lines.

    Each panel has its own colour scale, centred on zero: one hue where the score is positive, the other where it is
    negative, white between them. The line of score zero is the thick one.

    Parameters
    ----------
    model : a model fitted on two features; its `explained_variance_ratio_`, if it has one, goes in the titles.
    X : array (n, 2), the points to draw on top, usually the training rows; they set the part of the plane to show.
    labels : a class for each row of X.
    components : which components to draw, counted from 0; without it the first eight.
    resolution : number of grid points along each side of the plane.
    names : what to call the classes in the legend, in the order of the sorted labels.

    Returns
    -------
    A new figure; `figure.savefig(...)` writes it.

    Examples
    --------
    >>> from sklearn.decomposition import KernelPCA
    >>> X = [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]]
    >>> figure = plot_components(KernelPCA(2, kernel="rbf").fit(X), X, resolution=20)
    >>> [ax.get_title() for ax in figure.axes]
    ['component 1', 'component 2']
    """
    points = _two_features(model, X)
    labels = None if labels is None else check_labels(labels, len(points))
    x, y, fields = _fields(model, points, resolution)
    chosen = range(min(MOST_PANELS, fields.shape[-1])) if components is None else components
    check_components(chosen, fields.shape[-1])
    figure, panels = _panels(len(chosen), aspect=(y[-1] - y[0]) / (x[-1] - x[0]))
    for ax, component in zip(panels, chosen, strict=True):
        _draw_field(ax, x, y, fields[..., component])
        _draw_points(ax, points, labels, names)
        ax.set_title(component_label(component, getattr(model, "explained_variance_ratio_", None)), fontsize=9)
    if labels is not None:
        handles, entries = panels[0].get_legend_handles_labels()
        figure.legend(handles, entries, loc="outside lower center", ncols=len(entries), frameon=False, markerscale=2)
    return figure


def _two_features(model: Any, X: ArrayLike) -> Floats:
    features = getattr(model, "n_features_in_", None)
    if features is None:
        raise ValueError("plot_components draws a fitted model: call fit first.")
    if features != 2:
        raise ValueError(
            f"plot_components draws models fitted on 2 features, this one was fitted on {features}: "
            "for more features draw the scores with plot_embedding."
        )
    points = np.asarray(X, dtype=float)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) == 0:
        raise ValueError(f"X has shape {points.shape}: give the rows to draw, an (n, 2) array.")
    return points


def _fields(model: Any, points: Floats, resolution: int) -> tuple[Floats, Floats, Floats]:
    """Return the grid's x and y, and every component's score on it, (resolution, resolution, k)."""
    low, high = points.min(axis=0), points.max(axis=0)
    margin = MARGIN * (np.max(high - low) or 1.0)
    x, y = np.linspace(low - margin, high + margin, resolution).T
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    scores = np.asarray(model.transform(grid), dtype=float)
    return x, y, scores.reshape(resolution, resolution, -1)


def _panels(n: int, aspect: float) -> tuple[Figure, list[Axes]]:
    """Return a figure with n panels of this height to width, in rows as even as can be."""
    rows = -(-n // MOST_COLUMNS)
    columns = -(-n // rows)
    figure = new_figure(2.7 * columns, rows * (2.7 * aspect + 0.35) + 0.3)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for spare in panels[n:]:
        spare.remove()
    return figure, list(panels[:n])


def _draw_field(ax: Axes, x: Floats, y: Floats, scores: Floats) -> None:
    # A component that is zero everywhere still needs a scale.
    limit = float(np.abs(scores).max()) or 1.0
    lines = limit * np.arange(-LINES, LINES + 1) / LINES
    shades = np.linspace(-limit, limit, 2 * LINES * SHADES + 1)
    ax.contourf(x, y, scores, levels=shades, cmap=DIVERGING_MAP)
    ax.contour(x, y, scores, levels=lines, colors=INK, linewidths=np.where(lines == 0, 1.2, 0.4), linestyles="solid")
    ax.set_aspect("equal")
    ax.tick_params(labelsize=8, length=2)


def _draw_points(ax: Axes, points: Floats, labels: NDArray[Any] | None, names: Sequence[str] | None) -> None:
    # White edges keep the marks visible over both hues.
    style: dict[str, Any] = {"s": 14, "edgecolors": "white", "linewidths": 0.5}
    if labels is None:
        ax.scatter(*points.T, color=INK, **style)
    else:
        scatter_classes(ax, points, labels, names, **style)
