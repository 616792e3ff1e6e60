#include "tessera/hlo/model/hlo_builder.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/model/hlo_store.h"
#include "tessera/hlo/reader/hlo_scanner.h"
#include "tessera/layout/primitive_type.h"

namespace tessera {
namespace hlo_internal {
namespace {

// Visits the names in `%a` and `{%a, %b}`.
template <typename Visit>
void ForEachName(std::string_view value, Visit visit) {
  const HloScanner scanner(value);
  for (const char* p = scanner.begin(); p != scanner.end();) {
    const char* const past = scanner.PastName(p);
    if (past == nullptr) {
      p = scanner.PastBlanks(p + 1);
    } else {
      visit(HloScanner::BareName(p, past));
      p = past;
    }
  }
}

// As in xla/hlo/parser/hlo_parser.cc: names that begin with two underscores are
// reserved, and a type begins a shape.
bool IsLegalName(std::string_view name) {
  const bool is_reserved =
      StartsWith(name, "__") && !StartsWith(name, "__xla_");
  return !is_reserved && !PrimitiveTypeFromName(name).has_value();
}

bool RepeatsAttribute(absl::Span<const HloAttribute> attributes) {
  // XLA's instructions do not have more, but a text may have any number.
  constexpr size_t kUsual = 16;
  if (attributes.size() > kUsual) {
    TextSet<std::string_view> keys;
    for (const HloAttribute& attribute : attributes) keys.insert(attribute.key);
    return keys.size() < attributes.size();
  }
  for (size_t i = 1; i < attributes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (attributes[i].key == attributes[j].key) return true;
    }
  }
  return false;
}

// Whether no strict rule applies to this attribute.
bool IsFree(const HloAttribute& attribute) {
  return (attribute.key == "metadata" || attribute.key == "backend_config" ||
          attribute.key == "sharding") &&
         attribute.key.data()[attribute.key.size()] == '=';
}

// Names a computation in messages; "" for instructions outside a computation.
// Every mistake in a computation repeats its name, so a very long one is cut.
std::string InComputation(std::string_view name) {
  constexpr size_t kLongest = 200;
  return name.empty()
             ? ""
             : StrCat(" in the computation '", name.substr(0, kLongest),
                      name.size() > kLongest ? "...'" : "'");
}

}  // namespace

HloBuilder::HloBuilder(int64_t diagnostic_limit,
                       const std::function<void(int64_t)>& progress,
                       HloStore* store)
    : diagnostic_limit_(diagnostic_limit),
      progress_(progress),
      store_(store),
      diagnostics_(store->text) {}

void HloBuilder::OnModule(const HloModuleText& text) {
  ReportNamesOfFirst();
  FinishModule();
  HloStore::Module module;
  module.name = text.name;
  module.has_header = !text.name.empty();
  module.attributes_text = text.attributes_text;
  module.first_computation = store_->computations.size();
  store_->modules.push_back(module);
}

void HloBuilder::OnFrameTable(std::string_view text) {
  ReportNamesOfFirst();
  std::string_view& tables = store_->modules.back().frame_tables_text;
  if (tables.empty()) {
    tables = text;
  } else {
    tables = HloScanner::Between(tables.data(), text.data() + text.size());
  }
}

void HloBuilder::OnComputation(const HloComputationText& text) {
  ReportNamesOfFirst();
  HloStore::Computation computation;
  computation.name = text.name;
  computation.program_shape_text = text.program_shape_text;
  computation.module = store_->modules.size() - 1;
  computation.is_marked_entry = text.is_entry;
  computation.is_inline = text.is_inline();
  computation.first_instruction = store_->instructions.size();

  const uint32_t index = store_->computations.size();
  if (!text.name.empty() &&
      !computations_.try_emplace(text.name, index).second) {
    Report(text.name, StrCat("another computation '", text.name,
                             "' comes before this one in the module"));
  }
  if (text.is_inline()) {
    open_.back().inline_calls.push_back({text.caller_attribute.data(), index});
  }
  store_->computations.push_back(computation);
  is_too_large_ |= store_->computations.size() > HloStore::kMaxCount;
  open_.emplace_back();
  open_.back().index = index;
  open_.back().names = std::move(spare_names_);
  open_.back().names.clear();
}

void HloBuilder::OnComputationEnd(const HloComputationText& text,
                                  absl::Span<const HloAttribute>) {
  OpenComputation open = std::move(open_.back());
  open_.pop_back();
  HloStore::Computation& computation = store_->computations[open.index];
  computation.attributes_text = text.attributes_text;
  if (open.index == 0 && !open.has_skipped && FirstIsOneInstruction()) {
    first_ = std::move(open);
  } else {
    ReportMissingNames(open);
    spare_names_ = std::move(open.names);
  }
  if (!open_.empty()) {
    ended_inline_.push_back(std::move(open));
    return;
  }
  for (OpenComputation& ended : ended_inline_) Place(&ended);
  ended_inline_.clear();
  if (watcher_ != nullptr) watcher_->OnComputations(open.index);
}

void HloBuilder::Place(OpenComputation* open) {
  HloStore::Computation& computation = store_->computations[open->index];
  computation.first_instruction = store_->instructions.size();
  for (const HloStore::Instruction& instruction : open->waiting) {
    const uint32_t index = store_->instructions.size();
    uint32_t operand = instruction.first_operand;
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      const uint32_t past = operand + 1 + store_->operands[operand].descendants;
      for (; operand < past; ++operand) store_->operands[operand].owner = index;
    }
    for (uint32_t i = 0; i < instruction.call_count; ++i) {
      HloStore::Call& call = store_->calls[instruction.first_call + i];
      call.instruction = index;
      if (call.name_size == 0) {
        store_->computations[call.computation].caller = index;
      }
    }
    store_->instructions.push_back(instruction);
  }
}

