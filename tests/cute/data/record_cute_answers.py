#!/usr/bin/env python3
"""Records what CuTe's C++ headers answer to random questions.

  record_cute_answers.py --cutlass DIR --cuda DIR --seed N --count N -o FILE

Writes host programs with one question a line, builds them with g++, and writes
one line per question: the expression that `tessera cute` reads, a tab, and what
C++ prints, or "refused" if the line does not compile. Integers are printed
without the mark of compile-time integers. A third field "wrong" marks answers
that break the definition of the operation. README.md in this folder says where
the headers come from.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

FRONT = """#include <cute/tensor.hpp>
using namespace cute;
template <class T> void Show(T const& t) { print(t); }
template <bool B> void Show(cute::C<B> const&) { printf(B ? "true" : "false"); }
inline void Show(bool b) { printf(b ? "true" : "false"); }
"""


# Nested tuples of integers -------------------------------------------------

def leaves(t):
    if isinstance(t, tuple):
        return [x for m in t for x in leaves(m)]
    return [t]


def refill(t, values):
    if isinstance(t, tuple):
        return tuple(refill(m, values) for m in t)
    return values.pop(0)


def product(t):
    n = 1
    for x in leaves(t):
        n *= x
    return n


def text(t):
    if isinstance(t, tuple):
        return '(' + ','.join(text(m) for m in t) + ')'
    return str(t)


def cpp(t, kind='tuple'):
    """The C++ type of a tuple."""
    if isinstance(t, tuple):
        return 'cute::tuple<' + ','.join(cpp(m) for m in t) + '>'
    if t == '_':
        return 'Underscore'
    if isinstance(t, str):  # 2@1@0
        value, *modes = t.split('@')
        return 'ScaledBasis<C<%s>,%s>' % (value, ','.join(reversed(modes)))
    return 'C<%d>' % t


class Layout:
    def __init__(self, shape, stride):
        self.shape, self.stride = shape, stride

    def text(self):
        return text(self.shape) + ':' + text(self.stride)

    def cpp(self):
        return 'Layout<%s,%s>{}' % (cpp(self.shape), cpp(self.stride))

    def size(self):
        return product(self.shape)

    def rank(self):
        return len(self.shape) if isinstance(self.shape, tuple) else 1


class Int:
    """An int tuple."""

    def __init__(self, value):
        self.value = value

    def text(self):
        return text(self.value)

    def cpp(self):
        return cpp(self.value) + '{}'


class Tile:
    """A tiler that goes by mode."""

    def __init__(self, modes):
        self.modes = modes

    def text(self):
        return '<' + ', '.join(m.text() for m in self.modes) + '>'

    def cpp(self):
        return 'make_tile(' + ','.join(m.cpp() for m in self.modes) + ')'


class Sw:
    def __init__(self, b, m, s):
        self.key = (b, m, s)

    def text(self):
        return 'Sw<%d,%d,%d>' % self.key

    def cpp(self):
        return 'Swizzle<%d,%d,%d>{}' % self.key


class Composed:
    def __init__(self, sw, offset, layout):
        self.sw, self.offset, self.layout = sw, offset, layout

    def text(self):
        return '%s o %d o %s' % (self.sw.text(), self.offset,
                                 self.layout.text())

    def cpp(self):
        return 'make_composed_layout(%s,C<%d>{},%s)' % (
            self.sw.cpp(), self.offset, self.layout.cpp())


# Random values ---------------------------------------------------------------

class Random:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def nest(self, flat, depth=2):
        """Puts some neighbours into tuples."""
        if depth == 0 or len(flat) < 2:
            return tuple(flat)
        out, i = [], 0
        while i < len(flat):
            n = self.r.choice([1, 1, 1, 2, 2, 3])
            part = flat[i:i + n]
            out.append(part[0] if len(part) == 1 else
                       self.nest(part, depth - 1))
            i += n
        return tuple(out)

    def shape(self, most=4, sizes=(1, 2, 2, 3, 4, 4, 5, 6, 8)):
        n = self.r.randint(1, most)
        flat = [self.r.choice(sizes) for _ in range(n)]
        if n == 1 and self.r.random() < 0.8:
            return flat[0]
        return self.nest(flat)

    def compact(self, shape):
        """A permuted compact layout."""
        s = leaves(shape)
        order = list(range(len(s)))
        self.r.shuffle(order)
        strides, at = [0] * len(s), 1
        for i in order:
            strides[i] = at
            at *= s[i]
        return strides

    def layout(self, most=4, kinds=('compact', 'gap', 'any', 'left'),
               sizes=(1, 2, 2, 3, 4, 4, 5, 6, 8)):
        shape = self.shape(most, sizes)
        kind = self.r.choice(kinds)
        s = leaves(shape)
        if kind == 'left':
            d, at = [], 1
            for x in s:
                d.append(at)
                at *= x
        elif kind == 'any':
            d = [self.r.choice([0, 1, 1, 2, 3, 4, 5, 6, 8, 12, 16, 24])
                 for _ in s]
        else:
            d = self.compact(shape)
            if kind == 'gap':
                k = self.r.choice([2, 3, 4])
                d = [x * (k if self.r.random() < 0.5 else 1) for x in d]
            if self.r.random() < 0.15:
                d[self.r.randrange(len(d))] = 0
        return Layout(shape, refill(shape, d))

    def pow2(self, most=4, kinds=('compact', 'left'), sizes=(2, 4, 8, 16)):
        return self.layout(most, kinds, sizes)

    def divisor(self, n):
        found = [k for k in range(2, n + 1) if n % k == 0]
        if not found or self.r.random() < 0.15:
            return 1
        return self.r.choice(found)

    def inner(self, a):
        """A layout whose coordinates lie within a."""
        n = a.size()
        flat, at = [], 1
        for _ in range(self.r.randint(1, 3)):
            stride = at * self.divisor(max(1, n // at))
            size = self.divisor(max(1, n // stride))
            flat.append((size, stride))
            at = stride * size
        self.r.shuffle(flat)
        shape = tuple(s for s, _ in flat)
        stride = tuple(d for _, d in flat)
        if len(flat) == 1:
            return Layout(shape[0], stride[0])
        if self.r.random() < 0.3:
            return Layout((shape,), (stride,))
        return Layout(shape, stride)

    def modes(self, a):
        if not isinstance(a.shape, tuple):
            return [a]
        return [Layout(s, d) for s, d in zip(a.shape, a.stride)]

    def tiler(self, a, divides=True):
        """By mode, of sizes, layouts and `_`."""
        modes = self.modes(a)
        count = self.r.randint(1, len(modes))
        kind = self.r.choice(['shape', 'shape', 'layouts'])
        out = []
        for m in modes[:count]:
            n = m.size()
            if kind == 'shape':
                out.append(self.divisor(n) if divides and self.r.random() < 0.9
                           else self.r.randint(1, 6))
            elif self.r.random() < 0.7:
                out.append(self.inner(m))
            else:
                size = self.divisor(n)
                stride = self.divisor(max(1, n // size))
                out.append(Layout(size, stride))
        if kind == 'shape':
            return Int(tuple(out))
        return Tile(out)

    def repeats(self, a):
        modes = self.modes(a)
        count = self.r.randint(1, len(modes))
        if self.r.random() < 0.6:
            return Int(tuple(self.r.randint(1, 5) for _ in range(count)))
        return Tile([self.layout(2, ('left', 'compact')) for _ in range(count)])

    def coordinate(self, shape, opens=0.0):
        if isinstance(shape, tuple):
            if self.r.random() < 0.7 or opens:
                return tuple(self.coordinate(m, opens) for m in shape)
            return self.r.randrange(product(shape))
        if self.r.random() < opens:
            return '_'
        return self.r.randrange(shape)

    def swizzle(self, negative=True):
        b = self.r.randint(1, 3)
        m = self.r.randint(0, 4)
        s = self.r.randint(b, 4)
        if negative and self.r.random() < 0.2:
            s = -s
        return Sw(b, m, s)

    def composed(self, offset=True):
        sw = self.swizzle()
        off = 0
        if offset and self.r.random() < 0.3:
            off = 8 * self.r.randint(0, 8)
        return Composed(sw, off, self.pow2())

    def identity(self):
        shape = self.shape(3)
        if not isinstance(shape, tuple):
            shape = (shape, self.r.choice([2, 3, 4]))

        def basis(s, path):
            if isinstance(s, tuple):
                return tuple(basis(m, [i] + path) for i, m in enumerate(s))
            return '@'.join(['1'] + [str(p) for p in path])

        return Layout(shape, basis(shape, []))

    def same_rank(self, a):
        """A tuple for shape_div and its like: mostly dividing."""
        if isinstance(a, tuple):
            return tuple(self.same_rank(m) if self.r.random() < 0.8 else
                         self.divisor(product(m)) for m in a)
        return self.divisor(a) if self.r.random() < 0.7 else a * self.r.randint(
            1, 3)


# Questions ---------------------------------------------------------------------

def call(name, *args, **kw):
    """The same call in both notations; template arguments as `angle`."""
    angle = kw.get('angle')
    cpp_name = kw.get('cpp_name', name)
    tessera = name + ('<%s>' % angle if angle else '') + '(' + ', '.join(
        a.text() for a in args) + ')'
    program = cpp_name + ('<%s>' % angle if angle else '') + '(' + ','.join(
        a.cpp() for a in args) + ')'
    return tessera, program


def tensor(a):
    """A tensor of coordinates or of a counting iterator."""
    return 'make_tensor(counting_iterator<int>{0}, %s)' % a.cpp()


def questions(g):
    r = g.r
    divide = ['logical_divide', 'zipped_divide', 'tiled_divide', 'flat_divide']
    times = ['logical_product', 'zipped_product', 'tiled_product',
             'flat_product']
    out = {}

    def op(name):
        def register(f):
            out[name] = f
            return f
        return register

    op('coalesce')(lambda: call('coalesce', g.layout(5)))

    @op('coalesce_profile')
    def _():
        a = g.layout(5)
        profile = tuple(1 for _ in range(r.randint(1, a.rank()))) if isinstance(
            a.shape, tuple) else 1
        return call('coalesce', a, Int(profile))

    @op('composition')
    def _():
        a = g.layout()
        b = g.inner(a) if r.random() < 0.7 else g.layout(3)
        return call('composition', a, b)

    @op('composition_negative')
    def _():
        a = g.layout(3, ('compact', 'any'))
        s = leaves(a.stride)
        a.stride = refill(a.stride, [x * r.choice([1, 1, -1]) for x in s])
        b = g.inner(a)
        b.stride = refill(b.stride, [x * r.choice([1, -1]) for x in
                                     leaves(b.stride)])
        return call('composition', a, b)

    @op('composition_tiler')
    def _():
        a = g.layout()
        return call('composition', a, g.tiler(a))

    op('complement')(lambda: call('complement', g.layout(
        3, ('compact', 'gap', 'any')), Int(r.choice([1, 8, 24, 64, 100]))))
    op('complement_alone')(lambda: call('complement', g.layout(
        3, ('compact', 'gap'))))

    for name in divide:
        def whole(name=name):
            a = g.layout()
            b = g.inner(a) if r.random() < 0.8 else g.layout(2, ('left',))
            return call(name, a, b)

        def by_mode(name=name):
            a = g.layout()
            return call(name, a, g.tiler(a))
        op(name)(whole)
        op(name + '_by_mode')(by_mode)
    for name in times:
        op(name)(lambda name=name: call(
            name, g.layout(3, ('compact', 'gap')), g.layout(2)))

        def by_mode(name=name):
            a = g.layout(3, ('compact', 'gap'))
            return call(name, a, g.repeats(a))
        op(name + '_by_mode')(by_mode)
    for name in ['blocked_product', 'raked_product']:
        op(name)(lambda name=name: call(
            name, g.layout(3, ('compact', 'gap')),
            g.layout(3, ('compact', 'left'))))
    op('overlapping_product')(lambda: call(
        'logical_product', g.layout(2, ('compact',)), g.layout(2, ('any',))))
    op('right_inverse')(lambda: call('right_inverse', g.layout()))
    op('left_inverse')(lambda: call('left_inverse', g.layout(
        3, ('compact', 'gap'))))
    op('nullspace')(lambda: call('nullspace', g.layout(4, ('any',))))
    op('filter')(lambda: call('filter', g.layout(4, ('any',))))
    op('filter_zeros')(lambda: call('filter_zeros', g.layout(4, ('any',))))

    @op('filter_zeros_profile')
    def _():
        a = g.layout(4)
        profile = refill(a.shape, [r.choice([0, 1]) for _ in leaves(a.shape)])
        return call('filter_zeros', a, Int(profile))

    @op('filter_profile')
    def _():
        a = g.layout(4, ('any', 'left'))
        profile = tuple(1 for _ in range(r.randint(1, a.rank()))) if isinstance(
            a.shape, tuple) else 1
        return call('filter', a, Int(profile))

    for name in ['max_common_layout', 'max_common_vector']:
        def common(name=name):
            a = g.layout(3, ('compact', 'left'))
            b = Layout(a.shape, refill(a.shape, g.compact(a.shape)))
            return call(name, a, b)
        op(name)(common)
    op('max_alignment')(lambda: call('max_alignment', g.layout(
        3, ('compact', 'gap'))))
    op('upcast')(lambda: call('upcast', g.pow2() if r.random() < 0.7 else
                              g.layout(), angle=r.choice([2, 2, 3, 4, 8])))
    op('downcast')(lambda: call('downcast', g.layout(
        4, ('compact', 'left', 'gap')), angle=r.choice([2, 2, 3, 4, 8])))

    types = {8: 'uint8_t', 16: 'uint16_t', 32: 'uint32_t', 64: 'uint64_t',
             4: 'uint4_t', 2: 'uint2_t', 6: 'uint6_t', 128: 'uint128_t'}

    def recast(a):
        old, new = r.choice([(16, 32), (32, 16), (8, 16), (16, 8), (8, 32),
                             (32, 8), (4, 8), (8, 4), (16, 16), (64, 16),
                             (8, 6), (6, 8), (16, 128)])
        return ('recast_layout<%d,%d>(%s)' % (old, new, a.text()),
                'recast_layout<%s,%s>(%s)' % (types[old], types[new], a.cpp()))

    op('recast')(lambda: recast(g.pow2() if r.random() < 0.7 else g.layout()))
    op('recast_swizzled')(lambda: recast(g.composed()))
    op('upcast_swizzled')(lambda: call('upcast', g.composed(),
                                       angle=r.choice([2, 4, 8])))
    op('downcast_swizzled')(lambda: call('downcast', g.composed(),
                                         angle=r.choice([2, 4, 8])))
    op('upcast_swizzle')(lambda: call('upcast', g.swizzle(),
                                      angle=r.choice([2, 4, 8])))
    op('downcast_swizzle')(lambda: call('downcast', g.swizzle(),
                                        angle=r.choice([2, 4, 8])))
    op('domain_distribute')(lambda: call('domain_distribute', Int(g.shape()),
                                         Int(r.choice([2, 4, 6, 8, 12, 30]))))

    op('ceil_div')(lambda: call('ceil_div', *(lambda s: (Int(s), Int(
        g.same_rank(s) if r.random() < 0.5 else r.randint(1, 12))))(
            g.shape())))
    op('ceil_div_layout')(lambda: call('ceil_div', Int(g.shape()), g.layout(
        2, ('compact', 'gap'))))
    op('shape_div')(lambda: call('shape_div', *(lambda s: (Int(s), Int(
        g.same_rank(s) if r.random() < 0.6 else g.divisor(product(s)))))(
            g.shape())))

    @op('round_up')
    def _():
        s = g.shape()
        if r.random() < 0.3:
            return call('round_up', Int(r.randint(1, 40)), Int(r.randint(1, 9)))
        b = refill(s, [r.randint(1, 6) for _ in leaves(s)])
        if isinstance(b, tuple) and r.random() < 0.3:
            b = b[:r.randint(1, len(b))]
        return call('round_up', Int(s), Int(b))

    def tile_shape(block):
        modes = [m.size() for m in g.modes(block)]
        modes += [1] * r.randint(0, 2)
        return tuple(m * r.randint(1, 4) for m in modes)

    @op('tile_to_shape')
    def _():
        block = g.layout(3, ('compact', 'left'))
        return call('tile_to_shape', block, Int(tile_shape(block)))

    @op('tile_to_shape_order')
    def _():
        block = g.layout(3, ('compact', 'left'))
        shape = tile_shape(block)
        order = list(range(len(shape)))
        r.shuffle(order)
        return call('tile_to_shape', block, Int(shape), Int(tuple(order)))

    @op('tile_to_shape_swizzled')
    def _():
        a = g.composed()
        return call('tile_to_shape', a, Int(tile_shape(a.layout)))

    def order(shape):
        flat = [r.randint(0, 5) for _ in leaves(shape)]
        o = refill(shape, flat)
        if isinstance(o, tuple) and r.random() < 0.3:
            o = tuple(leaves(m)[0] for m in o)
        return o

    for name in ['make_ordered_layout', 'compact_order']:
        op(name)(lambda name=name: call(
            name, *(lambda s: (Int(s), Int(order(s))))(g.shape())))
    op('make_layout_like')(lambda: call('make_layout_like', g.layout()))
    for name in ['compact_col_major', 'compact_row_major']:
        def major(name=name):
            s = g.shape()
            if r.random() < 0.5:
                return call(name, Int(s))
            if isinstance(s, tuple) and r.random() < 0.3:
                return call(name, Int(s), Int(tuple(
                    r.randint(1, 9) for _ in s)))
            return call(name, Int(s), Int(r.randint(1, 9)))
        op(name)(major)

    @op('idx2crd')
    def _():
        s = g.shape()
        return call('idx2crd', Int(r.randrange(product(s))), Int(s))

    @op('idx2crd_coordinate')
    def _():
        s = g.shape()
        return call('idx2crd', Int(g.coordinate(s)), Int(s))

    @op('idx2crd_stride')
    def _():
        a = g.layout(3, ('compact', 'left'))
        return call('idx2crd', Int(r.randrange(a.size())), Int(a.shape),
                    Int(a.stride))

    @op('crd2idx')
    def _():
        a = g.layout()
        c = Int(g.coordinate(a.shape))
        if r.random() < 0.5:
            return call('crd2idx', c, a)
        return call('crd2idx', c, Int(a.shape))

    @op('crd2crd')
    def _():
        s = g.shape()
        return call('crd2crd', Int(g.coordinate(s)), Int(s), Int(s))

    for name in ['slice', 'dice']:
        def of_layout(name=name):
            a = g.layout()
            return call(name, Int(g.coordinate(a.shape, 0.5)), a)

        def of_tuple(name=name):
            s = g.shape()
            return call(name, Int(g.coordinate(s, 0.5)), Int(s))
        op(name)(of_layout)
        op(name + '_tuple')(of_tuple)

    def partition(name, a, *args):
        tessera = '%s(%s)' % (name, ', '.join(
            [a.text()] + [x.text() for x in args]))
        program = '%s(%s).layout()' % (name, ','.join(
            [tensor(a)] + [x.cpp() for x in args]))
        return tessera, program

    def tile_coordinate(a, tiler):
        modes = g.modes(a)
        return tuple('_' if r.random() < 0.4 else r.randrange(
            max(1, m.size() // t)) for m, t in zip(modes, tiler))

    @op('local_tile')
    def _():
        a = g.layout(3, ('compact', 'left'))
        tiler = tuple(g.divisor(m.size()) for m in g.modes(a))
        return partition('local_tile', a, Int(tiler),
                         Int(tile_coordinate(a, tiler)))

    @op('local_tile_projected')
    def _():
        a = Layout(*(lambda s: (s, refill(s, g.compact(s))))(
            (r.choice([4, 8, 12]), r.choice([2, 4, 6]))))
        tiler = (r.choice([2, 4]), r.choice([2, 4, 8]), 2)
        coord = tuple(r.choice(['_', 0, 1]) for _ in range(3))
        return partition('local_tile', a, Int(tiler), Int(coord),
                         Int((1, '_', 1)))

    @op('local_partition')
    def _():
        a = g.layout(3, ('compact', 'left'))
        tile = tuple(g.divisor(m.size()) for m in g.modes(a))
        t = Layout(tile, refill(tile, g.compact(tile)))
        return partition('local_partition', a, t, Int(r.randrange(t.size())))

    @op('make_layout_tv')
    def _():
        thr = g.layout(2, ('compact', 'left'), (1, 2, 4, 8))
        val = g.layout(2, ('compact', 'left'), (1, 2, 4))
        return ('make_layout_tv(%s, %s)' % (thr.text(), val.text()),
                'right_inverse(raked_product(%s,%s)).with_shape(make_shape('
                'size(%s),size(%s)))' % (thr.cpp(), val.cpp(), thr.cpp(),
                                         val.cpp()))

    op('evenly_divides')(lambda: call('evenly_divides', *(
        lambda s: (Int(s), Int(g.same_rank(s) if r.random() < 0.7 else
                               r.randint(1, 8))))(g.shape())))
    for name in ['congruent', 'weakly_congruent', 'compatible']:
        def predicate(name=name):
            s = g.shape()
            t = g.shape() if r.random() < 0.3 else (
                tuple(product(m) for m in s) if isinstance(s, tuple) else s)
            return call(name, Int(t), Int(s))
        op(name)(predicate)
    op('coshape')(lambda: call('coshape', g.identity() if r.random() < 0.5 else
                               g.layout()))
    op('cosize')(lambda: call('cosize', r.choice([
        g.identity, g.layout, g.composed])()))

    @op('coordinates_composition')
    def _():
        a = g.identity()
        return call('composition', a, g.tiler(a))

    @op('coordinates_divide')
    def _():
        a = g.identity()
        return call(r.choice(divide), a, g.tiler(a))

    @op('coordinates_recast')
    def _():
        return call('coalesce', g.identity())

    @op('by_coordinates')
    def _():
        a = g.layout(3, ('compact', 'left'))
        if not isinstance(a.shape, tuple):
            a = Layout((a.shape, 2), (a.stride, 64))
        i = r.randrange(len(a.shape))
        size = g.divisor(product(a.shape[i]))
        b = Layout((size, 2), ('1@%d' % i, '1@%d' % (
            (i + 1) % len(a.shape))))
        return call('composition', a, b)

    op('right_inverse_swizzled')(lambda: call(
        'right_inverse', Composed(g.swizzle(), 0, g.pow2())))
    op('left_inverse_swizzled')(lambda: call(
        'left_inverse', Composed(g.swizzle(), 0, g.pow2())))
    op('max_alignment_swizzled')(lambda: call('max_alignment', g.composed()))
    op('complement_swizzled')(lambda: call('complement', g.composed(),
                                           Int(r.choice([64, 512]))))
    op('nullspace_swizzled')(lambda: call('nullspace', g.composed()))
    op('layout_after_swizzle')(lambda: call('composition', g.pow2(),
                                            g.swizzle()))

    @op('swizzle_after_swizzle')
    def _():
        a = g.swizzle()
        b = g.swizzle()
        if r.random() < 0.8:
            b = Sw(min(b.key[0], abs(a.key[2])), b.key[1], a.key[2])
        return call('composition', a, b)

    @op('layout_after_swizzled')
    def _():
        a = g.pow2()
        b = g.inner(a)
        return call('composition', a, Composed(g.swizzle(), 0, b))

    for name in ['max_common_layout', 'max_common_vector']:
        def swizzled(name=name):
            a = g.composed(offset=False)
            b = Layout(a.layout.shape, refill(a.layout.shape,
                                              g.compact(a.layout.shape)))
            if r.random() < 0.4:
                b = a.layout
            if name == 'max_common_vector' and r.random() < 0.4:
                return call(name, a, Composed(g.swizzle(), 0, b))
            return call(name, a, b)
        op(name + '_swizzled')(swizzled)

    @op('swizzled_divide')
    def _():
        a = g.composed()
        return call(r.choice(divide), a, g.tiler(a.layout))

    @op('modes')
    def _():
        a = g.layout(5)
        n = a.rank()
        i = r.randrange(n)
        j = r.randint(i + 1, n)
        return r.choice([
            lambda: call('flatten', a),
            lambda: call('select', a, angle='%d,%d' % (i, r.randrange(n))),
            lambda: call('take', a, angle='%d,%d' % (i, j)),
            lambda: call('group', a, angle='%d,%d' % (i, j)),
            lambda: call('append', a, g.layout(2)),
            lambda: call('prepend', a, g.layout(2)),
            lambda: call('get', a, angle=i),
            lambda: call('size', a, angle=i),
            lambda: call('rank', a),
            lambda: call('depth', a)])()
    return out


# Judging C++ ------------------------------------------------------------------
#
# C++ checks divisibility only in part, and then answers with layouts that are
# not the composition. These are marked, by the definition at every coordinate.

def arguments_of(question):
    inside = question[question.index('(') + 1:-1]
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(inside):
        depth += c in '(<'
        depth -= c in ')>'
        if c == ',' and depth == 0:
            parts.append(inside[begin:i].strip())
            begin = i + 1
    return parts + [inside[begin:].strip()]


def parse(s, i=0):
    if s[i] != '(':
        m = re.match(r'-?\d+', s[i:])
        return int(m.group(0)), i + m.end()
    out, i = [], i + 1
    while s[i] != ')':
        mode, i = parse(s, i)
        out.append(mode)
        i += s[i] == ','
    return tuple(out), i + 1


def read_layout(s):
    shape, i = parse(s)
    stride, _ = parse(s, i + 1)
    return Layout(shape, stride)


def value(a, x):
    """A layout at an integer, past its size and below 0 as in C++."""
    if x < 0:
        return -value(a, -x)
    s, d = leaves(a.shape), leaves(a.stride)
    total = 0
    for i in range(len(s)):
        digit = x if i + 1 == len(s) else x % s[i]
        x //= s[i]
        total += digit * d[i]
    return total


def cosize(a):
    return 1 + sum((s - 1) * abs(d) for s, d in zip(leaves(a.shape),
                                                    leaves(a.stride)))


def complement(a, cotarget):
    """The modes that fill the holes, and the repetitions over a shape."""
    modes = sorted((d, s) for s, d in zip(leaves(a.shape), leaves(a.stride))
                   if s > 1 and d > 0)
    shape, stride, extent = [], [], 1
    for d, s in modes:
        shape.append(d // extent)
        stride.append(extent)
        extent = d * s
    rest, count = extent, 1
    for n in cotarget:
        count *= -(-n // rest)
        rest = -(-rest // n)
    shape.append(count)
    stride.append(extent)
    kept = [(s, d) for s, d in zip(shape, stride) if s != 1]
    return Layout(tuple(s for s, _ in kept) or 1,
                  tuple(d for _, d in kept) or 0)


def coalesced_shape(a):
    out = []
    for s, d in zip(leaves(a.shape), leaves(a.stride)):
        if s == 1:
            continue
        if out and out[-1][0] * out[-1][1] == d:
            out[-1][0] *= s
        else:
            out.append([s, d])
    return [s for s, _ in out] or [1]


def modes_of(a):
    if not isinstance(a.shape, tuple):
        return [a]
    return [Layout(s, d) for s, d in zip(a.shape, a.stride)]


def tilers_of(tiler):
    """The tilers of a tuple, or None for a layout."""
    if tiler.startswith('<'):
        return [read_layout(t) if ':' in t else Layout(int(t), 1)
                for t in arguments_of('(' + tiler[1:-1] + ')')]
    if ':' in tiler:
        return None
    shape = parse(tiler)[0]
    return [Layout(n, 1) for n in (shape if isinstance(shape, tuple) else
                                   (shape,))]


def halves(name, answer, count):
    """The two layouts of each pair of a divide or product."""
    m = modes_of(answer)
    if name.startswith('logical'):
        return [tuple(modes_of(p)[:2]) for p in m[:count]]
    if name.startswith('zipped'):
        first, second = modes_of(m[0]), modes_of(m[1])
    elif name.startswith('tiled'):
        first, second = modes_of(m[0]), m[1:]
    elif count == 1:
        first, second = modes_of(m[0]), m[1:]
    else:
        first, second = m[:count], m[count:]
    if count == 1 and len(second) == 1 and name[0] in 'tf':
        second = modes_of(second[0])
    return list(zip(first, second[:count]))


def offsets(s):
    """Of a layout or a swizzled layout."""
    *outer, inner = s.split(' o ')
    a = read_layout(inner)
    plain = [value(a, i) for i in range(a.size())]
    if not outer:
        return plain
    b, m, shift = (int(n) for n in re.findall(r'-?\d+', outer[0]))
    mask = ((1 << b) - 1) << (m + max(shift, 0))

    def swizzle(x):
        y = x & mask
        return x ^ (y >> shift if shift >= 0 else y << -shift)

    return [swizzle(int(outer[1]) + x) for x in plain]


def tears(narrow, wide, factor):
    """Whether a narrow element is not within the wide one in its place."""
    a = read_layout(narrow.split(' o ')[-1])
    sizes = leaves(a.shape)
    at, of = offsets(narrow), offsets(wide)
    for i in range(a.size()):
        rest, place, extent = i, 0, 1
        for s, d in zip(sizes, leaves(a.stride)):
            n = 1 if d == 0 else -(-factor // abs(d))
            place += rest % s // n * extent
            extent *= -(-s // n)
            rest //= s
        if at[i] // factor != of[place]:
            return True
    return False


def is_composition(r, a, b):
    return all(value(r, i) == value(a, value(b, i)) for i in range(b.size()))


def breaks_definition(question, answer):
    name = question[:question.index('(')].split('<')[0]
    if answer == 'refused' or '@' in question:
        return False
    args = arguments_of(re.sub(r'^\w+<[\d,]+>', name, question))
    if 'Sw' in question and name not in ('recast_layout', 'upcast'):
        return False
    if name == 'composition':
        a, r = read_layout(args[0]), read_layout(answer)
        tilers = tilers_of(args[1])
        if tilers is None:
            return not is_composition(r, a, read_layout(args[1]))
        return not all(is_composition(*t) for t in zip(
            modes_of(r), modes_of(a), tilers))
    if name == 'left_inverse':
        a, r = read_layout(args[0]), read_layout(answer)
        return any(value(a, value(r, value(a, i))) != value(a, i)
                   for i in range(a.size()))
    if name in ('recast_layout', 'upcast'):
        if ':' not in args[0]:
            return False
        sizes = [int(n) for n in re.match(r'\w+<([\d,]+)>', question)
                 .group(1).split(',')]
        old, new = sizes if name == 'recast_layout' else [1] + sizes
        if new % old == 0:
            return tears(args[0], answer, new // old)
        return set(offsets(answer)) != {
            (x * old + bit) // new for x in offsets(args[0])
            for bit in range(old)}
    form = name.split('_')
    if form[0] not in ('logical', 'zipped', 'tiled', 'flat', 'blocked',
                       'raked') or form[1] not in ('divide', 'product'):
        return False
    a, r = read_layout(args[0]), read_layout(answer)
    tilers = tilers_of(args[1])
    b = None if tilers else read_layout(args[1])

    def repetitions(a, b):
        c = complement(a, [a.size() * cosize(b)])
        return [value(c, value(b, j)) for j in range(b.size())]

    if form[1] == 'product':
        if form[0] in ('blocked', 'raked'):
            return False
        if tilers is None:
            # All of it, first the block.
            n = a.size()
            return any(value(r, n * j) != v for j, v in enumerate(
                repetitions(a, b)))
        return any([value(p[1], j) for j in range(b.size())] != repetitions(
            a, b) for a, b, p in zip(modes_of(a), tilers, halves(
                name, r, len(tilers))))

    def differs(a, b, result):
        c = complement(b, coalesced_shape(a))
        for j in range(c.size()):
            for t in range(b.size()):
                x = value(b, t) + value(c, j)
                # Past the end of `a` there is no element.
                if x < a.size() and value(a, x) != result(t, j):
                    return True
        return False

    if tilers is None:
        return differs(a, b, lambda t, j: value(r, t + b.size() * j))
    return any(differs(a, b, lambda t, j: value(p[0], t) + value(p[1], j))
               for a, b, p in zip(modes_of(a), tilers, halves(
                   name, r, len(tilers))))


# Programs --------------------------------------------------------------------

def mend(printed):
    """Without the marks of compile-time integers."""
    return re.sub(r'(?<![A-Za-z0-9])_(-?\d)', r'\1', printed)


def answers_of(programs, folder, name, include):
    """What each line prints, or None."""
    live = list(range(len(programs)))
    first = FRONT.count('\n') + 1
    for attempt in range(40):
        path = os.path.join(folder, '%s_%d.cpp' % (name, attempt))
        with open(path, 'w') as f:
            f.write(FRONT)
            for k, i in enumerate(live):
                f.write('void Q%d() { Show(%s); }\n' % (k, programs[i]))
            f.write('int main() {\n')
            for k in range(len(live)):
                f.write('Q%d(); puts("");\n' % k)
            f.write('}\n')
        binary = path[:-4]
        done = subprocess.run(
            ['nice', 'g++', '-std=c++17', '-w', '-O0', '-o', binary, path] +
            include, stderr=subprocess.PIPE, text=True, errors='replace')
        if done.returncode == 0:
            printed = subprocess.run([binary], stdout=subprocess.PIPE,
                                     text=True).stdout.split('\n')
            result = [None] * len(programs)
            for i, line in zip(live, printed):
                result[i] = mend(line)
            return result
        bad = set()
        for line in re.findall(re.escape(path) + r':(\d+):', done.stderr):
            k = int(line) - first
            if 0 <= k < len(live):
                bad.add(k)
        if not bad:
            sys.exit(done.stderr[:4000])
        live = [i for k, i in enumerate(live) if k not in bad]
    sys.exit('%s: no end of errors' % name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--cutlass', required=True)
    parser.add_argument('--cuda', required=True)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=100)
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--only')
    parser.add_argument('-o', required=True)
    arguments = parser.parse_args()
    include = ['-I' + arguments.cutlass, '-I' + arguments.cuda,
               '-I' + os.path.join(arguments.cuda, 'cccl')]
    g = Random(arguments.seed)
    asked = {}
    for name, ask in questions(g).items():
        if arguments.only and not re.match(arguments.only, name):
            continue
        seen = {}
        for _ in range(4 * arguments.count):
            if len(seen) == arguments.count:
                break
            tessera, program = ask()
            seen.setdefault(tessera, program)
        asked[name] = list(seen.items())
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(
            arguments.jobs) as pool:
        parts = []
        for name, pairs in asked.items():
            parts.append((name, pairs, pool.submit(
                answers_of, [p for _, p in pairs], folder, name, include)))
        with open(arguments.o, 'w') as f:
            for name, pairs, answers in parts:
                for (tessera, _), answer in zip(pairs, answers.result()):
                    f.write('%s\t%s%s\n' % (
                        tessera, answer or 'refused',
                        '\twrong' if answer and breaks_definition(
                            tessera, answer) else ''))
                f.flush()
                print(name, sum(a is not None for a in answers.result()), '/',
                      len(pairs), flush=True)


if __name__ == '__main__':
    main()
