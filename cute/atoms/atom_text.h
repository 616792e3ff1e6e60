// Splits the name of an atom into its parts.
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

namespace tessera::cute {

struct AtomText {
  std::string_view qualifier;
  std::string_view name;
  std::vector<std::string_view> arguments;  // without the names of parameters
  size_t length = 0;                        // of all that was read
};

// Reads names that are separated by `::` or `.`, up to the first one that may
// be an atom's, and the bracket and `{}` after it. `name` is empty if no name
// may be an atom's.
AtomText ReadAtomText(std::string_view text);

// Returns the last name of `text` without a bracket after it: K for
// OperandMajorMode.K, x32 for Repetition.x32. Returns "" if there is none.
std::string_view LastName(std::string_view text);

// Returns the integers of a list in parentheses, or of a single integer, which
// may be written as `Int<4>`, `_4` or `x4`. Returns an empty list if `text` is
// neither, or if an integer has more than four digits.
std::vector<int64_t> Integers(std::string_view text);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ATOMS_ATOM_TEXT_H_
