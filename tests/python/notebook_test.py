"""Runs every cell of examples/notebook/, and compares what is stored with what
running it gives now. The working directory is the root of the repository.

`python notebook_runner.py --update` rewrites what is stored.
"""

import sys

import notebook_runner
import pytest


@pytest.fixture(scope="module")
def cells():
    """(cell, number, outputs) of each code cell, run in order."""
    return list(notebook_runner.run(notebook_runner.read(notebook_runner.NOTEBOOK)))


def plain(output):
    """The text of an output, without spaces at the ends of lines."""
    data = output.get("data", {})
    text = output["text"] if "text" in output else data["text/plain"]
    lines = [line.rstrip() for line in "".join(text).splitlines()]
    # Versions of pandas differ in the widths of columns.
    if 'class="dataframe"' in "".join(data.get("text/html", "")):
        return [line.split() for line in lines]
    return lines


def test_outputs_are_what_running_gives(cells):
    assert len(cells) >= 8
    for cell, number, outputs in cells:
        source = "".join(cell["source"])
        assert cell["execution_count"] == number, source
        assert [plain(o) for o in cell["outputs"]] == [plain(o) for o in outputs], source


def test_pictures_and_tables_are_stored(cells):
    stored = [output.get("data", {}) for cell, _, _ in cells for output in cell["outputs"]]
    assert sum("image/svg+xml" in data for data in stored) >= 3
    assert sum("text/html" in data for data in stored) >= 2
    for cell, _, outputs in cells:
        for old, new in zip(cell["outputs"], outputs):
            assert old.get("data", {}).keys() == new.get("data", {}).keys()


def test_it_shows_on_github():
    notebook = notebook_runner.read(notebook_runner.NOTEBOOK)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    assert notebook_runner.NOTEBOOK.stat().st_size < 400_000


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, *sys.argv[1:]]))
