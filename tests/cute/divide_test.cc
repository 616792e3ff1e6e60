#include "tessera/cute/algebra/divide.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/complement.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/tiler.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

TEST(RaggedModes, SayWhatToTest) {
  const Layout ragged = LayoutOf("48:1");
  const Layout tile = LayoutOf("32:1");
  EXPECT_EQ(TextOf(LogicalDivide(ragged, tile)), "(32,2):(1,32)");
  EXPECT_EQ(LogicalDivide(ragged, tile)->size(), 64);
  EXPECT_EQ((*RaggedModes(ragged, tile))[0].ToString(),
            "(32,2):(1,32) at (in tile, tile) < 48");
}

// The modes of `layout`, or all of it if there is one, as C++ slices it.
std::vector<Layout> SeveralModes(const Layout& layout) {
  if (layout.rank() == 1) return {layout};
  const auto modes = layout.Modes();
  return {modes.begin(), modes.end()};
}

Layout LayoutOfTile(const LiteralTiler& tiler) {
  return tiler.kind == LiteralTiler::Kind::kSize
             ? Tiler::OfShape(tiler.size)->layout()
             : LayoutOf(tiler.layout);
}

// A o B, or if there is none, what goes on past the modes of size 1 that A ends
// in.
absl::StatusOr<Layout> ComposedWithin(const Layout& a, const Tiler& b) {
  absl::StatusOr<Layout> result = Composition(a, b);
  if (result.ok() || a.leaves().back().size != 1) return result;
  return Composition(Coalesce(a), b);
}

// A / B, by the formula.
absl::StatusOr<Layout> Formula(const Layout& a, const Layout& b) {
  const absl::StatusOr<Layout> rest = Complement(b, a.size());
  if (!rest.ok()) return rest;
  return ComposedWithin(a, *Layout::Concatenate({b, *rest}));
}

// By its definition, mode by mode; nothing where a mode cannot be divided.
std::optional<Layout> Logical(const Layout& a, const LiteralTiler& tiler) {
  if (tiler.kind == LiteralTiler::Kind::kKeep) return a;
  if (tiler.kind != LiteralTiler::Kind::kTuple) {
    const absl::StatusOr<Layout> result = Formula(a, LayoutOfTile(tiler));
    return result.ok() ? std::make_optional(*result) : std::nullopt;
  }
  std::vector<Layout> modes;
  for (int64_t i = 0; i < a.rank(); ++i) {
    modes.push_back(a.Mode(i));
    if (i >= static_cast<int64_t>(tiler.modes.size())) continue;
    const std::optional<Layout> mode = Logical(modes[i], tiler.modes[i]);
    if (!mode) return std::nullopt;
    modes[i] = *mode;
  }
  return *Layout::Concatenate(modes);
}

// Tiles and rests, each mode by mode.
std::optional<std::pair<Layout, Layout>> Zipped(const Layout& a,
                                                const LiteralTiler& tiler) {
  if (tiler.kind == LiteralTiler::Kind::kKeep) {
    return std::make_pair(Layout(), a);
  }
  if (tiler.kind != LiteralTiler::Kind::kTuple) {
    const absl::StatusOr<Layout> result = Formula(a, LayoutOfTile(tiler));
    if (!result.ok()) return std::nullopt;
    return std::make_pair(result->Mode(0), result->Mode(1));
  }
  std::vector<Layout> tiles;
  std::vector<Layout> rests;
  for (int64_t i = 0; i < a.rank(); ++i) {
    if (i >= static_cast<int64_t>(tiler.modes.size())) {
      rests.push_back(a.Mode(i));
      continue;
    }
    const auto mode = Zipped(a.Mode(i), tiler.modes[i]);
    if (!mode) return std::nullopt;
    tiles.push_back(mode->first);
    rests.push_back(mode->second);
  }
  return std::make_pair(*Layout::Concatenate(tiles),
                        *Layout::Concatenate(rests));
}

// Whether `tile` is A o B, with the modes of size 1 that A ends in or without.
void ExpectIsComposition(const Layout& tile, const Layout& a, const Layout& b) {
  const std::string text = TextOf(tile);
  if (text == TextOf(Composition(a, b))) return;
  ASSERT_EQ(a.leaves().back().size, 1);
  ASSERT_EQ(text, TextOf(Composition(Coalesce(a), b)));
}

