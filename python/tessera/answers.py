"""The answers to Tessera's questions.

Every class here is a message of Tessera's service, with its names. Sizes are
in bytes and counts in elements, unless the comment of a field says otherwise.
A field that an answer does not have is None.

    >>> import tessera
    >>> answer = tessera.ask({"linearize": {
    ...     "layout": "f32[3,5]{1,0:T(2,2)}", "indices": [2, 3]}})
    >>> answer.linear_indices
    [17]
    >>> answer.to_dict()
    {'linear_indices': [17]}

A list of objects is a Table, of which columns() makes a data frame:

    >>> sizes = tessera.shape("f32[3,5]{1,0:T(2,2)}").describe().xla.leaves
    >>> sizes[0].dimensions.columns()["padded"]
    [4, 6]
"""

# Written by .ci/python_answers from the messages in proto/: do not edit.

from __future__ import annotations

import dataclasses
from typing import Dict, List, Optional

from tessera._answer import Answer, Table


@dataclasses.dataclass(repr=False)
class Error(Answer):
    """
    Attributes:
        code: The code, with the numbers of google.rpc.Code.
        message: One line, without the position. The message of
            RESOURCE_EXHAUSTED begins with the name of the limit: "text_bytes:
            262145 bytes exceed the limit of 262144".
        field: The field of the question that is at fault: "layout",
            "indices". Empty if the fault is in the question as a whole, or in
            the text of the request.
        position: The place of the fault: in the text of that field, or in
            the JSON of the request.
    """

    code: str
    message: str
    field: str
    position: Optional[TextPosition]


@dataclasses.dataclass(repr=False)
class TextPosition(Answer):
    """
    Attributes:
        offset: In bytes from the beginning of the text. In a line of
            `tessera batch`, from the beginning of the line.
        line: The number of the line, counted from 1.
        column: The number of the byte in the line, counted from 1.
        excerpt: That line of the text, or a part of it, and a caret on a
            second line.
    """

    offset: int
    line: int
    column: int
    excerpt: str


@dataclasses.dataclass(repr=False)
class ParseResult(Answer):
    """
    Attributes:
        kind: The kind of text; never ANY.
        canonical: The canonical text, which reads as the same value.
        form: The form of the value within its kind: "array", "tuple",
            "layout", "int tuple", "tt.metal_layout", ...
        shape: The message of an XLA shape; absent unless the request asks
            for it.
    """

    kind: str
    canonical: str
    form: str
    shape: Optional[ShapeProto]


@dataclasses.dataclass(repr=False)
class ShapeProto(Answer):
    """
    Attributes:
        element_type: As its name says.
        dimensions: INT64_MIN, with is_dynamic_dimension, is an unbounded
            dimension.
        tuple_shapes: The elements of a tuple, or the one array of a
            buffer.
        layout: As its name says.
        is_dynamic_dimension: Empty (all static) or as long as
            `dimensions`.
    """

    element_type: str
    dimensions: List[int]
    tuple_shapes: Table[ShapeProto]
    layout: Optional[LayoutProto]
    is_dynamic_dimension: List[bool]


@dataclasses.dataclass(repr=False)
class LayoutProto(Answer):
    """
    Attributes:
        minor_to_major: As its name says.
        tiles: As its name says.
        element_size_in_bits: As its name says.
        memory_space: As its name says.
        dim_level_types: As its name says.
        physical_shape: As its name says.
        index_primitive_type: As its name says.
        pointer_primitive_type: As its name says.
        dim_unique: As its name says.
        dim_ordered: As its name says.
        dynamic_shape_metadata_prefix_bytes: As its name says.
        tail_padding_alignment_in_elements: 0 means 1.
        split_configs: As its name says.
    """

    minor_to_major: List[int]
    tiles: Table[TileProto]
    element_size_in_bits: int
    memory_space: int
    dim_level_types: List[str]
    physical_shape: Optional[ShapeProto]
    index_primitive_type: str
    pointer_primitive_type: str
    dim_unique: List[bool]
    dim_ordered: List[bool]
    dynamic_shape_metadata_prefix_bytes: int
    tail_padding_alignment_in_elements: int
    split_configs: Table[SplitConfigProto]


@dataclasses.dataclass(repr=False)
class TileProto(Answer):
    """
    Attributes:
        dimensions: Major to minor. INT64_MIN or -1 combines a dimension
            with the next one.
    """

    dimensions: List[int]


@dataclasses.dataclass(repr=False)
class SplitConfigProto(Answer):
    """
    Attributes:
        dimension: A physical dimension; 0 is the most major one.
        split_indices: As its name says.
    """

    dimension: int
    split_indices: List[int]


@dataclasses.dataclass(repr=False)
class DescribeResult(Answer):
    """
    Attributes:
        canonical: The canonical text, which reads as the same value.
        xla: For an XLA shape.
        cute: For a CuTe layout.
        tensor: For a Tenstorrent tensor.
        strided: For a strided array.
    """

    canonical: str
    xla: Optional[ShapeDescription]
    cute: Optional[CuteDescription]
    tensor: Optional[TensorDescription]
    strided: Optional[StridedDescription]


@dataclasses.dataclass(repr=False)
class ShapeDescription(Answer):
    """An XLA shape. A shape that is not a tuple has one leaf.

    Attributes:
        total: The sum over all arrays.
        has_unbounded: Whether an array has an unbounded dimension. Such an
            array is not part of the total.
        leaves: The arrays and handles, in the order of the text.
        type: The type: "f32", "tuple", "buffer", "token", ...
    """

    total: Optional[Sizes]
    has_unbounded: bool
    leaves: Table[LeafSizes]
    type: str


@dataclasses.dataclass(repr=False)
class Sizes(Answer):
    """
    Attributes:
        elements: The number of elements.
        position_count: The number of positions: elements and padding.
        unpadded_bytes: Bytes without padding.
        padded_bytes: Bytes with padding.
        unpadded_bits: Bits without padding; absent past 2^63-1, and for a
            total.
        padded_bits: Bits with padding; absent past 2^63-1, and for a
            total.
        padding_factor: padded_bytes over unpadded_bytes; absent if only
            the latter is 0.
    """

    elements: int
    position_count: int
    unpadded_bytes: int
    padded_bytes: int
    unpadded_bits: Optional[int]
    padded_bits: Optional[int]
    padding_factor: Optional[float]


@dataclasses.dataclass(repr=False)
class LeafSizes(Answer):
    """An array, a token or an opaque handle. A buffer is described as its
    array.

    Attributes:
        shape_index: The place of the leaf in the tuple.
        canonical: The canonical text, which reads as the same value.
        element_type: The element type; for a buffer, that of its array.
        element_bits: How many bits an element takes in memory.
        memory_space: XLA's number of the memory space.
        memory_space_name: The name of the memory space. A layout with
            tiles has TPU's name; any other layout has a name that is valid on
            every backend: "default", "host", or the number.
        dimensions: The dimensions, in the order of the shape.
        sizes: Absent for tokens, handles and arrays with an unbounded
            dimension. The fields from `padding` to `data_end_bytes` are then
            empty, 0 or absent.
        padding: The padding of each group of dimensions, ordered by its
            first dimension.
        expanded_shape: The bounds after all tiles, major to minor.
        tile_padding_elements: How many positions tiles add.
        tail_padding_elements: How many positions the tail padding adds.
        metadata_prefix_bytes: How many bytes before the array hold its
            dynamic sizes.
        data_end: The largest linear index of an element, plus 1; absent if
            it takes too long to find.
        data_end_bytes: The same in bytes.
        type: The type: "f32", "buffer", "token", "opaque".
        tail_padding_alignment_in_elements: The n of L(n): the tail padding
            rounds the position count up to a multiple of it.
        unpadded_element_bits: The part of element_bits that is not
            padding: less if E(n) widens an element, 8 for pred.
        notes: The parts that XLA would refuse, though they can be read.
        tpu_default: The default layout of an array with sizes, if the
            question is about a TPU.
    """

    shape_index: List[int]
    canonical: str
    element_type: str
    element_bits: int
    memory_space: int
    memory_space_name: str
    dimensions: Table[ArrayDimension]
    sizes: Optional[Sizes]
    padding: Table[DimensionPaddingSizes]
    expanded_shape: List[int]
    tile_padding_elements: int
    tail_padding_elements: int
    metadata_prefix_bytes: int
    data_end: Optional[int]
    data_end_bytes: Optional[int]
    type: str
    tail_padding_alignment_in_elements: int
    unpadded_element_bits: int
    notes: List[str]
    tpu_default: Optional[TpuDefaultLayout]


@dataclasses.dataclass(repr=False)
class ArrayDimension(Answer):
    """
    Attributes:
        bound: The size, or the largest size of a dynamic dimension.
        kind: Whether the size is known.
        padded: The size after padding; absent if tiles join the dimension
            with others. LeafSizes.padding then has the whole group.
        padding_factor: `padded` over `bound`.
    """

    bound: int
    kind: str
    padded: Optional[int]
    padding_factor: Optional[float]


@dataclasses.dataclass(repr=False)
class DimensionPaddingSizes(Answer):
    """A group of dimensions that are padded together: nearly always one
    dimension; several if a tile joins them; none for the dimensions that a
    tile prepends to the array.

    Attributes:
        dimensions: The dimensions of the group.
        bound: The product of their bounds.
        padded: The same after padding.
        padding_factor: `padded` over `bound`; absent if only `bound` is 0.
    """

    dimensions: List[int]
    bound: int
    padded: int
    padding_factor: Optional[float]


@dataclasses.dataclass(repr=False)
class TpuDefaultLayout(Answer):
    """The layout that the TPU compiler gives a parameter of an array's type
    and dimensions by default.

    Attributes:
        layout: The layout: "{1,0:T(8,128)(2,1)}".
        padded_bytes: The bytes that the array takes in it, with padding.
        is_own: Whether the array has that layout, whatever its memory
            space.
        smaller_sizes: For each dimension that it pads, the next smaller
            size at which the array would take less.
    """

    layout: str
    padded_bytes: int
    is_own: bool
    smaller_sizes: Table[SmallerSize]


@dataclasses.dataclass(repr=False)
class SmallerSize(Answer):
    """An array with another size of one dimension.

    Attributes:
        dimension: The number of the dimension.
        size: Its size.
        padded_bytes: The bytes that the array would take in its default
            layout, with padding.
    """

    dimension: int
    size: int
    padded_bytes: int


@dataclasses.dataclass(repr=False)
class CuteDescription(Answer):
    """A CuTe layout. If its strides are basis elements or multiples of them,
    its values are coordinates: it has no cosize and no positions.

    Attributes:
        form: "layout" or "composed layout".
        shape: The shape, as CuTe writes it.
        stride: The stride, as CuTe writes it; empty if values are
            coordinates.
        rank: The number of modes.
        depth: How deeply modes are nested.
        size: The number of coordinates.
        mode_sizes: The size of each mode.
        cosize: The cosize; absent for a composed layout.
        position_count: The number of positions; absent if positions are
            not computed, and `reason` has the reason.
        map_kind: Whether indices share positions.
        gaps: How many positions have no index; absent if indices may share
            positions.
        reason: Why positions are not computed; empty if they are.
        contiguous_elements: How many elements follow one another in memory
            along the innermost mode, the one of stride 1; absent if values are
            coordinates or go through a layout. A swizzle breaks a run after 2
            to the power of its base.
        contiguous_bytes: The same in bytes; absent if the size of an
            element is not known or no whole number of bytes follow one
            another.
        vector_elements: How many elements a load can take at once along
            the innermost mode, if it has to begin at a multiple of that
            number; absent if contiguous_elements is.
        vector_bytes: The widest vector load in bytes, a power of two of at
            most 16; absent if contiguous_bytes is.
        element_bits: The bits of an element if the text has them: in a
            pointer, such as `smem_ptr[16b](unset)`, or in a type, such as
            half_t. 0 if it does not have them.
        notes: Notes on how the text was read: whether a swizzle acts on
            bytes or on elements, other readings of a tiler.
    """

    form: str
    shape: str
    stride: str
    rank: int
    depth: int
    size: int
    mode_sizes: List[int]
    cosize: Optional[int]
    position_count: Optional[int]
    map_kind: str
    gaps: Optional[int]
    reason: str
    contiguous_elements: Optional[int]
    contiguous_bytes: Optional[int]
    vector_elements: Optional[int]
    vector_bytes: Optional[int]
    element_bits: int
    notes: Table[TextNote]


@dataclasses.dataclass(repr=False)
class TextNote(Answer):
    """
    Attributes:
        message: The message, on one line.
        position: The place in the text; absent if it is not known.
    """

    message: str
    position: Optional[TextPosition]


