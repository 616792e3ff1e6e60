#include "tessera/hlo/attributes/module_header.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/values.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ModuleHeader, EntryComputationLayouts) {
  struct Case {
    std::string_view value;
    std::vector<std::string> parameters;
    std::string result;
  };
  const Case kCases[] = {
      {"{()->()}", {}, "()"},
      {"{(token[])->((), token[])}", {"token[]"}, "((), token[])"},
      {" { ( F32[2,3]{} , /*index=5*/ f32[] ) -> f32[4,5]{0,1:T(2,128)} } ",
       {"f32[2,3]{1,0}", "f32[]"},
       "f32[4,5]{0,1:T(2,128)}"},
  };
  for (const Case& c : kCases) {
    const absl::StatusOr<EntryComputationLayout> layout =
        DecodeEntryComputationLayout(c.value);
    ASSERT_TRUE(layout.ok()) << layout.status();
    std::vector<std::string> parameters;
    for (const Shape& parameter : layout->parameters) {
      parameters.push_back(parameter.ToString());
    }
    EXPECT_EQ(parameters, c.parameters);
    EXPECT_EQ(layout->result.ToString(), c.result);
  }
}

TEST(ModuleHeader, Aliases) {
  const absl::StatusOr<std::vector<InputOutputAlias>> aliases =
      DecodeInputOutputAliases(
          "{ {0,1}: (0, {2}, may-alias), {}: (7, {}, must-alias), "
          "/*index=2*/{1}: (0, {1}), }");
  ASSERT_TRUE(aliases.ok()) << aliases.status();
  ASSERT_EQ(aliases->size(), 3);
  EXPECT_THAT((*aliases)[0].output_index, ElementsAre(0, 1));
  EXPECT_EQ((*aliases)[0].parameter_number, 0);
  EXPECT_THAT((*aliases)[0].parameter_index, ElementsAre(2));
  EXPECT_EQ((*aliases)[0].kind, InputOutputAlias::Kind::kMayAlias);
  EXPECT_THAT((*aliases)[1].output_index, IsEmpty());
  EXPECT_EQ((*aliases)[1].parameter_number, 7);
  EXPECT_EQ((*aliases)[1].kind, InputOutputAlias::Kind::kMustAlias);
  EXPECT_EQ((*aliases)[2].kind, InputOutputAlias::Kind::kMayAlias);
  EXPECT_THAT(*DecodeInputOutputAliases("{}"), IsEmpty());
}

TEST(ModuleHeader, BufferDonors) {
  const absl::StatusOr<std::vector<BufferDonor>> donors =
      DecodeBufferDonors("{ (0, {0}), (1, {}) }");
  ASSERT_TRUE(donors.ok()) << donors.status();
  ASSERT_EQ(donors->size(), 2);
  EXPECT_EQ((*donors)[0].parameter_number, 0);
  EXPECT_THAT((*donors)[0].parameter_index, ElementsAre(0));
  EXPECT_EQ((*donors)[1].parameter_number, 1);
  EXPECT_THAT((*donors)[1].parameter_index, IsEmpty());
  EXPECT_THAT(*DecodeBufferDonors("{ }"), IsEmpty());
}

TEST(ModuleHeader, Errors) {
  const std::string deep = "{(" + std::string(9000, '(') + ")->()}";
  ExpectErrors(
      {{"{(f32[2]{0},\n  f32[3]{1})->f32[]}",
        "2:10: in entry computation layout: minor_to_major[0] = 1 is outside "
        "[0, 1)\n"
        "    f32[3]{1})->f32[]}\n"
        "           ^"},
       {"{(f32[2]) f32[]}",
        "1:11: in entry computation layout: expected '->', found 'f32'\n"
        "  {(f32[2]) f32[]}\n"
        "            ^"},
       {"{(f32[2]",
        "1:9: in entry computation layout: expected ',' or ')', found end of "
        "text\n"
        "  {(f32[2]\n"
        "          ^"}},
      [](std::string_view v) {
        return DecodeEntryComputationLayout(v).status();
      });
  EXPECT_EQ(DecodeEntryComputationLayout(deep).status().code(),
            absl::StatusCode::kResourceExhausted);
  ExpectErrors(
      {{"{ {0}: (1, {}, must) }",
        "1:16: in list of aliases: expected may-alias or must-alias, found "
        "'must'\n"
        "  { {0}: (1, {}, must) }\n"
        "                 ^"},
       {"{ {0}: (-1, {}) }",
        "1:9: in list of aliases: the parameter number = -1 is less than 0\n"
        "  { {0}: (-1, {}) }\n"
        "          ^"},
       {"{ {0}: (1) }",
        "1:10: in list of aliases: expected ',', found ')'\n"
        "  { {0}: (1) }\n"
        "           ^"}},
      [](std::string_view v) { return DecodeInputOutputAliases(v).status(); });
  ExpectErrors(
      {{"{ (0, {0}, may-alias) }",
        "1:10: in list of buffer donors: expected ')', found ','\n"
        "  { (0, {0}, may-alias) }\n"
        "           ^"}},
      [](std::string_view v) { return DecodeBufferDonors(v).status(); });
}

// The numbers are a script's counts.
TEST(ModuleHeader, Dump) {
  const std::string text = ReadDump("tpu_maxtext_llama3_8b_2026-07-31.txt");
  const std::vector<std::string_view> layouts =
      ValuesOf("entry_computation_layout", text);
  ASSERT_EQ(layouts.size(), 1);
  const absl::StatusOr<EntryComputationLayout> layout =
      DecodeEntryComputationLayout(layouts[0]);
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_EQ(layout->parameters.size(), 74);
  EXPECT_EQ(layout->result.tuple_shapes().size(), 80);
  EXPECT_EQ(layout->result.tuple_shapes()[0].ToString(),
            "f32[4096]{0:T(1024)}");

  const std::vector<std::string_view> values =
      ValuesOf("input_output_alias", text);
  ASSERT_EQ(values.size(), 1);
  const absl::StatusOr<std::vector<InputOutputAlias>> aliases =
      DecodeInputOutputAliases(values[0]);
  ASSERT_TRUE(aliases.ok()) << aliases.status();
  EXPECT_EQ(aliases->size(), 69);
  for (const InputOutputAlias& alias : *aliases) {
    EXPECT_EQ(alias.kind, InputOutputAlias::Kind::kMayAlias);
  }
}

}  // namespace
}  // namespace tessera
