"""The build rules of every Tessera package: warnings are errors, headers are "tessera/...".

    tessera_cc_library(name = "tile", srcs = ["tile.cc"], hdrs = ["tile.h"], deps = [...])
"""

_WARNINGS = [
    "-Wall",
    "-Wextra",
    "-Werror",
]

_COPTS = _WARNINGS + select({
    "//:clang": [],
    # gcc 12 takes an empty absl::InlinedVector that is moved for a read of what was never written; clang does not know
    # the warning.
    "//conditions:default": ["-Wno-maybe-uninitialized"],
})

def tessera_cc_library(name, copts = [], **kwargs):
    """A cc_library whose headers are included as "tessera/<folder>/<file>.h"."""
    native.cc_library(
        name = name,
        copts = _COPTS + copts,
        include_prefix = "tessera/" + native.package_name(),
        **kwargs
    )

def tessera_cc_binary(name, copts = [], **kwargs):
    native.cc_binary(
        name = name,
        copts = _COPTS + copts,
        **kwargs
    )

def tessera_cc_test(name, copts = [], deps = [], size = "small", **kwargs):
    """A GoogleTest suite; main() comes with it."""
    native.cc_test(
        name = name,
        size = size,
        copts = _COPTS + copts,
        linkstatic = True,
        deps = deps + ["@com_google_googletest//:gtest_main"],
        **kwargs
    )
