"""HLO modules: their contents, and the memory that they take.

>>> import tessera
>>> dump = tessera.hlo.load('''
... HloModule m, is_scheduled=true
... ENTRY e {
...   x = f32[8,130]{1,0:T(8,128)} parameter(0)
...   ROOT y = f32[8,130]{1,0:T(8,128)} negate(x)
... }''')
>>> [i.name for i in dump.instructions.by_opcode("negate")]
['y']
>>> peak = dump.peak()
>>> peak.peak_bytes, peak.reserved_bytes, peak.padding_bytes
(16384, 16384, 8064)
>>> bool(dump.check(max_reserved="16 KiB"))
True

In JAX, ``tessera.hlo.load(jitted.lower(x).compile())``.
"""

from __future__ import annotations

import dataclasses
import html
import operator
import os
from typing import (
    Any,
    Dict,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
)

from tessera import _core, _layouts, _programs, answers
from tessera._answer import Answer, Table
from tessera._core import Computation, Computations, Instruction, Instructions
from tessera._errors import Error
from tessera._files import unpacked, write_text
from tessera._pictures import display, suffix_of

T = TypeVar("T")

# The most mistakes of a file that a check lists.
_MOST_MISTAKES = 10

__all__ = [
    "Check",
    "Computation",
    "Computations",
    "Diagnostic",
    "Dump",
    "Instruction",
    "Instructions",
    "MemoryMap",
    "Module",
    "Peak",
    "Relayout",
    "explain_text",
    "load",
    "passes",
]


class Diagnostic(NamedTuple):
    """A mistake in a text that was still read.

    Attributes:
        message: One line that describes the mistake.
        line: The number of the line, counted from 1; 0 for a proto, and for an
            empty text.
        column: The number of the byte in the line, counted from 1.
        offset: In bytes from the beginning.
        excerpt: The line, and a caret on a second line.
    """

    message: str
    line: int
    column: int
    offset: int
    excerpt: str


def load(
    source: Any, *, strict: bool = False, threads: int = 1, sidecars: bool = True
) -> Dump:
    """Reads HLO as XLA writes it.

    Args:
        source: A path of a file or of a folder of dumps; the text itself (a str
            with a line break or a brace counts as text); or bytes, text or
            proto. Files and bytes may be compressed by gzip. A program of JAX gives its
            text: the result of compile(), its executable, or a HloModule. So
            does the result of lower(), which has no memory before it is
            compiled.
        strict: Whether the first mistake is an error. Otherwise all that can
            be read is read; see Dump.diagnostics.
        threads: How many threads read a file; 0 for one per core.
        sidecars: Whether XLA's own results are read if they are next to a
            file. The files that name the target are always read.

    Raises:
        tessera.FileError: There is no such file, or it may not be read.
        tessera.Error: This is not HLO; under `strict`, it has a mistake. Or it
            is a function of JAX that has to be compiled first.
    """
    if not 0 <= threads <= 256:
        raise Error("expected 0 to 256", field="threads")
    program = _programs.program_of(source)
    if program is not None:
        text = program.text.encode("utf-8", "surrogatepass")
        files = [_core.read_hlo_bytes(text, program.name, strict, threads)]
        return Dump(files, [], program.advice)
    if isinstance(source, str) and (not source or "\n" in source or "{" in source):
        return Dump([_core.read_hlo_bytes(source.encode("utf-8", "surrogatepass"), "", strict, threads)], [])
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = unpacked(bytes(source), "")
        return Dump([_core.read_hlo_bytes(data, "", strict, threads)], [])
    try:
        path = os.fsencode(source)
    except UnicodeEncodeError as error:
        raise Error(f"the path is not Unicode: {error.reason} at {error.start}") from None
    is_folder, paths, unread = _core.find_hlo_files(path)
    files = [_core.read_hlo_file(name, strict, threads, sidecars) for name in paths]
    if is_folder and not files:
        raise Error("the folder has no XLA dump", code="NOT_FOUND", source=os.fsdecode(path))
    return Dump(files, unread if is_folder else [])


