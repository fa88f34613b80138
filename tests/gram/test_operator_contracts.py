"""Every operator keeps every contract, in tiles of the usual size and in tiles so small that there are many."""

import pytest
from operator_registry import CASES, CENTRED

import eigenlens.gram
from eigenlens.gram import GramOperator
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


def test_every_operator_is_in_the_registry(tmp_path):
    public = {
        kind for kind in vars(eigenlens.gram).values() if isinstance(kind, type) and issubclass(kind, GramOperator)
    }
    assert public - {type(ALL[name](tmp_path).operator) for name in ALL} == {GramOperator}
