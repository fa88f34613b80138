"""Eigenpairs of a Gram operator, each with its certificate."""

from .auto import SOLVERS, Choice, block_plan, choose, solve
from .certify import certify_decomposition, certify_subspace
from .result import Certificate, EigenResult

__all__ = [
    "SOLVERS",
    "Certificate",
    "Choice",
    "EigenResult",
    "block_plan",
    "certify_decomposition",
    "certify_subspace",
    "choose",
    "solve",
]
