"""Memory limits: read what the user wrote, and what the machine has."""

from __future__ import annotations

import os
import re
import time
from functools import lru_cache
from numbers import Real
from pathlib import Path

_UNITS = {"": 1, "B": 1}
for _power, _letter in enumerate("KMGT", start=1):
    _UNITS[_letter] = _UNITS[_letter + "B"] = 1000**_power
    _UNITS[_letter + "IB"] = 1024**_power


def parse_memory(limit: float | str | None) -> int:
    """Return a memory limit in bytes from a number of bytes, a text such as "2GB" or "512 MiB", or None (automatic).

    None means half of the memory that is available now.

    >>> parse_memory("2GB"), parse_memory("1.5 MiB"), parse_memory(4096)
    (2000000000, 1572864, 4096)
    """
    if limit is None:
        return _available_in(int(time.monotonic())) // 2
    if isinstance(limit, Real) and not isinstance(limit, bool):
        size = float(limit)
    else:
        match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?)\s*([a-zA-Z]*)\s*", str(limit))
        if not isinstance(limit, str) or match is None or match[2].upper() not in _UNITS:
            raise ValueError(
                f'memory_limit={limit!r} is not a size: give a number of bytes or a text such as "2GB" or "512MiB".'
            )
        size = float(match[1]) * _UNITS[match[2].upper()]
    if not 0 < size < float("inf"):
        raise ValueError(f"memory_limit={limit!r} must be a positive, finite size.")
    return int(size)


def format_bytes(size: float) -> str:
    """Write a number of bytes for a person to read.

    >>> format_bytes(2.5e9), format_bytes(800)
    ('2.5 GB', '800 bytes')
    """
    for unit, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= scale:
            return f"{size / scale:.3g} {unit}"
    return f"{int(size)} bytes"


@lru_cache(maxsize=1)
def _available_in(second: int) -> int:
    """Ask the system once a second at most: its answer takes as long as a tenth of a small fit."""
    return available_memory()


def available_memory() -> int:
    """Bytes that a process may still take: what the system reports, capped by the container's limit."""
    return min(_system_available(), _container_available())


def _system_available() -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 4_000_000_000  # nothing can be asked (Windows): a size that any machine of today has


def _container_available() -> int:
    """Memory left under a control group's limit (version 2), or no limit."""
    group = Path("/sys/fs/cgroup")
    try:
        limit = (group / "memory.max").read_text().strip()
        used = int((group / "memory.current").read_text())
        return max(int(limit) - used, 0)
    except (OSError, ValueError):
        return 1 << 62
