// File: cli/instruction_printer.h
//
// The instructions of HLO text, one a line, as they are read:
//
//   main: ROOT y = f32[2,3]{1,0} add(x, x)

#ifndef TESSERA_CLI_INSTRUCTION_PRINTER_H_
#define TESSERA_CLI_INSTRUCTION_PRINTER_H_

#include "tessera/cli/console.h"
#include "tessera/cli/message.h"
#include "tessera/cli/output_format.h"
#include "tessera/hlo/hlo_handler.h"

namespace tessera {

class InstructionPrinter : public HloHandler {
 public:
  // Writes data to console->out, as text or JSON, and what cannot be read to
  // console->err.
  InstructionPrinter(const TextSource& source, OutputFormat format,
                     Console* console)
      : source_(source), format_(format), console_(console) {}

  void OnInstruction(const HloInstructionText& instruction) override;
  void OnDiagnostic(const Diagnostic& diagnostic) override {
    PrintError(source_, diagnostic, console_);
  }

 private:
  TextSource source_;
  OutputFormat format_;
  Console* console_;
};

}  // namespace tessera

#endif  // TESSERA_CLI_INSTRUCTION_PRINTER_H_
