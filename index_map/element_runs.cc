// A block of positions is a range of values of one digit, the digits above it
// fixed and those below it free. Interval arithmetic over the sources decides
// whether all, none or some of its positions hold elements of the slice. Mixed
// blocks are halved, and a mixed single value is opened into the next digit.
//
// The value of a joined source is written in two mixed radices: by the digits
// that read it and by its pieces. Every digit of either has its interval. The
// digits of the position determine the intervals of pieces (PassDown), and the
// limits of the dimensions propagate back (IsRuledOut): a block is empty if its
// source does not have a value with all digits of both radices in their
// intervals, even if no single interval is empty.
//
// After a swizzle, a block is 2^level positions that agree in all bits from
// `level` on. Before the swizzle, these lie in a range, which the walk above
// visits, cut off at its ends. Such a block is halved, too, until all positions
// of the range hold elements or none does, or until the swizzle moves the block
// as a whole.

#include "tessera/index_map/element_runs.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/numeric/bits.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/counted.h"

namespace tessera {
namespace {

absl::InlinedVector<int64_t, 6> Zeros(const IndexMap& map) {
  return absl::InlinedVector<int64_t, 6>(map.rank(), 0);
}

}  // namespace

absl::Status CheckHasInverse(const IndexMap& map) {
  if (map.kind() != IndexMap::Kind::kGeneral) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "the map has no unique inverse, so its positions cannot be walked");
}

absl::Status CheckSlice(const IndexMap& map, absl::Span<const int64_t> start,
                        absl::Span<const int64_t> limit) {
  const size_t rank = map.rank();
  for (const auto& [name, numbers] :
       {std::make_pair("start", start), std::make_pair("limit", limit)}) {
    if (numbers.size() == rank) continue;
    return InvalidArgumentError("the ", name, " of the slice has ",
                                Counted(numbers.size(), "entry", "entries"),
                                ", but the array has ",
                                Counted(rank, "dimension"));
  }
  for (size_t i = 0; i < rank; ++i) {
    if (start[i] < 0 || start[i] > limit[i] || limit[i] > map.bounds()[i]) {
      return OutOfRangeError("slice[", i, "] = [", start[i], ", ", limit[i],
                             ") is not within [0, ", map.bounds()[i], ")");
    }
  }
  return absl::OkStatus();
}

// -- ElementBlocks -----------------------------------------------------------

ElementBlocks::ElementBlocks(const IndexMap& map,
                             absl::Span<const int64_t> start,
                             absl::Span<const int64_t> limit, Order order,
                             int64_t step_limit)
    : map_(&map),
      start_(start.begin(), start.end()),
      limit_(limit.begin(), limit.end()),
      order_(order),
      steps_left_(step_limit),
      chosen_(map.digits().size()),
      contiguous_(map.digits().size() + 1),
      reach_(map.digits().size() + 1) {
  // Without elements, strides are arbitrary.
  for (size_t i = 0; i < start.size(); ++i) {
    if (start[i] >= limit[i]) return;
  }
  PrepareWritings();
  const absl::Span<const IndexMap::Digit> digits = map.digits();
  contiguous_[digits.size()] = true;
  for (size_t i = digits.size(); i-- > 0;) {
    const int64_t unit = static_cast<int64_t>(digits[i].unit());
    contiguous_[i] = contiguous_[i + 1] && unit == reach_[i + 1] + 1;
    reach_[i] = reach_[i + 1] + (digits[i].modulus - 1) * unit;
  }
  if (map.is_swizzled()) {
    // The least power of two of positions that holds all of the map.
    const uint64_t last = map.tail_begin() - 1;
    swizzled_stack_.push_back({0, 64 - absl::countl_zero(last | 1)});
  } else {
    WalkWithin({0, std::numeric_limits<int64_t>::max()});
  }
}

void ElementBlocks::WalkWithin(const Interval& range) {
  const absl::Span<const IndexMap::Digit> digits = map_->digits();
  range_ = range;
  // A map without digits has one position; it is the block of level 0.
  stack_.assign(1, {0, 0, digits.empty() ? 1 : digits[0].modulus});
}

