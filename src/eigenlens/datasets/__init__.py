"""Examples with known truth: each function returns a table and what is known of its rows, (X, y)."""

from .clusters import THREE_CENTRES, make_three_clusters
from .rings import make_pair_of_glasses, make_rings
from .wine import WINE_CULTIVARS, WINE_MEASUREMENTS, load_wine

__all__ = [
    "THREE_CENTRES",
    "WINE_CULTIVARS",
    "WINE_MEASUREMENTS",
    "load_wine",
    "make_pair_of_glasses",
    "make_rings",
    "make_three_clusters",
]
