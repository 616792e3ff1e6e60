// What Tenstorrent's own runtime said of tiles, elements and sharded buffers
// (data/ttnn/README.md).

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/buffer/buffer.h"
#include "tessera/tenstorrent/buffer/layout_buffer.h"
#include "tessera/tenstorrent/buffer/runtime_text.h"
#include "tessera/tenstorrent/derive/aligned_derivation.h"
#include "tessera/tenstorrent/derive/ttnn_derivation.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/face.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/rule.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tenstorrent/to_index_map.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::HasSubstr;
using Row = std::vector<std::string>;

std::vector<Row> RowsOf(const std::string& name) {
  std::ifstream file(absl::StrCat("tests/tenstorrent/data/ttnn/", name));
  std::vector<Row> rows;
  std::string line;
  std::getline(file, line);  // the names of the columns
  while (std::getline(file, line)) rows.push_back(absl::StrSplit(line, '\t'));
  return rows;
}

int64_t ToNumber(std::string_view text) {
  int64_t number = -1;
  EXPECT_TRUE(absl::SimpleAtoi(AbslView(text), &number)) << text;
  return number;
}

Dimensions ToNumbers(std::string_view text, char separator) {
  Dimensions numbers;
  for (const std::string_view part : SplitViews(text, separator)) {
    numbers.push_back(ToNumber(part));
  }
  return numbers;
}

// The word of a tile, or of a scalar that no tile is made of.
DataType ToType(std::string_view word) {
  const std::optional<DataType> type = TileTypeOf(word);
  return type.has_value() ? *type : *ScalarTypeOf(word);
}

std::optional<TileShape> ToTile(std::string_view text) {
  if (text == "-") return std::nullopt;
  const Dimensions sides = ToNumbers(text, 'x');
  return TileShape{sides[0], sides[1]};
}

// byte.bit
int64_t ToBits(std::string_view text) {
  const Dimensions parts = ToNumbers(text, '.');
  return parts[0] * 8 + parts[1];
}

TtnnTensor ToTensor(const TtnnRequest& request, const ElementType& element) {
  const absl::StatusOr<TtnnDerivation> derivation = DeriveTtnnLayout(request);
  EXPECT_THAT(derivation, IsOk());
  TtnnTensor tensor;
  tensor.shape = request.shape;
  tensor.element = {DataType::kBF16};
  tensor.layout.linear = derivation->linear;
  tensor.layout.grid = derivation->grid;
  tensor.layout.memref = {derivation->memref_shape, element,
                          request.buffer_type};
  tensor.layout.memory_layout = request.memory_layout;
  if (!derivation->core_ranges.empty()) {
    tensor.layout.core_ranges = derivation->core_ranges;
  }
  return tensor;
}

// The tensor's text, read again.
VerifiedTensor Reread(const std::string& text) {
  const absl::StatusOr<VerifiedTensor> tensor = ReadVerifiedTensor(text);
  EXPECT_THAT(tensor, IsOk()) << text;
  return *tensor;
}

TEST(RecordedAnswers, BytesAndFacesOfTiles) {
  const std::vector<Row> rows = RowsOf("tiles.tsv");
  ASSERT_EQ(rows.size(), 96);
  for (const Row& row : rows) {
    const ElementType tile{*TileTypeOf(row[0]), ToTile(row[1])};
    EXPECT_EQ(tile.bytes(), ToNumber(row[2])) << tile.ToString();
    EXPECT_EQ(FaceShape(*tile.tile), *ToTile(row[3])) << tile.ToString();
    EXPECT_TRUE(HoldsBlockFloats(*tile.tile)) << tile.ToString();
  }
}

// On the host, in the words of each dialect that can say it.
std::vector<std::string> TextsOfHostTensor(const Row& row) {
  const ElementType element{ToType(row[0]), ToTile(row[1])};
  TtnnRequest request;
  request.shape = ToNumbers(row[2], 'x');
  request.tile = element.tile;
  request.buffer_type = BufferType::kSystemMemory;
  request.memory_layout = std::nullopt;
  const TtnnTensor ttnn = ToTensor(request, element);
  std::vector<std::string> texts = {ttnn.ToString()};

  MetalTensor metal;
  metal.shape = ttnn.shape;
  metal.element = ttnn.element;
  metal.layout.linear = ttnn.layout.linear;
  metal.layout.grid = {1, 1};
  metal.layout.memref = {ttnn.layout.memref.shape, element,
                         MemorySpace::kSystem};
  texts.push_back(metal.ToString());

  // Of rank 1 that form has 32 rows, whatever the tile.
  const int64_t rank = request.shape.size();
  if (rank < 2) return texts;
  AlignedLayout aligned;
  aligned.logical_shape = request.shape;
  aligned.dim_alignments.assign(rank, 1);
  const TileShape tile = element.tile_or_unit();
  aligned.dim_alignments[rank - 2] = tile.height;
  aligned.dim_alignments[rank - 1] = tile.width;
  aligned.collapsed_intervals = DefaultCollapsedIntervals(rank);
  const absl::StatusOr<AlignedTensor> tensor =
      DeriveAlignedTensor(aligned, element, {1, 1});
  EXPECT_THAT(tensor, IsOk());
  texts.push_back(tensor->ToString());
  return texts;
}

