#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "proto/layout_questions.pb.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cli/command/answer_each.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/layout/grid.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/cute/calculator/calculator_functions.h"
#include "tessera/cute/calculator/printed_block.h"
#include "tessera/cute/layout_values.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layouts/layout_questions.h"

namespace tessera::cli {
namespace {

constexpr char kCuteFooter[] =
    R"(Expressions are written as in CuTe's documentation and in C++: calls nest, 'A o
B' composes, A(1,2) is the offset at a coordinate, A(_,2) is a slice, 'A = ...'
binds a name for later statements, and ';' separates statements. The command
also reads C++ types and source, the output of C++ and of the CuTe DSL, Python
source, Triton's blocked layouts, and the names of MMA and copy atoms
(docs/cute.md). Notes on standard error show other readings of a tiler, tiles
that reach past the end of a layout, and whether a swizzle acts on bytes or on
elements.

Functions:
)";

constexpr char kExamples[] = R"(
Examples:
  tessera cute 'composition((6,2):(8,2), (4,3):(3,1))'
  tessera cute 'A = (6,2):(8,2); A o (4,3):(3,1)' --table
  tessera cute 'logical_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)'
  tessera cute 'Sw<2,0,3> o 0 o (8,8):(8,1)' --values
  tessera cute 'Layout<Shape<_4,_2>,Stride<_1,_16>>{}' --style python
  tessera cute 'Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)'
  tessera cute '(?,8):(1,?)' --let '?=16,16'
  tessera cute SM80_16x8x16_F32F16F16F32_TN 'SM75_U32x4_LDSM_N.Src'
  tessera cute --explain 'logical_divide((4,2,3):(2,1,8), 4:2)'
  tessera cute --file layouts.txt 'coalesce(A)' --format=json)";

// The most cells in a table or in one line of JSON.
constexpr int64_t kMaxCells = int64_t{1} << 14;
constexpr int64_t kMaxJsonValues = int64_t{1} << 16;

struct CuteOptions {
  std::vector<std::string> expressions;
  std::vector<std::string> files;
  std::vector<std::string> bindings;
  bool table = false;
  bool values = false;
  bool bare_shapes = false;
  bool explains = false;
  bool marks_compile_time = false;
  EvaluateRequest request;  // all but the expression
  OutputFormat format = OutputFormat::kText;
};

// Returns the names in columns.
std::string ListOfFunctions() {
  constexpr size_t kColumns = 78;
  std::string list;
  std::string line = " ";
  for (const std::string_view name : cute::FunctionNames()) {
    if (line.size() + 1 + name.size() > kColumns) {
      absl::StrAppend(&list, line, "\n");
      line = " ";
    }
    StrAppend(&line, " ", name);
  }
  return absl::StrCat(list, line, "\n");
}

const cute::Layout* LayoutOf(const cute::CalculatorValue& value) {
  if (const auto* composed = std::get_if<cute::ComposedLayout>(&value)) {
    return &composed->layout();
  }
  return std::get_if<cute::Layout>(&value);
}

// Precondition: LayoutOf(value) is not null.
absl::StatusOr<cute::LayoutValues> ValuesOf(
    const cute::CalculatorValue& value) {
  if (const auto* composed = std::get_if<cute::ComposedLayout>(&value)) {
    return cute::LayoutValues::Create(*composed);
  }
  return cute::LayoutValues::Create(std::get<cute::Layout>(value));
}

// Writes values one by one, however many; without the line end.
void WriteValues(cute::LayoutValues* values, Console* console) {
  constexpr size_t kChunk = 1 << 16;
  std::string chunk;
  for (; !values->AtEnd() && console->out->good(); values->Next()) {
    if (values->coordinate() > 0) chunk.push_back(',');
    absl::StrAppend(&chunk, values->value().ToString());
    if (chunk.size() < kChunk) continue;
    *console->out << chunk;
    chunk.clear();
  }
  *console->out << chunk;
}

absl::Status AppendTable(const cute::CalculatorValue& value, std::string* out) {
  const cute::Layout& layout = *LayoutOf(value);
  if (layout.size() > kMaxCells) {
    return ResourceExhaustedError("a table has at most ", kMaxCells,
                                  " cells, and this has ", layout.size(),
                                  "; --values prints them on one line");
  }
  TESSERA_ASSIGN_OR_RETURN(cute::LayoutValues values, ValuesOf(value));
  std::vector<std::string> cells;
  for (; !values.AtEnd(); values.Next()) {
    cells.push_back(values.value().ToString());
  }
  const bool is_row = layout.rank() < 2;
  out->append(GridToText(cells, is_row ? 1 : layout.Mode(0).size()));
  return absl::OkStatus();
}

// Reused for all lines, and so is their memory.
struct Messages {
  EvaluateRequest request;  // that of the options, with the line's expression
  EvaluateResult result;
};

