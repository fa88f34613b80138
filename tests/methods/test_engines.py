"""The same model, whichever engine makes the kernel values."""

import numpy as np
import pytest
from agreement import assert_scores_agree
from scipy.linalg import eigh

from eigenlens import KernelPCA
from eigenlens.engine import instruction_sets
from eigenlens.kernels import RBF, Cosine, Laplacian, Matern, Polynomial, RationalQuadratic, Tanh

ENGINES = [*instruction_sets(), "numpy"]
KERNELS = [
    RBF(gamma=0.2),
    Matern(length_scale=2.0),
    RationalQuadratic(length_scale=2.0),
    Laplacian(gamma=0.2),
    Polynomial(degree=2, gamma=0.2),
    Cosine(),
    2.0 * RBF(gamma=0.5),
    RBF(gamma=0.5) + Laplacian(gamma=0.2),
]


def table(n, d=3, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d)) * np.linspace(2, 1, d)


def exact_eigenvalues(K, k):
    n = len(K)
    C = K - K.mean(axis=0)
    C = C - C.mean(axis=1)[:, None]
    return eigh((C + C.T) / 2, subset_by_index=(n - k, n - 1), eigvals_only=True)[::-1]


@pytest.fixture(params=ENGINES)
def engine(request, monkeypatch):
    monkeypatch.setenv("EIGENLENS_ENGINE", request.param)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("n", [150, 1301])
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_eigenvalues_are_lapacks_and_scores_those_of_the_definition(kernel, n):
    X, Y = table(n), table(40, seed=1)
    solver = "auto" if n < 1000 else "block"
    model = KernelPCA(3, kernel=kernel, eigen_solver=solver, tol=1e-9 if n > 1000 else 0, random_state=0).fit(X)
    K = kernel(X)
    exact = exact_eigenvalues(K, 3)
    np.testing.assert_allclose(model.eigenvalues_, exact, rtol=1e-10)
    assert (model.certificate_.lower <= exact).all()
    assert (exact <= model.certificate_.upper).all()
    B = kernel(Y, X)
    centred = B - B.mean(axis=1)[:, None] - K.mean(axis=0) + K.mean()
    weights = model.eigenvectors_ / np.sqrt(model.eigenvalues_)
    np.testing.assert_allclose(model.transform(Y), centred @ weights, atol=1e-9 * np.abs(B).max())


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_data_far_from_the_origin_are_as_exact_as_near_it(dtype):
    X = table(2100, 4).astype(np.float32).astype(np.float64)
    far = (X + 300).astype(dtype)  # float32 keeps five digits of X, which are then the data
    model = KernelPCA(5, kernel="rbf", gamma=0.1, random_state=0).fit(far)
    exact = exact_eigenvalues(RBF(gamma=0.1)(far.astype(np.float64) - 300), 5)
    np.testing.assert_allclose(model.eigenvalues_, exact, rtol=1e-10 if dtype == np.float64 else 1e-6)


@pytest.mark.usefixtures("engine")
def test_more_threads_than_the_machine_has():
    X, Y = table(2100, 4), table(700, 4, seed=1)
    few, many = (KernelPCA(3, kernel="rbf", gamma=0.1, n_jobs=jobs, random_state=0).fit(X) for jobs in (1, 64))
    np.testing.assert_allclose(many.eigenvalues_, few.eigenvalues_, rtol=1e-11)
    assert_scores_agree(many.transform(Y), few.transform(Y), 1e-5)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("scale", [1e-100, 1e-20, 1e20, 1e100])
def test_the_unit_of_a_table_does_not_matter(scale):
    """gamma |x - y| is the same number in any unit; float32 reaches less far than float64 does."""
    X = np.round(table(2100, 3) * 8) + 1
    model, expected = (
        KernelPCA(3, kernel="laplacian", gamma=0.02 / unit, random_state=0).fit(X * unit) for unit in (scale, 1.0)
    )
    np.testing.assert_allclose(model.eigenvalues_, expected.eigenvalues_, rtol=1e-9)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("value", [5e-324, 1e-310])
def test_subnormal_entries_are_zeros_beside_others(value):
    X = table(300, 3)
    X[::3, 1] = 0.0
    with_subnormal = X.copy()
    with_subnormal[::3, 1] = value
    model, expected = (KernelPCA(3, kernel="rbf", gamma=0.1, random_state=0).fit(rows) for rows in (with_subnormal, X))
    np.testing.assert_allclose(model.eigenvalues_, expected.eigenvalues_, rtol=1e-12)


@pytest.mark.usefixtures("engine")
def test_tanh_keeps_its_positive_components():
    X = table(1301, 3)
    kernel = Tanh(gamma=0.05, coef0=-0.5)
    with pytest.warns(UserWarning, match="negative"):
        model = KernelPCA(2, kernel=kernel, eigen_solver="block", tol=1e-9, random_state=0).fit(X)
    np.testing.assert_allclose(model.eigenvalues_, exact_eigenvalues(kernel(X), 2), rtol=1e-9)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("kernel", [Cosine(), Polynomial(degree=3, gamma=0.2), RBF(gamma=1e-6)], ids=repr)
def test_values_far_from_zero_do_not_keep_an_iteration_in_float32(kernel):
    """K is nearly constant: what float32 rounds of it is as large as what centring leaves."""
    X = table(2100, 4) + (0 if isinstance(kernel, RBF) else 300)
    model = KernelPCA(3, kernel=kernel, random_state=0).fit(X)
    assert model.n_iter_ < 10
    exact = exact_eigenvalues(kernel(X), 3)
    np.testing.assert_allclose(model.eigenvalues_, exact, rtol=1e-8)
    assert (exact <= model.certificate_.upper).all()
    assert (model.certificate_.upper <= model.eigenvalues_ * (1 + 1e-4)).all()


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("n", [400, 2100])
@pytest.mark.parametrize("far", [1e10, 1e16, 1e20, 1e30])
def test_a_row_far_out_leaves_the_others_their_digits(far, n):
    X = table(n, 5)
    X[-1] = far
    model = KernelPCA(2, kernel="rbf", gamma=0.05, random_state=0).fit(X)
    whole = np.eye(n)
    whole[:-1, :-1] = RBF(gamma=0.05)(X[:-1])  # the last row is like no other
    exact = exact_eigenvalues(whole, 2)
    np.testing.assert_allclose(model.eigenvalues_, exact, rtol=1e-10)
    assert (model.certificate_.lower <= exact).all()
    assert (exact <= model.certificate_.upper).all()
