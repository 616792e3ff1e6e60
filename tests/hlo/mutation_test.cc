// Whatever happens to a dump, it is read, printed and judged to the end.

#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tessera/hlo/hlo_printer.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/hlo/strict_rules.h"
#include "tests/hlo/damage.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/dump_files.h"

namespace tessera {
namespace {

constexpr int kMutations = 20000;
constexpr int kShares = 8;

// Every share is a test of its own, so that they run side by side.
class Mutations : public ::testing::TestWithParam<int> {};

TEST_P(Mutations, AreReadToTheEnd) {
  std::vector<std::string> texts;
  for (const char* file : kDumpFiles) texts.push_back(ReadDump(file));
  for (int i = GetParam(); i < kMutations; i += kShares) {
    std::mt19937 random(i);
    std::string text = texts[i % std::size(kDumpFiles)];
    DamageHlo(&random, &text);
    const absl::StatusOr<HloDump> dump = ParseHloView(text);
    ASSERT_TRUE(dump.ok()) << i << " " << dump.status();
    ASSERT_EQ(dump->instructions().size(), dump->counts().instructions) << i;
    // What was read makes sense: it can be walked, and what it refers to stands
    // before it.
    for (const HloInstruction instruction : dump->instructions()) {
      for (const HloOperand operand : instruction.operands()) {
        const auto target = operand.instruction();
        ASSERT_TRUE(!target.has_value() ||
                    target->index() < instruction.index())
            << i;
      }
      for (const HloCall call : instruction.calls()) {
        ASSERT_EQ(call.instruction(), instruction) << i;
      }
    }
    // Strict reading judges what it reads at once, and says the same.
    HloParseOptions strict;
    strict.strict = true;
    const bool is_good =
        FindHloObjections(*dump, 10).empty() && dump->diagnostics().empty();
    ASSERT_EQ(ParseHloView(text, strict).ok(), is_good) << i;
    // And prints as something that can be read.
    if (i % 10 == 0) {
      ASSERT_TRUE(ParseHloView(PrintHlo(*dump)).ok()) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shares, Mutations, ::testing::Range(0, kShares));

}  // namespace
}  // namespace tessera
