"""tessera.explain of texts: names, donation, copies and the verdict. JAX itself is
not needed: what it writes into a module says the names. pypi/jax_explain_test.py
has programs that JAX compiles."""

import pathlib
import pickle
import types

import numpy
import pytest
import tessera
import tessera.testing
from tessera import _core

# As the TPU compiler writes it: quotes of names are escaped, one argument comes in another order than it is used, one
# result lies in a donated argument, and one could.
STEP = r"""
HloModule jit_step, is_scheduled=true, num_partitions=4, input_output_alias={ {1}: (0, {}, may-alias) }

ENTRY main {
  w = f32[256,130]{1,0:T(8,128)} parameter(0), metadata={op_name="params[\'layer0\'][\'w\']"}
  x = f32[130,256]{1,0:T(8,128)} parameter(1), metadata={op_name="batch"}
  m = f32[256,130]{1,0:T(8,128)} parameter(2), metadata={op_name="momentum"}
  turned = f32[130,256]{0,1:T(8,128)} copy(x), metadata={op_name="jit(step)/dot" source_file="model.py" source_line=7}
  t = f32[256,130]{1,0:T(8,128)} custom-call(turned), custom_call_target="f", metadata={op_name="jit(step)/f" source_file="model.py" source_line=8}
  a = f32[256,130]{1,0:T(8,128)} add(w, t)
  b = f32[256,130]{1,0:T(8,128)} add(m, t)
  d = f32[256,130]{0,1:T(8,128)} copy(t)
  ROOT r = (f32[256,130]{0,1:T(8,128)}, f32[256,130]{1,0:T(8,128)}, f32[256,130]{1,0:T(8,128)}) tuple(d, a, b)
}
"""
PADDED = 256 * 256 * 4
TURNED = 136 * 256 * 4


@pytest.fixture(scope="module")
def answer():
    return tessera.explain(STEP, device="v5e")


def by_name(answer):
    return {argument.name: argument for argument in answer.arguments}


def test_arguments_have_the_names_of_python(answer):
    found = by_name(answer)
    assert set(found) == {"params['layer0']['w']", "batch", "momentum"}
    w = found["params['layer0']['w']"]
    assert (w.number, w.nbytes, w.padding_bytes) == (0, PADDED, PADDED - 256 * 130 * 4)
    assert w.padded == "dim 1: 130→256"
    assert w.shape == "f32[256,130]{1,0:T(8,128)}"
    assert found["batch"].nbytes == TURNED
    assert [argument.nbytes for argument in answer.arguments] == [PADDED, PADDED, TURNED]


def test_donation(answer):
    found = by_name(answer)
    w, momentum = found["params['layer0']['w']"], found["momentum"]
    assert (w.donation, w.result) == ("donated", "result{1}")
    assert (momentum.donation, momentum.result) == ("could be donated", "")
    assert found["batch"].donation == ""
    assert (answer.donated_bytes, answer.donatable_bytes) == (PADDED, PADDED)


def test_copies_at_the_boundary(answer):
    of_argument, of_result = sorted(answer.copies, key=lambda copy: copy.result)
    assert (of_argument.argument, of_argument.instruction) == ("batch", "turned")
    assert of_argument.reason == "{1,0:T(8,128)} becomes {0,1:T(8,128)}"
    assert tessera.jax.read(of_argument.jax_layout).major_to_minor == (1, 0)
    assert (of_result.result, of_result.instruction) == ("result{0}", "d")
    assert tessera.jax.read(of_result.jax_layout).major_to_minor == (0, 1)
    for copy in (of_argument, of_result):
        assert copy.nbytes == tessera.shape(copy.to).nbytes
    # The argument would be larger then, for another dimension is padded.
    assert (of_argument.then_bytes, of_result.then_bytes) == (PADDED, PADDED)


def test_an_argument_that_is_kept_is_copied():
    text = """
HloModule m, is_scheduled=true
ENTRY main {
  cache = f32[1024]{0} parameter(0), metadata={op_name="cache"}
  new = f32[1]{0} parameter(1), metadata={op_name="new"}
  at = s32[] parameter(2), metadata={op_name="at"}
  copied = f32[1024]{0} copy(cache)
  ROOT put = f32[1024]{0} dynamic-update-slice(copied, new, at)
}
"""
    [copy] = tessera.explain(text).copies
    assert (copy.argument, copy.nbytes, copy.jax_layout) == ("cache", 4096, "")
    assert copy.reason == "it is kept because it is not donated"
    donated = text.replace(
        "is_scheduled=true", "is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }"
    )
    [copy] = tessera.explain(donated).copies
    assert copy.reason == "it is used again"
    assert by_name(tessera.explain(donated))["cache"].result == "result"


