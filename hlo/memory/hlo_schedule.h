// Finds the computation to analyze and its execution order.
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m
//       ENTRY main { ROOT x = f32[2]{0} parameter(0) })");
//   const HloModule module = dump->modules()[0];
//   FindSchedule(*dump, module).ok();  // false: the module is not scheduled
//   ScheduleOptions options;
//   options.assume_text_order = true;
//   FindSchedule(*dump, module, options)->name();  // "main"
//
// All questions about memory over time begin here.

#ifndef TESSERA_HLO_MEMORY_HLO_SCHEDULE_H_
#define TESSERA_HLO_MEMORY_HLO_SCHEDULE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {

// The end of the error about a module that is not scheduled: the option that
// avoids the error. It has the same name in requests and in Python.
inline constexpr std::string_view kAssumeTextOrderHint =
    "; assume_text_order uses the order of the text";

struct ScheduleOptions {
  // The name, without '%', of the computation or of the instruction that runs
  // it (FindComputation); empty for the computation marked ENTRY.
  std::string computation;
  // Whether to use the order of the text as the execution order if the module
  // does not have is_scheduled=true. XLA's order can need much less memory.
  bool assume_text_order = false;
};

// Returns the computation that runs, with its instructions in execution order.
// The module belongs to `dump`.
//
// Errors: kNotFound for a name that no computation of the module has;
// kFailedPrecondition for a module that is not scheduled (the message names
// assume_text_order), for a module without ENTRY, because no other computation
// is known to run as a whole, and for a computation that is empty, that breaks
// off, or that does not have its own memory (the inside of a fusion or a
// reducer).
absl::StatusOr<HloComputation> FindSchedule(
    const HloDump& dump, HloModule module, const ScheduleOptions& options = {});

// Returns the first computation with that name, without '%', in a module, or
// else the computation that an instruction with that name runs: for a while,
// its body.
//
// Errors: kNotFound if neither exists; for a conditional with several branches,
// the message names them.
absl::StatusOr<HloComputation> FindComputation(HloModule module,
                                               std::string_view name);

// Returns the computation with this name from every module of the dump that has
// one. Errors: kNotFound if no module does.
absl::StatusOr<std::vector<HloComputation>> FindComputations(
    const HloDump& dump, std::string_view name);

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_HLO_SCHEDULE_H_
