// File: service/evaluate_question.h
//
// Answers an EvaluateRequest; see service/layout_service.h.

#ifndef TESSERA_SERVICE_EVALUATE_QUESTION_H_
#define TESSERA_SERVICE_EVALUATE_QUESTION_H_

#include "absl/status/status.h"
#include "proto/layout_service.pb.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerEvaluate(const ServiceOptions& options,
                            const EvaluateRequest& question,
                            EvaluateResult* result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_EVALUATE_QUESTION_H_
