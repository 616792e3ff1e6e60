#include "tessera/hlo/dataflow/program_values.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/hlo/attributes/attribute_values.h"
#include "tessera/hlo/attributes/module_header.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/hlo/dataflow/aliasing_operands.h"
#include "tessera/hlo/dataflow/fused_graph.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace hlo_internal {
namespace {

using ShapeParts = ArrayTable::ShapeParts;
using Value = ProgramValues::Value;

// Numbers that are joined into sets.
class DisjointSets {
 public:
  int32_t Add() {
    parents_.push_back(parents_.size());
    return parents_.back();
  }
  int32_t Find(int32_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }
  void Join(int32_t a, int32_t b) {
    a = Find(a);
    b = Find(b);
    // The lower number stands for the set.
    parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int32_t> parents_;
};

class ValueFinder {
 public:
  ValueFinder(HloModule module, const ValueRules& rules, ArrayTable* arrays)
      : module_(module), rules_(rules), arrays_(*arrays) {}

  ProgramValues Find(HloComputation entry) && {
    Flatten(entry);
    JoinSorts();
    AliasResults();
    ReadDonors();
    for (size_t i = 0; i < found_.computations.size(); ++i) FindPostOrder(i);
    ResolveValues();
    FindLiveRanges();
    MakeBuffers();
    CutLiveRanges();
    AddThreadLocal();
    return std::move(found_);
  }

 private:
  static constexpr int32_t kNone = -1;
  static constexpr int32_t kUnset = -2;

  // A computation whose instructions are being visited.
  struct Frame {
    explicit Frame(int32_t computation) : computation(computation) {}

    int32_t computation;
    int32_t next = 0;  // instruction
    // The computations that the next instruction calls, and how many of them
    // have been visited.
    std::vector<HloCall> calls;
    size_t next_call = 0;
    bool has_calls = false;
  };

  struct Position {
    int32_t instruction = kNone;
    int64_t part = 0;

    bool exists() const { return instruction >= 0; }
  };

  // An asynchronous start that gets its operands with updates.
  struct WaitingStart {
    int32_t start;
    int64_t parameter_count;
    std::vector<Position> bound;  // so far
  };

  // How the computations that an instruction runs were entered.
  struct Run {
    HloCallKind kind;
    int64_t position;  // among the calls
    int32_t computation;
  };

  // -- Forward: the schedule, and who holds what
  // -------------------------------

  void Flatten(HloComputation entry) {
    for (const HloComputation computation : module_.computations()) {
      instruction_limit_ += computation.instructions().size();
    }
    std::vector<Frame> open;
    open.push_back(Frame(Enter(entry, kNone)));
    while (!open.empty()) {
      Frame& frame = open.back();
      ProgramValues::Computation& in = found_.computations[frame.computation];
      if (frame.next == in.instruction_count) {
        in.end = time_;
        open_.erase(in.computation.index());
        open.pop_back();
        continue;
      }
      const int32_t current = in.first_instruction + frame.next;
      if (!frame.has_calls) {
        PrepareInstruction(current);
        frame.calls = CallsOf(current);
        frame.next_call = 0;
        frame.has_calls = true;
      }
      if (frame.next_call < frame.calls.size()) {
        const HloCall call = frame.calls[frame.next_call];
        const int64_t position = frame.next_call++;
        const absl::optional<HloComputation> callee = call.computation();
        if (!callee.has_value() || !MayEnter(*callee)) {
          ++found_.doubts.unresolved_calls;
          continue;
        }
        const int32_t computation = Enter(*callee, current);
        runs_[current].push_back({call.kind(), position, computation});
        open.push_back(Frame(computation));
        continue;
      }
      Visit(current);
      frame.calls.clear();
      frame.has_calls = false;
      ++frame.next;
    }
    found_.first_operand.push_back(found_.operands.size());
    found_.end_time = time_;
  }

  // Text can call in circles, or one computation from many places, which XLA
  // makes copies of beforehand.
  bool MayEnter(HloComputation callee) const {
    constexpr int64_t kMostCopies = 4;
    constexpr size_t kMostSlots = size_t{1} << 29;
    if (open_.contains(callee.index())) return false;
    if (!entered_.contains(callee.index())) return true;
    return static_cast<int64_t>(found_.instructions.size()) +
                   callee.instructions().size() <
               kMostCopies * instruction_limit_ &&
           found_.value_at.size() < kMostSlots;
  }

  int32_t Enter(HloComputation computation, int32_t caller) {
    entered_.insert(computation.index());
    open_.insert(computation.index());
    const int32_t number = found_.computations.size();
    ProgramValues::Computation entered{computation};
    entered.first_instruction = found_.instructions.size();
    entered.instruction_count = computation.instructions().size();
    entered.caller = caller;
    entered.begin = time_;
    found_.computations.push_back(entered);
    found_.instructions.resize(found_.instructions.size() +
                               entered.instruction_count);
    operand_ranges_.resize(found_.instructions.size());
    for (int32_t i = 0; i < entered.instruction_count; ++i) {
      ProgramValues::Instruction& instruction =
          found_.instructions[entered.first_instruction + i];
      instruction.computation = number;
    }
    return number;
  }

  // What computations an instruction runs, in the order in which they stand in
  // the schedule.
  std::vector<HloCall> CallsOf(int32_t current) const {
    std::vector<HloCall> calls;
    const OpcodeTraits& traits = found_.instructions[current].traits;
    if (!traits.runs_computations) return calls;
    int32_t caller = current;
    if (traits.flow == OperandFlow::kStart && AwaitedOperands(current) > 0) {
      return calls;
    }
    if (traits.flow == OperandFlow::kUpdate) {
      if (OperandsOf(current).size() < 2) return calls;
      const WaitingStart* const waiting = WaitingFor(current);
      if (waiting == nullptr ||
          waiting->bound.size() + OperandsOf(current).size() - 1 <
              static_cast<size_t>(waiting->parameter_count)) {
        return calls;
      }
      caller = waiting->start;
    }
    for (const HloCall call : found_.At(caller).calls()) calls.push_back(call);
    std::stable_sort(calls.begin(), calls.end(), [](HloCall a, HloCall b) {
      return (a.kind() == HloCallKind::kWhileCondition) >
             (b.kind() == HloCallKind::kWhileCondition);
    });
    return calls;
  }

