import numpy as np
import pytest
from operator_registry import SMALL_TILE

from eigenlens.gram import build, checks, cross, tiled


@pytest.fixture
def small_tiles(monkeypatch):
    """Cut everything into tiles of 7 rows, so that a table of 31 rows has many."""
    for module, name in ((tiled, "TILE"), (build, "TILE"), (cross, "_TILE"), (checks, "_STRIP")):
        monkeypatch.setattr(module, name, SMALL_TILE)


@pytest.fixture
def rng():
    return np.random.default_rng(0)
