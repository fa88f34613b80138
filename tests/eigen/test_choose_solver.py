"""The one place that says "auto": each way it can decide, and what it tells the user."""

import numpy as np
import pytest

from eigenlens.core.errors import MemoryLimitError
from eigenlens.eigen import SOLVERS, Choice, auto, block_plan, choose, solve
from eigenlens.gram import DenseGram, FactoredGram
from eigenlens.testing import known_matrix

PLENTY = 10**12
SMALL, LARGE = auto._DENSE_BELOW, 20_000


@pytest.mark.parametrize("solver", [solver for solver in SOLVERS if solver != "auto"])
def test_what_the_caller_names_is_taken(solver):
    assert choose(LARGE, LARGE, solver, memory=1) == Choice(solver, "chosen by the caller")


def test_a_small_matrix_is_decomposed():
    choice = choose(SMALL, 1, "auto", memory=PLENTY)
    assert choice.solver == "dense"
    assert choice.reason.startswith(f"{SMALL} samples")
    assert choose(SMALL + 1, 1, "auto", memory=PLENTY).solver != "dense"


def test_many_components_are_taken_from_a_whole_decomposition():
    many = int(auto._DENSE_SHARE * LARGE) + 1
    choice = choose(LARGE, many, "auto", memory=PLENTY)
    assert choice.solver == "dense"
    assert f"{many} of {LARGE} components" in choice.reason
    assert choose(LARGE, many - 2, "auto", memory=PLENTY).solver == "block"


def test_a_whole_decomposition_has_to_fit_the_memory():
    many, needed = LARGE // 2, auto.DENSE_BYTES * LARGE**2
    assert choose(LARGE, many, "auto", memory=needed).solver == "dense"
    assert choose(LARGE, many, "auto", memory=needed - 1).solver == "block"


def test_all_components_that_do_not_fit_are_refused_with_both_sizes():
    with pytest.raises(MemoryLimitError, match=r"All 20000 .*12\.8 GB.*limit is 1 GB.*n_components.*memory_limit"):
        choose(LARGE, LARGE, "auto", memory=10**9)


def test_few_components_of_a_large_matrix_are_found_by_blocks():
    choice = choose(LARGE, 10, "auto", memory=10**9)
    assert choice.solver == "block"
    assert f"10 of {LARGE} components" in choice.reason


def test_few_components_of_a_small_matrix_are_found_one_vector_at_a_time():
    n = auto._LANCZOS_BELOW
    choice = choose(n, 2, "auto", memory=PLENTY)
    assert choice.solver == "lanczos"
    assert f"2 of {n} components" in choice.reason
    assert choose(n + 1, 2, "auto", memory=PLENTY).solver == "block"
    assert choose(n, 2, "auto", memory=auto.WHOLE_BYTES * n**2 - 1).solver == "block"


@pytest.mark.parametrize("n", [10, SMALL, LARGE])
def test_a_factor_of_low_rank_is_used(n):
    choice = choose(n, 3, "auto", memory=1, rank=n // 2)
    assert choice.solver == "factor"
    assert f"rank {n // 2}" in choice.reason
    assert choose(n, 3, "auto", memory=PLENTY, rank=n // 2 + 1).solver != "factor"


@pytest.mark.parametrize("n", [2, 3, 20, 250, 3000, 10**6])
def test_block_sizes_fit_the_matrix_and_what_is_asked_of_it(n):
    for k in sorted({1, 2, min(n, 10), min(n, 200), n // 2 or 1}):
        plan = block_plan(n, k, None)
        assert k <= plan.width <= plan.capacity <= n
        assert 1 <= plan.block <= plan.width
        assert plan.width <= plan.landmarks <= n or plan.landmarks == n
        assert block_plan(n, k, 7).max_passes == 7


@pytest.mark.parametrize("n", [40, SMALL + 60])
def test_auto_solves_whatever_it_chose(n):
    F = np.random.default_rng(0).standard_normal((n, 5))
    for operator, rank in ((DenseGram(known_matrix(np.linspace(3, 0, n))), None), (FactoredGram(F), 5)):
        choice = choose(n, 2, "auto", memory=PLENTY, rank=rank)
        result = solve(operator, 2, choice, rng=np.random.default_rng(0))
        assert (result.solver, result.reason) == (choice.solver, choice.reason)
        whole = np.linalg.eigvalsh(operator.whole()[0])[::-1]
        np.testing.assert_allclose(result.values, whole[:2], rtol=1e-9)
