#include "tessera/layout/validate_layout.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/byte_count.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/layout/tile_expansion.h"

namespace tessera {
namespace {

using MaybeViolation = std::optional<Violation>;

constexpr int64_t kBitsPerByte = 8;

Violation MakeViolation(ShapePart part, int64_t i, int64_t j,
                        std::string message) {
  Violation violation;
  violation.part = part;
  violation.i = i;
  violation.j = j;
  violation.message = std::move(message);
  return violation;
}

Violation MakeViolation(ShapePart part, std::string message) {
  return MakeViolation(part, -1, -1, std::move(message));
}

// The set of dimensions 0 ... rank - 1 that have been seen. Allocates only for
// very high ranks.
class DimensionSet {
 public:
  explicit DimensionSet(int64_t rank) {
    if (rank > kWordBits) higher_.resize((rank - 1) / kWordBits);
  }

  // Whether `dimension` is new. Precondition: 0 <= dimension < rank.
  bool Insert(int64_t dimension) {
    uint64_t& word =
        dimension < kWordBits ? lowest_ : higher_[dimension / kWordBits - 1];
    const uint64_t bit = uint64_t{1} << (dimension % kWordBits);
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }

 private:
  static constexpr int64_t kWordBits = 64;

  uint64_t lowest_ = 0;
  std::vector<uint64_t> higher_;
};

// The first few of `numbers`: enough for a reader, whatever the rank.
std::string Listed(absl::Span<const int64_t> numbers,
                   std::string_view separator) {
  constexpr size_t kMost = 16;
  std::string text =
      absl::StrJoin(numbers.subspan(0, kMost), AbslView(separator));
  if (numbers.size() > kMost) StrAppend(&text, separator, "...");
  return text;
}

// The permutation of 0 ... rank - 1 that minor_to_major has to be.
MaybeViolation CheckMinorToMajor(const Layout& layout) {
  const int64_t rank = layout.rank();
  DimensionSet seen(rank);
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t dimension = layout.minor_to_major(i);
    if (dimension < 0 || dimension >= rank) {
      return MakeViolation(ShapePart::kMinorToMajor, i, -1,
                           absl::StrCat("minor_to_major[", i, "] = ", dimension,
                                        " is outside [0, ", rank, ")"));
    }
    if (!seen.Insert(dimension)) {
      return MakeViolation(
          ShapePart::kMinorToMajor, i, -1,
          absl::StrCat("minor_to_major {", Listed(layout.minor_to_major(), ","),
                       "} names dimension ", dimension, " twice"));
    }
  }
  return std::nullopt;
}

MaybeViolation CheckTiles(absl::Span<const Tile> tiles) {
  for (size_t i = 0; i < tiles.size(); ++i) {
    absl::Span<const int64_t> entries = tiles[i].dimensions();
    if (entries.empty()) {
      return MakeViolation(ShapePart::kTile, i, -1,
                           absl::StrCat("tiles[", i, "] = () has no entries"));
    }
    for (size_t j = 0; j < entries.size(); ++j) {
      if (entries[j] > 0 || entries[j] == Tile::kCombineDimension) continue;
      return MakeViolation(
          ShapePart::kTile, i, j,
          absl::StrCat("tiles[", i, "][", j, "] = ", entries[j],
                       " is neither positive nor '*'"));
    }
    if (entries.back() == Tile::kCombineDimension) {
      return MakeViolation(
          ShapePart::kTile, i, entries.size() - 1,
          absl::StrCat("tiles[", i, "] = ", tiles[i].ToString(),
                       " ends in '*', which has no dimension to combine with"));
    }
  }
  return std::nullopt;
}

Violation BelowMinimum(ShapePart part, std::string_view annotation,
                       int64_t value, int64_t minimum) {
  return MakeViolation(part,
                       StrCat(annotation, "(", value, ") is below ", minimum));
}

MaybeViolation CheckNumbers(const Layout& layout) {
  const Layout::Parts& p = layout.parts();
  if (p.tail_padding_alignment_in_elements < 1) {
    return BelowMinimum(ShapePart::kTailPadding, "tail padding L",
                        p.tail_padding_alignment_in_elements, 1);
  }
  if (p.element_size_in_bits < 0) {
    return BelowMinimum(ShapePart::kElementSize, "element size E",
                        p.element_size_in_bits, 0);
  }
  if (p.memory_space < 0) {
    return BelowMinimum(ShapePart::kMemorySpace, "memory space S",
                        p.memory_space, 0);
  }
  if (p.dynamic_shape_metadata_prefix_bytes < 0) {
    return BelowMinimum(ShapePart::kMetadataPrefix, "metadata prefix M",
                        p.dynamic_shape_metadata_prefix_bytes, 0);
  }
  return std::nullopt;
}

// Precondition: minor_to_major is a permutation.
MaybeViolation CheckSplits(const Layout& layout) {
  absl::Span<const SplitConfig> splits = layout.split_configs();
  if (splits.empty()) return std::nullopt;
  DimensionSet seen(layout.rank());
  for (size_t i = 0; i < splits.size(); ++i) {
    const int64_t dimension = splits[i].dimension;
    if (dimension < 0 || dimension >= layout.rank()) {
      return MakeViolation(
          ShapePart::kSplitConfig, i, -1,
          absl::StrCat("split_configs[", i, "] cuts physical dimension ",
                       dimension, ", which is outside [0, ", layout.rank(),
                       ")"));
    }
    if (!seen.Insert(dimension)) {
      return MakeViolation(
          ShapePart::kSplitConfig, i, -1,
          absl::StrCat("split_configs[", i, "] cuts physical dimension ",
                       dimension, " a second time"));
    }
    int64_t previous = 0;
    for (size_t j = 0; j < splits[i].split_indices.size(); ++j) {
      const int64_t index = splits[i].split_indices[j];
      if (index <= previous) {
        return MakeViolation(
            ShapePart::kSplitConfig, i, j,
            absl::StrCat("split_configs[", i, "] has the index ", index,
                         " after ", previous,
                         ", but its indices must be positive and increase"));
      }
      previous = index;
    }
  }
  return std::nullopt;
}

int64_t LogicalDimension(const Layout& layout, int64_t physical) {
  return layout.minor_to_major(layout.rank() - 1 - physical);
}

// Checks that cuts lie inside the dimensions. Precondition: CheckSplits passes,
// so the last index of a split is its largest.
MaybeViolation CheckSplitBounds(const Layout& layout,
                                absl::Span<const int64_t> dimensions) {
  absl::Span<const SplitConfig> splits = layout.split_configs();
  for (size_t i = 0; i < splits.size(); ++i) {
    const auto& indices = splits[i].split_indices;
    const int64_t size =
        dimensions[LogicalDimension(layout, splits[i].dimension)];
    if (indices.empty() || indices.back() < size) continue;
    return MakeViolation(
        ShapePart::kSplitConfig, i, indices.size() - 1,
        absl::StrCat(
            "split_configs[", i, "] cuts physical dimension ",
            splits[i].dimension, " at ", indices.back(),
            size < 0 ? ", but it is unbounded"
                     : absl::StrCat(", which is not below its size ", size)));
  }
  return std::nullopt;
}

bool IsSparseType(PrimitiveType type) {
  return type == PRIMITIVE_TYPE_INVALID || IsUnsignedIntegralType(type);
}

MaybeViolation CheckSparseTypes(const Layout& layout) {
  const PrimitiveType index_type = layout.index_primitive_type();
  if (!IsSparseType(index_type)) {
    return MakeViolation(ShapePart::kIndexType,
                         StrCat("index type ", PrimitiveTypeName(index_type),
                                " is not unsigned integral"));
  }
  const PrimitiveType pointer_type = layout.pointer_primitive_type();
  if (!IsSparseType(pointer_type)) {
    return MakeViolation(
        ShapePart::kPointerType,
        StrCat("pointer type ", PrimitiveTypeName(pointer_type),
               " is not unsigned integral"));
  }
  return std::nullopt;
}

// Rejects parts that only sparse layouts have.
MaybeViolation CheckDense(const Layout& layout) {
  if (layout.index_primitive_type() != PRIMITIVE_TYPE_INVALID) {
    return MakeViolation(
        ShapePart::kIndexType,
        StrCat("index type ", PrimitiveTypeName(layout.index_primitive_type()),
               " belongs to a sparse layout, and arrays are dense"));
  }
  if (layout.pointer_primitive_type() != PRIMITIVE_TYPE_INVALID) {
    return MakeViolation(
        ShapePart::kPointerType,
        StrCat("pointer type ",
               PrimitiveTypeName(layout.pointer_primitive_type()),
               " belongs to a sparse layout, and arrays are dense"));
  }
  if (layout.physical_shape() != nullptr) {
    return MakeViolation(
        ShapePart::kPhysicalShape,
        absl::StrCat("physical shape P(", layout.physical_shape()->ToString(),
                     ") belongs to a sparse layout, and arrays are dense"));
  }
  return std::nullopt;
}

int64_t ElementBits(const Layout& layout, PrimitiveType element_type) {
  return layout.element_size_in_bits() != 0
             ? layout.element_size_in_bits()
             : kBitsPerByte * ByteWidth(element_type);
}

// Precondition: all but the physical size has been found valid.
MaybeViolation CheckPhysicalSize(const Layout& layout,
                                 PrimitiveType element_type,
                                 absl::Span<const int64_t> dimensions) {
  const int64_t element_bits = ElementBits(layout, element_type);
  absl::InlinedVector<int64_t, 6> physical_bounds;
  for (int64_t i = 0; i < layout.rank(); ++i) {
    const int64_t size = dimensions[LogicalDimension(layout, i)];
    physical_bounds.push_back(size < 0 ? 1 : size);
  }
  absl::StatusOr<Axes<int64_t>> axes =
      ExpandedBounds(physical_bounds, layout.tiles());
  if (!axes.ok()) {
    return MakeViolation(ShapePart::kLayout,
                         std::string(axes.status().message()));
  }
  const std::optional<int64_t> elements = CheckedProduct(*axes);
  if (!elements.has_value()) {
    return MakeViolation(
        ShapePart::kLayout,
        absl::StrCat("the physical size, ", Listed(*axes, " * "),
                     " elements, exceeds 2^63-1"));
  }
  if (*elements == 0) return std::nullopt;
  const int64_t alignment = layout.tail_padding_alignment_in_elements();
  const std::optional<int64_t> padded = CheckedRoundUp(*elements, alignment);
  if (!padded.has_value()) {
    return MakeViolation(
        ShapePart::kTailPadding,
        absl::StrCat("the physical size, ", *elements,
                     " elements rounded up to a multiple of L(", alignment,
                     "), exceeds 2^63-1"));
  }
  if (!CheckedByteCount(*padded, element_bits).has_value()) {
    return MakeViolation(
        ShapePart::kLayout,
        absl::StrCat("the physical size, ", *padded, " elements of ",
                     element_bits, " bits, exceeds 2^63-1 bytes"));
  }
  return std::nullopt;
}

}  // namespace

