// Answers a CompareRequest; see service/layout_service.h.

#ifndef TESSERA_SERVICE_QUESTIONS_LAYOUTS_COMPARE_QUESTION_H_
#define TESSERA_SERVICE_QUESTIONS_LAYOUTS_COMPARE_QUESTION_H_

#include "absl/status/status.h"
#include "proto/layout_questions.pb.h"
#include "tessera/relayout/relayout_plan.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerCompare(const ServiceOptions& options,
                           const CompareRequest& question,
                           CompareResult* result);

// The same for layouts that have been read, in elements.
absl::Status AnswerCompare(const ServiceOptions& options,
                           const MappedLayout& from, const MappedLayout& to,
                           const CompareRequest& question,
                           CompareResult* result);

// What a plan says of itself.
RelayoutCost RelayoutCostOf(const RelayoutPlan& plan);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_LAYOUTS_COMPARE_QUESTION_H_
