#include "tests/fuzz/hlo_text.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tessera/hlo/diff/change_groups.h"
#include "tessera/hlo/diff/dump_diff.h"
#include "tessera/hlo/diff/pass_history.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_printer.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/log_prefixes.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/memory/relayouts.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/hlo/strict_rules.h"

namespace tessera {
namespace {

class Checker : public HloHandler {
 public:
  explicit Checker(std::string_view text) : text_(text) {}

  void OnModule(const HloModuleText& module) override {
    ++counts_.modules;
    ExpectInside(module.name, text_);
    CheckAttributes(module.attributes);
  }

  void OnComputation(const HloComputationText& computation) override {
    ++counts_.computations;
    ++open_;
    Expect(computation.module != nullptr, "a computation in no module");
    ExpectInside(computation.name, text_);
    ExpectInside(computation.program_shape_text, text_);
    ExpectInside(computation.caller, text_);
    ExpectInside(computation.caller_attribute, text_);
  }

  void OnInstruction(const HloInstructionText& instruction) override {
    ++counts_.instructions;
    counts_.roots += instruction.is_root;
    counts_.operands += instruction.operands.size();
    Expect(open_ > 0 && instruction.computation != nullptr,
           "an instruction in no computation");
    ExpectInside(instruction.text, text_);
    Expect(End(instruction.text) > last_end_, "an instruction read twice");
    last_end_ = End(instruction.text);
    for (std::string_view part :
         {instruction.name, instruction.shape_text, instruction.opcode,
          instruction.operand_text}) {
      ExpectInside(part, instruction.text);
    }
    Expect(!instruction.opcode.empty(), "an instruction without an opcode");
    Expect((instruction.shape == nullptr) == instruction.shape_text.empty(),
           "a shape without its text, or the reverse");
    for (const HloOperandText& operand : instruction.operands) {
      Expect(!operand.text.empty(), "an empty operand");
      ExpectInside(operand.text, instruction.operand_text);
      ExpectInside(operand.name, operand.text);
      ExpectInside(operand.shape_text, operand.text);
      ExpectInside(operand.tuple_path, operand.text);
    }
    CheckAttributes(instruction.attributes);
  }

  void OnComputationEnd(const HloComputationText&,
                        absl::Span<const HloAttribute> attributes) override {
    --open_;
    CheckAttributes(attributes);
  }

  void OnDiagnostic(const Diagnostic& diagnostic) override {
    ++counts_.diagnostics;
    const int64_t offset = diagnostic.offset;
    if (offset < 0 || offset > static_cast<int64_t>(text_.size())) {
      return Expect(false, "a diagnostic outside the text");
    }
    const std::string_view before = text_.substr(0, offset);
    Expect(
        diagnostic.line == 1 + std::count(before.begin(), before.end(), '\n'),
        "a diagnostic on the wrong line");
    const size_t line_start = before.rfind('\n') + 1;
    Expect(diagnostic.column == offset - static_cast<int64_t>(line_start) + 1,
           "a diagnostic in the wrong column");
    Expect(!diagnostic.message.empty(), "a diagnostic that says nothing");
  }

  // Returns the first problem of the whole walk.
  std::string Finish(const HloCounts& counts) {
    Expect(open_ == 0, "a computation that does not end");
    Expect(counts.modules == counts_.modules &&
               counts.computations == counts_.computations &&
               counts.instructions == counts_.instructions &&
               counts.roots == counts_.roots &&
               counts.operands == counts_.operands &&
               counts.diagnostics == counts_.diagnostics,
           "counts that differ from what was handed over");
    return problem_;
  }

 private:
  static const char* End(std::string_view view) {
    return view.data() + view.size();
  }

  void Expect(bool holds, std::string_view problem) {
    if (!holds && problem_.empty()) problem_ = std::string(problem);
  }

  void ExpectInside(std::string_view part, std::string_view whole) {
    Expect(part.empty() ||
               (part.data() >= whole.data() && End(part) <= End(whole)),
           "a view outside of what it is a part of");
  }

