"""The exceptions of the package."""

from __future__ import annotations

from typing import Any, Optional


class Error(ValueError):
    """A question that has no answer, with the reason.

    ``str()`` of it is for people: if a text is wrong, it has the line of the
    text with a caret below it.

    Attributes:
        code: "INVALID_ARGUMENT", "OUT_OF_RANGE" and the like: the name of an
            absl::StatusCode.
        message: One line that describes the problem.
        source: The file with the error, or "".
        field: The argument with the error; "" if not known.
        offset: Where the fault is in the text, in bytes from its beginning.
            This and the next two are None if the fault is not in a text.
        line: The number of the line, counted from 1.
        column: The number of the byte in the line, counted from 1.
        excerpt: The line, and a caret on a second line; "" for no text.

    >>> import tessera
    >>> try:
    ...     tessera.shape("f32[2,3]{1,0:T(2,}")
    ... except tessera.Error as error:
    ...     print(error.line, error.column)
    ...     print(error)
    1 18
    1:18: in tile: expected a dimension or '*', found '}'
      f32[2,3]{1,0:T(2,}
                       ^
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "INVALID_ARGUMENT",
        source: str = "",
        field: str = "",
        offset: Optional[int] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
        excerpt: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.source = source
        self.field = field
        self.offset = offset
        self.line = line
        self.column = column
        self.excerpt = excerpt

    @classmethod
    def _of(cls, answer: Any) -> Error:
        """Returns the error of an answer."""
        place = answer.position
        return cls(
            answer.message,
            code=answer.code,
            field=answer.field,
            offset=place and place.offset,
            line=place and place.line,
            column=place and place.column,
            excerpt=place.excerpt if place else "",
        )

    def __str__(self) -> str:
        text = f"{self.source}: " if self.source else ""
        # A proto has offsets and no lines.
        if self.line:
            text += f"{self.line}:{self.column}: "
        elif self.field:
            text += f"{self.field}: "
        text += self.message
        for line in self.excerpt.splitlines():
            text += f"\n  {line}"
        return text

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self), self.message, dict(self.__dict__))


class FileError(Error, OSError):
    """A file that the system cannot open: it does not exist or may not be
    read."""

    @property
    def filename(self) -> Any:
        """The same as `source`, under the name of OSError."""
        return self.source

    def __str__(self) -> str:
        return Error.__str__(self)


# Tracebacks have the names that programs use.
Error.__module__ = FileError.__module__ = "tessera"


def _rebuilt(cls: Any, message: str, state: Any) -> Error:
    error = cls(message)
    error.__dict__.update(state)
    return error
