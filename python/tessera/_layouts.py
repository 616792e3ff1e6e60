"""Layouts of every family: where each element of an array lies."""

from __future__ import annotations

import ast
import enum
import json
import operator
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Type, TypeVar, Union

import numpy

from tessera import _core, answers
from tessera._answer import Table
from tessera._element_types import dtype_of, element_type_of
from tessera._errors import Error
from tessera._pictures import Picture, Window

Self = TypeVar("Self", bound="Layout")
AnyText = Union[str, "Layout"]

# The most elements whose positions are counted one by one.
_MOST_COUNTED = 1 << 22


def _unicode(text: str) -> str:
    """Returns the text if it is valid Unicode."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Error(f"the text is not Unicode: {error.reason} at {error.start}") from None
    return text


class PositionKind(enum.IntEnum):
    """The kind of a position: an element, or a kind of padding."""

    #: An element of the array.
    ELEMENT = 0
    #: Padding, because a tile reaches past the array.
    PADDING = 1
    #: A hole between strides, which no index reaches.
    GAP = 2
    #: A position that a tail padding L adds.
    TAIL = 3
    #: A position that only the rounding up to whole shards adds, in a Tenstorrent
    #: tensor.
    GRID_PADDING = 4


class Padding(NamedTuple):
    """The padding of a layout.

    Attributes:
        positions: The number of positions without an element.
        bytes: The bytes of these positions; None for a CuTe layout, which does
            not have an element size.
        fraction: The fraction of the memory that is padding, between 0 and 1.
            If elements have no size, the fraction of all positions.
        by_dimension: For an XLA array, the dimensions that cause padding: a
            table of tessera.answers.DimensionPaddingSizes. Empty for other
            families.
        element_bits: For an XLA array whose elements E(n) widens, the bits that
            an element needs and those that it takes: (8, 32). Otherwise None.
    """

    positions: int
    bytes: Optional[int]
    fraction: float
    by_dimension: Table[answers.DimensionPaddingSizes]
    element_bits: Optional[Tuple[int, int]] = None


class Layout(_core.Layout):
    """A layout of any family: its text, and the map from its elements to
    positions.

    Two layouts are equal if their families and canonical texts are. They are
    immutable, can be keys of a dict, be pickled and be shared by threads.

    >>> import tessera
    >>> array = tessera.layout("F32[3,5]{1,0:T(2,2)}")
    >>> array
    tessera.shape('f32[3,5]{1,0:T(2,2)}')
    >>> array.linear_index((2, 3))
    17
    >>> array.index_of(17)
    (2, 3)
    """

    # The function of the package that makes one, and the family's name.
    _maker = "layout"
    _family: Optional[str] = None

    def __init__(self, text: str, *, target: str = "") -> None:
        if not isinstance(text, str):
            raise TypeError(f"expected the text of a layout, found {type(text).__name__}")
        super().__init__(_unicode(text), self._family, target)

    @classmethod
    def _of(cls: Type[Self], core: _core.Layout) -> Self:
        layout = cls.__new__(cls)
        _core.Layout.__init__(layout, core)
        return layout

    def __repr__(self) -> str:
        return f"tessera.{self._maker}({self.text!r})"

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return self.family == other.family and self.text == other.text

    def __hash__(self) -> int:
        return hash((self.family, self.text))

    def __reduce__(self) -> Any:
        return type(self), (self.text,)

    # -- Sizes ------------------------------------------------------------------

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.element_count

    @property
    def nbytes(self) -> Optional[int]:
        """The size in bytes, including padding; None for a CuTe layout."""
        return self._bytes()[1]

    @property
    def unpadded_nbytes(self) -> Optional[int]:
        """The size of only the elements, in bytes; None for a CuTe layout."""
        return self._bytes()[0]

    def _bytes(self) -> Tuple[Optional[int], Optional[int]]:
        bits = self.element_bits
        if bits is None:
            return None, None
        return (self.size * bits + 7) // 8, (self.position_count() * bits + 7) // 8

    @property
    def padding(self) -> Padding:
        """The padding of the layout, and the dimension that causes it.

        >>> import tessera
        >>> padding = tessera.shape("bf16[8,130]{1,0:T(8,128)(2,1)}").padding
        >>> padding.bytes, round(padding.fraction, 3)
        (2016, 0.492)
        >>> [(p.dimensions, p.bound, p.padded) for p in padding.by_dimension]
        [([0], 8, 8), ([1], 130, 256)]
        """
        positions = self.position_count()
        reached = self._reached_count()
        unpadded, padded = self._bytes()
        if reached != self.size and unpadded is not None:
            unpadded = (reached * (self.element_bits or 0) + 7) // 8
        fraction = (positions - reached) / positions if positions else 0.0
        by_dimension: Table[answers.DimensionPaddingSizes] = Table()
        element_bits = None
        if self.family == "xla":
            described = self.describe().xla
            assert described is not None
            leaf = described.leaves[0]
            by_dimension = leaf.padding
            if leaf.unpadded_element_bits != leaf.element_bits:
                element_bits = (leaf.unpadded_element_bits, leaf.element_bits)
                fraction = 1 - (1 - fraction) * element_bits[0] / element_bits[1]
        return Padding(
            positions - reached,
            None if padded is None or unpadded is None else padded - unpadded,
            fraction if positions else 0.0,
            by_dimension,
            element_bits,
        )

    def _reached_count(self) -> int:
        """Returns how many positions have an element, or several."""
        if self.family not in ("cute", "strided"):
            return self.size
        described = self.describe()
        strides = described.cute or described.strided
        assert strides is not None
        if strides.gaps is not None:
            return self.size
        if self.size > _MOST_COUNTED:
            raise Error("elements may share positions, and there are too many of them to count")
        indices = tuple(numpy.indices(self.bounds, sparse=True))
        return int(numpy.unique(self.linear_index(indices)).size)

    # -- Where elements lie -----------------------------------------------------

    def linear_index(self, index: Any, *, unit: str = "elements", out: Any = None) -> Any:
        """Returns the position of the element at `index`, counting padding.

        Args:
            index: A tuple of integers, one for each dimension. For many
                elements at once: an array of shape (..., rank), or a tuple of
                one array for each dimension, which are broadcast.
            unit: The unit of positions: "elements", "bytes" or "bits".
            out: An array to write to, of the shape of the result and of int64
                or int32. It must not overlap with what is read.

        Returns:
            An int; for arrays an array of int64, or of int32 if the indices
            are int32 and positions fit. Arrays of these types whose entries
            are contiguous are read in place.

        Raises:
            tessera.Error: An index is not within the bounds, or shapes differ.
            TypeError: Indices are not integers.

        >>> import numpy, tessera
        >>> array = tessera.shape("f32[3,5]{1,0:T(2,2)}")
        >>> array.linear_index((2, 3)), array.linear_index((2, 3), unit="bytes")
        (17, 68)
        >>> array.linear_index(numpy.array([[0, 0], [2, 3]]))
        array([ 0, 17])
        >>> array.linear_index((numpy.arange(3)[:, None], numpy.arange(2)))
        array([[ 0,  1],
               [ 2,  3],
               [12, 13]])
        """
        try:
            found = self._linear_index(index, unit, out)
        except Error:
            raise
        # NumPy raises it for arrays that cannot be broadcast.
        except ValueError as error:
            raise Error(str(error), field="index") from None
        if out is not None and found is not out:
            raise TypeError("out: a single index has an int for its result")
        return found

    def index_of(self, positions: Any, *, unit: str = "elements", out: Any = None) -> Any:
        """Returns the elements at `positions`: the inverse of linear_index.

        Args:
            positions: An integer, or an array of them.
            unit: The unit of positions: "elements", "bytes" or "bits".
            out: An array to write to, of shape positions.shape + (rank,).

        Returns:
            For an integer, the index as a tuple, or None if no element begins
            there. For an array, an array of shape positions.shape + (rank,),
            with -1 for positions without an element.

        Raises:
            tessera.Error: A position is not in the buffer, or elements share
                positions, so a position does not determine its element.

        >>> import numpy, tessera
        >>> array = tessera.shape("f32[3,5]{1,0:T(2,2)}")
        >>> array.index_of(17), array.index_of(9)
        ((2, 3), None)
        >>> array.index_of(numpy.array([17, 9]))
        array([[ 2,  3],
               [-1, -1]])
        """
        found = self._index_of(positions, unit, out)
        if out is not None and found is not out:
            raise TypeError("out: a single position has a tuple for its result")
        return found

    def kind_of(self, positions: Any, *, unit: str = "elements") -> Any:
        """Returns the kind of each of `positions`.

        Returns:
            A PositionKind for an integer; an array of uint8 with their numbers
            for an array.

        >>> import tessera
        >>> tessera.shape("f32[3,5]{1,0:T(2,2)}").kind_of(9).name
        'PADDING'
        """
        kind = self._kind_of(positions, unit)
        return PositionKind(kind) if isinstance(kind, int) else kind

    def explain(self, index: Sequence[int]) -> answers.ExplainResult:
        """Returns the derivation, step by step, of the position of the element
        at `index`.

        >>> import tessera
        >>> steps = tessera.shape("f32[3,5]{1,0:T(2,2)}").explain((2, 3))
        >>> [(d.digit.digit, d.stride) for d in steps.digits]
        [(1, 12), (1, 4), (0, 2), (1, 1)]
        """
        question = {"layout": self.text, "index": [operator.index(i) for i in index]}
        return ask({"explain": question})

    def describe(self) -> answers.DescribeResult:
        """Returns all sizes and padding, like `tessera describe`."""
        return ask({"describe": {"layout": self.text}})

    def same_positions(self, other: Layout) -> Optional[bool]:
        """Returns whether every element has the same position in both.

        None if the answer would take too long.

        >>> import tessera
        >>> tiled = tessera.shape("f32[8,128]{1,0:T(8,128)}")
        >>> tiled.same_positions(tessera.cute("(8,128):(128,1)"))
        True
        """
        return self._same_positions(other)

    # -- Pictures ---------------------------------------------------------------

    def draw(
        self,
        *,
        rows: Optional[int] = None,
        columns: Optional[int] = None,
        at: Optional[Sequence[int]] = None,
        row_window: Optional[Window] = None,
        column_window: Optional[Window] = None,
        memory: Optional[Window] = None,
        tiles: Optional[Sequence[Sequence[int]]] = None,
        mark: Optional[AnyText] = None,
        unit: str = "elements",
        cells: str = "positions",
        path: bool = False,
    ) -> Picture:
        """Returns a picture: text when printed, SVG in a notebook.

        Args:
            rows: The dimension that runs down; the last but one if not given.
            columns: The dimension that runs across; the last if not given.
            at: The index at which the other dimensions are held.
            row_window: The rows of cells to draw, (begin, end).
            column_window: The columns of cells to draw, (begin, end).
            memory: A stretch of positions to draw below, (begin, end).
            tiles: Tiles to outline, outermost first: the extent of each along
                every dimension. If not given, those of the text.
            mark: A layout whose elements are marked.
            unit: The unit of positions: "elements" or "bytes".
            cells: The content of cells: "positions", "indices" or "none".
            path: Whether to show the order of memory.

        >>> import tessera
        >>> print(tessera.shape("f32[3,5]{1,0:T(2,2)}").draw().to_text(unicode=False))
        f32[3,5]{1,0:T(2,2)}
        <BLANKLINE>
              0   1    2   3    4   5
           +========+========+========+
         0 |  0   1 |  4   5 |  8 ..9.|
         1 |  2   3 |  6   7 | 10 .11.|
           +========+========+========+
         2 | 12  13 | 16  17 | 20 .21.|
         3 |.14..15.|.18..19.|.22..23.|
           +========+========+========+
        ...
        """
        return Picture(
            _core.Drawing(
                self,
                rows,
                columns,
                at,
                row_window,
                column_window,
                memory,
                tiles,
                None if mark is None else layout(mark),
                unit,
                cells,
                path,
            )
        )

    def _repr_svg_(self) -> Optional[str]:
        try:
            return self.draw().to_svg()
        # A shape without a map, such as a tuple, is shown as text.
        except Error:
            return None


class Shape(Layout):
    """An XLA shape: an array with its layout, a tuple, a token and so on.

    >>> import tessera
    >>> shape = tessera.shape("bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}")
    >>> shape.dimensions, shape.minor_to_major, shape.tiles, shape.memory_space
    ((8, 1, 1280, 16384), (3, 2, 0, 1), ((8, 128), (2, 1)), 1)
    """

    _maker = "shape"
    _family = "xla"

    @classmethod
    def of(
        cls,
        element_type: Any,
        dimensions: Sequence[int],
        *,
        minor_to_major: Optional[Sequence[int]] = None,
        tiles: Sequence[Sequence[Union[int, str]]] = (),
        memory_space: int = 0,
        element_size_in_bits: int = 0,
        dynamic_dimensions: Sequence[bool] = (),
        target: str = "",
    ) -> Shape:
        """Returns the array shape that is made of these parts.

        Args:
            element_type: XLA's name, "bf16", or a dtype of NumPy or ml_dtypes.
            dimensions: The bounds, one for each dimension.
            minor_to_major: The order of the dimensions in memory, the one that
                changes fastest first; row-major if not given.
            tiles: The tiles, outermost first; "*" joins an entry with the next.
            memory_space: XLA's number of the memory space.
            element_size_in_bits: E(n): bits that a packed element takes; 0 for
                whole bytes.
            dynamic_dimensions: Which bounds are the most a dimension may have.
            target: The device whose default layout fills in the missing parts:
                "tpu" for the TPU compiler's own, as in tessera.shape.

        >>> import tessera
        >>> tessera.Shape.of("bf16", (9, 130), tiles=((8, 128), (2, 1)))
        tessera.shape('bf16[9,130]{1,0:T(8,128)(2,1)}')
        >>> tessera.Shape.of("bf16", (2000, 3), target="tpu")
        tessera.shape('bf16[2000,3]{0,1:T(4,128)(2,1)}')
        """
        if not isinstance(element_type, str):
            element_type = element_type_of(element_type)
        rank = len(dimensions)
        if len(dynamic_dimensions) not in (0, rank):
            raise Error(
                f"expected one entry for each of {rank} dimensions, "
                f"found {len(dynamic_dimensions)}",
                field="dynamic_dimensions",
            )
        bounds = [
            f"{'<=' if i < len(dynamic_dimensions) and dynamic_dimensions[i] else ''}"
            f"{operator.index(bound)}"
            for i, bound in enumerate(dimensions)
        ]
        array = f"{element_type}[{','.join(bounds)}]"
        if target and minor_to_major is None and not tiles:
            default = cls(array, target=target)
            minor_to_major, tiles = default.minor_to_major, default.tiles
            element_size_in_bits = element_size_in_bits or default.element_size_in_bits
        order = range(rank - 1, -1, -1) if minor_to_major is None else minor_to_major
        details = "".join(f"({','.join(str(entry) for entry in tile)})" for tile in tiles)
        details = f"T{details}" if details else ""
        if element_size_in_bits:
            details += f"E({operator.index(element_size_in_bits)})"
        if memory_space:
            details += f"S({operator.index(memory_space)})"
        details = f":{details}" if details else ""
        order_text = ",".join(str(operator.index(dimension)) for dimension in order)
        # A scalar has no braces if there is nothing to put in them.
        braces = f"{{{order_text}{details}}}" if order_text or details else ""
        return cls(array + braces, target=target)

    @classmethod
    def from_proto(cls, proto: bytes) -> Shape:
        """Returns the shape of a serialized xla.ShapeProto."""
        return cls._of(_core.Layout.from_proto(bytes(proto)))

    def to_proto(self) -> bytes:
        """Returns the shape as a serialized xla.ShapeProto.

        >>> import tessera
        >>> shape = tessera.shape("f32[3,5]{1,0:T(2,2)}")
        >>> tessera.Shape.from_proto(shape.to_proto()) == shape
        True
        """
        return self._to_proto()

    def _part(self, name: str, default: Any) -> Any:
        return self.shape_parts().get(name, default)

    @property
    def element_type(self) -> str:
        """XLA's name of the element type: "bf16"; "tuple" for a tuple."""
        return self._part("element_type", "")

    @property
    def dtype(self) -> Any:
        """The dtype of an element. If only ml_dtypes has one and is not
        installed, that of raw bytes: dtype('V2') for bf16."""
        return dtype_of(self.element_type, self.element_bits or 8)

    @property
    def dimensions(self) -> Tuple[int, ...]:
        """The bounds; for a dynamic dimension, its largest size. Raises
        tessera.Error if a dimension has none, as in f32[?]."""
        dimensions = self._part("dimensions", ())
        if any(bound < 0 for bound in dimensions):
            raise Error(f"{self.text} has an unbounded dimension")
        return dimensions

    @property
    def dynamic_dimensions(self) -> Tuple[bool, ...]:
        """Which dimensions are dynamic."""
        return self._part("dynamic_dimensions", ())

    @property
    def minor_to_major(self) -> Optional[Tuple[int, ...]]:
        """The dimensions in the order of memory, the fastest first; None
        without a layout."""
        return self._part("minor_to_major", None)

    @property
    def tiles(self) -> Tuple[Tuple[Union[int, str], ...], ...]:
        """The tiles, outermost first; "*" joins an entry with the next."""
        return self._part("tiles", ())

    @property
    def memory_space(self) -> int:
        """XLA's number of the memory space: the n of S(n)."""
        return self._part("memory_space", 0)

    @property
    def element_size_in_bits(self) -> int:
        """The n of E(n); 0 without one."""
        return self._part("element_size_in_bits", 0)

    @property
    def is_array(self) -> bool:
        """Whether it is an array, and therefore has a map."""
        return self._part("is_array", False)

    @property
    def is_tuple(self) -> bool:
        """Whether it is a tuple; see tuple_shapes."""
        return self.element_type == "tuple"

    @property
    def tuple_shapes(self) -> Tuple[Shape, ...]:
        """The elements of a tuple; () for anything else."""
        return tuple(Shape._of(shape) for shape in self._tuple_shapes())

    def _bytes(self) -> Tuple[Optional[int], Optional[int]]:
        total = self._total()
        return total.unpadded_bytes, total.padded_bytes

    def _total(self) -> answers.Sizes:
        described = self.describe().xla
        assert described is not None and described.total is not None
        if described.has_unbounded:
            raise Error(f"{self.text} has an unbounded dimension")
        return described.total

    @property
    def padding(self) -> Padding:
        if self.is_array:
            return super().padding
        unpadded, padded = self._bytes()
        lost = (padded or 0) - (unpadded or 0)
        total = self._total()
        return Padding(
            total.position_count - total.elements, lost, lost / padded if padded else 0.0, Table()
        )


