// The report on two dumps for people.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/repeated_field.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/hlo/origin_text.h"
#include "tessera/report/hlo/sorted_by_key.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"

namespace tessera {
// Red is more memory, green is less.
std::string ChangeText(int64_t before, int64_t after, const Display& display) {
  if (before == after) return "same";
  const bool is_more = after > before;
  return Paint(
      absl::StrCat(is_more ? "+" : "-",
                   HumanBytes(is_more ? after - before : before - after)),
      is_more ? Color::kRed : Color::kGreen, display);
}

ReservedChange ReservedChangeOf(const SpacePeakChange& peak) {
  ReservedBytes before = {peak.reserved_before(), std::nullopt};
  ReservedBytes after = {peak.reserved_after(), std::nullopt};
  if (peak.has_assigned_before())
    before.assigned_bytes = peak.assigned_before();
  if (peak.has_assigned_after()) after.assigned_bytes = peak.assigned_after();
  return CompareReserved(before, after);
}

bool HasChanges(const ModuleChange& module) {
  if (!module.has_before() || !module.has_after() ||
      module.change_count() > 0 || module.appeared() > 0 ||
      module.vanished() > 0) {
    return true;
  }
  const auto& spaces = module.peak_bytes().spaces();
  return std::any_of(spaces.begin(), spaces.end(), [](const auto& space) {
    const SpacePeakChange& peak = space.second;
    const ReservedChange taken = ReservedChangeOf(peak);
    return peak.before() != peak.after() || taken.before != taken.after;
  });
}

bool IsBroken(const ModuleChange& module) {
  return module.has_reason() && !module.is_unscheduled();
}

namespace {

// Returns the array before and after the change, with the common parts once.
std::string ShapesText(const ChangedGroup& change, const Display& display) {
  const std::string& before = change.before_shape();
  const std::string& after = change.after_shape();
  if (!change.has_before_shape() && !change.has_after_shape()) {
    return absl::StrCat("(within ", change.opcode(), ")");
  }
  if (!change.has_before_shape()) return after;
  if (!change.has_after_shape()) return before;
  const size_t brace = before.find('{');
  // Only the layouts, if the dimensions are the same.
  const bool is_same_array =
      brace != std::string::npos &&
      after.compare(0, brace + 1, before, 0, brace + 1) == 0;
  return StrCat(before, " ", Arrow(display), " ",
                is_same_array ? after.substr(brace) : after);
}

// "since fusion/fusion", "was there since fusion/merge".
std::string GroupPassText(const ChangedGroup& group) {
  const std::string before =
      group.has_before_pass() ? PassNameText(group.before_pass()) : "";
  const std::string after =
      group.has_after_pass() ? PassNameText(group.after_pass()) : "";
  if (after.empty()) {
    return before.empty() ? "" : absl::StrCat("was there since ", before);
  }
  return absl::StrCat("since ", after,
                      before.empty() || before == after
                          ? ""
                          : absl::StrCat(", in the first since ", before));
}

Table GroupsTable(
    const google::protobuf::RepeatedPtrField<ChangedGroup>& groups,
    const Display& display) {
  constexpr int kMostOfName = 32;
  // On a narrow terminal the name is below the row, to make room for the shape.
  constexpr int kWide = 110;
  const bool is_wide = !display.is_terminal() || display.columns >= kWide;
  const bool has_many =
      std::any_of(groups.begin(), groups.end(),
                  [](const ChangedGroup& group) { return group.count() > 1; });
  Table table({{"change", Table::kRight},
               {"arrays", Table::kRight, has_many},
               {"each", Table::kRight, has_many},
               {"what", Table::kLeft},
               {"instruction", Table::kLeft, is_wide},
               {"shape", Table::kLeft}});
  for (const ChangedGroup& group : groups) {
    const int64_t count = group.count();
    const std::string name =
        display.is_terminal()
            ? Shortened(group.instruction(), kMostOfName, display)
            : group.instruction();
    table.AddRow(
        {ChangeText(group.before_bytes(), group.after_bytes(), display),
         HumanCount(count),
         has_many ? ChangeText(group.before_bytes() / count,
                               group.after_bytes() / count, display)
                  : "",
         group.change(), name, ShapesText(group, display)});
    const std::string origin =
        OriginText(group.source_line(), group.op_name(), display);
    table.AddNote(
        JoinNotes({is_wide ? "" : name, origin, GroupPassText(group)}));
  }
  return table;
}

// "in 37 groups, the 10 that matter most".
std::string GroupsText(int64_t all, int64_t shown) {
  return absl::StrCat(
      HumanQuantity(all, "group"),
      shown < all ? absl::StrCat(", the ", shown, " that matter most") : "");
}

// Returns the cause of the difference between two peaks.
std::string PeakGroupsText(int64_t number, const SpacePeakChange& peak,
                           const Display& display) {
  if (peak.group_count() == 0) return "";
  return StrCat("\n", kIndent, "at the peak in ",
                HumanMemorySpace(number, peak.name()), ": ",
                ChangeText(peak.before(), peak.after(), display), ", in ",
                GroupsText(peak.group_count(), peak.groups_size()), "\n",
                GroupsTable(peak.groups(), display).ToString(kIndent, display));
}

void AddTotals(const std::string& what, const ArraySum& before,
               const ArraySum& after, const Display& display, Table* table) {
  table->AddRow(
      {what, HumanBytes(before.padded_bytes()),
       HumanBytes(after.padded_bytes()),
       ChangeText(before.padded_bytes(), after.padded_bytes(), display),
       HumanBytes(after.padded_bytes() - after.unpadded_bytes()),
       ChangeText(before.padded_bytes() - before.unpadded_bytes(),
                  after.padded_bytes() - after.unpadded_bytes(), display)});
}

std::string ModuleChangeText(const ModuleChange& module,
                             const Display& display) {
  const std::string& name =
      module.has_after() ? module.after() : module.before();
  std::string out =
      absl::StrCat("\n", Paint(ModuleText(name), Color::kBold, display));
  if (!module.has_before()) {
    absl::StrAppend(&out, ": only in the second\n");
  } else if (!module.has_after()) {
    absl::StrAppend(&out, ": only in the first\n");
  } else {
    absl::StrAppend(&out, ": ",
                    HumanQuantity(module.matched_by_structure() +
                                      module.matched_by_signature() +
                                      module.matched_by_name(),
                                  "instruction"),
                    " in both, ", HumanCount(module.appeared()), " new, ",
                    HumanCount(module.vanished()), " gone\n");
  }

  if (module.is_text_order_assumed()) {
    StrAppend(&out, "\n", kIndent,
              "assumed: the instructions run in the order of the text\n");
  }
  if (module.has_passes()) {
    absl::StrAppend(&out, "\n", PassesChangeText(module.passes(), display));
  }
  if (module.has_peak_bytes()) {
    const auto spaces = SortedByKey(module.peak_bytes().spaces());
    const bool is_assigned =
        std::any_of(spaces.begin(), spaces.end(), [](const auto& space) {
          return ReservedChangeOf(*space.second).is_assigned;
        });
    Table peaks(
        {{"peak", Table::kLeft},
         {"before", Table::kRight},
         {"after", Table::kRight},
         {"change", Table::kRight},
         {is_assigned ? "assigned before" : "reserved before", Table::kRight},
         {"after", Table::kRight},
         {"change", Table::kRight}});
    for (const auto& [space, peak] : spaces) {
      const ReservedChange taken = ReservedChangeOf(*peak);
      peaks.AddRow({HumanMemorySpace(space, peak->name()),
                    HumanBytes(peak->before()), HumanBytes(peak->after()),
                    ChangeText(peak->before(), peak->after(), display),
                    HumanBytes(taken.before), HumanBytes(taken.after),
                    ChangeText(taken.before, taken.after, display)});
    }
    if (!peaks.empty()) {
      absl::StrAppend(&out, "\n", peaks.ToString(kIndent, display));
    }
    for (const auto& [space, peak] : spaces) {
      out += PeakGroupsText(space, *peak, display);
    }
  }
  if (module.has_reason()) {
    StrAppend(&out, "\n", kIndent, "peak: not known; ",
              CommandLineReason(module.reason()), "\n");
  }

  Table totals({{absl::StrCat("all ", module.counted()), Table::kLeft},
                {"before", Table::kRight},
                {"after", Table::kRight},
                {"change", Table::kRight},
                {"padding", Table::kRight},
                {"change", Table::kRight}});
  for (const auto& [space, change] : SortedByKey(module.by_memory_space())) {
    AddTotals(HumanMemorySpace(space, change->name()), change->before(),
              change->after(), display, &totals);
  }
  if (!totals.empty()) {
    absl::StrAppend(&out, "\n", totals.ToString(kIndent, display));
  }
  if (module.change_count() == 0) {
    return StrCat(out, "\n", kIndent, "no array has changed\n");
  }
  const int64_t all = module.change_count();
  StrAppend(
      &out, "\n", kIndent, HumanQuantity(all, "array"),
      all == 1 ? " has changed" : " have changed", ", in ",
      GroupsText(module.group_count(), module.groups_size()), "\n",
      module.groups().empty()
          ? ""
          : GroupsTable(module.groups(), display).ToString(kIndent, display));
  return out;
}

}  // namespace

std::string DiffToText(const DiffResult& diff, const Display& display) {
  std::string out =
      StrCat(Paint(Printable(diff.before_file()), Color::kBold, display), " ",
             Arrow(display), " ",
             Paint(Printable(diff.after_file()), Color::kBold, display), "\n");
  if (diff.modules().empty()) {
    StrAppend(&out, kIndent, "neither dump has a module\n");
  }
  // If there are many, unchanged ones are left out.
  int64_t unchanged = 0;
  for (const ModuleChange& module : diff.modules()) {
    if (diff.modules_size() == 1 || HasChanges(module) || IsBroken(module)) {
      out += ModuleChangeText(module, display);
    } else {
      ++unchanged;
    }
  }
  if (unchanged > 0) {
    absl::StrAppend(&out, "\n", HumanQuantity(unchanged, "module"),
                    unchanged == 1 ? " has" : " have", " not changed\n");
  }
  return out;
}

}  // namespace tessera
