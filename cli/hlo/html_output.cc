#include "tessera/cli/hlo/html_output.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/report/page/memory_page_of.h"
#include "tessera/report/page/merged_page.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/viz/memory_page.h"

namespace tessera {
namespace cli {

void AddHtmlOption(Subcommand* command, absl::optional<std::string>* page) {
  command->Text("--html", "PAGE",
                "write a page for browsers to this file instead; - for "
                "standard output",
                page);
}

std::string HtmlUsageError(OutputFormat format,
                           const absl::optional<std::string>& page) {
  if (!page.has_value()) return "";
  if (format != OutputFormat::kText) {
    return absl::StrCat("--html writes a page, and --format=",
                        OutputFormatName(format), " asks for a report");
  }
  return "";
}

bool WritePage(const MemoryPage& page, const std::vector<std::string>& inputs,
               const std::string& output, Console* console) {
  absl::optional<FileIdentity> input;
  for (const std::string& name : inputs) {
    input = IdentityOf(name, console);
    // The one that the output would destroy.
    if (input.has_value() && input == IdentityOf(output, console)) break;
  }
  return WriteOutputFile(output, RenderMemoryPage(page), console, input);
}

namespace {

// "dumps", or "a.txt and 2 more".
std::string PageTitle(const std::vector<HloArgument>& arguments) {
  const std::string first(HloSource(arguments[0].name).name);
  if (arguments.size() == 1) return first;
  return absl::StrCat(first, " and ", arguments.size() - 1, " more");
}

}  // namespace

bool WriteHtml(const std::vector<std::string>& files, const HloReading& reading,
               const MemoryOptions& question, const std::string& page,
               Console* console) {
  bool is_good = true;
  const std::vector<HloArgument> arguments =
      FindHloFiles(files, console, &is_good);
  const std::vector<HloArgument::File> found = FilesOf(arguments);
  if (found.empty()) return false;
  MergedPage merged(PageTitle(arguments));
  std::vector<std::string> read;
  for (const HloArgument::File& file : found) {
    HloAssignments assignments;
    const absl::optional<HloDump> dump =
        ReadHloDump(file, reading, console, &is_good, &assignments);
    if (!dump.has_value()) continue;
    read.push_back(file.name);
    const std::string name(HloSource(file.name).name);
    MemoryPage of_file = MemoryPageOf(name, *dump, question, assignments);
    if (found.size() == 1) {
      return WritePage(of_file, read, page, console) && is_good;
    }
    merged.Add(arguments.size() == 1 ? std::string(NameInFolder(name)) : name,
               std::move(of_file));
  }
  if (read.empty()) return false;
  return WritePage(std::move(merged).Finish(), read, page, console) && is_good;
}

}  // namespace cli
}  // namespace tessera
