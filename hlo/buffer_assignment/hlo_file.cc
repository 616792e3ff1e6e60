#include "tessera/hlo/buffer_assignment/hlo_file.h"

#include <iterator>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/assignment_proto.h"
#include "tessera/hlo/buffer_assignment/assignment_text.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace {

// The module file of the sidecar `path`; "" if it is not known.
std::string ModuleFileOf(const std::string& path) {
  if (path.empty()) return "";
  const absl::StatusOr<DumpFolder> found = FindHloDumps(path);
  return found.ok() && !found->dumps.empty()
             ? absl::StrCat(found->folder, found->dumps[0].name)
             : "";
}

}  // namespace

absl::StatusOr<HloDump> ParseHloFile(FileBytes bytes, const std::string& path,
                                     const HloParseOptions& options,
                                     int64_t problem_limit,
                                     HloAssignments* assignments) {
  const HloFileKind kind = HloFileKindOf(bytes.text());
  if (!CheckIsHlo(kind).ok()) return CheckIsHlo(kind, ModuleFileOf(path));
  if (!IsHloProto(bytes.text())) return ParseHlo(std::move(bytes), options);
  absl::StatusOr<HloDump> dump = ParseHloProto(bytes.text(), options);
  if (assignments != nullptr) {
    assignments->bytes.push_back(std::move(bytes));
    assignments->of_modules =
        ReadProtoAssignments(assignments->bytes.back().text(), problem_limit);
  }
  return dump;
}

std::map<HloFileKind, std::string> SidecarsBeside(const std::string& path) {
  std::map<HloFileKind, std::string> sidecars;
  const absl::StatusOr<DumpFolder> found = FindHloDumps(path);
  if (!found.ok() || found->is_folder || found->dumps.size() != 1) {
    return sidecars;
  }
  for (const auto& [kind, name] : found->dumps[0].sidecars) {
    sidecars.emplace(kind, absl::StrCat(found->folder, name));
  }
  return sidecars;
}

void RemoveResults(std::map<HloFileKind, std::string>* sidecars) {
  for (auto file = sidecars->begin(); file != sidecars->end();) {
    const bool is_kept = file->first == HloFileKind::kTargetArguments ||
                         file->first == HloFileKind::kCompilerOptions;
    file = is_kept ? std::next(file) : sidecars->erase(file);
  }
}

bool MayHaveSidecars(const HloDump& dump) {
  return !dump.is_from_proto() && dump.modules().size() == 1;
}

