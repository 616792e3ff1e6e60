// Breaks text into lines of limited length.
//
//   WrappedLines("tiles of 2 x 4", 8);   // {"tiles of", "2 x 4"}
//   WrappedLines("f32[1024]", 4);        // {"f32[", "1024", "]"}

#ifndef TESSERA_VIZ_WRAPPED_LINES_H_
#define TESSERA_VIZ_WRAPPED_LINES_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

// Breaks `text` at blanks, and breaks words of more than `width` characters.
// Returns at least one line. Precondition: width > 0; `text` is ASCII.
std::vector<std::string> WrappedLines(std::string_view text, size_t width);

}  // namespace tessera

#endif  // TESSERA_VIZ_WRAPPED_LINES_H_
