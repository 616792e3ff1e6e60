#include "tessera/service/questions/memory_check.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "absl/numeric/int128.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tessera/hlo/memory/liveness.h"
#include "tessera/layout/memory_space.h"
#include "tessera/math/status_macros.h"

namespace tessera {
namespace {

constexpr int64_t kMostBytes = std::numeric_limits<int64_t>::max();
constexpr int64_t kPpmOfPercent = 10'000;
constexpr int64_t kMillion = 1'000'000;

// Returns the most that `bytes` may become, at most kMostBytes.
int64_t AfterGrowth(int64_t bytes, int64_t ppm) {
  const absl::uint128 most = absl::uint128(bytes) + absl::uint128(bytes) *
                                                        absl::uint128(ppm) /
                                                        absl::uint128(kMillion);
  return static_cast<int64_t>(std::min(most, absl::uint128(kMostBytes)));
}

}  // namespace

absl::StatusOr<BaselineModule> ComputeBaselineModule(
    const HloDump& dump, HloModule module,
    const ReservedMemoryOptions& options) {
  LivenessOptions liveness_options;
  liveness_options.schedule = options.schedule;
  liveness_options.series_entries = 0;
  TESSERA_ASSIGN_OR_RETURN(const Liveness liveness,
                           ComputeLiveness(dump, module, liveness_options));
  TESSERA_ASSIGN_OR_RETURN(const ReservedMemory reserved,
                           ComputeReservedMemory(dump, module, options));
  BaselineModule memory;
  memory.set_module(std::string(module.name()));
  auto& spaces = *memory.mutable_by_memory_space()->mutable_spaces();
  for (const auto& [number, space] : liveness.by_memory_space) {
    spaces[number].set_peak_bytes(space.peak_bytes);
    spaces[number].set_reserved_bytes(0);
  }
  for (const auto& [number, space] : reserved.by_memory_space) {
    SpaceMemory& filled = spaces[number];
    filled.set_peak_bytes(filled.peak_bytes());
    filled.set_reserved_bytes(space.reserved_bytes());
  }
  return memory;
}

MemoryChecker::MemoryChecker(const MemoryBudget& budget,
                             const absl::optional<MemoryBaseline>& baseline)
    : budget_(budget), baseline_(baseline) {
  check_.set_is_within_budget(true);
  if (budget.max_peak_bytes.has_value()) {
    check_.set_max_peak_bytes(*budget.max_peak_bytes);
  }
  if (budget.max_growth_ppm.has_value()) {
    check_.set_max_growth_percent(static_cast<double>(*budget.max_growth_ppm) /
                                  kPpmOfPercent);
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
                           const std::string& name) const {
  return budget_.memory_space.empty() ||
         budget_.memory_space == absl::StrCat(memory_space) ||
         absl::EqualsIgnoreCase(budget_.memory_space, name);
}

void MemoryChecker::CheckSpace(const SpaceMemory& space,
                               const SpaceMemory* baseline, SpaceCheck* check) {
  const int64_t reserved = space.reserved_bytes();
  check->set_reserved_bytes(reserved);
  check->set_peak_bytes(space.peak_bytes());
  int64_t most = kMostBytes;
  if (budget_.max_peak_bytes.has_value()) {
    most = *budget_.max_peak_bytes;
    check->set_exceeds_max_peak(reserved > most);
  }
  if (baseline != nullptr) {
    const int64_t before = baseline->reserved_bytes();
    check->set_baseline_reserved_bytes(before);
    check->set_baseline_peak_bytes(baseline->peak_bytes());
    check->set_growth_bytes(reserved - before);
    if (before > 0) {
      check->set_growth_percent(100.0 * static_cast<double>(reserved - before) /
                                static_cast<double>(before));
    }
    if (budget_.max_growth_ppm.has_value()) {
      const int64_t grown = AfterGrowth(before, *budget_.max_growth_ppm);
      check->set_exceeds_max_growth(reserved > grown);
      most = std::min(most, grown);
    }
  }
  const bool has_limit =
      budget_.max_peak_bytes.has_value() ||
      (baseline != nullptr && budget_.max_growth_ppm.has_value());
  if (!has_limit) return;
  check->set_budget_bytes(most);
  check->set_over_bytes(std::max<int64_t>(reserved - most, 0));
  if (reserved > most) check_.set_is_within_budget(false);
}

void MemoryChecker::Add(const std::string& file, HloTarget target,
                        const BaselineModule& memory) {
  static const auto* const nothing = new SpaceMemory;
  const BaselineModule* const baseline = TakeFromBaseline(memory.module());
  ModuleCheck* const check = AddModule(file, target, memory.module(), baseline);
  std::map<int64_t, std::pair<const SpaceMemory*, const SpaceMemory*>> spaces;
  const SpaceMemory* const before = baseline == nullptr ? nullptr : nothing;
  for (const auto& [number, space] : memory.by_memory_space().spaces()) {
    spaces[number] = {&space, before};
  }
  if (baseline != nullptr) {
    for (const auto& [number, space] : baseline->by_memory_space().spaces()) {
      const auto found = spaces.insert({number, {nothing, nullptr}}).first;
      found->second.second = &space;
    }
  }
  const MemorySpaceNames& names = MemorySpaceNamesOf(target);
  auto& checks = *check->mutable_by_memory_space()->mutable_spaces();
  for (const auto& [number, pair] : spaces) {
    const std::string name = names.NameOf(number);
    if (!Passes(number, name)) continue;
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
