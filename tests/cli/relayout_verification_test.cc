#include "tessera/cli/relayout/relayout_verification.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tessera/relayout/shape_relayout.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cli {
namespace {

using ::testing::HasSubstr;

absl::Status RunPlan(const RelayoutPlan& plan, absl::Span<const uint8_t> from,
                     absl::Span<uint8_t> to) {
  return plan.Execute(from, to);
}

absl::Status RunNothing(const RelayoutPlan&, absl::Span<const uint8_t>,
                        absl::Span<uint8_t>) {
  return absl::OkStatus();
}

struct Moved {
  Moved(const std::string& from, const std::string& to,
        const RelayoutOptions& options = {})
      : from(*ParseShape(from)), to(*ParseShape(to)) {
    const RelayoutPlan plan = *PlanRelayout(this->from, this->to, options);
    box = plan.box();
    for (int64_t i = 0; i < plan.from_bytes(); ++i) {
      in.push_back(static_cast<uint8_t>(17 * i + 3));
    }
    out.resize(static_cast<size_t>(plan.to_bytes()));
    EXPECT_THAT(plan.Execute(in, absl::MakeSpan(out)), IsOk());
  }
  RelayoutToVerify relayout() const {
    return {*ToIndexMap(from),
            *ToIndexMap(to),
            StorageBits(from),
            box,
            {},
            in,
            out};
  }

  Shape from;
  Shape to;
  CommonBox box;
  std::vector<uint8_t> in;
  std::vector<uint8_t> out;
};

TEST(VerifyRelayout, Example) {
  const Moved moved("u8[3,5]{1,0}", "u8[3,5]{1,0:T(2,2)}");
  const absl::StatusOr<int64_t> positions =
      VerifyRelayout(moved.relayout(), RunPlan);
  EXPECT_THAT(positions, IsOkAndHolds(24));
}

TEST(VerifyRelayout, EveryWrongBitIsSeen) {
  for (const char* array : {"u8[3,5]", "u16[3,5]", "c128[3,5]"}) {
    Moved moved(array, std::string(array) + "{1,0:T(2,2)L(32)}");
    ASSERT_THAT(VerifyRelayout(moved.relayout(), RunPlan), IsOk());
    for (uint8_t& byte : moved.out) {
      byte ^= 8;
      const absl::StatusOr<int64_t> positions =
          VerifyRelayout(moved.relayout(), RunPlan);
      EXPECT_THAT(positions, StatusIs(absl::StatusCode::kDataLoss));
      byte ^= 8;
    }
  }
}

TEST(VerifyRelayout, Boxes) {
  RelayoutOptions options;
  options.to_dimensions = {1, 0};
  options.from_begins = {1, 2};
  options.to_begins = {4, 3};
  options.extents = {2, 3};
  Moved moved("u8[3,5]{1,0:T(2,2)}", "u8[9,6]", options);
  ASSERT_THAT(VerifyRelayout(moved.relayout(), RunPlan), IsOk());
  for (uint8_t& byte : moved.out) {
    byte ^= 8;
    EXPECT_THAT(VerifyRelayout(moved.relayout(), RunPlan),
                StatusIs(absl::StatusCode::kDataLoss));
    byte ^= 8;
  }
  moved.out[4 * 6 + 2] = 1;
  EXPECT_EQ(VerifyRelayout(moved.relayout(), RunPlan).status().message(),
            "position 26 is outside the box, and not of its value");
  moved.out[4 * 6 + 2] = 0;
  // {1,2} of the input, at 2 * 2 + 2.
  moved.out[4 * 6 + 3] ^= 1;
  EXPECT_EQ(VerifyRelayout(moved.relayout(), RunPlan).status().message(),
            "element (4,3) at position 27 is not that at position 6 of the "
            "input");
}

TEST(VerifyRelayout, NamesThePosition) {
  Moved moved("u8[3,5]{1,0}", "u8[3,5]{1,0:T(2,2)}");
  moved.out[17] ^= 1;
  EXPECT_EQ(VerifyRelayout(moved.relayout(), RunPlan).status().message(),
            "element (2,3) at position 17 is not that at position 13 of the "
            "input");
  moved.out[17] ^= 1;
  moved.out[9] = 7;
  EXPECT_EQ(VerifyRelayout(moved.relayout(), RunPlan).status().message(),
            "position 9 is padding, and not of its value");
}

// Among more positions than are looked at one by one, the way back sees it;
// what lies in the padding of the input is not asked for.
TEST(VerifyRelayout, TheWayBackSeesEveryElement) {
  Moved moved("u8[1000,1000]{1,0:T(8,128)}", "u8[1000,1000]{0,1}");
  EXPECT_THAT(VerifyRelayout(moved.relayout(), RunPlan), IsOk());
  EXPECT_THAT(
      std::string(
          VerifyRelayout(moved.relayout(), RunNothing).status().message()),
      HasSubstr("of 8000000 bits, 0 come back as they were"));
  moved.out[999'999] ^= 1;
  EXPECT_THAT(
      std::string(VerifyRelayout(moved.relayout(), RunPlan).status().message()),
      HasSubstr("of 8000000 bits, 7999999 come back as they were"));
}

}  // namespace
}  // namespace tessera::cli