bool IsPlainlyValid(const Layout& layout, PrimitiveType element_type,
                    absl::Span<const int64_t> dimensions) {
  const Layout::Parts& p = layout.parts();
  if (p.tail_padding_alignment_in_elements != 1 ||
      p.index_primitive_type != PRIMITIVE_TYPE_INVALID ||
      p.pointer_primitive_type != PRIMITIVE_TYPE_INVALID ||
      p.element_size_in_bits < 0 || p.memory_space < 0 ||
      !p.split_configs.empty() || p.physical_shape != nullptr ||
      p.dynamic_shape_metadata_prefix_bytes < 0) {
    return false;
  }

  // Entries below the rank are a permutation if together they leave none out.
  const uint64_t rank = dimensions.size();
  if (rank >= 64 || p.minor_to_major.size() != rank) return false;
  uint64_t seen = 0;
  for (const uint64_t dimension : p.minor_to_major) {
    if (dimension >= rank) return false;
    seen |= uint64_t{1} << dimension;
  }
  if (seen + 1 != uint64_t{1} << rank) return false;

  // An upper bound of every size: a tile entry t pads a dimension of size d to
  // at most d * t.
  int64_t bits =
      std::max(p.element_size_in_bits, kBitsPerByte * ByteWidth(element_type));
  for (const int64_t dimension : dimensions) {
    if (dimension < 1 || __builtin_mul_overflow(bits, dimension, &bits)) {
      return false;
    }
  }
  for (const Tile& tile : p.tiles) {
    if (tile.dimensions().empty()) return false;
    for (const int64_t entry : tile.dimensions()) {
      if (entry < 1 || __builtin_mul_overflow(bits, entry, &bits)) return false;
    }
  }
  return true;
}

