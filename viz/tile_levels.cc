#include "tessera/viz/tile_levels.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"

namespace tessera {
namespace {

constexpr int kTileRows = 0;
constexpr int kTileColumns = 1;

// Returns the extent of a tile along the whole axis.
int64_t Span(const CellAxis& axis) { return axis.count() + axis.phase(); }

struct AxisDigit {
  int axis = kTileRows;
  CellAxis::Digit digit;
};

// The reach of the minor-most digits of an axis that have been seen.
class Reach {
 public:
  explicit Reach(absl::Span<const CellAxis::Digit> digits)
      : digits_(digits), seen_(digits.size()) {}

  void Add(const CellAxis::Digit& digit) {
    for (size_t i = 0; i < digits_.size(); ++i) {
      if (digits_[i].weight == digit.weight) seen_[i] = true;
    }
  }

  // Returns whether only the minor-most digits have been seen.
  bool IsBox() const { return std::is_sorted(seen_.rbegin(), seen_.rend()); }

  int64_t extent(int64_t span) const {
    for (size_t i = 0; i < digits_.size(); ++i) {
      if (!seen_[i]) return digits_[i].weight;
    }
    return span;
  }

 private:
  absl::Span<const CellAxis::Digit> digits_;
  std::vector<bool> seen_;
};

// Innermost first.
std::vector<TileLevel> LevelsInOrder(const std::vector<AxisDigit>& digits,
                                     int minor_axis, const CellAxis& rows,
                                     const CellAxis& columns) {
  std::array<Reach, 2> reach = {Reach(rows.digits()), Reach(columns.digits())};
  std::vector<TileLevel> levels;
  int last = -1;  // how far out the digit before lies in its group
  for (const AxisDigit& next : digits) {
    const int place = next.axis == minor_axis ? 0 : 1;
    if (place <= last && reach[kTileRows].IsBox() &&
        reach[kTileColumns].IsBox()) {
      levels.push_back({reach[kTileRows].extent(Span(rows)),
                        reach[kTileColumns].extent(Span(columns))});
    }
    last = place;
    reach[next.axis].Add(next.digit);
  }
  return levels;
}

// Innermost first.
std::vector<TileLevel> LevelsByDigits(const CellAxis& rows,
                                      const CellAxis& columns) {
  std::vector<TileLevel> levels;
  // Never less than the smallest tile along an axis, because its single cells
  // are not tiles.
  auto cut = [](const CellAxis& axis, size_t from_outermost) {
    const size_t size = axis.digits().size();
    if (size < 2) return Span(axis);
    return axis.digits()[size - 1 - std::min(from_outermost, size - 2)].weight;
  };
  for (int i = kMaxTileLevels; i-- > 0;) {
    levels.push_back({cut(rows, i), cut(columns, i)});
  }
  return levels;
}

}  // namespace

std::string ToString(const TileLevel& level) {
  return absl::StrCat(level.rows, " x ", level.columns);
}

void TidyLevels(const CellAxis& rows, const CellAxis& columns,
                std::vector<TileLevel>* levels) {
  std::vector<TileLevel> tidy;
  for (TileLevel level : *levels) {
    level.rows = std::min(level.rows, Span(rows));
    level.columns = std::min(level.columns, Span(columns));
    const bool is_all =
        level.rows == Span(rows) && level.columns == Span(columns);
    const bool is_cell = level.rows <= 1 && level.columns <= 1;
    if (is_all || is_cell || (!tidy.empty() && tidy.back() == level)) continue;
    if (tidy.size() < size_t{kMaxTileLevels}) tidy.push_back(level);
  }
  *levels = std::move(tidy);
}

std::vector<TileLevel> LevelsByMemoryOrder(const CellAxis& rows,
                                           const CellAxis& columns) {
  std::vector<AxisDigit> digits;
  for (const CellAxis::Digit& digit : rows.digits()) {
    if (digit.radix > 1) digits.push_back({kTileRows, digit});
  }
  for (const CellAxis::Digit& digit : columns.digits()) {
    if (digit.radix > 1) digits.push_back({kTileColumns, digit});
  }
  std::sort(digits.begin(), digits.end(),
            [](const AxisDigit& a, const AxisDigit& b) {
              return std::make_tuple(a.digit.stride, a.axis, a.digit.weight) <
                     std::make_tuple(b.digit.stride, b.axis, b.digit.weight);
            });
  std::vector<TileLevel> levels =
      LevelsInOrder(digits, kTileColumns, rows, columns);
  const std::vector<TileLevel> other =
      LevelsInOrder(digits, kTileRows, rows, columns);
  if (other.size() < levels.size()) levels = other;
  std::reverse(levels.begin(), levels.end());
  TidyLevels(rows, columns, &levels);
  if (!levels.empty()) return levels;
  levels = LevelsByDigits(rows, columns);
  std::reverse(levels.begin(), levels.end());
  TidyLevels(rows, columns, &levels);
  return levels;
}

}  // namespace tessera
