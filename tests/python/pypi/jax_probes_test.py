"""What a JAX user tries first: objects of JAX in every place where Tessera takes a
text, an array or a layout. Each is answered, or the error says what to do."""

import jax
import jax.numpy
import ml_dtypes
import numpy
import pytest
import tessera
import tessera.jax
from jax_names import Format, Layout

ARRAY = numpy.arange(12, dtype="float32").reshape(3, 4)
TILED = "f32[3,4]{1,0:T(2,2)}"
ONE = jax.sharding.SingleDeviceSharding(jax.devices()[0])


def doubled(x):
    return jax.numpy.tanh(x @ x.T)


@pytest.fixture(scope="module")
def jitted():
    return jax.jit(doubled)


@pytest.fixture(scope="module")
def lowered(jitted):
    return jitted.lower(ARRAY)


@pytest.fixture(scope="module")
def compiled(lowered):
    return lowered.compile()


# -- Programs ---------------------------------------------------------------------


def test_executables_and_modules(compiled):
    executable = compiled.runtime_executable()
    [module] = executable.hlo_modules()
    expected = tessera.hlo.load(compiled.as_text()).peak()
    for program in (compiled, executable, module):
        dump = tessera.hlo.load(program)
        assert dump.name == "jit_doubled"
        assert dump.peak().reserved_bytes == expected.reserved_bytes
        assert str(dump.peak()).startswith("jit_doubled\n")


def test_lowered(lowered):
    dump = tessera.hlo.load(lowered)
    assert len(dump.instructions.by_opcode("dot")) == 1
    with pytest.raises(tessera.Error, match="not compiled: use lowered.compile"):
        dump.peak()
    computation = lowered.compiler_ir("hlo")
    assert len(tessera.hlo.load(computation).instructions.by_opcode("dot")) == 1


def test_what_is_to_be_compiled_first(jitted, lowered):
    for program, said in (
        (jitted, r"jit\(doubled\) has no HLO yet: load doubled.lower\(\*arguments\).compile"),
        (jitted.trace(ARRAY), r"load traced.lower\(\).compile"),
        (doubled, r"load jax.jit\(doubled\).lower\(\*arguments\).compile"),
        (lowered.compiler_ir("stablehlo"), "a module of MLIR has no HLO yet"),
    ):
        with pytest.raises(tessera.Error, match=said):
            tessera.hlo.load(program)
        with pytest.raises(tessera.Error, match=said):
            tessera.explain(program)


# -- Layouts ----------------------------------------------------------------------


def test_arrays_without_a_layout():
    for array in (jax.ShapeDtypeStruct((3, 4), "bfloat16"), numpy.zeros((3, 4), "bfloat16")):
        assert tessera.jax.layout_of(array).text == "bf16[3,4]{1,0}"
    assert tessera.shape(jax.ShapeDtypeStruct((3, 4), "bfloat16")).text == "bf16[3,4]{1,0}"
    placed = jax.ShapeDtypeStruct((3, 4), "float32", sharding=ONE)
    assert tessera.layout(placed).text == "f32[3,4]{1,0}"
    # In NumPy it has an order, on the device it would be row-major.
    assert tessera.jax.layout_of(ARRAY.T).text == "f32[4,3]{1,0}"
    assert tessera.layout(ARRAY.T).text == "f32[4,3] strides (4, 16) bytes"


def test_arrays():
    array = jax.device_put(ARRAY, Format(Layout((1, 0)), ONE))
    for ask in (tessera.layout, tessera.shape, tessera.jax.layout_of):
        assert ask(array).text == "f32[3,4]{0,1}"
        assert ask(jax.numpy.asarray(ARRAY)).text == "f32[3,4]{1,0}"
    assert tessera.compare(array, TILED).is_bitcast is False


@pytest.mark.parametrize("ask", [tessera.layout, tessera.shape])
@pytest.mark.parametrize("of_jax", [Layout((1, 0)), Format(Layout((1, 0)), ONE)])
def test_layouts_without_bounds(ask, of_jax):
    with pytest.raises(tessera.Error, match=r"read\(layout\).shape\(element_type, bounds\)"):
        ask(of_jax)


def test_layouts_that_are_left_open(compiled):
    for left_open in (Layout.AUTO, Format(Layout.AUTO)):
        with pytest.raises(tessera.Error, match="AUTO leaves the layout to XLA: input_formats"):
            tessera.jax.read(left_open)
    with pytest.raises(tessera.Error, match="layout_of"):
        tessera.jax.read(Format(None, ONE))
    (chosen,), _ = compiled.input_formats
    assert tessera.jax.read(chosen).major_to_minor == (0, 1)


# -- Relayouts --------------------------------------------------------------------


@pytest.mark.parametrize(
    "to",
    [
        Layout((1, 0), ((2, 2),)),
        Format(Layout((1, 0), ((2, 2),)), ONE),
        tessera.jax.Layout((1, 0), ((2, 2),)),
    ],
)
def test_to_layouts_of_jax(to):
    text = "f32[3,4]{0,1:T(2,2)}"
    expected = tessera.relayout(ARRAY, to=text)
    for array in (ARRAY, jax.numpy.asarray(ARRAY)):
        assert tessera.relayout(array, to=to).tolist() == expected.tolist()
    assert (tessera.relayout(expected, from_=to, to="f32[3,4]") == ARRAY).all()
    assert tessera.relayout(ARRAY, from_="f32[3,4]", to=to).tolist() == expected.tolist()
    turned = tessera.relayout(ARRAY.T, to=to, to_dimensions=(1, 0))
    assert turned.tolist() == expected.tolist()
    assert (
        tessera.relayout(expected, from_=to, to="f32[4,3]", to_dimensions=(1, 0)) == ARRAY.T
    ).all()


