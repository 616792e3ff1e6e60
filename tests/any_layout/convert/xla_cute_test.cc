#include "tessera/any_layout/convert/xla_cute.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/parse.h"
#include "tessera/cute/to_index_map.h"
#include "tessera/index_map/same_function.h"
#include "tessera/index_util/for_each_index.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tessera/tests/index_util/literal_shape.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

std::string CuteText(const std::string& shape) {
  const absl::StatusOr<CuteLayoutOfShape> cute =
      ToCuteLayout(*ParseShape(shape));
  if (!cute.ok()) return std::string(cute.status().message());
  return cute->layout.ToString() +
         (cute->is_exact() ? "" : " where " + cute->Predicate());
}

std::string XlaText(const std::string& layout) {
  const absl::StatusOr<Shape> shape =
      ToXlaShape(*cute::ParseLayout(layout), F32);
  return shape.ok() ? shape->ToString() : std::string(shape.status().message());
}

// There and back, bounds included.
std::string BackText(const std::string& shape) {
  const absl::StatusOr<CuteLayoutOfShape> cute =
      ToCuteLayout(*ParseShape(shape));
  if (!cute.ok()) return std::string(cute.status().message());
  const absl::StatusOr<Shape> back = ToXlaShape(*cute, F32);
  return back.ok() ? back->ToString() : std::string(back.status().message());
}

TEST(XlaCute, ShapesAsLayouts) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"f32[]", "():()"},
      {"f32[7]{0}", "(7):(1)"},
      {"f32[4,6]{1,0}", "(4,6):(6,1)"},
      {"f32[4,6]{0,1}", "(4,6):(1,4)"},
      {"f32[4,1,6]{2,0,1}", "(4,1,6):(6,0,1)"},
      {"bf16[8,128]{1,0:T(8,128)(2,1)}", "((2,4),128):((1,256),2)"},
      {"s8[32,128]{1,0:T(8,128)(4,1)}", "((4,8),128):((1,512),4)"},
      {"f32[1000]{0:T(1024)}", "(1024):(1) where i0 < 1000"},
      {"f32[10]{0:L(16)}", "(10):(1)"},
      {"f32[130]{0:T(8,128)}", "((128,2)):((1,1024)) where i0 < 130"},
  };
  for (const auto& c : cases) EXPECT_EQ(CuteText(c.first), c.second) << c.first;
}

TEST(XlaCute, LayoutsAsShapes) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"():()", "f32[]"},
      {"7:1", "f32[7]{0}"},
      {"(4,6):(6,1)", "f32[4,6]{1,0}"},
      {"(4,6):(1,4)", "f32[4,6]{0,1}"},
      {"(4,(2,3)):(3,(12,1))",
       "no order of dimensions and tiles was found that puts the elements "
       "where (4,(2,3)):(3,(12,1)) does"},
      // The gap behind the first mode is padding of a tile.
      {"(3,4):(1,4)", "f32[3,4]{0,1:T(4)}"},
      // What f32[8,128]{1,0:T(8,128)(2,1)} is, with a tile less.
      {"((2,4),128):((1,256),2)", "f32[8,128]{1,0:T(2,1)}"},
      {"((2,4,2),(128,3)):((1,256,3072),(2,1024))",
       "f32[16,384]{1,0:T(8,128)(2,1)}"},
      {"(4,6):(1,0)",
       "no XLA layout has a stride such as that of 6:0 in mode 1"},
      // Only the padding of a dimension of one element leaves such a gap.
      {"4:2", "f32[4]{0:T(2,1)}"},
      {"((128,2)):((1,1024))", "f32[256]{0:T(8,128)}"},
      {"(1,(128,2)):(0,(1,1024))", "f32[1,256]{1,0:T(8,128)}"},
      {"(3,3):(2,7)",
       "no XLA layout has the stride 7 of 3:7 in mode 1 with a gap that is not "
       "padding after the extent 6 of the smaller ones"},
      // More dimensions than all orders are tried of.
      {"(2,3,4,5,6,7,8):(1,2,6,24,120,720,5040)",
       "f32[2,3,4,5,6,7,8]{0,1,2,3,4,5,6}"},
      {"(4,4):(1,2)",
       "no XLA layout has the stride 2 of 4:2 in mode 1 within the extent 4 of "
       "the smaller ones"},
      {"(4,4):(1@0,1@1)",
       "the values of (4,4):(1@0,1@1) are coordinates, which are not "
       "positions"},
  };
  for (const auto& c : cases) EXPECT_EQ(XlaText(c.first), c.second) << c.first;
}