void HloBuilder::OnInstruction(const HloInstructionText& text) {
  OpenComputation& open = open_.back();
  HloStore::Computation& computation = store_->computations[open.index];
  is_too_large_ |= text.text.size() > HloStore::kMaxLength ||
                   store_->instructions.size() >= HloStore::kMaxCount;

  const auto within = [&text](std::string_view part) {
    return static_cast<uint32_t>(part.data() - text.text.data());
  };
  HloStore::Instruction instruction;
  instruction.begin = Offset(text.text);
  instruction.size = text.text.size();
  instruction.is_shape_inferred = false;
  if (progress_ && instruction.begin >= next_progress_) {
    constexpr int64_t kStep = int64_t{1} << 20;
    next_progress_ = instruction.begin + kStep;
    progress_(instruction.begin);
  }
  instruction.name_begin = text.name.empty() ? 0 : within(text.name);
  instruction.name_size = text.name.size();
  instruction.has_legal_name = IsLegalName(text.name);
  instruction.operand_text_begin =
      text.operand_text.empty() ? 0 : within(text.operand_text);
  instruction.operand_text_size = text.operand_text.size();
  instruction.attributes_begin = within(text.attributes_text);
  instruction.opcode = OpcodeIndex(text.opcode);
  instruction.shape = text.shape_index;
  store_->lacks_shapes |= text.shape_index < 0;
  instruction.computation = open.index;
  instruction.is_root = text.is_root;
  instruction.repeats_attribute = RepeatsAttribute(text.attributes);
  instruction.has_attribute_to_judge =
      watcher_ != nullptr
          ? watcher_->HasAttributeToJudge(instruction.opcode, text.attributes)
          : !std::all_of(text.attributes.begin(), text.attributes.end(),
                         IsFree);

  const int32_t index = computation.instruction_count++;
  if (text.is_root && computation.root < 0) computation.root = index;
  AddOperands(text, &open, &instruction);
  AddCalls(text, &open, &instruction);
  if (open_.size() == 1) {
    store_->instructions.push_back(instruction);
  } else {
    open.waiting.push_back(instruction);
  }
  if (!text.name.empty() && !open.names.try_emplace(text.name, index).second) {
    Report(text.name,
           StrCat("another instruction '", text.name, "' comes before this one",
                  InComputation(computation.name)));
  }
}

