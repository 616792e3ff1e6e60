#include "tessera/cute/calculator/tiler_reading.h"

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "tessera/cute/algebra/inverse.h"

namespace tessera::cute {
namespace {

// Whether the offsets are 0 ... size-1.
bool IsCompact(const Layout& layout) {
  if (layout.has_basis() || layout.cosize() != layout.size()) return false;
  const absl::StatusOr<Layout> inverse = RightInverse(layout);
  return inverse.ok() && inverse->size() == layout.size();
}

}  // namespace

std::optional<Tiler> ByModeReading(const Layout& layout, const Layout& tiler,
                                   TilerUse use) {
  if (tiler.rank() < 2 || tiler.rank() > layout.rank() || tiler.size() == 1 ||
      !IsCompact(tiler)) {
    return std::nullopt;
  }
  IntTuple::Values sizes;
  for (int64_t i = 0; i < tiler.rank(); ++i) {
    const int64_t size = tiler.Mode(i).size();
    if (use == TilerUse::kPicks && size > layout.Mode(i).size())
      return std::nullopt;
    sizes.push_back(size);
  }
  // Sizes of a layout are at least 1.
  return *Tiler::OfShape(IntTuple::Flat(sizes));
}

std::optional<Layout> WholeReading(const Layout& layout, const IntTuple& shape,
                                   TilerUse use) {
  if (shape.is_integer()) return std::nullopt;
  const absl::StatusOr<Layout> whole = Layout::ColumnMajor(shape);
  if (!whole.ok()) return std::nullopt;
  bool fits = shape.rank() <= layout.rank();
  if (use == TilerUse::kPicks) {
    if (whole->size() > layout.size()) return std::nullopt;
    for (int64_t i = 0; fits && i < shape.rank(); ++i) {
      fits = whole->Mode(i).size() <= layout.Mode(i).size();
    }
  }
  if (fits) return std::nullopt;
  return *whole;
}

}  // namespace tessera::cute
