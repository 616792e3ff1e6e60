"""Reads programs of JAX, without a dependency on JAX: their texts, and the names of
their arguments and results."""

from __future__ import annotations

import re
from typing import Any, List, NamedTuple, Optional, Tuple

from tessera._errors import Error

#: The error for a question that only the compiler can answer, about a program that
#: is not compiled.
COMPILE_LOWERED = "it is lowered but not compiled: use lowered.compile()"

_NAME = re.compile(r"HloModule ([^\s,]+)")


class Program(NamedTuple):
    """The parts of an object that hlo.load reads.

    Attributes:
        text: The text of all its modules.
        name: That of the first module: "jit_step".
        advice: Why the program has no memory yet; "" if it is compiled.
    """

    text: str
    name: str
    advice: str = ""


def _refused(what: str, instead: str) -> Error:
    return Error(f"{what} has no HLO yet: load {instead}", code="FAILED_PRECONDITION")


def program_of(source: Any) -> Optional[Program]:
    """Returns the text of a program of JAX; None for other objects, such as a path.

    Raises:
        tessera.Error: It is not compiled, or its compiler does not return its text.
    """
    text, advice = None, ""
    # A Compiled, or any other object with this method.
    if hasattr(source, "as_text"):
        if hasattr(source, "compile"):
            text, advice = source.as_text("hlo"), COMPILE_LOWERED
        else:
            text = source.as_text()
    # A LoadedExecutable, or an Executable for a device that is not attached.
    elif hasattr(source, "hlo_modules"):
        text = "\n\n".join(module.to_string() for module in source.hlo_modules())
    # A HloModule or an XlaComputation.
    elif hasattr(source, "as_serialized_hlo_module_proto"):
        text = source.to_string() if hasattr(source, "to_string") else source.as_hlo_text()
    elif hasattr(source, "mlir_module"):
        raise _refused("an exported function", "jax.jit(exported.call).lower(...).compile()")
    elif hasattr(source, "jaxpr") and hasattr(source, "lower"):
        raise _refused("a traced function", "traced.lower().compile()")
    elif callable(source) and hasattr(source, "lower"):
        name = getattr(source, "__name__", "function")
        raise _refused(f"jit({name})", f"{name}.lower(*arguments).compile()")
    elif callable(source) and not isinstance(source, type):
        name = getattr(source, "__name__", "function")
        raise _refused(
            f"the function {name}", f"jax.jit({name}).lower(*arguments).compile()"
        )
    elif hasattr(source, "operation") and hasattr(source, "body"):
        raise _refused("a module of MLIR", "what JAX compiles from it")
    else:
        return None
    if not isinstance(text, str):
        raise Error(
            "the compiler does not return the text of this program; let XLA write it to a folder, by "
            "XLA_FLAGS=--xla_dump_to=DIR, and load the folder",
            code="UNIMPLEMENTED",
        )
    found = _NAME.search(text)
    return Program(text, found[1] if found else "", advice)


def _flattened(tree: Any, is_leaf: Any = None) -> List[Tuple[str, Any]]:
    """Returns the leaves of a tree of JAX, each with its path: "['layer0']['w']"."""
    from jax import tree_util  # type: ignore

    leaves, _ = tree_util.tree_flatten_with_path(tree, is_leaf=is_leaf)
    return [(tree_util.keystr(path), leaf) for path, leaf in leaves]


class ArgumentInfo(NamedTuple):
    """The facts that JAX reports about an argument.

    Attributes:
        name: "args[0]['w']".
        shape: Its bounds over all devices; None if JAX does not report them.
        is_donated: Whether the caller donates it.
    """

    name: str
    shape: Optional[Tuple[int, ...]]
    is_donated: bool


def arguments_of(source: Any) -> List[ArgumentInfo]:
    """Returns the facts that JAX reports about the arguments, in order. JAX does
    not pass arguments to XLA that the program does not need. They are left out
    if JAX reports which ones they are. Empty if this is not a program of JAX."""
    info = getattr(source, "args_info", None)
    if info is None:
        return []
    kept = getattr(getattr(source, "_executable", None), "_kept_var_idx", None)
    found = []
    leaves = _flattened(info, is_leaf=lambda leaf: hasattr(leaf, "donated"))
    for i, (path, leaf) in enumerate(leaves):
        if kept is not None and i not in kept:
            continue
        # The tree has the positional arguments, then the named ones.
        inside = path[3:]
        if path.startswith("[0]"):
            name = f"args{inside}"
        else:
            key = re.match(r"\['(\w+)'\]", inside)
            name = key[1] + inside[key.end() :] if key else f"kwargs{inside}"
        shape = getattr(leaf, "shape", None)
        found.append(
            ArgumentInfo(name, None if shape is None else tuple(shape), bool(leaf.donated))
        )
    return found


def result_names_of(source: Any) -> List[str]:
    """Returns the names of the parts of the result, as JAX writes them:
    "result['loss']". Empty if this is not a program of JAX."""
    tree = getattr(source, "out_tree", None)
    if tree is None:
        return []
    from jax import tree_util

    numbers = tree_util.tree_unflatten(tree, range(tree.num_leaves))
    return [f"result{path}" for path, _ in _flattened(numbers)]


def devices_of(source: Any) -> List[Any]:
    """Returns the devices of JAX for which a program is compiled, attached or
    not; empty if this is not a program of JAX."""
    for name in ("input_shardings", "output_shardings"):
        try:
            shardings = _flattened(
                getattr(source, name), is_leaf=lambda leaf: hasattr(leaf, "device_set")
            )
        # A program that is loaded from a cache may not have shardings.
        except (AttributeError, ImportError, NotImplementedError, ValueError):
            continue
        for _, sharding in shardings:
            devices = sorted(getattr(sharding, "device_set", ()), key=lambda device: device.id)
            if devices:
                return devices
    return []
