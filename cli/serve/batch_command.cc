#include "tessera/cli/serve/batch_command.h"

#include <istream>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/cli/command/jobs.h"
#include "tessera/cli/output/message.h"
#include "tessera/cli/serve/ordered_work.h"
#include "tessera/service/answer_json.h"
#include "tessera/service/layout_service.h"
#include "tessera/service/within_memory.h"

namespace tessera::cli {
namespace {

constexpr char kBatchFooter[] =
    R"(Requests are those of proto/layout_service.proto as JSON, one per line;
docs/json.md lists their fields. The answers are one per line, in the order of
the requests, each with the id of its request. A request may leave out fields
with their default value; an answer has every field. Enums are names, and
integers are exact to 64 bits. Integers may be strings, too: requests may have
any form of proto3's JSON, and --json=proto3 writes the answers in that form.

A line that is not a request gets an error with line and column; the other lines
are answered as usual. A request that exceeds a limit of the service, such as
the length of a line, gets RESOURCE_EXHAUSTED with the name of the limit. A
blank line gives an empty line. The exit code is 0 unless the input cannot be
read or the output cannot be written.

Examples:
  echo '{"describe":{"layout":"bf16[9,130]{1,0:T(8,128)(2,1)}"}}' | tessera batch
  tessera batch --jobs 4 < requests.jsonl > responses.jsonl)";

// The bytes of lines that are passed to a thread at a time; fewer if the writer
// of the lines pauses.
constexpr int64_t kChunkBytes = int64_t{1} << 16;
// The bytes of input per thread that may wait.
constexpr int64_t kWaitingBytes = 4 * kChunkBytes;
// The assumed cost of a line in addition to its text, because its answer may be
// far longer.
constexpr int64_t kLineBytes = int64_t{1} << 12;

// A moved-from line keeps its number.
struct Line {
  std::string text;  // empty if it is too long
  int64_t number = 0;
  int64_t size = 0;
};

// Reads a line, keeping it if it has no more than `limit` bytes; false at the
// end.
bool ReadLine(std::istream* in, int64_t limit, Line* line) {
  line->text.clear();
  line->size = 0;
  char part[1 << 12];
  bool has_ended = false;
  while (!has_ended && in->good()) {
    in->getline(part, sizeof(part));
    // getline sets failbit if the part is full, and counts the line break.
    has_ended = !in->fail() && !in->eof();
    const int64_t size = in->gcount() - (has_ended ? 1 : 0);
    if (in->fail() && !in->eof() && !in->bad()) in->clear();
    line->size += size;
    if (line->size <= limit) line->text.append(part, size);
  }
  if (line->size > limit) std::string().swap(line->text);
  return has_ended || line->size > 0;
}

// The answer to a line, with its line break.
std::string AnswerLine(const LayoutService& service, const Line& line,
                       JsonAnswerOptions options) {
  const absl::Status status = CheckLimit("json_bytes", "bytes", line.size,
                                         service.options().json_bytes);
  if (!status.ok()) return ErrorJson("", status, options) + "\n";
  if (line.text.find_first_not_of(" \t\r") == std::string::npos) return "\n";
  options.line = line.number;
  return AnswerJson(service, line.text, options) + "\n";
}

std::string AnswerLines(const LayoutService& service,
                        const std::vector<Line>& lines,
                        const JsonAnswerOptions& options) {
  std::string answers;
  for (const Line& line : lines) {
    const size_t size = answers.size();
    const absl::Status status =
        RunWithinMemory([&] { answers += AnswerLine(service, line, options); });
    if (!status.ok()) {
      answers.resize(size);
      answers += ErrorJson("", status, options) + "\n";
    }
  }
  return answers;
}

}  // namespace

bool AnswerBatchLines(const ServiceOptions& options, int64_t jobs,
                      Console* console, const JsonAnswerOptions& form) {
  const int threads = ThreadsForJobs(jobs);
  // If memory runs out, only the current line fails.
  std::set_new_handler(nullptr);
  const LayoutService service(options);
  OrderedWork work(threads, threads * kWaitingBytes,
                   [console](std::string_view answers, bool is_last_for_now) {
                     console->out->write(answers.data(), answers.size());
                     // A client that waits for the answer before its next
                     // request must get it.
                     if (is_last_for_now) console->out->flush();
                     return console->out->good();
                   });
  std::istream& in = *console->in;
  auto lines = std::make_shared<std::vector<Line>>();
  int64_t bytes = 0;
  const auto give_out = [&] {
    if (lines->empty()) return true;
    const bool goes_on = work.Add(bytes, [&service, &form, lines] {
      return AnswerLines(service, *lines, form);
    });
    lines = std::make_shared<std::vector<Line>>();
    bytes = 0;
    return goes_on;
  };
  Line line;
  bool goes_on = true;
  while (goes_on && ReadLine(&in, options.json_bytes, &line)) {
    ++line.number;
    bytes += kLineBytes + line.text.size();
    lines->push_back(std::move(line));
    if (bytes >= kChunkBytes || in.rdbuf()->in_avail() <= 0) {
      goes_on = give_out();
    }
  }
  give_out();
  work.Finish();
  if (in.bad()) {
    return PrintError({kStdinName}, absl::DataLossError("cannot be read"),
                      console);
  }
  return true;
}

void AddBatchCommand(CommandLine* command_line) {
  auto jobs = std::make_shared<int64_t>(0);
  Subcommand command = command_line->Add(
      "batch", "Answer requests in JSON, one per line of standard input",
      kBatchFooter);
  command.Count("-j,--jobs", "the number of threads, up to 256 (one per core)",
                jobs.get());
  auto form = std::make_shared<JsonAnswerOptions>();
  command.Value("--json", "FORM",
                "the form of the answers: tessera or proto3 (tessera)",
                [form](const std::string& name) -> std::string {
                  form->proto3 = name == "proto3";
                  if (form->proto3 || name == "tessera") return "";
                  return absl::StrCat(name, " is not tessera or proto3");
                });
  command.Run([jobs, form](Console* console) {
    return AnswerBatchLines(ServiceOptions(), *jobs, console, *form);
  });
}

}  // namespace tessera::cli