@dataclasses.dataclass(repr=False)
class TensorDescription(Answer):
    """A Tenstorrent tensor. Sizes count elements of the tensor, tt-mlir's
    scalars, unless a comment says otherwise.

    Attributes:
        shape: The sizes of the tensor.
        grid: The sizes of the grid of cells.
        extent: The extent of the results of the map: each at the last
            index, plus 1.
        shard: The sizes of a shard.
        memref: The sizes of the memref, in its elements: tiles, or
            scalars.
        element: The element type of the memref: a scalar or a tile.
        element_bytes: The bytes of an element of the memref.
        bytes_per_shard: The bytes of a shard.
        bytes: The bytes of all shards.
        memory_space_name: The name of the memory space.
        oob_value: The value of padding; absent if the layout does not have
            it.
        tiles_first: Whether tiles divide the extent first and the grid
            second.
        elements: The number of elements.
        position_count: The number of positions: elements and padding.
        tile_padding: How many positions are only there because sizes are
            rounded up to whole tiles.
        grid_padding: How many positions are only there because sizes are
            rounded up to whole shards.
        gaps: How many positions within the extent have no index.
        empty_cells: How many cells hold no element.
        cell_boxes: Boxes of cells whose shards are equally full.
        warnings: Findings that break no rule.
        tile_shape: The height and width of a tile; empty without tiles.
        exponent_bytes: How many of element_bytes hold the exponents that
            block floats share.
        padding_factor: position_count over elements.
        cells: Every cell, row-major; empty for a grid of more than 4096
            cells, or of fewer if it has 8 dimensions or more.
        map: The affine map from an index to a physical position; empty if
            the layout has none.
        written_bytes_per_shard: The bytes of the memref, or shard, as it
            is written; absent past 2^63-1.
        written_bytes: The same in all cells of the grid.
        buffer: The memory that the tensor takes on a card; absent if
            `buffer_reason` has a reason.
        buffer_reason: Why there is no buffer; empty if there is one.
        errors: The rules that are broken.
        reason: Why the extent, the shard, the cells and the padding are
            absent; empty if they are not.
        storage_grid: For a view: the sizes of the grid of the storage,
            whose cells `locate` and `classify` name. Empty otherwise.
        storage_memref: For a view: the sizes of the memref of the storage.
    """

    shape: List[int]
    grid: List[int]
    extent: List[int]
    shard: List[int]
    memref: List[int]
    element: str
    element_bytes: int
    bytes_per_shard: int
    bytes: int
    memory_space_name: str
    oob_value: Optional[str]
    tiles_first: bool
    elements: int
    position_count: int
    tile_padding: int
    grid_padding: int
    gaps: int
    empty_cells: int
    cell_boxes: Table[CellBoxSizes]
    warnings: Table[RuleFinding]
    tile_shape: List[int]
    exponent_bytes: int
    padding_factor: Optional[float]
    cells: Table[CellSizes]
    map: str
    written_bytes_per_shard: Optional[int]
    written_bytes: Optional[int]
    buffer: Optional[TensorBuffer]
    buffer_reason: str
    errors: Table[RuleFinding]
    reason: str
    storage_grid: List[int]
    storage_memref: List[int]


@dataclasses.dataclass(repr=False)
class CellBoxSizes(Answer):
    """A box of cells, and how much of the shard of each lies within the
    extent.

    Attributes:
        first: The first cell of the box.
        last: The last cell of the box, included.
        valid: The sizes of the part of each shard within the extent; all 0
            for empty cells.
    """

    first: List[int]
    last: List[int]
    valid: List[int]


@dataclasses.dataclass(repr=False)
class RuleFinding(Answer):
    """
    Attributes:
        rule: The name of the rule: "memref-shape". Names do not change.
        message: The message, on one line.
    """

    rule: str
    message: str


@dataclasses.dataclass(repr=False)
class CellSizes(Answer):
    """A cell, and how much of its shard lies within the extent.

    Attributes:
        cell: The cell: one entry for each dimension of the grid.
        valid: The sizes of the part of the shard within the extent; all 0
            for an empty cell.
    """

    cell: List[int]
    valid: List[int]


@dataclasses.dataclass(repr=False)
class TensorBuffer(Answer):
    """The memory that a tensor takes on a card, by the rules of Tenstorrent's
    runtime. A bank is one of DRAM, or the L1 of one core.

    Attributes:
        architecture: The architecture of the card.
        banks: How many banks an interleaved tensor is dealt out to, or how
            many cores (or banks of DRAM) a sharded one may use.
        has_usual_banks: Whether `banks` is only usual for the
            architecture.
        is_sharded: Whether the tensor is in shards; else it is
            interleaved.
        padded_shape: The shape with which it is allocated: in whole tiles,
            or in whole widths of a shard.
        page_bytes: The bytes of a page: a tile, or a row.
        aligned_page_bytes: The bytes from one page to the next.
        pages: The number of pages of the padded tensor.
        pages_per_bank: The places for pages in the fullest bank, padding
            of shards included.
        banks_in_use: How many banks hold a page.
        content_bytes: The bytes of all pages.
        content_bytes_per_bank: The bytes of the pages of the fullest bank.
        taken_bytes: The bytes of all aligned pages, padding of shards
            included.
        taken_bytes_per_bank: The bytes that the tensor takes of every
            bank, in use or not: banks are allocated in lock-step.
        shard_grid: How many shards lie along each size of a shard; empty
            if interleaved.
        shard_cores: The core of each shard in L1, in order, in the answers
            of `describe` and `ttnn`; empty for more than 4096 shards, and if
            the cores are not known.
        shard: The size of each shard; absent if interleaved.
    """

    architecture: str
    banks: int
    has_usual_banks: bool
    is_sharded: bool
    padded_shape: List[int]
    page_bytes: int
    aligned_page_bytes: int
    pages: int
    pages_per_bank: int
    banks_in_use: int
    content_bytes: int
    content_bytes_per_bank: int
    taken_bytes: int
    taken_bytes_per_bank: int
    shard_grid: List[int]
    shard_cores: Table[CoreLocation]
    shard: Optional[ShardSizes]


@dataclasses.dataclass(repr=False)
class CoreLocation(Answer):
    """A core of a chip.

    Attributes:
        x: The column.
        y: The row.
    """

    x: int
    y: int


@dataclasses.dataclass(repr=False)
class ShardSizes(Answer):
    """The size of a shard, padding included.

    Attributes:
        shape: The sizes along each dimension, in scalars.
        pages: The number of pages.
        content_bytes: The bytes of the pages.
        taken_bytes: The same with the alignment of pages.
    """

    shape: List[int]
    pages: int
    content_bytes: int
    taken_bytes: int


@dataclasses.dataclass(repr=False)
class StridedDescription(Answer):
    """A strided array. Strides and the offset count elements.

    Attributes:
        shape: The sizes of the dimensions.
        strides: The strides, in elements.
        offset: Where the element at index 0,0,... lies, in elements.
        element_type: The type of an element: "f32".
        element_bits: How many bits an element takes in memory.
        elements: The number of elements.
        position_count: The number of positions: elements and padding.
        unpadded_bytes: The bytes of all elements if none were shared.
            Absent past 2^63-1, which strides of 0 can reach.
        padded_bytes: The bytes of the buffer, up to the end of the last
            element.
        map_kind: Whether indices share positions.
        gaps: How many positions have no index; absent if indices may share
            positions.
    """

    shape: List[int]
    strides: List[int]
    offset: int
    element_type: str
    element_bits: int
    elements: int
    position_count: int
    unpadded_bytes: Optional[int]
    padded_bytes: int
    map_kind: str
    gaps: Optional[int]


@dataclasses.dataclass(repr=False)
class LinearizeResult(Answer):
    """
    Attributes:
        linear_indices: One linear index for each index, in the units of
            the question.
    """

    linear_indices: List[int]


@dataclasses.dataclass(repr=False)
class DelinearizeResult(Answer):
    """
    Attributes:
        rank: How many entries an index has.
        kinds: What lies at each position.
        indices: The index of the element at each position, rank entries
            each; all 0 where there is no element.
        failed_bounds: One entry for each position if the request asks for
            it, else empty.
    """

    rank: int
    kinds: List[str]
    indices: List[int]
    failed_bounds: Table[FailedBounds]


@dataclasses.dataclass(repr=False)
class FailedBounds(Answer):
    """The bounds that a position of padding exceeds. Empty for an element, a
    gap and a position of the tail.

    Attributes:
        bounds: One entry for each bound that is exceeded.
    """

    bounds: Table[FailedBound]


@dataclasses.dataclass(repr=False)
class FailedBound(Answer):
    """The coordinate `value` of these dimensions is not less than `bound`. A
    tile that joins dimensions gives several of them one coordinate. Empty if
    the coordinate belongs to a dimension that a tile prepends to the array.

    Attributes:
        dimensions: The dimensions of the coordinate.
        value: The coordinate.
        bound: The bound of the coordinate.
    """

    dimensions: List[int]
    value: int
    bound: int


@dataclasses.dataclass(repr=False)
class ExplainResult(Answer):
    """linear_index = swizzle(base + the sum of digit * stride).

    Attributes:
        linear_index: Where the element lies, in the units of the question.
        computed: Coordinates that are not digits of a single dimension:
            computed from several dimensions, or from one in another way. Each
            uses dimensions and the computed coordinates before it.
        base: The linear index to which the digits are added.
        digits: The digits, by decreasing stride.
        swizzle: The swizzle; absent without one.
        tiling: The same in the words of XLA's document on tiled layouts;
            absent unless the layout is an XLA array and the units are
            elements.
    """

    linear_index: int
    computed: Table[ComputedCoordinate]
    base: int
    digits: Table[DigitStep]
    swizzle: Optional[SwizzleStep]
    tiling: Optional[TilingDerivation]


@dataclasses.dataclass(repr=False)
class ComputedCoordinate(Answer):
    """value = offset + the sum of digit * multiplier.

    Attributes:
        pieces: The digits that are added.
        offset: The constant that is added.
        value: The coordinate.
    """

    pieces: Table[DigitPiece]
    offset: int
    value: int


@dataclasses.dataclass(repr=False)
class DigitPiece(Answer):
    """
    Attributes:
        digit: The digit.
        multiplier: The factor of the digit.
    """

    digit: Optional[DigitOf]
    multiplier: int


@dataclasses.dataclass(repr=False)
class DigitOf(Answer):
    """(value div divisor) mod modulus. If the modulus is 0, no remainder is
    taken.

    Attributes:
        coordinate: The coordinate that the digit is taken from.
        value: The value of the coordinate.
        divisor: The divisor of the value; the quotient is rounded down.
        modulus: The modulus of the remainder; 0 for no remainder.
        digit: The digit.
    """

    coordinate: Optional[CoordinateName]
    value: int
    divisor: int
    modulus: int
    digit: int


@dataclasses.dataclass(repr=False)
class CoordinateName(Answer):
    """A dimension, or one of the computed coordinates.

    Attributes:
        dimension: The number of a dimension.
        computed: The number of a coordinate in ExplainResult.computed.
    """

    dimension: Optional[int]
    computed: Optional[int]


@dataclasses.dataclass(repr=False)
class DigitStep(Answer):
    """
    Attributes:
        digit: The digit.
        stride: The factor of the digit.
    """

    digit: Optional[DigitOf]
    stride: int


@dataclasses.dataclass(repr=False)
class SwizzleStep(Answer):
    """before ^ ((before & mask) >> shift), or << -shift if the shift is
    negative.

    Attributes:
        before: The linear index before the swizzle.
        bits: How many bits the swizzle changes.
        base: The lowest bit of the two groups of bits.
        shift: The distance between the two groups.
    """

    before: int
    bits: int
    base: int
    shift: int


@dataclasses.dataclass(repr=False)
class TilingDerivation(Answer):
    """
    Attributes:
        physical: The index in the physical dimensions, major to minor.
        tiles: One step for each tile.
    """

    physical: Optional[IndexWithinBounds]
    tiles: Table[TileStep]


@dataclasses.dataclass(repr=False)
class IndexWithinBounds(Answer):
    """
    Attributes:
        index: The index: one entry for each dimension.
        bounds: The bounds of the entries.
    """

    index: List[int]
    bounds: List[int]


@dataclasses.dataclass(repr=False)
class TileStep(Answer):
    """
    Attributes:
        tile: The tile, as XLA writes it.
        tiled: The index in the dimensions that the tile divides.
        divisors: The divisor of each of these dimensions.
        expanded: The index in all dimensions after the tile.
    """

    tile: str
    tiled: Optional[IndexWithinBounds]
    divisors: List[int]
    expanded: Optional[IndexWithinBounds]


@dataclasses.dataclass(repr=False)
class RunsResult(Answer):
    """One entry for each run, in the order of positions.

    Attributes:
        begins: The first linear index of each run.
        lengths: How many positions each run has.
        rank: How many entries an index has.
        first_indices: The index of the first element of each run, rank
            entries each.
        truncated: Whether there are, or may be, more runs.
    """

    begins: List[int]
    lengths: List[int]
    rank: int
    first_indices: List[int]
    truncated: bool


@dataclasses.dataclass(repr=False)
class PaddingResult(Answer):
    """Range i is [begins[i], ends[i]).

    Attributes:
        begins: The first linear index of each range.
        ends: The first linear index after each range.
        truncated: Whether there are, or may be, more ranges.
    """

    begins: List[int]
    ends: List[int]
    truncated: bool


