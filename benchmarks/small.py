"""Small tables, where overhead decides: fit and transform against scikit-learn's defaults, in one process.

    python benchmarks/small.py

The libraries take turns; the best of many rounds of each counts. The last rows time ``transform``.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

import numpy as np
import sklearn.decomposition
from harness import median_gamma, print_table, table

import eigenlens

SIZES = [
    (50, 2), (100, 2), (100, None), (200, 5), (200, 20), (300, 2), (300, 15), (500, 2), (500, 9), (500, 20), (500, 100),
    (500, None), (1000, 2), (1000, 9), (1000, 50), (1000, 200), (1500, 5), (2000, 2), (2000, 9), (2000, 10),
    (2000, 100), (2000, 300), (2000, None),
]  # fmt: skip


def take_turns(ours: Callable[[], object], theirs: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Best time of each over rounds in which both run."""
    times = np.empty((rounds, 2))
    for i in range(rounds):
        for j, run in enumerate((ours, theirs)):
            start = time.perf_counter()
            run()
            times[i, j] = time.perf_counter() - start
    return times[:, 0].min(), times[:, 1].min()


def fits() -> list[list[object]]:
    rows = []
    for n, k in SIZES:
        X, parameters = table(n), {"kernel": "rbf", "gamma": median_gamma(n), "random_state": 0}
        ours = eigenlens.KernelPCA(k, **parameters)
        theirs = sklearn.decomposition.KernelPCA(k, **parameters)
        rounds = 30 if n <= 500 else 8
        a, b = take_turns(lambda m=ours, X=X: m.fit(X), lambda m=theirs, X=X: m.fit(X), rounds)
        rows.append(
            [f"fit n = {n}, k = {k}", f"{ours.solver_}", f"{1e3 * a:.2f} ms", f"{1e3 * b:.2f} ms", f"{b / a:.2f}"]
        )
    return rows


def transforms() -> list[list[object]]:
    rows = []
    for n, m in [(1000, 1000), (10_000, 1), (10_000, 100), (10_000, 1000)]:
        X, new, gamma = table(n), table(m, seed=1), median_gamma(n)
        ours = eigenlens.KernelPCA(10, kernel="rbf", gamma=gamma, random_state=0).fit(X)
        theirs = sklearn.decomposition.KernelPCA(10, kernel="rbf", gamma=gamma, eigen_solver="randomized").fit(X)
        a, b = take_turns(lambda: ours.transform(new), lambda: theirs.transform(new), 10)  # noqa: B023
        rows.append(
            [f"transform {m} rows, n = {n}, k = 10", "", f"{1e3 * a:.2f} ms", f"{1e3 * b:.2f} ms", f"{b / a:.2f}"]
        )
    return rows


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print_table(["", "solver", "eigenlens", "scikit-learn", "times faster"], fits() + transforms())