def _coordinate_text(coordinate: Any) -> Optional[str]:
    """Returns a coordinate as CuTe writes it; None for arrays."""
    if isinstance(coordinate, tuple):
        parts = [_coordinate_text(part) for part in coordinate]
        return None if None in parts else f"({','.join(map(str, parts))})"
    # An array of one element is an array.
    if getattr(coordinate, "shape", ()) or isinstance(coordinate, list):
        return None
    return str(operator.index(coordinate))


def _argument_text(argument: Any) -> str:
    """Returns an argument of a function, such as a layout, a number or a tuple."""
    if isinstance(argument, tuple):
        return f"({','.join(map(_argument_text, argument))})"
    return str(argument)


class CuteLayout(Layout):
    """A CuTe layout or composed layout, with its algebra.

    >>> import tessera
    >>> a = tessera.cute("(4,8):(1,4)")
    >>> a.size, a.cosize, a((3, 7))
    (32, 32, 31)
    >>> a.composition("(2,2):(1,8)")
    tessera.cute('(2,2):(1,8)')
    """

    _maker = "cute"
    _family = "cute"

    def __call__(self, coordinate: Any) -> Any:
        """Returns the offset of a coordinate.

        Args:
            coordinate: An integer, or a tuple that may be nested like the
                shape. As in CuTe, an integer may exceed the size of its mode.
                Arrays are as in linear_index.

        Returns:
            An integer, or a tuple if values are coordinates; arrays as in
            linear_index.

        >>> import tessera
        >>> layout = tessera.cute("((2,2),8):((4,1),8)")
        >>> layout(3), layout(((1, 1), 2)), layout((1, 2))
        (5, 21, 20)
        """
        text = _coordinate_text(coordinate)
        if text is None:
            return self.linear_index(coordinate)
        return ast.literal_eval(evaluate(f"A = {self.text}; A({text})").value)

    def _evaluate(self, maximum: int = 0) -> answers.EvaluateResult:
        return evaluate(self.text, max_values=maximum)

    def values(self, maximum: int = 4096) -> Sequence[int]:
        """Returns f(0), f(1), ..., for at most `maximum` coordinates."""
        return self._evaluate(maximum).values

    def _described(self) -> answers.CuteDescription:
        described = self.describe().cute
        assert described is not None
        return described

    @property
    def shape(self) -> str:
        """The shape, as CuTe writes it."""
        return self._described().shape

    @property
    def stride(self) -> str:
        """The stride, as CuTe writes it; "" if values are coordinates."""
        return self._described().stride

    @property
    def depth(self) -> int:
        """How deeply modes are nested."""
        return self._described().depth

    @property
    def cosize(self) -> Optional[int]:
        """The largest value plus 1; None for a composed layout."""
        return self._described().cosize

    def apply(self, function: str, *arguments: Any) -> CuteLayout:
        """Returns function(self, *arguments), a function of the calculator.

        docs/command_line.md lists these functions.
        """
        texts = ", ".join([self.text] + [_argument_text(argument) for argument in arguments])
        return cute(f"{function}({texts})")

    def composition(self, other: Any) -> CuteLayout:
        """Returns R(c) = self(other(c)). `other` may be a layout or a tiler."""
        return self.apply("composition", other)

    def coalesce(self) -> CuteLayout:
        """Returns the same function with as few modes as possible."""
        return self.apply("coalesce")

    def complement(self, size: Any = None) -> CuteLayout:
        """Returns the layout of the offsets that this one leaves out, below
        `size`, or below the cosize."""
        return self.apply("complement") if size is None else self.apply("complement", size)

    def right_inverse(self) -> CuteLayout:
        """Returns R with self(R(i)) == i."""
        return self.apply("right_inverse")

    def left_inverse(self) -> CuteLayout:
        """Returns L with L(self(i)) == i."""
        return self.apply("left_inverse")

    def logical_divide(self, tiler: Any) -> CuteLayout:
        """Returns the layout cut into tiles, mode by mode."""
        return self.apply("logical_divide", tiler)

    def zipped_divide(self, tiler: Any) -> CuteLayout:
        """Returns ((tile), (rest)): the elements of a tile, and the places of
        tiles."""
        return self.apply("zipped_divide", tiler)

    def tiled_divide(self, tiler: Any) -> CuteLayout:
        """Returns ((tile), rest, ...)."""
        return self.apply("tiled_divide", tiler)

    def logical_product(self, other: Any) -> CuteLayout:
        """Returns this layout repeated at the offsets of `other`."""
        return self.apply("logical_product", other)

    def blocked_product(self, other: Any) -> CuteLayout:
        """Returns this layout repeated in blocks."""
        return self.apply("blocked_product", other)

    def raked_product(self, other: Any) -> CuteLayout:
        """Returns this layout repeated, its elements interleaved."""
        return self.apply("raked_product", other)


