#include "tessera/cli/hlo/instruction_printer.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/parser/parser.h"
#include "tessera/report/text/csv.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/json.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_index.h"

namespace tessera::cli {
namespace {

// Returns a reference without its inline shape, and any other operand
// unchanged.
std::string OperandText(HloOperand operand) {
  return operand.name().empty() ? std::string(operand.text())
                                : StrCat(operand.name(), operand.tuple_path());
}

// Returns the shape of the instruction that the operand names, or of an element
// of it; else the shape written before the operand; nullopt if neither is
// known.
std::optional<Shape> ShapeOf(HloOperand operand) {
  const std::optional<HloInstruction> named = operand.instruction();
  if (named.has_value() && named->shape() != nullptr) {
    const absl::InlinedVector<int64_t, 2> path = operand.tuple_indices();
    absl::StatusOr<Shape> shape = GetSubshape(*named->shape(), path);
    if (!shape.ok()) return std::nullopt;
    return *std::move(shape);
  }
  if (operand.shape_text().empty()) return std::nullopt;
  absl::StatusOr<Shape> shape = ParseShape(operand.shape_text());
  if (!shape.ok()) return std::nullopt;
  return *std::move(shape);
}

std::vector<std::string> OperandTexts(HloInstruction instruction) {
  std::vector<std::string> texts;
  for (HloOperand operand : instruction.operands()) {
    texts.push_back(OperandText(operand));
  }
  return texts;
}

// Returns operands with their shapes as XLA writes them: `f32[2,3]{1,0} x`.
// Tuples, which are never moved, have only their names.
std::vector<std::string> OperandsWithArrays(HloInstruction instruction) {
  std::vector<std::string> texts;
  for (HloOperand operand : instruction.operands()) {
    texts.push_back(OperandText(operand));
    // An expression begins with its shape.
    if (operand.name().empty()) continue;
    const std::optional<Shape> shape = ShapeOf(operand);
    if (!shape.has_value() || !shape->IsArray()) continue;
    texts.back() = absl::StrCat(shape->ToString(), " ", texts.back());
  }
  return texts;
}

// Returns one shape per operand; "" if it is not known.
std::vector<std::string> OperandShapes(HloInstruction instruction) {
  std::vector<std::string> shapes;
  for (HloOperand operand : instruction.operands()) {
    const std::optional<Shape> shape = ShapeOf(operand);
    shapes.push_back(shape.has_value() ? shape->ToString() : "");
  }
  return shapes;
}

// Literals and nested operands may run over several lines.
std::string OnOneLine(std::string_view text) {
  return absl::StrReplaceAll(AbslView(text), {{"\r", ""}, {"\n", " "}});
}

std::string ToText(HloInstruction instruction) {
  const std::string operands =
      instruction.operand_count() == 0
          ? std::string(instruction.operand_text())
          : absl::StrJoin(OperandsWithArrays(instruction), ", ");
  std::string text;
  if (!instruction.computation().name().empty()) {
    StrAppend(&text, instruction.computation().name(), ": ");
  }
  if (instruction.is_root()) absl::StrAppend(&text, "ROOT ");
  if (!instruction.name().empty()) {
    StrAppend(&text, instruction.name(), " = ");
  }
  if (instruction.shape() != nullptr) {
    absl::StrAppend(&text, instruction.shape()->ToString(), " ");
  }
  StrAppend(&text, instruction.opcode(), "(", operands, ")");
  return absl::StrCat(OnOneLine(text), "\n");
}

// For a key that occurs twice, the value is an array of all its values.
Json AttributesToJson(HloInstruction instruction) {
  Json json = Json::object();
  for (const HloAttribute& attribute : instruction.attributes()) {
    const auto [entry, is_new] =
        json.emplace(JsonString(attribute.key), JsonString(attribute.value));
    if (is_new) continue;
    if (!entry->is_array()) *entry = Json::array({*entry});
    entry->push_back(JsonString(attribute.value));
  }
  return json;
}

// `file` is left out if it is empty.
Json ToJson(const std::string& file, HloInstruction instruction) {
  Json json;
  if (!file.empty()) json["file"] = file;
  json["module"] = JsonString(instruction.computation().module().name());
  json["computation"] = JsonString(instruction.computation().name());
  json["name"] = JsonString(instruction.name());
  json["root"] = instruction.is_root();
  json["shape"] = instruction.shape() == nullptr
                      ? Json()
                      : Json(instruction.shape()->ToString());
  json["opcode"] = JsonString(instruction.opcode());
  json["operands"] = OperandTexts(instruction);
  json["operand_shapes"] = Json::array();
  for (const std::string& shape : OperandShapes(instruction)) {
    json["operand_shapes"].push_back(shape.empty() ? Json() : Json(shape));
  }
  // The number of a parameter, the literal of a constant.
  if (instruction.operand_count() == 0 && !instruction.operand_text().empty()) {
    json["operand_text"] = JsonString(instruction.operand_text());
  }
  json["attributes"] = AttributesToJson(instruction);
  return json;
}

std::string ToCsv(const std::string& file, HloInstruction instruction) {
  return CsvLine(
      {file, JsonString(instruction.computation().module().name()),
       JsonString(instruction.computation().name()),
       JsonString(instruction.name()), instruction.is_root() ? "true" : "false",
       instruction.shape() == nullptr ? "" : instruction.shape()->ToString(),
       JsonString(instruction.opcode()),
       instruction.operand_count() == 0
           ? JsonString(instruction.operand_text())
           : absl::StrJoin(OperandTexts(instruction), ", "),
       absl::StrJoin(OperandShapes(instruction), "; "),
       JsonString(StripLeadingAsciiWhitespace(
           StripPrefix(instruction.attributes_text(), ",")))});
}

}  // namespace

bool InstructionFilter::Passes(HloInstruction instruction) const {
  if (!opcodes.empty() && std::find(opcodes.begin(), opcodes.end(),
                                    instruction.opcode()) == opcodes.end()) {
    return false;
  }
  if (!computation.empty() && instruction.computation().name() != computation) {
    return false;
  }
  if (!memory_space.has_value() && min_bytes == 0) return true;
  if (instruction.shape() == nullptr) return false;
  bool is_there = !memory_space.has_value();
  int64_t bytes = 0;
  ForEachLeafShape(
      *instruction.shape(), [&](const Shape& leaf, ShapeIndexView /*index*/) {
        const Shape& array = leaf.IsBuffer() ? leaf.tuple_shapes(0) : leaf;
        if (!array.IsArray() || !array.has_layout()) return;
        if (memory_space.has_value() &&
            array.layout().memory_space() != *memory_space) {
          return;
        }
        is_there = true;
        if (min_bytes == 0) return;
        const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(array);
        if (!sizes.ok()) return;
        if (__builtin_add_overflow(bytes, sizes->padded_bytes, &bytes)) {
          bytes = std::numeric_limits<int64_t>::max();
        }
      });
  return is_there && bytes >= min_bytes;
}

void InstructionPrinter::BeginFile(std::string_view file, bool has_modules) {
  has_modules_ = has_modules;
  file_ = std::string(file);
  pending_file_ = options_.has_files ? file_ : "";
  pending_module_.clear();
}

void InstructionPrinter::BeginModule(std::string_view name) {
  if (!has_modules_ || options_.format != OutputFormat::kText) return;
  pending_module_ =
      name.empty() ? "a module without a name" : StrCat("module ", name);
}

void InstructionPrinter::PrintText(HloInstruction instruction) {
  std::string text;
  if (!pending_file_.empty() || !pending_module_.empty()) {
    if (has_printed_) text = "\n";
    // The name of the file, alone or with that of the module.
    const std::string heading =
        absl::StrJoin(options_.has_files && !pending_module_.empty()
                          ? std::vector<std::string>{file_, pending_module_}
                          : std::vector<std::string>{absl::StrCat(
                                pending_file_, pending_module_)},
                      ": ");
    absl::StrAppend(&text, Paint(heading, Color::kBold, console_->out_display),
                    "\n");
    pending_file_.clear();
    pending_module_.clear();
  }
  has_printed_ = true;
  *console_->out << text << ToText(instruction);
}

void InstructionPrinter::Print(HloInstruction instruction) {
  switch (options_.format) {
    case OutputFormat::kJson:
      *console_->out << JsonLine(
          ToJson(options_.has_files ? file_ : "", instruction));
      return;
    case OutputFormat::kCsv:
      if (!has_printed_) {
        *console_->out << CsvLine({"file", "module", "computation", "name",
                                   "root", "shape", "opcode", "operands",
                                   "operand_shapes", "attributes"});
      }
      has_printed_ = true;
      *console_->out << ToCsv(file_, instruction);
      return;
    default:
      PrintText(instruction);
  }
}

}  // namespace tessera::cli
