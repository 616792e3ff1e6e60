#include "tessera/cute/modes.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/internal/profile.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

std::vector<Layout> ModesOf(const Layout& layout) {
  const auto modes = layout.Modes();
  return std::vector<Layout>(modes.begin(), modes.end());
}

TEST(Modes, OfRandomLayouts) {
  ForEachRandomLayout(SmallLayouts(), [](const Layout& layout,
                                         RandomBits* random) {
    const std::vector<Layout> modes = ModesOf(layout);
    const int64_t rank = layout.rank();
    const int64_t begin = Uniform(0, rank, random);
    const int64_t end = Uniform(begin, rank, random);

    const std::vector<Layout> taken(modes.begin() + begin, modes.begin() + end);
    ASSERT_EQ(TextOf(Take(layout, begin, end)),
              begin < end ? TextOf(Layout::Concatenate(taken))
                          : absl::StrCat("error: modes [", begin, ", ", end,
                                         ") are empty"));

    std::vector<int64_t> numbers;
    std::vector<Layout> selected;
    for (int n = 0; n < 3; ++n) {
      const int64_t i = Uniform(0, rank - 1, random);
      if (std::count(numbers.begin(), numbers.end(), i) > 0) continue;
      numbers.push_back(i);
      selected.push_back(modes[i]);
    }
    ASSERT_EQ(TextOf(Select(layout, numbers)),
              TextOf(Layout::Concatenate(selected)));

    if (begin < end) {
      const Layout grouped = *Group(layout, begin, end);
      ASSERT_EQ(grouped.rank(), rank - (end - begin) + 1);
      ASSERT_EQ(TextOf(grouped.Mode(begin)),
                TextOf(Layout::Concatenate(taken)));
      ASSERT_EQ(grouped.leaves(), layout.leaves());
    }

    const Layout mode = LayoutOf("(2,3):(5,7)");
    const Layout appended = *Append(layout, mode);
    ASSERT_EQ(appended.rank(), rank + 1);
    ASSERT_EQ(appended.Mode(rank), mode);
    ASSERT_EQ(TextOf(Take(appended, 0, rank)),
              TextOf(Layout::Concatenate(modes)));
    const Layout prepended = *Prepend(layout, mode);
    ASSERT_EQ(prepended.Mode(0), mode);
    ASSERT_EQ(TextOf(Take(prepended, 1, rank + 1)),
              TextOf(Layout::Concatenate(modes)));

    const int64_t i = Uniform(0, rank - 1, random);
    const Layout replaced = *Replace(layout, i, mode);
    for (int64_t k = 0; k < rank; ++k) {
      ASSERT_EQ(replaced.Mode(k), k == i ? mode : modes[k]);
    }

    ASSERT_LE(Flatten(layout).depth(), 1);
    ASSERT_EQ(Flatten(layout).leaves(), layout.leaves());
    ASSERT_EQ(*Unflatten(Flatten(layout), layout.profile()), layout);
  });
}

// Int tuples as the shapes of layouts.
TEST(Modes, OfIntTuplesAreThoseOfLayouts) {
  ForEachRandomLayout(SmallLayouts(), [](const Layout& layout,
                                         RandomBits* random) {
    const IntTuple shape = layout.shape();
    const int64_t rank = layout.rank();
    const int64_t begin = Uniform(0, rank, random);
    const int64_t end = Uniform(begin, rank, random);
    const std::vector<int64_t> numbers = {Uniform(0, rank - 1, random)};
    ASSERT_EQ(*Select(shape, numbers), Select(layout, numbers)->shape());
    if (begin < end) {
      ASSERT_EQ(*Take(shape, begin, end), Take(layout, begin, end)->shape());
      ASSERT_EQ(*Group(shape, begin, end), Group(layout, begin, end)->shape());
    }
    const Layout mode = LayoutOf("(2,3):(5,7)");
    ASSERT_EQ(Append(shape, mode.shape()), Append(layout, mode)->shape());
    ASSERT_EQ(Prepend(shape, mode.shape()), Prepend(layout, mode)->shape());
    ASSERT_EQ(*Replace(shape, numbers[0], mode.shape()),
              Replace(layout, numbers[0], mode)->shape());
    ASSERT_EQ(Flatten(shape), Flatten(layout).shape());
    ASSERT_EQ(*Unflatten(Flatten(shape), shape.profile()), shape);
  });
}