ElementBlocks::Interval ElementBlocks::Extent(const Node& node) const {
  const absl::Span<const IndexMap::Digit> digits = map_->digits();
  int64_t prefix = map_->structure().lowest;
  for (size_t i = 0; i < node.level; ++i) {
    prefix += chosen_[i] * static_cast<int64_t>(digits[i].unit());
  }
  if (node.level == digits.size()) return {prefix, prefix};
  const int64_t unit = static_cast<int64_t>(digits[node.level].unit());
  return {prefix + node.low * unit,
          prefix + (node.high - 1) * unit + reach_[node.level + 1]};
}

bool ElementBlocks::IsOutsideRange(const Node& node) const {
  const Interval extent = Extent(node);
  return extent.high < range_.low || extent.low > range_.high;
}

void ElementBlocks::PrepareWritings() {
  const absl::Span<const IndexMap::Digit> digits = map_->digits();
  const absl::Span<const IndexMap::Source> sources = map_->sources();
  writings_.resize(sources.size());
  for (size_t i = 0; i < digits.size(); ++i) {
    const Place place = {digits[i].divisor, i, digits[i].modulus};
    Writings& writings = writings_[digits[i].source];
    if (digits[i].repeats) {
      writings.repeats.push_back(place);
    } else {
      writings.readings.push_back(place);
    }
  }
  size_t interval = digits.size();
  for (size_t i = 0; i < sources.size(); ++i) {
    for (const IndexMap::Piece& piece : sources[i].pieces) {
      // A piece of one value is always 0, and its divisor is arbitrary.
      const int64_t values =
          piece.modulus != 0
              ? piece.modulus
              : CeilOfRatio(sources[piece.source].bound, piece.divisor);
      const Place place = {piece.divisor, interval, values};
      if (piece.repeats) {
        writings_[piece.source].repeats.push_back(place);
      } else if (values > 1) {
        writings_[piece.source].readings.push_back(place);
      }
      writings_[i].pieces.push_back({piece.multiplier, interval, values});
      ++interval;
    }
  }
  intervals_.resize(interval);
  for (Writings& writings : writings_) {
    std::sort(writings.readings.begin(), writings.readings.end(),
              [](const Place& a, const Place& b) { return a.unit > b.unit; });
  }
}

ElementBlocks::Interval ElementBlocks::Sum(
    absl::Span<const Place> places) const {
  Interval sum = {0, 0};
  for (const Place& place : places) {
    sum.low += intervals_[place.interval].low * place.unit;
    sum.high += intervals_[place.interval].high * place.unit;
  }
  return sum;
}

ElementBlocks::Interval ElementBlocks::Remainder(absl::Span<const Place> places,
                                                 int64_t modulus) const {
  // Units divide one another: those from some place up leave no remainder.
  while (!places.empty() && places.front().unit % modulus == 0) {
    places.remove_prefix(1);
  }
  const Interval rest = Sum(places);
  if (rest.low / modulus != rest.high / modulus) return {0, modulus - 1};
  return {rest.low % modulus, rest.high % modulus};
}

ElementBlocks::Interval ElementBlocks::Allowed(size_t source) const {
  if (source < start_.size()) return {start_[source], limit_[source] - 1};
  return {0, map_->sources()[source].bound - 1};
}

void ElementBlocks::FixPrefix(const Node& node) {
  const absl::Span<const IndexMap::Digit> digits = map_->digits();
  for (size_t i = 0; i < digits.size(); ++i) {
    Interval& interval = intervals_[i];
    if (i < node.level) {
      interval = {chosen_[i], chosen_[i]};
    } else if (i == node.level) {
      interval = {node.low, node.high - 1};
    } else {
      interval = {0, digits[i].modulus - 1};
    }
    if (digits[i].stride < 0) {
      interval = {digits[i].Reflected(interval.high),
                  digits[i].Reflected(interval.low)};
    }
  }
}

