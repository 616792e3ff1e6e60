"""Layouts as JAX has them. JAX itself is not needed: stand-ins have its attributes."""

import types

import hypothesis
import literal_layout
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
    with pytest.raises(tessera.Error, match="does not say its layout"):
        tessera.jax.layout_of(array())


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
