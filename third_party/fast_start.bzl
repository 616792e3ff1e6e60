"""@fast_start where libraries are linked statically: no library takes long to load (third_party/debian.bzl)."""

def _nothing_impl(ctx):
    ctx.file("BUILD.bazel", """load("@rules_cc//cc:defs.bzl", "cc_library")

cc_library(
    name = "fast_start",
    visibility = ["//visibility:public"],
)
""")

_nothing = repository_rule(implementation = _nothing_impl)

def _fast_start_impl(_):
    _nothing(name = "fast_start")

fast_start = module_extension(implementation = _fast_start_impl)