def explain_text(text: str, *, rows: int = 10) -> answers.ExplainTextResult:
    """Explains a text that is not a module. str() of the answer is the report of
    `tessera hlo explain`.

    >>> explain_text("Layout(major_to_minor=(0, 1), tiling=((8, 128),))").layout.layout
    '{1,0:T(8,128)}'

    Args:
        text: A message of XLA about memory that ran out, a buffer assignment
            without its module, one instruction, or a layout as JAX prints it.
        rows: The most rows in every list.

    Raises:
        tessera.Error: The text is something else; the message names its kind.
    """
    answer = _layouts.ask({"explain_text": {"text": text, "rows": rows}})
    return answer._rendered_by(
        lambda: _core.explanation_text(text, rows, display()).rstrip("\n")
    )


def passes(source: Any, *, rows: int = 10, count: str = "") -> List[answers.ModulePasses]:
    """Returns the arrays that are new after each pass of the compiler.

    str() of an answer is the report of `tessera hlo passes`.

    Args:
        source: The path of a folder that XLA wrote with --xla_dump_to,
            --xla_dump_hlo_as_text and --xla_dump_hlo_pass_re=.*; or that of a
            file in it, for the dumps of its module up to this one.
        rows: The most new arrays of each pass, and the most arrays of the last
            dump.
        count: As in Dump.report().

    Returns:
        An answer for each module with dumps of passes. The dumps are read one
        after another.

    Raises:
        tessera.FileError: There is no such file, or it may not be read.
        tessera.Error: There is only one dump of each module, or one of them is
            not HLO.
    """
    path = os.fsencode(source)
    found = _core.hlo_passes(path, _question(rows=rows, count=count), display())
    if not found:
        raise Error(
            "there is only one dump of each module; "
            "XLA_FLAGS=--xla_dump_hlo_pass_re=.* writes one after each pass",
            code="NOT_FOUND",
            source=os.fsdecode(path),
        )
    return [answer._rendered_by(text.strip("\n").__str__) for answer, text in found]


def _question(
    *,
    rows: int = 10,
    series: bool = False,
    computation: str = "",
    assume_text_order: bool = False,
    target: str = "",
    count: str = "",
    scoped_limit: Union[int, str, None] = None,
) -> _core.MemoryQuestion:
    """Returns the options of a question about memory."""
    return _core.MemoryQuestion(
        operator.index(rows),
        bool(series),
        computation,
        bool(assume_text_order),
        target,
        count,
        "" if scoped_limit is None else str(scoped_limit),
    )


@dataclasses.dataclass(repr=False)
class Relayout(Answer):
    """An instruction whose result is its operand in another layout.

    Attributes:
        instruction: Its name.
        opcode: "copy", "transpose", "bitcast" and the like.
        from_: The shape of the operand.
        to: The shape of the result.
        nbytes: The bytes that it moves, including padding.
        is_free: Whether nothing moves, as in a bitcast.
        is_fused: Whether it is inside a fusion, where nothing moves in memory.
        op_name: The op_name in its metadata; "" if it has none.
        source_line: "model.py:12"; "" if the metadata lacks it.
    """

    instruction: str
    opcode: str
    from_: str
    to: str
    nbytes: int
    is_free: bool
    is_fused: bool
    op_name: str
    source_line: str


def _named(space: Any, spaces: Dict[int, Tuple[str, T]]) -> T:
    """Returns the memory space with that number or name, in upper or lower case,
    among these, by their number: the name, with or without the number, and the
    space."""
    if not spaces:
        raise Error("the program has no arrays", code="NOT_FOUND", field="space")
    wanted = str(space).lower()
    known = []
    for number, (name, found) in sorted(spaces.items()):
        place = f" S({number})"
        name = name[: -len(place)] if name.endswith(place) else name
        known.append(name + place)
        if wanted in (str(number), f"s({number})", name.lower(), (name + place).lower()):
            return found
    raise Error(
        f"no array lies in memory space {space}; the program uses {', '.join(known)}",
        code="NOT_FOUND",
        field="space",
    )


def _mistakes(file: _core.HloFile) -> List[str]:
    """Returns the mistakes that kept a part of a file from being read."""
    name = f"{file.name}: " if file.name else ""
    found = []
    for entry in file.diagnostics:
        place = f"{entry['line']}:{entry['column']}: " if entry["line"] else ""
        found.append(f"{name}{place}{entry['message']}")
    return found + [f"{path}: {why}" for path, why, _ in file.sidecar_problems if why]


