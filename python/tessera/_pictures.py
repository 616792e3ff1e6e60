"""Pictures of layouts."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any, Optional, Tuple, Union

from tessera import _core
from tessera._errors import Error
from tessera._files import write_text

#: [begin, end) of cells or positions.
Window = Tuple[int, int]


def is_utf8(stream: Any) -> bool:
    """Returns whether a stream can show characters beyond ASCII."""
    encoding = getattr(stream, "encoding", None)
    # A stream without an encoding, such as io.StringIO, accepts any text.
    return encoding is None or encoding.lower().replace("-", "") == "utf8"


def display() -> _core.Display:
    """Returns the style of reports on standard output."""
    is_terminal = bool(getattr(sys.stdout, "isatty", lambda: False)())
    columns = shutil.get_terminal_size().columns if is_terminal else 0
    return _core.Display(unicode=is_utf8(sys.stdout), color=False, columns=columns)


def suffix_of(path: Any, *known: str) -> str:
    """Returns the suffix of a file's name: one of these, or none. Another one
    names a format that cannot be written."""
    suffix = os.path.splitext(os.fsdecode(path))[1]
    if suffix.lower() not in ("", *known):
        raise Error(f"expected a name with {' or '.join(known)}, found {suffix}", field="path")
    return suffix.lower()


class Picture:
    """A picture of a layout. Notebooks show it as SVG, print() as text."""

    def __init__(self, drawing: Union[_core.Drawing, _core.ThreadDrawing]) -> None:
        self._drawing = drawing

    def to_svg(self) -> str:
        """Returns the picture as an SVG document."""
        return self._drawing.to_svg()

    def to_text(
        self, *, columns: int = 80, unicode: Optional[bool] = None, color: bool = False
    ) -> str:
        """Returns the picture in characters.

        Args:
            columns: How wide it may be.
            unicode: Whether to use characters beyond ASCII; if not given, those
                that standard output shows.
            color: Whether to use the escape sequences of terminals.
        """
        if unicode is None:
            unicode = is_utf8(sys.stdout)
        return self._drawing.to_text(unicode, color, columns)

    def save(self, path: Any) -> None:
        """Writes the picture to a file: text if the name ends in .txt, or SVG if it
        ends in .svg or has no suffix."""
        is_text = suffix_of(path, ".svg", ".txt") == ".txt"
        write_text(path, self.to_text(unicode=True) if is_text else self.to_svg())

    def __str__(self) -> str:
        return self.to_text()

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def __repr__(self) -> str:
        return "<tessera.Picture; print() shows it>"