  // How many operands a start gets with updates, before it runs; 0 for one that
  // has them.
  int64_t AwaitedOperands(int32_t start) const {
    const HloInstruction instruction = found_.At(start);
    int64_t count = 0;
    if (!instruction.operands().empty()) return count;
    for (const HloCall call : instruction.calls()) {
      const absl::optional<HloComputation> callee = call.computation();
      if (!callee.has_value()) continue;
      for (const HloInstruction called : callee->instructions()) {
        count += called.opcode() == "parameter";
      }
    }
    return count;
  }

  // The start of the chain that an update goes on with, if that waits for
  // operands.
  const WaitingStart* WaitingFor(int32_t update) const {
    const Position chain = OperandOf(update, 0);
    if (!chain.exists()) return nullptr;
    const auto found = waiting_starts_.find(chain.instruction);
    return found == waiting_starts_.end() ? nullptr : &found->second;
  }

  // Makes the slots of an instruction, and reads its operands.
  void PrepareInstruction(int32_t current) {
    const HloInstruction instruction = found_.At(current);
    ProgramValues::Instruction& entry = found_.instructions[current];
    entry.traits = TraitsOf(instruction.opcode());
    entry.first_slot = found_.value_at.size();
    if (instruction.has_shape()) {
      entry.parts = &arrays_.parts(instruction.shape_index());
    } else {
      ++found_.doubts.instructions_without_shape;
    }
    if (entry.traits.flow == OperandFlow::kTupleCopy &&
        (entry.parts == nullptr || !(*entry.parts)[0].is_tuple())) {
      entry.traits.flow = OperandFlow::kNone;
    }
    found_.value_at.resize(found_.value_at.size() + SlotCount(current), kUnset);
    const ProgramValues::Computation& in =
        found_.computations[entry.computation];
    operand_ranges_[current].first = pending_operands_.size();
    for (const HloOperand operand : instruction.operands()) {
      pending_operands_.push_back(PositionOf(in, operand));
      if (!operand.opcode().empty()) UseNested(current, operand);
    }
    operand_ranges_[current].second = pending_operands_.size();
  }

  // What an operand names. Counts those that name nothing.
  Position PositionOf(const ProgramValues::Computation& in,
                      HloOperand operand) {
    if (!operand.opcode().empty()) return Position();
    const absl::optional<HloInstruction> definition = operand.instruction();
    Position position;
    if (definition.has_value()) {
      position.instruction =
          in.first_instruction +
          static_cast<int32_t>(definition->index_in_computation());
      position = Within(position, operand.tuple_indices());
    }
    if (!position.exists()) ++found_.doubts.unresolved;
    return position;
  }

  // What is written within an operand is used where that is. It has no memory
  // of its own.
  void UseNested(int32_t user, HloOperand operand) {
    const ProgramValues::Computation& in =
        found_.computations[found_.instructions[user].computation];
    std::vector<HloOperand> pending = {operand};
    while (!pending.empty()) {
      const HloOperands nested = pending.back().operands();
      pending.pop_back();
      for (const HloOperand inner : nested) {
        if (inner.opcode().empty()) {
          nested_uses_.emplace_back(user, PositionOf(in, inner));
        } else {
          pending.push_back(inner);
        }
      }
    }
  }

  const ShapeParts* PartsOf(int32_t instruction) const {
    return found_.instructions[instruction].parts;
  }
  int64_t SlotCount(int32_t instruction) const {
    const ShapeParts* parts = PartsOf(instruction);
    return parts == nullptr ? 1 : parts->size();
  }

  Position Within(Position position, absl::Span<const int64_t> indices) const {
    if (indices.empty() || !position.exists()) return position;
    const ShapeParts* parts = PartsOf(position.instruction);
    if (parts == nullptr) return Position();
    for (const int64_t index : indices) {
      position.part = parts->child(position.part, index);
      if (position.part < 0) return Position();
    }
    return position;
  }

  absl::Span<const Position> OperandsOf(int32_t instruction) const {
    const auto [begin, end] = operand_ranges_[instruction];
    return absl::MakeConstSpan(pending_operands_).subspan(begin, end - begin);
  }
  Position OperandOf(int32_t instruction, int64_t i) const {
    const absl::Span<const Position> operands = OperandsOf(instruction);
    return i < static_cast<int64_t>(operands.size()) ? operands[i] : Position();
  }
  int64_t Child(int32_t instruction, int64_t part, int64_t i) const {
    const ShapeParts* parts = PartsOf(instruction);
    return parts == nullptr || part < 0 ? -1 : parts->child(part, i);
  }

  int32_t& ValueAt(int32_t instruction, int64_t part) {
    return found_.value_at[found_.SlotOf(instruction, part)];
  }

  // Whether what stands at a position is built as part `part` of `to`.
  bool SameStructure(int32_t to, int64_t part, const Position& from) const {
    const ShapeParts* a = PartsOf(to);
    if (part < 0 || a == nullptr || !from.exists()) return false;
    const ShapeParts* b = PartsOf(from.instruction);
    if (b == nullptr) return false;
    const int64_t size = (*a)[part].end - part;
    if ((*b)[from.part].end - from.part != size) return false;
    for (int64_t i = 0; i < size; ++i) {
      if ((*a)[part + i].child_count != (*b)[from.part + i].child_count) {
        return false;
      }
    }
    return true;
  }

  // Part `part` of `to` holds what stands at `from`.
  void Forward(int32_t to, int64_t part, const Position& from) {
    if (!SameStructure(to, part, from)) {
      found_.doubts.unresolved += from.exists();
      return;
    }
    const int64_t size = (*PartsOf(to))[part].end - part;
    for (int64_t i = 0; i < size; ++i) {
      ValueAt(to, part + i) = ValueAt(from.instruction, from.part + i);
    }
  }

  // Precondition: the array has sizes.
  int64_t PaddedBytes(const ArrayTable::Array& array) const {
    const int64_t bytes = array.sizes->padded_bytes;
    const Layout& layout = array.shape->layout();
    const int64_t memory_space = layout.memory_space();
    if (rules_.untiled_elements == 1 || memory_space == 2 ||
        memory_space == 5 || memory_space >= 8 || !layout.tiles().empty() ||
        array.shape->rank() > 1) {
      return bytes;
    }
    const int64_t multiple = rules_.untiled_elements *
                             ((array.sizes->unpadded_element_bits + 7) / 8);
    return (bytes + multiple - 1) / multiple * multiple;
  }

