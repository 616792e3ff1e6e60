// Runs of slices, ranges of padding and the order of memory, for every layout
// we try: what the library says against what the literal evaluator says.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "tessera/index_map/element_runs.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/slice_positions.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/tests/index_util/literal_shape.h"
#include "tessera/tests/literal/layout_samples.h"
#include "tessera/tests/literal/literal_evaluator.h"
#include "tessera/tests/literal/random_layouts.h"

namespace tessera {
namespace {

using Index = std::vector<int64_t>;
using Kind = LiteralCell::Kind;

std::string Braced(absl::Span<const int64_t> numbers) {
  return absl::StrCat("{", absl::StrJoin(numbers, ","), "}");
}

// By the elements' place in row-major order.
std::vector<Index> AllIndices(const LiteralArray& array) {
  std::vector<Index> all;
  Index index(array.bounds.size(), 0);
  for (size_t k = 0; k < array.positions.size(); ++k) {
    all.push_back(index);
    NextIndex(array.bounds, &index);
  }
  return all;
}

struct Slice {
  Index start;
  Index limit;

  bool Contains(const Index& index) const {
    for (size_t d = 0; d < index.size(); ++d) {
      if (index[d] < start[d] || index[d] >= limit[d]) return false;
    }
    return true;
  }
};

Slice WholeOf(const LiteralArray& array) {
  return {Index(array.bounds.size(), 0), array.bounds};
}

Slice RandomSlice(const LiteralArray& array, RandomBits* random) {
  Slice slice;
  for (const int64_t bound : array.bounds) {
    slice.start.push_back(Uniform(0, bound, random));
    slice.limit.push_back(Uniform(slice.start.back(), bound, random));
  }
  return slice;
}

// One line a run, so that a difference can be read.
std::string RunText(absl::Span<const int64_t> first_index, int64_t position,
                    int64_t length) {
  return absl::StrCat(" ", Braced(first_index), "@", position, "+", length);
}

std::string WantedRuns(const LiteralArray& array,
                       const std::vector<Index>& indices, const Slice& slice) {
  const auto holds = [&](size_t position) {
    return position < array.cells.size() &&
           array.cells[position].kind == Kind::kElement &&
           slice.Contains(indices[array.cells[position].element]);
  };
  std::string runs;
  for (size_t begin = 0; begin < array.cells.size(); ++begin) {
    if (!holds(begin)) continue;
    size_t end = begin;
    while (holds(end)) ++end;
    runs += RunText(indices[array.cells[begin].element], begin, end - begin);
    begin = end;
  }
  return runs;
}

std::string RunsDisagreement(const IndexMap& map, const LiteralArray& array,
                             const std::vector<Index>& indices,
                             const Slice& slice) {
  absl::StatusOr<ElementRuns> runs =
      ElementRuns::Create(map, slice.start, slice.limit);
  if (!runs.ok()) return runs.status().ToString();
  std::string got;
  ElementRun run;
  while (runs->Next(&run)) {
    got += RunText(run.first_index, run.position, run.length);
  }
  const std::string want = WantedRuns(array, indices, slice);
  if (got == want) return "";
  return absl::StrCat("runs of ", Braced(slice.start), " to ",
                      Braced(slice.limit), " are", got, ", should be", want);
}

std::string PaddingDisagreement(const IndexMap& map,
                                const LiteralArray& array) {
  const auto is_padding = [&](size_t position) {
    return position < array.cells.size() &&
           array.cells[position].kind != Kind::kElement;
  };
  std::string want;
  for (size_t begin = 0; begin < array.cells.size(); ++begin) {
    if (!is_padding(begin)) continue;
    size_t end = begin;
    while (is_padding(end)) ++end;
    absl::StrAppend(&want, " [", begin, ",", end, ")");
    begin = end;
  }
  absl::StatusOr<PaddingRanges> ranges = PaddingRanges::Create(map);
  if (!ranges.ok()) return ranges.status().ToString();
  std::string got;
  PositionRange range;
  while (ranges->Next(&range)) {
    absl::StrAppend(&got, " [", range.begin, ",", range.end, ")");
  }
  if (got == want) return "";
  return absl::StrCat("padding is", got, ", should be", want);
}

std::string MemoryOrderDisagreement(const IndexMap& map,
                                    const LiteralArray& array,
                                    const std::vector<Index>& indices) {
  absl::StatusOr<SlicePositions> order =
      SlicePositions::Create(map, SlicePositions::Order::kMemory);
  if (!order.ok()) return order.status().ToString();
  Index index(array.bounds.size());
  std::vector<int64_t*> coordinates;
  for (int64_t& coordinate : index) coordinates.push_back(&coordinate);
  int64_t position = -1;
  for (size_t p = 0; p < array.cells.size(); ++p) {
    if (array.cells[p].kind != Kind::kElement) continue;
    if (order->Next(absl::MakeSpan(&position, 1), coordinates) == 0) {
      return absl::StrCat("memory order ends before ", p);
    }
    const Index& want = indices[array.cells[p].element];
    if (position != static_cast<int64_t>(p) || index != want) {
      return absl::StrCat("memory order has ", Braced(index), "@", position,
                          ", should have ", Braced(want), "@", p);
    }
  }
  return order->remaining() != 0 ? "memory order does not end" : "";
}

std::string LogicalOrderDisagreement(const IndexMap& map,
                                     const LiteralArray& array) {
  absl::StatusOr<SlicePositions> order =
      SlicePositions::Create(map, SlicePositions::Order::kLogical);
  if (!order.ok()) return order.status().ToString();
  std::vector<int64_t> positions(array.positions.size() + 1);
  positions.resize(order->Next(absl::MakeSpan(positions)));
  if (positions == array.positions) return "";
  return absl::StrCat("logical order has ", Braced(positions), ", should have ",
                      Braced(array.positions));
}

std::string DataEndDisagreement(const IndexMap& map,
                                const LiteralArray& array) {
  int64_t want = 0;
  for (const int64_t position : array.positions) {
    want = std::max(want, position + 1);
  }
  const absl::StatusOr<int64_t> got = DataEnd(map);
  if (!got.ok()) return got.status().ToString();
  if (*got == want) return "";
  return absl::StrCat("data ends at ", *got, ", should at ", want);
}

class RunsDifferentialTest : public ::testing::TestWithParam<LayoutSample> {};

TEST_P(RunsDifferentialTest, Agree) {
  ExpectAgreement(
      GetParam(),
      [](const LiteralLayout& layout, const LiteralArray& array,
         RandomBits* random) -> std::string {
        const absl::StatusOr<IndexMap> map = ToIndexMap(ToShape(layout));
        if (!map.ok()) return map.status().ToString();
        const std::vector<Index> indices = AllIndices(array);
        for (const std::string& disagreement :
             {RunsDisagreement(*map, array, indices, WholeOf(array)),
              RunsDisagreement(*map, array, indices,
                               RandomSlice(array, random)),
              RunsDisagreement(*map, array, indices,
                               RandomSlice(array, random)),
              PaddingDisagreement(*map, array),
              MemoryOrderDisagreement(*map, array, indices),
              LogicalOrderDisagreement(*map, array),
              DataEndDisagreement(*map, array)}) {
          if (!disagreement.empty()) return disagreement;
        }
        return "";
      });
}

INSTANTIATE_TEST_SUITE_P(Layouts, RunsDifferentialTest,
                         ::testing::ValuesIn(LayoutSamples()), SampleName);

}  // namespace
}  // namespace tessera
