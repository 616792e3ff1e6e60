// What the commands say of modules of today's JAX and of what XLA wrote beside
// them: tests/hlo/data/truth, a folder for each target.

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/report/text/json.h"
#include "tests/cli/run.h"

namespace tessera::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kTruth[] = "tests/hlo/data/truth";

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  DIR* const entries = opendir(folder.c_str());
  if (entries == nullptr) return names;
  while (const dirent* const entry = readdir(entries)) {
    if (entry->d_name[0] != '.') names.push_back(entry->d_name);
  }
  closedir(entries);
  std::sort(names.begin(), names.end());
  return names;
}

std::string Contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

constexpr size_t kTextEnd = 4;   // ".txt"
constexpr size_t kProtoEnd = 7;  // ".hlo.pb"

// A module, as text or as proto.
struct ModuleFile {
  std::string folder;
  std::string name;

  std::string path() const { return absl::StrCat(folder, "/", name); }
  bool is_proto() const { return tessera::EndsWith(name, ".pb"); }
  bool is_scheduled() const {
    return is_proto() ||
           tessera::StrContains(Contents(path()), "is_scheduled=true");
  }
  // Where XLA's text of its buffer assignment would be.
  std::string assignment() const {
    const std::string whole = path();
    return absl::StrCat(
        whole.substr(0, whole.size() - (is_proto() ? kProtoEnd : kTextEnd)),
        "-buffer-assignment.txt");
  }
};

std::vector<std::string> Folders() {
  std::vector<std::string> folders;
  for (const std::string& target : NamesIn(kTruth)) {
    folders.push_back(absl::StrCat(kTruth, "/", target));
  }
  return folders;
}

std::vector<ModuleFile> ModulesIn(const std::string& folder) {
  std::vector<ModuleFile> modules;
  for (const std::string& name : NamesIn(folder)) {
    const ModuleFile file = {folder, name};
    if (file.is_proto() ||
        tessera::StartsWith(Contents(file.path()), "HloModule")) {
      modules.push_back(file);
    }
  }
  return modules;
}

const std::vector<std::vector<std::string>>& Commands() {
  static const auto& commands = *new std::vector<std::vector<std::string>>{
      {"peak"}, {"map"}, {"report"}, {"check", "--max-reserved=1TiB"}};
  return commands;
}

Outcome Ask(const std::vector<std::string>& command,
            const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"hlo"};
  arguments.insert(arguments.end(), command.begin(), command.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  return RunCommand(arguments);
}

// A folder in which the file is alone.
std::string FolderOf(const ModuleFile& file) {
  const std::string folder =
      absl::StrCat(::testing::TempDir(), "/",
                   absl::StrReplaceAll(file.path(), {{"/", "_"}, {".", "_"}}));
  mkdir(folder.c_str(), 0700);
  std::ofstream(absl::StrCat(folder, "/", file.name), std::ios::binary)
      << Contents(file.path());
  return folder;
}

// Nothing that was written is in doubt.
void ExpectGood(const Outcome& outcome, const std::string& what) {
  EXPECT_EQ(outcome.exit_code, kExitOk) << what << "\n" << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("error: "))) << what;
  EXPECT_THAT(outcome.err, Not(HasSubstr("not read in full"))) << what;
  EXPECT_THAT(outcome.err, Not(HasSubstr("expected"))) << what;
}

TEST(HloTruth, EveryFolderIsRead) {
  ASSERT_EQ(Folders().size(), 9);
  for (const std::string& folder : Folders()) {
    for (const std::vector<std::string>& command : Commands()) {
      // One module at a time.
      if (command[0] == "map") continue;
      ExpectGood(Ask(command, {folder}), absl::StrCat(command[0], " ", folder));
    }
  }
}

TEST(HloTruth, EveryModuleIsRead) {
  int64_t modules = 0;
  int64_t unscheduled = 0;
  for (const std::string& folder : Folders()) {
    for (const ModuleFile& file : ModulesIn(folder)) {
      ++modules;
      unscheduled += !file.is_scheduled();
      const std::string alone = FolderOf(file);
      for (const std::vector<std::string>& command : Commands()) {
        for (const std::vector<std::string>& arguments :
             {std::vector<std::string>{file.path()},
              {file.path(), "--no-sidecars"},
              {absl::StrCat(alone, "/", file.name)},
              {alone}}) {
          const Outcome outcome = Ask(command, arguments);
          const std::string what =
              absl::StrCat(command[0], " ", arguments[0], " ",
                           arguments.size() > 1 ? arguments[1] : "");
          if (file.is_scheduled() || command[0] == "report") {
            ExpectGood(outcome, what);
            continue;
          }
          EXPECT_EQ(outcome.exit_code, kExitBadInput) << what;
          EXPECT_THAT(outcome.err, HasSubstr("not scheduled (no ")) << what;
        }
      }
    }
  }
  EXPECT_EQ(modules, 72);
  EXPECT_EQ(unscheduled, 2);
}

