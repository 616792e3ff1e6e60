"""setuptools, and what it is built with where the machine lacks it: see pyproject.toml."""

import re
import shutil
import subprocess

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403

# What CMakeLists.txt demands.
CMAKE = (3, 25)


def has_cmake():
    cmake = shutil.which("cmake")
    if cmake is None:
        return False
    printed = subprocess.run([cmake, "--version"], stdout=subprocess.PIPE, encoding="utf-8").stdout
    version = re.search(r"version (\d+)\.(\d+)", printed)
    return version is not None and tuple(map(int, version.groups())) >= CMAKE


def get_requires_for_build_wheel(config_settings=None):
    requires = build_meta.get_requires_for_build_wheel(config_settings)
    if not has_cmake():
        requires.append("cmake>={}.{}".format(*CMAKE))
    if shutil.which("ninja") is None and shutil.which("make") is None:
        requires.append("ninja")
    return requires


# `pip install --editable`.
get_requires_for_build_editable = get_requires_for_build_wheel
