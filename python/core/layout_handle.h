// The class tessera._core.Layout: a layout of any family, with its maps.

#ifndef TESSERA_PYTHON_CORE_LAYOUT_HANDLE_H_
#define TESSERA_PYTHON_CORE_LAYOUT_HANDLE_H_

#include <pybind11/pybind11.h>

#include <array>
#include <memory>
#include <string>

#include "tessera/any_layout/any_layout.h"
#include "tessera/index_map/batch_index_map.h"
#include "tessera/index_map/position_unit.h"
#include "tessera/python/core/casters.h"

namespace tessera::python {

// Maps are made at their first use, with the interpreter's lock held. Batches
// are computed without the lock, on any number of threads.
class LayoutHandle {
 public:
  explicit LayoutHandle(AnyLayout layout)
      : layout_(std::move(layout)), text_(ToString(layout_)) {}

  const AnyLayout& layout() const { return layout_; }
  const std::string& text() const { return text_; }

  // Throws if ToIndexMap fails.
  const BatchIndexMap& batches(PositionUnit unit) const;
  const IndexMap& map(PositionUnit unit = PositionUnit::kElements) const {
    return batches(unit).map();
  }

 private:
  AnyLayout layout_;
  std::string text_;  // canonical
  mutable std::array<std::shared_ptr<const BatchIndexMap>, 3> batches_;
};

// Reads "elements", "bytes" or "bits". Throws tessera.Error for anything else.
PositionUnit UnitOf(pybind11::handle unit);

void BindLayouts(pybind11::module_* module);

template <>
inline constexpr bool kIsConstructed<LayoutHandle> = true;

}  // namespace tessera::python

#endif  // TESSERA_PYTHON_CORE_LAYOUT_HANDLE_H_
