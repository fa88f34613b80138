"""Points with labels: one style for the embedding and for the training rows drawn over a field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .palette import CLASS_COLOURS, CLASS_MARKERS, class_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_CLASSES = len(CLASS_COLOURS) * len(CLASS_MARKERS)


def check_labels(labels: ArrayLike, n: int) -> NDArray[Any]:
    """Return labels as an array of n entries."""
    labels = np.asarray(labels)
    if labels.shape != (n,):
        raise ValueError(f"labels has shape {labels.shape}: give one label for each of the {n} points.")
    return labels


def is_numeric(labels: NDArray[Any]) -> bool:
    """Tell whether labels are measurements, which get a colour scale, rather than classes, which get a legend.

    Floats are measurements. Integers are classes while there are colours for them.

    >>> is_numeric(np.array([0.5, 1.0])), is_numeric(np.array([0, 1])), is_numeric(np.arange(100))
    (True, False, True)
    """
    return labels.dtype.kind == "f" or (labels.dtype.kind in "iu" and len(np.unique(labels)) > len(CLASS_COLOURS))


def scatter_classes(
    ax: Axes, points: NDArray[Any], labels: NDArray[Any], names: Sequence[str] | None = None, **style: Any
) -> None:
    """Draw points (n, 2) class by class, each with its own colour, marker and entry for a legend."""
    classes = np.unique(labels)
    if len(classes) > MOST_CLASSES:
        raise ValueError(f"{len(classes)} classes are more than a legend can tell apart: group them, or give numbers.")
    if names is not None and len(names) != len(classes):
        raise ValueError(
            f"names has {len(names)} entries for {len(classes)} classes: give one for each, in sorted order."
        )
    for index, label in enumerate(classes):
        members = points[labels == label]
        name = str(label) if names is None else names[index]
        ax.scatter(members[:, 0], members[:, 1], label=name, **(style | class_style(index)))
