#include "tessera/hlo/memory/computation_buffers.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/hlo/attributes/attribute_values.h"
#include "tessera/hlo/memory/assignment/aliasing_operands.h"
#include "tessera/hlo/memory/assignment/opcode_traits.h"

namespace tessera {
namespace {

using Buffer = ComputationBuffers::Buffer;
using ShapeParts = ArrayTable::ShapeParts;

// A part of an instruction's result.
struct Value {
  int64_t instruction = -1;
  int64_t part = 0;

  bool exists() const { return instruction >= 0; }
};

// Whether the parts of `b` within `b_part` are those of `a` within `a_part`, as
// far as nesting and memory are concerned.
bool SameStructure(const ShapeParts& a, int64_t a_part, const ShapeParts& b,
                   int64_t b_part) {
  if (&a == &b && a_part == b_part) return true;
  const int64_t size = a[a_part].end - a_part;
  if (b[b_part].end - b_part != size) return false;
  for (int64_t i = 0; i < size; ++i) {
    const ArrayTable::Part& x = a[a_part + i];
    const ArrayTable::Part& y = b[b_part + i];
    if (x.child_count != y.child_count || x.is_tuple() != y.is_tuple() ||
        (x.array >= 0) != (y.array >= 0)) {
      return false;
    }
  }
  return true;
}

// Whether the result is the operand, whatever its shape says.
bool HandsOperandThrough(absl::string_view opcode) {
  return opcode == "bitcast" || opcode == "opt-barrier" ||
         opcode == "optimization-barrier" || opcode == "while" ||
         opcode == "add-dependency" || opcode == "domain" ||
         opcode == "all-reduce-done";
}

bool IsCollectivePermute(absl::string_view opcode) {
  return opcode == "collective-permute" || opcode == "collective-permute-start";
}

class BufferFinder {
 public:
  BufferFinder(
      HloComputation computation, ArrayTable* arrays,
      absl::FunctionRef<const ComputationResult*(HloComputation)> callee)
      : computation_(computation), arrays_(*arrays), callee_(callee) {}

  ComputationBuffers Find() && {
    for (const HloInstruction instruction : computation_.instructions()) {
      Visit(instruction);
    }
    FindLastUses();
    return std::move(found_);
  }

 private:
  // Where the parts of an instruction's result stand in `buffer_of_` and
  // `last_use_`. An instruction without a shape has one part, without a buffer.
  struct Result {
    int64_t begin = 0;
    const ShapeParts* parts = nullptr;
    // Its operands are needed as long as it is: how it lies in their buffers is
    // not known.
    bool keeps_operands = false;
    // The call that runs on in it; -1 for none.
    int64_t async_call = -1;
    // How many operands are this instruction.
    int64_t use_count = 0;

    int64_t part_count() const { return parts == nullptr ? 1 : parts->size(); }
  };

  static constexpr int64_t kNone = -1;
  static constexpr int64_t kUnset = -2;

  // -- Forward: which buffer --------------------------------------------------

  void Visit(HloInstruction instruction) {
    current_ = results_.size();
    binds_late_ = false;
    Result result;
    result.begin = buffer_of_.size();
    if (instruction.has_shape()) {
      result.parts = &arrays_.parts(instruction.shape_index());
    } else {
      ++found_.instructions_without_shape;
      result.keeps_operands = true;
    }
    buffer_of_.resize(result.begin + result.part_count(), kUnset);
    last_use_.resize(buffer_of_.size(), kNone);
    results_.push_back(result);

    ReadOperands(instruction);
    if (result.parts != nullptr) LieInOperands(instruction);
    NoteCall(instruction);
    MakeBuffers(instruction);
  }