  int32_t NewValue(int32_t instruction, int64_t part) {
    const ShapeParts* parts = PartsOf(instruction);
    if (parts == nullptr) return kNone;
    const ArrayTable::Part& shape = (*parts)[part];
    Value value;
    value.instruction = instruction;
    value.part = part;
    value.is_tuple = shape.is_tuple();
    if (value.is_tuple) {
      const int64_t alignment = rules_.table_alignment;
      value.bytes = (rules_.pointer_bytes * shape.child_count + alignment - 1) /
                    alignment * alignment;
      value.unpadded_bytes = value.bytes;
    } else if (shape.array >= 0) {
      const ArrayTable::Array& array = arrays_.array(shape.array);
      value.memory_space = array.shape->layout().memory_space();
      if (array.sizes.has_value()) {
        value.bytes = PaddedBytes(array);
        value.unpadded_bytes = array.sizes->unpadded_bytes;
      } else {
        ++found_.doubts.arrays_with_unbounded_dimension;
      }
    }
    value.end_instruction = instruction;
    value.end_part = part;
    found_.values.push_back(value);
    is_phi_.push_back(false);
    redirects_.push_back(found_.values.size() - 1);
    return sets_.Add();
  }

  // A value that is one of several, whichever way the program went.
  int32_t NewPhi(int32_t instruction, int64_t part) {
    const int32_t value = NewValue(instruction, part);
    if (value >= 0) is_phi_[value] = true;
    return value;
  }

  // What is not known to be an operand's is new.
  void FillRest(int32_t current) {
    const HloInstruction instruction = found_.At(current);
    const bool is_constant = instruction.opcode() == "constant";
    const bool is_entry_parameter =
        found_.instructions[current].traits.flow == OperandFlow::kParameter &&
        found_.instructions[current].computation == 0;
    const int64_t scratch = waiting_starts_.contains(current)
                                ? Child(current, Child(current, 0, 2), 0)
                                : -1;
    for (int64_t part = 0; part < SlotCount(current); ++part) {
      int32_t& value = ValueAt(current, part);
      if (value != kUnset) continue;
      value = NewValue(current, part);
      if (value < 0) continue;
      found_.values[value].is_constant = is_constant;
      found_.values[value].is_scratch = part == scratch;
      found_.values[value].is_entry_parameter = is_entry_parameter;
    }
  }

  void Visit(int32_t current) {
    found_.instructions[current].time = time_++;
    const Position operand = OperandOf(current, 0);
    switch (found_.instructions[current].traits.flow) {
      case OperandFlow::kNone:
        break;
      case OperandFlow::kParameter:
        BindParameter(current);
        break;
      case OperandFlow::kAll:
        Forward(current, 0, operand);
        break;
      case OperandFlow::kTuple: {
        int64_t i = 0;
        for (const Position& element : OperandsOf(current)) {
          Forward(current, Child(current, 0, i++), element);
        }
        break;
      }
      case OperandFlow::kTupleElement: {
        int64_t index = -1;
        const absl::optional<absl::string_view> text =
            found_.At(current).attribute("index");
        if (text.has_value() && absl::SimpleAtoi(*text, &index)) {
          Forward(current, 0, Within(operand, {index}));
        }
        break;
      }
      case OperandFlow::kTupleCopy:
        Forward(current, 0, operand);
        if (SlotCount(current) > 0) ValueAt(current, 0) = kUnset;
        break;
      case OperandFlow::kWhile:
        FinishWhile(current);
        break;
      case OperandFlow::kConditional:
        FinishConditional(current);
        break;
      case OperandFlow::kCall:
        if (!runs_[current].empty()) {
          Forward(current, 0, RootOf(runs_[current][0].computation));
        }
        break;
      case OperandFlow::kCopyStart:
        Forward(current, Child(current, 0, 1), operand);
        break;
      case OperandFlow::kSend:
        Forward(current, Child(current, 0, 0), operand);
        break;
      case OperandFlow::kReceiveDone:
        Forward(current, Child(current, 0, 0), Within(operand, {0}));
        break;
      case OperandFlow::kCopyDone:
        Forward(current, 0, Within(operand, {0}));
        break;
      case OperandFlow::kStart:
        FinishStart(current);
        break;
      case OperandFlow::kUpdate:
        FinishUpdate(current, operand);
        break;
      case OperandFlow::kDone:
        Forward(current, 0, Within(operand, {1}));
        // The table of a tuple is new.
        if (PartsOf(current) != nullptr && (*PartsOf(current))[0].is_tuple()) {
          ValueAt(current, 0) = kUnset;
        }
        KeepUntilDone(current, operand);
        break;
    }
    FillRest(current);
    JoinInPlace(current);
    runs_.erase(current);
  }

  Position RootOf(int32_t computation) const {
    const ProgramValues::Computation& in = found_.computations[computation];
    const absl::optional<HloInstruction> root = in.computation.root();
    if (!root.has_value()) return Position();
    return {in.first_instruction +
                static_cast<int32_t>(root->index_in_computation()),
            0};
  }

  // A parameter of a computation that is run holds what the caller gives.
  void BindParameter(int32_t current) {
    const int32_t computation = found_.instructions[current].computation;
    const int32_t caller = found_.computations[computation].caller;
    const absl::optional<int64_t> number =
        found_.At(current).parameter_number();
    if (caller < 0 || !number.has_value()) return;
    const Run& run = runs_[caller].back();
    switch (found_.instructions[caller].traits.flow) {
      case OperandFlow::kWhile:
        // Holds what the last turn left: FinishWhile joins them.
        for (int64_t part = 0; part < SlotCount(current); ++part) {
          ValueAt(current, part) = NewPhi(current, part);
        }
        while_parameters_[computation] = current;
        if (run.kind == HloCallKind::kWhileBody) {
          body_parameters_[caller] = current;
        }
        return;
      case OperandFlow::kConditional:
        Forward(current, 0, OperandOf(caller, run.position + 1));
        return;
      case OperandFlow::kUpdate: {
        const WaitingStart* const waiting = WaitingFor(caller);
        const int64_t before = waiting == nullptr ? 0 : waiting->bound.size();
        Forward(current, 0,
                *number < before ? waiting->bound[*number]
                                 : OperandOf(caller, *number - before + 1));
        return;
      }
      default:
        Forward(current, 0, OperandOf(caller, *number));
        return;
    }
  }

