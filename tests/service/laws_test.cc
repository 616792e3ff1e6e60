// Answers about random arrays, against the literal evaluator.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/index_map.h"
#include "tessera/service/layout_service.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/literal/literal_evaluator.h"
#include "tessera/tests/literal/random_layouts.h"

namespace tessera {
namespace {

using ::testing::ElementsAreArray;

#ifdef TESSERA_SANITIZER
constexpr int kLayouts = 50;
#else
constexpr int kLayouts = 1000;
#endif

// More cells and positions than the arrays have, within what may be asked for.
constexpr int64_t kMost = 1 << 14;

// Every index of bounds without a zero, in row-major order, one after the
// other.
template <typename List>
void AddAllIndices(const std::vector<int64_t>& bounds, List* list) {
  std::vector<int64_t> index(bounds.size(), 0);
  do {
    list->Add(index.begin(), index.end());
  } while (NextIndex(bounds, &index));
}

PlaceKind KindOf(const LiteralCell& cell) {
  switch (cell.kind) {
    case LiteralCell::Kind::kElement:
      return ELEMENT;
    case LiteralCell::Kind::kTilePadding:
      return TILE_PADDING;
    case LiteralCell::Kind::kTailPadding:
      break;
  }
  return TAIL_PADDING;
}

class LawsTest : public ::testing::Test {
 protected:
  // Calls `check` with random layouts that have elements.
  template <typename Check>
  void ForRandomLayouts(const Check& check) {
    RandomBits random(TestSeed());
    int checked = 0;
    for (int i = 0; i < kLayouts; ++i) {
      RandomLayoutOptions options;
      options.max_positions = 1000;
      const LiteralLayout layout = RandomLayout(options, &random);
      const LiteralArray array = EvaluateLiterally(layout);
      if (array.positions.empty()) continue;
      SCOPED_TRACE(layout.ToString());
      check(layout, array);
      ++checked;
      if (HasFailure()) return;
    }
    EXPECT_GT(checked, kLayouts / 2);
  }

