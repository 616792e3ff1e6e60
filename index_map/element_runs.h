// Finds the positions that hold the elements of a slice, and those that hold no
// element.
//
// A run is a maximal stretch of consecutive positions that all hold elements of
// a slice. Runs are returned in the order of positions, and are found by
// halving blocks of positions, never by visiting elements.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   // 3 x 5 in tiles of 2 x 2, as pictured in index_map/index_map.h.
//   const IndexMap map = *ToIndexMap(*ParseShape("f32[3,5]{1,0:T(2,2)}"));
//   ElementRun run;
//   auto runs = ElementRuns::Create(map, {0, 2}, {2, 4});
//   runs->Next(&run);     // true
//   run.first_index;      // {0, 2}
//   run.position;         // 4
//   run.length;           // 4
//   runs->Next(&run);     // false: that was the last
//
//   PositionRange range;
//   auto padding = PaddingRanges::Create(map);
//   std::vector<int64_t> begins;
//   while (padding->Next(&range)) begins.push_back(range.begin);
//   begins;               // {9, 11, 14, 18, 21}
//
// A swizzled map is walked in the order of its swizzled positions; its runs may
// be as short as 2^swizzle().base.
//
// index_map/slice_positions.h steps through a slice element by element.
//
// All of these classes keep a reference to the map, which must outlive them.
//
// Some contrived tiles join digits that an earlier tile cut, such as
// T(4096,3516)(*,3516). Only opening a block may then show that it holds no
// elements, and the next run may be many blocks away. Of random layouts with
// such tiles, one in 10,000 takes more than 2,000 steps to its fourth run, and
// none is known to take 200,000. There is no proof, so a step limit bounds the
// work. One step looks at one block.

#ifndef TESSERA_INDEX_MAP_ELEMENT_RUNS_H_
#define TESSERA_INDEX_MAP_ELEMENT_RUNS_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map.h"

namespace tessera {

// The positions [begin, end).
struct PositionRange {
  int64_t begin = 0;
  int64_t end = 0;

  friend bool operator==(const PositionRange& a, const PositionRange& b) {
    return a.begin == b.begin && a.end == b.end;
  }
};

struct ElementRun {
  absl::InlinedVector<int64_t, 6> first_index;  // of the element at `position`
  int64_t position = 0;
  int64_t length = 0;  // in positions, each an element of the slice
};

// Returns kFailedPrecondition if map.kind() is kGeneral.
absl::Status CheckHasInverse(const IndexMap& map);

// Returns kInvalidArgument if `start` or `limit` do not have rank entries,
// kOutOfRange if one is outside the bounds or start exceeds limit.
absl::Status CheckSlice(const IndexMap& map, absl::Span<const int64_t> start,
                        absl::Span<const int64_t> limit);

// Walks blocks of positions in increasing or decreasing order. A building block
// of the classes below.
class ElementBlocks {
 public:
  enum class Order { kRising, kFalling };

  // Walks the elements with start[i] <= index[i] < limit[i], looking at no more
  // than `step_limit` blocks of any contents. Precondition: map.kind() is not
  // kGeneral, and 0 <= start[i] <= limit[i] <= bounds[i].
  ElementBlocks(const IndexMap& map, absl::Span<const int64_t> start,
                absl::Span<const int64_t> limit, Order order,
                int64_t step_limit = std::numeric_limits<int64_t>::max());

  // Moves to the next block of positions that all hold elements of the slice;
  // blocks may touch. Returns false if no block is left, or if is_exhausted().
  bool Next(PositionRange* block);

  // Whether the step limit ended the walk.
  bool is_exhausted() const { return is_exhausted_; }

 private:
  enum class Contents { kAll, kNone, kMixed };
  struct Interval {
    int64_t low;
    int64_t high;  // inclusive
  };
  // Values [low, high) of the digit of `level`; chosen_ has the digits of the
  // levels above. All of them count from the lowest position up.
  struct Node {
    size_t level;
    int64_t low;
    int64_t high;
  };
  // The 2^level positions that start at `begin`, a multiple of 2^level.
  struct AlignedBlock {
    int64_t begin;
    int level;
  };

  // A digit of a source, and the entry of intervals_ with its known values.
  struct Place {
    int64_t unit;
    size_t interval;
    int64_t values;  // how many it can have
  };
  // The two ways to write the value of a source, each by decreasing unit: by
  // the digits of the position and the pieces of later sources that read it,
  // and by its own pieces.
  struct Writings {
    std::vector<Place> readings;
    // The readings that repeat others.
    std::vector<Place> repeats;
    std::vector<Place> pieces;
  };

