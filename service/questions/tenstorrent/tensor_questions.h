// Answers the questions about Tenstorrent's tensors alone: DeriveRequest,
// TtnnRequest, CheckRequest, LocateRequest and ClassifyRequest; see
// service/layout_service.h. Many questions about one tensor read it once:
//
//   const ServiceOptions options;
//   const absl::StatusOr<tenstorrent::VerifiedTensor> tensor =
//       ReadPlacedTensor("tensor<53x63xf32, #tt.metal_layout<...>>", options);
//   LocateRequest question;
//   question.add_indices(18);
//   question.add_indices(57);
//   LocateResult result;
//   AnswerLocate(options, *tensor, question, &result);
//   result.locations(0).cell();   // 1, 1

#ifndef TESSERA_SERVICE_QUESTIONS_TENSTORRENT_TENSOR_QUESTIONS_H_
#define TESSERA_SERVICE_QUESTIONS_TENSTORRENT_TENSOR_QUESTIONS_H_

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/layout_questions.pb.h"
#include "tessera/service/service_options.h"
#include "tessera/tenstorrent/tensor.h"

namespace tessera {

absl::Status AnswerDerive(const ServiceOptions& options,
                          const DeriveRequest& question, DeriveResult* result);
absl::Status AnswerTtnn(const ServiceOptions& options,
                        const TtnnRequest& question, TtnnResult* result);
absl::Status AnswerCheck(const ServiceOptions& options,
                         const CheckRequest& question, CheckResult* result);
absl::Status AnswerLocate(const ServiceOptions& options,
                          const LocateRequest& question, LocateResult* result);
absl::Status AnswerClassify(const ServiceOptions& options,
                            const ClassifyRequest& question,
                            ClassifyResult* result);

// Reads a tensor that has locations. Errors: those of ReadTensor and
// PlacementOf, with their place, in the field "tensor".
absl::StatusOr<tenstorrent::VerifiedTensor> ReadPlacedTensor(
    std::string_view text, const ServiceOptions& options);

// Answers the question for a tensor that ReadPlacedTensor has read. Ignores the
// tensor in the question.
absl::Status AnswerLocate(const ServiceOptions& options,
                          const tenstorrent::VerifiedTensor& tensor,
                          const LocateRequest& question, LocateResult* result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_TENSTORRENT_TENSOR_QUESTIONS_H_
