#include "tessera/hlo/memory/kernel_vmem.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/parser/parser.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

TEST(KernelVmem, TilesOfMosaic) {
  struct Case {
    const char* shape;
    const char* laid_out;
    int64_t padded_bytes;
  };
  const Case kCases[] = {
      {"f32[8,128]", "f32[8,128]{1,0:T(8,128)}", 4096},
      {"bf16[512,1000]", "bf16[512,1000]{1,0:T(8,128)(2,1)}", 1 << 20},
      {"f32[2,3,100]", "f32[2,3,100]{2,1,0:T(4,128)}", 2 * 4 * 512},
      // Few rows.
      {"f32[1,128]", "f32[1,128]{1,0:T(1,128)}", 512},
      {"f32[2,128]", "f32[2,128]{1,0:T(2,128)}", 1024},
      {"f32[5,128]", "f32[5,128]{1,0:T(8,128)}", 4096},
      {"bf16[1,128]", "bf16[1,128]{1,0:T(2,128)(2,1)}", 512},
      {"s8[1,128]", "s8[1,128]{1,0:T(4,128)(4,1)}", 512},
      {"s8[9,128]", "s8[9,128]{1,0:T(8,128)(4,1)}", 2048},
      {"s4[64,128]", "s4[64,128]{1,0:T(8,128)(8,1)E(4)}", 4096},
      {"pred[8,128]", "pred[8,128]{1,0:T(8,128)E(32)}", 4096},
      // Rank 1.
      {"f32[100]", "f32[100]{0:T(128)}", 512},
      {"f32[300]", "f32[300]{0:T(512)}", 2048},
      {"f32[5000]", "f32[5000]{0:T(1024)}", 20480},
      {"bf16[100]", "bf16[100]{0:T(256)(128)(2,1)}", 512},
      // Tiles that are given stay.
      {"bf16[512,1000]{1,0:T(16,128)(2,1)}",
       "bf16[512,1000]{1,0:T(16,128)(2,1)}", 1 << 20},
  };
  for (const Case& c : kCases) {
    const absl::StatusOr<KernelBlock> block =
        LayOutKernelBlock(*ParseShape(c.shape), 2);
    ASSERT_THAT(block, IsOk()) << c.shape;
    EXPECT_EQ(block->shape.ToString(), c.laid_out);
    EXPECT_EQ(block->padded_bytes, c.padded_bytes) << c.shape;
    EXPECT_EQ(block->total_bytes, 2 * c.padded_bytes) << c.shape;
    EXPECT_LE(block->unpadded_bytes, block->padded_bytes) << c.shape;
  }
}

TEST(KernelVmem, WhatIsNoBlock) {
  struct Case {
    const char* shape;
    int64_t buffers;
    absl::StatusCode code;
    const char* message;
  };
  using Code = absl::StatusCode;
  const Case kCases[] = {
      {"(f32[8,128])", 2, Code::kInvalidArgument, "a block is an array, not"},
      {"f32[]", 2, Code::kInvalidArgument, "scalars lie in SMEM"},
      {"f32[0,128]", 2, Code::kInvalidArgument, "has at least 1 element"},
      {"f32[?,128]", 2, Code::kInvalidArgument, "has at least 1 element"},
      {"f32[8,128]{0,1}", 2, Code::kInvalidArgument, "a block is row-major"},
      {"f64[8,128]", 2, Code::kUnimplemented, "have 64"},
      {"s2[8,128]", 2, Code::kUnimplemented, "have 2"},
      {"f32[8,128]", 0, Code::kInvalidArgument, "at least one buffer"},
      {"f32[1099511627776,128]", int64_t{1} << 40, Code::kOutOfRange,
       "exceed 2^63-1 bytes"},
  };
  for (const Case& c : kCases) {
    const absl::Status status =
        LayOutKernelBlock(*ParseShape(c.shape), c.buffers).status();
    EXPECT_EQ(status.code(), c.code) << c.shape << " " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << c.shape;
  }
}

}  // namespace
}  // namespace tessera
