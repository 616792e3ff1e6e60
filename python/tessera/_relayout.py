"""Moves whole arrays from one layout to another."""

from __future__ import annotations

import re
from typing import Any, Optional, Sequence, Tuple

import numpy

from tessera import _core, jax
from tessera._element_types import (
    check_byte_order,
    dtype_of,
    element_type_of,
    is_of_numpy,
    is_raw,
)
from tessera._errors import Error
from tessera._layouts import AnyText, Layout, Shape, layout


# The most dimensions that arrays of NumPy before 2.0 can have.
_MOST_DIMENSIONS = 32


class RelayoutPlan:
    """A plan to move arrays from one layout to another, made once.

    >>> import numpy, tessera
    >>> plan = tessera.RelayoutPlan("f32[3,5]", "f32[3,5]{1,0:T(2,2)}")
    >>> plan.from_bytes, plan.to_bytes
    (60, 96)
    >>> out = numpy.zeros(24, "float32")
    >>> plan.execute(numpy.arange(15, dtype="float32"), out)
    >>> float(out[17])
    13.0
    """

    def __init__(
        self,
        from_: AnyText,
        to: AnyText,
        *,
        element_type: Optional[str] = None,
        to_dimensions: Optional[Sequence[int]] = None,
        from_begins: Optional[Sequence[int]] = None,
        to_begins: Optional[Sequence[int]] = None,
        extents: Optional[Sequence[int]] = None,
        pad: Any = None,
    ) -> None:
        """Plans the move from `from_` to `to`.

        Args:
            from_: The layout that is read.
            to: The layout that is written.
            element_type: XLA's name of the element type, for layouts without
                one (CuTe's).
            to_dimensions: Dimension i of `from_` is dimension to_dimensions[i]
                of `to`: a transpose.
            from_begins: Where the box to move begins in `from_`.
            to_begins: Where it begins in `to`.
            extents: How many elements the box has along each dimension.
            pad: The value for padding: a number, or the bytes of an element;
                None leaves padding unchanged.

        Raises:
            tessera.Error: Types or bounds differ, or elements of `to` share
                positions.
        """
        self.from_ = layout(from_)
        self.to = layout(to)
        self.element_type = element_type or _type_name(self.to) or _type_name(self.from_)
        self._plan = _core.RelayoutPlan(
            self.from_,
            self.to,
            self.element_type,
            to_dimensions,
            from_begins,
            to_begins,
            extents,
            None if pad is None else self._pad_bytes(pad),
        )

    def _pad_bytes(self, pad: Any) -> bytes:
        bits = self.to.element_bits or self.from_.element_bits
        if isinstance(pad, (bytes, bytearray)):
            if bits and len(pad) != (bits + 7) // 8:
                raise Error(
                    f"expected the {(bits + 7) // 8} bytes of an element, found {len(pad)}",
                    field="pad",
                )
            return bytes(pad)
        if isinstance(pad, str) or numpy.ndim(pad) != 0:
            raise TypeError(f"pad: expected a number or bytes, found {type(pad).__name__}")
        # Zero has the same bytes in all types; -0.0 has other bytes.
        if pad == 0 and "-" not in str(pad):
            return bytes(16)
        dtype = dtype_of(self.element_type or "", bits or 8)
        if is_raw(dtype):
            raise Error(
                f"no dtype for {self.element_type} without ml_dtypes; give bytes", field="pad"
            )
        made = _number(pad, self.element_type or "", dtype)
        if made is None:
            raise Error(f"{pad} is not among the numbers of {self.element_type}", field="pad")
        return made.tobytes()

    @property
    def from_bytes(self) -> int:
        """The size of the source buffer in bytes."""
        return self._plan.from_bytes

    @property
    def to_bytes(self) -> int:
        """The size of the destination buffer in bytes."""
        return self._plan.to_bytes

    @property
    def bytes_moved(self) -> int:
        """The size of the moved elements in bytes."""
        return self._plan.bytes_moved

    def execute(self, from_: Any, out: Any, *, threads: int = 1) -> None:
        """Moves an array from one buffer to another, without Python's lock.

        Args:
            from_: An array or any object with the buffer protocol, of
                from_bytes bytes.
            out: A writable one, of to_bytes bytes.
            threads: How many threads share the work, 1 to 256.
        """
        for buffer in (from_, out):
            _check_has_no_objects(buffer)
        self._plan.execute(from_, out, threads)

    def __str__(self) -> str:
        return str(self._plan)

    def __repr__(self) -> str:
        return f"tessera.RelayoutPlan({self.from_.text!r}, {self.to.text!r})"