class Module:
    """A module of a dump: its computations, and the memory that it takes."""

    def __init__(self, core: _core.Module, advice: str = "") -> None:
        self._core = core
        # Why it has no peak, if the text does not have the reason.
        self._advice = advice

    @property
    def name(self) -> str:
        """The name: "jit_step"; "" for text without an HloModule line."""
        return self._core.name

    @property
    def is_scheduled(self) -> bool:
        """Whether the text is in execution order."""
        return self._core.is_scheduled

    @property
    def attributes(self) -> Dict[str, str]:
        """The attributes of the HloModule line, as written."""
        return self._core.attributes

    @property
    def computations(self) -> Computations:
        """All computations, in the order of the text."""
        return self._core.computations

    @property
    def entry_computation(self) -> Optional[Computation]:
        """The computation marked ENTRY; None if the text has none."""
        return self._core.entry_computation

    @property
    def instructions(self) -> List[Instruction]:
        """The instructions of all computations."""
        return [i for computation in self.computations for i in computation.instructions]

    def peak(
        self,
        *,
        rows: int = 10,
        series: bool = False,
        computation: str = "",
        assume_text_order: bool = False,
        target: str = "",
        scoped_limit: Union[int, str, None] = None,
    ) -> Peak:
        """Returns the most memory that the module needs at once, with the step
        and the arrays.

        str() of the answer is the report of `tessera hlo peak`.

        Args:
            rows: The most arrays to list in each memory space.
            series: Whether to return the bytes at every instruction.
            computation: The computation to analyze; ENTRY if not given.
            assume_text_order: Whether to use the order of the text as the
                execution order of a module that is not scheduled.
            target: The device, "tpu", "gpu", "cpu" or "none", or the generation
                of a TPU, such as "v5e"; guessed if not given.
            scoped_limit: The most scoped VMEM that one instruction of a TPU may
                use, "24MiB" or a number. If not given, that of the compiler's
                options next to the file, or of the generation.

        Raises:
            tessera.Error: The module has no peak, and why.
        """
        peak = self._peak(
            _question(
                rows=rows,
                series=series,
                computation=computation,
                assume_text_order=assume_text_order,
                target=target,
                scoped_limit=scoped_limit,
            )
        )
        if peak.by_memory_space is None:
            name = f"module {self.name}" if self.name else "the module"
            raise Error(
                f"{name} has no peak: {peak.reason}",
                code="FAILED_PRECONDITION",
                source=peak.file,
            )
        return peak

    def memory_analysis(
        self, *, assume_text_order: bool = False, target: str = ""
    ) -> answers.MemoryAnalysis:
        """Returns the numbers of JAX's memory_analysis() for the module, under
        the same names.

        >>> import tessera
        >>> dump = tessera.hlo.load('''
        ... HloModule m, is_scheduled=true
        ... ENTRY e {
        ...   x = f32[256]{0} parameter(0)
        ...   a = f32[1024]{0} broadcast(x), dimensions={}
        ...   ROOT b = f32[512]{0} slice(a), slice={[0:512]}
        ... }''')
        >>> analysis = dump.module.memory_analysis()
        >>> analysis.argument_size_in_bytes, analysis.output_size_in_bytes
        (1024, 2048)

        The sums are over XLA's own allocations if these were read with the
        module, else over computed ones. docs/memory.md shows how accurate they
        are, and what temp_size_in_bytes and peak_memory_in_bytes leave out.

        Args:
            assume_text_order, target: As in peak().

        Raises:
            tessera.Error: The module has no peak, and why.
        """
        peak = self.peak(rows=0, assume_text_order=assume_text_order, target=target)
        assert peak.memory_analysis is not None
        return peak.memory_analysis

    def scoped_vmem(
        self,
        *,
        rows: Optional[int] = None,
        assume_text_order: bool = False,
        target: str = "",
        scoped_limit: Union[int, str, None] = None,
    ) -> answers.ScopedVmemSummary:
        """Returns the VMEM that each instruction of a TPU reserves for itself,
        and its limit.

        Only XLA's dump after code generation has the used bytes: load the
        folder that has `*after_codegen.txt` next to the module, or that file.

        Args:
            rows: The most instructions to list; all if not given.
            assume_text_order, target, scoped_limit: As in peak().

        Raises:
            tessera.Error: The module is not of a TPU, or has no peak.
        """
        peak = self.peak(
            rows=2**62 if rows is None else rows,
            assume_text_order=assume_text_order,
            target=target,
            scoped_limit=scoped_limit,
        )
        if peak.scoped_vmem is None:
            raise Error(
                f"a module of {peak.target or 'no device'} has no scoped VMEM; "
                "give the target if it is of a TPU",
                code="FAILED_PRECONDITION",
                source=peak.file,
            )
        return peak.scoped_vmem

    def _peak(self, question: _core.MemoryQuestion) -> Peak:
        peak = Peak._of(_core.hlo_peak(self._core, question).__dict__)
        if self._advice and peak.by_memory_space is None:
            peak.reason = self._advice
        return peak._rendered_by(
            lambda: _core.hlo_peak_text(self._core, question, display()).strip("\n")
        )

    def memory_maps(
        self, *, color: str = "opcode", assume_text_order: bool = False, target: str = ""
    ) -> Dict[int, MemoryMap]:
        """Returns the map of every memory space, by its number.

        Args:
            color: The property that determines the color of a value: "opcode",
                "source" or "kind".
            assume_text_order, target: As in peak().
        """
        question = _question(assume_text_order=assume_text_order, target=target)
        maps = _core.hlo_memory_maps(self._core, question, color)
        return {space: MemoryMap(*parts) for space, parts in maps.items()}

    def memory_map(
        self,
        space: Union[int, str, None] = None,
        *,
        color: str = "opcode",
        assume_text_order: bool = False,
        target: str = "",
    ) -> MemoryMap:
        """Returns the map of one memory space, by its number or name; by
        default the largest."""
        maps = self.memory_maps(
            color=color, assume_text_order=assume_text_order, target=target
        )
        if space is None and maps:
            space = max(maps, key=lambda number: maps[number].nbytes)
        return _named(space, {n: (found.name, found) for n, found in maps.items()})

    def relayouts(self) -> Table[Relayout]:
        """Returns the instructions that only change a layout, in the order of
        the text: the relayouts of `tessera hlo --html`."""
        return Table(
            Relayout(
                instruction=instruction.name,
                opcode=instruction.opcode,
                from_=from_,
                to=to,
                nbytes=nbytes,
                is_free=is_free,
                is_fused=is_fused,
                op_name=instruction.op_name,
                source_line=instruction.source_line,
            )
            for instruction, from_, to, nbytes, is_free, is_fused in _core.hlo_relayouts(
                self._core
            )
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Module) and self._core == other._core

    def __hash__(self) -> int:
        return hash(self._core)

    def __repr__(self) -> str:
        return f"<tessera.hlo.Module {self.name!r}, {len(self.computations)} computations>"


