// The examples of headers that hold a function or two.

#include <new>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/service/evaluate_question.h"
#include "tessera/service/finding.h"
#include "tessera/service/index_questions.h"
#include "tessera/service/layout_service.h"
#include "tessera/service/layout_source.h"
#include "tessera/service/numbers.h"
#include "tessera/service/place_kind.h"
#include "tessera/service/within_memory.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

TEST(Numbers, Example) {
  LeafSizes leaf;
  leaf.add_expanded_shape(7);
  SetNumbers({2, 3}, leaf.mutable_expanded_shape());
  EXPECT_THAT(leaf.expanded_shape(), ElementsAre(2, 3));
  SetPaddingFactor(8192, 2340, leaf.mutable_sizes());
  EXPECT_EQ(leaf.sizes().padding_factor(), 8192.0 / 2340);
}

TEST(Numbers, PaddingFactors) {
  Sizes sizes;
  SetPaddingFactor(8, 0, &sizes);
  EXPECT_FALSE(sizes.has_padding_factor());
  SetPaddingFactor(0, 0, &sizes);
  EXPECT_EQ(sizes.padding_factor(), 1);
}

TEST(PlaceKind, Example) {
  EXPECT_EQ(ToPlaceKind(PositionKind::kTail), TAIL_PADDING);
  EXPECT_EQ(ToPlaceKind(tenstorrent::PlaceContents::kGridPadding),
            GRID_PADDING);
}

TEST(PlaceKind, EveryKindHasItsName) {
  EXPECT_EQ(ToPlaceKind(PositionKind::kElement), ELEMENT);
  EXPECT_EQ(ToPlaceKind(PositionKind::kPadding), TILE_PADDING);
  EXPECT_EQ(ToPlaceKind(PositionKind::kGap), GAP);
  EXPECT_EQ(ToPlaceKind(tenstorrent::PlaceContents::kElement), ELEMENT);
  EXPECT_EQ(ToPlaceKind(tenstorrent::PlaceContents::kTilePadding),
            TILE_PADDING);
  EXPECT_EQ(ToPlaceKind(tenstorrent::PlaceContents::kGap), GAP);
}

TEST(Finding, Example) {
  CheckResult result;
  AddFindings({{tenstorrent::Rule::kMemRefShape, "the memref is 32x32"}},
              result.mutable_errors());
  ASSERT_EQ(result.errors_size(), 1);
  EXPECT_EQ(result.errors(0).rule(), "memref-shape");
  EXPECT_EQ(result.errors(0).message(), "the memref is 32x32");
}

TEST(IndexQuestions, Example) {
  const ServiceOptions options;
  const absl::StatusOr<MappedLayout> layout =
      ReadMappedLayout("f32[3,5]{1,0:T(2,2)}", ELEMENTS, options);
  ASSERT_TRUE(layout.ok());
  LinearizeRequest question;
  question.add_indices(2);
  question.add_indices(3);
  LinearizeResult result;
  ASSERT_TRUE(AnswerLinearize(options, *layout, question, &result).ok());
  EXPECT_EQ(result.linear_indices(0), 17);
}

TEST(EvaluateQuestion, Example) {
  cute::Calculator calculator;
  EvaluateRequest question;
  question.set_max_values(4);
  EvaluateResult result;
  FillEvaluateResult(*calculator.Evaluate("(2,2):(2,1)"), question, &result);
  EXPECT_EQ(result.value(), "(2,2):(2,1)");
  EXPECT_THAT(result.values(), ElementsAre(0, 2, 1, 3));
}

TEST(WithinMemory, Example) {
  const LayoutService service;
  const Request request;
  Response answer;
  absl::Status status =
      RunWithinMemory([&] { answer = service.Answer(request); });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(answer.error().message(), "the request has no question");
  status = RunWithinMemory([] { throw std::bad_alloc(); });
  EXPECT_EQ(status, absl::ResourceExhaustedError("there is not enough memory"));
}

}  // namespace
}  // namespace tessera
