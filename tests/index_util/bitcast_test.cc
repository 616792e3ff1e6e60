#include "tessera/index_util/bitcast.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/layout/layout_utilities.h"
#include "tessera/parser/parser.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

Shape Parse(const char* text) {
  absl::StatusOr<Shape> shape = ParseShape(text);
  EXPECT_THAT(shape, IsOk());
  return *std::move(shape);
}

TEST(IsBitcast, Table) {
  struct Case {
    const char* from;
    const char* to;
    bool want;
  };
  const Case cases[] = {
      // Untiled reshapes, transposes of unit dimensions, scalars.
      {"f32[4,6,5]{2,1,0}", "f32[24,5]{1,0}", true},
      {"f32[4,6,5]{2,1,0}", "f32[4,30]{1,0}", true},
      {"f32[6,4]{1,0}", "f32[4,6]{1,0}", true},
      {"f32[6,4]{0,1}", "f32[24]{0}", false},
      {"f32[1,7]{0,1}", "f32[7]{0}", true},
      {"f32[]", "f32[1,1]{1,0:T(8,128)}", true},
      {"f32[0,5]{1,0}", "f32[5,0]{0,1:T(8,128)}", true},
      // Types of equal width; other widths, counts, spaces and prefixes.
      {"f32[4]{0}", "s32[4]{0}", true},
      {"f32[4]{0}", "f16[4]{0}", false},
      {"s4[4]{0}", "s8[4]{0}", true},
      {"s4[4]{0:E(4)}", "s8[4]{0}", false},
      {"f32[4]{0}", "f32[5]{0}", false},
      {"f32[4]{0}", "f32[4]{0:S(1)}", false},
      {"f32[<=4]{0:M(8)}", "f32[4]{0}", false},
      // Tiled: whole tiles merge with major dimensions, not with minor ones.
      {"bf16[4,16,128]{2,1,0:T(8,128)(2,1)}", "bf16[64,128]{1,0:T(8,128)(2,1)}",
       true},
      {"bf16[4,12,128]{2,1,0:T(8,128)(2,1)}", "bf16[48,128]{1,0:T(8,128)(2,1)}",
       false},
      {"f32[64,128]{1,0:T(8,128)}", "f32[64,128]{1,0}", true},
      {"f32[64,256]{1,0:T(8,128)}", "f32[64,256]{1,0}", false},
      {"f32[64,256]{1,0:T(8,128)}", "f32[8,8,2,128]{3,1,2,0}", true},
      {"f32[1024]{0:T(1024)}", "f32[8,128]{1,0:T(8,128)}", true},
      {"f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "f32[112,110]{1,0:T(2,3)}",
       true},
      {"f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "f32[112,110]{1,0:T(2,5)}",
       false},
      // Layouts that differ in what they pad after the data only.
      {"f32[100]{0:T(128)}", "f32[100]{0:T(1024)}", true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.from) + " -> " + c.to);
    absl::StatusOr<bool> forth = IsBitcast(Parse(c.from), Parse(c.to));
    EXPECT_THAT(forth, IsOkAndHolds(c.want));
    EXPECT_EQ(*IsBitcast(Parse(c.to), Parse(c.from)), c.want);
  }
}