std::optional<Violation> FindLayoutViolation(
    const Layout& layout, PrimitiveType element_type,
    absl::Span<const int64_t> dimensions) {
  if (IsPlainlyValid(layout, element_type, dimensions)) return std::nullopt;
  const int64_t rank = static_cast<int64_t>(dimensions.size());
  if (layout.rank() != rank) {
    return MakeViolation(
        ShapePart::kMinorToMajor,
        absl::StrCat("minor_to_major has ", layout.rank(),
                     layout.rank() == 1 ? " entry" : " entries",
                     ", but the array has ", rank,
                     rank == 1 ? " dimension" : " dimensions"));
  }
  if (MaybeViolation violation = FindLayoutViolation(layout)) return violation;
  if (MaybeViolation violation = CheckDense(layout)) return violation;
  if (MaybeViolation violation = CheckSplitBounds(layout, dimensions)) {
    return violation;
  }
  return CheckPhysicalSize(layout, element_type, dimensions);
}

std::optional<Violation> FindLayoutViolation(const Layout& layout) {
  if (MaybeViolation violation = CheckMinorToMajor(layout)) return violation;
  if (MaybeViolation violation = CheckTiles(layout.tiles())) return violation;
  if (MaybeViolation violation = CheckNumbers(layout)) return violation;
  if (MaybeViolation violation = CheckSparseTypes(layout)) return violation;
  return CheckSplits(layout);
}

absl::Status ValidateLayout(const Layout& layout) {
  const MaybeViolation violation = FindLayoutViolation(layout);
  return violation.has_value() ? violation->ToStatus() : absl::OkStatus();
}

absl::Status ValidateLayout(const Layout& layout, PrimitiveType element_type,
                            absl::Span<const int64_t> dimensions) {
  const MaybeViolation violation =
      FindLayoutViolation(layout, element_type, dimensions);
  return violation.has_value() ? violation->ToStatus() : absl::OkStatus();
}

}  // namespace tessera