@dataclasses.dataclass(repr=False)
class CompareResult(Answer):
    """
    Attributes:
        same_text: Whether the canonical texts are equal.
        same_positions: Whether every index has the same position in both
            layouts. With to_dimensions, the index of `to` has its entries in
            that order. Absent if the bounds differ or the answer takes too
            long.
        is_bitcast: Whether the buffer of one array can be read as the
            other, as a reshape or as a transpose; if to_dimensions are given,
            as that transpose. `bitcasts` has the answer for each. Absent for
            CuTe layouts and Tenstorrent tensors, if to_dimensions make other
            bounds, and if the answer takes too long.
        relayout: The cost of a relayout, which copies one buffer to the
            other; absent if it is impossible. A bitcast does not need one.
        no_relayout: Why a relayout is impossible; empty if it is possible.
        bitcasts: The ways in which it is a bitcast. Absent for CuTe
            layouts and Tenstorrent tensors, and if to_dimensions give other
            bounds.
    """

    same_text: bool
    same_positions: Optional[bool]
    is_bitcast: Optional[bool]
    relayout: Optional[RelayoutCost]
    no_relayout: str
    bitcasts: Optional[BitcastAnswers]


@dataclasses.dataclass(repr=False)
class RelayoutCost(Answer):
    """
    Attributes:
        from_bytes: The bytes of the buffer that is read.
        to_bytes: The bytes of the buffer that is written.
        moved_bytes: The bytes of the elements.
        contiguous_bytes: How many bytes one copy writes, at least, for
            most of the elements.
        has_loops: Whether loops walk both buffers. If not, elements are
            moved one by one.
        plan: The loops of the plan, as text.
    """

    from_bytes: int
    to_bytes: int
    moved_bytes: int
    contiguous_bytes: int
    has_loops: bool
    plan: str


@dataclasses.dataclass(repr=False)
class BitcastAnswers(Answer):
    """The ways in which the buffer of one array can be read as the other.

    Attributes:
        obstacle: Why this is impossible, wherever the elements lie: their
            number, their size or the memory spaces of the buffers differ.
            Empty if there is no obstacle. Different memory spaces do not
            affect the answers below; with any other obstacle they are false.
        as_reshape: Whether, for every n, element number n in row-major
            order lies at the same position in both. Absent if to_dimensions
            are given or the answer takes too long.
        as_transpose: Whether there is a transpose (if to_dimensions are
            given, whether that transpose is one) that leaves every element in
            its place. Absent if the answer takes too long.
        dimensions: The `dimensions` of that transpose in XLA: dimension i
            of `to` is dimension dimensions[i] of `from`. Empty if none was
            found; if to_dimensions are given, their inverse.
        steps: The steps of a bitcast that is neither a reshape nor a
            transpose alone; null if it is one of these, or if no steps were
            found.
    """

    obstacle: str
    as_reshape: Optional[bool]
    as_transpose: Optional[bool]
    dimensions: List[int]
    steps: Optional[BitcastDecomposition]


@dataclasses.dataclass(repr=False)
class BitcastDecomposition(Answer):
    """A transpose, a reshape and a transpose, none of which moves anything.

    Attributes:
        first_dimensions: The `dimensions` of the first transpose; 0,1,...
            if it does nothing.
        transposed: The shape of `from` after it.
        reshaped: The shape after the reshape.
        last_dimensions: The `dimensions` of the last transpose, which
            gives `to`.
    """

    first_dimensions: List[int]
    transposed: str
    reshaped: str
    last_dimensions: List[int]


@dataclasses.dataclass(repr=False)
class EvaluateResult(Answer):
    """
    Attributes:
        value: The value of the last statement.
        kind: The kind of value: "layout", "int tuple", "boolean", ...
        size: The size of a layout or composed layout; absent for other
            values.
        cosize: The largest value of the layout, plus 1. Absent for a
            composed layout, and if values are coordinates.
        values: The values f(0), f(1), ... of a layout, if they are
            integers.
        coordinates: The values f(0), f(1), ... of a layout, if they are
            coordinates.
        truncated: Whether the layout has more values.
        notes: Notes for the author of the expression.
        no_values: Why a layout does not have values; empty if it has.
        element_bits: The bits of an element if a pointer, a type or a
            recast has them; otherwise 0.
        label: The label that the print of a TiledMMA or TiledCopy has
            before the layout, without the colon: "LayoutA_TV".
        steps: The steps to the value, if they are asked for. The last one
            has the value.
    """

    value: str
    kind: str
    size: Optional[int]
    cosize: Optional[int]
    values: List[int]
    coordinates: List[str]
    truncated: bool
    notes: Table[TextNote]
    no_values: str
    element_bits: int
    label: str
    steps: Table[EvaluateStep]


@dataclasses.dataclass(repr=False)
class EvaluateStep(Answer):
    """A step on the way to the value of an expression.

    Attributes:
        expression: What the calculator is asked.
        value: What it answers.
        reason: Why that is the next step.
    """

    expression: str
    value: str
    reason: str


@dataclasses.dataclass(repr=False)
class DeriveResult(Answer):
    """
    Attributes:
        layout: The layout attribute alone.
        tensor: The tensor with the attribute.
        map: The affine map from an index to a physical position.
        memref: The memref of a shard.
    """

    layout: str
    tensor: str
    map: str
    memref: str


@dataclasses.dataclass(repr=False)
class CheckResult(Answer):
    """
    Attributes:
        ok: Whether no rule is broken.
        tensor: The canonical text of the tensor.
        errors: The rules that are broken.
        warnings: Findings that break no rule.
        memref: The memref by the rules; absent if an error prevents it.
        buffer: The memory that the tensor takes on a card; absent if an
            error prevents it, or if no rule determines it.
    """

    ok: bool
    tensor: str
    errors: Table[RuleFinding]
    warnings: Table[RuleFinding]
    memref: Optional[str]
    buffer: Optional[TensorBuffer]


@dataclasses.dataclass(repr=False)
class LocateResult(Answer):
    """
    Attributes:
        locations: One location for each index.
        warnings: The warnings about the tensor that concern locations.
        buffer: The memory that the tensor takes on a card; absent if no
            rule determines it.
    """

    locations: Table[TensorLocation]
    warnings: Table[RuleFinding]
    buffer: Optional[TensorBuffer]


@dataclasses.dataclass(repr=False)
class TensorLocation(Answer):
    """
    Attributes:
        physical: The results of the map.
        cell: The cell of the grid.
        offset: The offset in the shard, in elements.
        tile: The tile of the memref; empty without tiles.
        in_tile: The place in the tile; absent without tiles.
        linear_in_shard: The number of the element in its shard: tiles
            row-major, each tile row-major, not by faces.
        byte: The byte of the shard in which the element begins.
        bit: The bit of that byte in which the element begins.
        exponent_byte: The byte of the shard that holds the exponent of a
            block float; absent for other types.
        on_card: The place on a card; absent if no rule determines it.
    """

    physical: List[int]
    cell: List[int]
    offset: List[int]
    tile: List[int]
    in_tile: Optional[TileLocation]
    linear_in_shard: int
    byte: int
    bit: int
    exponent_byte: Optional[int]
    on_card: Optional[BufferLocation]


@dataclasses.dataclass(repr=False)
class TileLocation(Answer):
    """
    Attributes:
        row: The row in the tile.
        column: The column in the tile.
        face: The number of the face.
        face_row: The row in the face.
        face_column: The column in the face.
        position: The number of the element in the tile, one face after the
            other.
    """

    row: int
    column: int
    face: int
    face_row: int
    face_column: int
    position: int


@dataclasses.dataclass(repr=False)
class BufferLocation(Answer):
    """Where an element lies on a card.

    Attributes:
        rule: The rule: "ttnn", or "tt-mlir 2024" for tensors in DRAM with
            the layout of 2024, whose pages are of 8192 bytes.
        page: The page, numbered row-major over the tensor.
        bank: The bank, if the tensor is interleaved or in DRAM.
        core: The core, if the tensor is sharded in L1 and its cores are
            known.
        shard: The number of the shard, if there are shards.
        byte_in_page: The byte in the page.
        offset: The byte in the bank or core, from the start of the tensor.
        address: The address in the bank or core; absent without a base.
        exponent_offset: The byte in the bank or core that holds the
            exponent of a block float, from the start of the tensor; absent for
            other types.
    """

    rule: str
    page: int
    bank: Optional[int]
    core: Optional[CoreLocation]
    shard: Optional[int]
    byte_in_page: int
    offset: int
    address: Optional[int]
    exponent_offset: Optional[int]


@dataclasses.dataclass(repr=False)
class ClassifyResult(Answer):
    """
    Attributes:
        kinds: What lies at each place.
        rank: How many entries an index has.
        indices: The index of the element at each place, rank entries each;
            all 0 where there is no element.
        oob_value: The value of padding; absent if the layout does not have
            it.
        warnings: The warnings about the tensor that concern locations.
    """

    kinds: List[str]
    rank: int
    indices: List[int]
    oob_value: Optional[str]
    warnings: Table[RuleFinding]


@dataclasses.dataclass(repr=False)
class SummarizeResult(Answer):
    """Sums are over all buffers, as if none shared memory. Tuples, results in
    the buffer of an operand, and the inside of fusions and reducers do not
    count. `peak` has the bytes that are in use at once. The answer about one
    computation has its sums, also by opcode and layout, but no arrays and
    modules.

    Attributes:
        instructions: How many instructions there are.
        instructions_without_shape: How many instructions have no shape in
            the text.
        distinct_shapes: How many different shapes there are.
        total: The sum over all arrays.
        by_memory_space: The sum for each memory space, by its number.
        by_element_type: The sum for each element type, the largest first.
        largest: The largest arrays, by the bytes of one.
        most_wasteful: The arrays with the most padding over all their
            uses.
        modules: One entry for each module, in the order of the text.
        diagnostics: The first mistakes in the text.
        diagnostic_count: How many mistakes there are in all.
        is_merely_cut_off: Whether the only mistake is that the text breaks
            off.
        counted: What the sums count: "buffers", or "results", the arrays
            in the results of all instructions.
        modules_without_entry: How many modules do not mark a computation
            as ENTRY. All their results count.
        file: The name in the request.
        computations: How many computations there are.
        target: The device: "tpu", "gpu", "cpu" or "none".
        skipped_arrays: How many arrays have an unbounded dimension. They
            are not in the sums.
        module: The module of the computation that the answer is about;
            null if it is about the whole text.
        computation: The name of that computation; null if the answer is
            about the whole text.
        by_opcode: The sum for each opcode, the largest first.
        by_layout: The sum for each layout, the largest first.
        moves: The instructions that only move an array to another place or
            order. Those that move the most bytes come first, and those that
            move nothing last. Empty unless the request asks for `details`.
        move_count: How many instructions move an array, including those
            without a row; 0 unless the request asks for `details`.
        moved_bytes: The bytes that these move; 0 unless the request asks
            for `details`.
        by_origin: The sums by opcode, source line and op_name, the largest
            first. Empty unless the request asks for `details`.
        has_tpu_default_layouts: Whether the arrays have the layouts that
            the TPU compiler gives parameters, because none has tiles and the
            question names a TPU.
        tessera_version: The version of Tessera that gave the answer:
            "0.3.0".
    """

    instructions: int
    instructions_without_shape: int
    distinct_shapes: int
    total: Optional[MemorySum]
    by_memory_space: Table[MemorySum]
    by_element_type: Table[MemorySum]
    largest: Table[ArrayUse]
    most_wasteful: Table[ArrayUse]
    modules: Table[ModuleSummary]
    diagnostics: Table[TextNote]
    diagnostic_count: int
    is_merely_cut_off: bool
    counted: str
    modules_without_entry: int
    file: str
    computations: int
    target: str
    skipped_arrays: int
    module: Optional[str]
    computation: Optional[str]
    by_opcode: Table[MemorySum]
    by_layout: Table[MemorySum]
    moves: Table[ArrayMove]
    move_count: int
    moved_bytes: int
    by_origin: Table[OriginSum]
    has_tpu_default_layouts: bool
    tessera_version: str


@dataclasses.dataclass(repr=False)
class MemorySum(Answer):
    """
    Attributes:
        name: The name of the group: "VMEM", "bf16", "fusion",
            "{1,0:T(8,128)}". Empty for a total.
        arrays: How many arrays there are.
        unpadded_bytes: Bytes without padding.
        padded_bytes: Bytes with padding.
        is_saturated: Whether a sum exceeded 2^63-1; it then stays at
            2^63-1.
        memory_space: The number of the memory space if the sum is over
            one; otherwise null.
    """

    name: str
    arrays: int
    unpadded_bytes: int
    padded_bytes: int
    is_saturated: bool
    memory_space: Optional[int]


@dataclasses.dataclass(repr=False)
class ArrayUse(Answer):
    """
    Attributes:
        shape: The shape.
        count: How many arrays have this shape.
        unpadded_bytes: The bytes of one array, without padding.
        padded_bytes: The bytes of one array, with padding.
        total_padded_bytes: The bytes of all of them, with padding.
        total_padding_bytes: The bytes of padding in all of them.
        most_padded: The cause of most of the padding.
        padding_factor: `padded_bytes` over `unpadded_bytes`; absent if
            only the latter is 0.
        hint: The order of dimensions in which the array would take the
            least memory with the same tiles; null if no order is better, or if
            the request does not ask for it.
    """

    shape: str
    count: int
    unpadded_bytes: int
    padded_bytes: int
    total_padded_bytes: int
    total_padding_bytes: int
    most_padded: Optional[MostPadded]
    padding_factor: Optional[float]
    hint: Optional[OrderHint]


