#include "tessera/tenstorrent/buffer/buffer.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tenstorrent/rule.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::HasSubstr;

constexpr ElementType kTiledBF16{DataType::kBF16, TileShape{32, 32}};

BufferSpec Interleaved(Dimensions shape, ElementType element,
                       BufferType type = BufferType::kDram) {
  BufferSpec spec;
  spec.shape = std::move(shape);
  spec.element = element;
  spec.buffer_type = type;
  return spec;
}

BufferSpec Sharded(Dimensions shape, ElementType element, Dimensions shard,
                   CoreRanges cores) {
  BufferSpec spec = Interleaved(std::move(shape), element, BufferType::kL1);
  spec.sharding.emplace();
  spec.sharding->shard = std::move(shard);
  spec.sharding->cores = std::move(cores);
  return spec;
}

TEST(Buffer, Architectures) {
  for (const Architecture architecture : kArchitectures) {
    EXPECT_EQ(ArchitectureOf(KeywordOf(architecture)), architecture);
  }
  EXPECT_FALSE(ArchitectureOf("grayskull").has_value());
  const ChipDescription wormhole = UsualChip(Architecture::kWormholeB0);
  const ChipDescription blackhole = UsualChip(Architecture::kBlackhole);
  EXPECT_EQ(BanksOf(BufferType::kDram, wormhole), 12);
  EXPECT_EQ(BanksOf(BufferType::kL1, wormhole), 64);
  EXPECT_EQ(BanksOf(BufferType::kTrace, blackhole), 8);
  EXPECT_EQ(BanksOf(BufferType::kL1Small, blackhole), 130);
  EXPECT_EQ(BanksOf(BufferType::kSystemMemory, blackhole), 1);
}

// The inputs of the judge's report, section 1.3.
TEST(Buffer, RowsOfScalarsAreAligned) {
  const Buffer dram = *Buffer::Create(Interleaved({32, 1}, {DataType::kF32}));
  EXPECT_EQ(dram.sizes().content_bytes, 128);
  EXPECT_EQ(dram.sizes().taken_bytes, 1024);
  const Buffer l1 = *Buffer::Create(
      Interleaved({1}, {DataType::kF32, TileShape{32, 32}}, BufferType::kL1));
  EXPECT_EQ(l1.sizes().pages, 1);
  EXPECT_EQ(l1.sizes().taken_per_bank, 4096);

  BufferSpec spec =
      Sharded({63, 65}, {DataType::kU16}, {3, 65}, {{{0, 0}, {6, 2}}});
  spec.sharding->memory_layout = TensorMemoryLayout::kHeightSharded;
  const Buffer sharded = *Buffer::Create(spec);
  EXPECT_EQ(sharded.sizes().content_per_bank, 390);
  EXPECT_EQ(sharded.sizes().taken_per_bank, 448);
  EXPECT_EQ(sharded.PlaceOf({2, 0})->offset(), 288);
}

TEST(Buffer, EmptyCoresTakeAsMuch) {
  BufferSpec spec =
      Sharded({512, 32}, kTiledBF16, {64, 32}, {{{0, 0}, {7, 10}}});
  spec.sharding->memory_layout = TensorMemoryLayout::kHeightSharded;
  const Buffer buffer = *Buffer::Create(spec);
  EXPECT_EQ(buffer.sizes().banks_in_use, 8);
  EXPECT_EQ(buffer.banks(), 88);
  EXPECT_EQ(buffer.sizes().content_bytes, 32 * 1024);
  EXPECT_EQ(buffer.sizes().taken_bytes, 32 * 1024);
  EXPECT_EQ(buffer.sizes().taken_per_bank, 4096);
}

TEST(Buffer, SmallTilesOfBlockFloats) {
  const Buffer buffer = *Buffer::Create(
      Interleaved({32, 16}, {DataType::kBfpBf8, TileShape{32, 16}}),
      UsualChip(Architecture::kBlackhole));
  EXPECT_EQ(buffer.sizes().page_bytes, 544);
  EXPECT_EQ(buffer.sizes().taken_per_bank, 576);
  const BufferPlace place = *buffer.PlaceOf({17, 3});
  EXPECT_EQ(place.byte, 32 + 256 + 16 + 3);
  EXPECT_EQ(place.exponent_byte, (256 + 16 + 3) / 16);
}

