#include "tessera/hlo/memory/padded_arrays.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/hlo/parse_hlo.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kModule[] = R"(HloModule m

fused {
  q = f32[1000,2]{1,0:T(8,128)} parameter(0)
  ROOT r = f32[1000,3]{1,0:T(8,128)} negate(q)
}

ENTRY e {
  p = f32[1000,2]{1,0:T(8,128)} parameter(0)
  full = f32[8,128]{1,0:T(8,128)} iota(), iota_dimension=0
  t = (f32[8,128]{1,0:T(8,128)}, (f32[9,128]{1,0:T(8,128)}, s32[])) custom-call(p)
  ROOT f = f32[1000,3]{1,0:T(8,128)} fusion(p), kind=kLoop, calls=fused
}
)";

std::vector<std::string> Rows(const HloDump& dump,
                              const PaddedArrayOptions& options) {
  std::vector<std::string> rows;
  for (const PaddedArray& array : FindPaddedArrays(dump, options)) {
    std::string row = std::to_string(array.line) + " ";
    row += array.instruction.name();
    row += ShapeIndexToString(array.shape_index) + " ";
    row += array.shape->ToString() + " ";
    row += std::to_string(array.sizes.padding_fraction());
    if (array.better_order.has_value()) {
      row += " " + std::to_string(array.better_order->padded_bytes);
    }
    rows.push_back(row);
  }
  return rows;
}

TEST(FindPaddedArrays, ListsBuffersByTheirPadding) {
  const HloDump dump = *ParseHlo(std::string(kModule));
  EXPECT_THAT(Rows(dump, {}),
              ElementsAre("9 p{} f32[1000,2]{1,0:T(8,128)} 0.984375 32768",
                          "12 f{} f32[1000,3]{1,0:T(8,128)} 0.976562 32768",
                          "11 t{1,0} f32[9,128]{1,0:T(8,128)} 0.437500"));
}

TEST(FindPaddedArrays, Options) {
  const HloDump dump = *ParseHlo(std::string(kModule));
  PaddedArrayOptions options;
  options.counted = CountedArrays::kResults;
  options.min_padding_fraction = 0.98;
  EXPECT_THAT(Rows(dump, options),
              ElementsAre("4 q{} f32[1000,2]{1,0:T(8,128)} 0.984375 32768",
                          "9 p{} f32[1000,2]{1,0:T(8,128)} 0.984375 32768"));
  options.min_padding_fraction = 0;
  // Arrays without padding are left out all the same.
  EXPECT_EQ(Rows(dump, options).size(), 5);
  options.min_padding_fraction = 1;
  EXPECT_THAT(Rows(dump, options), IsEmpty());
}

// A tuple may have thousands of elements.
TEST(FindPaddedArrays, OfAWideTuple) {
  std::string text = "ENTRY e {\n  ROOT t = (f32[1]{0:T(256)}";
  for (int i = 1; i < 5000; ++i) text += ", f32[1]{0:T(256)}";
  const HloDump dump = *ParseHlo(text + ") custom-call()\n}\n");
  const std::vector<PaddedArray> arrays = FindPaddedArrays(dump);
  ASSERT_EQ(arrays.size(), 5000);
  for (int i = 0; i < 5000; ++i) {
    EXPECT_THAT(arrays[i].shape_index, ElementsAre(i));
  }
}

}  // namespace
}  // namespace tessera
