#include "tessera/hlo/dataflow/program_values.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/dataflow/value_passes.h"

namespace tessera {
namespace hlo_internal {

ProgramValues FindProgramValues(HloModule module, HloComputation entry,
                                const ValueRules& rules, ArrayTable* arrays) {
  ValueDraft draft(module, rules, arrays);
  FlattenSchedule(entry, &draft);
  JoinAliases(&draft);
  NumberValues(&draft);
  FindLiveRanges(&draft);
  MakeBuffers(&draft);
  AddThreadLocalValues(&draft);
  return std::move(draft.program);
}

void RemovePadding(ProgramValues* program) {
  for (ProgramValues::Value& value : program->values)
    value.bytes = value.unpadded_bytes;
  for (ProgramValues::Buffer& buffer : program->buffers) {
    buffer.bytes = 0;
    for (const int32_t value : buffer.values) {
      buffer.bytes = std::max(buffer.bytes, program->values[value].bytes);
    }
  }
}

}  // namespace hlo_internal
}  // namespace tessera
