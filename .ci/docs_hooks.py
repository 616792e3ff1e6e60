"""Hooks of mkdocs: the pages of the site that are not files of docs/.

README.md is the home page. A file or folder of the source tree that a page links to gets a page below source/, and so does
every public header, because a header is the manual of its functions.
"""

import functools
import pathlib
import posixpath
import re
import subprocess
import sys

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / ".ci"))
import rooms  # noqa: E402

# Pages of the source tree, and where they are on the site.
PAGES = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
LANGUAGES = {".cc": "cpp", ".h": "cpp", ".proto": "proto", ".py": "python", ".sh": "bash", ".yml": "yaml", ".txt": "text", ".js": "js"}
# The script by which the search works without a server.
SHIM = "third_party/iframe_worker/iframe-worker.js"
LINK = re.compile(r"(?<=\]\()([^)#\s]+)(?=(#[^)]*)?\))")
MOST_BYTES = 100_000


@functools.cache
def tracked():
    """The files of the source tree, and their folders."""
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    return {path for file in files if file for path in (file, *map(str, pathlib.PurePath(file).parents))} - {"."}


@functools.cache
def public_headers():
    return {header for room in rooms.rooms().values() for header in room.headers if room.audience_of(header) == "public"}


def place_of(path):
    """Where a file or folder of the source tree is on the site; None if it is not in the source tree."""
    if path in PAGES:
        return PAGES[path]
    if path.startswith("docs/") and (ROOT / path).is_file():
        return path.removeprefix("docs/")
    if path not in tracked():
        return None
    return f"source/{path}/index.md" if (ROOT / path).is_dir() else f"source/{path}.md"


def with_links_of_the_site(text, path):
    """The text of the page that is `path` in the source tree, with its links as the site has them, and their targets."""
    place = place_of(path)
    targets = []

    def replaced(match):
        if "://" in match[1] or match[1].startswith("mailto:"):
            return match[1]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[1]))
        target_place = place_of(target)
        if target_place is None:
            return match[1]
        targets.append(target)
        return posixpath.relpath(target_place, posixpath.dirname(place) or ".")

    # Not in code.
    parts = re.split(r"(^```.*?^```)", text, flags=re.M | re.S)
    return "".join(part if part.startswith("```") else LINK.sub(replaced, part) for part in parts), targets


def source_page(path):
    """The page of a file or folder of the source tree, and the files that it links to."""
    file = ROOT / path
    if file.is_dir():
        rows = []
        linked = []
        for child in sorted(child for child in tracked() if posixpath.dirname(child) == path):
            name = posixpath.basename(child)
            # mkdocs has no page whose name begins with a dot.
            if (ROOT / child).is_dir() or name.startswith("."):
                rows.append(f"- `{name}{'/' if (ROOT / child).is_dir() else ''}`")
            else:
                rows.append(f"- [`{name}`]({name}.md)")
                linked.append(child)
        return "\n".join([f"# {path}/", "", *rows, ""]), linked
    content = file.read_bytes()[:MOST_BYTES].decode("utf-8", "replace")
    if file.suffix == ".md":
        return with_links_of_the_site(content, path)
    fence = "`" * 4
    return f"# {path}\n\n{fence}{LANGUAGES.get(file.suffix, 'text')}\n{content.rstrip()}\n{fence}\n", []


def on_files(files, config):
    files.append(File.generated(config, "assets/iframe-worker.js", content=(ROOT / SHIM).read_text()))
    waiting = sorted(public_headers()) + [path for path in tracked() if re.fullmatch(r"proto/\w+\.proto", path)]
    for path in [*PAGES, *(path for path in tracked() if re.fullmatch(r"docs/\w+\.md", path))]:
        text, targets = with_links_of_the_site((ROOT / path).read_text(), path)
        waiting += targets
        if path in PAGES:
            files.append(File.generated(config, PAGES[path], content=text))
    done = set()
    while waiting:
        path = waiting.pop()
        if path not in done and place_of(path).startswith("source/"):
            done.add(path)
            text, targets = source_page(path)
            waiting += targets
            files.append(File.generated(config, place_of(path), content=text))
    return files


def on_page_markdown(markdown, page, config, files):
    path = f"docs/{page.file.src_uri}"
    if path not in tracked():
        return markdown
    markdown, _ = with_links_of_the_site(markdown, path)
    if path == "docs/api.md":
        # A header is the manual.
        markdown = re.sub(r"`([\w/]+\.h)`", lambda match: f"[{match[0]}](source/{match[1]}.md)" if match[1] in public_headers() else match[0], markdown)
    return markdown
