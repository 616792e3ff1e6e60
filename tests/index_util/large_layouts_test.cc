// Arrays of up to 2^63-1 positions, which no literal evaluator can hold: laws
// that tie the ways there and back, and the walks, to one another.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/batch_index_map.h"
#include "tessera/index_map/element_runs.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/same_function.h"
#include "tessera/index_util/bitcast.h"
#include "tessera/index_util/derivation.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tessera/shape/shape.h"
#include "tessera/tests/index_util/literal_shape.h"
#include "tessera/tests/literal/literal_evaluator.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using Index = std::vector<int64_t>;

#ifdef TESSERA_SANITIZER
constexpr int kLayouts = 1000;
#else
constexpr int kLayouts = 20000;
#endif

constexpr int kSamples = 24;  // indices or positions of each layout

std::string Braced(absl::Span<const int64_t> numbers) {
  return absl::StrCat("{", absl::StrJoin(numbers, ","), "}");
}

// In [0, bound), the ends more often than the rest. Precondition: bound > 0.
int64_t RandomBelow(int64_t bound, RandomBits* random) {
  switch (Uniform(0, 3, random)) {
    case 0:
      return std::min<int64_t>(Uniform(0, 3, random), bound - 1);
    case 1:
      return std::max<int64_t>(bound - 1 - Uniform(0, 3, random), 0);
    default:
      return Uniform(0, bound - 1, random);
  }
}

Index RandomIndex(absl::Span<const int64_t> bounds, RandomBits* random) {
  Index index;
  for (const int64_t bound : bounds) {
    index.push_back(RandomBelow(bound, random));
  }
  return index;
}

std::string SizeDisagreement(const LiteralLayout& layout, const Shape& shape,
                             const IndexMap& map) {
  const absl::StatusOr<std::vector<std::vector<int64_t>>> bounds =
      ExpandedBoundsByTile(shape);
  if (!bounds.ok()) return bounds.status().ToString();
  int64_t tiled = map.element_count() == 0 ? 0 : 1;
  for (const int64_t bound : bounds->back()) tiled *= bound;
  const int64_t alignment = layout.tail_padding_alignment;
  const int64_t want =
      tiled % alignment == 0 ? tiled : tiled - tiled % alignment + alignment;
  if (map.tail_begin() != tiled || map.position_count() != want) {
    return absl::StrCat("has ", map.tail_begin(), " and ", map.position_count(),
                        " positions, should have ", tiled, " and ", want);
  }
  return "";
}

// There and back again; different elements at different positions; batches as
// single calls; all as the derivation that follows the document.
std::string ForwardDisagreement(const Shape& shape, const IndexMap& map,
                                RandomBits* random) {
  const int64_t rank = map.rank();
  std::vector<Index> columns(rank);
  Index rows;
  for (int i = 0; i < kSamples; ++i) {
    const Index index = RandomIndex(map.bounds(), random);
    for (int64_t d = 0; d < rank; ++d) columns[d].push_back(index[d]);
    rows.insert(rows.end(), index.begin(), index.end());
  }
  std::vector<const int64_t*> pointers;
  for (const Index& column : columns) pointers.push_back(column.data());
  Index by_columns(kSamples), by_rows(kSamples);
  const BatchIndexMap batches(map);
  absl::Status status =
      batches.LinearIndices(pointers, absl::MakeSpan(by_columns));
  if (!status.ok()) return status.ToString();
  status = batches.LinearIndicesOfRows(rows, absl::MakeSpan(by_rows));
  if (!status.ok()) return status.ToString();

  std::map<int64_t, Index> seen;
  Index back(rank);
  for (int i = 0; i < kSamples; ++i) {
    const Index index(rows.begin() + i * rank, rows.begin() + (i + 1) * rank);
    const absl::StatusOr<int64_t> position = map.LinearIndex(index);
    if (!position.ok()) return position.status().ToString();
    const absl::StatusOr<Derivation> derivation =
        DeriveLinearIndex(shape, index);
    if (!derivation.ok()) return derivation.status().ToString();
    if (by_columns[i] != *position || by_rows[i] != *position ||
        derivation->linear_index != *position) {
      return absl::StrCat(Braced(index), " lies at ", *position, ", ",
                          by_columns[i], ", ", by_rows[i], " and ",
                          derivation->linear_index);
    }
    const absl::StatusOr<PositionKind> kind =
        map.MultidimensionalIndex(*position, absl::MakeSpan(back));
    if (!kind.ok()) return kind.status().ToString();
    if (*kind != PositionKind::kElement || back != index) {
      return absl::StrCat(Braced(index), " lies at ", *position,
                          ", where there is ", Braced(back), " of kind ",
                          static_cast<int>(*kind));
    }
    const Index& other = seen.emplace(*position, index).first->second;
    if (other != index) {
      return absl::StrCat(Braced(index), " and ", Braced(other),
                          " both lie at ", *position);
    }
  }
  return "";
}

