// The arrays in the results of a dump's instructions, as a diff counts them.
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       ENTRY e {
//         x = f32[8]{0} parameter(0)
//         ROOT y = (f32[8]{0}, f32[8]{0}) tuple(x, x) })");
//   ResultArrays arrays(*dump);
//   arrays.Of(dump->instructions()[0], CountedArrays::kBuffers).size();  // 1
//   arrays.Of(dump->instructions()[1], CountedArrays::kBuffers).size();  // 0
//   arrays.Of(dump->instructions()[1], CountedArrays::kResults).size();  // 2

#ifndef TESSERA_HLO_DIFF_RESULT_ARRAYS_H_
#define TESSERA_HLO_DIFF_RESULT_ARRAYS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/memory_report.h"

namespace tessera {

class ResultArrays {
 public:
  // The dump must outlive this.
  explicit ResultArrays(const HloDump& dump);

  // Whether the module has a computation that is known to run. Otherwise it has
  // no buffers to count.
  bool has_running() const { return !running_.empty(); }

  // Whether the instruction is inside a fusion or a similar computation, in
  // which nothing has a buffer.
  bool IsFused(const std::optional<HloInstruction>& instruction) const {
    return instruction.has_value() &&
           !running_.contains(instruction->computation().index());
  }

  // The arrays of a result in order: null for one that does not count. Empty
  // if none counts.
  std::vector<const ArrayTable::Array*> Of(
      const std::optional<HloInstruction>& instruction, CountedArrays counted);

  // Returns the number of the array at a part of a shape, counted over the
  // leaves that are arrays.
  int64_t ArrayNumber(int64_t shape_index, int64_t part);

 private:
  ArrayTable arrays_;
  absl::flat_hash_set<int64_t> running_;  // computations
  // By shape number, then by part.
  absl::flat_hash_map<int64_t, std::vector<int64_t>> array_numbers_;
};

}  // namespace tessera

#endif  // TESSERA_HLO_DIFF_RESULT_ARRAYS_H_
