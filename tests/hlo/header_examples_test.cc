// The examples of those headers of hlo/ that have no test of their own.

#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tessera/hlo/hlo_attributes.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/hlo/hlo_counts.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/parse_hlo.h"

namespace tessera {
namespace {

TEST(TheExampleOf, ParseHlo) {
  absl::StatusOr<HloDump> dump = ParseHlo(R"(
      HloModule m
      ENTRY main {
        x = f32[2,3]{1,0} parameter(0)
        y = f32[2,3]{1,0 negate(x)
        ROOT z = f32[2,3]{1,0} negate(w)
      })");
  EXPECT_EQ(dump->counts().instructions, 2);
  ASSERT_EQ(dump->diagnostics().size(), 1);
  EXPECT_EQ(dump->diagnostics()[0].line, 5);

  HloParseOptions options;
  options.strict = true;
  const absl::Status status =
      ParseHlo("HloModule m  main {  ROOT y = f32[] add(x, x)  }", options)
          .status();
  const absl::string_view message = status.message();
  EXPECT_EQ(message.substr(0, message.find('\n')),
            "1:41: no instruction 'x' stands before this one in the "
            "computation 'main'");
}

TEST(TheExampleOf, HloAttributes) {
  const HloAttributes attributes =
      ReadHloAttributes(", dimensions={0,1}, to_apply=%add");
  ASSERT_EQ(attributes.size(), 2);
  EXPECT_EQ(attributes[1].key, "to_apply");
  EXPECT_EQ(attributes[1].value, "%add");
  EXPECT_EQ(FindHloAttribute(", index=0, metadata={}", "metadata"), "{}");
  EXPECT_EQ(FindHloAttribute(", index=0", "metadata"), absl::nullopt);
  // A computation is a value like any other.
  EXPECT_EQ(
      FindHloAttribute(", to_apply={\n  a = f32[] b(c)\n}, index=1", "index"),
      "1");
}

TEST(TheExampleOf, HloCallKind) {
  EXPECT_EQ(HloCallKindOf("to_apply"), HloCallKind::kToApply);
  EXPECT_EQ(HloCallKindOf("metadata"), absl::nullopt);
  EXPECT_EQ(HloCallKindOf(""), absl::nullopt);
  EXPECT_EQ(HloCallKindName(HloCallKind::kWhileBody), "body");
  for (int i = 0; i <= static_cast<int>(HloCallKind::kCalledComputations);
       ++i) {
    const HloCallKind kind = static_cast<HloCallKind>(i);
    EXPECT_EQ(HloCallKindOf(HloCallKindName(kind)), kind);
  }
}

TEST(TheExampleOf, HloCounts) {
  HloShapeTable shapes;
  HloHandler handler;
  const HloCounts counts =
      ReadHlo("a { x = f32[] add(b, c) ", &shapes, &handler);
  EXPECT_EQ(counts.instructions, 1);
  EXPECT_EQ(counts.operands, 2);
  EXPECT_TRUE(counts.is_merely_cut_off());
  // What is broken elsewhere is more than cut off.
  EXPECT_FALSE(ReadHlo("a {\n x = f32[ b()\n y = f32[] c()", &shapes, &handler)
                   .is_merely_cut_off());
}

}  // namespace
}  // namespace tessera
