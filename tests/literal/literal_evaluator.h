// Where does every element of a small array lie, by the definition alone?
//
// The judge of the library's fast paths. XLA defines tiling as "pad, reshape,
// transpose" (docs/tiled_layout.md); this evaluator holds an array whose cells
// are labels and does exactly that to it. It knows no formula for a linear
// index, so it cannot share a mistake with code that does.
//
//   LiteralLayout layout;
//   layout.bounds = {3, 5};
//   layout.minor_to_major = {1, 0};
//   layout.tiles = {{2, 2}};
//   layout.ToString();                // "s8[3,5]{1,0:T(2,2)}"
//
//   LiteralArray array = EvaluateLiterally(layout);
//   array.cells.size();               // 24 positions
//   array.expanded_bounds.back();     // {2, 3, 2, 2}
//   array.PositionOf({2, 3});         // 17
//   array.cells[17].element;          // 13: (2,3) in row-major order
//   array.cells[9].kind;              // kTilePadding,
//   array.cells[9].exceeded;          // 0b10: beyond the bound of dimension 1
//
// It takes time and memory in proportion to the number of positions.

#ifndef TESSERA_TESTS_LITERAL_LITERAL_EVALUATOR_H_
#define TESSERA_TESTS_LITERAL_LITERAL_EVALUATOR_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tessera {

// An array and the parts of its layout that move elements. Plain vectors, so
// that nothing here leans on the types under test.
struct LiteralLayout {
  // A tile's entry written `*`.
  static constexpr int64_t kCombine = std::numeric_limits<int64_t>::min();

  std::vector<int64_t> bounds;              // of the logical dimensions
  std::vector<int64_t> minor_to_major;      // a permutation of 0 .. rank - 1
  std::vector<std::vector<int64_t>> tiles;  // entries > 0 or, but last, `*`
  int64_t tail_padding_alignment = 1;       // L, in elements, at least 1

  int64_t rank() const { return bounds.size(); }
  // XLA's text, as of an array of bytes, for which every layout that counts its
  // positions in 63 bits is valid: "s8[4,33]{1,0:T(*,8)L(1024)}".
  std::string ToString() const;
};

// What lies at one physical position.
struct LiteralCell {
  enum class Kind : uint8_t {
    kElement,
    kTilePadding,  // added to fill up a tile
    kTailPadding,  // added behind the array to fill up L
  };

  // Of kElement: how many logical indices come before its own in row-major
  // order.
  int64_t element = 0;
  // Of kTilePadding: bit d stands for logical dimension d. Set are the
  // dimensions whose bound the position lies beyond. A bound that `*` joined is
  // that of all joined axes with a bound other than 1; of the minor-most that
  // stands for a dimension if all have bound 1. Not a bit is set where only an
  // axis that rank padding inserted is exceeded, as in s8[3]{0:T(8,128)} at
  // position 128.
  uint32_t exceeded = 0;
  Kind kind = Kind::kElement;

  friend bool operator==(const LiteralCell& a, const LiteralCell& b) {
    return a.element == b.element && a.exceeded == b.exceeded &&
           a.kind == b.kind;
  }
};

struct LiteralArray {
  std::vector<int64_t> bounds;     // of the logical dimensions
  std::vector<LiteralCell> cells;  // by physical position
  // The position of each element; elements by their place in row-major order.
  std::vector<int64_t> positions;
  // The physical bounds, major to minor, before the first tile and after each.
  std::vector<std::vector<int64_t>> expanded_bounds;

  // Precondition: `index` is within the bounds.
  int64_t PositionOf(const std::vector<int64_t>& index) const;
};

// Precondition: `layout` is valid, of rank 32 at most.
LiteralArray EvaluateLiterally(const LiteralLayout& layout);

// Steps `index` to the next in row-major order. At the last one, wraps to zeros
// and returns false, so that a loop over all indices of nonempty bounds is
//
//   std::vector<int64_t> index(bounds.size(), 0);
//   do { ... } while (NextIndex(bounds, &index));
bool NextIndex(const std::vector<int64_t>& bounds, std::vector<int64_t>* index);

}  // namespace tessera

#endif  // TESSERA_TESTS_LITERAL_LITERAL_EVALUATOR_H_
