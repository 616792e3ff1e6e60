"""Layouts as JAX has them. JAX itself is not needed: stand-ins have its attributes."""

import types

import hypothesis
import literal_layout
import numpy
import pytest
import tessera
import tessera.jax

LAYOUTS = [
    "Layout(major_to_minor=(0, 1), tiling=((8, 128),), sub_byte_element_size_in_bits=0)",
    "Layout(major_to_minor=(0, 1), tiling=((8, 128),))",
    "jax.experimental.layout.Layout(major_to_minor=[0, 1], tiling=[[8, 128]])",
    "DeviceLocalLayout(major_to_minor=(0, 1), _tiling=((8, 128),), _sub_byte_element_size_in_bits=0)",
    "Layout(device_local_layout=DeviceLocalLayout(major_to_minor=(0, 1), _tiling=((8, 128),)), "
    "sharding=NamedSharding(mesh=Mesh('x': 2), spec=PartitionSpec('x',)))",
    "Format(layout=Layout(major_to_minor=(0, 1), tiling=((8, 128),)), sharding=SingleDevice)",
]


@pytest.mark.parametrize("text", LAYOUTS)
def test_texts_of_every_version(text):
    layout = tessera.jax.read(text)
    assert layout == tessera.jax.Layout((0, 1), ((8, 128),))
    assert tessera.jax.read(str(layout)) == layout
    assert layout.shape("f32", (16, 300)).text == "f32[16,300]{1,0:T(8,128)}"


@hypothesis.given(literal_layout.layouts())
def test_there_and_back(layout):
    shape = tessera.shape(literal_layout.text_of("bf16", *layout))
    there = tessera.jax.Layout.of(shape)
    assert there.shape("bf16", shape.dimensions) == shape
    assert tessera.jax.read(str(there)) == there
    assert there.major_to_minor == tuple(reversed(shape.minor_to_major))


def test_packed_elements():
    # As JAX makes XLA's layout of it: only tiles pack.
    tiled = tessera.jax.Layout((0, 1), ((8, 128), (8, 1)))
    assert tiled.shape("s4", (8, 128)).element_size_in_bits == 4
    assert tessera.jax.Layout((0, 1)).shape("s4", (8, 128)).element_size_in_bits == 0


def array(**attributes):
    dtype = types.SimpleNamespace(name="bfloat16")
    return types.SimpleNamespace(shape=(16, 300), dtype=dtype, **attributes)


def test_layout_of_arrays():
    layout = types.SimpleNamespace(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)))
    older = types.SimpleNamespace(
        major_to_minor=(0, 1), _tiling=((8, 128), (2, 1)), _sub_byte_element_size_in_bits=0
    )
    for made in (
        array(format=types.SimpleNamespace(layout=layout, sharding=None)),
        array(layout=types.SimpleNamespace(device_local_layout=older, sharding=None)),
        array(layout=layout),
    ):
        assert tessera.jax.layout_of(made).text == "bf16[16,300]{1,0:T(8,128)(2,1)}"
    for default in (
        array(),
        array(format=None),
        array(format=types.SimpleNamespace(layout=None, sharding=None)),
        array(layout=types.SimpleNamespace(device_local_layout=None, sharding=None)),
    ):
        assert tessera.jax.layout_of(default).text == "bf16[16,300]{1,0}"
    # Four devices have a part each.
    sharding = types.SimpleNamespace(shard_shape=lambda bounds: (bounds[0] // 4, bounds[1]))
    assert tessera.jax.layout_of(array(sharding=sharding)).text == "bf16[4,300]{1,0}"
    made = array(format=types.SimpleNamespace(layout=layout, sharding=sharding), sharding=sharding)
    assert tessera.shape(made).text == "bf16[4,300]{1,0:T(8,128)(2,1)}"
    with pytest.raises(tessera.Error, match="expected an array with shape and dtype, found int"):
        tessera.jax.layout_of(3)


def test_layouts_and_arrays_where_texts_are_taken():
    layout = types.SimpleNamespace(major_to_minor=(1, 0), tiling=None)
    for ask in (tessera.layout, tessera.shape):
        assert ask(array(layout=layout)).text == "bf16[16,300]{0,1}"
        with pytest.raises(tessera.Error, match="has neither bounds nor an element type"):
            ask(layout)
        for wrong in (3, None, object(), ["f32[3]"]):
            with pytest.raises(TypeError, match="expected the text of a layout"):
                ask(wrong)
    # What JAX makes of an array of NumPy is row-major.
    turned = numpy.zeros((3, 5), "float32").T
    assert tessera.jax.layout_of(turned).text == "f32[5,3]{1,0}"
    for left_open in (type("AutoLayoutSingleton", (), {})(), type("AutoLayout", (), {})):
        with pytest.raises(tessera.Error, match="AUTO leaves the layout to XLA"):
            tessera.jax.read(left_open)


def test_relayout_to_a_layout_of_jax():
    rows = numpy.arange(15, dtype="float32").reshape(3, 5)
    layout = tessera.jax.Layout((1, 0), ((2, 2),))
    expected = tessera.relayout(rows, to="f32[3,5]{0,1:T(2,2)}")
    for to in (layout, types.SimpleNamespace(layout=layout, sharding=None)):
        assert tessera.relayout(rows, to=to).tolist() == expected.tolist()


class WithoutDlpack:
    """An array whose type DLPack lacks, as JAX's of int4."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self):
        raise RuntimeError("UNIMPLEMENTED: XLA type S4 has no DLPack equivalent")

    def __array__(self, dtype=None, copy=None):
        return self.array


def test_arrays_that_dlpack_does_not_have():
    rows = numpy.arange(15, dtype="float32").reshape(3, 5)
    moved = tessera.relayout(WithoutDlpack(rows), to="f32[3,5]{0,1}")
    assert moved.ravel().tolist() == rows.T.ravel().tolist()
    only_dlpack = types.SimpleNamespace(__dlpack__=WithoutDlpack(rows).__dlpack__)
    with pytest.raises(RuntimeError, match="no DLPack equivalent"):
        tessera.relayout(only_dlpack, to="f32[3,5]")


def test_packed_elements_without_ml_dtypes():
    # A byte for each element, as int4 of ml_dtypes has it.
    nibbles = numpy.arange(15, dtype="uint8").reshape(3, 5)
    packed = tessera.relayout(nibbles, to="u4[3,5]{1,0:E(4)}")
    assert packed.tolist() == [0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0x0E]
    back = tessera.relayout(packed, from_="u4[3,5]{1,0:E(4)}", to="u4[3,5]")
    assert back.view("uint8").ravel().tolist() == list(range(15))


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "Layout(",
        "Layout(major_to_minor=(0, 0))",
        "Layout(major_to_minor=(1,))",
        "Layout(major_to_minor=(0,), shape=3)",
        "Layout(major_to_minor=__import__('os').getcwd())",
        "Layout(major_to_minor=(0,), tiling=((8,),)",
        "Layout(major_to_minor=" + "(" * 10000,
        "Layout(major_to_minor=0)",
        "f32[2]{0}",
        object(),
        None,
        types.SimpleNamespace(major_to_minor=("a",)),
    ],
)
def test_what_is_no_layout_of_jax(wrong):
    with pytest.raises(tessera.Error):
        tessera.jax.read(wrong)
