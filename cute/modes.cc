#include "tessera/cute/modes.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/internal/profile.h"

namespace tessera::cute {
namespace {

std::vector<IntTuple> ModesOf(const IntTuple& tuple) { return tuple.Modes(); }

std::vector<Layout> ModesOf(const Layout& layout) {
  const absl::InlinedVector<Layout, 2> modes = layout.Modes();
  return std::vector<Layout>(modes.begin(), modes.end());
}

absl::StatusOr<IntTuple> TupleOf(const std::vector<IntTuple>& modes) {
  return IntTuple::Tuple(modes);
}

absl::StatusOr<Layout> TupleOf(const std::vector<Layout>& modes) {
  return Layout::Concatenate(modes);
}

template <typename T>
absl::Status CheckRange(const T& value, int64_t begin, int64_t end) {
  if (0 <= begin && begin <= end && end <= value.rank()) {
    return absl::OkStatus();
  }
  return OutOfRangeError("modes [", begin, ", ", end, ") are not in the rank ",
                         value.rank(), " of ", value.ToString());
}

absl::Status CheckNotEmpty(int64_t begin, int64_t end) {
  if (begin != end) return absl::OkStatus();
  return InvalidArgumentError("modes [", begin, ", ", end, ") are empty");
}

template <typename T>
absl::Status CheckMode(const T& value, int64_t i) {
  if (0 <= i && i < value.rank()) return absl::OkStatus();
  return OutOfRangeError("mode ", i, " is outside [0, ", value.rank(),
                         "), the modes of ", value.ToString());
}

template <typename T>
absl::StatusOr<T> TakeModes(const T& value, int64_t begin, int64_t end) {
  TESSERA_RETURN_IF_ERROR(CheckRange(value, begin, end));
  const std::vector<T> modes = ModesOf(value);
  return TupleOf(std::vector<T>(modes.begin() + begin, modes.begin() + end));
}

template <typename T>
absl::StatusOr<T> SelectModes(const T& value,
                              absl::Span<const int64_t> numbers) {
  const std::vector<T> modes = ModesOf(value);
  std::vector<T> selected;
  for (const int64_t i : numbers) {
    TESSERA_RETURN_IF_ERROR(CheckMode(value, i));
    selected.push_back(modes[i]);
  }
  return TupleOf(selected);
}

template <typename T>
absl::StatusOr<T> GroupModes(const T& value, int64_t begin, int64_t end) {
  TESSERA_ASSIGN_OR_RETURN(T group, TakeModes(value, begin, end));
  std::vector<T> modes = ModesOf(value);
  modes.erase(modes.begin() + begin, modes.begin() + end);
  modes.insert(modes.begin() + begin, std::move(group));
  return TupleOf(modes);
}

template <typename T>
absl::StatusOr<T> ReplaceMode(const T& value, int64_t i, const T& mode) {
  TESSERA_RETURN_IF_ERROR(CheckMode(value, i));
  std::vector<T> modes = ModesOf(value);
  modes[i] = mode;
  return TupleOf(modes);
}

template <typename T>
std::vector<T> With(const T& value, bool at_end, const T& mode) {
  std::vector<T> modes = ModesOf(value);
  modes.insert(at_end ? modes.end() : modes.begin(), mode);
  return modes;
}

absl::StatusOr<Layout> FillToRank(const Layout& layout, int64_t rank,
                                  bool at_end, const Layout& mode) {
  constexpr int64_t kMaxRank = 1 << 20;
  if (rank == layout.rank()) return layout;
  if (rank < layout.rank()) {
    return InvalidArgumentError(layout.ToString(),
                                " has more modes than the rank ", rank);
  }
  if (rank > kMaxRank) {
    return ResourceExhaustedError("the rank ", rank, " is more than ",
                                  kMaxRank);
  }
  Layout::Builder builder;
  builder.Tuple(rank);
  const auto fill = [&] {
    for (int64_t i = layout.rank(); i < rank; ++i) builder.Append(mode);
  };
  if (!at_end) fill();
  const auto positions = ModePositions(layout.profile());
  builder.Append(layout, positions.front(), positions.back());
  if (at_end) fill();
  return std::move(builder).Build();
}

}  // namespace

absl::StatusOr<IntTuple> Take(const IntTuple& tuple, int64_t begin,
                              int64_t end) {
  TESSERA_RETURN_IF_ERROR(CheckNotEmpty(begin, end));
  return TakeModes(tuple, begin, end);
}
absl::StatusOr<Layout> Take(const Layout& layout, int64_t begin, int64_t end) {
  TESSERA_RETURN_IF_ERROR(CheckNotEmpty(begin, end));
  return TakeModes(layout, begin, end);
}

absl::StatusOr<IntTuple> Select(const IntTuple& tuple,
                                absl::Span<const int64_t> modes) {
  return SelectModes(tuple, modes);
}
absl::StatusOr<Layout> Select(const Layout& layout,
                              absl::Span<const int64_t> modes) {
  return SelectModes(layout, modes);
}

absl::StatusOr<IntTuple> Group(const IntTuple& tuple, int64_t begin,
                               int64_t end) {
  return GroupModes(tuple, begin, end);
}
absl::StatusOr<Layout> Group(const Layout& layout, int64_t begin, int64_t end) {
  return GroupModes(layout, begin, end);
}

IntTuple Append(const IntTuple& tuple, const IntTuple& mode) {
  return IntTuple::Tuple(With(tuple, /*at_end=*/true, mode));
}
absl::StatusOr<Layout> Append(const Layout& layout, const Layout& mode) {
  return TupleOf(With(layout, /*at_end=*/true, mode));
}
IntTuple Prepend(const IntTuple& tuple, const IntTuple& mode) {
  return IntTuple::Tuple(With(tuple, /*at_end=*/false, mode));
}
absl::StatusOr<Layout> Prepend(const Layout& layout, const Layout& mode) {
  return TupleOf(With(layout, /*at_end=*/false, mode));
}

absl::StatusOr<Layout> AppendToRank(const Layout& layout, int64_t rank,
                                    const Layout& mode) {
  return FillToRank(layout, rank, /*at_end=*/true, mode);
}
absl::StatusOr<Layout> PrependToRank(const Layout& layout, int64_t rank,
                                     const Layout& mode) {
  return FillToRank(layout, rank, /*at_end=*/false, mode);
}

absl::StatusOr<IntTuple> Replace(const IntTuple& tuple, int64_t i,
                                 const IntTuple& mode) {
  return ReplaceMode(tuple, i, mode);
}
absl::StatusOr<Layout> Replace(const Layout& layout, int64_t i,
                               const Layout& mode) {
  return ReplaceMode(layout, i, mode);
}

Layout Flatten(const Layout& layout) {
  if (layout.profile().is_leaf()) return layout;
  Layout::Builder builder;
  builder.Tuple(layout.leaves().size());
  for (const Layout::Leaf& leaf : layout.leaves()) builder.Append(leaf);
  // The same leaves in another nesting.
  return *std::move(builder).Build();
}

absl::StatusOr<Layout> Unflatten(const Layout& layout, const Profile& profile) {
  const size_t leaf_count = profile.leaf_count();
  if (leaf_count != layout.leaves().size()) {
    return InvalidArgumentError(layout.ToString(), " has ",
                                layout.leaves().size(), " leaves, the profile ",
                                leaf_count);
  }
  Layout::Builder builder;
  size_t leaf = 0;
  for (const uint32_t node : profile.nodes()) {
    if (node == Profile::kLeaf) {
      builder.Append(layout.leaves()[leaf++]);
    } else {
      builder.Tuple(node);
    }
  }
  return std::move(builder).Build();
}

}  // namespace tessera::cute