  void PrepareWritings();
  Interval Sum(absl::Span<const Place> places) const;
  // Returns the possible remainders of their sum by `modulus`.
  Interval Remainder(absl::Span<const Place> places, int64_t modulus) const;
  Interval Allowed(size_t source) const;
  void FixPrefix(const Node& node);
  // Propagates from digits to dimensions the possible values of the pieces of a
  // source.
  Contents PassDown();
  // The step of PassDown for one source with these values, which are all
  // allowed.
  Contents PassToPieces(size_t source, Interval value);
  Contents CompareRepeats(size_t source, const Interval& value) const;
  // Propagates back: returns whether the limits of the dimensions rule the
  // block out.
  bool IsRuledOut();
  // Narrows every interval to the values that can add up to a sum within `sum`,
  // which is not negative. Returns false if there are none.
  bool Narrow(absl::Span<const Place> places, const Interval& sum);
  // Returns the smallest value >= `value` whose every digit lies in its
  // interval.
  std::optional<int64_t> NextWritten(absl::Span<const Place> places,
                                     int64_t value) const;
  Contents Classify(const Node& node);
  // Returns the first and the last position of the block before the swizzle.
  Interval Extent(const Node& node) const;
  bool IsOutsideRange(const Node& node) const;

  // Begins to walk the blocks before the swizzle that touch `range`.
  void WalkWithin(const Interval& range);
  // Moves to the next of these blocks, or to its part in the range.
  bool NextUnswizzled(PositionRange* block);
  // Returns the contents of the whole range.
  Contents ContentsOfRange();
  bool NextSwizzled(PositionRange* block);
  template <typename Block>
  void Push(std::vector<Block>* stack, Block first, Block second) const;

  const IndexMap* map_;
  absl::InlinedVector<int64_t, 6> start_;
  absl::InlinedVector<int64_t, 6> limit_;
  Order order_;
  int64_t steps_left_;
  bool is_exhausted_ = false;
  Interval range_;
  std::vector<Node> stack_;
  // For a swizzled map: the remaining blocks after the swizzle, and whether the
  // swizzle moves the blocks of stack_ only as a whole.
  std::vector<AlignedBlock> swizzled_stack_;
  bool is_translating_ = false;
  std::vector<int64_t> chosen_;
  // Whether the digits from a level on reach every position below the stride
  // of the level before.
  std::vector<bool> contiguous_;
  // The largest sum of the digits from a level on.
  std::vector<int64_t> reach_;
  std::vector<Writings> writings_;  // of every source
  // In Classify: the intervals of every digit of the position, then of every
  // piece.
  std::vector<Interval> intervals_;
};

class ElementRuns {
 public:
  // Creates the runs of the elements with start[i] <= index[i] < limit[i].
  //
  // Errors: kFailedPrecondition if map.kind() is kGeneral, kInvalidArgument if
  // `start` or `limit` do not have rank entries, kOutOfRange if one is outside
  // the bounds or start exceeds limit.
  static absl::StatusOr<ElementRuns> Create(
      const IndexMap& map, absl::Span<const int64_t> start,
      absl::Span<const int64_t> limit,
      int64_t step_limit = std::numeric_limits<int64_t>::max());
  // Creates the runs of all elements. Errors: kFailedPrecondition as above.
  static absl::StatusOr<ElementRuns> Create(const IndexMap& map);

  // Moves to the next run. Returns false and leaves `run` unchanged if no run
  // is left, or if is_exhausted(). The last run before that may be cut short.
  bool Next(ElementRun* run);

  // Whether the step limit ended the walk.
  bool is_exhausted() const { return blocks_.is_exhausted(); }

 private:
  ElementRuns(const IndexMap& map, absl::Span<const int64_t> start,
              absl::Span<const int64_t> limit, int64_t step_limit);

  const IndexMap* map_;
  ElementBlocks blocks_;
  PositionRange pending_;  // found, but may still grow; empty if none
};

// The maximal stretches of positions without an element: padding, gaps and tail
// alike.
class PaddingRanges {
 public:
  // Errors: kFailedPrecondition if map.kind() is kGeneral.
  static absl::StatusOr<PaddingRanges> Create(
      const IndexMap& map,
      int64_t step_limit = std::numeric_limits<int64_t>::max());

  // Moves to the next range. Returns false and leaves `range` unchanged if no
  // range is left, or if is_exhausted().
  bool Next(PositionRange* range);

  // Whether the step limit ended the walk.
  bool is_exhausted() const { return blocks_.is_exhausted(); }

 private:
  PaddingRanges(const IndexMap& map, int64_t step_limit);

  const IndexMap* map_;
  ElementBlocks blocks_;
  int64_t seen_ = 0;  // the positions below it are done
};

// Returns the largest position of an element + 1; 0 without elements.
//
// A step looks at one block of positions. If no digits of different dimensions
// are joined, 64 steps per digit are enough. If a tile joins digits that an
// earlier one cut, 64 are nearly always enough, but that is not proven. A
// swizzled map may take 128 times as many.
//
// Errors: kFailedPrecondition if map.kind() is kGeneral; kResourceExhausted if
// `step_limit` steps are not enough.
absl::StatusOr<int64_t> DataEnd(const IndexMap& map,
                                int64_t step_limit = int64_t{1} << 17);

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_ELEMENT_RUNS_H_
