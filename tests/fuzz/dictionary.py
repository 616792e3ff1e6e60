#!/usr/bin/python3
"""Prints libFuzzer's dictionary for a property: the words that its readers know.

    tests/fuzz/dictionary.py request >request.dict

The words are the string constants in the sources of the readers, and the field names of the messages, so that a new word
of a grammar is in the dictionary on the same day.
"""

import pathlib
import re
import sys

TREE = pathlib.Path(__file__).resolve().parent.parent.parent

_SHAPES = ["parser/**/*.cc", "layout/*.cc", "shape/*.cc"]
_CUTE = ["cute/**/*.cc"]
_STRIDED = ["strided/*.cc", "base/text/mlir*.cc"]
_TENSTORRENT = ["tenstorrent/**/*.cc", "base/text/mlir*.cc"]
_FAMILIES = _SHAPES + _CUTE + _STRIDED + _TENSTORRENT + ["any_layout/*.cc"]
_HLO = ["hlo/*.cc", "hlo/reader/*.cc", "hlo/attributes/*.cc", "hlo/dataflow/*.cc", "layout/primitive_type.cc"]

# The sources whose words a property's texts have.
SOURCES = {
    "assignment": ["hlo/buffer_assignment/*.cc"],
    "cute": _CUTE,
    "diff": _HLO,
    "gzip": [],
    "hlo": _HLO,
    "hlo_proto": _HLO,
    "http": ["service/transport/http_*.cc"],
    "layout": _SHAPES,
    "memory_config": _TENSTORRENT,
    "npy": ["cli/relayout/npy_file.cc"],
    "pasted": _FAMILIES,
    "relayout": _FAMILIES,
    "request": ["proto/*.proto", "layout/primitive_type.cc"],
    "shape": _SHAPES,
    "strided": _STRIDED,
    "tenstorrent": _TENSTORRENT,
    "tt_file": _TENSTORRENT,
}

# What no source of ours has in one piece.
MORE = {
    "cute": ["auto x = ", "using X = ", "GMMA::Layout_K_SW128_Atom<half_t>", "gmem_ptr[32b](0x1000)", "raw_ptr(0x400: f32)",
             "smem_ptr[16b](unset)", '!cute.layout<"', '!cute.memref<f16, "', "LayoutA_TV: ", "#ttg.blocked<{",
             "#ttg.linear<{", "sizePerThread = [", "Swizzle<3,4,3>{}", "Sw<3,4,3>", "E<0>", "?{div=8}", "?=16,8;", "_4{}",
             "_m1", " o ", "integral_constant<int,"],
    "diff": ["\n----\n", "</script>", "<!--"],
    "gzip": ["\x1f\x8b\x08"],
    "http": ["HTTP/1.1\r\n", "GET ", "POST ", "Host: localhost\r\n", "Content-Length: ", "Transfer-Encoding: chunked\r\n",
             "Origin: http://", "Connection: close\r\n", "Expect: 100-continue\r\n", "Range: bytes=0-", "\r\n\r\n", "[::1]",
             "127.0.0.1", "boundary=", "charset=", "application/json"],
    "npy": ["\x93NUMPY\x01\x00", "\x93NUMPY\x02\x00", "\x93NUMPY\x03\x00", "'<f4'", "'|V2'", "'>c16'"],
    "request": ['{"', '":"', '":{"', '":[', "true", "false", "null", "f32[8,128]{1,0:T(8,128)}", "(4,8):(8,1)"],
}  # yapf: disable

_LONGEST = 40


def words_of(path):
    text = path.read_text()
    if path.suffix == ".proto":
        text = re.sub(r"//.*", "", text)
        return ['"%s":' % name for name in re.findall(r"\b(\w+) = \d+;", text)]
    text = re.sub(r"(?m)^\s*(#include.*|//.*)$", "", text)
    found = re.findall(r'"((?:[^"\\\n]|\\.)*)"', text)
    return [bytes(word, "utf-8").decode("unicode_escape") for word in found if "\\u" not in word]


def main():
    name = sys.argv[1]
    words = dict.fromkeys(MORE.get(name, []))
    for pattern in SOURCES[name]:
        for path in sorted(TREE.glob(pattern)):
            words.update(dict.fromkeys(words_of(path)))
    for word in words:
        # Longer texts, and those of several words, are the readers' errors.
        if not word or len(word) > _LONGEST or len(re.findall(r"\w \w", word)) > 1:
            continue
        escaped = "".join(c if c.isascii() and c.isalnum() or c in " !#$%&'()*+,-./:;<=>?@[]^_`{|}~" else "\\x%02X" % b
                          for c in word for b in c.encode("latin-1", "replace"))  # yapf: disable
        print('"%s"' % escaped)


if __name__ == "__main__":
    main()
