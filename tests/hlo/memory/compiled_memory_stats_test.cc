#include "tessera/hlo/memory/compiled_memory_stats.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/assignment_text.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/tests/status_matchers.h"
#include "tests/hlo/truth_files.h"

namespace tessera {
namespace {

// In the order of memory_analysis.tsv.
using Numbers = std::array<int64_t, 9>;

Numbers NumbersOf(const CompiledMemoryStats& stats) {
  return {stats.argument_size_in_bytes,      stats.output_size_in_bytes,
          stats.alias_size_in_bytes,         stats.temp_size_in_bytes,
          stats.host_argument_size_in_bytes, stats.host_output_size_in_bytes,
          stats.host_alias_size_in_bytes,    stats.host_temp_size_in_bytes,
          stats.peak_memory_in_bytes};
}

// What memory_analysis() said of programs, by target and name.
std::map<std::pair<std::string, std::string>, Numbers> ReadXlaNumbers() {
  std::map<std::pair<std::string, std::string>, Numbers> all;
  const absl::StatusOr<FileBytes> file =
      FileBytes::Open("tests/hlo/data/memory_analysis.tsv");
  EXPECT_THAT(file, IsOk());
  if (!file.ok()) return all;
  for (const std::string_view line : SplitViews(file->text(), '\n')) {
    if (line.empty() || tessera::StartsWith(line, "target\t")) continue;
    const std::vector<std::string> cells = absl::StrSplit(AbslView(line), '\t');
    Numbers numbers = {};
    EXPECT_EQ(cells.size(), numbers.size() + 2) << line;
    if (cells.size() != numbers.size() + 2) continue;
    for (size_t i = 0; i < numbers.size(); ++i) {
      EXPECT_TRUE(absl::SimpleAtoi(AbslView(cells[i + 2]), &numbers[i]))
          << line;
    }
    all[{cells[0], cells[1]}] = numbers;
  }
  return all;
}

MemoryOptions OptionsFor(const std::string& target) {
  MemoryOptions options;
  const std::string device = tessera::StartsWith(target, "gpu")   ? "gpu"
                             : tessera::StartsWith(target, "cpu") ? "cpu"
                                                                  : target;
  EXPECT_TRUE(SetTarget(device.substr(0, device.find('-')), &options));
  return options;
}

struct Found {
  Numbers alone = {};
  Numbers beside = {};
};

Found FoundIn(const TruthModule& truth) {
  Found found;
  const absl::StatusOr<HloDump> dump = ParseHlo(truth.text);
  EXPECT_THAT(dump, IsOk());
  HloAssignments by_xla;
  by_xla.of_modules = {ReadBufferAssignmentText(truth.assignment_text)};
  const HloAssignments* const files[] = {nullptr, &by_xla};
  for (const HloAssignments* const beside : files) {
    absl::StatusOr<ModuleAnalysis> analysis = ModuleAnalysis::Of(
        *dump, dump->modules()[0], OptionsFor(truth.target), beside);
    EXPECT_THAT(analysis, IsOk());
    if (!analysis.ok()) continue;
    (beside == nullptr ? found.alone : found.beside) =
        NumbersOf(analysis->memory_stats());
  }
  return found;
}

// Every number, of the text alone and with XLA's assignment.
TEST(CompiledMemoryStats, IsWhatXlaSays) {
  const auto xla = ReadXlaNumbers();
  size_t checked = 0;
  for (const TruthModule& truth : ReadTruthModules()) {
    const auto numbers = xla.find({truth.target, truth.name});
    if (numbers == xla.end()) continue;
    ++checked;
    const std::string name = absl::StrCat(truth.target, "/", truth.name);
    const Found found = FoundIn(truth);
    EXPECT_THAT(found.beside, ::testing::ElementsAreArray(numbers->second))
        << name;
    EXPECT_THAT(found.alone, ::testing::ElementsAreArray(numbers->second))
        << name;
  }
  EXPECT_EQ(checked, xla.size());
}

// The sums that an assignment has, added up line by line.
TEST(CompiledMemoryStats, SumsAreThoseOfTheAssignment) {
  for (const TruthModule& truth : ReadTruthModules()) {
    int64_t argument = 0, output = 0, alias = 0, host = 0;
    for (const std::string_view line :
         SplitViews(truth.assignment_text, '\n')) {
      if (!tessera::StartsWith(line, "allocation ")) continue;
      const std::string_view size = line.substr(line.find(": size ") + 7);
      int64_t bytes = 0;
      ASSERT_TRUE(
          absl::SimpleAtoi(AbslView(size.substr(0, size.find(','))), &bytes));
      const bool is_parameter = tessera::StrContains(line, ", parameter ");
      const bool is_output = tessera::StrContains(line, ", maybe-live-out");
      if (tessera::StrContains(line, ", color 5")) {
        host += bytes * (is_parameter + is_output);
        continue;
      }
      argument += is_parameter * bytes;
      output += is_output * bytes;
      alias += (is_parameter && is_output) * bytes;
    }
    const Found found = FoundIn(truth);
    for (const Numbers& numbers : {found.beside, found.alone}) {
      EXPECT_THAT(std::vector<int64_t>(numbers.begin(), numbers.begin() + 3),
                  ::testing::ElementsAre(argument, output, alias))
          << truth.target << "/" << truth.name;
      EXPECT_EQ(numbers[4] + numbers[5], host)
          << truth.target << "/" << truth.name;
    }
  }
}

CompiledMemoryStats StatsOf(const std::string& target,
                            const std::string& entry) {
  const absl::StatusOr<HloDump> dump = ParseHlo(
      absl::StrCat("HloModule m, is_scheduled=true\nENTRY e {", entry, "\n}"));
  EXPECT_THAT(dump, IsOk());
  absl::StatusOr<ModuleAnalysis> analysis =
      ModuleAnalysis::Of(*dump, dump->modules()[0], OptionsFor(target));
  EXPECT_THAT(analysis, IsOk());
  return analysis->memory_stats();
}

// Temporaries of HBM count in whole slots, and not at all where all of them are
// tables and single elements that the scalar unit computes.
TEST(CompiledMemoryStats, TemporariesOfTpu) {
  constexpr char kArray[] = R"(
      a = f32[1024]{0:T(1024)} parameter(0)
      t = f32[1025]{0:T(1024)} pad(a)
      ROOT r = f32[1024]{0:T(1024)} slice(t))";
  EXPECT_EQ(StatsOf("v5e", kArray).temp_size_in_bytes, 16384);
  EXPECT_EQ(StatsOf("gpu", kArray).temp_size_in_bytes, 8192);
  struct Case {
    const char* instruction;
    int64_t temp_bytes;
  };
  const Case kOfOneElement[] = {
      {"s32[]{:T(128)} clamp(i, i, i)", 0},
      {"f32[]{:T(128)} convert(i)", 0},
      {"f32[1,1]{1,0:T(1,128)} convert(j)", 0},
      {"pred[]{:T(128)} compare(i, i), direction=LT", 0},
      {"s32[]{:T(128)} custom-call(a)", 16384},
      {"u32[1]{0:T(128)} custom-call(a)", 16384},
      {"f32[2]{0:T(128)} convert(k)", 16384},
  };
  for (const Case& c : kOfOneElement) {
    EXPECT_EQ(StatsOf("v5e", absl::StrCat(R"(
      a = f32[1024]{0:T(1024)} parameter(0)
      i = s32[]{:T(128)} parameter(1)
      j = s32[1,1]{1,0:T(1,128)} parameter(2)
      k = s32[2]{0:T(128)} parameter(3)
      t = )",
                                          c.instruction, R"(
      ROOT r = f32[1024]{0:T(1024)} custom-call(a, t))"))
                  .temp_size_in_bytes,
              c.temp_bytes)
        << c.instruction;
  }
}

// The peak adds the greatest heap, whichever that is; XLA keeps none for CPU.
TEST(CompiledMemoryStats, ThePeakAddsOneHeap) {
  constexpr char kEntry[] = R"(
      a = f32[1024]{0:T(1024)} parameter(0)
      v = f32[4096]{0:T(1024)S(1)} custom-call(a)
      h = f32[2048]{0:T(1024)} custom-call(a, v)
      ROOT r = f32[1024]{0:T(1024)} custom-call(h))";
  const CompiledMemoryStats stats = StatsOf("v5e", kEntry);
  EXPECT_EQ(stats.peak_memory_in_bytes, 4096 + 4096 + 16384);
  EXPECT_EQ(stats.temp_size_in_bytes, 16384);
  EXPECT_EQ(StatsOf("cpu", kEntry).peak_memory_in_bytes, 4096 + 4096);
}

