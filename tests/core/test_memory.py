"""Memory limits as people write them, and what the machine says it has."""

import pytest

from eigenlens.core import memory
from eigenlens.core.memory import available_memory, format_bytes, parse_memory


@pytest.mark.parametrize(
    ("limit", "size"),
    [
        (1, 1),
        (2.5e9, 2_500_000_000),
        ("4096", 4096),
        ("2GB", 2_000_000_000),
        ("2 gb", 2_000_000_000),
        (" 2G ", 2_000_000_000),
        ("512MiB", 512 * 1024**2),
        ("1.5 TiB", 3 * 1024**4 // 2),
        (".5kB", 500),
        ("1e3 MB", 1_000_000_000),
        ("80B", 80),
    ],
)
def test_sizes_are_read(limit, size):
    assert parse_memory(limit) == size
    assert isinstance(parse_memory(limit), int)


@pytest.mark.parametrize("limit", ["", "GB", "2 XB", "two GB", "1,5 GB", "-1GB", "2GB!", "nan", True, [1], 1j, b"2GB"])
def test_what_is_no_size_is_refused_with_examples(limit):
    with pytest.raises(ValueError, match=r'is not a size: give a number of bytes or a text such as "2GB" or "512MiB"'):
        parse_memory(limit)


@pytest.mark.parametrize("limit", [0, -1, "0GB", float("nan"), float("inf"), "1e999"])
def test_sizes_that_cannot_be_are_refused(limit):
    with pytest.raises(ValueError, match="must be a positive, finite size"):
        parse_memory(limit)


def test_none_is_half_of_what_was_available_within_a_second(monkeypatch):
    answers = iter([1001, 2002])
    monkeypatch.setattr(memory, "available_memory", lambda: next(answers))
    memory._available_in.cache_clear()
    for clock, size in ((7.0, 500), (7.9, 500), (8.0, 1001)):
        monkeypatch.setattr(memory.time, "monotonic", lambda clock=clock: clock)
        assert parse_memory(None) == size
    memory._available_in.cache_clear()


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1 kB"), (1234567, "1.23 MB"), (8e10, "80 GB"), (2.5e12, "2.5 TB")],
)
def test_sizes_are_written_for_people(size, text):
    assert format_bytes(size) == text


def machine(monkeypatch, tmp_path, files):
    """Let the module see these files in place of the system's."""
    for name, text in files.items():
        path = tmp_path / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(memory, "Path", lambda name: tmp_path / name.lstrip("/"))


MEMINFO = {"/proc/meminfo": "MemTotal:  64000 kB\nMemFree:  100 kB\nMemAvailable:  32000 kB\n"}


def group(limit, used):
    return {"/sys/fs/cgroup/memory.max": f"{limit}\n", "/sys/fs/cgroup/memory.current": f"{used}\n"}


@pytest.mark.parametrize(
    ("files", "size"),
    [
        (MEMINFO, 32_000 * 1024),
        (MEMINFO | group("max", 5000), 32_000 * 1024),
        (MEMINFO | group(1_000_000, 300_000), 700_000),
        (MEMINFO | group(1_000_000, 1_300_000), 0),
        (MEMINFO | group(10**15, 5000), 32_000 * 1024),
    ],
    ids=["no group", "group without limit", "group with limit", "group beyond its limit", "group above the machine"],
)
def test_available_memory_is_the_smaller_of_machine_and_container(monkeypatch, tmp_path, files, size):
    machine(monkeypatch, tmp_path, files)
    assert available_memory() == size


def test_machine_without_meminfo_reports_its_memory(monkeypatch, tmp_path):
    machine(monkeypatch, tmp_path, {})
    monkeypatch.setattr(memory.os, "sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 1000}.__getitem__)
    assert available_memory() == 4_096_000
    monkeypatch.delattr(memory.os, "sysconf")
    assert available_memory() == 4_000_000_000


def test_this_machine_has_memory():
    assert 10**6 < available_memory() < 10**15