TEST(RecordedAnswers, PlacesOfElementsAndPadding) {
  const std::vector<Row> rows = RowsOf("elements.tsv");
  ASSERT_EQ(rows.size(), 95);
  int64_t elements = 0, padding = 0, block_floats = 0;
  for (const Row& row : rows) {
    for (const std::string& text : TextsOfHostTensor(row)) {
      SCOPED_TRACE(text);
      const VerifiedTensor tensor = Reread(text);
      const absl::StatusOr<const Placement*> placement = PlacementOf(tensor);
      ASSERT_THAT(placement, IsOk());
      const Geometry& geometry = (*placement)->geometry();
      EXPECT_EQ(geometry.bytes, ToNumber(row[4]));
      block_floats += IsBlockFloat(geometry.element.data_type);
      const absl::StatusOr<IndexMap> map =
          ToIndexMap(tensor, PositionUnit::kBits);
      ASSERT_THAT(map, IsOk());
      EXPECT_EQ(map->position_count(), geometry.bytes * 8);
      for (const std::string_view entry : SplitViews(row[5], ' ')) {
        const std::vector<std::string_view> sides = SplitViews(entry, '@');
        const Dimensions index = ToNumbers(sides[0], ',');
        const Location location = *(*placement)->Locate(index);
        EXPECT_EQ(location.byte() * 8 + location.bit(), ToBits(sides[1]))
            << entry;
        EXPECT_EQ(*map->LinearIndex(index), ToBits(sides[1])) << entry;
        ++elements;
      }
      if (row[6].empty()) continue;
      for (const std::string_view entry : SplitViews(row[6], ' ')) {
        // Of a tile, or between batches whose rows are padded: a gap.
        EXPECT_NE(KindAt(**placement, PositionUnit::kBits, ToBits(entry)),
                  PositionKind::kElement)
            << entry;
        ++padding;
      }
    }
  }
  EXPECT_GT(elements, 4000);
  EXPECT_GT(padding, 1000);
  EXPECT_GT(block_floats, 50);
}

// A row of buffers.tsv.
struct RecordedBuffer {
  explicit RecordedBuffer(const Row& row)
      : card(row[0]),
        how(row[1]),
        is_tiled(row[4] == "tiled"),
        orientation(row[9]),
        strategy(row[10]),
        cores(row[11]),
        row(row) {
    spec.shape = ToNumbers(row[5], 'x');
    spec.element = {*TileTypeOf(row[3])};
    if (is_tiled) spec.element.tile = TileShape{32, 32};
    spec.buffer_type = *BufferTypeOf(row[2]);
    if (how == "interleaved") return;
    spec.sharding.emplace();
    spec.sharding->shard = ToNumbers(row[7], 'x');
    for (const std::string_view range : SplitViews(row[8], ' ')) {
      const Dimensions ends = ToNumbers(range, ',');
      spec.sharding->cores.push_back({{ends[0], ends[1]}, {ends[2], ends[3]}});
    }
    spec.sharding->orientation = *ShardOrientationOf(orientation);
    if (how == "nd") {
      spec.sharding->distribution = *ShardDistributionOf(strategy);
    } else {
      spec.sharding->memory_layout =
          *TensorMemoryLayoutOf(absl::StrCat(how, "_sharded"));
    }
  }

  // The mock cards set no cores aside.
  ChipDescription chip() const {
    const bool is_blackhole = card == "p150";
    ChipDescription chip = UsualChip(is_blackhole ? Architecture::kBlackhole
                                                  : Architecture::kWormholeB0);
    chip.grid_rows = is_blackhole ? 10 : 9;
    chip.grid_columns = is_blackhole ? 14 : 8;
    return chip;
  }

  // What a #ttnn.ttnn_layout can say.
  bool is_in_layout() const {
    return how != "nd" && (how == "interleaved" || orientation == "row_major");
  }
  bool is_refused() const { return row[19] != "-"; }

