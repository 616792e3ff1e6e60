// File: cute/constexpr/static_layout.h
//
// Where does an element lie, when the layout is known as the program is
// compiled?
//
// A StaticLayout is a CuTe layout as a constant. A FixedLayout is the function
// that it describes: sizes and strides become immediates, so that a call costs
// what arithmetic written by hand for this layout alone costs. cute/
// static_algebra.h makes static layouts from others.
//
//   static constexpr StaticLayout kTile =
//       ParseStaticLayout("((3,5),(7,2)):((1,40),(5,300))");
//   static_assert(kTile.rank() == 2 && kTile.size() == 210, "");
//   static_assert(!IsStaticLayout("(4,2):(1)"), "");
//
//   constexpr FixedLayout<kTile> tile;
//   tile(4, 9);   // 351: i%3 + i/3*40 + j%7*5 + j/7*300, nothing more
//   tile(139);    // 351: 4 + 15*9
//   tile(std::make_tuple(1, 1), 9);                      // 351
//   tile(std::make_tuple(1, 1), std::make_tuple(2, 1));  // 351
//
// Inside a function the layout is `static constexpr`: a FixedLayout refers to
// it by name.
//
// Text that is no layout, or a coordinate of the wrong rank, does not compile;
// clang's message quotes the reason. IsStaticLayout asks first.

#ifndef TESSERA_CUTE_CONSTEXPR_STATIC_LAYOUT_H_
#define TESSERA_CUTE_CONSTEXPR_STATIC_LAYOUT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "absl/strings/string_view.h"

namespace tessera {
namespace cute {

// A layout of 1 to 32 leaves. Its tree is written as the text is: each leaf
// knows how many parentheses are open around it, and around the comma behind.
class StaticLayout {
 public:
  static constexpr int kMaxLeaves = 32;

  struct Leaf {
    int64_t size = 1;
    int64_t stride = 0;
    int depth = 0;
    int join = 0;  // depth of the comma behind; 0 behind the last leaf

    friend constexpr bool operator==(const Leaf& a, const Leaf& b) {
      return a.size == b.size && a.stride == b.stride && a.depth == b.depth &&
             a.join == b.join;
    }
  };

  struct Leaves {
    std::array<Leaf, kMaxLeaves> leaf = {};
    int count = 0;

    // False if there is no room.
    constexpr bool Add(const Leaf& added) {
      if (count == kMaxLeaves) return false;
      leaf[count++] = added;
      return true;
    }
  };

  constexpr StaticLayout() { leaves_.count = 1; }  // 1:0

  // Preconditions: at least one leaf; sizes are at least 1; depths and joins
  // are those of a text; size and cosize fit into int64_t.
  constexpr explicit StaticLayout(const Leaves& leaves) : leaves_(leaves) {}

  constexpr int leaf_count() const { return leaves_.count; }
  constexpr const Leaf& leaf(int i) const { return leaves_.leaf[i]; }

  // The number of modes at the top; 1 for an integer, such as 4:2.
  constexpr int rank() const {
    int modes = 0;
    for (int i = 0; i < leaf_count(); ++i) modes += leaf(i).join <= 1;
    return modes;
  }

  // How deeply leaves are nested; 0 for an integer.
  constexpr int depth() const {
    int depth = 0;
    for (int i = 0; i < leaf_count(); ++i) {
      if (leaf(i).depth > depth) depth = leaf(i).depth;
    }
    return depth;
  }

  // The number of coordinates.
  constexpr int64_t size() const {
    int64_t size = 1;
    for (int i = 0; i < leaf_count(); ++i) size *= leaf(i).size;
    return size;
  }

  // 1 + the sum of (size - 1) * |stride|, as CuTe in C++ has it: of a layout
  // without negative strides the largest value plus one.
  constexpr int64_t cosize() const {
    int64_t cosize = 1;
    for (int i = 0; i < leaf_count(); ++i) {
      const int64_t stride = leaf(i).stride;
      cosize += (leaf(i).size - 1) * (stride < 0 ? -stride : stride);
    }
    return cosize;
  }