  void ReadOperands(HloInstruction instruction) {
    operands_.clear();
    for (const HloOperand operand : instruction.operands()) {
      operands_.push_back(ValueOf(operand));
      if (operand.opcode().empty()) continue;
      // What is nested within is used here; it has no memory of its own.
      std::vector<HloOperand> pending = {operand};
      while (!pending.empty()) {
        const HloOperands nested = pending.back().operands();
        pending.pop_back();
        for (const HloOperand inner : nested) {
          if (inner.opcode().empty()) {
            Use(ValueOf(inner));
          } else {
            pending.push_back(inner);
          }
        }
      }
    }
    for (const Value& operand : operands_) {
      if (operand.exists()) ++results_[operand.instruction].use_count;
    }
    const absl::string_view opcode = instruction.opcode();
    if (opcode == "tuple" || opcode == "get-tuple-element") return;
    for (const Value& operand : operands_) Use(operand);
  }

  // The part that an operand names. Counts those that name nothing.
  Value ValueOf(HloOperand operand) {
    if (!operand.opcode().empty()) return Value();
    const absl::optional<HloInstruction> instruction = operand.instruction();
    Value value;
    if (instruction.has_value()) {
      value = Part({instruction->index_in_computation(), 0},
                   operand.tuple_indices());
    }
    if (!value.exists()) ++found_.unresolved;
    return value;
  }

  Value Part(Value value, absl::Span<const int64_t> indices) const {
    const ShapeParts* parts = results_[value.instruction].parts;
    if (indices.empty()) return value;
    // Of a tuple whose shape is not given, any part is all of it.
    if (parts == nullptr) return value;
    for (const int64_t index : indices) {
      value.part = parts->child(value.part, index);
      if (value.part < 0) return Value();
    }
    return value;
  }

  void Use(const Value& value) {
    if (value.exists()) last_use_[Slot(value)] = current_;
  }

  int64_t Slot(const Value& value) const {
    return results_[value.instruction].begin + value.part;
  }

  const ShapeParts* PartsOf(const Value& value) const {
    return value.exists() ? results_[value.instruction].parts : nullptr;
  }

  // Sets the buffers of the result that lie in those of operands.
  void LieInOperands(HloInstruction instruction) {
    const absl::string_view opcode = instruction.opcode();
    const Value operand = operands_.empty() ? Value() : operands_[0];
    const ShapeParts& parts = *results_[current_].parts;
    if (opcode == "parameter" || opcode == "constant") return;
    if (opcode == "tuple") {
      for (size_t i = 0; i < operands_.size(); ++i) {
        LieIn(parts.child(0, i), operands_[i]);
      }
    } else if (opcode == "get-tuple-element") {
      int64_t index = -1;
      const absl::optional<absl::string_view> text =
          instruction.attribute("index");
      if (!text.has_value() || !absl::SimpleAtoi(*text, &index)) index = -1;
      LieIn(0, operand.exists() ? Part(operand, {index}) : Value());
    } else if (HandsOperandThrough(opcode) ||
               (opcode == "copy" && parts[0].is_tuple())) {
      LieIn(0, operand);
    } else if (opcode == "call" || opcode == "conditional") {
      LieInResultOfCallees(instruction);
    } else if (opcode == "copy-start") {
      LieIn(parts.child(0, 1), operand);
    } else if (opcode == "copy-done" || opcode == "recv-done") {
      const Value data = operand.exists() ? Part(operand, {0}) : Value();
      LieIn(opcode == "copy-done" ? 0 : parts.child(0, 0), data);
    } else if (opcode == "send") {
      LieIn(parts.child(0, 0), operand);
    } else if (opcode == "send-done" || opcode == "recv" ||
               opcode == "all-reduce-start") {
      return;
    } else if (IsCollectivePermute(opcode) && operands_.size() == 4 &&
               instruction.attribute("slice_sizes").has_value()) {
      // In place: slices of operand 0 go to operand 1, which is the result. The
      // others are their offsets.
      const bool is_start = absl::EndsWith(opcode, "-start");
      if (is_start) LieIn(parts.child(0, 0), operand);
      LieIn(is_start ? parts.child(0, 1) : 0, operands_[1]);
    } else if (absl::EndsWith(opcode, "-start")) {
      LieInOperandsOfStart();
    } else if (absl::EndsWith(opcode, "-update")) {
      LieInOperandsOfUpdate();
    } else if (absl::EndsWith(opcode, "-done")) {
      LieInResultOfChain(0, operand.exists() ? Part(operand, {1}) : Value());
    } else {
      if (opcode == "sort") sorts_.push_back(current_);
      LieInAliases(instruction);
    }
  }

