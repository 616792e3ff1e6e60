#include "tessera/service/questions/hlo/memory_check.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "absl/numeric/int128.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/version/version.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/layout/memory_space.h"

namespace tessera {
namespace {

constexpr int64_t kMostBytes = std::numeric_limits<int64_t>::max();
constexpr int64_t kPpmOfPercent = 10'000;
constexpr int64_t kMillion = 1'000'000;

void SetChecked(int64_t bytes, bool is_assigned, SpaceCheck* check) {
  check->set_checked_bytes(bytes);
  check->set_checked(is_assigned ? "assigned_bytes" : "reserved_bytes");
}

// Returns the most that `bytes` may become, at most kMostBytes.
int64_t AfterGrowth(int64_t bytes, int64_t ppm) {
  const absl::uint128 most = absl::uint128(bytes) + absl::uint128(bytes) *
                                                        absl::uint128(ppm) /
                                                        absl::uint128(kMillion);
  return static_cast<int64_t>(std::min(most, absl::uint128(kMostBytes)));
}

// Returns whether XLA's assignment for the module is known.
bool IsAssigned(const BaselineModule& module) {
  const auto& spaces = module.by_memory_space().spaces();
  return std::any_of(spaces.begin(), spaces.end(), [](const auto& space) {
    return space.second.has_assigned_bytes();
  });
}

// Returns the memory of a module in a memory space that it does not name.
SpaceMemory NothingOf(const BaselineModule& module) {
  SpaceMemory nothing;
  if (IsAssigned(module)) nothing.set_assigned_bytes(0);
  return nothing;
}

ReservedBytes ReservedBytesOf(const SpaceMemory& space) {
  ReservedBytes reserved;
  reserved.reserved_bytes = space.reserved_bytes();
  if (space.has_assigned_bytes()) {
    reserved.assigned_bytes = space.assigned_bytes();
  }
  return reserved;
}

}  // namespace

absl::StatusOr<BaselineModule> ComputeBaselineModule(
    const HloDump& dump, HloModule module, const MemoryOptions& options,
    const HloAssignments* beside) {
  TESSERA_ASSIGN_OR_RETURN(const ModuleAnalysis analysis,
                           ModuleAnalysis::Of(dump, module, options, beside));
  BaselineModule memory;
  memory.set_module(std::string(module.name()));
  auto& spaces = *memory.mutable_by_memory_space()->mutable_spaces();
  for (const auto& [number, use] : analysis.use()) {
    spaces[number].set_peak_bytes(use.peak_bytes);
  }
  for (const auto& [number, reserved] : analysis.reserved()) {
    if (reserved.reserved_bytes() > 0 || analysis.is_assigned_by_xla()) {
      spaces[number];
    }
  }
  for (auto& [number, filled] : spaces) {
    const ReservedBytes reserved = analysis.ReservedIn(number).sum();
    filled.set_peak_bytes(filled.peak_bytes());
    filled.set_reserved_bytes(reserved.reserved_bytes);
    if (reserved.is_assigned()) {
      filled.set_assigned_bytes(*reserved.assigned_bytes);
    }
  }
  return memory;
}

MemoryChecker::MemoryChecker(const MemoryBudget& budget,
                             const std::optional<MemoryBaseline>& baseline)
    : budget_(budget), baseline_(baseline) {
  check_.set_tessera_version(kVersion);
  check_.set_is_within_budget(true);
  if (budget.max_reserved_bytes.has_value()) {
    check_.set_max_peak_bytes(*budget.max_reserved_bytes);
  }
  if (budget.max_growth_ppm.has_value()) {
    check_.set_max_growth_percent(static_cast<double>(*budget.max_growth_ppm) /
                                  kPpmOfPercent);
  }
  if (budget.max_scoped_bytes.has_value()) {
    check_.set_max_scoped_bytes(*budget.max_scoped_bytes);
  }
  if (!baseline.has_value()) return;
  for (int i = 0; i < baseline->modules_size(); ++i) {
    left_[baseline->modules(i).module()].push_back(i);
  }
}

const BaselineModule* MemoryChecker::TakeFromBaseline(
    const std::string& module) {
  const auto found = left_.find(module);
  if (found == left_.end() || found->second.empty()) return nullptr;
  const int position = found->second.front();
  found->second.pop_front();
  return &baseline_->modules(position);
}

ModuleCheck* MemoryChecker::AddModule(const std::string& file, HloTarget target,
                                      const std::string& module,
                                      const BaselineModule* baseline) {
  ModuleCheck* const check = check_.add_modules();
  check->set_file(file);
  check->set_module(module);
  check->set_target(std::string(HloTargetName(target)));
  if (baseline_.has_value()) check->set_is_in_baseline(baseline != nullptr);
  return check;
}

bool MemoryChecker::Passes(int64_t memory_space,
                           const MemorySpaceNames& names) const {
  return budget_.memory_space.empty() ||
         names.NumberFor(budget_.memory_space) == memory_space;
}

void MemoryChecker::CheckSpace(const SpaceMemory& space,
                               const SpaceMemory* baseline, SpaceCheck* check) {
  const ReservedBytes taken = ReservedBytesOf(space);
  check->set_reserved_bytes(taken.reserved_bytes);
  if (taken.is_assigned()) check->set_assigned_bytes(*taken.assigned_bytes);
  check->set_peak_bytes(space.peak_bytes());
  SetChecked(taken.bytes(), taken.is_assigned(), check);
  if (budget_.max_reserved_bytes.has_value()) {
    check->set_exceeds_max_peak(taken.bytes() > *budget_.max_reserved_bytes);
    check->set_budget_bytes(*budget_.max_reserved_bytes);
  }
  if (baseline != nullptr) {
    const ReservedBytes before = ReservedBytesOf(*baseline);
    check->set_baseline_reserved_bytes(before.reserved_bytes);
    if (before.is_assigned()) {
      check->set_baseline_assigned_bytes(*before.assigned_bytes);
    }
    check->set_baseline_peak_bytes(baseline->peak_bytes());
    const ReservedChange change = CompareReserved(before, taken);
    const int64_t growth = change.after - change.before;
    check->set_growth_bytes(growth);
    if (change.before > 0) {
      check->set_growth_percent(100.0 * static_cast<double>(growth) /
                                static_cast<double>(change.before));
    }
    if (budget_.max_growth_ppm.has_value()) {
      const int64_t most = AfterGrowth(change.before, *budget_.max_growth_ppm);
      check->set_exceeds_max_growth(change.after > most);
      // The stricter limit is the one that leaves fewer bytes, because the two
      // may limit different numbers.
      if (!check->has_budget_bytes() ||
          change.after - most >
              check->checked_bytes() - check->budget_bytes()) {
        SetChecked(change.after, change.is_assigned, check);
        check->set_budget_bytes(most);
      }
    }
  }
  if (!check->has_budget_bytes()) return;
  const int64_t over = check->checked_bytes() - check->budget_bytes();
  check->set_over_bytes(std::max<int64_t>(over, 0));
  if (over > 0) check_.set_is_within_budget(false);
}

void MemoryChecker::CheckScoped(const ScopedVmem& scoped, ScopedCheck* check) {
  if (!scoped.is_known) {
    check_.set_is_within_budget(false);
    return;
  }
  check->set_largest_bytes(0);
  // Those that use most come first.
  for (const ScopedVmem::Instruction& each : scoped.instructions) {
    if (each.used_bytes > check->largest_bytes()) {
      check->set_largest_bytes(each.used_bytes);
      check->set_instruction(std::string(each.instruction.name()));
    }
    if (each.used_bytes <= *budget_.max_scoped_bytes) break;
    check->set_over_limit(check->over_limit() + 1);
  }
  const int64_t over = check->largest_bytes() - *budget_.max_scoped_bytes;
  check->set_over_bytes(std::max<int64_t>(over, 0));
  if (over > 0) check_.set_is_within_budget(false);
}

void MemoryChecker::Add(const std::string& file, HloTarget target,
                        const BaselineModule& memory,
                        const ScopedVmem& scoped) {
  const BaselineModule* const baseline = TakeFromBaseline(memory.module());
  ModuleCheck* const check = AddModule(file, target, memory.module(), baseline);
  if (budget_.max_scoped_bytes.has_value() && target == HloTarget::kTpu) {
    CheckScoped(scoped, check->mutable_scoped_vmem());
  }
  std::map<int64_t, std::pair<const SpaceMemory*, const SpaceMemory*>> spaces;
  const SpaceMemory nothing = NothingOf(memory);
  const SpaceMemory nothing_before =
      baseline == nullptr ? SpaceMemory() : NothingOf(*baseline);
  for (const auto& [number, space] : memory.by_memory_space().spaces()) {
    spaces[number] = {&space, baseline == nullptr ? nullptr : &nothing_before};
  }
  if (baseline != nullptr) {
    for (const auto& [number, space] : baseline->by_memory_space().spaces()) {
      const auto found = spaces.insert({number, {&nothing, nullptr}}).first;
      found->second.second = &space;
    }
  }
  const MemorySpaceNames& names = MemorySpaceNamesOf(target);
  auto& checks = *check->mutable_by_memory_space()->mutable_spaces();
  for (const auto& [number, pair] : spaces) {
    const std::string name = names.NameOf(number);
    if (!Passes(number, names)) continue;
    SpaceCheck& filled = checks[number];
    filled.set_name(name);
    CheckSpace(*pair.first, pair.second, &filled);
  }
}

void MemoryChecker::AddUnknown(const std::string& file, HloTarget target,
                               const std::string& module,
                               const std::string& reason) {
  AddModule(file, target, module, TakeFromBaseline(module))->set_reason(reason);
  check_.set_is_within_budget(false);
}

void MemoryChecker::Finish(MemoryCheck* check) {
  if (baseline_.has_value()) {
    std::set<int> missing;
    for (const auto& [name, positions] : left_) {
      missing.insert(positions.begin(), positions.end());
    }
    for (const int i : missing) {
      check_.add_missing_modules(baseline_->modules(i).module());
    }
  }
  *check = std::move(check_);
}

}  // namespace tessera
