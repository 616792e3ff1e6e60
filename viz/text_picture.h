// A picture of a layout for terminals.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   // 3 x 5 in tiles of 2 x 2, in ASCII.
//   const IndexMap map = *ToIndexMap(*ParseShape("f32[3,5]{1,0:T(2,2)}"));
//   RenderText(*MakePicture(map, {}), {});
//       // "      0   1    2   3    4   5\n"
//       // "   +========+========+========+\n"
//       // " 0 |  0   1 |  4   5 |  8 ..9.|\n"
//       // " 1 |  2   3 |  6   7 | 10 .11.|\n"
//       // "   +========+========+========+\n"
//       // " 2 | 12  13 | 16  17 | 20 .21.|\n"
//       // " 3 |.14..15.|.18..19.|.22..23.|\n"
//       // "   +========+========+========+\n..."
//
// and the legend below it.

#ifndef TESSERA_VIZ_TEXT_PICTURE_H_
#define TESSERA_VIZ_TEXT_PICTURE_H_

#include <cstdint>
#include <string>

#include "tessera/viz/picture.h"
#include "tessera/viz/picture_style.h"

namespace tessera {

struct TextStyle {
  // The abilities of the display: colours by escape sequences, characters
  // beyond ASCII. Lines and hatching repeat the information of colours.
  bool color = false;
  bool unicode = false;
  CellText text = CellText::kPositions;
  // Whether a mark in each cell points to the next one in memory.
  bool path = false;
  // The width, in characters, at which texts and memory are wrapped.
  int64_t columns = 80;
};

// Returns lines of UTF-8, each with a line break.
std::string RenderText(const Picture& picture, const TextStyle& style);

// Returns the characters in the widest line of the grid.
int64_t GridWidth(const Picture& picture, const TextStyle& style);

}  // namespace tessera

#endif  // TESSERA_VIZ_TEXT_PICTURE_H_
