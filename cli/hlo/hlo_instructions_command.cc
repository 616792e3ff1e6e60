#include "tessera/cli/hlo/hlo_instructions_command.h"

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tessera/cli/files/input_file.h"
#include "tessera/cli/hlo/hlo_input.h"
#include "tessera/hlo/for_each_instruction.h"
#include "tessera/layout/memory_space.h"

namespace tessera {
namespace cli {
namespace {

constexpr char kFooter[] =
    R"(Files are read piece by piece: they may be larger than memory, or come
through a pipe. If there are several files or modules, a line with the name
precedes the instructions of each. JSON and CSV have these names in every line,
but JSON has the name of the file only if there are several.

If an attribute is given twice, JSON has an array of its values.

Examples:
  tessera hlo instructions dump.txt
  tessera hlo instructions dump.txt --opcode=copy --opcode=copy-start
  tessera hlo instructions dump.txt --memory-space=VMEM --min-bytes=1048576
  tessera hlo instructions dump.txt --computation=main --format=csv > main.csv
  zcat *.gz | tessera hlo instructions - --format=json | jq .opcode)";

// Counts the modules up to the second.
class ModuleCounter : public HloHandler {
 public:
  void OnModule(const HloModuleText& /*module*/) override { ++count_; }
  bool goes_on() const override { return count_ < 2; }
  bool has_several() const { return count_ > 1; }

 private:
  int count_ = 0;
};

// Whether the file has more than one module, as far as one can tell without
// losing it; a pipe is taken to have one.
bool HasSeveralModules(InputFile* file) {
  if (!file->Rewind()) return false;
  ModuleCounter counter;
  HloStreamOptions options;
  options.handler = &counter;
  // An error comes again when the file is read in earnest.
  ForEachInstruction(
      file, [](const HloInstructionText&) { return true; }, options)
      .IgnoreError();
  file->Rewind();
  return counter.has_several();
}

class Listing : public HloHandler {
 public:
  explicit Listing(InstructionPrinter* printer) : printer_(*printer) {}

  void OnModule(const HloModuleText& module) override {
    // On a pipe it is only now that one knows.
    if (modules_++ > 0) printer_.set_has_modules(true);
    printer_.BeginModule(module.name);
  }
  void OnDiagnostic(const Diagnostic& diagnostic) override {
    // Whether it is an error only the end of the text tells.
    constexpr size_t kMost = 100;
    if (diagnostics_.size() < kMost) diagnostics_.push_back(diagnostic);
  }

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  InstructionPrinter& printer_;
  int64_t modules_ = 0;
  std::vector<Diagnostic> diagnostics_;
};

bool List(const HloInstructionsOptions& options, const std::string& name,
          InstructionPrinter* printer, Console* console) {
  const TextSource source = HloSource(name);
  absl::StatusOr<std::unique_ptr<InputFile>> file =
      InputFile::Open(name, console);
  if (!file.ok()) {
    PrintError(source, file.status(), console);
    return false;
  }
  printer->set_has_modules(options.format == OutputFormat::kText &&
                           HasSeveralModules(file->get()));
  printer->BeginFile(source.name);
  Listing listing(printer);
  HloStreamOptions stream_options;
  stream_options.handler = &listing;
  const absl::StatusOr<HloCounts> counts = ForEachInstruction(
      file->get(),
      [&](const HloInstructionText& instruction) {
        if (options.filter.Passes(instruction)) printer->Print(instruction);
        // Who has had enough, as `head` has, does not wait for the rest.
        return console->out->good();
      },
      stream_options);
  if (!counts.ok()) {
    PrintError(source, counts.status(), console);
    return false;
  }
  return PrintDiagnostics(source, listing.diagnostics(), counts->diagnostics,
                          counts->is_merely_cut_off(), console) &&
         CheckHasComputations(source, *counts, console);
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
  InstructionPrinter::Options printer_options;
  printer_options.format = options.format;
  printer_options.has_files = options.files.size() > 1;
  InstructionPrinter printer(printer_options, console);
  bool is_good = true;
  for (const std::string& file : options.files) {
    is_good &= List(options, file, &printer, console);
  }
  return is_good;
}

void AddHloInstructionsCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<HloInstructionsOptions>();
  InstructionFilter& filter = options->filter;
  Subcommand command =
      hlo->Add("instructions",
               "Print all or selected instructions, one per line", kFooter);
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
  command.Count(
      "--min-bytes",
      "only instructions whose result takes at least N bytes, padding included",
      &filter.min_bytes);
  AddComputationOption(&command, "only instructions of this computation",
                       &filter.computation);
  command.Format({OutputFormat::kText, OutputFormat::kJson, OutputFormat::kCsv},
                 &options->format);
  command.Run([options](Console* console) {
    return RunHloInstructions(*options, console);
  });
}

}  // namespace cli
}  // namespace tessera
