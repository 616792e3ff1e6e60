// Slices and pads: a box of one array, moved to a place in another, judged by
// the copy of one element after the other.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/relayout/loop_nest.h"
#include "tessera/relayout/relayout_plan.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"
#include "tests/relayout/buffers.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using Numbers = std::vector<int64_t>;

#ifdef TESSERA_SANITIZER
constexpr int kRounds = 400;
#else
constexpr int kRounds = 6000;
#endif

Numbers OrZeros(const Numbers& begins, const IndexMap& map) {
  return begins.empty() ? Numbers(map.bounds().size()) : begins;
}

// Checks what a plan makes of random bytes, whole and in pieces.
void CheckBox(const IndexMap& from, const IndexMap& to, int64_t bits,
              const RelayoutOptions& options, uint64_t seed,
              bool* has_loops = nullptr) {
  const absl::StatusOr<RelayoutPlan> plan =
      RelayoutPlan::Create(from, to, bits, options);
  ASSERT_THAT(plan, IsOk());
  if (has_loops != nullptr) *has_loops = plan->has_loops();
  Numbers order = options.to_dimensions, extents = options.extents;
  if (order.empty()) {
    order.resize(from.bounds().size());
    std::iota(order.begin(), order.end(), 0);
  }
  if (extents.empty()) {
    extents.assign(from.bounds().begin(), from.bounds().end());
  }
  const Numbers from_begins = OrZeros(options.from_begins, from);
  const Numbers to_begins = OrZeros(options.to_begins, to);

  const Buffer source = RandomBuffer(plan->from_bytes(), seed);
  const Buffer expected = RandomBuffer(plan->to_bytes(), seed + 1);
  if (options.pad_value.has_value()) {
    for (int64_t p = 0; p < to.position_count(); ++p) {
      SetElement(expected.span(), p, *options.pad_value, 0, bits);
    }
  }
  int64_t count = 1;
  for (const int64_t extent : extents) count *= extent;
  ASSERT_EQ(plan->bytes_moved(), (count * bits + 7) / 8);
  for (int64_t n = 0; n < count; ++n) {
    Numbers index(order.size()), to_index(order.size());
    int64_t rest = n;
    for (size_t i = 0; i < order.size(); ++i) {
      index[i] = from_begins[i] + rest % extents[i];
      to_index[order[i]] = to_begins[order[i]] + rest % extents[i];
      rest /= extents[i];
    }
    SetElement(expected.span(), *to.LinearIndex(to_index), source.span(),
               *from.LinearIndex(index), bits);
  }
  for (const int64_t pieces : {1, 3}) {
    const Buffer target = RandomBuffer(plan->to_bytes(), seed + 1);
    for (int64_t piece = 0; piece < pieces; ++piece) {
      ASSERT_THAT(
          plan->ExecutePiece(piece, pieces, source.span(), target.span()),
          IsOk());
    }
    ASSERT_TRUE(Same(target, expected))
        << bits << " bits, " << pieces << " pieces, "
        << absl::StrJoin(extents, ",") << " from "
        << absl::StrJoin(from_begins, ",") << " to "
        << absl::StrJoin(to_begins, ",") << " in the order "
        << absl::StrJoin(order, ",") << "\n"
        << from.ToString() << "\n"
        << to.ToString() << "\n"
        << plan->ToString();
  }
}

TEST(RelayoutBox, CopiesRowsOutOfTiles) {
  const IndexMap tiled = MapOf("f32[16,256]{1,0:T(8,128)}");
  RelayoutOptions options;
  options.from_begins = {5, 0};
  options.extents = {8, 100};
  const absl::StatusOr<RelayoutPlan> plan =
      RelayoutPlan::Create(tiled, MapOf("f32[8,100]"), 32, options);
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->bytes_moved(), 3200);
  EXPECT_EQ(plan->ToString(),
            "for 3 (+512 -> +400) copy 400 bytes from 2560 to 0\n"
            "for 5 (+512 -> +400) copy 400 bytes from 8192 to 1200\n");
}

