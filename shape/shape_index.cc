#include "tessera/shape/shape_index.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/primitive_type.h"

namespace tessera {

std::string ShapeIndexToString(ShapeIndexView index) {
  return absl::StrCat("{", absl::StrJoin(index, ","), "}");
}

absl::StatusOr<Shape> GetSubshape(const Shape& shape, ShapeIndexView index) {
  const Shape* subshape = &shape;
  for (size_t level = 0; level < index.size(); ++level) {
    if (!subshape->IsTuple()) {
      return FailedPreconditionError(
          "shape index ", ShapeIndexToString(index), " goes into ",
          ShapeIndexToString(index.subspan(0, level)),
          ", which is not a tuple: ",
          PrimitiveTypeName(subshape->element_type()));
    }
    const int64_t size = subshape->tuple_shapes().size();
    if (index[level] < 0 || index[level] >= size) {
      return OutOfRangeError("shape index ", ShapeIndexToString(index),
                             ": entry ", level, " = ", index[level],
                             " is outside [0, ", size,
                             "), the elements of the tuple");
    }
    subshape = &subshape->tuple_shapes(index[level]);
  }
  return *subshape;
}

void ForEachSubshape(
    const Shape& shape,
    absl::FunctionRef<void(const Shape& subshape, ShapeIndexView index)>
        visit) {
  // Cannot fail, because `visit` does not.
  ForEachSubshapeWithStatus(shape, [visit](const Shape& subshape,
                                           ShapeIndexView index) {
    visit(subshape, index);
    return absl::OkStatus();
  }).IgnoreError();
}

void ForEachLeafShape(
    const Shape& shape,
    absl::FunctionRef<void(const Shape& leaf, ShapeIndexView index)> visit) {
  ForEachSubshape(shape, [visit](const Shape& subshape, ShapeIndexView index) {
    if (!subshape.IsTuple()) visit(subshape, index);
  });
}

absl::Status ForEachSubshapeWithStatus(
    const Shape& shape,
    absl::FunctionRef<absl::Status(const Shape& subshape, ShapeIndexView index)>
        visit) {
  TESSERA_RETURN_IF_ERROR(visit(shape, {}));
  if (!shape.IsTuple()) return absl::OkStatus();
  // The remaining parts of each open tuple, and the index of the part visited
  // last.
  std::vector<absl::Span<const Shape>> rest = {shape.tuple_shapes()};
  ShapeIndex index = {-1};
  while (!rest.empty()) {
    if (rest.back().empty()) {
      rest.pop_back();
      index.pop_back();
      continue;
    }
    const Shape& subshape = rest.back().front();
    rest.back().remove_prefix(1);
    ++index.back();
    TESSERA_RETURN_IF_ERROR(visit(subshape, index));
    if (subshape.IsTuple()) {
      rest.push_back(subshape.tuple_shapes());
      index.push_back(-1);
    }
  }
  return absl::OkStatus();
}

int64_t GetLeafCount(const Shape& shape) {
  int64_t count = 0;
  ForEachLeafShape(shape, [&count](const Shape&, ShapeIndexView) { ++count; });
  return count;
}

}  // namespace tessera
