#include "tessera/cli/hlo/hlo_instructions_command.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/layout/memory_space.h"

namespace tessera {
namespace cli {
namespace {

constexpr char kHloInstructionsFooter[] =
    R"(If there are several files or modules, a line with the name precedes the
instructions of each. JSON and CSV have these names in every line, but JSON has
the name of the file only if there are several.

If an attribute is given twice, JSON has an array of its values.

Examples:
  tessera hlo instructions dump.txt
  tessera hlo instructions dump.txt --opcode=copy --opcode=copy-start
  tessera hlo instructions dump.txt --memory-space=VMEM --min-bytes=1MiB
  tessera hlo instructions dump.txt --computation=main --format=csv > main.csv
  zcat *.gz | tessera hlo instructions - --format=json | jq .opcode)";

bool List(const HloInstructionsOptions& options, const std::string& file,
          InstructionPrinter* printer, Console* console) {
  bool is_good = true;
  const absl::optional<HloDump> dump =
      ReadHloDump(file, options.reading, console, &is_good);
  if (!dump.has_value()) return false;
  printer->BeginFile(HloSource(file).name,
                     /*has_modules=*/dump->modules().size() > 1);
  for (const HloModule module : dump->modules()) {
    printer->BeginModule(module.name());
    for (const HloComputation computation : module.computations()) {
      for (const HloInstruction instruction : computation.instructions()) {
        // Who has had enough, as `head` has, does not wait for the rest.
        if (!console->out->good()) return is_good;
        if (options.filter.Passes(instruction)) printer->Print(instruction);
      }
    }
  }
  return is_good;
}

// Reads "1" or "VMEM".
std::string ReadMemorySpace(const std::string& text,
                            absl::optional<int64_t>* memory_space) {
  int64_t number = 0;
  if (absl::SimpleAtoi(text, &number) && number >= 0) {
    *memory_space = number;
    return "";
  }
  const MemorySpaceNames names;
  constexpr int64_t kNamed = 256;
  for (int64_t space = 0; space < kNamed; ++space) {
    if (absl::EqualsIgnoreCase(names.NameOf(space), text)) {
      *memory_space = space;
      return "";
    }
  }
  return absl::StrCat(text, " is neither the number nor the name of a memory ",
                      "space");
}

}  // namespace

bool RunHloInstructions(const HloInstructionsOptions& options,
                        Console* console) {
  bool is_good = true;
  const std::vector<HloArgument::File> files =
      FilesOf(FindHloFiles(options.files, console, &is_good));
  InstructionPrinter::Options printer_options;
  printer_options.format = options.format;
  printer_options.has_files = files.size() > 1;
  InstructionPrinter printer(printer_options, console);
  for (const HloArgument::File& file : files) {
    is_good &= List(options, file.name, &printer, console);
  }
  return is_good;
}

void AddHloInstructionsCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<HloInstructionsOptions>();
  InstructionFilter& filter = options->filter;
  Subcommand command = hlo->Add(
      "instructions", "Print all or selected instructions, one per line",
      kHloInstructionsFooter);
  AddFilesArgument(&command, &options->files);
  command.Texts("--opcode", "OP",
                "only instructions with this opcode; may be repeated",
                &filter.opcodes);
  command.Value(
      "--memory-space", "N|NAME",
      "only instructions with an array of their result in this memory space",
      [&filter](const std::string& text) {
        return ReadMemorySpace(text, &filter.memory_space);
      });
  command.ByteSize(
      "--min-bytes",
      "only instructions whose result takes at least SIZE, padding included",
      &filter.min_bytes);
  AddComputationOption(&command, "only instructions of this computation",
                       &filter.computation);
  AddReadingOptions(&command, &options->reading);
  command.Format({OutputFormat::kText, OutputFormat::kJson, OutputFormat::kCsv},
                 &options->format);
  command.Run([options](Console* console) {
    return RunHloInstructions(*options, console);
  });
}

}  // namespace cli
}  // namespace tessera
