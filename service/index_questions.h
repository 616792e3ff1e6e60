// File: service/index_questions.h
//
// Answers a LinearizeRequest and a DelinearizeRequest; see
// service/layout_service.h.

#ifndef TESSERA_SERVICE_INDEX_QUESTIONS_H_
#define TESSERA_SERVICE_INDEX_QUESTIONS_H_

#include "absl/status/status.h"
#include "proto/layout_service.pb.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerLinearize(const ServiceOptions& options,
                             const LinearizeRequest& question,
                             LinearizeResult* result);
absl::Status AnswerDelinearize(const ServiceOptions& options,
                               const DelinearizeRequest& question,
                               DelinearizeResult* result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_INDEX_QUESTIONS_H_
