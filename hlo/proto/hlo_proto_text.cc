#include "tessera/hlo/proto/hlo_proto_text.h"

#include <deque>
#include <map>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/hlo.pb.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/proto/attribute_text.h"
#include "tessera/hlo/proto/proto_source.h"
#include "tessera/hlo/proto/value_text.h"
#include "tessera/hlo/proto/wire_fields.h"
#include "tessera/layout/layout_proto.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_proto.h"

namespace tessera::hlo_internal {
namespace {

std::string AliasText(
    const hlo_proto::HloInputOutputAliasProto::AliasEntryProto& entry) {
  return absl::StrCat(IntegerSet(entry.output_shape_index()), ": (",
                      entry.parameter_number(), ", ",
                      IntegerSet(entry.parameter_shape_index()),
                      entry.kind() == 1   ? ", may-alias)"
                      : entry.kind() == 2 ? ", must-alias)"
                                          : ")");
}

std::string DonorText(
    const hlo_proto::HloBufferDonorProto::BufferDonorEntryProto& entry) {
  return absl::StrCat("(", entry.parameter_number(), ", ",
                      IntegerSet(entry.parameter_shape_index()), ")");
}

// Appends ", key={ a, b }", or nothing for an empty list.
template <typename List, typename ToText>
void AppendEntries(std::string_view key, const List& list, ToText to_text,
                   std::string* out) {
  if (list.empty()) return;
  const auto append = [&](std::string* out, const auto& entry) {
    out->append(to_text(entry));
  };
  absl::StrAppend(out, ", ", AbslView(key), "={ ",
                  absl::StrJoin(list, ", ", append), " }");
}

std::string EntryComputationLayout(const ProgramShape& program_shape) {
  const auto append = [](std::string* out, const Shape& shape) {
    out->append(shape.ToString());
  };
  return absl::StrCat("{(",
                      absl::StrJoin(program_shape.parameters, ", ", append),
                      ")->", program_shape.result.ToString(), "}");
}

// Appends a table of frames, whose ids count from 1.
template <typename List, typename ToText>
void AppendTable(std::string_view title, const List& list, ToText to_text,
                 std::string* out) {
  absl::StrAppend(out, AbslView(title), "\n");
  for (int i = 0; i < list.size(); ++i) {
    absl::StrAppend(out, i + 1, " ", to_text(list.Get(i)), "\n");
  }
  absl::StrAppend(out, "\n");
}

std::string QuotedName(const std::string& name) {
  std::string quoted;
  AppendHloString(name, &quoted);
  return quoted;
}

std::string FileLocationText(
    const hlo_proto::StackFrameIndexProto::FileLocation& location) {
  std::string text = "{";
  const std::pair<const char*, int64_t> numbers[] = {
      {"file_name_id=", location.file_name_id()},
      {"function_name_id=", location.function_name_id()},
      {"line=", location.line()},
      {"end_line=", location.end_line()},
      {"column=", location.column()},
      {"end_column=", location.end_column()},
  };
  for (const auto& [key, number] : numbers) {
    if (number == 0) continue;
    absl::StrAppend(&text, text.size() > 1 ? " " : "", key, number);
  }
  return text + "}";
}

bool HasNegativeId(const hlo_proto::StackFrameIndexProto& tables) {
  return absl::c_any_of(tables.file_locations(),
                        [](const auto& location) {
                          return location.file_name_id() < 0 ||
                                 location.function_name_id() < 0;
                        }) ||
         absl::c_any_of(tables.stack_frames(), [](const auto& frame) {
           return frame.file_location_id() < 0 || frame.parent_frame_id() < 0;
         });
}

void AppendFrameTables(const hlo_proto::StackFrameIndexProto& tables,
                       std::string* out) {
  AppendTable("FileNames", tables.file_names(), QuotedName, out);
  AppendTable("FunctionNames", tables.function_names(), QuotedName, out);
  AppendTable("FileLocations", tables.file_locations(), FileLocationText, out);
  AppendTable(
      "StackFrames", tables.stack_frames(),
      [](const auto& frame) {
        // In the text, ids of parents are larger by 1, and 1 means none.
        return absl::StrCat(
            "{file_location_id=", frame.file_location_id(),
            " parent_frame_id=", int64_t{frame.parent_frame_id()} + 1, "}");
      },
      out);
}

// Appends the HloModule line and the frame tables. Returns a message for each
// part that could not be printed. replica_count and num_partitions are not in a
// proto.
std::vector<std::string> AppendModuleHeader(
    const hlo_proto::HloModuleProto& proto, std::string_view name,
    std::string* out) {
  std::vector<std::string> problems;
  absl::StrAppend(out, "HloModule ", AbslView(name));
  if (proto.has_schedule()) absl::StrAppend(out, ", is_scheduled=true");
  AppendEntries("input_output_alias", proto.input_output_alias().entries(),
                AliasText, out);
  AppendEntries("buffer_donor", proto.buffer_donor().entries(), DonorText, out);
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
  const std::string attributes =
      FrontendAttributesText(proto.frontend_attributes());
  if (!attributes.empty()) {
    absl::StrAppend(out, ", frontend_attributes=", attributes);
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

// An empty message takes two bytes on the wire and a hundred in memory.
constexpr size_t kLongestMessage = size_t{1} << 26;

using hlo_proto::HloInstructionProto;

// The messages of proto/hlo.proto leave these out: they stay bytes.
constexpr uint32_t kComputations = 3;  // of a module
constexpr uint32_t kInstructions = 2;  // of a computation

// Quotes a name, which may have any length, for a message.
std::string Quoted(std::string_view name) {
  constexpr size_t kLongest = 200;
  return absl::StrCat("'", AbslView(name.substr(0, kLongest)),
                      name.size() > kLongest ? "...'" : "'");
}

// Whether a message and the messages in it have too many fields for the memory:
// each may be an empty message. Literals are not counted, and text that is not
// a message ends soon.
bool HasTooManyFields(std::string_view bytes) {
  // Shorter messages cannot have so many, and nearly all are shorter.
  constexpr int kMostFields = 1 << 20;
  constexpr size_t kBytesOfField = 2;
  // Deeper messages would be in fields that the messages do not have.
  constexpr size_t kMostLevels = 8;
  if (bytes.size() <= kMostFields * kBytesOfField) return false;
  std::vector<WireFields> levels = {WireFields(bytes, 0)};
  int fields = 0;
  WireField field;
  while (!levels.empty()) {
    if (!levels.back().Next(&field)) {
      levels.pop_back();
      continue;
    }
    if (++fields > kMostFields) return true;
    const bool is_literal =
        levels.size() == 1 &&
        field.number == HloInstructionProto::kLiteralFieldNumber;
    if (field.is_bytes && !is_literal && levels.size() < kMostLevels) {
      levels.emplace_back(field.bytes, 0);
    }
  }
  return false;
}

// Appends a field to a message, unless that becomes too long.
bool AppendField(const WireField& field, std::string* message) {
  if (message->size() + field.whole.size() > kLongestMessage) return false;
  message->append(field.whole);
  return true;
}

template <typename Message>
bool Parse(std::string_view bytes, Message* message) {
  return !HasTooManyFields(bytes) &&
         message->ParsePartialFromArray(bytes.data(),
                                        static_cast<int>(bytes.size()));
}

// Reads an instruction; if it is longer than kLongestMessage, without its
// literal. Returns the problem, or "".
std::string ReadInstruction(std::string_view bytes, int64_t offset,
                            HloInstructionProto* proto) {
  proto->Clear();
  std::string without_literal;
  if (bytes.size() > kLongestMessage) {
    WireFields fields(bytes, offset);
    for (WireField field; fields.Next(&field);) {
      if (field.number != HloInstructionProto::kLiteralFieldNumber &&
          !AppendField(field, &without_literal)) {
        return absl::StrCat("it has more than ", kLongestMessage, " bytes");
      }
    }
    bytes = without_literal;
  }
  if (Parse(bytes, proto)) return "";
  WireFields fields(bytes, offset);
  for (WireField field; fields.Next(&field);) {
  }
  if (fields.problem().empty()) {
    return "a message in it is broken, nested too deep, or has too many fields";
  }
  return absl::StrCat("at byte ", fields.problem_offset(), ": ",
                      fields.problem());
}

struct ProtoInstruction {
  // Reads the fields that others refer to. Most of the time that an instruction
  // takes goes into its other fields. Appends the ids of the computations that
  // it calls.
  ProtoInstruction(std::string_view bytes, int64_t offset,
                   std::vector<int64_t>* called_ids)
      : bytes(bytes), offset(offset) {
    bool has_two_shapes = false;
    WireFields fields(bytes, offset);
    for (WireField field; fields.Next(&field);) {
      if (field.number == HloInstructionProto::kNameFieldNumber) {
        name = field.bytes;
      } else if (field.number == HloInstructionProto::kShapeFieldNumber) {
        // Protocol Buffers would merge the two.
        has_two_shapes |= !shape.empty();
        shape = field.bytes;
        ReadElementType();
      } else if (field.number == HloInstructionProto::kIdFieldNumber) {
        id = static_cast<int64_t>(field.integer);
      } else if (field.number ==
                 HloInstructionProto::kCalledComputationIdsFieldNumber) {
        AppendIntegers(field, called_ids);
      }
    }
    if (has_two_shapes) shape = std::string_view();
  }

  void ReadElementType() {
    WireFields fields(shape, 0);
    for (WireField field; fields.Next(&field);) {
      if (field.number != ShapeProto::kElementTypeFieldNumber) continue;
      element_type =
          static_cast<PrimitiveType>(static_cast<int32_t>(field.integer));
    }
  }

  std::string_view bytes;
  int64_t offset;  // in the file
  int64_t id = 0;
  // In a ProtoModule, an identifier that is unique in the computation.
  std::string_view name;
  // The ShapeProto; empty if it is not in one piece.
  std::string_view shape;
  PrimitiveType element_type = PRIMITIVE_TYPE_INVALID;
  // In the order of the text.
  int64_t position = -1;
};

struct ProtoComputation {
  // Returns the instruction with this id; null if there is none.
  const ProtoInstruction* Find(int64_t id) const {
    const auto found = instruction_of_id.find(id);
    return found == instruction_of_id.end() ? nullptr
                                            : &instructions[found->second];
  }

  hlo_proto::HloComputationProto proto;
  int64_t offset = 0;
  // An identifier that is unique in the module.
  std::string_view name;
  bool is_entry = false;
  std::vector<ProtoInstruction> instructions;
  absl::flat_hash_map<int64_t, int64_t> instruction_of_id;
  std::vector<int64_t> order;
  // Ids, each once.
  std::vector<int64_t> called_ids;
};

// Resolves the ids in an HloModuleProto, and orders it for printing. Except for
// their names, instructions stay bytes: as protos they would take many times
// their size, and each is needed only once.
class ProtoModule {
 public:
  // The bytes must outlive the module.
  ProtoModule(const ModuleBytes& module, ProtoProblems* problems)
      : problems_(problems),
        label_(module.label.empty() ? "" : module.label + ": "),
        offset_(module.offset) {
    ReadFields(module);
    name_ = ToHloWord(proto_.name());
    if (proto_.name().empty()) {
      Report("the module has no name");
    } else if (name_ != proto_.name()) {
      Report("the module's name, ", Quoted(proto_.name()),
             ", is not an identifier");
    }
    if (computations_.empty()) Report("the module has no computation");
    FindEntry();
    OrderInstructions();
    OrderComputations();
  }

  // Everything except the computations.
  const hlo_proto::HloModuleProto& proto() const { return proto_; }
  const std::string& name() const { return name_; }
  const std::vector<ProtoComputation>& computations() const {
    return computations_;
  }
  // Callees come before their callers.
  const std::vector<int64_t>& computation_order() const { return order_; }

  // Returns nullptr for an id that no computation has.
  const ProtoComputation* FindComputation(int64_t id) const {
    const auto found = computation_of_id_.find(id);
    return found == computation_of_id_.end() ? nullptr
                                             : &computations_[found->second];
  }

  // Reports a message about the module, a computation or an instruction. The
  // parts are those of StrCat.
  template <typename... Parts>
  void Report(const Parts&... parts) const {
    problems_->Add(offset_, StrCat(label_, parts...));
  }
  template <typename... Parts>
  void Report(const ProtoComputation& computation,
              const Parts&... parts) const {
    problems_->Add(computation.offset,
                   StrCat(label_, "computation ", Quoted(computation.name),
                          ": ", parts...));
  }
  template <typename... Parts>
  void Report(const ProtoComputation& computation,
              const ProtoInstruction& instruction,
              const Parts&... parts) const {
    problems_->Add(
        instruction.offset,
        StrCat(label_, "computation ", Quoted(computation.name),
               ", instruction ", Quoted(instruction.name), ": ", parts...));
  }

 private:
  struct Names {
    absl::flat_hash_set<std::string_view> taken;
    // Added to names that are already taken. It only grows, so all attempts
    // together take linear time.
    int64_t next_suffix = 1;
  };

  void ReadFields(const ModuleBytes& module) {
    std::string others;
    WireFields fields(module.bytes, module.offset);
    for (WireField field; fields.Next(&field);) {
      if (field.number == kComputations && field.is_bytes) {
        AddComputation(field.bytes, field.offset);
      } else if (!AppendField(field, &others)) {
        Report("field ", field.number, " is too long");
      }
    }
    AddWireProblem(fields, module.label.empty() ? "module" : module.label,
                   problems_);
    if (!Parse(others, &proto_) && fields.problem().empty()) {
      Report("its fields other than computations cannot be read");
    }
  }

  void AddComputation(std::string_view bytes, int64_t offset) {
    std::string others;
    std::vector<std::pair<std::string_view, int64_t>> instructions;
    WireFields fields(bytes, offset);
    for (WireField field; fields.Next(&field);) {
      if (field.number == kInstructions && field.is_bytes) {
        instructions.emplace_back(field.bytes, field.offset);
      } else {
        AppendField(field, &others);
      }
    }
    ProtoComputation computation;
    computation.offset = offset;
    const bool is_whole = Parse(others, &computation.proto);
    computation.name = "_";
    computation.name = LegalName(
        made_names_.emplace_back(computation.proto.name()), &computation_names_,
        [&](std::string_view message) { Report(computation, message); });
    if (!fields.problem().empty()) {
      Report(computation, "at byte ", fields.problem_offset(), ": ",
             fields.problem());
    } else if (!is_whole) {
      Report(computation, "its fields other than instructions cannot be read");
    }
    // Not worth the memory: there may be one for every two bytes.
    if (instructions.empty()) {
      return Report(computation, "it has no instruction");
    }
    const int64_t id = computation.proto.id();
    if (!computation_of_id_.try_emplace(id, computations_.size()).second) {
      Report(computation, "its id ", id, " is that of the computation ",
             Quoted(FindComputation(id)->name), ", too");
    }
    Names names;
    absl::flat_hash_set<int64_t> called;
    for (const auto& [bytes, offset] : instructions) {
      AddInstruction(bytes, offset, &names, &called, &computation);
    }
    computations_.push_back(std::move(computation));
  }

  void AddInstruction(std::string_view bytes, int64_t offset, Names* names,
                      absl::flat_hash_set<int64_t>* called,
                      ProtoComputation* computation) {
    if (bytes.empty()) {
      return Report(*computation, "the instruction at byte ", offset,
                    " says nothing");
    }
    std::vector<int64_t> called_ids;
    ProtoInstruction instruction(bytes, offset, &called_ids);
    const auto report = [&](std::string_view message) {
      Report(*computation, instruction, message);
    };
    instruction.name = LegalName(instruction.name, names, report);
    const auto [found, is_new] = computation->instruction_of_id.try_emplace(
        instruction.id, computation->instructions.size());
    if (!is_new) {
      report(absl::StrCat("its id ", instruction.id, " is that of ",
                          Quoted(computation->instructions[found->second].name),
                          ", too"));
    }
    for (const int64_t id : called_ids) {
      if (called->insert(id).second) computation->called_ids.push_back(id);
    }
    computation->instructions.push_back(std::move(instruction));
  }

  void FindEntry() {
    if (computations_.empty()) return;
    const auto by_id = computation_of_id_.find(proto_.entry_computation_id());
    if (by_id != computation_of_id_.end()) {
      computations_[by_id->second].is_entry = true;
      return;
    }
    const auto by_name = absl::c_find_if(
        computations_, [this](const ProtoComputation& computation) {
          return computation.proto.name() == proto_.entry_computation_name();
        });
    if (!proto_.entry_computation_name().empty() &&
        by_name != computations_.end()) {
      by_name->is_entry = true;
      return;
    }
    Report("entry_computation_id is ", proto_.entry_computation_id(),
           ", which no computation has");
  }

  void OrderInstructions() {
    for (const auto& entry : proto_.schedule().sequences()) {
      const auto found = computation_of_id_.find(entry.key());
      if (found == computation_of_id_.end()) {
        Report("the schedule orders a computation with the id ", entry.key(),
               ", which no computation has");
      } else if (!computations_[found->second].order.empty()) {
        Report(computations_[found->second], "the schedule orders it twice");
      } else {
        FollowSchedule(entry.value(), &computations_[found->second]);
      }
    }
    for (ProtoComputation& computation : computations_) {
      const bool is_scheduled = !computation.order.empty();
      for (size_t i = 0; i < computation.instructions.size(); ++i) {
        ProtoInstruction& instruction = computation.instructions[i];
        if (instruction.position >= 0) continue;
        if (is_scheduled) {
          Report(computation, instruction, "it is not in the schedule");
        }
        instruction.position = static_cast<int64_t>(computation.order.size());
        computation.order.push_back(static_cast<int64_t>(i));
      }
    }
  }

  void FollowSchedule(
      const hlo_proto::HloScheduleProto::InstructionSequence& sequence,
      ProtoComputation* computation) {
    for (const int64_t id : sequence.instruction_ids()) {
      const auto found = computation->instruction_of_id.find(id);
      if (found == computation->instruction_of_id.end()) {
        Report(*computation, "the schedule has the id ", id,
               ", which no instruction has");
        continue;
      }
      ProtoInstruction& instruction = computation->instructions[found->second];
      if (instruction.position >= 0) {
        Report(*computation, instruction, "the schedule has it twice");
        continue;
      }
      instruction.position = static_cast<int64_t>(computation->order.size());
      computation->order.push_back(found->second);
    }
  }

  void OrderComputations() {
    enum State : char { kNew, kOpen, kDone };
    std::vector<State> states(computations_.size(), kNew);
    std::vector<size_t> next_call(computations_.size());
    std::vector<int64_t> path;
    for (size_t start = 0; start < computations_.size(); ++start) {
      if (states[start] == kNew) path.push_back(static_cast<int64_t>(start));
      while (!path.empty()) {
        const int64_t caller = path.back();
        const ProtoComputation& computation = computations_[caller];
        states[caller] = kOpen;
        if (next_call[caller] == computation.called_ids.size()) {
          states[caller] = kDone;
          order_.push_back(caller);
          path.pop_back();
          continue;
        }
        const auto found = computation_of_id_.find(
            computation.called_ids[next_call[caller]++]);
        if (found == computation_of_id_.end()) continue;
        if (states[found->second] == kOpen) {
          Report(computation, "it calls ",
                 Quoted(computations_[found->second].name), ", which calls it");
        } else if (states[found->second] == kNew) {
          path.push_back(found->second);
        }
      }
    }
  }

  // Returns a legal name that is not taken, and takes it. Calls `report` if the
  // name had to change.
  std::string_view LegalName(std::string_view name, Names* names,
                             absl::FunctionRef<void(std::string_view)> report) {
    std::string_view legal = name;
    if (!IsHloWord(name)) {
      legal = made_names_.emplace_back(ToHloWord(name));
      report(name.empty() ? "the name is empty"
                          : absl::StrCat("the name ", Quoted(name),
                                         " is not an identifier"));
    }
    if (names->taken.insert(legal).second) return legal;
    if (!name.empty()) {
      report(absl::StrCat("the name ", Quoted(name), " is used twice"));
    }
    while (true) {
      std::string unique =
          absl::StrCat(AbslView(legal), ".", names->next_suffix++);
      if (names->taken.contains(unique)) continue;
      return *names->taken.insert(made_names_.emplace_back(std::move(unique)))
                  .first;
    }
  }

  ProtoProblems* problems_;
  const std::string label_;
  const int64_t offset_;
  hlo_proto::HloModuleProto proto_;
  std::string name_;
  std::vector<ProtoComputation> computations_;
  absl::flat_hash_map<int64_t, int64_t> computation_of_id_;
  Names computation_names_;
  std::deque<std::string> made_names_;
  std::vector<int64_t> order_;
};

// A proto has a name once, but the text has it at every use.
constexpr size_t kTextPerByte = 64;
constexpr size_t kShortestLimit = size_t{1} << 20;

class ModulePrinter {
 public:
  // Appends at most `limit` bytes and one instruction to `*out`.
  ModulePrinter(const ProtoModule& module, size_t limit, std::string* out)
      : module_(module), limit_(out->size() + limit), out_(*out) {}

  void Print() {
    for (const std::string& problem :
         AppendModuleHeader(module_.proto(), module_.name(), &out_)) {
      module_.Report(problem);
    }
    for (const int64_t i : module_.computation_order()) {
      if (is_full_) break;
      computation_ = &module_.computations()[i];
      PrintComputation();
    }
  }

 private:
  struct ShapeText {
    std::string with_layout;
    std::string without_layout;
  };

  void PrintComputation() {
    const ProtoComputation& computation = *computation_;
    body_.clear();
    parameters_.clear();
    result_.clear();
    if (computation.Find(computation.proto.root_id()) == nullptr &&
        !computation.instructions.empty()) {
      module_.Report(computation, "root_id is ", computation.proto.root_id(),
                     ", which no instruction has");
    }
    for (const int64_t i : computation.order) {
      instruction_ = &computation.instructions[i];
      PrintInstruction();
    }
    absl::StrAppend(&out_, computation.is_entry ? "ENTRY " : "", "%",
                    AbslView(computation.name), " ");
    if (!result_.empty()) {
      const auto append = [](std::string* out, const auto& parameter) {
        out->append(parameter.second);
      };
      absl::StrAppend(&out_, "(", absl::StrJoin(parameters_, ", ", append),
                      ") -> ", result_, " ");
    }
    absl::StrAppend(&out_, "{\n", body_, "}");
    const std::string& thread = computation.proto.execution_thread();
    if (!thread.empty() && thread != "main") {
      absl::StrAppend(&out_, ", execution_thread=");
      AppendHloString(thread, &out_);
    }
    absl::StrAppend(&out_, "\n\n");
  }

  // Reports a problem of the current instruction.
  template <typename... Parts>
  void Report(const Parts&... parts) const {
    module_.Report(*computation_, *instruction_, parts...);
  }

  void PrintInstruction() {
    if (!HasRoom()) return;
    const HloInstructionProto& proto = proto_;
    const std::string problem =
        ReadInstruction(instruction_->bytes, instruction_->offset, &proto_);
    if (!problem.empty()) return Report(problem);
    if (proto.opcode().empty()) return Report("it has no opcode");
    if (!IsHloWord(proto.opcode())) {
      return Report("the opcode ", Quoted(proto.opcode()),
                    " is not an identifier");
    }
    const absl::StatusOr<const ShapeText*> shape = TextOfShape();
    if (!shape.ok()) return Report("shape: ", shape.status().message());
    const size_t begin = body_.size();
    const bool is_root = instruction_->id == computation_->proto.root_id();
    body_.append(is_root ? "  ROOT %" : "  %").append(instruction_->name);
    body_.append(" = ").append((*shape)->with_layout).append(" ");
    body_.append(proto.opcode()).append("(");
    AppendOperands();
    body_.append(")");
    InstructionFacts facts(proto);
    FindNames(&facts);
    for (const std::string& problem : AppendAttributes(facts, &body_)) {
      Report(problem);
    }
    if (!HasRoom()) return body_.resize(begin);
    body_.append("\n");
    if (is_root) result_ = (*shape)->without_layout;
    if (proto.opcode() == "parameter") {
      parameters_.emplace(proto.parameter_number(),
                          absl::StrCat(AbslView(instruction_->name), ": ",
                                       (*shape)->without_layout));
    }
  }

  // Returns the text of the shape of the current instruction. It is valid until
  // the next call.
  absl::StatusOr<const ShapeText*> TextOfShape() {
    constexpr size_t kLongest = 1024;
    constexpr size_t kMost = 4096;
    const std::string_view key = instruction_->shape;
    const bool is_kept = !key.empty() && key.size() <= kLongest;
    if (is_kept) {
      const auto found = shapes_.find(key);
      if (found != shapes_.end()) return &found->second;
    }
    absl::StatusOr<Shape> shape = ShapeFromProto(proto_.shape());
    if (!shape.ok()) return shape.status();
    ShapeText& text =
        is_kept && shapes_.size() < kMost ? shapes_[key] : other_shape_;
    text = {shape->ToString(), shape->ToString(/*with_layout=*/false)};
    return &text;
  }

  void AppendOperands() {
    if (proto_.opcode() == "parameter") {
      return absl::StrAppend(&body_, proto_.parameter_number());
    }
    if (proto_.opcode() == "constant") {
      body_.append(LiteralText(proto_.literal(), proto_.shape()));
      return;
    }
    for (int i = 0; i < proto_.operand_ids_size(); ++i) {
      if (i > 0) body_.append(", ");
      AppendOperand(i, proto_.operand_ids(i));
      if (!HasRoom()) return;
    }
  }

  void AppendOperand(int64_t number, int64_t id) {
    const ProtoInstruction* const operand = computation_->Find(id);
    if (operand == nullptr) {
      Report("operand ", number, " has the id ", id,
             ", which no instruction has");
      return absl::StrAppend(&body_, "%no_instruction.", id);
    }
    if (operand->position >= instruction_->position) {
      Report("operand ", number, ", with the id ", id,
             ", does not come before it");
    }
    body_.append("%").append(operand->name);
  }

  void FindNames(InstructionFacts* facts) {
    size_t size = 0;
    // Returns whether the text has room for the name.
    const auto add = [&](const auto* named, const char* what, int64_t id,
                         const char* kind,
                         std::vector<std::string_view>* names) {
      if (named == nullptr) {
        Report(what, " the id ", id, ", which no ", kind, " has");
        return true;
      }
      size += named->name.size();
      const bool has_room = HasRoom(size);
      if (has_room) names->push_back(named->name);
      return has_room;
    };
    for (const int64_t id : facts->proto.called_computation_ids()) {
      if (!add(module_.FindComputation(id), "it calls a computation with", id,
               "computation", &facts->called_computations)) {
        return;
      }
    }
    for (const int64_t id : facts->proto.control_predecessor_ids()) {
      if (!add(computation_->Find(id), "a control predecessor has", id,
               "instruction", &facts->control_predecessors)) {
        return;
      }
    }
    if (facts->proto.operand_ids_size() > 0) {
      const ProtoInstruction* const first =
          computation_->Find(facts->proto.operand_ids(0));
      if (first != nullptr) facts->first_operand_type = first->element_type;
    }
  }

  // Whether `more` bytes still fit. Reports once that they do not.
  bool HasRoom(size_t more = 0) {
    if (is_full_) return false;
    if (out_.size() + body_.size() + more <= limit_) return true;
    is_full_ = true;
    module_.Report(*computation_, "the text ends here: it would be more than ",
                   kTextPerByte, " times as long as the proto");
    return false;
  }

  const ProtoModule& module_;
  const size_t limit_;
  bool is_full_ = false;
  std::string& out_;
  std::string body_;
  std::multimap<int64_t, std::string> parameters_;  // "x: f32[2]", by number
  std::string result_;
  // Of the ShapeProtos that most instructions share.
  absl::flat_hash_map<std::string_view, ShapeText> shapes_;
  ShapeText other_shape_;
  // What is printed now, and the proto of the instruction.
  const ProtoComputation* computation_ = nullptr;
  const ProtoInstruction* instruction_ = nullptr;
  HloInstructionProto proto_;
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

}  // namespace tessera::hlo_internal