  void Redirect(int32_t from, int32_t to) {
    if (from < 0 || to < 0 || from == to) return;
    redirects_[from] = to;
    sets_.Join(from, to);
  }
  int32_t Resolve(int32_t value) {
    if (value < 0) return value;
    while (redirects_[value] != value) {
      value = redirects_[value] = redirects_[redirects_[value]];
    }
    return value;
  }

  void FinishWhile(int32_t current) {
    const Position init = OperandOf(current, 0);
    int32_t body = kNone;
    int32_t condition = kNone;
    for (const Run& run : runs_[current]) {
      if (run.kind == HloCallKind::kWhileBody) body = run.computation;
      if (run.kind == HloCallKind::kWhileCondition) condition = run.computation;
    }
    const Position root = body < 0 ? Position() : RootOf(body);
    const Position in_body = ParameterOfWhile(body);
    const Position in_condition = ParameterOfWhile(condition);
    if (!SameStructure(current, 0, init) || !SameStructure(current, 0, root) ||
        !SameStructure(current, 0, in_body)) {
      Forward(current, 0, init);
      return;
    }
    const bool has_condition = SameStructure(current, 0, in_condition);
    for (int64_t part = 0; part < SlotCount(current); ++part) {
      const int32_t before = ValueAt(init.instruction, init.part + part);
      const int32_t after = ValueAt(root.instruction, part);
      const int32_t carried = ValueAt(in_body.instruction, part);
      const int32_t tested =
          has_condition ? ValueAt(in_condition.instruction, part) : kNone;
      if (before < 0 || after < 0 || carried < 0) continue;
      if (Resolve(after) == Resolve(carried)) {
        // Every turn leaves it as it was.
        Redirect(carried, before);
        Redirect(tested, before);
        ValueAt(current, part) = before;
        continue;
      }
      const int32_t result = NewPhi(current, part);
      for (const int32_t value : {before, after, carried, tested}) {
        if (value >= 0) sets_.Join(result, value);
      }
      ValueAt(current, part) = result;
    }
  }

  Position ParameterOfWhile(int32_t computation) const {
    const auto found = while_parameters_.find(computation);
    return found == while_parameters_.end() ? Position()
                                            : Position{found->second, 0};
  }

  void FinishConditional(int32_t current) {
    std::vector<Position> roots;
    for (const Run& run : runs_[current]) {
      roots.push_back(RootOf(run.computation));
      if (!SameStructure(current, 0, roots.back())) return;
    }
    if (roots.empty()) return;
    for (int64_t part = 0; part < SlotCount(current); ++part) {
      const int32_t first = ValueAt(roots[0].instruction, part);
      if (first < 0) continue;
      const bool is_same =
          std::all_of(roots.begin(), roots.end(), [&](const Position& root) {
            return ValueAt(root.instruction, part) == first;
          });
      if (is_same) {
        ValueAt(current, part) = first;
        continue;
      }
      const int32_t result = NewPhi(current, part);
      for (const Position& root : roots) {
        const int32_t value = ValueAt(root.instruction, part);
        if (value >= 0) sets_.Join(result, value);
      }
      ValueAt(current, part) = result;
    }
  }

  // ((operands...), result, ...), or (operand, result, ...).
  void FinishStart(int32_t current) {
    const int64_t first = Child(current, 0, 0);
    const absl::Span<const Position> operands = OperandsOf(current);
    if (first < 0) return;
    const bool is_in_place = IsInPlacePermute(current);
    if (!(*PartsOf(current))[first].is_tuple()) {
      if (!operands.empty() && (operands.size() == 1 || is_in_place)) {
        Forward(current, first, operands[0]);
      }
    } else {
      int64_t i = 0;
      for (const Position& operand : operands) {
        Forward(current, Child(current, first, i++), operand);
      }
    }
    if (!runs_[current].empty()) {
      const int32_t computation = runs_[current][0].computation;
      Forward(current, Child(current, 0, 1), RootOf(computation));
      async_computations_[current] = computation;
    } else if (const int64_t count = AwaitedOperands(current); count > 0) {
      waiting_starts_[current] = {current, count, {}};
    }
  }

  // Goes on with what the start has; or (start, operands...) binds them, and
  // has them in its first element, beside the result and the context.
  void FinishUpdate(int32_t current, const Position& chain) {
    if (!chain.exists()) return;
    const WaitingStart* const waiting = WaitingFor(current);
    const absl::Span<const Position> operands = OperandsOf(current).subspan(1);
    if (waiting != nullptr && !operands.empty()) {
      WaitingStart bound = *waiting;
      bound.bound.insert(bound.bound.end(), operands.begin(), operands.end());
      for (size_t i = 0; i < bound.bound.size(); ++i) {
        Forward(current, Child(current, Child(current, 0, 0), i),
                bound.bound[i]);
      }
      ForwardContext(current, chain);
      if (runs_[current].empty()) {
        ForwardResult(current, Within(chain, {1}));
        waiting_starts_[current] = std::move(bound);
        return;
      }
      const int32_t computation = runs_[current][0].computation;
      Forward(current, Child(current, 0, 1), RootOf(computation));
      async_computations_[current] = computation;
      if (!HasAliases(current)) {
        JoinParts(current, Child(current, 0, 1), Within(chain, {1}));
      }
      return;
    }
    if (waiting != nullptr) waiting_starts_[current] = WaitingStart(*waiting);
    Forward(current, 0, chain);
    if (SlotCount(current) > 0) ValueAt(current, 0) = kUnset;
    const auto found = async_computations_.find(chain.instruction);
    if (found != async_computations_.end()) {
      const int32_t computation = found->second;
      async_computations_[current] = computation;
    }
  }

  bool HasAliases(int32_t current) const {
    return absl::StrContains(found_.At(current).attributes_text(),
                             "output_to_operand_aliasing");
  }