  // "((3,5),(7,2)):((1,40),(5,300))".
  std::string ToString() const;

  friend constexpr bool operator==(const StaticLayout& a,
                                   const StaticLayout& b) {
    if (a.leaf_count() != b.leaf_count()) return false;
    for (int i = 0; i < a.leaf_count(); ++i) {
      if (!(a.leaf(i) == b.leaf(i))) return false;
    }
    return true;
  }
  friend constexpr bool operator!=(const StaticLayout& a,
                                   const StaticLayout& b) {
    return !(a == b);
  }

 private:
  Leaves leaves_;
};

namespace internal {

// Not constexpr, and nowhere defined: a call ends the compilation.
void NoSuchStaticLayout();

// clang's message on the call shows what this function was given.
constexpr void RefuseFor(const char* why) {
  if (why != nullptr) NoSuchStaticLayout();
}

// Returns null, or why leaves of sizes of at least 1 are no layout.
constexpr const char* CheckReach(const StaticLayout::Leaves& leaves);

// Returns null, or what is wrong with `text`.
constexpr const char* ParseLayout(absl::string_view text, StaticLayout* layout);

}  // namespace internal

// `shape:stride`, both an integer or both tuples of one profile, nested as one
// likes: CuTe's printed form, where a `_` before an integer (`_12`, `_-1`)
// means nothing, as all is known here. Sizes are at least 1; strides may be 0
// and negative.
//
// It is what ParseLayout (cute/parse.h) reads, white space, comments and
// trailing commas included, but for `():()`, basis elements (1@0) and more than
// 32 leaves.
constexpr StaticLayout ParseStaticLayout(absl::string_view text) {
  StaticLayout layout;
  internal::RefuseFor(internal::ParseLayout(text, &layout));
  return layout;
}

// Whether ParseStaticLayout(text) compiles.
constexpr bool IsStaticLayout(absl::string_view text) {
  StaticLayout layout;
  return internal::ParseLayout(text, &layout) == nullptr;
}

namespace internal {

// A node of a layout's tree: the leaves kBegin to kEnd - 1, around which kDepth
// parentheses are open.
template <const StaticLayout& kLayout, int kBegin, int kEnd, int kDepth>
struct StaticNode;

}  // namespace internal

// The function that kLayout describes; an object of it is empty.
template <const StaticLayout& kLayout>
class FixedLayout {
 public:
  static constexpr const StaticLayout& layout() { return kLayout; }

