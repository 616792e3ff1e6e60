#include "tessera/cute/internal/thread_access.h"

#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cute/access/bank_conflicts.h"
#include "tessera/cute/internal/walk.h"
#include "tessera/cute/layout_function.h"

namespace tessera {
namespace cute {
namespace {

constexpr int64_t kWidestVector = 16;
constexpr int64_t kLargestAddress = int64_t{1} << 62;

struct OffsetRange {
  int64_t least = 0;
  int64_t greatest = 0;
};

// Neither end exceeds int64_t, as the cosize does not.
OffsetRange RangeOf(const Layout& layout) {
  OffsetRange range;
  for (const Layout::Leaf& leaf : layout.leaves()) {
    const int64_t last = (leaf.size - 1) * leaf.stride;
    (last < 0 ? range.least : range.greatest) += last;
  }
  return range;
}

absl::Status CheckAccess(const Layout& layout, const Layout& threads,
                         int64_t bytes) {
  if (bytes < 1 || bytes > kWidestVector || (bytes & (bytes - 1)) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("bytes = ", bytes, " is not 1, 2, 4, 8 or 16"));
  }
  if (layout.has_basis() || threads.has_basis()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the values of ", (layout.has_basis() ? layout : threads).ToString(),
        " are coordinates, not offsets"));
  }
  if (threads.rank() < 1 || threads.rank() > 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected threads of shape (thread, value) or (thread), "
                     "found ",
                     threads.ToString()));
  }
  if (threads.size() > kMaxAccessElements) {
    return absl::ResourceExhaustedError(
        absl::StrCat("threads access at most ", kMaxAccessElements,
                     " elements, and these access ", threads.size()));
  }
  const OffsetRange coordinates = RangeOf(threads);
  if (coordinates.least < 0 || coordinates.greatest >= layout.size()) {
    return absl::OutOfRangeError(absl::StrCat(
        "coordinate ",
        coordinates.least < 0 ? coordinates.least : coordinates.greatest,
        " of ", threads.ToString(), " is outside [0, ", layout.size(),
        "), the coordinates of ", layout.ToString()));
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
  const Layout::Leaves& leaves = layout.leaves();
  for (size_t i = 0; i + 1 < leaves.size(); ++i) {
    if ((leaves[i].size & (leaves[i].size - 1)) != 0) return false;
  }
  return (BitsOf(a) & BitsOf(b)) == 0;
}

// Returns the offsets of all values, threads fastest.
AccessNumbers OffsetsOf(const Layout& layout, const Layout& threads) {
  const LayoutFunction function(layout);
  // A coordinate is the sum of those of its thread and of its value.
  AccessNumbers of_threads = OffsetsOf(threads.Mode(0));
  AccessNumbers of_values = {0};
  if (threads.rank() == 2) of_values = OffsetsOf(threads.Mode(1));
  AccessNumbers offsets(threads.size());
  int64_t* next = offsets.data();
  if (!IsSum(layout, of_threads, of_values)) {
    for (const int64_t value : of_values) {
      for (const int64_t thread : of_threads) {
        *next++ = function(thread + value);
      }
    }
    return offsets;
  }
  for (int64_t& thread : of_threads) thread = function(thread);
  for (const int64_t value : of_values) {
    const int64_t offset = function(value);
    for (const int64_t thread : of_threads) *next++ = thread + offset;
  }
  return offsets;
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
    return absl::OutOfRangeError(absl::StrCat(
        "the address of offset ", *greatest >= limit ? *greatest : *least,
        ", in elements of ", bytes, " bytes, exceeds 2^62"));
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
  return InVectors(OffsetsOf(layout, threads), threads, bytes);
}

absl::StatusOr<ThreadAccess> MakeThreadAccess(const ComposedLayout& layout,
                                              const Layout& threads,
                                              int64_t bytes) {
  TESSERA_RETURN_IF_ERROR(CheckAccess(layout.layout(), threads, bytes));
  AccessNumbers offsets = OffsetsOf(layout.layout(), threads);
  const auto* outer = std::get_if<Layout>(&layout.outer());
  if (outer != nullptr && outer->has_basis()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the values of ", outer->ToString(), " are coordinates, not offsets"));
  }
  const auto* swizzle = std::get_if<Swizzle>(&layout.outer());
  for (int64_t& offset : offsets) {
    int64_t argument;
    const bool exceeds =
        __builtin_add_overflow(layout.offset(), offset, &argument);
    if (exceeds || argument < 0 ||
        (outer != nullptr && argument >= outer->size())) {
      return absl::OutOfRangeError(absl::StrCat(
          "offset ", layout.offset(), " + ", offset,
          " is outside the numbers that ",
          outer != nullptr ? outer->ToString() : "a swizzle", " takes"));
    }
    offset = swizzle != nullptr ? (*swizzle)(argument) : (*outer)(argument);
  }
  return InVectors(std::move(offsets), threads, bytes);
}

}  // namespace cute
}  // namespace tessera
