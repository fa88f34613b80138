"""Every operator keeps every contract, in tiles of the usual size and in tiles so small that there are many."""

import numpy as np
import pytest
from operator_registry import CASES, CENTRED

import eigenlens.gram
from eigenlens.engine import instruction_sets
from eigenlens.gram import GramOperator, NativeGram
from eigenlens.testing import check_operator

ALL = CASES | CENTRED


@pytest.mark.parametrize("name", ALL)
def test_operator_keeps_contracts(name, tmp_path):
    case = ALL[name](tmp_path)
    check_operator(case.operator, case.K, new_rows=case.new_rows, cross=case.cross)


@pytest.mark.parametrize("name", ALL)
def test_operator_keeps_contracts_in_many_tiles(name, tmp_path, small_tiles):
    case = ALL[name](tmp_path)
    check_operator(case.operator, case.K, new_rows=case.new_rows, cross=case.cross)


@pytest.mark.parametrize("name", CASES)
def test_a_sample_is_the_matrix_of_its_rows_and_extends_to_all(name, tmp_path, rng):
    case = CASES[name](tmp_path)
    n, tolerance = len(case.K), (1e-4 if case.operator.dtype == np.float32 else 1e-11) * np.abs(case.K).max()
    rows = np.sort(rng.choice(n, min(n, 9), replace=False))
    U = rng.standard_normal((len(rows), 4))
    np.testing.assert_allclose(case.operator.sample(rows), case.K[np.ix_(rows, rows)], atol=tolerance)
    np.testing.assert_allclose(case.operator.extend(rows, U), case.K[:, rows] @ U, atol=10 * tolerance)


def test_every_operator_is_in_the_registry(tmp_path):
    public = {
        kind for kind in vars(eigenlens.gram).values() if isinstance(kind, type) and issubclass(kind, GramOperator)
    }
    absent = set() if instruction_sets() else {NativeGram}
    assert public - {type(ALL[name](tmp_path).operator) for name in ALL} == {GramOperator} | absent
