#include "tessera/hlo/memory/relayouts.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/hlo/attributes/attribute_values.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/hlo/hlo_users.h"
#include "tessera/index_map/algebra.h"
#include "tessera/index_map/same_function.h"
#include "tessera/index_util/bitcast.h"
#include "tessera/index_util/to_index_map.h"

namespace tessera {
namespace {

// The property of an element that stays the same.
enum class Keeps { kIndex, kTransposedIndex, kRowMajorNumber };

std::optional<Keeps> WhatIsKept(std::string_view opcode) {
  if (opcode == "copy" || opcode == "copy-start") return Keeps::kIndex;
  if (opcode == "transpose") return Keeps::kTransposedIndex;
  if (opcode == "reshape" || opcode == "bitcast") return Keeps::kRowMajorNumber;
  return std::nullopt;
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
        "dimensions= does not map the operand's dimensions to the result's");
  }
  return std::make_pair(std::move(permuted), std::move(to_map));
}

class RelayoutFinder {
 public:
  explicit RelayoutFinder(const HloDump& dump) : arrays_(&dump.shapes()) {}

  RelayoutReport Find(HloModule module) && {
    // Without ENTRY, it is not known what runs.
    const absl::flat_hash_set<int64_t> running = RunningComputations(module);
    for (const HloComputation computation : module.computations()) {
      const bool is_fused =
          !running.empty() && !running.contains(computation.index());
      const size_t first = report_.relayouts.size();
      for (const HloInstruction instruction : computation.instructions()) {
        const std::optional<Keeps> keeps = WhatIsKept(instruction.opcode());
        if (keeps.has_value()) {
          report_.unresolved += !Visit(instruction, *keeps, is_fused);
        } else if (instruction.opcode() == "fusion" && !is_fused) {
          report_.unresolved += !VisitFusion(instruction);
        }
      }
      FindNeighbours(computation, first);
    }
    return std::move(report_);
  }

 private:
  // Returns the number of the operand's array; -1 if it is not known.
  int64_t ArrayOf(HloOperand operand) {
    const std::optional<HloInstruction> instruction = operand.instruction();
    if (!instruction.has_value() || !instruction->has_shape()) return -1;
    const ArrayTable::ShapeParts& parts =
        arrays_.parts(instruction->shape_index());
    const int64_t part = parts.Find(operand.tuple_indices());
    return part < 0 ? -1 : parts[part].array;
  }

  // Adds the relayout of an instruction that may be one. Returns false if its
  // operand or shape is not known.
  bool Visit(HloInstruction instruction, Keeps keeps, bool is_fused) {
    int64_t from = -1, to = -1;
    if (instruction.operand_count() >= 1 && instruction.has_shape()) {
      const ArrayTable::ShapeParts& parts =
          arrays_.parts(instruction.shape_index());
      const int64_t part =
          instruction.opcode() == "copy-start" ? parts.child(0, 0) : 0;
      if (part >= 0) to = parts[part].array;
      // A tuple does not have a layout; its elements do.
      if (part >= 0 && parts[part].is_tuple()) return true;
      from = ArrayOf(instruction.operand(0));
    }
    if (from < 0 || to < 0) return false;
    HloIntegers permutation;
    if (keeps == Keeps::kTransposedIndex) {
      const absl::StatusOr<HloIntegers> dimensions = DecodeIntegers(
          instruction.attribute("dimensions").value_or(std::string_view()));
      if (!dimensions.ok()) return false;
      permutation = *dimensions;
      if (std::is_sorted(permutation.begin(), permutation.end())) {
        keeps = Keeps::kIndex;
      }
    }
    const ArrayTable::Array& source = arrays_.array(from);
    const ArrayTable::Array& target = arrays_.array(to);
    // Element types may differ: a bitcast to a type of the same size does not
    // change memory.
    if (keeps != Keeps::kTransposedIndex &&
        source.shape->dimensions() == target.shape->dimensions() &&
        source.shape->layout() == target.shape->layout()) {
      return true;
    }
    Relayout relayout{instruction, source.shape, target.shape};
    relayout.bytes = target.padded_bytes();
    const auto [answer, is_new] = answers_.try_emplace(
        Question(static_cast<int>(keeps), from, to, permutation),
        RelayoutPlaces::kUnknown);
    if (is_new) answer->second = Compare(source, target, keeps, permutation);
    relayout.places = answer->second;
    relayout.is_free = instruction.opcode() == "bitcast" ||
                       (relayout.places == RelayoutPlaces::kSame &&
                        source.shape->layout().memory_space() ==
                            target.shape->layout().memory_space());
    relayout.is_fused = is_fused;
    Add(relayout);
    return true;
  }

