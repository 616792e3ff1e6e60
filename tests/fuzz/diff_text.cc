#include "tests/fuzz/diff_text.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/hlo/diff/change_groups.h"
#include "tessera/hlo/diff/dump_diff.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/report/page/page_writer.h"
#include "tessera/service/questions/hlo/hlo_diff_question.h"
#include "tessera/service/service_options.h"
#include "tessera/service/utf8.h"

namespace tessera {
namespace {

bool AreSwapped(const TotalsChange& a, const TotalsChange& b) {
  return a.before.padded_bytes == b.after.padded_bytes &&
         a.after.padded_bytes == b.before.padded_bytes &&
         a.before.unpadded_bytes == b.after.unpadded_bytes &&
         a.after.unpadded_bytes == b.before.unpadded_bytes;
}

std::string PeakProblem(const PeakChange& peak, const PeakChange& reverse) {
  if (peak.before != reverse.after || peak.after != reverse.before) {
    return "another peak from the other side";
  }
  if (peak.assigned_before.has_value() || peak.assigned_after.has_value()) {
    return "";
  }
  int64_t difference = 0;
  for (const ArrayChange& change : peak.changes) {
    difference += change.after_bytes - change.before_bytes;
  }
  return difference == peak.after - peak.before
             ? ""
             : absl::StrCat("changes at the peak of ", difference,
                            " bytes, from ", peak.before, " to ", peak.after);
}

std::string ModuleProblem(const ModuleDiff& module, const ModuleDiff& reverse) {
  if (module.appeared != reverse.vanished ||
      module.vanished != reverse.appeared) {
    return absl::StrCat(module.appeared, " appear and ", module.vanished,
                        " vanish, and ", reverse.appeared, " and ",
                        reverse.vanished, " the other way");
  }
  if (!AreSwapped(module.total, reverse.total)) return "sums that differ";
  if (module.by_memory_space.size() != reverse.by_memory_space.size()) {
    return "other memory spaces from the other side";
  }
  for (const auto& [space, change] : module.by_memory_space) {
    const auto other = reverse.by_memory_space.find(space);
    if (other == reverse.by_memory_space.end() ||
        !AreSwapped(change, other->second)) {
      return "sums of a memory space that differ";
    }
  }
  if (module.peaks.has_value() != reverse.peaks.has_value()) {
    return "peaks from one side alone";
  }
  if (module.peaks.has_value()) {
    for (const auto& [space, peak] : *module.peaks) {
      const auto other = reverse.peaks->find(space);
      if (other == reverse.peaks->end()) return "a peak from one side alone";
      const std::string problem = PeakProblem(peak, other->second);
      if (!problem.empty()) return problem;
    }
  }
  int64_t grouped = 0;
  for (const ChangeGroup& group : GroupChanges(module.changes)) {
    grouped += group.changes.size();
  }
  return grouped == static_cast<int64_t>(module.changes.size())
             ? ""
             : "changes in no group, or in two";
}

int64_t CountOf(std::string_view word, std::string_view text) {
  int64_t count = 0;
  for (size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    ++count;
  }
  return count;
}

absl::StatusOr<std::string> PageOf(const HloDump& before, const HloDump& after,
                                   const std::string& name) {
  DiffResult changes;
  const absl::Status status = FillDiff(ServiceOptions::Unlimited(), before,
                                       after, DiffTable(), &changes);
  if (!status.ok()) return status;
  absl::StatusOr<SummarizeResult> summary =
      PageSummary(name, after, MemoryOptions(), HloAssignments());
  if (!summary.ok()) return summary.status();
  PageWriter page(name);
  page.Add(*std::move(summary));
  page.SetChanges(std::move(changes));
  return std::move(page).ToHtml();
}

std::string PageProblem(const HloDump& before, const HloDump& after,
                        std::string_view text) {
  const absl::StatusOr<std::string> html =
      PageOf(before, after, std::string(text.substr(0, 64)));
  if (!html.ok()) {
    return absl::IsResourceExhausted(html.status()) ||
                   absl::IsOutOfRange(html.status())
               ? ""
               : html.status().ToString();
  }
  static const std::string* const plain = [] {
    const HloDump empty = *ParseHlo("HloModule m");
    return new std::string(*PageOf(empty, empty, "m"));
  }();
  if (!IsUtf8(*html)) return "a page that is not UTF-8";
  for (const std::string_view word : {"<script", "</script", "<!--"}) {
    if (CountOf(word, *html) != CountOf(word, *plain)) {
      return absl::StrCat("a page with ", word.data(), " out of a dump");
    }
  }
  return "";
}

}  // namespace

std::string DiffTextProblem(std::string_view text) {
  constexpr std::string_view kBetween = "\n----\n";
  const size_t between = text.find(kBetween);
  const absl::StatusOr<HloDump> before = ParseHloView(text.substr(0, between));
  const absl::StatusOr<HloDump> after = ParseHloView(
      between == text.npos ? "" : text.substr(between + kBetween.size()));
  if (!before.ok() || !after.ok()) return "";
  const DumpDiff diff = DiffDumps(*before, *after);
  const DumpDiff reverse = DiffDumps(*after, *before);
  if (diff.modules.size() != reverse.modules.size()) return "other modules";
  for (size_t i = 0; i < diff.modules.size(); ++i) {
    const std::string problem =
        ModuleProblem(diff.modules[i], reverse.modules[i]);
    if (!problem.empty()) return problem;
  }
  return PageProblem(*before, *after, text);
}

}  // namespace tessera