TEST(LogicalDivide, ByALayout) {
  int64_t divided = 0;
  ForEachRandomLayout(SmallLayouts(), [&](const Layout& a, RandomBits* random) {
    LiteralTiler tiler = RandomTiler(LiteralOf(a), SmallLayouts(), random);
    if (tiler.kind != LiteralTiler::Kind::kLayout) {
      tiler.layout = RandomCuteLayout(SmallLayouts(), random);
    }
    const Layout b = LayoutOf(tiler.layout);
    const absl::StatusOr<Layout> result = LogicalDivide(a, b);
    const absl::StatusOr<Layout> formula = Formula(a, b);
    ASSERT_EQ(result.ok(), formula.ok()) << b.ToString();
    if (!result.ok()) return;
    ++divided;
    ASSERT_EQ(*result, *formula) << b.ToString();
    ASSERT_EQ(result->rank(), 2) << b.ToString();
    ExpectIsComposition(result->Mode(0), a, b);
    ASSERT_TRUE(Compatible(b.shape(), result->Mode(0).shape()));
    // With a layout as tiler there is one pair for the whole.
    ASSERT_EQ(TextOf(ZippedDivide(a, b)), TextOf(result));
  });
  EXPECT_GT(divided, Samples(10000) / 10);
}

TEST(Divide, FourFormsOfOneFunction) {
  int64_t divided = 0;
  ForEachRandomLayout(SmallLayouts(), [&](const Layout& a, RandomBits* random) {
    const LiteralTiler literal =
        RandomTiler(LiteralOf(a), SmallLayouts(), random);
    const Tiler tiler = TilerOf(literal);
    SCOPED_TRACE(literal.ToString());
    const auto logical = LogicalDivide(a, tiler);
    const auto expected_logical = Logical(a, literal);
    ASSERT_EQ(logical.ok(), expected_logical.has_value()) << TextOf(logical);
    const auto zipped = ZippedDivide(a, tiler);
    const auto expected = Zipped(a, literal);
    ASSERT_EQ(zipped.ok(), expected.has_value()) << TextOf(zipped);
    ASSERT_EQ(logical.ok(), zipped.ok());
    if (!logical.ok()) return;
    ++divided;
    ASSERT_EQ(*logical, *expected_logical);
    ASSERT_EQ(*zipped,
              *Layout::Concatenate({expected->first, expected->second}));

    std::vector<Layout> tiled = SeveralModes(expected->second);
    tiled.insert(tiled.begin(), expected->first);
    ASSERT_EQ(TextOf(TiledDivide(a, tiler)),
              TextOf(Layout::Concatenate(tiled)));
    std::vector<Layout> flat = SeveralModes(expected->first);
    flat.insert(flat.end(), tiled.begin() + 1, tiled.end());
    ASSERT_EQ(TextOf(FlatDivide(a, tiler)), TextOf(Layout::Concatenate(flat)));

    // The same elements, as often.
    std::vector<int64_t> values = ValuesOf(*logical);
    std::vector<int64_t> rearranged = ValuesOf(*zipped);
    std::sort(values.begin(), values.end());
    std::sort(rearranged.begin(), rearranged.end());
    ASSERT_EQ(rearranged, values);
  });
  EXPECT_GT(divided, Samples(10000) / 10);
}

bool HasUnderscore(const LiteralTiler& tiler) {
  return tiler.kind == LiteralTiler::Kind::kKeep ||
         std::any_of(tiler.modes.begin(), tiler.modes.end(), HasUnderscore);
}

void ExpectTilesAreCompositions(const Layout& tiles, const Layout& a,
                                const LiteralTiler& tiler) {
  if (tiler.kind != LiteralTiler::Kind::kTuple) {
    ExpectIsComposition(tiles, a, LayoutOfTile(tiler));
    return;
  }
  ASSERT_EQ(tiles.rank(), static_cast<int64_t>(tiler.modes.size()));
  for (size_t i = 0; i < tiler.modes.size(); ++i) {
    ExpectTilesAreCompositions(tiles.Mode(i), a.Mode(i), tiler.modes[i]);
  }
}

