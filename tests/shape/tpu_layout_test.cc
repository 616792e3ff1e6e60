#include "tessera/shape/tpu_layout.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/layout/layout_utilities.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/layout/validate_layout.h"
#include "tessera/parser/parser.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

constexpr int64_t k2To40 = int64_t{1} << 40;

Shape ReadForTpu(std::string_view text) {
  ParseOptions options;
  options.tpu_layouts = true;
  const absl::StatusOr<Shape> shape = ParseShape(text, options);
  EXPECT_THAT(shape, IsOk()) << text;
  return shape.value_or(Shape());
}

std::string DefaultOf(std::string_view array) {
  const absl::StatusOr<Layout> layout = DefaultTpuLayout(*ParseShape(array));
  return layout.ok() ? layout->ToString()
                     : std::string(layout.status().message());
}

TEST(DefaultTpuLayout, IsThatOfTheCompilerInEveryRow) {
  const absl::StatusOr<FileBytes> file =
      FileBytes::Open("tests/shape/data/tpu_layouts/default_layouts.tsv.gz");
  ASSERT_THAT(file, IsOk());
  int64_t rows = 0, wrong = 0;
  for (const std::string_view row :
       SplitViews(file->text(), '\n', absl::SkipEmpty())) {
    ++rows;
    const std::vector<std::string_view> cells = SplitViews(row, '\t');
    ASSERT_EQ(cells.size(), 2) << row;
    const std::string_view array = cells[1].substr(0, cells[1].find('{'));
    const std::string filled = ReadForTpu(array).ToString();
    if (filled == cells[1]) continue;
    if (++wrong <= 10) ADD_FAILURE() << row << " is laid out as " << filled;
  }
  EXPECT_EQ(rows, 15000);
  EXPECT_EQ(wrong, 0);
}

// Answers of the compiler that the file does not have.
TEST(DefaultTpuLayout, KnowsWhatTheFileDoesNotHave) {
  const struct {
    const char* array;
    const char* layout;
  } kCases[] = {
      // Scalars: no (packing,1).
      {"f64[]", "{:T(128)}"},
      {"c128[]", "{:T(128)}"},
      {"u1[]", "{:T(4096)E(1)}"},
      {"f8e8m0fnu[]", "{:T(512)}"},
      // 64 bits are two arrays of 32.
      {"s64[3,5]", "{1,0:T(4,128)}"},
      {"c128[32,32,3]", "{1,0,2:T(8,128)}"},
      // Bits.
      {"s1[5]", "{0:T(4096)(128)(32,1)E(1)}"},
      {"u1[3,5]", "{1,0:T(32,128)(32,1)E(1)}"},
      {"u2[16,128]", "{1,0:T(16,128)(16,1)E(2)}"},
      {"s1[7,9,16]", "{2,0,1:T(32,128)(32,1)E(1)}"},
      {"s1[63,64,456,1197,16]", "{3,4,2,1,0:T(32,128)(32,1)E(1)}"},
      // Eight rows are reckoned with, 16 are laid out.
      {"s2[100,513]", "{1,0:T(16,128)(16,1)E(2)}"},
      {"s2[166,307,257]", "{1,0,2:T(16,128)(16,1)E(2)}"},
      // Equal padding: what fills whole tiles goes first.
      {"s2[128,256,24]", "{1,0,2:T(128,128)(16,1)E(2)}"},
      {"s2[48,8,184]", "{2,1,0:T(16,128)(16,1)E(2)}"},
      {"f32[32,1,512]", "{2,1,0:T(1,128)}"},
      {"f8e4m3[312,384,11,4,12,3,127]", "{1,3,6,5,4,2,0:T(4,128)(4,1)}"},
      // Without elements there are no tiles.
      {"f32[0]", "{0}"},
      {"bf16[300,0,5]", "{2,1,0}"},
      {"s4[5,0]", "{1,0:E(4)}"},
      {"f32[0,4611686018427387904,4611686018427387904]", "{2,1,0}"},
      // A bounded dimension counts as its bound.
      {"f32[<=9,130]", "{1,0:T(8,128)}"},
      {"f32[<=2000,3]", "{0,1:T(4,128)}"},
      {"s32[<=300]", "{0:T(512)}"},
      // Many dimensions, and large ones.
      {"f32[2,3,4,5,6,7,8,9,10,11,12,13]",
       "{11,6,10,9,8,7,5,4,3,2,1,0:T(8,128)}"},
      {"f32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]",
       "{19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0:T(1,128)}"},
      {"f32[1099511627776]", "{0:T(1024)}"},
      {"f32[1099511627776,1048576]", "{1,0:T(8,128)}"},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(DefaultOf(test.array), test.layout) << test.array;
  }
}

