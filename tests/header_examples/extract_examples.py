#!/usr/bin/python3
"""Writes a GoogleTest suite of the examples with which public headers open.

    extract_examples.py OUT API_PAGE FOLDERS ALL_FOLDERS HEADER...

API_PAGE is docs/api.md, which lists the public headers. FOLDERS are top-level ones, joined by commas: OUT has a test for each
public header in them. Each must be among the HEADERs; others there are passed over. ALL_FOLDERS are those of all suites
together: API_PAGE may list no header elsewhere.

An example is the first block of lines behind "//   " in a header's opening comment that has a statement. It stands in the
namespace of the header, may begin with #include lines, and is run as it is:

    Tile({8, 128}).ToString();      // "(8,128)"
    map->LinearIndex({2, 3});       // 17: the comment goes on as it likes
    SplitSizes(shape, 1);           // {40, 90, 70}, in elements
    TensorToText(tensor);
        // "tensor<3x64x100xbf16, ...>": a comment may follow on lines that are indented
    ParseShape("f32[");             // INVALID_ARGUMENT: 1:5: ...

A comment behind an expression that begins with a number, a quoted text, true, false, nullopt, a list in braces, an enumerator
or the code of a status is its value, and the test demands it; "..." stands for any text. value_text.h says how values are
written. Where there is no such comment, an expression must not be an absl::Status or absl::StatusOr with an error.
"""

import json
import re
import sys
from typing import List, NamedTuple, Optional, Tuple

_PUBLIC_HEADER = re.compile(r"^\| `([a-z0-9_/]+\.h)` \|", re.M)
_OPENS_RAW_STRING = re.compile(r'R"([^()\\\s]{0,16})\(')
_COMPOUND = re.compile(r"(for|while|if|do|switch)\b|\{")
_DECLARATION = re.compile(
    r"(const|constexpr|static|auto|using|class|struct|static_assert)\b"
    r"|[A-Za-z_][\w:]*(<.*>)?(::\w+)?[&*]?\s+[&*]?[A-Za-z_]\w*\s*[=;({\[,]", re.S)
_ASSIGNMENT = re.compile(r"(?<![=!<>])[-+*/|&^]?=(?!=)")
_NUMBER = re.compile(r"-?\d[\d.]*( [-+*/] \d[\d.]*)*")
_WORD = re.compile(r"(true|false|nullopt)\b")
_ENUMERATOR = re.compile(r"(?:\w+::)+k[A-Z]\w*")
_STATUS = re.compile(r"OK\b|[A-Z]+(_[A-Z]+)*: ")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
# What may stand behind a value: what explains it.
_EXPLANATION = re.compile(r"$|:( |$)|[,;] [A-Za-z(]| \(")
_LOOKS_LIKE_A_VALUE = re.compile(r'[-\d"{]|(true|false|nullopt|k[A-Z]\w*)\b')


class Error(Exception):
    """What is wrong with an example, and where."""


class Line(NamedTuple):
    number: int  # in the header, from 1
    text: str


class Statement(NamedTuple):
    line: int
    code: str
    note: str  # the comment behind it, on one line


class Example(NamedTuple):
    header: str
    namespaces: List[str]
    includes: List[str]
    statements: List[Statement]


def example_lines(header: str, source: str) -> List[Line]:
    """The first block that is code, without its indentation."""
    block: List[Line] = []
    has_begun = False
    for number, line in enumerate(source.split("\n") + [""], 1):
        if line.startswith("//   ") or (line == "//" and block):
            block.append(Line(number, line[5:]))
        elif block and any(re.search(r";\s*(//.*)?$", text) for _, text in block):
            return block
        elif line.startswith("//"):
            block = []
            has_begun = True
        elif has_begun:
            break
    raise Error(f"{header}: its opening comment has no example")


def namespaces(source: str) -> List[str]:
    """Those that the header opens first: tessera, and perhaps one in it."""
    found = []
    for line in source.split("\n"):
        match = re.match(r"namespace ([\w:]+) \{", line)
        if match:
            found += match.group(1).split("::")
        elif found and line:
            break
    return found


def end_of_token(text: str, at: int) -> int:
    """Behind a string, a character or a comment within a line of code, or behind the character at `at`."""
    raw = _OPENS_RAW_STRING.match(text, at)
    if raw:
        end = text.find(f"){raw.group(1)}\"", raw.end())
        return len(text) if end < 0 else end + len(raw.group(1)) + 2
    if text.startswith("//", at):
        end = text.find("\n", at)
        return len(text) if end < 0 else end
    if text.startswith("/*", at):
        end = text.find("*/", at)
        return len(text) if end < 0 else end + 2
    is_separator = text[at] == "'" and at > 0 and text[at - 1].isalnum()
    if text[at] in "\"'" and not is_separator:
        string = re.compile(r"%s(?:[^%s\\\n]|\\.)*%s" % ((text[at],) * 3)).match(text, at)
        return string.end() if string else len(text)
    return at + 1


def end_of_statement(text: str, begin: int) -> Optional[int]:
    """Behind its semicolon, or behind the brace that closes a compound statement."""
    is_compound = _COMPOUND.match(text, begin)
    depth = 0
    at = begin
    while at < len(text):
        end = end_of_token(text, at)
        if end == at + 1:
            depth += text[at] in "([{"
            depth -= text[at] in ")]}"
            if depth == 0 and (text[at] == ";" or (is_compound and text[at] == "}")):
                return end
        at = end
    return None


