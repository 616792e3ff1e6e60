#include "tessera/cli/html_output.h"

#include "absl/status/status.h"
#include "tessera/cli/hlo_input.h"
#include "tessera/cli/memory_page_of.h"
#include "tessera/cli/message.h"
#include "tessera/cli/output_file.h"
#include "tessera/viz/memory_page.h"

namespace tessera {

void AddHtmlOption(Subcommand* command, absl::optional<std::string>* page) {
  command->Text("--html", "PAGE",
                "write a page for browsers to this file instead; - for "
                "standard output",
                page);
}

bool WriteHtml(const std::vector<std::string>& files, bool strict,
               const std::string& page, Console* console) {
  if (files.size() > 1) {
    PrintError({page},
               absl::InvalidArgumentError("a page is of one file, not several"),
               console);
    return false;
  }
  bool is_good = true;
  const absl::optional<HloDump> dump =
      ReadHloDump(files[0], strict, console, &is_good);
  if (!dump.has_value()) return false;
  const std::string html = RenderMemoryPage(
      MemoryPageOf(std::string(HloSource(files[0]).name), *dump));
  return WriteOutputFile(page, html, console) && is_good;
}

}  // namespace tessera
