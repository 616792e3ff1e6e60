"""Functions that guard programs of JAX in tests.

    def test_step_fits():
        tessera.testing.assert_fits(step, (params, batch), device="v5e")
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Union

from tessera._devices import TOPOLOGIES, Device, device_named, known_device
from tessera._errors import Error
from tessera._explain import Explanation, _family, explain

__all__ = ["assert_fits"]


def assert_fits(
    program: Any,
    args: Optional[Sequence[Any]] = None,
    kwargs: Optional[Dict[str, Any]] = None,
    *,
    device: Union[int, str],
    rows: int = 5,
) -> Explanation:
    """Raises AssertionError, with the report of tessera.explain, unless a program
    fits a device.

    If there is no such TPU here, libtpu compiles the program ahead of time
    (`pip install libtpu`).

    Args:
        program: A function, jitted or not, with `args` or `kwargs`; or, without
            them, an argument of tessera.explain.
        args: The arguments of the function: arrays, or instances of
            jax.ShapeDtypeStruct. Shardings over devices of that kind are kept.
        kwargs: The keyword arguments of the function.
        device: As in tessera.explain: "v5e", "h100", "24GiB".
        rows: As in tessera.explain.

    Returns:
        The report, for further assertions.

    Raises:
        tessera.Error: The program cannot be compiled for that device here, or was
            compiled for another kind of device.
    """
    __tracebackhide__ = True
    wanted = device_named(device)
    if args is not None or kwargs is not None:
        program = _compiled(program, list(args or ()), dict(kwargs or {}), wanted)
    answer = explain(program, device=device, rows=rows)
    family = _family(wanted)
    # The text of a module does not always determine the kind of device.
    if family and answer.target not in (family, "none"):
        raise Error(
            f"the program was compiled for {answer.target}, and {wanted.name} would lay out arrays "
            f"differently: run the test on a machine with a {family.upper()}, or pass a program "
            "that was compiled for one",
            code="UNIMPLEMENTED",
        )
    if answer.fits is not True:
        raise AssertionError(str(answer))
    return answer


def _compiled(program: Any, args: List[Any], kwargs: Dict[str, Any], device: Device) -> Any:
    __tracebackhide__ = True
    import jax  # type: ignore

    jitted = program if hasattr(program, "lower") else jax.jit(program)
    if device.name in TOPOLOGIES:
        args, kwargs = _placed(args, kwargs, device)
    try:
        return jitted.lower(*args, **kwargs).compile()
    except jax.errors.JaxRuntimeError as error:
        # The compiler of a TPU refuses a program that does not fit.
        if "RESOURCE_EXHAUSTED" not in str(error):
            raise
        raise AssertionError(
            f"does not fit {device.name}: {error}\n"
            "With XLA_FLAGS=--xla_dump_to=DIR, XLA writes the program, which tessera.explain can read"
        ) from None


def _is_of(jax_device: Any, device: Device) -> bool:
    found = known_device(getattr(jax_device, "device_kind", ""))
    return found is not None and found.name == device.name


def _placed(args: List[Any], kwargs: Dict[str, Any], device: Device) -> Any:
    """Returns the arguments as arrays without values on a TPU of that kind,
    attached or not."""
    import jax
    from jax.experimental import topologies  # type: ignore

    leaves = jax.tree_util.tree_leaves((args, kwargs))
    arrays = [leaf for leaf in leaves if hasattr(leaf, "shape") and hasattr(leaf, "dtype")]
    if not arrays:
        raise Error("no argument is an array, so the device of the program is not known", field="args")
    for leaf in arrays:
        devices = getattr(getattr(leaf, "sharding", None), "device_set", ())
        if any(_is_of(jax_device, device) for jax_device in devices):
            return args, kwargs
    at_hand = [jax_device for jax_device in jax.devices() if _is_of(jax_device, device)]
    try:
        topology = at_hand or topologies.get_topology_desc(TOPOLOGIES[device.name], "tpu").devices
    # ImportError, RuntimeError or JaxRuntimeError, by version.
    except Exception as error:
        raise Error(
            f"compiling for {device.name} needs libtpu, by 'pip install libtpu': {error}",
            code="UNIMPLEMENTED",
        ) from None
    sharding = jax.sharding.SingleDeviceSharding(topology[0])

    def place(leaf: Any) -> Any:
        if not hasattr(leaf, "shape") or not hasattr(leaf, "dtype"):
            return leaf
        return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=sharding)

    return jax.tree_util.tree_map(place, (args, kwargs))
