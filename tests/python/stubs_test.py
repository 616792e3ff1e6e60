"""The types of the package: _core.pyi has what the module has, and programs are checked."""

import os
import pathlib
import subprocess
import sys
import textwrap

PACKAGE = pathlib.Path("python/tessera").absolute()


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env={**os.environ, "MYPYPATH": str(PACKAGE.parent)},
    )


def test_stubtest(tmp_path):
    allowed = tmp_path / "allowed"
    # Classes of pybind11 have a metaclass of theirs, and more comparisons than they need; its sequences lack
    # what Sequence of the stub has beside len() and [].
    allowed.write_text(
        textwrap.dedent(
            r"""
            tessera\._core\.[A-Z]\w*
            tessera\._core\.\w+\.__(init|le|lt|ge|gt|eq|ne|hash|repr|str)__
            tessera\._core\.\w+s\.(count|index|__contains__|__reversed__)
            tessera\._core\._\w+Iterator
            """
        )
    )
    result = run(
        "mypy.stubtest",
        "tessera._core",
        "--concise",
        "--ignore-unused-allowlist",
        f"--allowlist={allowed}",
    )
    assert result.returncode == 0, result.stdout


def test_the_package_checks():
    result = run("mypy", "--no-incremental", "--check-untyped-defs", "-p", "tessera")
    assert result.returncode == 0, result.stdout


def test_programs_are_checked(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            import tessera

            shape = tessera.shape("f32[3,5]{1,0:T(2,2)}")
            rank: int = shape.rank
            dump = tessera.hlo.load("dump.txt")
            peak_bytes: int = dump.peak().peak_bytes
            names: list[str] = [i.name for i in dump.instructions.by_opcode("copy")]
            wrong: str = dump.peak().peak_bytes
            dump.peak(row=3)
            shape.no_such_thing
            """
        )
    )
    result = run("mypy", "--no-incremental", str(program))
    lines = [line.split(": error: ")[0] for line in result.stdout.splitlines() if "error: " in line]
    assert lines == [f"{program}:{number}" for number in (9, 10, 11)], result.stdout
