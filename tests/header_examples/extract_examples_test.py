#!/usr/bin/python3
"""What is an example, what is its value, and what does extract_examples.py refuse?"""

import os
import subprocess
import sys
import tempfile
import unittest

_HERE = os.path.dirname(os.path.abspath(__file__))
_PROGRAM = os.path.join(_HERE, "extract_examples.py")
sys.path.insert(0, _HERE)
sys.dont_write_bytecode = True

import extract_examples  # noqa: E402

_HEADER = """\
// File: room/door.h
//
// What is behind the door?
//
// Not an example, for it has no statement:
//
//   door = '(' name ')'
//
// But this:
//
//   #include "tessera/room/key.h"
//
//   // The key comes first.
//   const Key key(R"(a;"b")");
//   Opens(key, {1, 'x'});       // true: it does
//   Sizes(key);
//       // {1, 2},
//       // as measured
//
//   for (const auto& size : Sizes(key)) {
//     Print(size);   // 17
//   }
//   Fill(&sizes);   // whatever it takes
//
// grammar = nothing;

#ifndef TESSERA_ROOM_DOOR_H_

namespace tessera {
namespace room {
"""


def header_with(*lines: str) -> str:
    return "// File: room/door.h\n//\n" + "".join(f"//   {line}".rstrip() + "\n" for line in lines)


class ReadExample(unittest.TestCase):
    def test_is_the_first_block_with_a_statement(self):
        example = extract_examples.read_example("room/door.h", _HEADER)
        self.assertEqual(example.namespaces, ["tessera", "room"])
        self.assertEqual(example.includes, ['#include "tessera/room/key.h"'])
        self.assertEqual(
            [(line, code.split("\n")[0], note) for line, code, note in example.statements],
            [(14, 'const Key key(R"(a;"b")");', ""),
             (15, "Opens(key, {1, 'x'});", "true: it does"),
             (16, "Sizes(key);", "{1, 2}, as measured"),
             (20, "for (const auto& size : Sizes(key)) {", ""),
             (23, "Fill(&sizes);", "whatever it takes")])

    def test_becomes_a_test_that_demands_its_values(self):
        written = extract_examples.suite([extract_examples.read_example("room/door.h", _HEADER)])
        self.assertIn('#include "tessera/room/door.h"\n#include "tessera/room/key.h"\n', written)
        self.assertIn("""
namespace tessera {
namespace room {
namespace {
TEST(HeaderExample, RoomDoor) {
#line 14 "room/door.h"
const Key key(R"(a;"b")");
#line 15 "room/door.h"
EXPECT_THAT(TextOf(Opens(key, {1, 'x'})), IsText("true"));
#line 16 "room/door.h"
EXPECT_THAT(TextOf(Sizes(key)), IsText("{1, 2}"));
#line 20 "room/door.h"
for (const auto& size : Sizes(key)) {
  Print(size);   // 17
}
#line 23 "room/door.h"
EXPECT_EQ(ErrorOf([&]() -> decltype(auto) { return Fill(&sizes); }), "");
}
}}}
""", written)

    def test_refuses(self):
        for source, message in [
                (header_with(), "has no example"),
                (header_with("Tile({8, 128})"), "has no example"),
                (header_with("Opens(key;", "Shuts(key);"), "room/door.h:3: the statement of the example has no end"),
        ]:
            with self.subTest(source), self.assertRaises(extract_examples.Error) as raised:
                extract_examples.read_example("room/door.h", source)
            self.assertIn(message, str(raised.exception))

    def test_refuses_what_looks_like_a_value(self):
        for note in ["12, 0, 8192", "{1, 2", '"an open text', "kPadding", "true.", "3 x 5"]:
            example = extract_examples.read_example("room/door.h", header_with(f"Find(key);   // {note}"))
            with self.subTest(note), self.assertRaises(extract_examples.Error) as raised:
                extract_examples.suite([example])
            self.assertIn(f"room/door.h:3: cannot read the value: {note}", str(raised.exception))


class Notes(unittest.TestCase):
    def test_begin_with_a_value(self):
        for note, value in [
                ("17", ("text", "17")),
                ("-8: below", ("text", "-8")),
                ("16, for a bound of 9", ("text", "16")),
                ("1.5 (rounded)", ("code", "1.5")),
                ("3 * 2340 + 2 * 4", ("code", "3 * 2340 + 2 * 4")),
                ("false", ("text", "false")),
                ("nullopt: padding", ("text", "nullopt")),
                ("Rule::kMapDims", ("code", "Rule::kMapDims")),
                ("Picture::CellKind::kPadding: a cell", ("code", "Picture::CellKind::kPadding")),
                ('"a, b"', ("text", "a, b")),
                ('"a\\n" "b \\"c\\""', ("text", 'a\nb "c"')),
                ('{{1,2}, {}}, in tiles', ("text", "{{1, 2}, {}}")),
                ('{"a,b"}', ("text", '{"a,b"}')),
                ("OK, however long", ("text", "OK")),
                ("INVALID_ARGUMENT: no, never", ("text", "INVALID_ARGUMENT: no, never")),
        ]:
            with self.subTest(note):
                self.assertEqual(extract_examples.value_of(note), value)

    def test_may_be_words(self):
        for note in ["", "where it listens", "the same text", "a 17"]:
            with self.subTest(note):
                self.assertIsNone(extract_examples.value_of(note))


class Statements(unittest.TestCase):
    def test_are_expressions(self):
        for code in ["f(x);", "*f(x) == y;", "a.b;", "std::move(a).b(c);", "x <= y;", 'f("a = b");', "f([] { int a = 3; });"]:
            with self.subTest(code):
                self.assertTrue(extract_examples.is_expression(code))

    def test_or_are_not(self):
        for code in ["int64_t a = 3;", "std::vector<int> a(3);", "A::B<C, D> a{1};", "const auto& a = b;", "a.b = {1, 2};",
                     "a += 3;", "for (;;) {}", "{ f(); }", "static_assert(a, \"\");", "AffineMap swap = *f();", "Shape a, b;"]:
            with self.subTest(code):
                self.assertFalse(extract_examples.is_expression(code))


class Program(unittest.TestCase):
    def test_reads_all_public_headers_of_its_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "room"))
            with open(os.path.join(folder, "room/door.h"), "w", encoding="utf-8") as header:
                header.write(_HEADER)
            with open(os.path.join(folder, "api.md"), "w", encoding="utf-8") as page:
                page.write("| `room/door.h` | What is behind the door? | `//room:door` |\n")

            def run(*arguments):
                return subprocess.run([_PROGRAM, "out.cc", "api.md", *arguments], cwd=folder, capture_output=True, text=True,
                                      check=False)

            done = run("room", "room,hall", "hall/key.h", "room/door.h")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            with open(os.path.join(folder, "out.cc"), encoding="utf-8") as out:
                self.assertIn("TEST(HeaderExample, RoomDoor)", out.read())
            for arguments, message in [
                    (("room", "room", "hall/key.h"), "no target of the test has room/door.h\n"),
                    (("hall", "hall", "room/door.h"), "no test has the folder of room/door.h\n"),
                    (("hall", "hall,room", "room/door.h"), "api.md lists no header in hall\n"),
            ]:
                done = run(*arguments)
                self.assertEqual((done.returncode, done.stderr), (1, message))


if __name__ == "__main__":
    unittest.main()
