#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/hlo/reserved_text.h"
#include "tessera/report/hlo/sorted_by_key.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"

namespace tessera {
namespace {

using Row = std::vector<std::string>;

const Row& Titles() {
  static const auto& titles =
      *new Row{"module", "memory space", "reserved", "allowed",
               "over",   "baseline",     "growth",   "limit"};
  return titles;
}

bool IsOver(const SpaceCheck& space) {
  return space.exceeds_max_peak() || space.exceeds_max_growth();
}

// "fusion.3", "fusion.3 and 2 more"
std::string OverScopedText(const ScopedCheck& scoped) {
  const int64_t more = scoped.over_limit() - 1;
  return absl::StrCat(
      "scoped VMEM of ", scoped.instruction(),
      more > 0 ? absl::StrCat(" and ", HumanCount(more), " more") : "");
}

std::string LimitText(const SpaceCheck& space) {
  std::vector<std::string> limits;
  if (space.exceeds_max_peak()) limits.push_back("--max-reserved");
  if (space.exceeds_max_growth()) limits.push_back("--max-growth");
  return absl::StrJoin(limits, ", ");
}

// Returns the number that is compared with the budget.
ReservedBytes CheckedOf(const SpaceCheck& space) {
  if (space.checked() == "assigned_bytes") {
    return {space.reserved_bytes(), space.assigned_bytes()};
  }
  return {space.reserved_bytes(), std::nullopt};
}

// Returns the baseline of the growth.
std::string BaselineText(const SpaceCheck& space) {
  if (!space.has_baseline_reserved_bytes()) return "";
  ReservedBytes baseline = {space.baseline_reserved_bytes(), std::nullopt};
  if (space.has_assigned_bytes() && space.has_baseline_assigned_bytes()) {
    baseline.assigned_bytes = space.baseline_assigned_bytes();
  }
  return ReservedBytesText(baseline);
}

// Returns the memory spaces of modules that are over budget, one per row.
std::vector<Row> RowsOf(const MemoryCheck& check) {
  std::vector<Row> rows;
  for (const ModuleCheck& module : check.modules()) {
    for (const auto& [number, space] :
         SortedByKey(module.by_memory_space().spaces())) {
      if (!IsOver(*space)) continue;
      rows.push_back({module.module(), HumanMemorySpace(number, space->name()),
                      ReservedBytesText(CheckedOf(*space)),
                      HumanBytes(space->budget_bytes()),
                      HumanBytes(space->over_bytes()), BaselineText(*space),
                      space->has_growth_percent()
                          ? absl::StrFormat("%+.2f%%", space->growth_percent())
                          : "",
                      LimitText(*space)});
    }
    const ScopedCheck& scoped = module.scoped_vmem();
    if (scoped.over_bytes() > 0) {
      rows.push_back({module.module(), OverScopedText(scoped),
                      HumanBytes(scoped.largest_bytes()),
                      HumanBytes(check.max_scoped_bytes()),
                      HumanBytes(scoped.over_bytes()), "", "", "--max-scoped"});
    }
  }
  return rows;
}

}  // namespace

std::string CheckSentence(const MemoryCheck& check) {
  int64_t over = 0;
  int64_t unknown = 0;
  int64_t assigned = 0;
  int64_t without_scoped = 0;
  for (const ModuleCheck& module : check.modules()) {
    unknown += module.has_reason();
    const bool lacks_scoped =
        module.has_scoped_vmem() && !module.scoped_vmem().has_largest_bytes();
    bool is_over = module.scoped_vmem().over_bytes() > 0;
    bool is_assigned = false;
    for (const auto& [number, space] : module.by_memory_space().spaces()) {
      is_over |= IsOver(space);
      is_assigned |= CheckedOf(space).is_assigned();
    }
    over += is_over;
    without_scoped += lacks_scoped && !is_over;
    assigned += is_assigned;
  }
  const int64_t all = check.modules_size();
  const int64_t within = all - over - unknown - without_scoped;
  const std::string by_xla =
      assigned == 0 ? ""
      : assigned == all
          ? ", by XLA's own assignment"
          : absl::StrCat(", ", HumanCount(assigned), " of ", HumanCount(all),
                         " by XLA's own assignment");
  std::vector<std::string> parts;
  if (over > 0) {
    parts.push_back(
        absl::StrCat(HumanCount(over), " of ", HumanQuantity(all, "module"),
                     over == 1 ? " is" : " are", " over budget", by_xla));
  } else if (within > 0) {
    parts.push_back(absl::StrCat(HumanQuantity(within, "module"),
                                 within == 1 ? " is" : " are", " within budget",
                                 by_xla));
  }
  if (unknown > 0) {
    parts.push_back(absl::StrCat(HumanQuantity(unknown, "module"),
                                 " could not be checked"));
  }
  if (without_scoped > 0) {
    parts.push_back(absl::StrCat("the scoped VMEM of ",
                                 HumanQuantity(without_scoped, "module"),
                                 " is not known: only XLA's dump after code "
                                 "generation, *after_codegen.txt, has it"));
  }
  if (!check.is_within_budget() && over + unknown + without_scoped == 0) {
    parts.push_back("not all could be read");
  }
  return absl::StrJoin(parts, "; ");
}

std::string CheckToText(const MemoryCheck& check, const Display& display) {
  std::vector<Table::Column> columns;
  for (const std::string& title : Titles()) {
    const bool is_number = 2 <= columns.size() && columns.size() <= 6;
    columns.push_back({title, is_number ? Table::kRight : Table::kLeft});
  }
  Table table(columns);
  for (Row& row : RowsOf(check)) table.AddRow(std::move(row));
  return absl::StrCat(CheckSentence(check), "\n",
                      table.empty() ? "" : table.ToString("  ", display));
}

std::string CheckToMarkdown(const MemoryCheck& check) {
  std::string out = absl::StrCat("**Memory: ", CheckSentence(check), ".**\n");
  const std::vector<Row> rows = RowsOf(check);
  if (rows.empty()) return out;
  const auto add = [&out](const Row& row) {
    absl::StrAppend(
        &out, "| ",
        absl::StrJoin(row, " | ",
                      [](std::string* line, std::string_view cell) {
                        line->append(absl::StrReplaceAll(
                            AbslView(cell), {{"|", "\\|"}, {"\n", " "}}));
                      }),
        " |\n");
  };
  out += "\n";
  add(Titles());
  out += "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |\n";
  for (const Row& row : rows) add(row);
  return out;
}

}  // namespace tessera