def _number(pad: Any, element_type: str, dtype: numpy.dtype[Any]) -> Any:
    """Returns the number as an element; None if the type does not have it. Numbers
    with a fraction may be rounded."""
    if isinstance(pad, (complex, numpy.complexfloating)) and dtype.kind != "c":
        return None
    integers = re.fullmatch(r"([su])(\d+)", element_type)
    if integers is not None:
        bits = int(integers[2])
        low, high = (-(1 << bits - 1), 1 << bits - 1) if integers[1] == "s" else (0, 1 << bits)
        if not low <= pad < high or int(pad) != pad:
            return None
        return numpy.asarray(pad).astype(dtype)
    try:
        with numpy.errstate(all="ignore"):
            made = numpy.asarray(pad).astype(dtype)
    # An integer that no float holds.
    except OverflowError:
        return None
    return made if numpy.isfinite(made) or not numpy.isfinite(pad) else None


def _check_has_no_objects(buffer: Any) -> None:
    """Raises TypeError for memory that holds references to objects: the first
    use of an overwritten reference would crash the interpreter."""
    if isinstance(buffer, numpy.ndarray):
        has_objects = buffer.dtype.hasobject
    else:
        try:
            has_objects = "O" in memoryview(buffer).format
        # The extension reports the reason why this is not a buffer.
        except (TypeError, ValueError, BufferError):
            has_objects = False
    if has_objects:
        raise TypeError("an array of objects has no elements to move")


def _check_type(out: Any, element_type: str, bits: int) -> None:
    """Raises TypeError for an array of numbers of another type. Unsigned integers
    and raw bytes hold elements of any type."""
    if not isinstance(out, numpy.ndarray) or out.dtype.kind == "u" or is_raw(out.dtype):
        return
    if out.dtype != dtype_of(element_type, bits):
        raise TypeError(f"out: expected an array of {element_type}, found one of {out.dtype}")


def _type_name(of: Layout) -> Optional[str]:
    """Returns the element type that a layout names."""
    if isinstance(of, Shape):
        return of.element_type
    if of.element_bits is None:
        return None
    try:
        return Shape._of(of.array_shape()).element_type
    except Error:
        return None


def _as_array(array: Any) -> Tuple[Any, Optional[str]]:
    """Returns a NumPy array over the same memory, and its element type if the
    dtype does not determine it."""
    if isinstance(array, numpy.ndarray):
        return array, None
    if hasattr(array, "__dlpack__"):
        try:
            return _core.from_dlpack(array.__dlpack__())
        # DLPack lacks the type, such as int4, or the memory is another device's.
        # numpy.asarray then copies the array, or raises an error with the reason.
        except (BufferError, RuntimeError, TypeError, ValueError):
            if not hasattr(array, "__array__"):
                raise
    if hasattr(array, "__array_interface__") or hasattr(array, "__array__"):
        return numpy.asarray(array), None
    return numpy.frombuffer(array, numpy.uint8), None


