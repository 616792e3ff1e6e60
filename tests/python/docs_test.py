"""Runs what follows >>> in docs/python.md and README.md. The working directory
is the root of the repository."""

import doctest
import pathlib
import re
import sys

import pytest

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.FAIL_FAST
BLOCK = re.compile(r"^```(?:python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples_of(path):
    """The blocks of a page with >>>, at their lines, as one doctest."""
    page = pathlib.Path(path).read_text(encoding="utf-8")
    # All that is no example becomes an empty line, so that lines keep their numbers.
    text, end = "", 0
    for block in BLOCK.finditer(page):
        if not block[1].startswith(">>> "):
            continue
        text += "\n" * page.count("\n", end, block.start(1))
        # A reader needs no <BLANKLINE> where output goes on after an empty line.
        text += re.sub(r"\n\n(?!>>> )", "\n<BLANKLINE>\n", block[1])
        end = block.end(1)
    return doctest.DocTestParser().get_doctest(text, {}, path, path, 0)


@pytest.mark.parametrize("path, fewest", [("docs/python.md", 75), ("README.md", 9)])
def test_examples_of_page(path, fewest):
    test = examples_of(path)
    assert len(test.examples) >= fewest
    told = []
    results = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=told.append)
    assert results.failed == 0, "".join(told)


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, *sys.argv[1:]]))
