"""One report about a compiled program, with the names that its author gave."""

from __future__ import annotations

import dataclasses
import html
import os
import re
from typing import (
    Any,
    Dict,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
    overload,
)

from tessera import _core, _programs, answers, jax
from tessera._answer import Answer, Table
from tessera._devices import Device, device_named, device_of
from tessera._errors import Error
from tessera._layouts import Shape, shape
from tessera._pictures import display
from tessera.hlo import Dump, Instruction, Module, _mistakes, explain_text, load

# The number of a parameter or a result, and the index of a part of it.
Part = Tuple[int, Tuple[int, ...]]

# All rows: the report cuts tables off later.
_ALL = 1 << 30
# By default, JAX takes this fraction of a GPU's memory.
_GPU_FRACTION = 0.75


@dataclasses.dataclass(repr=False)
class Argument(Answer):
    """An array that is passed to the program.

    Attributes:
        name: As in Python: "params['layer0']['w']".
        number: XLA's number of the parameter.
        index: Which part of the parameter, if that is a tuple.
        shape: XLA's shape, on one device.
        nbytes: The bytes that it takes on one device, including padding.
        padding_bytes: The bytes of padding in these.
        padded: The part that is padded most: "dim 1: 130→256"; "" if nothing is
            padded.
        all_bytes: The bytes of the elements on all devices, without padding;
            None if JAX does not give the bounds.
        donation: "donated" if a result lies in its place; "could be donated" if
            a result of the same shape has a place of its own, and may take that
            of the argument; "donated in vain"
            if no result took its place; otherwise "".
        result: The result that lies in its place, "result['w']"; else "".
    """

    name: str
    number: int
    index: Tuple[int, ...]
    shape: str
    nbytes: int
    padding_bytes: int
    padded: str
    all_bytes: Optional[int]
    donation: str
    result: str


@dataclasses.dataclass(repr=False)
class BoundaryCopy(Answer):
    """A copy of a whole argument or of a whole result.

    Attributes:
        argument: The argument that is copied; "" for a result.
        result: The result that is a copy; "" for an argument.
        instruction: The instruction that copies.
        nbytes: The bytes that are written, including padding.
        from_: The shape before.
        to: The shape after.
        reason: Why it is copied.
        jax_layout: The layout that would avoid the copy, as JAX writes it; ""
            if no layout would.
        then_bytes: The bytes that the argument or the result would take in that
            layout; None without one.
    """

    argument: str
    result: str
    instruction: str
    nbytes: int
    from_: str
    to: str
    reason: str
    jax_layout: str
    then_bytes: Optional[int]


class Section(NamedTuple):
    """A table of the report. Titles that begin with ">" are of numbers."""

    heading: str
    titles: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclasses.dataclass(repr=False)
