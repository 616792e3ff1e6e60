#include "tessera/cute/tiler.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "gtest/gtest.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/text_form.h"
#include "tessera/tests/cute/cute_values.h"

namespace tessera::cute {
namespace {

// The two readings of (4,8) are different values.
TEST(Tiler, LayoutOrByMode) {
  const Tiler whole(LayoutOf("(4,8):(1,4)"));
  const Tiler by_mode = *Tiler::OfShape({4, 8});
  EXPECT_TRUE(whole.is_layout());
  EXPECT_EQ(whole.layout(), LayoutOf("(4,8):(1,4)"));
  EXPECT_EQ(whole.rank(), 1);
  EXPECT_EQ(whole.Mode(0), whole);
  EXPECT_FALSE(by_mode.is_layout());
  EXPECT_EQ(by_mode.rank(), 2);
  EXPECT_TRUE(by_mode.Mode(1).is_layout());
  EXPECT_EQ(by_mode.Mode(1).layout(), LayoutOf("8:1"));
  EXPECT_NE(whole, by_mode);
  EXPECT_NE(Tiler(LayoutOf("(4,8):(1,1)")), by_mode);
}

TEST(Tiler, Underscore) {
  const Tiler underscore = Tiler::Underscore();
  EXPECT_TRUE(underscore.is_underscore());
  EXPECT_FALSE(underscore.is_layout());
  EXPECT_EQ(underscore.rank(), 1);
  EXPECT_EQ(*Tiler::OfShape(IntTuple::kUnderscore), underscore);
  EXPECT_FALSE(Tiler().is_underscore());
  EXPECT_EQ(Tiler(), Tiler(LayoutOf("1:0")));
}

TEST(Tiler, OfShape) {
  EXPECT_EQ(TextOf(Tiler::OfShape({4, {8, IntTuple::kUnderscore}})),
            "(4:1,(8:1,_))");
  EXPECT_EQ(TextOf(Tiler::OfShape(7)), "7:1");
  EXPECT_TRUE(Tiler::OfShape(7)->is_layout());
  EXPECT_EQ(TextOf(Tiler::OfShape(IntTuple::Tuple({}))), "()");
  EXPECT_EQ(TextOf(Tiler::OfShape({4, {0, 2}})),
            "error: the size 0 in the tiler (4,(0,2)) is less than 1");
}

TEST(Tiler, Dialects) {
  const Tiler tiler = TilerOf("<3:4, <_, (2,2):(1,8)>, 5>");
  const struct {
    Dialect dialect;
    bool marks;
    std::string expected;
  } kCases[] = {
      {Dialect::kCpp, false, "(3:4,(_,(2,2):(1,8)),5:1)"},
      {Dialect::kCpp, true, "(_3:_4,(_,(_2,_2):(_1,_8)),_5:_1)"},
      {Dialect::kIr, false, "[3:4;[_;(2,2):(1,8)];5:1]"},
      {Dialect::kIr, true, "[_3:_4;[_;(_2,_2):(_1,_8)];_5:_1]"},
      {Dialect::kDocumentation, false, "<3:4, <_, (2,2):(1,8)>, 5:1>"},
      {Dialect::kDocumentation, true, "<_3:_4, <_, (_2,_2):(_1,_8)>, _5:_1>"},
  };
  for (const auto& c : kCases) {
    TextForm form;
    form.dialect = c.dialect;
    form.marks_compile_time = c.marks;
    EXPECT_EQ(tiler.ToString(form), c.expected);
  }
}

TEST(Tiler, ModesMakeTheWhole) {
  const Tiler tiler = TilerOf("<3:4, <_, (2,2):(1,8)>, _, 5>");
  std::vector<Tiler> modes;
  for (int64_t i = 0; i < tiler.rank(); ++i) modes.push_back(tiler.Mode(i));
  EXPECT_EQ(Tiler::Tuple(modes), tiler);
  EXPECT_EQ(TextOf(modes[1]), "(_,(2,2):(1,8))");
}

TEST(Tiler, EqualityAndHash) {
  std::vector<Tiler> tilers;
  for (const std::string_view text :
       {"_", "<_>", "4:1", "<4:1>", "(4,8):(1,4)", "<4,8>", "<(4,8):(1,1)>",
        "<<4,8>>", "<>", "(4,8):(1,1)"}) {
    tilers.push_back(TilerOf(text));
  }
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(tilers));
  for (size_t i = 0; i < tilers.size(); ++i) {
    for (size_t k = 0; k < tilers.size(); ++k) {
      EXPECT_EQ(tilers[i] == tilers[k], i == k);
    }
  }
}

}  // namespace
}  // namespace tessera::cute
