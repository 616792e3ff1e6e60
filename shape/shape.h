// The shape of one HLO value: an array with its layout, a tuple of values, a
// token, an opaque handle, or a buffer.
//
//   Shape array = Shape::Array(F32, {3, 5}, Layout({1, 0}));
//   array.ToString();                           // "f32[3,5]{1,0}"
//   Shape::Tuple({array, Shape::Token()}).ToString();
//                                               // "(f32[3,5]{1,0}, token[])"
//
// A Shape is an immutable value. Copies share the elements of a tuple, so the
// cost of a copy does not depend on the size of the tuple. Comparing, hashing,
// printing and destroying walk nested tuples without recursing on the machine
// stack.
//
// How it differs from XLA's Shape: nothing aborts, a Shape may be invalid
// (ValidateShape checks it), and a memory space is never cut to 8 bits.

#ifndef TESSERA_SHAPE_SHAPE_H_
#define TESSERA_SHAPE_SHAPE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "tessera/base/text/text_writer.h"
#include "tessera/base/text/value_type.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/primitive_type.h"

namespace tessera {

class ArrayBuilder;

class Shape {
 public:
  // The size of an unbounded dimension, printed `?`.
  static constexpr int64_t kUnboundedSize = std::numeric_limits<int64_t>::min();

  using Dimensions = absl::InlinedVector<int64_t, 6>;
  // One flag per dimension; empty when every dimension is static.
  using DynamicDimensions = absl::InlinedVector<bool, 8>;

  // Creates a shape of PRIMITIVE_TYPE_INVALID, like XLA's default; prints
  // "primitive_type_invalid[]".
  Shape() {}

  // Creates an array. `layout` may be absent. A dimension is static, bounded
  // ("<=N": dynamic, and its size is the bound) or unbounded ("?": dynamic,
  // kUnboundedSize). Missing flags of `is_dynamic` are false; flags beyond the
  // last dimension are dropped.
  static Shape Array(PrimitiveType element_type, Dimensions dimensions,
                     std::optional<Layout> layout = std::nullopt,
                     DynamicDimensions is_dynamic = {});
  static Shape Tuple(std::vector<Shape> elements);
  static Shape Token();
  static Shape Opaque();
  // Creates b(array). Accepts any shape; ValidateShape requires an array.
  static Shape Buffer(Shape array);

  // The type of an array's elements, or TUPLE, TOKEN, OPAQUE_TYPE, BUFFER.
  PrimitiveType element_type() const { return element_type_; }
  bool IsArray() const;
  bool IsTuple() const { return element_type_ == TUPLE; }
  bool IsToken() const { return element_type_ == TOKEN; }
  bool IsOpaque() const { return element_type_ == OPAQUE_TYPE; }
  bool IsBuffer() const { return element_type_ == BUFFER; }

  int64_t rank() const { return dimensions_.size(); }
  // Sizes in elements: the bound for a bounded dimension, kUnboundedSize for an
  // unbounded one. Empty for anything but an array.
  absl::Span<const int64_t> dimensions() const { return dimensions_; }
  int64_t dimensions(int64_t i) const { return dimensions_[i]; }
  bool is_dynamic_dimension(int64_t i) const {
    return !dynamic_dimensions_.empty() && dynamic_dimensions_[i];
  }
  // Empty when every dimension is static, else one flag per dimension.
  absl::Span<const bool> dynamic_dimensions() const {
    return dynamic_dimensions_;
  }
  bool is_unbounded_dimension(int64_t i) const {
    return dimensions_[i] == kUnboundedSize;
  }
  // Whether this array has an unbounded dimension; does not look into tuples.
  bool has_unbounded_dimension() const;

  bool has_layout() const { return layout_.has_value(); }
  // Precondition: has_layout(). ParseShape gives every array a layout;
  // Shape::Array and protos may not.
  const Layout& layout() const { return *layout_; }
  const std::optional<Layout>& optional_layout() const { return layout_; }

  // The elements of a tuple, or the one array of a buffer.
  absl::Span<const Shape> tuple_shapes() const {
    return tuple_shapes_.shapes();
  }
  const Shape& tuple_shapes(int64_t i) const {
    return tuple_shapes_.shapes()[i];
  }

  // Returns this array with another layout, or without one.
  Shape WithLayout(std::optional<Layout> layout) const;

  // Returns XLA's canonical text. With `with_layout` false, leaves out all
  // layouts, as XLA does by default. Tuples get XLA's /*index=5*/ comments.
  std::string ToString(bool with_layout = true) const;
  void AppendTo(std::string* out, bool with_layout = true) const;
  void WriteTo(TextWriter* writer, bool with_layout = true) const;

  // Equality that can ignore parts, like XLA's Shape::Equal:
  //
  //   Shape::Equal().IgnoreLayout().IgnoreDynamicDimension()(a, b)
  class Equal;