  void CheckAttributes(absl::Span<const HloAttribute> attributes) {
    for (const HloAttribute& attribute : attributes) {
      Expect(!attribute.key.empty(), "an attribute without a key");
      ExpectInside(attribute.key, text_);
      ExpectInside(attribute.value, text_);
    }
  }

  std::string_view text_;
  HloCounts counts_;
  int64_t open_ = 0;
  const char* last_end_ = nullptr;
  std::string problem_;
};

// A dump after a pass that changed nothing.
std::string PassHistoryProblem(const HloDump& dump) {
  PassHistory history;
  const bool is_one_module = dump.modules().size() == 1;
  for (int i = 0; i < 2; ++i) {
    const absl::Status status = history.Add(DumpPass(), dump);
    if (status.ok() != is_one_module) {
      return absl::StrCat("a pass with ", dump.modules().size(),
                          " modules: ", status.ToString());
    }
  }
  if (!is_one_module) return "";
  const PassChange& change = history.passes()[1];
  if (change.has_changes() || change.new_instructions > 0 ||
      change.gone_instructions > 0) {
    return "a pass that changes a dump into itself";
  }
  const PassParting parting = PassParting::Of(history, history);
  if (parting.before_alike != 1 || parting.before_next != -1) {
    return "a compilation that parts from itself";
  }
  constexpr int64_t kRows = 5;
  for (const LastArray& array : history.LargestArrays(dump, kRows)) {
    if (array.origin.made_by != 0 || array.origin.changed_by != -1) {
      return "an array that no pass made";
    }
  }
  return "";
}

// The same of the module model, and of all that is computed from it.
std::string HloModelProblem(std::string_view text, const HloCounts& counts) {
  const absl::StatusOr<HloDump> dump = ParseHloView(text);
  if (!dump.ok()) return std::string(dump.status().message());
  if (dump->instructions().size() != counts.instructions) {
    return "a model of something else";
  }
  if (!ParseHloView(PrintHlo(*dump)).ok()) return "printed what is not read";
  HloParseOptions strict;
  strict.strict = true;
  if (ParseHloView(text, strict).ok() !=
      (FindHloObjections(*dump).empty() && dump->diagnostics().empty())) {
    return "read strictly in another way";
  }
  const MemoryReport report = ReportMemory(*dump);
  if (report.memory.instructions != counts.instructions) {
    return "a report on something else";
  }
  const MemoryTotals& total = report.memory.total;
  if (total.padded_bytes < total.unpadded_bytes) {
    return absl::StrCat(total.padded_bytes, " bytes padded, ",
                        total.unpadded_bytes, " unpadded");
  }
  for (const HloModule module : dump->modules()) {
    FindRelayouts(*dump, module);
    const absl::StatusOr<ModuleAnalysis> liveness =
        ModuleAnalysis::Of(*dump, module);
    if (!liveness.ok() && liveness.status().message().empty()) {
      return "an error that says nothing";
    }
  }
  for (const ModuleDiff& module : DiffDumps(*dump, *dump).modules) {
    const bool is_same = module.appeared == 0 && module.vanished == 0;
    if (!is_same || !GroupChanges(module.changes).empty()) {
      return "a dump that differs from itself";
    }
  }
  return PassHistoryProblem(*dump);
}

}  // namespace

std::string HloTextProblem(std::string_view text) {
  // ParseHlo reads the prefixes of a log, ReadHlo does not.
  std::string blanked(text);
  if (HasLogPrefixes(text)) BlankLogPrefixes(&blanked);
  HloShapeTable shapes;
  Checker checker(blanked);
  const HloCounts counts = ReadHlo(blanked, &shapes, &checker);
  const std::string problem = checker.Finish(counts);
  if (!problem.empty()) return problem;

  return HloModelProblem(text, counts);
}

}  // namespace tessera
