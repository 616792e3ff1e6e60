#include "tessera/tenstorrent/derive/device_parser.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const char kDevice[] =
    "#tt.device<workerGrid = #tt.grid<8x16, (d0, d1) -> (d1 floordiv 8, d0, "
    "d1 mod 8)>, l1Map = (d0, d1)[s0] -> (0, d0, d1, s0), dramMap = (d0, "
    "d1)[s0] -> (0, 0, 0, s0), meshShape = 1x2, chipIds = [0, 1]>";

TEST(DeviceParser, ReadsWhatIsPrinted) {
  const Device device = *ParseDevice(kDevice);
  EXPECT_EQ(device.ToString(), kDevice);
  EXPECT_THAT(VerifyDevice(device), IsOk());
  EXPECT_EQ(device.workers, *DefaultWorkerGrid({1, 2}, {8, 8}));
  EXPECT_EQ(device.l1_map.ToString(), "(d0, d1)[s0] -> (0, d0, d1, s0)");
  EXPECT_EQ(device.dram_map.ToString(), "(d0, d1)[s0] -> (0, 0, 0, s0)");
  EXPECT_THAT(device.mesh_shape, ElementsAre(1, 2));
  EXPECT_THAT(device.chip_ids, ElementsAre(0, 1));
}

TEST(DeviceParser, OtherSpellings) {
  const auto read = [](std::string_view from, std::string_view to) {
    return ParseDevice(
        absl::StrReplaceAll(kDevice, {{AbslView(from), AbslView(to)}}));
  };
  EXPECT_EQ(read("#tt.", "#ttcore.")->ToString(), kDevice);
  EXPECT_EQ(read(" ", "\n // comment\n ")->ToString(), kDevice);
  EXPECT_EQ(read("8x16", "8 x 16")->ToString(), kDevice);
  EXPECT_THAT(read("(d0, d1) -> (d1", "(y, d1) -> (d1"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  // One device, as tt-mlir prints it.
  const Device one = *read("1x2, chipIds = [0, 1]", ", chipIds = [7]");
  EXPECT_THAT(one.mesh_shape, IsEmpty());
  EXPECT_THAT(one.chip_ids, ElementsAre(7));
  EXPECT_THAT(VerifyDevice(one), IsOk());
  EXPECT_EQ(ParseDevice(one.ToString())->ToString(), one.ToString());
  // What the verifier refuses is read.
  EXPECT_THAT(read("[0, 1]", "[]")->chip_ids, IsEmpty());
  EXPECT_THAT(read("8x16", "0x10")->workers.shape, ElementsAre(0, 10));
}

TEST(DeviceParser, ErrorsSayWhatAndWhere) {
  struct Case {
    const char* from;
    const char* to;
    const char* message;
    absl::StatusCode code;
  };
  const auto invalid = absl::StatusCode::kInvalidArgument;
  for (const Case& c : {
           Case{"#tt.device", "tt.device",
                "expected #tt.device, found 'tt.device'", invalid},
           Case{"#tt.grid", "#tt.", "expected #tt.grid, found '#", invalid},
           Case{"#tt.device", "# tt.device", "expected #tt.device, found '#'",
                invalid},
           Case{"workerGrid", "grid", "expected workerGrid, found 'grid'",
                invalid},
           Case{"= #tt.grid<", "= <", "expected #tt.grid, found '<'", invalid},
           Case{"8x16", "8x", "expected a size, found ','", invalid},
           Case{"8x16", "9223372036854775808", "a size exceeds 2^63-1",
                absl::StatusCode::kOutOfRange},
           Case{"8x16, (", "8x16 (", "expected ',', found '('", invalid},
           Case{"d1 mod 8)>", "d1 mod 8)", "expected '>', found ','", invalid},
           Case{"l1Map = (", "l1Map (", "expected '=', found '('", invalid},
           Case{"d1 mod 8", "d1 mod 0", "the divisor is 0; expected at least 1",
                invalid},
           Case{"[0, 1]", "0", "expected '[', found '0'", invalid},
           Case{"[0, 1]", "[0 1]", "expected ',' or ']', found '1'", invalid},
           Case{"[0, 1]", "[0, ]", "expected the number of a chip, found ']'",
                invalid},
           Case{"1]>", "1]", "expected '>', found end of text", invalid},
           Case{"1]>", "1]> x", "expected the end of the device, found 'x'",
                invalid},
       }) {
    const std::string text = absl::StrReplaceAll(kDevice, {{c.from, c.to}});
    const absl::Status status = ParseDevice(text).status();
    const std::optional<Diagnostic> diagnostic = DiagnosticOf(status);
    ASSERT_TRUE(diagnostic.has_value()) << text;
    EXPECT_THAT(diagnostic->message, StartsWith(c.message));
    EXPECT_THAT(status, StatusIs(c.code)) << c.message;
  }
  EXPECT_EQ(DiagnosticOf(ParseDevice("").status())->message,
            "expected #tt.device, found end of text");
  EXPECT_EQ(DiagnosticOf(ParseDevice("#tt.device<workerGrid = #tt.grid<8 x "
                                     "y, () -> ()>>")
                             .status())
                ->column,
            38);
}

TEST(DeviceParser, SizesAreLimited) {
  std::string sizes = "1";
  for (int i = 1; i < 1024; ++i) absl::StrAppend(&sizes, "x1");
  EXPECT_THAT(ParseDevice(absl::StrReplaceAll(kDevice, {{"1x2", sizes}})),
              IsOk());
  absl::StrAppend(&sizes, "x1");
  EXPECT_THAT(ParseDevice(absl::StrReplaceAll(kDevice, {{"1x2", sizes}})),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(DeviceParser, AnyTextIsReadOrRefused) {
  RandomBits random(TestSeed());
  const std::string device = kDevice;
  for (size_t size = 0; size < device.size(); ++size) {
    EXPECT_FALSE(ParseDevice(device.substr(0, size)).ok());
  }
  int64_t num_read = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string text = device;
    for (int64_t changes = Uniform(1, 3, &random); changes > 0; --changes) {
      const int64_t at = Uniform(0, text.size() - 1, &random);
      if (Uniform(0, 1, &random) == 0) {
        text.erase(at, Uniform(1, 3, &random));
      } else {
        text.insert(at, 1, device[Uniform(0, device.size() - 1, &random)]);
      }
    }
    const absl::StatusOr<Device> read = ParseDevice(text);
    if (!read.ok()) {
      EXPECT_TRUE(DiagnosticOf(read.status()).has_value()) << text;
      continue;
    }
    ++num_read;
    const absl::StatusOr<Device> again = ParseDevice(read->ToString());
    ASSERT_THAT(again, IsOk());
    EXPECT_EQ(again->ToString(), read->ToString());
  }
  EXPECT_GT(num_read, 10);
}

}  // namespace
}  // namespace tessera::tenstorrent
