#include "tessera/hlo/memory/array_usage.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/math/byte_count.h"
#include "tessera/math/saturating_sum.h"

namespace tessera {
namespace {

double Factor(int64_t padded, int64_t bound) {
  return static_cast<double>(padded) / std::max<int64_t>(bound, 1);
}

// All but what few rows of a table need.
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

// As ComputeArraySizes has it, without all else that it finds out.
absl::optional<int64_t> PaddedBytes(const Shape& array) {
  const absl::StatusOr<IndexMap> map = ToIndexMap(array);
  if (!map.ok()) return absl::nullopt;
  return CheckedByteCount(map->position_count(), StorageBits(array));
}

struct Candidate {
  const CountedArray* array;
  ArrayUsage usage;
};

// The candidates with the greatest `key`, which must not be 0.
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
    if (find_best_orders) table.back().best_order = FindBestOrder(*array.shape);
  }
  return table;
}

}  // namespace

absl::string_view PaddingCauseName(PaddingCause cause) {
  switch (cause) {
    case PaddingCause::kNone:
      return "";
    case PaddingCause::kDimensions:
      return "dimension";
    case PaddingCause::kTile:
      return "tile";
    case PaddingCause::kTail:
      return "tail";
  }
  return "";
}

PaddingBlame BlamePadding(const ArraySizes& sizes) {
  PaddingBlame blame;
  // Nothing times anything is nothing.
  if (sizes.elements == 0) return blame;
  auto consider = [&blame](PaddingCause cause, std::vector<int64_t> dimensions,
                           int64_t bound, int64_t padded) {
    if (Factor(padded, bound) > Factor(blame.padded, blame.bound)) {
      blame = {cause, std::move(dimensions), bound, padded};
    }
  };
  for (const IndexMap::DimensionPadding& padding : sizes.dimension_padding) {
    consider(padding.dimensions.empty() ? PaddingCause::kTile
                                        : PaddingCause::kDimensions,
             padding.dimensions, padding.bound, padding.padded);
  }
  consider(PaddingCause::kTail, {},
           sizes.physical_elements - sizes.tail_elements,
           sizes.physical_elements);
  return blame;
}

absl::optional<BestOrder> FindBestOrder(const Shape& array) {
  constexpr int64_t kMaxRank = 6;  // 720 orders
  if (array.rank() > kMaxRank) return absl::nullopt;
  const Layout& layout = array.layout();
  const absl::optional<int64_t> bytes = PaddedBytes(array);
  if (!bytes.has_value()) return absl::nullopt;

  BestOrder best = {layout.parts().minor_to_major, *bytes};
  Layout::MinorToMajor order = best.minor_to_major;
  std::sort(order.begin(), order.end());
  do {
    // An order may be invalid: too large, or with a split past its dimension.
    const absl::optional<int64_t> other =
        PaddedBytes(array.WithLayout(layout.WithMinorToMajor(order)));
    if (other.has_value() && *other < best.padded_bytes) {
      best = {order, *other};
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

std::vector<int64_t> MajorToMinor(const BestOrder& order) {
  return {order.minor_to_major.rbegin(), order.minor_to_major.rend()};
}

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