TEST(Buffer, WithoutElements) {
  for (const ElementType& element : {kTiledBF16, ElementType{DataType::kF32}}) {
    for (const Dimensions& shape :
         {Dimensions{0, 64}, Dimensions{64, 0}, Dimensions{0}}) {
      const absl::StatusOr<Buffer> buffer =
          Buffer::Create(Interleaved(shape, element));
      ASSERT_THAT(buffer, IsOk());
      EXPECT_EQ(buffer->sizes().pages, 0);
      EXPECT_EQ(buffer->sizes().taken_bytes, 0);
      EXPECT_EQ(buffer->sizes().taken_per_bank, 0);
      EXPECT_EQ(buffer->PlaceOfPage(0).status().code(),
                absl::StatusCode::kOutOfRange);
    }
  }
  BufferSpec spec = Sharded({0, 64}, kTiledBF16, {32, 64}, {{{0, 0}, {0, 0}}});
  spec.sharding->memory_layout = TensorMemoryLayout::kWidthSharded;
  EXPECT_EQ(Buffer::Create(spec)->sizes().taken_bytes, 0);
}

TEST(Buffer, RankZero) {
  EXPECT_EQ(Buffer::Create(Interleaved({}, kTiledBF16))->sizes().taken_bytes,
            2048);
  const Buffer scalar = *Buffer::Create(Interleaved({}, {DataType::kF32}));
  EXPECT_EQ(scalar.sizes().page_bytes, 4);
  EXPECT_EQ(scalar.PlaceOf({})->offset(), 0);
}

TEST(Buffer, PaddedSizesOfTheProgram) {
  BufferSpec spec = Interleaved({2, 1, 64, 64}, kTiledBF16);
  spec.padded_shape = {2, 32, 64, 64};
  const Buffer buffer = *Buffer::Create(spec);
  EXPECT_EQ(buffer.sizes().pages, 2 * 32 * 4);
  EXPECT_EQ(buffer.PlaceOf({1, 0, 0, 32})->page.number, 32 * 4 + 1);
  spec.padded_shape = {2, 1, 32, 64};
  EXPECT_EQ(RuleOf(Buffer::Create(spec).status()), Rule::kDimAlignments);
}

TEST(Buffer, MemoryLayoutsOfBanksOfDram) {
  BufferSpec spec = Sharded({32, 256}, kTiledBF16, {32, 64},
                            {{{4, 0}, {5, 0}}, {{0, 0}, {1, 0}}});
  spec.buffer_type = BufferType::kDram;
  spec.sharding->memory_layout = TensorMemoryLayout::kWidthSharded;
  const Buffer buffer = *Buffer::Create(spec);
  const int64_t banks[] = {4, 5, 0, 1};
  for (int64_t shard = 0; shard < 4; ++shard) {
    const BufferPlace place = *buffer.PlaceOf({0, shard * 64});
    EXPECT_EQ(place.page.bank, banks[shard]);
    EXPECT_FALSE(place.page.core.has_value());
    EXPECT_FALSE(buffer.CoreOfShard(shard).has_value());
  }
}

TEST(Buffer, ShardsWithoutKnownCores) {
  BufferSpec spec = Sharded({128, 32}, kTiledBF16, {32, 32}, {});
  spec.sharding->memory_layout = TensorMemoryLayout::kHeightSharded;
  const Buffer buffer = *Buffer::Create(spec);
  const BufferPlace place = *buffer.PlaceOf({100, 1});
  EXPECT_EQ(place.page.shard, 3);
  EXPECT_FALSE(place.page.core.has_value());
  EXPECT_FALSE(place.page.bank.has_value());
  EXPECT_EQ(place.page.offset, 0);
}

BankPlace OnCore(CoreCoordinate core, int64_t byte) {
  return {std::nullopt, core, std::nullopt, byte};
}

BankPlace InBank(int64_t bank, int64_t byte) {
  return {bank, std::nullopt, std::nullopt, byte};
}

