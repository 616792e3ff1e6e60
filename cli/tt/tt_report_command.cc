#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/tt_questions.pb.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/human_bytes.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/hlo/answer_printer.h"
#include "tessera/cli/hlo/html_output.h"
#include "tessera/cli/output/message.h"
#include "tessera/cli/tt/tt_files.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/units.h"
#include "tessera/report/tt/tt_report.h"
#include "tessera/tenstorrent/mlir_file/function_memory.h"
#include "tessera/tenstorrent/mlir_file/layout_file.h"

namespace tessera::cli {
namespace {

constexpr char kTtReportFooter[] =
    R"(FILE is MLIR with tt-mlir's layouts, a part of it, a log of the runtime,
or JSON with IR in its strings; - is standard input. A folder means every .mlir,
.log, .txt and .json file in it and in its subfolders. Aliases are replaced, and
comments are skipped. Only types, operations and their operands are parsed, so
text that is not MLIR does no harm.

A size of a bank is the number of bytes that the allocator takes: whole pages,
aligned. It takes the same number from every core's L1, or from every bank of
DRAM, so the sum of these sizes fills a bank. A tensor is in use from the
operation that makes it until its ttnn.deallocate, or else until its last use;
arguments stay. A call has the peak of its callee, too, if that is in the file.
Holes between buffers and circular buffers of kernels are not in the sum.

The card is that of --arch, else that of the file's #ttcore.system_desc, else a
Wormhole. --banks and --l1-bytes replace its numbers for L1.

--oom takes a message "Out of Memory: Not enough space to allocate ..." and
lists the tensors of the size in it; --bytes takes the size itself.

The exit code is 1 if a type or a file cannot be read, or if a function needs
more than --max-l1 or --max-dram of a bank, or with --must-fit more than the
card has. The message names the operation. These check all functions, whatever
--top prints. JSON has one object per file.

Examples:
  tessera tt report model.mlir
  tessera tt report model.mlir --arch blackhole --must-fit
  tessera tt report model.mlir --max-l1 1MiB
  tessera tt report model.mlir --bytes 167772160
  tessera tt report dumps --format=csv > tensors.csv
  tessera tt report run.log --html page.html)";

struct TtReportOptions {
  std::vector<std::string> files;
  TtFileOptions reading;
  std::optional<std::string> oom;
  int64_t bytes = 0;
  int64_t max_l1 = std::numeric_limits<int64_t>::max();
  int64_t max_dram = std::numeric_limits<int64_t>::max();
  bool must_fit = false;
  std::optional<std::string> html;
  OutputFormat format = OutputFormat::kText;
};

// Prints the functions that need more than `most` of a bank, and their places.
bool CheckPeaks(const tenstorrent::LayoutFile& file, std::string_view name,
                const char* memory, int64_t most,
                tenstorrent::SpacePeak tenstorrent::FunctionMemory::*space,
                Console* console) {
  bool is_good = true;
  for (const tenstorrent::FunctionMemory& function : file.functions) {
    const tenstorrent::SpacePeak& peak = function.*space;
    if (peak.peak <= most) continue;
    is_good = false;
    PrintError(
        {std::string(name)},
        ResourceExhaustedError(
            function.name.empty() ? absl::StrCat("line ", function.place.line)
                                  : function.name,
            " needs ", HumanBytes(peak.peak), " (", peak.peak,
            " B) of each bank of ", memory, " at ",
            peak.operation == 0 ? "its entry" : peak.operation_name,
            " in line ", peak.place.line, ", more than ", HumanBytes(most),
            " (", most, " B)"),
        console);
  }
  return is_good;
}

bool CheckBudget(const tenstorrent::LayoutFile& file, std::string_view name,
                 const TtReportOptions& options, Console* console) {
  int64_t l1 = options.max_l1;
  int64_t dram = options.max_dram;
  if (options.must_fit) {
    l1 = std::min<int64_t>(l1, file.card.l1_bank_bytes);
    dram = std::min<int64_t>(dram, file.card.dram_bank_bytes);
  }
  const bool is_l1_good = CheckPeaks(file, name, "L1", l1,
                                     &tenstorrent::FunctionMemory::l1, console);
  return CheckPeaks(file, name, "DRAM", dram,
                    &tenstorrent::FunctionMemory::dram, console) &&
         is_l1_good;
}

int64_t LargestPeak(const TtReportResult& result,
                    const TtPeak& (TtFunction::*peak_of)() const) {
  int64_t largest = 0;
  for (const TtFunction& function : result.functions()) {
    largest =
        std::max<int64_t>(largest, (function.*peak_of)().bytes_per_bank());
  }
  return largest;
}

AnswerPrinter::Answer AnswerOf(const TtReportResult& result,
                               const TtReportOptions& options,
                               const Display& display) {
  const int64_t l1 = LargestPeak(result, &TtFunction::l1);
  const TtCounts& counts = result.counts();
  std::string text;
  if (options.format == OutputFormat::kJson) {
    text = JsonLineOf(result);
  } else if (options.format == OutputFormat::kCsv) {
    text = TtReportToCsv(result);
  } else {
    const std::string findings = TtFindingsToText(result, display);
    text = absl::StrCat(TtReportToText(result, options.reading.rows, display),
                        findings.empty() ? "" : "\n", findings);
  }
  return {l1,
          {{HumanBytes(l1), HumanBytes(LargestPeak(result, &TtFunction::dram)),
            HumanCount(counts.tensors()), HumanCount(counts.memrefs()),
            HumanCount(counts.errors()), result.file()}},
          std::move(text)};
}

bool RunTtReport(const TtReportOptions& options, Console* console) {
  TtFileOptions reading = options.reading;
  reading.question.set_out_of_memory(options.oom.value_or(""));
  reading.question.set_bytes(options.bytes);
  // Formats for programs are complete.
  if (options.format == OutputFormat::kCsv) {
    reading.rows = std::numeric_limits<int64_t>::max();
  }
  AnswerPrinter printer({options.format,
                         TtReportCsvTitles(),
                         "file",
                         {{"L1 peak", Table::kRight},
                          {"DRAM peak", Table::kRight},
                          {"tensors", Table::kRight},
                          {"memrefs", Table::kRight},
                          {"errors", Table::kRight},
                          {"file", Table::kLeft}},
                         options.reading.rows},
                        console);
  std::vector<TtReportResult> page;
  bool is_good = true;
  for (const std::string& name : options.files) {
    const HloArgument argument = FindTtFiles(name, console, &is_good);
    printer.Begin(argument);
    ForEachTtFile(
        argument, reading, console, &is_good,
        [&](const TtReportResult& result, const tenstorrent::LayoutFile& file) {
          for (const TtFinding& error : result.errors()) {
            is_good &= error.finding().rule() != "unread";
          }
          is_good &= result.undefined().empty();
          is_good &= CheckBudget(file, result.file(), options, console);
          if (options.html.has_value()) {
            page.push_back(result);
          } else {
            printer.Add(AnswerOf(result, options, console->out_display));
          }
        });
    printer.End();
  }
  if (!options.html.has_value()) return is_good;
  return WriteOutputFile(
             *options.html,
             TtReportPage(options.files.size() == 1
                              ? std::string(HloSource(options.files[0]).name)
                              : absl::StrCat(options.files.size(), " files"),
                          page),
             console, options.files) &&
         is_good;
}

std::string TtReportUsageError(const TtReportOptions& options) {
  if (options.oom.has_value() && options.bytes > 0) {
    return "--oom and --bytes ask for two sizes";
  }
  return HtmlUsageError(options.format, options.html);
}

}  // namespace

