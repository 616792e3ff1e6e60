// CuTe's IntTuple: an integer, or a tuple of int tuples. Shapes, strides,
// coordinates and orders are int tuples.
//
//   IntTuple shape = {2, {1, 6}};     // (2,(1,6))
//   shape.ToString();                 // "(2,(1,6))"
//   shape.rank();                     // 2
//   shape.depth();                    // 2
//   *Size(shape);                     // 12
//   IntTuple(4).ToString();           // "4": an integer, of depth 0
//   IntTuple({4}).ToString();         // "(4)": a tuple of one, of depth 1
//   Congruent(shape, {7, {7, 7}});    // true: nested alike
//   Compatible(IntTuple(12), shape);  // true: each coordinate in
//                                     // 12 is one in (2,(1,6))
//
// The leaves are stored in one array and the nesting in another
// (cute/internal/profile.h): a tuple of up to eight leaves is copied without
// allocation, and nothing recurses. Terms are those of CUTLASS's documentation
// (01_layout.md and 02_layout_algebra.md).

#ifndef TESSERA_CUTE_INT_TUPLE_H_
#define TESSERA_CUTE_INT_TUPLE_H_

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/base/text/value_type.h"
#include "tessera/cute/internal/profile.h"
#include "tessera/cute/text_form.h"

namespace tessera::cute {

class IntTuple {
 public:
  using Values = absl::InlinedVector<int64_t, 8>;

  // The value of a leaf written `_`: an open coordinate, or a mode that a tiler
  // leaves unchanged.
  static constexpr int64_t kUnderscore = std::numeric_limits<int64_t>::min();

  // Creates the integer 0.
  IntTuple() : values_(1, 0) {}
  // Creates an integer. Not explicit, so that tuples can be written as in the
  // example.
  IntTuple(int64_t value) : values_(1, value) {}  // NOLINT
  IntTuple(int value) : values_(1, value) {}      // NOLINT
  // Creates a tuple; `{4}` is a tuple of one. `{}` is the integer 0, as in C++;
  // the empty tuple is Tuple({}).
  IntTuple(std::initializer_list<IntTuple> modes)
      : IntTuple(Tuple(absl::MakeConstSpan(modes.begin(), modes.size()))) {}
  static IntTuple Tuple(absl::Span<const IntTuple> modes);
  // Creates an integer from one value, else a flat tuple.
  static IntTuple Flat(absl::Span<const int64_t> values);
  // Precondition: there is one value for each leaf of `profile`.
  IntTuple(Profile profile, Values values)
      : profile_(std::move(profile)), values_(std::move(values)) {}

  const Profile& profile() const { return profile_; }
  // The leaves from left to right.
  absl::Span<const int64_t> values() const { return values_; }

  bool is_integer() const { return profile_.is_leaf(); }
  // Precondition: is_integer().
  int64_t value() const { return values_[0]; }

  // The number of top-level modes; 1 for an integer, as in CuTe.
  int64_t rank() const { return profile_.rank(); }
  // 0 for an integer, 1 for a flat tuple.
  int64_t depth() const { return profile_.depth(); }

  // Mode `i`; an integer is its own mode 0. Precondition: 0 <= i < rank().
  IntTuple Mode(int64_t i) const;
  // All modes.
  std::vector<IntTuple> Modes() const;
  // The subtree between two places of profile(), a whole tree.
  IntTuple Subtree(ProfilePosition begin, ProfilePosition end) const;

  // "(2,(1,6))", with `_` for kUnderscore.
  std::string ToString(const TextForm& form = {}) const;

  friend bool operator==(const IntTuple& a, const IntTuple& b) {
    return a.values_ == b.values_ && a.profile_ == b.profile_;
  }
  friend bool operator!=(const IntTuple& a, const IntTuple& b) {
    return !(a == b);
  }
  template <typename H>
  friend H AbslHashValue(H h, const IntTuple& tuple) {
    return H::combine(std::move(h), tuple.profile_, tuple.values_);
  }

 private:
  Profile profile_;
  Values values_;
};

// Returns the product of the leaves, 1 for `()`.
// Errors: kOutOfRange if it exceeds 2^63-1, kInvalidArgument if a leaf is less
// than 1.
absl::StatusOr<int64_t> Size(const IntTuple& shape);

// Returns whether `a` and `b` have the same nesting.
bool Congruent(const IntTuple& a, const IntTuple& b);

// Returns whether the nesting of `b` refines that of `a`: wherever `a` has a
// tuple, `b` has one of the same rank. A partial order.
bool WeaklyCongruent(const IntTuple& a, const IntTuple& b);

// Returns whether every coordinate in the shape `a` is one in the shape `b`:
// each leaf of `a` is the size of the part of `b` in its place. A partial
// order: 24 is compatible with (24) and with (4,6), but neither of these is
// compatible with 24.
bool Compatible(const IntTuple& a, const IntTuple& b);

// Returns the leaves of `tuple` as a flat tuple; an integer stays an integer.
IntTuple Flatten(const IntTuple& tuple);

// Returns the leaves of `tuple`, nested like `profile`. Law:
// Flatten(Unflatten(t, p)) == Flatten(t). Errors: kInvalidArgument if they
// differ in number.
absl::StatusOr<IntTuple> Unflatten(const IntTuple& tuple,
                                   const Profile& profile);

}  // namespace tessera::cute

TESSERA_DECLARE_VALUE(tessera::cute, IntTuple);

#endif  // TESSERA_CUTE_INT_TUPLE_H_