  // Puts the result's part `part` into the buffers of `value`, if there are
  // both and they are built alike.
  void LieIn(int64_t part, const Value& value) {
    const ShapeParts& parts = *results_[current_].parts;
    const ShapeParts* from = PartsOf(value);
    if (part < 0 || from == nullptr ||
        !SameStructure(parts, part, *from, value.part)) {
      if (value.exists()) {
        // Counted already where there is no value.
        ++found_.unresolved;
        Use(value);
      }
      results_[current_].keeps_operands = true;
      return;
    }
    const int64_t to_slot = results_[current_].begin + part;
    const int64_t size = parts[part].end - part;
    std::copy_n(buffer_of_.begin() + Slot(value), size,
                buffer_of_.begin() + to_slot);
  }

  // ((operands...), result, ...), or (operand, result, ...).
  void LieInOperandsOfStart() {
    const ShapeParts& parts = *results_[current_].parts;
    const int64_t first = parts.child(0, 0);
    if (first < 0 || parts[0].child_count < 2) return;
    if (operands_.size() == 1 && !parts[first].is_tuple()) {
      LieIn(first, operands_[0]);
      return;
    }
    for (size_t i = 0; i < operands_.size(); ++i) {
      LieIn(parts.child(first, i), operands_[i]);
    }
  }

  // The same, where operand 0 is what the chain has so far and the others are
  // further operands of what it runs.
  void LieInOperandsOfUpdate() {
    const ShapeParts& parts = *results_[current_].parts;
    const Value chain = operands_.empty() ? Value() : operands_[0];
    const Value bound = chain.exists() ? Part(chain, {0}) : Value();
    const int64_t first = parts.child(0, 0);
    const int64_t bound_count = IsTuple(bound) ? ElementCount(bound) : -1;
    if (first < 0 || bound_count < 0 ||
        parts[first].child_count < bound_count ||
        parts[0].child_count != ElementCount(chain)) {
      LieIn(0, chain);
      return;
    }
    binds_late_ = operands_.size() > 1;
    for (int64_t i = 0; i < bound_count; ++i) {
      LieIn(parts.child(first, i), Part(bound, {i}));
    }
    for (size_t i = 1; i < operands_.size(); ++i) {
      LieIn(parts.child(first, bound_count + i - 1), operands_[i]);
    }
    for (int64_t i = 1; i < parts[0].child_count; ++i) {
      const int64_t part = parts.child(0, i);
      const Value before = Part(chain, {i});
      i == 1 ? LieInResultOfChain(part, before) : LieIn(part, before);
    }
  }

  bool IsTuple(const Value& value) const {
    const ShapeParts* parts = PartsOf(value);
    return parts != nullptr && (*parts)[value.part].is_tuple();
  }

  // Precondition: the value is a tuple.
  int64_t ElementCount(const Value& tuple) const {
    return (*PartsOf(tuple))[tuple.part].child_count;
  }

  // The result of an asynchronous chain, so far `before`, as `part`: if that
  // was an empty tuple and is none now, it has memory only from here on.
  void LieInResultOfChain(int64_t part, const Value& before) {
    const ArrayTable::Part& now = (*results_[current_].parts)[part];
    if (IsTuple(before) && ElementCount(before) == 0 &&
        !(now.is_tuple() && now.child_count == 0)) {
      binds_late_ = true;
    } else {
      LieIn(part, before);
    }
  }

