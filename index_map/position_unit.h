// The unit of the positions of a map: elements, bytes or bits.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   const Shape shape = *ParseShape("f32[3,5]{1,0:T(2,2)}");
//   ToIndexMap(shape)->LinearIndex({2, 3});                        // 17
//   ToIndexMap(shape, PositionUnit::kBytes)->LinearIndex({2, 3});  // 68
//
// In bytes or bits, the map describes the buffer: an element lies at its first
// byte, or its lowest bit. To the inverse, its other bytes or bits are gaps. To
// find the element around a byte, use the map in elements: divide the offset,
// less a prefix M(n), by the bytes of an element.

#ifndef TESSERA_INDEX_MAP_POSITION_UNIT_H_
#define TESSERA_INDEX_MAP_POSITION_UNIT_H_

namespace tessera {

enum class PositionUnit {
  kElements,
  kBytes,
  // Element 0 of a byte lies in its low-order bits.
  kBits,
};

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_POSITION_UNIT_H_
