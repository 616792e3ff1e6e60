// The texts of data/texts.txt, which everything that takes a layout of any
// family reads alike.
//
//   for (const TextRow& row : TextRows()) FamilyOf(row.text);   // row.family

#ifndef TESSERA_TESTS_ANY_LAYOUT_TEXTS_H_
#define TESSERA_TESTS_ANY_LAYOUT_TEXTS_H_

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

inline constexpr char kTextsFile[] = "tests/any_layout/data/texts.txt";

struct TextRow {
  std::string family;  // "xla", "cute", "tt", ...
  std::string text;
};

std::vector<std::string> TextLines();

// Returns whether the line asks for something: "? xla f32[2]".
bool ReadTextRow(std::string_view line, TextRow* row);

std::vector<TextRow> TextRows();

}  // namespace tessera

#endif  // TESSERA_TESTS_ANY_LAYOUT_TEXTS_H_