TEST(IsBitcast, AsksForArrays) {
  EXPECT_THAT(IsBitcast(Shape::Token(), Parse("f32[1]")),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

// "reshape no, transpose 0,2,1,3", and what stands in the way.
std::string TextOf(const Bitcasts& bitcasts) {
  const auto answer = [](std::optional<bool> told) {
    return !told.has_value() ? "unknown" : *told ? "yes" : "no";
  };
  return absl::StrCat(
      "reshape ", answer(bitcasts.as_reshape), ", transpose ",
      bitcasts.as_transpose == true ? absl::StrJoin(bitcasts.dimensions, ",")
                                    : answer(bitcasts.as_transpose),
      bitcasts.obstacle.empty() ? "" : absl::StrCat("; ", bitcasts.obstacle));
}

TEST(FindBitcasts, Table) {
  struct Case {
    const char* from;
    const char* to;
    std::string want;
  };
  const Case cases[] = {
      // Heads and positions exchanged, one of each batch (tensorflow#53650).
      {"f16[1,2,128,64]{3,2,1,0}", "f16[1,128,2,64]{3,1,2,0}",
       "reshape no, transpose 0,2,1,3"},
      {"f16[1,2,128,64]{3,2,1,0}", "f16[1,128,2,64]{3,2,1,0}",
       "reshape yes, transpose no"},
      // openxla/xla#17276.
      {"f8e4m3fn[12288,4096]{0,1}", "f8e4m3fn[4096,12288]{1,0}",
       "reshape no, transpose 1,0"},
      // Tiled, with three dimensions: the names of two are exchanged.
      {"bf16[33,65,130]{1,2,0:T(8,128)(2,1)}",
       "bf16[65,33,130]{0,2,1:T(8,128)(2,1)}", "reshape no, transpose 1,0,2"},
      {"bf16[33,65,130]{1,2,0:T(8,128)(2,1)}",
       "bf16[65,33,130]{0,1,2:T(8,128)(2,1)}", "reshape no, transpose no"},
      {"bf16[33,65,130]{1,2,0:T(8,128)(2,1)}",
       "bf16[33,130,65]{2,1,0:T(8,128)(2,1)}", "reshape no, transpose 0,2,1"},
      {"bf16[33,65,130]{1,2,0:T(8,128)(2,1)}",
       "bf16[65,33,130]{0,2,1:T(8,128)}", "reshape no, transpose no"},
      // Bitcasts that XLA made, for TPU v5e and v6e and for an H100.
      {"bf16[1024,4,8,128]{3,0,2,1:T(8,128)(2,1)}",
       "bf16[4,1024,8,128]{3,1,2,0:T(8,128)(2,1)}",
       "reshape no, transpose 1,0,2,3"},
      {"bf16[1024,4,14336]{2,0,1:T(8,128)(2,1)}",
       "bf16[4,1024,14336]{2,1,0:T(8,128)(2,1)}",
       "reshape no, transpose 1,0,2"},
      {"bf16[1,32,128,128]{3,2,1,0:T(8,128)(2,1)}",
       "bf16[1,128,32,128]{3,1,2,0:T(8,128)(2,1)}",
       "reshape no, transpose 0,2,1,3"},
      {"bf16[128256,1024]{1,0:T(8,128)(2,1)}",
       "bf16[1024,128256]{0,1:T(8,128)(2,1)}", "reshape no, transpose 1,0"},
      {"f32[4,1024,32]{1,2,0}", "f32[4,32,1024]{2,1,0}",
       "reshape no, transpose 0,2,1"},
      {"f32[16,32,32]{1,2,0}", "f32[16,32,32]{2,1,0}",
       "reshape no, transpose 0,2,1"},
      // Only one permutation of equal bounds keeps every element in place.
      {"f32[4,4,4]{2,1,0}", "f32[4,4,4]{1,2,0}", "reshape no, transpose 0,2,1"},
      {"f32[4,4,4]{2,1,0}", "f32[4,4,4]{1,0,2}", "reshape no, transpose 1,2,0"},
      {"f32[4,4,4]{2,1,0}", "f32[4,4,4]{0,2,1}", "reshape no, transpose 2,0,1"},
      {"f32[128,128]{1,0:T(8,128)}", "f32[128,128]{0,1:T(8,128)}",
       "reshape no, transpose 1,0"},
      {"f32[8,8]{1,0:T(8,128)}", "f32[8,8]{0,1:T(8,128)}",
       "reshape no, transpose 1,0"},
      // Dimensions of size 1, in the order of memory.
      {"f32[1,7]{1,0}", "f32[7,1]{0,1}", "reshape yes, transpose 1,0"},
      {"f32[1,7]{1,0}", "f32[7,1]{1,0}", "reshape yes, transpose 1,0"},
      {"f32[1,7]{1,0}", "f32[1,7]{0,1}", "reshape yes, transpose 0,1"},
      {"f32[1,1,4,5]{3,2,1,0}", "f32[5,1,4,1]{0,2,1,3}",
       "reshape no, transpose 3,1,2,0"},
      {"f32[1,1,4,5]{3,2,1,0}", "f32[5,1,4,1]{0,2,3,1}",
       "reshape no, transpose 3,0,2,1"},
      {"bf16[1,16,1,128]{3,1,2,0:T(8,128)(2,1)}",
       "bf16[16,128,1,1]{1,0,3,2:T(8,128)(2,1)}",
       "reshape yes, transpose 1,3,0,2"},
      // The same array, and reshapes that are no transpose.
      {"f32[3,5]{1,0}", "f32[3,5]{1,0}", "reshape yes, transpose 0,1"},
      {"f32[8,128]{1,0:T(8,128)}", "f32[8,128]{1,0}",
       "reshape yes, transpose 0,1"},
      {"bf16[8,128]{1,0:T(8,128)}", "bf16[1024]{0}",
       "reshape yes, transpose no"},
      {"f32[6,4]{1,0}", "f32[4,6]{1,0}", "reshape yes, transpose no"},
      {"f32[]", "f32[]", "reshape yes, transpose "},
      {"f32[]", "f32[1]{0}", "reshape yes, transpose no"},
      {"f32[0,5]{1,0}", "f32[5,0]{1,0}", "reshape yes, transpose 1,0"},
      {"f32[0,5]{1,0}", "f32[7,0]{1,0}", "reshape yes, transpose no"},
      // Sub-byte elements, and types of equal width.
      {"s4[16,32]{1,0:E(4)}", "u4[32,16]{0,1:E(4)}",
       "reshape no, transpose 1,0"},
      {"s4[64,256]{0,1:T(8,128)(8,1)E(4)}", "s4[256,64]{1,0:T(8,128)(8,1)E(4)}",
       "reshape no, transpose 1,0"},
      {"f32[4,6]{0,1}", "s32[6,4]{1,0}", "reshape no, transpose 1,0"},
      {"s4[4,6]{0,1}", "s8[6,4]{1,0}", "reshape no, transpose 1,0"},
      // What stands in the way.
      {"bf16[128,256]{1,0:T(8,128)(2,1)S(1)}",
       "bf16[128,256]{1,0:T(8,128)(2,1)}",
       "reshape yes, transpose 0,1; two memory spaces, S(1) and the default"},
      {"f32[6,4]{0,1:S(5)}", "f32[4,6]{1,0:S(1)}",
       "reshape no, transpose 1,0; two memory spaces, S(5) and S(1)"},
      {"f32[6,4]{1,0}", "f32[6,4]{0,1:S(1)}",
       "reshape no, transpose no; two memory spaces, the default and S(1)"},
      {"f32[6,4]{1,0}", "f16[6,4]{1,0}",
       "reshape no, transpose no; elements of 32 and of 16 bits"},
      {"s4[4]{0:E(4)}", "s4[4]{0}",
       "reshape no, transpose no; elements of 4 and of 8 bits"},
      {"f32[6,4]{1,0}", "f32[5,4]{1,0}",
       "reshape no, transpose no; 24 and 20 elements"},
      {"f32[<=4]{0:M(8)}", "f32[4]{0}",
       "reshape no, transpose no; metadata prefixes of 8 and of 0 bytes"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.from) + " -> " + c.to);
    const absl::StatusOr<Bitcasts> found =
        FindBitcasts(Parse(c.from), Parse(c.to));
    ASSERT_THAT(found, IsOk());
    EXPECT_EQ(TextOf(*found), c.want);
    EXPECT_EQ(found->is_bitcast,
              found->obstacle.empty() &&
                  (*found->as_reshape || *found->as_transpose));
    // The reshape is IsBitcast's.
    EXPECT_EQ(*IsBitcast(Parse(c.from), Parse(c.to)),
              found->obstacle.empty() && *found->as_reshape);
  }
}

TEST(FindBitcasts, AsksAboutOneTranspose) {
  struct Case {
    const char* from;
    const char* to;
    std::vector<int64_t> dimensions;
    bool want;
  };
  const Case cases[] = {
      {"f16[1,2,128,64]{3,2,1,0}",
       "f16[1,128,2,64]{3,1,2,0}",
       {0, 2, 1, 3},
       true},
      {"f32[4,4]{1,0}", "f32[4,4]{1,0}", {1, 0}, false},
      {"f32[4,4]{1,0}", "f32[4,4]{1,0}", {0, 1}, true},
      {"f32[2,3,5]{2,1,0}", "f32[5,2,3]{0,2,1}", {2, 0, 1}, true},
      {"f32[2,3,5]{2,1,0}", "f32[5,2,3]{2,1,0}", {2, 0, 1}, false},
      // Any order of the dimensions of size 1 will do.
      {"f32[1,1,3]{2,1,0}", "f32[3,1,1]{0,1,2}", {2, 0, 1}, true},
      {"f32[1,1,3]{2,1,0}", "f32[3,1,1]{0,1,2}", {2, 1, 0}, true},
      {"f32[4,4]{1,0:S(1)}", "f32[4,4]{1,0}", {0, 1}, true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.from) + " -> " + c.to);
    BitcastOptions options;
    options.dimensions = c.dimensions;
    const absl::StatusOr<Bitcasts> found =
        FindBitcasts(Parse(c.from), Parse(c.to), options);
    ASSERT_THAT(found, IsOk());
    EXPECT_EQ(found->as_reshape, std::nullopt);
    EXPECT_EQ(found->as_transpose, c.want);
    EXPECT_EQ(found->dimensions, c.dimensions);
    EXPECT_EQ(found->is_bitcast, c.want && found->obstacle.empty());
    EXPECT_FALSE(found->steps.has_value());
  }
}