@dataclasses.dataclass(repr=False)
class MostPadded(Answer):
    """The part of a layout that multiplies the size of an array most.

    Attributes:
        dimensions: The dimensions, if these are the cause: more than one
            if a tile joins them.
        bound: The size before padding: the product of the bounds; for
            "element", bits.
        padded: The same after padding.
        padding_factor: `padded` over `bound`; absent if only `bound` is 0.
        cause: "dimension", "tile" (of more dimensions than the array has),
            "element" (which E(n) widens), or "tail"; empty if nothing is
            padded.
    """

    dimensions: List[int]
    bound: int
    padded: int
    padding_factor: Optional[float]
    cause: str


@dataclasses.dataclass(repr=False)
class OrderHint(Answer):
    """An order of dimensions in which an array takes less memory.

    Attributes:
        minor_to_major: The dimensions, minor to major.
        major_to_minor: The same order as JAX writes it.
        padded_bytes: The bytes of one array in this order, with padding.
    """

    minor_to_major: List[int]
    major_to_minor: List[int]
    padded_bytes: int


@dataclasses.dataclass(repr=False)
class ModuleSummary(Answer):
    """
    Attributes:
        name: The name of the module.
        computations: How many computations there are.
        instructions: How many instructions there are.
        total: The sum over all arrays.
        by_opcode: The sum for each opcode, the largest first.
        by_layout: The sum for each layout, the largest first.
        peak: As in the answer to PeakRequest, without `bytes`.
        counted: As in SummarizeResult.
        distinct_shapes: How many different shapes there are.
    """

    name: str
    computations: int
    instructions: int
    total: Optional[MemorySum]
    by_opcode: Table[MemorySum]
    by_layout: Table[MemorySum]
    peak: Optional[ModulePeak]
    counted: str
    distinct_shapes: int


@dataclasses.dataclass(repr=False)
class ModulePeak(Answer):
    """
    Attributes:
        file: The name in the request.
        module: The name of the module.
        entry: The name of the requested computation; null if it does not
            exist.
        is_entry: Whether it is marked ENTRY.
        instructions: How many instructions this computation has. This
            count and the next four are null if there is no peak.
        instructions_without_shape: How many instructions run and have no
            shape in the text. Their memory is not counted.
        skipped_arrays: How many arrays have an unbounded dimension. They
            count as 0 bytes.
        unresolved: How many operands and aliases refer to nothing.
        unresolved_calls: How many calls are not counted: of computations
            that are missing, that call themselves, or whose copies would be
            too many.
        by_memory_space: The peak of each memory space, by its number; null
            if there is no peak.
        reason: Why there is no peak; null if there is one.
        source: The source of the module: "text" or "proto"; or
            "buffer-assignment", a text with a buffer assignment next to it.
        target: The device: "tpu", "gpu", "cpu" or "none".
        is_text_order_assumed: Whether the order of the text was used as
            the execution order, because the request allows it and the module
            is not scheduled.
        steps: How many steps there are: the instructions of the
            computation and of those that it runs, in the order of execution.
            Null if there is no peak.
        step_instructions: The name of the instruction at each step; empty
            unless the request asks for the `series`.
        tpu_generation: The generation of the TPU: "v4", "v5e", "v5p",
            "v6e" or "v7x"; null if it is not known.
        at: The requested step; null if the request does not have one.
        step_opcodes: The opcode of each of `step_instructions`.
        is_unscheduled: Whether there is no peak because the module is not
            scheduled, and the request does not allow the order of the text.
        memory_analysis: The numbers of JAX's memory_analysis() for the
            module; null if there is no peak.
        scoped_vmem: The scoped VMEM of its instructions; null if the
            device is not a TPU, or if there is no peak.
        tessera_version: The version of Tessera that gave the answer:
            "0.3.0".
        unclosed_computations: How many computations break off before their
            closing brace. Instructions after that are not counted. Null if
            there is no peak.
    """

    file: str
    module: str
    entry: Optional[str]
    is_entry: bool
    instructions: Optional[int]
    instructions_without_shape: Optional[int]
    skipped_arrays: Optional[int]
    unresolved: Optional[int]
    unresolved_calls: Optional[int]
    by_memory_space: Optional[Dict[int, SpacePeak]]
    reason: Optional[str]
    source: str
    target: str
    is_text_order_assumed: bool
    steps: Optional[int]
    step_instructions: List[str]
    tpu_generation: Optional[str]
    at: Optional[int]
    step_opcodes: List[str]
    is_unscheduled: bool
    memory_analysis: Optional[MemoryAnalysis]
    scoped_vmem: Optional[ScopedVmemSummary]
    tessera_version: str
    unclosed_computations: Optional[int]


@dataclasses.dataclass(repr=False)
class SpacePeak(Answer):
    """
    Attributes:
        name: The name of the memory space: "HBM".
        peak_bytes: The most bytes that are in use at one step: the bytes
            of allocations that hold a live value.
        peak_position: The first step at which the peak is reached, counted
            from 0.
        peak_instruction: The name of the instruction at that step.
        arrays_at_peak: How many values are live at the peak.
        live_at_peak: These values, the largest first, at most as many as
            the request has rows. Values that share a place come after the
            value that has it.
        bytes: The bytes that are in use at every step; empty unless the
            request asks for the `series`.
        peak_opcode: The opcode of the instruction at the peak.
        peak_unpadded_bytes: The bytes live at the peak, without padding.
        reserved_bytes: The bytes that XLA reserves for the whole run: the
            sum of the next four. This number and the next six are null if they
            are not known.
        parameter_bytes: The parameters of the program.
        constant_bytes: The constants.
        output_bytes: The results that do not share the memory of a
            parameter.
        temporary_bytes: The heap of temporaries, including fragmentation.
        temporary_peak_bytes: The same without fragmentation.
        reserved_unpadded_bytes: The bytes that would be reserved if no
            array were padded.
        thread_local_bytes: The bytes of reducers and similar computations.
            They are not part of any other number.
        assigned_bytes: The bytes that XLA itself assigned to the program,
            by the buffer assignment next to the module; null without one.
            Thread-local memory is left out.
        fragmentation_bytes: The assigned temporaries minus their peak use.
            Null without an assignment.
        allocations: The allocations of the assignment, in XLA's order,
            including thread-local ones.
        unshared_peak_bytes: The most bytes that would be in use if values
            shared memory only through aliases.
        peak_path: Where the instruction at the peak runs: "while.5 /
            region_0.425"; null in the computation itself.
        is_lower_bound: Whether `reserved_bytes` is only a lower bound,
            because the module does not determine XLA's placement, as in VMEM.
        limit_bytes: The most bytes that XLA gives to arrays in this
            memory; null if not known.
        bytes_at_step: The bytes in use at the requested step; null if the
            request does not have one.
        live_at_step: The values live at that step, in the order of
            `live_at_peak`, and as many rows.
        arrays_at_step: How many values are live at that step.
        donated_result_bytes: The bytes of results that share the memory of
            donated parameters.
        donatable: The arrays of parameters that are not donated, though a
            result of the same shape and layout has a place of its own; on CPU
            and GPU, only those that are not read after the result is begun.
            The largest first, at most as many as the request has rows.
        donatable_bytes: The bytes that donating all of these would save at
            most: temporaries may already lie in the place of such a result.
        reserved_within_bytes: `reserved_bytes` may be off by this many
            bytes, because the module does not determine the order of
            SparseCore's memory; null if that does not apply.
        arrays: All values, by their first step, without `most_padded`;
            empty unless the request asks for the `map`.
        map: The places of all values, without the fields that this message
            and ModulePeak have; null unless the request asks for it and there
            are values.
        padding_bytes: How many of `bytes` are padding, at every step;
            empty if `bytes` is.
    """

    name: str
    peak_bytes: int
    peak_position: int
    peak_instruction: str
    arrays_at_peak: int
    live_at_peak: Table[PeakBuffer]
    bytes: List[int]
    peak_opcode: str
    peak_unpadded_bytes: int
    reserved_bytes: Optional[int]
    parameter_bytes: Optional[int]
    constant_bytes: Optional[int]
    output_bytes: Optional[int]
    temporary_bytes: Optional[int]
    temporary_peak_bytes: Optional[int]
    reserved_unpadded_bytes: Optional[int]
    thread_local_bytes: int
    assigned_bytes: Optional[int]
    fragmentation_bytes: Optional[int]
    allocations: Table[AllocationSummary]
    unshared_peak_bytes: int
    peak_path: Optional[str]
    is_lower_bound: bool
    limit_bytes: Optional[int]
    bytes_at_step: Optional[int]
    live_at_step: Table[PeakBuffer]
    arrays_at_step: int
    donated_result_bytes: int
    donatable: Table[PeakBuffer]
    donatable_bytes: int
    reserved_within_bytes: Optional[int]
    arrays: Table[PeakBuffer]
    map: Optional[SpaceMap]
    padding_bytes: List[int]


@dataclasses.dataclass(repr=False)
class PeakBuffer(Answer):
    """
    Attributes:
        instruction: The name of the instruction that computes the array.
        opcode: The opcode of the instruction.
        kind: "parameter", "constant", "temporary" or "result".
        shape: The shape; null for the table of a tuple.
        padded_bytes: Bytes with padding.
        first: The first step at which the array is live.
        last: The last step at which it is live, included.
        holds_result: Whether the array holds the result of the program, or
            a part of it.
        unpadded_bytes: Bytes without padding.
        op_name: The op_name in the metadata of the instruction; null if it
            has none.
        source_line: The source file and line in the metadata, or of the
            frame that it names; null if it does not have them.
        most_padded: The part of the layout that is padded most; null if
            nothing is padded.
        same_place_as: The array whose place this one shares: its
            instruction and index, "copy.3{1}"; null if it has a place of its
            own.
        path: Where the instruction runs: "while.5 / region_0.425"; null in
            the computation itself.
        is_donated: Whether it is a parameter that the caller donates.
        index: The part of the instruction's result: [1, 0] is element 0 of
            element 1; empty for the whole.
    """

    instruction: str
    opcode: str
    kind: str
    shape: Optional[str]
    padded_bytes: int
    first: int
    last: int
    holds_result: bool
    unpadded_bytes: int
    op_name: Optional[str]
    source_line: Optional[str]
    most_padded: Optional[MostPadded]
    same_place_as: Optional[str]
    path: Optional[str]
    is_donated: bool
    index: List[int]


@dataclasses.dataclass(repr=False)
class AllocationSummary(Answer):
    """One allocation of XLA's buffer assignment.

    Attributes:
        index: XLA's number for it.
        kind: "parameter", "constant", "output", "temporary" or
            "thread-local".
        bytes: Its size.
        values: How many values it holds over time.
        most_used_bytes: The most bytes of it that are in use at once.
        parameter_number: The number of the entry computation's parameter;
            null for other kinds.
    """

    index: int
    kind: str
    bytes: int
    values: int
    most_used_bytes: int
    parameter_number: Optional[int]


@dataclasses.dataclass(repr=False)
class SpaceMap(Answer):
    """Which value lies where in a memory space, and when? Allocations lie one
    above the other: parameters, constants, outputs, temporaries. Thread-local
    memory is not included.

    Attributes:
        title: The module and the memory space: "module jit_step, HBM
            S(0)".
        bytes: The bytes of all allocations.
        steps: The number of steps.
        is_unplaced: Whether the places of the values are unknown. Their
            offsets may then exceed `bytes`, and the picture shows them one
            above another.
        allocations: The allocations.
        values: The values. A value that is live at several separate times
            has a row for each.
        used_bytes: The bytes in use at each step: one entry for each step,
            or empty.
        step_names: The name of the instruction at each step: one entry for
            each step, or empty.
        value_count: The number of all values. A page may have only the
            largest.
    """

    title: str
    bytes: int
    steps: int
    is_unplaced: bool
    allocations: Table[MapAllocation]
    values: Table[MapValue]
    used_bytes: List[int]
    step_names: List[str]
    value_count: int


@dataclasses.dataclass(repr=False)
class MapAllocation(Answer):
    """A range of memory that is there for the whole run.

    Attributes:
        name: "allocation 3", by XLA's number.
        kind: "parameter 0", "constant", "output" or "temporary".
        offset: Where it begins, in bytes.
        bytes: Its size.
    """

    name: str
    kind: str
    offset: int
    bytes: int


@dataclasses.dataclass(repr=False)
class MapValue(Answer):
    """A value that lies at [offset, offset + bytes) at the steps [first,
    last].

    Attributes:
        name: Its instruction and index: "copy.3{1}".
        group: The group that determines its color: its opcode, its source
            line or its kind.
        shape: Its shape.
        source: Where it comes from in the user's program; empty if the
            metadata lacks it.
        offset: Where it begins, in bytes.
        bytes: Its size, with padding.
        first: The first step at which it is there.
        last: The last step at which it is there.
        padding_bytes: How much of it is padding.
    """

    name: str
    group: str
    shape: str
    source: str
    offset: int
    bytes: int
    first: int
    last: int
    padding_bytes: int


