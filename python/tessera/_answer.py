"""The base of all answers: see tessera.answers."""

from __future__ import annotations

import dataclasses
import html
from typing import Any, Callable, Dict, Iterator, List, TypeVar

T = TypeVar("T")
A = TypeVar("A", bound="Answer")


class Table(List[T]):
    """A list of objects of one class, with columns for a data frame.

    >>> table = Table([Answer._of({"name": "a", "bytes": 4})])
    >>> table.columns()
    {'name': ['a'], 'bytes': [4]}

    ``pandas.DataFrame(table.columns())`` is the frame.
    """

    def columns(self) -> Dict[str, List[Any]]:
        """Returns one list for each attribute, in the order of the rows."""
        columns: Dict[str, List[Any]] = {}
        for row in self:
            for name, value in _fields(row):
                columns.setdefault(name, []).append(value)
        return columns

    def to_list(self) -> List[Any]:
        """Returns the rows as plain dictionaries."""
        return [_plain(row) for row in self]

    def _repr_html_(self) -> str:
        columns = self.columns()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        rows = "".join(
            "<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>"
            for row in zip(*columns.values())
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


class Answer:
    """A plain object: its attributes are numbers, texts, lists and answers."""

    @classmethod
    def _of(cls: type[A], fields: Dict[str, Any]) -> A:
        answer = cls.__new__(cls)
        answer.__dict__.update(fields)
        return answer

    def to_dict(self) -> Dict[str, Any]:
        """Returns the same as dictionaries and lists, for json.dumps and the like."""
        return {name: _plain(value) for name, value in _fields(self)}

    def __repr__(self) -> str:
        # Thousands of fields are of no use at a prompt; a report is.
        if "_render" in self.__dict__:
            return str(self)
        fields = ", ".join(
            f"{name}={value!r}" for name, value in _fields(self) if value is not None
        )
        return f"{type(self).__name__}({fields})"

    def __str__(self) -> str:
        render = self.__dict__.get("_render")
        return render() if render else repr(self)

    def __getstate__(self) -> Dict[str, Any]:
        return dict(_fields(self))

    def _rendered_by(self: A, render: Callable[[], str]) -> A:
        """Makes str() and repr() return the text of `render`."""
        self.__dict__["_render"] = render
        return self

    def _repr_html_(self) -> str:
        if "_render" in self.__dict__:
            return f"<pre style='overflow-x:auto'>{html.escape(str(self))}</pre>"
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
            f"<td style='text-align:left'>{_cell(value)}</td></tr>"
            for name, value in _fields(self)
            if value is not None
        )
        return f"<table><tbody>{rows}</tbody></table>"


def _fields(answer: Any) -> Iterator[Any]:
    if dataclasses.is_dataclass(answer):
        for field in dataclasses.fields(answer):
            yield field.name, getattr(answer, field.name)
    else:
        for name, value in answer.__dict__.items():
            if not name.startswith("_"):
                yield name, value


def _plain(value: Any) -> Any:
    if isinstance(value, Answer):
        return value.to_dict()
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    return value


def _cell(value: Any) -> str:
    if isinstance(value, (Answer, Table)):
        return str(value._repr_html_())
    return html.escape("" if value is None else str(value))
