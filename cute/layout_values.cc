#include "tessera/cute/layout_values.h"

#include <limits>
#include <variant>

#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/coordinates.h"

namespace tessera::cute {
namespace {

// Returns whether every value at coordinates 0 to `greatest` fits into int64_t.
// Past the size, the last mode continues.
bool FitsUpTo(const Layout& layout, int64_t greatest) {
  if (layout.leaves().empty()) return true;
  const Layout::Leaf& last = layout.leaves().back();
  const int64_t stride = last.stride < 0 ? -last.stride : last.stride;
  const int64_t others = layout.cosize() - 1 - (last.size - 1) * stride;
  int64_t reach;
  return !__builtin_mul_overflow(greatest / (layout.size() / last.size), stride,
                                 &reach) &&
         !__builtin_add_overflow(reach, others, &reach);
}

}  // namespace

LayoutValues::LayoutValues(const Layout& layout) : layout_(layout) {
  if (!layout.has_basis()) walk_.emplace(layout);
}

absl::StatusOr<LayoutValues> LayoutValues::Create(const Layout& layout) {
  // All values have the modes of the first.
  if (layout.has_basis()) {
    TESSERA_RETURN_IF_ERROR(Evaluate(IntTuple(0), layout).status());
  }
  return LayoutValues(layout);
}

absl::StatusOr<LayoutValues> LayoutValues::Create(
    const ComposedLayout& composed) {
  const Layout& inner = composed.layout();
  const auto* outer = std::get_if<Layout>(&composed.outer());
  if (inner.has_basis() || (outer != nullptr && outer->has_basis())) {
    return InvalidArgumentError(
        "strides of ", composed.ToString(),
        " are of basis elements: values are coordinates");
  }
  const OffsetRange range = OffsetRangeOf(inner);
  int64_t least, greatest;
  if (__builtin_add_overflow(composed.offset(), range.least, &least) ||
      least < 0) {
    return InvalidArgumentError("the outer function of ", composed.ToString(),
                                " has negative arguments");
  }
  if (__builtin_add_overflow(composed.offset(), range.greatest, &greatest) ||
      (outer != nullptr && !FitsUpTo(*outer, greatest))) {
    return OutOfRangeError("a value of ", composed.ToString(),
                           " exceeds int64_t");
  }
  LayoutValues values(inner);
  values.composed_ = composed;
  return values;
}

IntTuple LayoutValues::value() const {
  if (!walk_.has_value()) {
    // Within the size every sum fits, because the cosize does. Create has
    // checked that there are not too many modes.
    return *Evaluate(IntTuple(coordinate_), layout_);
  }
  const int64_t offset = walk_->offset();
  return composed_.has_value() ? composed_->Apply(offset) : offset;
}

}  // namespace tessera::cute
