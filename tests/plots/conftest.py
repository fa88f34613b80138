"""Every test of a picture also checks that it left nothing behind in pyplot."""

import pytest


@pytest.fixture(autouse=True)
def no_figure_left_in_pyplot():
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    pyplot.close("all")
    yield
    assert pyplot.get_fignums() == []
