"""Matplotlib is an extra: the library imports without it, and a picture asked for says what to install."""

import subprocess
import sys

import pytest

from eigenlens.plots import plot_scree


def test_importing_plots_does_not_import_matplotlib():
    code = "import sys, eigenlens.plots; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_picture_without_matplotlib_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r'pip install "eigenlens\[plots\]"'):
        plot_scree([2.0, 1.0])
