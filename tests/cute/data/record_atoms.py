#!/usr/bin/env python3
"""Records the layouts of CuTe's atoms.

  record_atoms.py cpp --cutlass DIR --cuda DIR > cpp.tsv
  CUTE_DSL_ARCH=sm_100a record_atoms.py dsl tcgen05 > dsl.tsv

`cpp` writes host programs that print the traits of all atoms, and builds them
with g++. `dsl` traces the operations of one kind with nvidia-cutlass-dsl: warp
(sm_89), blockscaled (sm_120a), warpgroup (sm_90a), tcgen05 (sm_100a), ultra
(sm_103a), copy (sm_120a), tmem (sm_100a). No GPU is needed. A line has the
source, mma, copy or refused, the name, the threads, the shape or the size of an
element, and the layouts A, B, C or source, destination, reference.
"""

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = """#define CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED
#include <cute/tensor.hpp>
#include <cute/atom/mma_atom.hpp>
#include <cute/atom/copy_atom.hpp>
#include <cute/atom/mma_traits_sm90_gmma_sparse.hpp>
#include <cute/atom/mma_traits_sm100.hpp>
#include <cute/atom/mma_traits_sm120.hpp>
#include <cute/atom/mma_traits_sm120_sparse.hpp>
#include <cutlass/complex.h>
#include <cutlass/numeric_types.h>
using namespace cute;
using namespace cutlass;
template <class... T> void Row(char const* kind, char const* name, T... t) {
  printf("cpp\\t%%s\\t%%s", kind, name);
  ((printf("\\t"), print(t)), ...);
  printf("\\n");
}
template <class T> void Mma(char const* name) {
  Row("mma", name, typename T::ThrID{}, typename T::Shape_MNK{},
      typename T::ALayout{}, typename T::BLayout{}, typename T::CLayout{});
}
template <class T> void Copy(char const* name) {
  Row("copy", name, typename T::ThrID{}, "1b", typename T::SrcLayout{},
      typename T::DstLayout{}, typename T::RefLayout{});
}
int main() {
%s}
"""


def traits(cutlass, header, kind):
    """The names that a header has traits of, each with its parameters."""
    path = os.path.join(cutlass, 'cute', 'atom', header)
    pattern = r'struct %s_Traits<\s*([\w:]+)\s*(<[^{]*>)?\s*>' % kind
    with open(path) as file:
        return re.findall(pattern, file.read())


def cpp_mma(cutlass):
    for arch in ['sm61', 'sm70', 'sm75', 'sm80', 'sm89', 'sm90']:
        for name, _ in traits(cutlass, f'mma_traits_{arch}.hpp', 'MMA'):
            yield name
    for sparse, more in itertools.product(['', '_sparse'], ['', '_ext']):
        header = f'mma_traits_sm90_gmma{sparse}{more}.hpp'
        for name, parameters in traits(cutlass, header, 'MMA'):
            if 'tnspA' in parameters:
                name += '<GMMA::Major::K,GMMA::Major::K>'
            elif parameters:
                name += '<>'
            yield name
    types = ['e4m3', 'e5m2', 'e2m1', 'e2m3', 'e3m2']
    for a, b in itertools.product(types, types):
        for c in ['float', 'half_t'] if a == b else ['float']:
            yield f'SM120_16x8x32_TN<float_{a}_t,float_{b}_t,{c}>'
    scaled = 'SM120::BLOCKSCALED::'
    e4m3 = 'float_e4m3_t,float_e4m3_t,float'
    e2m1 = 'float_e2m1_t,float_e2m1_t,float'
    yield f'{scaled}SM120_16x8x32_TN_VS<{e4m3},float_ue8m0_t,32>'
    yield f'{scaled}SM120_16x8x64_TN_VS<{e2m1},float_ue8m0_t,32>'
    yield f'{scaled}SM120_16x8x64_TN_VS<{e2m1},float_ue4m3_t,16>'
    yield f'SM120::SPARSE::SM120_SPARSE_16x8x64_TN<{e4m3}>'
    sparse = f'{scaled}SPARSE::SM120_SPARSE_'
    yield f'{sparse}16x8x64_TN_VS<{e4m3},float_ue8m0_t,32>'
    yield f'{sparse}16x8x128_TN_VS<{e2m1},float_ue8m0_t,32>'
    for t in ['float', 'half_t', 'double']:
        yield f'UniversalFMA<{t}>'
    yield 'SM100_2x1x1_F32F32F32F32'
    yield 'SM100_1x2x1_F32F32F32F32'
    yield from cpp_umma(cutlass)


