"""tessera.explain and tessera.testing of programs that JAX compiles here, for the
CPU; and ahead of time for a TPU where libtpu is installed."""

import importlib.util
import os
import subprocess
import sys

import jax
import jax.numpy
import numpy
import pytest
import tessera
import tessera.testing
from jax_names import Format, Layout

S = jax.ShapeDtypeStruct
PARAMS = {"layer0": {"w": S((256, 130), "float32"), "b": S((130,), "float32")}}
BATCH = {"x": S((32, 256), "float32"), "y": S((32, 130), "float32"), "unused": S((7,), "int32")}


def step(params, batch, *, rate):
    def loss(params):
        hidden = jax.numpy.tanh(batch["x"] @ params["layer0"]["w"] + params["layer0"]["b"])
        return ((hidden - batch["y"]) ** 2).mean()

    value, slopes = jax.value_and_grad(loss)(params)
    return {
        "params": jax.tree_util.tree_map(lambda p, s: p - rate * s, params, slopes),
        "loss": value,
    }


def compile_step(**options):
    return jax.jit(step, **options).lower(PARAMS, BATCH, rate=0.1).compile()


@pytest.fixture(scope="module")
def donated():
    return compile_step(donate_argnums=0)


def by_name(answer):
    return {argument.name: argument for argument in answer.arguments}


W, B = "params['layer0']['w']", "params['layer0']['b']"


def test_names_and_donation(donated):
    answer = tessera.explain(donated)
    found = by_name(answer)
    # What the program does not need, XLA is not given.
    assert set(found) == {W, B, "batch['x']", "batch['y']", "rate"}
    assert (found[W].donation, found[W].result) == ("donated", "result['params']['layer0']['w']")
    assert found[W].nbytes == 4 * 256 * 130
    assert answer.donated_bytes == 4 * (256 * 130 + 130)
    assert answer.target == "cpu" and answer.device_count == 1
    by_jax = donated.memory_analysis()
    assert answer.argument_bytes == by_jax.argument_size_in_bytes
    assert answer.donated_bytes == by_jax.alias_size_in_bytes


def test_what_could_be_donated():
    answer = tessera.explain(compile_step())
    found = by_name(answer)
    assert found[W].donation == found[B].donation == "could be donated"
    assert found["batch['x']"].donation == ""
    assert answer.donated_bytes == 0
    # The rate is as large as the loss, but is read after that.
    assert found["rate"].donation == ""
    assert answer.donatable_bytes == 4 * (256 * 130 + 130)


def test_what_is_donated_in_vain():
    made = jax.jit(lambda a, b: (a.sum(), b + 1), donate_argnums=(0, 1))
    with pytest.warns(UserWarning, match="donated buffers were not usable"):
        compiled = made.lower(S((64, 3), "float32"), S((5,), "float32")).compile()
    found = by_name(tessera.explain(compiled))
    assert {name: argument.donation for name, argument in found.items()} == {
        "a": "donated in vain",
        "b": "donated",
    }
    assert found["b"].result == "result[1]"


def test_the_report(donated):
    report = str(tessera.explain(donated, device="64MiB"))
    assert report.startswith("jit_step for cpu\n  fits: needs ")
    assert f"  {W}" in report and "is result['params']['layer0']['w']" in report
    assert "<table>" in tessera.explain(donated)._repr_html_()


def test_lines_of_temporaries():
    def sorted_twice(x):
        return jax.numpy.sort(jax.numpy.sort(x, axis=0) @ x.T, axis=0)

    compiled = jax.jit(sorted_twice).lower(S((64, 64), "float32")).compile()
    largest = tessera.explain(compiled).temporaries[0]
    assert largest.padded_bytes >= 64 * 64 * 4
    assert "jax_explain_test.py:" in (largest.source_line or "")


