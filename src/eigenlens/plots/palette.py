"""The colours of every picture, chosen so that colour-blind readers can tell them apart.

M. Okabe, K. Ito, "Color universal design: how to make figures and presentations that are friendly to colorblind
people", 2008, https://jfly.uni-koeln.de/color/. Their yellow is left out, being too pale for small marks on white, and
black is kept for what is not a class.
"""

CLASS_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
CLASS_MARKERS = ("o", "s", "^", "D", "v", "P")
INK = "#222222"
FAINT = "#8A8A8A"
SEQUENTIAL_MAP = "viridis"
DIVERGING_MAP = "PuOr"


def class_style(index: int) -> dict[str, str]:
    """Colour and marker of a class: the marker changes each class too, so that print and grey scale keep them apart.

    >>> class_style(0), class_style(7)
    ({'color': '#0072B2', 'marker': 'o'}, {'color': '#D55E00', 'marker': '^'})
    """
    lap, place = divmod(index, len(CLASS_COLOURS))
    return {"color": CLASS_COLOURS[place], "marker": CLASS_MARKERS[(place + lap) % len(CLASS_MARKERS)]}
