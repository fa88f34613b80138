"""KernelPCA behaves: names, clones, pickles, seeds, silence, and no state that is half of one fit."""

import io
import pickle
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import pytest
from agreement import table
from sklearn import config_context
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from eigenlens import KernelPCA
from eigenlens.core.errors import RankWarning
from eigenlens.kernels import RBF, Linear, Sum


def test_set_output_and_feature_names():
    frame = pd.DataFrame(table(20, 3), columns=["a", "b", "c"], index=np.arange(20) * 2)
    model = KernelPCA(2, kernel="rbf").set_output(transform="pandas")
    for scores in (model.fit_transform(frame), model.transform(frame)):
        assert list(scores.columns) == ["kernelpca0", "kernelpca1"]
        assert list(scores.index) == list(frame.index)
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    assert list(model.get_feature_names_out()) == ["kernelpca0", "kernelpca1"]
    with config_context(transform_output="pandas"):
        assert isinstance(KernelPCA(2, eigen_solver="arpack").fit_transform(frame), pd.DataFrame)


def test_names_of_an_earlier_fit_are_forgotten():
    X = table(20, 3)
    model = KernelPCA(2).fit(pd.DataFrame(X, columns=["a", "b", "c"])).fit(X)
    assert not hasattr(model, "feature_names_in_")


def test_an_inverse_of_an_earlier_fit_is_forgotten():
    X = table(20, 3)
    model = KernelPCA(2, fit_inverse_transform=True).fit(X)
    assert hasattr(model, "dual_coef_")
    model.set_params(fit_inverse_transform=False).fit(X)
    assert not hasattr(model, "dual_coef_")
    assert not hasattr(model, "X_transformed_fit_")


def test_clone_is_unfitted_and_equal():
    model = KernelPCA(2, kernel=0.5 * RBF(0.3) + Linear(), memory_limit="1GB", indefinite="warn").fit(table(20, 3))
    copy = clone(model)
    assert repr(copy) == repr(model)
    assert not hasattr(copy, "kernel_")
    assert copy.kernel == model.kernel
    assert copy.kernel is not model.kernel


@pytest.mark.parametrize("solver", ["dense", "block"])
def test_pickle_round_trip(solver):
    X = table(20, 3)
    kernel = RBF(0.3) + Linear()
    model = KernelPCA(2, kernel=kernel, eigen_solver=solver, fit_inverse_transform=True, random_state=0).fit(X)
    copy = pickle.loads(pickle.dumps(model))
    for result in (lambda m: m.transform(X), lambda m: m.score_samples(X), lambda m: m.inverse_transform(X[:, :2])):
        np.testing.assert_array_equal(result(copy), result(model))
    assert str(copy.certificate_) == str(model.certificate_)


def test_repr_makes_an_equal_estimator():
    model = KernelPCA(2, kernel=RBF(gamma=0.3) + Linear(), gamma=None, memory_limit="2GB")
    names = {"KernelPCA": KernelPCA, "Sum": Sum, "RBF": RBF, "Linear": Linear}
    assert eval(repr(model), names).get_params() == model.get_params()


@pytest.mark.parametrize("solver", ["auto", "dense", "arpack", "randomized", "lanczos", "block"])
@pytest.mark.parametrize("n", [60, 2200])
def test_equal_seeds_give_equal_answers(n, solver):
    if (n, solver) == (2200, "dense"):
        n = 400  # draws nothing at random; the smaller decomposition shows it as well
    X = table(n, 3)
    first, second = (
        KernelPCA(3, kernel="rbf", eigen_solver=solver, random_state=7, n_jobs=2).fit_transform(X) for _ in range(2)
    )
    np.testing.assert_array_equal(first, second)
    other = KernelPCA(3, kernel="rbf", eigen_solver=solver, random_state=8, n_jobs=2, iterated_power=20).fit(X)
    np.testing.assert_allclose(other.eigenvalues_, np.sum(first**2, axis=0), rtol=1e-6)


def test_a_random_state_object_is_drawn_from():
    X, state = table(400, 3), np.random.RandomState(0)
    KernelPCA(3, kernel="rbf", random_state=state).fit(X)
    assert state.randint(2**31 - 1) != np.random.RandomState(0).randint(2**31 - 1)