def relayout(
    array: Any,
    to: Any,
    *,
    from_: Any = None,
    out: Any = None,
    threads: int = 1,
    pad: Any = None,
    to_dimensions: Optional[Sequence[int]] = None,
) -> Any:
    """Returns the array in another layout.

    Args:
        array: An array of NumPy, of DLPack (JAX, PyTorch), or a buffer. It may
            have any strides, and is read in place. If DLPack does not have its
            type, as for JAX's int4, it is converted by numpy.asarray.
        to: The layout that is written: a layout of Tessera or its text; or a
            Layout or Format of JAX, for the bounds and the type of `array`.
        from_: The layout of `array`; its own strides if not given. With it,
            `array` is a buffer of the bytes of that layout, as it comes from a
            device. A Layout or Format of JAX has the bounds and type of `to`.
        out: The array to write to, of the size of `to`; a new array if not
            given. Its dtype is that of the elements, or raw bytes or unsigned
            integers. Its padding is unchanged unless `pad` is given.
        threads: How many threads share the work, 1 to 256.
        pad: The value for padding: a number or the bytes of an element. If not
            given, padding of a new array is 0.
        to_dimensions: Dimension i of the array becomes dimension
            to_dimensions[i]: a transpose.

    Returns:
        `out`; or an array of `to`'s bounds if `to` is row-major, else one of
        one dimension with an entry for each position. If NumPy has no dtype for
        the elements, they have that of ml_dtypes, or are raw bytes (dtype "V2")
        if ml_dtypes is not installed. Elements of 1, 2 or 4 bits, those of
        E(4), are packed into uint8, the first in the lowest bits.

    >>> import numpy, tessera
    >>> array = numpy.arange(15, dtype="float32").reshape(3, 5)
    >>> tiled = tessera.relayout(array, to="f32[3,5]{1,0:T(2,2)}")
    >>> tiled[:6]
    array([0., 1., 5., 6., 2., 3.], dtype=float32)
    >>> back = tessera.relayout(tiled, from_="f32[3,5]{1,0:T(2,2)}", to="f32[3,5]")
    >>> bool((back == array).all())
    True
    """
    to, from_ = _with_bounds(array, to, from_, to_dimensions)
    source, type_name = _as_array(array)
    check_byte_order(source.dtype)
    if from_ is None:
        type_name = type_name or _array_type(source, to)
        made = _core.layout_of_array(source, type_name)
        if made is None:
            source = numpy.ascontiguousarray(source)
            made = _core.layout_of_array(source, type_name)
        if made is None:
            raise Error(f"elements of {type_name} do not take {source.itemsize} bytes")
        from_ = Layout._of(made)
    elif not source.flags.c_contiguous:
        source = numpy.ascontiguousarray(source)
    # A plan moves elements of one size. If only one side is packed, that side is
    # moved with a byte for each element.
    read, written = from_, to
    if from_.element_bits == 8:
        written = _unpacked(to)
    elif to.element_bits == 8:
        read = _unpacked(from_)
        if read is not from_:
            source = _unpack(source, from_)
    plan = RelayoutPlan(read, written, element_type=type_name, to_dimensions=to_dimensions, pad=pad)
    if out is not None:
        _check_type(out, plan.element_type or "", to.element_bits or 8)
    if written is not to:
        return _execute_and_pack(plan, source, to, out, threads)
    if out is None:
        out = _new_array(plan, to)
    plan.execute(source, out, threads=threads)
    return out


def _with_bounds(
    array: Any, to: Any, from_: Any, to_dimensions: Optional[Sequence[int]]
) -> Tuple[Layout, Optional[Layout]]:
    """Returns both layouts. A layout of JAX gets the bounds of the other layout
    or of the array."""
    if not jax.is_layout(to):
        to = layout(to)
        if not jax.is_layout(from_):
            return to, None if from_ is None else layout(from_)
        bounds = to.bounds
        if to_dimensions is not None:
            bounds = [bounds[dimension] for dimension in to_dimensions]
        return to, jax.read(from_).shape(_type_name(to) or "", bounds)
    if from_ is None:
        if not jax.is_array(array):
            raise Error("a layout of JAX has no bounds, and neither has the buffer", field="to")
        element_type, bounds = element_type_of(array.dtype), array.shape
    else:
        if jax.is_layout(from_):
            raise Error("to and from_ are layouts of JAX, which have no bounds", field="to")
        from_ = layout(from_)
        element_type, bounds = _type_name(from_) or "", from_.bounds
    if to_dimensions is not None:
        if sorted(to_dimensions) != list(range(len(bounds))):
            raise Error(
                f"{tuple(to_dimensions)} is not a permutation of {len(bounds)} dimensions",
                field="to_dimensions",
            )
        bounds = [bounds[tuple(to_dimensions).index(i)] for i in range(len(bounds))]
    return jax.read(to).shape(element_type, bounds), from_