def test_temporaries_have_their_lines(answer):
    largest = answer.temporaries[0]
    assert (largest.instruction, largest.source_line, largest.op_name) == (
        "t",
        "model.py:8",
        "jit(step)/f",
    )


@pytest.mark.parametrize(
    "device, fits, capacity",
    [
        ("v5e", True, int(15.75 * 2**30)),
        ("TPU v5 lite", True, int(15.75 * 2**30)),
        ("V5E", True, int(15.75 * 2**30)),
        ("1MiB", False, 2**20),
        (2**30, True, 2**30),
        (numpy.int64(2**30), True, 2**30),
        (0, False, 0),
    ],
)
def test_fits(device, fits, capacity):
    answer = tessera.explain(STEP, device=device)
    assert (answer.fits, answer.capacity_bytes) == (fits, capacity)
    assert answer.verdict().startswith("fits" if fits else "does not fit")
    assert (answer.needed_bytes <= capacity) == fits
    # The generation decides what tables of tuples take.
    target = answer.device or "tpu"
    assert answer.needed_bytes == tessera.hlo.load(STEP).peak(target=target).reserved_bytes


def test_temporaries_in_the_memory_of_results():
    # XLA:CPU puts the product where its tanh will be.
    text = """
HloModule jit_f, is_scheduled=true

ENTRY main {
  x = f32[64,64]{1,0} parameter(0)
  y = f32[64,64]{1,0} dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT z = f32[64,64]{1,0} tanh(y)
}
"""
    answer = tessera.explain(text, target="cpu")
    assert answer.temporary_bytes == 0
    assert [array.instruction for array in answer.temporaries] == ["y"]
    assert "\ntemporaries at the peak, in the memory of results\n" in str(answer)


def test_without_a_device(answer):
    unnamed = tessera.explain(STEP)
    assert (unnamed.fits, unnamed.capacity_bytes) == (None, None)
    assert "name a device" in unnamed.verdict()
    assert (answer.device, answer.target, answer.device_count) == ("v5e", "tpu", 4)


@pytest.mark.parametrize(
    "device, said",
    [("v5x", "device: no device is known as 'v5x': expected v2"), ("-1", "-1"), (-1, "less than 0")],
)
def test_devices_that_are_not_known(device, said):
    with pytest.raises(tessera.Error, match=said):
        tessera.explain(STEP, device=device)


@pytest.mark.parametrize("device", [1e9, object(), b"v5e"])
def test_what_is_no_device(device):
    with pytest.raises(TypeError, match="device: expected the name of a device or a number of"):
        tessera.explain(STEP, device=device)


def test_a_device_of_another_kind_is_noted():
    notes = tessera.explain(STEP, device="h100").notes
    assert notes == ["it was compiled for tpu: h100 would lay out and pad arrays differently"]
    assert tessera.explain(STEP, device="16GiB").notes == []
    untold = tessera.explain(STEP.replace(":T(8,128)", ""), device="h100")
    assert untold.notes == [
        "the text does not tell for which device it was compiled: "
        "h100 may lay out and pad arrays differently"
    ]
    assert str(untold).startswith("jit_step for h100, ")
    assert str(tessera.explain(STEP.replace(":T(8,128)", ""))).startswith("jit_step, on 4 devices")


@pytest.mark.parametrize(
    "before, after, note",
    [
        ("f32[256,130]{0,1:T(8,128)} copy", "f31[8] copy", "not all of it was read: 12:7: in shape"),
        ("tuple(d, a, b)\n}", "tuple(d, a, b)", "not all of it was read: "),
        (
            "ROOT",
            "n = f32[?] custom-call(t)\n  ROOT",
            "arrays with an unbounded dimension count as 0 bytes",
        ),
    ],
)
def test_what_is_not_read_does_not_fit(before, after, note):
    text = STEP.replace(before, after)
    answer = tessera.explain(text, device="v5e")
    assert answer.fits is None and answer.notes[0].startswith(note)
    assert answer.verdict().startswith("not known whether it fits v5e: needs ")
    with pytest.raises(AssertionError, match="not known whether it fits v5e"):
        tessera.testing.assert_fits(text, device="v5e")
    assert tessera.explain(text, device=0).fits is False


