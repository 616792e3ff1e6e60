#include "tessera/hlo/memory/hlo_schedule.h"

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/dataflow/opcode_traits.h"

namespace tessera {
namespace {

// Only the last module of a text can break off.
bool BreaksOff(const HloDump& dump, HloModule module) {
  return dump.counts().diagnostics_of_end > 0 &&
         module.index() == dump.modules().size() - 1;
}

// Checks that the computation is complete, and has its own memory.
absl::Status CheckRuns(HloModule module, HloComputation computation) {
  const auto refuse = [&](std::string_view why) {
    return FailedPreconditionError("the computation '", computation.name(),
                                   "' ", why);
  };
  if (computation.instructions().empty()) return refuse("has no instruction");
  if (!computation.is_closed()) return refuse("breaks off");
  for (const HloComputation caller : module.computations()) {
    for (const HloInstruction instruction : caller.instructions()) {
      for (const HloCall call : instruction.calls()) {
        if (call.computation() == computation &&
            !hlo_internal::TraitsOf(instruction.opcode()).runs_computations) {
          return refuse(StrCat("has no buffers: it is called by the ",
                               instruction.opcode(), " '", instruction.name(),
                               "'"));
        }
      }
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<HloComputation> ComputationRunBy(HloInstruction instruction) {
  std::vector<HloComputation> run;
  for (const HloCall call : instruction.calls()) {
    const std::optional<HloComputation> callee = call.computation();
    if (callee.has_value() && call.kind() != HloCallKind::kWhileCondition) {
      run.push_back(*callee);
    }
  }
  if (run.size() == 1) return run[0];
  const std::string names = absl::StrJoin(
      run, "', '", [](std::string* out, HloComputation computation) {
        absl::StrAppend(out, AbslView(computation.name()));
      });
  return absl::NotFoundError(absl::StrCat(
      "the ", AbslView(instruction.opcode()), " '",
      AbslView(instruction.name()), "' runs ",
      run.empty() ? "a computation that is not in the text"
                  : absl::StrCat("several computations; name one of them: '",
                                 names, "'")));
}

}  // namespace

absl::StatusOr<HloComputation> FindSchedule(const HloDump& dump,
                                            HloModule module,
                                            const ScheduleOptions& options) {
  if (!module.is_scheduled() && !options.assume_text_order) {
    return FailedPreconditionError("not scheduled (no is_scheduled=true)",
                                   kAssumeTextOrderHint);
  }
  if (!options.computation.empty()) {
    TESSERA_ASSIGN_OR_RETURN(const HloComputation named,
                             FindComputation(module, options.computation));
    TESSERA_RETURN_IF_ERROR(CheckRuns(module, named));
    return named;
  }
  const std::optional<HloComputation> entry = module.entry_computation();
  if (!entry.has_value()) {
    return FailedPreconditionError(BreaksOff(dump, module)
                                       ? "the text breaks off before ENTRY"
                                       : "no computation is marked ENTRY");
  }
  if (entry->instructions().empty()) {
    return FailedPreconditionError("the ENTRY computation has no instruction");
  }
  return *entry;
}

absl::StatusOr<HloComputation> FindComputation(HloModule module,
                                               std::string_view name) {
  for (const HloComputation computation : module.computations()) {
    if (computation.name() == name) return computation;
  }
  for (const HloComputation computation : module.computations()) {
    for (const HloInstruction instruction : computation.instructions()) {
      if (instruction.name() == name && !instruction.calls().empty()) {
        return ComputationRunBy(instruction);
      }
    }
  }
  return absl::NotFoundError(
      absl::StrCat("there is no computation '", AbslView(name), "'"));
}

absl::StatusOr<std::vector<HloComputation>> FindComputations(
    const HloDump& dump, std::string_view name) {
  std::vector<HloComputation> found;
  absl::Status status = absl::NotFoundError(
      absl::StrCat("there is no computation '", AbslView(name), "'"));
  for (const HloModule module : dump.modules()) {
    const absl::StatusOr<HloComputation> computation =
        FindComputation(module, name);
    if (computation.ok()) {
      found.push_back(*computation);
    } else {
      status = computation.status();
    }
  }
  if (found.empty()) return status;
  return found;
}

}  // namespace tessera
