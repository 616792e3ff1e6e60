"""Arrays of JAX and dtypes of ml_dtypes, moved beside NumPy 2. .ci/wheel
runs this where these are installed from PyPI."""

import jax
import jax.numpy
import ml_dtypes
import numpy
import pytest
import tessera
from tessera import _core
from tessera._element_types import _OF_ML_DTYPES, _OF_NUMPY, dtype_of

BOUNDS = (16, 300)


def test_versions():
    assert int(numpy.__version__.split(".")[0]) >= 2
    assert _core.pybind11_version >= (2, 12)


def test_tuples_of_numpy():
    # NumPy 2 writes np.int64(2) for one in a tuple.
    tiles = (numpy.int64(2), numpy.int64(4))
    assert tessera.cute("(4,8):(1,4)").logical_divide(tiles).shape == "((2,2),(4,2))"


def random_bytes(dtype, bounds=BOUNDS):
    """An array whose elements have all bits that they may have."""
    dtype = numpy.dtype(dtype)
    bits = numpy.random.default_rng(7).integers(0, 256, (*bounds, dtype.itemsize), "uint8")
    if dtype == bool:
        bits &= 1
    return bits.view(dtype).reshape(bounds)


def same_bits(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


@pytest.mark.parametrize("element_type", [*_OF_NUMPY, *_OF_ML_DTYPES])
def test_there_and_back(element_type):
    # Those of less than a byte take one in NumPy.
    dtype = dtype_of(element_type, 8)
    array = random_bytes(dtype)
    to = f"{element_type}[16,300]{{1,0:T(8,128)}}"
    tiled = tessera.relayout(array, to=to)
    assert tiled.dtype == dtype and tiled.size == 16 * 384
    indices = numpy.argwhere(numpy.ones(BOUNDS))
    positions = tessera.shape(to).linear_index(indices)
    assert same_bits(tiled[positions].reshape(BOUNDS), array)
    back = tessera.relayout(tiled, from_=to, to=f"{element_type}[16,300]")
    assert same_bits(back, array)
    transposed = tessera.relayout(array.T[::-1], to=f"{element_type}[300,16]{{0,1}}")
    assert same_bits(transposed.reshape(BOUNDS), numpy.ascontiguousarray(array[:, ::-1]))


def test_pads_of_ml_dtypes():
    array = numpy.zeros(BOUNDS, ml_dtypes.bfloat16)
    tiled = tessera.relayout(array, to="bf16[16,300]{1,0:T(8,128)(2,1)}", pad=1.5)
    assert tiled.dtype == ml_dtypes.bfloat16
    assert (tiled == ml_dtypes.bfloat16(1.5)).sum() == 16 * 84


@pytest.mark.parametrize(
    "element_type, pad, wrong", [("u4", 15, 99), ("s4", -8, -9), ("f8e4m3fn", 448, 1000)]
)
@pytest.mark.parametrize("details", ["", "E(4)"])
def test_pads_that_are_not_numbers_of_the_type(element_type, pad, wrong, details):
    if element_type[0] == "f":
        details = ""
    array = numpy.zeros((3, 5), dtype_of(element_type, 8))
    to = f"{element_type}[3,5]{{1,0:T(2,2){details}}}"
    assert tessera.relayout(array, to=to, pad=pad).any()
    with pytest.raises(tessera.Error, match=f"{wrong} is not among the numbers of {element_type}"):
        tessera.relayout(array, to=to, pad=wrong)


@pytest.mark.parametrize("element_type", _OF_ML_DTYPES)
def test_unsigned_integers_in_place_of_ml_dtypes(element_type):
    array = random_bytes(dtype_of(element_type, 8))
    to = f"{element_type}[16,300]{{1,0:T(8,128)}}"
    tiled = tessera.relayout(array.view(f"uint{8 * array.itemsize}"), to=to)
    assert same_bits(tiled.view("uint8"), tessera.relayout(array, to=to).view("uint8"))
    assert tiled.dtype == array.dtype


JAX_TYPES = [
    ("float32", "f32"),
    ("int32", "s32"),
    ("uint8", "u8"),
    ("bool", "pred"),
    ("complex64", "c64"),
    ("float16", "f16"),
    ("bfloat16", "bf16"),
    ("float8_e4m3fn", "f8e4m3fn"),
    ("float8_e5m2", "f8e5m2"),
]


@pytest.mark.parametrize("dtype, element_type", JAX_TYPES)
def test_arrays_of_jax(dtype, element_type):
    array = random_bytes(dtype)
    to = f"{element_type}[16,300]{{1,0:T(8,128)}}"
    tiled = tessera.relayout(jax.numpy.asarray(array), to=to)
    assert same_bits(tiled.view("uint8"), tessera.relayout(array, to=to).view("uint8"))


@pytest.mark.parametrize("dtype, element_type", JAX_TYPES)
def test_tensors_for_jax(dtype, element_type):
    array = random_bytes(dtype)
    made = jax.dlpack.from_dlpack(tessera.DlpackTensor(array, element_type))
    assert made.dtype == array.dtype
    assert same_bits(numpy.asarray(made), array)


def test_tensors_for_numpy():
    array = random_bytes("float32")
    assert same_bits(numpy.from_dlpack(tessera.DlpackTensor(array, "f32")), array)
    every_third = numpy.from_dlpack(tessera.DlpackTensor(array[:, ::3], "f32"))
    assert same_bits(every_third, array[:, ::3])


def test_layouts_of_arrays():
    array = random_bytes("bfloat16")
    assert str(tessera.layout(array)) == "bf16[16,300] strides (600, 2) bytes"
    assert tessera.shape("bf16[16,300]").dtype == ml_dtypes.bfloat16
