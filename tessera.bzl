"""The build rules of every Tessera package.

Warnings are errors, and headers are included as "tessera/<folder>/<file>.h". A folder of the product is a room: one library,
of all that lies in it and below it. Its BUILD file says what it leans on and who may lean on it:

    tessera_room(name = "strided", audience = "public", deps = ["//index_map", "//layout", "//base/math", "//base/text"])
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")
load("//:room.bzl", "room", "test_unit")

_WARNINGS = [
    "-Wall",
    "-Wextra",
    "-Werror",
]

_OWN_COPTS = _WARNINGS + select({
    "//:clang": [],
    "//conditions:default": [
        # gcc 12 takes an empty absl::InlinedVector that is moved for a read of what was never written; clang does not
        # know the warning.
        "-Wno-maybe-uninitialized",
        # gcc collects garbage less often, and takes a tenth less time and a quarter more memory.
        "--param=ggc-min-expand=1000",
        "--param=ggc-min-heapsize=4000000",
    ],
})

def _copts():
    # In another workspace, --copt is that of its own code, -Wshadow and -Werror say, and the compiler is any.
    return _OWN_COPTS if native.repository_name() == "@" else ["-w"]

# The code of a test runs once: to make it fast takes longer than it runs. Those that run long are optimized.
_TEST_COPTS = select({
    "//:optimized": ["-O0"],
    "//conditions:default": [],
})

# What prints and calls the rest, and computes nothing itself: -O2 takes a quarter longer to compile.
COLD_COPTS = select({
    "//:optimized": ["-O1"],
    "//conditions:default": [],
})

_HOT_COPTS = select({
    "//:optimized": ["-O3"],
    "//conditions:default": [],
})

# What is used of Abseil. All of it, for every room: whoever includes one of its headers includes a dozen others.
ABSL = ["@com_google_absl//absl/" + target for target in [
    "algorithm:container",
    "base:core_headers",
    "cleanup",
    "container:flat_hash_map",
    "container:flat_hash_set",
    "container:inlined_vector",
    "functional:function_ref",
    "hash",
    "memory",
    "numeric:bits",
    "numeric:int128",
    "status",
    "status:statusor",
    "strings",
    "strings:cord",
    "strings:str_format",
    "time",
    "types:optional",
    "types:span",
    "types:variant",
]]

# A folder is one object file, of which a program takes what it calls.
_SECTION_COPTS = [
    "-ffunction-sections",
    "-fdata-sections",
]
_SECTION_LINKOPTS = ["-Wl,--gc-sections"]

# Targets of one header each, which are rooms now. They stay for one release, as other names of the rooms.
_OLD_NAMES = {
    "any_layout": [
        "layout_family",
    ],
    "cute": [
        "basis",
        "composed_layout",
        "coordinates",
        "identity_layout",
        "int_tuple",
        "layout",
        "layout_function",
        "layout_values",
        "modes",
        "parse",
        "shape_division",
        "swizzle",
        "text_form",
        "tile_extents",
        "tiler",
        "to_index_map",
    ],
    "hlo": [
        "dump_folder",
        "hlo_attributes",
        "hlo_call_kind",
        "hlo_counts",
        "hlo_handler",
        "hlo_module",
        "hlo_opcode",
        "hlo_printer",
        "hlo_reader",
        "hlo_shape_table",
        "hlo_string",
        "hlo_target",
        "hlo_users",
        "instruction_origin",
        "log_prefixes",
        "parse_hlo",
        "strict_rules",
    ],
    "index_map": [
        "algebra",
        "batch_index_map",
        "element_runs",
        "map_structure",
        "position_kind",
        "position_unit",
        "same_function",
        "slice_positions",
    ],
    "index_util": [
        "array_sizes",
        "bitcast",
        "derivation",
        "description",
        "for_each_index",
        "tile_extents",
        "tiled_index",
        "to_index_map",
    ],
    "layout": [
        "layout_proto",
        "layout_utilities",
        "memory_space",
        "primitive_type",
        "tile",
        "validate_layout",
        "violation",
    ],
    "parser": [
        "parse_options",
    ],
    "relayout": [
        "loop_nest",
        "relayout_plan",
        "shape_relayout",
    ],
    "service": [
        "answer_json",
        "layout_service",
        "service_options",
    ],
    "shape": [
        "shape_index",
        "shape_proto",
        "shape_utilities",
        "validate_shape",
    ],
    "strided": [
        "parse",
        "strided_array",
    ],
    "tenstorrent": [
        "aligned_layout",
        "dimensions",
        "element_type",
        "element_type_parser",
        "face",
        "form_conversion",
        "geometry",
        "location",
        "metal_layout",
        "placement",
        "rule",
        "tensor",
        "to_index_map",
        "ttnn_layout",
        "verification",
    ],
    "viz": [
        "layout_picture",
        "memory_map",
        "picture",
        "picture_style",
        "svg_picture",
        "text_picture",
        "tile_levels",
    ],
}

def _visibility_for(audience):
    if audience == "public":
        return ["//visibility:public"]
    if audience == "tessera":
        return ["//:__subpackages__"]
    if audience != "folder":
        fail("audience is \"public\", \"tessera\" or \"folder\", and not \"%s\"" % audience)
    own = native.package_name().split("/")[0]
    return ["//%s:__subpackages__" % folder for folder in [own, "tests"]]

def tessera_room(
        name,
        deps = [],
        audience = "tessera",
        public_folders = [],
        for_tessera = [],
        private = [],
        apart = [],
        hot = [],
        exclude = [],
        srcs = None,
        hdrs = None,
        generated_hdrs = [],
        earlier_paths = {},
        copts = [],
        linkopts = [],
        alwayslink = False,
        data = [],
        testonly = False):
    """A library of all sources and headers of this folder and of those below it that have no BUILD file of their own.

    The sources of a folder are compiled as one unit, so that names in anonymous namespaces differ within a room.
    .ci/check_includes refuses an include of a room that is not in deps, and one of a header that is not for the includer.

    Args:
      name: of the room: its folder's.
      deps: the other rooms that it includes, and libraries of others. Abseil comes by itself.
      audience: who may lean on it, and include the headers of its own folder. "public": whoever links Tessera. "tessera":
        every folder of this repository. "folder": the top-level folder that it stands in, with the tests, benchmarks and
        fuzzers.
      public_folders: those below whose headers have the same audience. Headers of the others are private to the room.
      for_tessera: exceptions to that: patterns of headers that all of this repository may include.
      private: exceptions, too: patterns of headers that the room alone may include.
      apart: lists of sources that make up units of their own. Such are files that Highway includes once for each kind of
        processor, and what a program should be able to leave out with the libraries that it needs.
      hot: sources to optimize for speed above all. tests/bench/ shows that it is worth it.
      exclude: patterns of sources and headers that belong to other rules.
      srcs: the sources, where this rule is one of several of its folder.
      hdrs: the headers, in the same case.
      generated_hdrs: headers that other rules write.
      earlier_paths: the paths below tessera/ that public headers had in the release before, by their paths in the room. Programs
        may include these for one release more.
      copts: beside those of all rooms.
      linkopts: beside those of all rooms.
      alwayslink: whether a program takes all of it.
      data: files that it reads.
      testonly: whether it is for tests alone.
    """
    if srcs == None:
        srcs = native.glob(["**/*.cc"], exclude = exclude)
    if hdrs == None:
        hdrs = native.glob(["**/*.h"], exclude = exclude)
    units = {}
    hot_units = []
    named = {}
    for paths in apart:
        unit = paths[0].replace("/", "_").replace(".cc", "")
        units[unit] = paths
        named.update({path: True for path in paths})
        if paths[0] in hot:
            hot_units.append(unit)
    for path in srcs:
        if path in named:
            continue
        unit = (native.package_name() + "/" + path).rpartition("/")[0].replace("/", "_")
        if path in hot:
            unit += "_hot"
            if unit not in hot_units:
                hot_units.append(unit)
        units[unit] = units.get(unit, []) + [path]
    room(
        name = name,
        srcs = srcs,
        hdrs = hdrs + generated_hdrs,
        earlier_paths = earlier_paths,
        units = units,
        hot_units = hot_units,
        copts = _copts() + _SECTION_COPTS + copts,
        hot_copts = _HOT_COPTS,
        linkopts = _SECTION_LINKOPTS + linkopts,
        alwayslink = alwayslink,
        data = data,
        testonly = testonly,
        visibility = _visibility_for(audience),
        deps = deps + ABSL,
    )
    if native.package_name() == name:
        for old in _OLD_NAMES.get(name, []):
            native.alias(
                name = old,
                actual = ":" + name,
                tags = ["manual"],
                deprecation = "this target is //%s now, and goes with the next release" % name,
                visibility = ["//visibility:public"],
            )

def tessera_cc_binary(name, copts = [], **kwargs):
    cc_binary(
        name = name,
        copts = _copts() + copts,
        **kwargs
    )

def tessera_cc_test(name, copts = [], deps = [], size = "small", runs_long = False, **kwargs):
    """GoogleTest suites; main() comes with them."""
    cc_test(
        name = name,
        size = size,
        copts = _copts() + (COLD_COPTS if runs_long else _TEST_COPTS) + copts,
        linkstatic = True,
        deps = deps + ABSL + ["@com_google_googletest//:gtest_main"],
        **kwargs
    )

# So many sources are compiled as one unit: more take longer than whoever edits one of them cares to wait.
_TESTS_IN_UNIT = 8

def _tests_of_folder(name, srcs, **kwargs):
    units = (len(srcs) + _TESTS_IN_UNIT - 1) // _TESTS_IN_UNIT
    for i in range(units):
        test_unit(
            name = "%s_%d" % (name, i + 1),
            testonly = True,
            srcs = srcs[i * len(srcs) // units:(i + 1) * len(srcs) // units],
        )
    tessera_cc_test(
        name = name,
        # All suites of a folder, on a machine that may compile beside them.
        size = "medium",
        srcs = [":%s_%d" % (name, i + 1) for i in range(units)],
        **kwargs
    )

def tessera_tests(name = "tests", alone = {}, throws = False, deps = [], **kwargs):
    """The GoogleTest suites, *_test.cc, of a folder as one program, and those of each folder below it as FOLDER_tests.

    Args:
      name: of the program.
      alone: the suites that are programs of their own, by their paths without .cc, with what is special about each: those
        that replace what is global, change the process (folder, environment, limits, signals), or take long.
      throws: whether something is thrown in a program, which takes a quarter longer to compile.
      deps: of all of them.
      **kwargs: of the programs of folders, as of cc_test.
    """
    folders = {}
    for src in native.glob(["*_test.cc", "*/*_test.cc"], exclude = [suite + ".cc" for suite in alone]):
        folder = src.rpartition("/")[0]
        folders[folder] = folders.get(folder, []) + [src]
    for folder, srcs in folders.items():
        _tests_of_folder(
            name = folder + "_tests" if folder else name,
            srcs = srcs,
            copts = [] if throws else ["-fno-exceptions"],
            deps = deps,
            **kwargs
        )
    for suite, special in alone.items():
        tessera_cc_test(
            name = suite.rpartition("/")[2],
            srcs = [suite + ".cc"],
            deps = deps,
            runs_long = "size" in special,
            **special
        )