def _unpacked(packed: Layout) -> Layout:
    """Returns the layout with a byte per element if E(n) gives each 1, 2 or 4 bits."""
    if not isinstance(packed, Shape) or packed.element_size_in_bits not in (1, 2, 4):
        return packed
    note = f"E({packed.element_size_in_bits})"
    return Shape(packed.text.replace(f":{note}}}", "}").replace(note, ""))


def _unpack(source: Any, packed: Layout) -> Any:
    """Returns the elements of a packed buffer, each in a byte of its own, as in
    ml_dtypes. The other bits are 0."""
    bits, count = packed.element_bits, packed.position_count()
    assert bits is not None
    bytes_ = numpy.frombuffer(source, numpy.uint8)
    if bytes_.size != packed.nbytes:
        raise Error(f"expected a buffer of {packed.nbytes} bytes, found {bytes_.size}")
    shifts = numpy.arange(0, 8, bits, dtype=numpy.uint8)
    return ((bytes_[:, None] >> shifts) & ((1 << bits) - 1)).astype(numpy.uint8).ravel()[:count]


def _pack(elements: Any, bits: int) -> Any:
    a_byte = 8 // bits
    whole = numpy.zeros(-(-elements.size // a_byte) * a_byte, numpy.uint8)
    whole[: elements.size] = elements & ((1 << bits) - 1)
    shifts = numpy.arange(0, 8, bits, dtype=numpy.uint8)
    return numpy.bitwise_or.reduce(whole.reshape(-1, a_byte) << shifts, axis=1).astype(
        numpy.uint8
    )


def _execute_and_pack(
    plan: RelayoutPlan, source: Any, to: Layout, out: Any, threads: int
) -> Any:
    """Moves elements that take one byte each, and packs them into `out`."""
    if out is None:
        elements = numpy.zeros(plan.to_bytes, numpy.uint8)
    else:
        # Padding stays unchanged.
        elements = _unpack(out, to)
    plan.execute(source, elements, threads=threads)
    packed = _pack(elements, to.element_bits or 8)
    if out is None:
        return packed
    memoryview(out).cast("B")[:] = memoryview(packed)
    return out


def _array_type(source: Any, to: Layout) -> str:
    """Returns the element type of an array. Raw bytes, and unsigned integers in
    place of a type that NumPy does not have, have the type that `to` names,
    whether ml_dtypes has that type or not."""
    named = _type_name(to)
    if named is not None:
        if is_raw(source.dtype):
            return named
        if source.dtype.kind == "u" and not is_of_numpy(named):
            if dtype_of(named, 8 * source.itemsize).itemsize == source.itemsize:
                return named
    return element_type_of(source.dtype)


def _new_array(plan: RelayoutPlan, to: Layout) -> Any:
    bits = to.element_bits or 8 * (plan.to_bytes // max(1, to.position_count()))
    dtype = dtype_of(plan.element_type or "", bits)
    if bits < 8 or plan.to_bytes != to.position_count() * dtype.itemsize:
        return numpy.zeros(plan.to_bytes, numpy.uint8)
    if to.position_count() != to.size:
        return numpy.zeros(to.position_count(), dtype)
    row_major = tuple(reversed(range(to.rank)))
    is_row_major = isinstance(to, Shape) and not to.tiles and to.minor_to_major == row_major
    if is_row_major and to.rank <= _MOST_DIMENSIONS:
        return numpy.empty(to.bounds, dtype)
    return numpy.empty(to.size, dtype)


class DlpackTensor:
    """An array as a DLPack tensor with one of XLA's element types.

    For types that NumPy itself does not export:
    ``jax.dlpack.from_dlpack(tessera.DlpackTensor(raw, "bf16"))``.
    """

    def __init__(self, array: Any, element_type: str) -> None:
        self.array = array
        self.element_type = element_type

    def __dlpack__(self, **_: Any) -> Any:
        return _core.to_dlpack(self.array, self.element_type)

    def __dlpack_device__(self) -> Tuple[int, int]:
        return (1, 0)
