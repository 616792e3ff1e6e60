// Prints the instructions of HLO text, one per line:
//
//   main: ROOT y = f32[2,3]{1,0} add(f32[2,3]{1,0} x, f32[2,3]{1,0} x)

#ifndef TESSERA_CLI_HLO_INSTRUCTION_PRINTER_H_
#define TESSERA_CLI_HLO_INSTRUCTION_PRINTER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/cli/output/console.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/report/text/output_format.h"

namespace tessera::cli {

// Selects the instructions that pass all of these conditions.
struct InstructionFilter {
  // The opcode is one of these; any opcode if the list is empty.
  std::vector<std::string> opcodes;
  // The name of its computation.
  std::string computation;
  // An array of its result lies in this memory space.
  std::optional<int64_t> memory_space;
  // The arrays of its result take at least this many bytes, padding included.
  // If `memory_space` is given, only the arrays there count.
  int64_t min_bytes = 0;

  bool Passes(HloInstruction instruction) const;
};

class InstructionPrinter {
 public:
  struct Options {
    OutputFormat format = OutputFormat::kText;
    // Whether the name of the file is printed above its lines of text, and in
    // JSON objects. CSV always has it.
    bool has_files = false;
  };

  InstructionPrinter(const Options& options, Console* console)
      : options_(options), console_(console) {}

  // Call these before the instructions of a file, and of each module in it.
  // `has_modules`: whether the name of each module is printed above its lines.
  void BeginFile(std::string_view file, bool has_modules);
  void BeginModule(std::string_view name);
  void Print(HloInstruction instruction);

 private:
  void PrintText(HloInstruction instruction);

  const Options options_;
  Console* const console_;
  std::string file_;
  bool has_modules_ = false;
  // Headings that are printed before the next instruction.
  std::string pending_file_;
  std::string pending_module_;
  bool has_printed_ = false;
};

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_INSTRUCTION_PRINTER_H_
