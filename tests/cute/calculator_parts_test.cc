// The parts of the calculator that its own test does not see one by one.

#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/calculator/bracket_map.h"
#include "tessera/cute/calculator/calculator_functions.h"
#include "tessera/cute/calculator/calculator_value.h"
#include "tessera/cute/calculator/line_reader.h"
#include "tessera/cute/parse.h"

namespace tessera::cute {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CalculatorValue, EveryKind) {
  const struct {
    CalculatorValue value;
    const char* description;
    size_t nodes;
  } kCases[] = {
      {IntTuple(4), "the integer 4", 1},
      {IntTuple(IntTuple::kUnderscore), "_", 1},
      {*ParseIntTuple("(2,(3,_))"), "the int tuple (2,(3,_))", 5},
      {*ParseTiler("<3:4, _>"), "the tiler (3:4,_)", 3},
      {*ParseSwizzle("Sw<2,0,3>"), "the swizzle Sw<2,0,3>", 1},
      {*ParseComposedLayout("Sw<2,0,3> o 0 o (8,8):(8,1)"),
       "the composed layout Sw<2,0,3> o 0 o (8,8):(8,1)", 4},
      {*ParseComposedLayout("(2,2):(2,1) o 0 o 4:1"),
       "the composed layout (2,2):(2,1) o 0 o 4:1", 4},
      {Major::kLeft, "the order LayoutLeft", 1},
      {Major::kRight, "the order LayoutRight", 1},
      {true, "the truth true", 1},
      {BasisStride{*ParseLayout("(1,1):(2@0,1@1)")}, "the stride (2@0,1@1)", 3},
      {ElementType{"half_t", 16}, "the type half_t", 1},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(Describe(test.value), test.description);
    EXPECT_EQ(NodeCount(test.value), test.nodes);
  }
}

TEST(CalculatorValue, LongDescriptionsAreCut) {
  const IntTuple tuple = IntTuple::Flat(IntTuple::Values(100, 7));
  EXPECT_EQ(Describe(tuple),
            "the int tuple " + tuple.ToString().substr(0, 77) + "...");
}

TEST(CalculatorFunctions, Example) {
  EXPECT_EQ(FindFunction("coalesce")->parameters, "A[, profile]");
  EXPECT_THAT(NearestFunctions("coalese"), ElementsAre("coalesce"));
}

TEST(CalculatorFunctions, NamesAreUnique) {
  for (const std::string_view name : FunctionNames()) {
    EXPECT_EQ(FindFunction(name)->name, name);
    EXPECT_EQ(NearestFunctions(name).at(0), name);
  }
  EXPECT_EQ(FindFunction("coalese"), nullptr);
}

TEST(CalculatorFunctions, Nearest) {
  EXPECT_THAT(NearestFunctions("logical_div"), ElementsAre("logical_divide"));
  EXPECT_THAT(NearestFunctions("sice"), ElementsAre("dice", "size", "slice"));
  EXPECT_THAT(NearestFunctions("x"), IsEmpty());
  EXPECT_THAT(NearestFunctions(std::string(1000, 'x')), IsEmpty());
}

TEST(BracketMap, Example) {
  BracketMap map("((2,2),A)");
  EXPECT_FALSE(map.IsLiteral(0));
  EXPECT_TRUE(map.IsLiteral(1));
  EXPECT_EQ(map.End(1), 6);
}

TEST(BracketMap, Literals) {
  for (const char* text :
       {"()", "(2,_,_3,_-4)", "((2,2):(1,-2),3)", "<3:4, 8:2>", "[3:4;8:2]",
        "(/* A */ 2)", "(1@0,1@1)", "((2,2", "(E<0>{},E<1>{})",
        "(cute::E<0,1>, E< 1 > { })"}) {
    EXPECT_TRUE(BracketMap(text).IsLiteral(0)) << text;
  }
  for (const char* text : {"(A)", "(_A)", "((((A))))", "(2(3))", "((2,2)(3))",
                           "([2](1))", "(_4{})", "((A", "((A)", "(2x)", "(E)",
                           "(E<A>)", "(E<0>{1})", "(E<0>(1))"}) {
    EXPECT_FALSE(BracketMap(text).IsLiteral(0)) << text;
  }
  EXPECT_FALSE(BracketMap("2").IsLiteral(0));
}

TEST(LineReader, Example) {
  LineReader reader("A = (6,2):(8,2)");
  EXPECT_EQ(reader.TakeName(), "A");
  EXPECT_TRUE(reader.Take('='));
  size_t limit;
  EXPECT_TRUE(reader.IsLiteralAhead(&limit));
}

TEST(LineReader, LiteralsEndBeforeAStrideThatIsNone) {
  const struct {
    const char* text;
    int limit;  // -1: no literal
  } kCases[] = {
      {"4", 1},
      {"_4:_1", 5},
      {"_-4 : -1", 8},
      {"_", 1},
      {"(2,2) : (1,N)", 5},
      {"4:N", 1},
      {"8-4", 1},
      {"8:4-2", 3},
      {"_8-_4", 2},
      {"4:_N", 1},
      {"4:", 2},
      {"4:)", 3},
      {"(2,N):(1,2)", -1},
      {"_N", -1},
      {"N", -1},
      {"", -1},
      {"-", -1},
      {"/* 4 */ 5", 9},
  };
  for (const auto& test : kCases) {
    LineReader reader(test.text);
    size_t limit;
    const bool is_literal = reader.IsLiteralAhead(&limit);
    EXPECT_EQ(is_literal ? static_cast<int>(limit) : -1, test.limit)
        << test.text;
  }
}

}  // namespace
}  // namespace tessera::cute
