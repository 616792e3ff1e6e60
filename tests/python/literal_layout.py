"""XLA's rules for tiled layouts, in plain Python: the judge of property tests.

As the page on tiled layouts has it: the dimensions in the order of memory, major
to minor, are cut by one tile after the other. A tile of n entries divides the
last n dimensions, each rounded up to whole tiles, and puts the positions within
a tile behind all others.
"""

import math

from hypothesis import strategies


def linear_index(bounds, minor_to_major, tiles, index):
    """Where the element at `index` lies, in elements."""
    order = list(reversed(minor_to_major))
    sizes = [bounds[dimension] for dimension in order]
    digits = [index[dimension] for dimension in order]
    for tile in tiles:
        while len(sizes) < len(tile):
            sizes.insert(0, 1)
            digits.insert(0, 0)
        first = len(sizes) - len(tile)
        outer_sizes = [-(-size // extent) for size, extent in zip(sizes[first:], tile)]
        outer = [digit // extent for digit, extent in zip(digits[first:], tile)]
        inner = [digit % extent for digit, extent in zip(digits[first:], tile)]
        sizes = sizes[:first] + outer_sizes + list(tile)
        digits = digits[:first] + outer + inner
    position = 0
    for size, digit in zip(sizes, digits):
        position = position * size + digit
    return position


def position_count(bounds, minor_to_major, tiles):
    """How many positions there are, padding included."""
    if 0 in bounds:
        return 0
    last = [bound - 1 for bound in bounds]
    sizes = [bounds[dimension] for dimension in reversed(minor_to_major)]
    for tile in tiles:
        while len(sizes) < len(tile):
            sizes.insert(0, 1)
        first = len(sizes) - len(tile)
        sizes[first:] = [-(-size // extent) for size, extent in zip(sizes[first:], tile)] + list(tile)
    assert linear_index(bounds, minor_to_major, tiles, last) < math.prod(sizes)
    return math.prod(sizes)


def text_of(element_type, bounds, minor_to_major, tiles):
    tile_text = "".join(f"({','.join(map(str, tile))})" for tile in tiles)
    return (
        f"{element_type}[{','.join(map(str, bounds))}]"
        f"{{{','.join(map(str, minor_to_major))}{':T' + tile_text if tiles else ''}}}"
    )


@strategies.composite
def layouts(draw):
    """Bounds, minor_to_major and tiles of a small array."""
    rank = draw(strategies.integers(1, 4))
    bounds = draw(strategies.lists(strategies.integers(1, 7), min_size=rank, max_size=rank))
    minor_to_major = draw(strategies.permutations(range(rank)))
    tiles = draw(
        strategies.lists(
            strategies.lists(strategies.integers(1, 5), min_size=1, max_size=rank), max_size=2
        )
    )
    # A second tile divides what is within the first.
    if len(tiles) == 2:
        tiles[1] = tiles[1][: len(tiles[0])]
    return bounds, list(minor_to_major), tiles