def test_arrays_without_elements_fit():
    text = """
HloModule m, is_scheduled=true
ENTRY main {
  x = f32[0,4]{1,0} parameter(0)
  ROOT y = f32[0,4]{1,0} negate(x)
}
"""
    answer = tessera.testing.assert_fits(text, device="16GiB")
    assert (answer.needed_bytes, answer.fits) == (0, True)


def test_report(answer):
    golden = pathlib.Path(__file__).parent / "data/explain.txt"
    assert f"{answer}\n" == golden.read_text(encoding="utf-8")
    assert repr(answer) == str(answer)
    page = answer._repr_html_()
    assert "params[&#x27;layer0&#x27;][&#x27;w&#x27;]" in page and "fits v5e" in page
    assert page.count("<table>") == page.count("</table>") == 3


def test_a_message_is_explained(tmp_path):
    text = "Layout(major_to_minor=(0, 1), tiling=((8, 128),))"
    assert tessera.explain(text).layout.layout == "{1,0:T(8,128)}"
    message = (
        "RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom: Ran out of memory on HBM, the total memory "
        "required for HLO temporaries (19.38G) exceeds available HBM (15.75G). HLO module: jit_f."
    )
    answer = tessera.explain(message)
    assert answer == tessera.hlo.explain_text(message, rows=5)
    assert str(answer).startswith("E1000: out of memory: ")
    assert repr(answer) == str(answer)
    path = tmp_path / "message.txt"
    path.write_text(message)
    assert tessera.explain(str(path)) == tessera.explain(path) == answer
    for missing in ("no/such/file.hlo", pathlib.Path("no/such/file.hlo")):
        with pytest.raises(tessera.FileError, match="No such file"):
            tessera.explain(missing)


def test_rows():
    few = tessera.explain(STEP, rows=1)
    assert len(few.arguments) == 3
    assert "arguments, the largest 1 of 3" in str(few) and "momentum" not in str(few)
    assert "bytes" not in str(tessera.explain(STEP, rows=0)).split("\n", 1)[1]
    with pytest.raises(tessera.Error, match="rows: expected 0 or more"):
        tessera.explain(STEP, rows=-1)


def test_answers_are_plain(answer):
    assert answer.to_dict()["arguments"][0]["nbytes"] == PADDED
    assert answer.arguments.columns()["nbytes"] == [PADDED, PADDED, TURNED]
    assert str(pickle.loads(pickle.dumps(answer))) == str(answer)


def test_what_explain_takes(answer):
    dump = tessera.hlo.load(STEP)
    for given in (dump, dump.module, STEP.encode()):
        assert str(tessera.explain(given, device="v5e")) == str(answer)
    with pytest.raises(tessera.Error, match="13 modules"):
        tessera.explain("tests/hlo/data/protos/jax_toolbox")
    with pytest.raises(tessera.Error, match="no peak: not scheduled"):
        tessera.explain(STEP.replace(", is_scheduled=true", ""))


@pytest.mark.parametrize("path", sorted(pathlib.Path("tests/hlo/data").glob("*.hlo")))
def test_real_modules(path):
    for module in tessera.hlo.load(path):
        peak = module.peak
        try:
            space = peak().space()
        except tessera.Error:
            continue
        answer = tessera.explain(module)
        assert answer.needed_bytes == next(
            size
            for size in (space.assigned_bytes, space.reserved_bytes, space.peak_bytes)
            if size is not None
        )
        entry = [i for i in module.entry_computation.instructions if i.opcode == "parameter"]
        total = sum(i.padded_bytes for i in entry)
        assert sum(argument.nbytes for argument in answer.arguments) == total
        assert str(answer).startswith(module.name)


def test_parts_of_a_tuple():
    text = """
HloModule m, is_scheduled=true, input_output_alias={ {1}: (0, {1}, may-alias) }
ENTRY main {
  all = (f32[8]{0}, (f32[16]{0}, f32[16]{0})) parameter(0)
  x = f32[8]{0} get-tuple-element(all), index=0
  y = (f32[16]{0}, f32[16]{0}) get-tuple-element(all), index=1
  z = f32[16]{0} get-tuple-element(y), index=1
  ROOT r = (f32[8]{0}, f32[16]{0}) tuple(x, z)
}
"""
    names = [argument.name for argument in tessera.explain(text).arguments]
    assert sorted(names) == ["all{0}", "all{1,0}", "all{1,1}"]


