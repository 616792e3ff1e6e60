#include "tessera/hlo/proto/hlo_proto_text.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/hlo.pb.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/proto/attribute_text.h"
#include "tessera/hlo/proto/header_text.h"
#include "tessera/hlo/proto/hlo_words.h"
#include "tessera/hlo/proto/literal_text.h"
#include "tessera/hlo/proto/proto_module.h"
#include "tessera/hlo/proto/proto_problems.h"
#include "tessera/hlo/proto/proto_source.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_proto.h"

namespace tessera {
namespace hlo_internal {
namespace {

// A name stands once in a proto and in the text wherever it is used.
constexpr size_t kTextPerByte = 64;
constexpr size_t kShortestLimit = size_t{1} << 20;

class ModulePrinter {
 public:
  // No more than `limit` bytes are put behind `*out`, and one instruction.
  ModulePrinter(const ProtoModule& module, size_t limit, std::string* out)
      : module_(module), limit_(out->size() + limit), out_(*out) {}

  void Print() {
    for (const std::string& problem :
         AppendModuleHeader(module_.proto(), module_.name(), &out_)) {
      module_.Report(problem);
    }
    for (const int64_t i : module_.computation_order()) {
      if (is_full_) break;
      Print(module_.computations()[i]);
    }
  }

 private:
  struct Parameter {
    int64_t number;
    std::string text;  // "x: f32[2]"
  };

  void Print(const ProtoComputation& computation);
  void Print(const ProtoComputation& computation,
             const ProtoInstruction& instruction);
  std::string OperandText(const ProtoComputation& computation,
                          const ProtoInstruction& instruction,
                          const hlo_proto::HloInstructionProto& proto);
  std::string OperandName(const ProtoComputation& computation,
                          const ProtoInstruction& instruction, int64_t number,
                          int64_t id);
  void FindNames(const ProtoComputation& computation,
                 const ProtoInstruction& instruction, InstructionFacts* facts);
  // Whether `more` bytes still fit; says once that they do not.
  bool HasRoom(const ProtoComputation& computation, size_t more);

