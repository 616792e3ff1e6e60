// The examples of headers that hold a function or two.

#include <new>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/service/finding.h"
#include "tessera/service/layout_service.h"
#include "tessera/service/numbers.h"
#include "tessera/service/place_kind.h"
#include "tessera/service/tensor_questions.h"
#include "tessera/service/within_memory.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

TEST(Numbers, Example) {
  LeafSizes leaf;
  leaf.add_expanded_shape(7);
  SetNumbers({2, 3}, leaf.mutable_expanded_shape());
  EXPECT_THAT(leaf.expanded_shape(), ElementsAre(2, 3));
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

TEST(TensorQuestions, Example) {
  const ServiceOptions options;
  const absl::StatusOr<tenstorrent::VerifiedTensor> tensor = ReadPlacedTensor(
      "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
      "memref<18x32xf32, #tt.memory_space<l1>>>>",
      options);
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  LocateRequest question;
  question.add_indices(18);
  question.add_indices(57);
  LocateResult result;
  ASSERT_TRUE(AnswerLocate(options, *tensor, question, &result).ok());
  ASSERT_EQ(result.locations_size(), 1);
  EXPECT_EQ(result.locations(0).cell(0), 1);
  EXPECT_EQ(result.locations(0).cell(1), 1);
}

}  // namespace
}  // namespace tessera
