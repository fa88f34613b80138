"""Fits measured in child processes: seconds, peak memory, and a few numbers of the answer."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist

FEATURES = 20


def table(n: int, seed: int = 0) -> np.ndarray:
    """Standard normal rows: every direction alike, the hardest spectrum for an iteration."""
    return np.random.default_rng(seed).standard_normal((n, FEATURES))


def median_gamma(X: np.ndarray) -> float:
    """gamma of an RBF whose width is the median distance, of a thousand rows."""
    return float(0.5 / np.median(pdist(X[:: -(-len(X) // 1000)], "sqeuclidean")))


def measure(**job: Any) -> dict[str, Any]:
    """Run one fit in a process of its own, so that its peak memory is its own."""
    line = subprocess.run([sys.executable, __file__, json.dumps(job)], capture_output=True, text=True, check=False)
    if line.returncode != 0:
        raise SystemExit(f"{job}: {line.stderr.strip().splitlines()[-1] if line.stderr else line.returncode}")
    return json.loads(line.stdout)


def peak_memory() -> float:
    """Peak resident memory of this process in MB.

    Linux's own count of the address space, where there is one: getrusage's also remembers the parent's, which was this
    process before it became another program.
    """
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)


def print_table(headers: list[str], rows: list[list[Any]]) -> None:
    """Print a Markdown table."""
    print("| " + " | ".join(headers) + " |")
    print("|" + " --- |" * len(headers))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)
    print()


def _child(
    library: str,
    n: int,
    k: int | None,
    solver: str,
    repeats: int = 1,
    memory_limit: str | None = None,
    tolerance: float = 0.0,
) -> dict:
    """Fit ``repeats`` times; the first fit also pays for what a library loads on first use."""
    warnings.simplefilter("ignore")
    X = table(n)
    gamma = median_gamma(X)
    baseline = peak_memory()
    if library == "eigenlens":
        from eigenlens import KernelPCA

        options = {"memory_limit": memory_limit, "tol": tolerance}
        model = KernelPCA(k, kernel="rbf", gamma=gamma, eigen_solver=solver, random_state=0, **options)
    else:
        from sklearn.decomposition import KernelPCA

        model = KernelPCA(k, kernel="rbf", gamma=gamma, eigen_solver=solver, random_state=0)
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        model.fit(X)
        seconds.append(time.perf_counter() - start)
    answer = {
        "first": seconds[0],
        "seconds": min(seconds),
        "peak": peak_memory(),
        "baseline": baseline,
        "eigenvalues": model.eigenvalues_[:50].tolist(),
    }
    if library == "eigenlens":
        certificate = model.certificate_
        answer |= {
            "solver": model.solver_,
            "passes": model.n_iter_,
            "residual": float(certificate.residual.max() / model.eigenvalues_[0]),
            "proven": int(certificate.index_proven.sum()),
        }
    return answer


if __name__ == "__main__":
    print(json.dumps(_child(**json.loads(sys.argv[1]))))
