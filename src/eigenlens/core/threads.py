"""Threads over tiles: how many, with BLAS held to one thread each, and a way to stop them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache

import joblib
import scipy.linalg  # noqa: F401  loaded before the controller looks for BLAS libraries
from threadpoolctl import ThreadpoolController

_LISTEN = 0.2  # seconds from Ctrl-C to its effect at most


@cache
def _blas() -> ThreadpoolController:
    """Find the BLAS libraries once: looking for them takes milliseconds, setting their threads microseconds."""
    return ThreadpoolController().select(user_api="blas")


def worker_count(n_jobs: int | None) -> int:
    """Threads to use: what ``n_jobs`` says the scikit-learn way, or else as many as BLAS may use now.

    BLAS would use its threads anyway, so None takes those and no more; an outer ``threadpool_limits`` or
    ``OMP_NUM_THREADS`` is thereby respected.
    """
    if n_jobs is not None:
        return max(1, joblib.effective_n_jobs(n_jobs))
    return _HOLD.before if _HOLD.lock.locked() else _threads_of_blas()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold BLAS to one thread while our own threads run, and put its setting back after.

    The setting is the process's. Of several threads (or calls within each other) that want it held, one sets it and
    puts it back; if each did, the last would put back what it found, which is what another had set. It has to be the
    same one: OpenBLAS ignores what one thread says of what another has set.
    """
    if not _HOLD.lock.acquire(blocking=False):
        yield
        return
    try:
        _HOLD.before = _threads_of_blas()
        with _blas().limit(limits=1):
            yield
    finally:
        _HOLD.lock.release()


def _threads_of_blas() -> int:
    return max((library.num_threads for library in _blas().lib_controllers), default=1)


@dataclass
class _Hold:
    """Whether BLAS is held to one thread now, and what was set before."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    before: int = 1


_HOLD = _Hold()


def run_workers(work: Callable[[int, threading.Event], None], workers: int) -> None:
    """Run ``work(index, stop)`` for each of ``workers``, one of them in this thread; any error or Ctrl-C stops all.

    ``stop`` is set when another worker failed or the caller was interrupted: work looks at it between tiles, so that
    nothing goes on in the background afterwards.
    """
    stop, failures = threading.Event(), list[BaseException]()
    running = [threading.Lock() for _ in range(workers)]

    def run(index: int) -> None:
        with running[index]:
            try:
                if not stop.is_set():
                    work(index, stop)
            except BaseException as error:  # the caller raises it
                failures.append(error)
                stop.set()

    with one_blas_thread():
        others = [threading.Thread(target=run, args=(index,), daemon=True) for index in range(1, workers)]
        try:
            for thread in others:
                thread.start()
            run(0)
            for thread in others:
                while thread.is_alive():  # waiting a little at a time: an endless wait may sleep through Ctrl-C
                    thread.join(_LISTEN)
        finally:
            stop.set()
            # Ctrl-C may come while a thread is being started: either it sees `stop`, or it holds its lock
            for lock in running:
                lock.acquire()
                lock.release()
    if failures:
        raise failures[0]
