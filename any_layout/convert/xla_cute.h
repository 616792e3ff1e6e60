// File: any_layout/convert/xla_cute.h
//
// XLA's tiled layouts as CuTe layouts, and back.
//
//   #include "tessera/parser/parser.h"
//
//   absl::StatusOr<CuteLayoutOfShape> cute =
//       ToCuteLayout(*ParseShape("f32[16,256]{1,0:T(8,128)}"));
//   cute->layout.ToString();   // "((8,2),(128,2)):((128,2048),(1,1024))"
//   cute->is_exact();          // true
//   ToXlaShape(cute->layout, F32)->ToString();
//                              // "f32[16,256]{1,0:T(8,128)}"
//
//   // The layout is of 4 x 6: (i,j) is an element where the predicate holds.
//   cute = ToCuteLayout(*ParseShape("f32[3,5]{1,0:T(2,2)}"));
//   cute->layout.ToString();   // "((2,2),(2,3)):((2,12),(1,4))"
//   cute->Predicate();         // "i0 < 3 && i1 < 5"
//   ToXlaShape(*cute, F32)->ToString();
//                              // "f32[3,5]{1,0:T(2,2)}"
//
// Conventions. Mode i of the layout is dimension i of the shape, and offsets
// count elements. A natural or partly split coordinate (i,j) therefore means
// the index {i,j}; but an integral coordinate counts mode 0 fastest, where
// XLA's row-major order counts the last dimension fastest. CuTe has no padding:
// where a tile does not divide a dimension, the layout is over the padded
// dimension, and whoever walks it must test the bounds.
//
// What a CuTe layout has no word for is not converted, and does not come back:
// the element type and its size in bits E, the memory space S, the alignment L
// of the tail and the splits SC, the metadata prefix M, and which dimensions
// are dynamic (they count at their bound).

#ifndef TESSERA_ANY_LAYOUT_CONVERT_XLA_CUTE_H_
#define TESSERA_ANY_LAYOUT_CONVERT_XLA_CUTE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/cute/layout.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/shape/shape.h"

namespace tessera {

struct CuteLayoutOfShape {
  // One mode for each dimension, of its padded size; `():()` for a scalar.
  cute::Layout layout;
  // The dimensions of the shape.
  std::vector<int64_t> bounds;

  // Whether every coordinate of the layout is an element: every tile divides.
  bool is_exact() const;
  // What to test where it is not: "i0 < 3 && i1 < 5"; "" if it is.
  std::string Predicate() const;
};

// Errors: those of ToIndexMap (index_util/to_index_map.h); kInvalidArgument if
// the shape has no elements, which CuTe has no word for; kUnimplemented if
// tiles join dimensions (`*`) in a way that no layout with one mode a dimension
// has, or cut one at places that do not divide one another, as in
// f32[6,8]{1,0:T(3,4)(2,2)}.
absl::StatusOr<CuteLayoutOfShape> ToCuteLayout(const Shape& shape);

// The array shape whose dimensions are the modes of `layout` and whose elements
// lie where it says: minor_to_major and as few tiles as it takes, of those the
// fewest entries, and the usual order of dimensions where that is among them.
//
// Found if the digits of the offset, from the smallest stride up, fall into
// rows, each in the physical order of the dimensions: then each row but the
// last is a tile. The strides may leave gaps that the padding of a tile fills.
// What is found is checked to be the same function. Of more than 6 dimensions
// only three orders are tried: the usual one and those by the smallest and by
// the largest stride of each dimension.
//
// Errors: kInvalidArgument if `element_type` is not the type of an array
// (IsArrayType), or if strides are of basis elements, negative or zero, or
// overlap or leave gaps such as no tiles have; kUnimplemented if no shape was
// found, which does not mean that there is none; kOutOfRange as ToIndexMap.
absl::StatusOr<Shape> ToXlaShape(const cute::Layout& layout,
                                 PrimitiveType element_type);

// The way back from ToCuteLayout: the array shape with the dimensions
// cute.bounds whose elements lie where cute.layout says. What the layout has
// beyond the bounds is padding, and the shape has positions for all of it if
// that is found, so that f32[10]{0:T(256)} comes back as itself.
//
// Errors: as above; kInvalidArgument if there is not one bound for each mode,
// from 1 to its size.
absl::StatusOr<Shape> ToXlaShape(const CuteLayoutOfShape& cute,
                                 PrimitiveType element_type);

}  // namespace tessera

#endif  // TESSERA_ANY_LAYOUT_CONVERT_XLA_CUTE_H_
