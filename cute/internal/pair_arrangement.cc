#include "tessera/cute/internal/pair_arrangement.h"

#include <utility>
#include <vector>

#include "tessera/base/math/status_macros.h"
#include "tessera/cute/internal/by_mode.h"

namespace tessera::cute {
namespace {

// Appends the modes of `layout`, or all of it if there is one: C++ slices with
// `_` for each mode, and a single `_` takes the layout unchanged.
void AppendModes(const Layout& layout, Layout::Builder* builder) {
  if (layout.rank() == 1) {
    builder->Append(layout);
    return;
  }
  for (const Layout& mode : layout.Modes()) builder->Append(mode);
}

// (first, second) with the modes of one or both in place of it.
absl::StatusOr<Layout> Unpack(const Layout& zipped,
                              PairArrangement arrangement) {
  if (arrangement == PairArrangement::kZipped) return zipped;
  const Layout first = zipped.Mode(0);
  const Layout second = zipped.Mode(1);
  const bool unpacks_first = arrangement == PairArrangement::kFlat;
  Layout::Builder builder;
  builder.Tuple((unpacks_first ? first.rank() : 1) + second.rank());
  if (unpacks_first) {
    AppendModes(first, &builder);
  } else {
    builder.Append(first);
  }
  AppendModes(second, &builder);
  return std::move(builder).Build();
}

}  // namespace

absl::StatusOr<Layout> ArrangePairs(
    const Layout& layout, const Tiler& tiler, PairArrangement arrangement,
    UnderscorePlace underscore_place,
    absl::FunctionRef<absl::StatusOr<Layout>(const Layout&, const Layout&)>
        make_pair) {
  if (tiler.is_layout()) {
    absl::StatusOr<Layout> pair = make_pair(layout, tiler.layout());
    if (!pair.ok() || arrangement == PairArrangement::kLogical) return pair;
    return Unpack(*pair, arrangement);
  }
  const bool is_logical = arrangement == PairArrangement::kLogical;
  const absl::Span<const uint32_t> guide = tiler.profile().nodes();
  const auto goes_by_mode = [&](size_t node) { return tiler.GoesByMode(node); };

  // Receives the first halves, or whole pairs; the second halves follow later.
  Layout::Builder builder;
  std::vector<Layout> pairs;
  if (!is_logical) {
    builder.Tuple(2);
    pairs.reserve(guide.size());
  }
  absl::Status status = ForEachMode(
      layout, guide, goes_by_mode,
      is_logical ? RestOfModes::kKept : RestOfModes::kDropped, &builder,
      [&](ProfilePosition position, const Subtree& mode, const ModePath&) {
        if (tiler.IsUnderscore(position)) {
          if (is_logical || underscore_place == UnderscorePlace::kFirst) {
            builder.Append(layout, mode.begin, mode.end);
          } else {
            builder.Append(Layout::Leaf());
          }
          return absl::OkStatus();
        }
        TESSERA_ASSIGN_OR_RETURN(Layout pair,
                                 make_pair(layout.Subtree(mode.begin, mode.end),
                                           tiler.LayoutAt(position)));
        if (is_logical) {
          builder.Append(pair);
          return absl::OkStatus();
        }
        const auto halves = ModePositions(pair.profile());
        builder.Append(pair, halves[0], halves[1]);
        pairs.push_back(std::move(pair));
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  if (is_logical) return std::move(builder).Build();

  size_t next = 0;
  status = ForEachMode(
      layout, guide, goes_by_mode, RestOfModes::kKept, &builder,
      [&](ProfilePosition position, const Subtree& mode, const ModePath&) {
        if (!tiler.IsUnderscore(position)) {
          const Layout& pair = pairs[next++];
          const auto halves = ModePositions(pair.profile());
          builder.Append(pair, halves[1], halves[2]);
        } else if (underscore_place == UnderscorePlace::kSecond) {
          builder.Append(layout, mode.begin, mode.end);
        } else {
          builder.Append(Layout::Leaf());
        }
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  TESSERA_ASSIGN_OR_RETURN(const Layout& zipped, std::move(builder).Build());
  return Unpack(zipped, arrangement);
}

}  // namespace tessera::cute
