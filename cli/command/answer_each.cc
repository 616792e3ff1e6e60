#include "tessera/cli/command/answer_each.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <sstream>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/files/input_file.h"
#include "tessera/cli/output/argument_error.h"
#include "tessera/cli/output/message.h"
#include "tessera/report/text/json_line.h"

namespace tessera::cli {
namespace {

// Answers are written in blocks, unless a reader waits for them.
constexpr size_t kBlockBytes = size_t{1} << 16;

// An empty message, preceded by its length.
constexpr std::string_view kEmptyMessage("\0", 1);

// Precondition: `status` has a place in the line.
std::string ErrorInPlace(OutputFormat format, int64_t line,
                         const absl::Status& status) {
  if (format == OutputFormat::kJson) return ErrorLineOf(status, line);
  return format == OutputFormat::kBinaryProto ? std::string(kEmptyMessage)
                                              : "error\n";
}

void Write(std::string_view text, Console* console) {
  console->out->write(text.data(), text.size());
}

bool AnswerLines(std::string_view name, std::istream* in, OutputFormat format,
                 Console* console, Answer answer) {
  bool all_good = true;
  std::string line, out;
  for (int64_t number = 1; console->out->good(); ++number) {
    // A program that writes a line and waits for the answer must get it.
    const bool is_awaited = in->rdbuf()->in_avail() <= 0;
    if (is_awaited || out.size() >= kBlockBytes) {
      Write(out, console);
      out.clear();
    }
    if (is_awaited) console->out->flush();
    if (!std::getline(*in, line)) break;
    const std::string_view text = StripSuffix(line, "\r");
    const size_t begin = out.size();
    if (StripLeadingAsciiWhitespace(text).empty()) {
      StrAppend(&out,
                format == OutputFormat::kBinaryProto ? kEmptyMessage : "\n");
      continue;
    }
    if (absl::Status status = answer({text, true, {name, number}}, &out);
        !status.ok()) {
      // Earlier answers precede the message.
      out.resize(std::min(begin, out.size()));
      Write(out, console);
      status = WithPlace(text, status);
      all_good = false;
      PrintError({name, number}, status, console);
      out = ErrorInPlace(format, number, status);
    }
  }
  Write(out, console);
  if (in->bad()) {
    return PrintError({name}, absl::DataLossError("cannot be read"), console);
  }
  return all_good;
}

}  // namespace

bool AnswerEach(absl::Span<const std::string> arguments, OutputFormat format,
                Console* console, Answer answer) {
  bool all_good = true;
  std::string out;
  for (const std::string& argument : arguments) {
    if (argument == kStdinArgument) {
      all_good &= AnswerFile(argument, format, console, answer);
      continue;
    }
    out.clear();
    if (absl::Status status = answer({argument}, &out); !status.ok()) {
      all_good = false;
      PrintArgumentError(argument, status, format, console);
      continue;
    }
    Write(out, console);
  }
  return all_good;
}

bool AnswerFile(const std::string& name, OutputFormat format, Console* console,
                Answer answer) {
  if (name == kStdinArgument) {
    return AnswerLines(kStdinName, console->in, format, console, answer);
  }
  const absl::StatusOr<FileBytes> file = OpenInputFile(name, {}, console);
  if (!file.ok()) return PrintError({name}, file.status(), console);
  std::istringstream in{std::string(file->text())};
  return AnswerLines(name, &in, format, console, answer);
}

}  // namespace tessera::cli
