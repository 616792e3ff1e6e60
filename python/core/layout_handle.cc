#include "tessera/python/core/layout_handle.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "proto/xla_data.pb.h"
#include "tessera/any_layout/layout_family.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/same_function.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/layout/tile.h"
#include "tessera/python/core/casters.h"
#include "tessera/python/core/errors.h"
#include "tessera/python/core/index_arrays.h"
#include "tessera/service/questions/hlo/explain_text_question.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_proto.h"

namespace tessera::python {
namespace {

template <typename Values>
py::tuple TupleOf(const Values& values) {
  py::tuple tuple(values.size());
  size_t i = 0;
  for (const auto& value : values) tuple[i++] = py::cast(value);
  return tuple;
}

LayoutFamily FamilyNamed(const std::string& name) {
  for (const LayoutFamily family : kLayoutFamilies) {
    if (name == NameOf(family)) return family;
  }
  throw py::value_error(name);
}

LayoutHandle ParseLayout(const std::string& text,
                         const std::optional<std::string>& family,
                         const std::string& target) {
  AnyLayoutOptions options;
  options.cute_expressions = true;
  ThrowIfError(SetLayoutTarget(target, &options.shape));
  absl::StatusOr<AnyLayout> layout = ParseAnyLayout(
      text, family.has_value() ? FamilyNamed(*family) : FamilyOf(text),
      options);
  ThrowIfError(RefusalOfLayout(text, layout.status()));
  return LayoutHandle(*std::move(layout));
}

const Shape& XlaShape(const LayoutHandle& layout) {
  return *layout.layout().As<Shape>();
}

// Returns the parts of an XLA shape: the arguments of tessera.Shape.of.
py::dict ShapeParts(const LayoutHandle& layout) {
  const Shape& shape = XlaShape(layout);
  py::dict parts;
  parts["element_type"] = Text(PrimitiveTypeName(shape.element_type()));
  parts["is_array"] = shape.IsArray();
  parts["dimensions"] = TupleOf(shape.dimensions());
  py::list dynamic;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    dynamic.append(shape.is_dynamic_dimension(i));
  }
  parts["dynamic_dimensions"] = py::tuple(dynamic);
  if (!shape.has_layout()) return parts;
  const Layout::Parts& own = shape.layout().parts();
  parts["minor_to_major"] = TupleOf(own.minor_to_major);
  py::list tiles;
  for (const Tile& tile : own.tiles) {
    py::list entries;
    for (const int64_t entry : tile.dimensions()) {
      if (entry == Tile::kCombineDimension) {
        entries.append("*");
      } else {
        entries.append(entry);
      }
    }
    tiles.append(py::tuple(entries));
  }
  parts["tiles"] = py::tuple(tiles);
  parts["memory_space"] = own.memory_space;
  parts["element_size_in_bits"] = own.element_size_in_bits;
  return parts;
}

std::vector<LayoutHandle> TupleShapes(const LayoutHandle& layout) {
  std::vector<LayoutHandle> shapes;
  for (const Shape& shape : XlaShape(layout).tuple_shapes()) {
    shapes.emplace_back(AnyLayout(shape));
  }
  return shapes;
}

py::bytes ToProto(const LayoutHandle& layout) {
  return py::bytes(ShapeToProto(XlaShape(layout)).SerializeAsString());
}

LayoutHandle FromProto(const py::bytes& bytes) {
  ShapeProto proto;
  if (!proto.ParseFromString(std::string(bytes))) {
    Throw(absl::InvalidArgumentError("these bytes are not a ShapeProto"));
  }
  return LayoutHandle(AnyLayout(ValueOrThrow(ShapeFromProto(proto))));
}

// Returns nullopt if the decision takes too long.
std::optional<bool> SamePositions(const LayoutHandle& a,
                                  const LayoutHandle& b) {
  const absl::StatusOr<bool> same = SameFunction(a.map(), b.map());
  if (!same.ok()) return std::nullopt;
  return *same;
}

}  // namespace

