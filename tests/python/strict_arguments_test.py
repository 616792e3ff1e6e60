"""Arguments that would give wrong numbers, or a crash, are errors."""

import numpy
import pytest
import tessera
import tessera.jax
from tessera._element_types import dtype_of

TILED = "f32[16,300]{1,0:T(8,128)}"


def test_arrays_of_objects_are_not_overwritten():
    # Their references would be: the next use of one would crash the interpreter.
    objects = numpy.full(16 * 384 // 2, object())
    plan = tessera.RelayoutPlan("f32[16,300]", TILED)
    with pytest.raises(TypeError, match="objects"):
        plan.execute(numpy.zeros((16, 300), "float32"), objects)
    with pytest.raises((TypeError, tessera.Error)):
        tessera.relayout(numpy.zeros((16, 300), "float32"), TILED, out=objects)
    assert len({id(entry) for entry in objects.tolist()}) == 1


@pytest.mark.parametrize(
    "element_type, pad",
    [
        ("u8", 3.5),
        ("u8", 300),
        ("u8", -1),
        ("u8", float("nan")),
        ("s8", 128),
        ("u64", 2**64),
        ("s32", 1j),
        ("f16", 1e5),
        ("f32", 1j),
        ("f32", 1e300),
        ("f32", 10**400),
    ],
)
def test_pad_is_a_number_of_the_type(element_type, pad):
    with pytest.raises(tessera.Error, match=f"not among the numbers of {element_type}"):
        text = f"{element_type}[3,5]"
        tessera.RelayoutPlan(text, f"{text}{{1,0:T(2,2)}}", pad=pad)


@pytest.mark.parametrize(
    "element_type, pad", [("u64", 2**64 - 1), ("f32", 0.1), ("f32", float("inf")), ("c64", 1j)]
)
def test_pads(element_type, pad):
    dtype = dtype_of(element_type, 8)
    moved = tessera.relayout(numpy.ones((3, 5), dtype), f"{element_type}[3,5]{{1,0:T(2,2)}}", pad=pad)
    assert (moved == numpy.asarray(pad, dtype)).sum() == 9


@pytest.mark.parametrize("dtype", ["int32", "float64", "bool", ">f4"])
def test_out_has_the_type_of_the_elements(dtype):
    rows = numpy.arange(15, dtype="float32").reshape(3, 5)
    out = numpy.zeros(96 // numpy.dtype(dtype).itemsize, dtype)
    with pytest.raises(TypeError, match="out: expected an array of f32, found one of "):
        tessera.relayout(rows, "f32[3,5]{1,0:T(2,2)}", out=out)
    for fitting in ("float32", "uint32", "uint8", "V4"):
        out = numpy.zeros(96 // numpy.dtype(fitting).itemsize, fitting)
        tessera.relayout(rows, "f32[3,5]{1,0:T(2,2)}", out=out)
        assert out.view("float32")[17] == 13


def test_bytes_of_pad_are_those_of_an_element():
    array = numpy.zeros((3, 5), "float32")
    for wrong in (b"", b"12", bytes(8)):
        with pytest.raises(tessera.Error, match="4 bytes of an element"):
            tessera.relayout(array, "f32[3,5]{1,0:T(2,2)}", pad=wrong)
    for wrong in ("0", [0.0], object()):
        with pytest.raises(TypeError):
            tessera.relayout(array, "f32[3,5]{1,0:T(2,2)}", pad=wrong)


def test_negative_zero_stays_negative():
    moved = tessera.relayout(numpy.ones((3, 5), "float32"), "f32[3,5]{1,0:T(2,2)}", pad=-0.0)
    assert numpy.signbit(moved).sum() == 9


def test_out_of_one_index():
    shape = tessera.shape("f32[3,5]")
    with pytest.raises(TypeError, match="out"):
        shape.linear_index((2, 3), out=numpy.empty(1, int))
    with pytest.raises(TypeError, match="out"):
        shape.index_of(3, out=numpy.empty(2, int))


def test_arrays_that_do_not_go_together():
    with pytest.raises(tessera.Error):
        tessera.shape("f32[3,5]").linear_index((numpy.arange(2), numpy.arange(3)))


def test_parts_of_a_shape():
    with pytest.raises(tessera.Error, match="dynamic_dimensions"):
        tessera.Shape.of("f32", (3, 5), dynamic_dimensions=(True,))
    for wrong in ({"memory_space": 1.5}, {"minor_to_major": (1.0, 0)}):
        with pytest.raises(TypeError):
            tessera.Shape.of("f32", (3, 5), **wrong)
    with pytest.raises(TypeError):
        tessera.Shape.of("f32", ("3", 5))


def test_more_dimensions_than_numpy_has():
    text = f"f32[{','.join(['1'] * 40)}]"
    moved = tessera.relayout(numpy.ones(1, "float32"), text, from_=text)
    assert moved.tolist() == [1.0]


@pytest.mark.parametrize(
    "wrong",
    [
        "Layout(major_to_minor={[]: 1})",
        "Layout(major_to_minor=(0.0, 1))",
        "Layout(major_to_minor=(0,), tiling=(('8',),))",
    ],
)
def test_texts_of_jax(wrong):
    with pytest.raises(tessera.Error):
        tessera.jax.read(wrong)


def test_paths_that_are_not_unicode():
    with pytest.raises(tessera.Error):
        tessera.hlo.load("/no/such\udfff\ud800")