@dataclasses.dataclass(repr=False)
class MemoryAnalysis(Answer):
    """The numbers of JAX's memory_analysis() for a compiled program, under the
    same names. Arrays in the memory of the host are only in the sums of the
    host, except for the peak.

    Attributes:
        argument_size_in_bytes: The parameters, including donated ones.
        output_size_in_bytes: The results, including donated parameters
            that hold results, and the table of a tuple.
        alias_size_in_bytes: Donated parameters that hold results. Both
            sums above include them.
        temp_size_in_bytes: The temporaries, including gaps. On TPU only
            those of HBM, in whole slots of 16 KiB, or 0 if they are only
            tables and scalars. It does not include the memory that
            instructions need in VMEM.
        host_argument_size_in_bytes: The parameters in the memory of the
            host.
        host_output_size_in_bytes: The results there.
        host_alias_size_in_bytes: The donated parameters there.
        host_temp_size_in_bytes: The temporaries there.
        peak_memory_in_bytes: Parameters, outputs and constants of all
            memories, each once, and the most that is live at once in one heap
            of temporaries. It is not the number that must fit: gaps are left
            out, and on CPU all temporaries. On TPU it is not even the peak of
            one memory: to the parameters in HBM it adds the greatest of the
            heaps, which is often that of VMEM.
        generated_code_size_in_bytes: The size of the program itself;
            always null, because dumps do not have it.
        is_assigned_by_xla: Whether the sums are over XLA's own
            allocations; else they are over computed ones.
    """

    argument_size_in_bytes: int
    output_size_in_bytes: int
    alias_size_in_bytes: int
    temp_size_in_bytes: int
    host_argument_size_in_bytes: int
    host_output_size_in_bytes: int
    host_alias_size_in_bytes: int
    host_temp_size_in_bytes: int
    peak_memory_in_bytes: int
    generated_code_size_in_bytes: Optional[int]
    is_assigned_by_xla: bool


@dataclasses.dataclass(repr=False)
class ScopedVmemSummary(Answer):
    """The scoped VMEM of a module: the memory that each of its instructions
    reserves for itself while it runs, for windows, their second buffers and
    scratch. It is separate from the arrays in VMEM, and has a limit of its
    own.

    Attributes:
        is_known: Whether the use of instructions is known. Only the dump
            after code generation has it.
        limit_bytes: The most bytes that one instruction may use; null if
            that is not known.
        limit_source: The source of the limit: "request", "compiler
            options", or "generation"; empty if the limit is not known.
        users: How many instructions use some.
        instructions: The instructions that use or reserve some, those that
            use the most first, at most as many as the request has rows.
        over_limit: How many instructions exceed their limit.
        reserving: How many instructions reserve some. If a kernel has a
            limit of its own, every instruction except those that move arrays
            reserves the larger of both limits.
        reserved_bytes: The largest reservation, in bytes; 0 without one.
            No array lies there while the instruction runs.
            SpacePeak.reserved_bytes includes it.
        vmem_bytes: The size of VMEM, in bytes; null if the generation is
            not known.
        busiest_bytes: The most bytes of scoped memory and arrays together
            that are in VMEM during one instruction. It is not compared with a
            limit, because each of the two has its own. Null if it is not
            known, and on v4, whose arrays are in CMEM.
        busiest_instruction: The name of that instruction; empty if it is
            not known.
        largest_bytes: The most bytes that an instruction uses; 0 if none
            does, or if that is not known.
        largest_instruction: The name of that instruction.
        largest_limit_bytes: The most bytes that it may use; null if that
            is not known.
    """

    is_known: bool
    limit_bytes: Optional[int]
    limit_source: str
    users: int
    instructions: Table[ScopedVmemInstruction]
    over_limit: int
    reserving: int
    reserved_bytes: int
    vmem_bytes: Optional[int]
    busiest_bytes: Optional[int]
    busiest_instruction: str
    largest_bytes: int
    largest_instruction: str
    largest_limit_bytes: Optional[int]


@dataclasses.dataclass(repr=False)
class ScopedVmemInstruction(Answer):
    """
    Attributes:
        instruction: The name of the instruction.
        opcode: Its opcode.
        used_bytes: The bytes that it uses; 0 if none, or if that is not
            known.
        reserved_bytes: The bytes that it reserves; null if none.
        limit_bytes: The most bytes that it may use; null if that is not
            known.
        is_over_limit: Whether it uses more than that.
        op_name: The op_name in its metadata; null if it has none.
        source_line: The source file and line in its metadata, or of the
            frame that the metadata names; null if it has none.
        computation: The name of its computation.
    """

    instruction: str
    opcode: str
    used_bytes: int
    reserved_bytes: Optional[int]
    limit_bytes: Optional[int]
    is_over_limit: bool
    op_name: Optional[str]
    source_line: Optional[str]
    computation: str


@dataclasses.dataclass(repr=False)
class ArrayMove(Answer):
    """An instruction that only moves an array to another place or order.

    Attributes:
        instruction: The name of the instruction.
        opcode: Its opcode.
        from_shape: The shape before the move.
        to_shape: The shape after the move.
        bytes: The bytes of the array after the move, with padding.
        is_free: Whether it moves nothing, because every element keeps its
            place.
        is_fused: Whether it moves nothing in memory, because it is inside
            a fusion.
        moves: What it changes: "layout", "memory space" or "host".
        producer: The name of the instruction that makes the array; null if
            none does.
        user: The name of the first instruction that uses the result; null
            if none does.
    """

    instruction: str
    opcode: str
    from_shape: str
    to_shape: str
    bytes: int
    is_free: bool
    is_fused: bool
    moves: str
    producer: Optional[str]
    user: Optional[str]


@dataclasses.dataclass(repr=False)
class OriginSum(Answer):
    """The instructions of one opcode, source line and op_name.

    Attributes:
        opcode: The opcode.
        source_line: The source file and line; empty if the metadata lacks
            it.
        op_name: The op_name; empty if the metadata lacks it.
        instructions: How many instructions there are.
        unpadded_bytes: Bytes without padding.
        padded_bytes: Bytes with padding.
    """

    opcode: str
    source_line: str
    op_name: str
    instructions: int
    unpadded_bytes: int
    padded_bytes: int


@dataclasses.dataclass(repr=False)
class PictureResult(Answer):
    """An axis has a cell for every coordinate of its dimension, and for every
    coordinate that padding adds after the bound and in between.

    Attributes:
        rows: The axis that runs down.
        columns: The axis that runs across.
        index: The index at which the dimensions that are not drawn are
            held.
        levels: The levels of tiles, outermost first.
        kinds: The kind of each cell of the window, row by row. A cell that
            is not an element and has no position is a GAP, and its linear
            index is -1.
        linear_indices: The linear index of each cell of the window, row by
            row; -1 if it has none.
        tiles: The numbers of the tiles that each cell lies in, one for
            each level, counted row by row.
        colors: A color for each cell, 0 to 5: that of its outermost tile,
            which differs from those of neighbouring tiles.
        path: The numbers of the cells, in the order of memory.
        memory: The positions that the request lists. Empty for a GENERAL
            layout, whose positions may be shared.
        legend: What the picture shows, in words.
        elements: The number of elements.
        position_count: The number of positions: elements and padding.
        shares_positions: Whether elements may share a position.
        drawing: The picture of threads, banks or operations.
    """

    rows: Optional[PictureAxis]
    columns: Optional[PictureAxis]
    index: List[int]
    levels: Table[PictureLevel]
    kinds: List[str]
    linear_indices: List[int]
    tiles: List[int]
    colors: List[int]
    path: List[int]
    memory: Table[MemoryPlace]
    legend: Table[PictureNote]
    elements: int
    position_count: int
    shares_positions: bool
    drawing: Optional[DrawingResult]


@dataclasses.dataclass(repr=False)
class PictureAxis(Answer):
    """
    Attributes:
        dimension: The dimension; absent if the axis has no dimension, only
            one row or column.
        bound: The bound of the dimension.
        count: How many cells the axis has, padding included.
        window: The cells that are drawn.
        coordinates: The coordinate of each cell of the window; -1 for
            padding in between.
        phase: A tile begins at each cell whose number plus `phase` is a
            multiple of the extent of the tile. Not 0 where a tile joins this
            dimension with others.
    """

    dimension: Optional[int]
    bound: int
    count: int
    window: Optional[CellRange]
    coordinates: List[int]
    phase: int


@dataclasses.dataclass(repr=False)
class CellRange(Answer):
    """
    Attributes:
        first: The number of the first cell or position.
        count: How many there are.
    """

    first: int
    count: int


@dataclasses.dataclass(repr=False)
class PictureLevel(Answer):
    """
    Attributes:
        rows: How many cells a tile has down.
        columns: How many cells a tile has across.
    """

    rows: int
    columns: int


@dataclasses.dataclass(repr=False)
class MemoryPlace(Answer):
    """
    Attributes:
        linear_index: The linear index of the position.
        kind: What lies there.
        index: The index of an element; empty for padding.
        cell: The number of its cell; absent if that is not drawn.
    """

    linear_index: int
    kind: str
    index: List[int]
    cell: Optional[int]


@dataclasses.dataclass(repr=False)
class PictureNote(Answer):
    """
    Attributes:
        subject: What the sentence is about.
        level: The level of TILES, 0 for the outermost.
        text: The sentence.
    """

    subject: str
    level: int
    text: str


@dataclasses.dataclass(repr=False)
class DrawingResult(Answer):
    """
    Attributes:
        svg: An SVG document. The text of a cell has the number of its
            thread in `data-thread`.
    """

    svg: str


@dataclasses.dataclass(repr=False)
class TtnnResult(Answer):
    """A shape of two entries has rows and columns.

    Attributes:
        shape: The sizes of the dimensions.
        strides: The strides, in elements.
        rows: The number of rows when all dimensions but the last are
            stacked.
        width: The size of the last dimension.
        shard_shape: The logical shard.
        tile_shape: The height and width of a tile.
        physical_shard_shape: The shard, padded to whole tiles.
        grid_shape: The number of shards down and across.
        physical_shape: All physical shards together, with the last one of
            each direction padded to whole tiles only.
        allocated_shape: All physical shards together, with the last ones
            in full.
        layout: TTNN's name of the layout: "row_major", "tile".
        map: The affine map from an index to a row and column of the stack.
        data_type: The data type in tt-mlir's words, if the question has
            one.
        memory_config: The memory configuration in tt-mlir's words, if the
            question is about a card.
        buffer: The memory that the tensor takes on a card; absent if that
            is not the question.
        locations: Where the element of each index lies.
    """

    shape: List[int]
    strides: List[int]
    rows: int
    width: int
    shard_shape: List[int]
    tile_shape: List[int]
    physical_shard_shape: List[int]
    grid_shape: List[int]
    physical_shape: List[int]
    allocated_shape: List[int]
    layout: str
    map: str
    data_type: str
    memory_config: str
    buffer: Optional[TensorBuffer]
    locations: Table[BufferLocation]


@dataclasses.dataclass(repr=False)
class PeakResult(Answer):
    """
    Attributes:
        modules: One entry for each module, in the order of the text.
        reading: How much of the text was read.
    """

    modules: Table[ModulePeak]
    reading: Optional[DumpReading]


@dataclasses.dataclass(repr=False)
class DumpReading(Answer):
    """How much of a text was read.

    Attributes:
        diagnostics: The first mistakes, at most as many as the request has
            rows.
        diagnostic_count: How many mistakes there are in all.
        is_merely_cut_off: Whether the only mistake is that the text breaks
            off.
    """

    diagnostics: Table[TextNote]
    diagnostic_count: int
    is_merely_cut_off: bool


@dataclasses.dataclass(repr=False)
class DiffResult(Answer):
    """
    Attributes:
        before_file: The name in the request.
        after_file: The name in the request.
        modules: The pairs of modules, matched by their order.
        before_reading: How much of the first text was read.
        after_reading: How much of the second text was read.
        tessera_version: The version of Tessera that gave the answer:
            "0.3.0".
    """

    before_file: str
    after_file: str
    modules: Table[ModuleChange]
    before_reading: Optional[DumpReading]
    after_reading: Optional[DumpReading]
    tessera_version: str


@dataclasses.dataclass(repr=False)
class ModuleChange(Answer):
    """
    Attributes:
        before: The name of the module in the first dump; null if only the
            second has it.
        after: The name of the module in the second dump; null if only the
            first has it.
        matched_by_name: How many instructions that matched neither by
            structure nor by signature match by name.
        matched_by_signature: How many instructions that did not match by
            structure match by opcode, dimensions and op_name, or by op_name
            and one of the others.
        appeared: How many instructions are only in the second dump.
        vanished: How many instructions are only in the first dump.
        total: The sum over the arrays that "counted" names, as if each had
            memory of its own.
        by_memory_space: The same for each memory space, by its number.
        peak_bytes: The peak of each memory space, by its number; null
            unless both modules have a peak.
        reason: Why the peaks are not known; null if they are, or if only
            one dump has the module.
        change_count: How many arrays changed in all.
        changes: The changes, by bytes, largest first, at most as many as
            the request has rows.
        target: The device of the second module, or of the first if there
            is no second: "tpu", "gpu", "cpu" or "none".
        is_text_order_assumed: As in ModulePeak, of either module.
        matched_by_structure: How many instructions match because they
            compute the same, or because they are neighbours of such
            instructions.
        counted: What the sums and the changes count: "buffers", or
            "results" if a module does not have an ENTRY.
        group_count: How many groups the changes form.
        groups: The groups, those of the most bytes first, at most as many
            as the request has rows.
        is_unscheduled: Whether the peaks are unknown only because one or
            both modules are not scheduled.
        passes: Where the two compilations part ways; null unless both have
            dumps of passes.
    """

    before: Optional[str]
    after: Optional[str]
    matched_by_name: int
    matched_by_signature: int
    appeared: int
    vanished: int
    total: Optional[ArraySumChange]
    by_memory_space: Dict[int, SpaceSumChange]
    peak_bytes: Optional[Dict[int, SpacePeakChange]]
    reason: Optional[str]
    change_count: int
    changes: Table[ChangedArray]
    target: str
    is_text_order_assumed: bool
    matched_by_structure: int
    counted: str
    group_count: int
    groups: Table[ChangedGroup]
    is_unscheduled: bool
    passes: Optional[PassesChange]


