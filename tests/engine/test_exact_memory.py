"""Every sweep works in arrays that are just as long as they must be.

Sweepers give arrays a cache line more than that, for alignment. Here they end where the data end, so that a number read
beyond it is seen by AddressSanitizer and Valgrind: run this file under them after a change of the compiled code.
"""

import numpy as np
import pytest

from eigenlens.engine import Engine, PackedRows, Pairing, Profile, Recipe, instruction_sets

RECIPES = [
    Recipe(Pairing.SQUARED_DIFFERENCE, Profile.EXPONENTIAL, scale=-0.1, at_zero=1.0),
    Recipe(Pairing.SQUARED_DIFFERENCE, Profile.MATERN5, scale=0.1, by_products=False),
    Recipe(Pairing.CITY_BLOCK, Profile.EXPONENTIAL, scale=-0.1, factor=2.0),
    Recipe(Pairing.INNER_PRODUCT, Profile.WHOLE_POWER, exponent=3),
]


def exact(array):
    """A copy that ends where its memory does, at whatever address."""
    memory = np.empty(array.nbytes, np.uint8)
    memory[:] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return memory


def table(rows, form):
    panels, offsets, count, features = rows.arguments(form)
    return (exact(panels), exact(offsets), count, features)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.profile.name)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("isa", instruction_sets())
def test_nothing_is_needed_beyond_the_end(isa, dtype, recipe):
    engine, rng = Engine(isa), np.random.default_rng(0)
    layout, size, native = engine.layout(dtype), np.dtype(dtype).itemsize, engine.native
    for n, m, d, vectors in ((1, 1, 1, 1), (17, 40, 3, 2), (129, 513, 257, 3), (640, 130, 7, 5)):
        X, Y = rng.standard_normal((n, d)), rng.standard_normal((m, d))
        x, y = (PackedRows(rows, dtype, layout) for rows in (X, Y))
        form = recipe.form(x.largest_squared_norm + y.largest_squared_norm, np.dtype(dtype))
        tables = table(y, form), table(x, form)
        tile, width = exact(np.empty(layout.tile_size, dtype)), vectors * layout.lanes
        V = rng.standard_normal((n, width)).astype(dtype)
        values = exact(np.empty((m, n), dtype))
        native.block(isa, size, form.arguments, *tables, (0, m), tile, values, False)
        K = values.view(dtype).reshape(m, n).astype(np.float64)
        near = 1e-4 if dtype == np.float32 else 1e-11

        sums = exact(np.zeros((len(y.squared_norms), width)))
        rows, squares = exact(np.zeros(m)), exact(np.zeros(m))
        product = (exact(V), sums, width)
        native.cross(isa, size, form.arguments, *tables, (0, m), tile, product, (rows, squares))
        scale = max(1.0, float(np.abs(K).max())) * n
        np.testing.assert_allclose(sums.view(np.float64).reshape(-1, width)[:m], K @ V, atol=near * scale)
        np.testing.assert_allclose(rows.view(np.float64), K.sum(axis=1), atol=near * scale)

        found, places = exact(np.empty((m, 3), dtype)), exact(np.empty((m, 3), np.intp))
        native.nearest(isa, size, form.arguments, *tables, (0, m), tile, 3, found, places)
        np.testing.assert_array_equal(found.view(dtype).reshape(m, 3)[:, 0], K.min(axis=1))

        square = exact(np.empty((n, n), dtype))
        native.block(isa, size, form.arguments, tables[1], tables[1], (0, n), tile, square, True)
        K = square.view(dtype).reshape(n, n).astype(np.float64)
        tiles = sum(-(-(n - begin) // layout.tile_columns) for begin in range(0, n, layout.tile_rows))
        for cached in (False, True):
            sums, cache = (
                exact(np.zeros((len(x.squared_norms), width))),
                exact(np.empty((tiles, layout.tile_size), dtype)),
            )
            for use in (1, 2) if cached else (0,):
                sums[:] = 0
                used = 0
                for begin in range(0, n, layout.tile_rows):
                    strip = -(-(n - begin) // layout.tile_columns) * layout.tile_size * size
                    memory = exact(cache[used : used + strip]) if cached else None
                    gathered = (exact(np.zeros(n)), exact(np.zeros(1)))
                    arguments = ((begin, begin, n), (exact(V), sums, width), gathered, None if cached else tile, memory)
                    native.symmetric(isa, size, form.arguments, tables[1], *arguments, use)
                    if cached:
                        cache[used : used + strip] = memory
                    used += strip
                scale = max(1.0, float(np.abs(K).max())) * n
                np.testing.assert_allclose(sums.view(np.float64).reshape(-1, width)[:n], K @ V, atol=near * scale)
