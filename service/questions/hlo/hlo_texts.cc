#include "tessera/service/questions/hlo/hlo_texts.h"

#include <optional>
#include <string>
#include <string_view>

#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_file_kind.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/log_prefixes.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/parser/parser.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/numbers.h"

namespace tessera {

absl::Status HloTexts::CheckLimits(std::string_view text) {
  bytes_ += text.size();
  TESSERA_RETURN_IF_ERROR(
      CheckLimit("hlo_bytes", "bytes", bytes_, options_.hlo_bytes));
  std::string blanked;
  if (HasLogPrefixes(text)) {
    blanked = std::string(text);
    BlankLogPrefixes(&blanked);
    text = blanked;
  }
  HloShapeTable shapes;
  shapes.set_text_limit(options_.hlo_shape_bytes);
  HloHandler handler;
  const HloCounts counts = ReadHlo(text, &shapes, &handler);
  TESSERA_RETURN_IF_ERROR(
      CheckLimit("hlo_shape_bytes", "bytes of distinct shapes",
                 shapes.refused_text_bytes(), options_.hlo_shape_bytes));
  computations_ += counts.modules + counts.computations;
  return CheckLimit("hlo_computations", "modules and computations",
                    computations_, options_.hlo_computations);
}

absl::StatusOr<HloDump> HloTexts::Parse(std::string_view field,
                                        std::string_view text, bool strict) {
  const absl::Status status = CheckLimits(text);
  if (!status.ok()) return InField(field, status);
  const absl::Status kind = CheckIsHlo(HloFileKindOf(text));
  if (!kind.ok()) return InField(field, kind);
  TESSERA_RETURN_IF_ERROR(CheckGoesOn(options_));
  HloParseOptions parse_options;
  parse_options.strict = strict;
  parse_options.diagnostic_limit = kToldDiagnostics;
  absl::StatusOr<HloDump> dump = ParseHloView(text, parse_options);
  if (!dump.ok()) return InField(field, dump.status());
  TESSERA_RETURN_IF_ERROR(CheckGoesOn(options_));
  return dump;
}

void SetMostPadded(const PaddingBlame& blame, MostPadded* filled) {
  SetNumbers(blame.dimensions, filled->mutable_dimensions());
  filled->set_bound(blame.bound);
  filled->set_padded(blame.padded);
  SetPaddingFactor(blame.padded, blame.bound, filled);
  filled->set_cause(std::string(PaddingCauseName(blame.cause)));
}

absl::Status SetTargetToAnswer(std::string_view name, MemoryOptions* options) {
  if (name.empty() || SetTarget(name, options)) return absl::OkStatus();
  return InvalidField("target", "expected ", kTargetNames, ", found '", name,
                      "'");
}

absl::StatusOr<CountedArrays> CountedToAnswer(std::string_view name) {
  if (name.empty()) return CountedArrays::kBuffers;
  const std::optional<CountedArrays> counted = CountedArraysOfName(name);
  if (counted.has_value()) return *counted;
  return InvalidField("count", "expected buffers or results, found '", name,
                      "'");
}

bool IsMerelyCutOff(const HloDump& dump) {
  return dump.counts().is_merely_cut_off() &&
         dump.diagnostic_count() == dump.counts().diagnostics;
}

absl::Status AnswerBytes::Add(int64_t bytes) {
  // The number of calls per check: frequent enough, and at no cost.
  constexpr int64_t kCallsPerCheck = 256;
  if (calls_++ % kCallsPerCheck == 0) {
    TESSERA_RETURN_IF_ERROR(CheckGoesOn(options_));
  }
  bytes_ += bytes;
  return CheckLimit("hlo_answer_bytes", "bytes", bytes_, limit_);
}

absl::StatusOr<Shape> ReadShapeOfHlo(std::string_view text) {
  ParseOptions options;
  options.lenient = true;
  return ParseShape(text, options);
}

}  // namespace tessera
