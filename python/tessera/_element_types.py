"""XLA's element types and the NumPy dtypes that hold them."""

from __future__ import annotations

import importlib
from typing import Any, Dict, Optional, Tuple

import numpy

from tessera import _core
from tessera._errors import Error


def check_numpy(pybind11: Tuple[int, int], version: str) -> None:
    """Raises ImportError for an extension made with a pybind11 that cannot read
    arrays of that NumPy: NumPy 2 moved the field that pybind11 before 2.12
    reads as the size of an element."""
    if pybind11 < (2, 12) and int(version.split(".")[0]) >= 2:
        raise ImportError(
            f"this tessera was built with pybind11 {'.'.join(map(str, pybind11))}, which cannot "
            f"read the arrays of NumPy {version}; reinstall it by 'pip install .', without "
            "--no-build-isolation, which builds it with pybind11 2.12 or newer; "
            "or use 'numpy<2'"
        )


check_numpy(_core.pybind11_version, numpy.__version__)

_OF_NUMPY: Dict[str, str] = {
    "pred": "bool",
    "s8": "int8",
    "s16": "int16",
    "s32": "int32",
    "s64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "c64": "complex64",
    "c128": "complex128",
}
# The types that ml_dtypes has.
_OF_ML_DTYPES: Dict[str, str] = {
    "bf16": "bfloat16",
    "f8e3m4": "float8_e3m4",
    "f8e4m3": "float8_e4m3",
    "f8e4m3b11fnuz": "float8_e4m3b11fnuz",
    "f8e4m3fn": "float8_e4m3fn",
    "f8e4m3fnuz": "float8_e4m3fnuz",
    "f8e5m2": "float8_e5m2",
    "f8e5m2fnuz": "float8_e5m2fnuz",
    "f8e8m0fnu": "float8_e8m0fnu",
    "f4e2m1fn": "float4_e2m1fn",
    "f6e2m3fn": "float6_e2m3fn",
    "f6e3m2fn": "float6_e3m2fn",
    "s1": "int1",
    "s2": "int2",
    "s4": "int4",
    "u1": "uint1",
    "u2": "uint2",
    "u4": "uint4",
}
_NAMES = {
    name: element_type
    for names in (_OF_NUMPY, _OF_ML_DTYPES)
    for element_type, name in names.items()
}


def _ml_dtype(name: str) -> Optional[numpy.dtype[Any]]:
    try:
        ml_dtypes = importlib.import_module("ml_dtypes")
        return numpy.dtype(getattr(ml_dtypes, name))
    except (ImportError, AttributeError):
        return None


def dtype_of(element_type: str, element_bits: int) -> numpy.dtype[Any]:
    """Returns the dtype of elements that take `element_bits` each.

    If only ml_dtypes has one and is not installed, returns that of raw bytes:
    "V2" for bf16. Elements smaller than a byte are packed: "uint8".
    """
    if element_bits < 8:
        return numpy.dtype(numpy.uint8)
    if element_type in _OF_NUMPY:
        return numpy.dtype(_OF_NUMPY[element_type])
    name = _OF_ML_DTYPES.get(element_type)
    dtype = _ml_dtype(name) if name else None
    return dtype or numpy.dtype(f"V{element_bits // 8}")


def is_of_numpy(element_type: str) -> bool:
    """Returns whether NumPy itself has a dtype for the type."""
    return element_type in _OF_NUMPY


def is_raw(dtype: numpy.dtype[Any]) -> bool:
    """Returns whether elements are raw bytes, as in "V2". The dtypes of
    ml_dtypes have the kind "V", too, but a type of their own."""
    return dtype.type is numpy.void


def check_byte_order(dtype: Any) -> None:
    """Raises tessera.Error for a dtype whose bytes are in the other order."""
    if not getattr(dtype, "isnative", True):
        raise Error(
            f"the bytes of the dtype {dtype} are not in the order of this machine; "
            "convert the array with astype"
        )


def element_type_of(dtype: Any) -> str:
    """Returns XLA's name of a dtype: "f32" of float32, "bf16" of bfloat16."""
    check_byte_order(dtype)
    # NumPy does not know "bfloat16" where ml_dtypes is not installed.
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None)
    if name in _NAMES:
        return _NAMES[name]
    try:
        made = numpy.dtype(dtype)
        name = made.name if made.isnative else None
    except TypeError:
        name = None
    if name in _NAMES:
        return _NAMES[name]
    raise Error(f"there is no element type for the dtype {dtype!r}")
