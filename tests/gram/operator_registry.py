"""Every Gram operator beside the explicit matrix it stands for: what the contracts are crossed with."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from eigenlens.engine import Engine, instruction_sets, recipe_for
from eigenlens.gram import (
    CentredGram,
    DenseGram,
    FactoredGram,
    KernelSource,
    MatrixSource,
    NativeGram,
    TiledGram,
    centred_features,
    centred_matrix,
    nystroem,
    randomly_pivoted_cholesky,
)
from eigenlens.kernels import RBF, Laplacian, Linear, Matern, Polynomial

N, SMALL_TILE = 31, 7  # neither divides the other: the last tile is narrower
KERNELS = {
    "rbf": RBF(gamma=0.1),
    "laplacian": Laplacian(gamma=0.2),
    "poly": Polynomial(degree=2),
    "linear": Linear(),
    # its tiles need memory beyond the scratch buffer
    "composite": 2.0 * Matern(nu=2.5) + RBF(gamma=0.3) * Polynomial(degree=2).normalised(),
}


def table(n=N, offset=0.5):
    return np.random.default_rng(n).standard_normal((n, 3)) + offset


@dataclass
class Case:
    """An operator, the matrix it must be, and a block of new rows with what it must give (None: no new rows)."""

    operator: Any
    K: np.ndarray
    new_rows: Any = None
    cross: np.ndarray | None = None


def explicit(kernel, A, B, shift):
    """Kernel values in the frame the operator works in: a kernel that centring makes shift-invariant is shifted."""
    return kernel(A - shift, np.array(B) - shift)


def shift_of(kernel, X):
    return X.mean(axis=0) if isinstance(kernel, Linear) else np.zeros(X.shape[1])


def of_kernel(make, name="rbf", X=None, sparse=False, **options):
    kernel, X = KERNELS[name], table() if X is None else X
    Y = np.random.default_rng(1).standard_normal((9, X.shape[1]))
    shift = np.zeros(X.shape[1]) if sparse else shift_of(kernel, X)
    K, cross = explicit(kernel, X, X, shift), explicit(kernel, Y, X, shift)
    rows = scipy.sparse.csr_matrix if sparse else np.asarray
    return Case(make(kernel, rows(X), **options), K, rows(Y), cross)


def tiled(kernel, X, dtype=np.float64, cache=0, n_jobs=1):
    return TiledGram(KernelSource(kernel, X), dtype, cache_bytes=cache, n_jobs=n_jobs)


def native(kernel, X, isa, dtype=np.float64, cache=0, n_jobs=1):
    return NativeGram(Engine(isa), recipe_for(kernel), kernel, X, dtype, cache_bytes=cache, n_jobs=n_jobs)


def of_matrix(make, symmetric=None, **options):
    K = known_symmetric() if symmetric is None else symmetric
    block = np.random.default_rng(2).standard_normal((4, len(K)))
    return Case(make(K.copy(), **options), K, block, block)


def known_symmetric(n=N):
    A = np.random.default_rng(5).standard_normal((n, n))
    return A + A.T


def memory_map(directory, dtype):
    stored = np.memmap(directory / "kernel.dat", dtype=dtype, mode="w+", shape=(N, N))
    stored[:] = known_symmetric()
    stored.flush()
    source = MatrixSource(np.memmap(directory / "kernel.dat", dtype=dtype, mode="r", shape=(N, N)))
    block = np.ones((2, N))
    return Case(TiledGram(source, dtype, n_jobs=1), np.array(stored, dtype=np.float64), block, block)


def factored():
    F, G = np.random.default_rng(3).standard_normal((N, 4)), np.random.default_rng(4).standard_normal((6, 4))
    return Case(FactoredGram(F, lambda Y: Y), F @ F.T, G, G @ F.T)


def low_rank(make, name, sparse=False, **options):
    """A low-rank operator beside K L (L K L)^+ L K from the landmarks it names, by a pseudo-inverse of our own."""
    kernel, X = KERNELS[name], table()
    rows = scipy.sparse.csr_matrix if sparse else np.asarray
    shift = np.zeros(X.shape[1]) if sparse else shift_of(kernel, X)
    operator = make(kernel, rows(X), rng=np.random.default_rng(0), **options)
    L, Y = X[operator.landmarks], np.random.default_rng(1).standard_normal((9, 3))
    inverse = np.linalg.pinv(explicit(kernel, L, L, shift), rcond=1e-12, hermitian=True)
    C, D = explicit(kernel, X, L, shift), explicit(kernel, Y, L, shift)
    return Case(operator, C @ inverse @ C.T, rows(Y), D @ inverse @ C.T)


SOME, ALL = 3 * SMALL_TILE**2 * 8, 10**9  # bytes that keep three float64 tiles; and every one

# each makes its case anew, under whatever tile size is set
CASES = {
    "dense": lambda tmp: of_kernel(DenseGram.of),
    "dense, laplacian": lambda tmp: of_kernel(DenseGram.of, "laplacian"),
    "dense, linear": lambda tmp: of_kernel(DenseGram.of, "linear"),
    "dense, sparse rows": lambda tmp: of_kernel(DenseGram.of, "poly", sparse=True),
    "dense, given": lambda tmp: of_matrix(DenseGram),
    "tiled, none kept": lambda tmp: of_kernel(tiled),
    "tiled, some kept": lambda tmp: of_kernel(tiled, cache=SOME),
    "tiled, all kept": lambda tmp: of_kernel(tiled, cache=ALL),
    "tiled, two threads": lambda tmp: of_kernel(tiled, cache=SOME, n_jobs=2),
    "tiled, more threads than tiles": lambda tmp: of_kernel(tiled, X=table(5), n_jobs=40),
    "tiled, one tile": lambda tmp: of_kernel(tiled, X=table(SMALL_TILE - 2)),
    "tiled, whole tiles": lambda tmp: of_kernel(tiled, X=table(3 * SMALL_TILE)),
    "tiled, composite, some kept": lambda tmp: of_kernel(tiled, "composite", cache=SOME),
    "tiled, linear": lambda tmp: of_kernel(tiled, "linear"),
    "tiled, float32": lambda tmp: of_kernel(tiled, dtype=np.float32),
    "tiled, float32, all kept": lambda tmp: of_kernel(tiled, dtype=np.float32, cache=ALL),
    "tiled, sparse rows": lambda tmp: of_kernel(tiled, "poly", sparse=True),
    "tiled, sparse rows, float32": lambda tmp: of_kernel(tiled, "rbf", sparse=True, dtype=np.float32, cache=SOME),
    "tiled, given": lambda tmp: of_matrix(lambda K: TiledGram(MatrixSource(K), np.float64, cache_bytes=SOME)),
    "tiled, given, float32": lambda tmp: of_matrix(lambda K: TiledGram(MatrixSource(K), np.float32)),
    "tiled, memory map": lambda tmp: memory_map(tmp, np.float64),
    "tiled, memory map, float32": lambda tmp: memory_map(tmp, np.float32),
    "factored": lambda tmp: factored(),
    "nystroem": lambda tmp: low_rank(nystroem, "rbf", n_landmarks=12),
    "nystroem, linear": lambda tmp: low_rank(nystroem, "linear", n_landmarks=12),
    "nystroem, sparse rows": lambda tmp: low_rank(nystroem, "poly", sparse=True, n_landmarks=12),
    "pivoted Cholesky": lambda tmp: low_rank(randomly_pivoted_cholesky, "rbf", n_landmarks=12, block=5),
    "pivoted Cholesky, linear": lambda tmp: low_rank(randomly_pivoted_cholesky, "linear", n_landmarks=12, block=1),
    "pivoted Cholesky, sparse": lambda tmp: low_rank(randomly_pivoted_cholesky, "poly", sparse=True, n_landmarks=5),
}


for _isa in instruction_sets():
    CASES |= {
        f"native, {_isa}": lambda tmp, isa=_isa: of_kernel(native, isa=isa),
        f"native, {_isa}, many tiles": lambda tmp, isa=_isa: of_kernel(native, X=table(701), isa=isa, n_jobs=2),
        f"native, {_isa}, some kept": lambda tmp, isa=_isa: of_kernel(
            native, "laplacian", X=table(701), isa=isa, cache=2_000_000, n_jobs=2
        ),
        f"native, {_isa}, float32": lambda tmp, isa=_isa: of_kernel(
            native, "poly", X=table(300), isa=isa, dtype=np.float32, cache=ALL
        ),
        f"native, {_isa}, linear": lambda tmp, isa=_isa: of_kernel(native, "linear", isa=isa),
    }


def centred(case):
    """The same case under centring, with the centred block of new rows by its definition in feature space."""
    n = len(case.K)
    H = np.eye(n) - 1 / n
    cross = None if case.cross is None else (case.cross - case.K.mean(axis=0)) @ H
    return Case(CentredGram(case.operator), H @ case.K @ H, case.new_rows, cross)


def shifted_matrix(tmp):
    """K_ij + a_i + b_j, which is not symmetric, and has the same centred matrix as K."""
    K, a, b = known_symmetric(), *np.random.default_rng(6).standard_normal((2, N))
    given = K + a[:, None] + b
    operator = centred_matrix(given, whole=True, memory=10**9, vectors=1)
    H, block = np.eye(N) - 1 / N, np.random.default_rng(2).standard_normal((4, N))
    return Case(operator, H @ K @ H, block, (block - given.mean(axis=0)) @ H)


def features(tmp):
    X, Y = table(), np.random.default_rng(1).standard_normal((9, 3))
    C = X - X.mean(axis=0)
    return Case(centred_features(X), C @ C.T, Y, (Y - X.mean(axis=0)) @ C.T)


CENTRED = {f"centred {name}": lambda tmp, make=make: centred(make(tmp)) for name, make in CASES.items()}
CENTRED |= {"centred given, symmetric once centred": shifted_matrix, "centred features": features}