class Peak(answers.ModulePeak):
    """A tessera.answers.ModulePeak, with the numbers of its main memory.

    That is memory space 0: the HBM of a TPU, the memory of a GPU. The other
    memory spaces are in by_memory_space.
    """

    def space(self, memory_space: Union[int, str] = 0) -> answers.SpacePeak:
        """Returns the needs of a memory space, by its number or name."""
        spaces = dict(self.by_memory_space or {})
        if 0 not in spaces:
            name = {"tpu": "HBM", "gpu": "device", "cpu": "host"}.get(self.target, "default")
            spaces[0] = _core.empty_space(name)
        return _named(memory_space, {n: (space.name, space) for n, space in spaces.items()})

    @property
    def peak_bytes(self) -> int:
        """The most bytes in use at one step, including padding."""
        return self.space().peak_bytes

    @property
    def unpadded_bytes(self) -> int:
        """The bytes live at the peak, without padding."""
        return self.space().peak_unpadded_bytes

    @property
    def padding_bytes(self) -> int:
        """The bytes of padding at the peak."""
        return self.space().peak_bytes - self.space().peak_unpadded_bytes

    @property
    def reserved_bytes(self) -> Optional[int]:
        """The computed bytes that XLA reserves for the whole run; None if not
        known."""
        return self.space().reserved_bytes

    @property
    def assigned_bytes(self) -> Optional[int]:
        """The bytes that XLA itself assigned, which count if known. None
        without a buffer assignment."""
        return self.space().assigned_bytes

    @property
    def live_at_peak(self) -> Any:
        """The arrays that are live at the peak, the largest first: a table of
        tessera.answers.PeakBuffer."""
        return self.space().live_at_peak