TEST(XlaCute, ShapesComeBack) {
  for (const char* shape : {
           "f32[]",
           "f32[10]{0:T(256)}",
           "f32[130]{0:T(8,128)}",
           "f32[1,200]{1,0:T(8,128)}",
           "f32[3,5]{1,0:T(2,2)}",
           "f32[3,5]{0,1:T(2,2)}",
           "f32[100,200]{1,0:T(8,128)(2,1)}",
           "f32[2,3,4,5,6,7,8]{0,1,2,3,4,5,6}",
           "f32[2,3,4,5,6,7,8]{0,1,2,3,4,5,6:T(8,128)}",
           "f32[2,3,4,5,6,7,8]{3,1,4,0,5,2,6:T(8,128)(2,1)}",
           "f32[2,3,4,5,6,16,256]{6,5,4,3,2,1,0:T(8,128)}",
       }) {
    EXPECT_EQ(BackText(shape), shape);
  }
}

TEST(XlaCute, RefusesTypesAndBoundsOfNoArray) {
  const cute::Layout layout = *cute::ParseLayout("(4,6):(6,1)");
  for (const PrimitiveType type :
       {TUPLE, TOKEN, OPAQUE_TYPE, PRIMITIVE_TYPE_INVALID}) {
    EXPECT_THAT(ToXlaShape(layout, type),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
  EXPECT_EQ(ToXlaShape(layout, TUPLE).status().message(),
            "no array has elements of type tuple");
  for (const std::vector<int64_t>& bounds :
       std::vector<std::vector<int64_t>>{{4}, {4, 6, 1}, {0, 6}, {4, 7}}) {
    EXPECT_THAT(ToXlaShape({layout, bounds}, F32),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
  EXPECT_EQ(ToXlaShape({layout, {4, 7}}, F32).status().message(),
            "bounds[1] = 7 is outside [1, 6], the size of mode 1 being the "
            "most");
  EXPECT_EQ(ToXlaShape({layout, {3, 6}}, F32)->ToString(),
            "f32[3,6]{1,0:T(4,6)}");
}

TEST(XlaCute, ManyDimensions) {
  constexpr int64_t kRank = 100000;
  CuteLayoutOfShape cute;
  cute::Layout::Builder builder;
  builder.Tuple(kRank);
  for (int64_t i = 0; i < kRank; ++i) builder.Append({1, 0, cute::Basis()});
  cute.layout = *std::move(builder).Build();
  cute.bounds.assign(kRank, 1);
  EXPECT_TRUE(cute.is_exact());
  EXPECT_EQ(cute.Predicate(), "");
  cute.bounds.back() = 0;
  EXPECT_FALSE(cute.is_exact());
  EXPECT_EQ(cute.Predicate(), "i99999 < 0");
}

TEST(XlaCute, WhatHasNoLayoutSaysWhy) {
  EXPECT_THAT(ToCuteLayout(*ParseShape("f32[6,8]{1,0:T(3,4)(2,2)}")),
              StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_NE(CuteText("f32[3,4,8]{2,1,0:T(*,8)}").find("tiles join dimensions"),
            std::string::npos);
  EXPECT_EQ(CuteText("f32[0,4]{1,0}"),
            "f32[0,4]{1,0} has no elements; a CuTe layout has at least one");
  EXPECT_FALSE(ToCuteLayout(*ParseShape("(f32[2])")).ok());
}

// Offsets of the CuTe layout are linear indices of XLA's, for every index; and
// the way back leads to a shape with the same function.
TEST(XlaCute, RandomShapesThereAndBack) {
#ifdef TESSERA_SANITIZER
  constexpr int kShapes = 500;
#else
  constexpr int kShapes = 5000;
#endif
  RandomBits random(TestSeed());
  int converted = 0, returned = 0, returned_within = 0;
  for (int n = 0; n < kShapes; ++n) {
    const Shape shape = ToShape(RandomLayout(RandomLayoutOptions(), &random));
    const absl::StatusOr<CuteLayoutOfShape> cute = ToCuteLayout(shape);
    if (!cute.ok()) continue;
    ++converted;
    const IndexMap map = *ToIndexMap(shape);
    const absl::Status walked =
        ForEachIndex(shape, [&](absl::Span<const int64_t> index) {
          EXPECT_EQ(cute->layout.At(index), map.LinearIndexUnchecked(index))
              << shape.ToString();
          return !HasFailure();
        });
    ASSERT_THAT(walked, IsOk());
    const absl::StatusOr<Shape> within =
        ToXlaShape(*cute, shape.element_type());
    if (within.ok()) {
      ++returned_within;
      EXPECT_TRUE(*SameFunction(map, *ToIndexMap(*within)))
          << shape.ToString() << " " << within->ToString();
    }
    const absl::StatusOr<Shape> back =
        ToXlaShape(cute->layout, shape.element_type());
    if (!back.ok()) continue;
    ++returned;
    EXPECT_TRUE(
        *SameFunction(*cute::ToIndexMap(cute->layout), *ToIndexMap(*back)))
        << shape.ToString() << " " << back->ToString();
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(converted, kShapes / 3);
  RecordProperty("converted", converted);
  RecordProperty("returned", returned);
  RecordProperty("returned_within", returned_within);
  EXPECT_GT(returned, converted * 9 / 10);
  EXPECT_GT(returned_within, converted * 9 / 10);
}

}  // namespace
}  // namespace tessera
