#include "tessera/tenstorrent/element_type_parser.h"

#include <string>

#include "absl/strings/str_split.h"
#include "gtest/gtest.h"

namespace tessera::tenstorrent {
namespace {

// What `text` prints as, or the first line of its error.
std::string Canonical(const std::string& text) {
  const absl::StatusOr<ElementType> element = ParseElementType(text);
  if (element.ok()) return element->ToString();
  const std::vector<std::string> lines =
      absl::StrSplit(element.status().message(), '\n');
  return lines[0];
}

TEST(ElementTypeParser, PassesOverWhiteSpace) {
  EXPECT_EQ(Canonical(" !ttcore.tile< 16 x 32 , u8 > "), "!tt.tile<16x32, u8>");
}

TEST(ElementTypeParser, Errors) {
  EXPECT_EQ(Canonical("tile<32x32>"),
            "1:11: expected ',' and a data type, as in !tt.tile<32x32, f32>, "
            "found '>'");
  EXPECT_EQ(Canonical("f32 f32"),
            "1:5: expected the end of the element type, found 'f32'");
  EXPECT_EQ(Canonical("").substr(0, 35), "1:1: expected an element type (f64,");
}

}  // namespace
}  // namespace tessera::tenstorrent
