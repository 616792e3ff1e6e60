#include "tessera/fuzz/hlo_proto.h"

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_printer.h"
#include "tessera/hlo/memory/liveness.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/parse_hlo.h"

namespace tessera {

std::string HloProtoProblem(absl::string_view bytes) {
  const absl::StatusOr<HloDump> dump = ParseHloProto(bytes);
  if (!dump.ok()) return std::string(dump.status().message());
  // 64 times the bytes and a MiB for each module, and one instruction.
  if (dump->text().size() > (bytes.size() + 1) * 256 + (size_t{1} << 24)) {
    return absl::StrCat(bytes.size(), " bytes made text of ",
                        dump->text().size());
  }
  for (const Diagnostic& diagnostic : dump->diagnostics()) {
    if (diagnostic.line != 0) {
      return absl::StrCat("the text has mistakes, but the proto has none: ",
                          diagnostic.ToString());
    }
    if (diagnostic.message.empty()) return "a diagnostic that says nothing";
    if (diagnostic.offset < 0 ||
        diagnostic.offset > static_cast<int64_t>(bytes.size())) {
      return "a diagnostic outside the bytes";
    }
  }
  ReportMemory(*dump);
  for (const HloModule module : dump->modules()) {
    ComputeLiveness(*dump, module).IgnoreError();
  }
  const std::string text = PrintHlo(*dump);
  const absl::StatusOr<HloDump> again = ParseHloView(text);
  if (!again.ok()) return "printed what is not read";
  if (dump->diagnostic_count() == 0 &&
      again->counts().instructions != dump->counts().instructions) {
    return "printed something else";
  }
  return "";
}

}  // namespace tessera
