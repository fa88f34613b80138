"""Blocks, products, sums and nearest rows of the compiled engine against the kernels' own NumPy code."""

import threading

import numpy as np
import pytest
from engine_cases import DTYPES, KERNELS, SHAPES, tables, tolerance

from eigenlens.core.progress import Progress
from eigenlens.engine import Engine, Pairing, Profile, Recipe, Sweeper, SymmetricSweep, instruction_sets, recipe_for
from eigenlens.engine.symmetric import cut_into_strips
from eigenlens.kernels import RBF, Invariance, shift_for

SETS = instruction_sets()


def prepared(isa, kernel, X, Y, dtype):
    """A sweeper with its tables, in the frame that the kernel allows."""
    sweeper = Sweeper(Engine(isa), recipe_for(kernel), dtype)
    shift = shift_for(kernel, X) if kernel.invariance is Invariance.EXACT else None
    return sweeper, sweeper.pack(Y, shift), sweeper.pack(X, shift)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("isa", SETS)
def test_every_sweep_gives_what_the_kernel_gives(isa, kernel, dtype):
    for shape in SHAPES:
        X, Y = tables(*shape)
        X, Y = (rows.astype(dtype).astype(np.float64) for rows in (X, Y))  # numbers that both have
        K, A = kernel(Y, X), np.random.default_rng(1).standard_normal((len(X), 5))
        near, n = tolerance(dtype, np.append(K, kernel.diag(X))), len(X)
        sweeper, y, x = prepared(isa, kernel, X, Y, dtype)
        np.testing.assert_allclose(sweeper.block(y, x), K, atol=near)
        np.testing.assert_allclose(sweeper.product(y, x, A, n_jobs=2), K @ A, atol=near * n)
        sums, squares = sweeper.sums(y, x)
        np.testing.assert_allclose(sums, K.sum(axis=1), atol=near * n)
        np.testing.assert_allclose(squares, np.square(K).sum(axis=1), atol=2 * near * n * np.abs(K).max())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("isa", SETS)
def test_symmetric_products_and_sums(isa, kernel, dtype):
    for n, _, d in SHAPES:
        X, _ = tables(n, 1, d)
        X = X.astype(dtype).astype(np.float64)
        K, V = kernel(X), np.random.default_rng(1).standard_normal((n, 19))
        near = tolerance(dtype, K)
        sweeper, _, x = prepared(isa, kernel, X, X, dtype)
        block = sweeper.block(x, x, mirrored=True)
        np.testing.assert_array_equal(block, block.T)
        np.testing.assert_allclose(block, K, atol=near)
        for cache in (0, 1_500_000, 10**9):
            sweep = SymmetricSweep(sweeper, x, cache_bytes=cache, n_jobs=2)
            for _ in range(2):  # the second time from what is kept
                product, sums = sweep.product_and_sums(V)
                np.testing.assert_allclose(product, K @ V, atol=near * n)
                np.testing.assert_allclose(sums.rows, K.sum(axis=1), atol=near * n)
                np.testing.assert_allclose(sums.squares, np.square(K).sum(), atol=2 * near * n * n * np.abs(K).max())
            np.testing.assert_array_equal(sweep.product(V), product)


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("width", [0, 1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 64, 100])
def test_any_number_of_vectors(isa, width):
    X, _ = tables(200, 1, 4)
    V = np.random.default_rng(0).standard_normal((200, width))
    for dtype in DTYPES:
        sweeper, _, x = prepared(isa, RBF(gamma=0.2), X, X, dtype)
        near = 200 * tolerance(dtype, np.ones(1))
        np.testing.assert_allclose(SymmetricSweep(sweeper, x).product(V), RBF(gamma=0.2)(X) @ V, atol=near)
        np.testing.assert_allclose(sweeper.product(x, x, V), RBF(gamma=0.2)(X) @ V, atol=near)


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("d", [1, 2, 255, 256, 257, 5000])
def test_any_number_of_features(isa, d):
    X, Y = tables(30, 20, d)
    for dtype in DTYPES:
        for kernel in (KERNELS[0], KERNELS[1], KERNELS[8]):  # by products, by differences, city block
            sweeper, y, x = prepared(isa, kernel, X, Y, dtype)
            np.testing.assert_allclose(sweeper.block(y, x), kernel(Y, X), atol=10 * tolerance(dtype, np.ones(1)))


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("k", [1, 4, 16, 130])
def test_nearest_are_the_smallest_of_the_block_in_order(isa, k):
    X, Y = tables(130, 300, 3)
    for dtype in DTYPES:
        distances = Recipe(Pairing.SQUARED_DIFFERENCE, Profile.IDENTITY)
        sweeper = Sweeper(Engine(isa), distances, dtype)
        x, y = sweeper.pack(X, None), sweeper.pack(Y, None)
        block = sweeper.block(y, x)
        order = np.argsort(block, axis=1, kind="stable")[:, :k]  # equal ones in the order of their rows
        values, places = sweeper.nearest(y, x, k, n_jobs=2)
        np.testing.assert_array_equal(places, order)
        np.testing.assert_array_equal(values, np.take_along_axis(block, order, axis=1))


