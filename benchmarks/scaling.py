"""Time and peak memory from n = 1,000 to 100,000, in child processes, under a memory limit.

    python benchmarks/scaling.py [--limit 2GB]

scikit-learn runs where its matrices fit this machine's memory.
"""

from __future__ import annotations

import argparse

from harness import measure, print_table

SIZES = [1000, 3000, 10_000, 30_000, 100_000]
SKLEARN_UP_TO = 10_000  # at 30,000 it would take 15 GB and more

LARGE, THEIRS, TOLERANCE, TURNS = 100_000, 20_000, 1e-5, 3


def growth(limit: str) -> None:
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


def five_times_the_rows(limit: str) -> None:
    """100,000 rows of ours against 20,000 of theirs, in turns."""
    jobs = {("scikit-learn", solver): {"n": THEIRS} for solver in ("arpack", "randomized")}
    jobs[("eigenlens", "auto")] = {"n": LARGE, "memory_limit": limit, "tolerance": TOLERANCE}
    turns: dict[tuple[str, str], list[dict]] = {who: [] for who in jobs}
    for _ in range(TURNS):
        for (library, solver), job in jobs.items():
            turns[library, solver].append(measure(library=library, k=10, solver=solver, **job))
    rows = []
    for who, answers in turns.items():
        last, seconds = answers[-1], [answer["seconds"] for answer in answers]
        found = [f"{last['residual']:.1e}", f"{last['proven']} of 10"] if "residual" in last else ["", ""]
        each = ", ".join(f"{time:.1f}" for time in seconds)
        rows.append([" ".join(who), jobs[who]["n"], f"{min(seconds):.2f} s", each, f"{last['peak']:.0f} MB", *found])
    print(
        f"{LARGE} rows with tol={TOLERANCE:g} and memory_limit={limit!r} against {THEIRS} of scikit-learn's, in turns\n"
    )
    print_table(["", "n", "best", "seconds of each turn", "peak", "residual / first eigenvalue", "index proven"], rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", default="2GB")
    limit = parser.parse_args().limit
    growth(limit)
    five_times_the_rows(limit)
