// Files of arrays, moved from layout to layout.

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cli/relayout/npy_file.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tests/cli/run.h"

namespace tessera::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

// A folder of its own for each test.
class RelayoutCommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        absl::StrCat(getenv("TEST_TMPDIR"), "/relayoutXXXXXX");
    ASSERT_NE(mkdtemp(&pattern[0]), nullptr);
    folder_ = pattern;
  }

  std::string Path(const std::string& name) const {
    return absl::StrCat(folder_, "/", name);
  }
  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }
  std::string Read(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    EXPECT_TRUE(file) << name;
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  bool Exists(const std::string& name) const {
    return access(Path(name).c_str(), F_OK) == 0;
  }

 private:
  std::string folder_;
};

std::string Random(size_t size, uint64_t seed = 1) {
  std::string bytes;
  for (size_t i = 0; i < size; ++i) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    bytes.push_back(static_cast<char>(seed >> 56));
  }
  return bytes;
}

// A .npy file of the array's bytes.
std::string Npy(const std::string& descr, const std::vector<int64_t>& shape,
                bool fortran_order, const std::string& bytes) {
  NpyHeader header;
  header.descr = descr;
  header.fortran_order = fortran_order;
  header.shape = shape;
  return NpyHeaderBytes(header) + bytes;
}

// The element-by-element copy of whole bytes; padding is `pad`.
std::string Literal(const std::string& from, const std::string& to,
                    const std::string& bytes, const std::string& pad) {
  const IndexMap from_map = *ToIndexMap(*ParseShape(from));
  const IndexMap to_map = *ToIndexMap(*ParseShape(to));
  std::string result;
  for (int64_t p = 0; p < to_map.position_count(); ++p) {
    std::vector<int64_t> index(to_map.rank());
    const bool is_element =
        *to_map.MultidimensionalIndex(p, absl::MakeSpan(index)) ==
        PositionKind::kElement;
    result +=
        is_element
            ? bytes.substr(from_map.LinearIndexUnchecked(index) * pad.size(),
                           pad.size())
            : pad;
  }
  return result;
}

constexpr char kHost[] = "f32[9,130]{1,0}";
constexpr char kDevice[] = "f32[9,130]{1,0:T(8,128)}";

TEST_F(RelayoutCommandTest, ThereAndBack) {
  const struct {
    const char* from;
    const char* to;
    size_t element;
  } kCases[] = {
      {kHost, kDevice, 4},
      {kDevice, "f32[9,130]{0,1:T(8,128)}", 4},
      {"bf16[9,130]", "bf16[9,130]{1,0:T(8,128)(2,1)}", 2},
      {"s8[33,130]{0,1}", "s8[33,130]{1,0:T(8,128)(4,1)}", 1},
      {"f64[2,3,5]", "f64[2,3,5]{0,2,1:T(2,2)L(64)}", 8},
      {"c128[7]", "c128[7]{0:T(4)}", 16},
      {"u16[]", "u16[]{:T(128)}", 2},
      {"f32[0,5]", "f32[0,5]{1,0:T(8,128)}", 4},
  };
  for (const auto& c : kCases) {
    const std::string bytes =
        Random(ToIndexMap(*ParseShape(c.from))->position_count() * c.element);
    const std::string a = Write("a", bytes), b = Path("b");
    const Outcome there = RunCommand(
        {"relayout", "--from", c.from, "--to", c.to, a, b, "--verify"});
    ASSERT_EQ(there.exit_code, kExitOk) << there.err;
    EXPECT_EQ(there.out, "");
    EXPECT_THAT(there.err, HasSubstr("/b: note: verified: "));
    EXPECT_EQ(Read("b"),
              Literal(c.from, c.to, bytes, std::string(c.element, '\0')));
    // From a layout without padding nothing is lost.
    const Outcome back =
        RunCommand({"relayout", "--from", c.to, "--to", c.from, b, Path("c")});
    ASSERT_EQ(back.exit_code, kExitOk) << back.err;
    EXPECT_EQ(back.err, "");
    EXPECT_EQ(Read("c"),
              Literal(c.to, c.from, Read("b"), std::string(c.element, '\0')));
  }
}