// Back and there again; batches as single calls; padding with its reasons.
std::string InverseDisagreement(const IndexMap& map, RandomBits* random) {
  const int64_t rank = map.rank();
  Index positions;
  for (int i = 0; i < kSamples; ++i) {
    positions.push_back(RandomBelow(map.position_count(), random));
  }
  std::vector<Index> columns(rank, Index(kSamples));
  std::vector<int64_t*> pointers;
  for (Index& column : columns) pointers.push_back(column.data());
  Index rows(rank * kSamples);
  std::vector<PositionKind> column_kinds(kSamples), row_kinds(kSamples);
  const BatchIndexMap batches(map);
  absl::Status status = batches.MultidimensionalIndices(
      positions, pointers, absl::MakeSpan(column_kinds));
  if (!status.ok()) return status.ToString();
  status = batches.MultidimensionalIndicesAsRows(
      positions, absl::MakeSpan(rows), absl::MakeSpan(row_kinds));
  if (!status.ok()) return status.ToString();

  Index index(rank), column_row(rank);
  for (int i = 0; i < kSamples; ++i) {
    const int64_t position = positions[i];
    const absl::StatusOr<PositionKind> kind =
        map.MultidimensionalIndex(position, absl::MakeSpan(index));
    const absl::StatusOr<std::vector<IndexMap::FailedBound>> failed =
        map.FailedBounds(position);
    if (!kind.ok()) return kind.status().ToString();
    if (!failed.ok()) return failed.status().ToString();
    if (column_kinds[i] != *kind || row_kinds[i] != *kind ||
        (*kind == PositionKind::kTail) != (position >= map.tail_begin()) ||
        (*kind == PositionKind::kPadding) == failed->empty()) {
      return absl::StrCat(
          position, " is of the kinds ", static_cast<int>(*kind), ", ",
          static_cast<int>(column_kinds[i]), ", ",
          static_cast<int>(row_kinds[i]), "; ", failed->size(), " bounds fail");
    }
    for (const IndexMap::FailedBound& bound : *failed) {
      if (bound.value < bound.bound) {
        return absl::StrCat(position, " fails the bound ", bound.bound,
                            " with ", bound.value);
      }
    }
    if (*kind != PositionKind::kElement) continue;
    for (int64_t d = 0; d < rank; ++d) column_row[d] = columns[d][i];
    const absl::StatusOr<int64_t> again = map.LinearIndex(index);
    if (!again.ok()) return again.status().ToString();
    if (*again != position || column_row != index ||
        absl::MakeConstSpan(rows).subspan(i * rank, rank) !=
            absl::MakeConstSpan(index)) {
      return absl::StrCat(position, " holds ", Braced(index),
                          ", which lies at ", *again, "; in a batch ",
                          Braced(column_row));
    }
  }
  return "";
}

bool HoldsElement(const IndexMap& map, int64_t position) {
  Index index(map.rank());
  return position >= 0 && position < map.position_count() &&
         map.MultidimensionalIndexUnchecked(position, absl::MakeSpan(index)) ==
             PositionKind::kElement;
}

// Far more than any walk to the next few runs is known to take.
constexpr int64_t kStepLimit = 1 << 16;

const char kGivenUp[] = "the walk gives up at its step limit";

// Whether a tile joins dimensions or what an earlier tile made of them. Walks
// over positions may then give up.
bool JoinsDigits(const IndexMap& map) {
  for (const IndexMap::Source& source : map.sources()) {
    if (source.pieces.size() > 1) return true;
  }
  return false;
}

// The first ranges of padding, judged at their ends and somewhere between.
std::string PaddingDisagreement(const IndexMap& map, RandomBits* random) {
  absl::StatusOr<PaddingRanges> ranges = PaddingRanges::Create(map, kStepLimit);
  if (!ranges.ok()) return ranges.status().ToString();
  PositionRange range;
  int64_t last_end = -1;
  for (int i = 0; i < 4 && ranges->Next(&range); ++i) {
    const int64_t between = Uniform(range.begin, range.end - 1, random);
    const bool right =
        range.begin > last_end && range.begin < range.end &&
        (range.begin == 0 || HoldsElement(map, range.begin - 1)) &&
        !HoldsElement(map, range.begin) && !HoldsElement(map, between) &&
        !HoldsElement(map, range.end - 1) &&
        (range.end == map.position_count() || HoldsElement(map, range.end));
    if (!right) {
      return absl::StrCat("padding range ", i, " is [", range.begin, ",",
                          range.end, ")");
    }
    last_end = range.end;
  }
  return ranges->is_exhausted() ? kGivenUp : "";
}

