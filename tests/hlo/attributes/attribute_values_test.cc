#include "tessera/hlo/attributes/attribute_values.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
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

using Ranges = std::vector<std::tuple<int64_t, int64_t, int64_t>>;

Ranges AsTuples(const std::vector<SliceRange>& ranges) {
  Ranges tuples;
  for (const SliceRange& range : ranges) {
    tuples.emplace_back(range.start, range.limit, range.stride);
  }
  return tuples;
}

TEST(AttributeValues, OneOfEachKind) {
  EXPECT_THAT(*DecodeIntegers("{0,1}"), ElementsAre(0, 1));
  EXPECT_THAT(*DecodeNames("{%add, %mul}"), ElementsAre("add", "mul"));
  EXPECT_THAT(*DecodeNames("%add"), ElementsAre("add"));
  EXPECT_EQ(AsTuples(*DecodeSlice("{[0:2], [1:9:3]}")),
            (Ranges{{0, 2, 1}, {1, 9, 3}}));
  EXPECT_THAT((*DecodeOutputOperandAliases("{{0}: (1, {})}"))[0].output_index,
              ElementsAre(0));
  EXPECT_TRUE(*DecodeBool("true"));
  EXPECT_EQ(*DecodeInteger("2"), 2);
  EXPECT_EQ(*DecodeBools("{true,false}"), (std::vector<bool>{true, false}));
  EXPECT_EQ(DecodeString("\"Sharding\"")->raw(), "Sharding");
}