TEST(Modes, Table) {
  const Layout a = LayoutOf("(2,3):(1,2)");
  const Layout integral = LayoutOf("4:1");
  const struct {
    std::string actual;
    std::string expected;
  } kCases[] = {
      {TextOf(Take(a, 1, 1)), "error: modes [1, 1) are empty"},
      {TextOf(Take(integral, 0, 1)), "(4):(1)"},
      {TextOf(Select(integral, {0, 0})), "(4,4):(1,1)"},
      {TextOf(Group(integral, 0, 1)), "((4)):((1))"},
      {TextOf(Append(integral, a)), "(4,(2,3)):(1,(1,2))"},
      {TextOf(Prepend(integral, a)), "((2,3),4):((1,2),1)"},
      {TextOf(AppendToRank(a, 2)), "(2,3):(1,2)"},
      {TextOf(AppendToRank(integral, 1)), "4:1"},
      {TextOf(AppendToRank(integral, 3)), "(4,1,1):(1,0,0)"},
      {TextOf(PrependToRank(integral, 3, LayoutOf("2:0"))), "(2,2,4):(0,0,1)"},
      {TextOf(Replace(integral, 0, a)), "((2,3)):((1,2))"},
      {TextOf(Flatten(LayoutOf("((4)):((1))"))), "(4):(1)"},
      {TextOf(Flatten(integral)), "4:1"},
      {TextOf(Unflatten(
           a, Profile(Profile::Nodes{2, 1, Profile::kLeaf, Profile::kLeaf}))),
       "((2),3):((1),2)"},
      {TextOf(Unflatten(a, Profile())),
       "error: (2,3):(1,2) has 2 leaves, the profile 1"},
      {TextOf(Unflatten(IntTuple({2, 3}), Profile())),
       "error: (2,3) has 2 leaves, the profile 1"},
      {TextOf(Take(a, 1, 3)),
       "error: modes [1, 3) are not in the rank 2 of (2,3):(1,2)"},
      {TextOf(Take(a, -1, 1)),
       "error: modes [-1, 1) are not in the rank 2 of (2,3):(1,2)"},
      {TextOf(Take(a, 2, 1)),
       "error: modes [2, 1) are not in the rank 2 of (2,3):(1,2)"},
      {TextOf(Select(IntTuple({2, 3}), {1, 2})),
       "error: mode 2 is outside [0, 2), the modes of (2,3)"},
      {TextOf(Replace(integral, 1, a)),
       "error: mode 1 is outside [0, 1), the modes of 4:1"},
      {TextOf(AppendToRank(a, 1)),
       "error: (2,3):(1,2) has more modes than the rank 1"},
      {TextOf(AppendToRank(a, int64_t{1} << 40)),
       "error: the rank 1099511627776 is more than 1048576"},
  };
  for (const auto& c : kCases) EXPECT_EQ(c.actual, c.expected);
}

// Numbers at the ends of int64_t are outside as well.
TEST(Modes, HugeNumbers) {
  const Layout a = LayoutOf("(2,3):(1,2)");
  EXPECT_THAT(Select(a, {INT64_MAX}), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(Select(a, {INT64_MIN}), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(Replace(a, INT64_MAX, a),
              StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(Take(a, 0, INT64_MAX), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(AppendToRank(a, INT64_MIN),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(AppendToRank(a, INT64_MAX),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

}  // namespace
}  // namespace tessera::cute
