#include "tessera/hlo/hlo_shape_table.h"

#include <cstdint>
#include <deque>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/base/text/diagnostic.h"

namespace tessera {
namespace {

TEST(HloShapeTable, TakesWhatOldXlaPrinted) {
  HloShapeTable shapes;
  EXPECT_EQ(shapes.shape(*shapes.Intern("f32[]{}")).ToString(), "f32[]");
  EXPECT_EQ(shapes.shape(*shapes.Intern("F32[2]{0}")).ToString(), "f32[2]{0}");
}

TEST(HloShapeTable, WhatIsNoShapeLeavesTheTableAsItWas) {
  HloShapeTable shapes;
  for (const char* text : {"", "f99[2]", "f32[2]{1}", "f32[2] f32[2]"}) {
    const absl::StatusOr<int64_t> index = shapes.Intern(text);
    EXPECT_EQ(index.status().code(), absl::StatusCode::kInvalidArgument)
        << text;
    EXPECT_TRUE(DiagnosticOf(index.status()).has_value()) << text;
  }
  EXPECT_EQ(shapes.size(), 0);
}

TEST(HloShapeTable, ShapesStayWhereTheyAre) {
  HloShapeTable shapes;
  const Shape* first = &shapes.shape(*shapes.Intern("f32[1]"));
  std::deque<std::string> texts;
  for (int i = 2; i < 2000; ++i) {
    texts.push_back(absl::StrCat("f32[", i, "]"));
    ASSERT_TRUE(shapes.Intern(texts.back()).ok());
  }
  EXPECT_EQ(first, &shapes.shape(0));
  EXPECT_EQ(first->ToString(), "f32[1]{0}");
}

}  // namespace
}  // namespace tessera