  void LieInAliases(HloInstruction instruction) {
    for (const hlo_internal::AliasingOperand& alias :
         hlo_internal::FindAliasingOperands(instruction)) {
      const ShapeParts& parts = *results_[current_].parts;
      const int64_t part =
          parts[0].is_tuple() ? parts.child(0, alias.output) : alias.output;
      if (part >= 0 && part < parts.size() && parts[part].array >= 0) {
        LieIn(part, operands_[alias.operand]);
      }
    }
    const absl::optional<absl::string_view> text =
        instruction.attribute("output_to_operand_aliasing");
    if (!text.has_value()) return;
    const absl::StatusOr<std::vector<OutputOperandAlias>> aliases =
        DecodeOutputOperandAliases(*text);
    if (!aliases.ok()) {
      ++found_.unresolved;
      return;
    }
    const ShapeParts& parts = *results_[current_].parts;
    for (const OutputOperandAlias& alias : *aliases) {
      const int64_t part = parts.Find(alias.output_index);
      Value operand;
      if (alias.operand_number < static_cast<int64_t>(operands_.size()) &&
          operands_[alias.operand_number].exists()) {
        operand = Part(operands_[alias.operand_number], alias.operand_index);
      }
      if (part < 0 || PartsOf(operand) == nullptr ||
          parts[part].is_tuple() !=
              (*PartsOf(operand))[operand.part].is_tuple()) {
        ++found_.unresolved;
        continue;
      }
      // An alias of a tuple is one of its table of pointers, which has no
      // memory here.
      if (parts[part].array < 0) continue;
      LieIn(part, operand);
    }
  }

  // The buffer of the operand that the callee hands through as the leaf, or
  // kNone.
  int64_t BufferOfOrigin(const ComputationResult::Origin& origin,
                         absl::Span<const Value> arguments) const {
    if (origin.parameter < 0 ||
        origin.parameter >= static_cast<int64_t>(arguments.size())) {
      return kNone;
    }
    const Value& argument = arguments[origin.parameter];
    const ShapeParts* parts = PartsOf(argument);
    if (parts == nullptr ||
        (*parts)[argument.part].end - argument.part != origin.part_count) {
      return kNone;
    }
    return buffer_of_[Slot(argument) + origin.part];
  }

  // Leaves that every callee hands through from the same buffer lie in it.
  void LieInResultOfCallees(HloInstruction instruction) {
    const bool is_call = instruction.opcode() == "call";
    const ShapeParts& parts = *results_[current_].parts;
    std::vector<int64_t> candidates;
    // The same branch may be listed any number of times, with the same operand
    // or with others that lie in the same buffers.
    absl::flat_hash_set<std::pair<int64_t, int64_t>> seen_slots;
    absl::flat_hash_set<std::pair<int64_t, std::vector<int64_t>>> seen_buffers;
    int64_t branch = 0;
    for (const HloCall call : instruction.calls()) {
      const absl::optional<HloComputation> computation = call.computation();
      const ComputationResult* result =
          computation.has_value() ? callee_(*computation) : nullptr;
      if (result == nullptr || result->shape_index < 0) return;
      // Of a conditional, operand 0 chooses, and each branch has one.
      absl::Span<const Value> arguments = operands_;
      if (!is_call) {
        if (++branch >= static_cast<int64_t>(operands_.size())) return;
        arguments = arguments.subspan(branch, 1);
        const Value& argument = arguments[0];
        if (!argument.exists()) return;
        const int64_t slot = Slot(argument);
        if (!seen_slots.insert({computation->index(), slot}).second) continue;
        const auto first = buffer_of_.begin() + slot;
        const ShapeParts* given = PartsOf(argument);
        const int64_t size =
            given == nullptr ? 1 : (*given)[argument.part].end - argument.part;
        if (!seen_buffers.insert({computation->index(), {first, first + size}})
                 .second) {
          continue;
        }
      }
      const ShapeParts& from = arrays_.parts(result->shape_index);
      if (!SameStructure(parts, 0, from, 0)) return;
      const bool is_first = candidates.empty();
      if (is_first) candidates.resize(parts.size(), kNone);
      bool any_left = false;
      for (int64_t part = 0; part < parts.size(); ++part) {
        const int64_t buffer = BufferOfOrigin(result->origins[part], arguments);
        if (is_first) {
          candidates[part] = buffer;
        } else if (candidates[part] != buffer) {
          candidates[part] = kNone;
        }
        any_left |= candidates[part] >= 0;
      }
      if (!any_left) return;
    }
    for (size_t part = 0; part < candidates.size(); ++part) {
      if (candidates[part] >= 0) {
        buffer_of_[results_[current_].begin + part] = candidates[part];
      }
    }
  }