TEST(DefaultTpuLayout, Refuses) {
  const struct {
    Shape shape;
    absl::StatusCode code;
    const char* message;
  } kCases[] = {
      {Shape::Token(), absl::StatusCode::kFailedPrecondition,
       "token[] is not an array"},
      {Shape::Tuple({Shape::Array(F32, {2})}),
       absl::StatusCode::kFailedPrecondition, "(f32[2]) is not an array"},
      {Shape::Array(F32, {Shape::kUnboundedSize, 3}, std::nullopt,
                    {true, false}),
       absl::StatusCode::kFailedPrecondition,
       "f32[?,3] has an unbounded dimension"},
      {Shape::Array(F32, {2, -3}), absl::StatusCode::kInvalidArgument,
       "dimensions[1] = -3 is negative"},
      {Shape::Array(F6E2M3FN, {2, 3}), absl::StatusCode::kUnimplemented,
       "the TPU compiler has no layout for f6e2m3fn"},
      {Shape::Array(F32, Shape::Dimensions(1025, 1)),
       absl::StatusCode::kResourceExhausted,
       "1025 dimensions exceed the limit of 1024 for a layout of TPU"},
      {Shape::Array(S8, {int64_t{1} << 60, 4}), absl::StatusCode::kOk, ""},
      {Shape::Array(S8, {k2To40, 3, 1 << 20}), absl::StatusCode::kOk, ""},
      {Shape::Array(S8, {(int64_t{1} << 62) + 1, 1}),
       absl::StatusCode::kOutOfRange,
       "the positions of s8[4611686018427387905,1] exceed 2^63-1 in every "
       "layout of TPU"},
  };
  for (const auto& test : kCases) {
    const absl::Status status = DefaultTpuLayout(test.shape).status();
    EXPECT_EQ(status.code(), test.code) << test.shape.ToString();
    EXPECT_EQ(status.message(), test.message);
  }
}

TEST(DefaultTpuLayout, OverlooksTheLayoutThatThereIs) {
  for (const char* text :
       {"f32[2000,3]", "f32[2000,3]{1,0}", "f32[2000,3]{1,0:T(8,128)S(1)}"}) {
    EXPECT_EQ(DefaultOf(text), "{0,1:T(4,128)}") << text;
  }
}

TEST(WithTpuLayouts, FillsInWhatIsMissing) {
  const struct {
    const char* text;
    const char* filled;
  } kCases[] = {
      {"f32[2000,3]", "f32[2000,3]{0,1:T(4,128)}"},
      // The order is said: the tiles follow, as in compiled programs.
      {"f32[2000,3]{1,0}", "f32[2000,3]{1,0:T(8,128)}"},
      {"f32[1,300,200]{2,0,1}", "f32[1,300,200]{2,0,1:T(1,128)}"},
      {"s8[256,300,64]{2,0,1}", "s8[256,300,64]{2,0,1:T(32,128)(4,1)}"},
      {"s4[8,64,3]{2,1,0}", "s4[8,64,3]{2,1,0:T(64,128)(8,1)E(4)}"},
      {"f32[7]{0}", "f32[7]{0:T(128)}"},
      // What else is said stays.
      {"f32[9,130]{1,0:S(1)}", "f32[9,130]{1,0:T(8,128)S(1)}"},
      {"f32[9,130]{0,1:S(1)}", "f32[9,130]{0,1:T(8,128)S(1)}"},
      {"f32[9,130]{1,0:T(2,2)}", "f32[9,130]{1,0:T(2,2)}"},
      {"f32[0,3]{0,1}", "f32[0,3]{0,1}"},
      // In tuples and buffers.
      {"(bf16[9,130], (token[], pred[]), b(f32[129]))",
       "(bf16[9,130]{1,0:T(8,128)(2,1)}, (token[], pred[]{:T(512)}), "
       "b(f32[129]{0:T(256)}))"},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(ReadForTpu(test.text).ToString(), test.filled) << test.text;
  }
  EXPECT_THAT(WithTpuLayouts(
                  Shape::Tuple({Shape::Token(), Shape::Array(F6E3M2FN, {2})})),
              StatusIs(absl::StatusCode::kUnimplemented,
                       HasSubstr("no layout for f6e3m2fn")));
  EXPECT_THAT(WithTpuLayouts(Shape::Array(F32, {2, 3}, Layout({0, 0}))),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("names dimension 0 twice")));
}