// 5x20 of u16 in shards of 2x16: rows of 32 B, at a multiple of 32 B.
TEST(Buffer, EveryByteOfACore) {
  BufferSpec spec =
      Sharded({5, 20}, {DataType::kU16}, {2, 16}, {{{0, 0}, {1, 2}}});
  spec.sharding->memory_layout = TensorMemoryLayout::kBlockSharded;
  const Buffer buffer = *Buffer::Create(spec);
  EXPECT_EQ(buffer.sizes().pages_per_shard, 2);
  EXPECT_EQ(buffer.sizes().content_per_shard, 64);
  EXPECT_EQ(buffer.sizes().taken_per_shard, 64);
  std::map<PositionKind, int64_t> bytes;
  for (int64_t y = 0; y < 3; ++y) {
    for (int64_t x = 0; x < 2; ++x) {
      for (int64_t byte = 0; byte < buffer.sizes().taken_per_bank; ++byte) {
        const Place place = *buffer.At(OnCore({x, y}, byte));
        ++bytes[place.kind];
        const int64_t row = 2 * y + byte / 32, column = 16 * x + byte % 32 / 2;
        const bool is_element = row < 5 && column < 20;
        EXPECT_EQ(place.kind, is_element ? PositionKind::kElement
                                         : PositionKind::kGridPadding);
        EXPECT_EQ(place.index,
                  is_element ? Dimensions({row, column}) : Dimensions());
      }
    }
  }
  EXPECT_EQ(bytes[PositionKind::kElement], 5 * 20 * 2);
  EXPECT_EQ(bytes[PositionKind::kGridPadding], 6 * 64 - 200);
}

TEST(Buffer, PaddingAndGapsOfABank) {
  // Two pages of 6 B, 32 B apart, in the first of twelve banks; one elsewhere.
  const Buffer rows = *Buffer::Create(Interleaved({13, 3}, {DataType::kU16}));
  EXPECT_EQ(rows.At(InBank(0, 0))->index, (Dimensions{0, 0}));
  EXPECT_EQ(rows.At(InBank(0, 37))->index, (Dimensions{12, 2}));
  EXPECT_EQ(rows.At(InBank(0, 6))->kind, PositionKind::kGap);
  EXPECT_EQ(rows.At(InBank(11, 32))->kind, PositionKind::kGap);
  BankPlace page;
  page.page = 12;
  page.byte = 4;
  EXPECT_EQ(rows.At(page)->index, (Dimensions{12, 2}));

  const Buffer tiles = *Buffer::Create(
      Interleaved({20, 40}, {DataType::kBfpBf8, TileShape{32, 32}}));
  EXPECT_EQ(tiles.At(InBank(0, 63))->kind, PositionKind::kGap);  // exponents
  EXPECT_EQ(tiles.At(InBank(0, 64 + 512 + 16))->index, (Dimensions{17, 0}));
  EXPECT_EQ(tiles.At(InBank(1, 64 + 16 * 3 + 8))->kind, PositionKind::kPadding);

  EXPECT_THAT(rows.At(InBank(12, 0)), StatusIs(absl::StatusCode::kOutOfRange,
                                               "bank 12 is outside [0, 12)"));
  EXPECT_THAT(rows.At(InBank(0, 64)),
              StatusIs(absl::StatusCode::kOutOfRange,
                       "byte 64 is outside [0, 64) of the bank"));
  EXPECT_THAT(rows.At(OnCore({0, 0}, 0)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "the pages of an interleaved tensor are in banks"));
  BufferSpec spec = Sharded({64, 32}, kTiledBF16, {32, 32}, {{{1, 1}, {2, 1}}});
  const Buffer sharded = *Buffer::Create(spec);
  EXPECT_THAT(
      sharded.At(OnCore({0, 1}, 0)),
      StatusIs(absl::StatusCode::kOutOfRange, "no shard is on core (0,1)"));
  EXPECT_THAT(sharded.At(InBank(0, 0)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "shards in L1 are on cores"));
  spec.sharding->cores.clear();
  EXPECT_THAT(
      Buffer::Create(spec)->At(OnCore({1, 1}, 0)),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("name a page")));
}

struct Refusal {
  std::string name;
  BufferSpec spec;
  Rule rule;
  std::string message;
};