TEST_F(RelayoutCommandTest, SlicesPadsAndTransposes) {
  // 3 x 5, in tiles of 2 x 2 with dots as padding.
  const std::string a = Write("a", "abcdefghijklmno");
  const std::string tiles = "u8[3,5]{1,0:T(2,2)}";
  const std::string tiled = "abfgcdhie.j.kl..mn..o...";
  const std::string b = Write("b", tiled);
  const struct {
    std::vector<std::string> options;
    const char* in;
    const char* out;
  } kCases[] = {
      {{"--from", "u8[3,5]", "--from-begin", "1,2", "--extent", "2,3"},
       "a",
       "hijmno"},
      {{"--from", tiles, "--from-begin=1,1", "--extent=2,3"}, "b", "ghilmn"},
      {{"--from", "u8[3,5]", "--to", "u8[4,6]", "--to-begin", "1,1"},
       "a",
       ".......abcde.fghij.klmno"},
      {{"--from", "u8[3,5]", "--to", "u8[3,4]{1,0:T(2,2)}", "--extent", "1,2",
        "--from-begin", "2,3", "--to-begin", "1,1"},
       "a",
       "...n..o........."},
      {{"--from", "u8[3,5]", "--transpose", "1,0"}, "a", "afkbglchmdinejo"},
      {{"--to", "u8[5,3]", "--transpose", "1,0"}, "a", "afkbglchmdinejo"},
      {{"--from", tiles, "--transpose", "1,0", "--from-begin", "1,1",
        "--extent", "2,3"},
       "b",
       "glhmin"},
      {{"--from", "u8[1,3,5]", "--transpose", "2,0,1"}, "a", "afkbglchmdinejo"},
      {{"--to", "u8[5,1,3]", "--transpose", "2,0,1"}, "a", "afkbglchmdinejo"},
  };
  for (const auto& c : kCases) {
    std::vector<std::string> arguments = {"relayout", "--pad-value=46",
                                          "--verify"};
    arguments.insert(arguments.end(), c.options.begin(), c.options.end());
    arguments.insert(arguments.end(), {Path(c.in), Path("c")});
    const Outcome outcome = RunCommand(arguments);
    ASSERT_EQ(outcome.exit_code, kExitOk) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("note: verified: "));
    EXPECT_EQ(Read("c"), c.out);
  }
}

TEST_F(RelayoutCommandTest, RefusesBoxesThatDoNotFit) {
  const std::string a = Write("a", "abcdefghijklmno");
  const struct {
    std::vector<std::string> options;
    const char* error;
  } kCases[] = {
      {{"--from", "u8[3,5]", "--extent", "3,6"},
       "the box takes 6 from 0 on of dimension 1 of from, which is [0, 5)"},
      {{"--from", "u8[3,5]", "--to", "u8[4,5]", "--to-begin", "2,0"},
       "the box takes 3 from 2 on of dimension 0 of to, which is [0, 4)"},
      {{"--from", "u8[3,5]", "--extent", "3"},
       "--extent has 1 entry, but u8[3,5]{1,0} has 2 dimensions"},
      {{"--from", "u8[3,5]", "--transpose", "0,2,1"},
       "--transpose has 3 entries, but u8[3,5]{1,0} has 2 dimensions"},
  };
  for (const auto& c : kCases) {
    std::vector<std::string> arguments = {"relayout"};
    arguments.insert(arguments.end(), c.options.begin(), c.options.end());
    arguments.insert(arguments.end(), {a, Path("b")});
    const Outcome outcome = RunCommand(arguments);
    EXPECT_EQ(outcome.exit_code, kExitBadInput);
    EXPECT_EQ(outcome.err, absl::StrCat("<argument>: error: ", c.error, "\n"));
    EXPECT_FALSE(Exists("b"));
  }
}

// -- Tensors of tt-mlir ------------------------------------------------------

// One of the three forms, and where its elements lie: its tiles of 32x32 come
// one after the other, each in four faces of 16x16.
struct TensorForm {
  const char* name;
  const char* host;
  const char* tensor;
  std::vector<int64_t> bounds;
  int64_t element_bytes;
  int64_t tiles;
  // The number of the tile, and the row and the column in it.
  std::array<int64_t, 3> (*place)(const std::vector<int64_t>& index);
};

const TensorForm kForms[] = {
    {"2024",
     "f32[64,64]",
     "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, "
     "memref<2x2x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>",
     {64, 64},
     4,
     4,
     [](const std::vector<int64_t>& i) -> std::array<int64_t, 3> {
       return {i[0] / 32 * 2 + i[1] / 32, i[0] % 32, i[1] % 32};
     }},
    {"2024, shards of 18x32",
     "f32[53,63]",
     "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
     "memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>",
     {53, 63},
     4,
     6,
     [](const std::vector<int64_t>& i) -> std::array<int64_t, 3> {
       return {i[0] / 18 * 2 + i[1] / 32, i[0] % 18, i[1] % 32};
     }},
    {"2025",
     "bf16[40,50]",
     "tensor<1x2x2x1x!ttcore.tile<32x32, bf16>, #ttcore.metal_layout<"
     "logical_shape = 40x50, dim_alignments = 32x32, collapsed_intervals = "
     "dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>>",
     {40, 50},
     2,
     4,
     [](const std::vector<int64_t>& i) -> std::array<int64_t, 3> {
       return {i[1] / 32 * 2 + i[0] / 32, i[0] % 32, i[1] % 32};
     }},
    {"TTNN",
     "s32[6,20,30]",
     "tensor<6x20x30xsi32, #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, "
     "d2), <1x1>, memref<6x1x!ttcore.tile<32x32, si32>, "
     "#ttnn.buffer_type<dram>>, <interleaved>>>",
     {6, 20, 30},
     4,
     6,
     [](const std::vector<int64_t>& i) -> std::array<int64_t, 3> {
       return {i[0], i[1], i[2]};
     }},
};