void AddTtReportCommand(SubcommandGroup* group) {
  auto options = std::make_shared<TtReportOptions>();
  Subcommand command = group->Add(
      "report", "Print the layouts of files, and what fills L1 and DRAM",
      kTtReportFooter);
  command.Arguments("FILE", "files, folders or - for standard input",
                    Subcommand::kRequired, &options->files);
  AddTopOption(&command, &options->reading.rows);
  AddCardOptions(&command, &options->reading);
  command.Text("--oom", "TEXT",
               "name the tensors of the size in this message of the runtime",
               &options->oom);
  command.ByteSize("--bytes", "name the tensors that take this number of bytes",
                   &options->bytes);
  command.ByteSize("--max-l1",
                   "exit with 1 if a function needs more of a bank of L1",
                   &options->max_l1);
  command.ByteSize("--max-dram",
                   "exit with 1 if a function needs more of a bank of DRAM",
                   &options->max_dram);
  command.Flag("--must-fit",
               "exit with 1 if a function needs more than the card has",
               &options->must_fit);
  AddHtmlOption(&command, &options->html);
  command.Format({OutputFormat::kText, OutputFormat::kJson, OutputFormat::kCsv},
                 &options->format);
  command.Run(options, RunTtReport, TtReportUsageError);
}

}  // namespace tessera::cli