TEST(AttributeValues, Good) {
  EXPECT_FALSE(*DecodeBool(" false // no"));
  EXPECT_EQ(*DecodeInteger("-9223372036854775808"),
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(*DecodeInteger("007"), 7);
  EXPECT_THAT(*DecodeIntegers("{ }"), IsEmpty());
  EXPECT_THAT(*DecodeIntegers("{-1, /*index=5*/ 9223372036854775807}"),
              ElementsAre(-1, std::numeric_limits<int64_t>::max()));
  EXPECT_THAT(*DecodeBools("{}"), IsEmpty());
  EXPECT_EQ(*DecodeBools("false"), std::vector<bool>{false});
  EXPECT_THAT(*DecodeNames("{}"), IsEmpty());
  EXPECT_THAT(*DecodeNames("%a.1, b-2,\n%0"), ElementsAre("a.1", "b-2", "0"));
  EXPECT_EQ(AsTuples(*DecodeSlice("{}")), Ranges());
  EXPECT_EQ(AsTuples(*DecodeSlice("{[ 3 : 3 ]}")), (Ranges{{3, 3, 1}}));
  EXPECT_EQ(DecodeString(R"('it\'s "x"')")->ToString(), "it's \"x\"");
  EXPECT_EQ(DecodeString("\"a\n/*b*/\"")->raw(), "a\n/*b*/");
  EXPECT_EQ(DecodeString("\"\"")->ToString(), "");
}

TEST(AttributeValues, OutputOperandAliases) {
  const absl::StatusOr<std::vector<OutputOperandAlias>> aliases =
      DecodeOutputOperandAliases("{{0, 2}: (1, {}), {}: (0, {3}),}");
  ASSERT_TRUE(aliases.ok()) << aliases.status();
  ASSERT_EQ(aliases->size(), 2);
  EXPECT_THAT((*aliases)[0].output_index, ElementsAre(0, 2));
  EXPECT_EQ((*aliases)[0].operand_number, 1);
  EXPECT_THAT((*aliases)[0].operand_index, IsEmpty());
  EXPECT_THAT((*aliases)[1].output_index, IsEmpty());
  EXPECT_EQ((*aliases)[1].operand_number, 0);
  EXPECT_THAT((*aliases)[1].operand_index, ElementsAre(3));
  EXPECT_THAT(*DecodeOutputOperandAliases("{}"), IsEmpty());
}

TEST(AttributeValues, Errors) {
  ExpectErrors({{"True",
                 "1:1: in truth value: expected true or false, found 'True'\n"
                 "  True\n"
                 "  ^"},
                {"true false",
                 "1:6: in truth value: expected end of text, found 'false'\n"
                 "  true false\n"
                 "       ^"}},
               [](std::string_view v) { return DecodeBool(v).status(); });
  ExpectErrors({{"1.5",
                 "1:1: in integer: expected an integer, found '1.5'\n"
                 "  1.5\n"
                 "  ^"},
                {"-9223372036854775809",
                 "1:1: in integer: '-9223372036854775809' is below the limit "
                 "-9223372036854775808\n"
                 "  -9223372036854775809\n"
                 "  ^"}},
               [](std::string_view v) { return DecodeInteger(v).status(); });
  ExpectErrors({{"{1,}",
                 "1:4: in list of integers: expected an integer, found '}'\n"
                 "  {1,}\n"
                 "     ^"},
                {"{1 2}",
                 "1:4: in list of integers: expected ',' or '}', found '2'\n"
                 "  {1 2}\n"
                 "     ^"},
                {"1",
                 "1:1: in list of integers: expected '{', found '1'\n"
                 "  1\n"
                 "  ^"}},
               [](std::string_view v) { return DecodeIntegers(v).status(); });
  ExpectErrors({{"{1}",
                 "1:2: in list of truth values: expected true or false, found "
                 "'1'\n"
                 "  {1}\n"
                 "   ^"}},
               [](std::string_view v) { return DecodeBools(v).status(); });
  ExpectErrors({{"",
                 "1:1: in list of names: expected a name, found end of text\n"
                 "  \n"
                 "  ^"},
                {"{%}",
                 "1:2: in list of names: expected a name, found '%'\n"
                 "  {%}\n"
                 "   ^"},
                {"{ROOT x = f32[] add(y, z)}",
                 "1:7: in list of names: expected ',' or '}', found 'x'\n"
                 "  {ROOT x = f32[] add(y, z)}\n"
                 "        ^"}},
               [](std::string_view v) { return DecodeNames(v).status(); });
  ExpectErrors({{"{[0:2:0]}",
                 "1:7: in slice: the stride = 0 is less than 1\n"
                 "  {[0:2:0]}\n"
                 "        ^"},
                {"{[-1:2]}",
                 "1:3: in slice: the start = -1 is less than 0\n"
                 "  {[-1:2]}\n"
                 "    ^"},
                {"{[5:2]}",
                 "1:5: in slice: the limit = 2 is less than the start = 5\n"
                 "  {[5:2]}\n"
                 "      ^"},
                {"{[0]}",
                 "1:4: in slice: expected ':', found ']'\n"
                 "  {[0]}\n"
                 "     ^"}},
               [](std::string_view v) { return DecodeSlice(v).status(); });
  ExpectErrors(
      {{"{{0}: (-1, {})}",
        "1:8: in list of aliases: the operand number = -1 is less than 0\n"
        "  {{0}: (-1, {})}\n"
        "         ^"},
       {"{{-1}: (0, {})}",
        "1:3: in list of aliases: a shape index = -1 is less than 0\n"
        "  {{-1}: (0, {})}\n"
        "    ^"},
       {"{{0}: 1}",
        "1:7: in list of aliases: expected '(', found '1'\n"
        "  {{0}: 1}\n"
        "        ^"},
       {"{{0}: (1, {}) {1}: (1, {})}",
        "1:15: in list of aliases: expected ',' or '}', found '{'\n"
        "  {{0}: (1, {}) {1}: (1, {})}\n"
        "                ^"}},
      [](std::string_view v) {
        return DecodeOutputOperandAliases(v).status();
      });
  ExpectErrors({{"\"a\" \"b\"",
                 "1:5: in string: expected end of text, found '\"'\n"
                 "  \"a\" \"b\"\n"
                 "      ^"},
                {"API",
                 "1:1: in string: expected a string, found 'API'\n"
                 "  API\n"
                 "  ^"}},
               [](std::string_view v) { return DecodeString(v).status(); });
}

TEST(AttributeValues, Dumps) {
  struct Case {
    const char* file;
    // How many values there are, by a script's count.
    size_t dimensions;
    size_t slices;
    size_t callees;
  };
  const Case kCases[] = {
      {"jax.issue.33666.linx.frag_0100.module_0005.hlo", 15, 6, 2},
      {"sharded_computation.hlo", 22, 3, 6},
      {"tpu_maxtext_llama3_8b_2026-07-31.txt", 137, 22, 23},
  };
  for (const Case& c : kCases) {
    const std::string text = ReadDump(c.file);
    const std::vector<std::string_view> dimensions =
        ValuesOf("dimensions", text);
    EXPECT_EQ(dimensions.size(), c.dimensions) << c.file;
    for (const std::string_view value : dimensions) {
      EXPECT_TRUE(DecodeIntegers(value).ok()) << value;
    }
    const std::vector<std::string_view> slices = ValuesOf("slice", text);
    EXPECT_EQ(slices.size(), c.slices) << c.file;
    for (const std::string_view value : slices) {
      EXPECT_TRUE(DecodeSlice(value).ok()) << value;
    }
    const std::vector<std::string_view> callees = ValuesOf("to_apply", text);
    EXPECT_EQ(callees.size(), c.callees) << c.file;
    for (const std::string_view value : callees) {
      EXPECT_EQ(DecodeNames(value)->size(), 1) << value;
    }
  }
}

}  // namespace
}  // namespace tessera
