"""A pass of the Gram operator: how near the compiled engine is to the machine, and to others.

    python benchmarks/engine.py [PICTURE]

GFLOP/s count what is done: n (n + 1) / 2 pairs of rows, each with 2 d operations for the inner product and 4 b for b
vectors, used from both sides; exponentials count as nothing. They are compared with the best sgemm (float32 matrix
product) of this machine on one thread, over the kernels that OpenBLAS can be told to use, each in a child process.
Times a pair are over all n^2, every contender with all threads, the best of several turns. PyTorch and KeOps take part
if they are installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
from harness import print_table

FEATURES, WIDTHS = (5, 20, 64, 256, 784), (8, 16, 32, 64)
CORES = ("", "HASWELL", "SKYLAKEX", "ZEN", "COOPERLAKE", "SAPPHIRERAPIDS", "NEOVERSEN1")
N = 6000
_PEAK = """
import time
import numpy as np
A = np.random.default_rng(0).random((3000, 3000), dtype=np.float32)
A @ A
best = 1e9
for _ in range(5):
    start = time.perf_counter()
    A @ A
    best = min(best, time.perf_counter() - start)
print(2 * 3000**3 / best / 1e9)
"""


def sgemm_peak() -> tuple[float, str]:
    """GFLOP/s of one thread, and under which of OpenBLAS's kernels."""
    found = []
    for core in CORES:
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        environment |= {"OPENBLAS_CORETYPE": core} if core else {}
        run = subprocess.run(
            [sys.executable, "-c", _PEAK], env=environment, capture_output=True, text=True, check=False
        )
        if run.returncode == 0:  # kernels for another processor may not run here
            found.append((float(run.stdout), core or "as installed"))
    print("sgemm on one thread: " + ", ".join(f"{core} {speed:.0f}" for speed, core in found) + " GFLOP/s\n")
    return max(found)


def best_of(run: Callable[[], object], turns: int) -> float:
    seconds = []
    for _ in range(turns):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def problem(n: int, d: int, b: int) -> tuple[np.ndarray, np.ndarray, float]:
    rng = np.random.default_rng(0)
    return rng.standard_normal((n, d)), rng.standard_normal((n, b)), 0.5 / (2 * d)


def native(d: int, b: int, n_jobs: int | None, dtype: type = np.float32) -> float:
    """Seconds of a pass of the compiled engine over N rows."""
    from eigenlens.engine import engine_in_use, recipe_for
    from eigenlens.gram import NativeGram
    from eigenlens.kernels import RBF

    X, V, gamma = problem(N, d, b)
    kernel = RBF(gamma)
    gram = NativeGram(engine_in_use(), recipe_for(kernel), kernel, X, dtype, n_jobs=n_jobs)
    return best_of(lambda: gram.matmat(V), 8)


def numpy_tiles(d: int, b: int) -> float:
    from eigenlens.gram import KernelSource, TiledGram
    from eigenlens.kernels import RBF

    X, V, gamma = problem(N, d, b)
    gram = TiledGram(KernelSource(RBF(gamma), X), np.float32)
    return best_of(lambda: gram.matmat(V), 3)


def torch_blocks(d: int, b: int) -> float:
    import torch

    X, V, gamma = problem(N, d, b)
    X, V = torch.from_numpy(X).float(), torch.from_numpy(V).float()
    parts = range(0, N, 1000)
    return best_of(lambda: [torch.exp(-gamma * torch.cdist(X[i : i + 1000], X).square_()) @ V for i in parts], 3)


def keops(d: int, b: int) -> float:
    """Seconds for N rows, from a quarter of them where rows are long: KeOps takes a time in proportion to pairs."""
    import torch
    from pykeops.torch import LazyTensor

    n = N if d * b <= 1000 else N // 4
    X, V, gamma = problem(n, d, b)
    X, V = torch.from_numpy(X).float(), torch.from_numpy(V).float()
    left, right = LazyTensor(X[:, None, :]), LazyTensor(X[None, :, :])
    kernel = (-gamma * ((left - right) ** 2).sum(-1)).exp()
    kernel @ V  # compiles
    return best_of(lambda: kernel @ V, 2) * (N / n) ** 2