def test_parameters_set_after_fit_wait_for_the_next():
    X, kernel = table(30, 3), RBF(0.3)
    model = KernelPCA(2, kernel=kernel, fit_inverse_transform=True).fit(X)
    answers = model.transform(X), model.inverse_transform(X[:, :2]), model.score_samples(X)
    model.set_params(kernel__gamma=5.0)
    model.set_params(kernel="poly", n_components=1, fit_inverse_transform=False, alpha=7.0, eigen_solver="arpack")
    assert model.kernel_ == RBF(0.3)
    for before, after in zip(
        answers, (model.transform(X), model.inverse_transform(X[:, :2]), model.score_samples(X)), strict=True
    ):
        np.testing.assert_array_equal(before, after)
    assert model.fit(X).transform(X).shape == (30, 1)


def test_the_caller_s_table_is_left_alone():
    for kernel in ("linear", "rbf", "precomputed"):
        X = table(20, 20)
        X = X @ X.T
        before = X.copy()
        KernelPCA(2, kernel=kernel, copy_X=False).fit(X).transform(X)
        np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("verbose", [True, False])
@pytest.mark.parametrize("n", [300, 2200])
def test_progress_goes_to_standard_error_only(n, verbose):
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        KernelPCA(2, kernel="rbf", eigen_solver="block", verbose=verbose, random_state=0).fit(table(n, 3))
    assert out.getvalue() == ""
    assert bool(err.getvalue()) == verbose


@dataclass(frozen=True)
class Interrupted(RBF):
    """An RBF kernel whose evaluation is stopped by Ctrl-C, or fails, once so many blocks were made."""

    gamma: float = 1.0
    after: int = 0
    error: type = KeyboardInterrupt
    seen: list = field(default_factory=list, compare=False)

    def evaluate(self, pairs):
        self.seen.append(pairs.shape)
        if len(self.seen) > self.after:
            raise self.error
        return super().evaluate(pairs)


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize(("n", "after", "n_jobs"), [(50, 0, 1), (2200, 0, 1), (2200, 12, 1), (2200, 12, 2)])
def test_an_interrupted_fit_leaves_a_fresh_estimator_fresh(n, after, n_jobs, error):
    model = KernelPCA(2, kernel=Interrupted(0.3, after, error), n_jobs=n_jobs, random_state=0)
    before = dict(vars(model))
    with pytest.raises(error):
        model.fit(table(n, 3))
    assert vars(model) == before
    assert not hasattr(model, "n_features_in_")
    assert not hasattr(model, "X_fit_")


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_interrupted_fit_leaves_a_fitted_estimator_as_it_was(error):
    X = pd.DataFrame(table(30, 3), columns=["a", "b", "c"])
    model = KernelPCA(2, kernel="rbf", fit_inverse_transform=True).fit(X)
    before, scores = dict(vars(model)), model.transform(X)
    model.set_params(kernel=Interrupted(0.3, 0, error))
    with pytest.raises(error):
        model.fit(table(40, 5))
    model.set_params(kernel="rbf")
    assert vars(model) == before
    np.testing.assert_array_equal(model.transform(X), scores)


def test_interrupted_while_the_inverse_is_learned():
    """Even what comes last is part of the whole; without an inverse, one block is all it takes."""
    X, kernel = table(30, 3), Interrupted(0.3, after=1)
    model = KernelPCA(2, kernel=kernel, fit_inverse_transform=True)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X)
    assert not hasattr(model, "eigenvalues_")
    assert KernelPCA(2, kernel=kernel).fit(X).eigenvalues_.shape == (2,)


def test_a_function_that_is_interrupted():
    calls = []

    def product(x, y):
        calls.append(1)
        if len(calls) == 100:
            raise KeyboardInterrupt
        return float(x @ y)

    model = KernelPCA(2, kernel=product)
    with pytest.raises(KeyboardInterrupt):
        model.fit(table(20, 3))
    assert not hasattr(model, "n_features_in_")
    assert len(calls) == 100


def test_warnings_point_at_the_line_that_called():
    for call in ("fit", "fit_transform"):
        with pytest.warns(RankWarning) as warned:
            getattr(KernelPCA(2), call)(np.ones((5, 2)))
        assert {warning.filename for warning in warned} == {__file__}
    with pytest.warns(RankWarning) as warned:
        make_pipeline(KernelPCA(2)).fit(np.ones((5, 2)))
    assert {warning.filename for warning in warned} == {__file__}
