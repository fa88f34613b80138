"""The compiled engine: tiles of kernel matrices made and used while they are in a core's caches."""

from .config import Engine, Layout, describe_engine, engine_in_use, instruction_sets
from .doctor import show_config
from .recipes import Form, Pairing, Profile, Recipe, recipe_for
from .sweeps import Sweeper
from .symmetric import Sums, SymmetricSweep
from .tables import PackedRows

__all__ = [
    "Engine",
    "Form",
    "Layout",
    "PackedRows",
    "Pairing",
    "Profile",
    "Recipe",
    "Sums",
    "Sweeper",
    "SymmetricSweep",
    "describe_engine",
    "engine_in_use",
    "instruction_sets",
    "recipe_for",
    "show_config",
]
