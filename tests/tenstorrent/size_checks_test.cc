#include "tessera/tenstorrent/internal/size_checks.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

TEST(SizeChecks, Example) {
  EXPECT_THAT(CheckSizes({2, 8, 32}, "shape"), IsOk());
  EXPECT_EQ(CheckSizes({2, 0, 32}, "shape"),
            absl::InvalidArgumentError("shape[1] = 0; expected at least 1"));
  EXPECT_THAT(CheckSizes({2, 0, 32}, "shape", 0), IsOk());
  EXPECT_EQ(CheckSizes({2, -1, 32}, "shape", 0),
            absl::InvalidArgumentError("shape[1] = -1; expected at least 0"));
  EXPECT_EQ(CheckAtLeast(0, -1, "the base"),
            absl::InvalidArgumentError("the base is -1; expected at least 0"));
  EXPECT_EQ(CheckCount(2, 3, "strides"),
            absl::InvalidArgumentError("expected 3 strides, found 2"));
  EXPECT_EQ(*Product({2, 8}, "the volume"), 16);
}

TEST(SizeChecks, RefusesWhatCannotBeComputedWith) {
  EXPECT_EQ(CheckSizes(std::vector<int64_t>(1025, 1), "grid"),
            absl::ResourceExhaustedError(
                "grid has 1025 dimensions; at most 1024 are supported"));
  EXPECT_EQ(
      Product({int64_t{1} << 40, int64_t{1} << 40}, "the volume").status(),
      absl::OutOfRangeError("the volume, 1099511627776 * 1099511627776, "
                            "exceeds 2^63-1"));
  EXPECT_EQ(CheckIndex({1}, {2, 3}, "cell"),
            absl::InvalidArgumentError("cell has 1 coordinates; expected 2"));
  EXPECT_EQ(CheckIndex({1, 3}, {2, 3}, "cell"),
            absl::OutOfRangeError("cell[1] = 3 is outside [0, 3)"));
  EXPECT_EQ(CheckIndex({-1, 0}, {2, 3}, "cell"),
            absl::OutOfRangeError("cell[0] = -1 is outside [0, 2)"));
}

TEST(SizeChecks, NumbersInRowMajorOrder) {
  EXPECT_EQ(RowMajorNumber({}, {}), 0);
  EXPECT_EQ(RowMajorNumber({1, 2, 3}, {2, 3, 4}), 23);
}

}  // namespace
}  // namespace tessera::tenstorrent