// Where tiles begin at different places, each period of them is cut alike: the
// number of nests does not grow with the array.
TEST(RelayoutBox, TilesThatBeginElsewhere) {
  const IndexMap from = MapOf("s8[65536,65536]{1,0:T(8,128)(4,1)}");
  for (const char* to :
       {"s8[65536,65536]{1,0:T(8,128)(4,1)}", "s8[65536,65536]{1,0:T(32,128)}",
        "s8[65536,65536]{0,1:T(8,128)(2,1)}"}) {
    CommonBox box = CommonBox::Whole(from);
    box.from_begins = {5, 37};
    box.to_begins = {2, 100};
    box.extents = {65001, 65003};
    const std::optional<LoopNests> nests =
        CommonLoopNests(from, MapOf(to), box);
    ASSERT_TRUE(nests.has_value());
    EXPECT_LE(nests->size(), 256);
    int64_t size = 0;
    for (const LoopNest& nest : *nests) size += nest.size();
    EXPECT_EQ(size, box.size());
  }
}

// A tile of the one side may be longer than all that the other has, where a
// stride of as many elements would not fit.
TEST(CommonLoopNests, BoxesAcrossTheSideOfAHugeTile) {
  constexpr int64_t kTile = int64_t{1} << 30;
  IndexMap::Builder builder({2});
  const IndexMap from = *std::move(builder).BuildStrided(
      {{builder.Dimension(0), int64_t{1} << 62}});
  CommonBox box = CommonBox::Whole(from);
  box.to_begins = {kTile - 1};
  IndexMap::Builder tiles({2 * kTile});
  const auto parts = tiles.Split(tiles.Dimension(0), kTile);
  const IndexMap to =
      *std::move(tiles).BuildStrided({{parts.first, 1}, {parts.second, 2}});
  const std::optional<LoopNests> nests = CommonLoopNests(from, to, box);
  ASSERT_TRUE(nests.has_value());
  ASSERT_EQ(nests->size(), 2);
  EXPECT_EQ(nests->at(0).from_base, 0);
  EXPECT_EQ(nests->at(0).to_base, 2 * (kTile - 1));
  EXPECT_EQ(nests->at(1).from_base, int64_t{1} << 62);
  EXPECT_EQ(nests->at(1).to_base, 1);
}

TEST(RelayoutBox, Errors) {
  const IndexMap from = MapOf("s8[10,20]"), to = MapOf("s8[30,8]");
  const auto error = [&](const Numbers& from_begins, const Numbers& to_begins,
                         const Numbers& extents,
                         const Numbers& to_dimensions = {}) {
    RelayoutOptions options;
    options.from_begins = from_begins;
    options.to_begins = to_begins;
    options.extents = extents;
    options.to_dimensions = to_dimensions;
    return std::string(
        RelayoutPlan::Create(from, to, 8, options).status().message());
  };
  EXPECT_EQ(error({}, {}, {}),
            "[10,20] does not become [30,8] with dimensions in the order "
            "[0,1]");
  EXPECT_EQ(error({}, {}, {10, 8}), "");
  EXPECT_EQ(error({0, 12}, {20, 0}, {10, 8}), "");
  EXPECT_EQ(error({}, {}, {8, 20}, {1, 0}), "");
  EXPECT_EQ(error({0, 13}, {}, {10, 8}),
            "the box takes 8 from 13 on of dimension 1 of from, which is "
            "[0, 20)");
  EXPECT_EQ(error({}, {21, 0}, {10, 8}),
            "the box takes 10 from 21 on of dimension 0 of to, which is "
            "[0, 30)");
  EXPECT_EQ(error({}, {}, {10, 20}, {1, 0}),
            "the box takes 10 from 0 on of dimension 1 of to, which is [0, 8)");
  EXPECT_EQ(error({-1, 0}, {}, {1, 1}),
            "the box takes 1 from -1 on of dimension 0 of from, which is "
            "[0, 10)");
  EXPECT_EQ(error({0, 9}, {}, {1, int64_t{1} << 62}),
            "the box takes 4611686018427387904 from 9 on of dimension 1 of "
            "from, which is [0, 20)");
  EXPECT_EQ(error({1}, {}, {1, 1}),
            "the begins in from have 1 entry, but the array has 2 dimensions");
  EXPECT_EQ(error({}, {1, 1, 1}, {1, 1}),
            "the begins in to have 3 entries, but the array has 2 dimensions");
  EXPECT_EQ(error({}, {}, {1}),
            "the extents have 1 entry, but the array has 2 dimensions");
  EXPECT_THAT(error({}, {}, {1, 1}, {0, 0}),
              HasSubstr("dimensions in the order [0,0]"));
}

