// Finds the tensors of tt-mlir that an argument names by a line of a file, or
// writes with the aliases of a file.
//
//   std::optional<std::string> aliases;     // --aliases model.mlir
//   std::vector<std::string> texts = {"model.mlir:42"};
//   if (!ExpandTensorArguments(aliases, OutputFormat::kText, console, &texts)) {
//     return false;
//   }

#ifndef TESSERA_CLI_LAYOUT_TENSOR_ARGUMENT_H_
#define TESSERA_CLI_LAYOUT_TENSOR_ARGUMENT_H_

#include <optional>
#include <string>
#include <vector>

#include "tessera/cli/command/command_line.h"
#include "tessera/cli/output/console.h"
#include "tessera/report/text/output_format.h"

namespace tessera::cli {

// Adds --aliases.
void AddAliasesOption(Subcommand* command, std::optional<std::string>* file);

// Replaces each argument FILE:LINE, if the file exists, by the tensors with
// layouts in that line. If there is a file of aliases, replaces every other
// argument by the tensors in it, written in full. Leaves other arguments, and
// "-", unchanged. Returns false, after a message, if a file cannot be read or a
// line has no tensor.
bool ExpandTensorArguments(const std::optional<std::string>& aliases,
                           OutputFormat format, Console* console,
                           std::vector<std::string>* texts);

// Like the function above, for a single argument, which becomes the first
// tensor.
bool ExpandTensorArgument(const std::optional<std::string>& aliases,
                          OutputFormat format, Console* console,
                          std::string* text);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_TENSOR_ARGUMENT_H_