TEST(ZippedDivide, ModeZeroIsTheComposition) {
  ForEachRandomLayout(SmallLayouts(), [](const Layout& a, RandomBits* random) {
    const LiteralTiler literal =
        RandomTiler(LiteralOf(a), SmallLayouts(), random);
    const absl::StatusOr<Layout> zipped = ZippedDivide(a, TilerOf(literal));
    // The tile of a mode that is left alone is one element, and the
    // composition leaves all of it.
    if (!zipped.ok() || HasUnderscore(literal)) return;
    SCOPED_TRACE(literal.ToString());
    ExpectTilesAreCompositions(zipped->Mode(0), a, literal);
  });
}

// Where a coordinate of the divided mode lies in the mode of A, with the tile
// and the rest that the formula has.
void ExpectRagged(const Layout& a, const Layout& tile, const Layout& divided,
                  const RaggedMode* ragged) {
  const absl::StatusOr<Layout> rest = Complement(tile, a.size());
  const Layout coordinates = *Layout::Concatenate({tile, *rest});
  const LiteralLayout literal_a = LiteralOf(a);
  const std::vector<int64_t> places = ValuesOf(coordinates);
  const std::vector<int64_t> values = ValuesOf(divided);
  ASSERT_EQ(places.size(), values.size());
  bool any_outside = false;
  for (size_t c = 0; c < places.size(); ++c) {
    const bool is_outside = places[c] >= a.size();
    any_outside |= is_outside;
    if (!is_outside) {
      ASSERT_EQ(values[c], literal_a.Evaluate(places[c])) << c;
    }
    if (ragged == nullptr) {
      ASSERT_FALSE(is_outside) << c;
    } else {
      ASSERT_EQ(ragged->coordinates(c) >= ragged->size, is_outside) << c;
    }
  }
  ASSERT_EQ(any_outside, ragged != nullptr);
}

void ExpectRaggedByMode(const Layout& a, const LiteralTiler& tiler,
                        const Layout& divided, std::vector<int64_t> path,
                        const std::vector<RaggedMode>& ragged, size_t* next) {
  if (tiler.kind == LiteralTiler::Kind::kKeep) return;
  if (tiler.kind == LiteralTiler::Kind::kTuple) {
    for (size_t i = 0; i < tiler.modes.size(); ++i) {
      std::vector<int64_t> deeper = path;
      deeper.push_back(i);
      ExpectRaggedByMode(a.Mode(i), tiler.modes[i], divided.Mode(i), deeper,
                         ragged, next);
    }
    return;
  }
  const bool is_ragged = *next < ragged.size() && ragged[*next].mode == path;
  ExpectRagged(a, LayoutOfTile(tiler), divided,
               is_ragged ? &ragged[*next] : nullptr);
  *next += is_ragged;
}

TEST(RaggedModes, FlagsExactlyWhatLiesOutside) {
  int64_t count = 0;
  ForEachRandomLayout(SmallLayouts(), [&](const Layout& a, RandomBits* random) {
    const LiteralTiler literal =
        RandomTiler(LiteralOf(a), SmallLayouts(), random);
    const absl::StatusOr<Layout> divided = LogicalDivide(a, TilerOf(literal));
    if (!divided.ok()) return;
    const auto ragged = RaggedModes(a, TilerOf(literal));
    ASSERT_THAT(ragged, IsOk());
    SCOPED_TRACE(literal.ToString());
    size_t next = 0;
    ExpectRaggedByMode(a, literal, *divided, {}, *ragged, &next);
    ASSERT_EQ(next, ragged->size());
    count += next;
  });
  EXPECT_GT(count, Samples(10000) / 50);
}

TEST(RaggedModes, Table) {
  const struct {
    std::string_view layout;
    std::string_view tiler;
    std::vector<std::string> expected;
  } kCases[] = {
      {"48:1", "32:1", {"(32,2):(1,32) at (in tile, tile) < 48"}},
      {"48:1", "16:1", {}},
      {"48:1", "_", {}},
      {"(10,(7,6)):(1,(10,70))",
       "<4, <_, 4>>",
       {"mode 0: (4,3):(1,4) at (in tile, tile) < 10",
        "mode 1,1: (4,2):(1,4) at (in tile, tile) < 6"}},
      {"(10,8):(1,10)",
       "<3:2, 4:1>",
       {"mode 0: (3,(2,2)):(2,(1,6)) at (in tile, tile) < 10"}},
  };
  for (const auto& c : kCases) {
    std::vector<std::string> actual;
    const auto ragged = RaggedModes(LayoutOf(c.layout), TilerOf(c.tiler));
    for (const RaggedMode& mode : *ragged) actual.push_back(mode.ToString());
    EXPECT_EQ(actual, c.expected) << c.layout << " / " << c.tiler;
  }
}

