"""JAX's layouts, without a dependency on JAX.

JAX prints layouts as ``Layout(major_to_minor=(0, 1), tiling=((8, 128),))``,
XLA as ``{1,0:T(8,128)}``. Both describe the same layouts; this module reads
and writes JAX's.

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
import operator
import re
from typing import Any, Dict, Optional, Sequence, Tuple

from tessera import _layouts
from tessera._element_types import element_type_of
from tessera._errors import Error

# JAX's names for this class, the newest first. In versions with
# DeviceLocalLayout, the class Layout holds one of these and a sharding.
_NAMES = ("Layout", "DeviceLocalLayout")
_BEGIN = re.compile(r"\b(?:Layout|DeviceLocalLayout)\(\s*_?(?=major_to_minor)")

# Elements that tiles pack, as in jax/_src/layout.py.
_PACKED_BITS = {f"{sign}{bits}": bits for sign in "su" for bits in (1, 2, 4)}


@dataclasses.dataclass(frozen=True)
class Layout:
    """A layout in JAX's form: jax.experimental.layout.Layout.

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
        """Returns the layout of an XLA shape or of its text."""
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
        if not isinstance(element_type, str):
            element_type = element_type_of(element_type)
        bits = self.sub_byte_element_size_in_bits
        if self.tiling is not None and bits == 0:
            bits = _PACKED_BITS.get(element_type, 0)
        return _layouts.Shape.of(
            element_type,
            dimensions,
            minor_to_major=tuple(reversed(self.major_to_minor)),
            tiles=[
                ["*" if entry == -1 else entry for entry in tile] for tile in self.tiling or ()
            ],
            element_size_in_bits=bits,
        )

    def to_jax(self) -> Any:
        """Returns JAX's own object. Needs JAX."""
        from jax.experimental import layout as jax_layout  # type: ignore

        for name in _NAMES:
            made = getattr(jax_layout, name, None)
            if made is None:
                continue
            # Older versions have an underscore before the last two.
            for prefix in ("", "_"):
                try:
                    return made(**_arguments(self, prefix))
                except TypeError:
                    pass
        raise Error("this JAX has no layouts", code="UNIMPLEMENTED")


def _arguments(layout: Layout, prefix: str) -> Dict[str, Any]:
    return {
        "major_to_minor": layout.major_to_minor,
        f"{prefix}tiling": layout.tiling,
        f"{prefix}sub_byte_element_size_in_bits": layout.sub_byte_element_size_in_bits,
    }


def read(layout: Any) -> Layout:
    """Returns a JAX layout from its text or from the object.

    Raises:
        tessera.Error: It is not a layout of JAX; or it leaves the layout open,
            as Layout.AUTO does.
    """
    if isinstance(layout, str):
        return _parse(layout)
    found = _layout_in(layout)
    if found is None:
        raise Error(
            "the format has no layout, which means the default one: "
            "tessera.jax.layout_of(array) returns it",
            code="FAILED_PRECONDITION",
        )
    if _is_auto(found):
        raise Error(
            "AUTO leaves the layout to XLA: input_formats and output_formats of the result of "
            "compile() have the one that XLA chose",
            code="FAILED_PRECONDITION",
        )
    if not hasattr(found, "major_to_minor"):
        raise Error(f"expected a layout of JAX, found {type(layout).__name__}")
    return _checked(
        found.major_to_minor,
        _first(found, "tiling", "_tiling"),
        _first(found, "sub_byte_element_size_in_bits", "_sub_byte_element_size_in_bits") or 0,
    )


def layout_of(array: Any) -> _layouts.Shape:
    """Returns the XLA shape of a JAX array, with its layout on the device. For an
    array on several devices, that is the shape of the part on each of them.

    `array` is any object with `shape` and `dtype`. Arrays of JAX have their
    layout in `format` or `layout`. Without one, as in most instances of
    jax.ShapeDtypeStruct and in arrays of NumPy, the layout is the default:
    row-major, without tiles.
    """
    if not is_array(array):
        raise Error(f"expected an array with shape and dtype, found {type(array).__name__}")
    bounds = array.shape
    sharding: Any = getattr(array, "sharding", None)
    if hasattr(sharding, "shard_shape"):
        bounds = sharding.shard_shape(bounds)
    found = _first(array, "format", "layout")
    if found is None or _layout_in(found) is None:
        return _layouts.Shape.of(array.dtype, bounds)
    return read(found).shape(array.dtype, bounds)


def is_array(value: Any) -> bool:
    """Returns whether it has bounds and a dtype, as arrays have."""
    return hasattr(value, "shape") and hasattr(value, "dtype")


def is_layout(value: Any) -> bool:
    """Returns whether it is a Layout or a Format, which have no bounds."""
    if value is None:
        return False
    found = _layout_in(value)
    return found is None or _is_auto(found) or hasattr(found, "major_to_minor")


def _layout_in(value: Any) -> Any:
    """Returns the layout that a Format, or the Layout of older versions, holds
    next to a sharding; any other object itself."""
    for name in ("layout", "device_local_layout"):
        if hasattr(value, name):
            return getattr(value, name)
    return value


def _is_auto(layout: Any) -> bool:
    # It is an instance, or the class itself in older versions.
    kind = layout if isinstance(layout, type) else type(layout)
    return kind.__name__.startswith("AutoLayout")


def _first(holder: Any, *names: str) -> Any:
    for name in names:
        value = getattr(holder, name, None)
        if value is not None:
            return value
    return None


def _call_of(text: str) -> str:
    """Returns the part of a text that is Layout(major_to_minor=...): the text
    around it, such as a sharding, need not be Python."""
    begin = _BEGIN.search(text)
    if begin is None:
        raise ValueError("it has no Layout(major_to_minor=...)")
    depth = 0
    for i in range(begin.end(), len(text)):
        if text[i] == "(":
            depth += 1
        elif text[i] == ")":
            depth -= 1
            if depth < 0:
                return text[begin.start() : i + 1]
    raise ValueError("it breaks off before its last parenthesis")


def _parse(text: str) -> Layout:
    try:
        call = ast.parse(_call_of(text), mode="eval").body
        if not isinstance(call, ast.Call) or call.args:
            raise ValueError("an argument has no name")
        arguments = {
            (keyword.arg or "").lstrip("_"): ast.literal_eval(keyword.value)
            for keyword in call.keywords
        }
        unknown = set(arguments) - {field.name for field in dataclasses.fields(Layout)}
        if unknown:
            raise ValueError(f"there is no argument {sorted(unknown)[0]}")
    # A list as a key raises TypeError, for example.
    except (TypeError, ValueError, SyntaxError, RecursionError, MemoryError) as error:
        raise Error(f"this is not a layout of JAX: {error}") from None
    return _checked(
        arguments["major_to_minor"],
        arguments.get("tiling"),
        arguments.get("sub_byte_element_size_in_bits") or 0,
    )


def _checked(major_to_minor: Any, tiling: Any, element_bits: Any) -> Layout:
    try:
        order = tuple(operator.index(entry) for entry in major_to_minor)
        tiles = tuple(tuple(operator.index(entry) for entry in tile) for tile in tiling or ())
        bits = operator.index(element_bits)
    except TypeError as error:
        raise Error(f"this is not a layout of JAX: {error}") from None
    if sorted(order) != list(range(len(order))):
        raise Error(f"major_to_minor={order} is not a permutation")
    return Layout(order, tiles or None, bits)
