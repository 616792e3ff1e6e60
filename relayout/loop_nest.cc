#include "tessera/relayout/loop_nest.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "tessera/index_map/dimension_digits.h"

namespace tessera {
namespace {

// A part of a dimension that consists of whole digits.
struct Segment {
  int64_t from_base = 0;
  int64_t to_base = 0;
  absl::InlinedVector<Loop, 8> loops;
};
using Segments = absl::InlinedVector<Segment, 4>;

// One map along a dimension. Coordinates are counted from the start of the box.
class Side {
 public:
  Side(DimensionDigits digits, int64_t begin, int64_t extent)
      : digits_(std::move(digits)), begin_(begin), seen_(digits_.size()) {
    const int64_t last = begin + extent - 1;
    while (seen_ > 1 && begin / digits_[seen_ - 1].divisor ==
                            last / digits_[seen_ - 1].divisor) {
      --seen_;
    }
  }

  // The digits that change within the box.
  absl::Span<const DimensionDigit> seen() const {
    return absl::MakeConstSpan(digits_).subspan(0, seen_);
  }

  // Returns the contribution of the coordinate to a position.
  int64_t PositionOf(int64_t coordinate) const {
    int64_t rest = begin_ + coordinate, position = 0;
    for (size_t i = digits_.size(); i-- > 0 && rest != 0;) {
      position += rest / digits_[i].divisor * digits_[i].stride;
      rest %= digits_[i].divisor;
    }
    return position;
  }

  // Returns the stride of `divisor` coordinates, at which a digit begins or
  // continues.
  int64_t StrideAt(int64_t divisor) const {
    size_t i = seen_ - 1;
    while (digits_[i].divisor > divisor) --i;
    return digits_[i].stride * (divisor / digits_[i].divisor);
  }

  bool HasDigitAt(int64_t divisor) const {
    return absl::c_any_of(seen(), [divisor](const DimensionDigit& digit) {
      return digit.divisor == divisor;
    });
  }

  // The first coordinate in [begin, end) where a digit of `divisor` begins;
  // `end` if there is none.
  int64_t FirstMultiple(int64_t divisor, int64_t begin, int64_t end) const {
    const int64_t coordinate = begin_ + begin;
    if (coordinate == 0) return begin;
    const int64_t rest = coordinate % divisor;
    if (rest == 0) return begin;
    return divisor - rest < end - begin ? begin + divisor - rest : end;
  }

 private:
  DimensionDigits digits_;
  int64_t begin_;
  size_t seen_;
};

// Cuts a dimension into segments.
class Cutter {
 public:
  Cutter(const Side& from, const Side& to, Segments* segments)
      : from_(from), to_(to), segments_(segments) {}

  // Adds segments for the coordinates [0, extent). Returns false if there are
  // none, or too many.
  bool Run(int64_t extent) {
    for (const Side* side : {&from_, &to_}) {
      for (const DimensionDigit& digit : side->seen()) {
        divisors_.push_back(digit.divisor);
      }
    }
    std::sort(divisors_.begin(), divisors_.end());
    divisors_.erase(std::unique(divisors_.begin(), divisors_.end()),
                    divisors_.end());
    for (size_t i = 1; i < divisors_.size(); ++i) {
      if (divisors_[i] % divisors_[i - 1] != 0) return false;
    }
    return Cut(divisors_.size() - 1, 0, extent);
  }

 private:
  // Cuts coordinates in which no digit of more than divisors_[level] begins, so
  // that all coordinates at that distance have the same stride.
  bool Cut(size_t level, int64_t begin, int64_t end) {
    if (begin == end) return true;
    const int64_t divisor = divisors_[level];
    const auto push_loop = [&](int64_t count) {
      loops_.push_back({count, from_.StrideAt(divisor), to_.StrideAt(divisor)});
    };
    if (level == 0) {
      if (static_cast<int64_t>(segments_->size()) == kMaxLoopNests) {
        return false;
      }
      push_loop(end - begin);
      segments_->push_back(
          {from_.PositionOf(begin), to_.PositionOf(begin), loops_});
      loops_.pop_back();
      return true;
    }
    const Side& side = to_.HasDigitAt(divisor) ? to_ : from_;
    const int64_t first = side.FirstMultiple(divisor, begin, end);
    if (!CutPeriod(level, begin, first)) return false;
    const int64_t count = (end - first) / divisor;
    if (count > 0) {
      // A period after the first has a position, and so its stride fits.
      if (count > 1) push_loop(count);
      if (!CutPeriod(level, first, first + divisor)) return false;
      if (count > 1) loops_.pop_back();
    }
    return CutPeriod(level, first + count * divisor, end);
  }

