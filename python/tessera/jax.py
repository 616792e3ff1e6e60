"""JAX's layouts, without a dependency on JAX.

JAX prints layouts as ``Layout(major_to_minor=(0, 1), tiling=((8, 128),))``,
XLA as ``{1,0:T(8,128)}``. Both say the same; this reads and writes JAX's.

>>> import tessera.jax
>>> layout = tessera.jax.read("Layout(major_to_minor=(0, 1), tiling=((8, 128),))")
>>> layout.shape("f32", (16, 300))
tessera.shape('f32[16,300]{1,0:T(8,128)}')
>>> print(tessera.jax.Layout.of(tessera.shape("f32[16,300]{0,1}")))
Layout(major_to_minor=(1, 0), tiling=None, sub_byte_element_size_in_bits=0)
"""

from __future__ import annotations

import ast
import dataclasses
from typing import Any, Dict, Optional, Sequence, Tuple

from tessera import _layouts
from tessera._element_types import element_type_of
from tessera._errors import Error

# The names that JAX has had for one thing, with the newest first.
_NAMES = ("Layout", "DeviceLocalLayout")


@dataclasses.dataclass(frozen=True)
class Layout:
    """A layout as JAX has it: jax.experimental.layout.Layout.

    Attributes:
        major_to_minor: The dimensions in the order of memory, the one that
            changes slowest first: XLA's minor_to_major in reverse.
        tiling: The tiles, outermost first; None for none.
        sub_byte_element_size_in_bits: Bits that a packed element takes; 0 for
            whole bytes.
    """

    major_to_minor: Tuple[int, ...]
    tiling: Optional[Tuple[Tuple[int, ...], ...]] = None
    sub_byte_element_size_in_bits: int = 0

    @classmethod
    def of(cls, shape: Any) -> Layout:
        """Returns the layout of an XLA shape, or of its text."""
        shape = _layouts.shape(shape)
        if shape.minor_to_major is None:
            raise Error(f"{shape} has no layout")
        return cls(
            tuple(reversed(shape.minor_to_major)),
            tuple(
                tuple(-1 if entry == "*" else int(entry) for entry in tile)
                for tile in shape.tiles
            )
            or None,
            shape.element_size_in_bits,
        )

    def shape(self, element_type: Any, dimensions: Sequence[int]) -> _layouts.Shape:
        """Returns the XLA shape of an array with this layout.

        Args:
            element_type: XLA's name, "bf16", or a dtype.
            dimensions: The bounds, one for each dimension.
        """
        return _layouts.Shape.of(
            element_type,
            dimensions,
            minor_to_major=tuple(reversed(self.major_to_minor)),
            tiles=[
                ["*" if entry == -1 else entry for entry in tile] for tile in self.tiling or ()
            ],
            element_size_in_bits=self.sub_byte_element_size_in_bits,
        )

    def to_jax(self) -> Any:
        """Returns JAX's own object. Needs JAX."""
        from jax.experimental import layout as jax_layout  # type: ignore

        for name in _NAMES:
            made = getattr(jax_layout, name, None)
            if made is not None:
                return made(**_arguments(self))
        raise Error("this JAX has no layouts", code="UNIMPLEMENTED")


def _arguments(layout: Layout) -> Dict[str, Any]:
    arguments: Dict[str, Any] = {"major_to_minor": layout.major_to_minor}
    if layout.tiling is not None:
        arguments["tiling"] = layout.tiling
    if layout.sub_byte_element_size_in_bits:
        arguments["sub_byte_element_size_in_bits"] = layout.sub_byte_element_size_in_bits
    return arguments


def read(layout: Any) -> Layout:
    """Returns a layout of JAX: of its text, or of the object.

    Raises:
        tessera.Error: It is not a layout of JAX.
    """
    if isinstance(layout, str):
        return _parse(layout)
    # A Format, or what was called Layout before, holds the layout beside the
    # sharding.
    for outer in ("layout", "device_local_layout"):
        layout = getattr(layout, outer, None) or layout
    if not hasattr(layout, "major_to_minor"):
        raise Error(f"expected a layout of JAX, found {type(layout).__name__}")
    return _checked(
        layout.major_to_minor,
        _first(layout, "tiling", "_tiling"),
        _first(layout, "sub_byte_element_size_in_bits", "_sub_byte_element_size_in_bits") or 0,
    )


def layout_of(array: Any) -> _layouts.Shape:
    """Returns the XLA shape of an array of JAX, with its layout on the device.

    `array` is any object with `shape` and `dtype`, and with the layout in
    `format` or `layout`, as arrays of JAX have them.
    """
    found = _first(array, "format", "layout")
    if found is None:
        raise Error("the array does not say its layout: it has no format")
    return read(found).shape(array.dtype, array.shape)


def _first(holder: Any, *names: str) -> Any:
    for name in names:
        value = getattr(holder, name, None)
        if value is not None:
            return value
    return None


def _parse(text: str) -> Layout:
    try:
        call = ast.parse(text.strip(), mode="eval").body
        if not isinstance(call, ast.Call) or call.args:
            raise ValueError("it is not of the form Layout(major_to_minor=...)")
        name = getattr(call.func, "attr", None) or getattr(call.func, "id", None)
        if name not in _NAMES:
            raise ValueError(f"expected Layout(...), found {name}(...)")
        arguments = {
            (keyword.arg or "").lstrip("_"): ast.literal_eval(keyword.value)
            for keyword in call.keywords
        }
        unknown = set(arguments) - {field.name for field in dataclasses.fields(Layout)}
        if unknown:
            raise ValueError(f"there is no argument {sorted(unknown)[0]}")
        if "major_to_minor" not in arguments:
            raise ValueError("major_to_minor is missing")
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
        raise Error(f"this is not a layout of JAX: {error}") from None
    return _checked(
        arguments["major_to_minor"],
        arguments.get("tiling"),
        arguments.get("sub_byte_element_size_in_bits") or 0,
    )


def _checked(major_to_minor: Any, tiling: Any, element_bits: Any) -> Layout:
    try:
        order = tuple(int(entry) for entry in major_to_minor)
        tiles = tuple(tuple(int(entry) for entry in tile) for tile in tiling or ())
        bits = int(element_bits)
    except (TypeError, ValueError) as error:
        raise Error(f"this is not a layout of JAX: {error}") from None
    if sorted(order) != list(range(len(order))):
        raise Error(f"major_to_minor={order} is not a permutation")
    return Layout(order, tiles or None, bits)
