#include "tessera/cute/internal/thread_access.h"

#include <optional>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/access/bank_conflicts.h"
#include "tessera/cute/internal/walk.h"
#include "tessera/cute/layout_function.h"

namespace tessera::cute {
namespace {

constexpr int64_t kWidestVector = 16;
constexpr int64_t kLargestAddress = int64_t{1} << 62;

absl::Status CheckAccess(const Layout& layout, const Layout& threads,
                         int64_t bytes) {
  if (bytes < 1 || bytes > kWidestVector || (bytes & (bytes - 1)) != 0) {
    return InvalidArgumentError("bytes = ", bytes, " is not 1, 2, 4, 8 or 16");
  }
  if (layout.has_basis() || threads.has_basis()) {
    return InvalidArgumentError(
        "the values of ", (layout.has_basis() ? layout : threads).ToString(),
        " are coordinates, not offsets");
  }
  if (threads.rank() < 1 || threads.rank() > 2) {
    return InvalidArgumentError(
        "expected threads of shape (thread, value) or (thread), "
        "found ",
        threads.ToString());
  }
  if (threads.size() > kMaxAccessElements) {
    return ResourceExhaustedError("threads access at most ", kMaxAccessElements,
                                  " elements, and these access ",
                                  threads.size());
  }
  const OffsetRange coordinates = OffsetRangeOf(threads);
  if (coordinates.least < 0 || coordinates.greatest >= layout.size()) {
    return OutOfRangeError(
        "coordinate ",
        coordinates.least < 0 ? coordinates.least : coordinates.greatest,
        " of ", threads.ToString(), " is outside [0, ", layout.size(),
        "), the coordinates of ", layout.ToString());
  }
  return absl::OkStatus();
}

AccessNumbers OffsetsOf(const Layout& layout) {
  AccessNumbers offsets;
  offsets.reserve(layout.size());
  for (LayoutWalk walk(layout); !walk.AtEnd(); walk.Next()) {
    offsets.push_back(walk.offset());
  }
  return offsets;
}

int64_t BitsOf(const AccessNumbers& numbers) {
  int64_t bits = 0;
  for (const int64_t number : numbers) bits |= number;
  return bits;
}

// Whether layout(a + b) == layout(a) + layout(b) for all of them: no digit of
// the coordinates carries.
bool IsSum(const Layout& layout, const AccessNumbers& a,
           const AccessNumbers& b) {
  if (BitsOf(b) == 0) return true;
  const Layout::Leaves& leaves = layout.leaves();
  for (size_t i = 0; i + 1 < leaves.size(); ++i) {
    if ((leaves[i].size & (leaves[i].size - 1)) != 0) return false;
  }
  return (BitsOf(a) & BitsOf(b)) == 0;
}

// The coordinates of threads and those of values, whose sums are accessed.
struct Coordinates {
  explicit Coordinates(const Layout& threads)
      : of_threads(OffsetsOf(threads.Mode(0))) {
    if (threads.rank() == 2) of_values = OffsetsOf(threads.Mode(1));
  }

