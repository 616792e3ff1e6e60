#include "tessera/cute/coordinates.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/numeric/int128.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tessera/base/math/status_macros.h"

namespace tessera {
namespace cute {
namespace {

absl::Status NestedOtherwise(const IntTuple& coordinate,
                             const std::string& shape) {
  return absl::InvalidArgumentError(absl::StrCat(
      "the coordinate ", coordinate.ToString(), " is not nested as ", shape));
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
    return absl::OutOfRangeError(
        absl::StrCat("the coordinate ", integer, " is negative"));
  }
  for (size_t i = begin; i < end; ++i) {
    const bool is_last = i + 1 == end;
    digit(i, is_last ? integer : integer % size_of(i));
    integer /= size_of(i);
  }
  return absl::OkStatus();
}

absl::Status TooLarge(const IntTuple& coordinate, const Layout& layout) {
  return absl::OutOfRangeError(absl::StrCat("the value of ", layout.ToString(),
                                            " at ", coordinate.ToString(),
                                            " exceeds int64_t"));
}

// What each leaf of the layout counts, times its stride.
using Contributions = absl::InlinedVector<std::pair<Basis, int64_t>, 8>;

absl::StatusOr<Contributions> ContributionsAt(const IntTuple& coordinate,
                                              const Layout& layout) {
  Contributions contributions(layout.leaves().size());
  bool overflows = false;
  const auto size_of = [&](size_t i) { return layout.leaves()[i].size; };
  absl::Status status = WalkCoordinate(
      coordinate, layout.profile(), [&] { return layout.shape().ToString(); },
      [&](int64_t integer, ProfilePosition begin, ProfilePosition end) {
        return SplitInteger(
            integer, begin.leaf, end.leaf, size_of, [&](size_t i, int64_t x) {
              overflows |= __builtin_mul_overflow(x, layout.leaves()[i].stride,
                                                  &contributions[i].second);
            });
      });
  if (!status.ok()) return status;
  if (overflows) return TooLarge(coordinate, layout);
  for (size_t i = 0; i < contributions.size(); ++i) {
    contributions[i].first = layout.leaves()[i].basis;
  }
  return contributions;
}

// Only what comes out has to fit, whatever the order of the terms.
std::optional<int64_t> Sum(absl::Span<const Contributions::value_type> terms) {
  absl::int128 sum = 0;
  for (const auto& term : terms) sum += term.second;
  const int64_t result = static_cast<int64_t>(sum);
  return result == sum ? std::make_optional(result) : std::nullopt;
}

// Appends the coordinate that terms count, all of which agree in the `level`
// outermost modes of their basis. At most Basis::kMaxDepth deep.
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
  // A basis element can name far more modes than the text of it has bytes.
  constexpr size_t kMaxModes = 1 << 20;
  if (nodes->size() + rank > kMaxModes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the coordinate has more than ", kMaxModes, " modes"));
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

// The size that `shape` has at each integer of the coordinate. Precondition:
// they and the whole fit.
absl::StatusOr<std::vector<int64_t>> SizesAt(const IntTuple& coordinate,
                                             const IntTuple& shape) {
  std::vector<int64_t> sizes;
  absl::Status status = WalkCoordinate(
      coordinate, shape.profile(), [&] { return shape.ToString(); },
      [&](int64_t, ProfilePosition begin, ProfilePosition end) {
        sizes.push_back(1);
        for (size_t i = begin.leaf; i < end.leaf; ++i) {
          sizes.back() *= shape.values()[i];
        }
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  return sizes;
}

// The subtrees of the layout for which `is_wanted(integer of the coordinate)`.
template <typename IsWanted>
absl::StatusOr<Layout> SubtreesAt(const IntTuple& coordinate,
                                  const Layout& layout,
                                  const IsWanted& is_wanted) {
  if (coordinate.is_integer() && is_wanted(coordinate.value())) return layout;
  std::vector<Layout> wanted;
  absl::Status status = WalkCoordinate(
      coordinate, layout.profile(), [&] { return layout.shape().ToString(); },
      [&](int64_t integer, ProfilePosition begin, ProfilePosition end) {
        if (is_wanted(integer)) wanted.push_back(layout.Subtree(begin, end));
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  return Layout::Concatenate(wanted);
}

}  // namespace

absl::StatusOr<int64_t> Crd2Idx(const IntTuple& coordinate,
                                const Layout& layout) {
  if (layout.has_basis()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the values of ", layout.ToString(), " are coordinates, not offsets"));
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
    return absl::OutOfRangeError(
        absl::StrCat("the coordinate ", index, " is negative"));
  }
  IntTuple::Values values(shape.values().size(), 0);
  absl::Status status = SplitInteger(
      index, 0, values.size(), [&](size_t i) { return shape.values()[i]; },
      [&](size_t i, int64_t x) { values[i] = x; });
  if (!status.ok()) return status;
  return IntTuple(shape.profile(), std::move(values));
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
  IntTuple::Values values(to_shape.values().size(), 0);
  absl::Status status = WalkCoordinate(
      integral, to_shape.profile(), [&] { return to_shape.ToString(); },
      [&](int64_t integer, ProfilePosition begin, ProfilePosition end) {
        return SplitInteger(
            integer, begin.leaf, end.leaf,
            [&](size_t i) { return to_shape.values()[i]; },
            [&](size_t i, int64_t x) { values[i] = x; });
      });
  if (!status.ok()) return status;
  return IntTuple(to_shape.profile(), std::move(values));
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

}  // namespace cute
}  // namespace tessera
