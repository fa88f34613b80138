"""Accuracy against scipy.linalg.eigh in float64: eigenvalues, subspaces, and what the certificates claim of both.

    python benchmarks/accuracy.py [--usps FOLDER]

``--usps`` names a folder with zip.train.gz (a digit's label, then 256 grey levels a row); left out, that row is too.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from harness import median_gamma, print_table, table
from scipy.linalg import eigh
from sklearn.datasets import load_digits, make_swiss_roll

from eigenlens import KernelPCA
from eigenlens.kernels import RBF, Kernel, Laplacian, Matern, Polynomial, RationalQuadratic

K_COMPONENTS = 10


def row(name: str, X: np.ndarray, kernel: Kernel) -> list[object]:
    """Fit by blocks, decompose whole, compare."""
    model = KernelPCA(K_COMPONENTS, kernel=kernel, eigen_solver="block", random_state=0).fit(X)
    K = kernel(X)
    K -= K.mean(axis=0)
    K -= K.mean(axis=1)[:, None]
    n = len(K)
    values, vectors = eigh(K, subset_by_index=(n - K_COMPONENTS, n - 1))
    values, vectors = values[::-1], vectors[:, ::-1]
    sine = float(np.linalg.norm(vectors - model.eigenvectors_ @ (model.eigenvectors_.T @ vectors), 2))
    certificate = model.certificate_
    inside = np.all((certificate.lower <= values) & (values <= certificate.upper))
    return [
        name,
        n,
        model.n_iter_,
        f"{np.max(np.abs(model.eigenvalues_ / values - 1)):.1e}",
        f"{np.max((certificate.upper - certificate.lower) / values):.1e}",
        "all" if inside else "NOT ALL",
        f"{int(certificate.index_proven.sum())} of {K_COMPONENTS}",
        f"{sine:.1e}",
        f"{certificate.subspace_sine:.1e}",
    ]


def cases(usps: Path | None) -> list[tuple[str, np.ndarray, Kernel]]:
    normal, roll, digits = table(4000), make_swiss_roll(4000, random_state=0)[0], load_digits().data
    width = (0.5 / median_gamma(roll)) ** 0.5
    found = [
        ("normal, RBF median", normal, RBF(median_gamma(normal))),
        ("normal, Laplacian", normal, Laplacian(0.05)),
        ("normal + 1e6, RBF median", normal + 1e6, RBF(median_gamma(normal))),
        ("swiss roll, RBF median", roll, RBF(median_gamma(roll))),
        ("swiss roll, RBF narrow", roll, RBF(10 * median_gamma(roll))),
        ("swiss roll, Matern 5/2", roll, Matern(length_scale=width, nu=2.5)),
        ("swiss roll, rational quadratic", roll, RationalQuadratic(length_scale=width)),
        ("digits, RBF median", digits, RBF(median_gamma(digits))),
        ("digits, polynomial 3", digits, Polynomial(3, gamma=1 / 64 / 256, coef0=1)),
    ]
    if usps is not None:
        rows = np.loadtxt(usps / "zip.train.gz")[:, 1:]
        found.append(("USPS, RBF median", rows, RBF(median_gamma(rows))))
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("--usps", type=Path)
    headers = ["", "n", "passes", "eigenvalue error", "enclosure width", "enclosed", "index proven", "angle", "bound"]
    print_table(headers, [row(*case) for case in cases(parser.parse_args().usps)])
