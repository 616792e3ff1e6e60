"""Threads that access memory: conflicts of banks, sectors, swizzles, pictures."""

import re

import numpy
import pytest
import tessera

TILE = "(8,64):(64,1)"
ROWS = "(8,8):(1,8)"


def test_conflicts_and_the_swizzle_that_removes_them():
    conflicts = tessera.bank_conflicts(TILE, ROWS, 2)
    assert (conflicts.ways, conflicts.wavefronts, conflicts.fewest) == (8, 8, 1)
    # 8 threads with 4 words each.
    assert conflicts.collision_count == len(conflicts.collisions) == 32
    first = conflicts.collisions[1]
    assert (first.phase, first.bank, first.thread, first.word) == (0, 0, 1, 32)
    (swizzle,) = tessera.find_swizzle(TILE, ROWS, 2)
    assert swizzle == "Sw<3,3,3>"
    assert tessera.bank_conflicts(f"{swizzle} o 0 o {TILE}", ROWS, 2).ways == 1
    assert len(tessera.bank_conflicts(TILE, ROWS, 2, max_collisions=3).collisions) == 3


def test_threads_and_bytes_may_be_given_otherwise():
    assert tessera.bank_conflicts("(32,32):(32,1)", 32, 4).ways == 32
    assert tessera.bank_conflicts(tessera.cute("(32,32):(33,1)"), 32, 4).ways == 1
    assert tessera.bank_conflicts("GMMA::Layout_K_SW128_Atom<half_t>{}", ROWS).ways == 1
    assert tessera.find_swizzle("(2,4096):(4096,1)", 2, 4) == []
    numbers = (numpy.int64(32), numpy.int32(4))
    assert tessera.bank_conflicts("(32,32):(32,1)", *numbers).ways == 32
    assert tessera.find_swizzle("(32,32):(32,1)", *numbers)


def test_coalescing():
    row = tessera.coalescing("(32,32):(32,1)", "32:32", 4)
    assert (row.sectors, row.lines, row.fewest_sectors, row.bytes) == (4, 1, 4, 128)
    assert tessera.coalescing("(32,32):(32,1)", 32, 4).lines == 32


@pytest.mark.parametrize(
    "layout, threads, bytes_, message",
    [
        (TILE, ROWS, 3, "bytes = 3 is not 1, 2, 4, 8 or 16"),
        (TILE, ROWS, 0, "the layout does not have the size of an element; give element_bytes"),
        ("Sw<3,3,3>", ROWS, 2, "expected a layout, found the swizzle"),
        (TILE, "(8,8)", 2, "expected a layout, found the int tuple"),
        ("8:1", "9:1", 4, "coordinate 8 of 9:1 is outside"),
    ],
)
def test_refusals(layout, threads, bytes_, message):
    for ask in (tessera.bank_conflicts, tessera.coalescing, tessera.find_swizzle):
        with pytest.raises(tessera.Error, match=re.escape(message)):
            ask(layout, threads, bytes_)


def test_pictures_of_threads():
    picture = tessera.draw_threads("((4,8),(2,2)):((32,1),(16,8))", tile=(16, 8), thread=5)
    assert "[ T5V0][ T5V1]" in picture.to_text(columns=200)
    svg = picture._repr_svg_()
    assert 'data-at="1,2" data-thread="5" data-value="0"' in svg
    mma = tessera.draw_threads("SM80_16x8x16_F32F16F16F32_TN")
    assert mma.to_svg().count("data-value") == 16 * 16 + 8 * 16 + 16 * 8
    banks = tessera.draw_threads(ROWS, memory=TILE, element_bytes=2, color="bank")
    assert "8-way conflict" in str(banks)
    with pytest.raises(tessera.Error, match="color: expected thread, value"):
        tessera.draw_threads(ROWS, color="red")
    with pytest.raises(tessera.Error, match="thread 9 holds no element"):
        tessera.draw_threads(ROWS, thread=9)


def test_pictures_of_operations():
    divide = "zipped_divide((8,8):(8,1), <4:1, 4:1>)"
    picture = tessera.draw_operations(divide)
    assert "zipped_divide(A, (4:1,4:1)) = ((4,4),(2,2)):((8,1),(32,4))" in picture.to_text(columns=200)
    svg = picture._repr_svg_()
    # A and the result have 64 cells each, and tiles have colours.
    assert svg.count('<rect class="cell c') == 128
    assert 'class="arrow"' in svg
    # Operations within one another are rows of panels.
    nested = tessera.draw_operations("coalesce(complement(4:2, 24))").to_text(columns=200)
    assert "complement(A, 24) = (2,3):(1,8)" in nested
    assert "coalesce(A) = (2,3):(1,8)" in nested
    with pytest.raises(tessera.Error, match="expected an operation from layouts to a layout"):
        tessera.draw_operations("(8,8):(8,1)")


@pytest.mark.parametrize("width", [240, 390])
def test_pictures_fit_a_width(width):
    for picture in (
        tessera.draw_operations("logical_divide((4,2,3):(2,1,8), 4:2)", width=width),
        tessera.draw_threads("SM80_16x8x16_F32F16F16F32_TN", width=width),
    ):
        assert f'role="img" width="{width}"' in picture.to_svg()


def test_colours_of_offsets():
    picture = tessera.draw_threads("8:1", memory="(4,4):(4,1)", tile=(4, 4), color="offset")
    assert "The color of a cell is that of its offset, modulo 8." in picture.to_svg()