  // What stands behind operands and result stays, where the text does not say
  // so itself.
  void ForwardContext(int32_t current, const Position& chain) {
    if (HasAliases(current) || PartsOf(current) == nullptr) return;
    for (int64_t i = 2; i < (*PartsOf(current))[0].child_count; ++i) {
      const Position before = Within(chain, {i});
      const int64_t part = Child(current, 0, i);
      if (SameStructure(current, part, before)) Forward(current, part, before);
    }
  }

  void ForwardResult(int32_t current, const Position& before) {
    const int64_t part = Child(current, 0, 1);
    if (SameStructure(current, part, before)) Forward(current, part, before);
  }

  // Joins what is built alike.
  void JoinParts(int32_t current, int64_t part, const Position& from) {
    if (!SameStructure(current, part, from)) return;
    const int64_t size = (*PartsOf(current))[part].end - part;
    for (int64_t i = 0; i < size; ++i) {
      Join(current, part + i, {from.instruction, from.part + i});
    }
  }

  void KeepUntilDone(int32_t current, const Position& chain) {
    if (!chain.exists()) return;
    const auto found = async_computations_.find(chain.instruction);
    if (found == async_computations_.end()) return;
    found_.computations[found->second].done = found_.instructions[current].time;
  }

  // -- Always in place
  // ---------------------------------------------------------

  bool IsInPlacePermute(int32_t current) const {
    const absl::string_view opcode = found_.At(current).opcode();
    return (opcode == "collective-permute" ||
            opcode == "collective-permute-start") &&
           OperandsOf(current).size() == 4;
  }

  // Joins a part of the result with an operand of the same shape.
  void JoinEqual(int32_t current, int64_t part, const Position& from) {
    if (part < 0 || !from.exists() || part >= SlotCount(current)) return;
    const ShapeParts* operand = PartsOf(from.instruction);
    if (operand != nullptr &&
        (*operand)[from.part].array == (*PartsOf(current))[part].array) {
      Join(current, part, from);
    }
  }

  void Join(int32_t current, int64_t part, const Position& from) {
    if (part < 0 || !from.exists() || part >= SlotCount(current)) return;
    const int32_t result = ValueAt(current, part);
    const int32_t operand = ValueAt(from.instruction, from.part);
    if (result >= 0 && operand >= 0 &&
        found_.values[result].is_tuple == found_.values[operand].is_tuple) {
      sets_.Join(result, operand);
    }
  }

  void JoinInPlace(int32_t current) {
    const HloInstruction instruction = found_.At(current);
    const absl::string_view opcode = instruction.opcode();
    const ShapeParts* parts = PartsOf(current);
    if (parts == nullptr) return;
    const absl::Span<const Position> operands = OperandsOf(current);
    if (!rules_.is_in_place_by_opcode) {
      // Nothing by its opcode.
    } else if (opcode == "dynamic-update-slice" ||
               opcode == "set-dimension-size") {
      Join(current, 0, OperandOf(current, 0));
    } else if (opcode == "scatter" || opcode == "all-reduce-start") {
      const int64_t count =
          opcode == "scatter" ? operands.size() / 2 : operands.size();
      for (int64_t i = 0; i < count; ++i) {
        JoinEqual(current, (*parts)[0].is_tuple() ? parts->child(0, i) : 0,
                  operands[i]);
      }
    } else if (opcode == "ragged-all-to-all") {
      Join(current, 0, OperandOf(current, 1));
    } else if (IsInPlacePermute(current)) {
      Join(current, opcode == "collective-permute" ? 0 : parts->child(0, 1),
           OperandOf(current, 1));
    }
    if (opcode == "sort" && rules_.is_in_place_by_opcode && rules_.is_tpu) {
      sorts_.push_back(current);
    }
    if (opcode == "fusion" && rules_.is_in_place_by_opcode) {
      JoinFusion(current, instruction);
    }
    JoinOutputAliases(current, instruction);
    for (const AliasingOperand& alias : FindAliasingOperands(instruction)) {
      Join(
          current,
          (*parts)[0].is_tuple() ? parts->child(0, alias.output) : alias.output,
          OperandOf(current, alias.operand));
    }
  }

  // On TPU a sort takes the place of each operand that nothing else uses.
  void JoinSorts() {
    if (sorts_.empty()) return;
    std::vector<int32_t> use_counts(found_.instructions.size());
    for (const Position& operand : pending_operands_) {
      if (operand.exists()) ++use_counts[operand.instruction];
    }
    for (const int32_t sort : sorts_) {
      if (PartsOf(sort) == nullptr) continue;
      const bool has_tuple = (*PartsOf(sort))[0].is_tuple();
      const absl::Span<const Position> operands = OperandsOf(sort);
      for (size_t i = 0; i < operands.size(); ++i) {
        if (!operands[i].exists() || use_counts[operands[i].instruction] != 1 ||
            found_.instructions[operands[i].instruction].traits.flow ==
                OperandFlow::kParameter) {
          continue;
        }
        JoinEqual(sort, has_tuple ? Child(sort, 0, i) : 0, operands[i]);
      }
    }
  }

  void JoinFusion(int32_t current, HloInstruction fusion) {
    const absl::optional<HloComputation> fused =
        fusion.called(HloCallKind::kCalls);
    if (!fused.has_value() || !MayBeInPlace(*fused)) return;
    const FusedGraph graph(*fused);
    for (const FusedGraph::InPlacePair& pair : graph.FindInPlacePairs()) {
      JoinEqual(current, graph.has_tuple() ? Child(current, 0, pair.output) : 0,
                OperandOf(current, pair.parameter));
    }
  }

  static bool MayBeInPlace(HloComputation fused) {
    for (const HloInstruction instruction : fused.instructions()) {
      const absl::string_view opcode = instruction.opcode();
      if (opcode == "dynamic-update-slice" || opcode == "scatter") return true;
    }
    return false;
  }

  void JoinOutputAliases(int32_t current, HloInstruction instruction) {
    const absl::optional<absl::string_view> text =
        instruction.attribute("output_to_operand_aliasing");
    if (!text.has_value()) return;
    const absl::StatusOr<std::vector<OutputOperandAlias>> aliases =
        DecodeOutputOperandAliases(*text);
    if (!aliases.ok()) return;
    for (const OutputOperandAlias& alias : *aliases) {
      Join(current, PartsOf(current)->Find(alias.output_index),
           Within(OperandOf(current, alias.operand_number),
                  alias.operand_index));
    }
  }

