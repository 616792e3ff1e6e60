// Steps through the values f(0), ..., f(size - 1) of a layout or a composed
// layout: offsets, or coordinates if strides are multiples of basis elements.
//
//   #include "tessera/cute/parse.h"
//
//   std::string printed;
//   LayoutValues values = *LayoutValues::Create(*ParseLayout("(2,2):(3,1)"));
//   for (; !values.AtEnd(); values.Next()) {
//     printed += values.value().ToString() + " ";
//   }
//   printed;   // "0 3 1 4 "
//
// The memory it takes does not depend on the size.

#ifndef TESSERA_CUTE_LAYOUT_VALUES_H_
#define TESSERA_CUTE_LAYOUT_VALUES_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/internal/walk.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

class LayoutValues {
 public:
  // Both values begin at coordinate 0. Errors: kResourceExhausted if values are
  // coordinates of more than 2^20 modes, as for Evaluate (cute/coordinates.h);
  // about 4,000 basis elements are enough for that.
  static absl::StatusOr<LayoutValues> Create(const Layout& layout);
  // Errors: kInvalidArgument if strides are multiples of basis elements or an
  // argument of the outer function is negative; kOutOfRange if an argument or a
  // value may exceed int64_t.
  static absl::StatusOr<LayoutValues> Create(const ComposedLayout& composed);

  int64_t size() const { return layout_.size(); }
  bool AtEnd() const { return coordinate_ == layout_.size(); }
  // Precondition here and below: !AtEnd().
  int64_t coordinate() const { return coordinate_; }
  IntTuple value() const;
  void Next() {
    ++coordinate_;
    if (walk_.has_value()) walk_->Next();
  }

 private:
  explicit LayoutValues(const Layout& layout);

  Layout layout_;  // of the coordinates
  std::optional<ComposedLayout> composed_;
  // Precondition: strides are not multiples of basis elements.
  std::optional<LayoutWalk> walk_;
  int64_t coordinate_ = 0;
};

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_LAYOUT_VALUES_H_
