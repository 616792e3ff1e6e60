#include "tessera/shape/shape.h"

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/hash/hash_testing.h"
#include "gtest/gtest.h"
#include "tessera/tests/shape/deep_tuple.h"

namespace tessera {
namespace {

constexpr int64_t kUnbounded = Shape::kUnboundedSize;

Layout Tiled(Layout::MinorToMajor minor_to_major, Layout::Tiles tiles) {
  return Layout(std::move(minor_to_major)).WithTiles(std::move(tiles));
}

// A tuple of `count` scalars.
Shape WideTuple(int count) {
  return Shape::Tuple(std::vector<Shape>(count, Shape::Array(F32, {})));
}

TEST(Shape, Printing) {
  struct Case {
    Shape shape;
    const char* with_layout;
    const char* without_layout;
  };
  const Case kCases[] = {
      {Shape(), "primitive_type_invalid[]", "primitive_type_invalid[]"},
      {Shape::Token(), "token[]", "token[]"},
      {Shape::Opaque(), "opaque[]", "opaque[]"},
      {Shape::Array(F32, {}), "f32[]", "f32[]"},
      {Shape::Array(F32, {}, Layout()), "f32[]", "f32[]"},
      {Shape::Array(U32, {}, Tiled({}, {Tile({128})})), "u32[]{:T(128)}",
       "u32[]"},
      {Shape::Array(F32, {2, 3}), "f32[2,3]", "f32[2,3]"},
      {Shape::Array(F32, {2, 3}, Layout()), "f32[2,3]{}", "f32[2,3]"},
      {Shape::Array(BF16, {256, 4096},
                    Tiled({1, 0}, {Tile({8, 128}), Tile({2, 1})})),
       "bf16[256,4096]{1,0:T(8,128)(2,1)}", "bf16[256,4096]"},
      {Shape::Array(F32, {kUnbounded, 4, 5}, std::nullopt, {true, true}),
       "f32[?,<=4,5]", "f32[?,<=4,5]"},
      {Shape::Buffer(Shape::Array(F32, {8}, Layout({0}))), "b(f32[8]{0})",
       "b(f32[8])"},
      {Shape::Tuple({}), "()", "()"},
      {Shape::Tuple({Shape::Tuple({Shape::Array(F32, {1})}), Shape::Tuple({})}),
       "((f32[1]), ())", "((f32[1]), ())"},
      {WideTuple(5), "(f32[], f32[], f32[], f32[], f32[])",
       "(f32[], f32[], f32[], f32[], f32[])"},
      // The comments count from the start of their own tuple.
      {Shape::Tuple({Shape::Token(), WideTuple(6)}),
       "(token[], (f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[]))",
       "(token[], (f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[]))"},
      {WideTuple(11),
       "(f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[], f32[], f32[], "
       "f32[], f32[], /*index=10*/f32[])",
       "(f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[], f32[], f32[], "
       "f32[], f32[], /*index=10*/f32[])"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(c.shape.ToString(), c.with_layout);
    EXPECT_EQ(c.shape.ToString(/*with_layout=*/false), c.without_layout);
    std::string appended = "x = ";
    c.shape.AppendTo(&appended);
    EXPECT_EQ(appended, std::string("x = ") + c.with_layout);
  }
}

TEST(Shape, Accessors) {
  const Shape array =
      Shape::Array(S4, {kUnbounded, 4}, Layout({1, 0}), {true, false});
  EXPECT_TRUE(array.IsArray());
  EXPECT_EQ(array.element_type(), S4);
  EXPECT_EQ(array.rank(), 2);
  EXPECT_EQ(array.dimensions(1), 4);
  EXPECT_TRUE(array.is_dynamic_dimension(0));
  EXPECT_TRUE(array.is_unbounded_dimension(0));
  EXPECT_FALSE(array.is_dynamic_dimension(1));
  EXPECT_TRUE(array.has_unbounded_dimension());
  EXPECT_EQ(array.layout(), Layout({1, 0}));
  EXPECT_FALSE(array.WithLayout(std::nullopt).has_layout());
  EXPECT_TRUE(array.tuple_shapes().empty());

  const Shape tuple = Shape::Tuple({array, Shape::Opaque()});
  EXPECT_TRUE(tuple.IsTuple());
  EXPECT_FALSE(tuple.IsArray());
  EXPECT_FALSE(tuple.has_unbounded_dimension());
  ASSERT_EQ(tuple.tuple_shapes().size(), 2u);
  EXPECT_EQ(tuple.tuple_shapes(0), array);
  EXPECT_TRUE(tuple.tuple_shapes(1).IsOpaque());
  EXPECT_TRUE(Shape::Token().IsToken());

  const Shape buffer = Shape::Buffer(array);
  EXPECT_TRUE(buffer.IsBuffer());
  EXPECT_EQ(buffer.tuple_shapes(0), array);
}

TEST(Shape, DynamicFlagsTakeOneForm) {
  const Shape plain = Shape::Array(F32, {2, 3});
  EXPECT_EQ(Shape::Array(F32, {2, 3}, std::nullopt, {false, false}), plain);
  EXPECT_EQ(Shape::Array(F32, {2, 3}, std::nullopt, {false, false, true}),
            plain);
  EXPECT_TRUE(plain.dynamic_dimensions().empty());
  const Shape dynamic = Shape::Array(F32, {2, 3}, std::nullopt, {true});
  EXPECT_EQ(dynamic, Shape::Array(F32, {2, 3}, std::nullopt, {true, false}));
  EXPECT_EQ(dynamic.dynamic_dimensions().size(), 2u);
}

TEST(Shape, EqualityOptions) {
  using Equal = Shape::Equal;
  const Shape array = Shape::Array(F32, {2, 3}, Layout({1, 0}));
  struct Case {
    const char* name;
    Shape other;
    Equal equal;
    bool want;
  };
  const Case kCases[] = {
      {"same", array, Equal(), true},
      {"layout differs", array.WithLayout(Layout({0, 1})), Equal(), false},
      {"layout missing", array.WithLayout(std::nullopt), Equal(), false},
      {"layout ignored", array.WithLayout(std::nullopt), Equal().IgnoreLayout(),
       true},
      {"part of layout ignored",
       array.WithLayout(Layout({1, 0}).WithMemorySpace(1)),
       Equal().ComparingLayouts(Layout::Equal().IgnoreMemorySpace()), true},
      {"other part of layout ignored",
       array.WithLayout(Layout({1, 0}).WithMemorySpace(1)),
       Equal().ComparingLayouts(Layout::Equal().IgnoreTiles()), false},
      {"type differs", Shape::Array(S32, {2, 3}, Layout({1, 0})), Equal(),
       false},
      {"type ignored", Shape::Array(S32, {2, 3}, Layout({1, 0})),
       Equal().IgnoreElementType(), true},
      {"type ignored, but no array", Shape::Token(),
       Equal().IgnoreElementType().IgnoreDimensions().IgnoreLayout(), false},
      {"precision ignored", Shape::Array(BF16, {2, 3}, Layout({1, 0})),
       Equal().IgnoreFpPrecision(), true},
      {"precision ignored, integral", Shape::Array(S32, {2, 3}, Layout({1, 0})),
       Equal().IgnoreFpPrecision(), false},
      {"size differs", Shape::Array(F32, {2, 4}, Layout({1, 0})), Equal(),
       false},
      {"sizes ignored", Shape::Array(F32, {2, 4}, Layout({1, 0})),
       Equal().IgnoreDimensions(), true},
      {"sizes ignored, rank differs", Shape::Array(F32, {2}, Layout({1, 0})),
       Equal().IgnoreDimensions(), false},
      {"dynamic", Shape::Array(F32, {2, 3}, Layout({1, 0}), {true}), Equal(),
       false},
      {"dynamic ignored", Shape::Array(F32, {2, 3}, Layout({1, 0}), {true}),
       Equal().IgnoreDynamicDimension(), true},
      {"dynamic ignored, bound differs",
       Shape::Array(F32, {4, 3}, Layout({1, 0}), {true}),
       Equal().IgnoreDynamicDimension(), false},
      {"dynamic ignored, unbounded",
       Shape::Array(F32, {kUnbounded, 3}, Layout({1, 0}), {true}),
       Equal().IgnoreDynamicDimension(), true},
      {"buffer", Shape::Buffer(array), Equal(), false},
      {"buffer ignored", Shape::Buffer(array), Equal().IgnoreBuffer(), true},
      {"one-element tuple", Shape::Tuple({array}), Equal().IgnoreBuffer(),
       false},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(c.equal(array, c.other), c.want);
    EXPECT_EQ(c.equal(c.other, array), c.want);
    // The options reach the elements of tuples as well.
    const Shape first = Shape::Tuple({Shape::Token(), Shape::Tuple({array})});
    const Shape second =
        Shape::Tuple({Shape::Token(), Shape::Tuple({c.other})});
    EXPECT_EQ(c.equal(first, second), c.want);
  }
  EXPECT_TRUE(Compatible(
      array, Shape::Array(F32, {kUnbounded, 3}, std::nullopt, {true})));
  EXPECT_FALSE(Compatible(array, Shape::Array(BF16, {2, 3})));
  EXPECT_NE(Shape::Tuple({array, array}), Shape::Tuple({array}));
  EXPECT_NE(Shape::Tuple({}), Shape::Token());
}

TEST(Shape, HashAgreesWithEquality) {
  const Shape array = Shape::Array(F32, {2, 3}, Layout({1, 0}));
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly({
      Shape(),
      array,
      Shape::Array(F32, {2, 3}, Layout({1, 0})),
      Shape::Array(F32, {2, 3}, Layout({1, 0}), {false, false}),
      Shape::Array(F32, {2, 3}, Layout({1, 0}), {true}),
      Shape::Array(F32, {2, 3}),
      Shape::Array(F32, {3, 2}),
      Shape::Array(F32, {}),
      Shape::Array(F32, {}, Layout()),
      Shape::Array(S32, {2, 3}),
      Shape::Token(),
      Shape::Opaque(),
      Shape::Buffer(array),
      Shape::Tuple({}),
      Shape::Tuple({array}),
      Shape::Tuple({array, array}),
      Shape::Tuple({Shape::Tuple({array}), array}),
      Shape::Tuple({array, Shape::Tuple({array})}),
      Shape::Tuple({Shape::Tuple({array, array})}),
      Shape::Tuple({Shape::Tuple({}), array}),
  }));
}

TEST(Shape, NothingRecursesOnDeepNesting) {
  const Shape deep = DeepTuple(kDeep, Shape::Token());
  const Shape same = DeepTuple(kDeep, Shape::Token());
  const Shape other = DeepTuple(kDeep, Shape::Opaque());
  EXPECT_TRUE(deep == same);
  EXPECT_FALSE(deep == other);
  EXPECT_TRUE(Compatible(deep, same));
  EXPECT_EQ(absl::HashOf(deep), absl::HashOf(same));
  EXPECT_EQ(deep.ToString(),
            std::string(kDeep, '(') + "token[]" + std::string(kDeep, ')'));
}

TEST(Shape, DeepBuffersAreUnwrappedWithoutRecursion) {
  EXPECT_TRUE(Shape::Equal().IgnoreBuffer()(DeepBuffer(kDeep, Shape::Token()),
                                            Shape::Token()));
}

TEST(Shape, CopiesShareElementsAndOutliveEachOther) {
  Shape inner = DeepTuple(1000, Shape::Array(F32, {2}));
  Shape first = Shape::Tuple({inner, Shape::Token()});
  const Shape second = first;
  EXPECT_EQ(first.tuple_shapes().data(), second.tuple_shapes().data());
  first = Shape();
  EXPECT_EQ(second.tuple_shapes(0), inner);
  inner = Shape::Token();
  EXPECT_EQ(second.tuple_shapes(0), DeepTuple(1000, Shape::Array(F32, {2})));
}

TEST(Shape, AssigningAnElementToItsOwnTuple) {
  Shape shape = DeepTuple(3, Shape::Token());
  while (shape.IsTuple()) shape = shape.tuple_shapes(0);
  EXPECT_TRUE(shape.IsToken());
}

TEST(Shape, ThreadsMayDropSharesOfOneTuple) {
  for (int round = 0; round < 20; ++round) {
    const Shape inner = DeepTuple(2000, Shape::Token());
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([shape = Shape::Tuple({inner, inner})]() mutable {
        const Shape copy = shape;
        shape = Shape();
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(inner.tuple_shapes().size(), 1u);
  }
}

TEST(ProgramShape, Printing) {
  ProgramShape program;
  program.parameters = {Shape::Array(F32, {2}, Layout({0})),
                        Shape::Array(S32, {}), Shape::Token()};
  program.parameter_names = {"x", "y"};
  program.result = Shape::Array(F32, {2}, Layout({0}));
  EXPECT_EQ(program.ToString(),
            "(x: f32[2], y: s32[], (unknown): token[]) -> f32[2]");
  EXPECT_EQ(ProgramShape().ToString(), "() -> primitive_type_invalid[]");
}

TEST(ProgramShape, EqualityAndHash) {
  ProgramShape program;
  program.parameters = {Shape::Array(F32, {2}, Layout({0})), Shape::Token()};
  program.parameter_names = {"x", "y"};
  program.result = Shape::Array(F32, {2}, Layout({0}));
  ProgramShape other_name = program;
  other_name.parameter_names[0] = "z";
  ProgramShape other_parameter = program;
  other_parameter.parameters[1] = Shape::Opaque();
  ProgramShape other_result = program;
  other_result.result = Shape::Array(F32, {2});
  ProgramShape fewer = program;
  fewer.parameters.pop_back();
  for (const ProgramShape& other :
       {other_name, other_parameter, other_result, fewer, ProgramShape()}) {
    EXPECT_TRUE(program != other) << other.ToString();
    EXPECT_FALSE(program == other) << other.ToString();
  }
  EXPECT_TRUE(program == ProgramShape(program));
  EXPECT_FALSE(program != ProgramShape(program));
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(
      {program, ProgramShape(program), other_name, other_parameter,
       other_result, fewer, ProgramShape()}));
}

TEST(Shape, PrintsAndHashes) {
  const Shape array = Shape::Array(F32, {3, 5}, Layout({1, 0}));
  std::ostringstream out;
  out << array << " " << array.layout();
  EXPECT_EQ(out.str(), "f32[3,5]{1,0} {1,0}");
  std::unordered_map<Shape, int> counts;
  ++counts[array];
  ++counts[Shape::Array(F32, {3, 5}, Layout({1, 0}))];
  ++counts[array.WithLayout(Layout({0, 1}))];
  EXPECT_EQ(counts.size(), 2);
  EXPECT_EQ(counts[array], 2);
  const std::unordered_set<Layout> layouts = {Layout({1, 0}), Layout({0, 1}),
                                              Layout({1, 0})};
  EXPECT_EQ(layouts.size(), 2);
}

}  // namespace
}  // namespace tessera
