// Files that compilers printed, read whole, cut off anywhere and damaged.

#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/fuzz/hlo_text.h"
#include "tests/hlo/damage.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/line_counter.h"
#include "tests/hlo/walk.h"

namespace tessera {
namespace {

// Counted by hand with grep, and by a script.
struct Dump {
  const char* file;
  int64_t modules;
  int64_t computations;
  int64_t entries;
  int64_t instructions;
  int64_t roots;
  int64_t operands;
  // The one file that ends in the middle of a computation says so.
  int64_t diagnostics = 0;
};

constexpr Dump kDumps[] = {
    {"custom_call.hlo", 1, 10, 1, 29, 10, 19},
    {"fuzz_rand_000009.hlo", 1, 5, 1, 236, 5, 408},
    {"import_async.hlo", 18, 20, 11, 78, 20, 57},
    {"jax.issue.33666.linx.frag_0100.module_0005.hlo", 1, 5, 1, 137, 5, 183},
    {"kernel_reuse.hlo", 5, 21, 5, 98, 21, 105},
    {"layouts_and_names.hlo", 3, 3, 3, 9, 3, 6},
    {"sharded_computation.hlo", 1, 7, 1, 100, 7, 115},
    {"slice_to_dynamic.hlo", 1, 1, 1, 4, 1, 4},
    {"tpu_backbone.hlo", 1, 8, 1, 148, 8, 173},
    {"tpu_jit_f.after_optimizations.txt", 1, 2, 1, 7, 2, 5},
    {"tpu_maxtext_llama3_8b_2026-07-31.txt", 1, 176, 0, 1459, 175, 1465, 1},
    {"while.hlo", 1, 23, 1, 142, 23, 137},
};

class Recorder : public HloHandler {
 public:
  void OnComputation(const HloComputationText& computation) override {
    entries += computation.is_entry;
  }
  void OnInstruction(const HloInstructionText& instruction) override {
    instructions.push_back(instruction.text);
  }
  void OnDiagnostic(const Diagnostic& diagnostic) override {
    diagnostics.push_back(diagnostic);
  }

