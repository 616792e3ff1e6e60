#include "tessera/service/questions/layouts/layout_source.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

TEST(LayoutSource, Example) {
  const ServiceOptions options;
  const absl::StatusOr<MappedLayout> layout =
      ReadMappedLayout("f32[3,5]{1,0:T(2,2)}", ELEMENTS, options);
  ASSERT_THAT(layout, IsOk());
  EXPECT_EQ(*layout->map().LinearIndex({2, 3}), 17);
  EXPECT_EQ(ToString(layout->layout()), "f32[3,5]{1,0:T(2,2)}");
}

TEST(LayoutSource, IndicesAreWhole) {
  const ServiceOptions options;
  const absl::StatusOr<MappedLayout> pairs =
      ReadMappedLayout("(3,5):(5,1)", ELEMENTS, options);
  ASSERT_THAT(pairs, IsOk());
  EXPECT_EQ(*CountIndices(pairs->map(), 6, options), 3);
  EXPECT_EQ(*CountIndices(pairs->map(), 0, options), 0);
  EXPECT_EQ(CountIndices(pairs->map(), 3, options).status().message(),
            "the number of entries, 3, is not a multiple of the rank, 2");
  const absl::StatusOr<MappedLayout> scalar =
      ReadMappedLayout("f32[]", ELEMENTS, options);
  ASSERT_THAT(scalar, IsOk());
  EXPECT_EQ(*CountIndices(scalar->map(), 0, options), 1);
  EXPECT_FALSE(CountIndices(scalar->map(), 1, options).ok());
}

}  // namespace
}  // namespace tessera
