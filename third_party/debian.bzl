"""Satisfies every repository that Tessera's BUILD files name from Debian 12 packages.

Nothing is downloaded: Debian's Bazel 4.2.3 cannot fetch, and need not. A consumer's
WORKSPACE calls the same function; one that already has Abseil, protobuf and so on under
their usual names calls nothing and keeps its own.
"""

# Abseil's targets under the labels that upstream uses. Debian's libraries are linked as one
# set, because the gold linker refuses libraries that are reached only through another one.
_ABSL_TARGETS = {
    "absl/algorithm": ["container"],
    "absl/base": ["core_headers", "endian"],
    "absl/cleanup": ["cleanup"],
    "absl/container": ["fixed_array", "flat_hash_map", "flat_hash_set", "inlined_vector"],
    "absl/functional": ["function_ref"],
    "absl/hash": ["hash", "hash_testing"],
    "absl/memory": ["memory"],
    "absl/numeric": ["bits", "int128"],
    "absl/random": ["random"],
    "absl/status": ["status", "statusor"],
    "absl/strings": ["cord", "str_format", "strings"],
    "absl/time": ["time"],
    "absl/types": ["optional", "span", "variant"],
}

# What `pkg-config --libs` prints for the targets above, in its order.
_ABSL_LIBRARIES = [
    "random_distributions",
    "random_seed_sequences",
    "random_internal_pool_urbg",
    "random_internal_randen",
    "random_internal_randen_hwaes",
    "random_internal_randen_hwaes_impl",
    "random_internal_randen_slow",
    "random_internal_platform",
    "random_internal_seed_material",
    "random_seed_gen_exception",
    "raw_hash_set",
    "hashtablez_sampler",
    "hash",
    "city",
    "low_level_hash",
    "statusor",
    "status",
    "cord",
    "cordz_info",
    "cord_internal",
    "cordz_functions",
    "exponential_biased",
    "cordz_handle",
    "synchronization",
    "graphcycles_internal",
    "time",
    "civil_time",
    "time_zone",
    "bad_optional_access",
    "stacktrace",
    "strerror",
    "symbolize",
    "debugging_internal",
    "demangle_internal",
    "malloc_internal",
    "bad_variant_access",
    "str_format_internal",
    "strings",
    "strings_internal",
    "base",
    "spinlock_wait",
    "int128",
    "throw_delegate",
    "raw_logging_internal",
    "log_severity",
]

def _header(name):
    return "workspace(name = \"%s\")\n" % name

def _cc_library(name, linkopts = [], deps = []):
    return """cc_library(
    name = "{name}",
    linkopts = {linkopts},
    visibility = ["//visibility:public"],
    deps = {deps},
)
""".format(name = name, linkopts = linkopts, deps = deps)

def _absl_impl(ctx):
    ctx.file("WORKSPACE", _header(ctx.name))
    ctx.file("BUILD", _cc_library("debian", linkopts = ["-labsl_" + x for x in _ABSL_LIBRARIES]))
    for package, targets in _ABSL_TARGETS.items():
        ctx.file(
            package + "/BUILD",
            "".join([_cc_library(target, deps = ["//:debian"]) for target in targets]),
        )

_absl = repository_rule(implementation = _absl_impl, local = True)

# What a program links so that it starts fast: Debian's Abseil and protobuf as archives, whose relocations and files are
# a third of the time, and two functions of Highway without its library. A program that links gRPC cannot have the
# archives, for gRPC's libraries bring Abseil along. Stands before the shared libraries of the targets above, which
# --as-needed then leaves out.
def _fast_start_impl(ctx):
    ctx.file("WORKSPACE", _header(ctx.name))
    ctx.symlink(Label("//third_party:highway_targets.cc"), "highway_targets.cc")
    archives = ["-l:libprotobuf.a"] + ["-l:libabsl_%s.a" % x for x in _ABSL_LIBRARIES]
    ctx.file("BUILD", """cc_library(
    name = "fast_start",
    srcs = ["highway_targets.cc"],
    # It stands before all that needs it.
    alwayslink = True,
    linkopts = {linkopts},
    visibility = ["//visibility:public"],
)
""".format(linkopts = ["-Wl,--as-needed", "-Wl,--start-group"] + archives + ["-Wl,--end-group", "-ldl"]))

