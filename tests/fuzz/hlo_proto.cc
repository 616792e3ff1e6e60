#include "tests/fuzz/hlo_proto.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/hlo/buffer_assignment/assignment_proto.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_printer.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/fuzz/assignment_laws.h"

namespace tessera {
namespace {

// What a proto has beside its modules.
std::string AssignmentsProblem(std::string_view bytes, const HloDump& dump) {
  const std::vector<std::optional<BufferAssignment>> assignments =
      ReadProtoAssignments(bytes);
  if (static_cast<int64_t>(assignments.size()) != dump.modules().size()) {
    return "there are not as many assignments as modules";
  }
  for (const std::optional<BufferAssignment>& assignment : assignments) {
    if (!assignment.has_value()) continue;
    for (const Diagnostic& problem : assignment->problems) {
      if (problem.offset < 0 ||
          problem.offset > static_cast<int64_t>(bytes.size())) {
        return "a problem outside the bytes";
      }
    }
    std::string problem = AssignmentProblem(*assignment);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace

std::string HloProtoProblem(std::string_view bytes) {
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
    ModuleAnalysis::Of(*dump, module).status().IgnoreError();
  }
  std::string problem = AssignmentsProblem(bytes, *dump);
  if (!problem.empty()) return problem;
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
