"""Tiles: each visited once, kept or not to the same bits, by as many threads as asked for, stopped by any failure."""

import signal
import threading
import time

import numpy as np
import pytest
from operator_registry import SMALL_TILE, known_symmetric, table
from threadpoolctl import threadpool_info, threadpool_limits

from eigenlens.core.progress import Progress
from eigenlens.core.threads import run_workers, worker_count
from eigenlens.gram import KernelSource, MatrixSource, TiledGram
from eigenlens.kernels import RBF

pytestmark = pytest.mark.usefixtures("small_tiles")
N = 10 * SMALL_TILE + 3
TILES = 11 * 12 // 2  # pairs i <= j of 11 parts


class Watched(MatrixSource):
    """A matrix source that does something before each tile."""

    def __init__(self, before):
        super().__init__(known_symmetric(N))
        self.before, self.made = before, []

    def tiles(self, dtype):
        make = super().tiles(dtype)

        def watched(rows, columns, scratch):
            self.made.append((rows.start, columns.start))
            self.before()
            return make(rows, columns, scratch)

        return watched


def gram(kept=0, n_jobs=1, dtype=np.float64):
    bytes_of_a_tile = SMALL_TILE**2 * np.dtype(dtype).itemsize
    return TiledGram(KernelSource(RBF(gamma=0.1), table(N)), dtype, cache_bytes=kept * bytes_of_a_tile, n_jobs=n_jobs)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_the_answer_does_not_depend_on_how_many_tiles_are_kept(n_jobs, dtype, rng):
    V = rng.standard_normal((N, 4))
    answers = []
    for kept in (0, 1, TILES // 2, TILES - 1, TILES, 10**6):
        operator = gram(kept, n_jobs, dtype)
        answers += [operator.matmat(V), operator.matmat(V), operator.matmat_with_moments(V)[0]]
    # the product with the moments has one more column, which may change the order of sums
    for answer in answers[0::3] + answers[1::3]:
        np.testing.assert_array_equal(answer, answers[0])
    for answer in answers[2::3]:
        np.testing.assert_allclose(answer, answers[0], atol=100 * np.finfo(dtype).eps * np.abs(answers[0]).max())


@pytest.mark.parametrize("n_jobs", [1, 2, 5])
def test_equal_threads_give_equal_bits_and_others_equal_numbers(n_jobs, rng):
    V = rng.standard_normal((N, 3))
    first, again, single = gram(5, n_jobs).matmat(V), gram(5, n_jobs).matmat(V), gram(5, 1).matmat(V)
    np.testing.assert_array_equal(first, again)
    np.testing.assert_allclose(first, single, atol=1e-13 * np.abs(single).max())  # another order of 73 sums


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("kept", [0, 10, TILES])
def test_a_pass_makes_every_tile_once_and_kept_ones_never_again(kept, n_jobs):
    source = Watched(lambda: None)
    operator = TiledGram(source, cache_bytes=kept * SMALL_TILE**2 * 4, n_jobs=n_jobs)
    operator.matmat(np.ones((N, 1)))
    assert len(source.made) == len(set(source.made)) == TILES
    assert all(row <= column for row, column in source.made)
    operator.matmat(np.ones((N, 1)))
    assert len(source.made) == 2 * TILES - kept


def test_a_matrix_source_is_read_through_its_upper_tiles_only():
    K = known_symmetric(N)
    poisoned = K.copy()
    for start in range(0, N, SMALL_TILE):
        poisoned[start + SMALL_TILE :, start : start + SMALL_TILE] = np.nan
    np.testing.assert_allclose(TiledGram(MatrixSource(poisoned), np.float64).matmat(np.eye(N)), K)


def test_as_many_threads_work_at_once_as_asked_for():
    meeting = threading.Barrier(3)  # broken, and the pass with it, unless three threads wait at it together
    source = Watched(lambda: meeting.wait(timeout=20))
    TiledGram(source, n_jobs=3).matmat(np.ones((N, 1)))
    assert meeting.n_waiting == 0
    assert TILES % 3 == 0


def test_one_job_works_in_the_calling_thread():
    here = []
    TiledGram(Watched(lambda: here.append(threading.current_thread())), n_jobs=1).matmat(np.ones((N, 1)))
    assert set(here) == {threading.current_thread()}


def test_blas_is_held_to_one_thread_and_set_back():
    def blas():
        return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

    inside = []
    with threadpool_limits(2, user_api="blas"):
        before = blas()
        TiledGram(Watched(lambda: inside.append(blas())), n_jobs=2).matmat(np.ones((N, 1)))
        assert blas() == before
    assert max(before) == 2
    assert all(threads == 1 for threads in inside[0])


@pytest.mark.parametrize(("n_jobs", "least"), [(1, 1), (3, 3), (-1, 1)])
def test_worker_count_follows_n_jobs(n_jobs, least):
    assert worker_count(n_jobs) >= least
    assert n_jobs < 0 or worker_count(n_jobs) == n_jobs


@pytest.mark.parametrize("error", [RuntimeError("tile"), KeyboardInterrupt(), MemoryError()])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_failing_tile_ends_the_pass_and_reaches_the_caller(error, n_jobs):
    def fail_at_the_third():
        if len(source.made) == 3:
            raise error
        time.sleep(0.002)  # time for the news to reach the other worker

    source, before = Watched(fail_at_the_third), threading.active_count()
    with pytest.raises(type(error)):
        TiledGram(source, n_jobs=n_jobs).matmat(np.ones((N, 1)))
    assert len(source.made) < TILES / 2
    assert threading.active_count() == before


def test_a_pass_after_a_failed_one_is_right(rng):
    failures = iter([False] * 30 + [True] + [False] * 1000)

    def fail_once():
        if next(failures):
            raise RuntimeError

    source, V = Watched(fail_once), rng.standard_normal((N, 2))
    operator = TiledGram(source, np.float64, cache_bytes=10**9, n_jobs=2)
    with pytest.raises(RuntimeError):
        operator.matmat(V)
    np.testing.assert_allclose(operator.matmat(V), source.K @ V, atol=1e-11)


def test_an_error_in_one_worker_stops_the_others():
    told, ready = [], threading.Barrier(3)  # a worker that has not begun when another fails never does

    def work(index, stop):
        ready.wait(timeout=20)
        if index == 0:
            raise RuntimeError("worker 0")
        told.append(stop.wait(timeout=20))

    with pytest.raises(RuntimeError, match="worker 0"):
        run_workers(work, 3)
    assert told == [True, True]


def test_control_c_stops_all_workers():
    told, ready = [], threading.Barrier(2)

    def work(index, stop):
        ready.wait(timeout=20)
        if index == 1:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        told.append(stop.wait(timeout=20))

    with pytest.raises(KeyboardInterrupt):
        run_workers(work, 2)
    assert told == [True]  # worker 0 is the main thread itself


class Counted(Progress):
    """Counts what it is told."""

    def __init__(self):
        super().__init__()
        self.began, self.steps, self.ended = [], 0, 0

    def begin(self, title, total):
        self.began.append(total)

    def advance(self):
        self.steps += 1

    def end(self):
        self.ended += 1


def test_progress_counts_tiles_and_is_closed_even_by_an_error():
    progress, source = Counted(), Watched(lambda: None)
    operator = TiledGram(source, n_jobs=1, progress=progress)
    operator.matmat(np.ones((N, 1)))
    assert (progress.began, progress.steps, progress.ended) == ([TILES], TILES, 1)
    source.before = lambda: 1 / 0
    with pytest.raises(ZeroDivisionError):
        operator.matmat(np.ones((N, 1)))
    assert progress.ended == 2


@pytest.mark.parametrize("tiles", [1, 2, 3, 10, 47])
def test_tiles_are_counted_along_the_rows_of_the_upper_triangle(tiles):
    operator = TiledGram(MatrixSource(np.empty((SMALL_TILE * tiles, 0))))
    places = [operator._place(t) for t in range(operator._n_tiles)]
    assert places == [(i, j) for i in range(tiles) for j in range(i, tiles)]
