#include "tessera/cli/html_output.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/cli/hlo_input.h"
#include "tessera/cli/memory_page_of.h"
#include "tessera/cli/message.h"
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
  if (page == kStdinArgument) {
    *console->out << html;
    return is_good;
  }
  std::ofstream out(console->PathOf(page), std::ios::binary);
  out << html;
  out.close();
  if (!out) {
    PrintError({page},
               absl::UnavailableError(
                   absl::StrCat("cannot be written: ", std::strerror(errno))),
               console);
    return false;
  }
  return is_good;
}

}  // namespace tessera