def test_copies_at_the_boundary():
    one = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    wanted = Format(Layout((1, 0)), one)
    turned = jax.jit(lambda x: x * 2, out_shardings=wanted)
    compiled = turned.lower(S((64, 32), "float32")).compile()
    copies = tessera.explain(compiled).copies
    shapes = [tessera.shape(i.shape) for i in tessera.hlo.load(compiled).instructions if i.is_root]
    assert shapes[-1].minor_to_major == (0, 1)
    for copy in copies:
        assert copy.result == "result" and tessera.jax.read(copy.jax_layout).major_to_minor == (0, 1)


TWO_DEVICES = """
import jax, jax.numpy, numpy, tessera

mesh = jax.sharding.Mesh(numpy.array(jax.devices()), ("d",))
rows = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("d"))
x = jax.ShapeDtypeStruct((64, 32), "float32", sharding=rows)
answer = tessera.explain(jax.jit(lambda x: x * 2).lower(x).compile())
[argument] = answer.arguments
assert answer.device_count == 2, answer
assert (argument.nbytes, argument.all_bytes) == (64 * 32 * 2, 64 * 32 * 4), answer
assert "on 2 devices; bytes are of one" in str(answer), answer
"""


def test_bytes_are_of_one_device():
    flags = "--xla_force_host_platform_device_count=2"
    result = subprocess.run(
        [sys.executable, "-c", TWO_DEVICES],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env={**os.environ, "XLA_FLAGS": flags},
    )
    assert result.returncode == 0, result.stdout


def test_assert_fits():
    arguments = (PARAMS, BATCH)
    answer = tessera.testing.assert_fits(step, arguments, {"rate": 0.1}, device="16GiB")
    assert answer.fits and answer.module == "jit_step"
    arrays = jax.tree_util.tree_map(lambda leaf: numpy.zeros(leaf.shape, leaf.dtype), arguments)
    tessera.testing.assert_fits(jax.jit(step), arrays, {"rate": 0.1}, device="16GiB")
    with pytest.raises(AssertionError, match=r"does not fit: needs .* of 100.0 KiB"):
        tessera.testing.assert_fits(step, arguments, {"rate": 0.1}, device="100KiB")
    compiled = jax.jit(step).lower(*arguments, rate=0.1).compile()
    for device in ("h100", "v2", "v3"):
        said = f"the program was compiled for cpu, and {device} would"
        with pytest.raises(tessera.Error, match=said):
            tessera.testing.assert_fits(step, arguments, {"rate": 0.1}, device=device)
        with pytest.raises(tessera.Error, match=said):
            tessera.testing.assert_fits(compiled, device=device)
    with pytest.raises(tessera.Error, match="compiled for cpu, and v5e would"):
        tessera.testing.assert_fits(compiled, device="v5e")


def test_arrays_without_elements_fit():
    answer = tessera.testing.assert_fits(lambda x: x * 2, (S((0, 4), "float32"),), device="16GiB")
    assert (answer.needed_bytes, answer.argument_bytes) == (0, 0)


def test_assert_fits_a_tpu():
    if importlib.util.find_spec("libtpu") is None:
        with pytest.raises(tessera.Error, match="compiling for v5e needs libtpu"):
            tessera.testing.assert_fits(step, (PARAMS, BATCH), {"rate": 0.1}, device="v5e")
        return
    answer = tessera.testing.assert_fits(step, (PARAMS, BATCH), {"rate": 0.1}, device="v5e")
    assert (answer.target, answer.device, answer.fits) == ("tpu", "v5e", True)
    assert by_name(answer)[W].padding_bytes > 0
    large = S((1 << 20, 1 << 14), "float32")
    with pytest.raises(AssertionError, match="does not fit v5e: .*E1000"):
        tessera.testing.assert_fits(lambda x: x + 1, (large,), device="v5e")


def test_a_tpu_needs_an_array():
    with pytest.raises(tessera.Error, match="no argument is an array"):
        tessera.testing.assert_fits(lambda x: x, (1,), device="v5e")
