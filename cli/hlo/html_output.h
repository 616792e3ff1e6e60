// Writes the page of --html about the memory of HLO files, instead of the
// report.

#ifndef TESSERA_CLI_HLO_HTML_OUTPUT_H_
#define TESSERA_CLI_HLO_HTML_OUTPUT_H_

#include <optional>
#include <string>
#include <vector>

#include "tessera/cli/command/command_line.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/output/console.h"
#include "tessera/hlo/memory/memory_options.h"
#include "tessera/report/page/page_writer.h"
#include "tessera/report/text/output_format.h"

namespace tessera::cli {

void AddHtmlOption(Subcommand* command, std::optional<std::string>* page);

// Returns the title of a page about the files of the arguments, which are not
// empty: "dumps", or "a.txt and 2 more".
std::string PageTitle(const std::vector<HloArgument>& arguments);

// Returns an error message about --html, or "".
std::string HtmlUsageError(OutputFormat format,
                           const std::optional<std::string>& page);

// Reads all files, including those of folders, and writes one page of their
// modules to the file `page`, or to standard output if that is `-`. Returns
// false, after a message, if some input was bad, or if the page could not be
// written, for example because it is one of the inputs.
bool WriteHtml(const std::vector<std::string>& files, const HloReading& reading,
               const MemoryOptions& question, const std::string& page,
               Console* console);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_HTML_OUTPUT_H_
