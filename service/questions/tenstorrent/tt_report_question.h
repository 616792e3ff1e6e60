// Answers a TtReportRequest; see service/layout_service.h. The command fills
// the same message:
//
//   const tenstorrent::LayoutFile file = tenstorrent::ReadLayoutFile(text);
//   TtReportResult result;
//   FillTtReport(file, text, "file.mlir", /*rows=*/10, &result);

#ifndef TESSERA_SERVICE_QUESTIONS_TENSTORRENT_TT_REPORT_QUESTION_H_
#define TESSERA_SERVICE_QUESTIONS_TENSTORRENT_TT_REPORT_QUESTION_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "proto/tt_questions.pb.h"
#include "tessera/service/service_options.h"
#include "tessera/tenstorrent/mlir_file/layout_file.h"

namespace tessera {

absl::Status AnswerTtReport(const ServiceOptions& options,
                            const TtReportRequest& question,
                            TtReportResult* result);

// Fills all fields except the matches of a size. `text` is the text that `file`
// was read from; lists get `rows` entries at most.
void FillTtReport(const tenstorrent::LayoutFile& file, std::string_view text,
                  std::string_view name, int64_t rows, TtReportResult* result);

// Fills the matches of the size in the question; nothing if it does not have
// one. Errors: kInvalidArgument, in the field of the question.
absl::Status FillTtMatches(const tenstorrent::LayoutFile& file,
                           const TtReportRequest& question, int64_t rows,
                           TtReportResult* result);

// Takes the card of the question. Errors: kInvalidArgument, in the field.
absl::Status ReadCardOptions(const TtReportRequest& question,
                             tenstorrent::CardOptions* options);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_TENSTORRENT_TT_REPORT_QUESTION_H_
