"""The build rules of every Tessera package.

Warnings are errors, headers are included as "tessera/<folder>/<file>.h", and a library is private to its top-level folder
unless it says otherwise.

    tessera_cc_library(name = "tile", audience = "public", deps = [...])  # tile.h, and tile.cc if there is one
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")

_WARNINGS = [
    "-Wall",
    "-Wextra",
    "-Werror",
]

_OWN_COPTS = _WARNINGS + select({
    "//:clang": [],
    # gcc 12 takes an empty absl::InlinedVector that is moved for a read of what was never written; clang does not know
    # the warning.
    "//conditions:default": ["-Wno-maybe-uninitialized"],
})

def _copts():
    # In another workspace, --copt is that of its own code, -Wshadow and -Werror say, and the compiler is any.
    return _OWN_COPTS if native.repository_name() == "@" else ["-w"]

# The code of tests runs once, and a third of the time goes into making it fast.
_TEST_COPTS = select({
    "//:optimized": ["-O1"],
    "//conditions:default": [],
})

_HOT_COPTS = select({
    "//:optimized": ["-O3"],
    "//conditions:default": [],
})

def _visibility_for(audience):
    if audience == "public":
        return ["//visibility:public"]
    if audience == "tessera":
        return ["//:__subpackages__"]
    if audience != "folder":
        fail("audience is \"public\", \"tessera\" or \"folder\", and not \"%s\"" % audience)
    own = native.package_name().split("/")[0]
    return ["//%s:__subpackages__" % folder for folder in [own, "tests", "bench", "fuzz"]]

def tessera_cc_library(name, srcs = None, hdrs = None, audience = "folder", is_hot = False, copts = [], **kwargs):
    """A cc_library whose headers are included as "tessera/<folder>/<file>.h".

    Args:
      name: also the name of its header and its source, unless these are given.
      srcs: the sources; by default name.cc, if there is such a file.
      hdrs: the headers; by default name.h.
      audience: who may depend on it. "public": whoever links Tessera. "tessera": every folder of this repository.
        "folder": the top-level folder that it stands in, with the tests, benchmarks and fuzzers.
      is_hot: whether to optimize for speed above all. bench/ shows that it is worth it.
      copts: beside those of all libraries.
      **kwargs: as of cc_library.
    """
    cc_library(
        name = name,
        srcs = native.glob([name + ".cc"]) if srcs == None else srcs,
        hdrs = [name + ".h"] if hdrs == None else hdrs,
        copts = _copts() + (_HOT_COPTS if is_hot else []) + copts,
        include_prefix = "tessera/" + native.package_name(),
        visibility = kwargs.pop("visibility", _visibility_for(audience)),
        **kwargs
    )

def tessera_cc_binary(name, copts = [], **kwargs):
    cc_binary(
        name = name,
        copts = _copts() + copts,
        **kwargs
    )

def tessera_cc_test(name, copts = [], deps = [], size = "small", **kwargs):
    """A GoogleTest suite; main() comes with it."""
    cc_test(
        name = name,
        size = size,
        copts = _copts() + _TEST_COPTS + copts,
        linkstatic = True,
        deps = deps + ["@com_google_googletest//:gtest_main"],
        **kwargs
    )
