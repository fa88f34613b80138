"""Every example runs, writes its picture, says where it is, and shows what its docstring promises."""

import csv
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from eigenlens.core.errors import IndefiniteKernelWarning
from eigenlens.datasets import WINE_CULTIVARS, load_wine

EXAMPLES = Path(__file__).parents[1] / "examples"
PNG = b"\x89PNG\r\n\x1a\n"


def run(name, out):
    """Run an example's main, and return its numbers."""
    spec = spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    example = module_from_spec(spec)
    spec.loader.exec_module(example)
    return example.main(out)


def assert_picture(path, printed):
    assert path.read_bytes().startswith(PNG)
    assert str(path) in printed


def test_every_example_has_a_test():
    here = Path(__file__).read_text()
    assert [path.stem for path in EXAMPLES.glob("*.py") if f'run("{path.stem}"' not in here] == []


def test_rings_are_separated_by_a_threshold_on_the_first_component(tmp_path, capsys):
    numbers = run("rings", tmp_path)
    assert numbers["accuracy"] == 1.0
    assert_picture(tmp_path / "rings.png", capsys.readouterr().out)


def test_three_clusters_are_separated_by_two_components_and_split_by_six(tmp_path, capsys):
    numbers = run("three_clusters", tmp_path)
    assert numbers["agreement"] == 1.0
    assert numbers["least_between_1_2"] > 0.95
    assert numbers["most_between_3_8"] < 0.05
    assert_picture(tmp_path / "three_clusters.png", capsys.readouterr().out)


def test_tanh_warns_keeps_positive_components_and_separates(tmp_path, capsys):
    with pytest.warns(IndefiniteKernelWarning):
        numbers = run("three_clusters_tanh", tmp_path)
    assert numbers["agreement"] == 1.0
    assert numbers["components"] == 3
    assert numbers["least_eigenvalue"] > 0
    assert_picture(tmp_path / "three_clusters_tanh.png", capsys.readouterr().out)


def test_glasses_are_told_apart_and_gone_around(tmp_path, capsys):
    numbers = run("glasses", tmp_path)
    assert numbers["sides"] > 0.99
    assert numbers["place_explained"] > 0.9
    assert_picture(tmp_path / "glasses.png", capsys.readouterr().out)


def test_wine_shows_its_cultivars_and_a_wider_kernel_holds_more(tmp_path, capsys):
    numbers = run("wine", tmp_path)
    assert min(numbers[f"accuracy_{c}"] for c in (2, 3, 6)) > 0.93
    assert 0 < numbers["share_2"] < numbers["share_3"] < numbers["share_6"] < 1
    assert_picture(tmp_path / "wine_widths.png", capsys.readouterr().out)


def test_demo_writes_coordinates_and_a_picture_and_proves_its_components(tmp_path, capsys):
    numbers = run("demo", tmp_path)
    printed = capsys.readouterr().out
    assert numbers == {"rows": 178, "proven": 6}
    assert_picture(tmp_path / "wine.png", printed)
    assert str(tmp_path / "wine_coordinates.csv") in printed
    with (tmp_path / "wine_coordinates.csv").open(newline="") as table:
        header, *rows = csv.reader(table)
    assert header == [*(f"kpca_{i}" for i in range(1, 7)), "class"]
    assert [row[-1] for row in rows] == [WINE_CULTIVARS[cultivar] for cultivar in load_wine()[1]]
    coordinates = np.array([row[:-1] for row in rows], dtype=float)
    np.testing.assert_allclose(coordinates.mean(axis=0), 0, atol=1e-9)
    assert (np.diff(coordinates.var(axis=0)) < 0).all()


def test_an_example_runs_as_a_script(tmp_path):
    command = [sys.executable, EXAMPLES / "demo.py", "--out", tmp_path / "made" / "here"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "178 wines" in printed
    assert (tmp_path / "made" / "here" / "wine.png").exists()
