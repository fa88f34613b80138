"""Time and peak memory from n = 1,000 to 100,000, in child processes, under a memory limit.

    python benchmarks/scaling.py [--limit 2GB]

scikit-learn runs where its matrices fit this machine's memory.
"""

from __future__ import annotations

import argparse

from harness import measure, print_table

SIZES = [1000, 3000, 10_000, 30_000, 100_000]
SKLEARN_UP_TO = 10_000  # at 30,000 it would take 15 GB and more

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", default="2GB")
    limit = parser.parse_args().limit
    rows = []
    for n in SIZES:
        ours = measure(library="eigenlens", n=n, k=10, solver="auto", memory_limit=limit)
        row = [n, f"{ours['seconds']:.3g} s", f"{ours['peak']:.0f} MB", ours["passes"], f"{ours['residual']:.1e}"]
        row += [f"{ours['proven']} of 10"]
        if n <= SKLEARN_UP_TO:
            theirs = measure(library="scikit-learn", n=n, k=10, solver="randomized")
            row += [
                f"{theirs['seconds']:.3g} s",
                f"{theirs['peak']:.0f} MB",
                f"{theirs['seconds'] / ours['seconds']:.1f}",
            ]
        else:
            row += [f"needs {8 * n * n / 1e9:.0f} GB a matrix", "", ""]
        rows.append(row)
    print(f"k = 10, d = 20, RBF at the median width, memory_limit={limit!r}; scikit-learn: eigen_solver='randomized'\n")
    headers = ["n", "eigenlens", "peak", "passes", "residual / first eigenvalue", "index proven"]
    print_table([*headers, "scikit-learn", "peak", "times faster"], rows)