class Tensor(Layout):
    """A Tenstorrent tensor with its layout: shards on a grid of cores.

    >>> import tessera
    >>> tensor = tessera.tensor(
    ...     "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2>, "
    ...     "memref<32x32xf32, #tt.memory_space<l1>>>>")
    >>> tensor.bounds, tensor.check().ok
    ((64, 64), True)
    >>> tensor.locate([(33, 1)])[0].cell
    [1, 0]
    """

    _maker = "tensor"
    _family = "tt"

    def check(self) -> answers.CheckResult:
        """Returns the rules that the layout breaks."""
        return ask({"check": {"tensor": self.text}})

    def buffer(self, *, arch: str = "", banks: Optional[int] = None) -> answers.TensorBuffer:
        """Returns the memory that the tensor takes on a card: pages, and the
        bytes of each bank.

        `arch` is "wormhole_b0" (the default) or "blackhole"; `banks` is the
        number of banks that hold the pages of an interleaved tensor in turn.
        Raises tessera.Error if no rule determines it.

        >>> import tessera
        >>> tessera.tensor(
        ...     "tensor<32x1xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
        ...     "memref<32x1xf32, #ttnn.buffer_type<dram>>, <interleaved>>>"
        ... ).buffer().taken_bytes
        1024
        """
        request = {"describe": {"layout": self.text, "card": _card(arch, banks)}}
        description = ask(request).tensor
        if description.buffer is None:
            raise Error(description.buffer_reason, field="layout")
        return description.buffer

    def locate(
        self,
        indices: Sequence[Sequence[int]],
        *,
        arch: str = "",
        banks: Optional[int] = None,
        base: Optional[int] = None,
    ) -> Table[Any]:
        """Returns the core of each element, and its place in the shard.

        `on_card` of each has the page, and the bank or the core with the offset
        there. With a `base`, the address at which the tensor begins in each
        bank, it also has the address. `arch` and `banks` are those of `buffer`.
        """
        question: Dict[str, Any] = {
            "tensor": self.text,
            "indices": _flat(indices, self.rank),
            "card": _card(arch, banks),
        }
        if base is not None:
            question["base"] = operator.index(base)
        return ask({"locate": question}).locations


