#include "tessera/tenstorrent/buffer/runtime_text.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::HasSubstr;

// The configuration in tt-mlir's words, or the message of the error.
std::string Canonical(std::string_view text) {
  const absl::StatusOr<MemoryConfig> config = ParseRuntimeMemoryConfig(text);
  return config.ok() ? config->ToString()
                     : std::string(config.status().message());
}

constexpr char kHeight[] =
    "#ttnn.memory_config<#ttnn.buffer_type<l1>, <height_sharded>, "
    "#ttnn.shard_spec<<[#ttnn.core_range<(0,0), (7,0)>]>, <32x64>, "
    "<row_major>>>";
constexpr char kTwoRanges[] =
    "#ttnn.memory_config<#ttnn.buffer_type<l1>, <width_sharded>, "
    "#ttnn.shard_spec<<[#ttnn.core_range<(0,0), (7,3)>, "
    "#ttnn.core_range<(0,4), (2,4)>]>, <32x32>, <col_major>>>";
constexpr char kNd[] =
    "#ttnn.memory_config<#ttnn.buffer_type<l1>, <nd_sharded>, "
    "#ttnn.nd_shard_spec<<[#ttnn.core_range<(0,0), (5,0)>]>, <2x1x3x33>, "
    "<col_major>, <round_robin_1d>>>";
constexpr char kDram[] =
    "#ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>";
constexpr char kL1[] =
    "#ttnn.memory_config<#ttnn.buffer_type<l1>, <interleaved>>";

