// The report on the peak for people.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/hlo/origin_text.h"
#include "tessera/report/hlo/plot.h"
#include "tessera/report/hlo/reserved_text.h"
#include "tessera/report/hlo/sorted_by_key.h"
#include "tessera/report/text/bar.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/report/text/padding_text.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace {

// A terminal of this many columns is wide.
constexpr int kWideEnough = 100;
constexpr int kVeryWide = 140;

// Compilers choose long names, and the shape should be visible next to them.
constexpr int kNarrowName = 20;
constexpr int kWideName = 32;
std::string NameText(std::string_view name, int columns,
                     const Display& display) {
  return display.is_terminal() ? Shortened(name, columns, display)
                               : std::string(name);
}

int64_t PaddingOf(const PeakBuffer& buffer) {
  return buffer.padded_bytes() - buffer.unpadded_bytes();
}

// Returns the place of an instruction: only the innermost computations, because
// calls may be deep.
std::string PathText(std::string_view path) {
  constexpr size_t kMost = 100;
  constexpr std::string_view kBetween = " / ";
  if (path.size() <= kMost) return StrCat("in ", path);
  std::string_view end = path.substr(path.size() - kMost);
  const size_t at = end.find(kBetween);
  if (at != end.npos) end.remove_prefix(at);
  return StrCat("in ...", end);
}

std::string NoteText(const std::string& blame, const PeakBuffer& buffer,
                     const Display& display) {
  std::vector<std::string> notes;
  if (buffer.has_same_place_as()) {
    notes.push_back(absl::StrCat("same place as ", buffer.same_place_as()));
  }
  if (buffer.is_donated()) notes.push_back("donated");
  if (buffer.has_path()) notes.push_back(PathText(buffer.path()));
  notes.push_back(blame);
  notes.push_back(OriginText(buffer.source_line(), buffer.op_name(), display));
  return JoinNotes(std::move(notes));
}

// "param.46{3}"
std::string ArrayName(const PeakBuffer& buffer) {
  return absl::StrCat(buffer.instruction(),
                      buffer.index().empty()
                          ? ""
                          : ShapeIndexToString(ShapeIndex(
                                buffer.index().begin(), buffer.index().end())));
}

// Arrays that differ only in their instruction and their steps.
struct Alike {
  std::vector<const PeakBuffer*> buffers;

  int64_t bytes() const {
    return buffers[0]->padded_bytes() * static_cast<int64_t>(buffers.size());
  }
  int64_t padding() const {
    return PaddingOf(*buffers[0]) * static_cast<int64_t>(buffers.size());
  }
};

// Sorts by decreasing bytes. Arrays in the place of another one are not
// grouped, and follow it.
std::vector<Alike> GroupAlike(
    const google::protobuf::RepeatedPtrField<PeakBuffer>& buffers) {
  std::map<std::string, size_t> by_key;
  std::vector<Alike> groups;
  for (int i = 0; i < buffers.size(); ++i) {
    const PeakBuffer& buffer = buffers[i];
    const bool is_shared =
        buffer.has_same_place_as() ||
        (i + 1 < buffers.size() && buffers[i + 1].has_same_place_as());
    if (is_shared || buffer.op_name().empty()) {
      groups.push_back({{&buffer}});
      continue;
    }
    const auto [entry, is_new] = by_key.try_emplace(
        absl::StrCat(buffer.shape(), "\n", buffer.op_name(), "\n",
                     buffer.kind(), "\n", buffer.path(), "\n",
                     buffer.source_line(), "\n", buffer.padded_bytes()),
        groups.size());
    if (is_new) groups.emplace_back();
    groups[entry->second].buffers.push_back(&buffer);
  }
  // An array that shares a place follows the owner of the place.
  std::vector<std::vector<Alike>> runs;
  for (Alike& group : groups) {
    if (runs.empty() || !group.buffers[0]->has_same_place_as()) {
      runs.emplace_back();
    }
    runs.back().push_back(std::move(group));
  }
  std::stable_sort(
      runs.begin(), runs.end(),
      [](const std::vector<Alike>& a, const std::vector<Alike>& b) {
        return a[0].bytes() > b[0].bytes();
      });
  std::vector<Alike> sorted;
  for (std::vector<Alike>& run : runs) {
    for (Alike& group : run) sorted.push_back(std::move(group));
  }
  return sorted;
}

