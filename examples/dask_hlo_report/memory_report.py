"""The memory of many HLO dumps in one report, and how reports are joined.

A report of one dump is made of what `tessera batch` answers; reports of many
dumps are joined to one, in any order and grouping.
"""

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

# A message of proto/hlo_questions.proto.
Message = dict[str, Any]
# What is added up under a name.
Value = TypeVar("Value", "MemorySum", "ArrayUse")


@dataclass(frozen=True)
class MemorySum:
    """Buffers, as if none shared memory with another."""

    arrays: int = 0
    unpadded_bytes: int = 0
    padded_bytes: int = 0
    # A sum has passed 2^63-1 on the way, and is more than it says.
    is_saturated: bool = False

    @property
    def padding_bytes(self) -> int:
        return self.padded_bytes - self.unpadded_bytes

    def __add__(self, other: "MemorySum") -> "MemorySum":
        return MemorySum(
            self.arrays + other.arrays,
            self.unpadded_bytes + other.unpadded_bytes,
            self.padded_bytes + other.padded_bytes,
            self.is_saturated or other.is_saturated,
        )


@dataclass(frozen=True)
class Problem:
    """What of a dump is not in the report."""

    dump: str
    # "failed": nothing of it is. "partial": what could be read is. "cut off":
    # all is, as far as the dump goes.
    kind: str
    message: str


@dataclass(frozen=True)
class Peak:
    """How much of one memory space a scheduled module needs at once."""

    memory_space: str
    peak_bytes: int
    instruction: str


@dataclass(frozen=True)
class Module:
    dump: str
    name: str
    computations: int
    instructions: int
    total: MemorySum
    peaks: list[Peak]
    # Why there are no peaks.
    no_peak: str


@dataclass(frozen=True)
class PeakArray:
    """An array that is in memory at the peak of its module."""

    dump: str
    module: str
    memory_space: str
    instruction: str
    shape: str  # empty for what called computations need
    padded_bytes: int


@dataclass(frozen=True)
class ArrayUse:
    """All arrays of one shape that is padded."""

    count: int
    total_padded_bytes: int
    total_padding_bytes: int
    # The dimensions that are padded most: their bound, and what it became.
    dimensions: list[int]
    bound: int
    padded: int

    def __add__(self, other: "ArrayUse") -> "ArrayUse":
        return dataclasses.replace(
            self,
            count=self.count + other.count,
            total_padded_bytes=(self.total_padded_bytes +
                                other.total_padded_bytes),
            total_padding_bytes=(self.total_padding_bytes +
                                 other.total_padding_bytes),
        )


@dataclass(frozen=True)
class Report:
    dumps: int = 0
    # Processes of tessera that died and were replaced.
    restarts: int = 0
    instructions: int = 0
    total: MemorySum = MemorySum()
    problems: list[Problem] = field(default_factory=list)
    by_memory_space: dict[str, MemorySum] = field(default_factory=dict)
    by_opcode: dict[str, MemorySum] = field(default_factory=dict)
    by_shape: dict[str, ArrayUse] = field(default_factory=dict)
    # The greatest first.
    modules: list[Module] = field(default_factory=list)
    # The greatest first, and only these: joining keeps as many rows as asked.
    at_peak: list[PeakArray] = field(default_factory=list)


def failed_report(dump: str, message: str, restarts: int = 0) -> Report:
    """The report of a dump that cannot be read."""
    problem = Problem(dump, "failed", message)
    return Report(dumps=1, restarts=restarts, problems=[problem])


def dump_report(dump: str, answer: Message, restarts: int,
                rows: int) -> Report:
    """The report of one dump, from the answer to `summarize`."""
    if "error" in answer:
        return failed_report(dump, _error_text(answer["error"]), restarts)
    summary = answer["summarize"]
    problem = _problem(dump, summary)
    modules = summary.get("modules", [])
    return Report(
        dumps=1,
        restarts=restarts,
        instructions=summary.get("instructions", 0),
        total=_memory_sum(summary["total"]),
        problems=[problem] if problem else [],
        by_memory_space=_sums_by_name(summary.get("by_memory_space", [])),
        by_opcode=_sums_by_name(
            row for module in modules for row in module.get("by_opcode", [])),
        by_shape={row["shape"]: _array_use(row)
                  for row in summary.get("most_wasteful", [])},
        modules=_greatest_modules(_module(dump, row) for row in modules),
        at_peak=_greatest_arrays(
            (array for row in modules for array in _peak_arrays(dump, row)),
            rows),
    )