// What XLA assigned, by memory space, without what is thread-local: the lines
// "allocation 3: size 262144, color 1, page 0, preallocated-temp:".
std::map<int64_t, int64_t> AssignedBytes(const std::string& text) {
  std::map<int64_t, int64_t> bytes;
  for (const std::string_view line : SplitViews(text, '\n')) {
    if (!tessera::StartsWith(line, "allocation ") ||
        tessera::StrContains(line, ", thread-local:")) {
      continue;
    }
    const auto number_behind = [line](std::string_view word) {
      const size_t at = line.find(word);
      int64_t number = 0;
      if (at == line.npos) return number;
      const std::string_view rest = line.substr(at + word.size());
      EXPECT_TRUE(absl::SimpleAtoi(
          AbslView(rest.substr(0, rest.find_first_of(",:"))), &number));
      return number;
    };
    bytes[number_behind(", color ")] += number_behind(": size ");
  }
  return bytes;
}

// A budget is held against what XLA itself assigned, to the byte: in its
// folder, and as a proto alone.
TEST(HloTruth, TheBudgetIsThatOfXla) {
  int64_t checked = 0;
  int64_t apart = 0;
  for (const std::string& folder : Folders()) {
    for (const ModuleFile& file : ModulesIn(folder)) {
      const std::map<int64_t, int64_t> assigned =
          AssignedBytes(Contents(file.assignment()));
      if (assigned.empty()) continue;
      ++checked;
      const std::string path =
          file.is_proto() ? absl::StrCat(FolderOf(file), "/", file.name)
                          : file.path();
      const Outcome outcome =
          Ask({"check", "--max-reserved=1TiB", "--format=json"}, {path});
      const Json spaces =
          Json::parse(outcome.out)["modules"][0]["by_memory_space"];
      bool is_apart = false;
      for (const auto& [number, bytes] : assigned) {
        const Json space = spaces[absl::StrCat(number)];
        EXPECT_EQ(space["assigned_bytes"], bytes) << path << " " << number;
        EXPECT_EQ(space["checked_bytes"], bytes) << path << " " << number;
        EXPECT_EQ(space["checked"], "assigned_bytes") << path;
        is_apart |= space["reserved_bytes"] != bytes;
        if (bytes == 0) continue;
        const std::string in_space = absl::StrCat("--space=", number);
        EXPECT_EQ(Ask({"check"},
                      {path, in_space, absl::StrCat("--max-reserved=", bytes)})
                      .exit_code,
                  kExitOk)
            << path << " " << number;
        const Outcome over =
            Ask({"check"},
                {path, in_space, absl::StrCat("--max-reserved=", bytes - 1)});
        EXPECT_EQ(over.exit_code, kExitBadInput) << path << " " << number;
        EXPECT_THAT(over.out, HasSubstr(" by XLA ")) << path;
      }
      apart += is_apart;
    }
  }
  EXPECT_EQ(checked, 64);
  EXPECT_GT(apart, 0);
}

// The table of a folder has XLA's number of each module.
TEST(HloTruth, TheTableOfAFolderIsThatOfXla) {
  for (const std::string& folder : Folders()) {
    const Outcome json = Ask({"peak", "--format=json"}, {folder});
    int64_t before = 0;
    bool is_first = true;
    for (const std::string_view line :
         SplitViews(json.out, '\n', absl::SkipEmpty())) {
      const Json peak = Json::parse(std::string(line));
      if (peak["by_memory_space"].is_null()) continue;
      int64_t bytes = 0;
      for (const Json& space : peak["by_memory_space"]) {
        bytes += space["assigned_bytes"].is_null()
                     ? space["reserved_bytes"].get<int64_t>()
                     : space["assigned_bytes"].get<int64_t>();
      }
      EXPECT_TRUE(is_first || bytes <= before) << peak["file"];
      is_first = false;
      before = bytes;
    }
    if (NamesIn(folder).size() <= 3) continue;
    const std::string table = Ask({"peak", "--top=1"}, {folder}).out;
    EXPECT_THAT(table, HasSubstr(" by XLA ")) << folder;
    EXPECT_THAT(Ask({"report", "--top=1"}, {folder}).out,
                HasSubstr(" by XLA\n"))
        << folder;
  }
}

// A module that has not changed is as it was, by XLA's number on both sides.
TEST(HloTruth, TheDifferenceIsThatOfXla) {
  const std::string file =
      absl::StrCat(kTruth, "/v5p/conv_grad.after_optimizations.txt");
  const std::string other =
      absl::StrCat(kTruth, "/v5p/conv.after_optimizations.txt");
  const Outcome same = Ask({"diff", "--format=json"}, {file, file});
  EXPECT_EQ(same.exit_code, kExitOk) << same.err;
  const Json changes =
      Json::parse(Ask({"diff", "--format=json"}, {other, file}).out);
  const Json space = changes["modules"][0]["peak_bytes"]["0"];
  EXPECT_EQ(space["assigned_before"],
            AssignedBytes(Contents(absl::StrReplaceAll(
                other, {{".txt", "-buffer-assignment.txt"}})))[0]);
  EXPECT_EQ(space["assigned_after"],
            AssignedBytes(Contents(absl::StrReplaceAll(
                file, {{".txt", "-buffer-assignment.txt"}})))[0]);
  EXPECT_THAT(Ask({"diff"}, {other, file}).out, HasSubstr("assigned before"));
}

}  // namespace
}  // namespace tessera::cli
