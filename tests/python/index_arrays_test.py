"""Indices and positions: tuples, and arrays of NumPy by the million."""

import hypothesis
import literal_layout
import numpy
import pytest
import tessera

TILED = "f32[3,5]{1,0:T(2,2)}"


@pytest.fixture
def tiled():
    return tessera.shape(TILED)


def all_indices(bounds):
    return numpy.stack(
        [axis.reshape(-1) for axis in numpy.meshgrid(*map(numpy.arange, bounds), indexing="ij")],
        axis=-1,
    )


@hypothesis.given(literal_layout.layouts())
def test_every_element_lies_where_xla_says(layout):
    bounds, minor_to_major, tiles = layout
    shape = tessera.shape(literal_layout.text_of("f32", *layout))
    indices = all_indices(bounds)
    expected = [literal_layout.linear_index(*layout, index) for index in indices.tolist()]
    assert shape.position_count() == literal_layout.position_count(*layout)
    assert shape.linear_index(indices).tolist() == expected
    assert shape.linear_index(indices.astype("int32")).tolist() == expected
    assert shape.linear_index(tuple(indices.T)).tolist() == expected
    assert [shape.linear_index(tuple(index)) for index in indices.tolist()] == expected
    assert shape.index_of(numpy.array(expected)).tolist() == indices.tolist()


@hypothesis.given(literal_layout.layouts())
def test_every_position_is_an_element_or_padding(layout):
    bounds, minor_to_major, tiles = layout
    shape = tessera.shape(literal_layout.text_of("f32", *layout))
    elements = {
        literal_layout.linear_index(*layout, index): index for index in all_indices(bounds).tolist()
    }
    positions = numpy.arange(shape.position_count())
    rows = shape.index_of(positions)
    kinds = shape.kind_of(positions)
    for position in positions.tolist():
        index = elements.get(position)
        assert rows[position].tolist() == (index or [-1] * len(bounds))
        assert shape.index_of(position) == (tuple(index) if index else None)
        assert (kinds[position] == tessera.PositionKind.ELEMENT) == (index is not None)
        assert shape.kind_of(position) == kinds[position]


@pytest.mark.parametrize(
    "index",
    [
        (2, 3),
        [2, 3],
        (numpy.int64(2), numpy.int8(3)),
        numpy.array([2, 3]),
        numpy.array([2, 3], "uint8"),
        (True + True, 3),
    ],
)
def test_one_index(tiled, index):
    assert tiled.linear_index(index) == 17
    assert isinstance(tiled.linear_index(index), int)


@pytest.mark.parametrize("dtype", ["int64", "int32", "int16", "uint8", "uint32"])
def test_types_of_arrays(tiled, dtype):
    positions = tiled.linear_index(numpy.array([[0, 0], [2, 3]], dtype))
    assert positions.tolist() == [0, 17]
    assert positions.dtype == ("int32" if dtype == "int32" else "int64")
    back = tiled.index_of(positions.astype(dtype))
    assert back.tolist() == [[0, 0], [2, 3]]


def test_int32_becomes_int64_where_positions_do_not_fit():
    large = tessera.shape("s8[65536,65536]")
    indices = numpy.array([[65535, 65535]], "int32")
    assert large.linear_index(indices).tolist() == [2**32 - 1]
    with pytest.raises(tessera.Error, match="32 bits"):
        large.linear_index(indices, out=numpy.empty(1, "int32"))


def test_shapes_of_arrays(tiled):
    indices = numpy.zeros((4, 1, 6, 2), int)
    assert tiled.linear_index(indices).shape == (4, 1, 6)
    assert tiled.linear_index(numpy.zeros((0, 2), int)).shape == (0,)
    assert tiled.index_of(numpy.zeros((4, 3), int)).shape == (4, 3, 2)
    assert tiled.index_of(numpy.zeros((0,), int)).shape == (0, 2)
    assert tiled.linear_index([[0, 0], [2, 3]]).tolist() == [0, 17]
    scalar = tessera.shape("f32[]")
    assert scalar.linear_index(()) == 0
    assert scalar.index_of(0) == ()
    assert scalar.linear_index(numpy.zeros((3, 0), int)).tolist() == [0, 0, 0]
    line = tessera.shape("f32[7]")
    assert line.linear_index(3) == line.linear_index((3,)) == 3


def test_one_array_for_each_dimension(tiled):
    rows, columns = numpy.arange(3)[:, None], numpy.arange(5)
    grid = tiled.linear_index((rows, columns))
    assert grid.shape == (3, 5) and grid[2, 3] == 17
    assert tiled.linear_index((2, columns)).tolist() == grid[2].tolist()
    assert tiled.linear_index([rows, 3]).tolist() == grid[:, 3:4].tolist()


def test_arrays_that_are_not_contiguous(tiled):
    indices = numpy.array([[0, 0], [2, 3], [1, 4]])
    expected = tiled.linear_index(indices).tolist()
    assert tiled.linear_index(numpy.asfortranarray(indices)).tolist() == expected
    assert tiled.linear_index(numpy.repeat(indices, 2, axis=1)[:, ::2]).tolist() == expected
    assert tiled.linear_index(indices[::-1]).tolist() == expected[::-1]
    assert tiled.linear_index(tuple(indices[::-1].T)).tolist() == expected[::-1]


