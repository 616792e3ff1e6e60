#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/output/console.h"
#include "tessera/hlo/hlo_printer.h"
#include "tessera/hlo/memory/hlo_schedule.h"

namespace tessera::cli {
namespace {

constexpr char kHloCatFooter[] =
    R"(Prints the text that XLA would print: unchanged names, shapes and values,
canonical white space, and only XLA's own comments. Parts that cannot be read
are left out.

A single instruction that was copied out of a dump is read, too. Its operands
may be missing; with --strict each operand must have its shape, as in XLA. Lines
of a log are read without their prefixes (I0521 12:04:45.883483 1509
service.cc:186]).

--strict stops at text that cannot be read, and at missing or duplicate names.
Like XLA's parser, it also checks:
  - opcodes, as of August 2026, and their numbers of operands
  - missing and duplicate attributes, and the form of numbers, lists
    of numbers, names, windows, paddings and aliases
  - literals against their shapes: braces, numbers of elements, ranges
  - required shapes, and the spelling of shapes
  - names, ROOT, ENTRY, numbers of parameters, tuple paths
  - shapes of operands, and of roots against the computation's header
  - outputs that input_output_alias names, and whole sets of frame tables
It does not check rules that change from version to version (other attributes;
matching asynchronous starts and ends), the contents of shardings, metadata and
backend configurations, whether dimensions, devices and aliased parameters
exist, or the shapes that XLA would infer. Everything that XLA prints for its
own parser passes, but XLA may refuse a text that passes.

Examples:
  tessera hlo cat dump.txt.gz | less
  tessera hlo cat dump.txt --no-metadata --no-backend-config
  tessera hlo cat dump.txt --computation=fused_computation
  tessera hlo cat --strict dump.txt > /dev/null && echo "no mistake found")";

struct HloCatOptions {
  std::vector<std::string> files;
  HloReading reading;
  bool no_metadata = false;
  bool no_backend_config = false;
  std::string computation;  // "" for all
};

bool RunHloCat(const HloCatOptions& options, Console* console) {
  HloPrintOptions print_options;
  print_options.print_metadata = !options.no_metadata;
  print_options.print_backend_config = !options.no_backend_config;
  bool is_good = true;
  bool is_first = true;
  // Between files and computations.
  auto separator = [&is_first] {
    const char* text = is_first ? "" : "\n";
    is_first = false;
    return text;
  };
  for (const HloArgument& argument :
       FindHloFiles(options.files, console, &is_good)) {
    absl::Status not_found;
    bool is_found = options.computation.empty();
    bool is_read = false;
    for (const HloArgument::File& file : argument.files) {
      const std::optional<HloDump> dump =
          ReadHloDump(file, options.reading, console, &is_good);
      if (!dump.has_value()) continue;
      is_read = true;
      if (options.computation.empty()) {
        *console->out << separator() << PrintHlo(*dump, print_options);
        continue;
      }
      const absl::StatusOr<std::vector<HloComputation>> found =
          FindComputations(*dump, options.computation);
      is_found |= found.ok();
      not_found.Update(found.status());
      if (!found.ok()) continue;
      for (const HloComputation computation : *found) {
        std::string text = separator();
        AppendHlo(computation, print_options, &text);
        *console->out << text;
      }
    }
    if (is_read && !is_found) {
      PrintError(HloSource(argument.name), not_found, console);
      is_good = false;
    }
  }
  return is_good;
}

}  // namespace

void AddHloCatCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<HloCatOptions>();
  Subcommand command =
      hlo->Add("cat", "Print HLO text in XLA's own style", kHloCatFooter);
  AddFilesArgument(&command, &options->files);
  command.Flag("--no-metadata", "leave out metadata={...}",
               &options->no_metadata);
  command.Flag("--no-backend-config", "leave out backend_config=...",
               &options->no_backend_config);
  AddComputationOption(&command, "only this computation",
                       &options->computation);
  AddReadingOptions(&command, &options->reading);
  command.Run(options, RunHloCat);
}

}  // namespace tessera::cli