// -- Random boxes ------------------------------------------------------------

constexpr const char* kTiles[] = {
    "",           "",        ":T(8,128)", ":T(8,128)(2,1)",    ":T(8,128)(4,1)",
    ":T(128)",    ":T(4)",   ":T(4,8)",   ":T(8,8)(4,2)(2,1)", ":T(16,4)(2,1)",
    ":T(2,2)",    ":T(3,5)", ":T(6)(3)",  ":T(*,8)",           ":T(4,6)(4)",
    ":T(8)L(100)"};

// Strides with gaps, some of them negative, or any at all.
IndexMap RandomStrided(const Numbers& bounds, bool may_share,
                       RandomBits* random) {
  IndexMap::Builder builder(bounds);
  Numbers order(bounds.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), *random);
  std::vector<IndexMap::Builder::StridedCoordinate> coordinates;
  int64_t next = 1, base = Uniform(0, 5, random);
  for (const int64_t i : order) {
    int64_t stride = next;
    next = std::max<int64_t>(1, next * bounds[i]) + Uniform(0, 3, random);
    if (may_share) stride = Uniform(0, 20, random);
    if (Uniform(0, 2, random) == 0) {
      base += std::max<int64_t>(0, bounds[i] - 1) * stride;
      stride = -stride;
    }
    coordinates.push_back({builder.Dimension(i), stride});
  }
  return *std::move(builder).BuildStrided(coordinates, base);
}

IndexMap RandomMap(const Numbers& bounds, RandomBits* random) {
  if (Uniform(0, 5, random) == 0) {
    return RandomStrided(bounds, /*may_share=*/false, random);
  }
  Numbers order(bounds.size());
  std::iota(order.begin(), order.end(), 0);
  std::reverse(order.begin(), order.end());
  if (Uniform(0, 2, random) == 0) {
    std::shuffle(order.begin(), order.end(), *random);
  }
  const std::string tiles = kTiles[Uniform(0, std::size(kTiles) - 1, random)];
  if (bounds.empty() || (bounds.size() < 2 && tiles == ":T(*,8)")) {
    return MapOf(absl::StrCat("s8[", absl::StrJoin(bounds, ","), "]"));
  }
  return MapOf(absl::StrCat("s8[", absl::StrJoin(bounds, ","), "]{",
                            absl::StrJoin(order, ","), tiles, "}"));
}

TEST(RelayoutBox, IsTheCopyByElement) {
  RandomBits random(TestSeed());
  int with_loops = 0;
  for (int round = 0; round < kRounds; ++round) {
    const int64_t rank = Uniform(0, 4, &random);
    const int64_t largest = rank < 2 ? 300 : rank == 2 ? 40 : 9;
    RelayoutOptions options;
    options.to_dimensions.resize(rank);
    std::iota(options.to_dimensions.begin(), options.to_dimensions.end(), 0);
    if (Uniform(0, 2, &random) == 0) {
      std::shuffle(options.to_dimensions.begin(), options.to_dimensions.end(),
                   random);
    }
    Numbers from_bounds(rank), to_bounds(rank);
    options.to_begins.resize(rank);
    for (int64_t i = 0; i < rank; ++i) {
      const int64_t j = options.to_dimensions[i];
      const int64_t extent =
          Uniform(Uniform(0, 30, &random) == 0 ? 0 : 1, largest, &random);
      const bool is_at_zero = Uniform(0, 3, &random) == 0;
      const int64_t from_begin = is_at_zero ? 0 : Uniform(0, 20, &random);
      const int64_t to_begin = is_at_zero ? 0 : Uniform(0, 20, &random);
      options.extents.push_back(extent);
      options.from_begins.push_back(from_begin);
      options.to_begins[j] = to_begin;
      from_bounds[i] = from_begin + extent + Uniform(0, 9, &random);
      to_bounds[j] = to_begin + extent + Uniform(0, 9, &random);
    }
    const IndexMap from =
        Uniform(0, 9, &random) == 0
            ? RandomStrided(from_bounds, /*may_share=*/true, &random)
            : RandomMap(from_bounds, &random);
    const IndexMap to = RandomMap(to_bounds, &random);
    if (from.position_count() > 60000 || to.position_count() > 60000) continue;
    if (Uniform(0, 2, &random) == 0) {
      options.pad_value.emplace();
      for (uint8_t& byte : *options.pad_value) {
        byte = static_cast<uint8_t>(Uniform(0, 255, &random));
      }
    }
    if (Uniform(0, 2, &random) == 0) options.stream_from_bytes = 0;
    const int64_t bits = kBits[Uniform(0, std::size(kBits) - 1, &random)];
    bool has_loops = false;
    CheckBox(from, to, bits, options, static_cast<uint64_t>(round), &has_loops);
    if (HasFatalFailure()) return;
    with_loops += has_loops;
  }
  EXPECT_GT(with_loops, kRounds / 3);
}

