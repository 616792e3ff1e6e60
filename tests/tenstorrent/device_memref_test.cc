#include "tessera/tenstorrent/mlir_file/device_memref.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::HasSubstr;

struct Form {
  const char* parts;
  DeviceMemRef::Kind kind;
  bool is_viewed;
  bool has_memory;
  int64_t bytes_per_core;  // of 2x2x2x4 tiles of f32
};

TEST(DeviceMemRef, EveryForm) {
  constexpr Form kForms[] = {
      {"#ttcore.shard<16384x4096, 1>", DeviceMemRef::kShard, false, true,
       8 * 4096},
      {"#tt.shard<16384x4096, 2, (d0) -> (d0)>", DeviceMemRef::kShard, false,
       true, 16 * 4096},
      {"#ttcore.view<4>", DeviceMemRef::kView, false, false, 8 * 4096},
      {"#ttcore.view<(d0, d1, d2, d3) -> (d1, d0, d2, d3)>",
       DeviceMemRef::kView, false, false, 8 * 4096},
      {"#ttcore.shard<16384x4096, 1>, #ttcore.view<4>", DeviceMemRef::kShard,
       true, true, 8 * 4096},
      {"#ttcore.view<4>, #ttcore.shard<16384x4096, 1>", DeviceMemRef::kShard,
       true, true, 8 * 4096},
      {"#ttcore.interleaved<16384x4096>", DeviceMemRef::kInterleaved, false,
       true, 8 * 4096},
      {"#ttcore.cb_layout<16384x4096, 2>", DeviceMemRef::kCircularBuffer, false,
       true, 64 * 4096},
      {"strided<[4, 1], offset: ?>", DeviceMemRef::kStrided, false, false,
       32 * 4096},
      {"affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>",
       DeviceMemRef::kStrided, false, false, 32 * 4096},
  };
  for (const Form& form : kForms) {
    for (const char* space :
         {"#ttcore.memory_space<l1>", "#tt.memory_space<l1>",
          "#ttnn.buffer_type<l1>"}) {
      const absl::StatusOr<DeviceMemRef> memref = ParseDeviceMemRef(
          absl::StrCat("memref<2x2x2x4x!ttcore.tile<32x32, f32>, ", form.parts,
                       ", ", space, ">"));
      ASSERT_TRUE(memref.ok()) << form.parts << memref.status();
      EXPECT_EQ(memref->kind, form.kind) << form.parts;
      EXPECT_EQ(memref->is_viewed, form.is_viewed) << form.parts;
      EXPECT_EQ(HasMemory(*memref), form.has_memory) << form.parts;
      EXPECT_EQ(BytesPerCore(*memref), form.bytes_per_core) << form.parts;
      EXPECT_EQ(memref->memory_space, MemorySpace::kDeviceL1) << form.parts;
    }
  }
}

TEST(DeviceMemRef, SizesOfAllCells) {
  const absl::StatusOr<DeviceMemRef> memref = ParseDeviceMemRef(
      "memref<2x3x2x4x!ttcore.tile<32x32, bf16>, #ttcore.shard<8192x2048, 1>, "
      "#ttcore.memory_space<l1>>");
  ASSERT_TRUE(memref.ok());
  EXPECT_EQ(GridOfMemRef(*memref), (Dimensions{2, 3}));
  EXPECT_EQ(ShardOfMemRef(*memref), (Dimensions{2, 4}));
  EXPECT_EQ(BytesOfAll(*memref), 6 * 8 * 2048);
}

TEST(DeviceMemRef, CoreLocalMemRefsHaveNoGrid) {
  const absl::StatusOr<DeviceMemRef> memref =
      ParseDeviceMemRef("memref<32x32xf32, #ttcore.memory_space<dst>>");
  ASSERT_TRUE(memref.ok());
  EXPECT_EQ(memref->kind, DeviceMemRef::kCoreLocal);
  EXPECT_EQ(GridOfMemRef(*memref), Dimensions());
  EXPECT_EQ(BytesOfAll(*memref), 4096);
  EXPECT_EQ(NameOf(memref->kind), "core-local");
}

TEST(DeviceMemRef, ErrorsSayWhere) {
  struct Error {
    const char* text;
    const char* message;
  };
  constexpr Error kErrors[] = {
      {"memref<2x2xf32, #ttcore.shard<8x4>>", "1:34: expected ','"},
      {"memref<2x2xf32, #ttcore.other<4>>",
       "1:17: expected a layout such as #ttcore.shard<16384x4096, 1> or a "
       "memory space"},
      {"memref<?x2xf32, #ttcore.memory_space<l1>>", "is dynamic"},
      {"memref<2x2xf32, #ttcore.memory_space<l2>>",
       "1:38: expected a memory space"},
      {"memref<2x2xf32> x", "1:17: expected the end of the text"},
  };
  for (const Error& error : kErrors) {
    EXPECT_THAT(
        ParseDeviceMemRef(error.text).status(),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(error.message)))
        << error.text;
  }
  EXPECT_EQ(BytesOfAll(*ParseDeviceMemRef("memref<4611686018427387904x2xf32, "
                                          "#ttcore.memory_space<l1>>")),
            std::nullopt);
}

}  // namespace
}  // namespace tessera::tenstorrent