class StridedArray(Layout):
    """A strided array, as in NumPy, DLPack and MLIR.

    >>> import tessera
    >>> tessera.strided("f32[4,8] strides (64, 8) bytes").linear_index((1, 2), unit="bytes")
    80
    """

    _maker = "strided"
    _family = "strided"


_CLASSES: Dict[str, Type[Layout]] = {
    cls._family: cls for cls in (Shape, CuteLayout, Tensor, StridedArray) if cls._family
}


def layout(text: Any, *, target: str = "") -> Layout:
    """Returns the layout of any family: an XLA shape, a CuTe layout or
    expression, a Tenstorrent tensor or a strided array.

    The start of the text determines the family. An array of NumPy gives its own
    layout, a strided array. An array of JAX, or a jax.ShapeDtypeStruct, gives
    the XLA shape that it has on the device. A layout gives itself. `target` is
    for XLA shapes, as in tessera.shape.

    Raises:
        tessera.Error: The text is not a layout; line, column and excerpt give
            the place. Or it is a layout of JAX, which has no bounds.

    >>> import numpy, tessera
    >>> tessera.layout("memref<4x8xf32>")
    tessera.strided('memref<4x8xf32>')
    >>> tessera.layout(numpy.zeros((4, 8), "float32").T)
    tessera.strided('f32[8,4] strides (4, 32) bytes')
    """
    if isinstance(text, Layout):
        return text
    if isinstance(text, str):
        core = _core.Layout(_unicode(text), None, target)
        return _CLASSES[core.family]._of(core)
    if hasattr(text, "strides") and hasattr(text, "dtype"):
        made = _core.layout_of_array(text, element_type_of(text.dtype))
        if made is None:
            raise Error("the strides of the array are not multiples of its elements")
        return StridedArray._of(made)
    of_jax = _shape_of_jax(text)
    if of_jax is not None:
        return of_jax
    raise TypeError(f"expected the text of a layout or an array, found {type(text).__name__}")


