#include "tessera/hlo/memory/relayouts.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/hlo/attributes/attribute_values.h"
#include "tessera/hlo/memory/array_table.h"
#include "tessera/hlo/memory/result_buffers.h"
#include "tessera/index_map/algebra.h"
#include "tessera/index_map/same_function.h"
#include "tessera/index_util/bitcast.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/math/saturating_sum.h"
#include "tessera/math/status_macros.h"

namespace tessera {
namespace {

// What of an element stays the same.
enum class Keeps { kIndex, kTransposedIndex, kRowMajorNumber };

absl::optional<Keeps> WhatIsKept(absl::string_view opcode) {
  if (opcode == "copy" || opcode == "copy-start") return Keeps::kIndex;
  if (opcode == "transpose") return Keeps::kTransposedIndex;
  if (opcode == "reshape" || opcode == "bitcast") return Keeps::kRowMajorNumber;
  return absl::nullopt;
}

using Maps = absl::StatusOr<std::pair<IndexMap, IndexMap>>;

// Dimension i of `to` is dimension `permutation[i]` of `from`.
Maps TransposedMaps(const Shape& from, const Shape& to,
                    absl::Span<const int64_t> permutation) {
  TESSERA_ASSIGN_OR_RETURN(const IndexMap from_map, ToIndexMap(from));
  TESSERA_ASSIGN_OR_RETURN(IndexMap to_map, ToIndexMap(to));
  TESSERA_ASSIGN_OR_RETURN(IndexMap permuted, Permuted(from_map, permutation));
  if (permuted.bounds() != to_map.bounds()) {
    return absl::InvalidArgumentError(
        "dimensions= does not lead from the operand's dimensions to the "
        "result's");
  }
  return std::make_pair(std::move(permuted), std::move(to_map));
}

class RelayoutFinder {
 public:
  explicit RelayoutFinder(const HloDump& dump)
      : arrays_(&dump.shapes()), buffers_(dump) {}

  RelayoutReport Find(HloModule module) && {
    // Without ENTRY the text does not say what runs.
    const bool is_known = buffers_.AddModule(module);
    for (const HloComputation computation : module.computations()) {
      const bool is_fused = is_known && !buffers_.HasBuffers(computation);
      for (const HloInstruction instruction : computation.instructions()) {
        const absl::optional<Keeps> keeps = WhatIsKept(instruction.opcode());
        if (keeps.has_value()) Visit(instruction, *keeps, is_fused);
      }
    }
    return std::move(report_);
  }

 private:
  // The number of the array that the operand is; -1 if that is not known.
  int64_t ArrayOf(HloOperand operand) {
    const absl::optional<HloInstruction> instruction = operand.instruction();
    if (!instruction.has_value() || !instruction->has_shape()) return -1;
    const ArrayTable::ShapeParts& parts =
        arrays_.parts(instruction->shape_index());
    const int64_t part = parts.Find(operand.tuple_indices());
    return part < 0 ? -1 : parts[part].array;
  }

  void Visit(HloInstruction instruction, Keeps keeps, bool is_fused) {
    int64_t from = -1, to = -1;
    if (instruction.operand_count() >= 1 && instruction.has_shape()) {
      const ArrayTable::ShapeParts& parts =
          arrays_.parts(instruction.shape_index());
      const int64_t part =
          instruction.opcode() == "copy-start" ? parts.child(0, 0) : 0;
      if (part >= 0) to = parts[part].array;
      // A tuple is not laid out, its elements are.
      if (part >= 0 && parts[part].is_tuple()) return;
      from = ArrayOf(instruction.operand(0));
    }
    if (from < 0 || to < 0) {
      ++report_.unresolved;
      return;
    }
    HloIntegers permutation;
    if (keeps == Keeps::kTransposedIndex) {
      const absl::StatusOr<HloIntegers> dimensions = DecodeIntegers(
          instruction.attribute("dimensions").value_or(absl::string_view()));
      if (!dimensions.ok()) {
        ++report_.unresolved;
        return;
      }
      permutation = *dimensions;
      if (std::is_sorted(permutation.begin(), permutation.end())) {
        keeps = Keeps::kIndex;
      }
    }
    if (from == to && keeps != Keeps::kTransposedIndex) return;

    const ArrayTable::Array& source = arrays_.array(from);
    const ArrayTable::Array& target = arrays_.array(to);
    // Equal types aside: a bitcast to a type of the same size changes nothing
    // in memory.
    if (keeps != Keeps::kTransposedIndex &&
        source.shape->dimensions() == target.shape->dimensions() &&
        source.shape->layout() == target.shape->layout()) {
      return;
    }
    Relayout relayout{instruction, source.shape, target.shape};
    relayout.from_memory_space = source.shape->layout().memory_space();
    relayout.to_memory_space = target.shape->layout().memory_space();
    if (target.sizes.has_value()) relayout.bytes = target.sizes->padded_bytes;
    const Question question(static_cast<int>(keeps), from, to, permutation);
    const auto [answer, is_new] =
        answers_.try_emplace(question, RelayoutPlaces::kUnknown);
    if (is_new) answer->second = Compare(source, target, keeps, permutation);
    relayout.places = answer->second;
    relayout.is_free = instruction.opcode() == "bitcast" ||
                       (relayout.places == RelayoutPlaces::kSame &&
                        relayout.from_memory_space == relayout.to_memory_space);
    relayout.is_fused = is_fused;
    Count(relayout, &report_.total);
    Count(relayout, &report_.by_opcode[std::string(instruction.opcode())]);
    report_.relayouts.push_back(relayout);
  }