@dataclasses.dataclass(repr=False)
class ArraySumChange(Answer):
    """
    Attributes:
        before: The sum before the change.
        after: The sum after the change.
    """

    before: Optional[ArraySum]
    after: Optional[ArraySum]


@dataclasses.dataclass(repr=False)
class ArraySum(Answer):
    """
    Attributes:
        arrays: How many arrays there are.
        unpadded_bytes: Bytes without padding.
        padded_bytes: Bytes with padding.
        is_saturated: Whether a sum exceeded 2^63-1; it then stays at
            2^63-1.
    """

    arrays: int
    unpadded_bytes: int
    padded_bytes: int
    is_saturated: bool


@dataclasses.dataclass(repr=False)
class SpaceSumChange(Answer):
    """
    Attributes:
        name: The name of the memory space: "HBM".
        before: The sum before the change.
        after: The sum after the change.
    """

    name: str
    before: Optional[ArraySum]
    after: Optional[ArraySum]


@dataclasses.dataclass(repr=False)
class SpacePeakChange(Answer):
    """
    Attributes:
        name: The name of the memory space.
        before: The peak before the change, in bytes.
        after: The peak after the change, in bytes.
        reserved_before: The bytes that XLA reserves for the whole run,
            before the change.
        reserved_after: Like `reserved_before`, but after the change.
        assigned_before: The bytes that XLA itself assigned before the
            change; null unless both modules have an assignment.
        assigned_after: Like `assigned_before`, but after the change.
        group_count: The number of groups of the arrays that are at only
            one of the peaks, or have another size there.
        groups: The groups, those of the most bytes first, at most as many
            as the request has rows. All groups together add up to the
            difference of the peaks.
    """

    name: str
    before: int
    after: int
    reserved_before: int
    reserved_after: int
    assigned_before: Optional[int]
    assigned_after: Optional[int]
    group_count: int
    groups: Table[ChangedGroup]


@dataclasses.dataclass(repr=False)
class ChangedGroup(Answer):
    """Changes with equal shapes, the same source line and the same op_name
    except for its numbers. Those without op_name have equal opcodes, too.

    Attributes:
        change: As in ChangedArray. For arrays at a peak: "new", "gone", or
            the kind of change.
        count: How many arrays there are.
        before_shape: The shape of each before the change; null if they
            appeared.
        after_shape: The shape of each after the change; null if they
            vanished.
        before_bytes: The bytes of all of them before the change, with
            padding.
        after_bytes: The bytes of all of them after the change, with
            padding.
        op_name: The op_name of their instructions, with "*" for numbers
            that differ; empty if the metadata lacks it.
        source_line: The source line: "model.py:12"; empty if the metadata
            lacks it.
        instruction: The name of the first of the instructions.
        opcode: The opcode of the first of the instructions.
        before_pass: The pass that made the arrays before the change, or
            the last that changed them if they are in both dumps; null without
            dumps of passes.
        after_pass: Like `before_pass`, but after the change.
    """

    change: str
    count: int
    before_shape: Optional[str]
    after_shape: Optional[str]
    before_bytes: int
    after_bytes: int
    op_name: str
    source_line: str
    instruction: str
    opcode: str
    before_pass: Optional[PassName]
    after_pass: Optional[PassName]


@dataclasses.dataclass(repr=False)
class PassName(Answer):
    """The pass that had just run when a dump was written.

    Attributes:
        file: The name of the file.
        number: XLA's count of the dumps of the module; null for a dump
            that a pass did not write.
        pipeline: The pipeline that ran the pass; empty for a dump that a
            pass did not write.
        name: The pass: "algsimp". "pipeline-start" at the start of a
            pipeline. For a dump that a pass did not write, the stage:
            "after_optimizations".
    """

    file: str
    number: Optional[int]
    pipeline: str
    name: str


@dataclasses.dataclass(repr=False)
class ChangedArray(Answer):
    """An array in the result of an instruction.

    Attributes:
        change: "appeared"; "vanished"; "fused" or "unfused", if the
            instruction is in both dumps, but inside a fusion or similar
            computation in one of them; or one or more of "shape", "order",
            "tiles", "memory space" and "other", joined by "+".
        computation: The computation of the instruction.
        opcode: The opcode of the instruction.
        before: The name of the instruction in the first dump; null if only
            the second has it.
        after: The name of the instruction in the second dump; null if only
            the first has it.
        array: The number of the array in the result, counted from 0.
        before_shape: The shape before the change; null if the array
            appeared.
        after_shape: The shape after the change; null if the array
            vanished.
        before_bytes: The bytes before the change, with padding.
        after_bytes: The bytes after the change, with padding.
        before_pass: As in ChangedGroup.
        after_pass: As in ChangedGroup.
    """

    change: str
    computation: str
    opcode: str
    before: Optional[str]
    after: Optional[str]
    array: int
    before_shape: Optional[str]
    after_shape: Optional[str]
    before_bytes: int
    after_bytes: int
    before_pass: Optional[PassName]
    after_pass: Optional[PassName]


@dataclasses.dataclass(repr=False)
class PassesChange(Answer):
    """Two dumps are alike if they have the same arrays, by opcode, shape and
    layout.

    Attributes:
        before_dumps: How many dumps of the first module there are.
        after_dumps: How many dumps of the second module there are.
        before_alike: The last dump of the first module that is like one of
            the second; null if none is.
        after_alike: The last dump of the second module that is like
            `before_alike`.
        before_next: What the next pass did in the first module; null if
            there is none.
        after_next: What the next pass did in the second module; null if
            there is none.
    """

    before_dumps: int
    after_dumps: int
    before_alike: Optional[PassName]
    after_alike: Optional[PassName]
    before_next: Optional[ModulePass]
    after_next: Optional[ModulePass]


@dataclasses.dataclass(repr=False)
class ModulePass(Answer):
    """What a pass did, compared with the dump before. The counts of changes
    are 0 for the first dump. Bytes include padding.

    Attributes:
        pass_name: The pass.
        instructions: How many instructions there are after it.
        new_instructions: How many of these are new.
        gone_instructions: How many instructions are gone.
        array_count: How many arrays there are after it.
        bytes: Their bytes, as if none shared memory.
        new_count: How many of these arrays are new.
        new_bytes: Their bytes.
        gone_count: How many arrays are gone.
        gone_bytes: Their bytes.
        changed_count: How many arrays have another type, other dimensions
            or another layout.
        changed_before_bytes: Their bytes before the pass.
        changed_after_bytes: Their bytes after the pass.
        new_arrays: The largest new arrays, at most as many as the request
            has rows.
        before_bytes: The bytes of all arrays before the pass.
    """

    pass_name: Optional[PassName]
    instructions: int
    new_instructions: int
    gone_instructions: int
    array_count: int
    bytes: int
    new_count: int
    new_bytes: int
    gone_count: int
    gone_bytes: int
    changed_count: int
    changed_before_bytes: int
    changed_after_bytes: int
    new_arrays: Table[PassArray]
    before_bytes: int


@dataclasses.dataclass(repr=False)
class PassArray(Answer):
    """
    Attributes:
        instruction: The name of the instruction.
        opcode: The opcode of the instruction.
        computation: The computation of the instruction.
        array: The number of the array in the result, counted from 0.
        shape: Its shape.
        bytes: Bytes with padding.
        op_name: The op_name of the instruction; empty if the metadata
            lacks it.
        source_line: The source line: "model.py:12"; empty if the metadata
            lacks it.
        made_by: For an array of the last dump, the pass that made it: the
            first dump that has it. Null for new arrays of a pass.
        made_as: The name of its instruction in that dump.
        made_as_opcode: The opcode of its instruction in that dump.
        changed_by: The last pass that changed its type, dimensions or
            layout; null if none did.
    """

    instruction: str
    opcode: str
    computation: str
    array: int
    shape: str
    bytes: int
    op_name: str
    source_line: str
    made_by: Optional[PassName]
    made_as: str
    made_as_opcode: str
    changed_by: Optional[PassName]


@dataclasses.dataclass(repr=False)
class PartsResult(Answer):
    """
    Attributes:
        canonical: The text of the layout.
        xla: The parts of an XLA array. An entry `*` of a tile is -1.
        cute: The parts of a CuTe layout.
        tensor: The choices from which such a tensor is derived.
    """

    canonical: str
    xla: Optional[ShapeProto]
    cute: Optional[CuteParts]
    tensor: Optional[TensorParts]


@dataclasses.dataclass(repr=False)
class CuteParts(Answer):
    """
    Attributes:
        shape: The shape.
        stride: The stride, nested like the shape.
        swizzle: The swizzle; absent without one.
        offset: The offset that is added before the swizzle; 0 without one.
    """

    shape: Optional[IntTupleParts]
    stride: Optional[IntTupleParts]
    swizzle: Optional[SwizzleParts]
    offset: int


@dataclasses.dataclass(repr=False)
class IntTupleParts(Answer):
    """An integer, or a tuple of integers and tuples.

    Attributes:
        value: The integer; absent for a tuple.
        modes: The entries of a tuple; empty for an integer.
    """

    value: Optional[int]
    modes: Table[IntTupleParts]


@dataclasses.dataclass(repr=False)
class SwizzleParts(Answer):
    """Sw<bits,base,shift>.

    Attributes:
        bits: How many bits the swizzle changes.
        base: The lowest bit of the two groups of bits.
        shift: The distance between the two groups.
    """

    bits: int
    base: int
    shift: int


@dataclasses.dataclass(repr=False)
class TensorParts(Answer):
    """
    Attributes:
        shape: The sizes of the tensor.
        grid: The sizes of the grid of cells.
        scalar_type: The keyword of the element type: "f32", or for tiles
            "bfp_bf8".
        tile_shape: The height and width of a tile; empty without tiles.
        collapse_intervals: As in DeriveRequest. If an answer has neither
            these nor `no_collapse`, the map does more than join neighbouring
            dimensions.
        no_collapse: No dimensions are joined.
        alignments: As in DeriveRequest. Always empty in an answer, since
            strides do not determine the alignments that they were made from.
        memory_space_name: The name of the memory space: "l1", "dram".
        oob_value: The value of padding: "undef", "zero". Empty if the
            layout does not have it.
    """

    shape: List[int]
    grid: List[int]
    scalar_type: str
    tile_shape: List[int]
    collapse_intervals: List[int]
    no_collapse: bool
    alignments: List[int]
    memory_space_name: str
    oob_value: str


@dataclasses.dataclass(repr=False)
class ExplainTextResult(Answer):
    """
    Attributes:
        kind: "a message about memory", "a buffer assignment", "an HLO
            instruction" or "a layout of JAX".
        message: The contents of a message; null if the text is of another
            kind.
        assignment: The contents of a buffer assignment; null if the text
            is of another kind.
        instruction: The instruction; null if the text is of another kind.
        layout: The layout; null if the text is of another kind.
        advice: The next steps, one sentence each.
        other_messages: The other messages of a text with several, each
            explained.
    """

    kind: str
    message: Optional[MemoryStatement]
    assignment: Optional[AssignmentStatement]
    instruction: Optional[InstructionStatement]
    layout: Optional[JaxLayoutStatement]
    advice: List[str]
    other_messages: Table[ExplainTextResult]


@dataclasses.dataclass(repr=False)
class MemoryStatement(Answer):
    """A message of XLA about memory that ran out. Numbers of bytes are rounded
    to a few digits, as XLA prints them.

    Attributes:
        kind: "totals": the program needs more than the memory has; "list":
            the same, with the largest allocations; "allocation": one
            allocation is larger than the memory; "scoped": one instruction
            needs more scoped memory than its limit; "load": there was no room
            for the program when it was loaded; "request": an allocation failed
            while the program ran.
        target: "tpu" or "gpu"; empty if the message does not determine it.
        error_code: "E1000"; empty if there is none.
        memory_space: "hbm", "vmem"; empty if the message lacks it.
        module: The name of the module; empty if the message lacks it.
        needed_bytes: The needed bytes; null if the message lacks them.
        available_bytes: The available bytes; null if the message lacks
            them.
        excess_bytes: The bytes by which the need exceeds that; null if not
            known.
        sums: The sums before a list: "program", "program: HLO temp",
            "arguments".
        allocations: The listed allocations, in groups of equal ones, the
            largest group first; at most as many groups as the request has
            rows.
        allocation_count: How many allocations are listed in all.
        listed_bytes: Their bytes.
        instruction: The instruction that needs too much scoped memory;
            null if there is none.
        blocks: For a kernel that needs too much: blocks of its results and
            operands that together fit into the limit. All are cut into about
            the same number of parts. Each block counts with two buffers, and
            the other needs of the kernel count, too. Empty if the message has
            no shapes.
    """

    kind: str
    target: str
    error_code: str
    memory_space: str
    module: str
    needed_bytes: Optional[int]
    available_bytes: Optional[int]
    excess_bytes: Optional[int]
    sums: Table[StatedSum]
    allocations: Table[AllocationStatement]
    allocation_count: int
    listed_bytes: int
    instruction: Optional[InstructionStatement]
    blocks: Table[FittingKernelBlock]


