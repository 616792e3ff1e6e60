"""Whole arrays moved from one layout to another."""

import array as standard_array
import sys
import types

import hypothesis
import literal_layout
import numpy
import pytest
import tessera
from hypothesis import strategies
from tessera import _core

TILED = "f32[16,300]{1,0:T(8,128)}"


def numbered(shape, dtype="float32"):
    return numpy.arange(numpy.prod(shape), dtype=dtype).reshape(shape)


@hypothesis.given(literal_layout.layouts(), strategies.integers(0, 3))
def test_every_element_comes_to_its_place(layout, order):
    bounds, minor_to_major, tiles = layout
    to = tessera.shape(literal_layout.text_of("s32", *layout))
    axes = list(range(len(bounds)))
    axes = axes[order:] + axes[:order] if order < len(axes) else axes[::-1]
    # An array of any strides, some of them negative.
    array = numbered([bounds[axis] for axis in axes], "int32")
    array = array.transpose(numpy.argsort(axes))[::-1]
    moved = tessera.relayout(array, to, pad=-7).reshape(-1)
    assert moved.size == to.position_count()
    indices = numpy.argwhere(numpy.ones(bounds))
    positions = to.linear_index(indices)
    assert moved[positions].tolist() == [array[tuple(index)] for index in indices]
    assert set(numpy.delete(moved, positions).tolist()) <= {-7}
    back = tessera.relayout(moved, from_=to, to=f"s32[{','.join(map(str, bounds))}]")
    assert (back == array).all()


def test_shapes_and_types_of_results():
    array = numbered((16, 300))
    tiled = tessera.relayout(array, TILED)
    assert (tiled.shape, tiled.dtype) == ((16 * 384,), "float32")
    assert tiled.sum() == array.sum()
    back = tessera.relayout(tiled, from_=TILED, to="f32[16,300]")
    assert back.shape == (16, 300) and (back == array).all()
    column_major = tessera.relayout(array, "f32[16,300]{0,1}")
    assert (column_major.reshape(300, 16).T == array).all()
    transposed = tessera.relayout(array, "f32[300,16]", to_dimensions=(1, 0))
    assert (transposed == array.T).all()
    cute = tessera.relayout(array, "(16,300):(1,20)")
    assert cute.size == 299 * 20 + 16 and cute[20 * 7 + 3] == array[3, 7]


def test_out_is_written_in_place():
    array = numbered((16, 300))
    out = numpy.full(16 * 384, -1, "float32")
    assert tessera.relayout(array, TILED, out=out) is out
    assert (out == -1).sum() == 16 * 84
    tessera.relayout(array, TILED, out=out, pad=2.5)
    assert (out == 2.5).sum() == 16 * 84
    raw = bytearray(out.nbytes)
    tessera.relayout(array, TILED, out=raw, pad=2.5)
    assert bytes(raw) == out.tobytes()
    tessera.relayout(array, TILED, out=memoryview(raw), pad=numpy.float32(1).tobytes())
    assert (numpy.frombuffer(raw, "float32") == 1).sum() >= 16 * 84


@pytest.mark.parametrize(
    "out, error",
    [
        (numpy.zeros(5, "float32"), tessera.Error),
        (numpy.zeros(16 * 384 * 2, "float32")[::2], (ValueError, BufferError)),
        (bytes(16 * 384 * 4), (TypeError, BufferError)),
        (3, TypeError),
    ],
)
def test_wrong_out(out, error):
    with pytest.raises(error):
        tessera.relayout(numbered((16, 300)), TILED, out=out)


def test_wrong_questions():
    array = numbered((16, 300))
    for wrong in (
        {"to": "f32[16,301]"},
        {"to": "s32[16,300]"},
        {"to": "f32[16,300]", "from_": "f32[16,299]"},
        {"to": "f32[16,300]", "threads": 0},
        {"to": "f32[16,300]", "threads": 1000},
        {"to": "f32[16,300] strides (0, 4) bytes"},
        {"to": TILED, "pad": bytes(17)},
        {"to": TILED, "out": array},
    ):
        with pytest.raises(tessera.Error):
            tessera.relayout(array, **wrong)


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_threads(threads):
    array = numbered((128, 1000))
    to = "f32[128,1000]{1,0:T(8,128)}"
    assert (tessera.relayout(array, to, threads=threads) == tessera.relayout(array, to)).all()


def test_plans_are_used_again():
    plan = tessera.RelayoutPlan("f32[8,100]", "f32[8,100]{1,0:T(8,128)}", pad=0)
    assert (plan.from_bytes, plan.to_bytes, plan.bytes_moved) == (3200, 4096, 3200)
    for value in (1.0, 2.0):
        out = numpy.empty(1024, "float32")
        plan.execute(numpy.full((8, 100), value, "float32"), out)
        assert sorted(set(out.tolist())) == [0.0, value]
    # A slice: rows 5 to 12 of an array in tiles.
    box = tessera.RelayoutPlan(TILED, "f32[8,100]", from_begins=(5, 0), extents=(8, 100))
    tiled = tessera.relayout(numbered((16, 300)), TILED)
    out = numpy.empty((8, 100), "float32")
    box.execute(tiled, out)
    assert (out == numbered((16, 300))[5:13, :100]).all()
    with pytest.raises(tessera.Error):
        plan.execute(numpy.zeros(3), numpy.zeros(3))