class MemoryMap:
    """The places of values in a memory space over time. Notebooks show it as a
    picture."""

    def __init__(self, core: _core.MemoryMap, name: str, is_assigned_by_xla: bool) -> None:
        self._core = core
        #: The memory space: "HBM S(0)".
        self.name = name
        #: Whether it is XLA's own assignment; else it was computed.
        self.is_assigned_by_xla = is_assigned_by_xla

    @property
    def nbytes(self) -> int:
        """The size of all allocations, in bytes."""
        return self._core.bytes

    @property
    def used_bytes(self) -> List[int]:
        """The bytes in use at every step of the schedule."""
        return self._core.used_bytes

    def values(self) -> Dict[str, List[Any]]:
        """Returns the values as columns, for pandas.DataFrame: the place of
        each, `offset` and `bytes`, and its `first` and `last` step."""
        return self._core.value_columns()

    def allocations(self) -> Dict[str, List[Any]]:
        """Returns the allocations as columns, for pandas.DataFrame."""
        return self._core.allocation_columns()

    def to_svg(self) -> str:
        """Returns a picture of the map as an SVG document."""
        return self._core.to_svg()

    def to_trace(self) -> str:
        """Returns the map as JSON for https://ui.perfetto.dev."""
        return self._core.to_trace()

    def save(self, path: Any) -> None:
        """Writes the trace to a file if the name ends in .json, or the picture if it
        ends in .svg or has no suffix."""
        is_trace = suffix_of(path, ".svg", ".json") == ".json"
        write_text(path, self.to_trace() if is_trace else self.to_svg())

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def __repr__(self) -> str:
        return f"<tessera.hlo.MemoryMap of {self.name}, {self.nbytes} bytes>"


class Check(answers.MemoryCheck):
    """A tessera.answers.MemoryCheck that is true if all is within the budget.

    Its text lists the modules over budget. This makes pytest show it:

        check = tessera.hlo.load(path).check(max_reserved="12GiB")
        assert check, str(check)
    """

    def __bool__(self) -> bool:
        return self.is_within_budget


