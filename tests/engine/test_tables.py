"""Tables of every layout, order and range are packed to the same rows."""

import numpy as np
import pytest

from eigenlens.engine import Engine, PackedRows, instruction_sets
from eigenlens.engine.tables import aligned_empty, aligned_zeros, padded_vectors

pytestmark = pytest.mark.parametrize("isa", instruction_sets())
X = np.random.default_rng(0).standard_normal((45, 7))


def layout(isa, dtype=np.float64):
    return Engine(isa).layout(dtype)


def unpacked(rows):
    """The rows of a packed table, padding and all."""
    return rows.panels.transpose(0, 2, 1).reshape(len(rows.squared_norms), rows.features)


def memory_map(tmp_path):
    np.save(tmp_path / "rows.npy", X)
    return np.load(tmp_path / "rows.npy", mmap_mode="r")


def read_only(tmp_path):
    rows = X.copy()
    rows.flags.writeable = False
    return rows


LAYOUTS = {
    "C order": lambda tmp: X,
    "Fortran order": lambda tmp: np.asfortranarray(X),
    "every second row and column": lambda tmp: np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)[::2, ::2],
    "backwards": lambda tmp: X[::-1, ::-1].copy()[::-1, ::-1],
    "read-only": read_only,
    "memory map": memory_map,
    "other byte order": lambda tmp: X.astype(X.dtype.newbyteorder()),
    "at an odd address": lambda tmp: np.frombuffer(b"x" + X.tobytes(), np.uint8)[1:].view(np.float64).reshape(X.shape),
    "list": lambda tmp: np.array(X.tolist()),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", LAYOUTS)
def test_any_layout_gives_the_same_rows(isa, name, dtype, tmp_path):
    rows = PackedRows(LAYOUTS[name](tmp_path), dtype, layout(isa, dtype))
    np.testing.assert_array_equal(unpacked(rows)[:45], X.astype(dtype))
    assert not unpacked(rows)[45:].any()
    assert len(unpacked(rows)) % layout(isa, dtype).panel == 0
    norms = np.square(X.astype(dtype).astype(np.float64)).sum(axis=1)
    np.testing.assert_allclose(rows.squared_norms[:45], norms, rtol=1e-14)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (1, 1), (4096, 2), (4097, 1)])
def test_any_shape(isa, shape):
    rows = PackedRows(np.ones(shape), np.float32, layout(isa, np.float32))
    assert unpacked(rows)[: shape[0]].shape == shape
    assert rows.largest_squared_norm == (shape[1] if shape[0] else 0)


def test_a_shift_is_subtracted_before_rounding(isa):
    rows = PackedRows(X + 1e6, np.float32, layout(isa, np.float32), np.full(7, 1e6))
    np.testing.assert_allclose(unpacked(rows)[:45], X, rtol=1e-6, atol=1e-9)  # float32 alone would keep a digit


def test_unit_rows_have_length_one_and_rows_of_zeros_stay(isa):
    rows = PackedRows(np.vstack([3 * X, np.zeros(7)]), np.float64, layout(isa), unit=True)
    np.testing.assert_allclose(rows.squared_norms[:45], 1, rtol=1e-14)
    assert not unpacked(rows)[45].any()


@pytest.mark.parametrize("value", [1e300, 1e-300, 5e-324])
def test_huge_and_subnormal_numbers_are_kept(isa, value):
    rows = PackedRows(np.full((3, 2), value), np.float64, layout(isa))
    assert (unpacked(rows)[:3] == value).all()


def test_memory_begins_a_cache_line(isa):
    for shape in ((1,), (3, 5), (1000, 33)):
        for make in (aligned_empty, aligned_zeros):
            array = make(shape, np.float32)
            assert array.ctypes.data % 64 == 0
            assert (array.shape, array.dtype) == (shape, np.float32)


def test_vectors_get_zeros_beside_them(isa):
    lanes = layout(isa, np.float32).lanes
    padded = padded_vectors(X, np.float32, lanes)
    assert padded.shape == (45, -(-7 // lanes) * lanes)
    np.testing.assert_array_equal(padded[:, :7], X.astype(np.float32))
    assert not padded[:, 7:].any()
