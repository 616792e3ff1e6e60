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
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/derive/aligned_derivation.h"
#include "tessera/tenstorrent/derive/ttnn_derivation.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/face.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tenstorrent/to_index_map.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace tenstorrent {
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
  const ElementType element{*TileTypeOf(row[0]), ToTile(row[1])};
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
  ASSERT_EQ(rows.size(), 93);
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

struct Buffer {
  TtnnTensor tensor;
  std::string cores;
};

Buffer ToBuffer(const Row& row) {
  TtnnRequest request;
  request.shape = ToNumbers(row[4], 'x');
  request.buffer_type = *BufferTypeOf(row[1]);
  request.memory_layout =
      *TensorMemoryLayoutOf(absl::StrCat(row[0], "_sharded"));
  request.grid = ToNumbers(row[5], 'x');
  ElementType element{*TileTypeOf(row[2])};
  if (row[3] == "tiled") element.tile = request.tile = TileShape{32, 32};
  // On a chip that has them, of which the ranges say which.
  ChipDescription chip;
  chip.grid_rows = chip.grid_columns = chip.dram_channels = 1000;
  const TtnnDerivation derivation = *DeriveTtnnLayout(request, chip);
  Buffer buffer = {{request.shape, {DataType::kBF16}, {}}, row[8]};
  TtnnLayout& layout = buffer.tensor.layout;
  layout.linear = derivation.linear;
  layout.grid = derivation.grid;
  layout.memory_layout = request.memory_layout;
  Dimensions shard = ToNumbers(row[6], 'x');
  const TileShape tile = element.tile_or_unit();
  layout.memref = {{shard[0] / tile.height, shard[1] / tile.width},
                   element,
                   request.buffer_type};
  layout.core_ranges.emplace();
  for (const std::string_view range : SplitViews(row[7], ' ')) {
    const Dimensions ends = ToNumbers(range, ',');
    layout.core_ranges->push_back({{ends[0], ends[1]}, {ends[2], ends[3]}});
  }
  return buffer;
}

TEST(RecordedAnswers, ShardsHaveCores) {
  const std::vector<Row> rows = RowsOf("sharded.tsv");
  ASSERT_EQ(rows.size(), 146);
  int64_t counted = 0;
  for (const Row& row : rows) {
    const Buffer buffer = ToBuffer(row);
    const VerifiedTensor tensor = Reread(buffer.tensor.ToString());
    SCOPED_TRACE(buffer.tensor.ToString());
    const absl::StatusOr<const Placement*> placement = PlacementOf(tensor);
    ASSERT_THAT(placement, IsOk());
    if (buffer.cores == "-") continue;
    ++counted;
    const Dimensions shards = (*placement)->geometry().CellsInUse();
    EXPECT_EQ(shards[0] * shards[1], ToNumber(buffer.cores));
  }
  EXPECT_GT(counted, 100);
}

TEST(RecordedAnswers, OneCoreLessIsTooFew) {
  int64_t refused = 0;
  for (const Row& row : RowsOf("sharded.tsv")) {
    TtnnTensor tensor = ToBuffer(row).tensor;
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
    ++refused;
  }
  EXPECT_GT(refused, 60);
}

}  // namespace
}  // namespace tenstorrent
}  // namespace tessera
