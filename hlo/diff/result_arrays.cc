#include "tessera/hlo/diff/result_arrays.h"

#include "tessera/hlo/dataflow/opcode_traits.h"

namespace tessera {

ResultArrays::ResultArrays(const HloDump& dump) : arrays_(&dump.shapes()) {
  for (const HloModule module : dump.modules()) {
    running_.merge(RunningComputations(module));
  }
}

std::vector<const ArrayTable::Array*> ResultArrays::Of(
    const std::optional<HloInstruction>& instruction, CountedArrays counted) {
  std::vector<const ArrayTable::Array*> arrays;
  const bool counts_results = counted == CountedArrays::kResults;
  if (!instruction.has_value() || !instruction->has_shape() ||
      (!counts_results && IsFused(instruction))) {
    return arrays;
  }
  const std::optional<PartPaths> without_buffer =
      counts_results ? PartPaths() : PathsWithoutBuffer(*instruction);
  if (!without_buffer.has_value()) return arrays;
  const ArrayTable::ShapeParts& parts =
      arrays_.parts(instruction->shape_index());
  const std::vector<bool> counts = PartsWithBuffer(*without_buffer, parts);
  for (int64_t i = 0; i < parts.size(); ++i) {
    if (parts[i].array < 0) continue;
    arrays.push_back(counts[i] ? &arrays_.array(parts[i].array) : nullptr);
  }
  return arrays;
}

int64_t ResultArrays::ArrayNumber(int64_t shape_index, int64_t part) {
  const auto [entry, is_new] = array_numbers_.try_emplace(shape_index);
  if (is_new) {
    const ArrayTable::ShapeParts& parts = arrays_.parts(shape_index);
    int64_t next = 0;
    for (int64_t i = 0; i < parts.size(); ++i) {
      entry->second.push_back(next);
      next += parts[i].array >= 0;
    }
  }
  return entry->second[part];
}

}  // namespace tessera