void HloBuilder::AddOperands(const HloInstructionText& text,
                             OpenComputation* open,
                             HloStore::Instruction* instruction) {
  instruction->first_operand = store_->operands.size();
  instruction->operand_count = text.operands.size();
  instruction->has_nested_operands = !text.nested_operands.empty();
  for (const HloOperandText& operand : text.operands) {
    AddOperand(text, operand, open);
    for (int64_t i = 0; i < operand.nested_count; ++i) {
      AddOperand(text, text.nested_operands[operand.nested_begin + i], open);
    }
  }
  is_too_large_ |= store_->operands.size() > HloStore::kMaxCount;
}

void HloBuilder::AddOperand(const HloInstructionText& text,
                            const HloOperandText& operand,
                            OpenComputation* open) {
  HloStore::Operand entry;
  // The owner is set again when a waiting instruction is placed.
  entry.owner = store_->instructions.size();
  entry.begin = operand.text.data() - text.text.data();
  entry.size = operand.text.size();
  entry.shape_size = operand.shape_text.size();
  const std::string_view name =
      operand.opcode.empty() ? operand.name : operand.opcode;
  entry.name_begin = name.empty() ? 0 : name.data() - text.text.data();
  entry.name_size = name.size();
  entry.kind = !operand.opcode.empty() ? HloStore::OperandKind::kExpression
               : !operand.name.empty() ? HloStore::OperandKind::kName
                                       : HloStore::OperandKind::kOther;
  entry.descendants = operand.nested_count;
  entry.instruction = -1;
  if (!operand.name.empty()) {
    const auto found = open->names.find(operand.name);
    if (found != open->names.end()) {
      entry.instruction = found->second;
    } else {
      open->missing.push_back(operand.name);
    }
  }
  store_->operands.push_back(entry);
}

void HloBuilder::AddCalls(const HloInstructionText& text, OpenComputation* open,
                          HloStore::Instruction* instruction) {
  instruction->first_call = store_->calls.size();
  // Both are in the order of the text.
  auto inline_call = open->inline_calls.begin();
  for (const HloAttribute& attribute : text.attributes) {
    const std::optional<HloCallKind> kind = HloCallKindOf(attribute.key);
    bool is_inline = false;
    for (; inline_call != open->inline_calls.end() &&
           inline_call->key == attribute.key.data();
         ++inline_call) {
      is_inline = true;
      store_->computations[inline_call->computation].caller =
          store_->instructions.size();
      // An unknown attribute may contain one, too.
      AddCall(kind.value_or(HloCallKind::kToApply), "",
              inline_call->computation);
    }
    // The names inside an inline computation are not names of computations.
    if (!kind.has_value() || is_inline) continue;
    ForEachName(attribute.value, [this, kind](std::string_view name) {
      const auto found = computations_.find(name);
      if (found == computations_.end()) {
        pending_calls_.push_back(
            {static_cast<uint32_t>(store_->calls.size()), name});
      }
      AddCall(*kind, name, found == computations_.end() ? -1 : found->second);
    });
  }
  open->inline_calls.clear();
  instruction->call_count = store_->calls.size() - instruction->first_call;
  is_too_large_ |= store_->calls.size() > HloStore::kMaxCalls;
}

void HloBuilder::AddCall(HloCallKind kind, std::string_view name,
                         int64_t computation) {
  HloStore::Call call;
  call.name_begin = name.empty() ? 0 : Offset(name);
  call.name_size = name.size();
  call.instruction = store_->instructions.size();
  call.computation = computation;
  call.kind = kind;
  store_->calls.push_back(call);
}

