"""The fields of components: one panel each, coloured by the model's own scores."""

from types import SimpleNamespace

import numpy as np
import pytest

from eigenlens.plots import plot_components

X = np.random.default_rng(0).uniform(-1, 1, size=(30, 2)) * [2.0, 1.0]
CLASSES = np.arange(30) % 3


class Plane:
    """A model whose scores are known: x, y, x y, 0, and so on; it counts the calls of transform."""

    n_features_in_ = 2
    explained_variance_ratio_ = np.array([0.5, 0.25, 0.125] + 7 * [0.01])

    def __init__(self):
        self.calls = []

    def transform(self, rows):
        self.calls.append(rows)
        x, y = rows.T
        return np.column_stack([x, y, x * y] + 7 * [0 * x])


def titles(figure):
    return [ax.get_title() for ax in figure.axes]


def test_each_component_is_a_panel_that_names_it():
    figure = plot_components(Plane(), X, components=[2, 0], resolution=10)
    assert titles(figure) == ["component 3 (12% of variance)", "component 1 (50% of variance)"]


def test_eight_panels_unless_asked_for_in_even_rows():
    figure = plot_components(Plane(), X, resolution=10)
    assert len(figure.axes) == 8
    assert figure.axes[0].get_gridspec().get_geometry() == (2, 4)
    assert plot_components(Plane(), X, components=range(6), resolution=10).axes[0].get_gridspec().get_geometry() == (
        2,
        3,
    )
    assert len(plot_components(Plane(), X, components=range(5), resolution=10).axes) == 5


def test_the_mesh_is_scored_in_one_call_and_covers_the_points():
    model = Plane()
    plot_components(model, X, resolution=10)
    (grid,) = model.calls
    assert grid.shape == (100, 2)
    assert (grid.min(axis=0) < X.min(axis=0)).all()
    assert (grid.max(axis=0) > X.max(axis=0)).all()


def test_colours_and_lines_show_the_scores_around_zero():
    figure = plot_components(Plane(), X, components=[0], resolution=50)
    shades, lines, points = figure.axes[0].collections
    limit = shades.get_clim()[1]
    assert shades.get_clim() == (-limit, limit)
    assert 0 in lines.levels
    zero = lines.get_paths()[list(lines.levels).index(0)].vertices
    np.testing.assert_allclose(zero[:, 0], 0, atol=1e-9)  # the first score is x, so that its zero line is x = 0
    assert np.ptp(zero[:, 1]) > 2
    np.testing.assert_array_equal(np.asarray(points.get_offsets()), X)


def test_fields_are_not_transposed():
    figure = plot_components(Plane(), X, components=[1], resolution=50)
    lines = figure.axes[0].collections[1]
    zero = lines.get_paths()[list(lines.levels).index(0)].vertices
    np.testing.assert_allclose(zero[:, 1], 0, atol=1e-9)


def test_a_component_that_is_zero_everywhere_is_drawn(recwarn):
    figure = plot_components(Plane(), X, components=[5], resolution=10)
    figure.canvas.draw()
    assert titles(figure) == ["component 6 (1% of variance)"]
    assert len(recwarn) == 0


def test_one_point_is_enough():
    plot_components(Plane(), X[:1], components=[0], resolution=10)


def test_classes_share_one_legend():
    figure = plot_components(Plane(), X, CLASSES, components=[0, 1], names=["a", "b", "c"], resolution=10)
    (legend,) = figure.legends
    assert [entry.get_text() for entry in legend.get_texts()] == ["a", "b", "c"]
    assert len(figure.axes[1].collections) == 2 + 3


def test_no_classes_no_legend():
    assert plot_components(Plane(), X, components=[0], resolution=10).legends == []


@pytest.mark.parametrize(
    ("model", "points", "options", "message"),
    [
        (SimpleNamespace(n_features_in_=3), X, {}, "models fitted on 2 features, this one was fitted on 3"),
        (SimpleNamespace(), X, {}, "call fit first"),
        (Plane(), X[:, :1], {}, "an \\(n, 2\\) array"),
        (Plane(), X[:0], {}, "an \\(n, 2\\) array"),
        (Plane(), X, {"components": [10]}, "give numbers from 0 to 9"),
        (Plane(), X, {"components": []}, "give numbers from 0 to 9"),
        (Plane(), X, {"labels": [1]}, "one label for each of the 30 points"),
    ],
)
def test_what_cannot_be_drawn_is_refused(model, points, options, message):
    with pytest.raises(ValueError, match=message):
        plot_components(model, points, **options)