  // With one integer, an index: it is split colexicographically and the last
  // mode takes what is left, so that the layout goes on past its size. With as
  // many arguments as the layout has modes, a coordinate, each part of which is
  // an integer, split likewise, or a std::tuple that goes deeper; a single
  // std::tuple is a coordinate too. Past the size the value is taken modulo
  // 2^64. Precondition: every integer is at least 0.
  template <typename... Coordinates>
  constexpr int64_t operator()(const Coordinates&... coordinates) const {
    using Root = internal::StaticNode<kLayout, 0, kLayout.leaf_count(), 0>;
    if constexpr (sizeof...(coordinates) == 1) {
      return Root::At(coordinates...);
    } else {
      return Root::At(std::tuple<const Coordinates&...>(coordinates...));
    }
  }
};

// Implementation only below.

namespace internal {

// Takes white space and comments off the front, as Cursor (text/cursor.h) does.
constexpr void SkipBlanks(absl::string_view* text) {
  while (!text->empty()) {
    const char first = text->front();
    const char second = text->size() > 1 ? (*text)[1] : '\0';
    if (first == ' ' || first == '\t' || first == '\n' || first == '\r') {
      text->remove_prefix(1);
    } else if (first == '/' && second == '/') {
      while (!text->empty() && text->front() != '\n' && text->front() != '\r') {
        text->remove_prefix(1);
      }
    } else if (first == '/' && second == '*') {
      size_t end = 2;
      while (end + 1 < text->size() &&
             ((*text)[end] != '*' || (*text)[end + 1] != '/')) {
        ++end;
      }
      if (end + 1 >= text->size()) return;
      text->remove_prefix(end + 2);
    } else {
      return;
    }
  }
}

// Takes `c` and the blanks around it off the front.
constexpr bool TakeCharacter(char c, absl::string_view* text) {
  SkipBlanks(text);
  if (text->empty() || text->front() != c) return false;
  text->remove_prefix(1);
  SkipBlanks(text);
  return true;
}

constexpr const char* TakeInteger(absl::string_view* text, int64_t* value) {
  if (!text->empty() && text->front() == '_') text->remove_prefix(1);
  const bool negative = !text->empty() && text->front() == '-';
  if (negative) text->remove_prefix(1);
  if (text->empty() || text->front() < '0' || text->front() > '9') {
    return "expected an integer";
  }
  *value = 0;
  while (!text->empty() && text->front() >= '0' && text->front() <= '9') {
    if (__builtin_mul_overflow(*value, 10, value) ||
        __builtin_add_overflow(*value, text->front() - '0', value)) {
      return "an integer does not fit into 63 bits";
    }
    text->remove_prefix(1);
  }
  if (negative) *value = -*value;
  return nullptr;
}

// Takes an integer or a tuple off the front. The integers become the sizes of
// leaves without a stride.
constexpr const char* TakeTuple(absl::string_view* text,
                                StaticLayout::Leaves* leaves) {
  int depth = 0;
  bool is_separated = false;
  do {
    StaticLayout::Leaf leaf;
    while (TakeCharacter('(', text)) ++depth;
    if (const char* why = TakeInteger(text, &leaf.size)) return why;
    leaf.depth = depth;
    // A comma may stand before each `)`.
    do {
      is_separated = depth > 0 && TakeCharacter(',', text);
    } while (depth > 0 && TakeCharacter(')', text) && depth-- > 0);
    leaf.join = depth;
    if (!leaves->Add(leaf)) return "more than 32 leaves";
  } while (is_separated);
  return depth == 0 ? nullptr : "expected ',' or ')'";
}

constexpr const char* CheckReach(const StaticLayout::Leaves& leaves) {
  int64_t size = 1, cosize = 1;
  for (int i = 0; i < leaves.count; ++i) {
    int64_t span = leaves.leaf[i].stride;
    if (__builtin_mul_overflow(size, leaves.leaf[i].size, &size) ||
        (span < 0 && __builtin_mul_overflow(span, -1, &span)) ||
        __builtin_mul_overflow(span, leaves.leaf[i].size - 1, &span) ||
        __builtin_add_overflow(cosize, span, &cosize)) {
      return "the size or the cosize does not fit into 63 bits";
    }
  }
  return nullptr;
}

constexpr const char* ParseLayout(absl::string_view text,
                                  StaticLayout* layout) {
  StaticLayout::Leaves shapes, strides;
  if (const char* why = TakeTuple(&text, &shapes)) return why;
  if (!TakeCharacter(':', &text)) return "expected ':' after the shape";
  if (const char* why = TakeTuple(&text, &strides)) return why;
  SkipBlanks(&text);
  if (!text.empty()) return "there is more text behind the layout";

  if (shapes.count != strides.count) {
    return "shape and stride differ in their number of integers";
  }
  for (int i = 0; i < shapes.count; ++i) {
    StaticLayout::Leaf& leaf = shapes.leaf[i];
    if (leaf.depth != strides.leaf[i].depth ||
        leaf.join != strides.leaf[i].join) {
      return "shape and stride are nested differently";
    }
    if (leaf.size < 1) return "a size is below 1";
    leaf.stride = strides.leaf[i].size;
  }
  if (const char* why = CheckReach(shapes)) return why;
  *layout = StaticLayout(shapes);
  return nullptr;
}

// The last leaf, plus one, of the mode that begins at `begin` and whose
// siblings are separated by commas of depth `depth`.
constexpr int ModeEnd(const StaticLayout& layout, int begin, int depth) {
  int i = begin;
  while (layout.leaf(i).join > depth) ++i;
  return i + 1;
}

template <const StaticLayout& kLayout, int kBegin, int kEnd, int kDepth>
struct StaticNode {
  static constexpr bool kIsLeaf =
      kBegin + 1 == kEnd && kLayout.leaf(kBegin).depth == kDepth;