// The bytes of the tiles, copied element by element.
std::string InTiles(const TensorForm& form, const std::string& host) {
  std::string tiles(static_cast<size_t>(form.tiles * 1024 * form.element_bytes),
                    '\0');
  std::vector<int64_t> index(form.bounds.size(), 0);
  for (size_t from = 0; from < host.size(); from += form.element_bytes) {
    const auto [tile, row, column] = form.place(index);
    const int64_t face = row / 16 * 2 + column / 16;
    const int64_t to = tile * 1024 + face * 256 + row % 16 * 16 + column % 16;
    tiles.replace(static_cast<size_t>(to * form.element_bytes),
                  form.element_bytes, host, from, form.element_bytes);
    for (size_t i = index.size(); i-- > 0;) {
      if (++index[i] < form.bounds[i]) break;
      index[i] = 0;
    }
  }
  return tiles;
}

TEST_F(RelayoutCommandTest, ToTilesWithFacesAndBack) {
  for (const TensorForm& form : kForms) {
    SCOPED_TRACE(form.name);
    int64_t elements = 1;
    for (const int64_t bound : form.bounds) elements *= bound;
    const std::string bytes =
        Random(static_cast<size_t>(elements * form.element_bytes));
    const std::string a = Write("a", bytes), b = Path("b");
    const Outcome there = RunCommand({"relayout", "--from", form.host, "--to",
                                      form.tensor, a, b, "--verify"});
    ASSERT_EQ(there.exit_code, kExitOk) << there.err;
    EXPECT_THAT(there.err, HasSubstr("/b: note: verified: "));
    EXPECT_EQ(Read("b"), InTiles(form, bytes));
    const Outcome back = RunCommand(
        {"relayout", "--from", form.tensor, "--to", form.host, b, Path("c")});
    ASSERT_EQ(back.exit_code, kExitOk) << back.err;
    EXPECT_EQ(Read("c"), bytes);
    // A row-major array is what is left out.
    ASSERT_EQ(
        RunCommand({"relayout", "--from", form.tensor, b, Path("d")}).exit_code,
        kExitOk);
    EXPECT_EQ(Read("d"), bytes);
  }
}

TEST_F(RelayoutCommandTest, FromNpyToTilesAndBack) {
  const TensorForm& form = kForms[1];
  const std::string bytes = Random(53 * 63 * 4);
  const std::string a = Write("a.npy", Npy("<f4", {53, 63}, false, bytes));
  ASSERT_EQ(RunCommand({"relayout", "--to", form.tensor, a, Path("b")}).err,
            "");
  EXPECT_EQ(Read("b"), InTiles(form, bytes));
  ASSERT_EQ(
      RunCommand({"relayout", "--from", form.tensor, Path("b"), Path("c.npy")})
          .err,
      "");
  EXPECT_EQ(Read("c.npy"), Read("a.npy"));
  const Outcome tiles = RunCommand(
      {"relayout", "--from", form.host, "--to", form.tensor, a, Path("d.npy")});
  EXPECT_THAT(tiles.err, HasSubstr("a .npy file holds arrays in row-major or "
                                   "column-major order without padding, not "
                                   "tensor<53x63xf32, #tt.metal_layout<"));
}

// Views of a buffer of 4-byte elements, as plain loops go over them.
struct View {
  std::string text;
  int64_t rows, columns;
  int64_t row_stride, column_stride;
  int64_t offset, elements;  // of the buffer
};
const View kViews[] = {
    {"f32[9,130] strides (1064, 8) bytes", 9, 130, 266, 2, 0, 8 * 266 + 259},
    {"memref<9x130xf32, strided<[200, 1], offset: 3>>", 9, 130, 200, 1, 3,
     3 + 1600 + 130},
    // a[::-1, ::-1]
    {"f32[9,130] strides (-520, -4) bytes", 9, 130, -130, -1, 1169, 1170},
    {"f32[9,130] strides (4, -40) bytes", 9, 130, 1, -10, 1290, 1299},
    {"float32[9,130] strides (9, 90) elements", 9, 130, 9, 90, 0,
     72 + 129 * 90 + 1},
};

// The bytes of the row-major array whose elements those of the view are.
std::string RowMajorOf(const View& view, const std::string& bytes) {
  std::string result;
  for (int64_t i = 0; i < view.rows; ++i) {
    for (int64_t j = 0; j < view.columns; ++j) {
      const int64_t at =
          view.offset + i * view.row_stride + j * view.column_stride;
      result += bytes.substr(static_cast<size_t>(4 * at), 4);
    }
  }
  return result;
}

