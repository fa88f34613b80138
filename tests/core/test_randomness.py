"""Equal seeds give equal numbers, by every way of giving a seed."""

import numpy as np
import pytest

from eigenlens.core.randomness import generator


def draw(random_state):
    return generator(random_state).standard_normal(5)


def test_equal_seeds_give_equal_numbers_and_others_do_not():
    np.testing.assert_array_equal(draw(7), draw(7))
    np.testing.assert_array_equal(draw(np.int64(7)), draw(7))
    np.testing.assert_array_equal(draw(np.random.RandomState(7)), draw(np.random.RandomState(7)))
    assert not np.array_equal(draw(7), draw(8))


def test_a_random_state_goes_on():
    state = np.random.RandomState(0)
    assert not np.array_equal(draw(state), draw(state))


def test_none_follows_the_global_seed_as_in_scikit_learn():
    before = np.random.get_state()  # noqa: NPY002  the global state is what is tried
    try:
        np.random.seed(3)  # noqa: NPY002
        first = draw(None)
        np.random.seed(3)  # noqa: NPY002
        np.testing.assert_array_equal(draw(None), first)
        assert not np.array_equal(draw(None), first)
    finally:
        np.random.set_state(before)  # noqa: NPY002


@pytest.mark.parametrize("seed", ["0", 1.5, [1]])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(ValueError, match="cannot be used to seed"):
        generator(seed)
