#include "tessera/report/page/page_changes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "google/protobuf/repeated_field.h"
#include "tessera/report/hlo/diff_report.h"
#include "tessera/report/hlo/sorted_by_key.h"
#include "tessera/report/text/units.h"

namespace tessera {
namespace {

std::vector<MemoryPage::ChangeGroup> GroupsOf(
    const google::protobuf::RepeatedPtrField<ChangedGroup>& groups) {
  std::vector<MemoryPage::ChangeGroup> of_page;
  for (const ChangedGroup& group : groups) {
    of_page.push_back({group.change(), group.count(), group.before_shape(),
                       group.after_shape(), group.before_bytes(),
                       group.after_bytes(), group.op_name(),
                       group.source_line(), group.instruction(),
                       group.opcode()});
  }
  return of_page;
}

MemoryPage::SpaceChange SpaceOf(int64_t number, const SpacePeakChange& peak) {
  MemoryPage::SpaceChange space;
  space.memory_space = HumanMemorySpace(number, peak.name());
  space.peak_before = peak.before();
  space.peak_after = peak.after();
  space.reserved_before = peak.reserved_before();
  space.reserved_after = peak.reserved_after();
  if (peak.has_assigned_before() && peak.has_assigned_after()) {
    space.assigned_before = peak.assigned_before();
    space.assigned_after = peak.assigned_after();
  }
  space.group_count = peak.group_count();
  space.groups = GroupsOf(peak.groups());
  return space;
}

}  // namespace

MemoryPage::Changes PageChangesOf(const DiffResult& diff) {
  MemoryPage::Changes changes;
  changes.before_title = diff.before_file();
  if (diff.before_reading().diagnostic_count() > 0) {
    changes.notes.push_back(
        "Part of the other dump could not be read; the rest is compared.");
  }
  const bool is_order_assumed =
      std::any_of(diff.modules().begin(), diff.modules().end(),
                  [](const ModuleChange& module) {
                    return module.is_text_order_assumed();
                  });
  if (is_order_assumed) {
    changes.notes.push_back(
        "Assumed: where a module of either dump is not scheduled, its "
        "instructions run in the order of the text.");
  }
  int64_t after = 0;
  for (const ModuleChange& module : diff.modules()) {
    MemoryPage::ModuleChange change;
    if (module.has_before()) change.before = module.before();
    if (module.has_after()) change.after = after++;
    change.matched = module.matched_by_structure() +
                     module.matched_by_signature() + module.matched_by_name();
    change.appeared = module.appeared();
    change.vanished = module.vanished();
    change.counted = module.counted();
    change.no_peak = WhyNoPeak(module);
    for (const auto& [number, peak] :
         SortedByKey(module.peak_bytes().spaces())) {
      change.spaces.push_back(SpaceOf(number, *peak));
    }
    for (const auto& [number, total] : SortedByKey(module.by_memory_space())) {
      change.totals.push_back({HumanMemorySpace(number, total->name()),
                               total->before().padded_bytes(),
                               total->after().padded_bytes()});
    }
    change.group_count = module.group_count();
    change.groups = GroupsOf(module.groups());
    changes.modules.push_back(std::move(change));
  }
  return changes;
}

}  // namespace tessera
