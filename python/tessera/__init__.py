"""Where every element of an array lies, and how much memory a program takes.

Tessera reads the array shapes and memory layouts that compilers print: those
of XLA, CuTe and Tenstorrent, and strided arrays.

>>> import tessera
>>> array = tessera.shape("bf16[8,130]{1,0:T(8,128)(2,1)}")
>>> array.linear_index((3, 129))
1283
>>> array.nbytes, array.padding.bytes
(4096, 2016)

tessera.hlo shows where the memory of a program goes, and tessera.explain shows
it in one report. tessera.tt reads files of tt-mlir. tessera.jax reads and
writes JAX's layouts. tessera.testing guards a program in a test.
"""

from tessera import answers, hlo, jax, testing, tt
from tessera._core import version as __version__
from tessera._errors import Error, FileError
from tessera._explain import Explanation, explain
from tessera._layouts import (
    CuteLayout,
    Layout,
    Padding,
    PositionKind,
    Shape,
    StridedArray,
    Tensor,
    ask,
    bank_conflicts,
    coalescing,
    compare,
    cute,
    draw_operations,
    draw_threads,
    evaluate,
    find_swizzle,
    layout,
    shape,
    strided,
    tensor,
    ttnn,
)
from tessera._pictures import Picture
from tessera._relayout import DlpackTensor, RelayoutPlan, relayout

__all__ = [
    "CuteLayout",
    "DlpackTensor",
    "Error",
    "Explanation",
    "FileError",
    "Layout",
    "Padding",
    "Picture",
    "PositionKind",
    "RelayoutPlan",
    "Shape",
    "StridedArray",
    "Tensor",
    "__version__",
    "answers",
    "ask",
    "bank_conflicts",
    "coalescing",
    "compare",
    "cute",
    "draw_operations",
    "draw_threads",
    "evaluate",
    "explain",
    "find_swizzle",
    "hlo",
    "jax",
    "layout",
    "relayout",
    "shape",
    "strided",
    "tensor",
    "ttnn",
    "testing",
    "tt",
]