def join_reports(reports: list[Report], rows: int) -> Report:
    """One report of all dumps, with `rows` arrays at peaks."""
    return Report(
        dumps=sum(report.dumps for report in reports),
        restarts=sum(report.restarts for report in reports),
        instructions=sum(report.instructions for report in reports),
        total=sum((report.total for report in reports), MemorySum()),
        problems=sorted((problem for report in reports
                         for problem in report.problems),
                        key=lambda problem: problem.dump),
        by_memory_space=_joined(report.by_memory_space for report in reports),
        by_opcode=_joined(report.by_opcode for report in reports),
        by_shape=_joined(report.by_shape for report in reports),
        modules=_greatest_modules(module for report in reports
                                  for module in report.modules),
        at_peak=_greatest_arrays((array for report in reports
                                  for array in report.at_peak), rows),
    )


def _joined(tables: Iterable[dict[str, Value]]) -> dict[str, Value]:
    joined: dict[str, Value] = {}
    for table in tables:
        for name, value in table.items():
            joined[name] = joined[name] + value if name in joined else value
    return joined


def _greatest_modules(modules: Iterable[Module]) -> list[Module]:
    return sorted(modules, key=lambda module: (-module.total.padded_bytes,
                                               module.dump))


def _greatest_arrays(arrays: Iterable[PeakArray],
                     rows: int) -> list[PeakArray]:
    return sorted(arrays, key=lambda array: (-array.padded_bytes, array.dump,
                                             array.module))[:rows]


def _memory_sum(row: Message) -> MemorySum:
    return MemorySum(row.get("arrays", 0), row.get("unpadded_bytes", 0),
                     row.get("padded_bytes", 0),
                     row.get("is_saturated", False))


def _sums_by_name(rows: Iterable[Message]) -> dict[str, MemorySum]:
    return _joined({row["name"]: _memory_sum(row)} for row in rows)


def _array_use(row: Message) -> ArrayUse:
    blame = row["most_padded"]
    return ArrayUse(row["count"], row["total_padded_bytes"],
                    row["total_padding_bytes"], blame.get("dimensions", []),
                    blame.get("bound", 0), blame.get("padded", 0))


def _spaces(module: Message) -> Iterable[Message]:
    """The peaks of the memory spaces; there are none without a schedule."""
    return (module["peak"]["by_memory_space"] or {}).values()


def _module(dump: str, row: Message) -> Module:
    peaks = [Peak(space["name"], space["peak_bytes"],
                  space["peak_instruction"]) for space in _spaces(row)]
    return Module(dump, row.get("name", ""), row.get("computations", 0),
                  row.get("instructions", 0), _memory_sum(row["total"]),
                  peaks, row["peak"]["reason"] or "")


def _peak_arrays(dump: str, module: Message) -> Iterable[PeakArray]:
    for space in _spaces(module):
        for array in space["live_at_peak"]:
            yield PeakArray(dump, module.get("name", ""), space["name"],
                            array["instruction"], array["shape"] or "",
                            array["padded_bytes"])


def _error_text(error: Message) -> str:
    return f"{error['code']}: {error['message']}{_place(error)}"


def _place(error: Message) -> str:
    position = error.get("position")
    if position is None:
        return ""
    return f" at line {position['line']}, column {position['column']}"


def _problem(dump: str, summary: Message) -> Problem | None:
    notes = summary.get("diagnostics", [])
    is_empty = not summary.get("modules")
    if not notes:
        return Problem(dump, "failed", "holds no HLO") if is_empty else None
    message = notes[0]["message"] + _place(notes[0])
    others = summary["diagnostic_count"] - 1
    if others > 0:
        message += f", and {others} more"
    if is_empty:
        return Problem(dump, "failed", message)
    cut_off = summary.get("is_merely_cut_off", False)
    return Problem(dump, "cut off" if cut_off else "partial", message)