// The first runs of a slice, likewise.
std::string RunsDisagreement(const IndexMap& map, RandomBits* random) {
  Index start = RandomIndex(map.bounds(), random);
  Index limit = RandomIndex(map.bounds(), random);
  for (size_t d = 0; d < start.size(); ++d) {
    if (start[d] > limit[d]) std::swap(start[d], limit[d]);
    ++limit[d];
  }
  const auto holds_slice = [&](int64_t position) {
    if (!HoldsElement(map, position)) return false;
    Index index(map.rank());
    map.MultidimensionalIndexUnchecked(position, absl::MakeSpan(index));
    for (size_t d = 0; d < index.size(); ++d) {
      if (index[d] < start[d] || index[d] >= limit[d]) return false;
    }
    return true;
  };
  absl::StatusOr<ElementRuns> runs =
      ElementRuns::Create(map, start, limit, kStepLimit);
  if (!runs.ok()) return runs.status().ToString();
  ElementRun run;
  int64_t last_end = -1;
  for (int i = 0; i < 4 && runs->Next(&run); ++i) {
    const int64_t end = run.position + run.length;
    const bool right =
        run.position > last_end && run.length > 0 &&
        map.LinearIndexUnchecked(run.first_index) == run.position &&
        !holds_slice(run.position - 1) && holds_slice(run.position) &&
        holds_slice(Uniform(run.position, end - 1, random)) &&
        holds_slice(end - 1) && !holds_slice(end);
    if (!right) {
      return absl::StrCat("run ", i, " of ", Braced(start), " to ",
                          Braced(limit), " is [", run.position, ",", end, ")");
    }
    last_end = end;
  }
  if (runs->is_exhausted()) return kGivenUp;
  return last_end >= 0 ? "" : "a slice that is not empty has no run";
}

std::string DataEndDisagreement(const IndexMap& map, RandomBits* random) {
  const absl::StatusOr<int64_t> end = DataEnd(map, kStepLimit);
  if (absl::IsResourceExhausted(end.status())) return kGivenUp;
  if (!end.ok()) return end.status().ToString();
  bool right = HoldsElement(map, *end - 1);
  for (int i = 0; i < kSamples && *end < map.position_count(); ++i) {
    right = right &&
            !HoldsElement(map, Uniform(*end, map.position_count() - 1, random));
  }
  for (int i = 0; i < kSamples; ++i) {
    right = right &&
            map.LinearIndexUnchecked(RandomIndex(map.bounds(), random)) < *end;
  }
  return right ? "" : absl::StrCat("the data ends at ", *end);
}

std::string WalksDisagreement(const IndexMap& map, RandomBits* random) {
  for (const std::string& disagreement :
       {PaddingDisagreement(map, random), RunsDisagreement(map, random),
        DataEndDisagreement(map, random)}) {
    if (!disagreement.empty()) return disagreement;
  }
  return "";
}

// A tile (1) more moves nothing; other rewritings may, and if they do not then
// nowhere.
std::string EqualityDisagreement(const LiteralLayout& layout,
                                 const IndexMap& map, RandomBits* random) {
  LiteralLayout same = layout;
  same.tiles.push_back({1});
  const absl::StatusOr<IndexMap> same_map = ToIndexMap(ToShape(same));
  if (!same_map.ok()) return same_map.status().ToString();
  const absl::StatusOr<bool> is_same = SameFunction(map, *same_map);
  if (!is_same.ok()) return is_same.status().ToString();
  if (!*is_same) return "is not the same with T(1) appended";

  const LiteralLayout other = RewrittenLayout(layout, random);
  if (!FitsInto(LargeLayoutOptions().max_positions, other)) return "";
  const absl::StatusOr<IndexMap> other_map = ToIndexMap(ToShape(other));
  if (!other_map.ok()) return other_map.status().ToString();
  const absl::StatusOr<bool> is_other_same = SameFunction(map, *other_map);
  if (absl::IsResourceExhausted(is_other_same.status())) return "";
  if (!is_other_same.ok()) return is_other_same.status().ToString();
  for (int i = 0; i < kSamples && *is_other_same; ++i) {
    const Index index = RandomIndex(map.bounds(), random);
    if (map.LinearIndexUnchecked(index) !=
        other_map->LinearIndexUnchecked(index)) {
      return absl::StrCat("is said to be the same as ", other.ToString(),
                          " but differs at ", Braced(index));
    }
  }
  return "";
}