class Dump:
    """Modules that were read together: from a text, a file or a folder.

    str() of it is the report of `tessera hlo`; notebooks show a page.
    """

    def __init__(
        self,
        files: Sequence[_core.HloFile],
        unread: Sequence[Tuple[str, str]],
        advice: str = "",
    ) -> None:
        self._files = list(files)
        self._advice = advice
        #: The files of a folder that were not read: (name, reason).
        self.unread = list(unread)

    # -- Its contents -------------------------------------------------------------

    @property
    def modules(self) -> List[Module]:
        """All modules, in the order of the files and texts."""
        return [
            Module(module, self._advice) for file in self._files for module in file.modules
        ]

    @property
    def module(self) -> Module:
        """The only module. Raises tessera.Error unless there is exactly
        one."""
        modules = self.modules
        if len(modules) != 1:
            raise Error(
                f"there are {len(modules)} modules; ask one of .modules",
                code="FAILED_PRECONDITION",
            )
        return modules[0]

    def __getitem__(self, name: Union[int, str]) -> Module:
        """Returns a module by its number or name."""
        if not isinstance(name, str):
            return self.modules[operator.index(name)]
        for module in self.modules:
            if module.name == name:
                return module
        raise KeyError(name)

    def __iter__(self) -> Iterator[Module]:
        return iter(self.modules)

    def __len__(self) -> int:
        return len(self.modules)

    @property
    def files(self) -> List[Dump]:
        """One dump for each file of a folder."""
        return [Dump([file], [], self._advice) for file in self._files]

    def _file(self) -> _core.HloFile:
        if len(self._files) != 1:
            raise Error(
                f"there are {len(self._files)} files; ask one of .files",
                code="FAILED_PRECONDITION",
            )
        return self._files[0]

    @property
    def name(self) -> str:
        """The path of the file; of a program of JAX the name of its module;
        "" for text."""
        return self._file().name

    @property
    def text(self) -> str:
        """The text; for a proto, the text that it was converted to."""
        return self._file().text

    @property
    def instructions(self) -> Instructions:
        """The instructions of all modules of the file."""
        return self._file().instructions

    @property
    def diagnostics(self) -> List[Diagnostic]:
        """The mistakes, in the order of the files; at most 1000 for each."""
        return [Diagnostic(**entry) for file in self._files for entry in file.diagnostics]

    # -- The memory that it takes ---------------------------------------------------

    def report(
        self, *, rows: int = 10, count: str = "", target: str = ""
    ) -> answers.SummarizeResult:
        """Returns the sums over all buffers, the largest arrays and the most
        padded.

        str() of the answer is the report of `tessera hlo`.

        Args:
            rows: The most rows in every table.
            count: "buffers", or "results" for the arrays in all results.
            target: The device, as in peak().
        """
        file = self._file()
        question = _question(rows=rows, count=count, target=target)
        return _core.hlo_report(file, question)._rendered_by(
            lambda: _core.hlo_report_text(file, question, display()).strip("\n")
        )

    def peak(
        self,
        *,
        rows: int = 10,
        series: bool = False,
        computation: str = "",
        assume_text_order: bool = False,
        target: str = "",
        scoped_limit: Union[int, str, None] = None,
    ) -> Peak:
        """Returns the peak of the only module; see Module.peak."""
        return self.module.peak(
            rows=rows,
            series=series,
            computation=computation,
            assume_text_order=assume_text_order,
            target=target,
            scoped_limit=scoped_limit,
        )

    def memory_analysis(
        self, *, assume_text_order: bool = False, target: str = ""
    ) -> answers.MemoryAnalysis:
        """Returns that of the only module; see Module.memory_analysis."""
        return self.module.memory_analysis(
            assume_text_order=assume_text_order, target=target
        )

    def peaks(
        self,
        *,
        rows: int = 10,
        series: bool = False,
        assume_text_order: bool = False,
        target: str = "",
    ) -> List[Peak]:
        """Returns the peaks of all modules. For a module without one,
        by_memory_space is None, and `reason` has the reason."""
        question = _question(
            rows=rows, series=series, assume_text_order=assume_text_order, target=target
        )
        return [module._peak(question) for module in self.modules]

    def memory_map(
        self,
        space: Union[int, str, None] = None,
        *,
        color: str = "opcode",
        assume_text_order: bool = False,
        target: str = "",
    ) -> MemoryMap:
        """Returns a map of the only module; see Module.memory_map."""
        return self.module.memory_map(
            space, color=color, assume_text_order=assume_text_order, target=target
        )

    def diff(
        self,
        after: Any,
        *,
        rows: int = 10,
        computation: str = "",
        assume_text_order: bool = False,
        target: str = "",
        count: str = "",
        passes: bool = False,
    ) -> answers.DiffResult:
        """Returns the differences in memory to `after`, a dump or an argument
        of load().

        str() of the answer is the report of `tessera hlo diff`.

        Args:
            rows: The most changes for each module.
            computation, assume_text_order, target: As in peak().
            count: As in report().
            passes: Whether the dumps after each pass of the compiler are read,
                if they are next to the files of both dumps. `before_pass` and
                `after_pass` of a change are then the passes that made the
                array, and `passes` of a module shows where the two compilations
                part ways.
        """
        other = after if isinstance(after, Dump) else load(after)
        question = _question(
            rows=rows,
            computation=computation,
            assume_text_order=assume_text_order,
            target=target,
            count=count,
        )
        files = self._file(), other._file()
        return _core.hlo_diff(*files, question, passes)._rendered_by(
            lambda: _core.hlo_diff_text(*files, question, display(), passes).strip("\n")
        )

    def check(
        self,
        *,
        max_reserved: Union[int, str, None] = None,
        max_growth: Union[float, str, None] = None,
        baseline: Any = None,
        memory_space: Union[int, str] = "",
        assume_text_order: bool = False,
        target: str = "",
        max_peak: Union[int, str, None] = None,
        max_scoped: Union[int, str, None] = None,
    ) -> Check:
        """Returns whether every module is within a budget, for tests.

        The bytes that XLA reserves for the whole run count: XLA's own number
        if its buffer assignment was read with the module, else the computed
        number. `checked` of each memory space of the answer names the number
        that was compared with the budget.

        Args:
            max_reserved: The most bytes in each memory space: "12GiB", or a number.
            max_growth: How much more than in the baseline, in percent: "5%".
            baseline: The bytes to compare with: a Dump, an argument of load(),
                or a text that baseline() returned, or the path of a file with
                it.
            memory_space: The only memory space to check, by its number or its
                name.
            assume_text_order, target: As in peak().
            max_scoped: The most scoped VMEM that one instruction of a TPU may
                use. A module whose use is not known is not within the budget.

        Returns:
            A Check, which is true if all is within the budget. A module without
            a peak is not, nor is a file that has `diagnostics`, because a part
            of it was not read.
        """
        if max_reserved is None:
            max_reserved = max_peak
        if max_reserved is None and max_growth is None and max_scoped is None:
            raise Error("give a limit, max_reserved, max_growth or max_scoped")
        if (max_growth is None) != (baseline is None):
            raise Error("max_growth and baseline go together")
        baseline_text, files = _read_baseline(baseline)
        check, sentence, report = _core.hlo_check(
            self._files,
            _question(assume_text_order=assume_text_order, target=target),
            None if max_reserved is None else str(max_reserved),
            None if max_growth is None else str(max_growth),
            None if max_scoped is None else str(max_scoped),
            str(memory_space),
            baseline_text,
            files,
            display(),
        )
        made = Check._of(check.__dict__)
        lines = [report.strip("\n") or sentence]
        for module in made.modules:
            if module.reason is not None:
                lines.append(f"  module {module.module}: {self._advice or module.reason}")
        for file in self._files:
            mistakes = _mistakes(file)
            lines += [f"  not read: {mistake}" for mistake in mistakes[:_MOST_MISTAKES]]
            if len(mistakes) > _MOST_MISTAKES:
                lines.append(f"  not read: {len(mistakes) - _MOST_MISTAKES} more mistakes")
            if file.has_unbounded:
                lines.append("  note: arrays with an unbounded dimension count as 0 bytes")
        for module in made.modules:
            if module.is_in_baseline is False:
                lines.append(f"  note: module {module.module} is not in the baseline")
            if any(_is_of_two_measures(space) for space in (module.by_memory_space or {}).values()):
                lines.append(
                    f"  note: XLA's assignment of module {module.module} is known on only one "
                    "side: its growth is that of the computed reserved bytes"
                )
        for name in made.missing_modules:
            lines.append(f"  note: the files do not have module {name}")
        text = "\n".join(lines)
        return made._rendered_by(lambda: text)

    def baseline(self, *, assume_text_order: bool = False, target: str = "") -> str:
        """Returns the reserved bytes of the modules, as the text of a file for
        check() and `tessera hlo check --baseline`."""
        question = _question(assume_text_order=assume_text_order, target=target)
        return _core.hlo_baseline_text(self._files, question)

    # -- How it is shown ------------------------------------------------------------

    def to_html(
        self, *, title: str = "", assume_text_order: bool = False, target: str = ""
    ) -> str:
        """Returns the page of `tessera hlo --html`: one file that loads nothing."""
        file = self._file()
        title = title or os.path.basename(file.name) or "HLO"
        question = _question(assume_text_order=assume_text_order, target=target)
        return _core.hlo_page(file, title, question)

    def save_html(
        self,
        path: Any,
        *,
        title: str = "",
        assume_text_order: bool = False,
        target: str = "",
    ) -> None:
        """Writes the page to a file."""
        page = self.to_html(title=title, assume_text_order=assume_text_order, target=target)
        write_text(path, page)

    def _repr_html_(self) -> Optional[str]:
        if len(self._files) != 1:
            return None
        page = html.escape(self.to_html(), quote=True)
        style = "width:100%;height:760px;border:1px solid #8884"
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{page}"></iframe>'

    def __str__(self) -> str:
        return "\n\n".join(str(dump.report()) for dump in self.files)

    def __repr__(self) -> str:
        names = ", ".join(repr(module.name) for module in self.modules[:3])
        more = ", ..." if len(self.modules) > 3 else ""
        return f"<tessera.hlo.Dump of {names}{more}>"


def _is_of_two_measures(space: answers.SpaceCheck) -> bool:
    """Returns whether XLA's own number is known for the module but not for the
    baseline, or vice versa."""
    return space.baseline_reserved_bytes is not None and (
        (space.assigned_bytes is None) != (space.baseline_assigned_bytes is None)
    )


def _read_baseline(baseline: Any) -> Tuple[Optional[str], List[_core.HloFile]]:
    """Returns the text of a baseline, or the files to compare with."""
    if baseline is None:
        return None, []
    if isinstance(baseline, Dump):
        return None, baseline._files
    if isinstance(baseline, str) and baseline.lstrip().startswith("{"):
        return baseline, []
    if isinstance(baseline, (str, os.PathLike)) and os.path.isfile(baseline):
        with open(baseline, "rb") as file:
            if file.read(64).lstrip().startswith(b"{"):
                file.seek(0)
                return file.read().decode("utf-8", "replace"), []
    return None, load(baseline)._files
