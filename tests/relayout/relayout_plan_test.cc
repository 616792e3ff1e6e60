#include "tessera/relayout/relayout_plan.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"
#include "tests/relayout/buffers.h"

namespace tessera {
namespace {

using Coordinate = IndexMap::Builder::Coordinate;

// Calls `body` with every index.
template <typename Body>
void ForEachIndex(const IndexMap& map, const Body& body) {
  if (map.element_count() == 0) return;
  std::vector<int64_t> index(map.rank(), 0);
  while (true) {
    body(index);
    size_t i = index.size();
    while (i > 0 && ++index[i - 1] == map.bounds()[i - 1]) index[--i] = 0;
    if (i == 0) return;
  }
}

// The element-by-element copy, over what `to` holds.
void LiteralRelayout(const IndexMap& from, const IndexMap& to,
                     const std::vector<int64_t>& to_dimensions, int64_t bits,
                     absl::Span<const uint8_t> source,
                     absl::Span<uint8_t> target) {
  ForEachIndex(from, [&](const std::vector<int64_t>& index) {
    std::vector<int64_t> to_index(index.size());
    for (size_t i = 0; i < index.size(); ++i) {
      to_index[to_dimensions.empty() ? i : to_dimensions[i]] = index[i];
    }
    SetElement(target, to.LinearIndexUnchecked(to_index), source,
               from.LinearIndexUnchecked(index), bits);
  });
}

// Checks a plan against the copy by element, whole and in pieces, with what was
// in `to` before kept where no element comes.
void CheckPlan(const IndexMap& from, const IndexMap& to, int64_t bits,
               const RelayoutOptions& options, uint64_t seed) {
  const absl::StatusOr<RelayoutPlan> plan =
      RelayoutPlan::Create(from, to, bits, options);
  ASSERT_THAT(plan, IsOk());
  ASSERT_EQ(plan->from_bytes(), (from.position_count() * bits + 7) / 8);
  ASSERT_EQ(plan->to_bytes(), (to.position_count() * bits + 7) / 8);
  const Buffer source = RandomBuffer(plan->from_bytes(), seed);
  const Buffer before = RandomBuffer(plan->to_bytes(), seed + 1);
  const Buffer expected = before.Copy();
  LiteralRelayout(from, to, options.to_dimensions, bits, source.span(),
                  expected.span());
  for (const int64_t pieces : {1, 3}) {
    const Buffer target = before.Copy();
    for (int64_t piece = 0; piece < pieces; ++piece) {
      ASSERT_THAT(
          plan->ExecutePiece(piece, pieces, source.span(), target.span()),
          IsOk());
    }
    ASSERT_TRUE(Same(target, expected))
        << bits << " bits, " << pieces << " pieces\n"
        << from.ToString() << "\n"
        << to.ToString() << "\n"
        << plan->ToString();
  }
}

TEST(RelayoutPlan, CopiesRowsIntoTiles) {
  const IndexMap row_major = MapOf("f32[16,256]{1,0}");
  const IndexMap tiled = MapOf("f32[16,256]{1,0:T(8,128)}");
  const absl::StatusOr<RelayoutPlan> plan =
      RelayoutPlan::Create(row_major, tiled, /*element_bits=*/32);
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->from_bytes(), 16384);
  EXPECT_EQ(plan->bytes_moved(), 16384);
  EXPECT_EQ(plan->contiguous_bytes(), 512);
  EXPECT_EQ(plan->ToString(),
            "for 2 (+8192 -> +8192) for 2 (+512 -> +4096) for 8 (+1024 -> "
            "+512) copy 512 bytes from 0 to 0\n");
}

TEST(RelayoutPlan, KernelsInWords) {
  const IndexMap row_major = MapOf("bf16[16,256]{1,0}");
  const IndexMap pairs = MapOf("bf16[16,256]{1,0:T(8,128)(2,1)}");
  EXPECT_EQ(RelayoutPlan::Create(row_major, pairs, 16)->ToString(),
            "for 2 (+4096 -> +4096) for 2 (+256 -> +2048) for 4 (+1024 -> "
            "+512) interleave 2 rows (+512) of 128 columns (+4) of 2 bytes "
            "from 0 to 0\n");
  EXPECT_EQ(RelayoutPlan::Create(pairs, row_major, 16)->ToString(),
            "for 2 (+4096 -> +4096) for 4 (+512 -> +1024) for 2 (+2048 -> "
            "+256) deinterleave 128 rows (+4) of 2 columns (+512) of 2 bytes "
            "from 0 to 0\n");
  EXPECT_EQ(
      RelayoutPlan::Create(row_major, MapOf("bf16[16,256]{0,1}"), 16)
          ->ToString(),
      "transpose 16 rows (+512) of 256 columns (+32) of 2 bytes from 0 to 0\n");
  EXPECT_EQ(RelayoutPlan::Create(row_major, row_major, 16)->ToString(),
            "copy 8192 bytes from 0 to 0\n");
}

TEST(RelayoutPlan, OfUpTo2To63Less1Bytes) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const IndexMap bytes = MapOf("u8[9223372036854775807]");
  absl::StatusOr<RelayoutPlan> plan = RelayoutPlan::Create(bytes, bytes, 8);
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->to_bytes(), kMax);
  EXPECT_EQ(plan->bytes_moved(), kMax);
  EXPECT_EQ(plan->contiguous_bytes(), kMax);
  EXPECT_EQ(plan->ToString(),
            "copy 9223372036854775807 bytes from 0 to 0, streaming\n");
  const IndexMap nibbles = MapOf("s4[2,4611686018427387903]{1,0:E(4)}");
  plan = RelayoutPlan::Create(nibbles,
                              MapOf("s4[2,4611686018427387903]{0,1:"
                                    "E(4)}"),
                              4);
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->from_bytes(), (int64_t{1} << 62) - 1);
  EXPECT_EQ(plan->bytes_moved(), (int64_t{1} << 62) - 1);
  const IndexMap rows = MapOf("f32[1048576,1048576,1024,1024]");
  plan = RelayoutPlan::Create(
      rows, MapOf("f32[1048576,1048576,1024,1024]{0,1,2,3:T(8,128)}"), 32);
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->bytes_moved(), int64_t{1} << 62);
}

