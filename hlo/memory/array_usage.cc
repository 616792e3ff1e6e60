#include "tessera/hlo/memory/array_usage.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "tessera/base/math/saturating_sum.h"

namespace tessera {
namespace {

// Everything except the columns that only a few rows of a table need.
ArrayUsage MakeUsage(const CountedArray& counted) {
  const ArraySizes& sizes = *counted.sizes;
  ArrayUsage usage;
  usage.count = counted.count;
  usage.first_instruction = counted.first_instruction;
  usage.unpadded_bytes = sizes.unpadded_bytes;
  usage.padded_bytes = sizes.padded_bytes;
  usage.padding_factor = sizes.padding_factor();
  usage.total_padded_bytes = SaturatingMultiply(
      counted.count, sizes.padded_bytes, &usage.is_saturated);
  usage.total_padding_bytes = SaturatingMultiply(
      counted.count, sizes.padded_bytes - sizes.unpadded_bytes,
      &usage.is_saturated);
  return usage;
}

struct Candidate {
  const CountedArray* array;
  ArrayUsage usage;
};

// Returns the candidates with the greatest `key`, which must not be 0.
std::vector<ArrayUsage> Top(const std::vector<Candidate>& candidates,
                            int64_t rows, int64_t ArrayUsage::*key,
                            bool find_best_orders) {
  std::vector<const Candidate*> order;
  for (const Candidate& candidate : candidates) {
    if (candidate.usage.*key > 0) order.push_back(&candidate);
  }
  const size_t size =
      std::min<size_t>(std::max<int64_t>(rows, 0), order.size());
  std::partial_sort(order.begin(), order.begin() + size, order.end(),
                    [key](const Candidate* a, const Candidate* b) {
                      return a->usage.*key != b->usage.*key
                                 ? a->usage.*key > b->usage.*key
                                 : a < b;
                    });
  std::vector<ArrayUsage> table;
  for (size_t i = 0; i < size; ++i) {
    const CountedArray& array = *order[i]->array;
    table.push_back(order[i]->usage);
    table.back().shape_text = array.shape->ToString();
    table.back().most_padded = BlamePadding(*array.sizes);
    if (!find_best_orders) continue;
    if (absl::StatusOr<BestOrder> best = FindBestOrder(*array.shape);
        best.ok()) {
      table.back().best_order = *std::move(best);
    }
  }
  return table;
}

}  // namespace

ArrayTables MakeArrayTables(absl::Span<const CountedArray> arrays, int64_t rows,
                            bool find_best_orders) {
  std::vector<Candidate> candidates;
  for (const CountedArray& counted : arrays) {
    candidates.push_back({&counted, MakeUsage(counted)});
  }
  ArrayTables tables;
  tables.largest = Top(candidates, rows, &ArrayUsage::padded_bytes,
                       /*find_best_orders=*/false);
  tables.most_wasteful =
      Top(candidates, rows, &ArrayUsage::total_padding_bytes, find_best_orders);
  return tables;
}

}  // namespace tessera
