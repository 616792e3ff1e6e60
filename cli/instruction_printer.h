// File: cli/instruction_printer.h
//
// The instructions of HLO text, one a line, as they are read:
//
//   main: ROOT y = f32[2,3]{1,0} add(x, x)

#ifndef TESSERA_CLI_INSTRUCTION_PRINTER_H_
#define TESSERA_CLI_INSTRUCTION_PRINTER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/cli/console.h"
#include "tessera/cli/output_format.h"
#include "tessera/hlo/hlo_handler.h"

namespace tessera {

// Which instructions are meant: those that pass all of these.
struct InstructionFilter {
  // One of them; any where there is none.
  std::vector<std::string> opcodes;
  // That of its computation.
  absl::optional<std::string> computation;
  // An array of its result lies there.
  absl::optional<int64_t> memory_space;
  // The arrays of its result take at least so many bytes, padding included,
  // those in `memory_space` if that is given.
  int64_t min_bytes = 0;

  bool Passes(const HloInstructionText& instruction) const;
};

class InstructionPrinter {
 public:
  struct Options {
    OutputFormat format = OutputFormat::kText;
    // Lines of text stand below the name of their file, JSON objects have it;
    // CSV always does.
    bool has_files = false;
    // Lines of text stand below the name of their module.
    bool has_modules = false;
  };

  InstructionPrinter(const Options& options, Console* console)
      : options_(options), console_(console) {}

  // Before the instructions of a file, and of each module in it.
  void BeginFile(absl::string_view file);
  void BeginModule(absl::string_view name);
  void Print(const HloInstructionText& instruction);
  // From the next module on.
  void set_has_modules(bool has_modules) { options_.has_modules = has_modules; }

 private:
  void PrintText(const HloInstructionText& instruction);

  Options options_;
  Console* const console_;
  std::string file_;
  // Headings that wait for an instruction.
  std::string pending_file_;
  std::string pending_module_;
  bool has_printed_ = false;
};

}  // namespace tessera

#endif  // TESSERA_CLI_INSTRUCTION_PRINTER_H_