const BatchIndexMap& LayoutHandle::batches(PositionUnit unit) const {
  std::shared_ptr<const BatchIndexMap>& slot =
      batches_[static_cast<size_t>(unit)];
  if (slot == nullptr) {
    ThrowIfError(CheckUnit(layout_, unit));
    slot = std::make_shared<const BatchIndexMap>(
        ValueOrThrow(ToIndexMap(layout_, unit)));
  }
  return *slot;
}

PositionUnit UnitOf(py::handle unit) {
  if (PyUnicode_Check(unit.ptr())) {
    const auto is = [unit](const char* name) {
      return PyUnicode_CompareWithASCIIString(unit.ptr(), name) == 0;
    };
    if (is("elements")) return PositionUnit::kElements;
    if (is("bytes")) return PositionUnit::kBytes;
    if (is("bits")) return PositionUnit::kBits;
  }
  Throw(InvalidArgumentError(
      "unit: expected \"elements\", \"bytes\" or \"bits\", found ",
      std::string(py::repr(unit))));
}

void BindLayouts(py::module_* module) {
  py::class_<LayoutHandle>(*module, "Layout")
      .def(py::init(&ParseLayout), py::arg("text"),
           py::arg("family") = py::none(), py::arg("target") = "")
      .def(py::init<const LayoutHandle&>(), py::arg("other"))
      .def_property_readonly("text", &LayoutHandle::text)
      .def_property_readonly("family",
                             [](const LayoutHandle& self) {
                               return Text(NameOf(self.layout().family()));
                             })
      .def_property_readonly(
          "rank", [](const LayoutHandle& self) { return self.map().rank(); })
      .def_property_readonly(
          "bounds",
          [](const LayoutHandle& self) { return TupleOf(self.map().bounds()); })
      .def_property_readonly(
          "element_count",
          [](const LayoutHandle& self) { return self.map().element_count(); })
      .def_property_readonly("element_bits",
                             [](const LayoutHandle& self) {
                               self.map();
                               return ElementBits(self.layout());
                             })
      .def(
          "position_count",
          [](const LayoutHandle& self, py::handle unit) {
            return self.map(UnitOf(unit)).position_count();
          },
          py::arg("unit") = "elements")
      .def(
          "_linear_index",
          [](const LayoutHandle& self, py::handle index, py::handle unit,
             py::handle out) {
            return LinearIndex(self, index, UnitOf(unit), out);
          },
          py::arg("index"), py::arg("unit") = "elements",
          py::arg("out") = py::none())
      .def(
          "_index_of",
          [](const LayoutHandle& self, py::handle positions, py::handle unit,
             py::handle out) {
            return IndexOf(self, positions, UnitOf(unit), out);
          },
          py::arg("positions"), py::arg("unit") = "elements",
          py::arg("out") = py::none())
      .def(
          "_kind_of",
          [](const LayoutHandle& self, py::handle positions, py::handle unit) {
            return KindOf(self, positions, UnitOf(unit));
          },
          py::arg("positions"), py::arg("unit") = "elements")
      .def("tile_extents",
           [](const LayoutHandle& self) {
             self.map();
             return TileExtents(self.layout());
           })
      .def("formula",
           [](const LayoutHandle& self) { return self.map().ToString(); })
      .def("_same_positions", &SamePositions, py::arg("other"))
      .def(
          "array_shape",
          [](const LayoutHandle& self,
             const std::optional<std::string>& element_type) {
            self.map();
            std::optional<PrimitiveType> type;
            if (element_type.has_value()) {
              type = PrimitiveTypeFromName(*element_type);
              if (!type.has_value()) {
                Throw(InvalidArgumentError("element_type: there is no type ",
                                           *element_type));
              }
            }
            return LayoutHandle(
                AnyLayout(ValueOrThrow(ToArrayShape(self.layout(), type))));
          },
          py::arg("element_type") = py::none())
      .def("shape_parts", &ShapeParts)
      .def("_tuple_shapes", &TupleShapes)
      .def("_to_proto", &ToProto)
      .def_static("from_proto", &FromProto, py::arg("proto"));
}

}  // namespace tessera::python