  const ProtoModule& module_;
  const size_t limit_;
  bool is_full_ = false;
  std::string& out_;
  // The instruction being printed; a message for each would take longer.
  hlo_proto::HloInstructionProto proto_;
  // Of the computation being printed.
  std::string body_;
  std::vector<Parameter> parameters_;
  std::string result_;
};

bool ModulePrinter::HasRoom(const ProtoComputation& computation, size_t more) {
  if (is_full_) return false;
  if (out_.size() + body_.size() + more <= limit_) return true;
  is_full_ = true;
  module_.Report(computation,
                 absl::StrCat("the text ends here: it would be "
                              "more than ",
                              kTextPerByte, " times as long as the proto"));
  return false;
}

void ModulePrinter::Print(const ProtoComputation& computation) {
  body_.clear();
  parameters_.clear();
  result_.clear();
  if (computation.Find(computation.proto.root_id()) == nullptr &&
      !computation.instructions.empty()) {
    module_.Report(computation,
                   absl::StrCat("root_id is ", computation.proto.root_id(),
                                ", which no instruction has"));
  }
  for (const int64_t i : computation.order) {
    Print(computation, computation.instructions[i]);
  }
  absl::StrAppend(&out_, computation.is_entry ? "ENTRY " : "", "%",
                  computation.name, " ");
  if (!result_.empty()) {
    std::stable_sort(parameters_.begin(), parameters_.end(),
                     [](const Parameter& a, const Parameter& b) {
                       return a.number < b.number;
                     });
    std::string_view separator = "(";
    for (const Parameter& parameter : parameters_) {
      absl::StrAppend(&out_, AbslView(separator), parameter.text);
      separator = ", ";
    }
    absl::StrAppend(&out_, parameters_.empty() ? "(" : "", ") -> ", result_,
                    " ");
  }
  absl::StrAppend(&out_, "{\n", body_, "}");
  const std::string& thread = computation.proto.execution_thread();
  if (!thread.empty() && thread != "main") {
    absl::StrAppend(&out_, ", execution_thread=");
    AppendHloString(thread, &out_);
  }
  absl::StrAppend(&out_, "\n\n");
}

std::string ModulePrinter::OperandName(const ProtoComputation& computation,
                                       const ProtoInstruction& instruction,
                                       int64_t number, int64_t id) {
  const ProtoInstruction* const operand = computation.Find(id);
  if (operand == nullptr) {
    module_.Report(computation, instruction,
                   absl::StrCat("operand ", number, " has the id ", id,
                                ", which no instruction has"));
    return absl::StrCat("no_instruction.", id);
  }
  if (operand->position >= instruction.position) {
    module_.Report(computation, instruction,
                   absl::StrCat("operand ", number, ", with the id ", id,
                                ", does not come before it"));
  }
  return operand->name;
}

std::string ModulePrinter::OperandText(
    const ProtoComputation& computation, const ProtoInstruction& instruction,
    const hlo_proto::HloInstructionProto& proto) {
  if (proto.opcode() == "parameter") {
    return absl::StrCat(proto.parameter_number());
  }
  if (proto.opcode() == "constant") {
    return LiteralText(proto.literal(), proto.shape());
  }
  std::string text;
  for (int i = 0; i < proto.operand_ids_size(); ++i) {
    const std::string name =
        OperandName(computation, instruction, i, proto.operand_ids(i));
    if (!HasRoom(computation, text.size() + name.size())) return text;
    if (i > 0) absl::StrAppend(&text, ", ");
    absl::StrAppend(&text, "%", name);
  }
  return text;
}

void ModulePrinter::FindNames(const ProtoComputation& computation,
                              const ProtoInstruction& instruction,
                              InstructionFacts* facts) {
  size_t size = 0;
  for (const int64_t id : facts->proto.called_computation_ids()) {
    const ProtoComputation* const called = module_.FindComputation(id);
    if (called == nullptr) {
      module_.Report(computation, instruction,
                     absl::StrCat("it calls a computation with the id ", id,
                                  ", which no computation has"));
      continue;
    }
    size += called->name.size();
    if (!HasRoom(computation, size)) return;
    facts->called_computations.push_back(called->name);
  }
  for (const int64_t id : facts->proto.control_predecessor_ids()) {
    const ProtoInstruction* const predecessor = computation.Find(id);
    if (predecessor == nullptr) {
      module_.Report(computation, instruction,
                     absl::StrCat("a control predecessor has the id ", id,
                                  ", which no instruction has"));
      continue;
    }
    size += predecessor->name.size();
    if (!HasRoom(computation, size)) return;
    facts->control_predecessors.push_back(predecessor->name);
  }
  if (facts->proto.operand_ids_size() > 0) {
    const ProtoInstruction* const first =
        computation.Find(facts->proto.operand_ids(0));
    if (first != nullptr) facts->first_operand_type = first->element_type;
  }
}

void ModulePrinter::Print(const ProtoComputation& computation,
                          const ProtoInstruction& instruction) {
  if (!instruction.is_whole || !HasRoom(computation, 0)) return;
  const hlo_proto::HloInstructionProto& proto = proto_;
  ReadInstruction(instruction.bytes, instruction.offset, &proto_);
  const absl::StatusOr<Shape> shape = ShapeFromProto(proto.shape());
  if (!shape.ok()) {
    return module_.Report(computation, instruction,
                          absl::StrCat("shape: ", shape.status().message()));
  }
  const bool is_root = instruction.id == computation.proto.root_id();
  std::string text =
      absl::StrCat(is_root ? "  ROOT %" : "  %", instruction.name, " = ",
                   shape->ToString(), " ", proto.opcode(), "(",
                   OperandText(computation, instruction, proto), ")");
  InstructionFacts facts(proto);
  FindNames(computation, instruction, &facts);
  for (const std::string& problem : AppendAttributes(facts, &text)) {
    module_.Report(computation, instruction, problem);
  }
  if (!HasRoom(computation, text.size())) return;
  absl::StrAppend(&body_, text, "\n");
  if (is_root) result_ = shape->ToString(/*with_layout=*/false);
  if (proto.opcode() == "parameter") {
    parameters_.push_back(
        {proto.parameter_number(),
         absl::StrCat(instruction.name, ": ",
                      shape->ToString(/*with_layout=*/false))});
  }
}

}  // namespace

HloProtoText PrintHloProto(std::string_view bytes, int64_t problem_limit) {
  HloProtoText text;
  ProtoProblems problems(problem_limit);
  for (const ModuleBytes& source : FindModules(bytes, &problems)) {
    const ProtoModule module(source, &problems);
    ModulePrinter(module, source.bytes.size() * kTextPerByte + kShortestLimit,
                  &text.text)
        .Print();
  }
  text.problems = problems.diagnostics();
  text.problem_count = problems.count();
  return text;
}

}  // namespace hlo_internal
}  // namespace tessera
