"""Layouts of every family: what they are, how they are made, how they are shown."""

import copy
import json
import pickle

import hypothesis
import literal_layout
import numpy
import pandas
import pytest
import tessera

TENSOR = (
    "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2>, "
    "memref<32x32xf32, #tt.memory_space<l1>>>>"
)
TEXTS = {
    "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}": tessera.Shape,
    "(f32[2]{0}, (s32[], token[]))": tessera.Shape,
    "((2,2),3):((24,2),8)": tessera.CuteLayout,
    "Sw<2,0,3> o 0 o (8,8):(8,1)": tessera.CuteLayout,
    "f32[4,8] strides (64, 8) bytes": tessera.StridedArray,
    "memref<4x8xf32, strided<[16, 2]>>": tessera.StridedArray,
    TENSOR: tessera.Tensor,
}


@pytest.mark.parametrize("text, cls", TEXTS.items())
def test_text_tells_the_family(text, cls):
    layout = tessera.layout(text)
    assert type(layout) is cls
    assert str(layout) == layout.text
    assert tessera.layout(layout) is layout
    assert eval(repr(layout)) == layout
    for made in (pickle.loads(pickle.dumps(layout)), copy.copy(layout), copy.deepcopy(layout)):
        assert made == layout and type(made) is cls and hash(made) == hash(layout)


@hypothesis.given(literal_layout.layouts())
def test_text_reads_back(layout):
    text = literal_layout.text_of("s8", *layout)
    shape = tessera.shape(text)
    assert tessera.shape(str(shape)) == shape
    assert tessera.Shape.from_proto(shape.to_proto()) == shape
    bounds, minor_to_major, tiles = layout
    assert shape.dimensions == tuple(bounds)
    assert shape.minor_to_major == tuple(minor_to_major)
    assert shape.tiles == tuple(tuple(tile) for tile in tiles)
    assert tessera.Shape.of("s8", bounds, minor_to_major=minor_to_major, tiles=tiles) == shape


@pytest.mark.parametrize(
    "text, filled",
    {
        "f32[2000,3]": "f32[2000,3]{0,1:T(4,128)}",
        "f32[2000,3]{1,0}": "f32[2000,3]{1,0:T(8,128)}",
        "f32[2000,3]{1,0:T(2,2)}": "f32[2000,3]{1,0:T(2,2)}",
        "(S4[7], (pred[], token[]))": "(s4[7]{0:T(1024)(128)(8,1)E(4)}, (pred[]{:T(512)}, token[]))",
    }.items(),
)
def test_target_fills_in_layouts(text, filled):
    for read in (tessera.shape, tessera.layout, tessera.Shape):
        assert read(text, target="tpu").text == filled
        assert read(text, target="v5e") == tessera.shape(filled)
    # What has tiles stays.
    assert tessera.shape(tessera.shape(filled), target="tpu").text == filled
    assert pickle.loads(pickle.dumps(tessera.shape(text, target="tpu"))).text == filled


def test_target_fills_in_parts():
    assert tessera.Shape.of("f32", (2000, 3), target="tpu").minor_to_major == (0, 1)
    order_alone = tessera.Shape.of("f32", (2000, 3), minor_to_major=(1, 0), target="tpu")
    assert order_alone.tiles == ((8, 128),)
    in_vmem = tessera.Shape.of("f32", (2000, 3), memory_space=1, target="tpu")
    assert in_vmem.text == "f32[2000,3]{0,1:T(4,128)S(1)}"
    assert tessera.layout("(4,8):(1,4)", target="tpu").text == "(4,8):(1,4)"


def test_target_refuses():
    with pytest.raises(tessera.Error, match="expected tpu, v4, v5e, v5p, v6e or v7x, found gpu"):
        tessera.shape("f32[3]", target="gpu")
    with pytest.raises(tessera.Error, match="has an unbounded dimension"):
        tessera.shape("f32[?]", target="tpu")


def test_equality():
    tiled = tessera.shape("f32[8,128]{1,0:T(8,128)}")
    assert tiled == tessera.shape("F32[8,128]{1,0:T(8,128)}")
    assert tiled != tessera.shape("f32[8,128]")
    assert tiled != "f32[8,128]{1,0:T(8,128)}"
    assert len({tiled, tessera.layout(tiled.text), tessera.cute("8:1")}) == 2
    assert tiled.same_positions(tessera.shape("f32[8,128]"))
    assert not tiled.same_positions(tessera.shape("f32[8,128]{0,1}"))


