// What the text of a TiledMMA or TiledCopy, of C++ or of the CuTe DSL, prints
// line by line: a label and a layout.
//
//   const std::vector<LabelledText> lines = LabelledTexts(
//       "TiledCopy\n"
//       "  Tiler_MN:       (_128,_8)\n"
//       "  TiledLayout_TV: (_256,_4):(_4,_1)\n");
//   lines.size();     // 2
//   lines[1].label;   // "TiledLayout_TV"
//   lines[1].text;    // "(_256,_4):(_4,_1)"
//
// print_layout and print_tensor add a table of the values, which is left out.
//
// A message of a compiler has layouts in the arguments of a template:
//
//   LabelledTexts("composition(...) [with LShape=cute::tuple<cute::_4>, "
//                 "LStride=cute::tuple<cute::_1>]")[0].text;
//       // "Layout<cute::tuple<cute::_4>,cute::tuple<cute::_1>>"
//
// or in types that it quotes, as in "error: no matching function for call to
// 'f(cute::Layout<...>&)'".

#ifndef TESSERA_CUTE_CALCULATOR_PRINTED_BLOCK_H_
#define TESSERA_CUTE_CALCULATOR_PRINTED_BLOCK_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::cute {

struct LabelledText {
  std::string label;  // without the colon; "" for none
  std::string text;
  size_t offset = 0;  // of it, or of the first part of it, in the whole text
};

// Returns the length of the label, with its colon, that `line` begins with; 0
// if there is none. A label is words, of which the first begins with a letter,
// and a colon, which no other colon follows: "LayoutA_TV:", "TV Layout C:",
// "(tma_a) slayout:".
size_t LabelLength(std::string_view line);

// Whether a print of a TiledMMA or TiledCopy has this line without a value of
// CuTe's in it: a heading, as "TiledMMA" and "MMA Atom", or the type of the
// elements, as "ValueType: 16b".
bool IsLineWithoutValue(std::string_view line);

// Whether `text` may have more than one of LabelledTexts; cheap.
bool MayHaveLabelledTexts(std::string_view text);

// Returns the lines of a text that have a layout, in order, or the layouts
// among the arguments of a template or quoted in a message; empty if `text` is
// neither a block nor such a message: one line, or lines of which none has a
// label and none is a row of a table.
std::vector<LabelledText> LabelledTexts(std::string_view text);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_PRINTED_BLOCK_H_