  // The program's results and the parameters that input_output_alias names.
  void AliasResults() {
    const absl::optional<absl::string_view> text =
        module_.attribute("input_output_alias");
    const Position root = RootOf(0);
    if (!found_.computations[0].computation.is_entry() || !text.has_value() ||
        !root.exists()) {
      return;
    }
    const absl::StatusOr<std::vector<InputOutputAlias>> aliases =
        DecodeInputOutputAliases(*text);
    if (!aliases.ok()) {
      ++found_.doubts.unresolved;
      return;
    }
    const absl::flat_hash_map<int64_t, int32_t> parameters = EntryParameters();
    for (const InputOutputAlias& alias : *aliases) {
      const Position from = InParameter(parameters, alias.parameter_number,
                                        alias.parameter_index);
      const Position to = Within(root, alias.output_index);
      if (!from.exists() || !to.exists()) {
        ++found_.doubts.unresolved;
        continue;
      }
      const int32_t given = ValueAt(from.instruction, from.part);
      if (given >= 0) {
        aliased_parameters_.insert(given);
        found_.values[given].is_aliased = true;
      }
      Join(to.instruction, to.part, from);
    }
  }

  // By their numbers.
  absl::flat_hash_map<int64_t, int32_t> EntryParameters() const {
    absl::flat_hash_map<int64_t, int32_t> parameters;
    const ProgramValues::Computation& entry = found_.computations[0];
    for (int32_t i = 0; i < entry.instruction_count; ++i) {
      const absl::optional<int64_t> number =
          found_.At(entry.first_instruction + i).parameter_number();
      if (number.has_value()) {
        parameters.emplace(*number, entry.first_instruction + i);
      }
    }
    return parameters;
  }

  Position InParameter(const absl::flat_hash_map<int64_t, int32_t>& parameters,
                       int64_t number, ShapeIndexView index) const {
    const auto parameter = parameters.find(number);
    return parameter == parameters.end()
               ? Position()
               : Within({parameter->second, 0}, index);
  }

  // The parameters that a caller gives away, and that are no result.
  void ReadDonors() {
    const absl::optional<absl::string_view> text =
        module_.attribute("buffer_donor");
    if (!found_.computations[0].computation.is_entry() || !text.has_value()) {
      return;
    }
    const absl::StatusOr<std::vector<BufferDonor>> donors =
        DecodeBufferDonors(*text);
    if (!donors.ok()) {
      ++found_.doubts.unresolved;
      return;
    }
    const absl::flat_hash_map<int64_t, int32_t> parameters = EntryParameters();
    for (const BufferDonor& donor : *donors) {
      const Position from = InParameter(parameters, donor.parameter_number,
                                        donor.parameter_index);
      if (!from.exists()) continue;
      const int32_t given = ValueAt(from.instruction, from.part);
      if (given >= 0) found_.values[given].is_donated = true;
    }
  }

  // -- When each value is there
  // ------------------------------------------------

  void ResolveValues() {
    NumberValues();
    for (int32_t& value : found_.value_at) value = Resolve(value);
    found_.operands.reserve(pending_operands_.size());
    found_.first_operand.clear();
    for (size_t i = 0; i < operand_ranges_.size(); ++i) {
      found_.first_operand.push_back(found_.operands.size());
      for (const Position& operand : OperandsOf(i)) {
        found_.operands.push_back(operand.instruction);
      }
    }
    found_.first_operand.push_back(found_.operands.size());
  }

  // HloComputation::MakeInstructionPostOrder.
  void FindPostOrder(int32_t computation) {
    const ProgramValues::Computation& in = found_.computations[computation];
    const int32_t first = in.first_instruction;
    std::vector<bool> has_user(in.instruction_count);
    for (int32_t i = 0; i < in.instruction_count; ++i) {
      for (const Position& operand : OperandsOf(first + i)) {
        if (operand.exists()) has_user[operand.instruction - first] = true;
      }
    }
    enum State : char { kNew, kOpen, kDone };
    std::vector<State> states(in.instruction_count, kNew);
    std::vector<int32_t> stack;
    int32_t next = 0;
    for (int32_t root = 0; root < in.instruction_count; ++root) {
      if (has_user[root]) continue;
      stack.push_back(root);
      while (!stack.empty()) {
        const int32_t current = stack.back();
        if (states[current] == kNew) {
          states[current] = kOpen;
          const absl::Span<const Position> operands =
              OperandsOf(first + current);
          for (auto i = operands.rbegin(); i != operands.rend(); ++i) {
            if (i->exists() && i->instruction < first + current) {
              stack.push_back(i->instruction - first);
            }
          }
          for (const int32_t before : ControlPredecessors(first + current)) {
            if (before < first + current) stack.push_back(before - first);
          }
          continue;
        }
        stack.pop_back();
        if (states[current] == kOpen) {
          states[current] = kDone;
          found_.instructions[first + current].post_order = next++;
        }
      }
    }
  }

  std::vector<int32_t> ControlPredecessors(int32_t instruction) {
    std::vector<int32_t> predecessors;
    const absl::optional<absl::string_view> text =
        found_.At(instruction).attribute("control-predecessors");
    if (!text.has_value()) return predecessors;
    const absl::StatusOr<HloNames> names = DecodeNames(*text);
    if (!names.ok()) return predecessors;
    const int32_t computation = found_.instructions[instruction].computation;
    const ProgramValues::Computation& in = found_.computations[computation];
    if (named_computation_ != computation) {
      named_computation_ = computation;
      names_.clear();
      for (const HloInstruction named : in.computation.instructions()) {
        names_.emplace(named.name(),
                       in.first_instruction + named.index_in_computation());
      }
    }
    for (const absl::string_view name : *names) {
      const auto found = names_.find(name);
      if (found != names_.end()) predecessors.push_back(found->second);
    }
    return predecessors;
  }

