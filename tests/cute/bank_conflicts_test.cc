#include "tessera/cute/access/bank_conflicts.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/access/coalescing.h"
#include "tessera/cute/access/find_swizzle.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/cute/parse.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

using ::testing::HasSubstr;

// -- The judge: every access, by lists of what is touched ---------------------

struct Judged {
  int64_t wavefronts = 0;
  int64_t fewest = 0;
  int64_t ways = 1;
  int64_t width = 0;
  // (phase, bank, thread, word).
  std::vector<std::tuple<int64_t, int64_t, int64_t, int64_t>> collisions;
  int64_t sectors = 0;
  int64_t lines = 0;
  int64_t bytes = 0;
  int64_t request_sectors = 0;
};

int64_t Floor(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

struct Accessed {
  int64_t threads;
  int64_t values;
  int64_t bytes;
  std::vector<int64_t> offsets;  // threads fastest

  int64_t offset(int64_t thread, int64_t value) const {
    return offsets[value * threads + thread];
  }
};

bool IsVectorWidth(const Accessed& accessed, int64_t width) {
  const int64_t elements = width / accessed.bytes;
  if (elements == 0 || accessed.values % elements != 0) return false;
  for (int64_t t = 0; t < accessed.threads; ++t) {
    for (int64_t v = 0; v < accessed.values; ++v) {
      const int64_t at = accessed.offset(t, v);
      const int64_t begin = accessed.offset(t, v - v % elements);
      if (at - begin != v % elements) return false;
      const int64_t address = begin * accessed.bytes;
      if (address != Floor(address, width) * width) return false;
    }
  }
  return true;
}

int64_t Distinct(std::vector<int64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return std::unique(numbers.begin(), numbers.end()) - numbers.begin();
}

// Without traffic, sectors and their like are not counted.
Judged Judge(const Accessed& accessed, bool counts_traffic) {
  Judged judged;
  judged.width = 16;
  while (!IsVectorWidth(accessed, judged.width)) judged.width /= 2;
  const int64_t elements = judged.width / accessed.bytes;
  const int64_t phase_threads = judged.width == 16  ? 8
                                : judged.width == 8 ? 16
                                                    : 32;
  for (int64_t warp = 0; warp * 32 < accessed.threads; ++warp) {
    std::vector<int64_t> sectors, lines, bytes;
    for (int64_t v = 0; v < accessed.values; v += elements) {
      std::vector<int64_t> request;
      for (int64_t part = 0; part * phase_threads < 32; ++part) {
        const int64_t begin = warp * 32 + part * phase_threads;
        if (begin >= accessed.threads) break;
        std::vector<int64_t> words;
        std::vector<std::pair<int64_t, int64_t>> by_thread;
        for (int64_t t = begin;
             t < std::min(begin + phase_threads, accessed.threads); ++t) {
          for (int64_t i = 0; i < judged.width; ++i) {
            const int64_t byte = accessed.offset(t, v) * accessed.bytes + i;
            if (i % 4 == 0) {
              words.push_back(Floor(byte, 4));
              by_thread.emplace_back(t, Floor(byte, 4));
            }
            if (!counts_traffic) continue;
            request.push_back(Floor(byte, 32));
            lines.push_back(Floor(byte, 128));
            bytes.push_back(byte);
          }
        }
        std::sort(words.begin(), words.end());
        words.erase(std::unique(words.begin(), words.end()), words.end());
        int64_t of_bank[32] = {};
        for (const int64_t word : words) ++of_bank[word - Floor(word, 32) * 32];
        const int64_t most = *std::max_element(of_bank, of_bank + 32);
        for (const auto& [thread, word] : by_thread) {
          const int64_t bank = word - Floor(word, 32) * 32;
          if (of_bank[bank] < 2) continue;
          judged.collisions.emplace_back(judged.fewest, bank, thread, word);
        }
        judged.wavefronts += most;
        judged.ways = std::max(judged.ways, most);
        ++judged.fewest;
      }
      judged.request_sectors += Distinct(request);
      sectors.insert(sectors.end(), request.begin(), request.end());
    }
    judged.sectors += Distinct(sectors);
    judged.lines += Distinct(lines);
    judged.bytes += Distinct(bytes);
  }
  std::sort(judged.collisions.begin(), judged.collisions.end());
  return judged;
}

// x ^ ((x & field) >> shift), bit by bit.
int64_t Swizzled(int bits, int base, int shift, int64_t x) {
  for (int i = 0; i < bits; ++i) {
    if (x >> (base + shift + i) & 1) x ^= int64_t{1} << (base + i);
  }
  return x;
}

void ExpectJudged(const absl::StatusOr<BankConflicts>& actual,
                  const Judged& judged) {
  ASSERT_TRUE(actual.ok()) << actual.status();
  EXPECT_EQ(actual->wavefronts, judged.wavefronts);
  EXPECT_EQ(actual->fewest, judged.fewest);
  EXPECT_EQ(actual->ways, judged.ways);
  EXPECT_EQ(actual->vector_bytes, judged.width);
  decltype(judged.collisions) collisions;
  for (const BankConflicts::Collision& c : actual->collisions) {
    collisions.emplace_back(c.phase, c.bank, c.thread, c.word);
  }
  std::sort(collisions.begin(), collisions.end());
  EXPECT_EQ(collisions, judged.collisions);
}

// Threads that stay within `size` coordinates: strides small and large,
// neighbours and repeats.
LiteralLayout RandomThreads(int64_t size, RandomBits* random) {
  constexpr int64_t kThreads[] = {1, 8, 16, 32, 32, 32, 33, 64};
  std::vector<LiteralLayout> modes;
  int64_t left = size - 1;
  const auto mode = [&](int64_t extent) {
    const int64_t most = extent == 1 ? 0 : left / (extent - 1);
    int64_t stride = Uniform(0, most, random);
    if (Uniform(0, 1, random) == 0) stride = std::min<int64_t>(most, 1);
    left -= (extent - 1) * stride;
    return LiteralLayout::Leaf(extent, stride);
  };
  const int64_t threads = kThreads[Uniform(0, 7, random)];
  const int64_t values = int64_t{1} << Uniform(0, 3, random);
  const LiteralLayout of_values = mode(values);
  if (threads == 32 && Uniform(0, 1, random) == 0) {
    modes.push_back(LiteralLayout::Tuple({mode(4), mode(8)}));
  } else {
    modes.push_back(mode(threads));
  }
  if (values > 1) modes.push_back(of_values);
  return modes.size() == 1 ? modes[0] : LiteralLayout::Tuple(modes);
}

// Half of them as matrices in shared memory are, by rows.
LiteralLayout RandomData(RandomBits* random) {
  if (Uniform(0, 1, random) == 0) {
    const int64_t rows = int64_t{1} << Uniform(0, 6, random);
    const int64_t columns = int64_t{1} << Uniform(0, 6, random);
    return LiteralLayout::Tuple(
        {LiteralLayout::Leaf(rows, columns), LiteralLayout::Leaf(columns, 1)});
  }
  return RandomCuteLayout({}, random);
}

TEST(BankConflicts, AreThoseOfASimulation) {
  RandomBits random(TestSeed());
  for (int64_t n = 0; n < 1000; ++n) {
    const LiteralLayout data = RandomData(&random);
    const LiteralLayout threads = RandomThreads(data.Size(), &random);
    const int64_t bytes = int64_t{1} << Uniform(0, 4, &random);
    SCOPED_TRACE(
        absl::StrCat(data.ToString(), ", ", threads.ToString(), ", ", bytes));
    const Layout layout = LayoutOf(data);
    const Layout of_threads = LayoutOf(threads);
    Accessed accessed;
    accessed.threads =
        threads.is_leaf ? threads.shape : threads.modes[0].Size();
    accessed.values = threads.Size() / accessed.threads;
    accessed.bytes = bytes;
    std::vector<int64_t> plain;
    for (const int64_t coordinate : threads.Values()) {
      plain.push_back(data.Evaluate(coordinate));
    }
    accessed.offsets = plain;
    const Judged judged = Judge(accessed, /*counts_traffic=*/true);
    ExpectJudged(BankConflictsOf(layout, of_threads, bytes), judged);
    const absl::StatusOr<Coalescing> touched =
        CoalescingOf(layout, of_threads, bytes);
    ASSERT_TRUE(touched.ok()) << touched.status();
    EXPECT_EQ(touched->sectors, judged.sectors);
    EXPECT_EQ(touched->lines, judged.lines);
    EXPECT_EQ(touched->bytes, judged.bytes);
    EXPECT_EQ(touched->request_sectors, judged.request_sectors);
    EXPECT_LE(touched->fewest_sectors, touched->sectors);

    const absl::StatusOr<std::vector<Swizzle>> found =
        FindSwizzles(layout, of_threads, bytes);
    ASSERT_TRUE(found.ok()) << found.status();
    const auto is_found = [&](const Swizzle& swizzle) {
      return std::find(found->begin(), found->end(), swizzle) != found->end();
    };
    EXPECT_EQ(is_found(Swizzle()), judged.ways == 1);
    for (int bits = 1; bits <= 4; ++bits) {
      for (int base = 0; base + 2 * bits <= 12; ++base) {
        for (int shift = bits; bits + base + shift <= 12; ++shift) {
          SCOPED_TRACE(testing::Message()
                       << bits << "," << base << "," << shift);
          for (size_t i = 0; i < plain.size(); ++i) {
            accessed.offsets[i] = Swizzled(bits, base, shift, plain[i]);
          }
          const Swizzle swizzle = *Swizzle::Create(bits, base, shift);
          const Judged with = Judge(accessed, /*counts_traffic=*/false);
          ExpectJudged(BankConflictsOf(ComposedLayout(swizzle, 0, layout),
                                       of_threads, bytes),
                       with);
          // A swizzle has to leave vectors whole.
          EXPECT_EQ(is_found(swizzle),
                    with.ways == 1 && with.width >= judged.width);
          if (HasFailure()) return;
        }
      }
    }
  }
}

// -- Facts --------------------------------------------------------------------

std::string Conflicts(std::string_view layout, std::string_view threads,
                      int64_t bytes) {
  const auto composed = ParseComposedLayout(layout);
  const auto conflicts =
      composed.ok()
          ? BankConflictsOf(*composed, LayoutOf(threads), bytes)
          : BankConflictsOf(LayoutOf(layout), LayoutOf(threads), bytes);
  return conflicts.ok() ? conflicts->ToString()
                        : std::string(conflicts.status().message());
}

TEST(BankConflicts, Facts) {
  const struct {
    std::string layout;
    std::string threads;
    int64_t bytes;
    std::string text;
  } kCases[] = {
      // Contiguous accesses of every width.
      {"128:1", "32:1", 1,
       "no conflict: 1 wavefront (1 byte per thread, 32 threads per phase)"},
      {"128:1", "32:1", 4,
       "no conflict: 1 wavefront (4 bytes per thread, 32 threads per phase)"},
      {"128:1", "32:1", 8,
       "no conflict: 2 wavefronts (8 bytes per thread, 16 threads per phase)"},
      {"128:1", "32:1", 16,
       "no conflict: 4 wavefronts (16 bytes per thread, 8 threads per phase)"},
      {"128:1", "(32,4):(4,1)", 4,
       "no conflict: 4 wavefronts (16 bytes per thread, 8 threads per phase)"},
      // All threads read one word.
      {"128:1", "32:0", 4,
       "no conflict: 1 wavefront (4 bytes per thread, 32 threads per phase)"},
      {"(32,2):(32,1)", "(2,2):(1,32)", 4,
       "2-way conflict: 2 wavefronts instead of 1 (8 bytes per thread, 16 "
       "threads per phase); in phase 0 bank 0 has word 0 of T0, word 32 of "
       "T1"},
      // Two threads share a word, and collide with two others.
      {"128:1", "((2,2)):((0,64))", 2,
       "2-way conflict: 2 wavefronts instead of 1 (2 bytes per thread, 32 "
       "threads per phase); in phase 0 bank 0 has word 0 of T0 T1, word 32 of "
       "T2 T3"},
      // ldmatrix of f16: four matrices of 8 rows.
      {"(32,64):(64,1)", "(32,8):(1,32)", 2,
       "8-way conflict: 32 wavefronts instead of 4 (16 bytes per thread, 8 "
       "threads per phase); in phase 0 bank 0 has word 0 of T0, word 32 of "
       "T1, word 64 of T2, word 96 of T3, word 128 of T4, word 160 of T5, "
       "word 192 of T6, word 224 of T7"},
      {"Sw<3,3,3> o 0 o (32,64):(64,1)", "(32,8):(1,32)", 2,
       "no conflict: 4 wavefronts (16 bytes per thread, 8 threads per phase)"},
      {"Sw<3,4,3> o 0 o (8,64):(64,1)", "(8,8):(1,8)", 2,
       "2-way conflict: 2 wavefronts instead of 1 (16 bytes per thread, 8 "
       "threads per phase); in phase 0 bank 0 has word 0 of T0, word 32 of "
       "T1"},
      // The swizzle tears vectors apart.
      {"Sw<1,0,3> o 0 o (8,8):(8,1)", "(2,2):(1,8)", 4,
       "no conflict: 2 wavefronts (4 bytes per thread, 32 threads per phase)"},
      // A layout outside.
      {"(8,8):(8,1) o 1 o 4:1", "4:1", 4,
       "no conflict: 1 wavefront (4 bytes per thread, 32 threads per phase)"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(Conflicts(c.layout, c.threads, c.bytes), c.text)
        << c.layout << " " << c.threads;
  }
}

TEST(BankConflicts, Refusals) {
  const struct {
    std::string layout;
    std::string threads;
    int64_t bytes;
    std::string message;
  } kCases[] = {
      {"32:1", "32:1", 3, "bytes = 3 is not 1, 2, 4, 8 or 16"},
      {"32:1", "32:1", 32, "bytes = 32 is not 1, 2, 4, 8 or 16"},
      {"32:1", "32:1", -4, "bytes = -4 is not 1, 2, 4, 8 or 16"},
      {"32:1@0", "32:1", 4, "the values of 32:1@0 are coordinates"},
      {"32:1", "32:1@0", 4, "the values of 32:1@0 are coordinates"},
      {"32:1", "(2,2,2):(1,2,4)", 4,
       "expected threads of shape (thread, value) or (thread), found "
       "(2,2,2):(1,2,4)"},
      {"32:1", "():()", 4, "expected threads of shape"},
      {"32:1", "33:1", 4, "coordinate 32 of 33:1 is outside [0, 32)"},
      {"32:1", "4:-1", 4, "coordinate -3 of 4:-1 is outside [0, 32)"},
      {"65537:1", "65537:1", 4,
       "threads access at most 65536 elements, and these access 65537"},
      {"2:4611686018427387904", "2:1", 4,
       "the address of offset 4611686018427387904, in elements of 4 bytes, "
       "exceeds 2^62"},
      {"Sw<2,0,3> o 0 o 4:-1", "4:1", 4,
       "offset 0 + -1 is outside the numbers that a swizzle takes"},
      {"Sw<2,0,3> o 9223372036854775807 o 4:1", "4:1", 4,
       "is outside the numbers that a swizzle takes"},
      {"4:1 o 1 o 4:1", "4:1", 4,
       "offset 1 + 3 is outside the numbers that 4:1 takes"},
      {"4:1@0 o 0 o 4:1", "4:1", 4, "the values of 4:1@0 are coordinates"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(Conflicts(c.layout, c.threads, c.bytes), HasSubstr(c.message))
        << c.layout << " " << c.threads;
  }
  EXPECT_THAT(
      FindSwizzles(*ParseComposedLayout("4:1 o 0 o 4:1"), LayoutOf("4:1"), 4)
          .status()
          .message(),
      HasSubstr("is a layout, which no swizzle can replace"));
  EXPECT_EQ(FindSwizzles(LayoutOf("4:-1"), LayoutOf("4:1"), 4).status().code(),
            absl::StatusCode::kOutOfRange);
}

// Negative strides read banks from the end.
TEST(BankConflicts, NegativeOffsets) {
  EXPECT_EQ(BankConflictsOf(LayoutOf("32:-1"), LayoutOf("32:1"), 4)->ways, 1);
  EXPECT_EQ(BankConflictsOf(LayoutOf("32:-32"), LayoutOf("32:1"), 4)->ways, 32);
  EXPECT_EQ(CoalescingOf(LayoutOf("32:-1"), LayoutOf("32:1"), 4)->sectors, 5);
}

std::string Found(std::string_view layout, std::string_view threads,
                  int64_t bytes) {
  const auto found = FindSwizzles(LayoutOf(layout), LayoutOf(threads), bytes);
  if (!found.ok()) return std::string(found.status().message());
  std::string text;
  for (const Swizzle& swizzle : *found) {
    absl::StrAppend(&text, text.empty() ? "" : " ", swizzle.ToString());
  }
  return text;
}

TEST(FindSwizzles, Facts) {
  // A column of 32 floats by 32: each row has to move to another bank.
  EXPECT_EQ(Found("(32,32):(32,1)", "32:1", 4), "Sw<5,0,5>");
  // Four rows apart is another warp's affair: half as many banks.
  EXPECT_EQ(Found("(8,64):(64,1)", "(8,8):(1,8)", 2), "Sw<3,3,3>");
  EXPECT_EQ(Found("(2,4096):(4096,1)", "2:1", 4), "");
  // What needs none has the identity first.
  EXPECT_THAT(Found("32:1", "32:1", 4), HasSubstr("Sw<0,0,0> Sw<1,0,1> "));
  // A swizzle is replaced.
  EXPECT_THAT(
      *FindSwizzles(*ParseComposedLayout("Sw<3,4,3> o 512 o (8,64):(64,1)"),
                    LayoutOf("(8,8):(1,8)"), 2),
      ::testing::ElementsAre(*Swizzle::Create(3, 3, 3)));
}

// What ldmatrix reads of each atom of shared memory: 8 rows of 16 bytes along
// the major dimension.
TEST(FindSwizzles, FindsThoseOfTheAtomsOfGmma) {
  int atoms = 0;
  for (const std::string_view kind : {"INTER", "SW32", "SW64", "SW128"}) {
    for (const bool is_k_major : {false, true}) {
      for (const auto& [type, bytes] : {std::make_pair("int8_t", int64_t{1}),
                                        {"half_t", 2},
                                        {"float", 4}}) {
        const std::string name =
            absl::StrCat("GMMA::Layout_", is_k_major ? "K" : "MN", "_",
                         std::string(kind), "_Atom<", type, ">{}");
        SCOPED_TRACE(name);
        Calculator calculator;
        const auto value = calculator.Evaluate(name);
        ASSERT_TRUE(value.ok()) << value.status();
        const auto& atom = std::get<ComposedLayout>(value->value);
        const int64_t row = atom.size() / 8;
        const int64_t elements = 16 / bytes;
        const Layout rows = is_k_major
                                ? *Layout::Create({8, elements}, {1, 8})
                                : *Layout::Create({8, elements}, {row, 1});
        EXPECT_EQ(BankConflictsOf(atom, rows, bytes)->ways, 1);
        const auto found = FindSwizzles(atom.layout(), rows, bytes);
        ASSERT_TRUE(found.ok()) << found.status();
        ASSERT_FALSE(found->empty());
        const Swizzle expected = std::get<Swizzle>(atom.outer());
        if (expected.is_identity()) {
          EXPECT_TRUE(found->front().is_identity());
        } else {
          EXPECT_EQ(found->front(), expected);
          EXPECT_GT(BankConflictsOf(atom.layout(), rows, bytes)->ways, 1);
        }
        ++atoms;
      }
    }
  }
  EXPECT_EQ(atoms, 24);
  // The atom of 32 bytes: pairs of threads read 32 bytes of 4 rows.
  EXPECT_EQ(Found("(64,4):(1,64)", "((2,4),8):((8,64),1)", 2), "Sw<2,4,2>");
}

TEST(Coalescing, Facts) {
  const auto text = [](std::string_view layout, std::string_view threads,
                       int64_t bytes) {
    return CoalescingOf(LayoutOf(layout), LayoutOf(threads), bytes)->ToString();
  };
  EXPECT_EQ(text("32:1", "32:1", 4),
            "4 sectors of 32 bytes in 1 line of 128 bytes, at best 4 sectors "
            "for 128 bytes (4 per thread, 1 request of 4 sectors)");
  EXPECT_EQ(text("128:1", "(32,4):(4,1)", 4),
            "16 sectors of 32 bytes in 4 lines of 128 bytes, at best 16 "
            "sectors for 512 bytes (16 per thread, 1 request of 16 sectors)");
  // Three values of each thread are not vectors of a width that exists.
  EXPECT_EQ(text("96:1", "(32,3):(3,1)", 4),
            "12 sectors of 32 bytes in 3 lines of 128 bytes, at best 12 "
            "sectors for 384 bytes (4 per thread, 3 requests of 36 sectors)");
  EXPECT_EQ(text("(32,32):(32,1)", "32:1", 4),
            "32 sectors of 32 bytes in 32 lines of 128 bytes, at best 4 "
            "sectors for 128 bytes (4 per thread, 1 request of 32 sectors)");
  // Two warps.
  EXPECT_EQ(text("64:0", "64:1", 4),
            "2 sectors of 32 bytes in 2 lines of 128 bytes, at best 2 sectors "
            "for 8 bytes (4 per thread, 2 requests of 2 sectors)");
}

}  // namespace
}  // namespace tessera::cute
