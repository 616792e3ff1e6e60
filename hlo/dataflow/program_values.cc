#include "tessera/hlo/dataflow/program_values.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/dataflow/work_check.h"

namespace tessera {
namespace hlo_internal {

ProgramValues::Position ProgramValues::RootOf(int32_t computation) const {
  const Computation& in = computations[computation];
  const std::optional<HloInstruction> root = in.computation.root();
  if (!root.has_value()) return Position();
  return {in.first_instruction +
          static_cast<int32_t>(root->index_in_computation())};
}

absl::StatusOr<ProgramValues> FindProgramValues(HloModule module,
                                                HloComputation entry,
                                                const ValueRules& rules,
                                                ArrayTable* arrays,
                                                WorkCheck* check) {
  ValueDraft draft(module, rules, arrays, check);
  FlattenSchedule(entry, &draft);
  for (const auto step : {JoinAliases, NumberValues, FindLiveRanges,
                          MakeBuffers, AddThreadLocalValues}) {
    // A step needs everything from the ones before.
    TESSERA_RETURN_IF_ERROR(check->status());
    step(&draft);
  }
  TESSERA_RETURN_IF_ERROR(check->status());
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
