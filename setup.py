"""Build the compiled engine: the same source once for each instruction set, chosen from when it runs.

Where there is no compiler, or it knows no vector extensions, the package installs without; it then works on NumPy.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCES = "src/eigenlens/engine/native"
EVERYWHERE = ["-std=c++17", "-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast", "-fvisibility=hidden"]
X86 = platform.machine().lower() in ("x86_64", "amd64") and sys.maxsize > 2**32
ENGINES = {"baseline": ["-DEIGENLENS_VECTOR_BYTES=16"]}
if X86:
    ENGINES |= {
        "avx2": ["-DEIGENLENS_VECTOR_BYTES=32", "-mavx2", "-mfma"],
        "avx512": ["-DEIGENLENS_VECTOR_BYTES=64", "-mavx512f", "-mavx512dq", "-mavx512bw", "-mavx512vl", "-mfma"],
    }


class BuildEngines(build_ext):
    """Compile engine.cpp with each instruction set's own flags; the rest is setuptools' way."""

    def build_extension(self, ext: Extension) -> None:
        """Compile the engines, then the module that links them."""
        defines = [("EIGENLENS_X86", "1")] if X86 else []
        for name, flags in ENGINES.items():
            ext.extra_objects += self.compiler.compile(
                [f"{SOURCES}/engine.cpp"],
                output_dir=f"{self.build_temp}/{name}",
                macros=[*defines, ("EIGENLENS_ENGINE", name)],
                extra_postargs=[*EVERYWHERE, *flags],
                depends=ext.depends,
            )
        super().build_extension(ext)


setup(
    cmdclass={"build_ext": BuildEngines},
    ext_modules=[
        Extension(
            "eigenlens.engine._native",
            sources=[f"{SOURCES}/module.cpp"],
            depends=sorted(str(path) for path in Path(SOURCES).glob("*.h")),
            define_macros=[("EIGENLENS_X86", "1")] if X86 else [],
            extra_compile_args=["-std=c++17", "-O2", "-fvisibility=hidden"],
            language="c++",
            py_limited_api=True,
            optional=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
