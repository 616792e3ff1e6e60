"""A room: the folder of a BUILD file and the folders below it, as one library (tessera.bzl has the macro).

Most of the time of a compiler goes into headers that each source reads anew. So the sources of a folder are compiled as one
unit, which takes a third of the time.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _path_in_room(ctx, file):
    """The path of a source below the folder of the room."""
    return file.short_path.split(ctx.label.package + "/", 1)[1]

def _with_earlier_headers(ctx, features, toolchain, headers):
    """The headers, and under the paths that they had before such as include them."""
    forwards = []
    for path, earlier in ctx.attr.earlier_paths.items():
        forward = ctx.actions.declare_file("earlier/" + earlier)
        ctx.actions.write(forward, "#include \"tessera/%s/%s\"\n" % (ctx.label.package, path))
        forwards.append(forward)
    context, _ = cc_common.compile(
        name = ctx.label.name + "_earlier",
        actions = ctx.actions,
        feature_configuration = features,
        cc_toolchain = toolchain,
        public_hdrs = forwards,
        include_prefix = "tessera",
        strip_include_prefix = "earlier",
        compilation_contexts = [headers],
    )
    return context

def _room_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    deps = [dep[CcInfo] for dep in ctx.attr.deps]
    headers, _ = cc_common.compile(
        name = ctx.label.name,
        actions = ctx.actions,
        feature_configuration = features,
        cc_toolchain = toolchain,
        public_hdrs = ctx.files.hdrs,
        include_prefix = "tessera/" + ctx.label.package,
        compilation_contexts = [dep.compilation_context for dep in deps],
    )

    if ctx.attr.earlier_paths:
        headers = _with_earlier_headers(ctx, features, toolchain, headers)

    sources = {_path_in_room(ctx, file): file for file in ctx.files.srcs}
    outputs = []
    for is_hot in [False, True]:
        units = []
        for name, paths in ctx.attr.units.items():
            if (name in ctx.attr.hot_units) != is_hot:
                continue
            if len(paths) == 1:
                units.append(sources[paths[0]])
                continue
            unit = ctx.actions.declare_file("%s_units/%s.cc" % (ctx.label.name, name))
            ctx.actions.write(unit, "".join(["#include \"%s/%s\"\n" % (ctx.label.package, path) for path in paths]))
            units.append(unit)
        if not units:
            continue
        _, output = cc_common.compile(
            name = ctx.label.name + ("_hot" if is_hot else "_units"),
            actions = ctx.actions,
            feature_configuration = features,
            cc_toolchain = toolchain,
            srcs = units,
            # What includes the room does not see its sources.
            compilation_contexts = [headers, cc_common.create_compilation_context(headers = depset(ctx.files.srcs))],
            user_compile_flags = ctx.attr.copts + (ctx.attr.hot_copts if is_hot else []),
        )
        outputs.append(output)

    linked = {}
    if outputs:
        linking, library = cc_common.create_linking_context_from_compilation_outputs(
            name = ctx.label.name,
            actions = ctx.actions,
            feature_configuration = features,
            cc_toolchain = toolchain,
            compilation_outputs = cc_common.merge_compilation_outputs(compilation_outputs = outputs),
            linking_contexts = [dep.linking_context for dep in deps],
            user_link_flags = ctx.attr.linkopts,
            disallow_dynamic_library = True,
            alwayslink = ctx.attr.alwayslink,
        )
        made = library.library_to_link
        linked = {"files": depset([file for file in [made.static_library, made.pic_static_library] if file])}
    else:
        linking = cc_common.merge_cc_infos(cc_infos = deps).linking_context
    runfiles = ctx.runfiles(files = ctx.files.data)
    for dep in ctx.attr.deps + ctx.attr.data:
        runfiles = runfiles.merge(dep[DefaultInfo].default_runfiles)
    return [
        DefaultInfo(runfiles = runfiles, **linked),
        CcInfo(compilation_context = headers, linking_context = linking),
        coverage_common.instrumented_files_info(ctx, source_attributes = ["srcs", "hdrs"], dependency_attributes = ["deps"]),
    ]

room = rule(
    implementation = _room_impl,
    attrs = {
        "alwayslink": attr.bool(),
        "copts": attr.string_list(),
        "data": attr.label_list(allow_files = True),
        "deps": attr.label_list(providers = [CcInfo]),
        "earlier_paths": attr.string_dict(doc = "The paths that headers had before, below tessera/, by those of today in the room."),
        "hdrs": attr.label_list(allow_files = [".h"]),
        "hot_copts": attr.string_list(),
        "hot_units": attr.string_list(doc = "The names of the units that are compiled with hot_copts."),
        "linkopts": attr.string_list(),
        "srcs": attr.label_list(allow_files = [".cc"]),
        "units": attr.string_list_dict(doc = "The paths of the sources that make up a unit, by its name."),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    provides = [CcInfo],
)

def _test_unit_impl(ctx):
    unit = ctx.actions.declare_file(ctx.label.name + ".cc")
    ctx.actions.run_shell(
        inputs = ctx.files.srcs,
        outputs = [unit],
        arguments = [unit.path] + [file.path for file in ctx.files.srcs],
        # The lines keep their numbers.
        command = """
            unit=$1
            shift
            for file; do
              name=${file##*/}
              echo "#line 1 \\"$file\\""
              sed "s|^namespace {\\$|namespace ${name%.cc} { namespace {|; s|^}  // namespace\\$|} }|" "$file"
            done >"$unit"
        """,
        mnemonic = "JoinTests",
        progress_message = "Joining " + ctx.label.name,
    )
    return [DefaultInfo(files = depset([unit]))]

# One file of the sources of several tests, in which each source has a namespace of its own that has its name, so that names
# in anonymous namespaces may be the same.
test_unit = rule(
    implementation = _test_unit_impl,
    attrs = {"srcs": attr.label_list(allow_files = [".cc"], mandatory = True)},
)