TEST(RuntimeMemoryConfig, InEveryGeneration) {
  const std::pair<std::string, std::string> cases[] = {
      {"MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type="
       "BufferType::DRAM,shard_spec=std::nullopt)",
       kDram},
      {"MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type="
       "BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,"
       "created_with_nd_shard_spec=0)",
       kL1},
      {"MemoryConfig(memory_layout=TensorMemoryLayout::HEIGHT_SHARDED,"
       "buffer_type=BufferType::L1,shard_spec=ShardSpec(grid={[(x=0,y=0) - "
       "(x=7,y=0)]},shape={32, 64},orientation=ShardOrientation::ROW_MAJOR,"
       "halo=0))",
       kHeight},
      // As the profiler's CSV has it.
      {"MemoryConfig(memory_layout=TensorMemoryLayout::WIDTH_SHARDED;"
       "buffer_type=BufferType::L1;shard_spec=ShardSpec(grid={[(x=0;y=0) - "
       "(x=7;y=3)]; [(x=0;y=4) - (x=2;y=4)]};shape={32; 32};orientation="
       "ShardOrientation::COL_MAJOR))",
       kTwoRanges},
      {"MemoryConfig(memory_layout=TensorMemoryLayout::HEIGHT_SHARDED,"
       "buffer_type=BufferType::L1,shard_spec=ShardSpec{grid=[{\"start\":{\"x\""
       ":0,\"y\":0},\"end\":{\"x\":7,\"y\":0}], shape=[32, 64], orientation="
       "ShardOrientation::ROW_MAJOR},nd_shard_spec={\"shard_shape\":[32, 64],"
       "\"grid\":[{\"start\":{\"x\":0,\"y\":0},\"end\":{\"x\":7,\"y\":0}}],"
       "\"orientation\":\"ShardOrientation::ROW_MAJOR\","
       "\"shard_distribution_strategy\":"
       "\"ShardDistributionStrategy::ROUND_ROBIN_1D\"},"
       "created_with_nd_shard_spec=0,per_core_allocation=0)",
       kHeight},
      {"MemoryConfig(memory_layout=TensorMemoryLayout::WIDTH_SHARDED,buffer_"
       "type=BufferType::L1,shard_spec=ShardSpec{grid=[{\"start\":{\"x\":0,"
       "\"y\":0},\"end\":{\"x\":7,\"y\":3}, {\"start\":{\"x\":0,\"y\":4},"
       "\"end\":{\"x\":2,\"y\":4}], shape=[32, 32], orientation="
       "ShardOrientation::COL_MAJOR},nd_shard_spec=std::nullopt,"
       "created_with_nd_shard_spec=0)",
       kTwoRanges},
      {"MemoryConfig(memory_layout=TensorMemoryLayout::ND_SHARDED,buffer_type="
       "BufferType::L1,shard_spec=std::nullopt,nd_shard_spec={\"shard_shape\":"
       "[2, 1, 3, 33],\"grid\":[{\"start\":{\"x\":0,\"y\":0},\"end\":{\"x\":5,"
       "\"y\":0}}],\"orientation\":\"ShardOrientation::COL_MAJOR\","
       "\"shard_distribution_strategy\":\"ShardDistributionStrategy::ROUND_"
       "ROBIN_1D\"},created_with_nd_shard_spec=1)",
       kNd},
      {"{\"buffer_type\":0,\"created_with_nd_shard_spec\":false,"
       "\"memory_layout\":0}",
       kDram},
      {"{\"buffer_type\":1,\"created_with_nd_shard_spec\":false,"
       "\"memory_layout\":2,\"shard_spec\":{\"grid\":[{\"end\":{\"x\":7,\"y\":"
       "0},\"start\":{\"x\":0,\"y\":0}}],\"mode\":0,\"orientation\":0,"
       "\"shape\":[32,64]}}",
       "#ttnn.memory_config<#ttnn.buffer_type<l1>, <height_sharded>, "
       "#ttnn.shard_spec<<[#ttnn.core_range<(0,0), (7,0)>]>, <32x64>, "
       "<row_major>, <physical>>>"},
      {"ttnn.DRAM_MEMORY_CONFIG", kDram},
      {" ttnn.L1_MEMORY_CONFIG\n", kL1},
      {"ttnn.MemoryConfig()", kDram},
      {"ttnn.L1_HEIGHT_SHARDED_MEMORY_CONFIG",
       "#ttnn.memory_config<#ttnn.buffer_type<l1>, <height_sharded>>"},
      {"L1_WIDTH_SHARDED_MEMORY_CONFIG",
       "#ttnn.memory_config<#ttnn.buffer_type<l1>, <width_sharded>>"},
      {"ttnn.L1_BLOCK_SHARDED_MEMORY_CONFIG",
       "#ttnn.memory_config<#ttnn.buffer_type<l1>, <block_sharded>>"},
      {"ttnn.MemoryConfig(buffer_type=ttnn.BufferType.L1)", kL1},
      {"ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, "
       "ttnn.BufferType.L1, ttnn.ShardSpec(ttnn.CoreRangeSet({ttnn.CoreRange("
       "ttnn.CoreCoord(0, 0), ttnn.CoreCoord(7, 0))}), [32, 64], "
       "ttnn.ShardOrientation.ROW_MAJOR, False))",
       kHeight},
      {"ttnn.MemoryConfig(\n    memory_layout=ttnn.TensorMemoryLayout.WIDTH_"
       "SHARDED,\n    buffer_type=ttnn.BufferType.L1,\n    shard_spec="
       "ttnn.ShardSpec(grid=ttnn.CoreRangeSet([ttnn.CoreRange((0, 0), (7, 3)), "
       "ttnn.CoreRange((0, 4), (2, 4))]), shard_shape=(32, 32), "
       "shard_orientation=ttnn.ShardOrientation.COL_MAJOR),\n)",
       kTwoRanges},
      {"ttnn.MemoryConfig(ttnn.BufferType.L1, ttnn.NdShardSpec(ttnn.Shape([2, "
       "1, 3, 33]), ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), "
       "ttnn.CoreCoord(5, 0))]), ttnn.ShardOrientation.COL_MAJOR, "
       "ttnn.ShardDistributionStrategy.ROUND_ROBIN_1D))",
       kNd},
      {"ttnn.MemoryConfig(memory_layout=<TensorMemoryLayout.INTERLEAVED: 0>, "
       "buffer_type=<BufferType.L1: 1>)",
       kL1},
      {"#l1 = #ttnn.buffer_type<l1>\n#ttnn.memory_config<#l1, <interleaved>>",
       kL1},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(Canonical(text), expected) << text;
  }
}

