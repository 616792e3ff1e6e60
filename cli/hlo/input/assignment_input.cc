#include "tessera/cli/hlo/input/assignment_input.h"

#include <sys/stat.h>

#include <utility>

#include "absl/status/statusor.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/files/input_file.h"

namespace tessera::cli {

AssignmentTexts ReadTextsBesideAssignment(const std::string& file,
                                          Console* console) {
  constexpr std::string_view kEnd = "-buffer-assignment.txt";
  if (!EndsWith(file, kEnd)) return {};
  const std::string_view stem = StripSuffix(file, kEnd);
  const auto read = [&](std::string_view end) -> std::string {
    const std::string name = StrCat(stem, end);
    struct stat status = {};
    if (stat(console->PathOf(name).c_str(), &status) != 0) return "";
    const absl::StatusOr<FileBytes> bytes = OpenInputFile(name, {}, console);
    return bytes.ok() ? std::string(bytes->text()) : "";
  };
  return {read("-buffer-assignment-values.txt"), read("-live-range.txt")};
}

ExplainTextRequest QuestionAbout(const std::string& file, std::string_view text,
                                 int64_t rows, Console* console) {
  AssignmentTexts texts = ReadTextsBesideAssignment(file, console);
  ExplainTextRequest question;
  question.set_text(std::string(text));
  question.set_values(std::move(texts.values));
  question.set_live_ranges(std::move(texts.live_ranges));
  question.set_rows(rows);
  return question;
}

}  // namespace tessera::cli