TEST(FindBitcasts, FindsSteps) {
  struct Case {
    const char* from;
    const char* to;
    std::vector<int64_t> first_dimensions;
    std::string transposed;
    std::string reshaped;
    std::vector<int64_t> last_dimensions;
  };
  const Case cases[] = {
      {"f32[2,3]{1,0}",
       "f32[2,3]{0,1}",
       {0, 1},
       "f32[2,3]{1,0}",
       "f32[3,2]{1,0}",
       {1, 0}},
      {"f32[4,6]{0,1}",
       "f32[24]{0}",
       {1, 0},
       "f32[6,4]{1,0}",
       "f32[24]{0}",
       {0}},
      // Bitcasts that XLA made, for TPU v5p and for an H100.
      {"bf16[4,16,128,128]{3,2,0,1:T(8,128)(2,1)}",
       "bf16[16,512,128]{2,1,0:T(8,128)(2,1)}",
       {1, 0, 2, 3},
       "bf16[16,4,128,128]{3,2,1,0:T(8,128)(2,1)}",
       "bf16[16,512,128]{2,1,0:T(8,128)(2,1)}",
       {0, 1, 2}},
      {"bf16[512,1024]{1,0}",
       "bf16[1024,4,128]{0,2,1}",
       {0, 1},
       "bf16[512,1024]{1,0}",
       "bf16[4,128,1024]{2,1,0}",
       {2, 0, 1}},
      // Memory spaces stay as they are.
      {"bf16[1,128,32,128]{3,1,2,0:T(8,128)(2,1)}",
       "bf16[32,128,128]{2,1,0:T(8,128)(2,1)S(1)}",
       {0, 2, 1, 3},
       "bf16[1,32,128,128]{3,2,1,0:T(8,128)(2,1)}",
       "bf16[32,128,128]{2,1,0:T(8,128)(2,1)S(1)}",
       {0, 1, 2}},
      {"f32[<=6,4]{0,1}",
       "f32[8,3]{1,0}",
       {1, 0},
       "f32[4,<=6]{1,0}",
       "f32[8,3]{1,0}",
       {0, 1}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.from) + " -> " + c.to);
    const absl::StatusOr<Bitcasts> found =
        FindBitcasts(Parse(c.from), Parse(c.to));
    ASSERT_THAT(found, IsOk());
    EXPECT_EQ(found->is_bitcast, false);
    ASSERT_TRUE(found->steps.has_value());
    EXPECT_EQ(found->steps->first_dimensions, c.first_dimensions);
    EXPECT_EQ(found->steps->transposed.ToString(), c.transposed);
    EXPECT_EQ(found->steps->reshaped.ToString(), c.reshaped);
    EXPECT_EQ(found->steps->last_dimensions, c.last_dimensions);
  }
  // None where padding lies between.
  for (const char* to : {"f32[13,10]{1,0:T(8,128)}", "f32[130]{0:T(1024)}"}) {
    EXPECT_FALSE(FindBitcasts(Parse("f32[10,13]{1,0:T(8,128)}"), Parse(to))
                     ->steps.has_value())
        << to;
  }
}

