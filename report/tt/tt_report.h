// The report on a file with layouts of Tenstorrent's tensors, for people, for
// spreadsheets and for browsers.
//
//   TtReportResult result;   // service/questions/tenstorrent/tt_report_question.h
//   TtReportToText(result, /*rows=*/10, Display());
//   TtReportCsvTitles() + TtReportToCsv(result);
//   TtReportPage("file.mlir", {result});   // "<!DOCTYPE html>...</html>\n"

#ifndef TESSERA_REPORT_TT_TT_REPORT_H_
#define TESSERA_REPORT_TT_TT_REPORT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "proto/tt_questions.pb.h"
#include "tessera/report/text/display.h"

namespace tessera {

// Tables have `rows` rows at most. The text does not include findings: see
// TtFindingsToText.
std::string TtReportToText(const TtReportResult& result, int64_t rows,
                           const Display& display);

// "file.mlir:3:5: error: memref-shape: ..." with the line and a caret; then the
// number of types and lines. Returns "" if there is no finding.
std::string TtFindingsToText(const TtReportResult& result,
                             const Display& display);

// Returns a line for each tensor, layout and memref in the answer.
std::string TtReportToCsv(const TtReportResult& result);
std::string TtReportCsvTitles();

// Returns a page that loads nothing and does not need scripts.
std::string TtReportPage(std::string_view title,
                         absl::Span<const TtReportResult> files);

}  // namespace tessera

#endif  // TESSERA_REPORT_TT_TT_REPORT_H_
