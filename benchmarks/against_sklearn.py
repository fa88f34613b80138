"""Kernel PCA against scikit-learn's three solvers: time, peak memory, eigenvalues.

    python benchmarks/against_sklearn.py

Each fit runs in a process of its own; the libraries take turns, three rounds each, and the best round of each counts.
"""

from __future__ import annotations

import numpy as np
from harness import measure, median_gamma, print_table, table
from scipy.linalg import eigh
from sklearn.metrics.pairwise import rbf_kernel

ROUNDS = 3


def best(rounds: list[dict]) -> dict:
    return min(rounds, key=lambda answer: answer["seconds"])


def compare(n: int, k: int | None, solvers: list[str], exact: np.ndarray | None, repeats: int = 1) -> None:
    """Print one table: scikit-learn's solvers, then ours, with ratios to the fastest of theirs."""
    contenders = [("scikit-learn", solver) for solver in solvers] + [("eigenlens", "auto")]
    rounds: dict[tuple[str, str], list[dict]] = {who: [] for who in contenders}
    for _ in range(ROUNDS):
        for library, solver in contenders:
            rounds[library, solver].append(measure(library=library, n=n, k=k, solver=solver, repeats=repeats))
    fastest = min(best(rounds["scikit-learn", solver])["seconds"] for solver in solvers)
    leanest = min(best(rounds["scikit-learn", solver])["peak"] for solver in solvers)
    rows = []
    for who in contenders:
        answer = best(rounds[who])
        values = np.array(answer["eigenvalues"])
        error = "" if exact is None else f"{np.max(np.abs(values / exact[: len(values)] - 1)):.1e}"
        rows.append(
            [
                " ".join(who) + (f" = {answer['solver']}" if "solver" in answer else ""),
                f"{answer['seconds']:.4g} s",
                f"{fastest / answer['seconds']:.2f}",
                f"{answer['peak']:.0f} MB",
                f"{answer['peak'] / leanest:.2f}",
                error,
                f"{answer['proven']} of {len(values)}" if "proven" in answer else "",
            ]
        )
    print(f"n = {n}, k = {k}\n")
    headers = ["", "time", "times faster than their fastest", "peak memory", "of their leanest", "eigenvalue error"]
    print_table([*headers, "index proven"], rows)


def exact_eigenvalues(n: int, k: int) -> np.ndarray:
    """The k largest eigenvalues of the centred kernel matrix by LAPACK, in float64."""
    K = rbf_kernel(table(n), gamma=median_gamma(table(n)))
    K -= K.mean(axis=0)
    K -= K.mean(axis=1)[:, None]
    return eigh(K, subset_by_index=(n - k, n - 1), eigvals_only=True, overwrite_a=True)[::-1]


if __name__ == "__main__":
    compare(10_000, 10, ["arpack", "randomized"], exact_eigenvalues(10_000, 10))
    compare(5_000, 50, ["auto"], exact_eigenvalues(5_000, 50))
