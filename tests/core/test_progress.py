"""Progress is silent unless asked for, and whole when asked for."""

import sys
import threading

import pytest
import tqdm.auto

from eigenlens.core.progress import SILENT, Progress


class Bar:
    """Stands in for tqdm and remembers what it was told."""

    made: list = []  # noqa: RUF012  shared on purpose, emptied by the fixture
    said: list = []  # noqa: RUF012

    def __init__(self, *, total, desc, **options):
        self.total, self.title, self.steps, self.closed = total, desc, 0, False
        Bar.made.append(self)

    def update(self, steps):
        before = self.steps
        self.steps = before + steps

    def close(self):
        self.closed = True

    @staticmethod
    def write(text, file):
        assert file is sys.stderr  # standard output is for results
        Bar.said.append(text)


@pytest.fixture
def bars(monkeypatch):
    monkeypatch.setattr(tqdm.auto, "tqdm", Bar)
    Bar.made, Bar.said = [], []
    return Bar


def use(progress):
    progress.begin("first", 3)
    progress.advance()
    progress.begin("second", 2)
    progress.advance()
    progress.advance()
    progress.say("news")
    progress.end()
    progress.end()


@pytest.mark.parametrize("progress", [SILENT, Progress(), Progress(verbose=0)])
def test_silent_unless_asked_for(progress, bars, capsys):
    use(progress)
    assert not bars.made
    assert not bars.said
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("verbose", [True, 1, 2])
def test_each_pass_has_a_bar_that_is_closed(verbose, bars):
    use(Progress(verbose))
    assert [(bar.title, bar.total, bar.steps, bar.closed) for bar in bars.made] == [
        ("first", 3, 1, True),
        ("second", 2, 2, True),
    ]
    assert bars.said == ["news"]


def test_steps_outside_a_pass_are_nothing(bars):
    progress = Progress(True)
    progress.advance()
    progress.begin("pass", 1)
    progress.end()
    progress.advance()
    assert bars.made[0].steps == 0


def test_no_step_is_lost_between_threads(bars):
    progress = Progress(True)
    progress.begin("pass", 4000)
    threads = [threading.Thread(target=lambda: [progress.advance() for _ in range(1000)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert bars.made[0].steps == 4000


def test_what_is_drawn_names_the_pass(capsys):
    use(Progress(True))
    shown = capsys.readouterr()
    assert "first" in shown.err
    assert "second" in shown.err
    assert "2/2" in shown.err
    assert "news" in shown.err
    assert shown.out == ""  # standard output is for results
