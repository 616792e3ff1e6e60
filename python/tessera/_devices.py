"""How much memory devices have for the arrays of programs."""

from __future__ import annotations

import operator
from typing import Any, Dict, NamedTuple, Optional, Union

from tessera import _core
from tessera._errors import Error


class Device(NamedTuple):
    """A device to fit into.

    Attributes:
        name: "v5e"; "" for a number of bytes without a name.
        capacity_bytes: The bytes of its memory that XLA may use.
        target: The argument of peak() for it; "" for any.
    """

    name: str
    capacity_bytes: int
    target: str


def _gib(amount: float) -> int:
    return int(amount * 2**30)


# For TPUs, the "available HBM" of the compiler's message about a program that
# does not fit, which is less than the memory of the chip. libtpu 0.0.52 prints
# it ahead of time, with two digits. For v4 it prints that of one core, but users'
# messages have that of both cores, which are one device of JAX. A v7x chip is two
# devices. For GPUs, device_memory_size in XLA's own descriptions
# (xla/backends/gpu/target_config/specs).
_DEVICES: Dict[str, Device] = {
    device.name: device
    for device in (
        Device("v2", _gib(7.48), "tpu"),
        Device("v3", _gib(15.48), "tpu"),
        Device("v4", _gib(30.75), "v4"),
        Device("v5e", _gib(15.75), "v5e"),
        Device("v5p", _gib(95.73), "v5p"),
        Device("v6e", _gib(31.24), "v6e"),
        Device("v7x", _gib(94.74), "v7x"),
        Device("a100-40gb", 42_331_013_120, "gpu"),
        Device("a100-80gb", 85_100_068_864, "gpu"),
        Device("h100", 84_942_979_072, "gpu"),
        Device("h200", 151_397_597_184, "gpu"),
        Device("b200", 191_514_411_008, "gpu"),
    )
}
# device.device_kind of JAX, and other usual names.
_OTHER_NAMES = {
    "tpu v2": "v2",
    "tpu v3": "v3",
    "tpu v4": "v4",
    "tpu v5 lite": "v5e",
    "tpu v5e": "v5e",
    "tpu v5": "v5p",
    "tpu v5p": "v5p",
    "tpu v6 lite": "v6e",
    "tpu v6e": "v6e",
    "tpu7x": "v7x",
    "tpu v7x": "v7x",
    "nvidia a100-sxm4-40gb": "a100-40gb",
    "nvidia a100-sxm4-80gb": "a100-80gb",
    "nvidia h100 80gb hbm3": "h100",
    "nvidia h200": "h200",
    "nvidia b200": "b200",
}

#: The name of the smallest topology of a generation in jax.experimental.topologies.
TOPOLOGIES = {
    "v4": "v4:2x2x1",
    "v5e": "v5e:2x2",
    "v5p": "v5p:2x2x1",
    "v6e": "v6e:2x2",
    "v7x": "tpu7x:2x2x1",
}


def known_device(name: str) -> Optional[Device]:
    """Returns the device of that name, in upper or lower case; None if there is
    none."""
    lower = name.strip().lower()
    return _DEVICES.get(_OTHER_NAMES.get(lower, lower))


def device_named(name: Union[int, str]) -> Device:
    """Returns a device by its name, or by the amount of its memory.

    >>> device_named("v5e").capacity_bytes
    16911433728
    >>> device_named("24GiB")
    Device(name='', capacity_bytes=25769803776, target='')
    """
    if not isinstance(name, str):
        try:
            capacity = operator.index(name)
        except TypeError:
            raise TypeError(
                "device: expected the name of a device or a number of bytes, "
                f"found {type(name).__name__}"
            ) from None
        if capacity < 0:
            raise Error(f"{capacity} bytes are less than 0", field="device")
        return Device("", capacity, "")
    found = known_device(name)
    if found is not None:
        return found
    try:
        return Device("", _core.byte_size("device", name), "")
    except Error:
        raise Error(
            f"no device is known as {name!r}: expected {', '.join(_DEVICES)}, "
            "or its memory, such as '24GiB'",
            field="device",
        ) from None


def device_of(jax_device: Any) -> Optional[Device]:
    """Returns the device that a device of JAX is; None if its memory is not
    known. If it is attached, the limit is the one that it reports itself."""
    known = known_device(getattr(jax_device, "device_kind", ""))
    try:
        limit = (jax_device.memory_stats() or {}).get("bytes_limit")
    # The device is not attached: the program was compiled ahead of time.
    except Exception:
        limit = None
    if limit is None:
        return known
    if known is not None:
        return known._replace(capacity_bytes=int(limit))
    return Device(getattr(jax_device, "device_kind", ""), int(limit), "")
