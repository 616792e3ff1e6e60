"""Objects that nobody has made, and calls that no annotation allows, are errors."""

import copy
import pickle

import numpy
import pytest
import tessera
from tessera import _core, hlo

INSTRUCTION = hlo.load("HloModule m\nENTRY e { ROOT x = f32[2]{0} parameter(0) }").instructions[0]
PLAN = _core.RelayoutPlan(tessera.shape("f32[2]"), tessera.shape("f32[2]"))


def unmade(cls):
    return cls.__new__(cls)


@pytest.mark.parametrize(
    "call",
    [
        lambda: unmade(tessera.Shape).text,
        lambda: unmade(tessera.Shape).linear_index((0,)),
        lambda: repr(unmade(tessera.CuteLayout)),
        lambda: unmade(_core.RelayoutPlan).execute(b"", bytearray()),
        lambda: unmade(_core.Drawing).to_svg(),
        lambda: _core.hlo_peak_text(unmade(hlo.Instruction), None, None),
        lambda: _core.hlo_peak(None, None),
        lambda: hlo.Instruction(),
        lambda: unmade(hlo.Instruction).name,
        lambda: unmade(hlo.Instructions),
        lambda: unmade(_core.HloFile).text,
        lambda: unmade(_core.MemoryMap).to_svg(),
        lambda: copy.copy(INSTRUCTION),
        lambda: pickle.dumps(INSTRUCTION),
        lambda: _core.from_dlpack(3),
        lambda: _core.to_dlpack(3, "f32"),
        lambda: _core.Drawing(None, *[None] * 11),
        lambda: _core.layout_of_array([1, 2], "f32"),
    ],
)
def test_type_errors(call):
    with pytest.raises(TypeError):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: _core.layout_of_array(numpy.zeros(3), "nonsense"),
        lambda: _core.layout_of_array(numpy.zeros(3), "tuple"),
        lambda: PLAN.execute(numpy.zeros((2, 0)), bytearray(8)),
        lambda: _core.Layout.from_proto(b"\xff"),
    ],
)
def test_errors(call):
    with pytest.raises(tessera.Error):
        call()
