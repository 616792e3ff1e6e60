#include "tessera/hlo/dataflow/program_values.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "tessera/hlo/dataflow/value_draft.h"

namespace tessera {
namespace hlo_internal {

ProgramValues::Position ProgramValues::RootOf(int32_t computation) const {
  const Computation& in = computations[computation];
  const std::optional<HloInstruction> root = in.computation.root();
  if (!root.has_value()) return Position();
  return {in.first_instruction +
          static_cast<int32_t>(root->index_in_computation())};
}

ProgramValues FindProgramValues(HloModule module, HloComputation entry,
                                const ValueRules& rules, ArrayTable* arrays) {
  ValueDraft draft(module, rules, arrays);
  FlattenSchedule(entry, &draft);
  JoinAliases(&draft);
  NumberValues(&draft);
  FindLiveRanges(&draft);
  MakeBuffers(&draft);
  AddThreadLocalValues(&draft);
  return std::move(static_cast<ProgramValues&>(draft));
}

void RemovePadding(ProgramValues* program) {
  for (ProgramValues::Value& value : program->values) {
    value.bytes = value.unpadded_bytes;
  }
  for (ProgramValues::Buffer& buffer : program->buffers) {
    buffer.bytes = 0;
    for (const int32_t value : buffer.values) {
      buffer.bytes = std::max(buffer.bytes, program->values[value].bytes);
    }
  }
}

}  // namespace hlo_internal
}  // namespace tessera