class Explanation(Answer):
    """The memory that a program needs on one device, and its use. print() and
    notebooks show a report.

    Attributes:
        module: The name of the module: "jit_step".
        target: The kind of device that it was compiled for: "tpu", "gpu" or
            "cpu".
        device: The name of the device to fit into; "" if it has none.
        capacity_bytes: The bytes of its memory that XLA may use; None if not
            known.
        needed_bytes: The bytes that XLA reserves for the run, and those of the
            program itself if known.
        fits: Whether that fits; None if the device is not known, or if not all
            of the program was read or counted and the rest fits.
        device_count: The number of devices that run it; all bytes are those of
            one device.
        argument_bytes: The bytes of all arguments.
        output_bytes: The bytes of results that do not lie in an argument.
        donated_bytes: The bytes of results that lie in donated arguments.
        temporary_bytes: The bytes of temporaries.
        constant_bytes: The bytes of constants.
        code_bytes: The bytes of the program itself; None if not known.
        padding_bytes: The bytes of padding in all of these; None if not known.
        donatable_bytes: The bytes of results that would need no place of their
            own if more arguments were donated. The program then needs up to as
            much less: temporaries may already lie in the place of a result.
        arguments: The largest first.
        temporaries: The arrays, other than arguments and results, that are live
            when the most memory is in use, the largest first.
        copies: The arguments and results that are copied only because they have
            another layout or are not donated, the largest first.
        notes: Notes about these numbers.
        rows: How many rows of each table the report shows.
    """

    module: str
    target: str
    device: str
    capacity_bytes: Optional[int]
    needed_bytes: int
    fits: Optional[bool]
    device_count: int
    argument_bytes: int
    output_bytes: int
    donated_bytes: int
    temporary_bytes: int
    constant_bytes: int
    code_bytes: Optional[int]
    padding_bytes: Optional[int]
    donatable_bytes: int
    arguments: Table[Argument]
    temporaries: Table[answers.PeakBuffer]
    copies: Table[BoundaryCopy]
    notes: List[str]
    rows: int

    def verdict(self) -> str:
        """Returns one line on whether the program fits."""
        needed = _core.human_bytes(self.needed_bytes)
        if self.capacity_bytes is None:
            example = {"tpu": "v5e", "gpu": "h100"}.get(self.target, "24GiB")
            return (
                f"needs {needed}; name a device to see whether that fits, such as "
                f"device='{example}'"
            )
        capacity = _core.human_bytes(self.capacity_bytes)
        name = f" {self.device}" if self.device else ""
        left = self.capacity_bytes - self.needed_bytes
        difference = _core.human_bytes(abs(left))
        if self.fits is None:
            return (
                f"not known whether it fits{name}: needs {needed} of {capacity}, "
                "and not all of the program was read or counted"
            )
        if left < 0:
            return f"does not fit{name}: needs {needed} of {capacity}, {difference} too much"
        return f"fits{name}: needs {needed} of {capacity}, {difference} left"

    def __str__(self) -> str:
        shown = display()
        text = f"{self._title()}\n  {self.verdict()}\n  {self._parts()}\n"
        for note in self.notes:
            text += f"  note: {note}\n"
        for section in self._sections(shown):
            text += f"\n{section.heading}\n"
            text += _core.table_text(section.titles, section.rows, "  ", shown)
        return text.rstrip("\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        color = {None: "inherit", True: "#18794e", False: "#cd2b31"}[self.fits]
        parts = [
            f"<b>{html.escape(self._title())}</b>",
            f"<div style='color:{color};font-weight:bold'>{html.escape(self.verdict())}</div>",
            f"<div>{html.escape(self._parts())}</div>",
            *(f"<div>note: {html.escape(note)}</div>" for note in self.notes),
        ]
        for section in self._sections(_core.Display()):
            parts.append(f"<h4 style='margin:1em 0 .3em'>{html.escape(section.heading)}</h4>")
            parts.append(_html_table(section))
        return f"<div style='overflow-x:auto'>{''.join(parts)}</div>"

    def _title(self) -> str:
        many = (
            f", on {self.device_count} devices; bytes are of one"
            if self.device_count > 1
            else ""
        )
        device = self.device or self.target.replace("none", "")
        return f"{self.module or 'module'}{device and f' for {device}'}{many}"

    def _parts(self) -> str:
        parts = [
            (self.argument_bytes, "arguments"),
            (self.output_bytes, "results"),
            (self.temporary_bytes, "temporaries"),
            (self.constant_bytes, "constants"),
            (self.code_bytes or 0, "program"),
        ]
        text = ", ".join(f"{name} {_core.human_bytes(size)}" for size, name in parts if size)
        if self.donated_bytes:
            text += f"; results of {_core.human_bytes(self.donated_bytes)} lie in donated arguments"
        if self.padding_bytes:
            text += f"; {_core.human_bytes(self.padding_bytes)} of it is padding"
        return text or "nothing"

    def _sections(self, shown: _core.Display) -> Iterator[Section]:
        if self.rows == 0:
            return
        if self.arguments:
            save = ""
            if self.donatable_bytes:
                save = f"; donating more would save up to {_core.human_bytes(self.donatable_bytes)}"
            yield Section(
                self._heading("arguments", self.arguments) + save,
                ("name", ">bytes", ">padding", "padded most", "donation", "shape"),
                [
                    (
                        argument.name,
                        _core.human_bytes(argument.nbytes),
                        _share(argument.padding_bytes, argument.nbytes),
                        argument.padded,
                        _donation_text(argument),
                        argument.shape,
                    )
                    for argument in self.arguments[: self.rows]
                ],
            )
        if self.temporaries:
            # The sum does not include temporaries that fit in the memory of results.
            where = "" if self.temporary_bytes else ", in the memory of results"
            yield Section(
                self._heading("temporaries at the peak", self.temporaries) + where,
                (">bytes", ">padding", "instruction", "shape", "where"),
                [
                    (
                        _core.human_bytes(array.padded_bytes),
                        _share(array.padded_bytes - array.unpadded_bytes, array.padded_bytes),
                        _array_text(array),
                        array.shape or "table of a tuple",
                        " ".join(filter(None, (array.source_line, array.op_name))),
                    )
                    for array in self.temporaries[: self.rows]
                ],
            )
        if self.copies:
            yield Section(
                self._heading("copies at the boundary", self.copies),
                ("what", ">bytes", "instruction", "why"),
                [
                    (
                        copy.argument or copy.result,
                        _core.human_bytes(copy.nbytes),
                        copy.instruction,
                        _reason_text(copy),
                    )
                    for copy in self.copies[: self.rows]
                ],
            )

    def _heading(self, name: str, table: Sequence[Any]) -> str:
        if len(table) <= self.rows:
            return name
        return f"{name}, the largest {self.rows} of {len(table)}"


def _reason_text(copy: BoundaryCopy) -> str:
    if not copy.jax_layout:
        return copy.reason
    then = _core.human_bytes(copy.then_bytes or 0)
    return f"{copy.reason}; as {copy.jax_layout} it would take {then} and no copy"


def _array_text(array: answers.PeakBuffer) -> str:
    return array.instruction + _index_text(array.index)


def _index_text(index: Sequence[int]) -> str:
    return "{" + ",".join(map(str, index)) + "}" if index else ""


def _donation_text(argument: Argument) -> str:
    return f"is {argument.result}" if argument.result else argument.donation


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if part else ""


def _html_table(section: Section) -> str:
    def cells(tag: str, row: Sequence[str]) -> str:
        made = ""
        for title, text in zip(section.titles, row):
            side = "right" if title.startswith(">") else "left"
            made += f"<{tag} style='text-align:{side}'>{html.escape(text.lstrip('>'))}</{tag}>"
        return f"<tr>{made}</tr>"

    head = cells("th", section.titles)
    body = "".join(cells("td", row) for row in section.rows)
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


# -- The names of arguments and results -------------------------------------------

_PYTHON_NAME = re.compile(r"[^\W\d]\w*($|[\[.])")
_NUMBERS = r"\{([\d,\s]*)\}"
# { {1}: (0, {}, may-alias) }: a part of the result, and the parameter that holds it.
_ALIAS = re.compile(rf"{_NUMBERS}:\s*\((\d+),\s*{_NUMBERS}")


def _index_of(text: str) -> Tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", text))


def _parts_of(whole: Optional[Shape]) -> Iterator[Tuple[Tuple[int, ...], Shape]]:
    """Yields the arrays of a shape, in order, each with its index."""
    stack: List[Tuple[Tuple[int, ...], Shape]] = [((), whole)] if whole is not None else []
    while stack:
        index, part = stack.pop()
        if part.is_tuple:
            inside = [((*index, i), inner) for i, inner in enumerate(part.tuple_shapes)]
            stack.extend(reversed(inside))
        elif part.is_array:
            yield index, part


class _Program:
    """A module with the names that its author gave to arguments and results."""

    def __init__(self, module: Module, source: Any) -> None:
        self.module = module
        entry = module.entry_computation
        if entry is None:
            raise Error("the text has no ENTRY", code="FAILED_PRECONDITION")
        self.entry = entry
        self.parameters: Dict[int, Instruction] = {
            instruction.parameter_number: instruction
            for instruction in sorted(
                (i for i in entry.instructions if i.parameter_number is not None),
                key=lambda i: i.parameter_number or 0,
            )
            if instruction.parameter_number is not None
        }
        self.parts: Dict[Part, Shape] = {
            (number, index): part
            for number, parameter in self.parameters.items()
            for index, part in _parts_of(parameter.shape)
        }
        known = _programs.arguments_of(source)
        self.known: Dict[Part, _programs.ArgumentInfo] = (
            dict(zip(self.parts, known)) if len(known) == len(self.parts) else {}
        )
        self.results = _programs.result_names_of(source)
        self.result_of: Dict[Part, Tuple[int, ...]] = {
            (int(number), _index_of(inside)): _index_of(result)
            for result, number, inside in _ALIAS.findall(
                module.attributes.get("input_output_alias", "")
            )
        }

    def argument_name(self, part: Part) -> str:
        number, index = part
        parameter = self.parameters[number]
        # JAX writes the names of arguments there. If XLA moves instructions, it
        # writes the names of operations: "jit(step)/while/body".
        name = parameter.op_name.replace("\\'", "'").replace('\\"', '"')
        is_name = _PYTHON_NAME.match(name) is not None
        if is_name and not index:
            return name
        if part in self.known:
            return self.known[part].name
        return f"{name if is_name else parameter.name}{_index_text(index)}"

    def result_name(self, index: Tuple[int, ...]) -> str:
        number = index[0] if index else 0
        if len(index) <= 1 and number < len(self.results):
            return self.results[number]
        return f"result{_index_text(index)}"

    def argument_behind(self, instruction: Instruction) -> Optional[Part]:
        """Returns the argument that an instruction passes on unchanged."""
        index: Tuple[int, ...] = ()
        for _ in range(_MOST_STEPS):
            if instruction.parameter_number is not None:
                part = (instruction.parameter_number, index)
                return part if part in self.parts else None
            if instruction.opcode not in _HAND_ON or not instruction.operands:
                return None
            if instruction.opcode == "get-tuple-element":
                index = (int(instruction.attributes.get("index", "0")), *index)
            instruction = instruction.operands[0]
        return None

    def result_before(self, instruction: Instruction) -> Optional[Tuple[int, ...]]:
        """Returns the index of the result that holds an instruction unchanged."""
        for _ in range(_MOST_STEPS):
            if instruction.is_root:
                return ()
            users = [user for user in instruction.users if user.computation == self.entry]
            if len(users) != 1:
                return None
            if users[0].opcode == "tuple" and users[0].is_root:
                return (list(users[0].operands).index(instruction),)
            if users[0].opcode not in _HAND_ON:
                return None
            instruction = users[0]
        return None


# Opcodes that change neither the values nor their order.
_HAND_ON = frozenset(
    ["bitcast", "copy-start", "copy-done", "get-tuple-element", "optimization-barrier"]
)
_MOST_STEPS = 64


# -- The parts of the report -------------------------------------------------------


def _arguments(program: _Program, space: answers.SpacePeak) -> Table[Argument]:
    donatable = {(array.instruction, tuple(array.index)) for array in space.donatable}
    shown = display()
    found = []
    for part, part_shape in program.parts.items():
        number, index = part
        known = program.known.get(part)
        result = program.result_of.get(part)
        donation = ""
        if result is not None:
            donation = "donated"
        elif known is not None and known.is_donated:
            donation = "donated in vain"
        elif (program.parameters[number].name, index) in donatable:
            donation = "could be donated"
        nbytes, unpadded = part_shape.nbytes or 0, part_shape.unpadded_nbytes or 0
        all_bytes = None
        if known is not None and known.shape is not None:
            elements = 1
            for bound in known.shape:
                elements *= bound
            all_bytes = elements * unpadded // part_shape.size if part_shape.size else 0
        found.append(
            Argument(
                name=program.argument_name(part),
                number=number,
                index=index,
                shape=part_shape.text,
                nbytes=nbytes,
                padding_bytes=nbytes - unpadded,
                padded=_core.padding_text(part_shape, shown),
                all_bytes=all_bytes,
                donation=donation,
                result="" if result is None else program.result_name(result),
            )
        )
    found.sort(key=lambda argument: -argument.nbytes)
    return Table(found)


def _copies(program: _Program) -> Table[BoundaryCopy]:
    found = []
    told = set()
    for instruction, from_, to, nbytes, is_free, is_fused in _core.hlo_relayouts(
        program.module._core
    ):
        told.add(instruction)
        # 0 bytes are those of an unbounded dimension, too.
        if is_free or is_fused or nbytes == 0 or instruction.computation != program.entry:
            continue
        before, after = shape(from_), shape(to)
        if before.dimensions != after.dimensions:
            continue
        # Only the memory space changes, so no layout would avoid the copy.
        if _order_of(before) == _order_of(after) or None in (
            before.minor_to_major,
            after.minor_to_major,
        ):
            continue
        part = program.argument_behind(instruction.operands[0])
        result = program.result_before(instruction) if part is None else None
        if part is None and result is None:
            continue
        wanted = after if part is not None else before
        found.append(
            BoundaryCopy(
                argument="" if part is None else program.argument_name(part),
                result="" if result is None else program.result_name(result),
                instruction=instruction.name,
                nbytes=nbytes,
                from_=from_,
                to=to,
                reason=f"{_layout_text(before)} becomes {_layout_text(after)}",
                jax_layout=_jax_text(wanted, before.tiles == after.tiles),
                then_bytes=wanted.nbytes,
            )
        )
    for instruction in program.entry.instructions:
        if instruction.opcode != "copy" or instruction in told or not instruction.operands:
            continue
        part = program.argument_behind(instruction.operands[0])
        if part is None or instruction.shape is None:
            continue
        is_donated = part in program.result_of
        kept = "it is used again" if is_donated else "it is kept because it is not donated"
        found.append(
            BoundaryCopy(
                argument=program.argument_name(part),
                result="",
                instruction=instruction.name,
                nbytes=instruction.padded_bytes,
                from_=program.parts[part].text,
                to=instruction.shape.text,
                reason=kept,
                jax_layout="",
                then_bytes=None,
            )
        )
    found.sort(key=lambda copy: -copy.nbytes)
    return Table(found)


def _order_of(array: Shape) -> Any:
    return array.minor_to_major, array.tiles, array.element_size_in_bits


def _jax_text(array: Shape, has_usual_tiles: bool) -> str:
    """Returns the layout as people write it for JAX, with only unusual tiles."""
    layout = jax.Layout.of(array)
    text = f"Layout(major_to_minor={layout.major_to_minor}"
    if layout.tiling is not None and not has_usual_tiles:
        text += f", tiling={layout.tiling}"
    return f"{text})"


def _layout_text(array: Shape) -> str:
    return array.text[array.text.find("{") :] if "{" in array.text else "no layout"


def _count(module: Module, name: str) -> int:
    text = module.attributes.get(name, "1")
    return int(text) if text.isdigit() else 1


def _code_bytes(source: Any) -> Optional[int]:
    """Returns the size of the program itself, which only XLA knows."""
    try:
        analysis = source.memory_analysis()
    # Not every backend has this analysis.
    except Exception:
        return None
    size = getattr(analysis, "generated_code_size_in_bytes", None)
    return size if isinstance(size, int) else None


def _device(source: Any, wanted: Union[int, str, None]) -> Optional[Device]:
    if wanted is not None:
        return device_named(wanted)
    for jax_device in _programs.devices_of(source):
        return device_of(jax_device)
    return None


def _platform(source: Any) -> str:
    """Returns the platform for which JAX compiled it, "cpu", "gpu" or "tpu"; ""
    if not known."""
    for jax_device in _programs.devices_of(source):
        name = getattr(jax_device, "platform", "")
        name = {"cuda": "gpu", "rocm": "gpu"}.get(name, name)
        return name if name in ("cpu", "gpu", "tpu") else ""
    return ""


def _family(device: Device) -> str:
    return "tpu" if device.target.startswith("v") else device.target


def _pasted(text: Any, rows: int) -> Optional[answers.ExplainTextResult]:
    """Explains a text that is not a program, or the file with that name; returns
    None if it is a program."""
    try:
        dump = load(text)
    except Error:
        try:
            if os.path.isfile(text):
                with open(text, encoding="utf-8", errors="replace") as file:
                    text = file.read()
            elif not isinstance(text, str):
                return None
            return explain_text(text, rows=rows)
        # The caller then reports that it is not a program, which is more useful.
        except (Error, OSError, ValueError):
            return None
    if any(module.entry_computation is not None for module in dump):
        return None
    return explain_text(text, rows=rows)


# A text may also be a message; explain_text has the classes of its answers.
@overload
def explain(
    program: str, *, device: Union[int, str, None] = None, rows: int = 5, target: str = ""
) -> Any: ...


@overload
def explain(
    program: Any, *, device: Union[int, str, None] = None, rows: int = 5, target: str = ""
) -> Explanation: ...


def explain(
    program: Any, *, device: Union[int, str, None] = None, rows: int = 5, target: str = ""
) -> Any:
    """Returns a report about the memory that a program needs on a device:
    whether it fits, its arguments by their names in Python, with padding and
    donation, the largest temporaries, and copies of arguments and results.

    Args:
        program: The result of JAX's compile(), a Dump or Module of tessera.hlo,
            or any argument of tessera.hlo.load with one module. A message of
            XLA about memory, a file with one, or another text that is not a
            program, is passed to tessera.hlo.explain_text.
        device: The device to fit into, such as "v5e" or "h100"; or the amount
            of its memory, such as "24GiB". If not given, the one for which the
            program was compiled, as far as JAX or the file determines it.
        rows: How many rows of each table the report shows.
        target: The device whose rules apply, as in Module.peak().

    Raises:
        tessera.Error: The program is not compiled, or has more than one module.

    >>> import tessera
    >>> answer = tessera.explain("tests/hlo/data/tpu_backbone.hlo", device="v5e")
    >>> answer.fits, answer.needed_bytes, answer.donatable_bytes
    (True, 99789824, 4260864)
    """
    if rows < 0:
        raise Error("expected 0 or more", field="rows")
    if isinstance(program, (str, os.PathLike)):
        answer = _pasted(program, rows)
        if answer is not None:
            return answer
    if isinstance(program, Module):
        module = program
    else:
        module = (program if isinstance(program, Dump) else load(program)).module
    chosen = _device(program, device)
    peak = module.peak(rows=_ALL, target=target)
    if not target and peak.target == "none":
        # The text of a module does not always determine the kind of device.
        platform = _platform(program)
        if platform:
            peak = module.peak(rows=_ALL, target=platform)
    if not target and chosen is not None and chosen.target != peak.tpu_generation:
        # The text of a module does not determine the generation.
        if peak.target == "tpu" == _family(chosen):
            peak = module.peak(rows=_ALL, target=chosen.target)
    if chosen is None and peak.tpu_generation:
        chosen = device_named(peak.tpu_generation)
    space = peak.space()
    named = _Program(module, program)
    code = _code_bytes(program)
    reserved = space.reserved_bytes
    unpadded = space.reserved_unpadded_bytes
    padding = None if reserved is None or unpadded is None else reserved - unpadded
    # The bytes that XLA itself assigned count, if they are known.
    for counted in (space.assigned_bytes, reserved, space.peak_bytes):
        if counted is not None:
            needed = counted + (code or 0)
            break
    target = peak.target or ""
    capacity = None if chosen is None else chosen.capacity_bytes
    notes = []
    mistakes = _mistakes(module._core.file)
    if mistakes:
        more = f"; {len(mistakes) - 1} more mistakes" if len(mistakes) > 1 else ""
        notes.append(f"not all of it was read: {mistakes[0]}{more}")
    if peak.skipped_arrays:
        notes.append("arrays with an unbounded dimension count as 0 bytes")
    is_partial = bool(notes)
    if chosen is not None and _family(chosen) not in ("", target):
        if target == "none":
            notes.append(
                "the text does not tell for which device it was compiled: "
                f"{chosen.name} may lay out and pad arrays differently"
            )
        else:
            notes.append(
                f"it was compiled for {target}: "
                f"{chosen.name} would lay out and pad arrays differently"
            )
    if target == "gpu" and capacity is not None:
        usual = int(_GPU_FRACTION * capacity)
        if usual < needed <= capacity:
            notes.append(
                f"JAX takes {_core.human_bytes(usual)} of a GPU's memory unless "
                "XLA_PYTHON_CLIENT_MEM_FRACTION is larger"
            )
    fits = None if capacity is None else needed <= capacity
    if fits and is_partial:
        fits = None
    return Explanation(
        module=module.name,
        target=target,
        device=chosen.name if chosen is not None else peak.tpu_generation or "",
        capacity_bytes=capacity,
        needed_bytes=needed,
        fits=fits,
        device_count=_count(module, "num_partitions") * _count(module, "replica_count"),
        argument_bytes=space.parameter_bytes or 0,
        output_bytes=space.output_bytes or 0,
        donated_bytes=space.donated_result_bytes,
        temporary_bytes=space.temporary_bytes or 0,
        constant_bytes=space.constant_bytes or 0,
        code_bytes=code,
        padding_bytes=padding,
        donatable_bytes=space.donatable_bytes,
        arguments=_arguments(named, space),
        temporaries=Table(
            array
            for array in space.live_at_peak
            if array.kind == "temporary" and array.same_place_as is None
        ),
        copies=_copies(named),
        notes=notes,
        rows=rows,
    )