TEST(RelayoutPlan, Errors) {
  const IndexMap map = MapOf("s8[3,5]");
  const auto error = [&](const IndexMap& to, int64_t bits,
                         const RelayoutOptions& options) {
    return std::string(
        RelayoutPlan::Create(map, to, bits, options).status().message());
  };
  EXPECT_EQ(error(MapOf("s8[5,3]"), 8, {}),
            "[3,5] does not become [5,3] with dimensions in the order [0,1]");
  RelayoutOptions options;
  options.to_dimensions = {1, 1};
  EXPECT_EQ(error(MapOf("s8[5,3]"), 8, options),
            "[3,5] does not become [5,3] with dimensions in the order [1,1]");
  EXPECT_EQ(error(map, 12, {}),
            "elements have 1, 2, 4, 8, 16, 32, 64 or 128 bits, not 12");

  // All of them at one position.
  IndexMap::Builder builder({int64_t{1} << 62});
  const IndexMap::Builder::Coordinate all = builder.Dimension(0);
  const IndexMap shared = *std::move(builder).BuildStrided({{all, 0}});
  EXPECT_EQ(RelayoutPlan::Create(shared, shared, 16).status().message(),
            "4611686018427387904 elements of 16 bits exceed 2^63-1 bytes");
  const IndexMap large = MapOf("pred[9223372036854775807]{0:E(1)}");
  EXPECT_EQ(RelayoutPlan::Create(large, large, 16).status().message(),
            "9223372036854775807 positions of 16 bits exceed 2^63-1 bytes");

  const RelayoutPlan plan = *RelayoutPlan::Create(map, map, 8);
  std::vector<uint8_t> buffer(40);
  const absl::Span<uint8_t> from = absl::MakeSpan(buffer).subspan(0, 15);
  EXPECT_EQ(
      plan.Execute(from, absl::MakeSpan(buffer).subspan(16, 14)).message(),
      "the buffer 'to' has 14 bytes, but the layout takes 15");
  EXPECT_EQ(
      plan.Execute(from, absl::MakeSpan(buffer).subspan(14, 15)).message(),
      "the buffers overlap");
  EXPECT_THAT(plan.Execute(from, absl::MakeSpan(buffer).subspan(15, 15)),
              IsOk());
  EXPECT_EQ(
      plan.ExecutePiece(3, 3, from, absl::MakeSpan(buffer).subspan(15, 15))
          .message(),
      "there is no piece 3 of 3");
}

// -- Every pair of layouts ---------------------------------------------------

