"""Scoped VMEM of modules that XLA's compilers made."""

import pathlib

import pytest
from scoped_vmem_count import scoped_vmem

import tessera

TRUTH = pathlib.Path("tests/hlo/data/truth")
TEXTS = [path for path in sorted(TRUTH.glob("*/*.txt")) if b"HloModule" in path.read_bytes()[:10]]
USERS = [path for path in TEXTS if scoped_vmem(path.read_text())]


def name_of(path):
    return f"{path.parent.name}/{path.name}"


def test_there_are_dumps_behind_code_generation():
    assert {path.parent.name for path in USERS} >= {"v5e", "v5p"}


@pytest.mark.parametrize("path", USERS, ids=name_of)
def test_scoped_vmem_is_what_an_independent_count_finds(path):
    wanted = scoped_vmem(path.read_text())
    module = tessera.hlo.load(path, sidecars=False).module
    scoped = module.scoped_vmem(target=path.parent.name.split("-")[0])
    found = {each.instruction: each.used_bytes for each in scoped.instructions if each.used_bytes}
    assert found == wanted
    assert scoped.is_known and scoped.users == len(wanted)
    assert scoped.instructions[0].used_bytes == max(wanted.values())
    assert scoped.limit_bytes == 16 << 20
    assert scoped.over_limit == 0


@pytest.mark.parametrize("path", USERS, ids=name_of)
def test_scoped_vmem_beside_the_module_is_read(path, tmp_path):
    """As XLA names its files, so that they belong together."""
    stem = "module_0001.jit_f.cl_1."
    (tmp_path / (stem + "after_codegen.txt")).write_bytes(path.read_bytes())
    module = path.with_name(path.name.replace("after_codegen", "after_optimizations"))
    (tmp_path / (stem + "after_optimizations.txt")).write_bytes(module.read_bytes())
    (tmp_path / (stem + "tpu_comp_env.txt")).write_bytes((TRUTH / "v5e/tpu_comp_env.txt").read_bytes())
    beside = tessera.hlo.load(tmp_path).module.scoped_vmem()
    assert {each.instruction: each.used_bytes for each in beside.instructions} == scoped_vmem(path.read_text())
    # -1 stands for the limit of the generation, which nothing beside it says.
    assert beside.limit_bytes is None and beside.limit_source == ""


def test_limits():
    dump = tessera.hlo.load(TRUTH / "v5e/pallas_matmul.after_codegen.txt")
    over = dump.module.scoped_vmem(scoped_limit="4MiB")
    assert (over.limit_bytes, over.limit_source, over.over_limit) == (4 << 20, "request", 1)
    assert over.instructions[0].is_over_limit
    assert dump.check(max_scoped="5MiB")
    check = dump.check(max_scoped="4MiB")
    assert not check
    assert check.modules[0].scoped_vmem.over_bytes == over.largest_bytes - (4 << 20)
    assert "scoped VMEM of pallas_matmul.1" in str(check)
    # Before code generation it is not known, and not within any budget.
    unknown = tessera.hlo.load(TRUTH / "v5e/attention.after_optimizations.txt").check(max_scoped="1GiB")
    assert not unknown
    assert "scoped VMEM of 1 module is not known" in str(unknown)


def test_other_devices_have_no_scoped_vmem():
    module = tessera.hlo.load(TRUTH / "cpu/three_sorts.after_optimizations.txt").module
    with pytest.raises(tessera.Error, match="no scoped VMEM"):
        module.scoped_vmem()
    assert tessera.hlo.load(TRUTH / "cpu/three_sorts.after_optimizations.txt").check(max_scoped=0)
