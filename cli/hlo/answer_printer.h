// Prints the output of a command for each file or module. Files are in their
// order. For a folder, a table comes first, and then the answers, the largest
// first.
//
//   AnswerPrinter printer(options, console);
//   printer.Begin(argument);
//   printer.Add({bytes, {{"1 KiB", "m.txt"}}, "m takes 1 KiB\n"});
//   printer.End();

#ifndef TESSERA_CLI_HLO_ANSWER_PRINTER_H_
#define TESSERA_CLI_HLO_ANSWER_PRINTER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/output/console.h"
#include "tessera/report/text/output_format.h"
#include "tessera/report/text/table.h"

namespace tessera::cli {

class AnswerPrinter {
 public:
  struct Options {
    OutputFormat format;
    std::string csv_titles;
    // The subject of an answer: "module".
    std::string noun;
    // The columns of the table above the answers in text form, if one argument
    // has several answers, and the number of answers that are shown.
    std::vector<Table::Column> columns;
    int64_t top;
  };

  struct Answer {
    int64_t bytes = 0;  // those with more of them come first
    std::vector<std::vector<std::string>> rows;
    std::string text;
  };

  AnswerPrinter(Options options, Console* console)
      : options_(std::move(options)), console_(*console) {}

  // The answers that follow are about `argument`, which must outlive them.
  void Begin(const HloArgument& argument) { argument_ = &argument; }
  void Add(Answer answer);
  void End();

 private:
  void Print(const std::string& text);
  std::string Heading() const;

  const Options options_;
  Console& console_;
  const HloArgument* argument_ = nullptr;
  // The answers about the argument.
  std::vector<Answer> answers_;
  bool is_first_ = true;
};

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_ANSWER_PRINTER_H_
