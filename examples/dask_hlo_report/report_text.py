"""A report for people, and for programs."""

import dataclasses
import json
from collections import Counter
from collections.abc import Callable, Sequence

from memory_report import ArrayUse, MemorySum, Module, Report


def json_text(report: Report, rows: int) -> str:
    """The report as one JSON object, with exact bytes."""
    fields = dataclasses.asdict(report)
    del fields["by_shape"]
    fields["most_wasteful"] = [
        {"shape": shape, **dataclasses.asdict(use)}
        for shape, use in _most_wasteful(report)[:rows]
    ]
    return json.dumps(fields, indent=1)


def plain_text(report: Report, rows: int) -> str:
    """The report as tables of `rows` rows each."""
    parts = [
        _head(report),
        _problem_table(report),
        _sum_table("Memory spaces: all arrays together", "memory space",
                   {_space(name): total for name, total
                    in report.by_memory_space.items()}, rows),
        _module_table(report.modules, rows),
        _sum_table("Opcodes: the buffers of all instructions", "opcode",
                   report.by_opcode, rows),
        _waste_table(report, rows),
        _peak_table(report, rows),
    ]
    return "\n\n".join(part for part in parts if part)


def bytes_text(size: int) -> str:
    """1023 as "1023 B", 1024 as "1.0 KiB"."""
    if size < 1024:
        return f"{size} B"
    value = float(size)
    for unit in ("KiB", "MiB", "GiB", "TiB", "PiB"):
        value /= 1024
        if value < 1023.95:
            return f"{value:.1f} {unit}"
    return f"{value / 1024:.1f} EiB"


def _head(report: Report) -> str:
    kinds = Counter(problem.kind for problem in report.problems)
    read = report.dumps - sum(kinds.values())
    lines = [
        f"{_count(report.dumps, 'dump')}: {read} read, "
        f"{kinds['cut off']} cut off, {kinds['partial']} read in part, "
        f"{kinds['failed']} failed",
        f"{_count(len(report.modules), 'module')}, "
        f"{_count(report.instructions, 'instruction')}",
        f"{_count(report.total.arrays, 'array')} of "
        f"{_sum_bytes(report.total)} in all, {_padding(report.total)} of it "
        "padding,",
        "counting every buffer as if none shared memory",
    ]
    if report.restarts:
        lines.append(f"tessera died and was started anew: "
                     f"{_count(report.restarts, 'time')}")
    return "\n".join(lines)


def _problem_table(report: Report) -> str:
    # All of them: what is missing from the sums is not to be missed here.
    return _table("Not read, or not whole", ["", "dump", "why"],
                  [[problem.kind, problem.dump, problem.message]
                   for problem in report.problems], len(report.problems))


def _sum_table(title: str, heading: str, sums: dict[str, MemorySum],
               rows: int) -> str:
    greatest = sorted(sums.items(),
                      key=lambda item: (-item[1].padded_bytes, item[0]))
    return _table(title, [heading, ">arrays", ">bytes", ">padding"],
                  [[name, str(total.arrays), _sum_bytes(total),
                    _padding(total)] for name, total in greatest], rows)


def _module_table(modules: list[Module], rows: int) -> str:
    return _table("Modules", ["module", ">instructions", ">bytes", ">padding",
                              "peak", "dump"],
                  [[module.name, str(module.instructions),
                    _sum_bytes(module.total), _padding(module.total),
                    _peaks(module), module.dump] for module in modules], rows)


def _waste_table(report: Report, rows: int) -> str:
    return _table("Most wasteful arrays: padding summed over all uses",
                  [">padding", "padded most", ">uses", "shape"],
                  [[bytes_text(use.total_padding_bytes), _blame(use),
                    str(use.count), shape]
                   for shape, use in _most_wasteful(report)], rows)


def _peak_table(report: Report, rows: int) -> str:
    return _table("Largest arrays at a module's peak",
                  [">bytes", "memory space", "instruction", "shape", "module",
                   "dump"],
                  [[bytes_text(array.padded_bytes), _space(array.memory_space),
                    array.instruction, array.shape, array.module, array.dump]
                   for array in report.at_peak], rows)


def _most_wasteful(report: Report) -> list[tuple[str, ArrayUse]]:
    return sorted(report.by_shape.items(),
                  key=lambda item: (-item[1].total_padding_bytes, item[0]))


def _table(title: str, header: Sequence[str], rows: list[list[str]],
           most: int) -> str:
    """Columns whose name begins with '>' are aligned to the right."""
    if not rows:
        return ""
    cells = [[_printable(cell) for cell in row]
             for row in [[name.lstrip(">") for name in header]] + rows[:most]]
    aligns: list[Callable[[str, int], str]] = [
        str.rjust if name.startswith(">") else str.ljust for name in header]
    widths = [max(map(len, column)) for column in zip(*cells)]
    lines = ["  " + "  ".join(align(cell, width) for align, cell, width
                              in zip(aligns, row, widths)).rstrip()
             for row in cells]
    if len(rows) > most:
        lines.append(f"  and {len(rows) - most} more")
    return "\n".join([title] + lines)


def _printable(text: str) -> str:
    """Names come from dumps: none may steer the terminal."""
    return "".join(c if c.isprintable() else "?" for c in text)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _sum_bytes(total: MemorySum) -> str:
    more = "more than " if total.is_saturated else ""
    return more + bytes_text(total.padded_bytes)


def _padding(total: MemorySum) -> str:
    if total.padding_bytes == 0:
        return "none"
    share = total.padding_bytes / total.padded_bytes
    return f"{bytes_text(total.padding_bytes)} ({share:.1%})"


def _peaks(module: Module) -> str:
    if not module.peaks:
        if "not scheduled" in module.no_peak:
            return "not scheduled"
        return module.no_peak or "-"
    return ", ".join(f"{_space(peak.memory_space)} "
                     f"{bytes_text(peak.peak_bytes)}"
                     for peak in module.peaks)


def _space(name: str) -> str:
    return f"S({name})" if name.isdecimal() else name


def _blame(use: ArrayUse) -> str:
    where = "tile"
    if use.dimensions:
        where = "dim " + ",".join(map(str, use.dimensions))
    return f"{where}: {use.bound}→{use.padded}"