@dataclasses.dataclass(repr=False)
class StatedSum(Answer):
    """
    Attributes:
        name: The name, as in the message.
        bytes: The bytes, rounded.
    """

    name: str
    bytes: int


@dataclasses.dataclass(repr=False)
class AllocationStatement(Answer):
    """
    Attributes:
        count: How many of the listed allocations are equal in shape, size,
            op_name, type and tag.
        bytes: The bytes of one, as stated.
        shape: The shape as it is printed; empty if there is none.
        tiled_shape: The same shape with the tiles that give the stated
            size, if it is printed without tiles; null if tiles were not
            searched, or if none give that size.
        tilings: How many of TPU's usual tilings give the stated size, if
            tiles were searched.
        unpadded_bytes: The bytes of the elements alone; null if the shape
            cannot be read.
        padded_bytes: The exact bytes of one such array; null if the shape
            cannot be read.
        copies: How many such arrays make the stated size; 0 if no number
            does.
        most_padded: The part of the layout that is padded most; null if
            nothing is padded.
        better_minor_to_major: The order of dimensions, minor to major, in
            which the array would take the least memory; empty if no order is
            better than its own.
        better_bytes: The bytes that it would take in that order; null if
            no order is better.
        op_name: The op_name of the metadata; empty if there is none.
        source_line: The source file and line of the metadata; empty if
            there is none.
        instruction: The name of the first of the instructions, or the
            label that the list has instead.
        type: "HLO temp", "scoped"; empty if the list lacks it.
        tag: "scratch operand"; empty if there is none.
        window: The window of a kernel's operand; null for other
            allocations.
    """

    count: int
    bytes: int
    shape: str
    tiled_shape: Optional[str]
    tilings: int
    unpadded_bytes: Optional[int]
    padded_bytes: Optional[int]
    copies: int
    most_padded: Optional[MostPadded]
    better_minor_to_major: List[int]
    better_bytes: Optional[int]
    op_name: str
    source_line: str
    instruction: str
    type: str
    tag: str
    window: Optional[WindowStatement]


@dataclasses.dataclass(repr=False)
class WindowStatement(Answer):
    """The part of an operand that a kernel has in VMEM at one time.

    Attributes:
        window: Its shape.
        full: The shape of the operand.
        buffers: The number of its buffers.
        bytes: The bytes of one buffer, as stated.
        blocks: The largest blocks that fit, for each limit.
    """

    window: str
    full: str
    buffers: int
    bytes: int
    blocks: Table[BlockStatement]


@dataclasses.dataclass(repr=False)
class BlockStatement(Answer):
    """
    Attributes:
        limit_bytes: The limit.
        limit: The origin of the limit: "all of the memory", "the default
            limit of v4, v5e and v5p".
        block: The shape of the block.
        bytes: The bytes of all its buffers.
    """

    limit_bytes: int
    limit: str
    block: str
    bytes: int


@dataclasses.dataclass(repr=False)
class InstructionStatement(Answer):
    """An instruction without its module.

    Attributes:
        name: Its name, without '%'.
        opcode: Its opcode.
        results: The arrays of its result.
        operands: The arrays of its operands, if the text has their shapes.
        is_bitcast: For an instruction that only moves its one operand:
            whether the buffer of the operand could be read as the result, so
            that nothing moves. Null for other instructions, and if the answer
            takes too long.
        differences: If `is_bitcast` is false, the differences: "the order
            of dimensions", "tiles", "memory space" or "the size of elements".
        op_name: The op_name of the metadata; empty if there is none.
        source_line: The source file and line of the metadata; empty if
            there is none.
    """

    name: str
    opcode: str
    results: Table[ArrayStatement]
    operands: Table[ArrayStatement]
    is_bitcast: Optional[bool]
    differences: List[str]
    op_name: str
    source_line: str


@dataclasses.dataclass(repr=False)
class ArrayStatement(Answer):
    """
    Attributes:
        name: The name of the operand; empty for a result.
        shape: The shape.
        unpadded_bytes: Bytes without padding.
        padded_bytes: Bytes with padding.
        most_padded: The part of the layout that is padded most; null if
            nothing is padded.
        better_minor_to_major: As in AllocationStatement.
        better_bytes: As in AllocationStatement.
    """

    name: str
    shape: str
    unpadded_bytes: int
    padded_bytes: int
    most_padded: Optional[MostPadded]
    better_minor_to_major: List[int]
    better_bytes: Optional[int]


@dataclasses.dataclass(repr=False)
class FittingKernelBlock(Answer):
    """A block of an operand or of a result of a kernel.

    Attributes:
        name: The name of the operand; empty for a result.
        block: Its shape.
        bytes: The bytes of two buffers of it in VMEM.
    """

    name: str
    block: str
    bytes: int


@dataclasses.dataclass(repr=False)
class AssignmentStatement(Answer):
    """A buffer assignment without its module.

    Attributes:
        spaces: The memory spaces, by number. The number is XLA's color.
            XLA's names of colors differ from those of memory spaces.
        problem_count: How many lines could not be read.
        problems: The first of these.
    """

    spaces: Dict[int, AssignedSpaceStatement]
    problem_count: int
    problems: Table[TextNote]


@dataclasses.dataclass(repr=False)
class AssignedSpaceStatement(Answer):
    """
    Attributes:
        assigned_bytes: The bytes that XLA assigned, without thread-local
            memory.
        parameter_bytes: The parameters of the program.
        constant_bytes: The constants.
        output_bytes: The results that do not share the memory of a
            parameter.
        temporary_bytes: The temporaries.
        allocation_count: How many allocations there are, except
            thread-local ones.
        peak_bytes: The most bytes that are in use at one step; null
            without live ranges.
        peak_position: The first step at which that is reached; null
            without live ranges.
        peak_instruction: The instruction of that step; null without live
            ranges.
        values: The values that are live at the peak, the largest first, at
            most as many as the request has rows. Without live ranges, the
            largest of all values.
        value_count: How many values these were chosen from.
    """

    assigned_bytes: int
    parameter_bytes: int
    constant_bytes: int
    output_bytes: int
    temporary_bytes: int
    allocation_count: int
    peak_bytes: Optional[int]
    peak_position: Optional[int]
    peak_instruction: Optional[str]
    values: Table[PlacedValue]
    value_count: int


@dataclasses.dataclass(repr=False)
class PlacedValue(Answer):
    """Where a value lies.

    Attributes:
        name: "fusion.3{1}".
        shape: As written.
        bytes: Its size.
        allocation: XLA's number for the allocation.
        kind: As in AllocationSummary.
        offset: Where in the allocation it begins, in bytes.
        first: The first step at which it is there; null without a live
            range.
        last: The last step at which it is there; null without a live
            range.
        most_padded: The part of the layout that is padded most; null if
            nothing is.
    """

    name: str
    shape: str
    bytes: int
    allocation: int
    kind: str
    offset: int
    first: Optional[int]
    last: Optional[int]
    most_padded: Optional[MostPadded]


@dataclasses.dataclass(repr=False)
class JaxLayoutStatement(Answer):
    """A layout of JAX, Layout(major_to_minor=...).

    Attributes:
        layout: The layout as XLA writes it: "{1,0:T(8,128)}".
        array: The array with this layout, if the text has a shape next to
            it; otherwise null.
    """

    layout: str
    array: Optional[ArrayStatement]


@dataclasses.dataclass(repr=False)
class KernelVmemResult(Answer):
    """
    Attributes:
        blocks: The blocks, followed by the scratch.
        total_bytes: The bytes of all of them. The compiler adds memory of
            its own, and leaves out blocks of operands and results that are in
            VMEM as a whole.
        limits: Whether that fits: one entry for each limit of a
            generation, or one for the limit of the request.
    """

    blocks: Table[KernelVmemBlock]
    total_bytes: int
    limits: Table[KernelVmemLimit]


@dataclasses.dataclass(repr=False)
class KernelVmemBlock(Answer):
    """
    Attributes:
        shape: The shape, with the layout that it has in VMEM.
        is_scratch: Whether it is scratch.
        unpadded_bytes: The bytes of one, without padding.
        padded_bytes: The bytes of one, with padding.
        buffers: How many there are.
        total_bytes: The bytes of all of them, with padding.
        most_padded: The part of the layout that is padded most; null if
            nothing is padded.
    """

    shape: str
    is_scratch: bool
    unpadded_bytes: int
    padded_bytes: int
    buffers: int
    total_bytes: int
    most_padded: Optional[MostPadded]


@dataclasses.dataclass(repr=False)
class KernelVmemLimit(Answer):
    """
    Attributes:
        generations: The generations that have this limit; empty for that
            of the request.
        limit_bytes: The most bytes of scoped VMEM that a kernel may take.
        fits: Whether the blocks fit into that limit.
    """

    generations: List[str]
    limit_bytes: int
    fits: bool


@dataclasses.dataclass(repr=False)
class ModulePasses(Answer):
    """
    Attributes:
        files: The common start of the names of the files:
            "module_0001.jit_f".
        module: The name of the module in the last dump.
        passes: One for each dump, in order.
        array_count: How many arrays the last dump has.
        arrays: The largest of them.
        tessera_version: The version of Tessera that gave the answer:
            "0.3.0".
    """

    files: str
    module: str
    passes: Table[ModulePass]
    array_count: int
    arrays: Table[PassArray]
    tessera_version: str


@dataclasses.dataclass(repr=False)
class TtReportResult(Answer):
    """Lists have the largest or first entries; `counts` counts all. A bank is
    a channel of DRAM or the L1 of a core. The allocator takes the same number
    of bytes from each bank, so the bytes of one bank determine how full the
    memory is.

    Attributes:
        file: The name in the request.
        card: The card that the sizes are for.
        counts: The number of entries of each kind.
        memory: The sums for each memory: L1 first, then DRAM, then others.
        tensors: The distinct tensors, those that take the most of a bank
            first.
        layouts: The distinct layouts that are written out, in the order of
            the text.
        memrefs: The distinct memrefs, those that take the most of a bank
            first.
        errors: The rules that are broken, and the types that cannot be
            read.
        warnings: Findings that break no rule.
        operations: The operations of all functions.
        functions: The functions, those with the largest peak of L1 first.
            The one with the largest peak of DRAM is among them.
        size_asked: Whether the request asks for a size.
        asked_bytes: The requested size, in bytes.
        matches: The tensors and memrefs of that size.
        undefined: The names without a definition. Types that use them
            cannot be read.
        notes: The assumptions that the reader had to make.
    """

    file: str
    card: Optional[TtCard]
    counts: Optional[TtCounts]
    memory: Table[TtMemory]
    tensors: Table[TtItem]
    layouts: Table[TtItem]
    memrefs: Table[TtItem]
    errors: Table[TtFinding]
    warnings: Table[TtFinding]
    operations: Optional[TtOperations]
    functions: Table[TtFunction]
    size_asked: bool
    asked_bytes: int
    matches: Table[TtSizeMatch]
    undefined: Table[TtUndefinedName]
    notes: List[str]


@dataclasses.dataclass(repr=False)
class TtCard(Answer):
    """
    Attributes:
        source: The source of the numbers: "#ttcore.system_desc in line 3",
            "wormhole_b0", "wormhole_b0, assumed".
        assumed: Whether nothing determines the card.
        l1_banks: How many banks of L1 there are, one for each core.
        l1_bank_bytes: The bytes that the allocator can give from a bank of
            L1.
        dram_banks: How many banks of DRAM there are.
        dram_bank_bytes: The size of a bank of DRAM.
    """

    source: str
    assumed: bool
    l1_banks: int
    l1_bank_bytes: int
    dram_banks: int
    dram_bank_bytes: int


@dataclasses.dataclass(repr=False)
class TtCounts(Answer):
    """How many entries there are, and how often the text has them.

    Attributes:
        tensors: Distinct tensors.
        tensor_uses: How often tensors are written.
        layouts: Distinct layouts that are written out.
        layout_uses: How often these are written.
        memrefs: Distinct memrefs.
        memref_uses: How often memrefs are written.
        errors: The entries of `errors`.
        warnings: The entries of `warnings`.
        functions: The functions with tensors or memrefs.
    """

    tensors: int
    tensor_uses: int
    layouts: int
    layout_uses: int
    memrefs: int
    memref_uses: int
    errors: int
    warnings: int
    functions: int


