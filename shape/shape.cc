#include "tessera/shape/shape.h"

#include <algorithm>
#include <optional>
#include <ostream>
#include <string_view>

#include "absl/hash/hash.h"
#include "tessera/base/text/value_type.h"
#include "tessera/layout/primitive_type.h"

namespace tessera {

static_assert(std::is_nothrow_move_constructible<Shape>::value,
              "a growing std::vector<Shape> would copy its elements");

Shape::SharedShapes::SharedShapes(std::vector<Shape> shapes) {
  if (shapes.empty()) return;
  list_ = new List;
  list_->shapes = std::move(shapes);
}

bool Shape::SharedShapes::GiveUpShare(List* list) {
  return list->owners.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

void Shape::SharedShapes::Release(List* list) {
  List* released = GiveUpShare(list) ? list : nullptr;
  while (released != nullptr) {
    List* const current = std::exchange(released, released->next_released);
    for (Shape& shape : current->shapes) {
      List* const inner = std::exchange(shape.tuple_shapes_.list_, nullptr);
      if (inner == nullptr || !GiveUpShare(inner)) continue;
      inner->next_released = std::exchange(released, inner);
    }
    delete current;
  }
}

Shape Shape::Array(PrimitiveType element_type, Dimensions dimensions,
                   std::optional<Layout> layout, DynamicDimensions is_dynamic) {
  Shape shape;
  shape.element_type_ = element_type;
  shape.dimensions_ = std::move(dimensions);
  shape.layout_ = std::move(layout);
  // One form for "all static", so that equal shapes have equal flags.
  is_dynamic.resize(shape.dimensions_.size());
  if (std::find(is_dynamic.begin(), is_dynamic.end(), true) !=
      is_dynamic.end()) {
    shape.dynamic_dimensions_ = std::move(is_dynamic);
  }
  return shape;
}

Shape Shape::Tuple(std::vector<Shape> elements) {
  Shape shape;
  shape.element_type_ = TUPLE;
  shape.tuple_shapes_ = SharedShapes(std::move(elements));
  return shape;
}

Shape Shape::Token() {
  Shape shape;
  shape.element_type_ = TOKEN;
  return shape;
}

Shape Shape::Opaque() {
  Shape shape;
  shape.element_type_ = OPAQUE_TYPE;
  return shape;
}

Shape Shape::Buffer(Shape array) {
  Shape shape;
  shape.element_type_ = BUFFER;
  std::vector<Shape> content;
  content.push_back(std::move(array));
  shape.tuple_shapes_ = SharedShapes(std::move(content));
  return shape;
}

bool Shape::IsArray() const { return IsArrayType(element_type_); }

bool Shape::has_unbounded_dimension() const {
  return std::find(dimensions_.begin(), dimensions_.end(), kUnboundedSize) !=
         dimensions_.end();
}

Shape Shape::WithLayout(std::optional<Layout> layout) const {
  Shape result = *this;
  result.layout_ = std::move(layout);
  return result;
}

std::string Shape::ToString(bool with_layout) const {
  std::string out;
  AppendTo(&out, with_layout);
  return out;
}

void Shape::AppendTo(std::string* out, bool with_layout) const {
  TextWriter writer(out);
  WriteTo(&writer, with_layout);
}

void Shape::WriteTo(TextWriter* writer, bool with_layout) const {
  if (!IsTuple() && !IsBuffer()) {
    WriteWithoutElements(writer, with_layout);
    return;
  }
  // The open parentheses, and the printed part of each.
  struct Open {
    absl::Span<const Shape> elements;
    size_t printed;
  };
  std::vector<Open> open;
  const auto begin = [&](const Shape& shape) {
    if (shape.IsTuple() || shape.IsBuffer()) {
      writer->Text(shape.IsBuffer() ? "b(" : "(");
      open.push_back({shape.tuple_shapes(), 0});
    } else {
      shape.WriteWithoutElements(writer, with_layout);
    }
  };
  begin(*this);
  while (!open.empty()) {
    Open& innermost = open.back();
    const size_t i = innermost.printed++;
    if (i == innermost.elements.size()) {
      writer->Char(')');
      open.pop_back();
      continue;
    }
    if (i > 0) writer->Text(", ");
    if (i > 0 && i % 5 == 0) {
      writer->Text("/*index=");
      writer->Int(static_cast<int64_t>(i));
      writer->Text("*/");
    }
    begin(innermost.elements[i]);
  }
}

void Shape::WriteWithoutElements(TextWriter* writer, bool with_layout) const {
  writer->Text(PrimitiveTypeName(element_type_));
  writer->Char('[');
  for (int64_t i = 0; i < rank(); ++i) {
    if (i > 0) writer->Char(',');
    if (is_unbounded_dimension(i)) {
      writer->Char('?');
      continue;
    }
    if (is_dynamic_dimension(i)) writer->Text("<=");
    writer->Int(dimensions_[i]);
  }
  writer->Char(']');
  if (!with_layout || !layout_.has_value()) return;
  // A scalar's {} is not printed.
  if (rank() == 0 && *layout_ == Layout()) return;
  layout_->WriteTo(writer);
}

size_t Shape::HashCode() const {
  size_t hash = 0;
  const auto mix = [&hash](const Shape& shape) {
    hash = absl::HashOf(hash, static_cast<int>(shape.element_type_),
                        shape.dimensions_, shape.dynamic_dimensions_,
                        shape.layout_.has_value(), shape.tuple_shapes().size());
    if (shape.has_layout()) hash = absl::HashOf(hash, shape.layout());
  };
  mix(*this);
  std::vector<absl::Span<const Shape>> pending;
  if (!tuple_shapes().empty()) pending.push_back(tuple_shapes());
  while (!pending.empty()) {
    const Shape& shape = pending.back().front();
    pending.back().remove_prefix(1);
    if (pending.back().empty()) pending.pop_back();
    mix(shape);
    if (!shape.tuple_shapes().empty()) pending.push_back(shape.tuple_shapes());
  }
  return hash;
}

bool operator==(const Shape& a, const Shape& b) { return Shape::Equal()(a, b); }

Shape::Equal& Shape::Equal::IgnoreLayout() {
  layout_equal_ = std::nullopt;
  return *this;
}

Shape::Equal& Shape::Equal::ComparingLayouts(Layout::Equal layout_equal) {
  layout_equal_ = layout_equal;
  return *this;
}

Shape::Equal& Shape::Equal::IgnoreElementType() {
  ignore_element_type_ = true;
  return *this;
}

Shape::Equal& Shape::Equal::IgnoreFpPrecision() {
  ignore_fp_precision_ = true;
  return *this;
}

Shape::Equal& Shape::Equal::IgnoreDynamicDimension() {
  ignore_dynamic_dimension_ = true;
  return *this;
}

Shape::Equal& Shape::Equal::IgnoreDimensions() {
  ignore_dimensions_ = true;
  return *this;
}

Shape::Equal& Shape::Equal::IgnoreBuffer() {
  ignore_buffer_ = true;
  return *this;
}

bool Shape::Equal::operator()(const Shape& a, const Shape& b) const {
  struct Pair {
    absl::Span<const Shape> a;
    absl::Span<const Shape> b;
  };
  std::vector<Pair> pending;
  const auto unwrapped = [this](const Shape& shape) {
    const Shape* content = &shape;
    while (ignore_buffer_ && content->IsBuffer() &&
           !content->tuple_shapes().empty()) {
      content = &content->tuple_shapes(0);
    }
    return content;
  };
  const auto equal_so_far = [&](const Shape& wrapped_a,
                                const Shape& wrapped_b) {
    const Shape& x = *unwrapped(wrapped_a);
    const Shape& y = *unwrapped(wrapped_b);
    if (!EqualWithoutElements(x, y)) return false;
    // Shared elements are equal, whatever is compared.
    if (x.tuple_shapes().data() != y.tuple_shapes().data()) {
      pending.push_back({x.tuple_shapes(), y.tuple_shapes()});
    }
    return true;
  };
  if (!equal_so_far(a, b)) return false;
  while (!pending.empty()) {
    const Shape& x = pending.back().a.front();
    const Shape& y = pending.back().b.front();
    pending.back().a.remove_prefix(1);
    pending.back().b.remove_prefix(1);
    if (pending.back().a.empty()) pending.pop_back();
    if (!equal_so_far(x, y)) return false;
  }
  return true;
}

bool Shape::Equal::EqualWithoutElements(const Shape& a, const Shape& b) const {
  if (a.element_type_ != b.element_type_) {
    const bool overlooked =
        (ignore_element_type_ && a.IsArray() && b.IsArray()) ||
        (ignore_fp_precision_ && IsFloatingPointType(a.element_type_) &&
         IsFloatingPointType(b.element_type_));
    if (!overlooked) return false;
  }
  if (a.tuple_shapes().size() != b.tuple_shapes().size()) return false;
  if (!EqualDimensions(a, b)) return false;
  if (!layout_equal_.has_value()) return true;
  if (a.has_layout() != b.has_layout()) return false;
  return !a.has_layout() || (*layout_equal_)(a.layout(), b.layout());
}

bool Shape::Equal::EqualDimensions(const Shape& a, const Shape& b) const {
  if (a.rank() != b.rank()) return false;
  if (!ignore_dynamic_dimension_ &&
      a.dynamic_dimensions_ != b.dynamic_dimensions_) {
    return false;
  }
  if (ignore_dimensions_) return true;
  for (int64_t i = 0; i < a.rank(); ++i) {
    if (a.dimensions(i) == b.dimensions(i)) continue;
    if (!ignore_dynamic_dimension_) return false;
    if (!a.is_unbounded_dimension(i) && !b.is_unbounded_dimension(i)) {
      return false;
    }
  }
  return true;
}

bool Compatible(const Shape& a, const Shape& b) {
  return Shape::Equal().IgnoreLayout().IgnoreDynamicDimension()(a, b);
}

std::string ProgramShape::ToString() const {
  std::string out;
  {
    TextWriter writer(&out);
    writer.Char('(');
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (i > 0) writer.Text(", ");
      const bool is_named =
          i < parameter_names.size() && !parameter_names[i].empty();
      writer.Text(is_named ? std::string_view(parameter_names[i])
                           : "(unknown)");
      writer.Text(": ");
      parameters[i].WriteTo(&writer, /*with_layout=*/false);
    }
    writer.Text(") -> ");
    result.WriteTo(&writer, /*with_layout=*/false);
  }
  return out;
}

}  // namespace tessera

TESSERA_DEFINE_VALUE(tessera, Shape)
TESSERA_DEFINE_VALUE(tessera, ProgramShape)
