#include "tessera/tenstorrent/metal_layout.h"

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "gtest/gtest.h"

namespace tessera {
namespace tenstorrent {
namespace {

template <typename Enum, size_t n>
void ExpectKeywords(const Enum (&values)[n],
                    absl::optional<Enum> (*value_of)(absl::string_view),
                    const char* keywords) {
  std::string all;
  for (const Enum value : values) {
    all += std::string(KeywordOf(value)) + " ";
    EXPECT_EQ(value_of(KeywordOf(value)), value) << KeywordOf(value);
  }
  EXPECT_EQ(all, keywords);
  EXPECT_EQ(value_of(""), absl::nullopt);
  EXPECT_EQ(value_of("L1"), absl::nullopt);
}

TEST(MetalLayout, Keywords) {
  ExpectKeywords(kOobValues, OobValueOf, "undef zero one inf neginf ");
  ExpectKeywords(kMemorySpaces, MemorySpaceOf, "system mmio dram l1 dst ");
  ExpectKeywords(kTensorMemoryLayouts, TensorMemoryLayoutOf,
                 "none interleaved single_bank height_sharded width_sharded "
                 "block_sharded ");
}

TEST(MetalLayout, Prints) {
  MetalTensor tensor;
  tensor.shape = {53, 63};
  tensor.layout.linear = AffineMap::Identity(2);
  tensor.layout.grid = {3, 2};
  tensor.layout.memref.shape = {18, 32};
  EXPECT_EQ(tensor.layout.memref.ToString(),
            "memref<18x32xf32, #tt.memory_space<l1>>");
  EXPECT_EQ(tensor.ToString(),
            "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
            "<3x2>, memref<18x32xf32, #tt.memory_space<l1>>>>");

  MetalLayout tiled = tensor.layout;
  tiled.oob_value = OobValue::kNegInf;
  tiled.memref = {
      {1, 1}, {DataType::kBfpBf8, TileShape{32, 32}}, MemorySpace::kDeviceDRAM};
  tiled.memory_layout = TensorMemoryLayout::kBlockSharded;
  EXPECT_EQ(tiled.ToString(),
            "#tt.metal_layout<(d0, d1) -> (d0, d1), neginf, <3x2>, "
            "memref<1x1x!tt.tile<32x32, bfp_bf8>, #tt.memory_space<dram>>, "
            "block_sharded>");
}

TEST(MetalLayout, PrintsRankZero) {
  EXPECT_EQ(MetalTensor().ToString(),
            "tensor<f32, #tt.metal_layout<() -> (), undef, <>, "
            "memref<f32, #tt.memory_space<l1>>>>");
}

TEST(MetalLayout, ComparesEveryPart) {
  const MetalTensor tensor;
  const auto differs = [&tensor](auto change) {
    MetalTensor changed = tensor;
    change(&changed);
    return changed != tensor && !(changed == tensor);
  };
  EXPECT_EQ(MetalTensor(), tensor);
  EXPECT_TRUE(differs([](MetalTensor* t) { t->shape = {1}; }));
  EXPECT_TRUE(
      differs([](MetalTensor* t) { t->element.data_type = DataType::kBF16; }));
  EXPECT_TRUE(differs(
      [](MetalTensor* t) { t->layout.linear = AffineMap::Identity(1); }));
  EXPECT_TRUE(
      differs([](MetalTensor* t) { t->layout.oob_value = OobValue::kInf; }));
  EXPECT_TRUE(differs([](MetalTensor* t) { t->layout.grid = {1}; }));
  EXPECT_TRUE(differs([](MetalTensor* t) { t->layout.memref.shape = {1}; }));
  EXPECT_TRUE(differs([](MetalTensor* t) {
    t->layout.memref.element.tile = TileShape{32, 32};
  }));
  EXPECT_TRUE(differs([](MetalTensor* t) {
    t->layout.memref.memory_space = MemorySpace::kSystem;
  }));
  EXPECT_TRUE(differs([](MetalTensor* t) {
    t->layout.memory_layout = TensorMemoryLayout::kNone;
  }));
}

}  // namespace
}  // namespace tenstorrent
}  // namespace tessera
