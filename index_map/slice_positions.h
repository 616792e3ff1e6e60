// Steps through the positions of all elements of a slice, at less cost than one
// call for each.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   // 3 x 5 in tiles of 2 x 2, as pictured in index_map/index_map.h.
//   const IndexMap map = *ToIndexMap(*ParseShape("f32[3,5]{1,0:T(2,2)}"));
//   absl::StatusOr<SlicePositions> slice = SlicePositions::Create(
//       map, {1, 1}, {3, 4}, SlicePositions::Order::kLogical);
//   std::vector<int64_t> positions(4);
//   slice->remaining();                      // 6
//   slice->Next(absl::MakeSpan(positions));  // 4
//   positions;                               // {3, 6, 7, 13}
//   slice->Next(absl::MakeSpan(positions));  // 2
//   positions;                               // {16, 17, 7, 13}: two are new
//   slice->Next(absl::MakeSpan(positions));  // 0
//
//   // In the order of positions, with the index of each element.
//   slice = SlicePositions::Create(map, {1, 1}, {3, 4},
//                                  SlicePositions::Order::kMemory);
//   std::vector<int64_t> rows(4), columns(4);
//   slice->Next(absl::MakeSpan(positions),
//               {rows.data(), columns.data()});   // 4
//   positions;                               // {3, 6, 7, 13}
//   rows;                                    // {1, 1, 1, 2}
//   columns;                                 // {1, 2, 3, 1}
//
// Both orders are orders of digits: in logical order, the digits of the first
// dimension come first; in memory order, those of the largest stride. A table
// holds the last digits, up to 1,024 combinations; the walk steps through the
// other digits and skips everything outside the slice. A position then costs
// one addition to a table entry. If a side of the slice cuts through the
// combinations, it gets its own table when the walk first reaches it. All
// tables together have at most 16,384 entries, however large the slice is.
//
// Not every map has such an order of digits. In logical order, maps with
// computed sources are evaluated for every position. In memory order, maps with
// computed sources, swizzles or repeated dimensions, and contrived tiles of
// more than a thousand elements, are walked by the blocks of
// index_map/element_runs.h and evaluated for every index.

#ifndef TESSERA_INDEX_MAP_SLICE_POSITIONS_H_
#define TESSERA_INDEX_MAP_SLICE_POSITIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/index_map/element_runs.h"
#include "tessera/index_map/index_map.h"

namespace tessera {

class SlicePositions {
 public:
  enum class Order {
    kLogical,  // row-major order of indices, the last dimension fastest
    kMemory,   // rising positions
  };

  // Walks the elements with start[i] <= index[i] < limit[i]. Keeps a reference
  // to the map, which must outlive it.
  //
  // Errors: kInvalidArgument if `start` or `limit` does not have rank entries,
  // kOutOfRange if one is outside the bounds or start exceeds limit;
  // kFailedPrecondition for kMemory if map.kind() is kGeneral.
  static absl::StatusOr<SlicePositions> Create(const IndexMap& map,
                                               absl::Span<const int64_t> start,
                                               absl::Span<const int64_t> limit,
                                               Order order);
  // Walks all elements. Errors: kFailedPrecondition as above.
  static absl::StatusOr<SlicePositions> Create(const IndexMap& map,
                                               Order order);

  // The number of elements of the slice that are left.
  int64_t remaining() const { return remaining_; }

  // Writes the next positions and returns their number: positions.size() unless
  // fewer remain. Does not allocate, unless blocks are walked (see above).
  size_t Next(absl::Span<int64_t> positions) { return Next(positions, {}); }

  // Also writes the index of each, to one array per dimension. Precondition:
  // `coordinates` is empty, in which case no indices are written, or holds a
  // pointer for each dimension to as many entries as `positions` has.
  size_t Next(absl::Span<int64_t> positions,
              absl::Span<int64_t* const> coordinates);

 private:
  enum class Walk : uint8_t { kTables, kIndices, kBlocks };

  // A digit of a dimension, in the order of the walk.
  struct Digit {
    size_t dimension;
    int64_t divisor;
    int64_t modulus;
    int64_t stride;
    bool is_top;  // counts on, so that any number cuts it in two
  };
  using Digits = absl::InlinedVector<Digit, 16>;

  // From here on, coordinates are counted from that of origin_.