  // Computations as they stand in the text, instructions by post order, and
  // behind them the values that join others.
  void NumberValues() {
    using Key = std::tuple<bool, int64_t, int32_t, int32_t, int32_t>;
    std::vector<Key> keys;
    keys.reserve(found_.values.size());
    for (size_t i = 0; i < found_.values.size(); ++i) {
      const Value& value = found_.values[i];
      const ProgramValues::Instruction& defined =
          found_.instructions[value.instruction];
      const int32_t number = i;
      if (is_phi_[i]) {
        keys.emplace_back(true, 0, 0, number, number);
      } else {
        keys.emplace_back(
            false, found_.computations[defined.computation].computation.index(),
            defined.post_order, value.part, number);
      }
    }
    std::sort(keys.begin(), keys.end());
    std::vector<int32_t> new_number(keys.size());
    std::vector<Value> values;
    values.reserve(keys.size());
    for (const Key& key : keys) {
      new_number[std::get<4>(key)] = values.size();
      values.push_back(found_.values[std::get<4>(key)]);
    }
    std::vector<int32_t> redirects(keys.size());
    DisjointSets sets;
    for (size_t i = 0; i < keys.size(); ++i) sets.Add();
    for (size_t i = 0; i < keys.size(); ++i) {
      redirects[new_number[i]] = new_number[redirects_[i]];
      sets.Join(new_number[i], new_number[sets_.Find(i)]);
    }
    absl::flat_hash_set<int32_t> aliased;
    for (const int32_t value : aliased_parameters_) {
      aliased.insert(new_number[value]);
    }
    for (int32_t& value : found_.value_at) {
      if (value >= 0) value = new_number[value];
    }
    found_.values = std::move(values);
    redirects_ = std::move(redirects);
    sets_ = std::move(sets);
    aliased_parameters_ = std::move(aliased);
  }

  void FindLiveRanges() {
    for (Value& value : found_.values) {
      const ProgramValues::Instruction& defined =
          found_.instructions[value.instruction];
      value.start = defined.traits.flow == OperandFlow::kParameter
                        ? found_.computations[defined.computation].begin
                        : defined.time;
      value.end = value.start;
    }
    std::vector<int32_t> last_position(found_.values.size(), -1);
    for (size_t c = 0; c < found_.computations.size(); ++c) {
      const ProgramValues::Computation& in = found_.computations[c];
      const Position root = RootOf(c);
      for (int32_t i = 0; i < in.instruction_count; ++i) {
        const int32_t instruction = in.first_instruction + i;
        const int32_t time = instruction == root.instruction
                                 ? in.end
                                 : found_.instructions[instruction].time;
        HoldAt(instruction, time, &last_position);
        UseOperands(instruction);
      }
    }
    // How the result of an instruction without a shape lies in its operands is
    // not known: they are there as long as it is. Users stand behind operands.
    for (int32_t i = found_.instructions.size() - 1;
         !used_without_shape_.empty() && i >= 0; --i) {
      const auto used = used_without_shape_.find(i);
      if (used == used_without_shape_.end()) continue;
      const int32_t time = used->second;
      for (const Position& operand : OperandsOf(i)) {
        UseAt(time, operand, /*only_table=*/false);
      }
    }
    for (const auto& [user, operand] : nested_uses_) {
      UseAt(found_.instructions[user].time, operand, /*only_table=*/false);
    }
    for (size_t i = 0; i < found_.values.size(); ++i) {
      Value& value = found_.values[i];
      value.end = std::max(value.end, last_position[i]);
      const ProgramValues::Instruction& defined =
          found_.instructions[value.instruction];
      value.end =
          std::max(value.end, found_.computations[defined.computation].done);
      value.last_use = value.end;
      if (value.is_entry_parameter && !aliased_parameters_.contains(i)) {
        value.end = found_.end_time;
      }
    }
  }

  void HoldAt(int32_t instruction, int32_t time,
              std::vector<int32_t>* last_position) {
    for (int64_t part = 0; part < SlotCount(instruction); ++part) {
      const int32_t value = ValueAt(instruction, part);
      if (value < 0 || (*last_position)[value] >= time) continue;
      (*last_position)[value] = time;
      found_.values[value].end_instruction = instruction;
      found_.values[value].end_part = part;
    }
  }

  void UseOperands(int32_t user) {
    const OperandFlow flow = found_.instructions[user].traits.flow;
    const absl::string_view opcode = found_.At(user).opcode();
    if (flow == OperandFlow::kTuple || flow == OperandFlow::kCall ||
        opcode == "domain") {
      return;
    }
    const bool uses_table_only =
        flow == OperandFlow::kTupleElement || flow == OperandFlow::kTupleCopy;
    int32_t time = found_.instructions[user].time;
    if (flow == OperandFlow::kWhile) time = TimeOfWhileUse(user, time);
    for (const Position& operand : OperandsOf(user)) {
      UseAt(time, operand, uses_table_only);
    }
  }

  void UseAt(int32_t time, const Position& operand, bool only_table) {
    if (!operand.exists()) return;
    const ShapeParts* parts = PartsOf(operand.instruction);
    if (parts == nullptr) {
      int32_t& used = used_without_shape_[operand.instruction];
      used = std::max(used, time);
      return;
    }
    const int64_t end =
        only_table ? operand.part + 1 : (*parts)[operand.part].end;
    for (int64_t part = operand.part; part < end; ++part) {
      const int32_t value = ValueAt(operand.instruction, part);
      if (value < 0) continue;
      found_.values[value].end = std::max(found_.values[value].end, time);
    }
  }

  // What a while starts with is needed until its body has it.
  int32_t TimeOfWhileUse(int32_t user, int32_t time) const {
    const auto parameter = body_parameters_.find(user);
    return parameter == body_parameters_.end()
               ? time
               : found_.instructions[parameter->second].time;
  }

  // -- Buffers
  // -----------------------------------------------------------------

  void MakeBuffers() {
    absl::flat_hash_map<int32_t, int32_t> buffer_of;
    for (size_t i = 0; i < found_.values.size(); ++i) {
      if (redirects_[i] != static_cast<int32_t>(i)) continue;
      Value& value = found_.values[i];
      const auto [entry, is_new] =
          buffer_of.try_emplace(sets_.Find(i), found_.buffers.size());
      if (is_new) found_.buffers.emplace_back();
      value.buffer = entry->second;
      ProgramValues::Buffer& buffer = found_.buffers[value.buffer];
      buffer.values.push_back(i);
      buffer.bytes = std::max(buffer.bytes, value.bytes);
      if (is_new) buffer.memory_space = value.memory_space;
    }
    const Position root = RootOf(0);
    if (!root.exists()) return;
    for (int64_t part = 0; part < SlotCount(root.instruction); ++part) {
      const int32_t value = ValueAt(root.instruction, part);
      if (value >= 0) {
        found_.buffers[found_.values[value].buffer].lives_out = true;
      }
    }
  }