_fast_start = repository_rule(implementation = _fast_start_impl, local = True)

def _library_impl(ctx):
    ctx.file("WORKSPACE", _header(ctx.name))
    content = ""
    for target in sorted(ctx.attr.targets):
        content += _cc_library(target, linkopts = ctx.attr.targets[target])
    ctx.file("BUILD", content)

# A repository of system libraries: target name -> linker options. The headers stand in
# /usr/include, where the compiler looks anyway.
_system_library = repository_rule(
    implementation = _library_impl,
    attrs = {"targets": attr.string_list_dict(mandatory = True)},
    local = True,
)

def _protobuf_impl(ctx):
    ctx.file("WORKSPACE", _header(ctx.name))

    # Where protobuf has its rules since version 27.
    ctx.file("bazel/BUILD", "")
    ctx.file("bazel/cc_proto_library.bzl", "def cc_proto_library(**kwargs):\n    native.cc_proto_library(**kwargs)\n")
    ctx.file("bazel/proto_library.bzl", """load("@rules_proto//proto:defs.bzl", _proto_library = "proto_library")

proto_library = _proto_library
""")
    ctx.symlink("/usr/bin/protoc", "debian_protoc")
    ctx.file("BUILD", """load("@rules_proto//proto:defs.bzl", "proto_lang_toolchain")

package(default_visibility = ["//visibility:public"])

exports_files(["debian_protoc"])

# Wrapped, so that Bazel has an executable target with a stable name to run.
sh_binary(
    name = "protoc",
    srcs = ["debian_protoc"],
)

cc_library(
    name = "protobuf",
    linkopts = ["-lprotobuf", "-lpthread"],
)

proto_lang_toolchain(
    name = "cc_toolchain",
    command_line = "--cpp_out=$(OUT)",
    runtime = ":protobuf",
)
""")

_protobuf = repository_rule(implementation = _protobuf_impl, local = True)

def _grpc_impl(ctx):
    ctx.file("WORKSPACE", _header(ctx.name))
    content = """package(default_visibility = ["//visibility:public"])

"""
    for language in ["cpp", "python"]:
        plugin = "grpc_%s_plugin" % language
        ctx.symlink("/usr/bin/" + plugin, "debian_" + plugin)
        content += """sh_binary(
    name = "{plugin}",
    srcs = ["debian_{plugin}"],
)

""".format(plugin = plugin)

    # gold refuses what is reached only through another library.
    content += _cc_library(
        "grpc++",
        linkopts = ["-lgrpc++", "-lgrpc", "-lgpr", "-labsl_synchronization"],
        deps = ["@com_google_protobuf//:protobuf"],
    )
    content += _cc_library(
        "grpc++_reflection",
        linkopts = ["-lgrpc++_reflection"],
        deps = [":grpc++"],
    )
    ctx.file("BUILD", content)

_grpc = repository_rule(implementation = _grpc_impl, local = True)

def _cpp_httplib_impl(ctx):
    ctx.file("WORKSPACE", _header(ctx.name))

    # A compiled library in Debian: without its own defines its classes have other sizes.
    ctx.file("BUILD", """cc_library(
    name = "httplib",
    defines = [
        "CPPHTTPLIB_BROTLI_SUPPORT",
        "CPPHTTPLIB_OPENSSL_SUPPORT",
        "CPPHTTPLIB_ZLIB_SUPPORT",
    ],
    linkopts = [
        "-lcpp-httplib",
        "-lssl",
        "-lcrypto",
        "-lz",
        "-lbrotlienc",
        "-lbrotlidec",
        "-lpthread",
    ],
    visibility = ["//visibility:public"],
)
""")

_cpp_httplib = repository_rule(implementation = _cpp_httplib_impl, local = True)

# Debian's rules_cc is too new for Debian's Bazel; the native rules are all that is needed.
def _rules_cc_impl(ctx):
    ctx.file("WORKSPACE", _header(ctx.name))
    ctx.file("BUILD", "")
    ctx.file("cc/BUILD", "")
    content = ""
    for rule in [
        "cc_binary",
        "cc_import",
        "cc_library",
        "cc_proto_library",
        "cc_test",
        "cc_toolchain",
        "cc_toolchain_suite",
        "fdo_prefetch_hints",
        "fdo_profile",
        "objc_import",
        "objc_library",
    ]:
        content += "def {rule}(**kwargs):\n    native.{rule}(**kwargs)\n\n".format(rule = rule)
    ctx.file("cc/defs.bzl", content)