def test_buffers_of_any_kind():
    numbers = standard_array.array("f", range(15))
    for source in (numbers, memoryview(numbers), bytes(numbers), bytearray(numbers)):
        moved = tessera.relayout(source, from_="f32[3,5]", to="f32[3,5]{1,0:T(2,2)}")
        assert moved[17] == 13


class Capsule:
    """An array that only DLPack knows."""

    def __init__(self, array, element_type=None):
        self._array, self._type = array, element_type

    def __dlpack__(self, **_):
        if self._type is None:
            return self._array.__dlpack__()
        return tessera.DlpackTensor(self._array, self._type).__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


def test_dlpack():
    array = numbered((16, 300))
    expected = tessera.relayout(array, TILED)
    assert (tessera.relayout(Capsule(array), TILED) == expected).all()
    assert (tessera.relayout(Capsule(array.T[:, ::2].T), "f32[8,300]") == array[::2]).all()
    assert (numpy.from_dlpack(tessera.DlpackTensor(array, "f32")) == array).all()
    exported = tessera.DlpackTensor(array[:, ::3], "f32").__dlpack__()
    raw, name = _core.from_dlpack(exported)
    assert name == "f32" and raw.strides == (1200, 12)
    # A capsule is taken once.
    with pytest.raises(tessera.Error, match="not consumed yet"):
        _core.from_dlpack(exported)
    # One that nobody takes lets go of the array.
    before = sys.getrefcount(array)
    del raw, exported
    tessera.DlpackTensor(array, "f32").__dlpack__()
    assert sys.getrefcount(array) <= before
    for wrong in ("bf16", "s4", "tuple", "nonsense"):
        with pytest.raises(tessera.Error):
            tessera.DlpackTensor(array, wrong).__dlpack__()


def test_elements_that_numpy_does_not_have(monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    raw = numbered((16, 300), "uint16")
    to = "bf16[16,300]{1,0:T(8,128)(2,1)}"
    tiled = tessera.relayout(raw, to)
    assert tiled.dtype == "V2"
    assert (tessera.relayout(raw.view("V2"), to) == tiled).all()
    back = tessera.relayout(tiled, from_=to, to="bf16[16,300]")
    assert back.dtype == "V2" and (back.view("uint16") == raw).all()
    assert (tessera.relayout(Capsule(raw, "bf16"), to) == tiled).all()
    bytes_of_fp8 = numbered((32, 64), "uint8")
    fp8 = tessera.relayout(bytes_of_fp8, "f8e4m3fn[32,64]{1,0:T(8,128)(4,1)}")
    assert fp8.dtype == "V1"
    assert tessera.shape(to).dtype == "V2"
    with pytest.raises(tessera.Error, match="ml_dtypes"):
        tessera.relayout(raw, to, pad=1.5)


def test_elements_of_ml_dtypes(monkeypatch):
    # ml_dtypes is not to be had on Debian 12: NumPy's float16 stands in for its bfloat16, which is a dtype of two
    # bytes just so.
    stand_in = types.SimpleNamespace(bfloat16=numpy.float16)
    monkeypatch.setitem(sys.modules, "ml_dtypes", stand_in)
    to = "bf16[16,300]{1,0:T(8,128)(2,1)}"
    assert tessera.shape(to).dtype == "float16"
    tiled = tessera.relayout(numbered((16, 300), "uint16").view("V2"), to, pad=1.5)
    assert tiled.dtype == "float16" and (tiled == 1.5).sum() >= 16 * 84
    # Unsigned integers of the same size are taken for it, as where there is no ml_dtypes.
    bits = numbered((16, 300), "uint16")
    assert tessera.relayout(bits, to).tobytes() == tessera.relayout(bits.view("V2"), to).tobytes()
    with pytest.raises(tessera.Error, match="different element types"):
        tessera.relayout(numbered((16, 300), "uint32"), to)
    # Where NumPy has the type they are numbers.
    with pytest.raises(tessera.Error, match="different element types"):
        tessera.relayout(bits, "f16[16,300]{1,0:T(8,128)(2,1)}")


def test_packed_elements():
    packed = numpy.arange(8, dtype="uint8")
    moved = tessera.relayout(packed, from_="s4[4,4]{1,0:E(4)}", to="s4[4,4]{0,1:E(4)}")
    assert moved.dtype == "uint8" and moved.size == 8
    back = tessera.relayout(moved, from_="s4[4,4]{0,1:E(4)}", to="s4[4,4]{1,0:E(4)}")
    assert (back == packed).all()