  // Whether a fused computation only moves elements to other places, and does
  // not compute any.
  bool OnlyMoves(HloComputation fused) {
    const auto [entry, is_new] = only_moves_.try_emplace(fused.index(), false);
    if (!is_new) return entry->second;
    bool moves = false;
    for (const HloInstruction instruction : fused.instructions()) {
      const std::string_view opcode = instruction.opcode();
      if (opcode == "copy" || opcode == "transpose" || opcode == "slice" ||
          opcode == "dynamic-slice") {
        moves = true;
      } else if (opcode != "parameter" && opcode != "bitcast" &&
                 opcode != "reshape" && opcode != "constant" &&
                 opcode != "tuple" && opcode != "get-tuple-element") {
        return false;
      }
    }
    return entry->second = moves;
  }

  // The same for a fusion.
  bool VisitFusion(HloInstruction fusion) {
    const std::optional<HloComputation> fused =
        fusion.called(HloCallKind::kCalls);
    if (!fused.has_value() || !fusion.has_shape() || !OnlyMoves(*fused)) {
      return true;
    }
    // The other operands are indices of slices.
    int64_t from = -1;
    for (int64_t i = 0; i < fusion.operand_count(); ++i) {
      const int64_t array = ArrayOf(fusion.operand(i));
      if (array >= 0 && (from < 0 || arrays_.array(array).padded_bytes() >
                                         arrays_.array(from).padded_bytes())) {
        from = array;
      }
    }
    const ArrayTable::ShapeParts& parts = arrays_.parts(fusion.shape_index());
    int64_t part = 0;
    while (part < parts.size() && parts[part].array < 0) ++part;
    if (from < 0 || part == parts.size()) return false;
    Relayout relayout{fusion, arrays_.array(from).shape,
                      arrays_.array(parts[part].array).shape};
    for (; part < parts.size(); ++part) {
      if (parts[part].array < 0) continue;
      bool is_saturated = false;
      SaturatingAdd(arrays_.array(parts[part].array).padded_bytes(),
                    &relayout.bytes, &is_saturated);
    }
    relayout.places = RelayoutPlaces::kOther;
    Add(relayout);
    return true;
  }

  void Add(Relayout relayout) {
    constexpr int64_t kHost = 5;
    relayout.from_memory_space = relayout.from->layout().memory_space();
    relayout.to_memory_space = relayout.to->layout().memory_space();
    if (relayout.from_memory_space != relayout.to_memory_space) {
      relayout.moves = relayout.from_memory_space == kHost ||
                               relayout.to_memory_space == kHost
                           ? Moves::kHost
                           : Moves::kMemorySpace;
    }
    Count(relayout, &report_.total);
    Count(relayout,
          &report_.by_opcode[std::string(relayout.instruction.opcode())]);
    report_.relayouts.push_back(relayout);
  }

  void FindNeighbours(HloComputation computation, size_t first) {
    if (first == report_.relayouts.size()) return;
    const HloUsers users(computation);
    for (size_t i = first; i < report_.relayouts.size(); ++i) {
      Relayout& relayout = report_.relayouts[i];
      HloInstruction instruction = relayout.instruction;
      relayout.producer = instruction.operand(0).instruction();
      std::vector<HloInstruction> found = users.Of(instruction);
      // The result of a copy-start is used after its done.
      if (instruction.opcode() == "copy-start" && found.size() == 1) {
        found = users.Of(found[0]);
      }
      if (!found.empty()) relayout.user = found[0];
    }
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

    HloIntegers kept(permutation.begin(), permutation.end());
    if (keeps == Keeps::kIndex) {
      kept.resize(from.shape->rank());
      std::iota(kept.begin(), kept.end(), 0);
    }
    const Maps maps = keeps == Keeps::kRowMajorNumber
                          ? RowMajorMaps(*from.shape, *to.shape)
                          : TransposedMaps(*from.shape, *to.shape, kept);
    if (!maps.ok()) return RelayoutPlaces::kUnknown;
    SameFunctionOptions options;
    // Maps are compared by value only if they are not sums of functions of
    // single dimensions. Input may have any number of these.
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

  // The preserved property, both arrays, and the permutation.
  using Question = std::tuple<int, int64_t, int64_t, HloIntegers>;

  ArrayTable arrays_;
  RelayoutReport report_;
  absl::flat_hash_map<Question, RelayoutPlaces> answers_;
  absl::flat_hash_map<int64_t, bool> only_moves_;  // by computation
  int64_t evaluations_left_ = int64_t{1} << 27;
};

}  // namespace

std::string_view MovesName(Moves moves) {
  constexpr std::string_view kNames[] = {"layout", "memory space", "host"};
  return kNames[static_cast<size_t>(moves)];
}

RelayoutReport FindRelayouts(const HloDump& dump, HloModule module) {
  return RelayoutFinder(dump).Find(module);
}

}  // namespace tessera
