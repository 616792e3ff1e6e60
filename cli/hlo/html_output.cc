#include "tessera/cli/hlo/html_output.h"

#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/output/message.h"
#include "tessera/report/text/hlo_words.h"

namespace tessera::cli {

void AddHtmlOption(Subcommand* command, std::optional<std::string>* page) {
  command->Text("--html", "PAGE",
                "write a page for browsers to this file instead; - for "
                "standard output",
                page);
}

std::string HtmlUsageError(OutputFormat format,
                           const std::optional<std::string>& page) {
  if (!page.has_value() || format == OutputFormat::kText) return "";
  return StrCat("--html writes a page, and --format=", OutputFormatName(format),
                " asks for a report");
}

std::string PageTitle(const std::vector<HloArgument>& arguments) {
  const std::vector<HloArgument::File> files = FilesOf(arguments);
  if (files.size() == 1) return std::string(HloSource(files[0].name).name);
  const std::string first(HloSource(arguments[0].name).name);
  if (arguments.size() == 1) return first;
  return absl::StrCat(first, " and ", arguments.size() - 1, " more");
}

bool WriteHtml(const std::vector<std::string>& files, const HloReading& reading,
               const MemoryOptions& question, const std::string& page,
               Console* console) {
  bool is_good = true;
  const std::vector<HloArgument> arguments =
      FindHloFiles(files, console, &is_good);
  const std::vector<HloArgument::File> found = FilesOf(arguments);
  if (found.empty()) return false;
  PageWriter writer(PageTitle(arguments));
  std::vector<std::string> read;
  for (const HloArgument& argument : arguments) {
    ForEachDump(argument, reading, console, &is_good,
                [&](const std::string& file, const HloDump& dump,
                    const HloAssignments& assignments) {
                  const std::string name(HloSource(file).name);
                  absl::StatusOr<SummarizeResult> summary =
                      PageSummary(arguments.size() == 1 && found.size() > 1
                                      ? std::string(NameInFolder(name))
                                      : name,
                                  dump, question, assignments);
                  if (!summary.ok()) {
                    PrintError(HloSource(file), summary.status(), console);
                    is_good = false;
                    return;
                  }
                  read.push_back(file);
                  writer.Add(*std::move(summary));
                });
  }
  if (read.empty()) return false;
  return WriteOutputFile(page, std::move(writer).ToHtml(), console, read) &&
         is_good;
}

}  // namespace tessera::cli
