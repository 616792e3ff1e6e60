#include "tessera/cli/hlo/hlo_instructions_command.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/nearest_names.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/output/message.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/layout/memory_space.h"

namespace tessera::cli {
namespace {

constexpr char kHloInstructionsFooter[] =
    R"(With several files or modules, a line with the name precedes the
instructions of each. JSON and CSV have these names in every line, but JSON has
the file's name only if there are several files.

If an attribute is given twice, JSON has an array of its values.

Examples:
  tessera hlo instructions dump.txt
  tessera hlo instructions dump.txt --opcode=copy --opcode=copy-start
  tessera hlo instructions dump.txt --memory-space=VMEM --min-bytes=1MiB
  tessera hlo instructions dump.txt --computation=main --format=csv > main.csv
  zcat *.gz | tessera hlo instructions - --format=json | jq .opcode)";

std::optional<int64_t> NumberAnywhere(std::string_view name) {
  for (const HloTarget target :
       {HloTarget::kNone, HloTarget::kTpu, HloTarget::kGpu, HloTarget::kCpu}) {
    const std::optional<int64_t> number =
        MemorySpaceNamesOf(target).NumberFor(name);
    if (number.has_value()) return number;
  }
  return std::nullopt;
}

// Reads "1", "S(1)" or "VMEM".
std::string ReadMemorySpace(const std::string& text,
                            HloInstructionsOptions* options) {
  options->filter.memory_space = NumberAnywhere(text);
  options->memory_space_name = text;
  if (options->filter.memory_space.has_value()) return "";
  return absl::StrCat(text, " is neither the number nor the name of a memory ",
                      "space");
}

// Returns the filter for a dump. Its target may have its own number for the
// name of a memory space, as CPU does for the host.
InstructionFilter FilterFor(const HloInstructionsOptions& options,
                            const HloDump& dump) {
  InstructionFilter filter = options.filter;
  if (options.memory_space_name.empty()) return filter;
  const std::optional<int64_t> number =
      MemorySpaceNamesOf(GuessTarget(dump))
          .NumberFor(options.memory_space_name);
  if (number.has_value()) filter.memory_space = number;
  return filter;
}

// Adds the opcodes of the dump to `opcodes`.
bool List(const HloInstructionsOptions& options, const std::string& file,
          InstructionPrinter* printer, std::set<std::string>* opcodes,
          Console* console) {
  bool is_good = true;
  const std::optional<HloDump> dump =
      ReadHloDump(file, options.reading, console, &is_good);
  if (!dump.has_value()) return false;
  const InstructionFilter filter = FilterFor(options, *dump);
  for (const std::string_view opcode : dump->opcodes()) {
    opcodes->emplace(opcode);
  }
  printer->BeginFile(HloSource(file).name,
                     /*has_modules=*/dump->modules().size() > 1);
  for (const HloModule module : dump->modules()) {
    printer->BeginModule(module.name());
    for (const HloComputation computation : module.computations()) {
      for (const HloInstruction instruction : computation.instructions()) {
        // A reader that has closed its end, such as `head`, does not wait for
        // the rest.
        if (!console->out->good()) return is_good;
        if (filter.Passes(instruction)) printer->Print(instruction);
      }
    }
  }
  return is_good;
}

// Checks that each requested opcode occurs.
bool CheckOpcodes(const HloInstructionsOptions& options,
                  const std::set<std::string>& opcodes, Console* console) {
  bool is_good = true;
  const std::vector<std::string_view> names(opcodes.begin(), opcodes.end());
  for (const std::string& opcode : options.filter.opcodes) {
    if (opcodes.count(opcode) > 0) continue;
    is_good = false;
    PrintError({opcode},
               InvalidArgumentError("no module has this opcode",
                                    DidYouMean(opcode, names)),
               console);
  }
  return is_good;
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
  std::set<std::string> opcodes;
  for (const HloArgument::File& file : files) {
    is_good &= List(options, file.name, &printer, &opcodes, console);
  }
  return CheckOpcodes(options, opcodes, console) && is_good;
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
      "only instructions whose result has an array in this memory space",
      [options](const std::string& text) {
        return ReadMemorySpace(text, options.get());
      });
  command.ByteSize(
      "--min-bytes",
      "only instructions whose result takes at least SIZE, including padding",
      &filter.min_bytes);
  AddComputationOption(&command, "only instructions of this computation",
                       &filter.computation);
  AddReadingOptions(&command, &options->reading);
  command.Format({OutputFormat::kText, OutputFormat::kJson, OutputFormat::kCsv},
                 &options->format);
  command.Run(options, RunHloInstructions);
}

}  // namespace tessera::cli