TEST(RuntimeMemoryConfig, Errors) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "expected one memory configuration"},
      {"MemoryConfig", "expected a memory configuration"},
      {"CoreRange(0, 1)", "expected a memory configuration"},
      {"DRAM_HEIGHT_SHARDED_MEMORY_CONFIG", "expected a memory configuration"},
      {"ttnn.create_sharded_memory_config((64, 32), ttnn.CoreGrid(x=1, y=2))",
       "the shard of create_sharded_memory_config is computed by ttnn; give "
       "the MemoryConfig(...) that it returns"},
      {"MemoryConfig(", "expected a closing bracket"},
      {"MemoryConfig(memory_layout=INTERLEAVED]", "does not close a bracket"},
      {"MemoryConfig(memory_layout=TALL)",
       "expected a memory layout, such as INTERLEAVED"},
      {"MemoryConfig(buffer_type=9)", "expected a buffer type, such as DRAM"},
      {"MemoryConfig(colour=1)",
       "'colour' is not a part of a memory configuration"},
      {"MemoryConfig(shard_spec=ShardSpec(shape={1, 2}))",
       "a shard spec has a grid and a shape"},
      {"MemoryConfig(shard_spec=ShardSpec(grid={[(x=0,y=0)]},shape={1, 2}))",
       "1 cores are not the corners of ranges"},
      {"MemoryConfig(shard_spec=ShardSpec(grid={(0,0),(1,1)},shape={1, -2}))",
       "the size -2 is negative"},
      {"MemoryConfig(per_core_allocation=1)",
       "the rule of per_core_allocation is not supported"},
      {"MemoryConfig(buffer_type=99999999999999999999)",
       "the number exceeds 2^63-1"},
      {"MemoryConfig(buffer_type=)", "expected a name, a number or a bracket"},
      {"#ttnn.shape<2>", "expected a memory configuration"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_THAT(Canonical(text), HasSubstr(expected)) << text;
  }
  EXPECT_EQ(ParseRuntimeMemoryConfig(std::string(100000, '[')).status().code(),
            absl::StatusCode::kResourceExhausted);
  std::string many = "MemoryConfig(";
  for (int i = 0; i < 70000; ++i) many += "0,";
  EXPECT_EQ(ParseRuntimeMemoryConfig(many).status().code(),
            absl::StatusCode::kResourceExhausted);
}

// "1x2 bf16 tile 32x32; config", or the message of the error.
std::string Summary(std::string_view text) {
  const absl::StatusOr<RuntimeTensor> tensor = ParseRuntimeTensor(text);
  if (!tensor.ok()) return std::string(tensor.status().message());
  std::string summary = absl::StrJoin(*tensor->shape, "x");
  if (tensor->padded_shape.has_value()) {
    absl::StrAppend(&summary, " in ",
                    absl::StrJoin(*tensor->padded_shape, "x"));
  }
  if (tensor->data_type.has_value()) {
    absl::StrAppend(&summary, " ", AbslView(TileKeyword(*tensor->data_type)));
  }
  if (tensor->is_tiled.has_value()) {
    absl::StrAppend(&summary, *tensor->is_tiled ? " tile" : " row_major");
  }
  if (tensor->tile.has_value()) {
    absl::StrAppend(&summary, " ", tensor->tile->height, "x",
                    tensor->tile->width);
  }
  if (tensor->memory_config.has_value()) {
    absl::StrAppend(&summary, "; ", tensor->memory_config->ToString());
  }
  return summary;
}