  static void Count(const Relayout& relayout, RelayoutTotals* totals) {
    ++totals->count;
    if (relayout.is_fused) ++totals->fused_count;
    if (relayout.is_free) ++totals->free_count;
    if (relayout.places == RelayoutPlaces::kUnknown) ++totals->unknown_count;
    if (!relayout.is_free && !relayout.is_fused) {
      SaturatingAdd(relayout.bytes, &totals->bytes_moved,
                    &totals->is_saturated);
    }
  }

  RelayoutPlaces Compare(const ArrayTable::Array& from,
                         const ArrayTable::Array& to, Keeps keeps,
                         absl::Span<const int64_t> permutation) {
    if (!from.sizes.has_value() || !to.sizes.has_value() ||
        from.sizes->elements != to.sizes->elements ||
        from.sizes->storage_bits != to.sizes->storage_bits) {
      return RelayoutPlaces::kUnknown;
    }
    if (from.sizes->metadata_prefix_bytes != to.sizes->metadata_prefix_bytes) {
      return RelayoutPlaces::kOther;
    }
    if (from.sizes->elements == 0) return RelayoutPlaces::kSame;

    Maps maps = absl::UnknownError("");
    switch (keeps) {
      case Keeps::kIndex: {
        HloIntegers identity(from.shape->rank());
        for (size_t i = 0; i < identity.size(); ++i) identity[i] = i;
        maps = TransposedMaps(*from.shape, *to.shape, identity);
        break;
      }
      case Keeps::kTransposedIndex:
        maps = TransposedMaps(*from.shape, *to.shape, permutation);
        break;
      case Keeps::kRowMajorNumber:
        maps = RowMajorMaps(*from.shape, *to.shape);
        break;
    }
    if (!maps.ok()) return RelayoutPlaces::kUnknown;
    SameFunctionOptions options;
    // Only what is not a sum of functions of single dimensions is compared by
    // values, and of such questions input may ask any number.
    if (!maps->first.is_separable() || !maps->second.is_separable()) {
      options.evaluation_limit = std::min(
          {options.evaluation_limit, from.sizes->elements, evaluations_left_});
      evaluations_left_ -= options.evaluation_limit;
    }
    const absl::StatusOr<bool> same =
        SameFunction(maps->first, maps->second, options);
    if (!same.ok()) return RelayoutPlaces::kUnknown;
    return *same ? RelayoutPlaces::kSame : RelayoutPlaces::kOther;
  }

  // What is kept, both arrays, and the permutation.
  using Question = std::tuple<int, int64_t, int64_t, HloIntegers>;

  ArrayTable arrays_;
  RelayoutReport report_;
  ResultBuffers buffers_;
  absl::flat_hash_map<Question, RelayoutPlaces> answers_;
  int64_t evaluations_left_ = int64_t{1} << 27;
};

}  // namespace

RelayoutReport FindRelayouts(const HloDump& dump, HloModule module) {
  return RelayoutFinder(dump).Find(module);
}

}  // namespace tessera