  friend bool operator==(const Shape& a, const Shape& b);
  friend bool operator!=(const Shape& a, const Shape& b) { return !(a == b); }

  template <typename H>
  friend H AbslHashValue(H h, const Shape& shape) {
    return H::combine(std::move(h), shape.HashCode());
  }

 private:
  friend class ArrayBuilder;

  // Shapes with several owners, which none of them changes. It has its own
  // count instead of a shared_ptr: destroying deep nesting without recursion
  // needs to know at each level, in one step, whether it released the last
  // share.
  class SharedShapes {
   public:
    SharedShapes() = default;
    explicit SharedShapes(std::vector<Shape> shapes);
    SharedShapes(const SharedShapes& other) : list_(other.list_) {
      if (list_ != nullptr) {
        list_->owners.fetch_add(1, std::memory_order_relaxed);
      }
    }
    SharedShapes(SharedShapes&& other) noexcept
        : list_(std::exchange(other.list_, nullptr)) {}
    SharedShapes& operator=(SharedShapes other) noexcept {
      std::swap(list_, other.list_);
      return *this;
    }
    ~SharedShapes() {
      if (list_ != nullptr) Release(list_);
    }

    absl::Span<const Shape> shapes() const {
      return list_ == nullptr ? absl::Span<const Shape>()
                              : absl::MakeConstSpan(list_->shapes);
    }

   private:
    struct List {
      std::atomic<int64_t> owners{1};
      // Used by Release, which must not allocate.
      List* next_released = nullptr;
      std::vector<Shape> shapes;
    };

    static bool GiveUpShare(List* list);
    static void Release(List* list);

    List* list_ = nullptr;  // null for no shapes
  };

  // Consistent with operator==.
  size_t HashCode() const;
  // Writes this shape without its tuple elements.
  void WriteWithoutElements(TextWriter* writer, bool with_layout) const;

  PrimitiveType element_type_ = PRIMITIVE_TYPE_INVALID;
  Dimensions dimensions_;
  DynamicDimensions dynamic_dimensions_;
  std::optional<Layout> layout_;
  SharedShapes tuple_shapes_;
};

// Also declared outside the class: g++ does not export a friend of a shared
// library that is declared only in the class.
bool operator==(const Shape& a, const Shape& b);

class Shape::Equal {
 public:
  Equal& IgnoreLayout();
  // Compares layouts by `layout_equal`.
  Equal& ComparingLayouts(Layout::Equal layout_equal);
  Equal& IgnoreElementType();
  // Any floating-point type equals any other.
  Equal& IgnoreFpPrecision();
  // Ignores the flags; an unbounded dimension then matches any size.
  Equal& IgnoreDynamicDimension();
  // Ignores the sizes of dimensions, but not their number.
  Equal& IgnoreDimensions();
  // b(array) equals array.
  Equal& IgnoreBuffer();

  bool operator()(const Shape& a, const Shape& b) const;

 private:
  // Compares everything except the elements of tuples; of these, only their
  // number.
  bool EqualWithoutElements(const Shape& a, const Shape& b) const;
  bool EqualDimensions(const Shape& a, const Shape& b) const;

  std::optional<Layout::Equal> layout_equal_ = Layout::Equal();
  bool ignore_element_type_ = false;
  bool ignore_fp_precision_ = false;
  bool ignore_dynamic_dimension_ = false;
  bool ignore_dimensions_ = false;
  bool ignore_buffer_ = false;
};

// Whether the shapes are equal except for layouts and dynamic flags: XLA's
// ShapeUtil::Compatible.
bool Compatible(const Shape& a, const Shape& b);

// The type of a computation: (x: f32[2], y: s32[]) -> f32[2].
struct ProgramShape {
  std::vector<Shape> parameters;
  // One per parameter; "" for a parameter without a name.
  std::vector<std::string> parameter_names;
  Shape result;

  // Returns XLA's text without layouts. A parameter without a name prints
  // "(unknown): ", which cannot be read back.
  std::string ToString() const;

  friend bool operator==(const ProgramShape& a, const ProgramShape& b) {
    return a.parameters == b.parameters &&
           a.parameter_names == b.parameter_names && a.result == b.result;
  }
  friend bool operator!=(const ProgramShape& a, const ProgramShape& b) {
    return !(a == b);
  }

  template <typename H>
  friend H AbslHashValue(H h, const ProgramShape& program) {
    return H::combine(std::move(h), program.parameters, program.parameter_names,
                      program.result);
  }
};

}  // namespace tessera

TESSERA_DECLARE_VALUE(tessera, Shape);
TESSERA_DECLARE_VALUE(tessera, ProgramShape);

#endif  // TESSERA_SHAPE_SHAPE_H_
