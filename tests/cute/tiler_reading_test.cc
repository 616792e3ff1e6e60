#include "tessera/cute/calculator/tiler_reading.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "tessera/cute/parse.h"

namespace tessera::cute {
namespace {

constexpr TilerUse kPicks = TilerUse::kPicks;
constexpr TilerUse kRepeats = TilerUse::kRepeats;

std::string ByMode(const char* layout, const char* tiler, TilerUse use) {
  TextForm form;
  form.dialect = Dialect::kDocumentation;
  const std::optional<Tiler> reading =
      ByModeReading(*ParseLayout(layout), *ParseLayout(tiler), use);
  return reading.has_value() ? reading->ToString(form) : "";
}

std::string Whole(const char* layout, const char* shape, TilerUse use) {
  const std::optional<Layout> reading =
      WholeReading(*ParseLayout(layout), *ParseIntTuple(shape), use);
  return reading.has_value() ? reading->ToString() : "";
}

TEST(TilerReading, Example) {
  EXPECT_EQ(ByMode("(12,28):(1,12)", "(4,8):(1,4)", kPicks), "<4:1, 8:1>");
  EXPECT_EQ(Whole("20:2", "(5,4)", kPicks), "(5,4):(1,5)");
}

TEST(TilerReading, ByMode) {
  EXPECT_EQ(ByMode("(8,8,3):(1,8,64)", "(4,8):(8,1)", kPicks), "<4:1, 8:1>");
  EXPECT_EQ(ByMode("(8,8):(1,8)", "((2,2),8):((1,2),4)", kPicks), "<4:1, 8:1>");
  EXPECT_EQ(ByMode("(8,8):(1,8)", "(4,16):(1,4)", kRepeats), "<4:1, 16:1>");
  // One mode; more modes than the layout; a size that does not fit; strides
  // that say more than an order; nothing at all.
  EXPECT_EQ(ByMode("(8,8):(1,8)", "4:1", kPicks), "");
  EXPECT_EQ(ByMode("64:1", "(4,8):(1,4)", kPicks), "");
  EXPECT_EQ(ByMode("(8,8):(1,8)", "(4,16):(1,4)", kPicks), "");
  EXPECT_EQ(ByMode("(8,8):(1,8)", "(4,8):(2,8)", kPicks), "");
  EXPECT_EQ(ByMode("(8,8):(1,8)", "(4,8):(1@0,1@1)", kPicks), "");
  EXPECT_EQ(ByMode("(8,8):(1,8)", "(4,4):(1,1)", kPicks), "");
  EXPECT_EQ(ByMode("(8,8):(1,8)", "(1,1):(0,0)", kPicks), "");
}

TEST(TilerReading, Whole) {
  EXPECT_EQ(Whole("(4,6):(1,4)", "(6,4)", kPicks), "(6,4):(1,6)");
  EXPECT_EQ(Whole("4:1", "(3,9)", kRepeats), "(3,9):(1,3)");
  // By mode it fits; it fits in no way; it is no shape or one number.
  EXPECT_EQ(Whole("(4,6):(1,4)", "(4,3)", kPicks), "");
  EXPECT_EQ(Whole("(4,6):(1,4)", "(6,5)", kPicks), "");
  EXPECT_EQ(Whole("(4,6):(1,4)", "(6,4)", kRepeats), "");
  EXPECT_EQ(Whole("20:2", "(5,_)", kPicks), "");
  EXPECT_EQ(Whole("(4,6):(1,4)", "8", kPicks), "");
}

}  // namespace
}  // namespace tessera::cute