  void NoteCall(HloInstruction instruction) {
    const absl::string_view opcode = instruction.opcode();
    Result& result = results_[current_];
    if (!instruction.calls().empty() &&
        hlo_internal::TraitsOf(opcode).runs_computations) {
      if (absl::EndsWith(opcode, "-start")) {
        result.async_call = found_.calls.size();
        pending_calls_.insert(result.async_call);
      }
      found_.calls.push_back({current_, current_, current_});
    } else if (!operands_.empty() && operands_[0].exists() &&
               (absl::EndsWith(opcode, "-update") ||
                absl::EndsWith(opcode, "-done"))) {
      result.async_call = results_[operands_[0].instruction].async_call;
      if (result.async_call < 0) return;
      found_.calls[result.async_call].last = current_;
      if (binds_late_) found_.calls[result.async_call].first = current_;
      if (absl::EndsWith(opcode, "-done")) {
        pending_calls_.erase(result.async_call);
      }
    }
  }

  // For all leaves of the result that lie in no other.
  void MakeBuffers(HloInstruction instruction) {
    const Result& result = results_[current_];
    if (result.parts == nullptr) {
      buffer_of_[result.begin] = kNone;
      return;
    }
    Buffer::Kind kind = Buffer::Kind::kOwn;
    if (instruction.opcode() == "parameter") kind = Buffer::Kind::kParameter;
    if (instruction.opcode() == "constant") kind = Buffer::Kind::kConstant;
    for (int64_t part = 0; part < result.part_count(); ++part) {
      int64_t& buffer = buffer_of_[result.begin + part];
      if (buffer != kUnset) continue;
      buffer = kNone;
      const int64_t array = (*result.parts)[part].array;
      if (array < 0) continue;
      if (!arrays_.array(array).sizes.has_value()) {
        ++found_.skipped_arrays;
        continue;
      }
      buffer = found_.buffers.size();
      found_.buffers.push_back(
          {kind, current_, part, array, current_, current_, false});
    }
  }

  // -- Backward: until when ---------------------------------------------------

  void FindLastUses() {
    const int64_t end = static_cast<int64_t>(results_.size()) - 1;
    for (const int64_t call : pending_calls_) found_.calls[call].last = end;
    const absl::optional<HloInstruction> root = computation_.root();
    if (!root.has_value()) return;
    const Result& root_result = results_[root->index_in_computation()];
    last_use_[root_result.begin] = end;

    for (int64_t i = end; i >= 0; --i) {
      const Result& result = results_[i];
      int64_t latest = i;
      for (int64_t part = 0; part < result.part_count(); ++part) {
        int64_t& last = last_use_[result.begin + part];
        if (part > 0) {
          // What uses a tuple uses its elements.
          last = std::max(
              last, last_use_[result.begin + (*result.parts)[part].parent]);
        }
        latest = std::max(latest, last);
        const int64_t buffer = buffer_of_[result.begin + part];
        if (buffer < 0) continue;
        int64_t& buffer_last = found_.buffers[buffer].last;
        buffer_last = std::max(buffer_last, last);
      }
      if (result.keeps_operands) KeepOperands(i, latest);
    }
    for (const int64_t sort : sorts_) SortInPlace(sort);
    for (int64_t part = 0; part < root_result.part_count(); ++part) {
      const int64_t buffer = buffer_of_[root_result.begin + part];
      found_.result.push_back(buffer);
      if (buffer >= 0) found_.buffers[buffer].is_result = true;
    }
  }

