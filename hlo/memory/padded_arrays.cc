#include "tessera/hlo/memory/padded_arrays.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/dataflow/opcode_traits.h"

namespace tessera {
namespace {

class PaddedArrayFinder {
 public:
  PaddedArrayFinder(const HloDump& dump, const PaddedArrayOptions& options)
      : options_(options), arrays_(&dump.shapes()) {}

  std::vector<PaddedArray> Find(const HloDump& dump) && {
    for (const HloModule module : dump.modules()) Visit(module);
    absl::c_stable_sort(found_, [](const PaddedArray& a, const PaddedArray& b) {
      return PaddingOf(a) > PaddingOf(b);
    });
    return std::move(found_);
  }

 private:
  static int64_t PaddingOf(const PaddedArray& array) {
    return array.sizes.padded_bytes - array.sizes.unpadded_bytes;
  }

  void Visit(HloModule module) {
    absl::flat_hash_set<int64_t> running;
    if (options_.counted == CountedArrays::kBuffers) {
      running = RunningComputations(module);
    }
    for (const HloComputation computation : module.computations()) {
      const bool is_running = running.contains(computation.index());
      if (!running.empty() && !is_running) continue;
      for (const HloInstruction instruction : computation.instructions()) {
        if (instruction.has_shape()) Visit(instruction, is_running);
      }
    }
  }

  void Visit(HloInstruction instruction, bool only_buffers) {
    const std::optional<PartPaths> without_buffer =
        only_buffers ? PathsWithoutBuffer(instruction) : PartPaths();
    if (!without_buffer.has_value()) return;
    const ArrayTable::ShapeParts& parts =
        arrays_.parts(instruction.shape_index());
    const std::vector<bool> counts = PartsWithBuffer(*without_buffer, parts);
    for (int64_t part = 0; part < parts.size(); ++part) {
      if (!counts[part] || parts[part].array < 0) continue;
      const ArrayTable::Array& array = arrays_.array(parts[part].array);
      if (!array.sizes.has_value() ||
          array.sizes->padded_bytes <= array.sizes->unpadded_bytes ||
          array.sizes->padding_fraction() < options_.min_padding_fraction) {
        continue;
      }
      found_.push_back({instruction, parts.IndexOf(part), instruction.line(),
                        array.shape, *array.sizes,
                        BetterOrder(parts[part].array, array)});
    }
  }

  // Returns a better order, which is searched once per distinct array.
  std::optional<BestOrder> BetterOrder(int64_t number,
                                       const ArrayTable::Array& array) {
    const auto [entry, is_new] = better_orders_.try_emplace(number);
    if (is_new) {
      const absl::StatusOr<BestOrder> best = FindBestOrder(*array.shape);
      if (best.ok() && best->padded_bytes < array.sizes->padded_bytes) {
        entry->second = *best;
      }
    }
    return entry->second;
  }

  const PaddedArrayOptions& options_;
  ArrayTable arrays_;
  absl::flat_hash_map<int64_t, std::optional<BestOrder>> better_orders_;
  std::vector<PaddedArray> found_;
};

}  // namespace

std::vector<PaddedArray> FindPaddedArrays(const HloDump& dump,
                                          const PaddedArrayOptions& options) {
  return PaddedArrayFinder(dump, options).Find(dump);
}

}  // namespace tessera
