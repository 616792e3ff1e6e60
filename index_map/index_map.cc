#include "tessera/index_map/index_map.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/hash/hash.h"
#include "absl/numeric/bits.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/counted.h"
#include "tessera/base/text/value_type.h"
#include "tessera/index_map/internal/programs.h"

namespace tessera {

using index_map_internal::CompiledMap;
using index_map_internal::InverseProgram;

IndexMap::IndexMap() {
  // One representation for all, for the life of the program.
  static const IndexMap* const scalar = [] {
    auto map = std::make_shared<CompiledMap>();
    index_map_internal::Derive(map.get());
    return new IndexMap(std::move(map));
  }();
  *this = *scalar;
}

bool IndexMap::IsBuiltLike(const IndexMap& other) const {
  const MapStructure& a = *structure_;
  const MapStructure& b = *other.structure_;
  return a.bounds == b.bounds && a.sources == b.sources &&
         a.digits == b.digits && a.base == b.base && a.swizzle == b.swizzle &&
         a.tail_begin == b.tail_begin && a.position_count == b.position_count;
}

// -- Errors ------------------------------------------------------------------

absl::Status IndexMap::IndexError(absl::Span<const int64_t> index) const {
  if (static_cast<int64_t>(index.size()) != rank()) {
    return InvalidArgumentError(
        "the index has ", Counted(index.size(), "entry", "entries"),
        ", but the array has ", Counted(rank(), "dimension"));
  }
  size_t i = 0;
  while (index[i] >= 0 && index[i] < bounds()[i]) ++i;
  return OutOfRangeError("index[", i, "] = ", index[i], " is outside [0, ",
                         bounds()[i], ")");
}

absl::Status IndexMap::InverseError(int64_t linear_index, size_t room) const {
  if (kind() == Kind::kGeneral) {
    const bool has_elements = std::all_of(bounds().begin(), bounds().end(),
                                          [](int64_t b) { return b > 0; });
    // A dimension of stride 0 is the usual reason.
    std::vector<int64_t> index(bounds().size());
    const std::vector<int64_t> first = index;
    for (size_t i = 0; has_elements && i < index.size(); ++i) {
      if (bounds()[i] == 1) continue;
      index[i] = 1;
      const int64_t position = LinearIndexUnchecked(index);
      if (position == LinearIndexUnchecked(first)) {
        return absl::FailedPreconditionError(absl::StrCat(
            "the map has no unique inverse: the indices (",
            absl::StrJoin(first, ","), ") and (", absl::StrJoin(index, ","),
            ") share position ", position));
      }
      index[i] = 0;
    }
    return absl::FailedPreconditionError(
        "the map has no unique inverse: a coordinate does not reach the "
        "position or reaches it twice, or strides overlap");
  }
  if (linear_index < 0 || linear_index >= position_count()) {
    return OutOfRangeError("linear index ", linear_index, " is outside [0, ",
                           position_count(), ")");
  }
  return InvalidArgumentError("room for ", Counted(room, "entry", "entries"),
                              ", but the array has ",
                              Counted(rank(), "dimension"));
}

// -- Which bounds fail -------------------------------------------------------

namespace {

// Returns for every source the dimensions that it is made of.
std::vector<std::vector<int64_t>> DimensionsOfSources(const MapStructure& map) {
  std::vector<std::vector<int64_t>> dimensions(map.sources.size());
  for (size_t i = 0; i < map.sources.size(); ++i) {
    if (i < map.bounds.size()) dimensions[i].push_back(i);
    for (const IndexMap::Piece& piece : map.sources[i].pieces) {
      const std::vector<int64_t>& more = dimensions[piece.source];
      dimensions[i].insert(dimensions[i].end(), more.begin(), more.end());
    }
    std::sort(dimensions[i].begin(), dimensions[i].end());
    dimensions[i].erase(std::unique(dimensions[i].begin(), dimensions[i].end()),
                        dimensions[i].end());
  }
  return dimensions;
}

}  // namespace

absl::StatusOr<std::vector<IndexMap::FailedBound>> IndexMap::FailedBounds(
    int64_t linear_index) const {
  if (!HasInverseAt(linear_index)) return InverseError(linear_index, 0);
  const CompiledMap& map = *structure_;
  std::vector<FailedBound> failed;
  absl::InlinedVector<int64_t, 32> values(map.sources.size());
  if (linear_index >= map.tail_begin ||
      !index_map_internal::ReadDigits(map, map.swizzle.Apply(linear_index),
                                      values.data())) {
    return failed;
  }
  const std::vector<std::vector<int64_t>> dimensions = DimensionsOfSources(map);
  auto check = [&](size_t i) {
    const Source& source = map.sources[i];
    const bool fails = values[i] >= source.bound;
    if (fails) {
      failed.push_back({dimensions[i], values[i], source.bound, source.name});
    }
    return !fails;
  };
  const InverseProgram& program = index_map_internal::InverseProgramOf(map);
  const InverseProgram::InversePiece* pieces = program.inverse_pieces.data();
  for (const InverseProgram::InverseSource& source : program.inverse_sources) {
    // The parts of a failed source are not reported again.
    if (check(source.source)) {
      index_map_internal::ReadPieces(source, pieces, values[source.source],
                                     values.data());
    }
    pieces += source.pieces;
  }
  for (size_t i = map.bounds.size(); i-- > 0;) check(i);
  std::reverse(failed.begin(), failed.end());
  return failed;
}

// -- Sizes and units ---------------------------------------------------------

std::vector<IndexMap::DimensionPadding> IndexMap::PaddingByDimension() const {
  // Sources that flow into one another make one group, named by its first.
  std::vector<size_t> group(structure_->sources.size());
  for (size_t i = 0; i < group.size(); ++i) group[i] = i;
  auto find = [&group](size_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  for (size_t i = 0; i < structure_->sources.size(); ++i) {
    for (const Piece& piece : structure_->sources[i].pieces) {
      const size_t a = find(i), b = find(piece.source);
      group[std::max(a, b)] = std::min(a, b);
    }
  }

  std::vector<DimensionPadding> by_group(structure_->sources.size());
  // Products fit if there are elements; without elements they need not.
  bool is_saturated = false;
  for (size_t i = 0; i < structure_->bounds.size(); ++i) {
    DimensionPadding& padding = by_group[find(i)];
    padding.dimensions.push_back(i);
    padding.bound =
        SaturatingMultiply(padding.bound, structure_->bounds[i], &is_saturated);
  }
  for (const Digit& digit : structure_->digits) {
    int64_t& padded = by_group[find(digit.source)].padded;
    padded = SaturatingMultiply(padded, digit.modulus, &is_saturated);
  }
  std::vector<DimensionPadding> result;
  for (size_t i = 0; i < structure_->sources.size(); ++i) {
    const bool stands_for_group = find(i) == i;
    if (stands_for_group && (i < structure_->bounds.size() ||
                             by_group[i].padded != by_group[i].bound)) {
      result.push_back(std::move(by_group[i]));
    }
  }
  return result;
}

absl::StatusOr<IndexMap> IndexMap::Scaled(int64_t factor,
                                          int64_t offset) const {
  const std::optional<int64_t> scaled =
      CheckedMultiply(structure_->position_count, factor);
  if (!scaled.has_value() || !CheckedAdd(*scaled, offset).has_value()) {
    return OutOfRangeError(structure_->position_count, " positions of ", factor,
                           " after ", offset, " exceed 2^63-1");
  }
  auto compiled = std::make_shared<CompiledMap>(structure());
  MapStructure& map = *compiled;
  if (is_swizzled()) {
    if (!absl::has_single_bit(static_cast<uint64_t>(factor))) {
      return UnimplementedError(
          "the bits of swizzled positions do not stay together in units of 1/",
          factor, ", which is not a power of two");
    }
    map.swizzle.base += absl::countr_zero(static_cast<uint64_t>(factor));
    // The positions times `factor` have only zeros where such a remainder has
    // ones, so that nothing carries into the bits of the swizzle.
    const uint64_t period = uint64_t{1} << map.swizzle.end();
    if (static_cast<uint64_t>(offset) % period >=
        static_cast<uint64_t>(factor)) {
      return UnimplementedError(
          "after an offset of ", offset, " swizzled positions are only ",
          "swizzled if it leaves less than ", factor, " divided by ", period);
    }
  }
  for (Digit& digit : map.digits) {
    // Only a constant digit has a stride past all positions.
    digit.stride = CheckedMultiply(digit.stride, factor).value_or(0);
  }
  map.base = structure_->base * factor + offset;
  map.tail_begin = structure_->tail_begin * factor + offset;
  map.position_count = structure_->position_count * factor + offset;
  index_map_internal::Derive(compiled.get());
  return IndexMap(std::move(compiled));
}

std::string IndexMap::ToString() const {
  auto name = [this](int32_t source) {
    return source < rank() ? absl::StrCat("i", source)
                           : absl::StrCat("j", source - rank());
  };
  // modulus 0: no remainder.
  auto digit_text = [&name](int64_t multiplier, int32_t source, int64_t divisor,
                            int64_t modulus) {
    std::string text = name(source);
    if (divisor != 1) absl::StrAppend(&text, " div ", divisor);
    if (modulus != 0) absl::StrAppend(&text, " mod ", modulus);
    if (divisor != 1 || modulus != 0) text = absl::StrCat("(", text, ")");
    return multiplier == 1 ? text : absl::StrCat(multiplier, "*", text);
  };
  std::vector<std::string> sum;
  if (structure_->base != 0 || structure_->digits.empty())
    sum.push_back(absl::StrCat(structure_->base));
  for (const Digit& digit : structure_->digits) {
    const bool counts_on = CheckedMultiply(digit.divisor, digit.modulus)
                               .value_or(std::numeric_limits<int64_t>::max()) >=
                           structure_->sources[digit.source].bound;
    sum.push_back(digit_text(digit.stride, digit.source, digit.divisor,
                             counts_on ? 0 : digit.modulus));
  }
  std::string text =
      absl::StrCat("[", absl::StrJoin(structure_->bounds, ","), "] -> [0,",
                   structure_->position_count, "): ");
  if (is_swizzled()) {
    absl::StrAppend(&text, "p ^ ((p & 0x",
                    absl::Hex(structure_->swizzle.mask()), ") ",
                    structure_->swizzle.shift > 0 ? ">> " : "<< ",
                    std::abs(structure_->swizzle.shift), "), p = ");
  }
  absl::StrAppend(&text, absl::StrJoin(sum, " + "));
  for (size_t i = structure_->bounds.size(); i < structure_->sources.size();
       ++i) {
    std::vector<std::string> pieces;
    for (const Piece& piece : structure_->sources[i].pieces) {
      pieces.push_back(digit_text(piece.multiplier, piece.source, piece.divisor,
                                  piece.modulus));
    }
    if (structure_->sources[i].offset != 0 || pieces.empty()) {
      pieces.push_back(absl::StrCat(structure_->sources[i].offset));
    }
    absl::StrAppend(&text, ", ", name(static_cast<int32_t>(i)), " = ",
                    absl::StrJoin(pieces, " + "));
  }
  return text;
}

}  // namespace tessera

TESSERA_DEFINE_VALUE(tessera, IndexMap)
