// Checks whether modules take more memory than a budget or a baseline allows.
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m, is_scheduled=true
//       ENTRY e { ROOT x = f32[2]{0} parameter(0) })");
//   absl::StatusOr<BaselineModule> memory =
//       ComputeBaselineModule(*dump, dump->modules()[0]);
//   MemoryBudget budget;
//   budget.max_reserved_bytes = 6;
//   MemoryChecker checker(budget, std::nullopt);
//   checker.Add("dump.txt", HloTarget::kTpu, *memory);
//   MemoryCheck check;
//   checker.Finish(&check);
//   check.is_within_budget();  // false
//   check.modules(0).by_memory_space().spaces().at(0).over_bytes();  // 2
//
// The service does not answer this question: `tessera hlo check` asks it about
// files.

#ifndef TESSERA_SERVICE_QUESTIONS_HLO_MEMORY_CHECK_H_
#define TESSERA_SERVICE_QUESTIONS_HLO_MEMORY_CHECK_H_

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "proto/memory_check.pb.h"
#include "tessera/hlo/buffer_assignment/hlo_file.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/memory_options.h"
#include "tessera/hlo/memory/scoped_vmem.h"
#include "tessera/layout/memory_space.h"

namespace tessera {

// Limits on the bytes that each module takes for the whole run, in each memory
// space (hlo/memory/reserved_memory.h).
struct MemoryBudget {
  bool has_limit() const {
    return max_reserved_bytes.has_value() || max_growth_ppm.has_value() ||
           max_scoped_bytes.has_value();
  }

  std::optional<int64_t> max_reserved_bytes;
  // The most scoped VMEM that one instruction of a module of TPU may use
  // (hlo/memory/scoped_vmem.h).
  std::optional<int64_t> max_scoped_bytes;
  // The largest growth over the baseline, in millionths of the baseline. Not
  // negative.
  std::optional<int64_t> max_growth_ppm;
  // The only memory space to check: "1", "S(1)", or its name on the target in
  // upper or lower case. "" for all.
  std::string memory_space;
};

// Returns the bytes that a module of `dump` takes and those live at its peak,
// in every memory space. `beside` and errors are those of ModuleAnalysis::Of
// (hlo/memory/module_analysis.h).
absl::StatusOr<BaselineModule> ComputeBaselineModule(
    const HloDump& dump, HloModule module, const MemoryOptions& options = {},
    const HloAssignments* beside = nullptr);

class MemoryChecker {
 public:
  MemoryChecker(const MemoryBudget& budget,
                const std::optional<MemoryBaseline>& baseline);

  // Checks one more module. The baseline's modules of that name are taken in
  // their order. `scoped` counts only on TPU and only if there is a limit for
  // it. If it is then not known, the module is not within the budget.
  // Precondition: `memory` has the reserved and the live bytes of every memory
  // space.
  void Add(const std::string& file, HloTarget target,
           const BaselineModule& memory, const ScopedVmem& scoped = {});
  // Like Add, for a module whose bytes are not known.
  void AddUnknown(const std::string& file, HloTarget target,
                  const std::string& module, const std::string& reason);

  // Moves the findings into `*check`. Everything is within the budget if no
  // module exceeds it and none is unknown. Call it once, at the end.
  void Finish(MemoryCheck* check);

 private:
  // Returns null if the baseline has no more modules of that name.
  const BaselineModule* TakeFromBaseline(const std::string& module);
  ModuleCheck* AddModule(const std::string& file, HloTarget target,
                         const std::string& module,
                         const BaselineModule* baseline);
  bool Passes(int64_t memory_space, const MemorySpaceNames& names) const;
  void CheckScoped(const ScopedVmem& scoped, ScopedCheck* check);
  void CheckSpace(const SpaceMemory& space, const SpaceMemory* baseline,
                  SpaceCheck* check);

  const MemoryBudget budget_;
  const std::optional<MemoryBaseline> baseline_;
  // By name, the positions in the baseline of the remaining modules.
  std::map<std::string, std::deque<int>> left_;
  MemoryCheck check_;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_HLO_MEMORY_CHECK_H_
