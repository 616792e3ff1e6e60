#include "tessera/relayout/loop_nest.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "tessera/index_map/dimension_digits.h"

namespace tessera {
namespace {

// A digit of a dimension: from divisor on, up to where the next one begins.
struct Digit {
  int64_t divisor;
  int64_t from_stride = 0;
  int64_t to_stride = 0;
};
using Digits = absl::InlinedVector<Digit, 8>;

// The stride of the digit at `divisor`, which one of `digits` goes on to.
int64_t StrideAt(const DimensionDigits& digits, int64_t divisor) {
  size_t i = digits.size() - 1;
  while (digits[i].divisor > divisor) --i;
  return digits[i].stride * (divisor / digits[i].divisor);
}

// The common refinement of both; false if there is none.
bool Refine(const DimensionDigits& from, const DimensionDigits& to,
            int64_t bound, Digits* digits) {
  absl::InlinedVector<int64_t, 16> divisors;
  for (const DimensionDigit& digit : from) divisors.push_back(digit.divisor);
  for (const DimensionDigit& digit : to) divisors.push_back(digit.divisor);
  std::sort(divisors.begin(), divisors.end());
  divisors.erase(std::unique(divisors.begin(), divisors.end()), divisors.end());
  for (size_t i = 0; i < divisors.size(); ++i) {
    if (divisors[i] >= bound && i > 0) break;
    if (i > 0 && divisors[i] % divisors[i - 1] != 0) return false;
    digits->push_back(
        {divisors[i], StrideAt(from, divisors[i]), StrideAt(to, divisors[i])});
  }
  return true;
}

// A part of a dimension that whole digits count.
struct Segment {
  int64_t from_base = 0;
  int64_t to_base = 0;
  absl::InlinedVector<Loop, 8> loops;
};
using Segments = absl::InlinedVector<Segment, 4>;

// Cuts the coordinates [begin, end) of a dimension. The bases are of the digits
// above `top`, the number of digits that are still to be cut.
void Cut(const Digits& digits, size_t top, int64_t begin, int64_t end,
         int64_t from_base, int64_t to_base, Segments* segments) {
  if (begin >= end) return;
  const Digit& digit = digits[top - 1];
  const auto below = [&](int64_t value) {
    return std::make_pair(from_base + value * digit.from_stride,
                          to_base + value * digit.to_stride);
  };
  int64_t first = begin / digit.divisor;
  const int64_t last = end / digit.divisor;
  const int64_t first_rest = begin % digit.divisor;
  const int64_t last_rest = end % digit.divisor;
  if (first_rest != 0) {
    const auto [from, to] = below(first);
    const int64_t to_rest = first == last ? last_rest : digit.divisor;
    Cut(digits, top - 1, first_rest, to_rest, from, to, segments);
    if (first == last) return;
    ++first;
  }
  if (first < last) {
    Segment segment;
    std::tie(segment.from_base, segment.to_base) = below(first);
    segment.loops.push_back({last - first, digit.from_stride, digit.to_stride});
    for (size_t i = top - 1; i-- > 0;) {
      segment.loops.push_back({digits[i + 1].divisor / digits[i].divisor,
                               digits[i].from_stride, digits[i].to_stride});
    }
    segments->push_back(std::move(segment));
  }
  if (last_rest != 0) {
    const auto [from, to] = below(last);
    Cut(digits, top - 1, 0, last_rest, from, to, segments);
  }
}

// Sorts the loops and makes one of those that continue one another.
void Normalize(LoopNest* nest) {
  auto& loops = nest->loops;
  loops.erase(std::remove_if(loops.begin(), loops.end(),
                             [](const Loop& loop) { return loop.extent == 1; }),
              loops.end());
  std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
    return std::make_pair(a.to_stride, a.from_stride) >
           std::make_pair(b.to_stride, b.from_stride);
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

// Every combination of one segment a dimension.
absl::optional<std::vector<LoopNest>> Combine(
    absl::Span<const Segments> dimensions, int64_t from_base, int64_t to_base) {
  int64_t count = 1;
  for (const Segments& segments : dimensions) {
    count *= static_cast<int64_t>(segments.size());
    if (count > kMaxLoopNests) return absl::nullopt;
  }
  std::vector<LoopNest> nests(count);
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

int64_t PositionOfZero(const IndexMap& map) {
  const absl::InlinedVector<int64_t, 6> zeros(map.rank(), 0);
  return map.LinearIndexUnchecked(zeros);
}

}  // namespace

int64_t LoopNest::size() const {
  int64_t size = 1;
  for (const Loop& loop : loops) size *= loop.extent;
  return size;
}

absl::optional<std::vector<LoopNest>> CommonLoopNests(
    const IndexMap& from, const IndexMap& to,
    absl::Span<const int64_t> to_dimensions) {
  if (from.element_count() == 0) return std::vector<LoopNest>();
  if (!from.is_separable() || !to.is_separable()) return absl::nullopt;
  absl::InlinedVector<Segments, 6> dimensions(from.rank());
  for (int64_t i = 0; i < from.rank(); ++i) {
    const absl::optional<DimensionDigits> from_digits =
        DigitsOfDimension(from, i);
    const absl::optional<DimensionDigits> to_digits =
        DigitsOfDimension(to, to_dimensions[i]);
    Digits digits;
    const int64_t bound = from.bounds()[i];
    if (!from_digits.has_value() || !to_digits.has_value() ||
        !Refine(*from_digits, *to_digits, bound, &digits)) {
      return absl::nullopt;
    }
    Cut(digits, digits.size(), 0, bound, 0, 0, &dimensions[i]);
  }
  return Combine(dimensions, PositionOfZero(from), PositionOfZero(to));
}

absl::optional<std::vector<LoopNest>> PaddingLoopNests(const IndexMap& map) {
  std::vector<LoopNest> nests;
  if (map.element_count() == 0) return nests;
  if (!map.is_separable()) return absl::nullopt;
  const int64_t rank = map.rank();
  absl::InlinedVector<Digits, 6> digits(rank);
  absl::InlinedVector<int64_t, 6> padded(rank, 1);
  for (const IndexMap::Digit& digit : map.digits()) {
    if (digit.source >= rank) return absl::nullopt;
    padded[digit.source] *= digit.modulus;
    digits[digit.source].push_back({digit.divisor, 0, digit.stride});
  }
  for (int64_t i = 0; i < rank; ++i) {
    std::sort(
        digits[i].begin(), digits[i].end(),
        [](const Digit& a, const Digit& b) { return a.divisor < b.divisor; });
    if (digits[i].empty()) digits[i].push_back({1, 0, 0});
  }
  // Positions whose first coordinate outside of its bound is that of dimension
  // i: those before it are within, those after it may be anything.
  for (int64_t i = 0; i < rank; ++i) {
    if (padded[i] <= map.bounds()[i]) continue;
    absl::InlinedVector<Segments, 6> dimensions(rank);
    for (int64_t j = 0; j < rank; ++j) {
      Cut(digits[j], digits[j].size(), j == i ? map.bounds()[j] : 0,
          j < i ? map.bounds()[j] : padded[j], 0, 0, &dimensions[j]);
    }
    absl::optional<std::vector<LoopNest>> more =
        Combine(dimensions, 0, map.base());
    if (!more.has_value()) return absl::nullopt;
    std::move(more->begin(), more->end(), std::back_inserter(nests));
  }
  return nests;
}

}  // namespace tessera
