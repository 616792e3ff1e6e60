"""The rooms of the product, read from the BUILD files, which with tessera.bzl are Python enough to be run as such."""

import fnmatch
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Of this repository, and of no room.
_OTHER_FOLDERS = ("bazel-", "build", "third_party", "cmake", "docs", "tessera")


class Room:
    """A library of tessera_room, or the suites of tessera_tests: its label and folder, files, dependencies and headers."""

    def __init__(self, kind, folder, attributes, files):
        self.kind = kind
        self.folder = folder
        self.name = attributes["name"]
        self.label = full_label(folder, ":" + self.name)
        self.deps = [full_label(folder, dep) for dep in attributes.get("deps", [])]
        self.generated = [label.lstrip(":") for label in attributes.get("generated_hdrs", [])]
        self.hot = [f"{folder}/{path}" for path in attributes.get("hot", [])]
        # The sources that are a unit by themselves.
        self.alone = [f"{folder}/{path}" for unit in attributes.get("apart", []) for path in unit if len(unit) == 1]
        self.earlier = {f"{folder}/{path}": earlier for path, earlier in attributes.get("earlier_paths", {}).items()}
        self.audience = attributes.get("audience", "tessera")
        self.files = files
        self._attributes = attributes

    @property
    def sources(self):
        return [path for path in self.files if path.endswith(".cc")]

    @property
    def headers(self):
        return [path for path in self.files if path.endswith(".h")]

    def audience_of(self, header):
        """Who may include the header: "public", "tessera", or "folder" for the room alone."""
        path = header[len(self.folder) + 1:]

        if matches(path, self._attributes.get("private", [])):
            return "folder"
        if matches(path, self._attributes.get("for_tessera", [])):
            return "tessera"
        folder = path.rpartition("/")[0]
        return self.audience if folder in ["", *self._attributes.get("public_folders", [])] else "folder"


def matches(path, patterns):
    """Whether one of the patterns, as of glob, is the path's."""
    parts = path.split("/")
    return any(len(parts) == pattern.count("/") + 1 and all(map(fnmatch.fnmatchcase, parts, pattern.split("/")))
               for pattern in patterns)


def full_label(folder, label):
    """The label with its folder and without a name that is the folder's."""
    if label.startswith(":"):
        label = f"//{folder}{label}"
    package, _, name = label.partition(":")
    return package if name == package.split("/")[-1] else label


def folders():
    """Those with a BUILD file, as paths."""
    return sorted(str(build.parent.relative_to(ROOT)) for build in ROOT.glob("*/**/BUILD")
                  if not str(build.relative_to(ROOT)).startswith(_OTHER_FOLDERS))


def files_below(folder, all_folders):
    """The sources and headers of the folder and of those below it that have no BUILD file."""
    below = [path for path in all_folders if path.startswith(folder + "/")]
    found = sorted(str(path.relative_to(ROOT)) for suffix in ["cc", "h"] for path in (ROOT / folder).rglob("*." + suffix))
    return [path for path in found if not any(path.startswith(other + "/") for other in below)]


def rules_of(folder):
    """The calls of a BUILD file, as pairs of the name of a rule and its arguments."""
    calls = []

    class Anything(dict):
        def __missing__(self, name):
            if name in ("len", "range", "sorted"):
                raise KeyError(name)
            return lambda *args, **kwargs: calls.append((name, kwargs))

    def glob(patterns, exclude=(), **_):
        # Of names in the folder, which is what BUILD files make rules of.
        names = [path.name for pattern in patterns if "/" not in pattern for path in (ROOT / folder).glob(pattern)]
        return sorted(name for name in names if not matches(name, exclude))

    names = Anything({"COLD_COPTS": [], "glob": glob, "load": lambda *args: None, "package": lambda **kwargs: None,
                      "licenses": lambda *args: None, "__builtins__": __builtins__})
    exec(compile((ROOT / folder / "BUILD").read_text(), f"{folder}/BUILD", "exec"), names)
    return calls


def rooms():
    """All rooms and suites, by label."""
    all_folders = folders()
    found = {}
    for folder in all_folders:
        calls = [(kind, attributes) for kind, attributes in rules_of(folder) if kind in ("tessera_room", "tessera_tests")]
        files = files_below(folder, all_folders)
        for kind, attributes in calls:
            if kind == "tessera_tests":
                attributes = {"name": "tests", **attributes}
                own = [path for path in files if path.endswith("_test.cc")]
            elif "srcs" in attributes:
                own = [f"{folder}/{path}" for path in attributes["srcs"] + attributes["hdrs"]]
            else:
                own = [path for path in files if not matches(path[len(folder) + 1:], attributes.get("exclude", []))]
            room = Room(kind, folder, attributes, own)
            found[room.label] = room
    return found


def messages():
    """The labels of the messages' libraries, by the header that protoc makes of them: //proto:layout_service."""
    found = {}
    protos = {}
    for kind, attributes in rules_of("proto"):
        if kind == "proto_library":
            protos[":" + attributes["name"]] = attributes["srcs"]
        if kind == "cc_proto_library":
            for dep in attributes["deps"]:
                for source in protos[dep]:
                    header = "proto/" + re.sub(r"\.proto$", ".pb.h", source)
                    found[header] = full_label("proto", ":" + attributes["name"])
        if kind == "cc_library":
            for header in attributes["hdrs"]:
                found["proto/" + header] = full_label("proto", ":" + attributes["name"])
    return found


def includes(path):
    """What a file includes in quotation marks."""
    return re.findall(r'^#include "([^"]+)"', (ROOT / path).read_text(), re.M)