def cpp_umma(cutlass):
    path = os.path.join(cutlass, 'cute', 'arch', 'mma_sm100_umma.hpp')
    with open(path) as file:
        found = re.findall(r'template <([^>]*)>\s*struct (SM10\d_\w+)',
                           file.read())
    for parameters, name in found:
        if re.search(r'TF32(_2x1SM)?_SS_SCALED', name):
            continue  # it has no traits
        # The first of these that is in the name.
        a, c = next(types for word, types in [
            ('TF32', ('tfloat32_t', 'float')), ('F16BF16', ('half_t', 'float')),
            ('_S8_', ('int8_t', 'int32_t')),
            ('MXF4', ('float_e2m1_t', 'float')),
            ('', ('float_e4m3_t', 'float'))] if word in name)
        is_pair = '2x1SM' in name
        values = {'a_type': a, 'b_type': a, 'c_type': c, 'ScaleC': '1',
                  'sf_type': 'float_ue8m0_t', 'a_major': 'UMMA::Major::K',
                  'b_major': 'UMMA::Major::K',
                  'VS': '64' if 'NVF4' in name else '32'}
        one = [128] if 'MXF' in name else [64, 128]
        for m, n in itertools.product([128, 256] if is_pair else one,
                                      [64, 192]):
            values.update(M=str(m), N=str(n))
            words = [p.split('=')[0].split()[-1] for p in parameters.split(',')]
            arguments = ','.join(values[w] for w in words if w in values)
            space = 'SM103::' if name.startswith('SM103') else ''
            yield f'{space}{name}<{arguments}>'


def cpp_copy(cutlass):
    for arch in ['sm50', 'sm75', 'sm90', 'sm100']:
        for name, _ in traits(cutlass, f'copy_traits_{arch}.hpp', 'Copy'):
            yield name
    for t in ['float', 'half_t', 'uint128_t']:
        yield f'UniversalCopy<{t}>'
    for cache, fill in itertools.product(['ALWAYS', 'GLOBAL'], ['', '_ZFILL']):
        yield f'SM80_CP_ASYNC_CACHE{cache}{fill}<uint128_t>'
    for bits in [8, 128]:
        yield f'AutoVectorizingCopyWithAssumedAlignment<{bits}>'


def record_cpp(cutlass, cuda):
    lines = [f'  Mma<MMA_Traits<{n}>>("{n}");\n' for n in cpp_mma(cutlass)]
    lines += [f'  Copy<Copy_Traits<{n}>>("{n}");\n' for n in cpp_copy(cutlass)]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'atoms')
        for i in range(0, len(lines), 400):
            with open(program + '.cc', 'w') as file:
                file.write(PROGRAM % ''.join(lines[i:i + 400]))
            subprocess.run(
                ['g++', '-std=c++17', '-w', '-I', cutlass, '-I', cuda, '-I',
                 os.path.join(cuda, 'cccl'), program + '.cc', '-o', program],
                check=True)
            printed = subprocess.run([program], check=True, text=True,
                                     stdout=subprocess.PIPE).stdout
            # Without the mark of integers that are known at compile time.
            for line in printed.splitlines():
                cells = line.split('\t')
                cells[3:] = [re.sub(r'\b_(\d)', r'\1', c) for c in cells[3:]]
                print('\t'.join(cells))


