#include "tessera/hlo/model/store_joiner.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/hlo/hlo_counts.h"
#include "tessera/hlo/model/hlo_store.h"

namespace tessera {
namespace hlo_internal {
namespace {

void AddCounts(const HloCounts& counts, HloCounts* sum) {
  sum->modules += counts.modules;
  sum->computations += counts.computations;
  sum->instructions += counts.instructions;
  sum->roots += counts.roots;
  sum->operands += counts.operands;
}

// Whether the first module of `piece` is the rest of one that began before.
bool ContinuesModule(const HloStore& piece, const HloStore& joined) {
  return !piece.modules.empty() && !piece.modules[0].has_header &&
         !joined.modules.empty();
}

}  // namespace

bool StoreJoiner::Prepare() {
  if (!MakeRoom()) return false;
  for (size_t i = 0; i < pieces_.size(); ++i) {
    HloStore& piece = pieces_[i];
    places_[i].computation = store_.computations.size();
    AddCounts(piece.counts, &store_.counts);
    store_.counts.modules -= ContinuesModule(piece, store_);
    if (!ResolveCalls(&piece, places_[i]) || !JoinModules(&piece, places_[i]) ||
        !JoinShapes(piece, &places_[i])) {
      return false;
    }
    JoinOpcodes(piece, &places_[i]);
  }
  return true;
}

bool StoreJoiner::MakeRoom() {
  size_t instructions = 0;
  size_t operands = 0;
  size_t calls = 0;
  size_t computations = 0;
  for (size_t i = 0; i < pieces_.size(); ++i) {
    const HloStore& piece = pieces_[i];
    places_[i].instruction = instructions;
    places_[i].operand = operands;
    places_[i].call = calls;
    instructions += piece.instructions.size();
    operands += piece.operands.size();
    calls += piece.calls.size();
    computations += piece.computations.size();
    if (instructions > HloStore::kMaxCount || operands > HloStore::kMaxCount ||
        computations > HloStore::kMaxCount || calls > HloStore::kMaxCalls) {
      return false;
    }
  }
  store_.instructions.Grow(instructions);
  store_.operands.Grow(operands);
  store_.calls.Grow(calls);
  return true;
}

bool StoreJoiner::ResolveCalls(HloStore* piece, const Place& place) {
  const bool continues_module = ContinuesModule(*piece, store_);
  for (size_t i = 0; i < piece->calls.size(); ++i) {
    HloStore::Call& call = piece->calls[i];
    if (call.computation >= 0) {
      call.computation += place.computation;
      continue;
    }
    if (!continues_module) return false;
    const auto found =
        computations_.find(store_.View(call.name_begin, call.name_size));
    if (found == computations_.end()) return false;
    call.computation = found->second;
  }
  return true;
}

bool StoreJoiner::JoinModules(HloStore* piece, const Place& place) {
  const bool continues_module = ContinuesModule(*piece, store_);
  const size_t first_module = store_.modules.size() - continues_module;
  for (HloStore::Module& module : piece->modules) {
    if (continues_module && &module == &piece->modules[0]) {
      if (!module.frame_tables_text.empty()) return false;
      store_.modules.back().computation_count += module.computation_count;
      continue;
    }
    module.first_computation += place.computation;
    store_.modules.push_back(module);
    computations_.clear();
  }
  for (HloStore::Computation& computation : piece->computations) {
    // Instructions that stand in no computation may go on in the next piece.
    if (computation.name.empty() && !computation.is_inline) return false;
    computation.module += first_module;
    computation.first_instruction += place.instruction;
    if (computation.caller >= 0) computation.caller += place.instruction;
    const bool may_be_called_later =
        computation.module + 1 == store_.modules.size();
    if (may_be_called_later && !computation.is_inline &&
        !computations_.try_emplace(computation.name, store_.computations.size())
             .second) {
      return false;
    }
    store_.computations.push_back(computation);
  }
  return true;
}

bool StoreJoiner::JoinShapes(const HloStore& piece, Place* place) {
  store_.lacks_shapes |= piece.lacks_shapes;
  place->shapes.reserve(piece.shapes.size());
  for (int64_t i = 0; i < piece.shapes.size(); ++i) {
    const absl::StatusOr<int64_t> index =
        store_.shapes.Intern(piece.shapes.text(i));
    if (!index.ok()) return false;
    place->shapes.push_back(*index);
  }
  return true;
}

void StoreJoiner::JoinOpcodes(const HloStore& piece, Place* place) {
  place->opcodes.reserve(piece.opcodes.size());
  for (const std::string_view opcode : piece.opcodes) {
    const auto [entry, is_new] =
        opcodes_.try_emplace(opcode, store_.opcodes.size());
    if (is_new) store_.opcodes.push_back(opcode);
    place->opcodes.push_back(entry->second);
  }
}

void StoreJoiner::Move(size_t i) {
  HloStore& piece = pieces_[i];
  const Place& place = places_[i];
  piece.instructions.MoveTo(
      &store_.instructions, place.instruction,
      [&place](HloStore::Instruction instruction) {
        instruction.opcode = place.opcodes[instruction.opcode];
        if (instruction.shape >= 0) {
          instruction.shape = place.shapes[instruction.shape];
        }
        instruction.computation += place.computation;
        instruction.first_operand += place.operand;
        instruction.first_call += place.call;
        return instruction;
      });
  piece.operands.MoveTo(&store_.operands, place.operand,
                        [&place](HloStore::Operand operand) {
                          operand.owner += place.instruction;
                          return operand;
                        });
  piece.calls.MoveTo(&store_.calls, place.call, [&place](HloStore::Call call) {
    call.instruction += place.instruction;
    return call;
  });
}

}  // namespace hlo_internal
}  // namespace tessera
