"""Which engine makes tiles: the compiled one in the best instruction set of this machine, or NumPy."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

_native: Any
try:
    from . import _native
except ImportError as error:
    # most likely it was installed where there was no compiler; else it is there, and does not load
    present = find_spec(f"{__package__}._native") is not None
    _native, MISSING = None, str(error) if present else "nothing was compiled when Eigenlens was installed"
else:
    MISSING = ""

VARIABLE = "EIGENLENS_ENGINE"


@dataclass(frozen=True)
class Layout:
    """Sizes that an instruction set works with, in numbers of one dtype."""

    lanes: int  # numbers in a vector
    panel: int  # rows that are packed together
    tile_rows: int
    tile_columns: int
    tile_stride: int

    @property
    def tile_size(self) -> int:
        """Numbers in a tile's memory."""
        return self.tile_rows * self.tile_stride


@dataclass(frozen=True)
class Engine:
    """The compiled engine in one instruction set."""

    name: str

    def layout(self, dtype: DTypeLike) -> Layout:
        """Return the sizes for numbers of a dtype."""
        return _layout(self.name, np.dtype(dtype).itemsize)

    @property
    def native(self) -> Any:
        """The compiled module."""
        return _native


@cache
def _layout(name: str, itemsize: int) -> Layout:
    return Layout(*_native.layout(name, itemsize))


@cache
def instruction_sets() -> tuple[str, ...]:
    """Names of the instruction sets that are compiled and that this machine has, the best first."""
    return () if _native is None else tuple(_native.instruction_sets())


def engine_in_use() -> Engine | None:
    """Return the compiled engine, or None where tiles are made by NumPy.

    The environment variable EIGENLENS_ENGINE names another than the best: an instruction set, or "numpy".
    """
    wanted, present = os.environ.get(VARIABLE, ""), instruction_sets()
    if wanted == "numpy" or (not wanted and not present):
        return None
    if wanted and wanted not in present:
        raise ValueError(
            f"{VARIABLE}={wanted!r} is not on this machine, which has {', '.join((*present, 'numpy'))}. Unset the "
            "variable, or name one of those."
        )
    return Engine(wanted or present[0])


def describe_engine() -> str:
    """Say in a line which engine is in use, and why."""
    engine, present = engine_in_use(), ", ".join(instruction_sets())
    chosen = f" ({VARIABLE} is set)" if os.environ.get(VARIABLE) else ""
    if engine is not None:
        return f"compiled, {engine.name}{chosen}; this machine has {present}"
    if not MISSING:
        return f"NumPy{chosen}; compiled and on this machine: {present}"
    return (
        "NumPy: the compiled engine, which is several times faster, is missing. Install a C++ compiler (g++ or clang) "
        f"and Eigenlens again, with pip's --no-cache-dir --force-reinstall. ({MISSING})"
    )