// The index of the element that has `number` others before it in row-major
// order.
Index IndexOfElement(absl::Span<const int64_t> bounds, int64_t number) {
  Index index(bounds.size());
  for (size_t d = bounds.size(); d-- > 0;) {
    index[d] = number % bounds[d];
    number /= bounds[d];
  }
  return index;
}

// A bitcast moves no element.
std::string BitcastDisagreement(const LiteralLayout& layout,
                                const IndexMap& map, RandomBits* random) {
  const LiteralLayout other = ReshapedLayout(layout, random);
  if (!FitsInto(LargeLayoutOptions().max_positions, other)) return "";
  const absl::StatusOr<bool> is_bitcast =
      IsBitcast(ToShape(layout), ToShape(other));
  if (absl::IsResourceExhausted(is_bitcast.status())) return "";
  if (!is_bitcast.ok()) return is_bitcast.status().ToString();
  const absl::StatusOr<IndexMap> other_map = ToIndexMap(ToShape(other));
  if (!other_map.ok()) return other_map.status().ToString();
  for (int i = 0; i < kSamples && *is_bitcast; ++i) {
    const int64_t number = RandomBelow(map.element_count(), random);
    if (map.LinearIndexUnchecked(IndexOfElement(map.bounds(), number)) !=
        other_map->LinearIndexUnchecked(
            IndexOfElement(other_map->bounds(), number))) {
      return absl::StrCat("is said to be a bitcast of ", other.ToString(),
                          " but element ", number, " lies elsewhere");
    }
  }
  return "";
}

std::string Disagreement(const LiteralLayout& layout, RandomBits* random) {
  const Shape shape = ToShape(layout);
  const absl::StatusOr<IndexMap> map = ToIndexMap(shape);
  if (!map.ok()) return map.status().ToString();
  if (map->kind() != IndexMap::Kind::kMixedRadix) {
    return "is not of kind kMixedRadix";
  }
  std::string text = SizeDisagreement(layout, shape, *map);
  if (!text.empty() || map->element_count() == 0) return text;
  for (const std::string& disagreement :
       {ForwardDisagreement(shape, *map, random),
        InverseDisagreement(*map, random),
        EqualityDisagreement(layout, *map, random),
        BitcastDisagreement(layout, *map, random)}) {
    if (!disagreement.empty()) return disagreement;
  }
  const std::string walks = WalksDisagreement(*map, random);
  return walks == kGivenUp && JoinsDigits(*map) ? "" : walks;
}

TEST(LargeLayouts, KeepTheLaws) {
  const uint64_t seed = TestSeed();
  RandomBits random(seed);
  int failures = 0;
  for (int i = 0; i < kLayouts && failures < 10; ++i) {
    const LiteralLayout layout = RandomLayout(LargeLayoutOptions(), &random);
    const std::string disagreement = Disagreement(layout, &random);
    if (disagreement.empty()) continue;
    ++failures;
    ADD_FAILURE() << layout.ToString() << ": " << disagreement
                  << "\nTESSERA_TEST_SEED=" << seed;
  }
}

// Tiles that join dimensions, or digits which an earlier tile cut. All of these
// gave up while the value of a join was taken for one interval.
TEST(LargeLayouts, WalksSeeThroughJoins) {
  RandomBits random(TestSeed());
  for (const char* text : {
           "s8[238391,9325176707]{0,1:T(4096,3516)(*,3516)(802,*,1026,1)}",
           "s8[256,8388608,2,1,449031]{1,4,2,0,3:T(32,512,*,4,8)}",
           "s8[1,14841]{1,0:T(3,4096,208)(151,438,*,352,684)"
           "(307,*,23,1714,2)}",
           "s8[87611,169,80]{2,0,1:T(15,1117,*,3)(3801,*,7,1)}",
           "s8[1,361,1436716,60,6]{0,2,4,1,3:T(56,3559,*,22,4096)}",
       }) {
    const absl::StatusOr<Shape> shape = ParseShape(text);
    ASSERT_THAT(shape, IsOk());
    const absl::StatusOr<IndexMap> map = ToIndexMap(*shape);
    ASSERT_THAT(map, IsOk());
    for (int i = 0; i < 50; ++i) {
      ASSERT_EQ(WalksDisagreement(*map, &random), "") << text;
    }
  }
}

}  // namespace
}  // namespace tessera