namespace {

// Reads the dump after code generation. Does not keep any of its text.
SidecarProblems ReadScopedVmem(const std::string& name, FileBytes bytes,
                               int64_t problem_limit,
                               HloAssignments* assignments) {
  HloParseOptions options;
  options.diagnostic_limit = problem_limit;
  const absl::StatusOr<HloDump> dump = ParseHlo(std::move(bytes), options);
  if (!dump.ok()) return {name, dump.status(), {}, 0};
  if (dump->modules().size() == 1) {
    assignments->scoped_vmem_use = FindScopedVmemUse(dump->modules()[0]);
  }
  return {name,
          absl::OkStatus(),
          {dump->diagnostics().begin(), dump->diagnostics().end()},
          dump->diagnostic_count()};
}

// Returns an error if an array of the assignment is not one of the module. XLA
// writes both from the same module, and only layouts may differ.
absl::Status CheckIsOf(const HloDump& dump,
                       const BufferAssignment& assignment) {
  absl::flat_hash_map<std::string_view, HloInstruction> instructions;
  for (const HloInstruction instruction : dump.instructions()) {
    instructions.try_emplace(instruction.name(), instruction);
  }
  for (const BufferAssignment::Value& value : assignment.values) {
    const std::string_view array =
        value.shape_text.substr(0, value.shape_text.find('{'));
    const auto found = instructions.find(value.instruction);
    if (found == instructions.end()) {
      // An instruction that could not be read is not in the dump.
      if (dump.diagnostic_count() > 0) continue;
      return InvalidArgumentError(
          "this buffer assignment is of another module: it has ",
          value.instruction, ", ", array,
          ", and the module has no such instruction");
    }
    const Shape* const shape = found->second.shape();
    if (shape == nullptr || array.empty()) continue;
    const absl::StatusOr<Shape> part = GetSubshape(*shape, value.shape_index);
    if (part.ok() && !part->IsArray()) continue;
    const std::string of_module =
        part.ok() ? part->ToString(/*with_layout=*/false) : "";
    if (of_module == array) continue;
    return InvalidArgumentError(
        "this buffer assignment is of another module: ", value.instruction,
        value.shape_index.empty() ? "" : ShapeIndexToString(value.shape_index),
        " is ", array, " in it, and ", part.ok() ? of_module : "missing",
        " in the module");
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<SidecarProblems> ReadSidecars(
    const HloDump& dump, const std::map<HloFileKind, std::string>& sidecars,
    absl::FunctionRef<absl::StatusOr<FileBytes>(const std::string&)> open,
    int64_t problem_limit, HloAssignments* assignments) {
  std::vector<SidecarProblems> problems;
  const auto add = [&](SidecarProblems found) {
    if (!found.status.ok() || found.diagnostic_count > 0) {
      problems.push_back(std::move(found));
    }
  };
  const auto bytes_of = [&](HloFileKind kind) -> std::optional<FileBytes> {
    const auto sidecar = sidecars.find(kind);
    if (sidecar == sidecars.end()) return std::nullopt;
    absl::StatusOr<FileBytes> bytes = open(sidecar->second);
    if (bytes.ok()) return *std::move(bytes);
    add({sidecar->second, bytes.status(), {}, 0});
    return std::nullopt;
  };
  // Bytes stay in place while the list of them grows, because views point to
  // them.
  constexpr int kParts = 5;
  assignments->bytes.reserve(kParts);
  const auto text_of = [&](HloFileKind kind) -> std::string_view {
    std::optional<FileBytes> bytes = bytes_of(kind);
    if (!bytes.has_value()) return "";
    assignments->bytes.push_back(*std::move(bytes));
    return assignments->bytes.back().text();
  };
  assignments->tpu_generation =
      TpuGenerationOfArguments(text_of(HloFileKind::kTargetArguments));
  assignments->scoped_vmem_limit =
      ScopedVmemLimitOfOptions(text_of(HloFileKind::kCompilerOptions));
  if (auto bytes = bytes_of(HloFileKind::kAfterCodegen)) {
    add(ReadScopedVmem(sidecars.at(HloFileKind::kAfterCodegen),
                       *std::move(bytes), problem_limit, assignments));
  }
  const std::string_view text = text_of(HloFileKind::kBufferAssignment);
  if (text.empty()) return problems;
  AssignmentTextOptions options;
  options.problem_limit = problem_limit;
  options.values_text = text_of(HloFileKind::kBufferAssignmentValues);
  options.live_range_text = text_of(HloFileKind::kLiveRange);
  BufferAssignment assignment = ReadBufferAssignmentText(text, options);

  const auto found = absl::MakeConstSpan(assignment.problems);
  const size_t ranges = assignment.live_range_problem_count;
  const size_t values = assignment.values_problem_count;
  const size_t own = found.size() - values - ranges;
  const auto add_part = [&](HloFileKind kind,
                            absl::Span<const Diagnostic> diagnostics,
                            int64_t count) {
    // Only a text that was read has any.
    if (count == 0) return;
    add({sidecars.at(kind),
         absl::OkStatus(),
         {diagnostics.begin(), diagnostics.end()},
         count});
  };
  // Those that were not kept count for the first text.
  add_part(HloFileKind::kBufferAssignment, found.subspan(0, own),
           assignment.problem_count - values - ranges);
  add_part(HloFileKind::kBufferAssignmentValues, found.subspan(own, values),
           values);
  add_part(HloFileKind::kLiveRange, found.subspan(own + values), ranges);
  const absl::Status is_of_module = CheckIsOf(dump, assignment);
  if (!is_of_module.ok()) {
    add({sidecars.at(HloFileKind::kBufferAssignment), is_of_module, {}, 0});
    return problems;
  }
  assignments->are_sidecars = true;
  assignments->of_modules.emplace_back(std::move(assignment));
  return problems;
}

absl::StatusOr<HloFile> ReadHloFile(const std::string& path,
                                    const HloFileOptions& options) {
  absl::StatusOr<FileBytes> bytes = FileBytes::Open(path, options.bytes);
  if (!bytes.ok()) {
    return absl::Status(bytes.status().code(),
                        absl::StrCat(path, ": ", bytes.status().message()));
  }
  HloAssignments assignments;
  TESSERA_ASSIGN_OR_RETURN(HloDump dump,
                           ParseHloFile(*std::move(bytes), path, options.parse,
                                        options.problem_limit, &assignments));
  HloFile file = {std::move(dump), std::move(assignments), {}};
  if (MayHaveSidecars(file.dump)) {
    std::map<HloFileKind, std::string> sidecars = SidecarsBeside(path);
    if (!options.sidecars) RemoveResults(&sidecars);
    file.sidecar_problems = ReadSidecars(
        file.dump, sidecars,
        [&options](const std::string& name) {
          return FileBytes::Open(name, options.bytes);
        },
        options.problem_limit, &file.assignments);
  }
  return file;
}

absl::StatusOr<HloFile> ReadHloBytes(FileBytes bytes,
                                     const HloFileOptions& options) {
  HloAssignments assignments;
  TESSERA_ASSIGN_OR_RETURN(HloDump dump,
                           ParseHloFile(std::move(bytes), "", options.parse,
                                        options.problem_limit, &assignments));
  return HloFile{std::move(dump), std::move(assignments), {}};
}

}  // namespace tessera
