"""The wine table of the UCI repository, bundled so that examples need no network."""

from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

WINE_MEASUREMENTS = (
    "alcohol",
    "malic_acid",
    "ash",
    "alcalinity_of_ash",
    "magnesium",
    "total_phenols",
    "flavanoids",
    "nonflavanoid_phenols",
    "proanthocyanins",
    "color_intensity",
    "hue",
    "od280_od315_of_diluted_wines",
    "proline",
)
WINE_CULTIVARS = ("Barolo", "Grignolino", "Barbera")


def load_wine() -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Thirteen chemical measurements of 178 Italian wines from three cultivars.

    The columns are in the units of the source and differ in scale by a factor of a thousand, so standardise them before
    anything that measures distance. `WINE_MEASUREMENTS` names the columns, `WINE_CULTIVARS` the classes.

    Returns
    -------
    X of shape (178, 13), and y, the index of each row's cultivar in `WINE_CULTIVARS`.

    References
    ----------
    S. Aeberhard, M. Forina, "Wine", UCI Machine Learning Repository, 1992, https://doi.org/10.24432/C5PC7J, under
    CC BY 4.0. The table goes back to M. Forina et al., PARVUS, an extendible package for data exploration,
    classification and correlation, Genoa. The cultivars' names are from M. Forina, C. Armanino, M. Castino,
    M. Ubigli, "Multivariate data analysis as a discriminating method of the origin of wines", Vitis 25, 1986,
    pp. 189-201; the numbers are unchanged, the classes are counted from 0 and the header is ours.

    Examples
    --------
    >>> X, y = load_wine()
    >>> X.shape, np.bincount(y)
    ((178, 13), array([59, 71, 48]))
    """
    with files("eigenlens.datasets").joinpath("wine.csv").open() as table:
        rows = np.loadtxt(table, delimiter=",", skiprows=1)
    return rows[:, :-1], rows[:, -1].astype(np.intp)
