#!/usr/bin/python3
"""Would the tests notice a mistake? Changes one operator, constant or condition at a time, and runs the tests.

    apt-get install python3-clang-14
    tests/mutants/mutants.py --per-room 150 --scratch /tmp/mutants

A copy of the sources has all mutants at once; an environment variable chooses the active one, so that it is built once. A
mutant is killed by a test of its room (tests/<room>) that fails, crashes or runs out of time. The rest have survived:
write a test that kills them, or show in equal.tsv why no test can.

Mutants:
  a + b    becomes  a - b       (likewise * / %, & | ^, << >>, and the assignments)
  a < b    becomes  a <= b      (likewise > >= == !=)
  a && b   becomes  a, and b    (likewise ||)
  7        becomes  8
  if (a)   becomes  if (!a)     (and a ? b : c; where a has no operator of its own)
  true     becomes  false

The scratch folder keeps the copy, the build and what is known: a second call runs only mutants whose room, tests or
number have changed. --show prints the survivors with their sources.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

import clang.cindex
from clang.cindex import CursorKind, TypeKind

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent

# The folders whose sources are changed, by the room whose tests judge them.
ROOMS = {
    "index_map": "index_map",
    "index_util": "index_util",
    "relayout": "relayout",
    "hlo/buffer_assignment": "hlo",
}

# Each operator, and what it becomes. `&&` and `||` become one of their operands.
SWAPS = {
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "/",
    "&": "|", "|": "&", "^": "&", "<<": ">>", ">>": "<<",
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "%=": "/=",
    "&=": "|=", "|=": "&=", "^=": "&=", "<<=": ">>=", ">>=": "<<=",
}  # yapf: disable
NAMES = {
    "+": "Plus", "-": "Minus", "*": "Times", "/": "Over", "%": "Modulo", "&": "And", "|": "Or", "^": "Xor", "<<": "Left",
    ">>": "Right", "<": "Less", "<=": "NotMore", ">": "More", ">=": "NotLess", "==": "Equal", "!=": "Unequal",
}  # yapf: disable
NAMES.update({op + "=": name + "Assign" for op, name in list(NAMES.items())[:10]})

ARITHMETIC = {
    getattr(TypeKind, name) for name in (
        "BOOL CHAR_S CHAR_U SCHAR UCHAR SHORT USHORT INT UINT LONG ULONG LONGLONG ULONGLONG INT128 UINT128 FLOAT DOUBLE "
        "ENUM POINTER NULLPTR").split()
}
FUNCTIONS = {
    CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.FUNCTION_TEMPLATE,
    CursorKind.CONVERSION_FUNCTION, CursorKind.DESTRUCTOR,
}  # yapf: disable


def preamble(text):
    """What a changed source begins with."""
    # Vector code for two kinds of processors compiles in less time.
    targets = [] if b"HWY_DISABLED_TARGETS" in text else ["#define HWY_DISABLED_TARGETS (HWY_AVX3 | HWY_AVX3_DL | HWY_SSE4)"]
    # An index past the end of a vector is a failure.
    lines = ["#ifndef TESSERA_MUTANT", "#undef _GLIBCXX_ASSERTIONS", "#define _GLIBCXX_ASSERTIONS"] + targets + [
        "#define TESSERA_MUTANT(n) (tessera_mutants::seen[n] = 1, tessera_mutants::active == n)",
        "#include <cstdio>", "#include <cstdlib>",
        "namespace tessera_mutants {", "inline unsigned char seen[65536];",
        'inline const int active = [] { const char* n = std::getenv("TESSERA_MUTANT"); return n ? std::atoi(n) : 0; }();',
        "struct Writer { ~Writer() {", '  const char* path = std::getenv("TESSERA_MUTANTS_SEEN");',
        '  std::FILE* file = path ? std::fopen(path, "a") : nullptr;', "  if (!file) return;",
        "  for (int i = 0; i < 65536; ++i) if (seen[i]) std::fprintf(file, \"%d\\n\", i);", "  std::fclose(file); } };",
        "inline Writer writer;"
    ]
    for op, other in SWAPS.items():
        if NAMES[op].endswith("Assign"):
            lines.append("template <class A, class B> [[gnu::always_inline]] inline A& %s(bool mutant, A& a, B b) { "
                         "return mutant ? a %s b : a %s b; }" % (NAMES[op], other, op))
        else:
            lines.append("template <class A, class B> [[gnu::always_inline]] inline auto %s(bool mutant, A a, B b) { "
                         "return mutant ? a %s b : a %s b; }" % (NAMES[op], other, op))
    # An index and a size, a byte and a constant: what is compared is known only where it is written.
    ignored = ["pragmas", "sign-compare", "parentheses", "int-in-bool-context", "unused-value", "type-limits", "extra", "all",
               "maybe-uninitialized", "array-bounds", "bool-compare", "bool-operation", "div-by-zero", "unused-variable",
               "shift-count-overflow", "overflow", "stringop-overflow"]  # yapf: disable
    return "\n".join('#pragma GCC diagnostic ignored "-W%s"' % name for name in ignored) + "\n" + "\n".join(
        lines) + "\n}  // namespace tessera_mutants\n#endif\n#line 1\n"


class Finder:
    """The mutants of one source."""

    def __init__(self, path, arguments):
        self.path = path
        self.text = (TREE / path).read_bytes()
        self.found = {}
        unit = clang.cindex.Index.create().parse(str(TREE / path), args=arguments)
        errors = [d for d in unit.diagnostics if d.severity >= clang.cindex.Diagnostic.Error]
        if errors:
            sys.exit("%s: %s" % (path, errors[0]))
        self._find_functions(unit.cursor)

    def _is_here(self, cursor):
        file = cursor.location.file
        return file is not None and os.path.samefile(file.name, TREE / self.path)

    def _find_functions(self, cursor):
        for child in cursor.get_children():
            if child.kind in (CursorKind.NAMESPACE, CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE,
                              CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL):
                if child.kind == CursorKind.NAMESPACE or self._is_here(child):
                    self._find_functions(child)
            elif child.kind in FUNCTIONS and self._is_here(child):
                head = self.text[child.extent.start.offset:child.extent.end.offset].split(b"(")[0]
                if b"constexpr" in head:
                    continue
                self.function = child.spelling.split("<")[0]
                for part in child.get_children():
                    if part.kind != CursorKind.PARM_DECL:
                        self._walk(part, child)

    def _add(self, start, end, kind, mutation, **rest):
        key = (start, end, kind)
        if key not in self.found:
            line = self.text.count(b"\n", 0, start) + 1
            expression = " ".join(self.text[start:end].decode().split())
            self.found[key] = dict(file=str(self.path), line=line, function=self.function, start=start, end=end, kind=kind,
                                   expression=expression[:120], mutation=mutation, **rest)  # yapf: disable

    def _walk(self, cursor, parent, wide=None):
        kind = cursor.kind
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        source = self.text[start:end]
        if kind == CursorKind.DECL_STMT and re.match(rb"(static )?constexpr\b", source):
            return
        if kind == CursorKind.STATIC_ASSERT or source.startswith(b"static_assert"):
            return
        children = list(cursor.get_children())
        if kind == CursorKind.IF_STMT and re.match(rb"if\s+constexpr", source):
            children = children[1:]
        elif kind in (CursorKind.IF_STMT, CursorKind.CONDITIONAL_OPERATOR) and children:
            self._condition(children[0], in_if=kind == CursorKind.IF_STMT)
        elif kind == CursorKind.CASE_STMT:
            children = children[1:]
        elif kind in (CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            self._operator(start, end, children)
        elif kind == CursorKind.INTEGER_LITERAL and re.fullmatch(rb"\d+[uUlL]*", source):
            if parent.kind not in (CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR, CursorKind.TYPE_REF):
                value = re.match(rb"\d+", source).group().decode()
                self._add(start, end, "constant", "%s -> %d" % (value, int(value) + 1), value=int(value),
                          type=(wide or cursor.type).get_canonical().spelling.replace("const ", ""))  # yapf: disable
        elif kind == CursorKind.CXX_BOOL_LITERAL_EXPR and source in (b"true", b"false"):
            self._add(start, end, "bool", "true -> false" if source == b"true" else "false -> true")
        wide = cursor.type if kind == CursorKind.UNEXPOSED_EXPR and len(children) == 1 else None
        if wide is not None and wide.get_canonical().kind not in ARITHMETIC - {TypeKind.POINTER, TypeKind.NULLPTR}:
            wide = None
        for child in children:
            self._walk(child, cursor, wide)

    def _condition(self, condition, in_if):
        start, end = condition.extent.start.offset, condition.extent.end.offset
        if not condition.kind.is_expression() or start >= end:
            return
        before = self.text[:start].rstrip()
        if in_if and not re.search(rb"\bif\s*\($", before):
            return
        if re.search(rb"&&|\|\||[<>=!]=|\s[<>]\s", self.text[start:end]):
            return
        self._add(start, end, "condition", "a -> !a")

    def _operator(self, start, end, children):
        left, right = children
        left_end, right_start = left.extent.end.offset, right.extent.start.offset
        between = re.sub(rb"//[^\n]*", b"", self.text[left_end:right_start]).decode().strip()
        if left.extent.start.offset != start or right.extent.end.offset != end:
            return
        rest = dict(left_end=left_end, right_start=right_start, op=between)
        if between in ("&&", "||"):
            self._add(start, end, "left", "a %s b -> b" % between, **rest)
            self._add(start, end, "right", "a %s b -> a" % between, **rest)
        elif between in SWAPS:
            for side in children:
                if side.type.get_canonical().kind not in ARITHMETIC:
                    return
            self._add(start, end, "operator", "%s -> %s" % (between, SWAPS[between]), **rest)


def rewrite(text, mutants):
    """The text with switches for all of them, each with a number."""
    # From the outside in; a condition is around the operator of the same extent.
    order = {"condition": 0, "left": 1, "right": 2, "operator": 3, "constant": 4, "bool": 4}
    mutants = sorted(mutants, key=lambda m: (m["start"], -m["end"], order[m["kind"]]))

    def render(start, end, inside):
        out, at, i = [], start, 0
        while i < len(inside):
            mutant = inside[i]
            within = [m for m in inside[i + 1:] if m["end"] <= mutant["end"]]
            out.append(text[at:mutant["start"]])
            out.append(one(mutant, within))
            at = mutant["end"]
            i += 1 + len(within)
        out.append(text[at:end])
        return b"".join(out)

    def one(mutant, within):
        start, end = mutant["start"], mutant["end"]
        switch = b"TESSERA_MUTANT(%d)" % mutant["number"]
        kind = mutant["kind"]
        if kind == "constant":
            return b"static_cast<%s>(%s ? %d : %s)" % (mutant["type"].encode(), switch, mutant["value"] + 1, text[start:end])
        if kind == "bool":
            return b"(%s != %s)" % (switch, text[start:end])
        if kind == "condition":
            return b"(%s != static_cast<bool>(%s))" % (switch, render(start, end, within))
        left_end, right_start = mutant["left_end"], mutant["right_start"]
        same = [m for m in within if (m["start"], m["end"]) == (start, end)]
        rest = [m for m in within if m not in same]
        left = render(start, left_end, [m for m in rest if m["end"] <= left_end])
        right = render(right_start, end, [m for m in rest if m["start"] >= right_start])
        lines = b"\n" * text.count(b"\n", left_end, right_start)
        op = mutant["op"].encode()
        if kind == "operator":
            return b"tessera_mutants::%s(%s, %s, %s%s)" % (NAMES[mutant["op"]].encode(), switch, left, lines, right)
        # Without one operand: it is what decides nothing.
        neutral = (b"%s || " if op == b"&&" else b"!%s && ")
        for m in [mutant] + same:
            without = neutral % (b"TESSERA_MUTANT(%d)" % m["number"])
            if m["kind"] == "left":
                left = b"(%s(%s))" % (without, left)
            else:
                right = b"(%s(%s))" % (without, right)
        return b"(%s %s%s %s)" % (left, lines, op, right)

    # gcc warns of a loop that it cannot unroll, and the warning has no name.
    code = re.sub(rb"(?m)^#pragma GCC unroll", b"// unroll", render(0, len(text), mutants))
    return preamble(text).encode() + code


def key_of(mutant):
    return "\t".join(mutant[name] for name in ("file", "function", "expression", "mutation"))


def compiler_arguments(root):
    scratch = root / "mutant_includes"
    scratch.mkdir(exist_ok=True)
    for name, target in (("here", TREE), ("generated", TREE / "bazel-bin")):
        (scratch / name).mkdir(exist_ok=True)
        link = scratch / name / "tessera"
        if not link.is_symlink():
            link.symlink_to(target)
    return ["-xc++", "-std=c++17", "-w", "-DHWY_COMPILE_ONLY_STATIC", "-mavx2", "-mbmi2", "-I%s" % (scratch / "here"),
            "-I%s" % (scratch / "generated"), "-I%s" % TREE, "-I%s" % (TREE / "bazel-bin")]  # yapf: disable


def find(rooms, arguments):
    mutants = []
    for folder in rooms:
        for path in sorted((TREE / folder).rglob("*.cc")):
            if "testdata" not in str(path):
                found = list(Finder(path.relative_to(TREE), arguments).found.values())
                for mutant in found:
                    mutant["room"] = folder
                mutants += found
    # The same expression twice in one function: the second has a number in its key.
    count = collections.Counter()
    for mutant in sorted(mutants, key=lambda m: (m["file"], m["start"])):
        count[key_of(mutant)] += 1
        if count[key_of(mutant)] > 1:
            mutant["mutation"] += " (%d)" % count[key_of(mutant)]
    return mutants


def choose(mutants, per_room, seed):
    """So many of each room, at random, and always the same."""
    chosen = []
    for room in sorted({m["room"] for m in mutants}):
        own = [m for m in mutants if m["room"] == room]
        own.sort(key=lambda m: hashlib.sha256((seed + key_of(m)).encode()).digest())
        chosen += own[:per_room]
    return sorted(chosen, key=lambda m: (m["file"], m["start"], m["kind"]))


def write_copy(copy, mutants, arguments):
    """Writes the copy; leaves out mutants that do not compile."""
    files = subprocess.run(["git", "ls-files", "-z"], cwd=TREE, stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
    changed = {m["file"] for m in mutants}
    for name in filter(None, files):
        source, target = TREE / name, copy / name
        if name in changed or not source.exists():
            continue
        if target.exists() and target.stat().st_mtime == source.stat().st_mtime:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-p", "-d", str(source), str(target)], check=True)
    # A folder is one unit, with whatever lies in it.
    gone = subprocess.run(["find", ".", "-type", "f", "-not", "-path", "./bazel-*"], cwd=copy, stdout=subprocess.PIPE, check=True)
    for name in set(gone.stdout.decode().replace("\n./", "\n").splitlines()) - set(files) - {"./" + f for f in files}:
        (copy / name).unlink()
    dropped = []

    def one(name):
        text = (TREE / name).read_bytes()
        own = [m for m in mutants if m["file"] == name]
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        for _ in range(20):
            changed_text = rewrite(text, own)
            if target.exists() and target.read_bytes() == changed_text:
                return
            target.write_bytes(changed_text)
            result = subprocess.run(["nice", "-n", "10", "clang++-14", "-fsyntax-only", "-ferror-limit=0"] + arguments +
                                    ["-I%s" % copy, str(target)], stderr=subprocess.PIPE)  # yapf: disable
            if result.returncode == 0:
                return
            errors = result.stderr.decode()
            lines = {int(n) for n in re.findall(r"%s:(\d+):\d+: (?:error|note)" % re.escape(name), errors)}
            bad = [m for m in own if any(m["line"] <= n <= m["line"] + m["expression"].count("\n") + 3 for n in lines)]
            if not bad:
                sys.exit("%s does not compile: %s" % (name, errors[:2000]))
            # The lines with an error and those that end there.
            exact = [m for m in bad if m["line"] in lines] or bad
            dropped.extend(exact)
            own = [m for m in own if m not in exact]

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(one, sorted(changed)))
    return [m for m in mutants if m not in dropped], dropped


class Program:
    """A test program, with how long each test takes and which mutants it evaluates."""

    def __init__(self, copy, room, path):
        self.room = room
        self.path = copy / "bazel-bin" / path
        self.name = str(path)
        self.folder = next(self.path.parent.glob(self.path.name + ".runfiles/*/"))

    def run(self, tests, environment, seconds):
        """(Whether all passed, the output). `seconds` of processor time; many times that by the clock."""

        def limit():
            os.nice(10)
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        scratch = "/tmp/mutants_tmp.%d.%d" % (os.getpid(), time.monotonic_ns())
        os.mkdir(scratch)
        variables = dict(os.environ, TEST_TMPDIR=scratch, TEST_SRCDIR=str(self.folder.parent), TEST_WORKSPACE=self.folder.name,
                         **environment)  # yapf: disable
        try:
            result = subprocess.run([str(self.path), "--gtest_filter=" + ":".join(tests), "--gtest_fail_fast",
                                     "--gtest_brief=1"], cwd=self.folder, env=variables, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit,
                                    timeout=20 * seconds + 60)  # yapf: disable
            return result.returncode == 0, result.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired:
            return False, "timeout"
        finally:
            subprocess.run(["rm", "-rf", scratch])

    def tests(self):
        listing = subprocess.run([str(self.path), "--gtest_list_tests"], cwd=self.folder, stdout=subprocess.PIPE,
                                 check=True).stdout.decode()  # yapf: disable
        suite, names = "", []
        for line in listing.splitlines():
            line = line.split("#")[0].rstrip()
            if line.startswith("  "):
                names.append(suite + line.strip())
            elif line.endswith("."):
                suite = line.strip()
        return names


def thin_out(tests, instances):
    """Of each parameterized test at most so many instances, evenly spread."""
    by_test = collections.defaultdict(list)
    for test in tests:
        by_test[re.sub(r"/[^/.]*$", "", test)].append(test)
    return [own[i * len(own) // min(instances, len(own))] for own in by_test.values() for i in range(min(instances, len(own)))]


def coverage(programs, workers, slowest, instances, cache_path):
    """By test: its seconds and the mutants that it evaluates."""
    cache = json.loads(cache_path.read_text()) if cache_path.exists() else {}

    def one(job):
        program, test = job
        key = "%s %s %d" % (program.name, test, program.path.stat().st_mtime_ns)
        if key not in cache:
            cache[key] = run(program, test)
        seconds, numbers, passed, output = cache[key]
        return program, test, seconds, set(numbers), passed, output

    def run(program, test):
        seen = "/tmp/mutants_seen.%d.%s" % (os.getpid(), hashlib.md5((program.name + test).encode()).hexdigest())
        before = time.monotonic()
        passed, output = program.run([test], {"TESSERA_MUTANTS_SEEN": seen}, slowest)
        seconds = time.monotonic() - before
        numbers = set()
        if os.path.exists(seen):
            numbers = {int(n) for n in open(seen).read().split()}
            os.remove(seen)
        return seconds, sorted(numbers), passed, output[-200:]

    jobs = [(program, test) for program in programs for test in thin_out(program.tests(), instances)]
    results = []
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for result in pool.map(one, jobs):
            results.append(result)
            if len(results) % 50 == 0 or len(results) == len(jobs):
                cache_path.write_text(json.dumps(dict(cache)))
    for program, test, _, _, passed, output in results:
        if not passed:
            print("not used: %s %s: %s" % (program.name, test, "fails or too slow: " + output[-200:]), flush=True)
    return [(program, test, seconds, numbers) for program, test, seconds, numbers, passed, _ in results if passed]


def judge(mutants, covered, workers, results, save):
    kills = collections.Counter()

    def one(mutant):
        number = mutant["number"]
        tests = [(program, test, seconds) for program, test, seconds, numbers in covered if number in numbers]
        if not tests:
            return mutant, "survived", "no test evaluates it"
        tests.sort(key=lambda t: -(1 + 5 * kills[t[1]]) / (t[2] + 0.01))
        # Ever longer batches: most mutants die in the first.
        batch_seconds, at = 0.3, 0
        while at < len(tests):
            batch, seconds = [tests[at]], tests[at][2]
            at += 1
            while at < len(tests) and tests[at][0] is batch[0][0] and seconds + tests[at][2] < batch_seconds:
                batch.append(tests[at])
                seconds += tests[at][2]
                at += 1
            batch_seconds *= 2
            passed, output = batch[0][0].run([t[1] for t in batch], {"TESSERA_MUTANT": str(number)}, 2 + 3 * seconds)
            if not passed:
                failed = re.search(r"\[  FAILED  \] (\S+?),? ", output + " ")
                name = failed.group(1) if failed else "crash or timeout in " + batch[0][1]
                for t in batch:
                    if t[1] == name:
                        kills[name] += 1
                return mutant, "killed", name
        return mutant, "survived", "%d tests evaluate it" % len(tests)

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for done, future in enumerate(concurrent.futures.as_completed([pool.submit(one, m) for m in mutants]), 1):
            mutant, verdict, why = future.result()
            results[key_of(mutant)] = [verdict, why]
            if done % 10 == 0 or done == len(mutants):
                save()
                print("%d of %d, %d survived" % (done, len(mutants), sum(r[0] == "survived" for r in results.values())),
                      flush=True)  # yapf: disable


def read_equal():
    equal = {}
    path = HERE / "equal.tsv"
    if path.exists():
        for line in path.read_text().splitlines():
            if line and not line.startswith("#"):
                fields = line.split("\t")
                if len(fields) != 5:
                    sys.exit("equal.tsv: a line without 5 fields: " + line)
                equal["\t".join(fields[:4])] = fields[4]
    return equal


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", nargs="*", default=list(ROOMS), choices=list(ROOMS), help="all by default")
    parser.add_argument("--per-room", type=int, default=150, help="so many mutants of each room, at random (default 150)")
    parser.add_argument("--seed", default="1", help="of the choice")
    parser.add_argument("--scratch", type=pathlib.Path, default=pathlib.Path("/tmp/mutants"), help="outside of the tree")
    parser.add_argument("--workers", type=int, default=2, help="test programs at a time")
    parser.add_argument("--slowest", type=float, default=20, help="tests that take more seconds are not used")
    parser.add_argument("--instances", type=int, default=6, help="of each parameterized test so many (default 6)")
    parser.add_argument("--at-most", type=int, help="judges only so many of each room, and the rest another time")
    parser.add_argument("--again", action="store_true", help="runs the survivors again, after tests were added")
    parser.add_argument("--show", action="store_true", help="prints the survivors of the last run, and runs nothing")
    arguments = parser.parse_args()
    scratch, copy = arguments.scratch, arguments.scratch / "copy"
    copy.mkdir(parents=True, exist_ok=True)
    state_path = scratch / "results.json"
    results = json.loads(state_path.read_text()) if state_path.exists() else {}

    flags = compiler_arguments(scratch)
    # To find them takes a minute.
    sources = sorted(path for folder in arguments.rooms for path in (TREE / folder).rglob("*.cc"))
    sources_hash = hashlib.sha256(b"\0".join(p.read_bytes() for p in sources + [HERE / "mutants.py"])).hexdigest()
    found_path = scratch / ("found.%s.json" % sources_hash[:16])
    if not found_path.exists():
        found_path.write_text(json.dumps(find(arguments.rooms, flags)))
    chosen = choose(json.loads(found_path.read_text()), arguments.per_room, arguments.seed)
    for number, mutant in enumerate(chosen, 1):
        mutant["number"] = number
    if not arguments.show:
        before = time.monotonic()
        known = [m for m in chosen if results.get(key_of(m), [""])[0] == "not compiled"]
        compiled, dropped = write_copy(copy, [m for m in chosen if m not in known], flags)
        dropped += known
        print("%d mutants, and %d that do not compile; %.0f s" % (len(compiled), len(dropped), time.monotonic() - before),
              flush=True)  # yapf: disable
        for mutant in dropped:
            results[key_of(mutant)] = ["not compiled", ""]
        state_path.write_text(json.dumps(results, indent=1))
        tests = ["//tests/%s:all" % ROOMS[room] for room in arguments.rooms]
        subprocess.run(["nice", "-n", "10", "./bazelw", "build", "--jobs=2", "--keep_going", "--noshow_progress"] + tests, cwd=copy, check=True)
        print("built; %.0f s" % (time.monotonic() - before), flush=True)
        query = subprocess.run(["./bazelw", "query", "--noshow_progress", " + ".join("kind(cc_test, %s)" % t for t in tests)],
                               cwd=copy, stdout=subprocess.PIPE, check=True).stdout.decode().split()  # yapf: disable
        room_of = {ROOMS[room]: room for room in arguments.rooms}
        programs = [Program(copy, room_of[label[8:].split(":")[0]], label[2:].replace(":", "/")) for label in query]
        def save():
            state_path.write_text(json.dumps(results, indent=1))

        for room in arguments.rooms:
            covered = coverage([p for p in programs if p.room == room], arguments.workers, arguments.slowest, arguments.instances,
                               scratch / ("coverage.%s.json" % ROOMS[room]))  # yapf: disable
            print("%s: %d tests; %.0f s" % (room, len(covered), time.monotonic() - before), flush=True)
            own = [m for m in compiled if m["room"] == room]
            # In any order, so that a run that is cut off has a sample.
            own.sort(key=lambda m: hashlib.sha256(key_of(m).encode()).digest())
            judge([m for m in own[:arguments.at_most] if key_of(m) not in results or
                   arguments.again and results[key_of(m)][0] == "survived"],
                  covered, arguments.workers, results, save)  # yapf: disable
        print("judged; %.0f s" % (time.monotonic() - before), flush=True)

    equal = read_equal()
    print("%-24s %8s %8s %8s %8s %8s" % ("room", "mutants", "killed", "equal", "survived", "killed of unequal"))
    for room in arguments.rooms:
        verdicts = collections.Counter()
        for mutant in chosen:
            verdict = results.get(key_of(mutant), ["not run"])[0]
            if mutant["room"] == room and verdict in ("killed", "survived"):
                verdicts["equal" if verdict == "survived" and key_of(mutant) in equal else verdict] += 1
        unequal = verdicts["killed"] + verdicts["survived"]
        print("%-24s %8d %8d %8d %8d %7.1f %%" % (room, sum(verdicts.values()), verdicts["killed"], verdicts["equal"],
                                                  verdicts["survived"], 100 * verdicts["killed"] / max(unequal, 1)))
    survivors = [m for m in chosen if results.get(key_of(m), [""])[0] == "survived" and key_of(m) not in equal]
    for mutant in survivors:
        print("%s:%d %s: %s [%s] %s" % (mutant["file"], mutant["line"], mutant["function"], mutant["expression"],
                                        mutant["mutation"], results[key_of(mutant)][1]))  # yapf: disable
        if arguments.show:
            lines = (TREE / mutant["file"]).read_text().splitlines()
            for at in range(max(mutant["line"] - 3, 0), min(mutant["line"] + 2, len(lines))):
                print("    %s" % lines[at])
    for key, reason in equal.items():
        if results.get(key, [""])[0] == "killed":
            print("equal.tsv: killed after all: %s" % key)
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