def test_parts_of_a_shape():
    shape = tessera.shape("s4[<=6,5]{0,1:T(2,*)(8)E(4)S(3)}".replace("T(2,*)(8)", "T(2,5)"))
    assert (shape.element_type, shape.element_size_in_bits, shape.memory_space) == ("s4", 4, 3)
    assert shape.dynamic_dimensions == (True, False)
    assert shape.dtype == numpy.dtype("uint8")
    assert tessera.shape("f32[6,5]{1,0:T(*,2)}").tiles == (("*", 2),)
    joined = tessera.Shape.of(numpy.float32, (6, 5), tiles=[("*", 2)])
    assert joined == tessera.shape("f32[6,5]{1,0:T(*,2)}")
    assert tessera.Shape.of("f32", (6, 5), dynamic_dimensions=(False, True)).text == (
        "f32[6,<=5]{1,0}"
    )


def test_tuples():
    shape = tessera.shape("(f32[8,130]{1,0:T(8,128)}, (s32[], token[]))")
    assert shape.is_tuple and not shape.is_array
    first, second = shape.tuple_shapes
    assert first.text == "f32[8,130]{1,0:T(8,128)}"
    assert [part.element_type for part in second.tuple_shapes] == ["s32", "token"]
    assert (shape.unpadded_nbytes, shape.nbytes) == (8 * 130 * 4 + 4, 8 * 256 * 4 + 4)
    assert shape.padding.bytes == 8 * 126 * 4
    with pytest.raises(tessera.Error):
        shape.linear_index((0,))
    assert shape._repr_svg_() is None


@pytest.mark.parametrize(
    "text, size, positions, nbytes, unpadded",
    [
        ("bf16[9,130]{1,0:T(8,128)(2,1)}", 1170, 4096, 8192, 2340),
        ("s4[3]{0:E(4)}", 3, 3, 2, 2),
        ("f32[]", 1, 1, 4, 4),
        ("f32[0,5]", 0, 0, 0, 0),
        ("f32[4,8] strides (64, 8) bytes", 32, 63, 252, 128),
        ("(4,8):(1,5)", 32, 39, None, None),
        (TENSOR, 4096, 4096, 16384, 16384),
        ("(2,3):(3,2)", 6, 8, None, None),
    ],
)
def test_sizes(text, size, positions, nbytes, unpadded):
    layout = tessera.layout(text)
    assert (layout.size, layout.position_count()) == (size, positions)
    assert (layout.nbytes, layout.unpadded_nbytes) == (nbytes, unpadded)
    padding = layout.padding
    assert padding.positions == positions - size
    assert padding.bytes == (None if nbytes is None else nbytes - unpadded)
    assert 0 <= padding.fraction < 1


@pytest.mark.parametrize(
    "layout, positions, bytes_",
    [
        ("(4,8):(0,1)", 0, None),
        ("(2,4):(0,5)", 12, None),
        ("(3,3):(1,1)", 0, None),
        (numpy.broadcast_to(numpy.zeros(3), (4, 3)), 0, 0),
        (numpy.broadcast_to(numpy.zeros(6)[::2], (4, 3)), 2, 16),
    ],
)
def test_padding_of_shared_positions(layout, positions, bytes_):
    layout = tessera.layout(layout)
    padding = layout.padding
    assert (padding.positions, padding.bytes) == (positions, bytes_)
    assert padding.fraction == positions / layout.position_count()


def test_too_many_shared_positions():
    with pytest.raises(tessera.Error, match="elements may share positions, and there are too many"):
        tessera.cute("(100000,100000):(0,5)").padding


@pytest.mark.parametrize("text", ["f32[?,5]{1,0}", "(f32[?]{0}, f32[3]{0})"])
def test_unbounded_dimensions(text):
    shape = tessera.shape(text)
    for ask in ("nbytes", "unpadded_nbytes", "padding"):
        with pytest.raises(tessera.Error) as raised:
            getattr(shape, ask)
        assert str(raised.value) == f"{text} has an unbounded dimension"
    with pytest.raises(tessera.Error, match="has an unbounded dimension"):
        tessera.shape("f32[?,5]").dimensions
    assert tessera.shape("f32[?,5]").dynamic_dimensions == (True, False)
    assert tessera.shape("f32[<=4,5]").dimensions == (4, 5)


@pytest.mark.parametrize(
    "parts, text",
    [
        ({}, "f32[]"),
        ({"minor_to_major": ()}, "f32[]"),
        ({"memory_space": 1}, "f32[]{:S(1)}"),
        ({"target": "tpu"}, "f32[]{:T(128)}"),
    ],
)
def test_scalars(parts, text):
    assert tessera.Shape.of("f32", (), **parts).text == text
    assert tessera.jax.Layout(()).shape("f32", ()).text == "f32[]"


