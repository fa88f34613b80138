"""What is installed has the engine, where it can have it; and what is handed on can be built."""

import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from eigenlens.engine import instruction_sets

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "src/eigenlens/engine/native"


@pytest.mark.skipif(not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="there is no compiler")
def test_where_there_is_a_compiler_there_is_an_engine():
    assert "baseline" in instruction_sets()


def test_what_is_handed_on_has_all_sources(tmp_path):
    build = f"import setuptools.build_meta as b; print(b.build_sdist({str(tmp_path)!r}))"
    subprocess.run([sys.executable, "-c", build], cwd=ROOT, capture_output=True, check=True)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        names = {Path(name).name for name in archive.getnames()}
    assert {path.name for path in NATIVE.iterdir()} <= names


def test_no_intrinsics_of_one_vendor():
    for path in NATIVE.iterdir():
        assert not re.search(r"immintrin|arm_neon|_mm\d*_|\bv\w+q_f32", path.read_text()), path.name