uint32_t HloBuilder::OpcodeIndex(std::string_view opcode) {
  // Most texts repeat the same few opcodes.
  RecentOpcode& recent = recent_opcodes_[(opcode.size() * 8 + opcode.back()) %
                                         recent_opcodes_.size()];
  if (recent.name == opcode) return recent.index;
  const auto [entry, is_new] =
      opcodes_.try_emplace(opcode, store_->opcodes.size());
  if (is_new) store_->opcodes.push_back(opcode);
  recent = {opcode, entry->second};
  return entry->second;
}

void HloBuilder::ReportMissingNames(const OpenComputation& open) {
  if (open.has_skipped) return;
  const std::string where =
      InComputation(store_->computations[open.index].name);
  for (const std::string_view missing : open.missing) {
    Report(missing, StrCat(open.names.contains(missing)
                               ? StrCat("the instruction '", missing,
                                        "' is used before it is defined")
                               : StrCat("no instruction '", missing,
                                        "' comes before this one"),
                           where));
  }
}

bool HloBuilder::FirstIsOneInstruction() const {
  const HloStore::Computation& first = store_->computations.front();
  const HloStore::Module& module = store_->modules.front();
  return !module.has_header && module.frame_tables_text.empty() &&
         first.module == 0 && first.name.empty() &&
         first.instruction_count == 1;
}

void HloBuilder::ReportNamesOfFirst() {
  if (!first_.has_value()) return;
  ReportMissingNames(*first_);
  first_.reset();
}

void HloBuilder::FinishModule() {
  if (!store_->modules.empty()) {
    HloStore::Module& module = store_->modules.back();
    module.computation_count =
        store_->computations.size() - module.first_computation;
    if (is_refused_ != nullptr && !module.has_header) pending_calls_.clear();
  }
  for (const PendingCall& pending : pending_calls_) {
    const auto found = computations_.find(pending.name);
    if (found != computations_.end()) {
      store_->calls[pending.call].computation = found->second;
    }
    if (module_has_skipped_ || store_->is_one_instruction) continue;
    Report(pending.name,
           found != computations_.end()
               ? StrCat("the computation '", pending.name,
                        "' is called before it is defined")
               : StrCat("the module has no computation '", pending.name, "'"));
  }
  pending_calls_.clear();
  computations_.clear();
  module_has_skipped_ = false;
}

void HloBuilder::OnDiagnostic(const Diagnostic& diagnostic) {
  module_has_skipped_ = true;
  if (!open_.empty()) {
    open_.back().has_skipped = true;
    open_.back().inline_calls.clear();
  }
  Keep(diagnostic);
}

void HloBuilder::Report(std::string_view at, const std::string& message) {
  const bool is_kept =
      static_cast<int64_t>(store_->diagnostics.size()) < diagnostic_limit_;
  Keep(is_kept ? diagnostics_.At(Offset(at), message) : Diagnostic());
}

void HloBuilder::Keep(const Diagnostic& diagnostic) {
  ++store_->diagnostic_count;
  if (static_cast<int64_t>(store_->diagnostics.size()) < diagnostic_limit_) {
    store_->diagnostics.push_back(diagnostic);
  }
}

void HloBuilder::Finish() {
  if (first_.has_value()) {
    store_->is_one_instruction = true;
    // Names that it defines itself are not missing.
    const Names& names = first_->names;
    auto& missing = first_->missing;
    missing.erase(std::remove_if(missing.begin(), missing.end(),
                                 [&names](std::string_view name) {
                                   return !names.contains(name);
                                 }),
                  missing.end());
    ReportNamesOfFirst();
  }
  FinishModule();
  std::stable_sort(store_->diagnostics.begin(), store_->diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) {
                     return a.offset < b.offset;
                   });
}

}  // namespace hlo_internal
}  // namespace tessera
