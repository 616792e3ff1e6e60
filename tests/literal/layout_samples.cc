#include "tessera/tests/literal/layout_samples.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"

namespace tessera {
namespace {

// The untiled layouts are too few to leave any out.
#ifdef TESSERA_SANITIZER
constexpr int64_t kOneLayoutIn = 20;
#else
constexpr int64_t kOneLayoutIn = 1;
#endif

void AddSmall(const std::string& name, const SmallLayouts& family,
              int64_t samples, std::vector<LayoutSample>* all) {
  const int64_t one_in = family.tile_levels == 0 ? 1 : kOneLayoutIn;
  for (int64_t i = 0; i < samples; ++i) {
    all->push_back({absl::StrCat(name, i),
                    [=](absl::FunctionRef<void(const LiteralLayout&)> visit) {
                      ForEachSmallLayout(family, i, samples * one_in, visit);
                    }});
  }
}

void AddRandom(int64_t layouts, int64_t samples,
               std::vector<LayoutSample>* all) {
  for (int64_t i = 0; i < samples; ++i) {
    all->push_back({absl::StrCat("Random", i),
                    [=](absl::FunctionRef<void(const LiteralLayout&)> visit) {
                      RandomBits random(TestSeed() * samples + i);
                      const int64_t count = layouts / samples / kOneLayoutIn;
                      for (int64_t k = 0; k < count; ++k) {
                        visit(RandomLayout(RandomLayoutOptions(), &random));
                      }
                    }});
  }
}

}  // namespace

std::vector<LayoutSample> LayoutSamples() {
  SmallLayouts untiled;
  untiled.tile_levels = 0;

  const SmallLayouts one_tile;

  SmallLayouts two_tiles;
  two_tiles.max_rank = 2;
  two_tiles.tile_levels = 2;
  two_tiles.max_tile_rank = 3;

  SmallLayouts three_tiles;
  three_tiles.max_rank = 2;
  three_tiles.tile_levels = 3;
  three_tiles.max_tile_rank = 2;
  three_tiles.tile_entries = {1, 2, 3, LiteralLayout::kCombine};

  std::vector<LayoutSample> samples;
  AddSmall("Untiled", untiled, 1, &samples);
  AddSmall("OneTile", one_tile, 8, &samples);
  AddSmall("TwoTiles", two_tiles, 16, &samples);
  AddSmall("ThreeTiles", three_tiles, 4, &samples);
  AddRandom(200000, 32, &samples);
  return samples;
}

std::string SampleName(const ::testing::TestParamInfo<LayoutSample>& info) {
  return info.param.name;
}

void ExpectAgreement(
    const LayoutSample& sample,
    absl::FunctionRef<std::string(const LiteralLayout&, const LiteralArray&,
                                  RandomBits*)>
        disagreement) {
  constexpr int kMaxFailures = 10;
  const uint64_t seed = TestSeed();
  RandomBits random(seed);
  int failures = 0;
  int64_t layouts = 0;
  sample.for_each([&](const LiteralLayout& layout) {
    if (failures == kMaxFailures) return;
    ++layouts;
    const std::string text =
        disagreement(layout, EvaluateLiterally(layout), &random);
    if (text.empty()) return;
    ++failures;
    ADD_FAILURE() << layout.ToString() << ": " << text << "\nin sample "
                  << sample.name << ", TESSERA_TEST_SEED=" << seed;
  });
  EXPECT_GT(layouts, 0);
}

}  // namespace tessera