_rules_cc = repository_rule(implementation = _rules_cc_impl, local = True)

# What rules_shell has for Bazel 8, which lost the native rules.
def _rules_shell_impl(ctx):
    ctx.file("WORKSPACE", _header(ctx.name))
    ctx.file("shell/BUILD", "")
    for rule in ["sh_binary", "sh_test"]:
        ctx.file("shell/%s.bzl" % rule, "def {rule}(**kwargs):\n    native.{rule}(**kwargs)\n".format(rule = rule))

_rules_shell = repository_rule(implementation = _rules_shell_impl, local = True)

def _empty_impl(ctx):
    ctx.file("WORKSPACE", _header(ctx.name))
    ctx.file("BUILD", "filegroup(name = \"%s\", visibility = [\"//visibility:public\"])\n" %
                      "coverage_report_generator")

_empty = repository_rule(implementation = _empty_impl, local = True)

# The headers of Python stand in a folder of their version, which is asked for when a target needs them.
def _pybind11_impl(ctx):
    ctx.file("WORKSPACE", _header(ctx.name))
    found = ctx.execute([
        "/usr/bin/python3",
        "-c",
        "import sysconfig as s; print(s.get_path('include'), s.get_config_var('LDVERSION'))",
    ])
    if found.return_code != 0:
        fail("Python is not there: apt-get install python3-dev\n" + found.stderr)
    include, version = found.stdout.strip().split(" ")
    ctx.symlink(include, "include")
    ctx.file("BUILD", """load("@rules_cc//cc:defs.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

cc_library(
    name = "pybind11",
    hdrs = glob(["include/**/*.h"]),
    includes = ["include"],
)

cc_library(
    name = "python",
    linkopts = ["-lpython%s"],
    deps = [":pybind11"],
)
""" % version)

pybind11 = repository_rule(implementation = _pybind11_impl, local = True)

def tessera_debian_repositories():
    """Declares the repositories; one that the caller has declared already is left alone."""
    existing = native.existing_rules()

    for name, path in {
        "rules_proto": "/usr/share/bazel/rules/proto",
        "rules_java": "/usr/share/bazel/rules/java",
        "bazel_skylib": "/usr/share/bazel/tools/skylib",
        "platforms": "/usr/share/bazel/platforms",
    }.items():
        if name not in existing:
            native.local_repository(name = name, path = path)
    if "rules_cc" not in existing:
        _rules_cc(name = "rules_cc")
    if "rules_shell" not in existing:
        _rules_shell(name = "rules_shell")
    if "remote_coverage_tools" not in existing:
        _empty(name = "remote_coverage_tools")
    if "com_google_absl" not in existing:
        _absl(name = "com_google_absl")
    if "com_google_protobuf" not in existing:
        _protobuf(name = "com_google_protobuf")
    if "com_github_grpc_grpc" not in existing:
        _grpc(name = "com_github_grpc_grpc")
    if "fast_start" not in existing:
        _fast_start(name = "fast_start")
    if "pybind11" not in existing:
        pybind11(name = "pybind11")
    if "cpp_httplib" not in existing:
        _cpp_httplib(name = "cpp_httplib")
    for name, targets in {
        "com_google_googletest": {
            "gtest": ["-lgmock", "-lgtest", "-lpthread"],
            "gtest_main": ["-lgmock_main", "-lgmock", "-lgtest", "-lpthread"],
        },
        "com_github_google_benchmark": {
            "benchmark": ["-lbenchmark", "-lpthread"],
        },
        "cli11": {"cli11": []},
        "nlohmann_json": {"json": []},
        # A program that asks for no kernel does not load it.
        "com_google_highway": {"hwy": ["-Wl,--push-state,--as-needed,-lhwy,--pop-state"]},
        "zlib": {"zlib": ["-lz"]},
    }.items():
        if name not in existing:
            _system_library(name = name, targets = targets)
