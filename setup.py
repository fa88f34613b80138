"""Build the compiled engine: the same source once for each instruction set, chosen from when it runs.

Where there is no compiler, or it knows no vector extensions (MSVC), the package installs without, and works on NumPy.
With EIGENLENS_REQUIRE_ENGINE=1 that is an error instead.
"""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCES = "src/eigenlens/engine/native"
EVERYWHERE = ["-std=c++17", "-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast", "-fvisibility=hidden"]
# a build for several processors at once (macOS) has only what all of them take
X86 = sysconfig.get_platform().endswith(("x86_64", "amd64")) and "arm64" not in os.environ.get("ARCHFLAGS", "")
STABLE = not sysconfig.get_config_var("Py_GIL_DISABLED")  # free-threaded Python has no stable interface yet
ENGINES = {"baseline": ["-DEIGENLENS_VECTOR_BYTES=16"]}
if X86:
    ENGINES |= {
        "avx2": ["-DEIGENLENS_VECTOR_BYTES=32", "-mavx2", "-mfma"],
        "avx512": ["-DEIGENLENS_VECTOR_BYTES=64", "-mavx512f", "-mavx512dq", "-mavx512bw", "-mavx512vl", "-mfma"],
    }
MACROS = [("EIGENLENS_X86", "1")] if X86 else []


class BuildEngines(build_ext):
    """Compile engine.cpp with each instruction set's own flags; the rest is setuptools' way."""

    def build_extension(self, ext: Extension) -> None:
        """Compile the engines, then the module that links them."""
        for name, flags in ENGINES.items():
            ext.extra_objects += self.compiler.compile(
                [f"{SOURCES}/engine.cpp"],
                output_dir=f"{self.build_temp}/{name}",
                macros=[*MACROS, ("EIGENLENS_ENGINE", name)],
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
            depends=["setup.py", *sorted(str(path) for path in Path(SOURCES).iterdir())],
            define_macros=[*MACROS, *([("Py_LIMITED_API", "0x030B0000")] if STABLE else [])],
            extra_compile_args=["-std=c++17", "-O2", "-fvisibility=hidden"],
            language="c++",
            py_limited_api=STABLE,
            optional=not os.environ.get("EIGENLENS_REQUIRE_ENGINE"),
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE else {},
)