TEST(RuntimeTensor, SpecificationsAndPrintedTensors) {
  const std::string tile_layout =
      "page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={16, "
      "32},face_shape={16, 16},num_faces=2)))";
  const std::pair<std::string, std::string> cases[] = {
      {"TensorSpec(logical_shape=Shape([3, 40, 70]),tensor_layout=TensorLayout("
       "dtype=DataType::BFLOAT16," +
           tile_layout +
           ",memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::"
           "INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt),"
           "alignment=Alignment([16, 32])))",
       absl::StrCat("3x40x70 bf16 tile 16x32; ", kL1)},
      {"Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape="
       "Shape([1, 2048, 4, 128]),tensor_layout=TensorLayout(dtype=BFLOAT16,"
       "page_config=PageConfig(config=RowMajorPageConfig(tile=Tile(tile_shape="
       "{32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig("
       "memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::"
       "L1,shard_spec=std::nullopt),alignment=Alignment([1]))))",
       absl::StrCat("1x2048x4x128 bf16 row_major; ", kL1)},
      {"ttnn.TensorSpec((1, 1, 32, 64), ttnn.DataType.BFLOAT8_B, "
       "ttnn.TILE_LAYOUT, ttnn.BufferType.L1, tile=ttnn.Tile((16, 32)))",
       "1x1x32x64 bfp_bf8 tile 16x32; #ttnn.memory_config<#ttnn.buffer_type<"
       "l1>>"},
      {"ttnn.TensorSpec(shape=ttnn.Shape([5, 6]), dtype=ttnn.uint32, "
       "layout=ttnn.ROW_MAJOR_LAYOUT)",
       "5x6 u32 row_major"},
      {"ttnn.Tensor([[[[ 0.10, -1.5e3, nan, ..., 7.0]]]], shape=Shape([1, 1, "
       "10, 1]), dtype=DataType::BFLOAT16, layout=Layout::ROW_MAJOR)",
       "1x1x10x1 bf16 row_major"},
      {"ttnn.Tensor([], shape=Shape([0, 1]), dtype=DataType::FLOAT32, "
       "layout=Layout::TILE)",
       "0x1 f32 tile"},
      {"  0.25]]], shape=Shape([2, 1[32], 64, 64]), dtype=DataType::UINT8, "
       "layout=Layout::TILE)\n",
       "2x1x64x64 in 2x32x64x64 u8 tile"},
      {"shape=[1, 16, 77 + 19, 40 + 24], dtype=DataType::INT32, "
       "layout=Layout::TILE",
       "1x16x77x40 in 1x16x96x64 si32 tile"},
      {"input_tensor : shape = Shape([1, 3, 224, 224]) data_type = "
       "DataType::BFLOAT16 memory_config = MemoryConfig(memory_layout="
       "TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,"
       "shard_spec=std::nullopt)",
       absl::StrCat("1x3x224x224 bf16; ", kDram)},
      {"dtype=DataType::BFLOAT16", "the tensor has no shape"},
      {"shape=Shape([1]), dtype=DataType::COMPLEX64",
       "'COMPLEX64' is not a data type"},
      {"shape=Shape([1]), layout=Layout::INVALID",
       "expected a layout, TILE or ROW_MAJOR"},
      {"TensorSpec(logical_shape=Shape([3, 40]),tensor_layout=TensorLayout("
       "dtype=DataType::UINT8," +
           tile_layout + ",alignment=Alignment([64, 32])))",
       "the alignment is not the tile"},
      {"TensorSpec(logical_shape=Shape([3, 40]),tensor_layout=TensorLayout("
       "dtype=DataType::UINT8," +
           tile_layout + ",alignment=Alignment([32])))",
       "only the last sizes of a tensor may be aligned"},
      {"TensorSpec(logical_shape=Shape([3, 40]),tensor_layout=TensorLayout("
       "dtype=DataType::UINT8,page_config=PageConfig(config="
       "RowMajorPageConfig()),alignment=Alignment([2, 1])))",
       "only the last sizes of a tensor may be aligned"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_THAT(Summary(text), HasSubstr(expected)) << text;
  }
}

TEST(RuntimeIsTiled, NamesOfBothLayouts) {
  for (const char* name :
       {"tile", "TILE", "TILE_LAYOUT", "ttnn.TILE_LAYOUT", "Layout.TILE",
        "Layout::TILE", "ttnn.Layout.TILE", "<Layout.TILE: 1>", " tile "}) {
    EXPECT_EQ(RuntimeIsTiled(name), true) << name;
  }
  for (const char* name :
       {"row_major", "ROW_MAJOR", "ROW_MAJOR_LAYOUT", "ttnn.ROW_MAJOR_LAYOUT",
        "Layout.ROW_MAJOR", "Layout::ROW_MAJOR", "<Layout.ROW_MAJOR: 0>"}) {
    EXPECT_EQ(RuntimeIsTiled(name), false) << name;
  }
  for (const char* name : {"", "tiles", "Layout::INVALID", "TILE.", "<"}) {
    EXPECT_FALSE(RuntimeIsTiled(name).has_value()) << name;
  }
}

TEST(RuntimeDataType, NamesAreRead) {
  EXPECT_THAT(RuntimeDataTypeNames(), ::testing::Contains("bfloat8_b"));
  for (const std::string& name : RuntimeDataTypeNames()) {
    EXPECT_TRUE(RuntimeDataTypeOf(name).has_value()) << name;
  }
}

TEST(RuntimeDataType, NamesOfBoth) {
  EXPECT_EQ(RuntimeDataTypeOf("BFLOAT16"), DataType::kBF16);
  EXPECT_EQ(RuntimeDataTypeOf("bfloat4_b"), DataType::kBfpBf4);
  EXPECT_EQ(RuntimeDataTypeOf("bfp_bf8"), DataType::kBfpBf8);
  EXPECT_EQ(RuntimeDataTypeOf("ui16"), DataType::kU16);
  EXPECT_EQ(RuntimeDataTypeOf("int8"), DataType::kSI8);
  EXPECT_FALSE(RuntimeDataTypeOf("complex64").has_value());
}

}  // namespace
}  // namespace tessera::tenstorrent
