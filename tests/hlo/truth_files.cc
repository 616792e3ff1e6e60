#include "tests/hlo/truth_files.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "gtest/gtest.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

std::string Read(const std::filesystem::path& path) {
  const absl::StatusOr<FileBytes> file = FileBytes::Open(path.string());
  EXPECT_TRUE(file.ok()) << path;
  return file.ok() ? std::string(file->text()) : "";
}

// The number behind `key` on a line; 0 where it is missing.
int64_t NumberAfter(std::string_view line, std::string_view key) {
  const size_t found = line.find(key);
  if (found == std::string_view::npos) return 0;
  line.remove_prefix(found + key.size());
  int64_t number = 0;
  EXPECT_TRUE(absl::SimpleAtoi(
      AbslView(line.substr(0, line.find_first_not_of("0123456789"))), &number))
      << line;
  return number;
}

// "allocation 3: size 512, color 6, page 0, thread-local:"
std::map<int64_t, int64_t> AssignedBytes(std::string_view assignment) {
  std::map<int64_t, int64_t> bytes;
  for (const std::string_view line : SplitViews(assignment, '\n')) {
    if (!tessera::StartsWith(line, "allocation ") ||
        tessera::StrContains(line, ", thread-local")) {
      continue;
    }
    bytes[NumberAfter(line, ", color ")] += NumberAfter(line, ": size ");
  }
  return bytes;
}

}  // namespace

std::vector<TruthModule> ReadTruthModules() {
  constexpr std::string_view kAssignment = "-buffer-assignment.txt";
  std::vector<TruthModule> modules;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator("tests/hlo/data/truth")) {
    std::string_view file = entry.path().native();
    if (!tessera::ConsumeSuffix(&file, kAssignment)) continue;
    const std::string stem(file);
    TruthModule module;
    module.target = entry.path().parent_path().filename().string();
    module.name = entry.path().filename().string();
    module.name.resize(module.name.find('.'));
    module.text = Read(stem + ".txt");
    module.assignment_text = Read(entry.path());
    module.assigned_bytes = AssignedBytes(module.assignment_text);
    modules.push_back(module);
  }
  std::sort(modules.begin(), modules.end(),
            [](const TruthModule& a, const TruthModule& b) {
              return std::tie(a.target, a.name) < std::tie(b.target, b.name);
            });
  return modules;
}

}  // namespace tessera
