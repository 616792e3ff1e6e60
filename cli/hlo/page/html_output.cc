#include "tessera/cli/hlo/page/html_output.h"

#include "absl/strings/str_cat.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/hlo/page/memory_page_of.h"
#include "tessera/viz/memory_page.h"

namespace tessera {
namespace cli {

void AddHtmlOption(Subcommand* command, absl::optional<std::string>* page) {
  command->Text("--html", "PAGE",
                "write a page for browsers to this file instead; - for "
                "standard output",
                page);
}

std::string HtmlUsageError(const std::vector<std::string>& files,
                           OutputFormat format,
                           const absl::optional<std::string>& page) {
  if (!page.has_value()) return "";
  if (files.size() > 1) {
    return "--html writes a page of one file, not of several";
  }
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

bool WriteHtml(const std::vector<std::string>& files, const HloReading& reading,
               const MemoryOptions& question, const std::string& page,
               Console* console) {
  bool is_good = true;
  const absl::optional<std::string> file =
      FindOneHloFile(files[0], console, &is_good);
  if (!file.has_value()) return false;
  HloAssignments assignments;
  const absl::optional<HloDump> dump =
      ReadHloDump(*file, reading, console, &is_good, &assignments);
  if (!dump.has_value()) return false;
  return WritePage(MemoryPageOf(std::string(HloSource(*file).name), *dump,
                                question, assignments),
                   {*file}, page, console) &&
         is_good;
}

}  // namespace cli
}  // namespace tessera
