"""Puts the fuzz corpora, and what mutations make of them, through the package.

Run as a program, in a process of its own: a crash of the interpreter is then a
failed test. Prints how many inputs it has tried.
"""

import pathlib
import random
import sys

import numpy
import tessera
import tessera.jax
from tessera import _core

CORPUS = pathlib.Path("tests/fuzz/corpus")
SEED = 20261124


def mutations(data, count, source):
    """Texts that are nearly `data`: cut, doubled, with other bytes."""
    for _ in range(count):
        mutant = bytearray(data)
        for _ in range(source.randint(1, 4)):
            kind = source.randrange(5)
            at = source.randrange(len(mutant) + 1)
            end = min(len(mutant), at + source.randint(1, 9))
            if kind == 0:
                del mutant[at:end]
            elif kind == 1:
                mutant[at:at] = mutant[at:end] * source.randint(1, 5)
            elif kind == 2 and at < len(mutant):
                mutant[at] = source.randrange(256)
            elif kind == 3:
                mutant[at:at] = str(source.choice([0, -1, 2**31, 2**63 - 1, 2**63, 10**40])).encode()
            else:
                mutant[at:at] = source.choice([b"(", b")", b"{", b"}", b"[", b",", b"*", b"<", b"\0"])
        yield bytes(mutant)


def use_layout(layout):
    """All that can be asked of a layout, whatever comes of it."""
    for ask in (
        lambda: (layout.text, repr(layout), hash(layout), layout.family),
        lambda: (layout.size, layout.nbytes, layout.padding),
        lambda: layout.linear_index((0,) * layout.rank),
        lambda: layout.linear_index(numpy.zeros((3, layout.rank), int)),
        lambda: layout.linear_index(numpy.full((3, layout.rank), 2**62)),
        lambda: layout.index_of(numpy.arange(5)),
        lambda: layout.kind_of(layout.position_count() - 1),
        lambda: layout.draw(row_window=(0, 4), column_window=(0, 4)).to_svg(),
        lambda: layout.draw().to_text(columns=40),
        lambda: layout.describe().to_dict(),
        lambda: layout.explain((0,) * layout.rank),
        lambda: tessera.RelayoutPlan(layout, layout).bytes_moved,
    ):
        try:
            ask()
        except tessera.Error:
            pass


def use_dump(dump):
    for ask in (
        lambda: [peak.to_dict() for peak in dump.peaks(assume_text_order=True)],
        lambda: str(dump.report()),
        lambda: [(i.operands, i.users, i.metadata, i.shape) for i in dump.instructions[:50]],
        lambda: dump.instructions.columns(),
        lambda: [module.memory_maps(assume_text_order=True) for module in dump.modules],
        lambda: str(dump.diff(dump)),
        lambda: str(dump.check(max_reserved=1)),
    ):
        try:
            ask()
        except tessera.Error:
            pass


def try_text(text):
    """Gives a text to all that reads text."""
    for make in (tessera.layout, tessera.shape, tessera.cute, tessera.tensor, tessera.strided):
        try:
            use_layout(make(text))
        except tessera.Error:
            pass
    for make in (tessera.evaluate, tessera.jax.read):
        try:
            make(text)
        except tessera.Error:
            pass


def try_bytes(data):
    for source in (data, data.decode("utf-8", "replace") + "\n"):
        try:
            use_dump(tessera.hlo.load(source))
        except tessera.Error:
            pass
    try:
        tessera.Shape.from_proto(data)
    except tessera.Error:
        pass


def try_request(text):
    try:
        _core.ask(text)
    except tessera.Error:
        pass


def main():
    source = random.Random(SEED)
    tried = 0
    for path in sorted(CORPUS.rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        is_hlo = path.parent.name.startswith(("hlo", "assignment"))
        for mutant in [data, *mutations(data, 25, source)]:
            tried += 1
            if is_hlo:
                try_bytes(mutant)
            elif path.parent.name == "request":
                try_request(mutant.decode("utf-8", "replace"))
            else:
                try_text(mutant.decode("utf-8", "replace"))
    deep = 100_000
    for text in (
        "",
        "\0",
        "\ud800",
        "(" * deep,
        "(" * deep + "f32[]" + ")" * deep,
        "(" * deep + "1" + ")" * deep + ":1",
        "f32[" + "1," * deep + "1]",
        "f32[2]{0:T" + "(2)" * deep + "}",
        "tensor<" + "1x" * deep + "f32>",
        "memref<" + "1x" * deep + "f32>",
        "8:1;" * deep,
        "composition(" * deep,
    ):
        tried += 1
        try_text(text)
        try_bytes(text.encode("utf-8", "surrogatepass"))
    for nested in ("(" * 300 + "f32[2]" + ")" * 300,):
        tried += 1
        try:
            tessera.ask({"parse": {"text": nested, "with_shape_proto": True}})
        except tessera.Error:
            pass
    print(tried)


if __name__ == "__main__":
    sys.exit(main())