  const LayoutService service_;
};

TEST_F(LawsTest, Linearize) {
  ForRandomLayouts([&](const LiteralLayout& layout, const LiteralArray& array) {
    Request request;
    request.mutable_linearize()->set_layout(layout.ToString());
    if (layout.rank() > 0) {
      AddAllIndices(layout.bounds,
                    request.mutable_linearize()->mutable_indices());
    }
    EXPECT_THAT(service_.Answer(request).linearize().linear_indices(),
                ElementsAreArray(array.positions));
  });
}

// Of every cell that is an element, the position; and all of memory.
TEST_F(LawsTest, Picture) {
  ForRandomLayouts([&](const LiteralLayout& layout, const LiteralArray& array) {
    Request request;
    PictureRequest& question = *request.mutable_picture();
    question.set_layout(layout.ToString());
    question.mutable_row_window()->set_count(kMost);
    question.mutable_column_window()->set_count(kMost);
    question.mutable_memory()->set_count(kMost);
    const Response response = service_.Answer(request);
    const PictureResult& picture = response.picture();
    const int64_t across = picture.columns().window().count();
    int64_t elements = 0;
    for (int i = 0; i < picture.kinds_size(); ++i) {
      if (picture.kinds(i) != ELEMENT) continue;
      ++elements;
      std::vector<int64_t> index(picture.index().begin(),
                                 picture.index().end());
      if (picture.rows().has_dimension()) {
        index[picture.rows().dimension()] =
            picture.rows().coordinates(i / across);
      }
      if (picture.columns().has_dimension()) {
        index[picture.columns().dimension()] =
            picture.columns().coordinates(i % across);
      }
      EXPECT_EQ(array.PositionOf(index), picture.linear_indices(i));
    }
    EXPECT_EQ(elements, picture.rows().bound() * picture.columns().bound());
    ASSERT_EQ(picture.memory_size(), static_cast<int>(array.cells.size()));
    for (int i = 0; i < picture.memory_size(); ++i) {
      const MemoryPlace& place = picture.memory(i);
      EXPECT_EQ(place.linear_index(), i);
      EXPECT_EQ(place.kind(), KindOf(array.cells[i]));
      if (place.kind() != ELEMENT) continue;
      const std::vector<int64_t> index(place.index().begin(),
                                       place.index().end());
      EXPECT_EQ(array.PositionOf(index), i);
      if (!place.has_cell()) continue;
      EXPECT_EQ(picture.linear_indices(place.cell()), i);
    }
  });
}

TEST_F(LawsTest, Delinearize) {
  ForRandomLayouts([&](const LiteralLayout& layout, const LiteralArray& array) {
    Request request;
    request.mutable_delinearize()->set_layout(layout.ToString());
    const int64_t size = array.cells.size();
    for (int64_t i = 0; i < size; ++i) {
      request.mutable_delinearize()->add_linear_indices(i);
    }
    const Response response = service_.Answer(request);
    const DelinearizeResult& result = response.delinearize();
    ASSERT_EQ(result.kinds_size(), size);
    ASSERT_EQ(result.rank(), layout.rank());
    ASSERT_EQ(result.indices_size(), size * layout.rank());
    for (int64_t i = 0; i < size; ++i) {
      ASSERT_EQ(result.kinds(i), KindOf(array.cells[i])) << i;
      const auto begin = result.indices().begin() + i * layout.rank();
      const std::vector<int64_t> index(begin, begin + layout.rank());
      if (result.kinds(i) == ELEMENT) {
        ASSERT_EQ(array.PositionOf(index), i);
      } else {
        ASSERT_EQ(index, std::vector<int64_t>(layout.rank(), 0));
      }
    }
  });
}

TEST_F(LawsTest, RunsAndPaddingShareOutThePositions) {
  ForRandomLayouts([&](const LiteralLayout& layout, const LiteralArray& array) {
    Request request;
    request.mutable_runs()->set_layout(layout.ToString());
    const Response runs = service_.Answer(request);
    request.mutable_padding()->set_layout(layout.ToString());
    const Response padding = service_.Answer(request);
    std::vector<int> holds_element(array.cells.size(), -1);
    for (int i = 0; i < runs.runs().begins_size(); ++i) {
      for (int64_t k = 0; k < runs.runs().lengths(i); ++k) {
        int& holds = holds_element.at(runs.runs().begins(i) + k);
        ASSERT_EQ(holds, -1);
        holds = 1;
      }
    }
    for (int i = 0; i < padding.padding().begins_size(); ++i) {
      for (int64_t p = padding.padding().begins(i);
           p < padding.padding().ends(i); ++p) {
        ASSERT_EQ(holds_element.at(p), -1);
        holds_element[p] = 0;
      }
    }
    EXPECT_FALSE(runs.runs().truncated());
    EXPECT_FALSE(padding.padding().truncated());
    for (size_t p = 0; p < array.cells.size(); ++p) {
      ASSERT_EQ(holds_element[p],
                array.cells[p].kind == LiteralCell::Kind::kElement)
          << p;
    }
  });
}

// In bytes and bits, an element is there in all of them.
TEST_F(LawsTest, RegionsInOtherUnits) {
  const struct {
    const char* layout;
    PositionUnits units;
    std::vector<int64_t> begins, lengths;
  } cases[] = {
      {"f32[3]{0:T(2)}", BYTES, {0}, {12}},
      {"f32[3]{0:T(2)}", BITS, {0}, {96}},
      {"f32[2,2]{1,0:T(3)M(16)}", BYTES, {16, 28}, {8, 8}},
      {"s4[3]{0:T(2)E(4)}", BITS, {0}, {12}},
      {"bf16[2,3]{1,0:T(2,2)}", BYTES, {0, 12}, {10, 2}},
      {"pred[0]", BYTES, {}, {}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.layout);
    Request request;
    request.mutable_runs()->set_layout(c.layout);
    request.mutable_runs()->set_units(c.units);
    const Response runs = service_.Answer(request);
    EXPECT_THAT(runs.runs().begins(), ElementsAreArray(c.begins));
    EXPECT_THAT(runs.runs().lengths(), ElementsAreArray(c.lengths));
    // What is left is padding.
    request.mutable_padding()->set_layout(c.layout);
    request.mutable_padding()->set_units(c.units);
    const Response padding = service_.Answer(request);
    std::map<int64_t, int64_t> ends;
    for (size_t i = 0; i < c.begins.size(); ++i) {
      ends[c.begins[i]] = c.begins[i] + c.lengths[i];
    }
    for (int i = 0; i < padding.padding().begins_size(); ++i) {
      const bool is_new =
          ends.emplace(padding.padding().begins(i), padding.padding().ends(i))
              .second;
      EXPECT_TRUE(is_new);
    }
    request.mutable_describe()->set_layout(c.layout);
    const Response described = service_.Answer(request);
    const LeafSizes& leaf = described.describe().xla().leaves(0);
    int64_t at = 0;
    for (const auto& [begin, end] : ends) {
      EXPECT_EQ(begin, at);
      at = end;
    }
    EXPECT_EQ(at, c.units == BITS ? leaf.sizes().padded_bits()
                                  : leaf.sizes().padded_bytes() +
                                        leaf.metadata_prefix_bytes());
  }
}

TEST_F(LawsTest, Describe) {
  ForRandomLayouts([&](const LiteralLayout& layout, const LiteralArray& array) {
    Request request;
    request.mutable_describe()->set_layout(layout.ToString());
    const Response response = service_.Answer(request);
    ASSERT_EQ(response.describe().xla().leaves_size(), 1);
    const LeafSizes& leaf = response.describe().xla().leaves(0);
    int64_t elements = 0, tiles = 0, tail = 0, data_end = 0;
    for (size_t p = 0; p < array.cells.size(); ++p) {
      const PlaceKind kind = KindOf(array.cells[p]);
      elements += kind == ELEMENT;
      tiles += kind == TILE_PADDING;
      tail += kind == TAIL_PADDING;
      if (kind == ELEMENT) data_end = p + 1;
    }
    EXPECT_EQ(leaf.sizes().elements(), elements);
    EXPECT_EQ(leaf.sizes().position_count(), array.cells.size());
    EXPECT_EQ(leaf.sizes().padded_bits(), 8 * array.cells.size());
    EXPECT_EQ(leaf.tile_padding_elements(), tiles);
    EXPECT_EQ(leaf.tail_padding_elements(), tail);
    EXPECT_EQ(leaf.data_end(), data_end);
    EXPECT_THAT(leaf.expanded_shape(),
                ElementsAreArray(array.expanded_bounds.back()));
  });
}

// What an explanation says adds up.
void ExpectExplained(const Response& response, int64_t position) {
  ASSERT_TRUE(response.has_explain()) << response.error().message();
  const ExplainResult& result = response.explain();
  EXPECT_EQ(result.linear_index(), position);
  const auto check_digit = [&result](const DigitOf& digit) {
    const int64_t quotient = digit.value() / digit.divisor();
    EXPECT_EQ(digit.digit(),
              digit.modulus() == 0 ? quotient : quotient % digit.modulus());
    if (digit.coordinate().has_computed()) {
      EXPECT_EQ(digit.value(),
                result.computed(digit.coordinate().computed()).value());
    }
  };
  for (const ComputedCoordinate& computed : result.computed()) {
    int64_t value = computed.offset();
    for (const DigitPiece& piece : computed.pieces()) {
      check_digit(piece.digit());
      value += piece.digit().digit() * piece.multiplier();
    }
    EXPECT_EQ(computed.value(), value);
  }
  int64_t sum = result.base();
  for (const DigitStep& step : result.digits()) {
    check_digit(step.digit());
    sum += step.digit().digit() * step.stride();
  }
  if (!result.has_swizzle()) {
    EXPECT_EQ(sum, position);
    return;
  }
  EXPECT_EQ(sum, result.swizzle().before());
  const IndexMap::BitSwizzle swizzle = {
      static_cast<int32_t>(result.swizzle().bits()),
      static_cast<int32_t>(result.swizzle().base()),
      static_cast<int32_t>(result.swizzle().shift())};
  EXPECT_EQ(swizzle.Apply(sum), position);
}

TEST_F(LawsTest, Explain) {
  ForRandomLayouts([&](const LiteralLayout& layout, const LiteralArray& array) {
    std::vector<int64_t> index(layout.bounds.size(), 0);
    do {
      Request request;
      request.mutable_explain()->set_layout(layout.ToString());
      request.mutable_explain()->mutable_index()->Add(index.begin(),
                                                      index.end());
      ExpectExplained(service_.Answer(request), array.PositionOf(index));
      // A few of them will do.
      for (int i = 0; i < 6; ++i) NextIndex(layout.bounds, &index);
    } while (NextIndex(layout.bounds, &index) && index.back() % 3 == 1);
  });
}

TEST_F(LawsTest, ExplainOfCute) {
  RandomBits random(TestSeed());
  for (int i = 0; i < kLayouts; ++i) {
    const cute::LiteralLayout layout =
        cute::RandomCuteLayout(cute::RandomCuteOptions(), &random);
    const std::string text = i % 2 == 0
                                 ? layout.ToString()
                                 : "Sw<2,1,3> o 16 o " + layout.ToString();
    SCOPED_TRACE(text);
    Request request;
    request.mutable_describe()->set_layout(text);
    const Response described = service_.Answer(request);
    ASSERT_TRUE(described.has_describe());
    request.mutable_explain()->set_layout(text);
    for (const int64_t size : described.describe().cute().mode_sizes()) {
      request.mutable_explain()->add_index(Uniform(0, size - 1, &random));
    }
    const Response explained = service_.Answer(request);
    const std::vector<int64_t> index(request.explain().index().begin(),
                                     request.explain().index().end());
    request.mutable_linearize()->set_layout(text);
    request.mutable_linearize()->mutable_indices()->Add(index.begin(),
                                                        index.end());
    const Response linearized = service_.Answer(request);
    ASSERT_TRUE(linearized.has_linearize());
    ExpectExplained(explained, linearized.linearize().linear_indices(0));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace tessera
