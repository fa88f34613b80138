"""Kernel principal component analysis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import Tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ...core.memory import parse_memory
from ...core.numerics import Array
from ...core.parameters import check_parameters
from ...core.progress import Progress
from ...core.randomness import RandomState, generator
from ...core.threads import worker_count
from ...core.validation import Table, all_or_nothing, check_scores, check_table
from ...gram import cross_matmat
from ...kernels import Kernel, Precomputed, Rows, shift_for
from ...preimage import RidgePreimage
from .fitting import Fit, Resources, SolverRequest, fit_components, learn_inverse, resolve_gamma, resolve_kernel
from .inputs import has_score, is_precomputed, takes_negative, takes_sparse
from .rules import KERNEL_PCA
from .spectrum import loosened, narrowed


class KernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Kernel principal component analysis: the directions of largest variance in the feature space of a kernel.

    With K the matrix of all k(xi, xj) and H = I - 11'/n, the components are the leading eigenpairs
    H K H v = lambda v. The score of a row y along a component is sum_j k~(y, xj) v_j / sqrt(lambda), k~ being the
    kernel centred with the means of the training rows: its coordinate along a unit vector of the feature space
    (Schoelkopf, Smola and Mueller 1998, doi:10.1162/089976698300017467).

    It takes the place of ``sklearn.decomposition.KernelPCA``: every parameter, attribute and method of that class is
    here with the same meaning; those marked * are new. Components come with a certificate, and memory is bounded.

    Parameters
    ----------
    n_components : int or None
        Number of components; None keeps all whose eigenvalue is not zero.
    kernel : str, kernel object or function of two rows
        "linear", "poly", "rbf", "sigmoid", "cosine", "laplacian", "chi2", "additive_chi2", "precomputed", and *
        "matern", "rational_quadratic"; * an object of ``eigenlens.kernels``, which carries its own parameters.
    gamma : float, "median" or None
        Coefficient of rbf, laplacian, chi2, poly and sigmoid. None: 1 / n_features. * "median": the median distance
        between rows is the width.
    degree, coef0 : float
        Of the poly and sigmoid kernels.
    kernel_params : dict or None
        Keywords for a kernel that is a function.
    alpha : float
        Penalty of the ridge regression that learns the inverse transform.
    fit_inverse_transform : bool
        Learn the inverse transform.
    eigen_solver : {"auto", "dense", "arpack", "randomized", "lanczos", "block"}
        * "block": a warm-started block Krylov iteration, exact to ``tol``, its passes over K by tiles. * "lanczos": one
        vector at a time and every one of them kept, for small matrices. "auto" takes what is fastest and says why in
        ``solver_reason_``.
    tol : float
        * Residual ||K v - lambda v|| to reach, relative to the first eigenvalue. 0: 1e-10, or 1e-6 where K is too large
        to hold in float64 (eigenvalues err by the square of that over a gap). For "arpack" its own tolerance.
    max_iter : int or None
        Most passes over K ("block"), products with one vector ("lanczos") or restarts ("arpack"). None: 200 ("block"),
        or as many as it takes.
    iterated_power : int or "auto"
        Power iterations of "randomized".
    remove_zero_eig : bool
        Drop components whose eigenvalue is zero.
    random_state : int, RandomState or None
        Seed of the iterations' start.
    copy_X : bool
        Copy the table; else the model refers to the caller's, which it only reads.
    n_jobs : int or None
        Threads. None: as many as BLAS may use.
    memory_limit : int, str or None
        * Most memory to take, in bytes or as "2GB"; tiles of K that do not fit are computed again in every pass. None:
        half of what is available.
    inverse_gamma : float, "median" or None
        * gamma of the ridge regression's kernel. None: that of ``kernel``.
    indefinite : {"auto", "warn", "raise"}
        * What to do about negative eigenvalues. "warn" keeps the positive ones and warns; "raise" refuses. "auto" warns
        for kernels known to be indefinite (sigmoid) and refuses where one was asked for from any other.
    verbose : bool
        * Show progress.

    Attributes
    ----------
    eigenvalues_ : array of shape (n_components,)
        Of the centred kernel matrix, the largest first.
    eigenvectors_ : array of shape (n_samples, n_components)
        Of length one.
    certificate_ : Certificate
        * Arrays ``residual``, ``lower``, ``upper``, ``index_proven``, one entry a component, and what they rest on.
    explained_variance_ratio_ : array of shape (n_components,)
        * Share of the whole variance in feature space, from the exact trace; of an indefinite kernel, negative
        eigenvalues take away from the whole, and shares may add up to more than one.
    solver_, solver_reason_ : str
        * Which solver was taken, and why.
    n_iter_ : int
        * Passes over the kernel matrix.
    kernel_ : Kernel
        * The kernel with the parameters that were used.
    gamma_, X_fit_, dual_coef_, X_transformed_fit_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from eigenlens import KernelPCA
    >>> from eigenlens.datasets import make_rings
    >>> X, y = make_rings(random_state=0)
    >>> model = KernelPCA(n_components=2, kernel="rbf", gamma="median").fit(X)
    >>> model.transform(X[:3]).shape
    (3, 2)
    >>> bool(model.certificate_.index_proven.all())
    True
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        kernel: str | Kernel | Callable[..., float] = "linear",
        gamma: float | str | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        alpha: float = 1.0,
        fit_inverse_transform: bool = False,
        eigen_solver: str = "auto",
        tol: float = 0,
        max_iter: int | None = None,
        iterated_power: int | str = "auto",
        remove_zero_eig: bool = False,
        random_state: RandomState = None,
        copy_X: bool = True,
        n_jobs: int | None = None,
        memory_limit: float | str | None = None,
        inverse_gamma: float | str | None = None,
        indefinite: str = "auto",
        verbose: bool | int = False,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.iterated_power = iterated_power
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state
        self.copy_X = copy_X
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit
        self.inverse_gamma = inverse_gamma
        self.indefinite = indefinite
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the components of X, of shape (n_samples, n_features), or of a kernel matrix if precomputed."""
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Find the components of X and return its scores: what ``transform`` would return, without a further pass."""
        scores = self._fit(X)
        return scores.astype(self.eigenvectors_.dtype, copy=False)

    def transform(self, X: Any) -> Array:
        """Return the scores of X along the components, (n_rows, n_components)."""
        X = self._check_new(X)
        weights = self._weights
        # the weights sum to zero in every column, which leaves of centring only the means of the training rows
        product = (
            np.asarray(X, dtype=np.float64) @ weights
            if isinstance(self.kernel_, Precomputed)
            else cross_matmat(self.kernel_, X, self.X_fit_, weights, n_jobs=self.n_jobs)
        )
        return (product - self._centring.row_means @ weights).astype(X.dtype, copy=False)

    def inverse_transform(self, X: Any) -> Array:
        """Return a point of input space for each row of scores, by the learned ridge regression."""
        check_is_fitted(self)
        if self._inverse is None:
            raise NotFittedError(
                "The inverse transform was not learned: set fit_inverse_transform=True before fitting."
            )
        points = self._inverse(check_scores(self, X, self._n_features_out), self.n_jobs)
        return points.astype(self.X_fit_.dtype, copy=False)

    @available_if(has_score)
    def score_samples(self, X: Any) -> Array:
        """Return how well each row's image is reconstructed from its scores: 1 is perfect.

        1 - (k~(x, x) - sum_i score_i(x)^2) / (trace(HKH) / n): the squared distance to the span of the components, in
        units of the mean squared distance of training images to their mean.
        """
        X = self._check_new(X)
        if self._mean_variance == 0:
            raise ValueError(
                "Reconstruction is measured in units of the variance of the training rows, and by this kernel they "
                "have none. Fit to rows that differ, or with another kernel."
            )
        n = self.X_fit_.shape[0]
        weights = np.column_stack([self._weights, np.full(n, 1 / n)])
        projected = cross_matmat(self.kernel_, X, self.X_fit_, weights, n_jobs=self.n_jobs)
        scores = projected[:, :-1] - self._centring.row_means @ weights[:, :-1]
        diagonal = self.kernel_.evaluate_diagonal(Rows(X, np.float64, shift_for(self.kernel_, self.X_fit_)))
        squared_lengths = self._centring.centre_diagonal(diagonal, projected[:, -1])
        return 1 - (squared_lengths - np.einsum("ij,ij->i", scores, scores)) / self._mean_variance

    @available_if(has_score)
    def score(self, X: Any, y: Any = None) -> float:
        """Return the mean of ``score_samples``: on the training rows, the sum of ``explained_variance_ratio_``."""
        return float(np.mean(self.score_samples(X)))

    def _fit(self, X: Any) -> Array:
        """Fit, or leave the estimator as it was; return the scores of the training rows in float64."""
        with all_or_nothing(self):
            check_parameters(self, KERNEL_PCA)
            if self.fit_inverse_transform and is_precomputed(self.kernel):
                raise ValueError(
                    "Cannot fit_inverse_transform with a precomputed kernel: it has no rows to go back to. Set "
                    "fit_inverse_transform=False, or give the table and a kernel for it."
                )
            X = check_table(self, X, reset=True, copy=self.copy_X, accept_sparse=not is_precomputed(self.kernel))
            rng = generator(self.random_state)
            memory = parse_memory(self.memory_limit)
            gamma = resolve_gamma(self.kernel, self.gamma, X, rng)
            kernel = resolve_kernel(self, gamma)
            kernel.check(X)
            use = Resources(memory, worker_count(self.n_jobs), Progress(self.verbose))
            fit = fit_components(kernel, X, SolverRequest.of(self), use, rng)
            scores = fit.components.scores
            inverse = learn_inverse(self, kernel, scores, X, memory, rng) if self.fit_inverse_transform else None
            self._store(fit, kernel, gamma, X, inverse)
        return scores

    def _store(self, fit: Fit, kernel: Kernel, gamma: float | None, X: Table, inverse: RidgePreimage | None) -> None:
        """Write the fitted state: the only place that does."""
        components, result = fit.components, fit.result
        self.kernel_ = kernel
        self.gamma_ = gamma
        self.X_fit_ = X
        self.eigenvalues_ = narrowed(components.values, X.dtype)
        self.eigenvectors_ = components.vectors.astype(X.dtype, copy=False)
        self.certificate_ = loosened(components.certificate, np.abs(self.eigenvalues_ - components.values))
        self.explained_variance_ratio_ = components.ratios
        self.solver_, self.solver_reason_, self.n_iter_ = result.solver, result.reason, result.passes
        self._weights = components.weights
        self._centring = fit.means
        self._mean_variance = components.variance / X.shape[0]
        self._inverse = inverse

    def _check_new(self, X: Any) -> Table:
        """Check new rows at the door."""
        check_is_fitted(self)
        X = check_table(self, X, reset=False, accept_sparse=not isinstance(self.kernel_, Precomputed))
        self.kernel_.check(X)
        return X

    @property
    def dual_coef_(self) -> Array:
        """Coefficients of the inverse transform, if it was learned."""
        return self._learned_inverse("dual_coef_").dual

    @property
    def X_transformed_fit_(self) -> Array:
        """Scores of the training rows, if the inverse transform was learned."""
        return self._learned_inverse("X_transformed_fit_").scores

    def _learned_inverse(self, name: str) -> RidgePreimage:
        inverse: RidgePreimage | None = vars(self).get("_inverse")
        if inverse is None:
            raise AttributeError(f"{name} is there once fit has learned the inverse transform.")
        return inverse

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.input_tags.pairwise = is_precomputed(self.kernel)
        tags.input_tags.sparse = takes_sparse(self.kernel)
        tags.input_tags.positive_only = not takes_negative(self.kernel)
        return tags

    @property
    def _n_features_out(self) -> int:
        return int(self.eigenvalues_.shape[0])