TEST(FindBitcasts, Errors) {
  const Shape array = Parse("f32[2,3]{1,0}");
  EXPECT_THAT(FindBitcasts(array, Shape::Token()),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(FindBitcasts(Shape::Token(), array),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  BitcastOptions options;
  options.dimensions = {1, 0};
  EXPECT_EQ(FindBitcasts(array, array, options).status(),
            absl::InvalidArgumentError(
                "dimensions={1,0} make [3,2] of [2,3], not [2,3]"));
  for (const std::vector<int64_t>& dimensions :
       std::vector<std::vector<int64_t>>{
           {0}, {0, 0}, {0, 2}, {-1, 0}, {0, 1, 2}}) {
    options.dimensions = dimensions;
    EXPECT_THAT(FindBitcasts(array, array, options),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

// Many dimensions of one size: the only one of 32! that fits is found at once.
TEST(FindBitcasts, TakesNoLongerForManyDimensions) {
  const int64_t rank = 32;
  Layout::MinorToMajor order(rank);
  for (int64_t i = 0; i < rank; ++i) order[i] = (7 * i + 3) % rank;
  const Shape from = Shape::Array(S8, Shape::Dimensions(rank, 2),
                                  GetDefaultLayoutForRank(rank));
  const Shape to = Shape::Array(S8, Shape::Dimensions(rank, 2), Layout(order));
  const absl::StatusOr<Bitcasts> found = FindBitcasts(from, to);
  ASSERT_THAT(found, IsOk());
  EXPECT_EQ(found->as_reshape, false);
  ASSERT_EQ(found->as_transpose, true);
  EXPECT_TRUE(*TransposeIsBitcast(from, to, found->dimensions));
}

TEST(ReshapeIsBitcast, LooksAtMinorToMajorOnly) {
  struct Case {
    const char* from;
    const char* to;
    bool want;
  };
  const Case cases[] = {
      {"f32[4,6,5]{2,1,0}", "f32[24,5]{1,0}", true},
      {"f32[6,4]{1,0}", "f32[4,6]{1,0}", true},
      {"f32[6,4]{0,1}", "f32[24]{0}", false},
      {"f32[24]{0}", "f32[6,4]{0,1}", false},
      {"f32[4,6]{0,1}", "f32[4,2,3]{0,2,1}", true},
      {"f32[4,6]{0,1}", "f32[4,2,3]{0,1,2}", false},
      {"f32[1,7]{0,1}", "f32[7]{0}", true},
      {"f32[]", "f32[1,1]{0,1}", true},
      {"f32[0,5]{1,0}", "f32[5,0]{0,1}", true},
      {"f32[4]{0}", "f32[5]{0}", false},
      // Where IsBitcast says otherwise.
      {"f32[64,256]{1,0:T(8,128)}", "f32[64,256]{1,0}", true},
      {"f32[4]{0:S(1)}", "f32[4]{0}", true},
      {"f32[4]{0}", "s32[4]{0}", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.from) + " " + c.to);
    EXPECT_EQ(*ReshapeIsBitcast(Parse(c.from), Parse(c.to)), c.want);
  }
}

// Where both rules apply, untiled arrays of one type, they agree.
TEST(ReshapeIsBitcast, AgreesWithIsBitcastOnUntiledArrays) {
  std::vector<Shape> shapes;
  for (const Shape::Dimensions& dimensions : std::vector<Shape::Dimensions>{
           {12}, {3, 4}, {4, 3}, {2, 6}, {2, 2, 3}, {3, 1, 4}, {2, 3, 2}}) {
    Layout::MinorToMajor order(dimensions.size());
    std::iota(order.begin(), order.end(), 0);
    do {
      shapes.push_back(Shape::Array(F32, dimensions, Layout(order)));
    } while (std::next_permutation(order.begin(), order.end()));
  }
  for (const Shape& from : shapes) {
    for (const Shape& to : shapes) {
      EXPECT_EQ(*ReshapeIsBitcast(from, to), *IsBitcast(from, to))
          << from.ToString() << " " << to.ToString();
    }
  }
}

TEST(TransposeIsBitcast, ComposesTheMapping) {
  const Shape from = Parse("f32[2,3,5]{2,1,0:T(8,128)}");
  EXPECT_TRUE(*TransposeIsBitcast(from, Parse("f32[5,2,3]{0,2,1}"), {2, 0, 1}));
  EXPECT_FALSE(
      *TransposeIsBitcast(from, Parse("f32[5,2,3]{2,1,0}"), {2, 0, 1}));
  EXPECT_FALSE(
      *TransposeIsBitcast(from, Parse("s32[5,2,3]{0,2,1}"), {2, 0, 1}));
  EXPECT_TRUE(*TransposeIsBitcast(Parse("f32[]"), Parse("f32[]"), {}));
  // A dimension of 1 that moves counts as an order of its own, as in XLA.
  EXPECT_FALSE(*TransposeIsBitcast(Parse("f32[1,3]{1,0}"),
                                   Parse("f32[3,1]{1,0}"), {1, 0}));
}

TEST(XlaBitcasts, Errors) {
  const Shape array = Parse("f32[2,3]{1,0}");
  const Shape bare = Shape::Array(F32, {2, 3});
  const Shape bad_order = Shape::Array(F32, {2, 3}, Layout({0, 0}));
  struct Case {
    Shape shape;
    absl::Status status;
  };
  const Case cases[] = {
      {Shape::Token(),
       absl::FailedPreconditionError("token[] is not an array")},
      {bare, absl::FailedPreconditionError("f32[2,3] has no layout")},
      {bad_order,
       absl::InvalidArgumentError("minor_to_major {0,0} is not a permutation "
                                  "of the 2 dimensions of f32[2,3]")},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ReshapeIsBitcast(array, c.shape).status(), c.status);
    EXPECT_EQ(ReshapeIsBitcast(c.shape, array).status(), c.status);
    EXPECT_EQ(TransposeIsBitcast(array, c.shape, {0, 1}).status(), c.status);
  }
  EXPECT_EQ(
      ReshapeIsBitcast(array, Parse("f32[?]")).status(),
      absl::FailedPreconditionError("f32[?]{0} has an unbounded dimension"));
  EXPECT_EQ(TransposeIsBitcast(array, array, {0, 0}).status(),
            absl::InvalidArgumentError(
                "{0,0} does not map the dimensions of f32[2,3]{1,0} to those "
                "of f32[2,3]{1,0}"));
  EXPECT_EQ(TransposeIsBitcast(array, array, {1, 0}).status(),
            absl::InvalidArgumentError(
                "dimension 0 of f32[2,3]{1,0} differs in size from dimension "
                "1 of f32[2,3]{1,0}"));
}

// 24 is cut into 4 and 6 by one shape and is whole in the other.
TEST(RowMajorMaps, HaveIndicesInCommon) {
  const auto maps =
      RowMajorMaps(Parse("f32[4,6,5]{2,1,0}"), Parse("f32[24,5]{0,1}"));
  ASSERT_THAT(maps, IsOk());
  EXPECT_THAT(maps->first.bounds(), ::testing::ElementsAre(24, 5));
  EXPECT_EQ(*maps->first.LinearIndex({7, 3}), 38);
  EXPECT_EQ(*maps->second.LinearIndex({7, 3}), 79);

  for (const char* other : {"f32[5]{0}", "f32[0]{0}"}) {
    const absl::Status status =
        RowMajorMaps(Parse(other), Parse("f32[0,2]{1,0}")).status();
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition))
        << other;
  }
}

TEST(FindBitcasts, OfNoElementsAnyOrderIsATranspose) {
  const Bitcasts found =
      *FindBitcasts(Parse("f32[0,3,2]{2,1,0}"), Parse("f32[0,3,2]{0,1,2}"));
  EXPECT_EQ(found.as_transpose, true);
  EXPECT_THAT(found.dimensions, testing::ElementsAre(0, 1, 2));
}

TEST(FindBitcasts, DimensionsThatAreNoTransposeAreNotNamed) {
  const Bitcasts found = *FindBitcasts(Parse("f32[16,16]{1,0:T(2,2)}"),
                                       Parse("f32[16,16]{1,0:T(4,2)}"));
  EXPECT_EQ(found.as_transpose, false);
  EXPECT_THAT(found.dimensions, testing::IsEmpty());
}

TEST(XlaBitcasts, AMappingOfAnotherRankIsRefused) {
  for (const char* const to : {"f32[2]{0}", "f32[2,3,1]{2,1,0}"}) {
    EXPECT_EQ(TransposeIsBitcast(Parse("f32[2,3]{1,0}"), Parse(to), {0, 1})
                  .status()
                  .code(),
              absl::StatusCode::kInvalidArgument)
        << to;
  }
}

// What can be told in no time is what can be told at all.
TEST(FindBitcasts, WithoutEvaluationsSaysNothingElse) {
  std::vector<Shape> shapes;
  for (const std::string dimensions :
       {"12,10", "10,12", "4,3,10", "3,4,10", "10,3,4", "5,2,12", "120"}) {
    for (const std::string tiles : {"", ":T(4)", ":T(2,4)", ":T(*,4)",
                                    ":T(*,5)(2,1)", ":T(*,*,6)", ":T(3,*)"}) {
      const int rank =
          1 + std::count(dimensions.begin(), dimensions.end(), ',');
      for (const std::string order : {"2,1,0", "0,1,2", "1,2,0"}) {
        std::string own;
        for (const char c : order) {
          if (c != ',' && c < '0' + rank) {
            own += own.empty() ? std::string(1, c) : std::string(",") + c;
          }
        }
        const absl::StatusOr<Shape> shape =
            ParseShape("f32[" + dimensions + "]{" + own + tiles + "}");
        if (shape.ok()) shapes.push_back(*shape);
      }
    }
  }
  ASSERT_GT(shapes.size(), 50);
  BitcastOptions none;
  none.same_function.evaluation_limit = 0;
  int undecided = 0;
  for (const Shape& from : shapes) {
    for (const Shape& to : shapes) {
      SCOPED_TRACE(from.ToString() + " to " + to.ToString());
      const Bitcasts few = *FindBitcasts(from, to, none);
      const Bitcasts all = *FindBitcasts(from, to);
      if (few.is_bitcast.has_value()) {
        ASSERT_EQ(few.is_bitcast, all.is_bitcast);
      } else {
        ++undecided;
      }
      if (few.as_reshape.has_value()) {
        ASSERT_EQ(few.as_reshape, all.as_reshape);
      }
      if (few.as_transpose.has_value()) {
        ASSERT_EQ(few.as_transpose, all.as_transpose);
      }
      if (few.steps.has_value()) {
        ASSERT_TRUE(all.steps.has_value());
      }
    }
  }
  EXPECT_GT(undecided, 0);
}

}  // namespace
}  // namespace tessera