  // Cuts coordinates in which `to` begins no digit of divisors_[level], and
  // `from` at most one.
  bool CutPeriod(size_t level, int64_t begin, int64_t end) {
    if (begin == end) return true;
    const int64_t divisor = divisors_[level];
    const int64_t middle = from_.HasDigitAt(divisor)
                               ? from_.FirstMultiple(divisor, begin, end)
                               : begin;
    return Cut(level - 1, begin, middle) && Cut(level - 1, middle, end);
  }

  const Side& from_;
  const Side& to_;
  Segments* segments_;
  absl::InlinedVector<int64_t, 16> divisors_;
  absl::InlinedVector<Loop, 8> loops_;  // over the periods so far
};

// Sorts the loops and merges those that continue one another.
void Normalize(LoopNest* nest) {
  auto& loops = nest->loops;
  loops.erase(std::remove_if(loops.begin(), loops.end(),
                             [](const Loop& loop) { return loop.extent == 1; }),
              loops.end());
  std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
    return std::make_pair(std::abs(a.to_stride), std::abs(a.from_stride)) >
           std::make_pair(std::abs(b.to_stride), std::abs(b.from_stride));
  });
  size_t kept = 0;
  for (size_t i = 1; i < loops.size(); ++i) {
    Loop& major = loops[kept];
    const Loop& minor = loops[i];
    if (major.from_stride == minor.from_stride * minor.extent &&
        major.to_stride == minor.to_stride * minor.extent) {
      major = {major.extent * minor.extent, minor.from_stride, minor.to_stride};
    } else {
      loops[++kept] = minor;
    }
  }
  if (!loops.empty()) loops.resize(kept + 1);
}

// Returns every combination of one segment per dimension.
std::optional<LoopNests> Combine(absl::Span<const Segments> dimensions,
                                 int64_t from_base, int64_t to_base) {
  int64_t count = 1;
  for (const Segments& segments : dimensions) {
    count *= static_cast<int64_t>(segments.size());
    if (count > kMaxLoopNests) return std::nullopt;
  }
  LoopNests nests(count);
  for (int64_t n = 0; n < count; ++n) {
    LoopNest& nest = nests[n];
    nest.from_base = from_base;
    nest.to_base = to_base;
    int64_t rest = n;
    for (const Segments& segments : dimensions) {
      const Segment& segment = segments[rest % segments.size()];
      rest /= static_cast<int64_t>(segments.size());
      nest.from_base += segment.from_base;
      nest.to_base += segment.to_base;
      nest.loops.insert(nest.loops.end(), segment.loops.begin(),
                        segment.loops.end());
    }
    Normalize(&nest);
  }
  return nests;
}

}  // namespace

int64_t LoopNest::size() const {
  int64_t size = 1;
  for (const Loop& loop : loops) size *= loop.extent;
  return size;
}

CommonBox CommonBox::Whole(const IndexMap& map) {
  CommonBox box;
  box.extents.assign(map.bounds().begin(), map.bounds().end());
  box.to_dimensions.resize(box.extents.size());
  std::iota(box.to_dimensions.begin(), box.to_dimensions.end(), 0);
  box.from_begins.resize(box.extents.size());
  box.to_begins.resize(box.extents.size());
  return box;
}

int64_t CommonBox::size() const {
  // The product of the extents may fit although that of the extents before a 0
  // does not.
  if (absl::c_linear_search(extents, 0)) return 0;
  return absl::c_accumulate(extents, int64_t{1}, std::multiplies<int64_t>());
}

CommonBox::Numbers CommonBox::to_extents() const {
  Numbers result(extents.size());
  for (size_t i = 0; i < extents.size(); ++i) {
    result[to_dimensions[i]] = extents[i];
  }
  return result;
}

