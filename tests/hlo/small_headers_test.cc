// What small headers of hlo/ do beside their examples.

#include "gtest/gtest.h"
#include "tessera/hlo/hlo_attributes.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/hlo/hlo_counts.h"
#include "tessera/hlo/hlo_reader.h"

namespace tessera {
namespace {

TEST(FindHloAttribute, AComputationIsAValueLikeAnyOther) {
  EXPECT_EQ(
      FindHloAttribute(", to_apply={\n  a = f32[] b(c)\n}, index=1", "index"),
      "1");
}

TEST(HloCallKind, NamesComeBack) {
  EXPECT_EQ(HloCallKindOf(""), absl::nullopt);
  for (int i = 0; i <= static_cast<int>(HloCallKind::kCalledComputations);
       ++i) {
    const HloCallKind kind = static_cast<HloCallKind>(i);
    EXPECT_EQ(HloCallKindOf(HloCallKindName(kind)), kind);
  }
}

TEST(HloCounts, WhatIsBrokenElsewhereIsMoreThanCutOff) {
  HloShapeTable shapes;
  HloHandler handler;
  EXPECT_FALSE(ReadHlo("a {\n x = f32[ b()\n y = f32[] c()", &shapes, &handler)
                   .is_merely_cut_off());
}

}  // namespace
}  // namespace tessera
