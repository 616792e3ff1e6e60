"""Fuzzes the entry points of the Python package, with atheris.

    tests/fuzz/run.sh 0.05 python

Only the package's Python is instrumented. What the extension module does with an input is fuzzed by its own properties
(tests/fuzz/properties.cc); here it may not crash the interpreter or raise anything but a tessera.Error.
"""

import os
import pathlib
import sys
import tempfile

import atheris

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../python"))

with atheris.instrument_imports(include=["tessera"]):
    import tessera
    import tessera.hlo
    import tessera.jax
    import tessera.tt

from hostile_input import CORPUS, try_bytes, try_request, try_text

# The first byte of an input says what it is given to.
ENTRIES = (
    lambda data: try_text(data.decode("utf-8", "surrogateescape")),
    lambda data: try_text(data.decode("utf-8", "replace")),
    lambda data: try_request(data.decode("utf-8", "replace")),
    try_bytes,
)


def entry_of(folder):
    """The first byte for a corpus of tests/fuzz."""
    if folder.startswith(("hlo", "assignment", "diff")):
        return 3
    return 2 if folder == "request" else 1


def run(data):
    if data:
        ENTRIES[data[0] % len(ENTRIES)](data[1:])


def main():
    with tempfile.TemporaryDirectory() as seeds:
        for number, path in enumerate(sorted(CORPUS.rglob("*"))):
            if path.is_file():
                seed = bytes([entry_of(path.parent.name)]) + path.read_bytes()
                (pathlib.Path(seeds) / str(number)).write_bytes(seed)
        atheris.Setup([*sys.argv, seeds], run)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