def test_who_pays():
    groups = tessera.shape("bf16[9,130]{1,0:T(8,128)(2,1)}").padding.by_dimension
    assert groups.columns()["padded"] == [16, 256]
    assert tessera.shape("f32[3,5,7]{2,1,0:T(*,8,8)}").padding.by_dimension[0].dimensions == [0, 1]
    assert tessera.cute("8:2").padding.by_dimension == []


def test_widened_elements_are_padding() -> None:
    padding = tessera.shape("pred[64,512,2048]{2,1,0:T(8,128)E(32)}").padding
    assert padding.bytes == 268435456 - 67108864
    assert (padding.positions, padding.fraction) == (0, 0.75)
    assert padding.element_bits == (8, 32)
    padding = tessera.shape("s8[64,100]{1,0:T(8,128)E(32)}").padding
    assert padding.bytes == 32768 - 6400
    assert padding.fraction == 1 - 6400 / 32768
    assert padding.element_bits == (8, 32)
    for text in ("s4[3]{0:E(4)}", "s4[3]{0}", "f32[3]{0:E(32)}", "pred[3]{0}"):
        padding = tessera.shape(text).padding
        assert (padding.bytes, padding.fraction, padding.element_bits) == (0, 0.0, None), text
    assert tessera.shape("pred[0]{0:E(32)}").padding.fraction == 0.0
    assert tessera.cute("8:2").padding.element_bits is None


@pytest.mark.parametrize(
    "make, text, line, column, message",
    [
        (tessera.shape, "f32[2,3]{1,0:T(2,}", 1, 18, "expected a dimension or"),
        (tessera.shape, "f99[2]", 1, 1, "f99"),
        (tessera.shape, "", 1, 1, "expected"),
        (tessera.cute, "(4,8):(1,4", 1, 11, "expected"),
        (tessera.tensor, "tensor<2x3x", 1, 12, "expected"),
        (tessera.strided, "f32[4] strides (8", 1, 18, "expected"),
        (tessera.layout, "f32[2]{0}\n  nonsense", 2, 3, "expected"),
    ],
)
def test_errors_have_a_place(make, text, line, column, message):
    with pytest.raises(tessera.Error, match=message) as caught:
        make(text)
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.line, error.column, error.code) == (line, column, "INVALID_ARGUMENT")
    lines = error.excerpt.splitlines()
    assert len(lines) == 2 and lines[1].strip() == "^"
    assert str(error).startswith(f"{line}:{column}: {error.message}\n  {lines[0]}")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.column) == (str(error), column)


@pytest.mark.parametrize("wrong", [None, 3, b"f32[2]", ["f32[2]"], numpy.zeros(2)])
def test_what_is_no_text(wrong):
    for make in (tessera.shape, tessera.cute, tessera.tensor, tessera.strided, tessera.Shape):
        with pytest.raises(TypeError):
            make(wrong)


def test_arrays_have_layouts():
    array = numpy.zeros((4, 6, 8), "float32")[::2, ::-1].transpose(2, 0, 1)
    layout = tessera.layout(array)
    base = array.__array_interface__["data"][0]
    low = base - 5 * 32
    for index in [(0, 0, 0), (7, 1, 5), (3, 1, 2)]:
        address = low + layout.linear_index(index, unit="bytes")
        assert address == array[index[0] :, index[1] :, index[2] :].__array_interface__["data"][0]
    records = numpy.zeros(3, [("a", "u1"), ("b", "<f4")])
    with pytest.raises(tessera.Error, match="multiples"):
        tessera.layout(records["b"])


def test_algebra_of_cute():
    layout = tessera.cute("(4,8):(1,4)")
    assert layout.right_inverse().text == "32:1"
    assert layout.coalesce().text == "32:1"
    assert layout.zipped_divide("(2:1,4:1)").text == tessera.cute(
        "zipped_divide((4,8):(1,4), <2:1, 4:1>)"
    ).text
    assert tessera.cute("4:2").complement(24).text == "(2,3):(1,8)"
    assert list(tessera.cute("(2,2):(3,1)").values()) == [0, 3, 1, 4]
    assert list(tessera.cute("(2,2):(3,1)").values(numpy.int64(2))) == [0, 3]
    tiles = (numpy.int64(2), (numpy.int64(2),))
    assert layout.logical_divide(tiles) == layout.logical_divide("(2,(2))")
    assert (layout.shape, layout.stride, layout.depth) == ("(4,8)", "(1,4)", 1)
    with pytest.raises(tessera.Error):
        tessera.cute("(4,6):(1,5)").composition("3:2")


