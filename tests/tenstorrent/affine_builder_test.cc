#include "tessera/tenstorrent/affine/affine_builder.h"

#include <cstdint>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

using Kind = AffineNode::Kind;

TEST(AffineBuilder, Example) {
  AffineBuilder builder;
  using Term = AffineBuilder::Term;
  const Term d0 = builder.Operand({AffineNode::Kind::kDim, 0});
  const Term four = builder.Operand({AffineNode::Kind::kConstant, 4});
  const Term quotient =
      *builder.Operation(AffineNode::Kind::kFloorDiv, d0, four);
  const Term whole =
      *builder.Operation(AffineNode::Kind::kMultiply, quotient, four);
  const Term rest = *builder.Subtract(d0, whole);
  EXPECT_EQ(builder.Take(rest)->ToString(), "d0 mod 4");
}

TEST(AffineBuilder, TermsTellWhatTheyAre) {
  AffineBuilder builder;
  const AffineBuilder::Term d0 = builder.Operand({Kind::kDim, 0});
  const AffineBuilder::Term s0 = builder.Operand({Kind::kSymbol, 0});
  const AffineBuilder::Term seven = builder.Constant(7);
  EXPECT_TRUE(builder.is_constant(seven));
  EXPECT_EQ(builder.constant(seven), 7);
  EXPECT_FALSE(builder.is_constant(s0));
  EXPECT_FALSE(builder.has_dims(s0));
  EXPECT_TRUE(builder.has_dims(d0));
  EXPECT_TRUE(builder.has_dims(*builder.Operation(Kind::kMultiply, s0, d0)));
}

TEST(AffineBuilder, TakeGivesWhatWasInserted) {
  AffineBuilder builder;
  AffineForm form;
  form.coefficients = {3, -1};
  form.constant = 5;
  EXPECT_EQ(*builder.Take(builder.Insert(form.ToExpression())),
            form.ToExpression());
}

TEST(AffineBuilder, SizesAreLimitedThoughPartsAreShared) {
  AffineBuilder builder;
  // Each sum has the one before it twice, in sixteen nodes in all.
  AffineBuilder::Term term = builder.Operand({Kind::kSymbol, 0});
  absl::StatusOr<AffineBuilder::Term> result = term;
  int64_t num_steps = 0;
  for (; num_steps < 100; ++num_steps) {
    const absl::StatusOr<AffineBuilder::Term> quotient =
        builder.Operation(Kind::kFloorDiv, *result, builder.Constant(3));
    if (!quotient.ok()) {
      result = quotient;
      break;
    }
    const AffineBuilder::Term previous = *result;
    result = builder.Operation(Kind::kAdd, previous, *quotient);
    if (!result.ok()) break;
  }
  EXPECT_THAT(
      result,
      StatusIs(
          absl::StatusCode::kResourceExhausted,
          "an affine expression has at most 32768 operands and operations"));
  EXPECT_LT(num_steps, 20);
}

}  // namespace
}  // namespace tessera::tenstorrent