  // Values of one buffer follow one another: each ends where the next begins.
  void CutLiveRanges() {
    std::vector<int32_t> sorted;
    for (const ProgramValues::Buffer& buffer : found_.buffers) {
      if (buffer.values.size() < 2) continue;
      sorted = buffer.values;
      std::sort(sorted.begin(), sorted.end(), [this](int32_t a, int32_t b) {
        const Value& x = found_.values[a];
        const Value& y = found_.values[b];
        return std::make_pair(x.start, x.end) < std::make_pair(y.start, y.end);
      });
      for (size_t i = 0; i + 1 < sorted.size(); ++i) {
        Value& first = found_.values[sorted[i]];
        Value& second = found_.values[sorted[i + 1]];
        if (first.start == second.start) {
          second.end = std::max(first.end, second.end);
        } else if (second.start < first.end) {
          second.end = std::max(first.end, second.end);
          first.end = second.start;
        }
      }
    }
  }

  // -- Thread-local
  // ------------------------------------------------------------

  // The computations that are run for each element, such as reducers, which
  // have an allocation for each of their values. Fusions have none of their
  // own.
  void AddThreadLocal() {
    std::vector<HloComputation> pending;
    absl::flat_hash_set<int64_t> seen = entered_;
    const auto add_calls = [&](HloInstruction instruction) {
      for (const HloCall call : instruction.calls()) {
        const absl::optional<HloComputation> callee = call.computation();
        if (callee.has_value() && seen.insert(callee->index()).second) {
          is_fusion_[callee->index()] = instruction.opcode() == "fusion";
          pending.push_back(*callee);
        }
      }
    };
    for (const ProgramValues::Computation& in : found_.computations) {
      for (const HloInstruction instruction : in.computation.instructions()) {
        if (!instruction.calls().empty()) add_calls(instruction);
      }
    }
    while (!pending.empty()) {
      const HloComputation computation = pending.back();
      pending.pop_back();
      const bool counts = !is_fusion_[computation.index()];
      for (const HloInstruction instruction : computation.instructions()) {
        if (!instruction.calls().empty()) add_calls(instruction);
        if (counts && instruction.has_shape()) {
          AddThreadLocalBytes(instruction);
        }
      }
    }
  }

  void AddThreadLocalBytes(HloInstruction instruction) {
    const OperandFlow flow = TraitsOf(instruction.opcode()).flow;
    if (rules_.is_tpu && flow == OperandFlow::kTuple) {
      ++found_.thread_local_values;
    }
    if (flow != OperandFlow::kNone && flow != OperandFlow::kParameter) return;
    const ShapeParts& parts = arrays_.parts(instruction.shape_index());
    for (int64_t part = 0; part < parts.size(); ++part) {
      if (parts[part].array < 0) continue;
      const ArrayTable::Array& array = arrays_.array(parts[part].array);
      ++found_.thread_local_values;
      if (!array.sizes.has_value()) continue;
      const int64_t memory_space = array.shape->layout().memory_space();
      const int64_t bytes = array.sizes->padded_bytes;
      if (rules_.is_tpu && instruction.opcode() == "constant") {
        found_.constants_of_reducers.push_back(
            {instruction.name(), memory_space, bytes});
      } else {
        found_.thread_local_bytes[memory_space] += bytes;
      }
    }
  }

  const HloModule module_;
  const ValueRules rules_;
  ArrayTable& arrays_;
  ProgramValues found_;
  int32_t time_ = 0;
  // Computations of the dump: those that have been entered, and of these the
  // ones that are not done.
  absl::flat_hash_set<int64_t> entered_;
  absl::flat_hash_set<int64_t> open_;
  int64_t instruction_limit_ = 0;  // how many the module has
  // Of instructions that run computations and have not been visited.
  absl::flat_hash_map<int32_t, std::vector<Run>> runs_;
  // The parameter of a body or condition.
  absl::flat_hash_map<int32_t, int32_t> while_parameters_;
  // The parameter of the body, by the while.
  absl::flat_hash_map<int32_t, int32_t> body_parameters_;
  // By the instructions of their chains.
  absl::flat_hash_map<int32_t, WaitingStart> waiting_starts_;
  // What an asynchronous start runs, by the instructions of its chain.
  absl::flat_hash_map<int32_t, int32_t> async_computations_;
  absl::flat_hash_map<int64_t, bool> is_fusion_;
  absl::flat_hash_set<int32_t> aliased_parameters_;  // values
  std::vector<Position> pending_operands_;
  std::vector<std::pair<int32_t, int32_t>> operand_ranges_;
  // Until when the results of instructions without a shape are used.
  absl::flat_hash_map<int32_t, int32_t> used_without_shape_;
  // Users, and what is nested within their operands.
  std::vector<std::pair<int32_t, Position>> nested_uses_;
  std::vector<int32_t> sorts_;
  // Of values that turned out to be another.
  std::vector<int32_t> redirects_;
  std::vector<bool> is_phi_;
  // The instructions of one computation.
  int32_t named_computation_ = kNone;
  absl::flat_hash_map<absl::string_view, int32_t> names_;
  DisjointSets sets_;
};

}  // namespace

ProgramValues FindProgramValues(HloModule module, HloComputation entry,
                                const ValueRules& rules, ArrayTable* arrays) {
  return ValueFinder(module, rules, arrays).Find(entry);
}

void RemovePadding(ProgramValues* program) {
  for (Value& value : program->values) value.bytes = value.unpadded_bytes;
  for (ProgramValues::Buffer& buffer : program->buffers) {
    buffer.bytes = 0;
    for (const int32_t value : buffer.values) {
      buffer.bytes = std::max(buffer.bytes, program->values[value].bytes);
    }
  }
}

}  // namespace hlo_internal
}  // namespace tessera
