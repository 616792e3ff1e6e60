// The digits that order the walk are in a list. The first ones are levels,
// which are stepped through like an odometer; the last ones are in tables.
//
// If each dimension's digits are in order of decreasing divisor, the first
// digits leave an interval of coordinates to the others. A level therefore only
// needs to know whether its dimension is still at the first or the last
// coordinate of the slice so far, which limits its first or last value. A value
// without elements below it is never chosen. The digits in tables may be in any
// order, because the combinations of a table are filtered once. The tables see
// a dimension as one of up to three intervals: at the first side of the slice,
// at its last side, or in between.

#include "tessera/index_map/slice_positions.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/index_map/dimension_digits.h"

namespace tessera {
namespace {

// The largest number of combinations of digits in tables: they stay in the
// first-level cache, together with their output.
constexpr int64_t kMaxCombinations = 1024;
// The largest number of entries of all tables.
constexpr int64_t kMaxEntries = int64_t{1} << 14;

absl::InlinedVector<int64_t, 6> FirstIndex(const IndexMap& map) {
  return absl::InlinedVector<int64_t, 6>(map.rank(), 0);
}

// Writes origin + offsets[i], for every i below `count`.
void AddTo(int64_t origin, const int64_t* __restrict offsets, size_t count,
           int64_t* __restrict to) {
  for (size_t i = 0; i < count; ++i) to[i] = origin + offsets[i];
}

}  // namespace

// -- Preparing ---------------------------------------------------------------

SlicePositions::SlicePositions(const IndexMap& map,
                               absl::Span<const int64_t> start,
                               absl::Span<const int64_t> limit, Order order)
    : map_(&map),
      order_(order),
      start_(start.begin(), start.end()),
      limit_(limit.begin(), limit.end()),
      index_(start_) {
  remaining_ = 1;
  for (size_t i = 0; i < start.size(); ++i) {
    if (start[i] == limit[i]) remaining_ = 0;
  }
  if (remaining_ == 0) return;
  for (size_t i = 0; i < start.size(); ++i) remaining_ *= limit[i] - start[i];
  if (PrepareTables()) return;
  index_ = start_;
  if (order == Order::kLogical) {
    walk_ = Walk::kIndices;
  } else {
    walk_ = Walk::kBlocks;
    blocks_.emplace(map, start, limit, ElementBlocks::Order::kRising);
  }
}

absl::StatusOr<SlicePositions> SlicePositions::Create(
    const IndexMap& map, absl::Span<const int64_t> start,
    absl::Span<const int64_t> limit, Order order) {
  absl::Status status = CheckSlice(map, start, limit);
  if (status.ok() && order == Order::kMemory) status = CheckHasInverse(map);
  if (!status.ok()) return status;
  return SlicePositions(map, start, limit, order);
}

absl::StatusOr<SlicePositions> SlicePositions::Create(const IndexMap& map,
                                                      Order order) {
  return Create(map, FirstIndex(map), map.bounds(), order);
}

std::optional<SlicePositions::Digits> SlicePositions::DigitsInOrder() const {
  const size_t rank = start_.size();
  Digits digits;
  if (order_ == Order::kLogical) {
    for (const IndexMap::Term& term : map_->terms()) {
      if (static_cast<size_t>(term.source) >= rank) return std::nullopt;
    }
    for (size_t i = 0; i < rank; ++i) {
      const std::optional<DimensionDigits> rising =
          DigitsOfDimension(*map_, static_cast<int64_t>(i));
      if (!rising.has_value()) return std::nullopt;
      for (size_t j = rising->size(); j-- > 0;) {
        const DimensionDigit& digit = (*rising)[j];
        const bool is_top = j + 1 == rising->size();
        digits.push_back({i, digit.divisor,
                          is_top ? map_->bounds()[i]
                                 : (*rising)[j + 1].divisor / digit.divisor,
                          digit.stride, is_top});
      }
    }
    return digits;
  }
  if (map_->is_swizzled()) return std::nullopt;
  for (const IndexMap::Digit& digit : map_->digits()) {
    const IndexMap::Source& source = map_->sources()[digit.source];
    const size_t dimension = static_cast<size_t>(digit.source);
    const bool is_zero =
        dimension >= rank && source.pieces.empty() && source.offset == 0;
    if (is_zero) continue;
    if (dimension >= rank || digit.repeats || digit.stride < 0) {
      return std::nullopt;
    }
    digits.push_back(
        {dimension, digit.divisor, digit.modulus, digit.stride, false});
  }
  return digits;
}

void SlicePositions::CutToSlice(Digits* digits) {
  const size_t rank = start_.size();
  for (size_t i = 0; i < rank; ++i) {
    first_.push_back(start_[i]);
    last_.push_back(limit_[i] - 1);
    index_[i] = 0;
    while (true) {
      Digit* top = nullptr;
      for (Digit& digit : *digits) {
        if (digit.dimension == i && digit.modulus > 1 &&
            (top == nullptr || digit.divisor > top->divisor)) {
          top = &digit;
        }
      }
      if (top == nullptr) break;
      const int64_t skipped = first_[i] / top->divisor;
      top->modulus = last_[i] / top->divisor - skipped + 1;
      top->is_top = true;
      base_ += skipped * top->stride;
      index_[i] += skipped * top->divisor;
      first_[i] -= skipped * top->divisor;
      last_[i] -= skipped * top->divisor;
      if (top->modulus > 1) break;
    }
  }
  digits->erase(std::remove_if(digits->begin(), digits->end(),
                               [](const Digit& d) { return d.modulus == 1; }),
                digits->end());
}

size_t SlicePositions::ChooseLevels(Digits* digits) {
  size_t levels = digits->size();
  int64_t room = kMaxCombinations;
  while (levels > 0 && (*digits)[levels - 1].modulus <= room) {
    room /= (*digits)[--levels].modulus;
  }
  if (levels == 0) return levels;
  Digit& cut = (*digits)[levels - 1];
  int64_t part = room;
  if (cut.is_top) {
    part = CeilOfRatio(cut.modulus, CeilOfRatio(cut.modulus, room));
  } else {
    while (cut.modulus % part != 0) --part;
  }
  if (part == 1) return levels;
  Digit minor = cut;
  minor.modulus = part;
  minor.is_top = false;
  cut.modulus = CeilOfRatio(cut.modulus, part);
  cut.divisor *= part;
  cut.stride *= part;
  digits->insert(digits->begin() + static_cast<int64_t>(levels), minor);
  return levels;
}

bool SlicePositions::HasFallingDivisors(const Digits& digits, size_t levels) {
  for (size_t i = 0; i < levels; ++i) {
    for (size_t j = i + 1; j < digits.size(); ++j) {
      if (digits[i].dimension == digits[j].dimension &&
          digits[i].divisor < digits[j].divisor) {
        return false;
      }
    }
  }
  return true;
}

bool SlicePositions::PrepareTables(const Digits& digits, size_t levels) {
  const size_t rank = start_.size();
  absl::InlinedVector<int, 6> last_level(rank, -1);
  absl::InlinedVector<int64_t, 6> counted(rank, 1);
  levels_.clear();
  for (size_t i = 0; i < levels; ++i) {
    const Digit& digit = digits[i];
    const int64_t first = first_[digit.dimension] / digit.divisor;
    const int64_t last = last_[digit.dimension] / digit.divisor;
    levels_.push_back({digit.dimension, digit.divisor, digit.modulus,
                       digit.stride, first % digit.modulus,
                       last % digit.modulus, last_level[digit.dimension]});
    last_level[digit.dimension] = static_cast<int>(i);
  }
  tabled_digits_.assign(digits.begin() + static_cast<int64_t>(levels),
                        digits.end());
  for (const Digit& digit : tabled_digits_) {
    counted[digit.dimension] *= digit.modulus;
  }

  tabled_.clear();
  int64_t entries = 1, tables = 1;
  for (size_t i = 0; i < rank; ++i) {
    if (counted[i] == 1) continue;
    Tabled tabled;
    tabled.dimension = i;
    tabled.parent = last_level[i];
    const Part whole = {0, counted[i] - 1};
    if (tabled.parent < 0) {
      tabled.parts.push_back({first_[i], last_[i]});
    } else {
      tabled.parts.push_back(whole);
      const Part first_part = {first_[i] % counted[i], whole.high};
      const Part last_part = {0, last_[i] % counted[i]};
      tabled.has_first_part = first_part.low > 0;
      tabled.has_last_part = last_part.high < whole.high;
      if (tabled.has_first_part) tabled.parts.push_back(first_part);
      if (tabled.has_last_part) tabled.parts.push_back(last_part);
    }
    int64_t size = 0;
    for (const Part& part : tabled.parts) size += part.high - part.low + 1;
    entries *= size;
    if (entries > kMaxEntries) return false;
    tables *= static_cast<int64_t>(tabled.parts.size());
    tabled_.push_back(std::move(tabled));
  }
  // Without a digit in a table, the table has one entry, 0.
  tables_.resize(static_cast<size_t>(tables));
  offsets_.reserve(static_cast<size_t>(entries));
  tabled_coordinates_.resize(tabled_.size());
  for (std::vector<int64_t>& coordinates : tabled_coordinates_) {
    coordinates.reserve(static_cast<size_t>(entries));
  }
  return true;
}

bool SlicePositions::PrepareTables() {
  std::optional<Digits> digits = DigitsInOrder();
  if (!digits.has_value()) return false;
  base_ = order_ == Order::kMemory
              ? map_->base()
              : map_->swizzle().Apply(
                    map_->LinearIndexUnchecked(FirstIndex(*map_)));
  CutToSlice(&*digits);
  size_t levels = ChooseLevels(&*digits);
  if (!HasFallingDivisors(*digits, levels)) return false;
  while (!PrepareTables(*digits, levels)) {
    ++levels;
    if (!HasFallingDivisors(*digits, levels)) return false;
  }
  return true;
}

// -- By tables ---------------------------------------------------------------

void SlicePositions::ResetLevel(size_t number) {
  Level& level = levels_[number];
  const uint8_t sides = level.parent < 0
                            ? uint8_t{kFirstSide | kLastSide}
                            : levels_[static_cast<size_t>(level.parent)].sides;
  const int64_t value = (sides & kFirstSide) != 0 ? level.first : 0;
  level.high = (sides & kLastSide) != 0 ? level.last : level.modulus - 1;
  base_ += (value - level.value) * level.stride;
  index_[level.dimension] += (value - level.value) * level.divisor;
  level.value = value;
  level.sides = sides;
  if (value != level.last) level.sides &= ~kLastSide;
}

void SlicePositions::Step() {
  size_t number = levels_.size() - 1;
  while (levels_[number].value == levels_[number].high) --number;
  Level& level = levels_[number];
  ++level.value;
  base_ += level.stride;
  index_[level.dimension] += level.divisor;
  const bool may_be_last =
      level.parent < 0 ||
      (levels_[static_cast<size_t>(level.parent)].sides & kLastSide) != 0;
  level.sides = may_be_last && level.value == level.last ? kLastSide : 0;
  while (++number < levels_.size()) ResetLevel(number);
}

void SlicePositions::AppendToTable(size_t number, int64_t offset,
                                   absl::Span<const Part> parts) {
  if (number == tabled_digits_.size()) {
    offsets_.push_back(offset);
    for (size_t i = 0; i < tabled_.size(); ++i) {
      tabled_coordinates_[i].push_back(partial_[i]);
    }
    return;
  }
  const Digit& digit = tabled_digits_[number];
  size_t place = 0;
  while (tabled_[place].dimension != digit.dimension) ++place;
  int64_t rest = 0;  // the largest sum of the digits after it
  for (size_t i = number + 1; i < tabled_digits_.size(); ++i) {
    const Digit& later = tabled_digits_[i];
    if (later.dimension == digit.dimension) {
      rest += (later.modulus - 1) * later.divisor;
    }
  }
  const int64_t so_far = partial_[place];
  const int64_t missing = parts[place].low - rest - so_far;
  const int64_t low = missing > 0 ? CeilOfRatio(missing, digit.divisor) : 0;
  const int64_t high =
      std::min(digit.modulus - 1, (parts[place].high - so_far) / digit.divisor);
  for (int64_t value = low; value <= high; ++value) {
    partial_[place] = so_far + value * digit.divisor;
    AppendToTable(number + 1, offset + value * digit.stride, parts);
  }
  partial_[place] = so_far;
}

void SlicePositions::ChooseTable() {
  absl::InlinedVector<Part, 10> parts;
  size_t number = 0;
  for (const Tabled& tabled : tabled_) {
    const size_t part =
        tabled.parent < 0
            ? 0
            : tabled.PartNumber(
                  levels_[static_cast<size_t>(tabled.parent)].sides);
    number = number * tabled.parts.size() + part;
    parts.push_back(tabled.parts[part]);
  }
  Table& table = tables_[number];
  if (table.size == 0) {
    table.begin = offsets_.size();
    AppendToTable(0, 0, parts);
    table.size = offsets_.size() - table.begin;
  }
  table_ = table;
  entry_ = 0;
}

size_t SlicePositions::NextOfTables(absl::Span<int64_t> positions,
                                    absl::Span<int64_t* const> coordinates) {
  if (!begun_) {
    begun_ = true;
    for (size_t i = 0; i < levels_.size(); ++i) ResetLevel(i);
    ChooseTable();
  }
  size_t done = 0;
  while (done < positions.size()) {
    if (entry_ == table_.size) {
      Step();
      ChooseTable();
    }
    const size_t count =
        std::min(positions.size() - done, table_.size - entry_);
    const size_t begin = table_.begin + entry_;
    AddTo(base_, offsets_.data() + begin, count, positions.data() + done);
    // Tabled dimensions are in order.
    size_t tabled = 0;
    for (size_t d = 0; d < coordinates.size(); ++d) {
      int64_t* const to = coordinates[d] + done;
      if (tabled < tabled_.size() && tabled_[tabled].dimension == d) {
        AddTo(index_[d], tabled_coordinates_[tabled].data() + begin, count, to);
        ++tabled;
      } else {
        std::fill_n(to, count, index_[d]);
      }
    }
    done += count;
    entry_ += count;
  }
  if (map_->is_swizzled()) {
    for (int64_t& position : positions) {
      position = map_->swizzle().Apply(position);
    }
  }
  return done;
}

// -- By asking the map -------------------------------------------------------

size_t SlicePositions::NextOfIndices(absl::Span<int64_t> positions,
                                     absl::Span<int64_t* const> coordinates) {
  for (size_t n = 0; n < positions.size(); ++n) {
    positions[n] = map_->LinearIndexUnchecked(index_);
    for (size_t d = 0; d < coordinates.size(); ++d) {
      coordinates[d][n] = index_[d];
    }
    for (size_t d = index_.size(); d-- > 0;) {
      if (++index_[d] < limit_[d]) break;
      index_[d] = start_[d];
    }
  }
  return positions.size();
}

size_t SlicePositions::NextOfBlocks(absl::Span<int64_t> positions,
                                    absl::Span<int64_t* const> coordinates) {
  for (size_t n = 0; n < positions.size(); ++n) {
    if (position_ == block_end_) {
      PositionRange block;
      if (!blocks_->Next(&block)) return n;
      position_ = block.begin;
      block_end_ = block.end;
    }
    positions[n] = position_;
    if (!coordinates.empty()) {
      map_->MultidimensionalIndexUnchecked(position_, absl::MakeSpan(index_));
      for (size_t d = 0; d < coordinates.size(); ++d) {
        coordinates[d][n] = index_[d];
      }
    }
    ++position_;
  }
  return positions.size();
}

size_t SlicePositions::Next(absl::Span<int64_t> positions,
                            absl::Span<int64_t* const> coordinates) {
  if (static_cast<int64_t>(positions.size()) > remaining_) {
    positions = positions.subspan(0, static_cast<size_t>(remaining_));
  }
  if (positions.empty()) return 0;
  size_t count = 0;
  switch (walk_) {
    case Walk::kTables:
      count = NextOfTables(positions, coordinates);
      break;
    case Walk::kIndices:
      count = NextOfIndices(positions, coordinates);
      break;
    case Walk::kBlocks:
      count = NextOfBlocks(positions, coordinates);
      break;
  }
  remaining_ -= static_cast<int64_t>(count);
  return count;
}

}  // namespace tessera
