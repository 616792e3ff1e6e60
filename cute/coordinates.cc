#include "tessera/cute/coordinates.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/numeric/int128.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::cute {
namespace {

absl::Status NestedOtherwise(const IntTuple& coordinate,
                             const std::string& shape) {
  return InvalidArgumentError("the coordinate ", coordinate.ToString(),
                              " is not nested like ", shape);
}

// Walks the coordinate and the nodes of a shape together; calls
// `leaf(integer, begin, end of the subtree in the shape)`. `shape()` is the
// shape as text, for errors.
template <typename Shape, typename Leaf>
absl::Status WalkCoordinate(const IntTuple& coordinate, const Profile& profile,
                            const Shape& shape, const Leaf& leaf) {
  const Profile::Nodes& nodes = profile.nodes();
  ProfilePosition position;
  size_t next = 0;
  for (const uint32_t node : coordinate.profile().nodes()) {
    if (node != Profile::kLeaf) {
      if (nodes[position.node] != node) {
        return NestedOtherwise(coordinate, shape());
      }
      ++position.node;
      continue;
    }
    const ProfilePosition end = PastSubtree(nodes, position);
    TESSERA_RETURN_IF_ERROR(leaf(coordinate.values()[next++], position, end));
    position = end;
  }
  return absl::OkStatus();
}

// Splits `integer` over the sizes, colexicographically; calls `digit(i,
// value)`.
template <typename SizeOf, typename Digit>
absl::Status SplitInteger(int64_t integer, size_t begin, size_t end,
                          const SizeOf& size_of, const Digit& digit) {
  if (integer == IntTuple::kUnderscore) return absl::OkStatus();
  if (integer < 0) {
    return OutOfRangeError("the coordinate ", integer, " is negative");
  }
  for (size_t i = begin; i < end; ++i) {
    const bool is_last = i + 1 == end;
    digit(i, is_last ? integer : integer % size_of(i));
    integer /= size_of(i);
  }
  return absl::OkStatus();
}

absl::Status TooLarge(const IntTuple& coordinate, const Layout& layout) {
  return OutOfRangeError("the value of ", layout.ToString(), " at ",
                         coordinate.ToString(), " exceeds int64_t");
}

// The coordinate of each leaf of the layout times its stride.
using Contributions = absl::InlinedVector<std::pair<Basis, int64_t>, 8>;

absl::StatusOr<Contributions> ContributionsAt(const IntTuple& coordinate,
                                              const Layout& layout) {
  Contributions contributions(layout.leaves().size());
  bool overflows = false;
  const auto size_of = [&](size_t i) { return layout.leaves()[i].size; };
  TESSERA_RETURN_IF_ERROR(WalkCoordinate(
      coordinate, layout.profile(), [&] { return layout.shape().ToString(); },
      [&](int64_t integer, ProfilePosition begin, ProfilePosition end) {
        return SplitInteger(
            integer, begin.leaf, end.leaf, size_of, [&](size_t i, int64_t x) {
              overflows |= __builtin_mul_overflow(x, layout.leaves()[i].stride,
                                                  &contributions[i].second);
            });
      }));
  if (overflows) return TooLarge(coordinate, layout);
  for (size_t i = 0; i < contributions.size(); ++i) {
    contributions[i].first = layout.leaves()[i].basis;
  }
  return contributions;
}

// Only the result has to fit, whatever the order of the terms.
std::optional<int64_t> Sum(absl::Span<const Contributions::value_type> terms) {
  absl::int128 sum = 0;
  for (const auto& term : terms) sum += term.second;
  const int64_t result = static_cast<int64_t>(sum);
  return result == sum ? std::make_optional(result) : std::nullopt;
}

// Appends the coordinate that the terms add up to. All of them agree in the
// `level` outermost modes of their basis. At most Basis::kMaxDepth deep.
absl::Status AppendCoordinate(Contributions terms, int level,
                              Profile::Nodes* nodes, IntTuple::Values* values) {
  int64_t rank = 0;
  for (const auto& term : terms) {
    if (term.first.depth() > level) {
      rank = std::max(rank, term.first.mode(level) + 1);
    }
  }
  if (rank == 0) {
    const std::optional<int64_t> sum = Sum(terms);
    if (!sum.has_value()) {
      return absl::OutOfRangeError("a part of the value exceeds int64_t");
    }
    nodes->push_back(Profile::kLeaf);
    values->push_back(*sum);
    return absl::OkStatus();
  }
  // A basis element can name far more modes than its text has bytes.
  constexpr size_t kMaxModes = 1 << 20;
  if (nodes->size() + rank > kMaxModes) {
    return ResourceExhaustedError("the coordinate has more than ", kMaxModes,
                                  " modes");
  }
  nodes->push_back(rank);
  for (int64_t mode = 0; mode < rank; ++mode) {
    Contributions within;
    for (const auto& term : terms) {
      if (term.first.depth() > level && term.first.mode(level) == mode) {
        within.push_back(term);
      }
    }
    TESSERA_RETURN_IF_ERROR(
        AppendCoordinate(std::move(within), level + 1, nodes, values));
  }
  return absl::OkStatus();
}

// Returns the size of `shape` at each integer of the coordinate. Precondition:
// these and the total size fit.
absl::StatusOr<std::vector<int64_t>> SizesAt(const IntTuple& coordinate,
                                             const IntTuple& shape) {
  std::vector<int64_t> sizes;
  TESSERA_RETURN_IF_ERROR(WalkCoordinate(
      coordinate, shape.profile(), [&] { return shape.ToString(); },
      [&](int64_t, ProfilePosition begin, ProfilePosition end) {
        sizes.push_back(1);
        for (size_t i = begin.leaf; i < end.leaf; ++i) {
          sizes.back() *= shape.values()[i];
        }
        return absl::OkStatus();
      }));
  return sizes;
}

// The natural coordinate, with each integer split in its place.
absl::StatusOr<IntTuple> SplitOver(const IntTuple& coordinate,
                                   const IntTuple& shape) {
  IntTuple::Values values(shape.values().size(), 0);
  TESSERA_RETURN_IF_ERROR(WalkCoordinate(
      coordinate, shape.profile(), [&] { return shape.ToString(); },
      [&](int64_t integer, ProfilePosition begin, ProfilePosition end) {
        return SplitInteger(
            integer, begin.leaf, end.leaf,
            [&](size_t i) { return shape.values()[i]; },
            [&](size_t i, int64_t x) { values[i] = x; });
      }));
  return IntTuple(shape.profile(), std::move(values));
}

IntTuple ShapeOf(const Layout& layout) { return layout.shape(); }
IntTuple ShapeOf(const IntTuple& tuple) { return tuple; }

absl::StatusOr<Layout> TupleOf(absl::Span<const Layout> modes) {
  return Layout::Concatenate(modes);
}
absl::StatusOr<IntTuple> TupleOf(absl::Span<const IntTuple> modes) {
  return IntTuple::Tuple(modes);
}

// The subtrees of a layout or a tuple for which
// `is_wanted(integer of the coordinate)`.
template <typename T, typename IsWanted>
absl::StatusOr<T> SubtreesAt(const IntTuple& coordinate, const T& value,
                             const IsWanted& is_wanted) {
  if (coordinate.is_integer() && is_wanted(coordinate.value())) return value;
  std::vector<T> wanted;
  TESSERA_RETURN_IF_ERROR(WalkCoordinate(
      coordinate, value.profile(), [&] { return ShapeOf(value).ToString(); },
      [&](int64_t integer, ProfilePosition begin, ProfilePosition end) {
        if (is_wanted(integer)) wanted.push_back(value.Subtree(begin, end));
        return absl::OkStatus();
      }));
  return TupleOf(wanted);
}

}  // namespace