  TtnnTensor tensor() const {
    TtnnRequest request;
    request.shape = spec.shape;
    request.buffer_type = spec.buffer_type;
    request.tile = spec.element.tile;
    TtnnTensor tensor = {spec.shape, {DataType::kBF16}, {}};
    TtnnLayout& layout = tensor.layout;
    // On a chip that has them, of which the ranges say which.
    ChipDescription any;
    any.grid_rows = any.grid_columns = any.dram_channels = 1000;
    if (!spec.sharding.has_value()) {
      request.memory_layout = TensorMemoryLayout::kInterleaved;
      request.grid = {1, 1};
    } else {
      request.memory_layout = spec.sharding->memory_layout;
      request.grid = ToNumbers(row[6], 'x');
    }
    const TtnnDerivation derivation = *DeriveTtnnLayout(request, any);
    layout.linear = derivation.linear;
    layout.grid = derivation.grid;
    layout.memory_layout = request.memory_layout;
    layout.memref = {derivation.memref_shape, spec.element, spec.buffer_type};
    if (spec.sharding.has_value()) {
      const TileShape tile = spec.element.tile_or_unit();
      layout.memref.shape = {spec.sharding->shard[0] / tile.height,
                             spec.sharding->shard[1] / tile.width};
      layout.core_ranges = spec.sharding->cores;
    }
    return tensor;
  }

  std::string card, how;
  bool is_tiled;
  std::string orientation, strategy, cores;
  BufferSpec spec;
  Row row;
};

// Compares all that the row says with the buffer; returns how many pages were
// found where the runtime has them.
int64_t ExpectAsRecorded(const RecordedBuffer& recorded, const Buffer& buffer) {
  const Row& row = recorded.row;
  const BufferSizes& sizes = buffer.sizes();
  EXPECT_EQ(buffer.padded_shape(), ToNumbers(row[12], 'x'));
  EXPECT_EQ(sizes.page_bytes, ToNumber(row[13]));
  EXPECT_EQ(sizes.aligned_page_bytes, ToNumber(row[14]));
  EXPECT_EQ(sizes.pages, ToNumber(row[15]));
  EXPECT_EQ(sizes.content_per_bank, ToNumber(row[16]));
  EXPECT_EQ(sizes.taken_per_bank, ToNumber(row[17]));
  if (recorded.cores != "-") {
    EXPECT_EQ(sizes.banks_in_use, ToNumber(recorded.cores));
  }
  if (row[18] == "-") return 0;
  int64_t pages = 0;
  for (const std::string_view entry : SplitViews(row[18], ' ')) {
    const std::vector<std::string_view> sides =
        SplitViews(entry, absl::ByAnyChar("@+"));
    const absl::StatusOr<PagePlace> place =
        buffer.PlaceOfPage(ToNumber(sides[0]));
    EXPECT_THAT(place, IsOk());
    EXPECT_EQ(place->offset, ToNumber(sides[2])) << entry;
    if (recorded.how == "interleaved") {
      EXPECT_FALSE(place->core.has_value());
      // The runtime names the bank after the right one (README.md).
      EXPECT_EQ(place->bank,
                (ToNumber(sides[1]) + buffer.banks() - 1) % buffer.banks())
          << entry;
    } else {
      const Dimensions core = ToNumbers(sides[1], ',');
      EXPECT_FALSE(place->bank.has_value());
      EXPECT_EQ(place->core, (CoreCoordinate{core[0], core[1]})) << entry;
    }
    ++pages;
  }
  return pages;
}

TEST(RecordedAnswers, BuffersByTheirSpecification) {
  const std::vector<Row> rows = RowsOf("buffers.tsv");
  ASSERT_EQ(rows.size(), 274);
  int64_t refused = 0, pages = 0;
  for (const Row& row : rows) {
    const RecordedBuffer recorded(row);
    SCOPED_TRACE(absl::StrJoin(absl::MakeConstSpan(row).first(12), " "));
    const absl::StatusOr<Buffer> buffer =
        Buffer::Create(recorded.spec, recorded.chip());
    if (recorded.is_refused()) {
      EXPECT_EQ(RuleOf(buffer.status()), Rule::kCoreRanges) << row[19];
      ++refused;
      continue;
    }
    ASSERT_THAT(buffer, IsOk());
    pages += ExpectAsRecorded(recorded, *buffer);
  }
  EXPECT_EQ(refused, 5);
  EXPECT_GT(pages, 1200);
}