def read_example(header: str, source: str) -> Example:
    lines = example_lines(header, source)
    text = "\n".join(line.text for line in lines)
    includes: List[str] = []
    statements: List[Statement] = []
    at = 0
    notes_end = -1  # a comment that begins here belongs to the last statement
    while at < len(text):
        if text[at].isspace():
            # An empty line ends a note.
            if text.startswith("\n\n", at):
                notes_end = -1
            at += 1
            continue
        column = at - (text.rfind("\n", 0, at) + 1)
        number = lines[text.count("\n", 0, at)].number
        if text.startswith("#", at):
            end = text.find("\n", at)
            includes.append(text[at:end])
            at = end
        elif text.startswith("//", at):
            end = end_of_token(text, at)
            if notes_end >= 0 and column > 0:
                last = statements[-1]
                statements[-1] = last._replace(note=f"{last.note} {text[at + 2:end].strip()}".strip())
            else:
                notes_end = -1
            at = end
        else:
            end = end_of_statement(text, at)
            if end is None:
                raise Error(f"{header}:{number}: the statement of the example has no end")
            statements.append(Statement(number, text[at:end], ""))
            at = notes_end = end
    return Example(header, namespaces(source), includes, statements)


def without_nested(code: str) -> str:
    """What stands outside all strings and brackets."""
    kept = ""
    depth = 0
    at = 0
    while at < len(code):
        end = end_of_token(code, at)
        if end == at + 1:
            depth += code[at] in "([{"
            if depth == 0:
                kept += code[at]
            depth -= code[at] in ")]}"
        at = end
    return kept


def is_expression(code: str) -> bool:
    return not (_COMPOUND.match(code) or _DECLARATION.match(code) or _ASSIGNMENT.search(without_nested(code)))


def end_of_braces(note: str) -> int:
    depth = 0
    at = 0
    while at < len(note):
        end = end_of_token(note, at)
        if end == at + 1:
            depth += note[at] == "{"
            depth -= note[at] == "}"
            if depth == 0:
                return end
        at = end
    return 0


def value_of(note: str) -> Optional[Tuple[str, str]]:
    """What the note says that its expression is: ("text", ...) or ("code", ...)."""
    status = _STATUS.match(note)
    if status:
        return "text", "OK" if note.startswith("OK") else note
    kind, value, end = "text", "", 0
    if note.startswith('"'):
        string = _STRING.match(note)
        while string:
            value += re.sub(r"\\(.)", lambda c: "\n" if c.group(1) == "n" else c.group(1), string.group(1))
            end = string.end()
            string = re.compile(r"\s*" + _STRING.pattern).match(note, end)
    elif note.startswith("{"):
        end = end_of_braces(note)
        # Commas within a text stay as they are.
        value = re.sub(r'("[^"]*")|,\s*', lambda found: found.group(1) or ", ", note[:end])
    elif _NUMBER.match(note):
        kind, end = "code", _NUMBER.match(note).end()
        value = note[:end]
        if "." not in value and " " not in value:
            kind = "text"
    elif _WORD.match(note):
        end = _WORD.match(note).end()
        value = note[:end]
    elif _ENUMERATOR.match(note):
        kind, end = "code", _ENUMERATOR.match(note).end()
        value = note[:end]
    if end and _EXPLANATION.match(note, end):
        return kind, value
    return None


def body(example: Example) -> List[str]:
    written = []
    for line, code, note in example.statements:
        written.append(f'#line {line} "{example.header}"')
        if not is_expression(code):
            written.append(code)
            continue
        expression = code[:-1]
        value = value_of(note)
        if value is None:
            if _LOOKS_LIKE_A_VALUE.match(note):
                raise Error(f"{example.header}:{line}: cannot read the value: {note}")
            written.append(f'EXPECT_EQ(ErrorOf([&]() -> decltype(auto) {{ return {expression}; }}), "");')
        elif value[0] == "code":
            written.append(f"EXPECT_EQ(ValueOf({expression}), {value[1]});")
        else:
            written.append(f"EXPECT_THAT(TextOf({expression}), IsText({json.dumps(value[1])}));")
    return written


def test(example: Example) -> str:
    name = "".join(word.capitalize() for word in re.split(r"[/_]", example.header[:-len(".h")]))
    lines = [f"namespace {namespace} {{" for namespace in example.namespaces]
    lines.append("namespace {")
    lines += [f"TEST(HeaderExample, {name}) {{"] + body(example)
    lines.append("}")
    lines.append("}" * (len(example.namespaces) + 1))
    return "\n".join(lines) + "\n"


def suite(examples: List[Example]) -> str:
    includes = {'#include "gmock/gmock.h"', '#include "gtest/gtest.h"', '#include "tessera/tests/header_examples/value_text.h"'}
    for example in examples:
        includes.add(f'#include "tessera/{example.header}"')
        includes.update(example.includes)
    return "\n".join(sorted(includes)) + "\n\n" + "\n".join(test(example) for example in examples)


def main() -> None:
    out, api_page, folders, all_folders, *headers = sys.argv[1:]
    with open(api_page, encoding="utf-8") as page:
        public = _PUBLIC_HEADER.findall(page.read())
    untested = {header for header in public if header.split("/")[0] not in all_folders.split(",")}
    if untested:
        raise Error(f"no test has the folder of {', '.join(sorted(untested))}")
    wanted = sorted(header for header in public if header.split("/")[0] in folders.split(","))
    missing = set(wanted) - set(headers)
    if missing:
        raise Error(f"no target of the test has {', '.join(sorted(missing))}")
    examples = []
    for header in wanted:
        with open(header, encoding="utf-8") as file:
            examples.append(read_example(header, file.read()))
    if not examples:
        raise Error(f"{api_page} lists no header in {folders}")
    with open(out, "w", encoding="utf-8") as written:
        written.write(suite(examples))


if __name__ == "__main__":
    try:
        main()
    except Error as error:
        sys.exit(str(error))