TEST_F(RelayoutCommandTest, StridedArraysToTilesAndBack) {
  for (const View& view : kViews) {
    SCOPED_TRACE(view.text);
    const std::string bytes = Random(static_cast<size_t>(4 * view.elements));
    const std::string a = Write("a", bytes);
    const Outcome there = RunCommand({"relayout", "--from", view.text, "--to",
                                      kDevice, a, Path("b"), "--verify"});
    ASSERT_EQ(there.exit_code, kExitOk) << there.err;
    const std::string host = RowMajorOf(view, bytes);
    EXPECT_EQ(Read("b"), Literal(kHost, kDevice, host, std::string(4, '\0')));

    // What is between the elements becomes 0, or what --pad-value says.
    for (const std::string& pad :
         {std::string(4, '\0'), std::string("\0\0\x80?", 4)}) {
      std::vector<std::string> command = {"relayout", "--from",  kDevice,
                                          "--to",     view.text, Path("b"),
                                          Path("c"),  "--verify"};
      if (pad[3] != '\0') command.push_back("--pad-value=1");
      const Outcome back = RunCommand(command);
      ASSERT_EQ(back.exit_code, kExitOk) << back.err;
      std::string expected;
      for (int64_t p = 0; p < view.elements; ++p) expected += pad;
      for (int64_t i = 0; i < view.rows; ++i) {
        for (int64_t j = 0; j < view.columns; ++j) {
          const int64_t at =
              view.offset + i * view.row_stride + j * view.column_stride;
          expected.replace(static_cast<size_t>(4 * at), 4, bytes,
                           static_cast<size_t>(4 * at), 4);
        }
      }
      EXPECT_EQ(Read("c"), expected);
    }
    // A row-major array is what is left out.
    ASSERT_EQ(
        RunCommand({"relayout", "--from", view.text, a, Path("d")}).exit_code,
        kExitOk);
    EXPECT_EQ(Read("d"), host);
  }
}

TEST_F(RelayoutCommandTest, ABroadcastIsReadAndNotWritten) {
  const char kRepeated[] = "f32[9,130] strides (0, 4) bytes";
  const char kWindows[] = "f32[9,130] strides (4, 4) bytes";
  const struct {
    View view;
  } cases[] = {{{kRepeated, 9, 130, 0, 1, 0, 130}},
               {{kWindows, 9, 130, 1, 1, 0, 138}}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.view.text);
    const std::string bytes = Random(static_cast<size_t>(4 * c.view.elements));
    const std::string a = Write("a", bytes);
    const Outcome there = RunCommand({"relayout", "--from", c.view.text, "--to",
                                      kDevice, a, Path("b"), "--verify"});
    ASSERT_EQ(there.exit_code, kExitOk) << there.err;
    EXPECT_EQ(Read("b"), Literal(kHost, kDevice, RowMajorOf(c.view, bytes),
                                 std::string(4, '\0')));
    const Outcome back = RunCommand({"relayout", "--from", kDevice, "--to",
                                     c.view.text, Path("b"), Path("c")});
    EXPECT_EQ(back.exit_code, kExitBadInput);
    EXPECT_THAT(back.err,
                HasSubstr(absl::StrCat(
                    "error: elements of ", c.view.text,
                    " may share positions: it can be read, but not written")));
    EXPECT_FALSE(Exists("c"));
  }
}

TEST_F(RelayoutCommandTest, StridedArraysThatAreNotMoved) {
  const std::string a = Write("a", std::string(252, 'x'));
  const auto error = [&](const std::string& from, const std::string& to) {
    const Outcome outcome =
        RunCommand({"relayout", "--from", from, "--to", to, a, Path("b")});
    EXPECT_EQ(outcome.exit_code, kExitBadInput);
    EXPECT_FALSE(Exists("b"));
    return outcome.err;
  };
  EXPECT_THAT(error("f32[4,8] strides (64, 8) bytes", "bf16[4,8]"),
              HasSubstr("error: "));
  EXPECT_THAT(
      error("f32[4,8] strides (64, 6) bytes", "f32[4,8]"),
      HasSubstr("1:23: error: stride 1, 6 bytes, is not a multiple of the "
                "4 bytes of an element of f32"));
  EXPECT_THAT(
      error("f32[4,8] strides (32, 4) bytes", "f32[4,8]"),
      HasSubstr("expected 128 bytes for f32[4,8] strides (32, 4) bytes, "
                "found"));
  EXPECT_THAT(error("(4,8):(16,2)", "(4,8):(8,1)"),
              HasSubstr("error: a CuTe layout does not have an element type"));
}

