// File: service/questions/hlo_question.h
//
// Answers a SummarizeRequest; see service/layout_service.h.

#ifndef TESSERA_SERVICE_QUESTIONS_HLO_QUESTION_H_
#define TESSERA_SERVICE_QUESTIONS_HLO_QUESTION_H_

#include "absl/status/status.h"
#include "proto/layout_service.pb.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerSummarize(const ServiceOptions& options,
                             const SummarizeRequest& question,
                             SummarizeResult* result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_HLO_QUESTION_H_