def kernels(d: int = 20, b: int = 32) -> list[list[object]]:
    """Every profile, in both precisions, by the compiled engine and by NumPy."""
    from eigenlens.engine import engine_in_use, recipe_for
    from eigenlens.gram import KernelSource, NativeGram, TiledGram
    from eigenlens.kernels import RBF, Cosine, Laplacian, Linear, Matern, Polynomial, RationalQuadratic, Tanh

    X, V, gamma = problem(N // 2, d, b)
    rows = []
    native(d, b, None)  # wakes the threads up
    for kernel in (
        RBF(gamma), Matern(5.0, nu=1.5), Matern(5.0, nu=2.5), RationalQuadratic(5.0), Laplacian(gamma), Linear(),
        Polynomial(3, gamma), Tanh(gamma), Cosine(), RBF(1e6),
    ):  # fmt: skip
        cells: list[object] = [repr(kernel)]
        for dtype in (np.float32, np.float64):
            ours = NativeGram(engine_in_use(), recipe_for(kernel), kernel, X, dtype)
            theirs = TiledGram(KernelSource(kernel, X), dtype)
            fast, slow = best_of(lambda: ours.matmat(V), 8), best_of(lambda: theirs.matmat(V), 3)  # noqa: B023
            cells += [f"{fast / len(X) ** 2 * 1e9:.3g} ns", f"{slow / fast:.1f}"]
        rows.append(cells)
    return rows


def draw(path: str, fractions: dict[tuple[int, int], float], peak: float) -> None:
    """Write a picture of the fractions of sgemm's speed."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 3.4), layout="constrained")
    for i, b in enumerate(WIDTHS):
        at = [j + (i - 1.5) * 0.2 for j in range(len(FEATURES))]
        heights = [100 * fractions[d, b] for d in FEATURES]
        axes.bar(at, heights, 0.18, label=f"{b} vectors", color=plt.get_cmap("viridis")(0.15 + 0.22 * i))
    axes.axhline(100, color="black", linewidth=1)
    axes.text(-0.45, 102, f"sgemm, one thread: {peak:.0f} GFLOP/s", fontsize=9)
    axes.set_xticks(range(len(FEATURES)), [f"{d} features" for d in FEATURES])
    axes.set_ylim(0, 125)
    axes.set_ylabel("% of sgemm's GFLOP/s")
    axes.set_title("A float32 pass with an RBF kernel, exponentials not counted", loc="left", fontsize=10)
    axes.legend(ncols=4, frameon=False, loc="upper right", fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=130)


def main() -> None:
    from eigenlens import show_config

    show_config()
    peak, core = sgemm_peak()
    print(f"Peak: {peak:.0f} GFLOP/s ({core}). n = {N}, RBF, float32.\n")
    others = {"NumPy": numpy_tiles}
    for name, module, run in (("PyTorch", "torch", torch_blocks), ("KeOps", "pykeops", keops)):
        if find_spec(module):
            others[name] = run
        else:
            print(f"{name} is not installed: skipped (pip install {module}).\n")
    rows, ratios, fractions = [], [], {}
    native(FEATURES[0], WIDTHS[0], None)  # the first threads of a process take longer to start
    for d in FEATURES:
        for b in WIDTHS:
            one, all_threads = native(d, b, 1), native(d, b, None)
            speed = N * (N + 1) / 2 * (2 * d + 4 * b) / one / 1e9
            fractions[d, b] = speed / peak
            times = {name: run(d, b) for name, run in others.items()}
            cells = [f"{seconds / N**2 * 1e9:.3g} ns ({seconds / all_threads:.1f})" for seconds in times.values()]
            rows.append([d, b, f"{speed:.0f}", f"{speed / peak:.0%}", f"{one / all_threads:.2f}"])
            ratios.append([d, b, f"{all_threads / N**2 * 1e9:.3g} ns", *cells])
    print("One thread against sgemm, and what all threads gain\n")
    print_table(["d", "b", "GFLOP/s", "of sgemm's peak", "all threads, times faster"], rows)
    print("Time a pair with all threads (times as long as the compiled engine)\n")
    print_table(["d", "b", "eigenlens", *others], ratios)
    print("Every profile with all threads, d = 20, b = 32, and how many times as long NumPy takes\n")
    print_table(["kernel", "float32", "NumPy", "float64", "NumPy"], kernels())
    if len(sys.argv) > 1:
        draw(sys.argv[1], fractions, peak)


if __name__ == "__main__":
    main()