absl::StatusOr<int64_t> Crd2Idx(const IntTuple& coordinate,
                                const Layout& layout) {
  if (layout.has_basis()) {
    return InvalidArgumentError("the values of ", layout.ToString(),
                                " are coordinates, not offsets");
  }
  TESSERA_ASSIGN_OR_RETURN(const Contributions& terms,
                           ContributionsAt(coordinate, layout));
  const std::optional<int64_t> sum = Sum(terms);
  if (!sum.has_value()) return TooLarge(coordinate, layout);
  return *sum;
}

absl::StatusOr<IntTuple> Evaluate(const IntTuple& coordinate,
                                  const Layout& layout) {
  TESSERA_ASSIGN_OR_RETURN(const Contributions& terms,
                           ContributionsAt(coordinate, layout));
  Profile::Nodes nodes;
  IntTuple::Values values;
  TESSERA_RETURN_IF_ERROR(AppendCoordinate(terms, 0, &nodes, &values));
  return IntTuple(Profile(std::move(nodes)), std::move(values));
}

absl::StatusOr<IntTuple> Idx2Crd(int64_t index, const IntTuple& shape) {
  TESSERA_RETURN_IF_ERROR(Size(shape).status());
  if (index < 0) {
    return OutOfRangeError("the coordinate ", index, " is negative");
  }
  IntTuple::Values values(shape.values().size(), 0);
  TESSERA_RETURN_IF_ERROR(SplitInteger(
      index, 0, values.size(), [&](size_t i) { return shape.values()[i]; },
      [&](size_t i, int64_t x) { values[i] = x; }));
  return IntTuple(shape.profile(), std::move(values));
}

absl::StatusOr<IntTuple> Idx2Crd(const IntTuple& coordinate,
                                 const IntTuple& shape) {
  TESSERA_RETURN_IF_ERROR(Size(shape).status());
  return SplitOver(coordinate, shape);
}

