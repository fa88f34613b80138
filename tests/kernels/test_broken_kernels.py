"""Every contract can be broken, and then says so: each check meets a kernel that is sound but for one thing."""

from dataclasses import dataclass

import numpy as np
import pytest

from eigenlens.kernels import RBF, Constant, Definiteness, Invariance, Linear, Polynomial, Radial, Tanh
from eigenlens.testing import check_kernel, normal_sample
from eigenlens.testing import kernels as contracts


class Asymmetric(RBF):
    def evaluate(self, pairs):
        return super().evaluate(pairs) + 1e-6 * pairs.a.squared_norms[:, None]


class KnowsWhenTablesAreOne(RBF):
    def evaluate(self, pairs):
        return super().evaluate(pairs) + (1e-6 if pairs.same else 0)


class WrongDiagonal(RBF):
    def evaluate_diagonal(self, rows):
        return np.full(len(rows), 1 + 1e-6)


class DependsOnOtherRows(RBF):
    def evaluate(self, pairs):
        return super().evaluate(pairs) * (1 + 1e-6 * pairs.shape[1])


class FalselyPositive(Tanh):
    definiteness = Definiteness.POSITIVE


class FalselyConditional(Tanh):
    definiteness = Definiteness.CONDITIONAL


class FalselyInvariant(Linear):
    invariance = Invariance.EXACT


class FalselyInvariantOnceCentred(Polynomial):
    invariance = Invariance.CENTRED


class WidensFloat32(RBF):
    def evaluate(self, pairs):
        return super().evaluate(pairs) * np.float64(1)


class LosesDigitsInFloat32(RBF):
    def evaluate(self, pairs):
        block = super().evaluate(pairs)
        return block if block.dtype == np.float64 else block.astype(np.float16).astype(np.float32)


class TakesSparseRowsForOthers(Linear):
    def evaluate(self, pairs):
        return super().evaluate(pairs) * (0.5 if pairs.a.sparse else 1)


class KeepsItsBlock(RBF):
    kept = {}  # noqa: RUF012  the fault that is tried

    def evaluate(self, pairs):
        if pairs.shape not in self.kept:
            self.kept[pairs.shape] = super().evaluate(pairs)
        return self.kept[pairs.shape]


class GivesReadOnlyMemory(Constant):
    def evaluate(self, pairs):
        return np.broadcast_to(np.array(self.value, pairs.a.dtype), pairs.shape)


@dataclass
class ForgetsToBeFrozen(Radial):
    scale: float = -1.0

    def profile(self, t):
        return np.exp(t, out=t)


class ChangesItself(RBF):
    def evaluate(self, pairs):
        block = super().evaluate(pairs)
        object.__setattr__(self, "gamma", self.gamma + 1)
        return block


class AcceptsAnyParameter(RBF):
    def set_params(self, **parameters):
        return self


class LosesParameters(RBF):
    def get_params(self, deep=True):
        return {}


class SetsWhatItWants(RBF):
    def set_params(self, **parameters):
        return SetsWhatItWants(gamma=7.0)


class HasAForeignRepr(RBF):
    def __repr__(self):
        return "RBF(gamma=7.0)"


class PicklesAnother(RBF):
    def __reduce__(self):
        return RBF, (7.0,)


BROKEN = [
    (Asymmetric(), "check_symmetry", r"k\(x, y\) must equal k\(y, x\), but entry \(\d+, \d+\) is"),
    (KnowsWhenTablesAreOne(), "check_symmetry", r"kernel\(X\) must equal kernel\(X, Y\)"),
    (WrongDiagonal(), "check_diagonal", "evaluate_diagonal must be the diagonal"),
    (DependsOnOtherRows(), "check_parts", "a block of some rows must be that part"),
    (FalselyPositive(), "check_definiteness", "definiteness is declared POSITIVE, but a matrix of it has"),
    (FalselyConditional(), "check_definiteness", "definiteness is declared CONDITIONAL, but a matrix of it has"),
    (FalselyInvariant(), "check_invariance", "invariance is declared EXACT, so a shift"),
    (FalselyInvariantOnceCentred(), "check_invariance", "invariance is declared CENTRED, so a shift"),
    (WidensFloat32(), "check_float32", "evaluate must return float32 for float32 rows, not float64"),
    (LosesDigitsInFloat32(), "check_float32", "evaluate in float32 must agree with float64"),
    (TakesSparseRowsForOthers(), "check_sparse", "a sparse table must give the block of the dense one"),
    (KeepsItsBlock(), "check_overwriting", "must not depend on earlier blocks"),
    (GivesReadOnlyMemory(), "check_overwriting", "memory that the caller may write on"),
    (AcceptsAnyParameter(), "check_parameters", "refuse a parameter that does not exist"),
    (LosesParameters(2.0), "check_parameters", r"made from get_params\(\) must equal"),
    (SetsWhatItWants(), "check_parameters", "must change nothing"),
    (ForgetsToBeFrozen(), "check_immutable", "assigning to scale must be refused"),
    (ChangesItself(), "check_immutable", "evaluating must not change a parameter"),
    (HasAForeignRepr(), "check_copies", "repr must be the expression"),
    (PicklesAnother(), "check_copies", "pickled must come back equal"),
]


@pytest.mark.parametrize(("kernel", "check", "words"), BROKEN, ids=[type(kernel).__name__ for kernel, _, _ in BROKEN])
def test_broken_contract_is_named(kernel, check, words):
    with pytest.raises(AssertionError, match="breaks a contract: .*" + words):
        getattr(contracts, check)(kernel, normal_sample(2))


def test_every_check_can_fail():
    assert {check for _, check, _ in BROKEN} == {check.__name__ for check in contracts.KERNEL_CHECKS}


def test_check_kernel_runs_every_check():
    check_kernel(RBF())
    KeepsItsBlock.kept.clear()
    for kernel, _, _ in BROKEN:
        with pytest.raises(AssertionError, match="breaks a contract"):
            check_kernel(kernel)


def test_check_kernel_takes_a_sample_and_dimensions():
    seen = []

    def sample(dimension):
        seen.append(dimension)
        return np.abs(normal_sample(dimension))

    check_kernel(Polynomial(degree=1.5), dimensions=(3, 4), sample=sample)
    assert seen == [3, 4]