ElementBlocks::Contents ElementBlocks::PassToPieces(size_t source,
                                                    Interval value) {
  const IndexMap::Source& joined = map_->sources()[source];
  const absl::Span<const Place> readings = writings_[source].readings;
  const absl::Span<const Place> pieces = writings_[source].pieces;
  bool all = true;
  value.low -= joined.offset;
  value.high -= joined.offset;
  if (value.high < 0) return Contents::kNone;
  if (value.low < 0) {
    all = false;
    value.low = 0;
  }
  // A common divisor of all multipliers so far and of the offset.
  int64_t common = joined.offset;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const int64_t unit = pieces[i].unit;
    common = std::gcd(common, unit);
    Interval quotient = {value.low / unit, value.high / unit};
    if (quotient.low == quotient.high) {
      value.low -= quotient.low * unit;
      value.high -= quotient.high * unit;
    } else {
      value =
          common == unit ? Remainder(readings, unit) : Interval{0, unit - 1};
    }
    const int64_t largest = pieces[i].values - 1;
    if (quotient.low > largest) return Contents::kNone;
    if (quotient.high > largest) {
      all = false;
      quotient.high = largest;
    }
    intervals_[pieces[i].interval] = quotient;
  }
  if (value.low > 0) return Contents::kNone;
  return all && value.high == 0 ? Contents::kAll : Contents::kMixed;
}

ElementBlocks::Contents ElementBlocks::CompareRepeats(
    size_t source, const Interval& value) const {
  bool all = true;
  for (const Place& place : writings_[source].repeats) {
    Interval digit = {value.low / place.unit, value.high / place.unit};
    if (digit.low / place.values == digit.high / place.values) {
      digit = {digit.low % place.values, digit.high % place.values};
    } else {
      digit = {0, place.values - 1};
    }
    const Interval& repeated = intervals_[place.interval];
    if (digit.high < repeated.low || digit.low > repeated.high) {
      return Contents::kNone;
    }
    all = all && digit.low == digit.high && repeated.low == repeated.high;
  }
  return all ? Contents::kAll : Contents::kMixed;
}

ElementBlocks::Contents ElementBlocks::PassDown() {
  bool all = true;
  for (size_t i = writings_.size(); i-- > 0;) {
    Interval value = Sum(writings_[i].readings);
    const Interval allowed = Allowed(i);
    if (value.low < allowed.low || value.high > allowed.high) {
      all = false;
      value.low = std::max(value.low, allowed.low);
      value.high = std::min(value.high, allowed.high);
      if (value.low > value.high) return Contents::kNone;
    }
    const Contents repeats = CompareRepeats(i, value);
    const Contents pieces =
        i < start_.size() ? Contents::kAll : PassToPieces(i, value);
    if (repeats == Contents::kNone || pieces == Contents::kNone) {
      return Contents::kNone;
    }
    all = all && repeats == Contents::kAll && pieces == Contents::kAll;
  }
  return all ? Contents::kAll : Contents::kMixed;
}

bool ElementBlocks::Narrow(absl::Span<const Place> places,
                           const Interval& sum) {
  Interval others = Sum(places);
  for (const Place& place : places) {
    Interval& interval = intervals_[place.interval];
    others.low -= interval.low * place.unit;
    others.high -= interval.high * place.unit;
    const int64_t wanted = sum.low - others.high;
    const int64_t room = sum.high - others.low;
    if (room < 0) return false;
    if (wanted > interval.low * place.unit) {
      interval.low = CeilOfRatio(wanted, place.unit);
    }
    if (room < interval.high * place.unit) interval.high = room / place.unit;
    if (interval.low > interval.high) return false;
    others.low += interval.low * place.unit;
    others.high += interval.high * place.unit;
  }
  return true;
}

std::optional<int64_t> ElementBlocks::NextWritten(
    absl::Span<const Place> places, int64_t value) const {
  int64_t next = 0;  // the digits so far
  // The same with the last digit that can be increased by one, and the place
  // after it.
  std::optional<int64_t> raised;
  size_t after_raised = 0;
  size_t i = 0;
  for (; i < places.size(); ++i) {
    const int64_t unit = places[i].unit;
    const Interval& interval = intervals_[places[i].interval];
    const int64_t digit = value / unit;
    value %= unit;
    if (digit < interval.low) break;
    if (digit > interval.high) {
      if (!raised.has_value()) return std::nullopt;
      next = *raised;
      i = after_raised;
      break;
    }
    if (digit < interval.high) {
      raised = next + (digit + 1) * unit;
      after_raised = i + 1;
    }
    next += digit * unit;
  }
  if (i == places.size() && value > 0) {
    // The value is between two values that can be written.
    if (!raised.has_value()) return std::nullopt;
    next = *raised;
    i = after_raised;
  }
  return next + Sum(places.subspan(i)).low;
}