def dsl_operations(kind, cutlass, nvgpu):
    """(name, what makes the operation, element type or None, more)."""
    operations = []

    def add(name, make, element=None, **more):
        operations.append((name, make, element, more))

    types = {t.__name__: t for t in [
        cutlass.Float16, cutlass.BFloat16, cutlass.Float32, cutlass.Float64,
        cutlass.Float8E4M3FN, cutlass.Float8E5M2, cutlass.Float4E2M1FN,
        cutlass.Float8E8M0FNU, cutlass.Int8, cutlass.Uint8, cutlass.Int32]}
    fp8 = ['Float8E4M3FN', 'Float8E5M2']
    warp, warpgroup, tcgen05 = nvgpu.warp, nvgpu.warpgroup, nvgpu.tcgen05
    major = nvgpu.OperandMajorMode
    if kind == 'warp':
        for ab, acc, k in itertools.product(['Float16', 'BFloat16'],
                                            ['Float16', 'Float32'], [8, 16]):
            add(f'warp.MmaF16BF16Op({ab},{acc},(16,8,{k}))',
                lambda ab=ab, acc=acc, k=k: warp.MmaF16BF16Op(
                    types[ab], types[acc], (16, 8, k)))
        for k in [4, 8]:
            add(f'warp.MmaTF32Op((16,8,{k}))',
                lambda k=k: warp.MmaTF32Op((16, 8, k)))
        for ab, acc, k in itertools.product(fp8, ['Float16', 'Float32'],
                                            [16, 32]):
            add(f'warp.MmaFP8Op({ab},{acc},(16,8,{k}))',
                lambda ab=ab, acc=acc, k=k: warp.MmaFP8Op(
                    types[ab], types[acc], (16, 8, k)))
        for t in ['Float16', 'Float32', 'Float64']:
            add(f'MmaUniversalOp({t})',
                lambda t=t: nvgpu.MmaUniversalOp(types[t]))
    if kind == 'blockscaled':
        e2m1, f32 = cutlass.Float4E2M1FN, cutlass.Float32
        e4m3, ue8m0 = cutlass.Float8E4M3FN, cutlass.Float8E8M0FNU
        add('warp.MmaMXF4Op', lambda: warp.MmaMXF4Op(e2m1, f32, ue8m0))
        add('warp.MmaMXF4NVF4Op', lambda: warp.MmaMXF4NVF4Op(e2m1, f32, e4m3))
        add('warp.MmaMXF8Op', lambda: warp.MmaMXF8Op(e4m3, f32, ue8m0))
        add('warp.MmaMXF8F6F4Op',
            lambda: warp.MmaMXF8F6F4Op(e4m3, e2m1, f32, ue8m0))
    if kind == 'warpgroup':
        source = warpgroup.OperandSource
        sources = [source.SMEM, source.RMEM]
        for n, s in itertools.product([8, 16, 24, 64, 128, 256], sources):
            for ab, acc, a, b in itertools.product(
                    ['Float16', 'BFloat16'], ['Float16', 'Float32'],
                    [major.K, major.MN], [major.K, major.MN]):
                add(f'warpgroup.MmaF16BF16Op({ab},{acc},(64,{n},16),{s.name},'
                    f'{a.name},{b.name})',
                    lambda ab=ab, acc=acc, n=n, s=s, a=a, b=b:
                    warpgroup.MmaF16BF16Op(types[ab], types[acc], (64, n, 16),
                                           s, a, b))
            for a, b, acc in itertools.product(fp8, fp8,
                                               ['Float16', 'Float32']):
                add(f'warpgroup.MmaF8Op({a},{b},{acc},(64,{n},32),{s.name},'
                    'K,K)',
                    lambda a=a, b=b, acc=acc, n=n, s=s: warpgroup.MmaF8Op(
                        types[a], types[b], types[acc], (64, n, 32), s, major.K,
                        major.K))
            for a, b in itertools.product(['Int8', 'Uint8'], repeat=2):
                add(f'warpgroup.MmaI8Op({a},{b},Int32,(64,{n},32),{s.name},'
                    'K,K)',
                    lambda a=a, b=b, n=n, s=s: warpgroup.MmaI8Op(
                        types[a], types[b], cutlass.Int32, (64, n, 32), s,
                        major.K, major.K))
    if kind in ('tcgen05', 'ultra'):
        group, memory = tcgen05.CtaGroup, tcgen05.OperandSource
        e4m3, e2m1 = cutlass.Float8E4M3FN, cutlass.Float4E2M1FN
        k_major = (major.K, major.K)
        # Name, what stands before the shape, K, what stands behind.
        kinds = [
            ('MmaF16BF16Op', 'Float16,Float16',
             (cutlass.Float16, cutlass.Float16), 16, k_major),
            ('MmaF16BF16Op', 'Float16,Float32',
             (cutlass.Float16, cutlass.Float32), 16, k_major),
            ('MmaTF32Op', '', (), 8, k_major),
            ('MmaI8Op', 'Int8', (cutlass.Int8,), 32, k_major),
            ('MmaFP8Op', 'E4M3,F32', (e4m3, cutlass.Float32), 32, k_major),
            ('MmaF8F6F4Op', 'E4M3,E2M1,F32', (e4m3, e2m1, cutlass.Float32), 32,
             k_major),
            ('MmaMXF8Op', 'E4M3', (e4m3,), 32, k_major),
            ('MmaMXF4Op', '', (), 64, ()),
            ('MmaMXF4NVF4Op', 'Float8E8M0FNU', (cutlass.Float8E8M0FNU,), 64,
             ())]
        if kind == 'ultra':
            kinds = [('SM103MmaMXF4Op', '', (), 96, ())]
        for (name, text, first, k, last), m, n, g, s in itertools.product(
                kinds, [64, 128, 256], [64, 96, 128, 256],
                [group.ONE, group.TWO], [memory.SMEM, memory.TMEM]):
            before = text + ',' if text else ''
            behind = ',K,K' if last else ''
            add(f'tcgen05.{name}({before}({m},{n},{k}),{g.name},{s.name}'
                f'{behind})',
                lambda name=name, first=first, shape=(m, n, k), g=g, s=s,
                last=last: getattr(tcgen05, name)(*first, shape, g, s, *last))
    if kind == 'copy':
        for n, t in itertools.product([1, 2, 4], [False, True]):
            for op in ['LdMatrix8x8x16bOp', 'StMatrix8x8x16bOp']:
                add(f'warp.{op}({t},{n})',
                    lambda op=op, n=n, t=t: getattr(warp, op)(t, n),
                    cutlass.Float16)
        for n in [1, 2, 4]:
            for op in ['LdMatrix16x16x8bOp', 'LdMatrix16x8x8bOp',
                       'StMatrix16x8x8bOp']:
                add(f'warp.{op}({n})',
                    lambda op=op, n=n: getattr(warp, op)(True, n), cutlass.Int8)
            add(f'warp.LdMatrix8x16x8bOp({n})',
                lambda n=n: warp.LdMatrix8x16x8bOp(False, n), cutlass.Int8)
            for t in [cutlass.Float32, cutlass.Int8]:
                add(f'make_copy_atom(warp.LdMatrix8x8x16bOp(False,{n}),'
                    f'{t.__name__})',
                    lambda n=n: warp.LdMatrix8x8x16bOp(False, n), t)
        for t in ['Float16', 'Float32', 'Int8', 'Float64']:
            add(f'CopyUniversalOp({t})', nvgpu.CopyUniversalOp, types[t])
            add(f'CopyUniversalOp({t},128)', nvgpu.CopyUniversalOp, types[t],
                num_bits_per_copy=128)
            add(f'cpasync.CopyG2SOp({t},128)', nvgpu.cpasync.CopyG2SOp,
                types[t], num_bits_per_copy=128)
    if kind == 'tmem':
        forms = ['16x64b', '16x128b', '16x256b', '16x32bx2', '32x32b']
        for op in [w + f + 'Op' for w in ['Ld', 'St'] for f in forms] + [
                'LdRed16x32bx2Op', 'LdRed32x32bOp']:
            for r in tcgen05.Repetition:
                add(f'tcgen05.{op}({r.name})',
                    lambda op=op, r=r: getattr(tcgen05, op)(r), cutlass.Float32)
        for r in tcgen05.Repetition:
            add(f'make_copy_atom(tcgen05.Ld16x64bOp({r.name}),Float16)',
                lambda r=r: tcgen05.Ld16x64bOp(r), cutlass.Float16)
        for form in ['128x256b', '128x128b', '4x256b', '4x32x128b',
                     '2x64x128b0213', '2x64x128b0123']:
            for g in [tcgen05.CtaGroup.ONE, tcgen05.CtaGroup.TWO]:
                add(f'tcgen05.Cp{form}Op({g.name})',
                    lambda form=form, g=g: getattr(tcgen05, f'Cp{form}Op')(g),
                    cutlass.Float32)
    return operations


