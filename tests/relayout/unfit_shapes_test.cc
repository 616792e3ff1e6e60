// What do the functions of a shape say of one that they cannot take?
//
// A shape without a layout, a tuple, a token: text or a proto makes each of
// these. No function may end the program over one.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "tessera/any_layout/convert/xla_cute.h"
#include "tessera/any_layout/convert/xla_tenstorrent.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/index_util/bitcast.h"
#include "tessera/index_util/derivation.h"
#include "tessera/index_util/description.h"
#include "tessera/index_util/for_each_index.h"
#include "tessera/index_util/index_util.h"
#include "tessera/index_util/padding.h"
#include "tessera/index_util/tiled_index.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/parser/parser.h"
#include "tessera/relayout/shape_relayout.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_proto.h"
#include "tessera/shape/shape_utilities.h"
#include "tessera/shape/validate_shape.h"

namespace tessera {
namespace {

struct Unfit {
  std::string name;
  Shape shape;
};

std::vector<Unfit> UnfitShapes() {
  std::vector<Unfit> shapes = {
      {"an array without a layout", Shape::Array(F32, {3, 5})},
      {"a scalar without a layout", Shape::Array(F32, {})},
      {"a shape of no type", Shape()},
      {"a layout of another rank", Shape::Array(F32, {3, 5}, Layout({0}))},
      {"a layout that is no order", Shape::Array(F32, {3, 5}, Layout({1, 7}))},
  };
  for (const char* text : {"(f32[3,5]{1,0}, s32[])", "()", "token[]",
                           "opaque[]", "b(f32[3,5]{1,0})", "f32[?,5]{1,0}"}) {
    shapes.push_back({text, *ParseShape(text)});
  }
  return shapes;
}

// Each takes one shape; those that take more are given a good one, too.
TEST(UnfitShapes, AreErrors) {
  const Shape good = *ParseShape("f32[3,5]{1,0}");
  const std::vector<int64_t> index = {0, 0};
  using Function = std::function<absl::Status(const Shape&)>;
  const std::vector<std::pair<std::string, Function>> functions = {
      {"ToIndexMap", [](const Shape& s) { return ToIndexMap(s).status(); }},
      {"CheckIndexable", [](const Shape& s) { return CheckIndexable(s); }},
      {"ComputeArraySizes",
       [](const Shape& s) { return ComputeArraySizes(s).status(); }},
      {"FindBestOrder",
       [](const Shape& s) { return FindBestOrder(s).status(); }},
      {"IsBitcast from",
       [&](const Shape& s) { return IsBitcast(s, good).status(); }},
      {"IsBitcast to",
       [&](const Shape& s) { return IsBitcast(good, s).status(); }},
      {"ReshapeIsBitcast",
       [&](const Shape& s) { return ReshapeIsBitcast(s, good).status(); }},
      {"TransposeIsBitcast",
       [&](const Shape& s) {
         return TransposeIsBitcast(good, s, {1, 0}).status();
       }},
      {"RowMajorMaps",
       [&](const Shape& s) { return RowMajorMaps(s, good).status(); }},
      {"DeriveLinearIndex",
       [&](const Shape& s) { return DeriveLinearIndex(s, index).status(); }},
      {"ExpandedBounds",
       [](const Shape& s) { return ExpandedBounds(s).status(); }},
      {"ExpandedBoundsByTile",
       [](const Shape& s) { return ExpandedBoundsByTile(s).status(); }},
      {"ForEachIndex",
       [](const Shape& s) {
         return ForEachIndex(s, [](absl::Span<const int64_t>) { return true; });
       }},
      {"ByteStrides", [](const Shape& s) { return ByteStrides(s).status(); }},
      {"UnpackedByteStrides",
       [](const Shape& s) { return UnpackedByteStrides(s).status(); }},
      {"TiledLinearIndex",
       [&](const Shape& s) { return TiledLinearIndex(s, index).status(); }},
      {"TiledMultidimensionalIndex",
       [](const Shape& s) {
         return TiledMultidimensionalIndex(s, 0).status();
       }},
      {"ToCuteLayout", [](const Shape& s) { return ToCuteLayout(s).status(); }},
      {"ToMetalTensor",
       [](const Shape& s) { return ToMetalTensor(s).status(); }},
      {"PlanRelayout from",
       [&](const Shape& s) { return PlanRelayout(s, good).status(); }},
      {"PlanRelayout to",
       [&](const Shape& s) { return PlanRelayout(good, s).status(); }},
  };
  for (const Unfit& unfit : UnfitShapes()) {
    for (const auto& [name, function] : functions) {
      const absl::Status status = function(unfit.shape);
      EXPECT_FALSE(status.ok()) << name << " of " << unfit.name;
      EXPECT_NE(status.message(), "") << name << " of " << unfit.name;
    }
  }
}

// These answer what they can, and end the program over none.
TEST(UnfitShapes, AreNoReasonToStop) {
  std::vector<Unfit> shapes = UnfitShapes();
  shapes.push_back(
      {"a negative dimension", Shape::Array(F32, {-3, 5}, Layout({1, 0}))});
  for (const Unfit& unfit : shapes) {
    const Shape& shape = unfit.shape;
    (void)Describe(shape);
    (void)IndexUtil::MultidimensionalIndexToLinearIndex(shape, {0, 0});
    (void)IndexUtil::LinearIndexToMultidimensionalIndex(shape, 0);
    (void)CheckBoundedArray(shape);
    (void)CheckOrderedArray(shape);
    (void)CheckOrder(shape, {1, 0});
    (void)ElementsIn(shape);
    (void)TrueNumDimensions(shape);
    (void)IsEffectiveScalar(shape);
    (void)HasLayout(shape);
    (void)HasAnyLayout(shape);
    EXPECT_EQ(MemorySpace(shape), 0) << unfit.name;
    (void)GetDefaultLayoutForShape(shape);
    (void)DeviceShapeToHostShape(shape);
    (void)DeviceShapeIsHostShape(shape);
    (void)UpdateElementSizeInBits(shape, true);
    (void)PermuteDimensions({1, 0}, shape);
    (void)DeleteDimension(0, shape);
    (void)MoveDimToMajor(shape, 0);
    (void)PrependMajorDimension(2, shape);
    (void)PackedFactorFor1DInterleavedArray(shape);
    (void)SplitSizes(shape, 0);
    (void)MaxSplitSize(shape, 0);
    (void)MaxElementsInPerSplit(shape);
    (void)ValidateShape(shape);
    (void)StorageBits(shape);
    (void)UnpaddedElementBits(shape);
    (void)ShapeFromProto(ShapeToProto(shape));
    EXPECT_NE(shape.ToString(), "") << unfit.name;
    EXPECT_EQ(CheckRelayout(shape, shape).ok(), shape.has_layout())
        << unfit.name;
  }
}

}  // namespace
}  // namespace tessera