// A CuTe layout has the elements of the other side, whichever that is.
TEST_F(RelayoutCommandTest, CuteLayouts) {
  std::string rows;
  for (int i = 0; i < 32; ++i) rows.push_back(static_cast<char>(i));
  const std::string a = Write("a", rows);
  EXPECT_EQ(RunCommand({"relayout", "--from", "u8[4,8]", "--to",
                        "Sw<1,0,3> o 0 o (4,8):(8,1)", a, Path("b")})
                .err,
            "");
  std::string swizzled(32, '\0');
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 8; ++j) {
      const int at = 8 * i + j;
      swizzled[at ^ ((at >> 3) & 1)] = rows[at];
    }
  }
  EXPECT_EQ(Read("b"), swizzled);
  EXPECT_EQ(RunCommand({"relayout", "--from", "Sw<1,0,3> o 0 o (4,8):(8,1)",
                        "--to", "u8[4,8]{0,1}", Path("b"), Path("c")})
                .exit_code,
            kExitOk);
  std::string columns;
  for (int j = 0; j < 8; ++j) {
    for (int i = 0; i < 4; ++i) columns.push_back(rows[8 * i + j]);
  }
  EXPECT_EQ(Read("c"), columns);
}

TEST_F(RelayoutCommandTest, TensorsThatAreNotMoved) {
  const std::string a = Write("a", std::string(64 * 64 * 4, 'x'));
  const auto error = [&](const std::string& from, const std::string& to) {
    const Outcome outcome =
        RunCommand({"relayout", "--from", from, "--to", to, a, Path("b")});
    EXPECT_EQ(outcome.exit_code, kExitBadInput);
    EXPECT_FALSE(Exists("b"));
    return outcome.err;
  };
  const auto tensor = [](const std::string& of, const std::string& memref) {
    return absl::StrCat("tensor<64x64x", of,
                        ", #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
                        "<1x1>, memref<",
                        memref, ", #tt.memory_space<l1>>>>");
  };
  EXPECT_THAT(
      error("f32[64,64]", tensor("f32", "2x2x!tt.tile<32x32, bfp_bf8>")),
      HasSubstr("error: 16 elements of !tt.tile<32x32, bfp_bf8> share an "
                "exponent, so no element can be moved by itself\n"));
  EXPECT_EQ(error("bf16[64,64]", tensor("f32", "64x64xf32")),
            "<argument>: error: bf16[64,64]{1,0} and f32[64,64]{1,0} are of "
            "different element types\n");
  EXPECT_EQ(error("f32[64,32]", tensor("f32", "64x64xf32")),
            "<argument>: error: f32[64,32]{1,0} and f32[64,64]{1,0} have "
            "different bounds\n");
  EXPECT_THAT(error("f32[64,64]", tensor("f32", "1x2x!tt.tile<32x32, f32>")),
              HasSubstr("error: memref-shape: "));
}

