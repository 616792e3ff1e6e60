"""What people stumbled over who wrote the examples and the pages."""

import io
import sys
import types

import numpy
import pytest

import tessera

DUMP = "tests/hlo/data/tpu_backbone.hlo"


@pytest.fixture(scope="module")
def dump():
    return tessera.hlo.load(DUMP)


@pytest.mark.parametrize(
    "text, coordinate, offset",
    [
        ("(4,8):(1,4)", 31, 31),
        # As in CuTe, the last mode goes on.
        ("(4,8):(1,4)", 40, 40),
        ("(4,8):(1,4)", numpy.int64(5), 5),
        ("(4,8):(1,4)", 10**12, 10**12),
        ("((2,2),8):((4,1),8)", ((1, 1), 2), 21),
        ("((2,2),8):((4,1),8)", (3, 2), 21),
        ("8:2", 3, 6),
        ("(4,8):(1@0,1@1)", 17, (1, 4)),
    ],
)
def test_cute_layout_of_coordinate(text, coordinate, offset):
    assert tessera.cute(text)(coordinate) == offset


def test_cute_layout_of_arrays():
    layout = tessera.cute("(4,8):(1,4)")
    assert layout([[1, 2], [0, 1]]).tolist() == [9, 4]
    assert layout((numpy.arange(4), 1)).tolist() == [4, 5, 6, 7]


@pytest.mark.parametrize("coordinate", [-1, (0, 0, 0), (1, (0, 2, 1))])
def test_cute_layout_of_wrong_coordinate(coordinate):
    with pytest.raises(tessera.Error):
        tessera.cute("(4,8):(1,4)")(coordinate)


def test_bytes_in_the_other_order():
    other = numpy.ones(3, "float32")
    other = other.astype(other.dtype.newbyteorder())
    for ask in (
        lambda: tessera.relayout(other, to="f32[3]"),
        lambda: tessera.relayout(other, from_="f32[3]", to="f32[3]"),
        lambda: tessera.layout(other),
        lambda: tessera.Shape.of(other.dtype, (3,)),
    ):
        with pytest.raises(tessera.Error, match="order of this machine"):
            ask()
    bits = numpy.ones(3, "uint16")
    with pytest.raises(tessera.Error, match="order of this machine"):
        tessera.relayout(bits.astype(bits.dtype.newbyteorder()), to="bf16[3]")


@pytest.mark.parametrize("read", [tessera.shape, tessera.cute, tessera.tensor, tessera.strided])
def test_what_is_no_text(read):
    for thing in (numpy.zeros(3), None, 8):
        with pytest.raises(TypeError, match="expected the text of a layout"):
            read(thing)


def test_answer_with_a_report_shows_it(dump):
    for answer in (dump.peak(), dump.report(), dump.check(max_reserved="1GiB"), dump.diff(dump)):
        assert repr(answer) == str(answer)
        assert "(" not in repr(answer).split()[0]
    assert repr(dump.peak().space()).startswith("SpacePeak(name='HBM'")


def test_memory_map_by_name(dump):
    assert dump.memory_map("VMEM").name == dump.memory_map(1).name == "VMEM S(1)"
    assert dump.memory_map("HBM S(0)").name == dump.memory_map().name
    with pytest.raises(tessera.Error, match="SMEM"):
        dump.memory_map("SMEM")


def test_picture_in_text_streams(monkeypatch):
    picture = tessera.shape("f32[3,5]{1,0:T(2,2)}").draw()
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert picture.to_text() == picture.to_text(unicode=True)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))
    assert picture.to_text() == picture.to_text(unicode=False)


class OldInner:
    """DeviceLocalLayout of JAX before 0.7."""

    def __init__(self, major_to_minor, _tiling=None, _sub_byte_element_size_in_bits=0):
        self.major_to_minor = major_to_minor
        self._tiling = _tiling
        self._sub_byte_element_size_in_bits = _sub_byte_element_size_in_bits


class OldOuter:
    """Layout of JAX before 0.7."""

    def __init__(self, device_local_layout=None, sharding=None):
        self.device_local_layout = device_local_layout
        self.sharding = sharding


class NewInner:
    """Layout of JAX since 0.7."""

    def __init__(self, major_to_minor, tiling=None, sub_byte_element_size_in_bits=0):
        self.major_to_minor = major_to_minor
        self.tiling = tiling
        self.sub_byte_element_size_in_bits = sub_byte_element_size_in_bits


@pytest.mark.parametrize(
    "names, made",
    [
        ({"Layout": OldOuter, "DeviceLocalLayout": OldInner}, OldInner),
        ({"Layout": NewInner, "Format": OldOuter}, NewInner),
    ],
)
@pytest.mark.parametrize(
    "text", ["f32[16,300]{0,1}", "bf16[8,9]{1,0:T(8,128)(2,1)}", "s4[8,9]{1,0:T(8,128)E(4)}"]
)
def test_layouts_of_old_and_new_jax(monkeypatch, names, made, text):
    module = types.ModuleType("jax.experimental.layout")
    module.__dict__.update(names)
    experimental = types.ModuleType("jax.experimental")
    experimental.layout = module
    for name, stand_in in (
        ("jax", types.ModuleType("jax")),
        ("jax.experimental", experimental),
        ("jax.experimental.layout", module),
    ):
        monkeypatch.setitem(sys.modules, name, stand_in)
    layout = tessera.jax.Layout.of(text)
    made_by_jax = layout.to_jax()
    assert isinstance(made_by_jax, made)
    assert tessera.jax.read(made_by_jax) == layout
    assert tessera.jax.read(OldOuter(made_by_jax)) == layout


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, *sys.argv[1:]]))