  // XLA sorts an array where it lies if nothing else uses it, whether before
  // or after: the result has the place from the sort on.
  void SortInPlace(int64_t sort) {
    const Result& result = results_[sort];
    const HloOperands operands = computation_.instructions()[sort].operands();
    for (int64_t i = 0; i < static_cast<int64_t>(operands.size()); ++i) {
      const absl::optional<HloInstruction> from = operands[i].instruction();
      if (!from.has_value() || !operands[i].tuple_indices().empty()) continue;
      const Result& operand = results_[from->index_in_computation()];
      const int64_t part =
          (*result.parts)[0].is_tuple() ? result.parts->child(0, i) : 0;
      if (operand.use_count != 1 || part < 0 || operand.parts == nullptr ||
          (*operand.parts)[0].array != (*result.parts)[part].array ||
          buffer_of_[operand.begin] < 0) {
        continue;
      }
      const int64_t after = buffer_of_[result.begin + part];
      Buffer& before = found_.buffers[buffer_of_[operand.begin]];
      if (after >= 0 && after != buffer_of_[operand.begin] &&
          before.kind == Buffer::Kind::kOwn && before.last == sort) {
        before.last = sort - 1;
      }
    }
  }

  void KeepOperands(int64_t i, int64_t until) {
    for (const HloOperand operand : computation_.instructions()[i].operands()) {
      const absl::optional<HloInstruction> instruction = operand.instruction();
      if (!instruction.has_value()) continue;
      const Value value = Part({instruction->index_in_computation(), 0},
                               operand.tuple_indices());
      if (!value.exists()) continue;
      int64_t& last = last_use_[Slot(value)];
      last = std::max(last, until);
    }
  }

  const HloComputation computation_;
  ArrayTable& arrays_;
  absl::FunctionRef<const ComputationResult*(HloComputation)> callee_;

  ComputationBuffers found_;
  int64_t current_ = 0;
  // The current instruction adds operands or the result to what an asynchronous
  // chain was started with.
  bool binds_late_ = false;
  std::vector<Result> results_;  // by instruction
  // By part of a result, those of one instruction after the other.
  std::vector<int64_t> buffer_of_;
  std::vector<int64_t> last_use_;
  std::vector<Value> operands_;                 // of the current instruction
  absl::flat_hash_set<int64_t> pending_calls_;  // started and not done
  std::vector<int64_t> sorts_;                  // with a shape
};

}  // namespace

ComputationResult ComputationBuffers::ForCallers(HloComputation computation,
                                                 ArrayTable* arrays) const {
  ComputationResult known;
  const absl::optional<HloInstruction> root = computation.root();
  if (!root.has_value() || !root->has_shape()) return known;
  known.shape_index = root->shape_index();
  known.origins.resize(result.size());
  for (size_t part = 0; part < result.size(); ++part) {
    if (result[part] < 0) continue;
    const Buffer& buffer = buffers[result[part]];
    if (buffer.kind != Buffer::Kind::kParameter) continue;
    const HloInstruction parameter =
        computation.instructions()[buffer.instruction];
    known.origins[part] = {parameter.parameter_number().value_or(-1),
                           buffer.part,
                           arrays->parts(parameter.shape_index()).size()};
  }
  return known;
}

ComputationBuffers FindComputationBuffers(
    HloComputation computation, ArrayTable* arrays,
    absl::FunctionRef<const ComputationResult*(HloComputation)> callee) {
  return BufferFinder(computation, arrays, callee).Find();
}

}  // namespace tessera