std::vector<Refusal> Refusals() {
  const CoreRanges four = {{{0, 0}, {1, 1}}};
  const auto with = [](BufferSpec spec, TensorMemoryLayout layout,
                       ShardOrientation orientation =
                           ShardOrientation::kRowMajor) {
    spec.sharding->memory_layout = layout;
    spec.sharding->orientation = orientation;
    return spec;
  };
  BufferSpec grid = Sharded({2, 64, 64}, kTiledBF16, {1, 32, 32}, four);
  grid.sharding->distribution = ShardDistribution::kGrid2d;
  BufferSpec two_ranges = Sharded({64, 64}, kTiledBF16, {32, 32},
                                  {{{0, 0}, {1, 0}}, {{0, 1}, {1, 1}}});
  BufferSpec row = Sharded({32, 64}, kTiledBF16, {32, 32}, {{{0, 1}, {1, 1}}});
  row.buffer_type = BufferType::kDram;
  BufferSpec bank = row;
  bank.sharding->cores = {{{11, 0}, {12, 0}}};
  return {
      {"size", Interleaved({2, -1}, kTiledBF16), Rule::kUndecided,
       "shape[1] = -1; expected at least 0"},
      {"tile type", Interleaved({2, 2}, {DataType::kSI8, TileShape{32, 32}}),
       Rule::kTileType, "tiles cannot have elements of type si8"},
      {"block float", Interleaved({2, 2}, {DataType::kBfpBf8}),
       Rule::kBlockFloat, "block floats are in tiles"},
      {"too large", Interleaved({int64_t{1} << 62, 4}, {DataType::kF32}),
       Rule::kSizeOverflow, "exceeds 2^63-1"},
      {"no size", Sharded({64, 64}, {DataType::kF32}, {}, four),
       Rule::kMemRefShape, "a shard has at least one size"},
      {"part of a tile", Sharded({64, 64}, kTiledBF16, {1, 30}, four),
       Rule::kMemRefShape,
       "the shard is 1x30, which is not in whole tiles of 32x32"},
      {"more sizes", Sharded({64, 64}, kTiledBF16, {1, 32, 32}, four),
       Rule::kMemRefShape,
       "the shard has 3 sizes, but the padded tensor has "
       "2"},
      {"a matrix of three sizes",
       with(Sharded({2, 64, 64}, kTiledBF16, {1, 32, 32}, four),
            TensorMemoryLayout::kBlockSharded),
       Rule::kMemRefShape,
       "a block_sharded tensor has shards of 2 sizes, not "
       "3"},
      {"height of another width",
       with(Sharded({64, 64}, kTiledBF16, {32, 32}, four),
            TensorMemoryLayout::kHeightSharded),
       Rule::kMemRefShape,
       "shard width 32 must match physical width 64 for height sharded"},
      {"width of another height",
       with(Sharded({64, 64}, kTiledBF16, {32, 32}, four),
            TensorMemoryLayout::kWidthSharded),
       Rule::kMemRefShape,
       "shard height 32 must match physical height 64 for width sharded"},
      {"too few cores",
       with(Sharded({2048, 64}, kTiledBF16, {32, 64}, {{{0, 0}, {3, 3}}}),
            TensorMemoryLayout::kHeightSharded),
       Rule::kCoreRanges,
       "64 shards must not exceed 16 cores of the core ranges"},
      {"too few rows",
       with(Sharded({96, 64}, kTiledBF16, {32, 32}, {{{0, 0}, {2, 1}}}),
            TensorMemoryLayout::kBlockSharded),
       Rule::kCoreRanges, "3x2 shards in row_major order take 3x2 cores"},
      {"too few columns",
       with(Sharded({96, 64}, kTiledBF16, {32, 32}, {{{0, 0}, {1, 2}}}),
            TensorMemoryLayout::kBlockSharded, ShardOrientation::kColMajor),
       Rule::kCoreRanges, "3x2 shards in col_major order take 2x3 cores"},
      {"two ranges", with(two_ranges, TensorMemoryLayout::kBlockSharded),
       Rule::kCoreRanges, "one core range and two sizes, not 2 and 2"},
      {"a grid of three sizes", grid, Rule::kCoreRanges,
       "one core range and two sizes, not 1 and 3"},
      {"backwards", Sharded({64, 64}, kTiledBF16, {32, 64}, {{{1, 0}, {0, 0}}}),
       Rule::kCoreRanges, "ends before it starts"},
      {"a row of banks", row, Rule::kCoreRanges,
       "the banks of DRAM are in row 0"},
      {"a bank too many", bank, Rule::kCoreRanges,
       "has other banks than the 12 of DRAM"},
  };
}

TEST(Buffer, RefusesWhatTheRuntimeRefuses) {
  for (const Refusal& refusal : Refusals()) {
    SCOPED_TRACE(refusal.name);
    const absl::Status status = Buffer::Create(refusal.spec).status();
    EXPECT_THAT(status.message(), HasSubstr(refusal.message));
    EXPECT_EQ(RuleOf(status).value_or(Rule::kUndecided), refusal.rule);
  }
  ChipDescription chip;
  chip.dram_channels = 0;
  EXPECT_EQ(
      Buffer::Create(Interleaved({2, 2}, kTiledBF16), chip).status().code(),
      absl::StatusCode::kInvalidArgument);
}

