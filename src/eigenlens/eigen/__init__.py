"""Eigenpairs of a Gram operator, each with its certificate."""

from .auto import DENSE_BYTES, SOLVERS, WHOLE_BYTES, Choice, block_plan, choose, solve
from .basis import Basis
from .block import certified
from .certify import certify_decomposition, certify_subspace
from .result import Certificate, EigenResult

__all__ = [
    "DENSE_BYTES",
    "SOLVERS",
    "WHOLE_BYTES",
    "Basis",
    "Certificate",
    "Choice",
    "EigenResult",
    "block_plan",
    "certified",
    "certify_decomposition",
    "certify_subspace",
    "choose",
    "solve",
]