TEST(RelayoutBox, LargeEnoughForEveryKernel) {
  const Numbers begins[] = {{0, 0}, {5, 37}, {8, 128}, {3, 1}};
  uint64_t seed = 0;
  for (const int64_t bits : {4, 8, 16, 32}) {
    for (const char* from : {"{1,0}", "{0,1}", "{1,0:T(8,128)(4,1)}"}) {
      for (const char* to :
           {"{1,0}", "{1,0:T(8,128)(2,1)}", "{0,1:T(8,128)}"}) {
        for (const Numbers& begin : begins) {
          RelayoutOptions options;
          options.extents = {100, 259};
          options.from_begins = begin;
          if (++seed % 2 == 0) options.pad_value.emplace();
          if (seed % 3 == 0) options.stream_from_bytes = 0;
          CheckBox(MapOf(absl::StrCat("s8[111,400]", from)),
                   MapOf(absl::StrCat("s8[100,260]", to)), bits, options, seed);
          options.to_begins = begin;
          options.from_begins = {};
          CheckBox(MapOf(absl::StrCat("s8[100,259]", from)),
                   MapOf(absl::StrCat("s8[130,400]", to)), bits, options, seed);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// Swizzles have no loops, strides with gaps no nests of padding.
TEST(RelayoutBox, OfMapsThatAreNoTiles) {
  IndexMap::Builder builder({12, 9});
  const IndexMap strided = *std::move(builder).BuildStrided(
      {{builder.Dimension(0), 11}, {builder.Dimension(1), 1}}, 3);
  const IndexMap row_major = MapOf("s8[16,16]");
  const IndexMap swizzled = *row_major.Swizzled({3, 0, 4});
  RelayoutOptions options;
  options.from_begins = {3, 2};
  options.to_begins = {1, 4};
  options.extents = {5, 4};
  for (const int64_t bits : kBits) {
    for (const bool pads : {false, true}) {
      if (pads) options.pad_value.emplace().fill(0xa5);
      CheckBox(row_major, strided, bits, options, 1);
      CheckBox(strided, row_major, bits, options, 2);
      CheckBox(strided, swizzled, bits, options, 3);
      CheckBox(swizzled, strided, bits, options, 4);
    }
    options.pad_value.reset();
  }
}

TEST(RelayoutBox, AnEmptyBoxIsAllPadding) {
  RelayoutOptions options;
  options.extents = {3, 0};
  options.to_begins = {1, 2};
  options.pad_value.emplace().fill(7);
  CheckBox(MapOf("s8[3,5]"), MapOf("s8[9,11]{1,0:T(4,8)}"), 16, options, 1);
  CheckBox(MapOf("s8[3,0]"), MapOf("s8[9,11]{1,0:T(4,8)}"), 16, options, 1);
}

// Without extents, all of `from`.
TEST(RelayoutBox, BeginsAlonePlaceAll) {
  RelayoutOptions options;
  options.to_begins = {4, 1};
  CheckBox(MapOf("s8[3,5]"), MapOf("s8[9,11]{1,0:T(4,8)}"), 8, options, 1);
}

}  // namespace
}  // namespace tessera