std::vector<std::string> Layouts(int64_t rank) {
  std::vector<int64_t> row_major, column_major;
  for (int64_t i = 0; i < rank; ++i) {
    row_major.insert(row_major.begin(), i);
    column_major.push_back(i);
  }
  std::vector<std::string> layouts;
  for (const std::vector<int64_t>& order : {row_major, column_major}) {
    for (const char* tiles : {"",
                              ":T(128)",
                              ":T(1024)",
                              ":L(64)",
                              ":T(8,128)",
                              ":T(8,128)(2,1)",
                              ":T(8,128)(4,1)",
                              ":T(8,128)(8,1)",
                              ":T(2,128)",
                              ":T(4,128)",
                              ":T(1,128)",
                              ":T(16,128)(2,1)",
                              ":T(32,128)(4,1)",
                              ":T(8,128)(32,1)",
                              ":T(4)",
                              ":T(2,2)",
                              ":T(3,5)",
                              ":T(4,4)(2,2)",
                              ":T(8,8)(4,2)(2,1)",
                              ":T(6)(3)",
                              ":T(4,6)(4)",
                              ":T(*,128)"}) {
      if (std::string_view(tiles) == ":T(*,128)" && rank < 2) continue;
      layouts.push_back(
          absl::StrCat("{", absl::StrJoin(order, ","), tiles, "}"));
    }
  }
  return layouts;
}

const std::vector<std::vector<int64_t>>& Shapes() {
  static const auto* const kShapes = new std::vector<std::vector<int64_t>>{
      {},        {1},          {7},
      {128},     {300},        {0},
      {1, 1},    {8, 128},     {9, 130},
      {7, 127},  {16, 17},     {1, 129},
      {33, 1},   {5, 0},       {3, 5},
      {2, 3, 5}, {3, 9, 12},   {1, 8, 3},
      {4, 1, 6}, {2, 2, 3, 9}, {2, 1, 4, 5, 3},
      {24, 31}};
  return *kShapes;
}

class EveryPair : public ::testing::TestWithParam<size_t> {};

