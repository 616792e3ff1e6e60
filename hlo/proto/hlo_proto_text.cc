#include "tessera/hlo/proto/hlo_proto_text.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/hlo.pb.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/proto/attribute_text.h"
#include "tessera/hlo/proto/hlo_words.h"
#include "tessera/hlo/proto/literal_text.h"
#include "tessera/hlo/proto/proto_module.h"
#include "tessera/hlo/proto/proto_source.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_proto.h"

namespace tessera {
namespace hlo_internal {
namespace {

constexpr std::string_view kAliasKinds[] = {"", ", may-alias", ", must-alias"};

std::string AliasText(
    const hlo_proto::HloInputOutputAliasProto::AliasEntryProto& entry) {
  const bool has_kind = entry.kind() == 1 || entry.kind() == 2;
  return absl::StrCat(IntegerSet(entry.output_shape_index()), ": (",
                      entry.parameter_number(), ", ",
                      IntegerSet(entry.parameter_shape_index()),
                      AbslView(kAliasKinds[has_kind ? entry.kind() : 0]), ")");
}

std::string EntryComputationLayout(const ProgramShape& program_shape) {
  std::string text = "{(";
  for (size_t i = 0; i < program_shape.parameters.size(); ++i) {
    if (i > 0) absl::StrAppend(&text, ", ");
    absl::StrAppend(&text, program_shape.parameters[i].ToString());
  }
  return absl::StrCat(text, ")->", program_shape.result.ToString(), "}");
}

void AppendNames(std::string_view table,
                 const google::protobuf::RepeatedPtrField<std::string>& names,
                 std::string* out) {
  absl::StrAppend(out, AbslView(table), "\n");
  for (int i = 0; i < names.size(); ++i) {
    absl::StrAppend(out, i + 1, " ");
    AppendHloString(names.Get(i), out);
    absl::StrAppend(out, "\n");
  }
  absl::StrAppend(out, "\n");
}

// "line=7", and nothing for 0.
void AppendNumber(std::string_view key, int64_t value, std::string* out) {
  if (value == 0) return;
  absl::StrAppend(out, out->back() == '{' ? "" : " ", AbslView(key), "=",
                  value);
}

std::string FileLocationText(
    const hlo_proto::StackFrameIndexProto::FileLocation& location) {
  std::string text = "{";
  AppendNumber("file_name_id", location.file_name_id(), &text);
  AppendNumber("function_name_id", location.function_name_id(), &text);
  AppendNumber("line", location.line(), &text);
  AppendNumber("end_line", location.end_line(), &text);
  AppendNumber("column", location.column(), &text);
  AppendNumber("end_column", location.end_column(), &text);
  return text + "}";
}

bool HasNegativeId(const hlo_proto::StackFrameIndexProto& tables) {
  for (const auto& location : tables.file_locations()) {
    if (location.file_name_id() < 0 || location.function_name_id() < 0) {
      return true;
    }
  }
  for (const auto& frame : tables.stack_frames()) {
    if (frame.file_location_id() < 0 || frame.parent_frame_id() < 0) {
      return true;
    }
  }
  return false;
}

void AppendFrameTables(const hlo_proto::StackFrameIndexProto& tables,
                       std::string* out) {
  AppendNames("FileNames", tables.file_names(), out);
  AppendNames("FunctionNames", tables.function_names(), out);
  absl::StrAppend(out, "FileLocations\n");
  for (int i = 0; i < tables.file_locations_size(); ++i) {
    absl::StrAppend(out, i + 1, " ", FileLocationText(tables.file_locations(i)),
                    "\n");
  }
  absl::StrAppend(out, "\nStackFrames\n");
  for (int i = 0; i < tables.stack_frames_size(); ++i) {
    const auto& frame = tables.stack_frames(i);
    // The text counts the parent from 1 for none.
    absl::StrAppend(out, i + 1, " {file_location_id=", frame.file_location_id(),
                    " parent_frame_id=", int64_t{frame.parent_frame_id()} + 1,
                    "}\n");
  }
  absl::StrAppend(out, "\n");
}

// Appends the HloModule line and the frame tables, and returns what could not
// be printed, one message each. replica_count and num_partitions are not part
// of a proto.
std::vector<std::string> AppendModuleHeader(
    const hlo_proto::HloModuleProto& proto, std::string_view name,
    std::string* out) {
  std::vector<std::string> problems;
  absl::StrAppend(out, "HloModule ", AbslView(name));
  if (proto.has_schedule()) absl::StrAppend(out, ", is_scheduled=true");
  if (proto.input_output_alias().entries_size() > 0) {
    absl::StrAppend(out, ", input_output_alias={ ",
                    absl::StrJoin(proto.input_output_alias().entries(), ", ",
                                  [](std::string* out, const auto& entry) {
                                    absl::StrAppend(out, AliasText(entry));
                                  }),
                    " }");
  }
  if (proto.buffer_donor().entries_size() > 0) {
    absl::StrAppend(
        out, ", buffer_donor={ ",
        absl::StrJoin(proto.buffer_donor().entries(), ", ",
                      [](std::string* out, const auto& entry) {
                        absl::StrAppend(
                            out, "(", entry.parameter_number(), ", ",
                            IntegerSet(entry.parameter_shape_index()), ")");
                      }),
        " }");
  }
  if (proto.has_host_program_shape()) {
    const absl::StatusOr<ProgramShape> program_shape =
        ProgramShapeFromProto(proto.host_program_shape());
    if (program_shape.ok()) {
      absl::StrAppend(out, ", entry_computation_layout=",
                      EntryComputationLayout(*program_shape));
    } else {
      problems.push_back(absl::StrCat("host_program_shape: ",
                                      program_shape.status().message()));
    }
  }
  if (proto.frontend_attributes().map_size() > 0) {
    absl::StrAppend(out, ", frontend_attributes=");
    AppendFrontendAttributes(proto.frontend_attributes(), out);
  }
  absl::StrAppend(out, "\n\n");
  const hlo_proto::StackFrameIndexProto& tables = proto.stack_frame_index();
  if (HasNegativeId(tables)) {
    problems.push_back("an id in stack_frame_index is negative");
  } else if (tables.stack_frames_size() > 0) {
    AppendFrameTables(tables, out);
  }
  return problems;
}

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

  void Print(const ProtoComputation& computation) {
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

  void Print(const ProtoComputation& computation,
             const ProtoInstruction& instruction) {
    if (!instruction.is_whole || !HasRoom(computation, 0)) return;
    hlo_proto::HloInstructionProto proto;
    ReadInstruction(instruction.bytes, instruction.offset, &proto);
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

  std::string OperandText(const ProtoComputation& computation,
                          const ProtoInstruction& instruction,
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

  std::string OperandName(const ProtoComputation& computation,
                          const ProtoInstruction& instruction, int64_t number,
                          int64_t id) {
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

  void FindNames(const ProtoComputation& computation,
                 const ProtoInstruction& instruction, InstructionFacts* facts) {
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

  // Whether `more` bytes still fit; says once that they do not.
  bool HasRoom(const ProtoComputation& computation, size_t more) {
    if (is_full_) return false;
    if (out_.size() + body_.size() + more <= limit_) return true;
    is_full_ = true;
    module_.Report(computation,
                   absl::StrCat("the text ends here: it would be "
                                "more than ",
                                kTextPerByte, " times as long as the proto"));
    return false;
  }

  const ProtoModule& module_;
  const size_t limit_;
  bool is_full_ = false;
  std::string& out_;
  std::string body_;
  std::vector<Parameter> parameters_;
  std::string result_;
};

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