Table LiveTable(const std::vector<Alike>& groups, int64_t of_bytes,
                const Display& display) {
  const bool has_padding =
      std::any_of(groups.begin(), groups.end(),
                  [](const Alike& group) { return group.padding() > 0; });
  // On a narrow terminal, facts without a column are below the row.
  const bool is_wide =
      display.columns >= (has_padding ? kVeryWide : kWideEnough);
  Table table({{"bytes", Table::kRight},
               {"padding", Table::kRight, has_padding},
               {"of all", Table::kRight},
               {"", Table::kLeft, is_wide},
               {"steps", Table::kRight},
               {"kind", Table::kLeft},
               {"instruction", Table::kLeft},
               {"padded most", Table::kLeft, has_padding && is_wide},
               {"shape", Table::kLeft}});
  constexpr int kBarColumns = 8;
  for (const Alike& group : groups) {
    const PeakBuffer& buffer = *group.buffers[0];
    const size_t count = group.buffers.size();
    const std::string name =
        NameText(ArrayName(buffer), is_wide ? kWideName : kNarrowName, display);
    const std::string blame = HumanBlame(buffer.most_padded(), Arrow(display));
    table.AddRow(
        {HumanBytes(group.bytes()),
         HumanPercent(group.padding(), group.bytes()),
         HumanPercent(group.bytes(), of_bytes),
         is_wide ? Bar(group.bytes() - group.padding(), group.padding(),
                       of_bytes, kBarColumns, display)
                 : "",
         absl::StrCat(buffer.first(), display.unicode ? "\u2013" : "-",
                      buffer.last()),
         buffer.kind(),
         count == 1 ? name : absl::StrCat(name, " and ", count - 1, " more"),
         blame,
         absl::StrCat(
             count == 1
                 ? ""
                 : absl::StrCat(count, display.unicode ? " \u00d7 " : " x ",
                                HumanBytes(buffer.padded_bytes()), " "),
             buffer.has_shape() ? buffer.shape() : "(the table of a tuple)")});
    table.AddNote(NoteText(is_wide ? "" : blame, buffer, display));
  }
  return table;
}

// Returns the arrays that are live at a step, the largest first.
std::string LiveText(
    const google::protobuf::RepeatedPtrField<PeakBuffer>& buffers, int64_t all,
    int64_t of_bytes, int64_t top, const std::string& when,
    const Display& display) {
  std::vector<Alike> groups = GroupAlike(buffers);
  const bool is_cut = static_cast<int64_t>(groups.size()) > top;
  if (is_cut) groups.resize(top);
  if (groups.empty()) return "";
  return StrCat(
      kIndent, HumanQuantity(all, "array"), " live ", when,
      is_cut ? absl::StrCat(", the largest in ", HumanQuantity(top, "row"))
             : "",
      "\n", LiveTable(groups, of_bytes, display).ToString(kIndent, display));
}

// Returns the bytes that XLA reserves, and their parts.
std::string ReservedText(const SpacePeak& space, const Display& display) {
  if (!space.has_reserved_bytes()) return "";
  // XLA's own fragmentation stands next to its assignment.
  const int64_t gaps =
      space.has_assigned_bytes()
          ? 0
          : space.temporary_bytes() - space.temporary_peak_bytes();
  return StrCat(
      kIndent, "reserved ", space.is_lower_bound() ? "at least " : "",
      Paint(HumanBytes(space.reserved_bytes()), Color::kYellow, display),
      space.has_reserved_within_bytes()
          ? absl::StrCat(", within ", HumanBytes(space.reserved_within_bytes()))
          : "",
      space.has_limit_bytes()
          ? absl::StrCat(", of ", HumanBytes(space.limit_bytes()),
                         " for arrays")
          : "",
      ReservedPartsText(space),
      gaps > 0 ? absl::StrCat(" (", HumanBytes(gaps), " of it fragmentation)")
               : "",
      space.reserved_unpadded_bytes() != space.reserved_bytes()
          ? absl::StrCat("; ", HumanBytes(space.reserved_unpadded_bytes()),
                         " without padding")
          : "",
      "\n");
}

