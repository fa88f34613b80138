"""A block that cannot be part of a kernel matrix is refused wherever it enters, with its rows and a remedy."""

import numpy as np
import pytest
from broken_kernels import Asymmetric, NotFinite, WrongShape, marked_table

from eigenlens.core.errors import KernelBlockError
from eigenlens.gram import (
    DenseGram,
    KernelSource,
    MatrixSource,
    TiledGram,
    build,
    centred_gram,
    centred_matrix,
    cross_block,
    cross_matmat,
    nystroem,
    randomly_pivoted_cholesky,
)

ROW = 23
X = marked_table(row=ROW)


def tiled(kernel, dtype=np.float64):
    return TiledGram(KernelSource(kernel, X), dtype, n_jobs=2)


WAYS_IN = {
    "dense": lambda kernel: DenseGram.of(kernel, X),
    "tiled": lambda kernel: tiled(kernel).matmat(np.ones((len(X), 1))),
    "tiled, float32": lambda kernel: tiled(kernel, np.float32).matmat(np.ones((len(X), 1))),
    "tiled, moments": lambda kernel: tiled(kernel).matmat_with_moments(np.ones((len(X), 0))),
    "tiled, columns": lambda kernel: tiled(kernel).columns(np.array([3, 5])),
    "tiled, whole": lambda kernel: tiled(kernel).whole(),
    "cross block": lambda kernel: cross_block(kernel, X[ROW:], X),
    "cross product": lambda kernel: cross_matmat(kernel, X[ROW:], X, np.ones((len(X), 1))),
    "nystroem": lambda kernel: nystroem(kernel, X, len(X), rng=np.random.default_rng(0)),
    "pivoted Cholesky": lambda kernel: randomly_pivoted_cholesky(kernel, X, len(X), rng=np.random.default_rng(0)),
}


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("way", WAYS_IN)
def test_values_that_are_not_finite_are_refused(way, value, small_tiles):
    with pytest.raises(KernelBlockError, match=rf"gives {value} for rows .*(StandardScaler|finite)"):
        WAYS_IN[way](NotFinite(value=value))


@pytest.mark.parametrize("way", ["dense", "tiled", "tiled, float32", "tiled, columns", "tiled, whole"])
def test_the_message_names_the_pair_of_rows(way, small_tiles):
    with pytest.raises(KernelBlockError, match=rf"for rows (\d+ and {ROW}|{ROW} and \d+)\b"):
        WAYS_IN[way](NotFinite())
    if "columns" not in way:
        with pytest.raises(KernelBlockError, match=rf"for rows {ROW} and {ROW}\b"):
            WAYS_IN[way](NotFinite(with_itself_only=True))


@pytest.mark.parametrize("way", WAYS_IN)
def test_a_block_of_the_wrong_shape_is_refused(way, small_tiles):
    with pytest.raises(KernelBlockError, match=r"returned a block of shape .* one value a pair"):
        WAYS_IN[way](WrongShape())


def test_a_product_that_overflows_is_refused():
    # each value fits a float32, their sum does not
    K = np.full((40, 40), 3e37, dtype=np.float32)
    with pytest.raises(KernelBlockError, match=r"overflow.*[Ss]cale"):
        TiledGram(MatrixSource(K), np.float32).matmat(np.ones((40, 1)))


def test_an_asymmetric_kernel_is_refused_naming_the_entry(small_tiles):
    with pytest.raises(KernelBlockError, match=rf"not symmetric: entry \((\d+, {ROW}|{ROW}, \d+)\)"):
        DenseGram.of(Asymmetric(), X)


def test_an_asymmetric_kernel_is_refused_in_tiles(monkeypatch, small_tiles):
    monkeypatch.setattr(build, "_IN_MEMORY_BELOW", 10)
    with pytest.raises(KernelBlockError, match="not symmetric"):
        centred_gram(Asymmetric(), X, whole=False, vectors=1, memory=10**9, tolerance=1e-6)


def test_an_asymmetric_matrix_is_refused_naming_the_entry(rng, small_tiles):
    K = rng.standard_normal((40, 40))
    K += K.T
    K[ROW, 3] += 9.0  # more than what K_ij + a_i + b_j could explain
    with pytest.raises(KernelBlockError, match=rf"after centring, is not symmetric: entry \((3, {ROW}|{ROW}, 3)\)"):
        centred_matrix(K, whole=False, memory=10**9, vectors=1)


def test_a_matrix_that_is_not_square_is_refused(rng):
    with pytest.raises(ValueError, match=r"square matrix .* \(4, 5\).*kernel\(X, X\)"):
        centred_matrix(rng.standard_normal((4, 5)), whole=False, memory=10**9, vectors=1)


def test_symmetry_up_to_float32_rounding_passes(rng):
    K = rng.standard_normal((30, 30)) + 5
    K = (K + K.T) / 2
    narrow = K * (1 + 1e-7 * rng.standard_normal((30, 30)))
    centred = centred_matrix(narrow, whole=True, memory=10**9, vectors=1)
    H = np.eye(30) - 1 / 30
    np.testing.assert_allclose(centred.whole()[0], H @ K @ H, atol=1e-5)  # ten times the noise put in
