// How does a reader of text make an array shape without moving it about?
//
// Shape::Array takes finished parts and moves them into place. A parser, which
// learns one number at a time and for whom a move costs as much as a dozen
// numbers, fills them where they will stay:
//
//   Shape shape;
//   ArrayBuilder builder(F32, &shape);
//   builder.AddDimension(3);
//   builder.AddDynamicDimension(5);
//   builder.AddLayout()->minor_to_major = {1, 0};
//   shape.ToString();  // "f32[3,<=5]{1,0}"

#ifndef TESSERA_SHAPE_ARRAY_BUILDER_H_
#define TESSERA_SHAPE_ARRAY_BUILDER_H_

#include <cstdint>

#include "tessera/layout/layout.h"
#include "tessera/shape/shape.h"

namespace tessera {

class ArrayBuilder {
 public:
  // Precondition: `*shape` is default-constructed. It must outlive the builder,
  // and is a shape at any time.
  ArrayBuilder(PrimitiveType element_type, Shape* shape) : shape_(shape) {
    shape_->element_type_ = element_type;
  }

  // Adds a dimension of `size` elements.
  void AddDimension(int64_t size) {
    shape_->dimensions_.push_back(size);
    if (!shape_->dynamic_dimensions_.empty()) {
      shape_->dynamic_dimensions_.push_back(false);
    }
  }

  // Adds a dynamic dimension of at most `bound` elements, or of
  // Shape::kUnboundedSize.
  void AddDynamicDimension(int64_t bound) {
    shape_->dynamic_dimensions_.resize(shape_->dimensions_.size(), false);
    shape_->dynamic_dimensions_.push_back(true);
    shape_->dimensions_.push_back(bound);
  }

  // Gives the shape the layout of a scalar and returns its parts to fill; they
  // remain valid until `*shape` is moved or assigned.
  Layout::Parts* AddLayout() { return &shape_->layout_.emplace().parts_; }

  // Appends an empty tile to `*tiles` and returns its entries to fill; they
  // remain valid until another tile is added.
  static Tile::Dimensions* AddTile(Layout::Tiles* tiles) {
    return &tiles->emplace_back().dimensions_;
  }

  // Gives the shape XLA's default layout: untiled, with the last dimension
  // minor-most.
  void AddDefaultLayout() {
    Layout::MinorToMajor& minor_to_major = AddLayout()->minor_to_major;
    for (int64_t i = shape_->rank() - 1; i >= 0; --i) {
      minor_to_major.push_back(i);
    }
  }

 private:
  Shape* shape_;
};

}  // namespace tessera

#endif  // TESSERA_SHAPE_ARRAY_BUILDER_H_
