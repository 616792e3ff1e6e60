"""The examples in the docstrings of the package."""

import doctest
import importlib
import pkgutil

import pytest
import tessera

MODULES = ["tessera"] + [
    f"tessera.{module.name}" for module in pkgutil.iter_modules(tessera.__path__)
]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("_core")])
def test_examples(name):
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    result = doctest.testmod(importlib.import_module(name), optionflags=flags)
    assert result.failed == 0


def test_most_modules_have_examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    examples = [
        example
        for name in MODULES
        if not name.endswith("_core")
        for found in finder.find(importlib.import_module(name))
        for example in found.examples
    ]
    assert len(examples) > 60
