"""Threads over tiles: all are run, BLAS is held and released, and any failure stops all of them."""

import _thread
import threading
import time

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from eigenlens.core.threads import one_blas_thread, run_workers, worker_count

SOON = 60  # seconds after which a worker that was not stopped gives up; no test waits for it unless it fails


def blas_threads():
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_jobs_mean_what_they_mean_in_scikit_learn():
    import joblib

    assert worker_count(1) == 1
    assert worker_count(3) == 3
    assert worker_count(-1) == joblib.cpu_count()
    with pytest.raises(ValueError, match="n_jobs"):
        worker_count(0)


def test_without_jobs_the_threads_of_blas_are_used():
    for threads in (1, 2):
        with threadpool_limits(threads, "blas"):
            assert worker_count(None) == threads


@pytest.mark.parametrize("failing", [False, True])
def test_blas_has_one_thread_inside_and_its_own_after(failing):
    with threadpool_limits(2, "blas"):
        try:
            with one_blas_thread():
                assert blas_threads() == {1}
                if failing:
                    raise KeyError
        except KeyError:
            pass
        assert blas_threads() == {2}


def test_blas_is_given_back_where_two_threads_held_it_one_after_the_other_began():
    first_in, second_in, first_out = threading.Event(), threading.Event(), threading.Event()
    counted, before = [], blas_threads()

    def first():
        with one_blas_thread():
            first_in.set()
            assert second_in.wait(timeout=SOON)
        first_out.set()

    def second():
        assert first_in.wait(timeout=SOON)
        counted.append(worker_count(None))
        with one_blas_thread():
            second_in.set()
            assert first_out.wait(timeout=SOON)

    threads = [threading.Thread(target=target) for target in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert blas_threads() == before
    assert counted == [max(before)]  # what may be used is what was set before, not what is held


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_each_worker_runs_once(workers):
    seen, lock = [], threading.Lock()

    def work(index, stop):
        with lock:
            seen.append(index)
        assert blas_threads() == {1}
        assert not stop.is_set()

    run_workers(work, workers)
    assert sorted(seen) == list(range(workers))


def test_workers_run_at_the_same_time():
    together = threading.Barrier(3)
    run_workers(lambda index, stop: together.wait(SOON), 3)  # each waits for the two others
    assert not together.broken


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("workers", [1, 3])
def test_failure_of_one_stops_all_and_is_raised(workers, error):
    stopped, begun = [], threading.Barrier(workers)  # one that had not begun would not have to be stopped

    def work(index, stop):
        begun.wait(SOON)
        if index == 0:
            raise error("tile 0")
        stopped.append(stop.wait(SOON))

    with pytest.raises(error, match="tile 0"):
        run_workers(work, workers)
    assert stopped == [True] * (workers - 1)


@pytest.mark.parametrize("works_on", [True, False])
def test_interrupting_the_caller_stops_all(works_on):
    """What Ctrl-C does: the main thread is interrupted in its own work or while it waits; the other goes no further."""
    stopped, ready = [], threading.Barrier(2)

    def work(index, stop):
        ready.wait(SOON)
        if index == 0:
            assert threading.current_thread() is threading.main_thread()
            stop.wait(SOON if works_on else 0)
            return
        time.sleep(0.05)  # by now the main thread works, or waits for this one
        _thread.interrupt_main()
        stopped.append(stop.wait(SOON))

    with threadpool_limits(2, "blas"):
        with pytest.raises(KeyboardInterrupt):
            run_workers(work, 2)
        assert blas_threads() == {2}
    assert stopped == [True]
