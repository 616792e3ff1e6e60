"""HLO: what a dump holds, and what memory it takes."""

import gzip
import json
import pathlib
import pickle

import pandas
import pytest
import tessera
from tessera import hlo

DATA = pathlib.Path("tests/hlo/data")
BACKBONE = DATA / "tpu_backbone.hlo"
MODULE = """HloModule m, is_scheduled=true
double { p = f32[8,130]{1,0:T(8,128)} parameter(0)
  ROOT s = f32[8,130]{1,0:T(8,128)} add(p, p) }
ENTRY e {
  x = f32[8,130]{1,0:T(8,128)} parameter(0), metadata={op_name="jit(f)/x" source_file="model.py" source_line=12}
  y = f32[8,130]{1,0:T(8,128)} fusion(x), kind=kLoop, calls=double
  c = f32[8,130]{0,1:T(8,128)} copy(y)
  ROOT z = f32[8,130]{1,0:T(8,128)} negate(y)
}
"""
LARGER = MODULE.replace("8,130", "16,130").replace("x = f32[16,130]", "x = f32[16,130]")


@pytest.fixture(scope="module")
def backbone():
    return hlo.load(BACKBONE)


@pytest.fixture
def dump():
    return hlo.load(MODULE)


# -- Reading ------------------------------------------------------------------


class Compiled:
    """As jax.stages.Compiled."""

    def as_text(self):
        return MODULE


@pytest.mark.parametrize(
    "source", [MODULE, MODULE.encode(), bytearray(MODULE.encode()), Compiled()]
)
def test_texts(source):
    assert [module.name for module in hlo.load(source)] == ["m"]


def test_files(tmp_path):
    path = tmp_path / "m.txt"
    path.write_text(MODULE)
    packed = tmp_path / "packed.txt.gz"
    packed.write_bytes(gzip.compress(MODULE.encode()))
    for source in (path, str(path), packed, path.read_bytes(), packed.read_bytes()):
        assert hlo.load(source).peak().peak_bytes == hlo.load(MODULE).peak().peak_bytes
    assert hlo.load(path).name == str(path)
    assert hlo.load(path, threads=2).text == MODULE


def test_protos():
    [path] = sorted((DATA / "protos").rglob("*.pb"))[:1]
    dump = hlo.load(path)
    assert dump.modules and dump.text.startswith("HloModule")
    assert len(hlo.load(path.read_bytes()).instructions) == len(dump.instructions)


def test_folders(tmp_path):
    for name in ("module_0001.a", "module_0002.b"):
        path = tmp_path / f"{name}.cpu_after_optimizations.txt"
        path.write_text(MODULE.replace("HloModule m", f"HloModule {name[-1]}"))
    (tmp_path / "notes.md").write_text("no dump")
    dump = hlo.load(tmp_path)
    assert [module.name for module in dump] == ["a", "b"] and len(dump) == 2
    assert dump["b"].name == "b" and dump[-1] == dump["b"]
    assert len(dump.files) == 2 and len(dump.peaks()) == 2
    assert [name for name, _ in dump.unread] == ["notes.md"]
    assert dump.check(max_reserved="1GiB")
    for ask in (dump.peak, dump.report, lambda: dump.module, lambda: dump.text):
        with pytest.raises(tessera.Error, match="ask one of"):
            ask()
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(tessera.Error, match="no XLA dump"):
        hlo.load(empty)