// A coordinate behind the last one is no element, whatever mode of size 1 the
// layout ends in.
TEST(Divide, RaggedOverALastModeOfSizeOne) {
  const struct {
    std::string_view layout;
    std::string_view tiler;
    std::string expected;
  } kCases[] = {
      {"(1000,1):(1,0)", "128:1", "(128,8):(1,128)"},
      {"(1000,1):(1,1024)", "128:1", "(128,8):(1,128)"},
      {"(1000,(1,1)):(1,(0,7))", "128:1", "(128,8):(1,128)"},
      {"((1000,1),4):((1,0),1000)", "<128:1>", "((128,8),4):((1,128),1000)"},
      {"((1000,1),4):((1,0),1000)", "<128>", "((128,8),4):((1,128),1000)"},
      {"(3000000,1):(1,0)", "128:1", "(128,23438):(1,128)"},
      {"(9,1):(1,0)", "4:2", "(4,(2,2)):(2,(1,8))"},
      {"(5,2,1):(1,5,0)", "(2,2):(1,4)", "((2,2),(2,2)):((1,4),(2,8))"},
      {"(9,1):(1@0,1@1)", "4:1", "(4,3):(1@0,4@0)"},
      // One element a tile or no remainder: as ever.
      {"(9,1):(1,0)", "3:1", "(3,3):(1,3)"},

      {"(9,1):(1,0)", "16:1", "(16,1):(1,0)"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(LogicalDivide(LayoutOf(c.layout), TilerOf(c.tiler))),
              c.expected)
        << c.layout << " / " << c.tiler;
  }
}

// As if the last mode were not there.
TEST(Divide, RaggedAsWithoutTheLastModeOfSizeOne) {
  for (const std::string_view size : {"9", "100", "1000"}) {
    for (const std::string_view tail : {"0", "7", "1024"}) {
      for (const std::string_view tile : {"2", "7", "8", "128"}) {
        const Layout plain = LayoutOf(absl::StrCat(AbslView(size), ":1"));
        const Layout a = LayoutOf(
            absl::StrCat("(", AbslView(size), ",1):(1,", AbslView(tail), ")"));
        const Tiler tiler = TilerOf(absl::StrCat(AbslView(tile), ":1"));
        const Tiler by_mode = TilerOf(absl::StrCat("<", AbslView(tile), ">"));
        const std::string expected = TextOf(LogicalDivide(plain, tiler));
        SCOPED_TRACE(a.ToString());
        EXPECT_EQ(TextOf(LogicalDivide(a, tiler)), expected);
        EXPECT_EQ(TextOf(ZippedDivide(a, tiler)), expected);
        EXPECT_EQ(TextOf(TiledDivide(a, tiler)), expected);
        EXPECT_EQ(TextOf(FlatDivide(a, tiler)), expected);
        for (const auto& divide :
             {LogicalDivide, ZippedDivide, TiledDivide, FlatDivide}) {
          EXPECT_EQ(TextOf(divide(*Layout::Concatenate({a}), by_mode, {})),
                    TextOf(divide(*Layout::Concatenate({plain}), by_mode, {})));
        }
      }
    }
  }
}