  AccessNumbers of_threads;
  AccessNumbers of_values = {0};
};

// Returns the offsets of all values, threads fastest.
AccessNumbers OffsetsOf(const Layout& layout, const Coordinates& coordinates) {
  const LayoutFunction function(layout);
  AccessNumbers offsets;
  offsets.reserve(coordinates.of_threads.size() * coordinates.of_values.size());
  for (const int64_t value : coordinates.of_values) {
    for (const int64_t thread : coordinates.of_threads) {
      offsets.push_back(function(thread + value));
    }
  }
  return offsets;
}

// Whether vectors of `elements` are contiguous and aligned, where each offset
// is the sum of that of its thread and that of its value.
bool AreVectorsOfSums(const AccessNumbers& of_threads,
                      const AccessNumbers& of_values, int64_t elements) {
  const auto values = static_cast<int64_t>(of_values.size());
  if (values % elements != 0) return false;
  int64_t unaligned = 0;
  for (const int64_t thread : of_threads) unaligned |= thread - of_threads[0];
  for (int64_t first = 0; first < values; first += elements) {
    unaligned |= of_threads[0] + of_values[first];
    for (int64_t i = 1; i < elements; ++i) {
      if (of_values[first + i] != of_values[first] + i) return false;
    }
  }
  return (unaligned & (elements - 1)) == 0;
}

// Returns the access if offsets are such sums plus `offset`, and the swizzle
// keeps the widest vectors whole. Only one address per vector is then computed,
// and not the offsets of its elements. Returns nullopt in other cases and for
// errors.
std::optional<ThreadAccess> AccessOfSums(const Layout& layout,
                                         const Coordinates& coordinates,
                                         int64_t bytes, int64_t offset,
                                         const Swizzle& swizzle) {
  if (!IsSum(layout, coordinates.of_threads, coordinates.of_values)) {
    return std::nullopt;
  }
  // The sum of three such numbers, swizzled, is a valid address.
  const int64_t limit = kLargestAddress / 4 / bytes;
  if (offset < 0 || offset >= limit || swizzle.shift() < 0) return std::nullopt;
  const LayoutFunction function(layout);
  AccessNumbers of_threads = coordinates.of_threads;
  AccessNumbers of_values = coordinates.of_values;
  int64_t least = offset;
  for (AccessNumbers* numbers : {&of_threads, &of_values}) {
    for (int64_t& number : *numbers) number = function(number);
    const auto [first, last] =
        std::minmax_element(numbers->begin(), numbers->end());
    if (*first <= -limit || *last >= limit) return std::nullopt;
    least += *first;
  }
  if (least < 0) return std::nullopt;
  for (int64_t& value : of_values) value += offset;
  const auto values = static_cast<int64_t>(of_values.size());
  const int64_t widest = values > 1 ? kWidestVector / bytes : 1;
  int64_t elements = widest;
  while (elements > 1 && !AreVectorsOfSums(of_threads, of_values, elements)) {
    elements /= 2;
  }
  // The swizzle might make other vectors contiguous, or split these.
  if (!swizzle.is_identity() &&
      (elements < widest || (int64_t{1} << swizzle.base()) < elements)) {
    return std::nullopt;
  }
  ThreadAccess access;
  access.threads = static_cast<int64_t>(of_threads.size());
  access.vectors = values / elements;
  access.vector_bytes = elements * bytes;
  access.addresses.reserve(access.vectors * access.threads);
  for (int64_t first = 0; first < values; first += elements) {
    for (const int64_t thread : of_threads) {
      access.addresses.push_back(swizzle(thread + of_values[first]) * bytes);
    }
  }
  return access;
}

// Whether vectors of `elements` are contiguous and aligned.
bool AreVectors(const AccessNumbers& offsets, int64_t threads, int64_t values,
                int64_t elements) {
  if (values % elements != 0) return false;
  for (int64_t value = 0; value < values; value += elements) {
    const int64_t* first = offsets.data() + value * threads;
    for (int64_t thread = 0; thread < threads; ++thread) {
      if ((first[thread] & (elements - 1)) != 0) return false;
      for (int64_t i = 1; i < elements; ++i) {
        if (first[i * threads + thread] != first[thread] + i) return false;
      }
    }
  }
  return true;
}

absl::StatusOr<ThreadAccess> InVectors(AccessNumbers offsets,
                                       const Layout& threads, int64_t bytes) {
  const int64_t limit = kLargestAddress / bytes;
  const auto [least, greatest] =
      std::minmax_element(offsets.begin(), offsets.end());
  if (*greatest >= limit || *least <= -limit) {
    return OutOfRangeError("the address of offset ",
                           *greatest >= limit ? *greatest : *least,
                           ", in elements of ", bytes, " bytes, exceeds 2^62");
  }
  ThreadAccess access;
  access.threads = threads.Mode(0).size();
  const int64_t values = threads.size() / access.threads;
  int64_t elements = values > 1 ? kWidestVector / bytes : 1;
  while (elements > 1 &&
         !AreVectors(offsets, access.threads, values, elements)) {
    elements /= 2;
  }
  access.vectors = values / elements;
  access.vector_bytes = elements * bytes;
  access.addresses.reserve(access.vectors * access.threads);
  for (int64_t vector = 0; vector < access.vectors; ++vector) {
    for (int64_t thread = 0; thread < access.threads; ++thread) {
      access.addresses.push_back(
          offsets[vector * elements * access.threads + thread] * bytes);
    }
  }
  return access;
}

}  // namespace

absl::StatusOr<ThreadAccess> MakeThreadAccess(const Layout& layout,
                                              const Layout& threads,
                                              int64_t bytes) {
  TESSERA_RETURN_IF_ERROR(CheckAccess(layout, threads, bytes));
  const Coordinates coordinates(threads);
  std::optional<ThreadAccess> access =
      AccessOfSums(layout, coordinates, bytes, /*offset=*/0, Swizzle());
  if (access.has_value()) return *std::move(access);
  return InVectors(OffsetsOf(layout, coordinates), threads, bytes);
}

absl::StatusOr<ThreadAccess> MakeThreadAccess(const ComposedLayout& layout,
                                              const Layout& threads,
                                              int64_t bytes) {
  TESSERA_RETURN_IF_ERROR(CheckAccess(layout.layout(), threads, bytes));
  const Coordinates coordinates(threads);
  const auto* swizzle = std::get_if<Swizzle>(&layout.outer());
  if (swizzle != nullptr) {
    std::optional<ThreadAccess> access = AccessOfSums(
        layout.layout(), coordinates, bytes, layout.offset(), *swizzle);
    if (access.has_value()) return *std::move(access);
  }
  AccessNumbers offsets = OffsetsOf(layout.layout(), coordinates);
  const auto* outer = std::get_if<Layout>(&layout.outer());
  if (outer != nullptr && outer->has_basis()) {
    return InvalidArgumentError("the values of ", outer->ToString(),
                                " are coordinates, not offsets");
  }
  for (int64_t& offset : offsets) {
    int64_t argument;
    const bool exceeds =
        __builtin_add_overflow(layout.offset(), offset, &argument);
    if (exceeds || argument < 0 ||
        (outer != nullptr && argument >= outer->size())) {
      return OutOfRangeError("offset ", layout.offset(), " + ", offset,
                             " is outside the numbers that ",
                             outer != nullptr ? outer->ToString() : "a swizzle",
                             " takes");
    }
    offset = swizzle != nullptr ? (*swizzle)(argument) : (*outer)(argument);
  }
  return InVectors(std::move(offsets), threads, bytes);
}

}  // namespace tessera::cute