TEST(Buffer, IndicesAndPagesWithinTheirBounds) {
  const Buffer buffer = *Buffer::Create(Interleaved({3, 40, 70}, kTiledBF16));
  EXPECT_THAT(buffer.PlaceOf({0, 0}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("2 coordinates; expected 3")));
  EXPECT_THAT(buffer.PlaceOf({0, 40, 0}).status(),
              StatusIs(absl::StatusCode::kOutOfRange,
                       HasSubstr("index[1] = 40 is outside [0, 40)")));
  EXPECT_THAT(
      buffer.PlaceOfPage(18).status(),
      StatusIs(absl::StatusCode::kOutOfRange, "page 18 is outside [0, 18)"));
  EXPECT_THAT(buffer.PlaceOfPage(-1), StatusIs(absl::StatusCode::kOutOfRange));
}

// No two elements share a byte of a bank, and all are within what is taken.
TEST(Buffer, ElementsShareNoPlace) {
  std::vector<BufferSpec> specs;
  for (const ElementType& element :
       {ElementType{DataType::kU16},
        ElementType{DataType::kU8, TileShape{4, 16}},
        ElementType{DataType::kBfpBf8, TileShape{2, 16}}}) {
    for (const Dimensions& shape :
         {Dimensions{5, 40}, Dimensions{2, 3, 33}, Dimensions{17}}) {
      specs.push_back(Interleaved(shape, element));
      specs.push_back(Interleaved(shape, element, BufferType::kSystemMemory));
      for (const Dimensions& shard :
           {Dimensions{4, 16}, Dimensions{8, 48}, Dimensions{2, 4, 32}}) {
        for (const ShardDistribution distribution : kShardDistributions) {
          for (const ShardOrientation orientation : kShardOrientations) {
            BufferSpec spec =
                Sharded(shape, element, shard, {{{1, 2}, {4, 5}}});
            spec.sharding->distribution = distribution;
            spec.sharding->orientation = orientation;
            specs.push_back(spec);
            spec.sharding->cores = {{{3, 3}, {4, 4}}, {{0, 0}, {0, 2}}};
            specs.push_back(spec);
          }
        }
      }
    }
  }
  int64_t tried = 0;
  for (const BufferSpec& spec : specs) {
    const absl::StatusOr<Buffer> buffer = Buffer::Create(spec);
    if (!buffer.ok()) continue;
    ++tried;
    const BufferSizes& sizes = buffer->sizes();
    std::set<std::tuple<int64_t, int64_t, int64_t>> places;
    std::map<std::pair<int64_t, int64_t>, int64_t> pages_of;
    int64_t elements = 1;
    for (const int64_t size : spec.shape) elements *= size;
    for (int64_t number = 0; number < elements; ++number) {
      Dimensions index(spec.shape.size(), 0);
      int64_t rest = number;
      for (size_t i = index.size(); i-- > 0;) {
        index[i] = rest % spec.shape[i];
        rest /= spec.shape[i];
      }
      const BufferPlace place = *buffer->PlaceOf(index);
      const CoreCoordinate core = place.page.core.value_or(
          CoreCoordinate{place.page.bank.value_or(0), -1});
      EXPECT_TRUE(places.insert({core.x, core.y, place.offset()}).second);
      EXPECT_LT(place.offset(), sizes.taken_per_bank);
      EXPECT_LT(place.byte, sizes.page_bytes);
      const BankPlace in_bank = {place.page.bank, place.page.core, std::nullopt,
                                 place.offset(), place.bit};
      const Place found = *buffer->At(in_bank);
      EXPECT_EQ(found.kind, PositionKind::kElement);
      EXPECT_EQ(found.index, index);
      const PagePlace page = *buffer->PlaceOfPage(place.page.number);
      EXPECT_EQ(page.offset, place.page.offset);
      EXPECT_EQ(page.core, place.page.core);
      if (page.shard.has_value()) {
        EXPECT_EQ(buffer->CoreOfShard(*page.shard), page.core);
      }
      pages_of[{core.x, core.y}] = 1;
    }
    EXPECT_EQ(static_cast<int64_t>(pages_of.size()), sizes.banks_in_use);
  }
  EXPECT_GT(tried, 80);
}

}  // namespace
}  // namespace tessera::tenstorrent