absl::Status AnswerOne(const CuteOptions& options, cute::Calculator* calculator,
                       const Question& question, const std::string& label,
                       Messages* messages, Console* console, std::string* out) {
  absl::StatusOr<cute::CalculatorResult> result =
      calculator->Evaluate(question.text);
  if (!result.ok()) return InField("expression", result.status());
  messages->request.set_expression(question.text.data(), question.text.size());
  EvaluateResult& described = messages->result;
  described.Clear();
  FillEvaluateResult(*result, messages->request, &described);
  if (!label.empty()) described.set_label(label);
  if (options.format == OutputFormat::kJson) {
    for (TextNote& note : *described.mutable_notes()) {
      TextPosition& position = *note.mutable_position();
      const int64_t first = std::max<int64_t>(question.source.line, 1);
      position.set_line(position.line() + first - 1);
    }
    out->append(JsonLineOf(described));
    return absl::OkStatus();
  }
  if (!result->notes.empty()) {
    // Earlier answers precede the notes.
    *console->out << *out;
    out->clear();
  }
  for (const Diagnostic& note : result->notes) {
    PrintNote(question.source, note, console);
  }
  if (!question.is_line) {
    for (const EvaluateStep& step : described.steps()) {
      absl::StrAppend(out, step.expression(), " = ", step.value(), "\n  ",
                      step.reason(), "\n");
    }
  }
  const bool is_function = LayoutOf(result->value) != nullptr;
  // A line is answered by one line.
  const bool shows_table = options.table && is_function && !question.is_line;
  const bool shows_values = options.values && is_function;
  if (shows_table || !shows_values) {
    const std::string& value = described.value();
    if (question.is_line && StrContains(value, '\n')) {
      absl::StrAppend(out, absl::StrReplaceAll(value, {{"\n", "; "}}), "\n");
    } else {
      absl::StrAppend(out, value, "\n");
    }
  }
  if (shows_table) {
    TESSERA_RETURN_IF_ERROR(AppendTable(result->value, out));
  }
  if (!shows_values) return absl::OkStatus();
  TESSERA_ASSIGN_OR_RETURN(cute::LayoutValues values, ValuesOf(result->value));
  // Buffered answers precede these.
  *console->out << *out;
  WriteValues(&values, console);
  *out = "\n";
  return absl::OkStatus();
}

absl::Status Answer(const CuteOptions& options, cute::Calculator* calculator,
                    const Question& question, Messages* messages,
                    Console* console, std::string* out) {
  if (question.is_line && (Cursor(question.text).AtEnd() ||
                           cute::IsLineWithoutValue(question.text))) {
    out->push_back('\n');
    return absl::OkStatus();
  }
  // The output of print(tiled_mma) gets one answer per labelled line.
  if (!question.is_line) {
    const std::vector<cute::LabelledText> texts =
        cute::LabelledTexts(question.text);
    for (const cute::LabelledText& text : texts) {
      Question part = question;
      part.text = text.text;
      TESSERA_RETURN_IF_ERROR(AnswerOne(options, calculator, part, text.label,
                                        messages, console, out));
    }
    if (!texts.empty()) return absl::OkStatus();
  }
  return AnswerOne(options, calculator, question, "", messages, console, out);
}

bool RunCute(const CuteOptions& options, Console* console) {
  cute::CalculatorOptions calculator_options;
  calculator_options.bare_shape_is_column_major = options.bare_shapes;
  calculator_options.explains = options.request.explain();
  cute::Calculator calculator(calculator_options);
  for (const std::string& binding : options.bindings) {
    const absl::Status status = calculator.Let(binding);
    if (!status.ok()) return PrintError({"--let"}, status, console);
  }
  Messages messages = {options.request, {}};
  const auto answer = [&](const Question& question, std::string* out) {
    return Answer(options, &calculator, question, &messages, console, out);
  };
  bool all_good = true;
  for (const std::string& file : options.files) {
    all_good &= AnswerFile(file, options.format, console, answer);
  }
  std::vector<std::string> expressions = options.expressions;
  if (expressions.empty() && options.files.empty()) {
    expressions.emplace_back(kStdinArgument);
  }
  return AnswerEach(expressions, options.format, console, answer) && all_good;
}

}  // namespace

void AddCuteCommand(CommandLine* command_line) {
  auto options = std::make_shared<CuteOptions>();
  const std::string footer =
      absl::StrCat(kCuteFooter, ListOfFunctions(), kExamples);
  Subcommand command =
      command_line->Add("cute", "Compute with CuTe layouts", footer.c_str());
  command.Arguments("EXPRESSION", "expressions; none, or -, reads one per line",
                    Subcommand::kOptional, &options->expressions);
  command.Texts("--file", "FILE",
                "read expressions from this file first, one per line",
                &options->files);
  command.Texts("--let", "NAME=N",
                "a number that texts leave open: M=512 for a name, ?=16,8 for "
                "each ? in order; repeat for more",
                &options->bindings);
  command.Flag("--explain", "show each step, and why, before the answer",
               &options->explains);
  command.Flag("--table", "print layouts as tables of their values",
               &options->table);
  command.Flag("--values", "print the values f(0), ..., f(size-1) of layouts",
               &options->values);
  command.Flag("--bare-shapes", "read a shape as its column-major layout",
               &options->bare_shapes);
  command.Choice<EvaluateRequest::Dialect>(
      "--dialect",
      {{"cpp", EvaluateRequest::CPP},
       {"ir", EvaluateRequest::IR},
       {"documentation", EvaluateRequest::DOCUMENTATION}},
      "how to write tilers and swizzles (cpp)",
      [options](auto dialect) { options->request.set_dialect(dialect); });
  command.Choice<EvaluateRequest::Style>(
      "--style",
      {{"print", EvaluateRequest::PRINT},
       {"cpp", EvaluateRequest::CPP_SOURCE},
       {"python", EvaluateRequest::PYTHON_SOURCE}},
      "print values, or write them as source of C++ or Python",
      [options](auto style) { options->request.set_style(style); });
  command.Flag("--compile-time", "write integers as C++ does at compile time",
               &options->marks_compile_time);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run([options](Console* console) {
    EvaluateRequest& request = options->request;
    request.set_marks_compile_time(options->marks_compile_time);
    request.set_explain(options->explains);
    if (options->format == OutputFormat::kJson) {
      request.set_max_values(kMaxJsonValues);
    }
    return RunCute(*options, console);
  });
}

}  // namespace tessera::cli
