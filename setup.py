"""Builds the extension module of the Python package by CMake: see pyproject.toml.

CMAKE_ARGS has more arguments for CMake, CMAKE_GENERATOR its generator, and
CMAKE_BUILD_PARALLEL_LEVEL the number of jobs.
"""

import os
import pathlib
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


def pybind11_arguments():
    """Has CMake take the pybind11 that pip fetched: the machine's may be too old for NumPy 2."""
    try:
        import pybind11

        return [f"-Dpybind11_DIR={pybind11.get_cmake_dir()}"]
    # Debian has what CMake needs in a package without the module.
    except ImportError:
        return []


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        ninja = shutil.which("ninja")
        generator = os.environ.get("CMAKE_GENERATOR") or ("Ninja" if ninja else "Unix Makefiles")
        # A folder where CMake has built before saves the time of doing it again.
        given = os.environ.get("TESSERA_BUILD_DIR")
        build = pathlib.Path(given or os.path.join(self.build_temp, generator.split()[0]))
        build = build.resolve()
        build.mkdir(parents=True, exist_ok=True)
        arguments = []
        if not given or not (build / "CMakeCache.txt").exists():
            arguments = [
                *("-G", generator),
                "-DCMAKE_BUILD_TYPE=Release",
                "-DTESSERA_PYTHON=ON",
                "-DTESSERA_INSTALL=OFF",
            ]
            if ninja and generator == "Ninja":
                # The one of an earlier build may have been in a folder of pip's that is gone.
                arguments.append(f"-DCMAKE_MAKE_PROGRAM={ninja}")
        # An earlier build there may have been for another Python, or with a pybind11 that is gone.
        arguments += ["-U", "*Python_*", "-U", "PYTHON_*", "-U", "pybind11_*"]
        arguments += [f"-DPython_EXECUTABLE={sys.executable}", *pybind11_arguments()]
        arguments += shlex.split(os.environ.get("CMAKE_ARGS", ""))
        environment = dict(os.environ)
        environment.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
        for command in (
            ["cmake", "-S", ROOT, "-B", build, *arguments],
            ["cmake", "--build", build, "--target", "tessera_python"],
        ):
            subprocess.run(command, check=True, env=environment)
        name = pathlib.Path(self.get_ext_fullpath(ext.name))
        name.parent.mkdir(parents=True, exist_ok=True)
        # The folder may have the modules of other Pythons, too.
        shutil.copyfile(build / "python/tessera" / name.name, name)
        subprocess.run(["strip", "--strip-unneeded", name], check=True)


setup(
    version=(ROOT / "VERSION").read_text().strip(),
    ext_modules=[Extension("tessera._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
