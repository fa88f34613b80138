"""What Eigenlens works with on this machine."""

from __future__ import annotations

import platform
from importlib.metadata import version

import numpy as np
import scipy
import sklearn
from threadpoolctl import threadpool_info

from ..core.memory import available_memory, format_bytes
from ..core.threads import worker_count
from .config import describe_engine


def show_config() -> None:
    """Print what Eigenlens works with here: versions, the engine and why it is that, BLAS, threads, memory."""
    print("\n".join(f"{name:<14}{value}" for name, value in _config().items()))


def _config() -> dict[str, str]:
    libraries = [library for library in threadpool_info() if library["user_api"] == "blas"]
    blas = [f"{x['internal_api']} {x['version']}, {x.get('architecture', 'unknown')} kernels" for x in libraries]
    return {
        "eigenlens": version("eigenlens"),
        "engine": _engine(),
        "threads": f"{worker_count(None)} unless n_jobs says otherwise",
        "memory": f"{format_bytes(available_memory())} available; a fit takes up to half unless memory_limit is given",
        "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
        "BLAS": "; ".join(dict.fromkeys(blas)) or "none found",
    }


def _engine() -> str:
    try:
        return describe_engine()
    except ValueError as error:  # what is shown here is what a person looks at when something is wrong
        return str(error)
