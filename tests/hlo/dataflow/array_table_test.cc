#include "tessera/hlo/dataflow/array_table.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/hlo/hlo_shape_table.h"

namespace tessera {
namespace {

TEST(ArrayTable, Example) {
  HloShapeTable shapes;
  ASSERT_TRUE(shapes.Intern("(f32[8]{0}, (s32[], f32[8]{0}))").ok());
  ArrayTable arrays(&shapes);
  const ArrayTable::ShapeParts& parts = arrays.parts(0);
  EXPECT_EQ(parts.size(), 5);
  const int64_t inner = parts.child(0, 1);
  EXPECT_EQ(inner, 2);
  EXPECT_EQ(parts[parts.child(inner, 1)].array, parts[1].array);
  EXPECT_EQ(arrays.array(parts[1].array).sizes->padded_bytes, 32);
  EXPECT_EQ(arrays.array_count(), 2);
}

TEST(ArrayTable, PartsAndPaths) {
  HloShapeTable shapes;
  ASSERT_TRUE(shapes.Intern("((), token[], b(s8[3]), (f32[?], u8[1]))").ok());
  ArrayTable arrays(&shapes);
  const ArrayTable::ShapeParts& parts = arrays.parts(0);
  ASSERT_EQ(parts.size(), 7);
  EXPECT_TRUE(parts[0].is_tuple());
  EXPECT_EQ(parts[0].end, 7);
  EXPECT_EQ(parts[1].end, 2);
  EXPECT_TRUE(parts[1].is_tuple());
  EXPECT_EQ(parts[2].array, -1);
  EXPECT_EQ(arrays.array(parts[3].array).sizes->padded_bytes, 3);
  EXPECT_EQ(parts[4].parent, 0);
  EXPECT_EQ(parts[6].parent, 4);
  EXPECT_FALSE(arrays.array(parts[5].array).sizes.has_value());

  EXPECT_EQ(parts.Find({}), 0);
  EXPECT_EQ(parts.Find({3, 1}), 6);
  EXPECT_EQ(parts.Find({3, 2}), -1);
  EXPECT_EQ(parts.Find({0, 0}), -1);
  EXPECT_EQ(parts.Find({2, 0}), -1);
  EXPECT_EQ(parts.Find({-1}), -1);
}

TEST(ArrayTable, DeepAndWideShapes) {
  constexpr int kDepth = 8000;
  const std::string deep = absl::StrCat(std::string(kDepth, '('), "f32[2]",
                                        std::string(kDepth, ')'));
  std::string wide = "(f32[2]";
  for (int i = 1; i < 50000; ++i) absl::StrAppend(&wide, ",f32[2]");
  wide += ")";
  HloShapeTable shapes;
  ASSERT_TRUE(shapes.Intern(deep).ok());
  ASSERT_TRUE(shapes.Intern(wide).ok());
  ArrayTable arrays(&shapes);
  EXPECT_EQ(arrays.parts(0).size(), kDepth + 1);
  EXPECT_EQ(arrays.parts(1).size(), 50001);
  EXPECT_EQ(arrays.parts(1).child(0, 49999), 50000);
  EXPECT_EQ(arrays.array_count(), 1);
}

}  // namespace
}  // namespace tessera