TEST_P(EveryPair, IsTheCopyByElement) {
  const std::vector<int64_t>& shape = Shapes()[GetParam()];
  std::vector<IndexMap> maps;
  const std::vector<std::string> layouts = Layouts(shape.size());
  EXPECT_GE(layouts.size(), 40);
  for (const std::string& layout : layouts) {
    // Only tiles are written after an array of rank 0.
    const bool is_written = layout != "{}";
    maps.push_back(MapOf(absl::StrCat("s8[", absl::StrJoin(shape, ","), "]",
                                      is_written ? layout : "")));
  }
  uint64_t seed = 0;
  for (const IndexMap& from : maps) {
    for (const IndexMap& to : maps) {
      for (const int64_t bits : kBits) {
        CheckPlan(from, to, bits, {}, ++seed);
        if (HasFatalFailure()) return;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryPair,
                         ::testing::Range(size_t{0}, Shapes().size()));

TEST(RelayoutPlan, LargeEnoughForEveryKernel) {
  for (const int64_t bits : kBits) {
    for (const auto& [rows, columns] :
         std::vector<std::pair<int64_t, int64_t>>{{130, 257}, {64, 256}}) {
      const std::string shape = absl::StrCat("s8[", rows, ",", columns, "]");
      for (const char* from :
           {"{1,0}", "{0,1}", "{1,0:T(8,128)}", "{1,0:T(8,128)(4,1)}",
            "{0,1:T(8,128)(2,1)}", "{1,0:T(32,128)(8,1)}"}) {
        for (const char* to :
             {"{1,0}", "{0,1}", "{1,0:T(8,128)}", "{1,0:T(8,128)(2,1)}",
              "{0,1:T(8,128)(4,1)}", "{1,0:T(32,128)(8,1)}"}) {
          RelayoutOptions options;
          CheckPlan(MapOf(shape + from), MapOf(shape + to), bits, options, 7);
          options.stream_from_bytes = 0;
          CheckPlan(MapOf(shape + from), MapOf(shape + to), bits, options, 8);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// Memory between two pages that must not be touched, flush with one of them.
class GuardedBuffer {
 public:
  GuardedBuffer(int64_t bytes, bool at_end) {
    const int64_t page = sysconf(_SC_PAGESIZE);
    const int64_t inner = (bytes + page - 1) / page * page;
    size_ = static_cast<size_t>(inner + 2 * page);
    memory_ = static_cast<uint8_t*>(
        mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(memory_ + page, static_cast<size_t>(inner),
             PROT_READ | PROT_WRITE);
    span_ = absl::MakeSpan(memory_ + page + (at_end ? inner - bytes : 0),
                           static_cast<size_t>(bytes));
  }
  ~GuardedBuffer() { munmap(memory_, size_); }

  absl::Span<uint8_t> span() const { return span_; }

 private:
  uint8_t* memory_;
  size_t size_;
  absl::Span<uint8_t> span_;
};

TEST(RelayoutPlan, TouchesNothingBesideItsBuffers) {
  for (const char* shape : {"s8[130,257]", "s8[64,256]", "s8[9,130]"}) {
    for (const char* from_layout :
         {"{1,0}", "{0,1}", "{1,0:T(8,128)}", "{1,0:T(8,128)(2,1)}",
          "{1,0:T(8,128)(8,1)}"}) {
      for (const char* to_layout :
           {"{1,0}", "{0,1}", "{1,0:T(8,128)}", "{1,0:T(8,128)(4,1)}",
            "{1,0:T(8,128)(8,1)}"}) {
        for (const int64_t bits : kBits) {
          for (const bool at_end : {false, true}) {
            for (const int64_t stream_from_bytes :
                 {int64_t{0}, int64_t{1} << 40}) {
              RelayoutOptions options;
              options.stream_from_bytes = stream_from_bytes;
              const RelayoutPlan plan = *RelayoutPlan::Create(
                  MapOf(absl::StrCat(shape, from_layout)),
                  MapOf(absl::StrCat(shape, to_layout)), bits, options);
              const GuardedBuffer from(plan.from_bytes(), at_end);
              const GuardedBuffer to(plan.to_bytes(), at_end);
              ASSERT_THAT(plan.Execute(from.span(), to.span()), IsOk());
            }
          }
        }
      }
    }
  }
}

TEST(RelayoutPlan, Permutations) {
  RelayoutOptions options;
  options.to_dimensions = {2, 0, 1};
  for (const int64_t bits : kBits) {
    CheckPlan(MapOf("s8[5,9,130]{2,1,0:T(8,128)}"),
              MapOf("s8[9,130,5]{1,0,2:T(4,8)(2,1)}"), bits, options, 3);
  }
}

// Checks that a plan with a padding value writes every byte of `to`.
void CheckPaddedPlan(const IndexMap& from, const IndexMap& to, int64_t bits,
                     RandomBits* random) {
  RelayoutOptions options;
  options.pad_value.emplace();
  for (uint8_t& byte : *options.pad_value) {
    byte = static_cast<uint8_t>(Uniform(0, 255, random));
  }
  const absl::StatusOr<RelayoutPlan> plan =
      RelayoutPlan::Create(from, to, bits, options);
  ASSERT_THAT(plan, IsOk());
  const Buffer source = RandomBuffer(plan->from_bytes(), 5);
  Buffer expected(plan->to_bytes());
  std::memset(expected.data.get(), 0, expected.size);
  for (int64_t p = 0; p < to.position_count(); ++p) {
    SetElement(expected.span(), p, *options.pad_value, 0, bits);
  }
  LiteralRelayout(from, to, {}, bits, source.span(), expected.span());
  for (const int64_t pieces : {1, 4}) {
    Buffer target(plan->to_bytes());
    std::memset(target.data.get(), 0, target.size);
    for (int64_t piece = 0; piece < pieces; ++piece) {
      ASSERT_THAT(
          plan->ExecutePiece(piece, pieces, source.span(), target.span()),
          IsOk());
    }
    ASSERT_TRUE(Same(target, expected)) << to.ToString() << " " << bits << "\n"
                                        << plan->ToString();
  }
}

TEST(RelayoutPlan, PaddingIsWrittenIfAskedFor) {
  RandomBits random(TestSeed());
  for (const char* to :
       {"s8[9,130]{1,0:T(8,128)}", "s8[9,130]{1,0:T(8,128)(2,1)L(5000)}",
        "s8[9,130]{0,1:T(3,5)(2,2)}", "s8[9,130]{1,0:T(*,128)}",
        "s8[9,130]{1,0}"}) {
    for (const int64_t bits : kBits) {
      CheckPaddedPlan(MapOf("s8[9,130]"), MapOf(to), bits, &random);
    }
  }
}

// Such maps have no loops over their padding.
TEST(RelayoutPlan, PaddingOfDigitsThatDoNotContinueOneAnother) {
  IndexMap::Builder part({1});
  const IndexMap without_first_digit = *std::move(part).BuildRowMajor(
      {part.Part(part.Dimension(0), /*divisor=*/2, /*modulus=*/3)});
  IndexMap::Builder parts({2});
  const Coordinate quotient =
      parts.Split(parts.Split(parts.Dimension(0), 3).first, 3).second;
  const IndexMap with_a_hole =
      *std::move(parts).BuildRowMajor({parts.Dimension(0), quotient});
  RandomBits random(TestSeed());
  for (const IndexMap& to : {without_first_digit, with_a_hole}) {
    ASSERT_EQ(to.kind(), IndexMap::Kind::kMixedRadix) << to.ToString();
    IndexMap::Builder builder(to.bounds());
    const IndexMap from =
        *std::move(builder).BuildRowMajor({builder.Dimension(0)});
    for (const int64_t bits : kBits) CheckPaddedPlan(from, to, bits, &random);
  }
}

TEST(RelayoutPlan, ContiguousBytesAreThoseOfMostElements) {
  struct Case {
    const char* from;
    const char* to;
    int64_t bits;
    int64_t bytes;
  };
  // Each has a nest of longer pieces or of larger blocks, with fewer elements.
  const Case cases[] = {
      {"f64[14,4,10]{0,1,2:T(3,5)}", "f64[14,4,10]{0,1,2}", 64, 40},
      {"bf16[24,20,6]{2,1,0:T(3,5)}", "bf16[24,20,6]{2,1,0:T(3,5)}", 16, 30},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(RelayoutPlan::Create(MapOf(c.from), MapOf(c.to), c.bits)
                  ->contiguous_bytes(),
              c.bytes)
        << c.from;
  }
}

TEST(RelayoutPlan, TheLoopThatGoesOnWithTheBlockIsInnermost) {
  EXPECT_THAT(RelayoutPlan::Create(MapOf("f64[38,193]{1,0:T(8,128)(2,1)}"),
                                   MapOf("f64[38,193]{1,0}"), 64)
                  ->ToString(),
              testing::StartsWith(
                  "for 4 (+16384 -> +12352) for 4 (+2048 -> +3088) transpose "
                  "128 rows (+16) of 2 columns (+1544) of 8 bytes"));
}

TEST(RelayoutPlan, PiecesShareThePadding) {
  RelayoutOptions options;
  options.pad_value.emplace();
  options.pad_value->fill(0xFF);
  const RelayoutPlan plan = *RelayoutPlan::Create(
      MapOf("u8[8,100]"), MapOf("u8[8,100]{1,0:T(8,128)}"), 8, options);
  const Buffer from(plan.from_bytes());
  std::fill_n(from.data.get(), from.size, uint8_t{1});
  for (int64_t piece = 0; piece < 4; ++piece) {
    const Buffer to(plan.to_bytes());
    std::fill_n(to.data.get(), to.size, uint8_t{0});
    ASSERT_TRUE(plan.ExecutePiece(piece, 4, from.span(), to.span()).ok());
    EXPECT_EQ(std::count(to.data.get(), to.data.get() + to.size, 0xFF),
              8 * 28 / 4)
        << piece;
  }
}

TEST(RelayoutPlan, RefusesDimensionsThatAreNotThere) {
  const IndexMap map = MapOf("u8[4,4]");
  for (const std::vector<int64_t>& order :
       {std::vector<int64_t>{0, 5}, {5, 0}, {-1, 0}, {0, 0}, {0}}) {
    RelayoutOptions options;
    options.to_dimensions = order;
    EXPECT_EQ(RelayoutPlan::Create(map, map, 8, options).status().code(),
              absl::StatusCode::kInvalidArgument);
    options.extents = {2, 2};
    EXPECT_EQ(RelayoutPlan::Create(map, map, 8, options).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(RelayoutPlan, PiecesShareTheLongestLoop) {
  const RelayoutPlan plan = *RelayoutPlan::Create(
      MapOf("u8[3,64,10]"), MapOf("u8[3,64,10]{2,1,0:T(128,16)}"), 8);
  const Buffer from(plan.from_bytes());
  std::fill_n(from.data.get(), from.size, uint8_t{1});
  for (int64_t piece = 0; piece < 4; ++piece) {
    const Buffer to(plan.to_bytes());
    std::fill_n(to.data.get(), to.size, uint8_t{0});
    ASSERT_TRUE(plan.ExecutePiece(piece, 4, from.span(), to.span()).ok());
    EXPECT_EQ(std::count(to.data.get(), to.data.get() + to.size, 1),
              3 * 64 * 10 / 4)
        << piece;
  }
}

}  // namespace
}  // namespace tessera
