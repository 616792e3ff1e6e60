#!/usr/bin/python3
"""Runs examples/dask_hlo_report and judges its report by tessera's own.

    dask_hlo_report_test.py TESSERA DUMPS: DUMPS is a folder, or a file in it.
"""

import dataclasses
import glob
import gzip
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__))
_EXAMPLE = os.path.abspath("examples/dask_hlo_report")
_PROGRAM = os.path.join(_EXAMPLE, "dask_hlo_report.py")
_FAULTY_TESSERA = os.path.join(_HERE, "faulty_tessera.py")
sys.path.insert(0, _EXAMPLE)
sys.dont_write_bytecode = True

from memory_report import (ArrayUse, MemorySum, Report,  # noqa: E402
                           dump_report, failed_report, join_reports)
from report_text import bytes_text, json_text, plain_text  # noqa: E402
from tessera_pipe import PipeError, TesseraPipe  # noqa: E402

# Far more than it takes: only what hangs is to meet it.
_SECONDS = 60
_ALL = "--top=100000"
_GOOD = """HloModule good, is_scheduled=true
ENTRY main {
  p = f32[9]{0:T(128)} parameter(0)
  ROOT n = f32[9]{0:T(128)} negate(p)
}
"""
_TWICE = _GOOD.replace("good", "twice").replace(
    "ROOT", "c = f32[9]{0:T(128)} copy(p)\n  ROOT")
_MALFORMED = _GOOD.replace("good", "malformed").replace("(p)", "(p")

_FAULTY_REPORT = """\
5 dumps: 3 read, 0 cut off, 1 read in part, 1 failed
4 modules, 8 instructions
8 arrays of 4.0 KiB in all, 3.7 KiB (93.0%) of it padding,
counting every buffer as if none shared memory
tessera died and was started anew: 2 times

Not read, or not whole
           dump           why
  failed   always.hlo     tessera batch was killed by signal 9
  partial  malformed.hlo  expected ',' or ')', found '}' at line 5, column 1

Memory spaces: all arrays together
  memory space  arrays    bytes          padding
  HBM                8  4.0 KiB  3.7 KiB (93.0%)

Modules
  module  instructions    bytes          padding  peak         dump
  twice              3  1.5 KiB  1.4 KiB (93.0%)  HBM 1.0 KiB  twice.hlo
  good               2  1.0 KiB    952 B (93.0%)  HBM 1.0 KiB  good.hlo
  good               2  1.0 KiB    952 B (93.0%)  HBM 1.0 KiB  once.hlo.gz
  and 1 more

Opcodes: the buffers of all instructions
  opcode     arrays    bytes          padding
  parameter       4  2.0 KiB  1.9 KiB (93.0%)
  negate          3  1.5 KiB  1.4 KiB (93.0%)
  copy            1    512 B    476 B (93.0%)

Most wasteful arrays: padding summed over all uses
  padding  padded most   uses  shape
  3.7 KiB  dim 0: 9→128     8  f32[9]{0:T(128)}

Largest arrays at a module's peak
  bytes  memory space  instruction  shape             module     dump
  512 B  HBM           p            f32[9]{0:T(128)}  good       good.hlo
  512 B  HBM           n            f32[9]{0:T(128)}  good       good.hlo
  512 B  HBM           p            f32[9]{0:T(128)}  malformed  malformed.hlo
"""

_tessera = ""
_dumps = ""


def environment(scratch: str) -> dict[str, str]:
    """Dask keeps its configuration at home, and nothing is written there."""
    return {
        **os.environ,
        "HOME": scratch,
        "TMPDIR": scratch,
        "PYTHONDONTWRITEBYTECODE": "1",
        "TESSERA": _tessera,
        "DIED": os.path.join(scratch, "died"),
        "WAITS": os.path.join(scratch, "waits"),
        # That one task ends so many workers is believed at once.
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0",
    }


def processes_of_session(session: int) -> list[str]:
    """Those that have not ended, by their command."""
    found = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                name, rest = file.read().rsplit(")", 1)
        except OSError:
            continue
        state, _, _, its_session = rest.split()[:4]
        if int(its_session) == session and state != "Z":
            found.append(name)
    return found


def tessera_json(*arguments: str) -> list[dict[str, Any]]:
    """What tessera prints on a dump; on standard error it may say more."""
    result = subprocess.run([_tessera, "hlo", *arguments, "--format=json"],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            check=False)
    return [json.loads(line) for line in result.stdout.splitlines()]


