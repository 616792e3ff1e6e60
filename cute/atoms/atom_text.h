// File: cute/atoms/atom_text.h
//
// The name of an atom, taken apart.
//
//   AtomText text = ReadAtomText("warp.MmaTF32Op((16,8,4), x=True)");
//   text.qualifier;       // "warp": the last one
//   text.name;            // "MmaTF32Op"
//   text.arguments;       // {"(16,8,4)", "True"}
//   LastName("cute.nvgpu.OperandMajorMode.K");   // "K"
//   Integers("(16,8,4)");                        // {16, 8, 4}

#ifndef TESSERA_CUTE_ATOMS_ATOM_TEXT_H_
#define TESSERA_CUTE_ATOMS_ATOM_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tessera {
namespace cute {

struct AtomText {
  std::string_view qualifier;
  std::string_view name;
  std::vector<std::string_view> arguments;  // without the names of parameters
  size_t length = 0;                        // of all that was read
};

// Reads names with `::` or `.` between them up to the first that may be an
// atom's, and the bracket and `{}` behind it; `name` is empty if none may be.
AtomText ReadAtomText(std::string_view text);

// Returns the last name of `text` that has no bracket behind it: K of
// OperandMajorMode.K; x32 of Repetition.x32. "" if there is none.
std::string_view LastName(std::string_view text);

// Returns the integers of a list in parentheses, or the integer that `text` is,
// also `Int<4>`, `_4` and `x4`. Empty if it is neither, or one has more than
// four digits.
std::vector<int64_t> Integers(std::string_view text);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_ATOMS_ATOM_TEXT_H_
