#include <sstream>
#include <unordered_map>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "gtest/gtest.h"
#include "tessera/base/text/value_type.h"
#include "tessera/cute/basis.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/parse.h"
#include "tessera/cute/tiler.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/tile.h"
#include "tessera/parser/parser.h"
#include "tessera/shape/shape.h"
#include "tessera/strided/parse.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tenstorrent/aligned_layout.h"
#include "tessera/tenstorrent/derive/device.h"
#include "tessera/tenstorrent/ttnn_layout.h"

namespace tessera {
namespace {

// `<<` and std::hash, as a user of maps and streams meets them.
template <typename Value>
void ExpectIsValue(const Value& value, const Value& other) {
  std::ostringstream out;
  out << value;
  EXPECT_EQ(out.str(), value.ToString());
  std::unordered_map<Value, int> counts;
  ++counts[value];
  ++counts[Value(value)];
  ++counts[other];
  EXPECT_EQ(counts.size(), 2) << out.str();
  EXPECT_EQ(counts[value], 2) << out.str();
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(
      std::vector<Value>{value, other}))
      << out.str();
}

TEST(ValueTypes, Xla) {
  ExpectIsValue(Tile({8, 128}), Tile({Tile::kCombineDimension, 128}));
  const Shape shape = *ParseShape("f32[3,5]{1,0:T(2,2)}");
  ExpectIsValue(shape, *ParseShape("f32[3,5]{1,0}"));
  ExpectIsValue(shape.layout(), Layout({1, 0}));
  ExpectIsValue(ProgramShape{{shape}, {"x"}, shape},
                ProgramShape{{shape}, {"y"}, shape});
  ExpectIsValue(*ToIndexMap(shape), *ToIndexMap(*ParseShape("f32[3,5]{1,0}")));
}

TEST(ValueTypes, Strided) {
  ExpectIsValue(*ParseStridedArray("f32[4,8] strides (64, 8) bytes"),
                *ParseStridedArray("f32[4,8] strides (32, 4) bytes"));
}

TEST(ValueTypes, Cute) {
  using namespace cute;  // NOLINT
  ExpectIsValue(*ParseIntTuple("(2,(1,6))"), *ParseIntTuple("(2,1,6)"));
  ExpectIsValue(*cute::ParseLayout("(4,8):(8,1)"),
                *cute::ParseLayout("(4,8):(1,4)"));
  ExpectIsValue(*ParseSwizzle("Sw<2,0,3>"), *ParseSwizzle("Sw<2,1,3>"));
  ExpectIsValue(*ParseComposedLayout("Sw<2,0,3> o 0 o (8,8):(8,1)"),
                *ParseComposedLayout("Sw<2,0,3> o 8 o (8,8):(8,1)"));
  ExpectIsValue(LayoutAfterSwizzle(*cute::ParseLayout("4:1"), -4, Swizzle()),
                LayoutAfterSwizzle(*cute::ParseLayout("4:1"), 0, Swizzle()));
  ExpectIsValue(*ParseTiler("(4:1,8:1)"), *ParseTiler("(4:1,8:2)"));
  ExpectIsValue(*Basis().Within(1), *Basis().Within(1)->Within(0));
}

TEST(ValueTypes, Tenstorrent) {
  using namespace tenstorrent;  // NOLINT
  const AffineMap map = *ParseAffineMap("(d0, d1) -> (d0 * 32 + d1, d1)");
  const AffineMap identity = *ParseAffineMap("(d0, d1) -> (d0, d1)");
  ExpectIsValue(map, identity);
  ExpectIsValue(map.result(0), identity.result(0));
  const ElementType scalar = {DataType::kBF16};
  const ElementType tile = {DataType::kBF16, TileShape{32, 32}};
  ExpectIsValue(scalar, tile);

  const MemRef memref = {{2, 2}, tile};
  ExpectIsValue(memref, MemRef{{2, 2}, scalar});
  MetalLayout metal = {map, OobValue::kUndef, {3, 2}, memref};
  const MetalTensor metal_tensor = {{64, 64}, scalar, metal};
  metal.memory_layout = TensorMemoryLayout::kInterleaved;
  ExpectIsValue(metal_tensor.layout, metal);
  ExpectIsValue(metal_tensor, MetalTensor{{64, 64}, scalar, metal});

  AlignedLayout aligned;
  aligned.logical_shape = {64, 64};
  aligned.dim_alignments = {32, 32};
  aligned.collapsed_intervals = {{0, 1}, {1, 2}};
  const AlignedTensor aligned_tensor = {{1, 1, 2, 2}, tile, aligned};
  aligned.index_map = map;
  ExpectIsValue(aligned_tensor.layout, aligned);
  ExpectIsValue(aligned_tensor, AlignedTensor{{1, 1, 2, 2}, tile, aligned});

  const CoreRange cores = {{0, 0}, {7, 7}};
  ExpectIsValue(cores, CoreRange{{0, 0}, {7, 0}});
  const TtnnMemRef part = {{2, 2}, tile, BufferType::kL1};
  ExpectIsValue(part, TtnnMemRef{{2, 2}, tile, BufferType::kDram});
  TtnnLayout ttnn;
  ttnn.linear = map;
  ttnn.grid = {1, 1};
  ttnn.memref = part;
  TtnnTensor ttnn_tensor = {{64, 64}, scalar, ttnn};
  ttnn.core_ranges = CoreRanges{cores};
  ExpectIsValue(ttnn_tensor.layout, ttnn);
  ExpectIsValue(ttnn_tensor, TtnnTensor{{64, 64}, scalar, ttnn});
  // A property of the text alone.
  TtnnTensor old_text = ttnn_tensor;
  old_text.layout.precedes_core_ranges = true;
  EXPECT_EQ(old_text, ttnn_tensor);

  const ShardSpec shards = {{cores}, {32, 128}};
  const NdShardSpec nd_shards = {{cores}, {1, 32, 64}};
  ExpectIsValue(shards,
                ShardSpec{{cores}, {32, 128}, ShardOrientation::kColMajor});
  ExpectIsValue(nd_shards, NdShardSpec{{cores}, {1, 32, 32}});
  const TtnnNdLayout nd = {{1, 1}, part};
  TtnnNdLayout turned = nd;
  turned.orientation = ShardOrientation::kColMajor;
  ExpectIsValue(nd, turned);
  ExpectIsValue(TtnnNdTensor{{64, 64}, scalar, nd},
                TtnnNdTensor{{64, 64}, scalar, turned});
  MemoryConfig config = {BufferType::kL1};
  MemoryConfig sharded = config;
  sharded.memory_layout = TensorMemoryLayout::kBlockSharded;
  sharded.shard_spec = shards;
  ExpectIsValue(config, sharded);

  const AffineMap to_cores = *ParseAffineMap("(d0, d1) -> (0, d0, d1)");
  const WorkerGrid workers = {{8, 8}, to_cores};
  ExpectIsValue(PhysicalCore{0, 3, 2}, PhysicalCore{1, 3, 2});
  ExpectIsValue(workers, WorkerGrid{{8, 4}, to_cores});
  ExpectIsValue(Device{workers, map, map, {1, 1}, {0}},
                Device{workers, map, map, {1, 1}, {1}});
}

}  // namespace
}  // namespace tessera
