"""Files with layouts of Tenstorrent's tensors, and the memory that these take.

>>> import tessera
>>> file = tessera.tt.load('''
... #l1 = #ttnn.buffer_type<l1>
... #layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>,
...     memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>,
...     core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>
... func.func @f(%0: tensor<32x60xbf16, #layout>) -> tensor<32x60xbf16, #layout> {
...   %1 = "ttnn.relu"(%0) : (tensor<32x60xbf16, #layout>) -> tensor<32x60xbf16, #layout>
...   return %1 : tensor<32x60xbf16, #layout>
... }''')
>>> [(t.written, t.uses, t.sizes.taken_per_bank) for t in file.tensors]
[('tensor<32x60xbf16, #layout>', 5, 4096)]
>>> file.functions[0].name, file.functions[0].l1.bytes_per_bank
('@f', 8192)
>>> file.layout(file.tensors[0]).bounds
(32, 60)
"""

from __future__ import annotations

import operator
import os
from typing import Any, Dict, List, Tuple

from tessera import _layouts, answers
from tessera._answer import Table
from tessera._errors import FileError
from tessera._files import unpacked

__all__ = ["File", "load"]

# No list is cut.
_ALL = 2**62


class File:
    """A file that tessera.tt.load has read.

    Attributes:
        answer: The whole answer, a tessera.answers.TtReportResult.
    """

    def __init__(self, answer: answers.TtReportResult) -> None:
        self.answer = answer

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.answer.file

    @property
    def tensors(self) -> Table[answers.TtItem]:
        """The distinct tensors, those that take the most of a bank first."""
        return self.answer.tensors

    @property
    def layouts(self) -> Table[answers.TtItem]:
        """The distinct layouts that are written out."""
        return self.answer.layouts

    @property
    def memrefs(self) -> Table[answers.TtItem]:
        """The distinct memrefs, those that take the most of a bank first."""
        return self.answer.memrefs

    @property
    def functions(self) -> Table[answers.TtFunction]:
        """The functions and their peaks, those that need the most L1 first."""
        return self.answer.functions

    @property
    def errors(self) -> Table[answers.TtFinding]:
        """The rules that are broken."""
        return self.answer.errors

    @property
    def warnings(self) -> Table[answers.TtFinding]:
        """The findings that break no rule."""
        return self.answer.warnings

    def layout(self, item: answers.TtItem) -> _layouts.Tensor:
        """Returns where each element of a tensor of this file lies.

        Raises:
            tessera.Error: It is not a tensor, or its layout does not have
                locations.
        """
        return _layouts.tensor(item.text)

    def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame: a row for each tensor and memref, a
        column for each fact and size.
        """
        import pandas  # type: ignore[import]

        rows: List[Dict[str, Any]] = []
        for kind, items in (("tensor", self.tensors), ("memref", self.memrefs)):
            for item in items:
                row: Dict[str, Any] = {"file": self.name, "kind": kind}
                for field, value in item.to_dict().items():
                    if field != "sizes":
                        row[field] = value
                if item.sizes is not None:
                    row.update(item.sizes.to_dict())
                rows.append(row)
        return pandas.DataFrame(rows)

    def __repr__(self) -> str:
        return (
            f"<tessera.tt.File {self.name!r}: {len(self.tensors)} tensors, "
            f"{len(self.layouts)} layouts, {len(self.memrefs)} memrefs>"
        )


def load(
    source: Any,
    *,
    arch: str = "",
    l1_bytes: int = 0,
    l1_banks: int = 0,
    out_of_memory: str = "",
    bytes: int = 0,
) -> File:
    """Reads a file of tt-mlir, a log, or JSON with IR in its strings.

    Args:
        source: A path; or the text itself (a str with a line break or a '<'
            counts as text); or bytes. Files may be compressed by gzip.
        arch: The card, "wormhole_b0" or "blackhole". If not given, that of the
            #ttcore.system_desc in the text, else a Wormhole.
        l1_bytes: The bytes of a core's L1 that tensors can use; 0 for those of
            the card.
        l1_banks: The banks over which tensors are interleaved in L1; 0 for
            those of the card.
        out_of_memory: A message "Out of Memory: Not enough space to allocate
            ..."; File.answer.matches are the tensors of that size.
        bytes: The same for a number of bytes.

    Raises:
        tessera.FileError: There is no such file, or it may not be read.
        tessera.Error: An argument is wrong.
    """
    name, text = _text_of(source)
    return File(
        _layouts.ask(
            {
                "tt_report": {
                    "text": text,
                    "file": name,
                    "rows": _ALL,
                    "arch": arch,
                    "l1_bytes": operator.index(l1_bytes),
                    "l1_banks": operator.index(l1_banks),
                    "out_of_memory": out_of_memory,
                    "bytes": operator.index(bytes),
                }
            }
        )
    )


def _text_of(source: Any) -> Tuple[str, str]:
    if isinstance(source, str) and ("\n" in source or "<" in source):
        return "<text>", source.encode("utf-8", "replace").decode()
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "<bytes>", unpacked(bytes(source), "").decode("utf-8", "replace")
    path = os.fspath(source)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", source=os.fsdecode(path)) from None
    name = os.fsdecode(path)
    return name, unpacked(data, name).decode("utf-8", "replace")
