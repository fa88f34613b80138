"""scikit-learn's own checks of an estimator, over KernelPCA in many configurations."""

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from eigenlens import KernelPCA
from eigenlens.kernels import RBF, ChiSquared, Linear, Matern, Polynomial, Precomputed

CONFIGURATIONS = {
    "as it comes": KernelPCA(),
    "rbf": KernelPCA(kernel="rbf"),
    "rbf, median width": KernelPCA(kernel="rbf", gamma="median", n_components=2),
    "poly, inverse": KernelPCA(kernel="poly", degree=2, fit_inverse_transform=True, alpha=0.1),
    "sigmoid": KernelPCA(kernel="sigmoid"),
    "cosine": KernelPCA(kernel="cosine", n_components=1, remove_zero_eig=True),
    "laplacian": KernelPCA(kernel="laplacian"),
    "chi2": KernelPCA(kernel="chi2"),
    "matern": KernelPCA(kernel="matern"),
    "precomputed": KernelPCA(kernel="precomputed", indefinite="warn"),
    "precomputed object": KernelPCA(kernel=Precomputed(), indefinite="warn"),
    "kernel object": KernelPCA(kernel=RBF(gamma=0.1), copy_X=False),
    "composite, inverse": KernelPCA(kernel=0.5 * Matern() + Linear(), fit_inverse_transform=True),
    "histogram composite": KernelPCA(kernel=ChiSquared() * Polynomial(2)),
    "dense": KernelPCA(eigen_solver="dense", kernel="rbf", n_components=3),
    "arpack": KernelPCA(eigen_solver="arpack", n_components=1),
    "randomized": KernelPCA(eigen_solver="randomized", n_components=2, iterated_power=3),
    "block": KernelPCA(eigen_solver="block", kernel="rbf", n_components=2, tol=1e-3, max_iter=50),
    "limits": KernelPCA(kernel="rbf", memory_limit="1GB", n_jobs=2, random_state=0),
}

CHECKS = [
    pytest.param(estimator, check, id=f"{name}-{check.func.__name__}")
    for name, configured in CONFIGURATIONS.items()
    for estimator, check in estimator_checks_generator(configured)
    # it runs only where SCIPY_ARRAY_API was set before SciPy was imported, and tells nothing about NumPy arrays
    if check.func.__name__ != "check_array_api_input"
]


# Tables of rank one, and kernel matrices rounded to whole numbers, are what the checks fit; both are warned of.
@pytest.mark.filterwarnings("ignore::eigenlens.core.errors.RankWarning")
@pytest.mark.filterwarnings("ignore::eigenlens.core.errors.IndefiniteKernelWarning")
@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_scikit_learn_check(estimator, check):
    check(estimator)


def test_the_checks_are_there():
    """The generator yields about 46 checks a configuration; a change of its interface must not empty this file."""
    assert len(CHECKS) >= 40 * len(CONFIGURATIONS)