def test_out(tiled):
    indices = numpy.array([[0, 0], [2, 3]])
    for dtype in ("int64", "int32"):
        out = numpy.empty(2, dtype)
        assert tiled.linear_index(indices.astype(dtype), out=out) is out
        assert out.tolist() == [0, 17]
        back = numpy.empty((2, 2), dtype)
        assert tiled.index_of(out, out=back) is back
        assert back.tolist() == indices.tolist()


@pytest.mark.parametrize(
    "out, error, message",
    [
        (numpy.empty(3, int), tessera.Error, r"shape \(2,\)"),
        (numpy.empty((2, 1), int), tessera.Error, r"shape \(2,\)"),
        (numpy.empty(2, "float64"), TypeError, "int64"),
        (numpy.empty(2, "int32"), TypeError, "int64"),
        ([0, 0], TypeError, "found list"),
        (numpy.empty(4, int)[::2], tessera.Error, "contiguous"),
        (numpy.broadcast_to(numpy.int64(0), 2), tessera.Error, "can be written|contiguous"),
    ],
)
def test_wrong_out(tiled, out, error, message):
    with pytest.raises(error, match=message):
        tiled.linear_index(numpy.array([[0, 0], [2, 3]]), out=out)


def test_out_that_is_read(tiled):
    memory = numpy.zeros(6, int)
    with pytest.raises(tessera.Error, match="overlaps"):
        tiled.linear_index(memory[:4].reshape(2, 2), out=memory[3:5])
    with pytest.raises(tessera.Error, match="overlaps"):
        tiled.index_of(memory[:2], out=memory[1:5].reshape(2, 2))
    read_only = numpy.zeros(2, int)
    read_only.flags.writeable = False
    with pytest.raises(tessera.Error, match="written"):
        tiled.linear_index(numpy.zeros((2, 2), int), out=read_only)


@pytest.mark.parametrize(
    "index, message",
    [
        ((3, 0), r"index\[0\] = 3 is outside \[0, 3\)"),
        ((0, -1), r"index\[1\] = -1 is outside \[0, 5\)"),
        ((0,), "1 .*2|2 .*1"),
        ((2**70, 0), "64 bits"),
        (numpy.array([[0, 0], [0, 5]]), "1"),
        (numpy.zeros((2, 3), int), r"\(\.\.\., 2\)"),
        ((numpy.zeros(2, int),), "2 arrays"),
    ],
)
def test_indices_outside(tiled, index, message):
    with pytest.raises(tessera.Error, match=message):
        tiled.linear_index(index)


@pytest.mark.parametrize(
    "index",
    ["23", None, 1.5, (0.0, 1), ("a", 1), numpy.zeros((2, 2)), ((0, (1, 2))), [[0, 1], [2]], {}],
)
def test_what_is_no_index(tiled, index):
    with pytest.raises(TypeError):
        tiled.linear_index(index)
    with pytest.raises(TypeError):
        tiled.index_of(index)


def test_a_list_that_changes_as_it_is_read(tiled):
    class Cruel:
        def __index__(self):
            indices.clear()
            return 1

    indices = [Cruel(), Cruel()]
    assert tiled.linear_index(indices) == 3


def test_positions_outside(tiled):
    for position in (-1, 24, 2**70):
        with pytest.raises(tessera.Error):
            tiled.index_of(position)
    # The message counts from the first of all, however many there are.
    many = numpy.zeros(200_000, int)
    many[123_456] = 24
    with pytest.raises(tessera.Error, match="123456"):
        tiled.index_of(many)


def test_units(tiled):
    assert tiled.linear_index((2, 3), unit="bytes") == 68
    assert tiled.linear_index((2, 3), unit="bits") == 544
    assert tiled.index_of(68, unit="bytes") == (2, 3)
    assert tiled.kind_of(69, unit="bytes") == tessera.PositionKind.GAP
    assert tiled.position_count("bytes") == 96
    with pytest.raises(tessera.Error, match='"elements", "bytes" or "bits"'):
        tiled.linear_index((2, 3), unit="words")
    with pytest.raises(tessera.Error):
        tessera.cute("8:1").linear_index((1,), unit="bytes")


def test_kinds():
    strided = tessera.strided("f32[4,2] strides (16, 4) bytes")
    names = [tessera.PositionKind(kind).name for kind in strided.kind_of(numpy.arange(6))]
    assert names == ["ELEMENT", "ELEMENT", "GAP", "GAP", "ELEMENT", "ELEMENT"]
    broadcast = tessera.strided("f32[4,2] strides (0, 4) bytes")
    with pytest.raises(tessera.Error):
        broadcast.index_of(0)


def test_many_are_read_in_place():
    import tracemalloc

    shape = tessera.shape("f32[1024,1024]{1,0:T(8,128)}")
    indices = numpy.zeros((1 << 18, 2), int)
    out = numpy.empty(1 << 18, int)
    shape.linear_index((0, 0))
    tracemalloc.start()
    for given in (indices, numpy.asfortranarray(indices), tuple(numpy.zeros((2, 1 << 18), int))):
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        shape.linear_index(given, out=out)
        assert tracemalloc.get_traced_memory()[1] - before < 100_000
    tracemalloc.stop()
