"""Every kernel keeps every contract."""

import re

import numpy as np
import pytest
from kernel_registry import SAMPLES

import eigenlens.kernels
from eigenlens.kernels import DotProduct, Kernel, Precomputed, Radial
from eigenlens.testing import KERNEL_CHECKS

NAMED = [
    pytest.param(kernel, sample, id=re.sub(r"<function (\w+) at \w+>", r"\1", repr(kernel)))
    for kernel, sample in SAMPLES
]


@pytest.mark.parametrize("dimension", [1, 2, 5])
@pytest.mark.parametrize("check", KERNEL_CHECKS)
@pytest.mark.parametrize(("kernel", "sample"), NAMED)
def test_kernel_keeps_contract(kernel, sample, check, dimension):
    with np.errstate(all="raise", under="ignore"):  # no warning on the way, in particular none of overflow
        check(kernel, sample(dimension))


def test_every_kernel_is_in_the_registry():
    def parts(kernel):
        return {type(kernel)}.union(
            *(parts(v) for v in kernel.get_params(deep=False).values() if isinstance(v, Kernel))
        )

    public = {kind for kind in vars(eigenlens.kernels).values() if isinstance(kind, type) and issubclass(kind, Kernel)}
    tried = set().union(*(parts(kernel) for kernel, _ in SAMPLES))
    assert public - tried == {Kernel, Radial, DotProduct, Precomputed}  # bases; and a matrix, which has no rows
