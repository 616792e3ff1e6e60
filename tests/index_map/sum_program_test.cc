#include "tessera/index_map/sum_program.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "tessera/tests/vectors/each_vector_target.h"

namespace tessera {
namespace {

TEST(SumProgram, Example) {
  SumProgram program({4096, 128});
  program.BeginSum(/*offset=*/0);
  program.AddQuotient(/*value=*/0, /*divisor=*/1, /*coefficient=*/128);
  program.AddQuotient(0, 8, 896);
  program.AddDigit(1, 1, /*modulus=*/16, 1);
  program.EndSum(/*end=*/982928, /*output=*/0);
  EXPECT_TRUE(program.is_narrow());

  std::vector<int32_t> rows, columns, positions(100), expected;
  for (int32_t i = 0; i < 100; ++i) {
    rows.push_back(i * 41);
    columns.push_back(127 - i);
    expected.push_back(i * 41 * 128 + i * 41 / 8 * 896 + (127 - i) % 16);
  }
  const int32_t* const inputs[] = {rows.data(), columns.data()};
  int32_t* const outputs[] = {positions.data()};
  program.Run(inputs, outputs, nullptr, 100);
  EXPECT_EQ(positions, expected);
}

// Every way to take a quotient, on the numbers where rounding goes wrong.
void ExpectExactQuotients() {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  std::mt19937_64 random(20261122);
  for (int round = 0; round < 3000; ++round) {
    const int64_t divisor =
        static_cast<int64_t>(1 + (random() >> 1 >> random() % 63));
    const int64_t end = std::max<int64_t>(
        1, static_cast<int64_t>(random() >> 1 >> random() % 63));
    SumProgram program({end});
    program.BeginSum(0);
    program.AddQuotient(0, divisor, 1);
    program.EndSum(end, 0);
    std::vector<int64_t> values, quotients(64), expected;
    for (int i = 0; i < 64; ++i) {
      const int64_t multiple =
          static_cast<int64_t>(random() % static_cast<uint64_t>(end)) /
          divisor * divisor;
      const int64_t near = multiple > kMax - 1
                               ? multiple
                               : multiple + static_cast<int64_t>(i % 3) - 1;
      values.push_back(i == 0 ? end - 1
                              : std::min(std::max<int64_t>(near, 0), end - 1));
      expected.push_back(values.back() / divisor);
    }
    const int64_t* const inputs[] = {values.data()};
    int64_t* const outputs[] = {quotients.data()};
    program.Run(inputs, outputs, nullptr, 64);
    ASSERT_EQ(quotients, expected) << divisor << " below " << end;
    if (!program.is_narrow()) continue;
    const std::vector<int32_t> narrow_values(values.begin(), values.end());
    std::vector<int32_t> narrow(64);
    const int32_t* const narrow_inputs[] = {narrow_values.data()};
    int32_t* const narrow_outputs[] = {narrow.data()};
    program.Run(narrow_inputs, narrow_outputs, nullptr, 64);
    ASSERT_EQ(std::vector<int64_t>(narrow.begin(), narrow.end()), expected)
        << divisor << " below " << end;
  }
}

TEST(SumProgram, QuotientsAreExact) {
  ForEachVectorTarget(ExpectExactQuotients);
}

// Which instructions a sum takes.
TEST(SumProgram, OnlyBitsThatDoNotOverlapAreShifted) {
  using Kind = SumProgram::Step::Kind;
  SumProgram bits({16, 16});
  bits.BeginSum(0);
  bits.AddDigit(0, 1, 4, 16);
  bits.AddDigit(1, 1, 4, 4);
  bits.EndSum(64, 0);
  EXPECT_EQ(bits.steps()[0].kind, Kind::kOrShiftedLeft);

  SumProgram overlapping({16, 16});
  overlapping.BeginSum(0);
  overlapping.AddDigit(0, 1, 4, 4);
  overlapping.AddDigit(1, 1, 4, 8);
  overlapping.EndSum(64, 0);
  EXPECT_EQ(overlapping.steps()[0].kind, Kind::kAddMultiplied);

  SumProgram offset({16, 16});
  offset.BeginSum(1);
  offset.AddDigit(0, 1, 4, 16);
  offset.AddDigit(1, 1, 4, 4);
  offset.EndSum(64, 0);
  EXPECT_EQ(offset.steps()[0].kind, Kind::kAddMultiplied);
}

}  // namespace
}  // namespace tessera