  HloCounts counts;
  int64_t entries = 0;
  std::vector<std::string_view> instructions;
  std::vector<Diagnostic> diagnostics;
};

Recorder Record(std::string_view text) {
  HloShapeTable shapes;
  Recorder recorder;
  recorder.counts = ReadHlo(text, &shapes, &recorder);
  return recorder;
}

TEST(HloDumps, CountsAgreeWithTheTableAndWithALineCounter) {
  for (const Dump& dump : kDumps) {
    const std::string text = ReadDump(dump.file);
    const Recorder got = Record(text);
    EXPECT_EQ(got.counts.modules, dump.modules) << dump.file;
    EXPECT_EQ(got.counts.computations, dump.computations) << dump.file;
    EXPECT_EQ(got.entries, dump.entries) << dump.file;
    EXPECT_EQ(got.counts.instructions, dump.instructions) << dump.file;
    EXPECT_EQ(got.counts.roots, dump.roots) << dump.file;
    EXPECT_EQ(got.counts.operands, dump.operands) << dump.file;
    EXPECT_EQ(got.counts.diagnostics, dump.diagnostics) << dump.file;
    EXPECT_EQ(HloTextProblem(text), "") << dump.file;

    const LineCounts lines = CountByLines(text);
    EXPECT_EQ(lines.modules, dump.modules) << dump.file;
    EXPECT_EQ(lines.computations, dump.computations) << dump.file;
    EXPECT_EQ(lines.entries, dump.entries) << dump.file;
    EXPECT_EQ(lines.instructions, dump.instructions) << dump.file;
    EXPECT_EQ(lines.roots, dump.roots) << dump.file;
    EXPECT_EQ(lines.operands, dump.operands) << dump.file;
  }
}

TEST(HloDumps, TheFileThatWasCutOffSaysWhere) {
  const std::string text = ReadDump("tpu_maxtext_llama3_8b_2026-07-31.txt");
  const Recorder got = Record(text);
  ASSERT_EQ(got.diagnostics.size(), 1);
  EXPECT_EQ(got.diagnostics[0].line, 2000);
  EXPECT_EQ(got.diagnostics[0].message,
            "the computation 'fused_computation.195.clone.1' is not closed "
            "before the text ends");
}

// A text cut off yields the instructions that are complete before the cut, and
// perhaps, shortened, the one that the cut goes through.
TEST(HloDumps, CutOffAnywhere) {
  std::mt19937 random(20260731);
  for (const Dump& dump : kDumps) {
    const std::string text = ReadDump(dump.file);
    const std::vector<std::string_view> whole = Record(text).instructions;
#ifdef TESSERA_SANITIZER
    const int cuts = 5;
#else
    const int cuts = 100;
#endif
    for (int i = 0; i < cuts; ++i) {
      const size_t cut =
          std::uniform_int_distribution<size_t>(0, text.size())(random);
      const std::string_view begin = std::string_view(text).substr(0, cut);
      const std::vector<std::string_view> got = Record(begin).instructions;
      size_t complete = 0;
      while (complete < whole.size() &&
             whole[complete].data() + whole[complete].size() <=
                 text.data() + cut) {
        ++complete;
      }
      ASSERT_GE(got.size(), complete) << dump.file << " cut at " << cut;
      ASSERT_LE(got.size(), complete + 1) << dump.file << " cut at " << cut;
      for (size_t j = 0; j < got.size(); ++j) {
        ASSERT_EQ(got[j].data(), whole[j].data());
        if (j < complete) {
          ASSERT_EQ(got[j].size(), whole[j].size());
        }
      }
    }
  }
}

// All of an instruction but what stands between its parts.
std::string PartsOf(HloInstruction instruction) {
  std::string parts = absl::StrCat(
      AbslView(instruction.computation().name()), "|",
      AbslView(instruction.name()), "|", instruction.is_root(), "|",
      AbslView(instruction.shape_text()), "|", AbslView(instruction.opcode()),
      "|",
      AbslView(instruction.operand_count() == 0 ? instruction.operand_text()
                                                : ""));
  for (const HloOperand operand : instruction.all_operands()) {
    absl::StrAppend(&parts, "|", AbslView(operand.text()));
  }
  for (const HloAttribute& attribute : instruction.attributes()) {
    absl::StrAppend(&parts, "|", AbslView(attribute.key), "=",
                    AbslView(attribute.value));
  }
  return parts;
}

// Most text is read by shortcuts for what XLA prints. Blanks and comments
// elsewhere take the longer way, to the same end.
TEST(HloDumps, SpacingDoesNotMatter) {
  // Where strings may stand, nothing is changed.
  const auto respaced = [](std::string_view text) {
    std::vector<std::string> lines;
    for (const std::string_view line : SplitViews(text, '\n')) {
      const bool changes =
          !tessera::StrContains(line, '"') && !tessera::StrContains(line, '\'');
      lines.push_back(changes ? absl::StrReplaceAll(AbslView(line),
                                                    {{" = ", " /* is */\t=  "},
                                                     {", %", " ,/**/ %"},
                                                     {"(%", "(  %"},
                                                     {"ROOT ", "ROOT  "}})
                              : std::string(line));
    }
    return absl::StrJoin(lines, "\n");
  };
  int64_t changed = 0;
  for (const Dump& dump : kDumps) {
    const std::string text = ReadDump(dump.file);
    const std::string other = respaced(text);
    changed += other != text;
    const HloDump plain = *ParseHloView(text), spaced = *ParseHloView(other);
    ASSERT_EQ(spaced.instructions().size(), plain.instructions().size());
    EXPECT_EQ(spaced.diagnostic_count(), plain.diagnostic_count());
    for (int64_t i = 0; i < plain.instructions().size(); ++i) {
      EXPECT_EQ(PartsOf(spaced.instructions()[i]),
                PartsOf(plain.instructions()[i]))
          << dump.file;
    }
  }
  EXPECT_GT(changed, 5);
}

TEST(HloDumps, Damaged) {
#ifdef TESSERA_SANITIZER
  const int rounds = 100;
#else
  const int rounds = 2000;
#endif
  std::mt19937 random(7);
  int64_t instructions = 0, kept = 0;
  for (int i = 0; i < rounds; ++i) {
    const Dump& dump = kDumps[i % std::size(kDumps)];
    std::string text = ReadDump(dump.file);
    DamageHlo(&random, &text);
    SCOPED_TRACE(absl::StrCat(dump.file, " round ", i));
    ASSERT_EQ(HloTextProblem(text), "");
    kept += Record(text).counts.instructions;
    instructions += dump.instructions;
  }
  // What a change costs stays near it: 1 to 8 changes on 209 instructions.
  EXPECT_GT(kept, 0.95 * instructions) << instructions - kept << " lost";
}

}  // namespace
}  // namespace tessera
