"""Runs examples/python_tasks/, and compares what they print with output.txt.

`python tasks_test.py --update` writes what that should be. The working directory
is the root of the repository.
"""

import os
import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path("examples/python_tasks")
DUMP = "tests/hlo/data/tpu_backbone.hlo"
TASKS = [
    "padding",
    "positions",
    "free_reshape",
    "tile_on_threads",
    f"large_copies {DUMP}",
    f"peak {DUMP}",
    "cute_layouts",
    "core_of_element",
    "picture",
    "proto_and_back",
]


def run(task, *arguments):
    name, *own = task.split()
    return subprocess.run(
        [sys.executable, str(FOLDER / f"{name}.py"), *own, *arguments],
        check=True,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    ).stdout


def expected():
    """What each task should print, by the task."""
    text = (FOLDER / "output.txt").read_text(encoding="utf-8")
    return dict(part.split("\n", 1) for part in ("\n" + text).split("\n$ ")[1:])


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.split()[0])
def test_prints_what_output_txt_has(task):
    assert run(task).rstrip("\n") == expected()[task].rstrip("\n")


def test_there_is_a_task_for_every_program():
    names = [task.split()[0] for task in TASKS]
    assert sorted(names) == sorted(path.stem for path in FOLDER.glob("*.py"))
    assert list(expected()) == TASKS


def test_picture_saves_an_svg(tmp_path):
    run("picture", str(tmp_path / "picture.svg"))
    assert "<svg" in (tmp_path / "picture.svg").read_text(encoding="utf-8")


if __name__ == "__main__":
    if "--update" in sys.argv:
        output = "".join(f"$ {task}\n{run(task)}" for task in TASKS)
        (FOLDER / "output.txt").write_text(output, encoding="utf-8")
    else:
        sys.exit(pytest.main([__file__, *sys.argv[1:]]))
