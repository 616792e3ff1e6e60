// Converts XLA's tiled layouts to CuTe layouts and back.
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
// XLA's row-major order counts the last dimension fastest. CuTe does not have
// padding: if a tile does not divide a dimension, the layout covers the padded
// dimension, and a caller that walks it must test the bounds.
//
// The parts that a CuTe layout cannot express are lost: the element type and
// its size in bits E, the memory space S, the alignment L of the tail and the
// splits SC, the metadata prefix M, and which dimensions are dynamic (they
// count at their bound).

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

  // Whether every coordinate of the layout is an element, because every tile
  // divides its dimension.
  bool is_exact() const;
  // Returns the condition under which a coordinate is an element, such as "i0 <
  // 3 && i1 < 5"; "" if every coordinate is.
  std::string Predicate() const;
};

// Returns the layout of CuTe for an array. Errors: those of ToIndexMap
// (index_util/to_index_map.h); kInvalidArgument if the shape does not have
// elements, which CuTe cannot express; kUnimplemented if tiles join dimensions
// (`*`) in a way that a layout with one mode per dimension cannot express, or
// cut a dimension at places that do not divide one another, as in
// f32[6,8]{1,0:T(3,4)(2,2)}.
absl::StatusOr<CuteLayoutOfShape> ToCuteLayout(const Shape& shape);

// Returns the array shape whose dimensions are the modes of `layout` and whose
// elements have the offsets of the layout. It has as few tiles as possible,
// then as few tile entries as possible, and the usual minor_to_major if
// possible.
//
// The shape is found if the digits of the offset, from the smallest stride up,
// fall into rows, each in the physical order of the dimensions: then each row
// but the last is a tile. The strides may leave gaps that the padding of a tile
// fills. The result is checked to be the same function. For more than 6
// dimensions only three orders are tried: the usual one and those by the
// smallest and by the largest stride of each dimension.
//
// Errors: kInvalidArgument if `element_type` is not the type of an array
// (IsArrayType), or if strides are multiples of basis elements, negative or
// zero, or overlap or leave gaps that tiles cannot have; kUnimplemented if no
// shape was found, although one may exist; kOutOfRange as for ToIndexMap.
absl::StatusOr<Shape> ToXlaShape(const cute::Layout& layout,
                                 PrimitiveType element_type);

// The inverse of ToCuteLayout: returns the array shape with the dimensions
// cute.bounds whose elements have the offsets of cute.layout. Coordinates
// beyond the bounds are padding. If possible, the shape has positions for all
// of them, so f32[10]{0:T(256)} comes back unchanged.
//
// Errors: as above; kInvalidArgument if there is not one bound for each mode,
// from 1 to its size.
absl::StatusOr<Shape> ToXlaShape(const CuteLayoutOfShape& cute,
                                 PrimitiveType element_type);

}  // namespace tessera

#endif  // TESSERA_ANY_LAYOUT_CONVERT_XLA_CUTE_H_