def _shape_of_jax(value: Any) -> Optional[Shape]:
    """Returns the shape of an array of JAX; None for other objects."""
    # Imported here because that module imports this one.
    from tessera import jax

    if jax.is_array(value):
        return jax.layout_of(value)
    if jax.is_layout(value):
        raise Error(
            "a layout of JAX has neither bounds nor an element type: "
            "tessera.jax.read(layout).shape(element_type, bounds) adds them"
        )
    return None


def _text_of(text: Any) -> Any:
    return text.text if isinstance(text, Layout) else text


def shape(text: Any, *, target: str = "") -> Shape:
    """Returns an XLA shape: ``tessera.shape("f32[8,128]{1,0:T(8,128)}")``.

    Args:
        text: The text of a shape, or a shape. An array of JAX, or a
            jax.ShapeDtypeStruct, gives the shape that it has on the device.
        target: The device whose default layouts fill in the text: "tpu", or one
            of its generations. An array without a layout gets the one that the
            TPU compiler gives a parameter. An order of dimensions gets the
            tiles that go with it. If not given, the last dimension is the
            minor-most, and nothing is tiled.

    >>> import tessera
    >>> tessera.shape("bf16[9,130]", target="tpu")
    tessera.shape('bf16[9,130]{1,0:T(8,128)(2,1)}')
    >>> tall = tessera.shape("f32[2000,3]", target="tpu")
    >>> tall.minor_to_major, tall.tiles, tall.nbytes
    ((0, 1), ((4, 128),), 32768)
    >>> tessera.shape("f32[2000,3]{1,0}", target="tpu").nbytes
    1024000
    """
    if isinstance(text, Shape) and not target:
        return text
    # Strides of NumPy are a strided array, which layout() returns.
    if not isinstance(text, (str, Layout)) and not hasattr(text, "strides"):
        made = _shape_of_jax(text)
        if made is not None:
            text = made
            if not target:
                return made
    return Shape(_text_of(text), target=target)


