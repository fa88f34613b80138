"""What the documents show must run, and where they point must be something."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "benchmarks").glob("*.md")])
SNIPPETS = re.findall(
    r"## (?P<title>[^\n]*)\n(?:(?!\n## ).)*?```python\n(?P<code>.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.S
)


@pytest.mark.parametrize(("title", "code"), SNIPPETS, ids=[title for title, _ in SNIPPETS])
def test_the_examples_for_contributors_run(title: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # as a module of its own: a dataclass looks its module up by name
    module = types.ModuleType("contribution")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(code, f"CONTRIBUTING.md, {title}", "exec"), vars(module))


def test_there_is_an_example_of_each_kind() -> None:
    assert [title for title, _ in SNIPPETS] == ["A kernel", "An operator", "A solver", "A method"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_point_at_something(document: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text())
    missing = [link for link in links if not (document.parent / link).exists()]
    assert not missing, f"{document.name} points at {missing}"
