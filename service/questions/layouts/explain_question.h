// Answers an ExplainRequest; see service/layout_service.h.

#ifndef TESSERA_SERVICE_QUESTIONS_LAYOUTS_EXPLAIN_QUESTION_H_
#define TESSERA_SERVICE_QUESTIONS_LAYOUTS_EXPLAIN_QUESTION_H_

#include "absl/status/status.h"
#include "proto/layout_questions.pb.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerExplain(const ServiceOptions& options,
                           const ExplainRequest& question,
                           ExplainResult* result);

// The same for a layout that has been read, in the units of the question.
absl::Status AnswerExplain(const MappedLayout& layout,
                           const ExplainRequest& question,
                           ExplainResult* result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_LAYOUTS_EXPLAIN_QUESTION_H_
