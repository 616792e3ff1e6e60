"""Programs and layouts as JAX has them, from JAX's own objects: ../jax_test.py
has stand-ins. .ci/wheel runs this where JAX is installed from PyPI."""

import jax
import jax.numpy
import numpy
import pytest
import tessera
import tessera.jax
from jax_names import Format, Layout, layout_in


@jax.jit
def step(weights, batch):
    hidden = jax.numpy.tanh(batch @ weights["in"])
    return jax.numpy.sort(hidden @ weights["out"], axis=0)


ARGUMENTS = (
    {
        "in": jax.ShapeDtypeStruct((256, 128), "float32"),
        "out": jax.ShapeDtypeStruct((128, 64), "float32"),
    },
    jax.ShapeDtypeStruct((32, 256), "float32"),
)


@pytest.fixture(scope="module")
def compiled():
    return step.lower(*ARGUMENTS).compile()


def parameters_of(peak):
    return sum(part.padded_bytes for part in peak.live_at_peak if part.kind == "parameter")


def test_bytes_are_those_that_jax_says(compiled):
    by_jax = compiled.memory_analysis()
    dump = tessera.hlo.load(compiled)
    peak = dump.peak(rows=100)
    assert by_jax.argument_size_in_bytes == 4 * (256 * 128 + 128 * 64 + 32 * 256)
    assert parameters_of(peak) == by_jax.argument_size_in_bytes
    assert peak.module == "jit_step"
    assert "jit_step" in str(peak)
    entry = [c for c in dump.instructions if c.opcode == "parameter" and c.computation.is_entry]
    assert sorted(parameter.shape.text.split("{")[0] for parameter in entry) == [
        "f32[128,64]",
        "f32[256,128]",
        "f32[32,256]",
    ]


def test_text_and_protos_are_the_same_program(compiled):
    [module] = compiled.runtime_executable().hlo_modules()
    proto = module.as_serialized_hlo_module_proto()
    peaks = [
        tessera.hlo.load(source).peak()
        for source in (compiled, compiled.as_text(), module.to_string(), proto, module)
    ]
    for peak in peaks[1:]:
        assert peak.peak_bytes == peaks[0].peak_bytes > 0
        assert peak.reserved_bytes == peaks[0].reserved_bytes


def test_budgets(compiled):
    dump = tessera.hlo.load(compiled)
    assert dump.check(max_reserved="1GiB")
    check = dump.check(max_reserved="1KiB")
    assert not check and "1 of 1 module is over budget" in str(check)


def placed(array, order, tiling=None):
    [device] = jax.devices()
    layout = Layout(order, tiling)
    return jax.device_put(array, Format(layout, jax.sharding.SingleDeviceSharding(device)))


@pytest.mark.parametrize(
    "dtype, element_type",
    [
        ("float32", "f32"),
        ("bool", "pred"),
        ("complex64", "c64"),
        ("int8", "s8"),
        ("uint32", "u32"),
        ("float16", "f16"),
        ("bfloat16", "bf16"),
        ("float8_e4m3fn", "f8e4m3fn"),
        ("float8_e5m2", "f8e5m2"),
    ],
)
def test_layout_of_arrays(dtype, element_type):
    array = jax.numpy.zeros((3, 4, 5), dtype)
    assert tessera.jax.layout_of(array).text == f"{element_type}[3,4,5]{{2,1,0}}"
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        minor_to_major = ",".join(map(str, reversed(order)))
        made = tessera.jax.layout_of(placed(array, order))
        assert made.text == f"{element_type}[3,4,5]{{{minor_to_major}}}"
        assert made.dtype == array.dtype
    assert tessera.jax.layout_of(jax.numpy.zeros((), dtype)).text == f"{element_type}[]"
    mesh = jax.sharding.AbstractMesh((3,), ("x",))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
    parted = jax.ShapeDtypeStruct((3, 4, 5), dtype, sharding=sharding)
    assert tessera.jax.layout_of(parted).text == f"{element_type}[1,4,5]{{2,1,0}}"


def test_layouts_of_a_compiled_program(compiled):
    (weights, batch), _ = compiled.input_formats
    for given in (weights["in"], layout_in(weights["in"]), str(layout_in(weights["in"]))):
        assert tessera.jax.read(given).shape("f32", (256, 128)).text == "f32[256,128]{1,0}"
    assert tessera.jax.read(batch).major_to_minor == (0, 1)
    assert tessera.jax.read(compiled.output_formats).shape("f32", (32, 64)).nbytes == 8192


@pytest.mark.parametrize(
    "shape", ["f32[16,300]{0,1}", "f32[16,300]{1,0}", "bf16[14,40,100,16]{2,1,0,3:T(8,128)(2,1)}"]
)
def test_to_jax(shape):
    layout = tessera.jax.Layout.of(shape)
    made = layout.to_jax()
    assert isinstance(made, Layout)
    assert made == Layout(layout.major_to_minor, layout.tiling)
    assert tessera.jax.read(made) == tessera.jax.read(str(made)) == layout


def test_layouts_that_jax_is_asked_for():
    column_major = tessera.jax.Layout.of("f32[16,300]{0,1}").to_jax()
    [device] = jax.devices()
    wanted = Format(column_major, jax.sharding.SingleDeviceSharding(device))
    array = jax.device_put(numpy.ones((16, 300), "float32"), wanted)
    assert tessera.jax.layout_of(array).text == "f32[16,300]{0,1}"
    compiled = jax.jit(lambda x: x + 1, in_shardings=wanted).lower(array).compile()
    [parameter] = tessera.hlo.load(compiled).instructions.by_opcode("parameter")[-1:]
    assert parameter.shape.text == "f32[16,300]{0,1}"
    assert (compiled(array) == 2).all()
