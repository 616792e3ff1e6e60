#include "tessera/service/service_options.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

ServiceOptions ServiceOptions::Unlimited() {
  constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();
  ServiceOptions options;
  options.text_bytes = kUnlimited;
  options.shape_nesting = kUnlimited;
  options.expression_bytes = kUnlimited;
  options.hlo_bytes = kUnlimited;
  options.hlo_computations = kUnlimited;
  options.hlo_shape_bytes = kUnlimited;
  options.hlo_answer_bytes = kUnlimited;
  options.json_bytes = kUnlimited;
  options.json_messages = kUnlimited;
  options.axes = kUnlimited;
  options.index_entries = kUnlimited;
  options.batch_requests = kUnlimited;
  options.batch_answer_bytes = kUnlimited;
  options.table_rows = kUnlimited;
  options.picture_cells = int64_t{1} << 16;
  options.walk_steps = int64_t{1} << 26;
  return options;
}

absl::Status CheckLimit(std::string_view name, std::string_view unit,
                        int64_t size, int64_t limit) {
  if (size <= limit) return absl::OkStatus();
  return ResourceExhaustedError(name, ": ", size, " ", unit,
                                " exceed the limit of ", limit);
}

absl::Status CheckTextBytes(const ServiceOptions& options,
                            std::string_view text) {
  return CheckLimit("text_bytes", "bytes", text.size(), options.text_bytes);
}

absl::Status CheckAxes(const ServiceOptions& options, int64_t axes) {
  return CheckLimit("axes", "axes", axes, options.axes);
}

absl::Status CheckIndexEntries(const ServiceOptions& options, int64_t entries) {
  return CheckLimit("index_entries", "entries", entries, options.index_entries);
}

absl::Status CheckTableRows(const ServiceOptions& options, int64_t rows) {
  return CheckLimit("table_rows", "rows", rows, options.table_rows);
}

absl::Status CheckGoesOn(const ServiceOptions& options) {
  return options.go_on == nullptr ? absl::OkStatus() : options.go_on();
}

absl::StatusOr<int64_t> RowsToAnswer(const ServiceOptions& options,
                                     int64_t asked, int64_t if_not_asked) {
  if (asked < 0) {
    return InvalidArgumentError("rows = ", asked, " is negative");
  }
  if (asked == 0) return std::min(if_not_asked, options.table_rows);
  TESSERA_RETURN_IF_ERROR(CheckTableRows(options, asked));
  return asked;
}

}  // namespace tessera