// What is refused has no answer, with the modes of size 1 or without, and what
// is answered is right wherever there is an element.
TEST(LogicalDivide, RefusesWhatHasNoLayout) {
  int64_t ragged_past_modes_of_size_one = 0;
  int64_t refused = 0;
  ForEachRandomLayout(SmallLayouts(), [&](const Layout& inner,
                                          RandomBits* random) {
    Layout a = inner;
    for (int64_t n = Uniform(0, 2, random); n > 0; --n) {
      const Layout unit = *Layout::Create(1, Uniform(0, 40, random));
      a = *Layout::Concatenate({a, unit});
    }
    LiteralTiler tiler = RandomTiler(LiteralOf(inner), SmallLayouts(), random);
    if (tiler.kind != LiteralTiler::Kind::kLayout) {
      tiler.layout = LiteralLayout::Leaf(Uniform(1, 12, random), 1);
    }
    const Layout tile = LayoutOf(tiler.layout);
    const absl::StatusOr<Layout> rest = Complement(tile, a.size());
    if (!rest.ok()) return;
    const Layout coordinates = *Layout::Concatenate({tile, *rest});
    SCOPED_TRACE(coordinates.ToString());
    const LiteralLayout literal_a = LiteralOf(a);
    const LiteralLayout places = LiteralOf(coordinates);
    const LiteralLayout without_units = LiteralOf(Coalesce(a));
    const bool is_open = a.leaves().back().size == 1;
    const absl::StatusOr<Layout> divided = LogicalDivide(a, tile);
    if (!divided.ok()) {
      ++refused;
      ASSERT_FALSE(LayoutExists(literal_a, places));
      ASSERT_FALSE(is_open && LayoutExists(without_units, places));
      return;
    }
    const bool goes_on = LayoutExists(literal_a, places);
    ASSERT_TRUE(goes_on || is_open);
    const LiteralLayout result = LiteralOf(*divided);
    for (int64_t c = 0; c < coordinates.size(); ++c) {
      const int64_t place = places.Evaluate(c);
      if (goes_on || place < a.size()) {
        ASSERT_EQ(result.Evaluate(c), literal_a.Evaluate(place)) << c;
      } else {
        ASSERT_EQ(result.Evaluate(c), without_units.Evaluate(place)) << c;
      }
    }
    ragged_past_modes_of_size_one += !goes_on;
  });
  EXPECT_GT(ragged_past_modes_of_size_one, Samples(10000) / 200);
  EXPECT_GT(refused, Samples(10000) / 20);
}

// "All elements not pointed to by B" are not all there where B's strides are no
// chain of divisors: 4 and 9, for one, are in no tile.
TEST(LogicalDivide, MayLeaveElementsOut) {
  const Layout divided =
      *LogicalDivide(LayoutOf("40:1"), LayoutOf("(2,2):(5,2)"));
  EXPECT_EQ(TextOf(divided), "((2,2),(2,4)):((5,2),(1,10))");
  const std::vector<int64_t> offsets = OffsetsOf(divided);
  EXPECT_EQ(offsets.size(), 32u);
  EXPECT_FALSE(std::binary_search(offsets.begin(), offsets.end(), 4));
  EXPECT_FALSE(std::binary_search(offsets.begin(), offsets.end(), 9));
}

TEST(Divide, Errors) {
  const struct {
    std::string_view layout;
    std::string_view tiler;
    std::string expected;
  } kCases[] = {
      {"4:1", "<2, 2>", "error: 2 modes are asked of a layout with 1"},
      {"(4,(2,3)):(1,(4,8))", "<_, <1, 2, 3>>",
       "error: in mode 1: 3 modes are asked of a layout with 2"},
      {"(4,6):(1,4)", "<2, (2,2):(2,3)>",
       "error: in mode 1: the stride of mode 1 of A, 2:3, is less than the "
       "extent 4 that mode 0 of A, 2:2, reaches: the value 3 at coordinate "
       "(0,1) lies within"},
      {"(7,(3,5)):(1,(7,100))", "<_, 2>",
       "error: in mode 1: A = (3,5):(7,100) by B = (2,8):(1,2), (tile, tiles): "
       "no layout equals A o B: in mode 1 of B, 8:2, A(B) is 400 at coordinate "
       "(0,6), not 321, which ends a run of 3 equal steps; 3 does not divide "
       "4"},
  };
  for (const auto& c : kCases) {
    const Layout layout = LayoutOf(c.layout);
    const Tiler tiler = TilerOf(c.tiler);
    for (const auto& result :
         {LogicalDivide(layout, tiler), ZippedDivide(layout, tiler),
          TiledDivide(layout, tiler), FlatDivide(layout, tiler)}) {
      EXPECT_EQ(TextOf(result), c.expected) << c.layout << " / " << c.tiler;
    }
  }
}

}  // namespace
}  // namespace tessera::cute
