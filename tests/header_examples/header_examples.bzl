"""The tests that the examples in public headers make up (extract_examples.py says what an example is)."""

load("//:tessera.bzl", "tessera_cc_test")

_Headers = provider(
    doc = "The headers of a cc_library, and of all that it depends on.",
    fields = ["headers"],
)

def _headers_impl(target, ctx):
    own = ctx.rule.files.hdrs if hasattr(ctx.rule.files, "hdrs") else []
    deps = ctx.rule.attr.deps if hasattr(ctx.rule.attr, "deps") else []
    return [_Headers(headers = depset(
        [header for header in own if header.is_source and header.owner.workspace_name == ""],
        transitive = [dep[_Headers].headers for dep in deps if _Headers in dep],
    ))]

_headers = aspect(
    implementation = _headers_impl,
    attr_aspects = ["deps"],
)

def _extracted_examples_impl(ctx):
    headers = depset(transitive = [dep[_Headers].headers for dep in ctx.attr.deps])
    arguments = ctx.actions.args()
    arguments.add(ctx.outputs.out)
    arguments.add(ctx.file._api_page)
    arguments.add_joined(ctx.attr.folders, join_with = ",")
    arguments.add_joined(ctx.attr.all_folders, join_with = ",")
    arguments.add_all(headers)
    ctx.actions.run(
        executable = ctx.executable._extract_examples,
        arguments = [arguments],
        inputs = depset([ctx.file._api_page], transitive = [headers]),
        outputs = [ctx.outputs.out],
        mnemonic = "ExtractExamples",
    )

_extracted_examples = rule(
    implementation = _extracted_examples_impl,
    attrs = {
        "all_folders": attr.string_list(),
        "deps": attr.label_list(aspects = [_headers]),
        "folders": attr.string_list(),
        "out": attr.output(),
        "_api_page": attr.label(allow_single_file = True, default = "//:docs/api.md"),
        "_extract_examples": attr.label(cfg = "exec", default = ":extract_examples", executable = True),
    },
)

def header_examples_tests(tests):
    """Tests of the examples with which the public headers open.

    Args:
      tests: by name, the top-level folders whose headers it tests, and targets that have these headers and what their
        examples include.
    """
    all_folders = [folder for folders, _ in tests.values() for folder in folders]
    for name, (folders, deps) in tests.items():
        _extracted_examples(
            name = name + "_source",
            testonly = True,
            all_folders = all_folders,
            folders = folders,
            out = name + ".cc",
            deps = deps,
        )
        tessera_cc_test(
            name = name,
            srcs = [name + ".cc"],
            # An example names values for people to read and does not use them all. It is compiled more often than run.
            copts = ["-Wno-unused", "-O0"],
            deps = deps + [":header_examples"],
        )