def test_to_the_layout_of_an_array():
    there = jax.device_put(ARRAY, Format(Layout((1, 0)), ONE))
    assert tessera.relayout(ARRAY, to=there).ravel().tolist() == ARRAY.T.ravel().tolist()


def test_layouts_of_which_nothing_says_the_bounds():
    with pytest.raises(tessera.Error, match="no bounds"):
        tessera.relayout(bytes(48), to=Layout((1, 0)))
    with pytest.raises(tessera.Error, match="no bounds"):
        tessera.relayout(ARRAY, from_=Layout((0, 1)), to=Layout((1, 0)))
    for wrong in ((0, 0), (1,), (0, 2)):
        with pytest.raises(tessera.Error, match="not a permutation of 2 dimensions"):
            tessera.relayout(ARRAY, to=Layout((1, 0)), to_dimensions=wrong)


def small(name):
    """An array of ml_dtypes with every value that the type has."""
    dtype = numpy.dtype(getattr(ml_dtypes, name))
    bits = ml_dtypes.iinfo(dtype).bits if "int" in name else ml_dtypes.finfo(dtype).bits
    values = numpy.random.default_rng(5).integers(0, 1 << bits, (5, 7), "uint8")
    return values.view(dtype), bits


def of_jax(array):
    try:
        return jax.device_put(array)
    # jax.errors.JaxRuntimeError and TypeError, by version.
    except Exception as error:
        pytest.skip(f"this JAX has no {array.dtype}: {error}")


@pytest.mark.parametrize(
    "name", ["int2", "int4", "uint2", "uint4", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn"]
)
def test_types_that_dlpack_may_lack(name):
    array, _ = small(name)
    element_type = tessera.jax.layout_of(array).element_type
    to = f"{element_type}[5,7]{{0,1:T(2,2)}}"
    moved = tessera.relayout(of_jax(array), to=to)
    assert moved.dtype == array.dtype
    assert moved.tobytes() == tessera.relayout(array, to=to).tobytes()
    back = tessera.relayout(moved, from_=to, to=f"{element_type}[5,7]")
    assert back.tobytes() == array.tobytes()


@pytest.mark.parametrize("name", ["int2", "int4", "uint2", "uint4", "float4_e2m1fn"])
@pytest.mark.parametrize("details", ["1,0:E({})", "0,1:E({})", "1,0:T(4,4)E({})"])
def test_packed_elements(name, details):
    array, bits = small(name)
    element_type = tessera.jax.layout_of(array).element_type
    to = f"{element_type}[5,7]{{{details.format(bits)}}}"
    packed = tessera.relayout(array, to=to)
    shape = tessera.shape(to)
    assert packed.dtype == numpy.uint8 and packed.size == shape.nbytes
    for index in numpy.ndindex(5, 7):
        bit = shape.linear_index(index, unit="bits")
        found = (packed[bit // 8] >> (bit % 8)) & ((1 << bits) - 1)
        assert found == array.view("uint8")[index]
    back = tessera.relayout(packed, from_=to, to=f"{element_type}[5,7]")
    assert back.dtype == array.dtype and back.tobytes() == array.tobytes()
    # From one packed layout to another nothing is unpacked.
    other = f"{element_type}[5,7]{{0,1:E({bits})}}"
    assert tessera.relayout(packed, from_=to, to=other).tobytes() == (
        tessera.relayout(array, to=other).tobytes()
    )


def test_packed_into_a_buffer():
    array = numpy.arange(-8, 7).astype(ml_dtypes.int4).reshape(3, 5)
    to = "s4[3,5]{1,0:T(4,4)E(4)}"
    out = numpy.full(tessera.shape(to).nbytes, 0xAA, "uint8")
    assert tessera.relayout(array, to=to, out=out) is out
    kinds = tessera.shape(to).kind_of(numpy.arange(2 * 16))
    nibbles = numpy.stack([out & 15, out >> 4], axis=1).ravel()
    assert (nibbles[kinds == tessera.PositionKind.PADDING] == 0xA).all()
    assert sorted(nibbles[kinds == 0]) == sorted(array.view("uint8").ravel())
    padded = tessera.relayout(array, to=to, pad=-1)
    nibbles = numpy.stack([padded & 15, padded >> 4], axis=1).ravel()
    assert (nibbles[kinds == tessera.PositionKind.PADDING] == 0xF).all()
    with pytest.raises(tessera.Error, match="expected a buffer of 16 bytes, found 15"):
        tessera.relayout(array, to=to, out=numpy.zeros(15, "uint8"))
    with pytest.raises(tessera.Error, match="expected a buffer of 16 bytes, found 15"):
        tessera.relayout(numpy.zeros(15, "uint8"), from_=to, to="s4[3,5]")


def test_packed_as_xla_packs():
    import ctypes

    array = jax.numpy.asarray(numpy.arange(-8, 8).reshape(4, 4), "int4")
    packed = tessera.relayout(array, to="s4[4,4]{1,0:E(4)}")
    # XLA packs int4 on CPU, whether the layout of this version says so or not.
    there = ctypes.string_at(array.unsafe_buffer_pointer(), 8)
    assert bytes(packed) == there
    # What the layout of an array says can be made from it.
    moved = tessera.relayout(array, to=tessera.jax.layout_of(array))
    assert moved.nbytes == tessera.jax.layout_of(array).nbytes


def test_one_bit_is_bool_in_jax():
    array = numpy.zeros((3, 4), ml_dtypes.int1 if hasattr(ml_dtypes, "int1") else bool)
    made = of_jax(array)
    if made.dtype != bool:
        assert tessera.jax.layout_of(made).element_type == "s1"
    else:
        assert tessera.jax.layout_of(made).element_type == "pred"
