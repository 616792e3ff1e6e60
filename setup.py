"""Builds the extension module of the Python package by CMake: see pyproject.toml."""

import os
import pathlib
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        # A folder where CMake has built before saves the time of doing it again.
        build = pathlib.Path(os.environ.get("TESSERA_BUILD_DIR") or self.build_temp).resolve()
        build.mkdir(parents=True, exist_ok=True)
        if not (build / "CMakeCache.txt").exists():
            subprocess.run(
                [
                    "cmake",
                    "-S",
                    ROOT,
                    "-B",
                    build,
                    "-DCMAKE_BUILD_TYPE=Release",
                    "-DTESSERA_PYTHON=ON",
                    "-DTESSERA_INSTALL=OFF",
                    f"-DPYTHON_EXECUTABLE={sys.executable}",
                ],
                check=True,
            )
        jobs = str(os.cpu_count() or 1)
        subprocess.run(
            ["cmake", "--build", build, "--target", "tessera_python", "-j", jobs], check=True
        )
        name = pathlib.Path(self.get_ext_fullpath(ext.name))
        name.parent.mkdir(parents=True, exist_ok=True)
        [built] = (build / "python/tessera").glob("_core.*.so")
        shutil.copyfile(built, name)
        subprocess.run(["strip", "--strip-unneeded", name], check=True)


setup(
    version=(ROOT / "VERSION").read_text().strip(),
    ext_modules=[Extension("tessera._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
