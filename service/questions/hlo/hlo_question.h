// Answers a SummarizeRequest; see service/layout_service.h. A caller that has
// already read the dump gets the same message as follows:
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m
//       ENTRY e { ROOT x = f32[2]{0} parameter(0) })");
//   SummarizeResult result;
//   absl::Status status = FillSummary(ServiceOptions::Unlimited(), *dump,
//                                     SummaryTable(), &result);
//   result.total().padded_bytes();  // 8

#ifndef TESSERA_SERVICE_QUESTIONS_HLO_HLO_QUESTION_H_
#define TESSERA_SERVICE_QUESTIONS_HLO_HLO_QUESTION_H_

#include <cstdint>

#include "absl/status/status.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/service/questions/hlo/hlo_peak_question.h"
#include "tessera/service/questions/hlo/hlo_texts.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerSummarize(const ServiceOptions& options,
                             const SummarizeRequest& question,
                             SummarizeResult* result);

// The fields of a SummarizeRequest other than the text.
struct SummaryTable {
  int64_t rows = kUsualHloRows;
  // The rows of `moves` and `by_origin`. If it is 0, hints are not computed
  // either.
  int64_t detail_rows = 0;
  CountedArrays counted = CountedArrays::kBuffers;
  // The question about the peak of each module, and the name of the text.
  PeakTable peaks;
};

// Fills in the sums. Errors: kResourceExhausted for hlo_answer_bytes.
absl::Status FillSummary(const ServiceOptions& options, const HloDump& dump,
                         const SummaryTable& table, SummarizeResult* result);

// Fills in the sums of one computation of the dump alone. Errors: the same.
absl::Status FillComputationSummary(const ServiceOptions& options,
                                    const HloDump& dump,
                                    HloComputation computation,
                                    const SummaryTable& table,
                                    SummarizeResult* result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_HLO_HLO_QUESTION_H_
