"""The Gram matrix as an operator: in memory, by tiles, by a low-rank factor; centring wraps any of them."""

from .base import GramOperator, Moments
from .build import centred_features, centred_gram, centred_matrix
from .centred import CentredGram, CentringMeans
from .cross import cross_block, cross_matmat
from .dense import DenseGram
from .factored import FactoredGram
from .lowrank import nystroem, randomly_pivoted_cholesky
from .native import NativeGram
from .neighbours import nearest_rows
from .sources import KernelSource, MatrixSource, TileSource
from .sums import row_sums, squared_row_norms
from .tiled import TiledGram

__all__ = [
    "CentredGram",
    "CentringMeans",
    "DenseGram",
    "FactoredGram",
    "GramOperator",
    "KernelSource",
    "MatrixSource",
    "Moments",
    "NativeGram",
    "TileSource",
    "TiledGram",
    "centred_features",
    "centred_gram",
    "centred_matrix",
    "cross_block",
    "cross_matmat",
    "nearest_rows",
    "nystroem",
    "randomly_pivoted_cholesky",
    "row_sums",
    "squared_row_norms",
]