def cute(text: AnyText) -> CuteLayout:
    """Returns a CuTe layout, or the layout that is the value of an expression:
    ``tessera.cute("composition((4,8):(1,4), 8:2)")``."""
    return text if isinstance(text, CuteLayout) else CuteLayout(_text_of(text))


def tensor(text: AnyText) -> Tensor:
    """Returns a Tenstorrent tensor; definitions of aliases may come first."""
    return text if isinstance(text, Tensor) else Tensor(_text_of(text))


def _flat(indices: Sequence[Sequence[int]], rank: int) -> List[int]:
    """Returns the entries of all indices."""
    for index in indices:
        if len(index) != rank:
            raise Error(
                f"expected {rank} entries in each index, found {len(index)}", field="indices"
            )
    return [operator.index(entry) for index in indices for entry in index]


def _card(arch: str, banks: Optional[int]) -> Dict[str, Any]:
    """Returns the card of a question, as a message."""
    card: Dict[str, Any] = {"architecture": arch}
    if banks is not None:
        card["banks"] = operator.index(banks)
    return card


def ttnn(
    text: str = "",
    *,
    shape: Optional[Sequence[int]] = None,
    dtype: Any = "",
    layout: Any = "",
    memory_config: Any = "",
    indices: Sequence[Sequence[int]] = (),
    arch: str = "",
    banks: Optional[int] = None,
    base: Optional[int] = None,
) -> answers.TtnnResult:
    """Returns the memory that a tensor of ttnn takes on a card, and the places
    of elements.

    `text` is ``str`` of a ``ttnn.Tensor`` or ``ttnn.TensorSpec``. The other
    arguments replace its parts; they may be objects of ttnn or their texts.
    Without a memory configuration, or with None, the tensor is interleaved in
    DRAM. `indices` are the elements whose places are wanted; `arch`, `banks` and `base` are
    those of ``Tensor.locate``.

    >>> import tessera
    >>> answer = tessera.ttnn(
    ...     shape=(3, 40, 70), dtype="bfloat16", layout="tile",
    ...     memory_config="ttnn.L1_MEMORY_CONFIG", indices=[(2, 33, 5)], banks=64)
    >>> answer.buffer.taken_bytes_per_bank, answer.locations[0].bank
    (2048, 15)
    """
    question: Dict[str, Any] = {
        "text": text,
        "data_type": "" if dtype is None else str(dtype),
        "layout": "" if layout is None else str(layout),
        "memory_config": "" if memory_config is None else str(memory_config),
        "card": _card(arch, banks),
    }
    if shape is not None:
        question["shape"] = [operator.index(size) for size in shape]
    if len(indices) > 0:
        rank = len(ask({"ttnn": question}).shape if shape is None else shape)
        question["indices"] = _flat(indices, rank)
    if base is not None:
        question["base"] = operator.index(base)
    return ask({"ttnn": question})


