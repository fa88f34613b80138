"""Points along circles: shapes that no straight line takes apart."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..core.randomness import RandomState, generator


def make_rings(
    n_samples: int = 400,
    *,
    radii: Sequence[float] = (1.0, 3.0),
    noise: float = 0.1,
    random_state: RandomState = None,
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Concentric rings in the plane, each a class.

    Ring j holds points r_j (cos t, sin t) + e with t uniform on [0, 2 pi) and e normal with standard deviation `noise`
    in each coordinate. The rows are shared out as evenly as possible, ring after ring. The recipe is ours; rings like
    these are the usual first example of kernel PCA.

    Parameters
    ----------
    n_samples : number of rows, over all rings.
    radii : r_j, one for each ring.
    noise : standard deviation of e.
    random_state : seed; equal seeds give equal data.

    Returns
    -------
    X of shape (n_samples, 2), and y, the index of each row's ring in `radii`.

    Examples
    --------
    >>> X, y = make_rings(6, noise=0.0, random_state=0)
    >>> np.hypot(*X.T).round(6)
    array([1., 1., 1., 3., 3., 3.])
    >>> y
    array([0, 0, 0, 1, 1, 1])
    """
    rng = generator(random_state)
    y = np.repeat(np.arange(len(radii)), _shares(n_samples, len(radii)))
    X = np.asarray(radii, dtype=float)[y, None] * _unit_circle(n_samples, rng)
    return X + rng.normal(scale=noise, size=X.shape), y


def make_pair_of_glasses(
    n_samples: int = 330,
    *,
    noise: float = 0.05,
    random_state: RandomState = None,
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """A pair of glasses in the plane: two rims side by side, joined by a short bridge.

    The rims are unit circles around (-1.5, 0) and (1.5, 0), with angles uniform on [0, 2 pi). The bridge is the arch
    (x, cos(pi x) / 4) with x uniform on [-1/2, 1/2]. One row in eleven is on the bridge, so that rows are about equally
    dense along all three, and normal noise is added to each coordinate. The recipe is ours.

    Parameters
    ----------
    n_samples : number of rows.
    noise : standard deviation of the noise.
    random_state : seed; equal seeds give equal data.

    Returns
    -------
    X of shape (n_samples, 2), and y: 0 for the left rim, 1 for the right one, 2 for the bridge.

    Examples
    --------
    >>> X, y = make_pair_of_glasses(330, random_state=0)
    >>> X.shape, np.bincount(y)
    ((330, 2), array([150, 150,  30]))
    """
    rng = generator(random_state)
    on_bridge = n_samples // 11
    on_rims = n_samples - on_bridge
    side = np.repeat([0, 1], _shares(on_rims, 2))
    rims = _unit_circle(on_rims, rng) + np.array([[-1.5, 0.0], [1.5, 0.0]])[side]
    along = rng.uniform(-0.5, 0.5, size=on_bridge)
    bridge = np.column_stack([along, np.cos(np.pi * along) / 4])
    X = np.concatenate([rims, bridge])
    return X + rng.normal(scale=noise, size=X.shape), np.concatenate([side, np.full(on_bridge, 2)])


def _unit_circle(n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    angle = rng.uniform(0.0, 2 * np.pi, size=n)
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _shares(n: int, parts: int) -> NDArray[np.intp]:
    """Split n into whole parts that differ by at most one, the larger ones first."""
    if parts < 1 or n < parts:
        raise ValueError(f"{n} rows cannot fill {parts} rings: give at least one ring, and one row for each.")
    return np.arange(n + parts - 1, n - 1, -1) // parts
