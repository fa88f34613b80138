"""Three round clusters, the first picture that kernel PCA was shown on."""

import numpy as np
from numpy.typing import NDArray

from ..core.randomness import RandomState, generator

THREE_CENTRES = ((-0.5, -0.2), (0.0, 0.6), (0.5, 0.0))


def make_three_clusters(
    n_per_cluster: int = 30,
    *,
    spread: float = 0.1,
    random_state: RandomState = None,
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Three Gaussian clusters in the plane, each a class.

    Cluster j is normal around centre m_j with covariance `spread`^2 I, where the centres are m_0 = (-0.5, -0.2),
    m_1 = (0, 0.6) and m_2 = (0.5, 0).

    Centres, spread and the 30 rows a cluster are those of the first author's script `kpca_toy.m`, which refers to
    figure 4 of the paper. The random numbers are ours, so the rows are not those of the paper.

    Parameters
    ----------
    n_per_cluster : number of rows in each cluster.
    spread : standard deviation in each coordinate.
    random_state : seed; equal seeds give equal data.

    Returns
    -------
    X of shape (3 n_per_cluster, 2), and y, the index of each row's cluster in `THREE_CENTRES`.

    References
    ----------
    B. Schölkopf, A. Smola, K.-R. Müller, "Nonlinear component analysis as a kernel eigenvalue problem", Neural
    Computation 10(5), 1998, pp. 1299-1319.

    Examples
    --------
    >>> X, y = make_three_clusters(random_state=0)
    >>> X.shape, np.bincount(y)
    ((90, 2), array([30, 30, 30]))
    """
    rng = generator(random_state)
    y = np.repeat(np.arange(len(THREE_CENTRES)), n_per_cluster)
    return rng.normal(loc=np.array(THREE_CENTRES)[y], scale=spread), y
