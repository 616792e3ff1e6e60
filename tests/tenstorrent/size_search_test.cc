#include "tessera/tenstorrent/mlir_file/size_search.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tenstorrent/mlir_file/layout_file.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct PublicMessage {
  const char* thread;
  const char* memory;
  int64_t bytes;
  int64_t banks;
  int64_t bytes_per_bank;
  // A tensor that takes as much.
  const char* tensor;
};

// The numbers are from public threads (data/README.md); the tensors are not.
constexpr PublicMessage kMessages[] = {
    {"tt-mlir#8044", "L1", 26542080, 48, 552960,
     "tensor<414720x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <48x1>, "
     "memref<270x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
     "<height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,5)>]>>>"},
    {"tt-metal#20373", "L1", 48814080, 60, 813568,
     "tensor<95340x256xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <60x1>, "
     "memref<1589x256xbf16, #ttnn.buffer_type<l1>>, <height_sharded>, "
     "core_ranges = <[#ttnn.core_range<(0,0), (9,5)>]>>>"},
    {"tt-metal#31076", "DRAM", 117440512, 12, 9787392,
     "tensor<7168x8192xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
     "memref<224x256x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, "
     "<interleaved>>>"},
    {"tt-xla#4685", "DRAM", 3294625792, 12, 274686208,
     "tensor<8192x201088xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
     "memref<8192x201088xbf16, #ttnn.buffer_type<dram>>, <interleaved>>>"},
    {"tt-xla#4130", "DRAM", 58720256, 12, 4894720,
     "tensor<3584x8192xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
     "memref<112x256x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, "
     "<interleaved>>>"},
    {"tt-inference-server#451", "DRAM", 146575360, 12, 12214976,
     "tensor<13472x10240xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
     "memref<421x320x!ttcore.tile<32x32, bfp_bf8>, #ttnn.buffer_type<dram>>, "
     "<interleaved>>>"},
    {"tt-xla#5535", "DRAM", 1073741824, 12, 89479168,
     "tensor<16384x32768xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
     "memref<512x1024x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, "
     "<interleaved>>>"},
    {"tt-xla#5535", "DRAM", 1244659712, 12, 103723008,
     "tensor<75968x8192xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
     "memref<2374x256x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, "
     "<interleaved>>>"},
    {"tt-forge#855", "DRAM", 1050673152, 12, 87556096,
     "tensor<4008x131072xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
     "memref<4008x131072xbf16, #ttnn.buffer_type<dram>>, <interleaved>>>"},
    {"tt-metal#29905", "DRAM", 499122176, 12, 41594240,
     "tensor<16384x28672xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
     "memref<512x896x!ttcore.tile<32x32, bfp_bf8>, #ttnn.buffer_type<dram>>, "
     "<interleaved>>>"},
    {"tt-metal#19890", "DRAM", 536870912, 12, 44740608,
     "tensor<8192x32768xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
     "memref<256x1024x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, "
     "<interleaved>>>"},
    {"tt-torch#727", "DRAM", 5805965312, 12, 483831808,
     "tensor<1417472x2048xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
     "memref<44296x64x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, "
     "<interleaved>>>"},
};

std::string TextOf(const PublicMessage& message) {
  return absl::StrCat("TT_FATAL: Out of Memory: Not enough space to allocate ",
                      message.bytes, " B ", message.memory, " buffer across ",
                      message.banks, " banks, where each bank needs to store ",
                      message.bytes_per_bank, " B");
}

TEST(SizeSearch, PublicMessagesLeadToTheirTensors) {
  std::string text;
  for (const PublicMessage& message : kMessages) {
    absl::StrAppend(&text, "%0 = \"ttnn.empty\"() : () -> ", message.tensor,
                    "\n");
  }
  const LayoutFile file = ReadLayoutFile(text);
  for (const PublicMessage& message : kMessages) {
    const absl::StatusOr<MemoryRequest> request =
        ParseOutOfMemory(TextOf(message));
    ASSERT_TRUE(request.ok()) << message.thread;
    EXPECT_EQ(request->bytes, message.bytes);
    EXPECT_EQ(request->banks, message.banks);
    EXPECT_EQ(request->bytes_per_bank, message.bytes_per_bank);
    const std::vector<SizeMatch> matches = FindBySize(file.items, *request);
    ASSERT_EQ(matches.size(), 1u) << message.thread;
    EXPECT_EQ(matches[0].what, SizeMatch::kEachBank) << message.thread;
    EXPECT_EQ(file.items[matches[0].item].first_text, message.tensor)
        << message.thread;
  }
  // Nothing is made up.
  MemoryRequest other;
  other.bytes = 117440513;
  EXPECT_THAT(FindBySize(file.items, other), IsEmpty());
}

TEST(SizeSearch, OtherMemoryAndOtherBanksAreSaid) {
  const LayoutFile file = ReadLayoutFile(
      absl::StrCat("%0 = \"ttnn.empty\"() : () -> ", kMessages[2].tensor));
  MemoryRequest request;
  request.bytes = kMessages[2].bytes;
  request.space = MemorySpace::kDeviceL1;
  std::vector<SizeMatch> matches = FindBySize(file.items, request);
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].what, SizeMatch::kOtherSpace);
  request.space = MemorySpace::kDeviceDRAM;
  request.banks = 12;
  request.bytes_per_bank = 4096;
  matches = FindBySize(file.items, request);
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].what, SizeMatch::kInAll);
  MemoryRequest one_bank;
  one_bank.bytes = 9787392;
  matches = FindBySize(file.items, one_bank);
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].what, SizeMatch::kPerBank);
}

TEST(SizeSearch, BankSizeOfLaterMessages) {
  const absl::StatusOr<MemoryRequest> request = ParseOutOfMemory(
      "Not enough space to allocate 536870912 B L1_SMALL buffer across 72 "
      "banks, where each bank needs to store 7456768 B, but bank size is "
      "1393312 B (allocated: 0 B, free: 1393312 B)");
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request->space, MemorySpace::kDeviceL1);
  EXPECT_EQ(request->bank_bytes, 1393312);
  EXPECT_THAT(ParseOutOfMemory("nothing").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("expected a message such as")));
}

}  // namespace
}  // namespace tessera::tenstorrent
