// The arrays in the result shapes of HLO text, and their sizes.
//
//   // After ReadHlo or ParseHlo has met (f32[8]{0}, (s32[], f32[8]{0})):
//   ArrayTable arrays(&shapes);
//   const ArrayTable::ShapeParts& parts = arrays.parts(0);
//   parts.size();                                   // 5: both tuples count
//   const int64_t inner = parts.child(0, 1);        // 2
//   parts[parts.child(inner, 1)].array == parts[1].array;   // both f32[8]{0}
//   arrays.array(parts[1].array).sizes->padded_bytes;       // 32
//
// A dump of 100,000 instructions has a few hundred shapes and fewer arrays. So
// each text is parsed once, and each distinct array is sized once.

#ifndef TESSERA_HLO_DATAFLOW_ARRAY_TABLE_H_
#define TESSERA_HLO_DATAFLOW_ARRAY_TABLE_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_index.h"

namespace tessera {

class ArrayTable {
 public:
  struct Array {
    const Shape* shape;  // valid as long as the shape table and this one
    // nullopt for an array with an unbounded dimension.
    std::optional<ArraySizes> sizes;

    int64_t padded_bytes() const {
      return sizes.has_value() ? sizes->padded_bytes : 0;
    }
  };

  // One part of a shape: a tuple, or a leaf.
  struct Part {
    const Shape* shape;
    // The number of the array, or of the array inside b(..); else -1.
    int64_t array = -1;
    int64_t parent = -1;
    // One past the last part within this one.
    int64_t end = 0;
    // For a tuple: the range of its elements in `children_`.
    int64_t first_child = 0;
    int64_t child_count = 0;

    bool is_tuple() const { return shape->IsTuple(); }
  };

  // The parts of one shape, a tuple before its elements; 0 is the whole.
  class ShapeParts {
   public:
    int64_t size() const { return parts_.size(); }
    const Part& operator[](int64_t i) const { return parts_[i]; }
    // Element `i` of `part`, in constant time; -1 if there is none.
    int64_t child(int64_t part, int64_t i) const;
    // The part that these indices lead to; -1 if they lead nowhere.
    int64_t Find(absl::Span<const int64_t> indices) const;
    // The indices that lead to a part.
    ShapeIndex IndexOf(int64_t part) const;

   private:
    friend class ArrayTable;
    std::vector<Part> parts_;
    std::vector<int64_t> children_;
  };

  // The layouts of the arrays.
  enum Layouts {
    // The layouts of the shapes themselves.
    kOfShapes,
    // Those of WithTpuLayouts (shape/tpu_layout.h). A row-major order without
    // tiles counts as no layout, because XLA prints it before it chooses one.
    // An array without a layout of TPU keeps its own.
    kDefaultOnTpu,
  };

  // `shapes` must outlive the table, and may grow.
  explicit ArrayTable(const HloShapeTable* shapes, Layouts layouts = kOfShapes)
      : shapes_(*shapes), layouts_(layouts) {}

  // Returns the parts of the shape with this number in the shape table. The
  // reference is valid as long as this table.
  const ShapeParts& parts(int64_t shape_index);

  // The number of distinct arrays so far, and the arrays, in the order in which
  // parts() first found them. Equal arrays have the same number.
  int64_t array_count() const { return arrays_.size(); }
  const Array& array(int64_t i) const { return arrays_[i]; }

 private:
  int64_t InternArray(const Shape& array);

  // Returns the shape with that number, with the layouts of this table.
  const Shape& ShapeOf(int64_t shape_index);

  const HloShapeTable& shapes_;
  const Layouts layouts_;
  std::deque<Shape> tpu_shapes_;  // for kDefaultOnTpu
  // By shape number. A map, because a table for one of many modules need not be
  // as large as the dump.
  absl::flat_hash_map<int64_t, ShapeParts*> by_shape_;
  std::deque<ShapeParts> storage_;
  absl::flat_hash_map<Shape, int64_t> array_numbers_;
  std::deque<Array> arrays_;
};

}  // namespace tessera

#endif  // TESSERA_HLO_DATAFLOW_ARRAY_TABLE_H_
