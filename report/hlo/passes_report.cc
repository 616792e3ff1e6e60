#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/hlo/origin_text.h"
#include "tessera/report/text/csv.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"

namespace tessera {
namespace {

std::string NumberText(const PassName& pass) {
  return pass.has_number() ? absl::StrCat(pass.number()) : "";
}

// "dot.1 f32[256,256]{1,0} (dot)"
std::string ArrayText(const PassArray& array) {
  return absl::StrCat(array.instruction(), " ", array.shape(), " (",
                      array.opcode(), ")");
}

// "largest new: 256 KiB dot.1 f32[256,256]{1,0} (dot)  model.py:12  jit(f)/dot"
std::string LargestNewText(const ModulePass& pass, const Display& display) {
  if (pass.new_arrays().empty()) return "";
  const PassArray& array = pass.new_arrays(0);
  return JoinNotes(
      {absl::StrCat(pass.new_count() > 1 ? "largest new: " : "new: ",
                    HumanBytes(array.bytes()), " ", ArrayText(array)),
       OriginText(array.source_line(), array.op_name(), display)});
}

Table PassTable() {
  return Table({{"dump", Table::kRight},
                {"bytes", Table::kRight},
                {"change", Table::kRight},
                {"new", Table::kRight},
                {"gone", Table::kRight},
                {"changed", Table::kRight},
                {"after the pass", Table::kLeft}});
}

void AddPass(const ModulePass& pass, const Display& display, Table* table) {
  table->AddRow({NumberText(pass.pass_name()), HumanBytes(pass.bytes()),
                 ChangeText(pass.before_bytes(), pass.bytes(), display),
                 HumanCount(pass.new_count()), HumanCount(pass.gone_count()),
                 HumanCount(pass.changed_count()),
                 PassNameText(pass.pass_name())});
  table->AddNote(LargestNewText(pass, display));
}

void AddUnchanged(int64_t count, Table* table) {
  if (count == 0) return;
  table->AddRow(
      {"", "", "", "", "", "",
       absl::StrCat("(", HumanQuantity(count, "dump"),
                    count == 1 ? " changes" : " change", " no array)")});
}

// "as dot.1 (dot); changed by assign/tiles"
std::string HistoryText(const PassArray& array) {
  std::string text;
  if (array.made_as() != array.instruction()) {
    text =
        absl::StrCat("as ", array.made_as(), " (", array.made_as_opcode(), ")");
  }
  if (array.has_changed_by()) {
    absl::StrAppend(&text, text.empty() ? "" : "; ", "changed by ",
                    PassNameText(array.changed_by()));
  }
  return text;
}

}  // namespace

std::string PassNameText(const PassName& pass) {
  return pass.pipeline().empty()
             ? Printable(pass.name())
             : Printable(absl::StrCat(pass.pipeline(), "/", pass.name()));
}

bool ChangesArrays(const ModulePass& pass) {
  return pass.new_count() > 0 || pass.gone_count() > 0 ||
         pass.changed_count() > 0;
}

std::string PassesToText(const ModulePasses& passes, const Display& display) {
  std::string out =
      StrCat(Paint(Printable(passes.files()), Color::kBold, display), "\n",
             kIndent, ModuleText(passes.module()), ": ",
             HumanQuantity(passes.passes_size(), "dump"), "\n\n");
  Table table = PassTable();
  int64_t unchanged = 0;
  for (int i = 0; i < passes.passes_size(); ++i) {
    const ModulePass& pass = passes.passes(i);
    if (i == 0) {
      table.AddRow({NumberText(pass.pass_name()), HumanBytes(pass.bytes()), "",
                    "", "", "", PassNameText(pass.pass_name())});
    } else if (ChangesArrays(pass)) {
      AddUnchanged(unchanged, &table);
      unchanged = 0;
      AddPass(pass, display, &table);
    } else {
      ++unchanged;
    }
  }
  AddUnchanged(unchanged, &table);
  absl::StrAppend(&out, table.ToString(kIndent, display));
  if (passes.arrays().empty()) return out;

  const int64_t all = passes.array_count();
  const int64_t shown = passes.arrays_size();
  StrAppend(
      &out, "\n", kIndent, HumanQuantity(all, "array"), " in the last dump",
      shown < all ? absl::StrCat(", the largest ", HumanCount(shown)) : "",
      "\n");
  Table arrays({{"bytes", Table::kRight},
                {"first in the dump after", Table::kLeft},
                {"instruction", Table::kLeft}});
  for (const PassArray& array : passes.arrays()) {
    arrays.AddRow({HumanBytes(array.bytes()), PassNameText(array.made_by()),
                   ArrayText(array)});
    arrays.AddNote(
        JoinNotes({HistoryText(array),
                   OriginText(array.source_line(), array.op_name(), display)}));
  }
  return absl::StrCat(out, arrays.ToString(kIndent, display));
}

std::string PassesChangeText(const PassesChange& passes,
                             const Display& display) {
  std::string out =
      StrCat(kIndent, HumanQuantity(passes.before_dumps(), "dump"), " before, ",
             HumanQuantity(passes.after_dumps(), "dump"), " after: ");
  if (!passes.has_before_next() && !passes.has_after_next()) {
    return absl::StrCat(out, "the last have the same arrays\n");
  }
  if (passes.has_before_alike()) {
    const std::string before = PassNameText(passes.before_alike());
    const std::string after = PassNameText(passes.after_alike());
    absl::StrAppend(&out, "the same arrays for the last time after ", before,
                    before == after ? "" : absl::StrCat(" and ", after), "\n");
  } else {
    absl::StrAppend(&out, "no two have the same arrays\n");
  }
  const auto add = [&](const char* side, bool has_next,
                       const ModulePass& next) {
    if (!has_next) {
      StrAppend(&out, kIndent, side, ": no pass follows\n");
      return;
    }
    Table table = PassTable();
    AddPass(next, display, &table);
    StrAppend(&out, "\n", kIndent, side, ", next:\n",
              table.ToString(kIndent, display));
  };
  add("before", passes.has_before_next(), passes.before_next());
  add("after", passes.has_after_next(), passes.after_next());
  return out;
}

std::string PassesCsvTitles() {
  return CsvLine({"module",
                  "file",
                  "number",
                  "pipeline",
                  "pass",
                  "instructions",
                  "arrays",
                  "bytes",
                  "new_arrays",
                  "new_bytes",
                  "gone_arrays",
                  "gone_bytes",
                  "changed_arrays",
                  "changed_before_bytes",
                  "changed_after_bytes",
                  "largest_new",
                  "largest_new_opcode",
                  "largest_new_shape",
                  "largest_new_bytes",
                  "largest_new_source_line"});
}

std::string PassesToCsv(const ModulePasses& passes) {
  std::string out;
  for (const ModulePass& pass : passes.passes()) {
    const bool has_new = !pass.new_arrays().empty();
    const PassArray largest = has_new ? pass.new_arrays(0) : PassArray();
    out += CsvCells(
        passes.module(), pass.pass_name().file(), NumberText(pass.pass_name()),
        pass.pass_name().pipeline(), pass.pass_name().name(),
        pass.instructions(), pass.array_count(), pass.bytes(), pass.new_count(),
        pass.new_bytes(), pass.gone_count(), pass.gone_bytes(),
        pass.changed_count(), pass.changed_before_bytes(),
        pass.changed_after_bytes(), largest.instruction(), largest.opcode(),
        largest.shape(), has_new ? absl::StrCat(largest.bytes()) : "",
        largest.source_line());
  }
  return out;
}

}  // namespace tessera