def test_what_stands_beside_a_file_is_read(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(
        "HloModule m, is_scheduled=true\nENTRY e { ROOT x = f32[2]{0} parameter(0) }\n"
    )
    (tmp_path / "a-buffer-assignment.txt").write_text(
        "BufferAssignment:\nallocation 0: size 8, parameter 0, shape |f32[2]| at ShapeIndex {}:\n"
        " value: <0 x @0> (size=8,offset=0): f32[2]{0}\n"
    )
    assert hlo.load(path).peak().space().assigned_bytes == 8
    assert hlo.load(path).memory_map().is_assigned_by_xla
    alone = hlo.load(path, sidecars=False)
    assert alone.peak().space().assigned_bytes is None
    assert not alone.memory_map().is_assigned_by_xla


def test_what_xla_assigned_counts(tmp_path):
    def write(name, size):
        path = tmp_path / f"{name}.txt"
        path.write_text(
            "HloModule m, is_scheduled=true\nENTRY e { ROOT x = f32[2]{0} parameter(0) }\n"
        )
        (tmp_path / f"{name}-buffer-assignment.txt").write_text(
            f"BufferAssignment:\nallocation 0: size {size}, preallocated-temp:\n"
        )
        return path

    path = write("a", 500)
    dump = hlo.load(path)
    alone = hlo.load(path, sidecars=False)
    assert dump.peak().assigned_bytes == 500 and alone.peak().assigned_bytes is None
    assert dump.report().modules[0].peak.by_memory_space[0].assigned_bytes == 500
    assert "500 B by XLA" in str(dump.report())
    assert dump.check(max_reserved=500) and not dump.check(max_reserved=499)
    space = dump.check(max_reserved=499).modules[0].by_memory_space[0]
    assert (space.checked, space.checked_bytes, space.over_bytes) == ("assigned_bytes", 500, 1)
    assert (space.assigned_bytes, space.reserved_bytes) == (500, 8)
    assert "by XLA's own assignment" in str(dump.check(max_reserved=500))
    assert alone.check(max_reserved=8)
    assert alone.check(max_reserved=7).modules[0].by_memory_space[0].checked == "reserved_bytes"
    grown = hlo.load(write("b", 525))
    for baseline in (dump, dump.baseline()):
        assert grown.check(max_growth="5%", baseline=baseline)
        assert not grown.check(max_growth="4.9%", baseline=baseline)
    change = dump.diff(grown).modules[0].peak_bytes[0]
    assert (change.assigned_before, change.assigned_after) == (500, 525)
    assert dump.diff(alone).modules[0].peak_bytes[0].assigned_before is None


def test_files_that_are_not_there():
    for path in ("/no/such/dump.txt", pathlib.Path("/no/such")):
        with pytest.raises(tessera.FileError, match="No such file") as caught:
            hlo.load(path)
        assert isinstance(caught.value, (tessera.Error, OSError))
        assert isinstance(caught.value, ValueError)
        assert caught.value.source == caught.value.filename == str(path)
        assert str(caught.value).count(str(path)) == 1
        again = pickle.loads(pickle.dumps(caught.value))
        assert (str(again), again.filename) == (str(caught.value), str(path))


@pytest.mark.parametrize("text", ["", "hello\n", "HloModule m\n", b"\x00\xff", "{"])
def test_what_is_no_hlo(text):
    with pytest.raises(tessera.Error):
        hlo.load(text)


@pytest.mark.parametrize("source", [None, 3, ["HloModule"], {}])
def test_what_is_no_source(source):
    with pytest.raises(TypeError):
        hlo.load(source)


def test_mistakes():
    broken = MODULE.replace("copy(y)", "copy(y")
    [diagnostic, *_] = hlo.load(broken).diagnostics
    assert diagnostic.line == 7 and diagnostic.excerpt.endswith("^")
    with pytest.raises(tessera.Error) as caught:
        hlo.load(broken, strict=True)
    assert caught.value.line == diagnostic.line


# -- What it holds ------------------------------------------------------------


def test_model(dump):
    module = dump.module
    assert (module.name, module.is_scheduled) == ("m", True)
    assert module.attributes == {"is_scheduled": "true"}
    assert [computation.name for computation in module.computations] == ["double", "e"]
    entry = module.entry_computation
    assert entry.is_entry and entry.root.name == "z" and entry.module.name == "m"
    x, y, c, z = entry.instructions
    assert [i.opcode for i in entry.instructions] == ["parameter", "fusion", "copy", "negate"]
    assert y.operands == (x,) and x.users == (y,) and y.users == (c, z) and z.users == ()
    assert [computation.name for computation in y.called_computations] == ["double"]
    assert y.attributes == {"kind": "kLoop", "calls": "double"}
    assert x.metadata == {"op_name": "jit(f)/x", "source_file": "model.py", "source_line": 12}
    assert (x.op_name, x.source_line, c.op_name) == ("jit(f)/x", "model.py:12", "")
    assert x.parameter_number == 0 and y.parameter_number is None
    assert z.is_root and not x.is_root and x.computation == entry
    assert x.shape == tessera.shape("f32[8,130]{1,0:T(8,128)}")
    assert (x.unpadded_bytes, x.padded_bytes) == (4160, 8192)
    assert c.text.startswith("c = f32[8,130]{0,1:T(8,128)} copy(y)")
    assert "copy" in repr(c) and len({x, x, y}) == 2


def test_sequences(dump):
    instructions = dump.instructions
    assert len(instructions) == 6 and instructions[-1].name == "z"
    assert [i.name for i in instructions[1:6:2]] == ["s", "y", "z"]
    assert [i.name for i in instructions.by_opcode("copy")] == ["c"]
    assert [i.name for i in dump.module.instructions] == [i.name for i in instructions]
    for wrong in (6, -7):
        with pytest.raises(IndexError):
            instructions[wrong]
    with pytest.raises(TypeError):
        instructions["x"]
    frame = pandas.DataFrame(instructions.columns())
    assert frame.groupby("opcode").padded_bytes.sum()["copy"] == 128 * 136 * 4


def test_parts_outlive_the_dump():
    instruction = hlo.load(MODULE).module.entry_computation.instructions[1]
    assert instruction.operands[0].computation.module.name == "m"


# -- Memory -------------------------------------------------------------------


def test_peak_is_that_of_the_command_line(backbone):
    peak = backbone.peak(rows=3)
    # As `tessera hlo peak` prints it in README.md: 95.2 MiB, 37.9 MiB of it padding.
    assert (peak.peak_bytes, peak.padding_bytes) == (99788832, 39746560)
    assert peak.reserved_bytes == 99788864
    assert [b.instruction for b in peak.live_at_peak] == ["parameter.0", "parameter.18", "copy.22"]
    assert peak.space("VMEM").peak_instruction == "multiply_reduce_fusion.94"
    assert "HBM S(0): peak 95.2 MiB, 37.9 MiB (39.8%) of it padding" in str(peak)
    assert json.loads(json.dumps(peak.to_dict()))["module"] == peak.module
    assert pickle.loads(pickle.dumps(peak)) == peak
    assert len(backbone.peak(series=True).space().bytes) == 51
    assert peak.live_at_peak.columns()["kind"] == ["parameter", "parameter", "result"]
    with pytest.raises(tessera.Error, match="memory space 7"):
        peak.space(7)


def test_modules_without_a_peak():
    unscheduled = hlo.load(MODULE.replace(", is_scheduled=true", ""))
    with pytest.raises(tessera.Error, match="module m has no peak: .*not scheduled") as caught:
        unscheduled.peak()
    assert caught.value.code == "FAILED_PRECONDITION"
    assert unscheduled.peak(assume_text_order=True).peak_bytes > 0
    [peak] = unscheduled.peaks()
    assert peak.by_memory_space is None and "not scheduled" in peak.reason
    check = unscheduled.check(max_reserved="1GiB")
    assert not check and "not scheduled" in str(check)
    with pytest.raises(tessera.Error, match="not scheduled"):
        unscheduled.memory_map()


def test_report(backbone):
    report = backbone.report(rows=2)
    assert report.total.padded_bytes > report.total.unpadded_bytes > 0
    assert len(report.largest) == 2 and report.counted == "buffers"
    assert backbone.report(count="results").total.arrays > report.total.arrays
    assert "Peak" in str(report) and str(backbone) == str(backbone.report())
    with pytest.raises(tessera.Error, match="count"):
        backbone.report(count="everything")
    with pytest.raises(tessera.Error, match="target"):
        backbone.report(target="toaster")
    with pytest.raises(tessera.Error, match="rows"):
        backbone.report(rows=-1)


def test_diff(dump):
    diff = dump.diff(LARGER)
    [module] = diff.modules
    change = module.peak_bytes[0]
    assert (change.before, change.after) == (
        dump.peak().peak_bytes,
        hlo.load(LARGER).peak().peak_bytes,
    )
    assert change.after > change.before and "+16.0 KiB" in str(diff)
    assert dump.diff(dump).modules[0].change_count == 0


def test_passes():
    [passes] = hlo.passes(DATA / "passes/after", rows=1)
    assert passes.module == "jit_f" and passes.files == "module_0003.jit_f"
    assert [p.pass_name.number for p in passes.passes] == [None, 0, 1, 2, 3, 4, 5, 6, None]
    fixup = passes.passes[7]
    assert (fixup.pass_name.pipeline, fixup.pass_name.name) == ("fusion", "layout-fixup")
    assert (fixup.new_count, fixup.new_bytes, fixup.gone_count) == (1, 122880, 0)
    assert [a.instruction for a in fixup.new_arrays] == ["copy.1"]
    [largest] = passes.arrays
    assert (largest.instruction, largest.bytes, passes.array_count) == ("w.1", 131072, 6)
    assert (largest.made_by.name, largest.changed_by.name) == ("before_optimizations", "layout-assignment")
    assert "fusion/layout-fixup" in str(passes) and "copy.1" in str(passes)
    # Up to a file.
    name = "module_0003.jit_f.0005.fusion.after_fusion.before_layout-fixup.txt"
    [up_to] = hlo.passes(str(DATA / "passes/after" / name))
    assert len(up_to.passes) == 7 and up_to.passes[-1].pass_name.file == name
    assert {a.made_by.name for a in up_to.arrays} == {"before_optimizations"}
    with pytest.raises(tessera.Error, match="only one dump of each module"):
        hlo.passes(BACKBONE)
    with pytest.raises(tessera.FileError):
        hlo.passes("no/such/folder")
    with pytest.raises(tessera.Error, match="rows"):
        hlo.passes(DATA / "passes/after", rows=-1)


def test_a_pass_that_cannot_be_read(tmp_path):
    for number, text in enumerate((MODULE, MODULE + MODULE, MODULE)):
        name = f"module_0001.m.000{number}.a.after_b.before_c.txt"
        (tmp_path / name).write_text(text)
    with pytest.raises(tessera.Error, match="0001.a.after_b.*has 2 modules, but must have 1"):
        hlo.passes(tmp_path)


def test_diff_of_passes():
    before, after = hlo.load(DATA / "passes/before"), hlo.load(DATA / "passes/after")
    diff = before.diff(after, passes=True)
    [module] = diff.modules
    assert module.passes.before_next.pass_name.name == "fusion"
    assert module.passes.before_alike.name == "pipeline-start"
    change = module.changes[0]
    assert (change.after, change.after_pass.name, change.before_pass) == ("copy.1", "layout-fixup", None)
    assert "since fusion/layout-fixup" in str(diff)
    assert before.diff(after).modules[0].passes is None
    # Text at hand has no files next to it.
    assert before.diff(hlo.load(MODULE), passes=True).modules[0].passes is None


def test_check(dump):
    reserved = dump.peak().reserved_bytes
    assert dump.check(max_reserved=reserved)
    over = dump.check(max_reserved=reserved - 1)
    assert not over and "1 of 1 module is over budget" in str(over)
    assert over.modules[0].by_memory_space[0].over_bytes == 1
    assert not dump.check(max_reserved="1 KiB", memory_space="HBM")
    with pytest.raises(tessera.Error, match="memory space 'VMEM'"):
        dump.check(max_reserved="1KiB", memory_space="VMEM")
    for wrong in ({}, {"max_growth": "5%"}, {"max_reserved": "much"}, {"max_reserved": -1}):
        with pytest.raises(tessera.Error):
            dump.check(**wrong)


@pytest.mark.parametrize(
    "text, said",
    [
        (MODULE.replace("c = f32[", "c = f31["), "not read: 7:7: in shape: expected a type"),
        (MODULE[:-3], "not closed before the text ends"),
    ],
)
def test_what_is_not_read_is_not_within_the_budget(text, said, tmp_path):
    check = hlo.load(text).check(max_reserved="1GiB")
    assert not check and check.is_within_budget is False
    assert "1 module is within budget; not all could be read\n" in str(check) and said in str(check)
    path = tmp_path / "m.txt"
    path.write_text(text)
    assert f"not read: {path}: " in str(hlo.load(path).check(max_reserved="1GiB"))


def test_a_file_beside_it_that_is_not_read(tmp_path):
    path = tmp_path / "m.txt"
    path.write_text(MODULE)
    beside = tmp_path / "m-buffer-assignment.txt"
    beside.write_text(
        "BufferAssignment:\nallocation 0: size 8, parameter 0, shape |f32[2]| at ShapeIndex {}:\n"
        " value: <7 other @0> (size=8,offset=0): f32[2]{0}\n"
    )
    check = hlo.load(path).check(max_reserved="1GiB")
    assert not check and f"\n  not read: {beside}: " in str(check)
    assert tessera.explain(path, device="v5e").fits is None
    assert hlo.load(path, sidecars=False).check(max_reserved="1GiB")


def test_few_mistakes_are_listed():
    lines = "  c = f31[8] copy(y)\n" * 30
    check = hlo.load(MODULE.replace("  c = ", f"{lines}  c = ")).check(max_reserved="1GiB")
    assert str(check).count("not read: ") == 11 and "not read: 20 more mistakes" in str(check)


def test_unbounded_dimensions_are_told():
    said = "note: arrays with an unbounded dimension count as 0 bytes"
    text = MODULE.replace("c = f32[8,130]", "c = f32[?,130]")
    assert said in str(hlo.load(text).check(max_reserved="1GiB"))
    assert said not in str(hlo.load(MODULE).check(max_reserved="1GiB"))


def test_arrays_without_elements():
    dump = hlo.load(MODULE.replace("8,130", "0,130"))
    peak = dump.peak()
    assert (peak.peak_bytes, peak.reserved_bytes, peak.padding_bytes) == (0, 0, 0)
    assert peak.space("hbm").name == "HBM" and peak.live_at_peak == []
    assert dump.check(max_reserved=0)
    with pytest.raises(tessera.Error, match="the program has no arrays"):
        dump.memory_map()


def test_names_of_memory_spaces(backbone):
    peak = backbone.peak()
    for space in (1, "1", "S(1)", "VMEM", "vmem", "VMEM S(1)"):
        assert peak.space(space) is peak.by_memory_space[1]
        assert backbone.memory_map(space).name == "VMEM S(1)"
    for ask in (peak.space, backbone.memory_map):
        with pytest.raises(tessera.Error, match=r"space FOO; the program uses HBM S\(0\), VMEM S\(1\)"):
            ask("FOO")


def test_notes_of_a_baseline(dump, tmp_path):
    renamed = hlo.load(MODULE.replace("HloModule m,", "HloModule n,"))
    check = renamed.check(max_growth="1%", baseline=dump)
    assert check
    assert str(check).splitlines() == [
        "1 module is within budget",
        "  note: module n is not in the baseline",
        "  note: the files do not have module m",
    ]


def test_growth(dump, tmp_path):
    larger = hlo.load(LARGER)
    path = tmp_path / "baseline.json"
    path.write_text(dump.baseline())
    for baseline in (dump, MODULE, dump.baseline(), path, str(path)):
        assert "note" not in str(dump.check(max_growth="0%", baseline=baseline))
        assert dump.check(max_growth="0%", baseline=baseline)
        assert not larger.check(max_growth=5, baseline=baseline)
        assert larger.check(max_growth="150%", baseline=baseline)
    with pytest.raises(tessera.Error):
        dump.check(max_growth="5%", baseline='{"tessera_baseline": 7}')


def test_maps_and_pages(backbone, tmp_path):
    chart = backbone.memory_map("VMEM")
    assert chart.name == "VMEM S(1)" and max(chart.used_bytes) <= chart.nbytes
    assert chart._repr_svg_().startswith("<svg")
    values = chart.values()
    assert len(values["name"]) == len(values["offset"]) > 0
    assert sum(chart.allocations()["bytes"]) == chart.nbytes
    assert json.loads(chart.to_trace())["traceEvents"]
    chart.save(tmp_path / "map.svg")
    chart.save(tmp_path / "map.json")
    assert json.loads((tmp_path / "map.json").read_text())
    assert set(backbone.module.memory_maps(color="source")) == {0, 1}
    with pytest.raises(tessera.Error):
        backbone.memory_map(color="taste")
    page = backbone.to_html(title="<step>")
    assert page.startswith("<!DOCTYPE html>") and "&lt;step>" in page.replace("&gt;", ">")
    assert "<iframe" in backbone._repr_html_() and "<!DOCTYPE" not in backbone._repr_html_()
    backbone.save_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 10_000


def test_relayouts(dump):
    [copy] = dump.module.relayouts()
    assert (copy.instruction, copy.opcode, copy.is_free) == ("c", "copy", False)
    assert copy.to == "f32[8,130]{0,1:T(8,128)}"


def test_names_of_any_bytes():
    dump = hlo.load(MODULE.encode().replace(b'op_name="jit(f)/x"', b'op_name="\xff\xfe"'))
    assert dump.instructions[2].op_name == "\ufffd\ufffd"
    assert dump.peak().peak_bytes > 0
