"""What the tests of bad input share: a refusal says what, where and what to do, and leaves nothing behind."""

import re

import pytest

from eigenlens import KernelPCA


def assert_refused(X, *words, error=ValueError, **parameters):
    """Fail unless fit raises ``error`` with all words in this order, and leaves the estimator as it was."""
    model = KernelPCA(**parameters)
    before = dict(vars(model))
    with pytest.raises(error, match=in_order(*words)):
        model.fit(X)
    assert vars(model) == before


def in_order(*words):
    """Return a pattern of texts that follow one another, in one line or several."""
    return "(?s)" + ".*".join(re.escape(word) for word in words)
