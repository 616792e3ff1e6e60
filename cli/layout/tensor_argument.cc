#include "tessera/cli/layout/tensor_argument.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/cli/files/input_file.h"
#include "tessera/cli/output/message.h"
#include "tessera/tenstorrent/mlir_file/expanded_tensors.h"

namespace tessera::cli {
namespace {

struct FileLine {
  std::string file;
  int64_t line;
};

// The parts of FILE:LINE, if there is such a file.
std::optional<FileLine> ToFileLine(const std::string& argument,
                                   const Console* console) {
  constexpr size_t kLongestName = 4096;
  const size_t colon = argument.rfind(':');
  FileLine place;
  if (colon == std::string::npos || argument.size() > kLongestName ||
      !absl::SimpleAtoi(argument.substr(colon + 1), &place.line)) {
    return std::nullopt;
  }
  place.file = argument.substr(0, colon);
  std::error_code error;
  if (!std::filesystem::is_regular_file(console->PathOf(place.file), error)) {
    return std::nullopt;
  }
  return place;
}

}  // namespace

void AddAliasesOption(Subcommand* command, std::optional<std::string>* file) {
  command->Text("--aliases", "FILE",
                "the file of MLIR that defines the aliases in a tensor; "
                "FILE:LINE in place of a tensor means the tensors of that line",
                file);
}

bool ExpandTensorArguments(const std::optional<std::string>& aliases,
                           OutputFormat format, Console* console,
                           std::vector<std::string>* texts) {
  std::vector<std::string> expanded;
  for (std::string& text : *texts) {
    const std::optional<FileLine> place = ToFileLine(text, console);
    if (text == kStdinArgument ||
        (!place.has_value() && !aliases.has_value())) {
      expanded.push_back(std::move(text));
      continue;
    }
    const std::string& name = place.has_value() ? place->file : *aliases;
    const absl::StatusOr<FileBytes> file = OpenInputFile(name, {}, console);
    if (!file.ok()) return PrintError({name}, file.status(), format, console);
    const std::vector<std::string> found =
        place.has_value()
            ? tenstorrent::TensorsOfLine(file->text(), place->line)
            : tenstorrent::ExpandedTensors(file->text(), text);
    if (found.empty() && place.has_value()) {
      return PrintError(
          {name},
          absl::NotFoundError(absl::StrCat("line ", place->line,
                                           " has no tensor with a layout")),
          format, console);
    }
    // The reader rejects texts that are not tensors.
    if (found.empty()) expanded.push_back(std::move(text));
    expanded.insert(expanded.end(), found.begin(), found.end());
  }
  *texts = std::move(expanded);
  return true;
}

bool ExpandTensorArgument(const std::optional<std::string>& aliases,
                          OutputFormat format, Console* console,
                          std::string* text) {
  std::vector<std::string> texts = {*text};
  if (!ExpandTensorArguments(aliases, format, console, &texts)) return false;
  *text = std::move(texts.front());
  return true;
}

}  // namespace tessera::cli
