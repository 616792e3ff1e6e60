// What does a CuTe layout say, by its definition alone, and does a composition
// exist at all?
//
// The judge of cute/. A layout is the tree that its text shows and is evaluated
// by walking that tree; whether a composition exists is found by listing all
// values. Nothing here is fast, checks for overflow, or knows the library.
//
//   LiteralLayout a = *ParseLiteralLayout("(6,2):(8,2)");
//   LiteralLayout b = *ParseLiteralLayout("(4,3):(3,1)");
//   a.Size();                                         // 12
//   a.Evaluate(7);                                    // 10, as 7 is (1,1)
//   a.Evaluate(*ParseLiteralTuple("(1,1)"));          // 10
//   b.Values();                                       // {0, 3, 6, 9, 1, ...}
//   LayoutExists(a, b);                               // true:
//   LiteralComposition(a, b)->ToString();             // "((2,2),3):((24,2),8)"
//   LayoutExists(*ParseLiteralLayout("(8,8):(8,1)"),
//                *ParseLiteralLayout("4:3"));         // false

#ifndef TESSERA_TESTS_CUTE_LITERAL_LAYOUT_H_
#define TESSERA_TESTS_CUTE_LITERAL_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::cute {

// An integer or a tuple of such: a shape, a coordinate, a profile.
struct LiteralTuple {
  bool is_leaf = true;
  int64_t value = 0;                // of a leaf
  std::vector<LiteralTuple> modes;  // of a tuple, at least one

  int64_t Product() const;
  std::string ToString() const;  // "(2,(3,4))"

  friend bool operator==(const LiteralTuple& a, const LiteralTuple& b) {
    return a.is_leaf == b.is_leaf && a.value == b.value && a.modes == b.modes;
  }
};

// `4:2` is a leaf; `(4):(2)` is a tuple of one leaf.
struct LiteralLayout {
  bool is_leaf = true;
  int64_t shape = 1;  // of a leaf, at least 1
  int64_t stride = 0;
  std::vector<LiteralLayout> modes;  // of a tuple, at least one

  static LiteralLayout Leaf(int64_t shape, int64_t stride);
  static LiteralLayout Tuple(std::vector<LiteralLayout> modes);

  int64_t Size() const;
  LiteralTuple Shape() const;
  LiteralTuple Stride() const;
  std::string ToString() const;  // "((2,2),3):((24,2),8)"

  // The leaves from left to right.
  std::vector<LiteralLayout> Leaves() const;

  // The index is split colexicographically; the last mode of a tuple takes what
  // is left, unreduced. So every integer is an index: past the size the last
  // modes go on, and below 0 division truncates, as in C++.
  int64_t Evaluate(int64_t index) const;

  // A tuple goes mode by mode, an integer as above. Precondition: a tuple has
  // as many entries as the layout has modes there.
  int64_t Evaluate(const LiteralTuple& coordinate) const;

  // At the indices 0 to Size() - 1.
  std::vector<int64_t> Values() const;

  friend bool operator==(const LiteralLayout& a, const LiteralLayout& b) {
    return a.is_leaf == b.is_leaf && a.shape == b.shape &&
           a.stride == b.stride && a.modes == b.modes;
  }
};

// No spaces, no `_`, no empty tuples.
std::optional<LiteralTuple> ParseLiteralTuple(std::string_view text);

// Nothing unless shape and stride are of one profile and sizes are at least 1.
std::optional<LiteralLayout> ParseLiteralLayout(std::string_view text);

// Whether every coordinate of the shape `a` is one of the shape `b`: each
// integer in `a` stands where `b` has an integer or a tuple of that product.
bool Compatible(const LiteralTuple& a, const LiteralTuple& b);

// The layout of one mode, or of the fewest modes in a tuple, whose values these
// are: neighbours that continue one another are one mode. None if no layout has
// them. Precondition: values[0] == 0.
std::optional<LiteralLayout> LayoutOfValues(const std::vector<int64_t>& values);

// R with R(c) = a(b(c)) at every coordinate c of `b` inside its shape: `b` with
// each leaf of s elements replaced by a layout of size s. None if there is none
// at all. Takes time in proportion to the size of `b`.
std::optional<LiteralLayout> LiteralComposition(const LiteralLayout& a,
                                                const LiteralLayout& b);

bool LayoutExists(const LiteralLayout& a, const LiteralLayout& b);

}  // namespace tessera::cute

#endif  // TESSERA_TESTS_CUTE_LITERAL_LAYOUT_H_
