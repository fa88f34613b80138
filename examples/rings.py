"""Two rings, one inside the other: the first component of an RBF kernel PCA separates them by a threshold.

Left: the rows, which no straight line takes apart. Right: their first two scores. The dashed line is put in the widest
gap of the first component, without looking at the classes, and each class is on one side of it.
"""

import argparse
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from eigenlens import KernelPCA
from eigenlens.datasets import make_rings
from eigenlens.kernels import RBF
from eigenlens.plots import plot_embedding


def main(out: Path) -> dict[str, float]:
    X, y = make_rings(random_state=0)
    model = KernelPCA(n_components=2, kernel=RBF(gamma=0.4))
    scores = model.fit_transform(X)
    threshold = middle_of_widest_gap(scores[:, 0])
    outside = (scores[:, 0] > threshold) == (y == 1)
    accuracy = max(outside.mean(), 1 - outside.mean())  # which side a class is on is a matter of sign

    figure = Figure(figsize=(9, 4.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    plot_embedding(X, y, names=["inner ring", "outer ring"], legend=False, ax=left)
    left.set(xlabel="$x_1$", ylabel="$x_2$", title="the rows")
    plot_embedding(scores, y, eigen_share=model.explained_variance_ratio_, legend=False, ax=right)
    right.axvline(threshold, color="black", linestyle="--", linewidth=1)
    right.set_title("their scores, and a threshold")
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)

    out.mkdir(parents=True, exist_ok=True)
    figure.savefig(out / "rings.png", dpi=100)
    print(f"The threshold {threshold:.3f} on component 1 puts {accuracy:.0%} of the rows on their side.")
    print(f"Picture: {out / 'rings.png'}")
    return {"accuracy": float(accuracy), "threshold": float(threshold)}


def middle_of_widest_gap(values: np.ndarray) -> float:
    ordered = np.sort(values)
    widest = np.argmax(np.diff(ordered))
    return (ordered[widest] + ordered[widest + 1]) / 2


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("demo-output"), help="folder for the picture")
    main(parser.parse_args().out)