@pytest.mark.parametrize(
    "op_name, name",
    [
        ("state.params[\\'w\\']", "state.params['w']"),
        ('batch[\\"x/y\\"]', 'batch["x/y"]'),
        ("args[0]", "args[0]"),
        ("größe", "größe"),
        ("jit(f)/jit(main)/while", "p.1"),
        ("", "p.1"),
        ("3", "p.1"),
    ],
)
def test_which_names_are_of_python(op_name, name):
    text = f"""
HloModule m, is_scheduled=true
ENTRY main {{
  p.1 = f32[8]{{0}} parameter(0), metadata={{op_name="{op_name}"}}
  ROOT r = f32[8]{{0}} negate(p.1)
}}
"""
    assert [argument.name for argument in tessera.explain(text).arguments] == [name]


def test_what_the_core_refuses():
    with pytest.raises(tessera.Error, match="-1 bytes are less than 0"):
        _core.human_bytes(-1)
    with pytest.raises(tessera.Error, match="a row has 1 cells, and there are 2 columns"):
        _core.table_text(["a", ">b"], [["1"]], "", _core.Display())
    assert _core.table_text(["a", ">b"], [["x", "10"]], " ", _core.Display()) == (
        " a   b\n x  10\n"
    )


def test_assert_fits():
    assert tessera.testing.assert_fits(STEP, device="v5e").fits
    with pytest.raises(AssertionError) as raised:
        tessera.testing.assert_fits(STEP, device="1MiB")
    assert "does not fit: needs" in str(raised.value)
    assert "params['layer0']['w']" in str(raised.value)
    with pytest.raises(tessera.Error, match="compiled for tpu, and h100 would .* with a GPU"):
        tessera.testing.assert_fits(STEP, device="h100")


class Stand:
    """An object with the attributes given, as JAX has them."""

    def __init__(self, **attributes):
        self.__dict__.update(attributes)


@pytest.mark.parametrize(
    "program",
    [
        Stand(as_text=lambda: STEP),
        Stand(as_text=lambda dialect: STEP if dialect == "hlo" else "module", compile=None),
        Stand(hlo_modules=lambda: [Stand(to_string=lambda: STEP)]),
        Stand(as_serialized_hlo_module_proto=None, to_string=lambda: STEP),
        Stand(as_serialized_hlo_module_proto=None, as_hlo_text=lambda: STEP),
    ],
)
def test_programs_of_jax(program):
    dump = tessera.hlo.load(program)
    assert dump.name == dump.module.name == "jit_step"
    assert str(dump).startswith("jit_step\n")


def test_a_lowered_program_has_no_memory_yet():
    unscheduled = STEP.replace(", is_scheduled=true", "")
    lowered = Stand(as_text=lambda dialect: unscheduled, compile=None)
    dump = tessera.hlo.load(lowered)
    assert len(dump.instructions.by_opcode("parameter")) == 3
    for ask in (dump.peak, dump.module.peak, lambda: tessera.explain(lowered)):
        with pytest.raises(tessera.Error, match="lowered but not compiled: use lowered.compile"):
            ask()
    assert "lowered.compile()" in str(dump.check(max_reserved="1GiB"))
    [peak] = dump.peaks()
    assert "lowered.compile()" in peak.reason


def jitted():
    function = types.FunctionType((lambda: 0).__code__, {}, "step")
    function.lower = None
    return function


@pytest.mark.parametrize(
    "source, said",
    [
        (jitted(), r"jit\(step\) has no HLO yet: load step.lower\(\*arguments\).compile\(\)"),
        (Stand(lower=None, jaxpr=None), r"load traced.lower\(\).compile\(\)"),
        (test_rows, r"load jax.jit\(test_rows\).lower\(\*arguments\).compile\(\)"),
        (Stand(mlir_module=None), "an exported function has no HLO yet"),
        (Stand(operation=None, body=None), "a module of MLIR has no HLO yet"),
        (Stand(as_text=lambda: None), "XLA_FLAGS=--xla_dump_to=DIR"),
    ],
)
def test_what_has_no_hlo_yet(source, said):
    with pytest.raises(tessera.Error, match=said):
        tessera.hlo.load(source)


@pytest.mark.parametrize("source", [3, None, 1.5, [], object(), int])
def test_what_is_no_program(source):
    with pytest.raises(TypeError):
        tessera.hlo.load(source)
