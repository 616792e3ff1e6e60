// What is printed, in any of its spellings, is read as what it was.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/parse.h"
#include "tessera/cute/swizzle.h"
#include "tessera/cute/text_form.h"
#include "tessera/cute/tiler.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

template <typename T>
void ExpectRoundTrip(const T& value,
                     absl::StatusOr<T> (*parse)(std::string_view)) {
  std::vector<TextForm> forms;
  for (const Dialect dialect :
       {Dialect::kCpp, Dialect::kIr, Dialect::kDocumentation}) {
    for (const bool marks : {false, true}) {
      TextForm form;
      form.dialect = dialect;
      form.marks_compile_time = marks;
      forms.push_back(form);
    }
  }
  for (const Style style : {Style::kCpp, Style::kPython}) {
    forms.emplace_back();
    forms.back().style = style;
  }
  for (const TextForm& form : forms) {
    const std::string text = value.ToString(form);
    const absl::StatusOr<T> read = parse(text);
    ASSERT_THAT(read, IsOk()) << text;
    ASSERT_TRUE(*read == value) << text << " as " << read->ToString();
    ASSERT_EQ(read->ToString(form), text);
  }
}

absl::StatusOr<Layout> Read(std::string_view text) { return ParseLayout(text); }

RandomCuteOptions Options() {
  RandomCuteOptions options;
  options.negative_strides = true;
  return options;
}

// Each moving leaf with a basis element of its own.
Layout WithBasis(const Layout& layout, RandomBits* random) {
  Layout::Builder builder;
  size_t leaf = 0;
  for (const uint32_t node : layout.profile().nodes()) {
    if (node != Profile::kLeaf) {
      builder.Tuple(node);
      continue;
    }
    Layout::Leaf with_basis = layout.leaves()[leaf];
    for (int64_t depth = Uniform(0, 3, random); depth > 0; --depth) {
      with_basis.basis =
          *with_basis.basis.Within(Uniform(0, Basis::kMaxMode, random));
    }
    with_basis.basis = *with_basis.basis.Within(leaf++);
    builder.Append(with_basis);
  }
  return *std::move(builder).Build();
}

TEST(RoundTrip, Layouts) {
  ForEachRandomLayout(Options(), [](const Layout& layout, RandomBits* random) {
    ExpectRoundTrip(layout, Read);
    ExpectRoundTrip(WithBasis(layout, random), Read);
  });
}

TEST(RoundTrip, IntTuples) {
  ForEachRandomLayout(Options(), [](const Layout& layout, RandomBits* random) {
    IntTuple::Values values;
    for (const Layout::Leaf& leaf : layout.leaves()) {
      switch (Uniform(0, 3, random)) {
        case 0:
          values.push_back(IntTuple::kUnderscore);
          break;
        case 1:
          values.push_back(Uniform(-INT64_MAX / 2, INT64_MAX / 2, random));
          break;
        default:
          values.push_back(leaf.stride);
      }
    }
    ExpectRoundTrip(IntTuple(layout.profile(), values), ParseIntTuple);
  });
}

TEST(RoundTrip, Tilers) {
  ForEachRandomLayout(
      SmallLayouts(), [](const Layout& layout, RandomBits* random) {
        const LiteralTiler literal =
            RandomTiler(LiteralOf(layout), SmallLayouts(), random);
        ExpectRoundTrip(TilerOf(literal), ParseTiler);
        ExpectRoundTrip(*Tiler::OfShape(layout.shape()), ParseTiler);
      });
}

TEST(RoundTrip, SwizzlesAndComposedLayouts) {
  ForEachRandomLayout(Options(), [](const Layout& layout, RandomBits* random) {
    const int64_t bits = Uniform(0, 8, random);
    int64_t shift = Uniform(bits, 20, random);
    if (Uniform(0, 1, random) == 0) shift = -shift;
    const Swizzle swizzle =
        *Swizzle::Create(bits, Uniform(0, 12, random), shift);
    ExpectRoundTrip(swizzle, ParseSwizzle);
    const int64_t offset = Uniform(-INT64_MAX / 2, INT64_MAX / 2, random);
    ExpectRoundTrip(ComposedLayout(swizzle, offset, layout),
                    ParseComposedLayout);
    ExpectRoundTrip(ComposedLayout(layout, offset, WithBasis(layout, random)),
                    ParseComposedLayout);
  });
}

TEST(RoundTrip, OfNoModes) {
  ExpectRoundTrip(LayoutOf("():()"), Read);
  ExpectRoundTrip(TupleOf("((),(()))"), ParseIntTuple);
  ExpectRoundTrip(Tiler::Tuple({}), ParseTiler);
  ExpectRoundTrip(Tiler::Tuple({Tiler::Tuple({}), Tiler::Underscore()}),
                  ParseTiler);
}

}  // namespace
}  // namespace tessera::cute
