// Splits the text that a TiledMMA or TiledCopy of C++ or of the CuTe DSL prints
// into lines of a label and a layout.
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

// Returns the length of the label at the beginning of `line`, including its
// colon; 0 if there is none. A label is words, the first of which begins with a
// letter, and a colon that is not followed by another colon: "LayoutA_TV:", "TV
// Layout C:", "(tma_a) slayout:".
size_t LabelLength(std::string_view line);

// Returns whether `line` is a line of a printed TiledMMA or TiledCopy that does
// not have a CuTe value: a heading such as "TiledMMA" or "MMA Atom", or the
// type of the elements, such as "ValueType: 16b".
bool IsLineWithoutValue(std::string_view line);

// Quickly checks whether LabelledTexts may return more than one text.
bool MayHaveLabelledTexts(std::string_view text);

// Returns the lines of a printed block that have a layout, in order, or the
// layouts in a compiler's message. Empty if `text` is neither: if it is a
// single line, or if none of its lines has a label or is a row of a table.
std::vector<LabelledText> LabelledTexts(std::string_view text);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_PRINTED_BLOCK_H_
