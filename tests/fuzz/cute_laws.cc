#include "tests/fuzz/cute_laws.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/access/bank_conflicts.h"
#include "tessera/cute/access/coalescing.h"
#include "tessera/cute/access/find_swizzle.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/complement.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/algebra/divide.h"
#include "tessera/cute/algebra/inverse.h"
#include "tessera/cute/algebra/product.h"
#include "tessera/cute/algebra/recast.h"
#include "tessera/cute/layout_function.h"
#include "tessera/cute/layout_values.h"
#include "tessera/cute/tiler.h"

namespace tessera {
namespace {

// The first and last coordinates, and some between.
std::vector<int64_t> SomeCoordinates(int64_t size) {
  constexpr int64_t kAllUpTo = 64;
  std::vector<int64_t> coordinates;
  for (int64_t i = 0; i < std::min(size, kAllUpTo); ++i) {
    coordinates.push_back(i);
  }
  uint64_t scattered = 0;
  for (int64_t i = 1; i <= kAllUpTo && size > kAllUpTo; ++i) {
    scattered += 0x9e3779b97f4a7c15;
    coordinates.push_back(scattered % size);
    coordinates.push_back(size - i);
  }
  return coordinates;
}

// Where `actual` and `expected`, functions of a coordinate, differ on [0,
// size).
template <typename Actual, typename Expected>
std::string Difference(std::string_view law, int64_t size, const Actual& actual,
                       const Expected& expected) {
  for (const int64_t c : SomeCoordinates(size)) {
    if (actual(c) != expected(c)) {
      return absl::StrCat(AbslView(law), ": ", actual(c), " in place of ",
                          expected(c), " at ", c);
    }
  }
  return "";
}

bool Rises(const cute::Layout& layout) {
  return std::all_of(
      layout.leaves().begin(), layout.leaves().end(),
      [](const cute::Layout::Leaf& leaf) { return leaf.stride >= 0; });
}

std::string EvaluationProblem(const cute::Layout& layout) {
  const cute::LayoutFunction function(layout);
  std::string problem =
      Difference("LayoutFunction", layout.size(), function, layout);
  if (!problem.empty() || layout.size() > 256) return problem;
  absl::StatusOr<cute::LayoutValues> values =
      cute::LayoutValues::Create(layout);
  if (!values.ok()) return std::string(values.status().message());
  for (; !values->AtEnd(); values->Next()) {
    if (values->value() != layout(values->coordinate())) {
      return absl::StrCat("LayoutValues differ at ", values->coordinate());
    }
  }
  return "";
}

std::string CoalesceProblem(const cute::Layout& layout) {
  const cute::Layout coalesced = cute::Coalesce(layout);
  if (coalesced.size() != layout.size() || coalesced.depth() > 1 ||
      cute::Coalesce(coalesced) != coalesced) {
    return absl::StrCat("coalesced to ", coalesced.ToString());
  }
  return Difference("coalesce", layout.size(), coalesced, layout);
}

std::string ComplementProblem(const cute::Layout& layout) {
  const absl::StatusOr<cute::Layout> rest = cute::Complement(layout);
  if (!rest.ok()) return "";
  for (const int64_t c : SomeCoordinates(rest->size())) {
    if (c > 0 && (*rest)(c - 1) >= (*rest)(c)) {
      return absl::StrCat("the complement ", rest->ToString(),
                          " is not ordered at ", c);
    }
  }
  return "";
}

std::string InverseProblem(const cute::Layout& layout) {
  if (const absl::StatusOr<cute::Layout> right = cute::RightInverse(layout);
      right.ok()) {
    std::string problem = Difference(
        "right inverse", right->size(),
        [&](int64_t i) { return layout((*right)(i)); },
        [](int64_t i) { return i; });
    if (!problem.empty()) return problem;
  }
  const absl::StatusOr<cute::Layout> left = cute::LeftInverse(layout);
  if (!left.ok()) return "";
  return Difference(
      "left inverse", layout.size(),
      [&](int64_t i) { return layout((*left)(layout(i))); },
      [&](int64_t i) { return layout(i); });
}

std::string RecastProblem(const cute::Layout& layout) {
  for (const int64_t factor : {2, 3}) {
    const absl::StatusOr<cute::Layout> down = cute::Downcast(layout, factor);
    if (!down.ok()) continue;
    const absl::StatusOr<cute::Layout> up = cute::Upcast(*down, factor);
    // Modes that overlap within a wide element are refused.
    if (!up.ok()) continue;
    std::string problem = Difference("recast", layout.size(), *up, layout);
    if (!problem.empty()) return problem;
  }
  return "";
}

// Of threads that access elements of 1, 4 and 16 bytes.
std::string AccessProblem(const cute::Layout& memory,
                          const cute::Layout& threads) {
  constexpr int64_t kMostElements = 1 << 10;
  if (threads.size() > kMostElements) return "";
  for (const int64_t bytes : {1, 4, 16}) {
    const auto plain = cute::BankConflictsOf(memory, threads, bytes);
    const auto touched = cute::CoalescingOf(memory, threads, bytes);
    if (plain.ok() != touched.ok()) return "only one kind of access is refused";
    if (!plain.ok()) continue;
    if (plain->fewest < 1 || plain->wavefronts < plain->fewest ||
        plain->ways < 1 || plain->ways > plain->wavefronts ||
        plain->wavefronts > plain->fewest * plain->ways ||
        plain->collisions.empty() != (plain->ways == 1)) {
      return absl::StrCat("access: ", plain->ToString());
    }
    if (touched->fewest_sectors > touched->sectors ||
        touched->lines > touched->sectors ||
        touched->sectors > 4 * touched->lines ||
        touched->sectors > touched->request_sectors) {
      return absl::StrCat("access: ", touched->ToString());
    }
    const auto found = cute::FindSwizzles(memory, threads, bytes);
    // An offset is negative.
    if (!found.ok()) continue;
    const bool needs_none = !found->empty() && found->front().is_identity();
    if (needs_none != (plain->ways == 1)) return "a swizzle that is not needed";
    for (const cute::Swizzle& swizzle : *found) {
      const auto free = cute::BankConflictsOf(
          cute::ComposedLayout(swizzle, 0, memory), threads, bytes);
      if (!free.ok() || free->ways != 1 ||
          free->vector_bytes < plain->vector_bytes) {
        return absl::StrCat(swizzle.ToString(), " leaves a conflict");
      }
    }
  }
  return "";
}

}  // namespace

std::string LayoutLawProblem(const cute::Layout& layout) {
  if (layout.has_basis()) return "";
  std::vector<std::string> problems = {
      EvaluationProblem(layout), CoalesceProblem(layout),
      ComplementProblem(layout), RecastProblem(layout)};
  if (Rises(layout)) problems.push_back(InverseProblem(layout));
  for (const std::string& problem : problems) {
    if (!problem.empty()) {
      return absl::StrCat(layout.ToString(), ": ", problem);
    }
  }
  return "";
}

std::string PairLawProblem(const cute::Layout& a, const cute::Layout& b) {
  if (const std::string problem = AccessProblem(a, b); !problem.empty()) {
    return absl::StrCat(a.ToString(), ", ", b.ToString(), ": ", problem);
  }
  if (a.has_basis() || b.has_basis() || !Rises(b)) return "";
  const std::string pair = absl::StrCat(a.ToString(), ", ", b.ToString(), ": ");
  cute::CompositionOptions options;
  options.max_evaluations = 1 << 12;
  const absl::StatusOr<cute::Layout> composed =
      cute::Composition(a, b, options);
  if (composed.ok()) {
    if (!Compatible(b.shape(), composed->shape())) {
      return absl::StrCat(pair, "not compatible: ", composed->ToString());
    }
    std::string problem = Difference("composition", b.size(), *composed,
                                     [&](int64_t i) { return a(b(i)); });
    if (!problem.empty()) return absl::StrCat(pair, problem);
  }
  const absl::StatusOr<cute::Layout> divided =
      cute::ZippedDivide(a, b, options);
  if (divided.ok() && (!composed.ok() || divided->Mode(0) != *composed)) {
    // A mode of size 1 at the end of A may be in the way of the tiles.
    const absl::StatusOr<cute::Layout> within =
        cute::Composition(cute::Coalesce(a), b, options);
    if (a.leaves().empty() || a.leaves().back().size != 1 || !within.ok() ||
        divided->Mode(0) != *within) {
      return absl::StrCat(pair, "divided to ", divided->ToString());
    }
  }
  const absl::StatusOr<cute::Layout> product =
      cute::LogicalProduct(a, b, options);
  if (product.ok() && product->Mode(0) != a) {
    return absl::StrCat(pair, "product ", product->ToString());
  }
  if (product.ok() && !Compatible(b.shape(), product->Mode(1).shape())) {
    return absl::StrCat(pair, "product not compatible, ", product->ToString());
  }
  return "";
}

}  // namespace tessera
