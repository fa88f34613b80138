"""The scree: values, bounds where they are, and marks that tell what is proven."""

from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from eigenlens import KernelPCA
from eigenlens.plots import plot_scree

VALUES = np.array([9.0, 4.0, 2.0, 1.0])
BOUNDS = SimpleNamespace(
    lower=VALUES - np.array([0.1, 0.2, 0.1, 0.1]),
    upper=VALUES + np.array([0.1, 0.3, 0.2, np.inf]),
    index_proven=np.array([True, True, False, False]),
)
PROVEN, UNPROVEN = "index proven: the i-th largest", "index not proven: one of the eigenvalues"


def marks(ax):
    """Each scatter by its entry in the legend."""
    return {drawn.get_label(): drawn for drawn in ax.collections if hasattr(drawn, "get_offsets")}


def bars(ax):
    """(component, low end, high end) of each error bar."""
    (segments,) = [drawn.get_segments() for drawn in ax.collections if hasattr(drawn, "get_segments")]
    return np.array([[low[0], low[1], high[1]] for low, high in segments])


def legend_of(ax):
    return [entry.get_text() for entry in ax.get_legend().get_texts()]


def test_bare_values_are_drawn_against_their_number():
    ax = plot_scree(VALUES)
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), np.column_stack([[1, 2, 3, 4], VALUES]))
    assert legend_of(ax) == ["eigenvalue"]


def test_bars_reach_from_lower_to_upper_bound():
    np.testing.assert_allclose(
        bars(plot_scree(VALUES, BOUNDS)), [[1, 8.9, 9.1], [2, 3.8, 4.3], [3, 1.9, 2.2], [4, 0.9, 1.0]]
    )


def test_an_infinite_bound_is_an_arrow():
    ax = plot_scree(VALUES, BOUNDS)
    np.testing.assert_array_equal(np.asarray(marks(ax)["no upper bound"].get_offsets()), [[4, 1.0]])
    assert "no lower bound" not in legend_of(ax)


def test_filled_marks_are_proven_and_hollow_ones_are_not():
    drawn = marks(plot_scree(VALUES, BOUNDS))
    np.testing.assert_array_equal(np.asarray(drawn[PROVEN].get_offsets())[:, 0], [1, 2])
    np.testing.assert_array_equal(np.asarray(drawn[UNPROVEN].get_offsets())[:, 0], [3, 4])
    assert tuple(drawn[UNPROVEN].get_facecolor()[0, :3]) == to_rgb("white")
    assert tuple(drawn[PROVEN].get_facecolor()[0, :3]) != to_rgb("white")


def test_the_legend_names_only_what_is_there_and_the_widest_gap():
    all_proven = SimpleNamespace(lower=VALUES - 0.045, upper=VALUES + 0.045, index_proven=np.ones(4, dtype=bool))
    assert legend_of(plot_scree(VALUES, all_proven)) == [PROVEN, "proven bounds; widest gap: 1e-02 of the first value"]


def test_nothing_bounded_draws_no_bars():
    unbounded = SimpleNamespace(lower=VALUES - np.inf, upper=VALUES + np.inf, index_proven=np.zeros(4, dtype=bool))
    assert set(legend_of(plot_scree(VALUES, unbounded))) == {UNPROVEN, "no upper bound", "no lower bound"}


def test_a_value_outside_its_bounds_by_rounding_is_drawn():
    off = SimpleNamespace(lower=VALUES + 1e-15, upper=VALUES + 1e-12, index_proven=np.ones(4, dtype=bool))
    assert bars(plot_scree(VALUES, off)).shape == (4, 3)


def test_values_that_are_all_zero_are_drawn(recwarn):
    proof = SimpleNamespace(lower=np.zeros(2), upper=np.zeros(2), index_proven=np.ones(2, dtype=bool))
    plot_scree([0.0, 0.0], proof)
    assert len(recwarn) == 0


def test_a_fitted_model_brings_its_values_and_certificate():
    model = SimpleNamespace(eigenvalues_=VALUES, certificate_=BOUNDS)
    assert UNPROVEN in legend_of(plot_scree(model))
    assert legend_of(plot_scree(SimpleNamespace(eigenvalues_=VALUES))) == ["eigenvalue"]


@pytest.mark.parametrize(
    ("values", "scale"),
    [([5.0, 4.0], "linear"), ([100.0, 1.0], "log"), ([100.0, 0.0], "linear"), ([100.0, -1.0], "linear")],
)
def test_the_axis_is_logarithmic_when_the_values_call_for_it(values, scale):
    assert plot_scree(values).get_yscale() == scale


def test_the_callers_axes_are_drawn_on():
    mine = Figure().subplots()
    assert plot_scree(VALUES, ax=mine) is mine


@pytest.mark.parametrize("values", [np.eye(2), [], SimpleNamespace(eigenvalues_=[])])
def test_what_is_no_spectrum_is_refused(values):
    with pytest.raises(ValueError, match="fitted model with eigenvalues_, or a 1-D array"):
        plot_scree(values)


def test_a_certificate_of_other_components_is_refused():
    with pytest.raises(ValueError, match="speaks of 4 component\\(s\\), the eigenvalues are 2"):
        plot_scree(VALUES[:2], BOUNDS)


def test_an_unfitted_model_is_refused():
    with pytest.raises(ValueError, match="fitted model"):
        plot_scree(KernelPCA(1))
