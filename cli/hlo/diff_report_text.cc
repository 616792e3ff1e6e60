// The report on two dumps for people.

#include <string>

#include "absl/strings/str_cat.h"
#include "tessera/cli/hlo/diff_report.h"
#include "tessera/cli/hlo/hlo_input.h"
#include "tessera/cli/hlo/sorted_by_key.h"
#include "tessera/cli/output/table.h"
#include "tessera/cli/output/units.h"

namespace tessera {
namespace cli {
// Red is more memory, green is less.
std::string ChangeText(int64_t before, int64_t after, const Display& display) {
  if (before == after) return "same";
  const bool is_more = after > before;
  return Paint(
      absl::StrCat(is_more ? "+" : "-",
                   HumanBytes(is_more ? after - before : before - after)),
      is_more ? Color::kRed : Color::kGreen, display);
}

namespace {

constexpr absl::string_view kIndent = "  ";

absl::string_view Arrow(const Display& display) {
  return display.unicode ? " \u2192 " : " -> ";
}

// What an array was and is: what both have in common once.
std::string ShapesText(const ChangedArray& change, const Display& display) {
  const std::string& before = change.before_shape();
  const std::string& after = change.after_shape();
  if (!change.has_before_shape()) return after;
  if (!change.has_after_shape()) return before;
  const size_t brace = before.find('{');
  // The layouts alone, where the dimensions are the same.
  const bool is_same_array =
      brace != std::string::npos &&
      after.compare(0, brace + 1, before, 0, brace + 1) == 0;
  return absl::StrCat(before, Arrow(display),
                      is_same_array ? after.substr(brace) : after);
}

std::string NamesText(const ChangedArray& change, const Display& display) {
  std::string name = change.has_before() ? change.before() : change.after();
  if (change.has_before() && change.has_after() && change.after() != name) {
    absl::StrAppend(&name, Arrow(display), change.after());
  }
  constexpr int kMost = 32;
  return display.is_terminal() ? Shortened(name, kMost, display) : name;
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
    absl::StrAppend(
        &out, ": ",
        HumanQuantity(module.matched_by_name() + module.matched_by_signature(),
                      "instruction"),
        " in both, ", HumanCount(module.matched_by_signature()),
        " of them under another name, ", HumanCount(module.appeared()),
        " new, ", HumanCount(module.vanished()), " gone\n");
  }

  Table totals({{"all results", Table::kLeft},
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
  if (module.is_text_order_assumed()) {
    absl::StrAppend(&out, "\n", kIndent,
                    "assumed: the instructions run in the order of the text\n");
  }
  if (module.has_peak_bytes()) {
    Table peaks({{"peak", Table::kLeft},
                 {"before", Table::kRight},
                 {"after", Table::kRight},
                 {"change", Table::kRight},
                 {"reserved before", Table::kRight},
                 {"after", Table::kRight},
                 {"change", Table::kRight}});
    for (const auto& [space, peak] :
         SortedByKey(module.peak_bytes().spaces())) {
      peaks.AddRow({HumanMemorySpace(space, peak->name()),
                    HumanBytes(peak->before()), HumanBytes(peak->after()),
                    ChangeText(peak->before(), peak->after(), display),
                    HumanBytes(peak->reserved_before()),
                    HumanBytes(peak->reserved_after()),
                    ChangeText(peak->reserved_before(), peak->reserved_after(),
                               display)});
    }
    if (!peaks.empty()) {
      absl::StrAppend(&out, "\n", peaks.ToString(kIndent, display));
    }
  }
  if (module.has_reason()) {
    absl::StrAppend(&out, "\n", kIndent, "peak: not known; ", module.reason(),
                    "\n");
  }

  if (module.change_count() == 0) {
    return absl::StrCat(out, "\n", kIndent, "no array has changed\n");
  }
  Table changes({{"change", Table::kRight},
                 {"what", Table::kLeft},
                 {"instruction", Table::kLeft},
                 {"shape", Table::kLeft}});
  for (const ChangedArray& change : module.changes()) {
    changes.AddRow(
        {ChangeText(change.before_bytes(), change.after_bytes(), display),
         change.change(), NamesText(change, display),
         ShapesText(change, display)});
  }
  const int64_t all = module.change_count();
  const int64_t shown = module.changes_size();
  absl::StrAppend(
      &out, "\n", kIndent, HumanQuantity(all, "array"),
      all == 1 ? " has changed" : " have changed",
      shown < all ? absl::StrCat(", the ", shown, " that matter most") : "",
      "\n", changes.empty() ? "" : changes.ToString(kIndent, display));
  return out;
}

}  // namespace

std::string DiffToText(const DiffResult& diff, const Display& display) {
  std::string out = absl::StrCat(
      Paint(diff.before_file(), Color::kBold, display), Arrow(display),
      Paint(diff.after_file(), Color::kBold, display), "\n");
  if (diff.modules().empty()) {
    absl::StrAppend(&out, kIndent, "neither dump has a module\n");
  }
  for (const ModuleChange& module : diff.modules()) {
    out += ModuleChangeText(module, display);
  }
  return out;
}

}  // namespace cli
}  // namespace tessera
