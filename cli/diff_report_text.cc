// The report on two dumps for people.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tessera/cli/diff_report.h"
#include "tessera/cli/hlo_input.h"
#include "tessera/cli/table.h"
#include "tessera/cli/units.h"

namespace tessera {
namespace {

constexpr absl::string_view kIndent = "  ";

// Red is more memory, green is less.
std::string ChangeText(int64_t before, int64_t after, const Display& display) {
  if (before == after) return "same";
  const bool is_more = after > before;
  return Paint(
      absl::StrCat(is_more ? "+" : "-",
                   HumanBytes(is_more ? after - before : before - after)),
      is_more ? Color::kRed : Color::kGreen, display);
}

absl::string_view Arrow(const Display& display) {
  return display.unicode ? " \u2192 " : " -> ";
}

// What an array was and is: what both have in common once.
std::string ShapesText(const ArrayChange& change, const Display& display) {
  if (change.appeared()) return change.after_shape->ToString();
  if (change.vanished()) return change.before_shape->ToString();
  const std::string before = change.before_shape->ToString();
  const std::string after = change.after_shape->ToString();
  const size_t brace = before.find('{');
  // The layouts alone, where the dimensions are the same.
  const bool is_same_array =
      brace != std::string::npos &&
      after.compare(0, brace + 1, before, 0, brace + 1) == 0;
  return absl::StrCat(before, Arrow(display),
                      is_same_array ? after.substr(brace) : after);
}

std::string NamesText(const ArrayChange& change, const Display& display) {
  std::string name(change.before.has_value() ? change.before->name()
                                             : change.after->name());
  if (change.before.has_value() && change.after.has_value() &&
      change.after->name() != name) {
    absl::StrAppend(&name, Arrow(display), change.after->name());
  }
  constexpr int kMost = 32;
  return display.is_terminal() ? Shortened(name, kMost, display) : name;
}

void AddTotals(const std::string& what, const MemoryTotals& before,
               const MemoryTotals& after, const Display& display,
               Table* table) {
  table->AddRow(
      {what, HumanBytes(before.padded_bytes), HumanBytes(after.padded_bytes),
       ChangeText(before.padded_bytes, after.padded_bytes, display),
       HumanBytes(after.padded_bytes - after.unpadded_bytes),
       ChangeText(before.padded_bytes - before.unpadded_bytes,
                  after.padded_bytes - after.unpadded_bytes, display)});
}

std::string ModuleDiffText(const ModuleDiff& module, int64_t top,
                           const Display& display) {
  const HloModule any =
      module.after.has_value() ? *module.after : *module.before;
  std::string out =
      absl::StrCat("\n", Paint(ModuleText(any), Color::kBold, display));
  if (!module.before.has_value()) {
    absl::StrAppend(&out, ": only in the second\n");
  } else if (!module.after.has_value()) {
    absl::StrAppend(&out, ": only in the first\n");
  } else {
    absl::StrAppend(
        &out, ": ",
        HumanQuantity(module.matched_by_name + module.matched_by_signature,
                      "instruction"),
        " in both, ", HumanCount(module.matched_by_signature),
        " of them under another name, ", HumanCount(module.appeared), " new, ",
        HumanCount(module.vanished), " gone\n");
  }

  Table totals({{"all results", Table::kLeft},
                {"before", Table::kRight},
                {"after", Table::kRight},
                {"change", Table::kRight},
                {"padding", Table::kRight},
                {"change", Table::kRight}});
  for (const auto& [space, change] : module.by_memory_space) {
    AddTotals(HumanMemorySpace(space), change.before, change.after, display,
              &totals);
  }
  if (!totals.empty()) {
    absl::StrAppend(&out, "\n", totals.ToString(kIndent, display));
  }
  if (module.peaks.has_value()) {
    Table peaks({{"peak", Table::kLeft},
                 {"before", Table::kRight},
                 {"after", Table::kRight},
                 {"change", Table::kRight}});
    for (const auto& [space, peak] : *module.peaks) {
      peaks.AddRow({HumanMemorySpace(space), HumanBytes(peak.before),
                    HumanBytes(peak.after),
                    ChangeText(peak.before, peak.after, display)});
    }
    if (!peaks.empty()) {
      absl::StrAppend(&out, "\n", peaks.ToString(kIndent, display));
    }
  }
  if (!module.no_peak.empty()) {
    absl::StrAppend(&out, "\n", kIndent, "peak: not known; ", module.no_peak,
                    "\n");
  }

  if (module.changes.empty()) {
    return absl::StrCat(out, "\n", kIndent, "no array has changed\n");
  }
  Table changes({{"change", Table::kRight},
                 {"what", Table::kLeft},
                 {"instruction", Table::kLeft},
                 {"shape", Table::kLeft}});
  const int64_t all = module.changes.size();
  const int64_t shown = std::min(all, top);
  for (int64_t i = 0; i < shown; ++i) {
    const ArrayChange& change = module.changes[i];
    changes.AddRow(
        {ChangeText(change.before_bytes, change.after_bytes, display),
         ArrayChangeText(change), NamesText(change, display),
         ShapesText(change, display)});
  }
  absl::StrAppend(
      &out, "\n", kIndent, HumanQuantity(all, "array"),
      all == 1 ? " has changed" : " have changed",
      shown < all ? absl::StrCat(", the ", shown, " that matter most") : "",
      "\n", changes.empty() ? "" : changes.ToString(kIndent, display));
  return out;
}

}  // namespace

std::string DiffReportToText(const DiffReport& report, const Display& display) {
  std::string out = absl::StrCat(
      Paint(report.before_file, Color::kBold, display), Arrow(display),
      Paint(report.after_file, Color::kBold, display), "\n");
  if (report.diff.modules.empty()) {
    absl::StrAppend(&out, kIndent, "there is no module in either\n");
  }
  for (const ModuleDiff& module : report.diff.modules) {
    out += ModuleDiffText(module, report.top, display);
  }
  return out;
}

}  // namespace tessera
