// File: service/tensor_questions.h
//
// Answers the questions about Tenstorrent's tensors alone: DeriveRequest,
// CheckRequest, LocateRequest and ClassifyRequest; see
// service/layout_service.h.

#ifndef TESSERA_SERVICE_TENSOR_QUESTIONS_H_
#define TESSERA_SERVICE_TENSOR_QUESTIONS_H_

#include "absl/status/status.h"
#include "proto/layout_service.pb.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerDerive(const ServiceOptions& options,
                          const DeriveRequest& question, DeriveResult* result);
absl::Status AnswerCheck(const ServiceOptions& options,
                         const CheckRequest& question, CheckResult* result);
absl::Status AnswerLocate(const ServiceOptions& options,
                          const LocateRequest& question, LocateResult* result);
absl::Status AnswerClassify(const ServiceOptions& options,
                            const ClassifyRequest& question,
                            ClassifyResult* result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_TENSOR_QUESTIONS_H_
