"""Pictures of results: these functions draw what was computed and never fit anything.

Matplotlib is an extra, `pip install "eigenlens[plots]"`, and is imported when the first picture is drawn.
"""

from .components import plot_components
from .embedding import plot_embedding
from .scree import plot_scree

__all__ = ["plot_components", "plot_embedding", "plot_scree"]
