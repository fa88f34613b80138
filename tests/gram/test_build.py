"""Which operator is built, in which precision, and what a memory limit allows."""

import bisect
import re

import numpy as np
import pytest
import scipy.sparse
from operator_registry import SMALL_TILE, known_symmetric, table

from eigenlens.core.errors import MemoryLimitError
from eigenlens.core.memory import parse_memory
from eigenlens.engine import instruction_sets
from eigenlens.gram import DenseGram, NativeGram, TiledGram, build, centred_gram, centred_matrix
from eigenlens.kernels import RBF, Laplacian, Polynomial

PLENTY = 10**9
X = table(60)


@pytest.fixture
def tiles_from_ten_rows(monkeypatch, small_tiles):
    monkeypatch.setattr(build, "_IN_MEMORY_BELOW", 10)


BY_TILES = NativeGram if instruction_sets() else TiledGram


def gram(kernel=None, X=X, whole=False, memory=PLENTY, tolerance=1e-6, vectors=20):
    kernel = kernel or RBF(gamma=0.1)
    return centred_gram(kernel, X, whole=whole, vectors=vectors, memory=memory, tolerance=tolerance, n_jobs=2)


def _least_memory(vectors):
    """The smallest limit that is not refused."""

    def is_enough(memory):
        try:
            gram(memory=memory, vectors=vectors)
        except MemoryLimitError:
            return False
        return True

    return bisect.bisect_left(range(10**8), True, key=is_enough)


def test_a_small_matrix_is_held_whole():
    assert isinstance(gram().inner, DenseGram)


@pytest.mark.usefixtures("tiles_from_ten_rows")
class TestTiles:
    def test_a_large_one_comes_by_tiles_unless_it_is_asked_for_whole(self):
        assert isinstance(gram().inner, BY_TILES)
        assert isinstance(gram(whole=True).inner, DenseGram)

    def test_what_the_compiled_engine_does_not_know_comes_by_numpy(self, monkeypatch):
        assert isinstance(gram(RBF(gamma=0.1) + Polynomial()).inner, TiledGram)
        assert isinstance(gram(X=scipy.sparse.csr_matrix(X)).inner, TiledGram)
        monkeypatch.setenv("EIGENLENS_ENGINE", "numpy")
        assert isinstance(gram().inner, TiledGram)

    def test_tiles_are_float32_where_that_is_near_enough(self):
        assert gram().dtype == np.float32
        assert gram(tolerance=1e-10).dtype == np.float64
        assert gram(Polynomial(degree=40, gamma=10.0)).dtype == np.float64  # beyond float32's largest number
        assert gram(X=scipy.sparse.csr_matrix(X)).dtype == np.float64

    def test_near_rows_far_from_the_rest_are_looked_at(self):
        # float32 cannot tell rows a thousandth apart at a distance of a thousand, and their kernel values are not one
        near = table(60) * 1e-3
        near[30:] += 1000.0
        assert gram(RBF(gamma=1e5), near).dtype == np.float64

    def test_whichever_is_built_is_the_same_matrix(self, rng):
        V = rng.standard_normal((60, 3))
        expected = gram(whole=True).matmat(V)
        for operator in (gram(tolerance=1e-10), gram().exact()):
            np.testing.assert_allclose(operator.matmat(V), expected, atol=1e-12)
        np.testing.assert_allclose(gram().matmat(V), expected, atol=1e-4)  # float32: a hundred sums of about one

    def test_too_little_memory_is_refused_with_the_size_that_is_enough(self):
        with pytest.raises(MemoryLimitError, match="Raise memory_limit, or ask for fewer") as refusal:
            gram(memory=1)
        enough = parse_memory(re.search(r"need ([\d.]+ \w+) for the table", str(refusal.value))[1])
        gram(memory=int(enough * 1.01))  # the size is named to three digits
        with pytest.raises(MemoryLimitError):
            gram(memory=int(enough * 0.99))

    def test_memory_beyond_that_goes_to_tiles(self, monkeypatch):
        needed = [_least_memory(vectors) for vectors in (20, 2000)]
        assert needed[1] - needed[0] == 8 * 60 * 1980
        monkeypatch.setenv("EIGENLENS_ENGINE", "numpy")
        for tiles in (0, 1, 3):
            bytes_of_a_tile = 4 * SMALL_TILE**2
            assert len(gram(memory=needed[0] + tiles * bytes_of_a_tile).inner._kept) == tiles
            assert len(gram(memory=needed[0] + (tiles + 1) * bytes_of_a_tile - 1).inner._kept) == tiles

    @pytest.mark.skipif(not instruction_sets(), reason="there is no compiled engine")
    def test_the_compiled_engine_keeps_tiles_that_take_long_to_make(self, rng):
        few, many = (rng.standard_normal((60, features)) for features in (5, 100))
        assert gram(X=few).inner.kept_bytes == 0
        tight = gram(X=many, memory=2 * 10**6 + 8 * 60 * 400).inner.kept_bytes
        assert gram(X=many).inner.kept_bytes > 0
        assert tight <= 2 * 10**6
        assert gram(Laplacian(gamma=0.1), rng.standard_normal((60, 30))).inner.kept_bytes > 0

    def test_a_given_matrix_is_used_where_it_lies(self):
        K = known_symmetric(40)
        held = centred_matrix(K, whole=True, memory=PLENTY, vectors=5)
        assert isinstance(held.inner, DenseGram)
        assert np.shares_memory(held.inner.K, K)
        for dtype in (np.float32, np.float64):
            cut = centred_matrix(K.astype(dtype), whole=False, memory=PLENTY, vectors=5)
            # the entries are of order one, and float32 input is known to no more than its own eps
            np.testing.assert_allclose(cut.whole()[0], held.whole()[0], atol=1e-5)

    def test_a_given_matrix_is_not_written_to(self, rng):
        for dtype in (np.float32, np.float64):
            K = known_symmetric(40).astype(dtype)
            before = K.copy()
            operator = centred_matrix(K, whole=True, memory=PLENTY, vectors=5)
            operator.whole()
            operator.matmat_with_moments(rng.standard_normal((40, 2)))
            np.testing.assert_array_equal(K, before)
