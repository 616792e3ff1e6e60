// One peak of a module, wherever it is told.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/hlo_file.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/report/page/memory_map_of.h"
#include "tessera/report/page/page_writer.h"
#include "tessera/service/questions/hlo/hlo_peak_question.h"
#include "tessera/service/questions/hlo/memory_check.h"
#include "tests/cli/run.h"

namespace tessera::cli {
namespace {

// Files of modules beside which, or in which, XLA's own assignment stands.
std::vector<std::string> AssignedFiles() {
  std::vector<std::string> files;
  for (const char* folder : {"tests/hlo/data/truth", "tests/hlo/data/protos"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(folder)) {
      const std::string path = entry.path().string();
      if (tessera::EndsWith(path, "after_optimizations.txt") ||
          tessera::EndsWith(path, ".pb") || tessera::EndsWith(path, ".pb.gz")) {
        files.push_back(path);
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// By memory space: the peak and its step.
using Peaks = std::map<std::string, std::pair<int64_t, int64_t>>;

Peaks OfPeak(const HloFile& file, HloModule module) {
  PeakTable table;
  table.assignments = &file.assignments;
  ModulePeak peak;
  AnswerBytes bytes(ServiceOptions::Unlimited());
  EXPECT_TRUE(FillModulePeak(file.dump, module, table, &bytes, &peak).ok());
  Peaks peaks;
  for (const auto& [number, space] : peak.by_memory_space().spaces()) {
    if (space.peak_bytes() == 0) continue;
    peaks[absl::StrCat(number)] = {space.peak_bytes(), space.peak_position()};
    EXPECT_LE(space.peak_bytes(), space.has_assigned_bytes()
                                      ? space.assigned_bytes()
                                      : space.reserved_bytes());
  }
  return peaks;
}

Peaks OfMap(const ModuleAnalysis& analysis) {
  Peaks peaks;
  for (const auto& [number, map] : MemoryMapsOf(analysis, MapColors::kKind)) {
    const auto& used = map.used_bytes();
    const auto most = std::max_element(used.begin(), used.end());
    if (*most == 0) continue;
    peaks[absl::StrCat(number)] = {*most, most - used.begin()};
  }
  return peaks;
}

TEST(OnePeak, PeakMapPageAndCheckTellIt) {
  int64_t modules = 0;
  int64_t assigned = 0;
  for (const std::string& path : AssignedFiles()) {
    const absl::StatusOr<HloFile> file = ReadHloFile(path);
    if (!file.ok()) continue;  // a memory usage report
    const absl::StatusOr<SummarizeResult> page =
        PageSummary("", file->dump, MemoryOptions(), file->assignments);
    ASSERT_TRUE(page.ok()) << path << page.status();
    for (const HloModule module : file->dump.modules()) {
      if (!module.is_scheduled()) continue;
      const std::string name = absl::StrCat(path, " ", AbslView(module.name()));
      const absl::StatusOr<ModuleAnalysis> analysis =
          ModuleAnalysis::Of(*file, module.index());
      ASSERT_TRUE(analysis.ok()) << name << analysis.status();
      ++modules;
      assigned += analysis->is_assigned_by_xla();
      const Peaks peaks = OfPeak(*file, module);
      EXPECT_EQ(OfMap(*analysis), peaks) << name;
      const absl::StatusOr<BaselineModule> check = ComputeBaselineModule(
          file->dump, module, MemoryOptions(), &file->assignments);
      ASSERT_TRUE(check.ok()) << name;
      for (const auto& [number, space] : check->by_memory_space().spaces()) {
        const auto found = peaks.find(absl::StrCat(number));
        EXPECT_EQ(space.peak_bytes(),
                  found == peaks.end() ? 0 : found->second.first)
            << name;
      }
      std::vector<std::pair<int64_t, int64_t>> expected, of_page;
      for (const auto& [number, peak] : peaks) expected.push_back(peak);
      for (const auto& [number, space] :
           page->modules(module.index()).peak().by_memory_space().spaces()) {
        if (space.bytes().empty()) continue;
        EXPECT_EQ(space.bytes(space.peak_position()), space.peak_bytes());
        of_page.emplace_back(space.peak_bytes(), space.peak_position());
      }
      std::sort(expected.begin(), expected.end());
      std::sort(of_page.begin(), of_page.end());
      EXPECT_EQ(of_page, expected) << name;
    }
  }
  EXPECT_GE(modules, 100);
  EXPECT_GE(assigned, 90);
}

// The page of a module is made of one analysis, with padding and without.
TEST(OnePeak, ThePageAnalysesAModuleOnce) {
  const hlo_internal::AnalysisWork before = hlo_internal::GetAnalysisWork();
  const std::string page = "/dev/null";
  const Outcome outcome = RunCommand(
      {"hlo", "peak", "--html", page, "tests/hlo/data/tpu_backbone.hlo"});
  EXPECT_EQ(outcome.exit_code, kExitOk) << outcome.err;
  const hlo_internal::AnalysisWork after = hlo_internal::GetAnalysisWork();
  EXPECT_EQ(after.modules_flattened - before.modules_flattened, 1);
  EXPECT_LE(after.assignments_computed - before.assignments_computed, 2);
}

}  // namespace
}  // namespace tessera::cli
