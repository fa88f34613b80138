"""The scatter of an embedding: right points, right colours, right words."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from eigenlens.plots import plot_embedding
from eigenlens.plots.palette import CLASS_COLOURS

SCORES = np.random.default_rng(0).normal(size=(60, 4))
CLASSES = np.repeat(["c", "a", "b"], 20)


def drawn(ax):
    """The points of each scatter."""
    return [np.asarray(marks.get_offsets()) for marks in ax.collections]


def legend_of(ax):
    return [entry.get_text() for entry in ax.get_legend().get_texts()]


def test_without_labels_all_points_are_one_scatter_and_there_is_no_legend():
    ax = plot_embedding(SCORES, components=(2, 0))
    (points,) = drawn(ax)
    np.testing.assert_array_equal(points, SCORES[:, [2, 0]])
    assert ax.get_legend() is None
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("component 3", "component 1")


def test_each_class_has_its_own_points_colour_marker_and_legend_entry():
    ax = plot_embedding(SCORES, CLASSES)
    assert legend_of(ax) == ["a", "b", "c"]
    for marks, label, colour in zip(ax.collections, "abc", CLASS_COLOURS, strict=False):
        np.testing.assert_array_equal(np.asarray(marks.get_offsets()), SCORES[label == CLASSES, :2])
        np.testing.assert_allclose(marks.get_facecolor()[0, :3], to_rgb(colour))
    outlines = [marks.get_paths()[0].vertices for marks in ax.collections]
    assert not any(np.array_equal(outlines[0], other) for other in outlines[1:])


@pytest.mark.parametrize(
    ("labels", "entries"), [(np.arange(60) % 3, ["0", "1", "2"]), (np.arange(60) % 2 == 0, ["False", "True"])]
)
def test_few_integers_and_booleans_are_classes(labels, entries):
    assert legend_of(plot_embedding(SCORES, labels)) == entries


@pytest.mark.parametrize("labels", [np.linspace(-1, 2, 60), np.arange(60)])
def test_measurements_get_a_colour_bar(labels):
    ax = plot_embedding(SCORES, labels)
    assert ax.get_legend() is None
    (marks,) = ax.collections
    np.testing.assert_array_equal(marks.get_array(), labels)
    assert len(ax.figure.axes) == 2


def test_legend_and_colour_bar_can_be_left_out():
    assert plot_embedding(SCORES, CLASSES, legend=False).get_legend() is None
    assert len(plot_embedding(SCORES, SCORES[:, 0], legend=False).figure.axes) == 1


def test_names_replace_the_labels_in_sorted_order():
    assert legend_of(plot_embedding(SCORES, CLASSES, names=["x", "y", "z"])) == ["x", "y", "z"]


def test_axes_name_the_share_of_variance():
    ax = plot_embedding(SCORES, components=(0, 2), eigen_share=[0.5, 0.25, 0.034, 0.01])
    assert ax.get_xlabel() == "component 1 (50% of variance)"
    assert ax.get_ylabel() == "component 3 (3.4% of variance)"


def test_shares_of_more_than_the_whole_are_not_named():
    assert plot_embedding(SCORES, eigen_share=[0.84, 0.28, 0.005, 0.0]).get_xlabel() == "component 1"
    whole = np.float32([0.7, 0.2, 0.1, 1e-7])
    assert plot_embedding(SCORES, eigen_share=whole).get_xlabel() == "component 1 (70% of variance)"


def test_both_axes_have_one_scale():
    assert plot_embedding(SCORES).get_aspect() == 1.0


def test_the_callers_axes_are_drawn_on():
    mine = Figure().subplots()
    assert plot_embedding(SCORES, ax=mine) is mine
    assert len(mine.figure.axes) == 1


def test_more_classes_than_colours_still_look_different():
    labels = np.array([f"class {i % 20}" for i in range(60)])
    ax = plot_embedding(SCORES, labels)
    looks = {(tuple(marks.get_facecolor()[0]), marks.get_paths()[0].vertices.tobytes()) for marks in ax.collections}
    assert len(looks) == 20


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (SCORES[:, 0], {}, "give the \\(n, k\\) array"),
        (SCORES[:0], {}, "give the \\(n, k\\) array"),
        (SCORES[:, :1], {}, "give numbers from 0 to 0"),
        (SCORES, {"components": (0, 4)}, "give numbers from 0 to 3"),
        (SCORES, {"components": (-1, 0)}, "give numbers from 0 to 3"),
        (SCORES, {"labels": [1, 2]}, "one label for each of the 60 points"),
        (SCORES, {"labels": CLASSES, "names": ["x"]}, "1 entries for 3 classes"),
        (SCORES, {"labels": [str(i) for i in range(60)]}, "60 classes are more than a legend can tell apart"),
    ],
)
def test_what_cannot_be_drawn_is_refused(scores, options, message):
    with pytest.raises(ValueError, match=message):
        plot_embedding(scores, **options)