def trace_all(kind, cutlass, cute, nvgpu):
    for name, make, element, more in dsl_operations(kind, cutlass, nvgpu):
        try:
            if element is None:
                atom = cute.make_mma_atom(make())
                row = ['mma', name, atom.thr_id, atom.shape_mnk,
                       atom.tv_layout_A, atom.tv_layout_B, atom.tv_layout_C]
            else:
                atom = cute.make_copy_atom(make(), element, **more)
                row = ['copy', name, atom.thr_id, f'{element.width}b',
                       atom.layout_src_tv, atom.layout_dst_tv]
        except Exception:
            row = ['refused', name]
        cells = [str(c).replace(' ', '') for c in row]
        print('dsl', *cells, sep='\t')


def record_dsl(kind):
    import cutlass
    import cutlass.cute as cute
    from cutlass.cute import nvgpu

    # What is decorated is rewritten; what it calls is not.
    @cute.jit
    def trace():
        trace_all(kind, cutlass, cute, nvgpu)

    trace()


def main():
    parser = argparse.ArgumentParser()
    modes = parser.add_subparsers(dest='source', required=True)
    cpp = modes.add_parser('cpp')
    cpp.add_argument('--cutlass', required=True)
    cpp.add_argument('--cuda', required=True)
    dsl = modes.add_parser('dsl')
    dsl.add_argument('kind')
    arguments = parser.parse_args()
    if arguments.source == 'cpp':
        record_cpp(arguments.cutlass, arguments.cuda)
    else:
        record_dsl(arguments.kind)


if __name__ == '__main__':
    main()
