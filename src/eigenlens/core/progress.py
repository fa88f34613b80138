"""Progress of long work: one bar for the pass that is running, silent unless asked for."""

from __future__ import annotations

import sys
import threading
from typing import Any


class Progress:
    """A progress bar for passes over the Gram matrix; does nothing when ``verbose`` is false.

    tqdm draws it, so that it shows well in terminals and notebooks. ``advance`` may be called from any thread.
    """

    def __init__(self, verbose: bool | int = False) -> None:
        self._bar: Any = None
        self._lock = threading.Lock()
        self._verbose = bool(verbose)

    def begin(self, title: str, total: int) -> None:
        """Start a bar of ``total`` steps; a bar still open is closed first."""
        self.end()
        if self._verbose:
            from tqdm.auto import tqdm

            self._bar = tqdm(total=total, desc=title, unit="tile", leave=True)

    def advance(self, steps: int = 1) -> None:
        """Take one step, or several."""
        if self._bar is not None:
            with self._lock:
                self._bar.update(steps)

    def say(self, text: str) -> None:
        """Write one line of news without tearing the bar."""
        if self._verbose:
            from tqdm.auto import tqdm

            tqdm.write(text, file=sys.stderr)

    def end(self) -> None:
        """Close the bar, if there is one."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


SILENT = Progress()
