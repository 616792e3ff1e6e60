#include "tessera/hlo/proto/proto_module.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/proto/hlo_words.h"
#include "tessera/hlo/proto/wire_fields.h"
#include "tessera/layout/layout_proto.h"

namespace tessera {
namespace hlo_internal {
namespace {

// An empty message takes two bytes on the wire and a hundred in memory.
constexpr size_t kLongestMessage = size_t{1} << 26;

constexpr uint32_t kComputations = 3;  // of a module
constexpr uint32_t kInstructions = 2;  // of a computation
constexpr uint32_t kLiteral = 8;       // of an instruction

// What messages say of a name, which may be of any length.
std::string Quoted(std::string_view name) {
  constexpr size_t kLongest = 200;
  return absl::StrCat("'", AbslView(name.substr(0, kLongest)),
                      name.size() > kLongest ? "...'" : "'");
}

// Whether a message has more fields, with those of its messages, than there is
// memory for: each may be an empty message. A literal is not counted, and what
// is no message ends soon.
bool HasTooManyFields(std::string_view bytes) {
  // No shorter message has so many, and nearly all are shorter.
  constexpr int kMostFields = 1 << 20;
  constexpr size_t kBytesOfField = 2;
  // Deeper ones would be nested in what the messages do not have.
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
    const bool is_literal = levels.size() == 1 && field.number == kLiteral;
    if (field.is_bytes && !is_literal && levels.size() < kMostLevels) {
      levels.emplace_back(field.bytes, 0);
    }
  }
  return false;
}

template <typename Message>
bool Parse(std::string_view bytes, Message* message) {
  return !HasTooManyFields(bytes) &&
         message->ParsePartialFromArray(bytes.data(),
                                        static_cast<int>(bytes.size()));
}

}  // namespace

std::string ReadInstruction(std::string_view bytes, int64_t offset,
                            hlo_proto::HloInstructionProto* proto) {
  proto->Clear();
  std::string without_literal;
  if (bytes.size() > kLongestMessage) {
    WireFields fields(bytes, offset);
    WireField field;
    while (fields.Next(&field)) {
      if (field.number == kLiteral) continue;
      if (without_literal.size() + field.whole.size() > kLongestMessage) {
        return absl::StrCat("it has more than ", kLongestMessage, " bytes");
      }
      without_literal.append(field.whole.data(), field.whole.size());
    }
    bytes = without_literal;
  }
  if (Parse(bytes, proto)) return "";
  WireFields fields(bytes, offset);
  WireField field;
  while (fields.Next(&field)) {
  }
  if (fields.problem().empty()) {
    return "a message in it is broken, nested too deep, or has too many fields";
  }
  return absl::StrCat("at byte ", fields.problem_offset(), ": ",
                      fields.problem());
}

ProtoModule::ProtoModule(const ModuleBytes& module, ProtoProblems* problems)
    : problems_(problems), label_(module.label), offset_(module.offset) {
  ReadFields(module);
  name_ = ToHloWord(proto_.name());
  if (proto_.name().empty()) {
    Report("the module has no name");
  } else if (name_ != proto_.name()) {
    Report(absl::StrCat("the module's name, ", Quoted(proto_.name()),
                        ", is not an identifier"));
  }
  if (computations_.empty()) Report("the module has no computation");
  FindEntry();
  OrderInstructions();
  OrderComputations();
}

const ProtoComputation* ProtoModule::FindComputation(int64_t id) const {
  const auto found = computation_of_id_.find(id);
  return found == computation_of_id_.end() ? nullptr
                                           : &computations_[found->second];
}

void ProtoModule::Report(std::string_view message) const {
  problems_->Add(offset_, absl::StrCat(label_, label_.empty() ? "" : ": ",
                                       AbslView(message)));
}

void ProtoModule::Report(const ProtoComputation& computation,
                         std::string_view message) const {
  problems_->Add(
      computation.offset,
      absl::StrCat(label_, label_.empty() ? "" : ": ", "computation ",
                   Quoted(computation.name), ": ", AbslView(message)));
}

void ProtoModule::Report(const ProtoComputation& computation,
                         const ProtoInstruction& instruction,
                         std::string_view message) const {
  problems_->Add(
      instruction.offset,
      absl::StrCat(label_, label_.empty() ? "" : ": ", "computation ",
                   Quoted(computation.name), ", instruction ",
                   Quoted(instruction.name), ": ", AbslView(message)));
}

std::string ProtoModule::LegalName(
    std::string_view name, Names* names,
    absl::FunctionRef<void(std::string_view)> report) {
  std::string legal = ToHloWord(name);
  if (name.empty()) {
    report("the name is empty");
  } else if (legal != name) {
    report(absl::StrCat("the name ", Quoted(name), " is not an identifier"));
  }
  if (names->taken.insert(std::string(legal)).second) return legal;
  if (!name.empty()) {
    report(absl::StrCat("the name ", Quoted(name), " is used twice"));
  }
  while (true) {
    const std::string unique = absl::StrCat(legal, ".", names->next_suffix++);
    if (names->taken.insert(std::string(unique)).second) return unique;
  }
}

void ProtoModule::ReadFields(const ModuleBytes& module) {
  std::string others;
  WireFields fields(module.bytes, module.offset);
  WireField field;
  while (fields.Next(&field)) {
    if (field.number == kComputations && field.is_bytes) {
      AddComputation(field.bytes, field.offset);
    } else if (others.size() + field.whole.size() <= kLongestMessage) {
      others.append(field.whole.data(), field.whole.size());
    } else {
      Report(absl::StrCat("field ", field.number, " is too long"));
    }
  }
  const std::string place = label_.empty() ? "module" : label_;
  AddWireProblem(fields, place, problems_);
  if (!Parse(others, &proto_) && fields.problem().empty()) {
    Report("its fields other than computations cannot be read");
  }
}

void ProtoModule::AddComputation(std::string_view bytes, int64_t offset) {
  std::string others;
  std::vector<std::pair<std::string_view, int64_t>> instructions;
  WireFields fields(bytes, offset);
  WireField field;
  while (fields.Next(&field)) {
    if (field.number == kInstructions && field.is_bytes) {
      instructions.emplace_back(field.bytes, field.offset);
    } else if (others.size() + field.whole.size() <= kLongestMessage) {
      others.append(field.whole.data(), field.whole.size());
    }
  }
  ProtoComputation computation;
  computation.offset = offset;
  const bool is_whole = Parse(others, &computation.proto);
  computation.name = "_";
  computation.name = LegalName(
      computation.proto.name(), &computation_names_,
      [&](std::string_view message) { Report(computation, message); });
  if (!fields.problem().empty()) {
    Report(computation, absl::StrCat("at byte ", fields.problem_offset(), ": ",
                                     fields.problem()));
  } else if (!is_whole) {
    Report(computation, "its fields other than instructions cannot be read");
  }
  // Not worth the memory: there may be one for every two bytes.
  if (instructions.empty()) return Report(computation, "it has no instruction");
  const int64_t id = computation.proto.id();
  if (!computation_of_id_.try_emplace(id, computations_.size()).second) {
    Report(computation,
           absl::StrCat("its id ", id, " is that of the computation ",
                        Quoted(FindComputation(id)->name), ", too"));
  }
  Names names;
  absl::flat_hash_set<int64_t> called;
  for (const auto& [bytes, offset] : instructions) {
    AddInstruction(bytes, offset, &names, &called, &computation);
  }
  computations_.push_back(std::move(computation));
}

void ProtoModule::AddInstruction(std::string_view bytes, int64_t offset,
                                 Names* names,
                                 absl::flat_hash_set<int64_t>* called,
                                 ProtoComputation* computation) {
  if (bytes.empty()) {
    return Report(*computation, absl::StrCat("the instruction at byte ", offset,
                                             " says nothing"));
  }
  const hlo_proto::HloInstructionProto& proto = instruction_;
  const std::string problem = ReadInstruction(bytes, offset, &instruction_);
  ProtoInstruction instruction;
  instruction.bytes = bytes;
  instruction.offset = offset;
  instruction.id = proto.id();
  instruction.element_type =
      PrimitiveTypeFromProto(proto.shape().element_type());
  instruction.name = proto.name();
  const auto report = [&](std::string_view message) {
    Report(*computation, instruction, message);
  };
  instruction.name = LegalName(proto.name(), names, report);
  instruction.is_whole = problem.empty();
  if (!problem.empty()) {
    report(problem);
  } else if (!IsHloWord(proto.opcode())) {
    instruction.is_whole = false;
    report(proto.opcode().empty()
               ? "it has no opcode"
               : absl::StrCat("the opcode ", Quoted(proto.opcode()),
                              " is not an identifier"));
  }
  const int64_t index = static_cast<int64_t>(computation->instructions.size());
  const auto [found, is_new] =
      computation->instruction_of_id.try_emplace(instruction.id, index);
  if (!is_new) {
    report(absl::StrCat("its id ", instruction.id, " is that of ",
                        Quoted(computation->instructions[found->second].name),
                        ", too"));
  }
  for (const int64_t id : proto.called_computation_ids()) {
    if (called->insert(id).second) computation->called_ids.push_back(id);
  }
  computation->instructions.push_back(std::move(instruction));
}

void ProtoModule::FindEntry() {
  if (computations_.empty()) return;
  const auto by_id = computation_of_id_.find(proto_.entry_computation_id());
  if (by_id != computation_of_id_.end()) {
    computations_[by_id->second].is_entry = true;
    return;
  }
  for (ProtoComputation& computation : computations_) {
    if (!proto_.entry_computation_name().empty() &&
        computation.proto.name() == proto_.entry_computation_name()) {
      computation.is_entry = true;
      return;
    }
  }
  Report(absl::StrCat("entry_computation_id is ", proto_.entry_computation_id(),
                      ", which no computation has"));
}

void ProtoModule::OrderInstructions() {
  for (const auto& entry : proto_.schedule().sequences()) {
    const auto found = computation_of_id_.find(entry.key());
    if (found == computation_of_id_.end()) {
      Report(absl::StrCat("the schedule orders a computation with the id ",
                          entry.key(), ", which no computation has"));
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

void ProtoModule::FollowSchedule(
    const hlo_proto::HloScheduleProto::InstructionSequence& sequence,
    ProtoComputation* computation) {
  for (const int64_t id : sequence.instruction_ids()) {
    const auto found = computation->instruction_of_id.find(id);
    if (found == computation->instruction_of_id.end()) {
      Report(*computation, absl::StrCat("the schedule has the id ", id,
                                        ", which no instruction has"));
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

void ProtoModule::OrderComputations() {
  enum State : char { kNew, kOpen, kDone };
  std::vector<State> states(computations_.size(), kNew);
  struct Visit {
    int64_t computation;
    size_t next_call;
  };
  std::vector<Visit> path;
  for (size_t start = 0; start < computations_.size(); ++start) {
    if (states[start] != kNew) continue;
    states[start] = kOpen;
    path.push_back({static_cast<int64_t>(start), 0});
    while (!path.empty()) {
      const int64_t caller = path.back().computation;
      const ProtoComputation& computation = computations_[caller];
      if (path.back().next_call == computation.called_ids.size()) {
        states[caller] = kDone;
        order_.push_back(caller);
        path.pop_back();
        continue;
      }
      const int64_t id = computation.called_ids[path.back().next_call++];
      const auto found = computation_of_id_.find(id);
      if (found == computation_of_id_.end()) continue;
      if (states[found->second] == kOpen) {
        Report(
            computation,
            absl::StrCat("it calls ", Quoted(computations_[found->second].name),
                         ", which calls it"));
      } else if (states[found->second] == kNew) {
        states[found->second] = kOpen;
        path.push_back({found->second, 0});
      }
    }
  }
}

}  // namespace hlo_internal
}  // namespace tessera
