#include "tessera/cli/tt/tt_files.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/files/input_file.h"
#include "tessera/cli/output/message.h"
#include "tessera/service/questions/tenstorrent/tt_report_question.h"

namespace tessera::cli {
namespace {

bool HasKnownEnding(std::string_view name) {
  return EndsWith(name, ".mlir") || EndsWith(name, ".log") ||
         EndsWith(name, ".txt") || EndsWith(name, ".json");
}

bool IsWithoutLayouts(const TtReportResult& result) {
  const TtCounts& counts = result.counts();
  return counts.tensors() == 0 && counts.layouts() == 0 &&
         counts.memrefs() == 0 && result.undefined().empty();
}

}  // namespace

void AddCardOptions(Subcommand* command, TtFileOptions* options) {
  command->Value("--arch", "wormhole_b0|blackhole",
                 "the card; without it the file's #ttcore.system_desc decides",
                 [options](const std::string& text) -> std::string {
                   TtReportRequest question;
                   question.set_arch(text);
                   tenstorrent::CardOptions card;
                   if (!ReadCardOptions(question, &card).ok()) {
                     return absl::StrCat(text,
                                         " is not wormhole_b0 or blackhole");
                   }
                   options->question.set_arch(text);
                   return "";
                 });
  command->Value("--l1-bytes", "SIZE",
                 "the bytes of a core's L1 that tensors can use",
                 [options](const std::string& text) -> std::string {
                   int64_t bytes = 0;
                   const std::string error = ReadByteSize(text, {1}, &bytes);
                   options->question.set_l1_bytes(bytes);
                   return error;
                 });
  command->Value("--banks", "N",
                 "the banks over which tensors are interleaved in L1",
                 [options](const std::string& text) -> std::string {
                   int64_t banks = 0;
                   if (!absl::SimpleAtoi(text, &banks) || banks < 1) {
                     return absl::StrCat(text, " is not a number from 1 up");
                   }
                   options->question.set_l1_banks(banks);
                   return "";
                 });
}

HloArgument FindTtFiles(const std::string& argument, Console* console,
                        bool* is_good) {
  namespace fs = std::filesystem;
  HloArgument found = {argument, false, {argument}};
  std::error_code error;
  const std::string path = console->PathOf(argument);
  if (argument == kStdinArgument || !fs::is_directory(path, error)) {
    return found;
  }
  found.is_folder = true;
  found.files.clear();
  const std::string begin =
      absl::StrCat(argument, EndsWith(argument, "/") ? "" : "/");
  for (fs::recursive_directory_iterator i(path, error), end; !error && i != end;
       i.increment(error)) {
    std::error_code ignored;
    const std::string name = fs::path(i->path()).lexically_relative(path);
    if (HasKnownEnding(name) && i->is_regular_file(ignored)) {
      found.files.push_back({absl::StrCat(begin, name)});
    }
  }
  if (error) {
    PrintError({argument},
               absl::UnavailableError(
                   absl::StrCat("cannot be read: ", error.message())),
               console);
    *is_good = false;
  }
  std::sort(found.files.begin(), found.files.end(),
            [](const HloArgument::File& a, const HloArgument::File& b) {
              return a.name < b.name;
            });
  return found;
}

bool IsTtFile(const std::string& argument, const Console* console) {
  std::error_code error;
  return argument == kStdinArgument ||
         // A name is short, but a text given in its place is long.
         (argument.size() < 4096 &&
          std::filesystem::exists(console->PathOf(argument), error));
}

bool AnswerTtText(std::string_view name, std::string_view text,
                  const TtFileOptions& options, Console* console,
                  TtReportResult* result, tenstorrent::LayoutFile* file) {
  tenstorrent::CardOptions card;
  absl::Status status = ReadCardOptions(options.question, &card);
  if (status.ok()) {
    tenstorrent::LayoutFile read = tenstorrent::ReadLayoutFile(text, card);
    FillTtReport(read, text, name, options.rows, result);
    status = FillTtMatches(read, options.question, options.rows, result);
    if (file != nullptr) *file = std::move(read);
  }
  if (!status.ok()) PrintError({name}, status, console);
  return status.ok();
}

void ForEachTtFile(const HloArgument& argument, const TtFileOptions& options,
                   Console* console, bool* is_good, TtFileVisit visit) {
  bool is_found = !argument.is_folder;
  for (const HloArgument::File& file : argument.files) {
    const TextSource source = HloSource(file.name);
    const absl::StatusOr<FileBytes> bytes =
        OpenInputFile(file.name, {}, console);
    if (!bytes.ok()) {
      PrintError(source, bytes.status(), console);
      *is_good = false;
      continue;
    }
    TtReportResult result;
    tenstorrent::LayoutFile layouts;
    if (!AnswerTtText(source.name, bytes->text(), options, console, &result,
                      &layouts)) {
      *is_good = false;
      return;
    }
    if (argument.is_folder && IsWithoutLayouts(result)) continue;
    is_found = true;
    visit(result, layouts);
  }
  if (!is_found) {
    PrintError({argument.name},
               absl::NotFoundError("the folder has no file with layouts"),
               console);
    *is_good = false;
  }
}

}  // namespace tessera::cli
