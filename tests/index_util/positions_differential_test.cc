// Indices to positions and back, sizes and expanded bounds, for every layout
// we try: what the library says against what the literal evaluator says.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "tessera/index_map/batch_index_map.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/index_util/derivation.h"
#include "tessera/index_util/index_util.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/shape/shape.h"
#include "tessera/tests/index_util/literal_shape.h"
#include "tessera/tests/literal/layout_samples.h"
#include "tessera/tests/literal/literal_evaluator.h"
#include "tessera/tests/literal/random_layouts.h"

namespace tessera {
namespace {

using Kind = LiteralCell::Kind;

std::string Braced(absl::Span<const int64_t> numbers) {
  return absl::StrCat("{", absl::StrJoin(numbers, ","), "}");
}

// Some numbers, one index after the other and one dimension after the other.
class Indices {
 public:
  Indices(int64_t rank, int64_t count)
      : rank_(rank), rows_(rank * count), columns_(rank) {
    for (std::vector<int64_t>& column : columns_) {
      column.resize(count);
      pointers_.push_back(column.data());
    }
  }

  // All indices within the bounds, in row-major order.
  static Indices Within(const LiteralArray& array) {
    Indices all(array.bounds.size(), array.positions.size());
    std::vector<int64_t> index(array.bounds.size(), 0);
    for (size_t k = 0; k < array.positions.size(); ++k) {
      for (size_t d = 0; d < index.size(); ++d) {
        all.rows_[k * index.size() + d] = index[d];
        all.columns_[d][k] = index[d];
      }
      NextIndex(array.bounds, &index);
    }
    return all;
  }

  absl::Span<const int64_t> rows() const { return rows_; }
  absl::Span<int64_t> rows() { return absl::MakeSpan(rows_); }
  absl::Span<const int64_t> row(int64_t k) const {
    return rows().subspan(k * rank_, rank_);
  }
  absl::Span<int64_t> row(int64_t k) {
    return rows().subspan(k * rank_, rank_);
  }
  const std::vector<std::vector<int64_t>>& columns() const { return columns_; }
  absl::Span<const int64_t* const> column_pointers() const { return pointers_; }
  absl::Span<int64_t* const> column_pointers() { return pointers_; }

