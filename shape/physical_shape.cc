#include "tessera/shape/physical_shape.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/layout/layout_proto.h"
#include "tessera/shape/shape_proto.h"
#include "tessera/shape/validate_shape.h"

namespace tessera {
namespace {

class ShapeHolder final : public PhysicalShape {
 public:
  explicit ShapeHolder(Shape shape) : shape_(std::move(shape)) {}

  const Shape& shape() const { return shape_; }

  std::string ToString() const override { return shape_.ToString(); }
  ShapeProto ToProto() const override { return ShapeToProto(shape_); }
  bool Equals(const PhysicalShape& other) const override {
    const auto* holder = dynamic_cast<const ShapeHolder*>(&other);
    return holder != nullptr && holder->shape_ == shape_;
  }

 private:
  Shape shape_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const PhysicalShape>> MakePhysicalShape(
    Shape shape) {
  TESSERA_RETURN_IF_ERROR(ValidateShape(shape));
  return std::make_shared<ShapeHolder>(std::move(shape));
}

std::optional<Shape> PhysicalShapeOf(const Layout& layout) {
  const auto* holder =
      dynamic_cast<const ShapeHolder*>(layout.physical_shape());
  if (holder == nullptr) return std::nullopt;
  return holder->shape();
}

absl::StatusOr<Layout> LayoutFromProto(const LayoutProto& proto) {
  return LayoutFromProto(
      proto,
      [](const ShapeProto& physical_shape)
          -> absl::StatusOr<std::shared_ptr<const PhysicalShape>> {
        absl::StatusOr<Shape> shape = ShapeFromProto(physical_shape);
        if (!shape.ok()) {
          return absl::Status(
              shape.status().code(),
              absl::StrCat("physical shape: ", shape.status().message()));
        }
        return MakePhysicalShape(*std::move(shape));
      });
}

}  // namespace tessera