// Returns the difference of the computed bytes from XLA's own number.
std::string NearnessText(const SpacePeak& space) {
  const int64_t off = space.reserved_bytes() - space.assigned_bytes();
  if (off == 0) return "; computed: the same";
  return absl::StrCat(
      "; computed: ", space.is_lower_bound() && off < 0 ? "at least " : "",
      HumanBytes(space.reserved_bytes()), ", ", HumanBytes(std::abs(off)),
      off > 0 ? " more" : " less");
}

// Returns the bytes that XLA itself assigned, if they are known.
std::string AssignedText(const SpacePeak& space, const Display& display) {
  if (!space.has_assigned_bytes()) return "";
  const int64_t lost = space.fragmentation_bytes();
  // As the bytes, without thread-local ones.
  const int64_t count =
      std::count_if(space.allocations().begin(), space.allocations().end(),
                    [](const AllocationSummary& allocation) {
                      return allocation.kind() != "thread-local";
                    });
  return StrCat(
      kIndent, "assigned ",
      Paint(HumanBytes(space.assigned_bytes()), Color::kYellow, display),
      " by XLA in ", HumanQuantity(count, "allocation"),
      lost > 0 ? absl::StrCat(" (", HumanBytes(lost), " of it fragmentation)")
               : "",
      NearnessText(space), "\n");
}

// If nothing is live in a space of XLA's assignment, there is no such
// instruction.
std::string PeakPlace(const SpacePeak& space) {
  if (space.peak_opcode().empty()) return "";
  return absl::StrCat(
      " at step ", space.peak_position(), ", ", space.peak_opcode(),
      space.peak_instruction().empty() ? "" : " ", space.peak_instruction(),
      space.has_peak_path() ? absl::StrCat(" ", PathText(space.peak_path()))
                            : "");
}

// Returns the outputs that lie in parameters, and those that could.
std::string DonationText(const SpacePeak& space) {
  std::string out;
  if (space.donated_result_bytes() > 0) {
    StrAppend(&out, kIndent, HumanBytes(space.donated_result_bytes()),
              " of results share donated parameters\n");
  }
  if (space.donatable_bytes() > 0) {
    constexpr int kMost = 3;
    std::vector<std::string> names;
    for (const PeakBuffer& buffer : space.donatable()) {
      if (names.size() == kMost) break;
      names.push_back(ArrayName(buffer));
    }
    const int more = space.donatable_size() - static_cast<int>(names.size());
    StrAppend(&out, kIndent, "donating ", absl::StrJoin(names, ", "),
              more > 0 ? absl::StrCat(" and ", more, " more") : "",
              " would save up to ", HumanBytes(space.donatable_bytes()),
              " of outputs\n");
  }
  return out;
}

// Returns the bytes that sharing of memory saves.
std::string UnsharedText(const SpacePeak& space) {
  if (space.unshared_peak_bytes() <= space.peak_bytes()) return "";
  return StrCat(kIndent, "unshared ", HumanBytes(space.unshared_peak_bytes()),
                ": the peak if no value shared the place of another\n");
}

std::string SpaceText(int64_t number, const SpacePeak& space,
                      const ModulePeak& peak, int64_t top,
                      const Display& display) {
  const int64_t padding = space.peak_bytes() - space.peak_unpadded_bytes();
  std::string out = absl::StrCat(
      "\n",
      Paint(HumanMemorySpace(number, space.name()), Color::kBold, display),
      ": peak ", Paint(HumanBytes(space.peak_bytes()), Color::kYellow, display),
      padding > 0 ? absl::StrCat(", ", HumanBytes(padding), " (",
                                 HumanPercent(padding, space.peak_bytes()),
                                 ") of it padding,")
                  : "",
      PeakPlace(space), "\n");
  absl::StrAppend(&out, ReservedText(space, display),
                  AssignedText(space, display), DonationText(space),
                  UnsharedText(space));
  constexpr int kWidest = 72;
  constexpr int kLabels = 12;
  PlotSize size;
  size.columns = std::min(kWidest, display.columns - kLabels);
  // A constant series is not drawn.
  const bool is_level =
      std::all_of(space.bytes().begin(), space.bytes().end(),
                  [&](int64_t bytes) { return bytes == space.peak_bytes(); });
  if (!is_level) {
    out += Plot(space.bytes(), space.peak_position(), size, kIndent, display);
  }
  if (space.has_bytes_at_step()) {
    return StrCat(
        out, kIndent, "at step ", peak.at(), ", ",
        peak.step_instructions(peak.at()), ": ",
        Paint(HumanBytes(space.bytes_at_step()), Color::kYellow, display),
        " in use\n",
        LiveText(space.live_at_step(), space.arrays_at_step(),
                 space.bytes_at_step(), top, "then", display));
  }
  return absl::StrCat(
      out,
      LiveText(space.live_at_peak(), space.arrays_at_peak(), space.peak_bytes(),
               top, is_level ? "then, and all the time" : "then", display));
}

