"""@pybind11 for Bazel 7 and 8: the Python and the pybind11 of the machine, as third_party/debian.bzl has them."""

load(":debian.bzl", "pybind11")

def _python_impl(_):
    pybind11(name = "pybind11")

python = module_extension(implementation = _python_impl)
