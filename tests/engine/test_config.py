"""Which engine is in use, and how a person is told."""

import numpy as np
import pytest

import eigenlens
from eigenlens import KernelPCA
from eigenlens.engine import config, describe_engine, engine_in_use, instruction_sets, recipe_for
from eigenlens.kernels import RBF, ChiSquared, Laplacian, Linear, Matern, Polynomial, RationalQuadratic

SETS = instruction_sets()
X = np.random.default_rng(0).standard_normal((300, 4))


@pytest.mark.skipif(not SETS, reason="there is no compiled engine")
def test_the_best_is_taken_unless_another_is_named(monkeypatch):
    monkeypatch.delenv("EIGENLENS_ENGINE", raising=False)
    assert engine_in_use().name == SETS[0]
    assert SETS[-1] == "baseline"
    for name in SETS:
        monkeypatch.setenv("EIGENLENS_ENGINE", name)
        assert engine_in_use().name == name
        assert describe_engine().startswith(f"compiled, {name} (EIGENLENS_ENGINE is set)")
    monkeypatch.setenv("EIGENLENS_ENGINE", "numpy")
    assert engine_in_use() is None
    assert "NumPy (EIGENLENS_ENGINE is set)" in describe_engine()


def test_a_name_that_is_none_is_refused_with_those_that_are(monkeypatch):
    monkeypatch.setenv("EIGENLENS_ENGINE", "mmx")
    with pytest.raises(ValueError, match=r"EIGENLENS_ENGINE='mmx' is not on this machine, which has .*numpy"):
        engine_in_use()


def test_where_nothing_was_compiled_numpy_does_the_work_and_says_so(monkeypatch):
    monkeypatch.delenv("EIGENLENS_ENGINE", raising=False)
    expected = KernelPCA(3, kernel="rbf", random_state=0).fit(X)
    monkeypatch.setattr(config, "_native", None)
    monkeypatch.setattr(config, "MISSING", "No module named 'eigenlens.engine._native'")
    instruction_sets.cache_clear()
    try:
        assert engine_in_use() is None
        assert "Install a C++ compiler" in describe_engine()
        model = KernelPCA(3, kernel="rbf", random_state=0).fit(X)
    finally:
        instruction_sets.cache_clear()
    np.testing.assert_allclose(model.eigenvalues_, expected.eigenvalues_, rtol=1e-11)


def test_show_config_names_everything_a_report_of_a_fault_needs(capsys):
    eigenlens.show_config()
    shown = capsys.readouterr().out
    for word in ("eigenlens", "engine", "threads", "memory", "python", "numpy", "scipy", "scikit-learn", "BLAS"):
        assert any(line.startswith(word + " ") for line in shown.splitlines()), word
    assert describe_engine() in shown


@pytest.mark.parametrize(
    "kernel",
    [
        ChiSquared(),
        RBF() + Linear(),
        RBF() * Linear(),
        RBF(gamma=0.0),
        Laplacian(gamma=0.0),
        Polynomial(degree=0.5),
        Polynomial(degree=2.0**31),
        2 * (RBF() + 1),
    ],
    ids=repr,
)
def test_other_kernels_are_left_to_numpy(kernel):
    assert recipe_for(kernel) is None


@pytest.mark.parametrize("base", [RBF, Laplacian, Linear, Matern, Polynomial, RationalQuadratic])
def test_a_subclass_may_have_changed_the_formula(base):
    class Changed(base):
        pass

    assert recipe_for(base()) is not None
    assert recipe_for(Changed()) is None
    assert recipe_for(2 * Changed()) is None
