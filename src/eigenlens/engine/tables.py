"""Rows and vectors as the compiled engine wants them: packed in panels, on cache lines of their own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ..core.numerics import Array
from .config import Layout
from .recipes import Form

_LINE = 64  # bytes; a vector that lies across two cache lines takes twice as long to load
_CHUNK = 1 << 18  # numbers converted at a time, 2 MB: packing never needs a second table


def aligned_empty(shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """Return an array whose first number begins a cache line."""
    return _aligned(np.empty(_bytes(shape, dtype) + _LINE, np.uint8), shape, dtype)


def aligned_zeros(shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """Return zeros whose first number begins a cache line; the system gives pages of them when they are first used."""
    return _aligned(np.zeros(_bytes(shape, dtype) + _LINE, np.uint8), shape, dtype)


def _bytes(shape: tuple[int, ...], dtype: DTypeLike) -> int:
    return math.prod(shape) * np.dtype(dtype).itemsize


def _aligned(memory: Array, shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    start = -memory.ctypes.data % _LINE
    return memory[start : start + _bytes(shape, dtype)].view(dtype).reshape(shape)


def padded_vectors(V: Array, dtype: DTypeLike, lanes: int) -> Array:
    """Return V with zeros beside it up to a whole number of lanes."""
    n, p = V.shape
    padded = aligned_empty((n, -(-p // lanes) * lanes), dtype)
    padded[:, :p] = V
    padded[:, p:] = 0
    return padded


class PackedRows:
    """Rows of a dense table, shifted and cast, in panels: entry f of row i at [i // panel, f, i % panel].

    Any array will do: of either order and byte order, read-only, a memory map. ``unit`` divides rows by their norms;
    rows of zeros stay zero.
    """

    def __init__(
        self, X: Any, dtype: DTypeLike, layout: Layout, shift: Array | None = None, *, unit: bool = False
    ) -> None:
        self.count, self.features = X.shape
        self.dtype = np.dtype(dtype)
        panel = layout.panel
        panels = -(-self.count // panel)
        self.panels = aligned_empty((panels, self.features, panel), self.dtype)
        self.squared_norms = np.zeros(panels * panel)  # in float64, of the rows as they are stored
        height = max(1, _CHUNK // max(self.features, 1) // panel) * panel
        for start in range(0, panels * panel, height):
            rows = np.zeros((min(height, panels * panel - start), self.features), self.dtype)
            part = X[start : start + height]
            with np.errstate(over="ignore"):  # a distance beyond float32 is infinite, as profiles understand
                rows[: len(part)] = _unit(part) if unit else (part if shift is None else part - shift)
                norms = np.einsum("ij,ij->i", rows, rows, dtype=np.float64)
            self.squared_norms[start : start + len(rows)] = norms
            into = slice(start // panel, start // panel + len(rows) // panel)
            self.panels[into] = rows.reshape(len(rows) // panel, panel, self.features).transpose(0, 2, 1)

    @property
    def largest_squared_norm(self) -> float:
        """The largest |x|^2, which decides how distances may be taken."""
        return float(self.squared_norms.max(initial=0.0))

    def arguments(self, form: Form) -> tuple[Any, ...]:
        """Return the table with each row's part of t, as the compiled functions take it."""
        offsets = aligned_zeros(self.squared_norms.shape, self.dtype)
        if form.norm_weight:
            np.multiply(self.squared_norms, form.norm_weight, out=offsets, casting="same_kind")
        offsets += form.constant
        return (self.panels, offsets, self.count, self.features)


def _unit(rows: Any) -> Array:
    rows = np.asarray(rows, dtype=np.float64)
    sizes = np.abs(rows).max(axis=1, initial=0.0)  # divided by first: the squares of huge and tiny numbers are none
    rows = np.divide(rows, sizes[:, None], out=np.zeros_like(rows), where=sizes[:, None] > 0)
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return rows * np.divide(1, norms, out=np.zeros_like(norms), where=norms > 0)[:, None]