 private:
  int64_t rank_;
  std::vector<int64_t> rows_;
  std::vector<std::vector<int64_t>> columns_;
  std::vector<int64_t*> pointers_;
};

std::string ForwardDisagreement(const IndexMap& map, const LiteralArray& array,
                                const Indices& all) {
  const size_t count = array.positions.size();
  std::vector<int64_t> columns(count), rows(count);
  std::vector<int64_t> columns_unchecked(count), rows_unchecked(count);
  const BatchIndexMap batches(map);
  absl::Status status =
      batches.LinearIndices(all.column_pointers(), absl::MakeSpan(columns));
  if (!status.ok()) return status.ToString();
  status = batches.LinearIndicesOfRows(all.rows(), absl::MakeSpan(rows));
  if (!status.ok()) return status.ToString();
  batches.LinearIndicesUnchecked(all.column_pointers(),
                                 absl::MakeSpan(columns_unchecked));
  batches.LinearIndicesOfRowsUnchecked(all.rows(),
                                       absl::MakeSpan(rows_unchecked));

  for (size_t k = 0; k < count; ++k) {
    const int64_t want = array.positions[k];
    const absl::StatusOr<int64_t> one = map.LinearIndex(all.row(k));
    if (!one.ok()) return one.status().ToString();
    struct Path {
      const char* name;
      int64_t got;
    };
    for (const Path& path : {
             Path{"LinearIndex", *one},
             Path{"LinearIndexUnchecked", map.LinearIndexUnchecked(all.row(k))},
             Path{"LinearIndices", columns[k]},
             Path{"LinearIndicesOfRows", rows[k]},
             Path{"LinearIndicesUnchecked", columns_unchecked[k]},
             Path{"LinearIndicesOfRowsUnchecked", rows_unchecked[k]},
         }) {
      if (path.got != want) {
        return absl::StrCat(path.name, "(", Braced(all.row(k)), ") is ",
                            path.got, ", should be ", want);
      }
    }
  }
  return "";
}

std::string OutsideDisagreement(const IndexMap& map,
                                const LiteralArray& array) {
  std::vector<int64_t> index(array.bounds.size(), 0);
  for (size_t d = 0; d < index.size(); ++d) {
    for (const int64_t outside : {int64_t{-1}, array.bounds[d]}) {
      index[d] = outside;
      if (!absl::IsOutOfRange(map.LinearIndex(index).status())) {
        return absl::StrCat("LinearIndex takes ", Braced(index));
      }
      index[d] = 0;
    }
  }
  const int64_t count = array.cells.size();
  for (const int64_t outside : {int64_t{-1}, count}) {
    if (!absl::IsOutOfRange(
            map.MultidimensionalIndex(outside, absl::MakeSpan(index))
                .status())) {
      return absl::StrCat("MultidimensionalIndex takes ", outside);
    }
  }
  return "";
}

PositionKind KindOf(const LiteralCell& cell) {
  switch (cell.kind) {
    case Kind::kElement:
      return PositionKind::kElement;
    case Kind::kTilePadding:
      return PositionKind::kPadding;
    case Kind::kTailPadding:
      return PositionKind::kTail;
  }
  return PositionKind::kGap;
}

std::string InverseDisagreement(const IndexMap& map, const LiteralArray& array,
                                const Indices& all) {
  const int64_t rank = array.bounds.size();
  const int64_t count = array.cells.size();
  std::vector<int64_t> positions(count);
  for (int64_t p = 0; p < count; ++p) positions[p] = p;
  Indices by_columns(rank, count), by_rows(rank, count);
  std::vector<PositionKind> column_kinds(count), row_kinds(count);
  const BatchIndexMap batches(map);
  absl::Status status = batches.MultidimensionalIndices(
      positions, by_columns.column_pointers(), absl::MakeSpan(column_kinds));
  if (!status.ok()) return status.ToString();
  status = batches.MultidimensionalIndicesAsRows(positions, by_rows.rows(),
                                                 absl::MakeSpan(row_kinds));
  if (!status.ok()) return status.ToString();

  std::vector<int64_t> one(rank), unchecked(rank), column_row(rank);
  for (int64_t p = 0; p < count; ++p) {
    const LiteralCell& cell = array.cells[p];
    const PositionKind want_kind = KindOf(cell);
    const absl::StatusOr<PositionKind> one_kind =
        map.MultidimensionalIndex(p, absl::MakeSpan(one));
    if (!one_kind.ok()) return one_kind.status().ToString();
    const PositionKind unchecked_kind =
        map.MultidimensionalIndexUnchecked(p, absl::MakeSpan(unchecked));
    for (int64_t d = 0; d < rank; ++d) {
      column_row[d] = by_columns.columns()[d][p];
    }
    struct Path {
      const char* name;
      PositionKind kind;
      absl::Span<const int64_t> index;
    };
    for (const Path& path : {
             Path{"MultidimensionalIndex", *one_kind, one},
             Path{"MultidimensionalIndexUnchecked", unchecked_kind, unchecked},
             Path{"MultidimensionalIndices", column_kinds[p], column_row},
             Path{"MultidimensionalIndicesAsRows", row_kinds[p],
                  by_rows.row(p)},
         }) {
      if (path.kind != want_kind) {
        return absl::StrCat(path.name, "(", p, ") is of kind ",
                            static_cast<int>(path.kind), ", should be ",
                            static_cast<int>(want_kind));
      }
      if (want_kind == PositionKind::kElement &&
          path.index != all.row(cell.element)) {
        return absl::StrCat(path.name, "(", p, ") is ", Braced(path.index),
                            ", should be ", Braced(all.row(cell.element)));
      }
    }
  }
  return "";
}

// Bit d for dimension d, as LiteralCell has them.
uint32_t Bits(const std::vector<int64_t>& dimensions) {
  uint32_t bits = 0;
  for (const int64_t d : dimensions) bits |= uint32_t{1} << d;
  return bits;
}

std::string FailedBoundsDisagreement(const IndexMap& map,
                                     const LiteralArray& array) {
  const int64_t count = array.cells.size();
  // FailedBounds allocates; of the larger arrays, a few hundred positions do.
  const int64_t step = 1 + count / 256;
  for (int64_t p = 0; p < count; p += step) {
    const LiteralCell& cell = array.cells[p];
    const absl::StatusOr<std::vector<IndexMap::FailedBound>> failed =
        map.FailedBounds(p);
    if (!failed.ok()) return failed.status().ToString();
    if (failed->empty() != (cell.kind != Kind::kTilePadding)) {
      return absl::StrCat("FailedBounds(", p, ") has ", failed->size(),
                          " entries");
    }
    uint32_t got = 0;
    for (const IndexMap::FailedBound& bound : *failed) {
      if (bound.value < bound.bound) {
        return absl::StrCat("FailedBounds(", p, ") has the value ", bound.value,
                            " within the bound ", bound.bound);
      }
      got |= Bits(bound.dimensions);
    }
    if (got != cell.exceeded) {
      return absl::StrCat("FailedBounds(", p, ") has the dimensions 0b",
                          absl::Hex(got), ", should have ",
                          absl::Hex(cell.exceeded), " (bits, in hex)");
    }
  }
  return "";
}

std::string SizesDisagreement(const Shape& shape, const IndexMap& map,
                              const LiteralArray& array) {
  const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(shape);
  if (!sizes.ok()) return sizes.status().ToString();
  const int64_t positions = array.cells.size();
  int64_t tail = 0;
  int64_t data_end = 0;
  for (int64_t p = 0; p < positions; ++p) {
    if (array.cells[p].kind == Kind::kTailPadding) ++tail;
    if (array.cells[p].kind == Kind::kElement) data_end = p + 1;
  }
  const int64_t elements = array.positions.size();
  struct Number {
    const char* name;
    int64_t got;
    int64_t want;
  };
  for (const Number& number : {
           Number{"element_count", map.element_count(), elements},
           Number{"position_count", map.position_count(), positions},
           Number{"tail_begin", map.tail_begin(), positions - tail},
           Number{"elements", sizes->elements, elements},
           Number{"physical_elements", sizes->physical_elements, positions},
           Number{"tail_elements", sizes->tail_elements, tail},
           Number{"data_end", sizes->data_end.value_or(-1), data_end},
           Number{"data_end_bytes", sizes->data_end_bytes.value_or(-1),
                  data_end},
           Number{"unpadded_bytes", sizes->unpadded_bytes, elements},
           Number{"padded_bytes", sizes->padded_bytes, positions},
       }) {
    if (number.got != number.want) {
      return absl::StrCat(number.name, " is ", number.got, ", should be ",
                          number.want);
    }
  }
  return "";
}

// The groups of dimensions that are padded together are the library's choice;
// what it says of a group must then be so.
std::string PaddingByDimensionDisagreement(const IndexMap& map,
                                           const LiteralArray& array) {
  const int64_t elements = array.positions.size();
  int64_t tail_begin = 0;
  for (const LiteralCell& cell : array.cells) {
    if (cell.kind != Kind::kTailPadding) ++tail_begin;
  }
  uint32_t seen = 0;
  int64_t product = 1;
  for (const IndexMap::DimensionPadding& group : map.PaddingByDimension()) {
    const uint32_t dimensions = Bits(group.dimensions);
    const std::string name = Braced(group.dimensions);
    if ((seen & dimensions) != 0) {
      return absl::StrCat("PaddingByDimension has ", name, " twice");
    }
    seen |= dimensions;
    int64_t bound = 1;
    for (const int64_t d : group.dimensions) bound *= array.bounds[d];
    if (group.bound != bound) {
      return absl::StrCat("the bound of ", name, " is ", group.bound,
                          ", should be ", bound);
    }
    product *= group.padded;
    if (elements == 0) continue;
    // Where the others are within their bounds, the group counts its bound
    // and its padding. Padding of no dimension may belong to any group.
    int64_t beyond = 0;
    int64_t beyond_none = 0;
    for (const LiteralCell& cell : array.cells) {
      if (cell.kind != Kind::kTilePadding) continue;
      if (cell.exceeded == 0) {
        ++beyond_none;
      } else if ((cell.exceeded & ~dimensions) == 0) {
        ++beyond;
      }
    }
    if (beyond_none == 0 &&
        group.padded * elements != (elements + beyond) * bound) {
      return absl::StrCat(name, " is padded to ", group.padded,
                          ", should be to ",
                          (elements + beyond) * bound / elements);
    }
  }
  if (seen != (uint32_t{1} << array.bounds.size()) - 1) {
    return "PaddingByDimension does not have every dimension";
  }
  if (product != tail_begin) {
    return absl::StrCat("PaddingByDimension multiplies to ", product,
                        ", should be to ", tail_begin);
  }
  return "";
}

std::string DerivationDisagreement(const Shape& shape,
                                   const LiteralArray& array,
                                   const Indices& all, RandomBits* random) {
  const absl::StatusOr<std::vector<std::vector<int64_t>>> bounds =
      ExpandedBoundsByTile(shape);
  if (!bounds.ok()) return bounds.status().ToString();
  if (*bounds != array.expanded_bounds) {
    return absl::StrCat(
        "ExpandedBoundsByTile is ",
        absl::StrJoin(*bounds, "", [](std::string* out, const auto& level) {
          absl::StrAppend(out, Braced(level));
        }));
  }

  if (array.positions.empty()) return "";
  const int64_t k = Uniform(0, array.positions.size() - 1, random);
  const absl::StatusOr<Derivation> derivation =
      DeriveLinearIndex(shape, all.row(k));
  if (!derivation.ok()) return derivation.status().ToString();
  if (derivation->linear_index != array.positions[k] ||
      derivation->final_axes().bounds != array.expanded_bounds.back()) {
    return absl::StrCat("DeriveLinearIndex(", Braced(all.row(k)), ") is ",
                        derivation->linear_index, " within ",
                        Braced(derivation->final_axes().bounds));
  }
  return "";
}

class PositionsDifferentialTest
    : public ::testing::TestWithParam<LayoutSample> {};

TEST_P(PositionsDifferentialTest, Agree) {
  ExpectAgreement(GetParam(),
                  [](const LiteralLayout& layout, const LiteralArray& array,
                     RandomBits* random) -> std::string {
                    const Shape shape = ToShape(layout);
                    if (shape.ToString() != layout.ToString()) {
                      return absl::StrCat("prints ", shape.ToString());
                    }
                    const absl::StatusOr<IndexMap> map = ToIndexMap(shape);
                    if (!map.ok()) return map.status().ToString();
                    if (map->kind() != IndexMap::Kind::kMixedRadix) {
                      return "is not of kind kMixedRadix";
                    }
                    const Indices all = Indices::Within(array);
                    for (const std::string& disagreement : {
                             ForwardDisagreement(*map, array, all),
                             InverseDisagreement(*map, array, all),
                             FailedBoundsDisagreement(*map, array),
                             OutsideDisagreement(*map, array),
                             SizesDisagreement(shape, *map, array),
                             PaddingByDimensionDisagreement(*map, array),
                             DerivationDisagreement(shape, array, all, random),
                         }) {
                      if (!disagreement.empty()) return disagreement;
                    }
                    return "";
                  });
}

INSTANTIATE_TEST_SUITE_P(Layouts, PositionsDifferentialTest,
                         ::testing::ValuesIn(LayoutSamples()), SampleName);

// XLA's IndexUtil ignores tiles and tail padding: its judge is the same array
// without them.
std::string UntiledDisagreement(const LiteralLayout& layout) {
  const Shape shape = ToShape(layout);
  const LiteralArray untiled =
      EvaluateLiterally({layout.bounds, layout.minor_to_major, {}});
  const Indices all = Indices::Within(untiled);
  std::vector<int64_t> bumped(layout.rank(), 0);
  for (size_t k = 0; k < untiled.positions.size(); ++k) {
    const int64_t position = untiled.positions[k];
    const absl::StatusOr<int64_t> linear =
        IndexUtil::MultidimensionalIndexToLinearIndex(shape, all.row(k));
    if (!linear.ok()) return linear.status().ToString();
    if (*linear != position) {
      return absl::StrCat(Braced(all.row(k)), " lies at ", *linear,
                          " untiled, should at ", position);
    }
    const absl::StatusOr<IndexUtil::DimensionVector> index =
        IndexUtil::LinearIndexToMultidimensionalIndex(shape, position);
    if (!index.ok()) return index.status().ToString();
    if (absl::MakeConstSpan(*index) != all.row(k)) {
      return absl::StrCat(Braced(*index), " lies untiled at ", position,
                          ", should ", Braced(all.row(k)));
    }
    if (absl::MakeConstSpan(bumped) != all.row(k)) {
      return absl::StrCat("bumps to ", Braced(bumped), ", should to ",
                          Braced(all.row(k)));
    }
    const bool is_last = k + 1 == untiled.positions.size();
    if (IndexUtil::BumpIndices(shape, absl::MakeSpan(bumped)) == is_last) {
      return absl::StrCat("bumps wrongly at ", Braced(all.row(k)));
    }
  }
  for (int64_t d = 0; d < layout.rank(); ++d) {
    if (layout.bounds[d] < 2 || untiled.positions.empty()) continue;
    std::vector<int64_t> neighbour(layout.rank(), 0);
    neighbour[d] = 1;
    const absl::StatusOr<int64_t> stride =
        IndexUtil::GetDimensionStride(shape, d);
    if (!stride.ok()) return stride.status().ToString();
    if (*stride != untiled.PositionOf(neighbour)) {
      return absl::StrCat("stride ", d, " is ", *stride);
    }
  }
  return "";
}

TEST(UntiledIndices, Agree) {
  const uint64_t seed = TestSeed();
  RandomBits random(seed);
  const auto expect_agreement = [seed](const LiteralLayout& layout) {
    EXPECT_EQ(UntiledDisagreement(layout), "")
        << layout.ToString() << ", TESSERA_TEST_SEED=" << seed;
  };
  SmallLayouts untiled;
  untiled.tile_levels = 0;
  ForEachSmallLayout(untiled, 0, 1, expect_agreement);
  for (int i = 0; i < 1000; ++i) {
    expect_agreement(RandomLayout(RandomLayoutOptions(), &random));
  }
}

}  // namespace
}  // namespace tessera