// Returns the reasons why the numbers may be too small or too large.
std::vector<std::string> Doubts(const ModulePeak& peak) {
  std::vector<std::string> doubts;
  auto add = [&](int64_t count, const char* one, const char* several) {
    if (count > 0) {
      doubts.push_back(
          absl::StrCat(HumanCount(count), " ", count == 1 ? one : several));
    }
  };
  add(peak.instructions_without_shape(), "instruction without a shape",
      "instructions without a shape");
  add(peak.skipped_arrays(), "array with an unbounded dimension",
      "arrays with an unbounded dimension");
  add(peak.unresolved(), "unresolved operand or alias",
      "unresolved operands or aliases");
  add(peak.unresolved_calls(), "call", "calls");
  add(peak.unclosed_computations(), "computation that breaks off",
      "computations that break off");
  return doubts;
}

}  // namespace

std::string PeakToText(const ModulePeak& peak, int64_t top,
                       const Display& display) {
  std::string out = StrCat(Paint(Printable(peak.file()), Color::kBold, display),
                           "\n", kIndent, ModuleText(peak.module()));
  if (!peak.has_by_memory_space()) {
    return StrCat(out, "\n", kIndent, "peak: not known; ", peak.reason(), "\n");
  }
  absl::StrAppend(
      &out, peak.target() == "none" ? "" : " for ",
      peak.target() == "none" ? "" : peak.target(), ", ",
      HumanQuantity(peak.instructions(), "instruction"), " in ",
      peak.entry().empty() ? "its entry computation" : peak.entry(),
      peak.steps() == peak.instructions()
          ? ""
          : absl::StrCat(", ", HumanQuantity(peak.steps(), "step"),
                         " including the computations that it runs"),
      ", numbered from 0\n");
  if (peak.is_text_order_assumed()) {
    StrAppend(&out, kIndent,
              "assumed: the instructions run in the order of the text; "
              "the module is not scheduled\n");
  }
  if (StrContains(peak.file(), "before_buffer_assignment")) {
    StrAppend(&out, kIndent,
              "memory spaces are not assigned yet: XLA dumped the module "
              "before buffer assignment\n");
  }
  StrAppend(&out, kIndent,
            "peak: most bytes in use at one step; reserved: what XLA "
            "allocates for the whole run\n");
  const std::vector<std::string> doubts = Doubts(peak);
  if (!doubts.empty()) {
    StrAppend(&out, kIndent,
              "not counted, or not fully: ", absl::StrJoin(doubts, ", "), "\n");
  }
  if (peak.by_memory_space().spaces().empty()) {
    StrAppend(&out, kIndent, "the module has no arrays\n");
  }
  for (const auto& [number, space] :
       SortedByKey(peak.by_memory_space().spaces())) {
    // XLA has empty allocations in spaces that a program does not use.
    if (space->peak_opcode().empty() && space->assigned_bytes() == 0) continue;
    out += SpaceText(number, *space, peak, top, display);
  }
  out += ScopedVmemText(peak.scoped_vmem(), top, display);
  if (peak.has_memory_analysis()) {
    out += MemoryAnalysisText(peak.memory_analysis(), peak.target(), display);
  }
  return out;
}

}  // namespace tessera
