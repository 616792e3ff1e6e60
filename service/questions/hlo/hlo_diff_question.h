// Answers a DiffRequest; see service/layout_service.h. A caller that has
// already read both dumps gets the same message as follows:
//
//   absl::StatusOr<HloDump> before = ParseHlo(R"(
//       HloModule m
//       ENTRY e { ROOT x = f32[9,130]{1,0} parameter(0) })");
//   absl::StatusOr<HloDump> after = ParseHlo(R"(
//       HloModule m
//       ENTRY e { ROOT x = f32[9,130]{1,0:T(8,128)} parameter(0) })");
//   DiffResult result;
//   absl::Status status = FillDiff(ServiceOptions::Unlimited(), *before,
//                                  *after, DiffTable(), &result);
//   result.modules(0).changes(0).change();  // "tiles"

#ifndef TESSERA_SERVICE_QUESTIONS_HLO_HLO_DIFF_QUESTION_H_
#define TESSERA_SERVICE_QUESTIONS_HLO_HLO_DIFF_QUESTION_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/hlo/diff/dump_diff.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/service/questions/hlo/hlo_texts.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerDiff(const ServiceOptions& options,
                        const DiffRequest& question, DiffResult* result);

// The fields of a DiffRequest other than the texts.
struct DiffTable {
  std::string before_file;
  std::string after_file;
  int64_t rows = kUsualHloRows;  // 0: none
  DumpDiffOptions options;
};

// Fills in the differences. Errors: kResourceExhausted for hlo_answer_bytes.
absl::Status FillDiff(const ServiceOptions& options, const HloDump& before,
                      const HloDump& after, const DiffTable& table,
                      DiffResult* result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_HLO_HLO_DIFF_QUESTION_H_
