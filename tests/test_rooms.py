"""Rooms look down only, and everything in them fits in the head.

The imports are read from the source, so that those inside functions count too.
"""

import ast
from pathlib import Path

import pytest

import eigenlens

HOUSE = Path(eigenlens.__file__).parent
PACKAGE = "eigenlens"

# Which rooms a room may import from, besides itself. A new room is a new line here, and one in docs/architecture.md.
ALLOWED = {
    "core": set(),
    "kernels": {"core"},
    "engine": {"core", "kernels"},
    "gram": {"core", "kernels", "engine"},
    "eigen": {"core", "gram"},
    "preimage": {"core", "kernels", "gram"},
    "choose": {"core", "kernels"},
    "methods": {"core", "kernels", "gram", "eigen", "preimage", "choose"},
    "datasets": {"core"},
    "plots": {"core"},
}
# The package's own __init__ opens the door to what people use, and the contract tests reach everywhere; no room
# imports either.
MAY_IMPORT_ALL = {"__init__", "testing"}

FILES = sorted(HOUSE.rglob("*.py"))
NAMES = [str(path.relative_to(HOUSE)) for path in FILES]
LINES_OF_A_FILE = 300
LINES_OF_A_FUNCTION = 60  # without its docstring: a formula and an example take room and no thought


def room_of(path):
    """The folder below the package, or the file's own name."""
    return path.relative_to(HOUSE).parts[0].removesuffix(".py")


def imported_rooms(source, path):
    """Yield (room, line) for each import of this package in the source of a file at ``path``."""
    package = [PACKAGE, *path.relative_to(HOUSE).parent.parts]  # what one leading dot stands for
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = base + (node.module.split(".") if node.module else [])
            # `from .. import core` imports the room, `from ..core import numerics` a part of it
            names = [[*module, alias.name] for alias in node.names]
        else:
            continue
        for name in names:
            if name[0] == PACKAGE:
                # the package alone, or what its __init__ offers, is the way in for people and not for rooms
                inside = len(name) > 1 and ((HOUSE / name[1]).is_dir() or (HOUSE / f"{name[1]}.py").is_file())
                yield (name[1] if inside else "__init__"), node.lineno


def broken_rules(source, path):
    """Return a sentence for each import that a file must not have."""
    room, relative = room_of(path), path.relative_to(HOUSE)
    if room in MAY_IMPORT_ALL:
        return []
    if room not in ALLOWED:
        return [
            f"{relative}: the room {room!r} is not in the table ALLOWED of tests/test_rooms.py; add it with the rooms "
            "that it may import."
        ]
    allowed = ALLOWED[room] | {room}
    below = ", ".join(sorted(ALLOWED[room])) or "nothing"
    return [
        f"{relative}:{line} imports from {other!r}, but {room!r} stands on {below} only. "
        "Move what is shared to a room below both, or hand it in as an argument."
        for other, line in imported_rooms(source, path)
        if other not in allowed
    ]


def test_no_room_stands_on_one_that_stands_on_it():
    """The table itself has an order from the bottom: each room comes after all that it may import."""
    below = set()
    for room, allowed in ALLOWED.items():
        assert allowed <= below, f"{room} may import {allowed - below}, which the table puts at its height or above"
        below.add(room)


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_imports_point_down(path):
    broken = broken_rules(path.read_text(), path)
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_file_fits_in_the_head(path):
    lines = len(path.read_text().splitlines())
    assert lines <= LINES_OF_A_FILE, f"{path.relative_to(HOUSE)} has {lines} lines: split it, one idea a file."


def long_functions(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            said = ast.get_docstring(node) is not None
            lines = node.end_lineno - node.lineno + 1 - (first.end_lineno - first.lineno + 1 if said else 0)
            if lines >= LINES_OF_A_FUNCTION:
                yield f"{node.name} in line {node.lineno} has {lines} lines: a function does one thing."


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_functions_do_one_thing(path):
    found = list(long_functions(path.read_text()))
    assert not found, f"{path.relative_to(HOUSE)}: " + "; ".join(found)


# -- the checks themselves --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "source", "room"),
    [
        ("kernels/base.py", "from ..gram import DenseGram", "gram"),
        ("kernels/base.py", "from .. import gram", "gram"),
        ("kernels/base.py", "import eigenlens.gram.dense", "gram"),
        ("kernels/base.py", "import numpy, eigenlens.gram as g", "gram"),
        ("kernels/base.py", "from eigenlens.gram.dense import DenseGram", "gram"),
        ("kernels/base.py", "from eigenlens import gram", "gram"),
        ("kernels/base.py", "def f():\n    if True:\n        from ..gram import DenseGram", "gram"),
        ("methods/kernel/fitting.py", "from ...plots import scree", "plots"),
        ("core/errors.py", "from ..kernels.base import Kernel", "kernels"),
        ("eigen/auto.py", "from ..kernels import RBF", "kernels"),
        ("plots/scree.py", "from .. import __version__", "__init__"),
        ("plots/scree.py", "from eigenlens import KernelPCA", "__init__"),
        ("plots/scree.py", "import eigenlens", "__init__"),
        ("gram/base.py", "from ..testing import check_kernel", "testing"),
    ],
)
def test_import_that_points_up_is_found(file, source, room):
    (sentence,) = broken_rules(source, HOUSE / file)
    assert sentence.startswith(
        f"{file}:{source.count(chr(10)) + 1} imports from {room!r}, but {file.split('/')[0]!r} stands on"
    )


@pytest.mark.parametrize(
    ("file", "source"),
    [
        (
            "kernels/base.py",
            "from ..core.numerics import Array\nfrom .rows import Rows\nfrom . import rows\nimport numpy",
        ),
        ("methods/kernel/fitting.py", "from ...eigen import solve\nfrom . import rules\nfrom .. import kernel"),
        ("core/errors.py", "from sklearn import gram\nimport gram.kernels"),
        ("__init__.py", "from .methods import KernelPCA"),
        ("testing/solvers.py", "from ..eigen import solve"),
    ],
)
def test_import_that_points_down_is_fine(file, source):
    assert broken_rules(source, HOUSE / file) == []


def test_room_without_a_line_in_the_table_is_found():
    (sentence,) = broken_rules("", HOUSE / "attic" / "box.py")
    assert "the room 'attic' is not in the table" in sentence


def test_long_function_is_found_and_its_docstring_does_not_count():
    body = "\n".join(["    x = 0"] * (LINES_OF_A_FUNCTION - 2))
    docstring = '    """' + "\n" * 100 + '    """\n'
    assert not list(long_functions(f"def f():\n{docstring}{body}"))
    assert "f in line 1 has 60 lines" in next(long_functions(f"def f():\n{docstring}{body}\n    y = 1"))
