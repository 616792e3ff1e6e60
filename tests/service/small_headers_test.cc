// The examples of headers that hold a function or two.

#include <new>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/service/layout_service.h"
#include "tessera/service/questions/hlo/hlo_diff_question.h"
#include "tessera/service/questions/hlo/hlo_passes_question.h"
#include "tessera/service/questions/hlo/hlo_peak_question.h"
#include "tessera/service/questions/hlo/hlo_texts.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/questions/place_kind.h"
#include "tessera/service/questions/tenstorrent/finding.h"
#include "tessera/service/questions/tenstorrent/tensor_questions.h"
#include "tessera/service/within_memory.h"
#include "tessera/tests/status_matchers.h"

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
  EXPECT_EQ(ToPositionKind(GRID_PADDING), PositionKind::kGridPadding);
}

TEST(PositionKind, Names) {
  EXPECT_EQ(NameOf(PositionKind::kElement), "element");
  EXPECT_EQ(NameOf(PositionKind::kPadding), "padding (tile)");
  EXPECT_EQ(NameOf(PositionKind::kGridPadding), "padding (grid)");
  EXPECT_EQ(NameOf(PositionKind::kGap), "padding (gap)");
  EXPECT_EQ(NameOf(PositionKind::kTail), "padding (tail)");
}

TEST(PlaceKind, NamesEveryKindAndBack) {
  const PlaceKind kinds[] = {ELEMENT, TILE_PADDING, GRID_PADDING, GAP,
                             TAIL_PADDING};
  static_assert(PlaceKind_ARRAYSIZE == 5, "all of them stand above");
  for (const PlaceKind kind : kinds) {
    EXPECT_EQ(ToPlaceKind(ToPositionKind(kind)), kind);
  }
}

TEST(Finding, Example) {
  CheckResult result;
  AddFindings({{tenstorrent::Rule::kMemRefShape, "the memref is 32x32"}},
              result.mutable_errors());
  ASSERT_EQ(result.errors_size(), 1);
  EXPECT_EQ(result.errors(0).rule(), "memref-shape");
  EXPECT_EQ(result.errors(0).message(), "the memref is 32x32");
}

TEST(HloTexts, Example) {
  const ServiceOptions options;
  HloTexts texts(options);
  absl::StatusOr<HloDump> dump = texts.Parse("hlo", R"(
      HloModule m
      ENTRY e { ROOT x = f32[2]{0} parameter(0) })",
                                             /*strict=*/false);
  EXPECT_EQ(dump->modules()[0].name(), "m");
  DumpReading reading;
  FillDumpReading(*dump, /*rows=*/10, &reading);
  EXPECT_EQ(reading.diagnostic_count(), 0);
  AnswerBytes bytes(options);
  EXPECT_THAT(bytes.Add(1), IsOk());
  EXPECT_EQ(bytes.room(), options.hlo_answer_bytes - 1);
  EXPECT_EQ(bytes.Add(int64_t{1} << 40).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(bytes.room(), 0);
}

TEST(HloPeakQuestion, Example) {
  absl::StatusOr<HloDump> dump = ParseHlo(R"(
      HloModule m, is_scheduled=true
      ENTRY e { ROOT x = f32[2]{0} parameter(0) })");
  PeakResult result;
  absl::Status status =
      FillPeak(ServiceOptions::Unlimited(), *dump, PeakTable(), &result);
  EXPECT_THAT(status, IsOk());
  const ModulePeak& peak = result.modules(0);
  EXPECT_EQ(peak.by_memory_space().spaces().at(0).peak_bytes(), 8);
}

TEST(HloPassesQuestion, Example) {
  absl::StatusOr<HloDump> last = ParseHlo(R"(
      HloModule m
      ENTRY e { ROOT x = f32[9,130]{1,0} parameter(0) })");
  PassHistory history;
  absl::Status status =
      history.Add(DumpPassOf("m.after_optimizations.txt"), *last);
  EXPECT_THAT(status, IsOk());
  ModulePasses passes;
  status = FillPasses(ServiceOptions::Unlimited(), history, *last,
                      /*rows=*/10, &passes);
  EXPECT_THAT(status, IsOk());
  EXPECT_EQ(passes.arrays(0).made_by().name(), "after_optimizations");
}

TEST(HloDiffQuestion, Example) {
  absl::StatusOr<HloDump> before = ParseHlo(R"(
      HloModule m
      ENTRY e { ROOT x = f32[9,130]{1,0} parameter(0) })");
  absl::StatusOr<HloDump> after = ParseHlo(R"(
      HloModule m
      ENTRY e { ROOT x = f32[9,130]{1,0:T(8,128)} parameter(0) })");
  DiffResult result;
  absl::Status status = FillDiff(ServiceOptions::Unlimited(), *before, *after,
                                 DiffTable(), &result);
  EXPECT_THAT(status, IsOk());
  EXPECT_EQ(result.modules(0).changes(0).change(), "tiles");
}

TEST(IndexQuestions, Example) {
  const ServiceOptions options;
  const absl::StatusOr<MappedLayout> layout =
      ReadMappedLayout("f32[3,5]{1,0:T(2,2)}", ELEMENTS, options);
  ASSERT_THAT(layout, IsOk());
  LinearizeRequest question;
  question.add_indices(2);
  question.add_indices(3);
  LinearizeResult result;
  ASSERT_THAT(AnswerLinearize(options, *layout, question, &result), IsOk());
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
  EXPECT_THAT(status, IsOk());
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
  ASSERT_THAT(tensor, IsOk());
  LocateRequest question;
  question.add_indices(18);
  question.add_indices(57);
  LocateResult result;
  ASSERT_THAT(AnswerLocate(options, *tensor, question, &result), IsOk());
  ASSERT_EQ(result.locations_size(), 1);
  EXPECT_EQ(result.locations(0).cell(0), 1);
  EXPECT_EQ(result.locations(0).cell(1), 1);
}

}  // namespace
}  // namespace tessera