  template <typename Coordinate>
  static constexpr int64_t At(const Coordinate& coordinate) {
    if constexpr (std::is_integral<Coordinate>::value) {
      // Unsigned, as division by a power of two is then one shift.
      using Index = std::make_unsigned_t<std::common_type_t<Coordinate, int>>;
      return static_cast<int64_t>(
          AtIndex<kBegin, 0>(static_cast<Index>(coordinate)));
    } else {
      static_assert(!kIsLeaf, "a tuple where the layout has an integer");
      return static_cast<int64_t>(FromMode<kBegin, 0>(coordinate));
    }
  }

 private:
  // Leaves from kLeaf on that go on where the one before them ends are one
  // leaf.
  struct Run {
    int end;
    uint64_t size;
  };
  static constexpr Run RunFrom(int leaf) {
    uint64_t size = kLayout.leaf(leaf).size;
    const uint64_t stride = kLayout.leaf(leaf).stride;
    int end = leaf + 1;
    while (end < kEnd &&
           static_cast<uint64_t>(kLayout.leaf(end).stride) == size * stride) {
      size *= kLayout.leaf(end).size;
      ++end;
    }
    return {end, size};
  }

  // The sum over the leaves from kLeaf on, less index * kOwed. All parts of the
  // index but the last are reduced, which costs a power of two a mask. Any
  // other size leaves its remainder to the next leaf, which multiplies the
  // quotient in any case: x % size * stride is x * stride - x / size * (size *
  // stride). Modulo 2^64, so that no term overflows on the way to a sum that
  // fits.
  template <int kLeaf, uint64_t kOwed, typename Index>
  static constexpr uint64_t AtIndex(Index index) {
    constexpr int kNext = RunFrom(kLeaf).end;
    constexpr uint64_t kSize = RunFrom(kLeaf).size;
    constexpr uint64_t kStride = kLayout.leaf(kLeaf).stride;
    if constexpr (kNext == kEnd || kSize > std::numeric_limits<Index>::max()) {
      return index * (kStride - kOwed);
    } else {
      const Index rest = index / static_cast<Index>(kSize);
      if constexpr ((kSize & (kSize - 1)) == 0) {
        return index % kSize * kStride - index * kOwed +
               AtIndex<kNext, 0>(rest);
      } else {
        return index * (kStride - kOwed) +
               AtIndex<kNext, kSize * kStride>(rest);
      }
    }
  }

  // The sum over the modes from number kMode on, whose leaves begin at kLeaf;
  // modulo 2^64 too.
  template <int kLeaf, size_t kMode, typename Tuple>
  static constexpr uint64_t FromMode(const Tuple& coordinate) {
    constexpr size_t kModes = std::tuple_size<Tuple>::value;
    static_assert((kLeaf < kEnd) == (kMode < kModes),
                  "a coordinate's rank is not that of the layout");
    if constexpr (kLeaf < kEnd && kMode < kModes) {
      constexpr int kModeEnd = ModeEnd(kLayout, kLeaf, kDepth + 1);
      using Mode = StaticNode<kLayout, kLeaf, kModeEnd, kDepth + 1>;
      return static_cast<uint64_t>(Mode::At(std::get<kMode>(coordinate))) +
             FromMode<kModeEnd, kMode + 1>(coordinate);
    } else {
      return 0;
    }
  }
};

}  // namespace internal

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_CONSTEXPR_STATIC_LAYOUT_H_