CommonBox CommonBox::Inverse() const {
  CommonBox inverse;
  inverse.to_dimensions.resize(to_dimensions.size());
  for (size_t i = 0; i < to_dimensions.size(); ++i) {
    inverse.to_dimensions[to_dimensions[i]] = static_cast<int64_t>(i);
  }
  inverse.extents = to_extents();
  inverse.from_begins = to_begins;
  inverse.to_begins = from_begins;
  return inverse;
}

std::optional<LoopNests> CommonLoopNests(const IndexMap& from,
                                         const IndexMap& to,
                                         const CommonBox& box) {
  if (box.size() == 0) return LoopNests();
  if (!from.is_separable() || !to.is_separable()) return std::nullopt;
  absl::InlinedVector<Segments, 6> dimensions(from.rank());
  for (int64_t i = 0; i < from.rank(); ++i) {
    const int64_t j = box.to_dimensions[i];
    std::optional<DimensionDigits> from_digits = DigitsOfDimension(from, i);
    std::optional<DimensionDigits> to_digits = DigitsOfDimension(to, j);
    if (!from_digits.has_value() || !to_digits.has_value()) {
      return std::nullopt;
    }
    const Side from_side(*std::move(from_digits), box.from_begins[i],
                         box.extents[i]);
    const Side to_side(*std::move(to_digits), box.to_begins[j], box.extents[i]);
    if (!Cutter(from_side, to_side, &dimensions[i]).Run(box.extents[i])) {
      return std::nullopt;
    }
  }
  // All terms are 0 at index 0.
  return Combine(dimensions, static_cast<int64_t>(from.constant()),
                 static_cast<int64_t>(to.constant()));
}

std::optional<LoopNests> LoopNestsBesideBox(const IndexMap& map,
                                            absl::Span<const int64_t> begins,
                                            absl::Span<const int64_t> extents) {
  LoopNests nests;
  if (map.element_count() == 0) return nests;
  if (!map.is_separable()) return std::nullopt;
  const int64_t rank = map.rank();
  absl::InlinedVector<DimensionDigits, 6> digits(rank);
  absl::InlinedVector<int64_t, 6> padded(rank, 1);
  absl::InlinedVector<IndexMap::Digit, 8> by_divisor(map.digits().begin(),
                                                     map.digits().end());
  absl::c_sort(by_divisor,
               [](const IndexMap::Digit& a, const IndexMap::Digit& b) {
                 return a.divisor < b.divisor;
               });
  for (const IndexMap::Digit& digit : by_divisor) {
    if (digit.source >= rank || digit.divisor != padded[digit.source]) {
      return std::nullopt;
    }
    padded[digit.source] *= digit.modulus;
    digits[digit.source].push_back({digit.divisor, digit.stride});
  }
  for (DimensionDigits& of_dimension : digits) {
    if (of_dimension.empty()) of_dimension.push_back({1, 0});
  }
  const auto add_range = [&](int64_t i, int64_t begin, int64_t end,
                             Segments* segments) {
    if (begin >= end) return true;
    const Side nothing({{1, 0}}, 0, end - begin);
    const Side side(digits[i], begin, end - begin);
    return Cutter(nothing, side, segments).Run(end - begin);
  };
  // Positions whose first coordinate outside of the box is that of dimension i:
  // those before it are within, those after it may be anything.
  for (int64_t i = 0; i < rank; ++i) {
    if (extents[i] == padded[i]) continue;
    absl::InlinedVector<Segments, 6> dimensions(rank);
    for (int64_t j = 0; j < rank; ++j) {
      const int64_t begin = begins[j], end = begins[j] + extents[j];
      const bool is_good =
          j < i   ? add_range(j, begin, end, &dimensions[j])
          : j > i ? add_range(j, 0, padded[j], &dimensions[j])
                  : add_range(j, 0, begin, &dimensions[j]) &&
                        add_range(j, end, padded[j], &dimensions[j]);
      if (!is_good) return std::nullopt;
    }
    std::optional<LoopNests> more = Combine(dimensions, 0, map.base());
    if (!more.has_value()) return std::nullopt;
    std::move(more->begin(), more->end(), std::back_inserter(nests));
  }
  return nests;
}

}  // namespace tessera