@dataclasses.dataclass(repr=False)
class TtMemory(Answer):
    """Sums over the distinct tensors and memrefs in one memory, in bytes.

    Attributes:
        memory: "l1", "dram", "system_memory", ...
        items: Distinct tensors and memrefs.
        uses: How often these are written.
        largest_per_bank: The most that one of them takes of a bank.
        taken: The bytes of their aligned pages, in all banks.
        data: The bytes of the elements in that, if they are known.
        tile_padding: The padding from rounding up to whole tiles.
        grid_padding: The padding from rounding up to whole shards.
        gaps: The bytes of positions that no index has.
        page_padding: The padding from the alignment of pages and banks.
    """

    memory: str
    items: int
    uses: int
    largest_per_bank: int
    taken: int
    data: int
    tile_padding: int
    grid_padding: int
    gaps: int
    page_padding: int


@dataclasses.dataclass(repr=False)
class TtItem(Answer):
    """A tensor, a layout or a memref.

    Attributes:
        written: The text as it is first written.
        text: The text with its aliases replaced.
        line: The line in which it is first written.
        column: The column in that line, in bytes, counted from 1.
        uses: How often it is written.
        alias_uses: How often an alias of all of it is used.
        form: "ttnn_layout", "ttnn_nd_layout", "metal_layout", or for a
            memref "shard", "view", "interleaved", "circular buffer", "host",
            "strided", "core-local".
        memory: "l1", "dram", "system_memory"; empty if there is none.
        memory_layout: "interleaved", "height_sharded", "sharded"; empty if
            there is none.
        shape: The sizes: "32x60".
        element: The type of the elements: "bf16".
        grid: The grid of cores: "8x8".
        sizes: The sizes; absent if the text does not determine them.
    """

    written: str
    text: str
    line: int
    column: int
    uses: int
    alias_uses: int
    form: str
    memory: str
    memory_layout: str
    shape: str
    element: str
    grid: str
    sizes: Optional[TtSizes]


@dataclasses.dataclass(repr=False)
class TtSizes(Answer):
    """The sizes of a tensor, a layout or a memref, in bytes.

    Attributes:
        written_per_bank: The bytes per bank, by the memref in the text.
        content_per_bank: The bytes per bank without the alignment of
            pages.
        content: The bytes in all banks, without the alignment of pages.
        taken_per_bank: The bytes that the allocator takes from each bank,
            in use or not.
        taken: The bytes of the aligned pages, in all banks.
        pages: The number of pages; absent if the layout does not determine
            it.
        page: The bytes of a page, aligned.
        banks_in_use: The number of banks that hold a part of it.
        data: The bytes of the elements in `taken`; absent if they are not
            known.
        tile_padding: As in TtMemory.
        grid_padding: As in TtMemory.
        gaps: As in TtMemory.
        page_padding: As in TtMemory.
    """

    written_per_bank: Optional[int]
    content_per_bank: int
    content: int
    taken_per_bank: int
    taken: int
    pages: Optional[int]
    page: Optional[int]
    banks_in_use: int
    data: Optional[int]
    tile_padding: int
    grid_padding: int
    gaps: int
    page_padding: int


@dataclasses.dataclass(repr=False)
class TtFinding(Answer):
    """One rule and one message, with all types that it is about.

    Attributes:
        finding: The rule and what is wrong.
        line: The line in which the first of these types is first written.
        column: The column in that line, in bytes, counted from 1.
        excerpt: The line, made printable.
        caret: The position of the caret in the excerpt, counted from 0.
        items: How many distinct types it is about.
        uses: How often these are written.
        more_lines: The lines of the other types.
    """

    finding: Optional[RuleFinding]
    line: int
    column: int
    excerpt: str
    caret: int
    items: int
    uses: int
    more_lines: List[int]


@dataclasses.dataclass(repr=False)
class TtOperations(Answer):
    """Operations as tt-mlir's ttnn-collect-perf-metrics counts them.

    Attributes:
        total_ops: The operations in functions, without ttnn.get_device.
        total_shardable_ops: The operations of ttnn whose result is a
            tensor, without ttnn.to_memory_config.
        sharded_ops: The shardable operations whose result is sharded in
            L1.
        sharded_and_spilled_ops: The sharded operations whose result then
            goes to DRAM.
        dram_spilled_ops: The shardable operations whose result is in DRAM.
        system_memory_ops: The shardable operations whose result is in
            system memory.
        sharded_percentage: `sharded_ops` in percent of
            `total_shardable_ops`.
        sharded_and_spilled_percentage: The same for
            `sharded_and_spilled_ops`.
        spilled_percentage: The same for `dram_spilled_ops`.
        system_memory_percentage: The same for `system_memory_ops`.
    """

    total_ops: int
    total_shardable_ops: int
    sharded_ops: int
    sharded_and_spilled_ops: int
    dram_spilled_ops: int
    system_memory_ops: int
    sharded_percentage: float
    sharded_and_spilled_percentage: float
    spilled_percentage: float
    system_memory_percentage: float


@dataclasses.dataclass(repr=False)
class TtFunction(Answer):
    """
    Attributes:
        name: "@forward"; empty for operations outside of functions, as in
            a log.
        line: Where it begins.
        operations: Its operations.
        l1: The peak of a bank of L1.
        dram: The peak of a bank of DRAM.
    """

    name: str
    line: int
    operations: Optional[TtOperations]
    l1: Optional[TtPeak]
    dram: Optional[TtPeak]


@dataclasses.dataclass(repr=False)
class TtPeak(Answer):
    """The most bytes of a bank that are in use at once.

    Attributes:
        bytes_per_bank: The bytes of a bank that are in use at the peak.
        fits: Whether that is at most the bytes of a bank of the card.
        operation: The number of the operation, from 1; 0 for the entry of
            the function.
        operation_name: The name of that operation: "ttnn.matmul".
        line: The line of that operation.
        live: The tensors that are in use then, the largest first.
        live_count: How many tensors are in use then.
        series: The bytes at the entry and at each operation. Of a long
            function, the largest number in each of at most 512 parts.
    """

    bytes_per_bank: int
    fits: bool
    operation: int
    operation_name: str
    line: int
    live: Table[TtLiveTensor]
    live_count: int
    series: List[int]


@dataclasses.dataclass(repr=False)
class TtLiveTensor(Answer):
    """
    Attributes:
        name: Its name in the function: "%3".
        bytes_per_bank: The bytes that it takes of a bank.
        line: The line of the operation that makes it.
        type: The type as it is first written.
    """

    name: str
    bytes_per_bank: int
    line: int
    type: str


@dataclasses.dataclass(repr=False)
class TtSizeMatch(Answer):
    """
    Attributes:
        item: The tensor or memref.
        what: Where it has that size: "in all banks and in each", "in all
            banks, but not in each", ...
    """

    item: Optional[TtItem]
    what: str


@dataclasses.dataclass(repr=False)
class TtUndefinedName(Answer):
    """
    Attributes:
        name: The name: "#layout3".
        uses: How often it is used.
        line: The line of the first use.
        column: The column in that line, in bytes, counted from 1.
    """

    name: str
    uses: int
    line: int
    column: int


@dataclasses.dataclass(repr=False)
class AccessResult(Answer):
    """
    Attributes:
        conflicts: The conflicts if the memory is shared memory.
        traffic: The traffic if the memory is global memory.
        swizzles: The swizzles that leave no conflict, in place of the one
            that `layout` has, smallest first: "Sw<0,0,0>" if the layout needs
            no swizzle.
        swizzle_count: The number of such swizzles.
    """

    conflicts: Optional[AccessConflicts]
    traffic: Optional[AccessTraffic]
    swizzles: List[str]
    swizzle_count: int


@dataclasses.dataclass(repr=False)
class AccessConflicts(Answer):
    """
    Attributes:
        wavefronts: The wavefronts of all phases.
        fewest: The number of phases, the fewest wavefronts possible.
        ways: The most wavefronts of a phase; 1 if nothing conflicts.
        vector_bytes: The bytes that a thread accesses at a time.
        phase_threads: The threads of a phase.
        collisions: What banks of several words in a phase serve, by phase,
            bank and thread.
        collision_count: The number of collisions.
        text: The conflicts in words.
    """

    wavefronts: int
    fewest: int
    ways: int
    vector_bytes: int
    phase_threads: int
    collisions: Table[AccessCollision]
    collision_count: int
    text: str


@dataclasses.dataclass(repr=False)
class AccessCollision(Answer):
    """A word that a thread accesses in a bank that serves several words.

    Attributes:
        phase: The phase, from 0.
        bank: The bank, from 0 to 31.
        thread: The thread.
        word: The address of the word, in words of 4 bytes.
    """

    phase: int
    bank: int
    thread: int
    word: int


@dataclasses.dataclass(repr=False)
class AccessTraffic(Answer):
    """
    Attributes:
        sectors: The distinct sectors of 32 bytes of each warp, added over
            the warps.
        lines: The distinct lines of 128 bytes of each warp, added over the
            warps.
        bytes: The distinct bytes of each warp, added over the warps.
        fewest_sectors: The fewest sectors that have room for these bytes.
        requests: The requests: a vector of each thread of a warp.
        request_sectors: The sectors of all requests.
        text: The traffic in words.
    """

    sectors: int
    lines: int
    bytes: int
    fewest_sectors: int
    requests: int
    request_sectors: int
    text: str


@dataclasses.dataclass(repr=False)
class MemoryCheck(Answer):
    """The output of `tessera hlo check --format=json`.

    Attributes:
        is_within_budget: Whether every file and module could be read and
            is within the budget. The exit code is then 0, and otherwise 1.
        max_peak_bytes: The most bytes allowed in each memory space
            (--max-reserved); null without a limit.
        max_growth_percent: The allowed growth of these bytes, in percent
            of the baseline (--max-growth); null without a limit.
        baseline: The file of the baseline; null if there is none.
        modules: The modules, in the order of the files.
        missing_modules: The names of modules that are only in the
            baseline.
        max_scoped_bytes: The most bytes of scoped VMEM that one
            instruction may use (--max-scoped); null for no limit.
        tessera_version: The version of Tessera that gave the answer:
            "0.3.0".
    """

    is_within_budget: bool
    max_peak_bytes: Optional[int]
    max_growth_percent: Optional[float]
    baseline: Optional[str]
    modules: Table[ModuleCheck]
    missing_modules: List[str]
    max_scoped_bytes: Optional[int]
    tessera_version: str


@dataclasses.dataclass(repr=False)
class ModuleCheck(Answer):
    """
    Attributes:
        file: The file.
        module: The name of the module.
        target: The device: "tpu", "gpu", "cpu" or "none".
        is_in_baseline: Whether the baseline has the module; null if there
            is no baseline.
        by_memory_space: The check of each memory space, by its number;
            null if its bytes are not known.
        reason: The reason why they are not known; null if they are.
        scoped_vmem: The check of scoped VMEM; null if there is no limit
            for it, or if the device is not a TPU.
    """

    file: str
    module: str
    target: str
    is_in_baseline: Optional[bool]
    by_memory_space: Optional[Dict[int, SpaceCheck]]
    reason: Optional[str]
    scoped_vmem: Optional[ScopedCheck]


@dataclasses.dataclass(repr=False)
class SpaceCheck(Answer):
    """
    Attributes:
        name: The name of the memory space: "HBM".
        reserved_bytes: The computed bytes that XLA reserves for the whole
            run, as in SpacePeak.
        peak_bytes: The most bytes in use at one step.
        baseline_reserved_bytes: The reserved bytes of the baseline; 0 if
            its module does not use this memory space. This number and the next
            three are null if the baseline does not have the module.
        baseline_peak_bytes: The peak of the baseline, in bytes.
        growth_bytes: The growth in bytes over the baseline: of XLA's
            assigned bytes if known for both, else of the reserved bytes of
            both.
        growth_percent: The same in percent of the baseline; null if that
            is 0 bytes.
        budget_bytes: The most bytes that the strictest limit allows; null
            for no limit.
        over_bytes: The bytes by which `checked_bytes` exceeds that; 0
            within the budget.
        exceeds_max_peak: Whether the limit for all modules is exceeded
            (--max-reserved).
        exceeds_max_growth: Whether the limit for growth is exceeded
            (--max-growth).
        assigned_bytes: The bytes that XLA itself assigned, by its buffer
            assignment in the file or next to it; null if not known. If known,
            this number counts.
        baseline_assigned_bytes: The bytes that XLA assigned, in the
            baseline; null if not known.
        checked_bytes: The bytes that are compared with the budget.
        checked: Which number that is: "assigned_bytes" or
            "reserved_bytes".
    """

    name: str
    reserved_bytes: int
    peak_bytes: int
    baseline_reserved_bytes: Optional[int]
    baseline_peak_bytes: Optional[int]
    growth_bytes: Optional[int]
    growth_percent: Optional[float]
    budget_bytes: Optional[int]
    over_bytes: int
    exceeds_max_peak: bool
    exceeds_max_growth: bool
    assigned_bytes: Optional[int]
    baseline_assigned_bytes: Optional[int]
    checked_bytes: int
    checked: str


@dataclasses.dataclass(repr=False)
class ScopedCheck(Answer):
    """
    Attributes:
        largest_bytes: The most bytes that an instruction uses; null if
            that is not known, which counts as over the budget.
        instruction: The name of that instruction; empty if none uses any.
        over_bytes: The bytes by which that exceeds the limit; 0 within the
            budget.
        over_limit: How many instructions exceed it.
    """

    largest_bytes: Optional[int]
    instruction: str
    over_bytes: int
    over_limit: int
