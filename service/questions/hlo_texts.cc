#include "tessera/service/questions/hlo_texts.h"

#include <algorithm>

#include "tessera/hlo/parse_hlo.h"
#include "tessera/service/error.h"

namespace tessera {

absl::StatusOr<MemorySummary> HloTexts::Summarize(
    absl::string_view field, absl::string_view text,
    const MemorySummaryOptions& summary_options) {
  bytes_ += text.size();
  absl::Status status =
      CheckLimit("hlo_bytes", "bytes", bytes_, options_.hlo_bytes);
  if (!status.ok()) return InField(field, status);
  MemorySummaryOptions limited = summary_options;
  limited.shape_text_bytes = options_.hlo_shape_bytes;
  MemorySummary summary = SummarizeMemory(text, limited);
  status =
      CheckLimit("hlo_shape_bytes", "bytes of distinct shapes",
                 summary.refused_shape_text_bytes, options_.hlo_shape_bytes);
  if (!status.ok()) return InField(field, status);
  computations_ += summary.counts.modules + summary.counts.computations;
  status = CheckLimit("hlo_computations", "modules and computations",
                      computations_, options_.hlo_computations);
  if (!status.ok()) return InField(field, status);
  return summary;
}

absl::StatusOr<HloDump> HloTexts::Parse(absl::string_view field,
                                        absl::string_view text, bool strict) {
  MemorySummaryOptions nothing_told;
  nothing_told.table_rows = 0;
  nothing_told.diagnostic_limit = 0;
  const absl::Status status = Summarize(field, text, nothing_told).status();
  if (!status.ok()) return status;
  HloParseOptions parse_options;
  parse_options.strict = strict;
  parse_options.diagnostic_limit = kToldDiagnostics;
  absl::StatusOr<HloDump> dump = ParseHloView(text, parse_options);
  if (!dump.ok()) return InField(field, dump.status());
  return dump;
}

void FillDumpReading(const HloDump& dump, int64_t rows, DumpReading* reading) {
  const int64_t told = std::min<int64_t>(rows, dump.diagnostics().size());
  for (int64_t i = 0; i < told; ++i) {
    *reading->add_diagnostics() = ToTextNote(dump.diagnostics()[i]);
  }
  reading->set_diagnostic_count(dump.diagnostic_count());
  reading->set_is_merely_cut_off(IsMerelyCutOff(dump));
}

bool IsMerelyCutOff(const HloDump& dump) {
  return dump.counts().is_merely_cut_off() &&
         dump.diagnostic_count() == dump.counts().diagnostics;
}

absl::Status AnswerBytes::Add(int64_t bytes) {
  bytes_ += bytes;
  return CheckLimit("hlo_answer_bytes", "bytes", bytes_, limit_);
}

}  // namespace tessera
