"""Small tables, where overhead decides: fit and transform against scikit-learn's defaults, in one process.

    python benchmarks/small.py

The libraries take turns, each with several fits in a row, for BLAS threads go on waiting for work after a fit and would
slow down the other's first; the best of all counts. The last rows time ``transform``.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

import numpy as np
import sklearn.decomposition
from harness import median_gamma, print_table, table
from sklearn.datasets import load_breast_cancer, load_digits

import eigenlens

SIZES = [
    (50, 2), (100, 2), (100, None), (200, 5), (200, 10), (200, 20), (300, 2), (300, 10), (300, 15), (500, 2), (500, 9),
    (500, 10), (500, 20), (500, 100), (500, None), (1000, 2), (1000, 9), (1000, 10), (1000, 50), (1000, 200), (1200, 5),
    (1500, 5), (1500, 10), (1500, 50), (2000, 2), (2000, 9), (2000, 10), (2000, 100), (2000, 300), (2000, None),
]  # fmt: skip


def take_turns(ours: Callable[[], object], theirs: Callable[[], object], row: int, turns: int = 3) -> tuple[float, ...]:
    """Best time of each over turns of a few in a row."""
    best = [np.inf, np.inf]
    for _ in range(turns):
        for j, run in enumerate((ours, theirs)):
            for _ in range(row):
                start = time.perf_counter()
                run()
                best[j] = min(best[j], time.perf_counter() - start)
    return tuple(best)


def compare_fits(name: str, X: np.ndarray, k: int | None, gamma: float) -> list[object]:
    parameters = {"kernel": "rbf", "gamma": gamma, "random_state": 0}
    ours, theirs = eigenlens.KernelPCA(k, **parameters), sklearn.decomposition.KernelPCA(k, **parameters)
    a, b = take_turns(lambda: ours.fit(X), lambda: theirs.fit(X), 20 if len(X) <= 500 else 5)
    proven = f"{ours.certificate_.index_proven.sum()} of {len(ours.eigenvalues_)}"
    label = f"fit {name}n = {len(X)}, k = {k}"
    return [label, ours.solver_, f"{1e3 * a:.2f} ms", f"{1e3 * b:.2f} ms", f"{b / a:.2f}", proven]


def fits() -> list[list[object]]:
    normal = [("", table(n), k) for n, k in SIZES]
    real = [("breast cancer, ", load_breast_cancer().data, 5), ("digits, ", load_digits().data, 5)]
    real += [("digits, ", load_digits().data, 20)]
    return [compare_fits(name, X, k, median_gamma(X)) for name, X, k in normal + real]


def transforms() -> list[list[object]]:
    rows = []
    for n, m in [(1000, 1000), (10_000, 1), (10_000, 100), (10_000, 1000)]:
        X, new = table(n), table(m, seed=1)
        gamma = median_gamma(X)
        ours = eigenlens.KernelPCA(10, kernel="rbf", gamma=gamma, random_state=0).fit(X)
        theirs = sklearn.decomposition.KernelPCA(10, kernel="rbf", gamma=gamma, eigen_solver="randomized").fit(X)
        a, b = take_turns(lambda: ours.transform(new), lambda: theirs.transform(new), 10)  # noqa: B023
        rows.append(
            [f"transform {m} rows, n = {n}, k = 10", "", f"{1e3 * a:.2f} ms", f"{1e3 * b:.2f} ms", f"{b / a:.2f}", ""]
        )
    return rows


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print_table(["", "solver", "eigenlens", "scikit-learn", "times faster", "index proven"], fits() + transforms())
