"""Which versions of NumPy the extension takes."""

import subprocess
import sys

import numpy
import pytest
from tessera import _core, _element_types

AGAIN = """
import sys
import numpy
from tessera import _core
_core.pybind11_version = (2, 10)
numpy.__version__ = "2.4.6"
for name in list(sys.modules):
    if name.startswith("tessera") and name != "tessera._core":
        del sys.modules[name]
import tessera
"""


@pytest.mark.parametrize(
    "pybind11, version, is_taken",
    [
        ((2, 10), "1.24.2", True),
        ((2, 11), "1.26.4", True),
        ((2, 10), "2.0.0rc1", False),
        ((2, 10), "2.4.6", False),
        ((2, 11), "2.0.0", False),
        ((2, 11), "10.0", False),
        ((2, 12), "1.24.2", True),
        ((2, 12), "2.0.0", True),
        ((3, 1), "2.5.5", True),
    ],
)
def test_old_pybind11_beside_numpy_2(pybind11, version, is_taken):
    if is_taken:
        _element_types.check_numpy(pybind11, version)
        return
    with pytest.raises(ImportError) as raised:
        _element_types.check_numpy(pybind11, version)
    built_with = f"built with pybind11 {pybind11[0]}.{pybind11[1]}, "
    assert built_with + f"which cannot read the arrays of NumPy {version};" in str(raised.value)
    assert "'pip install .', without --no-build-isolation" in str(raised.value)


def test_import_refuses():
    result = subprocess.run(
        [sys.executable, "-c", AGAIN], stderr=subprocess.PIPE, encoding="utf-8"
    )
    assert result.returncode == 1
    assert "\nImportError: this tessera was built with pybind11 2.10, " in result.stderr


def test_this_module_is_taken():
    _element_types.check_numpy(_core.pybind11_version, numpy.__version__)
