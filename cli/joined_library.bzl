"""A library whose sources are compiled together, a folder at a time.

Most of the time of a compiler goes into headers that each source reads anew. For whoever builds the command once, and
changes nothing, the same sources in a few dozen translation units take a third of the time. Tests and other programs link
the libraries as they stand in the BUILD files.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

_Sources = provider(fields = {"of": "depset of structs: label, package, is_hot, files"})

def _collect_impl(target, ctx):
    transitive = [dep[_Sources].of for dep in getattr(ctx.rule.attr, "deps", []) if _Sources in dep]
    direct = []
    is_own = ctx.rule.kind == "cc_library" and not target.label.workspace_name

    # What stamps, is linked whole, or reads itself once for each kind of processor (Highway) stays what it is.
    if is_own and not ctx.rule.attr.linkstamp and not ctx.rule.attr.alwayslink and "no-join" not in ctx.rule.attr.tags:
        files = [file for file in ctx.rule.files.srcs if file.extension == "cc"]
        if files:
            direct.append(struct(
                label = target.label,
                package = target.label.package,
                is_hot = "-O3" in ctx.rule.attr.copts,
                files = tuple(files),
            ))
    return [_Sources(of = depset(direct, transitive = transitive))]

_collect = aspect(
    implementation = _collect_impl,
    attr_aspects = ["deps"],
)

def _batch_of(library, batches):
    """Returns the name of the batch that a library's sources are compiled in: that of its folder, or its folder alone."""
    for name, folders in batches.items():
        for folder in folders:
            if library.package == folder or library.package.startswith(folder + "/"):
                return name
    return library.package.replace("/", "_")

def _joined_library_impl(ctx):
    dep = ctx.attr.dep
    libraries = dep[_Sources].of.to_list()
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )

    batches = {}
    for library in libraries:
        key = (_batch_of(library, ctx.attr.batches), library.is_hot)
        batches.setdefault(key, []).extend(library.files)
    headers = dep[CcInfo].compilation_context
    contexts = []
    for is_hot in [False, True]:
        sources, units = [], []
        for (name, hot), files in batches.items():
            if hot != is_hot:
                continue
            paths = sorted([file.path for file in files])
            unit = ctx.actions.declare_file("%s/%s%s.cc" % (ctx.label.name, name, "_hot" if hot else ""))
            ctx.actions.write(unit, "".join(["#include \"%s\"\n" % path for path in paths]))
            units.append(unit)
            sources.extend(files)
        if not units:
            continue
        _, outputs = cc_common.compile(
            name = ctx.label.name + ("_hot" if is_hot else ""),
            actions = ctx.actions,
            feature_configuration = features,
            cc_toolchain = toolchain,
            srcs = units,
            compilation_contexts = [headers, cc_common.create_compilation_context(headers = depset(sources))],
            user_compile_flags = ["-w"] + (["-O3"] if is_hot else []),
        )
        context, _ = cc_common.create_linking_context_from_compilation_outputs(
            name = ctx.label.name + ("_hot" if is_hot else ""),
            actions = ctx.actions,
            feature_configuration = features,
            cc_toolchain = toolchain,
            compilation_outputs = outputs,
            disallow_dynamic_library = True,
        )
        contexts.append(context)

    joined = {library.label: True for library in libraries}
    others = [item for item in dep[CcInfo].linking_context.linker_inputs.to_list() if item.owner not in joined]
    contexts.append(cc_common.create_linking_context(linker_inputs = depset(others, order = "topological")))
    return [CcInfo(
        compilation_context = headers,
        linking_context = cc_common.merge_cc_infos(
            cc_infos = [CcInfo(linking_context = context) for context in contexts],
        ).linking_context,
    )]

joined_library = rule(
    implementation = _joined_library_impl,
    attrs = {
        "batches": attr.string_list_dict(doc = "The top folders whose sources are compiled together, by the name of the batch."),
        "dep": attr.label(aspects = [_collect], providers = [CcInfo], doc = "The library that is built so, with all that it needs."),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    provides = [CcInfo],
)
