#include "tests/hlo/proto_files.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

constexpr char kFolder[] = "tests/hlo/data/protos/";

std::string ReadProto(const std::string& name) {
  for (std::string_view packed : {"", ".gz"}) {
    const absl::StatusOr<FileBytes> file =
        FileBytes::Open(absl::StrCat(kFolder, name, AbslView(packed)));
    if (file.ok()) return std::string(file->text());
  }
  ADD_FAILURE() << name;
  return "";
}

// The digits of `text`, as a number.
int64_t DigitsOf(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (absl::ascii_isdigit(static_cast<unsigned char>(c))) digits += c;
  }
  int64_t number = -1;
  EXPECT_TRUE(absl::SimpleAtoi(digits, &number)) << text;
  return number;
}

// {"0": {"out": 4, "param": 4}, "5": {"temp": 8}}
std::map<int64_t, std::map<std::string, int64_t>> AllocatedBytes(
    std::string_view column) {
  std::map<int64_t, std::map<std::string, int64_t>> bytes;
  for (const std::string_view space : SplitViews(column, '}')) {
    const size_t open = space.rfind('{');
    if (open == space.npos) continue;
    std::map<std::string, int64_t>& by_kind =
        bytes[DigitsOf(space.substr(0, open))];
    for (const std::string_view entry :
         SplitViews(space.substr(open + 1), ", ", absl::SkipEmpty())) {
      const std::vector<std::string_view> parts = SplitViews(entry, '"');
      by_kind[std::string(parts[1])] = DigitsOf(parts[2]);
    }
  }
  return bytes;
}

}  // namespace

std::vector<ProtoFile> ReadProtoFiles() {
  std::ifstream totals(absl::StrCat(kFolder, "totals.tsv"));
  std::string line;
  std::getline(totals, line);  // the heads of the columns
  std::map<std::string, std::vector<ProtoModule>> modules;
  // Made before there is an assignment, which totals.tsv is about.
  modules["jax_toolbox/module_0016.jit_train_step.before_optimizations.hlo.pb"];
  while (std::getline(totals, line)) {
    const std::vector<std::string> columns = absl::StrSplit(line, '\t');
    // An XSpace has one row for each of its modules.
    const std::vector<std::string> file = absl::StrSplit(columns[0], ':');
    ProtoModule module;
    module.name = columns[1];
    EXPECT_TRUE(absl::SimpleAtoi(columns[2], &module.instructions)) << line;
    EXPECT_TRUE(absl::SimpleAtoi(columns[3], &module.reserved_bytes)) << line;
    module.allocated_bytes = AllocatedBytes(columns[4]);
    modules[file[0]].push_back(module);
  }
  std::vector<ProtoFile> files;
  for (auto& [name, of_file] : modules) {
    std::sort(of_file.begin(), of_file.end());
    files.push_back({name, ReadProto(name), of_file});
  }
  return files;
}

}  // namespace tessera