// In VMEM a value is there to its last use, and not to its last place in a
// tuple.
TEST(CompiledMemoryStats, ValuesOfVmemEndWithTheirLastUse) {
  EXPECT_EQ(StatsOf("v5e", R"(
      a = f32[1024]{0:T(1024)} parameter(0)
      v = f32[4096]{0:T(1024)S(1)} custom-call(a)
      u = f32[1024]{0:T(1024)} custom-call(v)
      w = f32[4096]{0:T(1024)S(1)} custom-call(u)
      t = (f32[4096]{0:T(1024)S(1)}, f32[4096]{0:T(1024)S(1)}) tuple(v, w)
      g = f32[4096]{0:T(1024)S(1)} get-tuple-element(t), index=1
      ROOT r = f32[1024]{0:T(1024)} custom-call(g))")
                .peak_memory_in_bytes,
            4096 + 4096 + 16384);
}

// Of a sliced prefetch the slices count, as long as what they make together is
// used.
TEST(CompiledMemoryStats, SlicesStandForTheirWhole) {
  EXPECT_EQ(StatsOf("v5e", R"(
      a = f32[1024]{0:T(1024)} parameter(0)
      d1 = f32[2048]{0:T(1024)S(1)} custom-call(a)
      d2 = f32[2048]{0:T(1024)S(1)} custom-call(a)
      c = f32[4096]{0:T(1024)S(1)} custom-call(d1, d2),
          custom_call_target="ConcatBitcast"
      v = f32[1024]{0:T(1024)S(1)} custom-call(a)
      ROOT r = f32[1024]{0:T(1024)} custom-call(c, v))")
                .peak_memory_in_bytes,
            4096 + 4096 + 16384 + 4096);
}

}  // namespace
}  // namespace tessera