TEST(RecordedAnswers, BuffersByTheirLayout) {
  int64_t buffers = 0, pages = 0;
  for (const Row& row : RowsOf("buffers.tsv")) {
    const RecordedBuffer recorded(row);
    if (!recorded.is_in_layout() || recorded.is_refused()) continue;
    const VerifiedTensor tensor = Reread(recorded.tensor().ToString());
    SCOPED_TRACE(ToString(tensor.text));
    const absl::StatusOr<Buffer> buffer = BufferOf(tensor, recorded.chip());
    ASSERT_THAT(buffer, IsOk());
    pages += ExpectAsRecorded(recorded, *buffer);
    ++buffers;
  }
  EXPECT_GT(buffers, 200);
  EXPECT_GT(pages, 900);
}

// As ttnn prints its memory configuration.
TEST(RecordedAnswers, BuffersByTheirPrintedConfiguration) {
  int64_t pages = 0;
  for (const Row& row : RowsOf("buffers.tsv")) {
    const RecordedBuffer recorded(row);
    if (recorded.is_refused()) continue;
    SCOPED_TRACE(row[20]);
    const absl::StatusOr<MemoryConfig> config =
        ParseRuntimeMemoryConfig(row[20]);
    ASSERT_THAT(config, IsOk());
    const absl::StatusOr<Buffer> buffer = BufferOf(
        recorded.spec.shape, recorded.spec.element, *config, recorded.chip());
    ASSERT_THAT(buffer, IsOk());
    pages += ExpectAsRecorded(recorded, *buffer);
  }
  EXPECT_GT(pages, 1200);
}

// From the bank or core, and the offset there, back to the element: each
// element that begins a recorded page, and what lies between them.
TEST(RecordedAnswers, PlacesInBanksGiveTheElements) {
  int64_t elements = 0, pages = 0;
  for (const Row& row : RowsOf("buffers.tsv")) {
    const RecordedBuffer recorded(row);
    if (recorded.is_refused()) continue;
    SCOPED_TRACE(absl::StrJoin(absl::MakeConstSpan(row).first(12), " "));
    const Buffer buffer = *Buffer::Create(recorded.spec, recorded.chip());
    const Dimensions& shape = recorded.spec.shape;
    int64_t count = 1;
    for (const int64_t size : shape) count *= size;
    for (int64_t number = 0; number < count; number += 1 + count / 40) {
      Dimensions index(shape.size());
      int64_t rest = number;
      for (size_t i = shape.size(); i-- > 0; rest /= shape[i]) {
        index[i] = rest % shape[i];
      }
      const BufferPlace place = *buffer.PlaceOf(index);
      const absl::StatusOr<Place> found =
          buffer.At({place.page.bank, place.page.core, std::nullopt,
                     place.offset(), place.bit});
      ASSERT_THAT(found, IsOk());
      EXPECT_EQ(found->kind, PositionKind::kElement);
      EXPECT_EQ(found->index, index);
      ++elements;
    }
    if (row[18] == "-") continue;
    // The place of a page in the runtime's own words.
    for (const std::string_view entry : SplitViews(row[18], ' ')) {
      const std::vector<std::string_view> sides =
          SplitViews(entry, absl::ByAnyChar("@+"));
      BankPlace in_bank;
      if (recorded.how == "interleaved") {
        in_bank.bank =
            (ToNumber(sides[1]) + buffer.banks() - 1) % buffer.banks();
      } else {
        const Dimensions core = ToNumbers(sides[1], ',');
        in_bank.core = CoreCoordinate{core[0], core[1]};
      }
      in_bank.byte = ToNumber(sides[2]);
      BankPlace in_page;
      in_page.page = ToNumber(sides[0]);
      const Place found = *buffer.At(in_bank), expected = *buffer.At(in_page);
      EXPECT_EQ(found.kind, expected.kind) << entry;
      EXPECT_EQ(found.index, expected.index) << entry;
      ++pages;
    }
  }
  EXPECT_GT(elements, 8000);
  EXPECT_GT(pages, 1200);
}

TEST(RecordedAnswers, ElementsOfBuffersInSystemMemory) {
  int64_t elements = 0;
  for (const Row& row : RowsOf("elements.tsv")) {
    BufferSpec spec;
    spec.shape = ToNumbers(row[2], 'x');
    spec.element = {ToType(row[0]), ToTile(row[1])};
    spec.buffer_type = BufferType::kSystemMemory;
    SCOPED_TRACE(absl::StrCat(row[0], " ", row[1], " ", row[2]));
    const absl::StatusOr<Buffer> buffer = Buffer::Create(spec);
    ASSERT_THAT(buffer, IsOk());
    EXPECT_EQ(buffer->padded_shape(), ToNumbers(row[3], 'x'));
    EXPECT_EQ(buffer->sizes().taken_bytes, ToNumber(row[4]));
    for (const std::string_view entry : SplitViews(row[5], ' ')) {
      const std::vector<std::string_view> sides = SplitViews(entry, '@');
      const absl::StatusOr<BufferPlace> place =
          buffer->PlaceOf(ToNumbers(sides[0], ','));
      ASSERT_THAT(place, IsOk());
      EXPECT_EQ(place->offset() * 8 + place->bit, ToBits(sides[1])) << entry;
      EXPECT_FALSE(place->page.bank.has_value());
      ++elements;
    }
  }
  EXPECT_GT(elements, 1500);
}