bool ElementBlocks::IsRuledOut() {
  // Enough except for contrived moduli, for which the block is opened.
  constexpr int kAttempts = 32;
  for (size_t i = 0; i < writings_.size(); ++i) {
    const Writings& writings = writings_[i];
    Interval value = Allowed(i);
    if (!writings.pieces.empty()) {
      const int64_t offset = map_->sources()[i].offset;
      const Interval pieces = Sum(writings.pieces);
      const Interval readings = Sum(writings.readings);
      value.low = std::max({value.low, pieces.low + offset, readings.low});
      value.high = std::min({value.high, pieces.high + offset, readings.high});
      // Takes the next value by one radix, from there by the other, and
      // repeats.
      for (int attempt = 0; attempt < kAttempts; ++attempt) {
        if (value.low > value.high) return true;
        std::optional<int64_t> next = NextWritten(writings.readings, value.low);
        if (next.has_value()) {
          next = NextWritten(writings.pieces, *next - offset);
        }
        if (!next.has_value()) return true;
        if (*next + offset == value.low) break;
        value.low = *next + offset;
      }
    }
    if (!Narrow(writings.readings, value)) return true;
  }
  return false;
}

ElementBlocks::Contents ElementBlocks::Classify(const Node& node) {
  FixPrefix(node);
  const Contents contents = PassDown();
  return contents == Contents::kMixed && IsRuledOut() ? Contents::kNone
                                                      : contents;
}

template <typename Block>
void ElementBlocks::Push(std::vector<Block>* stack, Block first,
                         Block second) const {
  if (order_ == Order::kFalling) std::swap(first, second);
  stack->push_back(second);
  stack->push_back(first);
}

bool ElementBlocks::Next(PositionRange* block) {
  return map_->is_swizzled() ? NextSwizzled(block) : NextUnswizzled(block);
}

bool ElementBlocks::NextUnswizzled(PositionRange* block) {
  const absl::Span<const IndexMap::Digit> digits = map_->digits();
  while (!stack_.empty()) {
    if (steps_left_-- == 0) {
      is_exhausted_ = true;
      stack_.clear();
      return false;
    }
    const Node node = stack_.back();
    stack_.pop_back();
    if (map_->is_swizzled() && IsOutsideRange(node)) continue;
    const Contents contents = Classify(node);
    if (contents == Contents::kNone) continue;
    if (contents == Contents::kAll && contiguous_[node.level]) {
      const Interval extent = Extent(node);
      *block = {std::max(extent.low, range_.low),
                std::min(extent.high, range_.high) + 1};
      return true;
    }
    if (node.high - node.low > 1) {
      const int64_t middle = node.low + (node.high - node.low) / 2;
      Push(&stack_, {node.level, node.low, middle},
           {node.level, middle, node.high});
      continue;
    }
    chosen_[node.level] = node.low;
    const size_t next = node.level + 1;
    stack_.push_back(
        {next, 0, next < digits.size() ? digits[next].modulus : 1});
  }
  return false;
}

ElementBlocks::Contents ElementBlocks::ContentsOfRange() {
  int64_t seen = 0;
  PositionRange block;
  while (NextUnswizzled(&block)) {
    const int64_t skipped = order_ == Order::kRising
                                ? block.begin - range_.low
                                : range_.high - (block.end - 1);
    if (skipped != seen) return Contents::kMixed;
    seen += block.end - block.begin;
  }
  if (seen == 0) return Contents::kNone;
  return seen - 1 == range_.high - range_.low ? Contents::kAll
                                              : Contents::kMixed;
}