  // A digit that the walk steps through.
  struct Level {
    size_t dimension;
    int64_t divisor;
    int64_t modulus;
    int64_t stride;
    // Its value in the first and the last coordinate of the slice.
    int64_t first;
    int64_t last;
    // The level of the next larger digit of the dimension, -1 if there is none.
    int parent;
    // The current value, the largest allowed value, and the sides of the slice
    // that the dimension is at.
    int64_t value = 0;
    int64_t high = 0;
    uint8_t sides = 0;
  };
  static constexpr uint8_t kFirstSide = 1;
  static constexpr uint8_t kLastSide = 2;

  // The part of a dimension that the digits in tables cover, [low, high].
  struct Part {
    int64_t low;
    int64_t high;
  };
  // A dimension with digits in tables.
  struct Tabled {
    size_t dimension;
    int parent;  // its last level, -1 if there is none
    // The part between the sides, then at each side that cuts; see PartNumber.
    absl::InlinedVector<Part, 3> parts;
    bool has_first_part = false;
    bool has_last_part = false;

    size_t PartNumber(uint8_t sides) const {
      if (has_first_part && (sides & kFirstSide) != 0) return 1;
      if (has_last_part && (sides & kLastSide) != 0) {
        return has_first_part ? 2 : 1;
      }
      return 0;
    }
  };
  struct Table {
    size_t begin = 0;
    size_t size = 0;  // 0: not made yet
  };

  SlicePositions(const IndexMap& map, absl::Span<const int64_t> start,
                 absl::Span<const int64_t> limit, Order order);

  // Returns nullopt if there is no order of digits.
  std::optional<Digits> DigitsInOrder() const;
  // Removes digits that are constant in the slice, and counts the others from
  // the first coordinate.
  void CutToSlice(Digits* digits);
  // Returns the number of digits to step through; the others go into tables.
  // Cuts a digit in two if that makes better tables.
  static size_t ChooseLevels(Digits* digits);
  // Returns whether each dimension's digits are stepped through by decreasing
  // divisors, and come before those in tables.
  static bool HasFallingDivisors(const Digits& digits, size_t levels);
  // Returns false if the tables would be too large.
  bool PrepareTables(const Digits& digits, size_t levels);
  bool PrepareTables();

  // Sets the level to its smallest value that its parents allow.
  void ResetLevel(size_t level);
  void Step();
  void ChooseTable();
  void AppendToTable(size_t digit, int64_t offset,
                     absl::Span<const Part> parts);

  size_t NextOfTables(absl::Span<int64_t> positions,
                      absl::Span<int64_t* const> coordinates);
  size_t NextOfIndices(absl::Span<int64_t> positions,
                       absl::Span<int64_t* const> coordinates);
  size_t NextOfBlocks(absl::Span<int64_t> positions,
                      absl::Span<int64_t* const> coordinates);

  const IndexMap* map_;
  Order order_;
  Walk walk_ = Walk::kTables;
  int64_t remaining_ = 0;
  absl::InlinedVector<int64_t, 6> start_;
  absl::InlinedVector<int64_t, 6> limit_;

  // The index: that of the next element, or for kTables of its table's origin.
  absl::InlinedVector<int64_t, 6> index_;

  // kTables. The first and the last element, counted from the origin.
  absl::InlinedVector<int64_t, 6> first_;
  absl::InlinedVector<int64_t, 6> last_;
  absl::InlinedVector<Level, 8> levels_;
  Digits tabled_digits_;
  absl::InlinedVector<Tabled, 4> tabled_;
  // The position of the table's origin before the swizzle.
  int64_t base_ = 0;
  // One for each combination of parts.
  std::vector<Table> tables_;
  Table table_;         // the one that is being read
  size_t entry_ = 0;    // the next of it
  bool begun_ = false;  // whether table_ is chosen
  // The positions, and the coordinates of the tabled dimensions, of all tables.
  std::vector<int64_t> offsets_;
  absl::InlinedVector<std::vector<int64_t>, 4> tabled_coordinates_;
  // In AppendToTable: the coordinates of tabled_ so far.
  std::array<int64_t, 16> partial_ = {};

  // kBlocks.
  std::optional<ElementBlocks> blocks_;
  int64_t position_ = 0;
  int64_t block_end_ = 0;
};

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_SLICE_POSITIONS_H_