def test_tenstorrent():
    tensor = tessera.tensor(TENSOR)
    assert tensor.check().ok
    assert [place.cell for place in tensor.locate([(0, 0), (63, 33)])] == [[0, 0], [1, 1]]


def test_questions_of_the_service():
    shape = tessera.shape("f32[3,5]{1,0:T(2,2)}")
    assert shape.explain((2, 3)).linear_index == 17
    assert shape.describe().xla.leaves[0].expanded_shape == [2, 3, 2, 2]
    assert tessera.compare(shape, "f32[3,5]").relayout.to_bytes == 60
    exchanged = ("f32[2,3,5]{2,1,0}", "f32[5,2,3]{0,2,1}")
    ways = tessera.compare(*exchanged).bitcasts
    assert (ways.as_reshape, ways.as_transpose, ways.dimensions) == (False, True, [2, 0, 1])
    asked = tessera.compare(*exchanged, to_dimensions=(1, 2, 0))
    assert asked.same_positions and asked.is_bitcast
    assert (asked.bitcasts.as_reshape, asked.bitcasts.dimensions) == (None, [2, 0, 1])
    steps = tessera.compare("f32[2,3]{1,0}", "f32[2,3]{0,1}").bitcasts.steps
    assert (steps.reshaped, steps.last_dimensions) == ("f32[3,2]{1,0}", [1, 0])
    moved = tessera.compare("f32[4]{0:S(1)}", "f32[4]{0}")
    assert moved.is_bitcast is False
    assert moved.bitcasts.obstacle == "two memory spaces, S(1) and the default"
    assert tessera.compare("4:1", "4:1").bitcasts is None
    assert tessera.ask({"runs": {"layout": shape.text}}).begins[0] == 0
    for request in ({}, {"nothing": {}}, {"parse": {"text": 3}}):
        with pytest.raises(tessera.Error):
            tessera.ask(request)
    indices = [numpy.int64(2), numpy.uint8(3)]
    asked = tessera.ask({"linearize": {"layout": shape.text, "indices": indices}})
    assert asked.linear_indices == [17]
    for ask in (lambda: tessera.ask({"parse": {"text": b"x"}}), lambda: tessera.hlo.explain_text(b"x")):
        with pytest.raises(TypeError, match="numbers, lists and dicts; found bytes"):
            ask()


def test_pictures(tmp_path):
    shape = tessera.shape("f32[3,5]{1,0:T(2,2)}")
    picture = shape.draw(cells="indices", path=True, memory=(0, 8), mark="f32[3,5]")
    svg = picture.to_svg()
    assert svg.startswith("<svg") and svg.rstrip().endswith("</svg>")
    assert picture._repr_svg_() == svg
    assert "0,0" in picture.to_text(unicode=False)
    assert "\x1b[" in shape.draw().to_text(color=True)
    picture.save(tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").read_text(encoding="utf-8") == svg
    picture.save(tmp_path / "picture.txt")
    assert "f32[3,5]" in (tmp_path / "picture.txt").read_text(encoding="utf-8")
    picture.save(tmp_path / "picture")
    assert (tmp_path / "picture").read_text(encoding="utf-8") == svg
    with pytest.raises(tessera.Error, match="expected a name with .svg or .txt, found .png"):
        picture.save(tmp_path / "picture.png")
    assert not (tmp_path / "picture.png").exists()
    assert shape._repr_svg_() == shape.draw().to_svg()
    for wrong in ({"rows": 7}, {"row_window": (3, 1)}, {"cells": "x"}, {"unit": "bits"}):
        with pytest.raises(tessera.Error):
            shape.draw(**wrong)


def test_answers_are_plain(tmp_path):
    described = tessera.shape("f32[3,5]{1,0:T(2,2)}").describe()
    plain = json.loads(json.dumps(described.to_dict()))
    assert plain["xla"]["total"]["padded_bytes"] == 96
    assert plain["cute"] is None
    assert pickle.loads(pickle.dumps(described)) == described
    assert described == tessera.shape("f32[3,5]{1,0:T(2,2)}").describe()
    assert "padded_bytes=96" in repr(described)
    assert "<table>" in described._repr_html_()
    dimensions = described.xla.leaves[0].dimensions
    frame = pandas.DataFrame(dimensions.columns())
    assert frame.padded.tolist() == [4, 6]
    assert dimensions.to_list()[0]["bound"] == 3