TEST_F(RelayoutCommandTest, WrongUsage) {
  const std::string a = Write("a", Random(15));
  const std::string b = Path("b");
  const struct {
    std::vector<std::string> arguments;
    const char* error;
  } kCases[] = {
      {{a, b}, "--from, --to or both are required"},
      {{"--to", "u8[3,5]", a}, "IN and OUT are required"},
      {{"--from", "u8[3,5]", "--transpose", "0,0", a, b},
       "--transpose 0,0 is not a permutation of the dimensions from 0 on"},
      {{"--from", "u8[3,5]", "--transpose", "1,2", a, b},
       "--transpose 1,2 is not a permutation of the dimensions from 0 on"},
      {{"--to", "u8[3,5]", "--extent", "3,5", a, b},
       "--from is required with --from-begin, --to-begin or --extent"},
      {{"--to", "u8[3,5]", "--pad-value=x", a, b},
       "--pad-value: x is not a number, true or false"},
  };
  for (const auto& c : kCases) {
    std::vector<std::string> arguments = {"relayout"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const Outcome outcome = RunCommand(arguments);
    EXPECT_EQ(outcome.exit_code, kExitBadUsage);
    EXPECT_EQ(outcome.err,
              absl::StrCat("tessera: error: ", c.error,
                           "\nRun 'tessera relayout --help' for usage and "
                           "examples.\n"));
    EXPECT_FALSE(Exists("b"));
  }
}

TEST_F(RelayoutCommandTest, PackedElements) {
  // 0x21 0x43 0x05: 1 2 3 4 5.
  const std::string a = Write("a", "\x21\x43\x05");
  const Outcome outcome = RunCommand(
      {"relayout", "--from", "u4[5]{0:E(4)}", "--to", "u4[5]{0:T(4)E(4)}",
       "--pad-value=15", "--verify", a, Path("b")});
  ASSERT_EQ(outcome.exit_code, kExitOk) << outcome.err;
  EXPECT_EQ(Read("b"), "\x21\x43\xf5\xff");
}

TEST_F(RelayoutCommandTest, PaddingIsOfAValue) {
  const std::string bytes = Random(9 * 130 * 4);
  const std::string a = Write("a", bytes);
  // What was there before is gone.
  Write("b", std::string(100'000, 'x'));
  const struct {
    const char* option;
    std::string pad;
  } kCases[] = {{"--pad-value=0", std::string(4, '\0')},
                {"--pad-value=1", std::string("\0\0\x80\x3f", 4)},
                {"--pad-value=-inf", std::string("\0\0\x80\xff", 4)}};
  for (const auto& c : kCases) {
    const Outcome outcome = RunCommand(
        {"relayout", "--to", kDevice, c.option, "--verify", a, Path("b")});
    ASSERT_EQ(outcome.exit_code, kExitOk) << outcome.err;
    EXPECT_EQ(Read("b"), Literal(kHost, kDevice, bytes, c.pad));
  }
  const Outcome bad = RunCommand(
      {"relayout", "--to", kDevice, "--pad-value=1e99", a, Path("c")});
  EXPECT_EQ(bad.exit_code, kExitBadInput);
  EXPECT_EQ(bad.err, "<argument>: error: 1e99 is outside what f32 holds\n");
  EXPECT_FALSE(Exists("c"));
}

TEST_F(RelayoutCommandTest, NpyFiles) {
  const std::string bytes = Random(9 * 130 * 4);
  const std::string npy = Write("a.npy", Npy("<f4", {9, 130}, false, bytes));
  const std::string device = Literal(kHost, kDevice, bytes, std::string(4, 0));
  ASSERT_EQ(RunCommand({"relayout", "--to", kDevice, npy, Path("b")}).err, "");
  EXPECT_EQ(Read("b"), device);
  // Without the ending, by how it begins; and through a pipe.
  const std::string bare = Write("bare", Read("a.npy"));
  ASSERT_EQ(RunCommand({"relayout", "--to", kDevice, bare, Path("c")}).err, "");
  EXPECT_EQ(Read("c"), device);
  EXPECT_EQ(
      RunCommand({"relayout", "--to", kDevice, "-", "-"}, Read("a.npy")).out,
      device);
  // And back.
  ASSERT_EQ(RunCommand({"relayout", "--from", kDevice, Path("b"), Path("d.npy"),
                        "--verify"})
                .exit_code,
            kExitOk);
  EXPECT_EQ(Read("d.npy"), Read("a.npy"));
}

TEST_F(RelayoutCommandTest, NpyFilesInColumnMajorOrder) {
  const std::string bytes = Random(3 * 5);
  const std::string columns =
      Literal("u8[3,5]{1,0}", "u8[3,5]{0,1}", bytes, std::string(1, 0));
  const std::string npy = Write("a.npy", Npy("|u1", {3, 5}, true, columns));
  for (const char* from : {"u8[3,5]", "u8[3,5]{0,1}"}) {
    ASSERT_EQ(RunCommand({"relayout", "--from", from, "--to", "u8[3,5]{1,0}",
                          npy, Path("b")})
                  .err,
              "");
    EXPECT_EQ(Read("b"), bytes);
  }
  ASSERT_EQ(RunCommand({"relayout", "--from", "u8[3,5]", "--to", "u8[3,5]{0,1}",
                        Path("b"), Path("c.npy")})
                .err,
            "");
  EXPECT_EQ(Read("c.npy"), Read("a.npy"));
  // Both orders at once are row-major.
  Write("d", "abc");
  ASSERT_EQ(RunCommand({"relayout", "--from", "u8[3,1]", "--to", "u8[3,1]{0,1}",
                        Path("d"), Path("e.npy")})
                .err,
            "");
  EXPECT_EQ(Read("e.npy"), Npy("|u1", {3, 1}, false, "abc"));
}

TEST_F(RelayoutCommandTest, NpyElementTypes) {
  const std::string bytes = Random(6);
  for (const char* descr : {"<u2", "<V2", "|V2"}) {
    const std::string npy = Write("a.npy", Npy(descr, {3}, false, bytes));
    ASSERT_EQ(
        RunCommand({"relayout", "--to", "bf16[3]", npy, Path("b.npy")}).err,
        "");
    EXPECT_EQ(Read("b.npy"), Npy("<u2", {3}, false, bytes));
  }
}

TEST_F(RelayoutCommandTest, RefusesNpyFilesThatDoNotAgree) {
  const std::string bytes = Random(60);
  const struct {
    std::string file;
    const char* from;
    std::string error;
  } kCases[] = {
      {Npy("<f8", {3, 5}, false, bytes), "f32[3,5]",
       "expected elements of type '<f4' for f32[3,5]{1,0}, found '<f8'"},
      {Npy(">f4", {3, 5}, false, bytes), "f32[3,5]",
       "expected elements of type '<f4' for f32[3,5]{1,0}, found '>f4'"},
      {Npy("<f4", {5, 3}, false, bytes), "f32[3,5]",
       "expected the bounds [3,5] of f32[3,5]{1,0}, found [5,3]"},
      {Npy("<f4", {3, 5}, false, bytes), "f32[3,5]{0,1}",
       "holds f32[3,5]{1,0}, and --from asks for f32[3,5]{0,1}"},
      {Npy("<f4", {3, 5}, true, bytes), "f32[3,5]{1,0:T(2,2)}",
       "holds f32[3,5]{0,1}, and --from asks for f32[3,5]{1,0:T(2,2)}"},
      {Npy("<f4", {3, 5}, false, bytes.substr(1)), "f32[3,5]",
       "expected 60 bytes after the header for f32[3,5]{1,0}, found 59"},
      {Npy("<f4", {3, 5}, false, bytes + "x"), "f32[3,5]",
       "expected 60 bytes after the header for f32[3,5]{1,0}, found 61"},
      {Npy("<f4", {1, 3, 5}, false, bytes), "s4[3,5]{1,0:E(4)}",
       "a .npy file has no elements of s4 in 4 bits"},
      {bytes, "f32[3,5]",
       "is not a .npy file: it does not begin with \\x93NUMPY"},
      {"", "f32[3,5]", "is not a .npy file: it does not begin with \\x93NUMPY"},
      {"\x93NUMPY", "f32[3,5]",
       "the file ends within the .npy header, after 6 bytes"},
  };
  for (const auto& c : kCases) {
    const std::string npy = Write("a.npy", c.file);
    const Outcome outcome =
        RunCommand({"relayout", "--from", c.from, npy, Path("b")});
    EXPECT_EQ(outcome.exit_code, kExitBadInput);
    EXPECT_EQ(outcome.err, absl::StrCat(npy, ": error: ", c.error, "\n"));
    EXPECT_FALSE(Exists("b"));
  }
  const std::string a = Write("a", bytes);
  const Outcome tiled = RunCommand({"relayout", "--from", "f32[3,5]", "--to",
                                    "f32[3,5]{1,0:T(2,2)}", a, Path("b.npy")});
  EXPECT_EQ(tiled.err, absl::StrCat(Path("b.npy"),
                                    ": error: a .npy file holds arrays in "
                                    "row-major or column-major order without "
                                    "padding, not f32[3,5]{1,0:T(2,2)}\n"));
  EXPECT_FALSE(Exists("b.npy"));
}

TEST_F(RelayoutCommandTest, RefusesOtherSizes) {
  for (const size_t size : {0, 1, 59, 61, 100}) {
    const std::string a = Write("a", Random(size));
    const Outcome outcome = RunCommand({"relayout", "--from", "f32[3,5]",
                                        "--to", "f32[3,5]{0,1}", a, Path("b")});
    EXPECT_EQ(outcome.exit_code, kExitBadInput);
    EXPECT_EQ(outcome.err,
              absl::StrCat(a,
                           ": error: expected 60 bytes for f32[3,5]{1,0}, "
                           "found ",
                           size, "\n"));
    EXPECT_FALSE(Exists("b"));
    EXPECT_EQ(RunCommand({"relayout", "--from", "f32[3,5]", "-", Path("b")},
                         Random(size))
                  .err,
              absl::StrCat("<stdin>: error: expected 60 bytes for "
                           "f32[3,5]{1,0}, found ",
                           size, "\n"));
    EXPECT_FALSE(Exists("b"));
  }
  // What never ends is not read to its end.
  EXPECT_THAT(
      RunCommand({"relayout", "--from", "f32[3,5]", "/dev/zero", Path("b")})
          .err,
      HasSubstr("expected 60 bytes for f32[3,5]{1,0}, found more than "));
}

TEST_F(RelayoutCommandTest, FilesThatCannotBe) {
  const std::string a = Write("a", Random(60));
  const std::vector<std::string> shape = {"relayout", "--from", "f32[3,5]"};
  const auto errors = [&](const std::string& in, const std::string& out) {
    std::vector<std::string> arguments = shape;
    arguments.insert(arguments.end(), {in, out});
    const Outcome outcome = RunCommand(arguments);
    EXPECT_EQ(outcome.exit_code, kExitBadInput);
    return outcome.err;
  };
  EXPECT_THAT(errors(Path("none"), Path("b")),
              EndsWith("/none: error: cannot be read: No such file or "
                       "directory\n"));
  EXPECT_THAT(errors(Path("."), Path("b")),
              EndsWith("/.: error: cannot be read: Is a directory\n"));
  EXPECT_THAT(errors(a, Path(".")),
              EndsWith("/.: error: cannot be written: Is a directory\n"));
  EXPECT_THAT(errors(a, Path("none/b")),
              EndsWith("cannot be written: No such file or directory\n"));
  EXPECT_THAT(errors(a, "/dev/full"),
              EndsWith("cannot be written: No space left on device\n"));
  EXPECT_EQ(RunCommand({"relayout", "--from", "f32[3,5]", a, "/dev/null"}).err,
            "");
}

TEST_F(RelayoutCommandTest, TheInputIsNotTheOutput) {
  const std::string bytes = Random(60);
  const std::string a = Write("a", bytes);
  ASSERT_EQ(link(a.c_str(), Path("hard").c_str()), 0);
  ASSERT_EQ(symlink(a.c_str(), Path("soft").c_str()), 0);
  for (const char* name : {"a", "hard", "soft"}) {
    const Outcome outcome =
        RunCommand({"relayout", "--from", "f32[3,5]", "--to", "f32[3,5]{0,1}",
                    a, Path(name)});
    EXPECT_EQ(outcome.exit_code, kExitBadInput);
    EXPECT_EQ(outcome.err,
              absl::StrCat(Path(name), ": error: is both input and output\n"));
    EXPECT_EQ(Read("a"), bytes);
  }
}

TEST_F(RelayoutCommandTest, StandardInputAndOutput) {
  const std::string bytes = Random(15);
  const Outcome outcome = RunCommand({"relayout", "--from", "u8[3,5]", "--to",
                                      "u8[3,5]{0,1}", "-", "-", "--verify"},
                                     bytes);
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_EQ(outcome.out,
            Literal("u8[3,5]{1,0}", "u8[3,5]{0,1}", bytes, std::string(1, 0)));
  EXPECT_EQ(outcome.err,
            "<stdout>: note: verified: 15 bytes there and back, 15 positions "
            "one by one\n");
}

TEST_F(RelayoutCommandTest, ManyPiecesAndPositions) {
  constexpr char kFrom[] = "f32[3001,3001]{1,0}";
  constexpr char kTo[] = "f32[3001,3001]{0,1:T(8,128)}";
  const std::string bytes = Random(3001 * 3001 * 4);
  const std::string a = Write("a", bytes);
  const Outcome outcome = RunCommand(
      {"relayout", "--from", kFrom, "--to", kTo, a, Path("b"), "--verify"});
  EXPECT_EQ(outcome.err,
            absl::StrCat(Path("b"),
                         ": note: verified: 36024004 bytes there and back, "
                         "65536 positions one by one\n"));
  EXPECT_EQ(Read("b") == Literal(kFrom, kTo, bytes, std::string(4, 0)), true);
}

TEST_F(RelayoutCommandTest, ThePlan) {
  const Outcome outcome = RunCommand({"relayout", "--plan", "--to", kDevice});
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_THAT(outcome.out,
              HasSubstr("from   f32[9,130]{1,0}, 4680 bytes (4.57 KiB)\n"
                        "to     f32[9,130]{1,0:T(8,128)}, 16384 bytes (16.0 "
                        "KiB)\n"
                        "moves  4680 bytes, most of them "));
  EXPECT_THAT(outcome.out, HasSubstr("copy 512 bytes"));
  // Files are looked at, and left alone.
  const std::string npy = Write("a.npy", Npy("|u1", {3, 5}, true, Random(15)));
  const Outcome of_file =
      RunCommand({"relayout", "--dry-run", "--to", "u8[3,5]", npy, Path("b")});
  EXPECT_THAT(of_file.out, HasSubstr("from   u8[3,5]{0,1}, 15 bytes"));
  EXPECT_FALSE(Exists("b"));
  EXPECT_EQ(
      RunCommand({"relayout", "--plan", "--to", "u8[3,6]", npy}).exit_code,
      kExitBadInput);
}

TEST_F(RelayoutCommandTest, ShapesThatDoNotGoTogether) {
  const std::string a = Write("a", Random(60));
  const auto errors = [&](std::vector<std::string> options) {
    options.insert(options.begin(), "relayout");
    options.insert(options.end(), {a, Path("b")});
    const Outcome outcome = RunCommand(options);
    EXPECT_EQ(outcome.exit_code, kExitBadInput);
    EXPECT_FALSE(Exists("b"));
    return outcome.err;
  };
  EXPECT_EQ(errors({"--from", "f32[3,5]", "--to", "s32[3,5]"}),
            "<argument>: error: f32[3,5]{1,0} and s32[3,5]{1,0} are of "
            "different element types\n");
  EXPECT_EQ(errors({"--from", "f32[3,5]", "--to", "f32[5,3]"}),
            "<argument>: error: f32[3,5]{1,0} and f32[5,3]{1,0} have "
            "different bounds\n");
  EXPECT_EQ(errors({"--from", "f32[3,5"}),
            "<argument>:1:8: error: in dimensions: expected ',' or ']', found "
            "end of text\n  f32[3,5\n         ^\n");
}

}  // namespace
}  // namespace tessera::cli
