// A block of positions is a range of values of one digit, the digits above it
// fixed and those below it free. Interval arithmetic over the sources tells
// whether all, none or some of its positions hold elements of the slice. Blocks
// that are mixed are halved, and a single value that is mixed is opened into
// the next digit.

#include "tessera/index_map/element_runs.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace tessera {
namespace {

absl::Status CheckHasInverse(const IndexMap& map) {
  if (map.kind() != IndexMap::Kind::kGeneral) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "the map has no unique inverse, so its positions cannot be walked");
}

absl::InlinedVector<int64_t, 6> Zeros(const IndexMap& map) {
  return absl::InlinedVector<int64_t, 6>(map.rank(), 0);
}

}  // namespace

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
      intervals_(map.sources().size()) {
  const absl::Span<const IndexMap::Digit> digits = map.digits();
  contiguous_[digits.size()] = true;
  int64_t reached = 1;
  for (size_t i = digits.size(); i-- > 0;) {
    contiguous_[i] = contiguous_[i + 1] && digits[i].stride == reached;
    reached = digits[i].stride * digits[i].modulus;
  }
  for (size_t i = 0; i < start.size(); ++i) {
    if (start[i] >= limit[i]) return;
  }
  // A map without digits has one position; it is the block of level 0.
  stack_.push_back({0, 0, digits.empty() ? 1 : digits[0].modulus});
}

int64_t ElementBlocks::PrefixPosition(size_t level) const {
  int64_t position = map_->base();
  for (size_t i = 0; i < level; ++i) {
    position += chosen_[i] * map_->digits()[i].stride;
  }
  return position;
}

ElementBlocks::Contents ElementBlocks::Classify(const Node& node) {
  const absl::Span<const IndexMap::Digit> digits = map_->digits();
  const absl::Span<const IndexMap::Source> sources = map_->sources();
  std::fill(intervals_.begin(), intervals_.end(), Interval{0, 0});
  for (size_t i = 0; i < digits.size(); ++i) {
    int64_t low = 0, high = digits[i].modulus - 1;
    if (i < node.level) {
      low = high = chosen_[i];
    } else if (i == node.level) {
      low = node.low;
      high = node.high - 1;
    }
    intervals_[digits[i].source].low += low * digits[i].divisor;
    intervals_[digits[i].source].high += high * digits[i].divisor;
  }
  bool all = true;
  for (size_t i = sources.size(); i-- > 0;) {
    Interval interval = intervals_[i];
    const bool is_dimension = i < start_.size();
    const int64_t low = is_dimension ? start_[i] : 0;
    const int64_t high = is_dimension ? limit_[i] : sources[i].bound;
    if (interval.low >= high || interval.high < low) return Contents::kNone;
    if (interval.low < low || interval.high >= high) {
      all = false;
      interval.low = std::max(interval.low, low);
      interval.high = std::min(interval.high, high - 1);
    }
    for (const IndexMap::Piece& piece : sources[i].pieces) {
      const int64_t from = interval.low / piece.multiplier;
      const int64_t to = interval.high / piece.multiplier;
      intervals_[piece.source].low += from * piece.divisor;
      intervals_[piece.source].high += to * piece.divisor;
      // What is left for the next piece: known where this one is, else any.
      if (from == to) {
        interval.low -= from * piece.multiplier;
        interval.high -= to * piece.multiplier;
      } else {
        interval = {0, piece.multiplier - 1};
      }
    }
  }
  return all ? Contents::kAll : Contents::kMixed;
}

void ElementBlocks::Push(Node first, Node second) {
  if (order_ == Order::kFalling) std::swap(first, second);
  stack_.push_back(second);
  stack_.push_back(first);
}

bool ElementBlocks::Next(PositionRange* block) {
  const absl::Span<const IndexMap::Digit> digits = map_->digits();
  while (!stack_.empty()) {
    if (steps_left_-- == 0) {
      is_exhausted_ = true;
      stack_.clear();
      return false;
    }
    const Node node = stack_.back();
    stack_.pop_back();
    const Contents contents = Classify(node);
    if (contents == Contents::kNone) continue;
    if (contents == Contents::kAll && contiguous_[node.level]) {
      const int64_t stride =
          node.level < digits.size() ? digits[node.level].stride : 1;
      const int64_t prefix = PrefixPosition(node.level);
      *block = {prefix + node.low * stride, prefix + node.high * stride};
      return true;
    }
    if (node.high - node.low > 1) {
      const int64_t middle = node.low + (node.high - node.low) / 2;
      Push({node.level, node.low, middle}, {node.level, middle, node.high});
      continue;
    }
    chosen_[node.level] = node.low;
    const size_t next = node.level + 1;
    stack_.push_back(
        {next, 0, next < digits.size() ? digits[next].modulus : 1});
  }
  return false;
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
  if (absl::Status status = CheckHasInverse(map); !status.ok()) return status;
  const size_t rank = map.rank();
  if (start.size() != rank || limit.size() != rank) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the slice starts at ", start.size(), " and ends at ", limit.size(),
        " entries, but the array has ", rank, " dimensions"));
  }
  for (size_t i = 0; i < rank; ++i) {
    if (start[i] < 0 || start[i] > limit[i] || limit[i] > map.bounds()[i]) {
      return absl::OutOfRangeError(
          absl::StrCat("slice[", i, "] = [", start[i], ", ", limit[i],
                       ") is not within [0, ", map.bounds()[i], ")"));
    }
  }
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
  if (absl::Status status = CheckHasInverse(map); !status.ok()) return status;
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

// -- MemoryOrder and DataEnd -------------------------------------------------

MemoryOrder::MemoryOrder(const IndexMap& map)
    : map_(&map),
      blocks_(map, Zeros(map), map.bounds(), ElementBlocks::Order::kRising),
      index_(map.rank(), 0) {}

absl::StatusOr<MemoryOrder> MemoryOrder::Create(const IndexMap& map) {
  if (absl::Status status = CheckHasInverse(map); !status.ok()) return status;
  return MemoryOrder(map);
}

bool MemoryOrder::Next() {
  if (++linear_index_ >= block_end_) {
    PositionRange block;
    if (!blocks_.Next(&block)) return false;
    linear_index_ = block.begin;
    block_end_ = block.end;
  }
  map_->MultidimensionalIndexUnchecked(linear_index_, absl::MakeSpan(index_));
  return true;
}

absl::StatusOr<int64_t> DataEnd(const IndexMap& map, int64_t step_limit) {
  if (absl::Status status = CheckHasInverse(map); !status.ok()) return status;
  ElementBlocks blocks(map, Zeros(map), map.bounds(),
                       ElementBlocks::Order::kFalling, step_limit);
  PositionRange block;
  if (blocks.Next(&block)) return block.end;
  if (!blocks.is_exhausted()) return 0;
  return absl::ResourceExhaustedError(
      absl::StrCat("the last element was not found in ", step_limit, " steps"));
}

}  // namespace tessera
