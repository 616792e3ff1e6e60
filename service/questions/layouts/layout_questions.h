// Answers the questions about layouts; see service/layout_service.h.
//
//   AccessRequest question;
//   question.set_layout("(8,64):(64,1)");
//   question.set_threads("(8,8):(1,8)");
//   question.set_element_bytes(2);
//   AccessResult result;
//   AnswerAccess({}, question, &result);
//   result.conflicts().ways();   // 8
//
// Many questions about one layout read it once:
//
//   const ServiceOptions options;
//   const absl::StatusOr<MappedLayout> layout =
//       ReadMappedLayout("f32[3,5]{1,0:T(2,2)}", ELEMENTS, options);
//   LinearizeRequest question;
//   question.add_indices(2);
//   question.add_indices(3);
//   LinearizeResult result;
//   AnswerLinearize(options, *layout, question, &result);
//   result.linear_indices(0);   // 17

#ifndef TESSERA_SERVICE_QUESTIONS_LAYOUTS_LAYOUT_QUESTIONS_H_
#define TESSERA_SERVICE_QUESTIONS_LAYOUTS_LAYOUT_QUESTIONS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "proto/layout_questions.pb.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/relayout/relayout_plan.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerAccess(const ServiceOptions& options,
                          const AccessRequest& question, AccessResult* result);
absl::Status AnswerCompare(const ServiceOptions& options,
                           const CompareRequest& question,
                           CompareResult* result);
absl::Status AnswerDelinearize(const ServiceOptions& options,
                               const DelinearizeRequest& question,
                               DelinearizeResult* result);
absl::Status AnswerDescribe(const ServiceOptions& options,
                            const DescribeRequest& question,
                            DescribeResult* result);
absl::Status AnswerEvaluate(const ServiceOptions& options,
                            const EvaluateRequest& question,
                            EvaluateResult* result);
absl::Status AnswerExplain(const ServiceOptions& options,
                           const ExplainRequest& question,
                           ExplainResult* result);
absl::Status AnswerLinearize(const ServiceOptions& options,
                             const LinearizeRequest& question,
                             LinearizeResult* result);
absl::Status AnswerPadding(const ServiceOptions& options,
                           const PaddingRequest& question,
                           PaddingResult* result);
absl::Status AnswerParse(const ServiceOptions& options,
                         const ParseRequest& question, ParseResult* result);
absl::Status AnswerParts(const ServiceOptions& options,
                         const PartsRequest& question, PartsResult* result);
absl::Status AnswerPicture(const ServiceOptions& options,
                           const PictureRequest& question,
                           PictureResult* result);
absl::Status AnswerRuns(const ServiceOptions& options,
                        const RunsRequest& question, RunsResult* result);

// Like the functions above, for layouts that have been read in the units of the
// question. The layouts in the question are ignored. AnswerCompare takes
// layouts in elements.
absl::Status AnswerCompare(const ServiceOptions& options,
                           const MappedLayout& from, const MappedLayout& to,
                           const CompareRequest& question,
                           CompareResult* result);
absl::Status AnswerDelinearize(const ServiceOptions& options,
                               const MappedLayout& layout,
                               const DelinearizeRequest& question,
                               DelinearizeResult* result);
absl::Status AnswerExplain(const MappedLayout& layout,
                           const ExplainRequest& question,
                           ExplainResult* result);
absl::Status AnswerLinearize(const ServiceOptions& options,
                             const MappedLayout& layout,
                             const LinearizeRequest& question,
                             LinearizeResult* result);
absl::Status AnswerPadding(const ServiceOptions& options,
                           const MappedLayout& layout,
                           const PaddingRequest& question,
                           PaddingResult* result);
absl::Status AnswerRuns(const ServiceOptions& options,
                        const MappedLayout& layout, const RunsRequest& question,
                        RunsResult* result);

// The same for a layout that has been read from `text`. `is_for_tpu`: whether
// arrays get their TpuDefaultLayout. `element_bits`: as in the question. `card`
// holds a Tenstorrent tensor.
absl::Status AnswerDescribe(const ServiceOptions& options,
                            std::string_view text, const AnyLayout& layout,
                            DescribeResult* result, bool is_for_tpu = false,
                            int64_t element_bits = 0,
                            const CardChoice& card = CardChoice());

// Describes a value in the form that the question requests, with at most
// max_values of the values of a layout. `value` is that of the question's
// expression.
void FillEvaluateResult(const cute::CalculatorResult& value,
                        const EvaluateRequest& question,
                        EvaluateResult* result);

// Returns the cost of a relayout by this plan.
RelayoutCost RelayoutCostOf(const RelayoutPlan& plan);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_LAYOUTS_LAYOUT_QUESTIONS_H_