TEST(ParseOptions, ErrorsAboutTpuLayoutsStandAtTheArray) {
  ParseOptions options;
  options.tpu_layouts = true;
  EXPECT_THAT(ParseShape("(f32[3], f32[?,2], s8[4])", options),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("1:10: f32[?,2] has an unbounded dimension")));
  // A layout that is wrong is so without TPU, too.
  EXPECT_THAT(ParseShape("f32[3,5]{1}", options),
              StatusIs(absl::StatusCode::kInvalidArgument));
  options.lenient = true;
  options.upper_case_types = true;
  EXPECT_EQ(ParseShape("F32[3]{}", options)->ToString(), "f32[3]{0:T(128)}");
}

class RandomArrays {
 public:
  explicit RandomArrays(uint32_t seed) : random_(seed) {}

  Shape Next() {
    constexpr PrimitiveType kTypes[] = {PRED, S1,  S2,  S4,       U8,
                                        BF16, F32, S64, F4E2M1FN, C64};
    Shape::Dimensions sizes(Below(6));
    for (int64_t& size : sizes) size = Size();
    return Shape::Array(kTypes[Below(std::size(kTypes))], std::move(sizes));
  }

  int64_t Below(int64_t end) {
    return std::uniform_int_distribution<int64_t>(0, end - 1)(random_);
  }

 private:
  int64_t Size() {
    constexpr int64_t kBorders[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
    const int64_t border = kBorders[Below(std::size(kBorders))];
    return std::max<int64_t>(1, border * (1 + Below(3)) + Below(3) - 1);
  }

  std::mt19937 random_;
};

int64_t PaddedBytes(const Shape& array) {
  const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(array);
  EXPECT_THAT(sizes, IsOk()) << array.ToString();
  return sizes.ok() ? sizes->padded_bytes : -1;
}

// From 4 bits up the compiler's order is the best one there is, each with the
// tiles that go with it. This asks the sizes of arrays, which know no rule.
TEST(DefaultTpuLayout, NoOrderTakesLess) {
  RandomArrays random(20261126);
  for (int i = 0; i < 300; ++i) {
    const Shape array = random.Next();
    const PrimitiveType type = array.element_type();
    if (array.rank() > 4 || type == S1 || type == S2) continue;
    const int64_t bytes = PaddedBytes(*WithTpuLayouts(array));
    Layout::MinorToMajor order =
        MakeAscendingLayout(array.rank()).parts().minor_to_major;
    do {
      const Shape other = *WithTpuLayouts(array.WithLayout(Layout(order)));
      EXPECT_LE(bytes, PaddedBytes(other)) << other.ToString();
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(WithTpuLayouts, MakesValidLayoutsAndIsIdempotent) {
  RandomArrays random(4);
  for (int i = 0; i < 2000; ++i) {
    const Shape array = random.Next();
    const absl::StatusOr<Shape> filled = WithTpuLayouts(array);
    ASSERT_THAT(filled, IsOk()) << array.ToString();
    EXPECT_THAT(ValidateLayout(filled->layout(), array.element_type(),
                               array.dimensions()),
                IsOk());
    EXPECT_EQ(*WithTpuLayouts(*filled), *filled);
    // The order alone brings the same tiles back.
    EXPECT_EQ(*WithTpuLayouts(array.WithLayout(
                  Layout(filled->layout().parts().minor_to_major))),
              *filled);
  }
}

}  // namespace
}  // namespace tessera