// Two ways to the same element: the map of a layout, and pages.
TEST(RecordedAnswers, PlacesOfElementsAgreeWithTheMap) {
  int64_t elements = 0;
  for (const Row& row : RowsOf("buffers.tsv")) {
    const RecordedBuffer recorded(row);
    if (!recorded.is_in_layout() || recorded.is_refused()) continue;
    const VerifiedTensor tensor = Reread(recorded.tensor().ToString());
    SCOPED_TRACE(ToString(tensor.text));
    const absl::StatusOr<const Placement*> placement = PlacementOf(tensor);
    if (!placement.ok()) continue;
    const Buffer buffer = *BufferOf(tensor, recorded.chip());
    const int64_t page_bytes = buffer.sizes().page_bytes;
    Dimensions index = recorded.spec.shape;
    for (int64_t& size : index) size = size * 2 / 3;
    const BufferPlace place = *buffer.PlaceOf(index);
    const Location location = *(*placement)->Locate(index);
    const int64_t bank_page =
        place.page.offset / buffer.sizes().aligned_page_bytes;
    const int64_t page =
        recorded.spec.sharding.has_value() ? bank_page : place.page.number;
    EXPECT_EQ(location.byte(), page * page_bytes + place.byte);
    EXPECT_EQ(location.bit(), place.bit);
    if (place.exponent_byte.has_value()) {
      EXPECT_EQ(location.exponent_byte(),
                page * page_bytes + *place.exponent_byte);
    }
    ++elements;
  }
  EXPECT_GT(elements, 150);
}

TEST(RecordedAnswers, ShardsHaveCores) {
  int64_t counted = 0;
  for (const Row& row : RowsOf("buffers.tsv")) {
    const RecordedBuffer recorded(row);
    if (!recorded.is_in_layout() || recorded.is_refused() ||
        recorded.cores == "-") {
      continue;
    }
    const VerifiedTensor tensor = Reread(recorded.tensor().ToString());
    SCOPED_TRACE(ToString(tensor.text));
    const absl::StatusOr<const Placement*> placement = PlacementOf(tensor);
    ASSERT_THAT(placement, IsOk());
    const Dimensions shards = (*placement)->geometry().CellsInUse();
    EXPECT_EQ(shards[0] * shards[1], ToNumber(recorded.cores));
    ++counted;
  }
  EXPECT_GT(counted, 100);
}

TEST(RecordedAnswers, OneCoreLessIsTooFew) {
  int64_t refused = 0;
  for (const Row& row : RowsOf("buffers.tsv")) {
    const RecordedBuffer recorded(row);
    if (!recorded.is_in_layout() || recorded.how == "interleaved" ||
        recorded.is_refused()) {
      continue;
    }
    TtnnTensor tensor = recorded.tensor();
    const VerifiedTensor whole = Reread(tensor.ToString());
    const Dimensions shards =
        whole.verification.placement->geometry().CellsInUse();
    if (shards[0] * shards[1] == 1) continue;
    const bool is_block =
        tensor.layout.memory_layout == TensorMemoryLayout::kBlockSharded;
    CoreRange range = {{2, 1}, {2, 1}};
    if (!is_block) {
      range.end.x += shards[0] * shards[1] - 2;
    } else if (shards[1] > 1) {
      range.end = {2 + shards[1] - 2, 1 + shards[0] - 1};
    } else {
      range.end = {2, 1 + shards[0] - 2};
    }
    tensor.layout.core_ranges = {range};
    const VerifiedTensor tensor_on_fewer = Reread(tensor.ToString());
    SCOPED_TRACE(tensor.ToString());
    EXPECT_THAT(PlacementOf(tensor_on_fewer).status(),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("not fit on the ")));
    EXPECT_EQ(RuleOf(BufferOf(tensor_on_fewer).status()), Rule::kCoreRanges);
    ++refused;
  }
  EXPECT_GT(refused, 60);
}

}  // namespace
}  // namespace tessera::tenstorrent