def strided(text: AnyText) -> StridedArray:
    """Returns a strided array: ``tessera.strided("memref<4x8xf32>")``."""
    return text if isinstance(text, StridedArray) else StridedArray(_text_of(text))


def ask(request: Dict[str, Any]) -> Any:
    """Answers a question of the service; docs/json.md lists them.

    Returns an object of tessera.answers.

    >>> import tessera
    >>> tessera.ask({"parse": {"text": "8:2"}}).form
    'layout'
    """
    return _core.ask(json.dumps(request, default=_plain_number))


def _plain_number(value: Any) -> int:
    """Returns an integer of NumPy as one of Python."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(
            f"a question has texts, numbers, lists and dicts; found {type(value).__name__}"
        ) from None


def evaluate(
    expression: str, *, max_values: int = 0, explain: bool = False
) -> answers.EvaluateResult:
    """Returns the value of a CuTe expression.

    >>> import tessera
    >>> tessera.evaluate("A = (4,8):(1,4); size(A)").value
    '32'

    `explain` shows how a divide, a product, a composition or an inverse is
    computed:

    >>> answer = tessera.evaluate("logical_divide(8:1, 4:2)", explain=True)
    >>> for step in answer.steps:
    ...     print(step.expression, "=", step.value)
    complement(4:2, 8) = 2:1
    make_layout(4:2, 2:1) = (4,2):(2,1)
    composition(8:1, (4,2):(2,1)) = (4,2):(2,1)
    """
    question = {
        "expression": expression,
        "max_values": max_values,
        "explain": explain,
    }
    return ask({"evaluate": question})


def _access(
    layout: AnyText, threads: Union[AnyText, int], element_bytes: int, **limits: int
) -> answers.AccessResult:
    question: Dict[str, Any] = {
        "layout": _text_of(layout),
        "threads": threads if isinstance(threads, str) else _argument_text(threads),
        "element_bytes": operator.index(element_bytes),
    }
    return ask({"access": {**question, **limits}})


def bank_conflicts(
    layout: AnyText,
    threads: Union[AnyText, int],
    element_bytes: int = 0,
    *,
    max_collisions: int = 1024,
) -> answers.AccessConflicts:
    """Returns the conflicts of threads that access banks of shared memory, in
    a model of NVIDIA's GPUs (docs/bank_conflicts.md).

    Args:
        layout: The places of elements in memory.
        threads: From (thread, value) or (thread) to coordinates of `layout`; a
            number means so many neighboring threads.
        element_bytes: The bytes of an element; 0 if `layout` has them.
        max_collisions: The most collisions to return.

    >>> import tessera
    >>> tessera.bank_conflicts("(8,64):(64,1)", "(8,8):(1,8)", 2).ways
    8
    """
    limits = {"max_collisions": operator.index(max_collisions)}
    conflicts = _access(layout, threads, element_bytes, **limits).conflicts
    assert conflicts is not None
    return conflicts


def coalescing(
    layout: AnyText, threads: Union[AnyText, int], element_bytes: int = 0
) -> answers.AccessTraffic:
    """Returns the sectors and lines of global memory that threads touch.
    Arguments are those of bank_conflicts.

    >>> import tessera
    >>> tessera.coalescing("(32,32):(32,1)", 32, 4).sectors
    32
    """
    traffic = _access(layout, threads, element_bytes).traffic
    assert traffic is not None
    return traffic


def find_swizzle(
    layout: AnyText, threads: Union[AnyText, int], element_bytes: int = 0
) -> List[str]:
    """Returns the swizzles that leave no conflict, in place of the one that
    `layout` has, smallest first; empty if none with B + M + S <= 12 does.
    Arguments are those of bank_conflicts.

    >>> import tessera
    >>> tessera.find_swizzle("(8,64):(64,1)", "(8,8):(1,8)", 2)
    ['Sw<3,3,3>']
    """
    return list(_access(layout, threads, element_bytes, max_swizzles=256).swizzles)


def draw_threads(
    threads: AnyText,
    *,
    tile: Optional[Tuple[int, int]] = None,
    memory: Optional[AnyText] = None,
    element_bytes: int = 0,
    color: Optional[str] = None,
    thread: Optional[int] = None,
    width: Optional[int] = None,
) -> Picture:
    """Returns a picture of the thread and value that hold each cell of a tile:
    text when printed, SVG in a notebook.

    Args:
        threads: From (thread, value) to the column-major index in the tile, or
            an MMA or copy atom by its name.
        tile: Its rows and columns.
        memory: The layout in shared memory of the elements; words that collide
            in a bank are outlined.
        element_bytes: The bytes of an element; 0 if `memory` has them.
        color: The meaning of colors: "thread", "value", "bank", "mode" or
            "offset".
        thread: A thread to highlight.
        width: The largest width of the SVG, in pixels; panels then follow
            one another in lines.

    >>> import tessera
    >>> print(tessera.draw_threads("(2,2):(1,2)", tile=(2, 2)))
    (2,2):(1,2)
    <BLANKLINE>
    2 x 2, 2 threads x 2 values
            0     1
       +============+
     0 | T0V0  T0V1 |
     1 | T1V0  T1V1 |
       +============+
    ...
    """
    return Picture(
        _core.ThreadDrawing(
            _text_of(threads),
            tile,
            None if memory is None else _text_of(memory),
            operator.index(element_bytes),
            color,
            thread,
            width,
        )
    )


def draw_operations(expression: AnyText, *, width: Optional[int] = None) -> Picture:
    """Returns a picture of the operands and the result of each operation in an
    expression of CuTe layouts. Cells that belong together have the same color.
    Text when printed, SVG in a notebook.

    Args:
        expression: A divide, a product, a composition or another operation from
            layouts to a layout, or several of them.
        width: The largest width of the SVG, in pixels; panels then follow
            one another in lines.

    >>> import tessera
    >>> print(tessera.draw_operations("coalesce((2,2):(1,2))"))
    coalesce((2,2):(1,2))
    <BLANKLINE>
    A = (2,2):(1,2)
         0  1         coalesce(A) = 4:1
       +======+            0  1  2  3
     0 | 0  2 |          +============+
     1 | 1  3 |        0 | 0  1  2  3 |
       +======+          +============+
    ...
    """
    return Picture(_core.ThreadDrawing.of_operations(_text_of(expression), width))


def compare(
    from_: AnyText, to: AnyText, *, to_dimensions: Sequence[int] = ()
) -> answers.CompareResult:
    """Returns whether two layouts are the same, whether the buffer of one can
    be read as the other, and what a relayout costs.

    >>> import tessera
    >>> answer = tessera.compare("f32[8,128]{1,0:T(8,128)}", "f32[8,128]{1,0}")
    >>> answer.is_bitcast, answer.relayout.moved_bytes
    (True, 4096)

    A bitcast may be a reshape or a transpose, with `dimensions` as in XLA:

    >>> answer = tessera.compare("f16[8,2,64]{2,1,0}", "f16[2,8,64]{2,0,1}")
    >>> answer.bitcasts.as_reshape, answer.bitcasts.as_transpose
    (False, True)
    >>> answer.bitcasts.dimensions
    [1, 0, 2]
    """
    question = {
        "from": layout(from_).text,
        "to": layout(to).text,
        "to_dimensions": [operator.index(dimension) for dimension in to_dimensions],
    }
    return ask({"compare": question})