bool ElementBlocks::NextSwizzled(PositionRange* block) {
  const IndexMap::BitSwizzle& swizzle = map_->swizzle();
  while (true) {
    if (is_translating_ && NextUnswizzled(block)) {
      const int64_t length = block->end - block->begin;
      block->begin = swizzle.Apply(block->begin);
      block->end = block->begin + length;
      return true;
    }
    is_translating_ = false;
    if (is_exhausted_ || swizzled_stack_.empty()) return false;
    const AlignedBlock aligned = swizzled_stack_.back();
    swizzled_stack_.pop_back();
    // The bits below the level, and the bits from the level on that these
    // change.
    const int64_t free =
        static_cast<int64_t>((uint64_t{1} << aligned.level) - 1);
    const int64_t changed_by_free = swizzle.Apply(free);
    const int64_t changeable = changed_by_free & ~free;
    const int64_t before = swizzle.Apply(aligned.begin);
    WalkWithin({before & ~changeable & ~free, before | changeable | free});
    if (changed_by_free == free && (before & free) == 0) {
      is_translating_ = true;
      continue;
    }
    switch (ContentsOfRange()) {
      case Contents::kAll:
        *block = {aligned.begin, aligned.begin + free + 1};
        return true;
      case Contents::kNone:
        break;
      case Contents::kMixed: {
        const int level = aligned.level - 1;
        Push(&swizzled_stack_, {aligned.begin, level},
             {aligned.begin + (int64_t{1} << level), level});
      }
    }
  }
}

// -- ElementRuns -------------------------------------------------------------

ElementRuns::ElementRuns(const IndexMap& map, absl::Span<const int64_t> start,
                         absl::Span<const int64_t> limit, int64_t step_limit)
    : map_(&map),
      blocks_(map, start, limit, ElementBlocks::Order::kRising, step_limit) {}

absl::StatusOr<ElementRuns> ElementRuns::Create(const IndexMap& map,
                                                absl::Span<const int64_t> start,
                                                absl::Span<const int64_t> limit,
                                                int64_t step_limit) {
  TESSERA_RETURN_IF_ERROR(CheckHasInverse(map));
  TESSERA_RETURN_IF_ERROR(CheckSlice(map, start, limit));
  return ElementRuns(map, start, limit, step_limit);
}

absl::StatusOr<ElementRuns> ElementRuns::Create(const IndexMap& map) {
  return Create(map, Zeros(map), map.bounds());
}

bool ElementRuns::Next(ElementRun* run) {
  PositionRange found = pending_;
  pending_ = {};
  PositionRange block;
  while (blocks_.Next(&block)) {
    if (found.begin == found.end) {
      found = block;
    } else if (block.begin == found.end) {
      found.end = block.end;
    } else {
      pending_ = block;
      break;
    }
  }
  if (found.begin == found.end) return false;
  run->position = found.begin;
  run->length = found.end - found.begin;
  run->first_index.resize(map_->rank());
  map_->MultidimensionalIndexUnchecked(found.begin,
                                       absl::MakeSpan(run->first_index));
  return true;
}

// -- PaddingRanges -----------------------------------------------------------

PaddingRanges::PaddingRanges(const IndexMap& map, int64_t step_limit)
    : map_(&map),
      blocks_(map, Zeros(map), map.bounds(), ElementBlocks::Order::kRising,
              step_limit) {}

absl::StatusOr<PaddingRanges> PaddingRanges::Create(const IndexMap& map,
                                                    int64_t step_limit) {
  TESSERA_RETURN_IF_ERROR(CheckHasInverse(map));
  return PaddingRanges(map, step_limit);
}

bool PaddingRanges::Next(PositionRange* range) {
  PositionRange block;
  while (blocks_.Next(&block)) {
    const int64_t begin = seen_;
    seen_ = block.end;
    if (begin < block.begin) {
      *range = {begin, block.begin};
      return true;
    }
  }
  if (is_exhausted() || seen_ == map_->position_count()) return false;
  *range = {seen_, map_->position_count()};
  seen_ = map_->position_count();
  return true;
}

// -- DataEnd -----------------------------------------------------------------

absl::StatusOr<int64_t> DataEnd(const IndexMap& map, int64_t step_limit) {
  TESSERA_RETURN_IF_ERROR(CheckHasInverse(map));
  ElementBlocks blocks(map, Zeros(map), map.bounds(),
                       ElementBlocks::Order::kFalling, step_limit);
  PositionRange block;
  if (blocks.Next(&block)) return block.end;
  if (!blocks.is_exhausted()) return 0;
  return ResourceExhaustedError("the last element was not found in ",
                                step_limit, " steps");
}

}  // namespace tessera