@pytest.mark.parametrize("isa", SETS)
def test_rows_that_are_not_there_are_found_missing(isa):
    X, Y = tables(5, 3, 2)
    sweeper = Sweeper(Engine(isa), Recipe(Pairing.SQUARED_DIFFERENCE, Profile.IDENTITY), np.float64)
    values, places = sweeper.nearest(sweeper.pack(Y, None), sweeper.pack(X, None), 7)
    assert (places[:, 5:] == -1).all()
    assert np.isinf(values[:, 5:]).all()


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("n_jobs", [1, 2, 5, 64])
def test_equal_threads_give_equal_bits(isa, n_jobs):
    X, _ = tables(1500, 1, 6)
    V = np.random.default_rng(0).standard_normal((1500, 3))
    sweeper, _, x = prepared(isa, RBF(gamma=0.2), X, X, np.float32)
    first, again, single = (
        SymmetricSweep(sweeper, x, n_jobs=jobs, cache_bytes=cache).product(V)
        for jobs, cache in ((n_jobs, 0), (n_jobs, 10**9), (1, 0))
    )
    np.testing.assert_array_equal(first, again)
    np.testing.assert_allclose(first, single, atol=1e-3)  # other tiles are added up in float32 first
    many, one = (sweeper.product(x, x, V, n_jobs=jobs) for jobs in (n_jobs, 1))
    np.testing.assert_array_equal(many, one)  # every row of the answer is one thread's


@pytest.mark.parametrize("n", [1, 127, 128, 129, 511, 512, 513, 1024, 5000])
@pytest.mark.parametrize("workers", [1, 2, 16])
def test_strips_meet_every_pair_of_rows_once(n, workers):
    layout = Engine(SETS[-1]).layout(np.float32) if SETS else pytest.skip("there is no compiled engine")
    met = np.zeros((n, n), dtype=np.int8)
    for strip in cut_into_strips(n, layout, workers):
        assert strip.tiles == -(-(strip.right - strip.left) // layout.tile_columns)
        met[strip.begin : strip.begin + layout.tile_rows, strip.left : strip.right] += 1
    assert (np.triu(met) == np.triu(np.ones((n, n)))).all()


@pytest.mark.skipif(not SETS, reason="there is no compiled engine")
class TestLongWork:
    """Progress, and being stopped."""

    class Told(Progress):
        def __init__(self, then=lambda: None):
            super().__init__()
            self.begun, self.steps, self.ended, self.then, self.lock = [], 0, 0, then, threading.Lock()

        def begin(self, title, total):
            self.begun.append(total)

        def advance(self, steps=1):
            with self.lock:
                self.steps += steps
            self.then()

        def end(self):
            self.ended += 1

    def sweep(self, progress, n_jobs=2, cache=0):
        X, _ = tables(3000, 1, 4)
        sweeper, _, x = prepared(SETS[0], RBF(gamma=0.1), X, X, np.float32)
        return SymmetricSweep(sweeper, x, n_jobs=n_jobs, progress=progress, cache_bytes=cache), X

    def test_progress_counts_tiles(self):
        told = self.Told()
        self.sweep(told)[0].product(np.ones((3000, 1)))
        assert told.begun == [told.steps]
        assert told.ended == 1

    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_an_error_stops_all_and_the_next_pass_is_right(self, n_jobs):
        def fail():
            raise KeyboardInterrupt

        told = self.Told(fail)
        sweep, X = self.sweep(told, n_jobs, cache=10**7)
        with pytest.raises(KeyboardInterrupt):
            sweep.product(np.ones((3000, 1)))
        assert told.ended == 1
        assert told.steps < told.begun[0] / 2
        told.then = lambda: None
        expected = RBF(gamma=0.1)(X).sum(axis=1)
        np.testing.assert_allclose(sweep.product(np.ones((3000, 1)))[:, 0], expected, rtol=1e-5)
