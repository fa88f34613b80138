"""The compiled functions check every size they are given: no mistake above them reads or writes outside of an array."""

import numpy as np
import pytest

from eigenlens.engine import Engine, instruction_sets

if not instruction_sets():
    pytest.skip("there is no compiled engine", allow_module_level=True)

ISA = instruction_sets()[0]
ENGINE = Engine(ISA)
LAYOUT = ENGINE.layout(np.float64)
N, D = 40, 3
PADDED = -(-N // LAYOUT.panel) * LAYOUT.panel
FORM = (0, 0, 1.0, 0.0, 1.0, float("nan"))


def table(count=N, features=D, panels=None, offsets=None):
    return (
        np.zeros(PADDED * D) if panels is None else panels,
        np.zeros(PADDED) if offsets is None else offsets,
        count,
        features,
    )


TILE = np.zeros(LAYOUT.tile_size)
V, SUMS = np.zeros((N, LAYOUT.lanes)), np.zeros((PADDED, LAYOUT.lanes))
NONE = (None, None)


def symmetric(isa=ISA, size=8, form=FORM, x=None, strip=(0, 0, N), product=(V, SUMS, LAYOUT.lanes), gathered=NONE,
              tile=TILE, cache=None, use=0):  # fmt: skip
    x = table() if x is None else x
    ENGINE.native.symmetric(isa, size, form, x, strip, product, gathered, tile, cache, use)


def cross(isa=ISA, size=8, form=FORM, y=None, x=None, part=(0, N), tile=TILE, product=(V, SUMS, LAYOUT.lanes),
          gathered=NONE):  # fmt: skip
    y, x = (table() if rows is None else rows for rows in (y, x))
    ENGINE.native.cross(isa, size, form, y, x, part, tile, product, gathered)


def block(y=None, x=None, part=(0, N), tile=TILE, values=None, mirrored=False):
    y, x, values = (
        table() if y is None else y,
        table() if x is None else x,
        np.zeros((N, N)) if values is None else values,
    )
    ENGINE.native.block(ISA, 8, FORM, y, x, part, tile, values, mirrored)


def nearest(k=2, values=None, places=None, part=(0, N), tile=TILE):
    values = np.zeros((N, 2)) if values is None else values
    places = np.zeros((N, 2), np.intp) if places is None else places
    ENGINE.native.nearest(ISA, 8, FORM, table(), table(), part, tile, k, values, places)


def short(array):
    return array.reshape(-1)[:-1].copy()


READ_ONLY = np.zeros((PADDED, LAYOUT.lanes))
READ_ONLY.flags.writeable = False

WRONG = {
    "unknown set": lambda: symmetric(isa="mmx"),
    "unknown size": lambda: symmetric(size=2),
    "unknown pairing": lambda: symmetric(form=(9, *FORM[1:])),
    "unknown profile": lambda: symmetric(form=(0, 99, *FORM[2:])),
    "negative profile": lambda: symmetric(form=(0, -1, *FORM[2:])),
    "short panels": lambda: symmetric(x=table(panels=np.zeros(PADDED * D - 1))),
    "short offsets": lambda: symmetric(x=table(offsets=np.zeros(PADDED - 1))),
    "no panels": lambda: symmetric(x=(None, None, N, D)),
    "more rows than there are": lambda: symmetric(x=table(count=PADDED + 1), strip=(0, 0, PADDED + 1)),
    "more features than there are": lambda: symmetric(x=table(features=D + 1)),
    "negative rows": lambda: symmetric(x=table(count=-1), strip=(0, 0, 0)),
    "rows beyond counting": lambda: symmetric(x=table(count=2**62)),
    "features beyond counting": lambda: symmetric(x=table(features=2**61)),
    "strip that begins inside a tile": lambda: symmetric(strip=(1, 128, N)),
    "strip left of the diagonal": lambda: symmetric(strip=(0, -128, N)),
    "strip that ends after the last row": lambda: symmetric(strip=(0, 0, N + 1)),
    "strip that ends inside a tile": lambda: symmetric(strip=(0, 0, N - 1)),
    "short vectors": lambda: symmetric(product=(short(V), SUMS, LAYOUT.lanes)),
    "short sums": lambda: symmetric(product=(V, short(SUMS), LAYOUT.lanes)),
    "sums that may not be written": lambda: symmetric(product=(V, READ_ONLY, LAYOUT.lanes)),
    "no vectors": lambda: symmetric(product=(None, SUMS, LAYOUT.lanes)),
    "part of a vector": lambda: symmetric(product=(V, SUMS, 1)),
    "negative width": lambda: symmetric(product=(V, SUMS, -LAYOUT.lanes)),
    "short row sums": lambda: symmetric(gathered=(np.zeros(N - 1), np.zeros(1))),
    "row sums without squares": lambda: symmetric(gathered=(np.zeros(N), None)),
    "short tile": lambda: symmetric(tile=short(TILE)),
    "no tile": lambda: symmetric(tile=None),
    "no cache": lambda: symmetric(use=1),
    "short cache": lambda: symmetric(cache=short(TILE), use=1),
    "unknown use of a cache": lambda: symmetric(cache=TILE, use=3),
    "not contiguous": lambda: symmetric(product=(np.zeros((N, 2 * LAYOUT.lanes))[:, ::2], SUMS, LAYOUT.lanes)),
    "cross: other features": lambda: cross(y=table(features=D - 1)),
    "cross: part that begins inside a panel": lambda: cross(part=(1, N)),
    "cross: part that ends after the last row": lambda: cross(part=(0, N + 1)),
    "cross: part that ends before it begins": lambda: cross(part=(LAYOUT.panel, 0)),
    "cross: short sums": lambda: cross(product=(V, short(SUMS), LAYOUT.lanes)),
    "cross: short vectors": lambda: cross(product=(short(V), SUMS, LAYOUT.lanes)),
    "cross: short squares": lambda: cross(gathered=(np.zeros(N), np.zeros(N - 1))),
    "cross: no tile": lambda: cross(tile=None),
    "block: short": lambda: block(values=np.zeros(N * N - 1)),
    "block: mirrored, not square": lambda: block(y=table(count=N - 1), mirrored=True),
    "block: short tile": lambda: block(tile=short(TILE)),
    "nearest: none": lambda: nearest(k=0),
    "nearest: short values": lambda: nearest(values=np.zeros(2 * N - 1)),
    "nearest: short places": lambda: nearest(places=np.zeros(2 * N - 1, np.intp)),
    "nearest: beyond counting": lambda: nearest(k=2**61),
    "evaluate: short": lambda: ENGINE.native.evaluate(ISA, 8, 0, np.zeros(3), np.zeros(4), 4),
    "evaluate: negative": lambda: ENGINE.native.evaluate(ISA, 8, 0, np.zeros(3), np.zeros(4), -1),
    "evaluate: unknown function": lambda: ENGINE.native.evaluate(ISA, 8, 99, np.zeros(3), np.zeros(3), 3),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit_is_refused(name):
    with pytest.raises((ValueError, BufferError)):
        WRONG[name]()


def test_what_fits_is_not():
    symmetric()
    symmetric(tile=None, cache=TILE, use=1)
    symmetric(product=(None, None, 0), gathered=(np.zeros(N), np.zeros(1)))
    cross()
    block()
    block(mirrored=True)
    nearest()
