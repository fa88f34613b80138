"""The data sets are what their recipes say, and equal seeds give equal data."""

import csv
from importlib.resources import files

import numpy as np
import pytest
import sklearn.datasets

from eigenlens.datasets import (
    THREE_CENTRES,
    WINE_CULTIVARS,
    WINE_MEASUREMENTS,
    load_wine,
    make_pair_of_glasses,
    make_rings,
    make_three_clusters,
)


@pytest.mark.parametrize("make", [make_rings, make_three_clusters, make_pair_of_glasses])
@pytest.mark.parametrize("seed", [int, np.random.RandomState])
def test_equal_seeds_give_equal_data_and_others_do_not(make, seed):
    X, y = make(random_state=seed(7))
    again, y_again = make(random_state=seed(7))
    other, _ = make(random_state=seed(8))
    np.testing.assert_array_equal(X, again)
    np.testing.assert_array_equal(y, y_again)
    assert not np.array_equal(X, other)
    assert X.shape == (len(y), 2)
    assert X.dtype == np.float64


def test_rings_lie_on_their_radii_and_go_all_the_way_round():
    X, y = make_rings(3000, radii=(1.0, 2.5, 4.0), noise=0.0, random_state=0)
    np.testing.assert_allclose(np.hypot(*X.T), np.array([1.0, 2.5, 4.0])[y])
    for ring in range(3):
        angles = np.arctan2(*X[y == ring].T)
        assert np.histogram(angles, bins=8, range=(-np.pi, np.pi))[0].min() > 80  # 125 expected in each eighth


def test_noise_of_rings_has_the_asked_standard_deviation():
    X, _ = make_rings(20_000, radii=(100.0,), noise=0.5, random_state=0)
    assert np.std(np.hypot(*X.T)) == pytest.approx(
        0.5, rel=0.03
    )  # far out, the radius shows one coordinate of the noise


def test_rows_are_shared_out_evenly():
    _, y = make_rings(8, radii=(1.0, 2.0, 3.0), random_state=0)
    np.testing.assert_array_equal(np.bincount(y), [3, 3, 2])


@pytest.mark.parametrize(("n_samples", "radii"), [(1, (1.0, 3.0)), (0, (1.0,)), (10, ())])
def test_too_few_rows_or_rings_are_refused(n_samples, radii):
    with pytest.raises(ValueError, match="at least one ring, and one row for each"):
        make_rings(n_samples, radii=radii)


def test_three_clusters_have_the_stated_centres_and_spread():
    X, y = make_three_clusters(20_000, random_state=0)
    for cluster, centre in enumerate(THREE_CENTRES):
        np.testing.assert_allclose(X[y == cluster].mean(axis=0), centre, atol=0.005)
        np.testing.assert_allclose(np.cov(X[y == cluster].T), 0.01 * np.eye(2), atol=5e-4)


def test_glasses_are_two_rims_and_a_bridge_that_meets_them():
    X, y = make_pair_of_glasses(1100, noise=0.0, random_state=0)
    np.testing.assert_array_equal(np.bincount(y), [500, 500, 100])
    np.testing.assert_allclose(np.hypot(X[y == 0, 0] + 1.5, X[y == 0, 1]), 1.0)
    np.testing.assert_allclose(np.hypot(X[y == 1, 0] - 1.5, X[y == 1, 1]), 1.0)
    bridge = X[y == 2]
    np.testing.assert_allclose(bridge[:, 1], np.cos(np.pi * bridge[:, 0]) / 4)
    for end in (-0.5, 0.5):
        assert np.hypot(bridge[:, 0] - end, bridge[:, 1]).min() < 0.05


def test_wine_equals_the_copy_in_scikit_learn():
    X, y = load_wine()
    theirs = sklearn.datasets.load_wine()
    np.testing.assert_array_equal(X, theirs.data)
    np.testing.assert_array_equal(y, theirs.target)


def test_wine_header_names_the_measurements():
    with files("eigenlens.datasets").joinpath("wine.csv").open(newline="") as table:
        header = next(csv.reader(table))
    assert tuple(header) == (*WINE_MEASUREMENTS, "class")
    assert len(WINE_CULTIVARS) == 3
