#include "tessera/cute/algebra/common_layout.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/inverse.h"

namespace tessera::cute {
namespace {

absl::Status CheckValuesAreOffsets(const Layout& layout) {
  if (!layout.has_basis()) return absl::OkStatus();
  return InvalidArgumentError(
      "the values of ", layout.ToString(),
      " are coordinates, which are not contiguous in memory");
}

}  // namespace

absl::StatusOr<Layout> MaxCommonLayout(const Layout& a, const Layout& b,
                                       const CompositionOptions& options) {
  TESSERA_RETURN_IF_ERROR(CheckValuesAreOffsets(a));
  TESSERA_RETURN_IF_ERROR(CheckValuesAreOffsets(b));
  TESSERA_ASSIGN_OR_RETURN(const Layout& inverse, RightInverse(b));
  const Layout::Leaves& modes = inverse.leaves();
  for (size_t count = modes.size(); count > 0; --count) {
    Layout::Builder builder;
    builder.AppendFlat(absl::MakeConstSpan(modes).subspan(0, count));
    absl::StatusOr<Layout> common =
        Composition(a, *std::move(builder).Build(), options);
    if (!common.ok()) continue;
    const Layout::Leaves merged = CoalescedLeaves(common->leaves());
    if (merged.empty() || merged[0].stride != 1) return Layout();
    Layout::Builder first;
    first.Append(Layout::Leaf{merged[0].size, 1, Basis()});
    return Composition(inverse, *std::move(first).Build(), options);
  }
  return Layout();
}

absl::StatusOr<int64_t> MaxCommonVector(const Layout& a, const Layout& b,
                                        const CompositionOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(const Layout common, MaxCommonLayout(a, b, options));
  return common.size();
}

absl::StatusOr<int64_t> MaxAlignment(const Layout& layout) {
  TESSERA_RETURN_IF_ERROR(CheckValuesAreOffsets(layout));
  TESSERA_ASSIGN_OR_RETURN(const Layout inverse, RightInverse(layout));
  // The modes that chain are those whose strides lie below the contiguous size.
  int64_t alignment = inverse.size();
  int64_t extent = 1;
  Layout::Leaves modes = CoalescedLeaves(layout.leaves());
  std::stable_sort(modes.begin(), modes.end(),
                   [](const Layout::Leaf& x, const Layout::Leaf& y) {
                     return x.stride < y.stride;
                   });
  for (const Layout::Leaf& mode : modes) {
    if (mode.stride == extent) {
      extent *= mode.size;
    } else {
      alignment = std::gcd(alignment, std::abs(mode.stride));
    }
  }
  return alignment;
}

int64_t ContiguousElements(const Layout& layout) {
  for (const Layout::Leaf& mode : CoalescedLeaves(layout.leaves())) {
    if (mode.stride == 1) return mode.size;
  }
  return 1;
}

int64_t VectorElements(const Layout& layout) {
  int64_t elements = ContiguousElements(layout);
  bool is_innermost_next = true;
  for (const Layout::Leaf& mode : CoalescedLeaves(layout.leaves())) {
    if (mode.stride == 1 && is_innermost_next) {
      is_innermost_next = false;
      continue;
    }
    elements = std::gcd(elements, std::abs(mode.stride));
  }
  return elements;
}

}  // namespace tessera::cute
