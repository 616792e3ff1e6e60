// Answers a RunsRequest and a PaddingRequest; see service/layout_service.h.

#ifndef TESSERA_SERVICE_QUESTIONS_LAYOUTS_REGION_QUESTIONS_H_
#define TESSERA_SERVICE_QUESTIONS_LAYOUTS_REGION_QUESTIONS_H_

#include "absl/status/status.h"
#include "proto/layout_questions.pb.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerRuns(const ServiceOptions& options,
                        const RunsRequest& question, RunsResult* result);
absl::Status AnswerPadding(const ServiceOptions& options,
                           const PaddingRequest& question,
                           PaddingResult* result);

// The same for a layout that has been read, in the units of the question.
absl::Status AnswerRuns(const ServiceOptions& options,
                        const MappedLayout& layout, const RunsRequest& question,
                        RunsResult* result);
absl::Status AnswerPadding(const ServiceOptions& options,
                           const MappedLayout& layout,
                           const PaddingRequest& question,
                           PaddingResult* result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_LAYOUTS_REGION_QUESTIONS_H_