def add(sums: dict[str, list[int]], name: str, *numbers: int) -> None:
    before = sums.get(name, [0] * len(numbers))
    sums[name] = [a + b for a, b in zip(before, numbers)]


class ExampleTest(unittest.TestCase):

    def setUp(self) -> None:
        self.scratch = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.scratch)
        self.folder = os.path.join(self.scratch, "dumps")
        os.mkdir(self.folder)

    def write(self, name: str, text: str) -> str:
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        data = text.encode()
        with open(path, "wb") as file:
            file.write(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    def start(self, *arguments: str,
              tessera: str = "") -> subprocess.Popen[str]:
        return subprocess.Popen(
            [_PROGRAM, self.folder, "--tessera", tessera or _tessera,
             *arguments],
            cwd=self.scratch, env=environment(self.scratch),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True)

    def finish(self, process: subprocess.Popen[str]) -> str:
        """What it prints; nothing of it may be left."""
        try:
            output, errors = process.communicate(timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        self.check_processes(process)
        leftovers = set(os.listdir(self.scratch))
        self.assertLessEqual(leftovers, {"dumps", "died", "waits", ".config"})
        self.errors = errors
        return output

    def check_processes(self, process: subprocess.Popen[str]) -> None:
        """None that it started may be there for long."""
        until = time.monotonic() + _SECONDS
        while processes_of_session(process.pid) and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual(processes_of_session(process.pid), [])


class TotalsTest(ExampleTest):
    """Every number is the sum of what `tessera hlo` prints for each dump."""

    def copy_dumps(self) -> list[str]:
        paths = []
        for path in sorted(glob.glob(os.path.join(_dumps, "*"))):
            if path.endswith((".hlo", ".txt")):
                with open(path) as file:
                    name = os.path.basename(path)
                    paths.append(self.write(name, file.read()))
        return paths

    def setUp(self) -> None:
        super().setUp()
        self.paths = self.copy_dumps()
        self.assertGreaterEqual(len(self.paths), 11)
        self.paths += [
            self.write("below/again.hlo.gz", _GOOD),
            self.write("malformed.hlo", _MALFORMED),
        ]
        # Has no report.
        self.write("no_hlo.txt", "what a pity\n")
        torn = self.write("torn.txt.gz", _GOOD)
        os.truncate(torn, os.path.getsize(torn) // 2)
        process = self.start("--workers=3", "--rows=100000", "--format=json")
        self.report = json.loads(self.finish(process))
        self.assertEqual(process.returncode, 1)

    def test_every_number(self) -> None:
        reports = [report for path in self.paths
                   for report in tessera_json("report", path, _ALL)]
        self.assertEqual(len(reports), len(self.paths))
        self.check_totals(reports)
        self.check_memory_spaces(reports)
        self.check_shapes(reports)
        self.check_modules(reports)
        self.check_peaks()
        self.check_opcodes()
        self.check_problems()

    def check_totals(self, reports: list[dict[str, Any]]) -> None:
        # Also the torn one and the one without HLO.
        self.assertEqual(self.report["dumps"], len(reports) + 2)
        self.assertEqual(self.report["restarts"], 0)
        self.assertEqual(self.report["instructions"],
                         sum(report["instructions"] for report in reports))
        for field in ["arrays", "unpadded_bytes", "padded_bytes"]:
            self.assertEqual(self.report["total"][field],
                             sum(report["total"][field] for report in reports))

    def check_memory_spaces(self, reports: list[dict[str, Any]]) -> None:
        expected: dict[str, list[int]] = {}
        for report in reports:
            for space in report["by_memory_space"]:
                add(expected, space["name"], space["arrays"],
                    space["unpadded_bytes"], space["padded_bytes"])
        self.assertEqual(
            {name: [total["arrays"], total["unpadded_bytes"],
                    total["padded_bytes"]]
             for name, total in self.report["by_memory_space"].items()},
            expected)

    def check_shapes(self, reports: list[dict[str, Any]]) -> None:
        expected: dict[str, list[int]] = {}
        for report in reports:
            for row in report["most_wasteful"]:
                add(expected, row["shape"], row["count"],
                    row["total_padded_bytes"], row["total_padding_bytes"])
        rows = self.report["most_wasteful"]
        self.assertEqual(
            {row["shape"]: [row["count"], row["total_padded_bytes"],
                            row["total_padding_bytes"]] for row in rows},
            expected)
        padding = [row["total_padding_bytes"] for row in rows]
        self.assertEqual(padding, sorted(padding, reverse=True))

    def check_modules(self, reports: list[dict[str, Any]]) -> None:
        modules = self.report["modules"]
        for path, report in zip(self.paths, reports):
            name = os.path.relpath(path, self.folder)
            of_dump = [module for module in modules if module["dump"] == name]
            self.assertEqual(len(of_dump), len(report["modules"]), name)
            for field in ["instructions", "computations"]:
                self.assertEqual(sum(module[field] for module in of_dump),
                                 report[field], name)
            self.assertEqual(
                sum(module["total"]["padded_bytes"] for module in of_dump),
                report["total"]["padded_bytes"], name)
        padded = [module["total"]["padded_bytes"] for module in modules]
        self.assertEqual(padded, sorted(padded, reverse=True))

    def check_peaks(self) -> None:
        expected = []
        arrays = []
        for path in self.paths:
            dump = os.path.relpath(path, self.folder)
            for module in tessera_json("peak", path, _ALL):
                # null: it has none.
                for space in (module["by_memory_space"] or {}).values():
                    expected.append((dump, module["module"], space["name"],
                                     space["peak_bytes"],
                                     space["peak_instruction"]))
                    for array in space["live_at_peak"]:
                        arrays.append((dump, module["module"], space["name"],
                                       array["instruction"],
                                       array["padded_bytes"]))
        self.assertGreater(len(expected), 10)
        self.assertCountEqual(
            [(module["dump"], module["name"], peak["memory_space"],
              peak["peak_bytes"], peak["instruction"])
             for module in self.report["modules"]
             for peak in module["peaks"]], expected)
        rows = self.report["at_peak"]
        self.assertCountEqual(
            [(row["dump"], row["module"], row["memory_space"],
              row["instruction"], row["padded_bytes"]) for row in rows],
            arrays)
        padded = [row["padded_bytes"] for row in rows]
        self.assertEqual(padded, sorted(padded, reverse=True))

    def check_opcodes(self) -> None:
        requests = []
        for path in self.paths:
            opened = gzip.open if path.endswith(".gz") else open
            with opened(path, "rt") as file:
                question = {"hlo": file.read(), "rows": 4096}
                requests.append(json.dumps({"summarize": question}))
        answers = subprocess.run([_tessera, "batch"], check=True, text=True,
                                 input="\n".join(requests),
                                 stdout=subprocess.PIPE).stdout
        expected: dict[str, list[int]] = {}
        for answer in map(json.loads, answers.splitlines()):
            for module in answer["summarize"].get("modules", []):
                for row in module.get("by_opcode", []):
                    add(expected, row["name"], row["arrays"],
                        row["unpadded_bytes"], row["padded_bytes"])
        opcodes = {opcode: [total["arrays"], total["unpadded_bytes"],
                            total["padded_bytes"]]
                   for opcode, total in self.report["by_opcode"].items()}
        self.assertEqual(opcodes, expected)
        self.assertEqual([sum(column) for column in zip(*opcodes.values())],
                         [self.report["total"][field] for field in
                          ["arrays", "unpadded_bytes", "padded_bytes"]])

    def check_problems(self) -> None:
        problems = {problem["dump"]: (problem["kind"], problem["message"])
                    for problem in self.report["problems"]}
        torn = problems.pop("torn.txt.gz")
        self.assertEqual(torn[0], "failed")
        self.assertIn("end-of-stream marker", torn[1])
        self.assertEqual(problems, {
            "malformed.hlo": (
                "partial",
                "expected ',' or ')', found '}' at line 5, column 1"),
            "no_hlo.txt": (
                "failed", "expected a module, a computation or an "
                "instruction, found 'what' at line 1, column 1"),
            "tpu_maxtext_llama3_8b_2026-07-31.txt": (
                "cut off", "the computation 'fused_computation.195.clone.1' "
                "is not closed before the text ends at line 2000, column 219"),
        })


class FaultTest(ExampleTest):

    def test_what_fails_harms_no_other(self) -> None:
        self.write("always.hlo", "// DIE ALWAYS\n" + _GOOD)
        self.write("good.hlo", _GOOD)
        self.write("malformed.hlo", _MALFORMED)
        self.write("once.hlo.gz", "// DIE ONCE\n" + _GOOD)
        self.write("twice.hlo", _TWICE)
        process = self.start("--workers=2", "--rows=3",
                             tessera=_FAULTY_TESSERA)
        self.assertEqual(self.finish(process), _FAULTY_REPORT)
        self.assertEqual(process.returncode, 1)

    def test_a_worker_that_dies(self) -> None:
        for name in ["after", "before"]:
            self.write(f"{name}.hlo", _GOOD)
        self.write("kills.hlo", "// KILL THE WORKER\n" + _GOOD)
        # All dumps are given to the worker that dies.
        process = self.start("--workers=1", "--format=json",
                             tessera=_FAULTY_TESSERA)
        report = json.loads(self.finish(process))
        self.assertEqual(report["problems"], [{
            "dump": "kills.hlo", "kind": "failed",
            "message": "every worker that was given it died"}])
        self.assertEqual([module["dump"] for module in report["modules"]],
                         ["after.hlo", "before.hlo"])
        self.assertEqual(process.returncode, 1)

    def test_empty_folder(self) -> None:
        self.write("notes.md", "no dump by its name\n")
        for arguments, expected in [
                ([], "0 dumps: 0 read, 0 cut off, 0 read in part, 0 failed\n"
                 "0 modules, 0 instructions\n"
                 "0 arrays of 0 B in all, none of it padding,\n"
                 "counting every buffer as if none shared memory\n"),
                (["--format=json"], json_text(Report(), 10) + "\n"),
        ]:
            process = self.start(*arguments)
            self.assertEqual(self.finish(process), expected)
            self.assertEqual(process.returncode, 0)

    def test_wrong_arguments(self) -> None:
        for arguments, message in [
                (["--tessera=/no/such"], "no program: /no/such"),
                (["--workers=0"], "argument --workers: 0 is less than 1"),
                (["--rows=x"], "argument --rows: invalid"),
        ]:
            with self.subTest(arguments):
                process = self.start(*arguments)
                self.assertEqual(self.finish(process), "")
                self.assertIn(message, self.errors)
                self.assertEqual(process.returncode, 2)

    def test_no_folder(self) -> None:
        os.rmdir(self.folder)
        process = self.start()
        self.assertEqual(self.finish(process), "")
        self.assertIn(f"no folder: {self.folder}", self.errors)
        self.assertEqual(process.returncode, 2)

    def wait_until_asked(self, process: subprocess.Popen[str]) -> None:
        until = time.monotonic() + _SECONDS
        while not os.path.exists(os.path.join(self.scratch, "waits")):
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)

    def test_told_to_end(self) -> None:
        for sent, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            with self.subTest(sent):
                self.write("waits.hlo", "// WAIT\n" + _GOOD)
                process = self.start(tessera=_FAULTY_TESSERA)
                self.wait_until_asked(process)
                # As Ctrl-C does, to all of them; and who is in a hurry.
                os.killpg(process.pid, sent)
                os.killpg(process.pid, sent)
                self.assertEqual(self.finish(process), "")
                self.assertEqual(process.returncode, code)
                os.remove(os.path.join(self.scratch, "waits"))

    def test_killed(self) -> None:
        self.write("waits.hlo", "// WAIT\n" + _GOOD)
        process = self.start(tessera=_FAULTY_TESSERA)
        self.wait_until_asked(process)
        process.kill()
        process.communicate(timeout=_SECONDS)
        self.check_processes(process)


class PipeTest(ExampleTest):
    """One process, without a cluster."""

    def setUp(self) -> None:
        super().setUp()
        patch = unittest.mock.patch.dict(os.environ,
                                         environment(self.scratch))
        patch.start()
        self.addCleanup(patch.stop)
        self.pipe = TesseraPipe(_FAULTY_TESSERA)
        self.addCleanup(self.pipe.close)

    def ask(self, text: str) -> dict[str, Any]:
        return self.pipe.ask({"parse": {"text": text}})

    def test_asks_one_process(self) -> None:
        for i in range(1, 4):
            answer = self.ask(f"f32[{i}]")
            self.assertEqual(answer["id"], str(i))
            self.assertEqual(answer["parse"]["canonical"], f"f32[{i}]{{0}}")
        self.assertEqual(self.pipe.restarts, 0)

    def test_an_error_is_an_answer(self) -> None:
        self.assertEqual(self.ask("f32[")["error"]["code"],
                         "INVALID_ARGUMENT")
        self.assertEqual(self.pipe.restarts, 0)

    def test_asks_another_process_once(self) -> None:
        self.assertIn("error", self.ask("DIE ONCE"))
        self.assertEqual(self.pipe.restarts, 1)

    def test_gives_up_and_goes_on(self) -> None:
        for number, (text, message) in enumerate([
                ("DIE ALWAYS", "tessera batch was killed by signal 9"),
                ("OTHER ID", "tessera batch was asked 5 and answered other"),
                ("NO JSON", "tessera batch gave invalid JSON: Expecting"),
        ]):
            with self.assertRaisesRegex(PipeError, message):
                self.ask(text)
            self.assertEqual(self.pipe.restarts, number + 1)
            self.assertIn("parse", self.ask("f32[]"))

    def test_a_program_that_does_not_run(self) -> None:
        pipe = TesseraPipe("/no/such")
        with self.assertRaisesRegex(PipeError, "does not run: .*/no/such"):
            pipe.ask({})

    def test_a_line_that_is_too_long_has_no_id(self) -> None:
        answer = self.ask("x" * (64 << 20))
        self.assertEqual(answer["error"]["code"], "RESOURCE_EXHAUSTED")
        self.assertEqual(self.pipe.restarts, 0)

    def test_closed(self) -> None:
        self.ask("f32[]")
        self.pipe.close()
        with self.assertRaisesRegex(PipeError, "closed"):
            self.ask("f32[]")


def random_report(rng: random.Random, dump: int, rows: int) -> Report:
    def memory_sum(name: str) -> dict[str, Any]:
        unpadded = rng.randrange(1 << 40)
        return {"name": name, "arrays": rng.randrange(9),
                "unpadded_bytes": unpadded,
                "padded_bytes": unpadded + rng.randrange(1 << 20),
                "is_saturated": rng.randrange(50) == 0}

    names = "abcdefgh"
    modules = [{
        "name": name,
        "total": memory_sum(""),
        "by_opcode": [memory_sum(rng.choice(names)) for _ in range(3)],
        "peak": {"by_memory_space": {"0": {
            "name": "HBM", "peak_bytes": 0, "peak_instruction": "i",
            "live_at_peak": [{"instruction": "i", "shape": None,
                              "padded_bytes": rng.randrange(5)}] * 2}},
            "reason": None},
    } for name in rng.sample(names, 2)]
    summary = {
        "total": memory_sum(""),
        "by_memory_space": [memory_sum(name) for name in rng.sample(names, 2)],
        "most_wasteful": [
            {"shape": shape, "count": 1, "total_padded_bytes":
             rng.randrange(99), "total_padding_bytes": rng.randrange(99),
             "most_padded": {}} for shape in rng.sample(names, 3)],
        "modules": modules,
    }
    return dump_report(f"dump {dump}", {"summarize": summary}, 1, rows)


class JoinTest(unittest.TestCase):

    def test_grouping_does_not_matter(self) -> None:
        rng = random.Random(7)
        for _ in range(100):
            rows = rng.randrange(1, 9)
            reports = [random_report(rng, i, rows) for i in range(8)]
            at_once = join_reports(reports, rows)
            while len(reports) > 1:
                at = rng.randrange(len(reports) - 1)
                reports[at:at + 2] = [join_reports(reports[at:at + 2], rows)]
            self.assertEqual(reports, [at_once])
            self.assertEqual(plain_text(reports[0], rows),
                             plain_text(at_once, rows))

    def test_sums(self) -> None:
        saturated = MemorySum(1, 2, 3, True)
        self.assertEqual(saturated + MemorySum(10, 20, 30),
                         MemorySum(11, 22, 33, True))
        use = ArrayUse(1, 2, 3, [4], 5, 6)
        self.assertEqual(use + dataclasses.replace(use, count=10),
                         ArrayUse(11, 4, 6, [4], 5, 6))

    def test_no_name_steers_the_terminal(self) -> None:
        report = failed_report("a\x1b[2J\n", "b\x07")
        self.assertIn("a?[2J?  b?\n", plain_text(report, 1) + "\n")

    def test_a_module_without_a_peak_says_why(self) -> None:
        for no_peak, text in [("the module 'm' is not scheduled (...)",
                               "not scheduled"),
                              ("the text breaks off before ENTRY",
                               "the text breaks off before ENTRY"),
                              ("", "-")]:
            module = {"name": "m", "total": {}, "peak": {
                "by_memory_space": None, "reason": no_peak}}
            report = dump_report("d", {"summarize": {
                "total": {}, "modules": [module]}}, 1, 1)
            self.assertRegex(plain_text(report, 1) + "\n",
                             rf"\n  m  .*  {re.escape(text)} +d\n")

    def test_bytes(self) -> None:
        for size, text in [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"),
                           ((1 << 20) - 1, "1.0 MiB"), (1 << 20, "1.0 MiB"),
                           (1 << 62, "4.0 EiB"), (1 << 75, "32768.0 EiB")]:
            self.assertEqual(bytes_text(size), text)


if __name__ == "__main__":
    _tessera = os.path.abspath(sys.argv.pop(1))
    _dumps = os.path.abspath(sys.argv.pop(1))
    unittest.main()