absl::StatusOr<IntTuple> Idx2Crd(int64_t offset, const Layout& layout) {
  if (offset < 0) {
    return OutOfRangeError("the offset ", offset, " is negative");
  }
  IntTuple::Values values;
  for (const Layout::Leaf& leaf : layout.leaves()) {
    if (leaf.size == 1) {
      values.push_back(0);
      continue;
    }
    if (leaf.stride < 1 || !leaf.basis.is_none()) {
      return InvalidArgumentError("the mode ", leaf.size, ":", leaf.stride,
                                  leaf.basis.ToString(),
                                  " has no stride of at least 1 to divide by");
    }
    values.push_back(offset / leaf.stride % leaf.size);
  }
  return IntTuple(layout.profile(), std::move(values));
}

absl::StatusOr<IntTuple> Crd2Crd(const IntTuple& coordinate,
                                 const IntTuple& from_shape,
                                 const IntTuple& to_shape) {
  for (const IntTuple* shape : {&from_shape, &to_shape}) {
    TESSERA_RETURN_IF_ERROR(Size(*shape).status());
  }
  TESSERA_ASSIGN_OR_RETURN(const std::vector<int64_t> from_sizes,
                           SizesAt(coordinate, from_shape));
  const auto to_sizes = SizesAt(coordinate, to_shape);
  IntTuple integral = coordinate;
  if (!to_sizes.ok() || from_sizes != *to_sizes) {
    TESSERA_ASSIGN_OR_RETURN(
        integral, Crd2Idx(coordinate, *Layout::ColumnMajor(from_shape)));
  }
  return SplitOver(integral, to_shape);
}

absl::StatusOr<bool> IsWithin(const IntTuple& coordinate,
                              const IntTuple& shape) {
  TESSERA_RETURN_IF_ERROR(Size(shape).status());
  TESSERA_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes,
                           SizesAt(coordinate, shape));
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t integer = coordinate.values()[i];
    if (integer != IntTuple::kUnderscore &&
        (integer < 0 || integer >= sizes[i])) {
      return false;
    }
  }
  return true;
}

absl::StatusOr<bool> ElementwiseLess(const IntTuple& a, const IntTuple& b) {
  std::vector<std::pair<IntTuple, IntTuple>> pairs = {{a, b}};
  bool is_less = true;
  while (!pairs.empty()) {
    const auto [left, right] = std::move(pairs.back());
    pairs.pop_back();
    if (left.is_integer() != right.is_integer()) {
      return InvalidArgumentError(left.ToString(), " and ", right.ToString(),
                                  " are not both integers or both tuples");
    }
    if (left.is_integer()) {
      is_less &= left.value() < right.value();
      continue;
    }
    if (left.rank() > right.rank()) {
      is_less = false;
      continue;
    }
    for (int64_t i = 0; i < left.rank(); ++i) {
      pairs.emplace_back(left.Mode(i), right.Mode(i));
    }
  }
  return is_less;
}

bool ColexicographicallyLess(const IntTuple& a, const IntTuple& b) {
  return std::lexicographical_compare(a.values().rbegin(), a.values().rend(),
                                      b.values().rbegin(), b.values().rend());
}

absl::StatusOr<Layout> Slice(const IntTuple& coordinate, const Layout& layout) {
  return SubtreesAt(coordinate, layout, [](int64_t integer) {
    return integer == IntTuple::kUnderscore;
  });
}

absl::StatusOr<Layout> Dice(const IntTuple& coordinate, const Layout& layout) {
  return SubtreesAt(coordinate, layout, [](int64_t integer) {
    return integer != IntTuple::kUnderscore;
  });
}

absl::StatusOr<IntTuple> Slice(const IntTuple& coordinate,
                               const IntTuple& tuple) {
  return SubtreesAt(coordinate, tuple, [](int64_t integer) {
    return integer == IntTuple::kUnderscore;
  });
}

absl::StatusOr<IntTuple> Dice(const IntTuple& coordinate,
                              const IntTuple& tuple) {
  return SubtreesAt(coordinate, tuple, [](int64_t integer) {
    return integer != IntTuple::kUnderscore;
  });
}

absl::StatusOr<IntTuple> Coshape(const Layout& layout) {
  Contributions reach;
  for (const Layout::Leaf& leaf : layout.leaves()) {
    // Within the cosize, and so without overflow.
    reach.emplace_back(leaf.basis, (leaf.size - 1) * std::abs(leaf.stride));
  }
  Profile::Nodes nodes;
  IntTuple::Values values;
  TESSERA_RETURN_IF_ERROR(AppendCoordinate(reach, 0, &nodes, &values));
  for (int64_t& value : values) {
    if (__builtin_add_overflow(value, 1, &value)) {
      return OutOfRangeError("an extent of the values of ", layout.ToString(),
                             " exceeds 2^63-1");
    }
  }
  return IntTuple(Profile(std::move(nodes)), std::move(values));
}

}  // namespace tessera::cute
