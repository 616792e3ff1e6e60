#include "tessera/relayout/shape_relayout.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/parser/parser.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<RelayoutPlan> Plan(const std::string& from,
                                  const std::string& to,
                                  const RelayoutOptions& options = {}) {
  return PlanRelayout(*ParseShape(from), *ParseShape(to), options);
}

TEST(PlanRelayout, MovesEveryByte) {
  const absl::StatusOr<RelayoutPlan> plan =
      Plan("bf16[9,130]{1,0}", "bf16[9,130]{1,0:T(8,128)(2,1)}");
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->from_bytes(), 2340);
  EXPECT_EQ(plan->to_bytes(), 8192);
  const std::vector<uint8_t> host(2340, 1);
  std::vector<uint8_t> device(8192);
  EXPECT_THAT(plan->Execute(host, absl::MakeSpan(device)), IsOk());
  EXPECT_EQ(std::count(device.begin(), device.end(), 1), 2340);
}

TEST(PlanRelayout, MovesElementsOfATypeOfTheCaller) {
  const absl::StatusOr<RelayoutPlan> plan =
      Plan("f32[2,3]{1,0}", "f32[2,3]{0,1}");
  ASSERT_THAT(plan, IsOk());
  const std::vector<float> rows = {1, 2, 3, 4, 5, 6};
  std::vector<float> columns(6);
  EXPECT_THAT(plan->Execute<float>(rows, absl::MakeSpan(columns)), IsOk());
  std::vector<float> pieces(columns.size());
  for (int64_t piece = 0; piece < 2; ++piece) {
    EXPECT_THAT(
        plan->ExecutePiece<float>(piece, 2, rows, absl::MakeSpan(pieces)),
        IsOk());
  }
  EXPECT_EQ(pieces, columns);
  EXPECT_THAT(columns, ::testing::ElementsAre(1, 4, 2, 5, 3, 6));
  std::vector<double> wide(3);
  EXPECT_THAT(plan->Execute<double>(wide, absl::MakeSpan(wide)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "the plan moves elements of 32 bits, and these have "
                       "64"));
  EXPECT_THAT(plan->ExecutePiece<double>(0, 1, wide, absl::MakeSpan(wide)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "the plan moves elements of 32 bits, and these have "
                       "64"));
  EXPECT_THAT(
      plan->Execute<float>(absl::MakeConstSpan(rows).first(5),
                           absl::MakeSpan(columns)),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("20 bytes")));
}

TEST(PlanRelayout, SizesAreThoseOfTheType) {
  const struct {
    const char* array;
    int64_t bytes;
  } kCases[] = {
      {"pred[3,5]{1,0}", 15},
      {"pred[3,5]{1,0:E(1)}", 2},
      {"s4[3,5]{1,0}", 15},
      {"s4[3,5]{1,0:E(4)}", 8},
      {"u2[3,5]{1,0:E(2)}", 4},
      {"f8e5m2[3,5]{1,0}", 15},
      {"bf16[3,5]{1,0}", 30},
      {"f32[3,5]{1,0}", 60},
      {"c64[3,5]{1,0}", 120},
      {"c128[3,5]{1,0}", 240},
      {"f32[]", 4},
      {"f32[0,5]{1,0}", 0},
      {"f32[3,5]{1,0:S(1)}", 60},
      {"f32[3,<=5]{1,0}", 60},
  };
  for (const auto& c : kCases) {
    const absl::StatusOr<RelayoutPlan> plan = Plan(c.array, c.array);
    ASSERT_THAT(plan, IsOk()) << c.array;
    EXPECT_EQ(plan->from_bytes(), c.bytes) << c.array;
    EXPECT_EQ(plan->to_bytes(), c.bytes) << c.array;
  }
}

TEST(PlanRelayout, TransposesByAPermutation) {
  RelayoutOptions options;
  options.to_dimensions = {1, 0};
  EXPECT_THAT(Plan("f32[3,5]", "f32[5,3]", options), IsOk());
  EXPECT_THAT(Plan("f32[3,5]", "f32[3,5]", options),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(PlanRelayout, RefusesWhatIsNotOneArray) {
  const struct {
    const char* from;
    const char* to;
    absl::StatusCode code;
    const char* message;
  } kCases[] = {
      {"f32[3,5]", "s32[3,5]", absl::StatusCode::kInvalidArgument,
       "f32[3,5]{1,0} and s32[3,5]{1,0} are of different element types"},
      {"f32[3,5]", "f32[5,3]", absl::StatusCode::kInvalidArgument,
       "have different bounds"},
      {"f32[15]", "f32[3,5]", absl::StatusCode::kInvalidArgument,
       "have different bounds"},
      {"s4[4]", "s4[4]{0:E(4)}", absl::StatusCode::kUnimplemented,
       "store elements in different sizes, 8 and 4 bits"},
      {"f32[4]", "f32[4]{0:M(8)}", absl::StatusCode::kUnimplemented,
       "has a metadata prefix"},
      {"(f32[4])", "f32[4]", absl::StatusCode::kFailedPrecondition, ""},
      {"f32[?]", "f32[4]", absl::StatusCode::kFailedPrecondition, ""},
  };
  for (const auto& c : kCases) {
    const absl::StatusOr<RelayoutPlan> plan = Plan(c.from, c.to);
    EXPECT_THAT(plan, StatusIs(c.code, HasSubstr(c.message)))
        << c.from << " " << c.to;
  }
}

}  // namespace
}  // namespace tessera
