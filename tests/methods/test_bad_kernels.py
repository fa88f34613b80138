"""Kernels that return what cannot be a kernel matrix are refused, whichever road the evaluation takes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from agreement import table
from refusals import assert_refused, in_order
from sklearn.metrics.pairwise import rbf_kernel

from eigenlens import KernelPCA
from eigenlens.core.errors import KernelBlockError
from eigenlens.kernels import RBF, Kernel

SMALL, LARGE = table(30, 3), table(2200, 3)  # in memory, and by tiles


@dataclass(frozen=True)
class Returning(Kernel):
    """A kernel that makes its blocks from right ones by a function."""

    change: Any = None

    def evaluate(self, pairs):
        return self.change(RBF(0.2).evaluate(pairs))

    def evaluate_diagonal(self, rows):
        return np.ones(len(rows))

    def __repr__(self):
        return "Returning()"


def spoilt(value):
    def change(block):
        block[-1, 0] = value
        return block

    return change


BROKEN = {
    "too wide": (lambda block: np.hstack([block, block]), ("returned a block of shape", "one value a pair")),
    "one number": (lambda block: 1.0, ("returned a block of shape ()", "one value a pair")),
    "nothing": (lambda block: None, ("returned", "one value a pair")),
    "NaN": (spoilt(np.nan), ("gives nan for rows", "Scale the table")),
    "infinity": (spoilt(np.inf), ("gives inf for rows", "Scale the table")),
    "text": (lambda block: block.astype(str), ("Returning()", "real numbers")),
    "complex": (lambda block: block + 0j, ("Returning()", "real numbers")),
    "not symmetric": (lambda block: block * np.linspace(1, 2, block.shape[1]), ("not symmetric", "(K + K.T) / 2")),
}


@pytest.mark.parametrize("solver", ["auto", "dense", "arpack", "randomized", "lanczos", "block"])
@pytest.mark.parametrize("what", BROKEN)
def test_broken_blocks(what, solver):
    change, words = BROKEN[what]
    assert_refused(SMALL, *words, kernel=Returning(change), error=KernelBlockError, eigen_solver=solver, n_components=2)


@pytest.mark.parametrize("what", BROKEN)
def test_broken_tiles(what):
    change, words = BROKEN[what]
    assert_refused(LARGE, *words, kernel=Returning(change), error=KernelBlockError, n_components=2, random_state=0)


@pytest.mark.parametrize("change", [lambda block: block.tolist(), lambda block: np.rint(9 * block).astype(int)])
def test_lists_and_whole_numbers_are_blocks_too(change):
    model = KernelPCA(2, kernel=Returning(change), indefinite="warn").fit(SMALL)
    K = np.array(change(RBF(0.2)(SMALL)), dtype=float)
    expected = KernelPCA(2, kernel="precomputed", indefinite="warn").fit(K)
    np.testing.assert_allclose(model.eigenvalues_, expected.eigenvalues_, rtol=1e-10)


def test_a_kernel_that_breaks_on_new_rows():
    model = KernelPCA(2, kernel=Returning(lambda block: np.where(block > 0, block, np.nan))).fit(SMALL)
    far = np.full((2, 3), 1e3)
    with pytest.raises(KernelBlockError, match=in_order("Returning()", "nan for rows 0 and 0", "Scale")):
        model.transform(far)
    assert np.isfinite(model.transform(SMALL)).all()


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda x, y: "one", ("returned str", "one finite real number")),
        (lambda x, y: None, ("returned NoneType", "one finite real number")),
        (lambda x, y: x, ("returned ndarray of shape (3,)", "one finite real number")),
        (lambda x, y: 1j, ("returned complex", "one finite real number")),
        (lambda x, y: np.nan, ("returned nan", "one finite real number")),
        (lambda x, y: float(x[0]), ("not symmetric", "order of its arguments")),
    ],
    ids=["text", "nothing", "row", "complex", "NaN", "not symmetric"],
)
def test_functions_of_two_rows(function, words):
    assert_refused(SMALL, "kernel function", *words, kernel=function, error=KernelBlockError)


def test_errors_of_a_function_are_its_own():
    assert_refused(SMALL, "division by zero", kernel=lambda x, y: 1 / 0, error=ZeroDivisionError)
    assert_refused(SMALL, "width", kernel=lambda x, y: 1.0, kernel_params={"width": 1}, error=TypeError)


def test_a_function_of_tables_is_not_one_of_rows():
    """The commonest slip: scikit-learn's pairwise functions want tables. Its own message names what to look at."""
    assert_refused(SMALL, "Expected 2D array, got 1D array", kernel=rbf_kernel)
    model = KernelPCA(2, kernel="precomputed").fit(rbf_kernel(SMALL, gamma=0.2))  # which is how it is used
    np.testing.assert_allclose(model.eigenvalues_, KernelPCA(2, kernel=RBF(0.2)).fit(SMALL).eigenvalues_, rtol=1e-10)
