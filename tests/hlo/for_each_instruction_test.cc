#include "tessera/hlo/for_each_instruction.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tessera/hlo/hlo_reader.h"
#include "tests/hlo/damage.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/dump_files.h"
#include "tests/hlo/walk.h"

namespace tessera {
namespace {

std::string Gzipped(absl::string_view text) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8,
                         Z_DEFAULT_STRATEGY),
            Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = text.size();
  stream.next_out = reinterpret_cast<Bytef*>(&out[0]);
  stream.avail_out = out.size();
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(ForEachInstruction, TheExampleOfTheHeader) {
  int64_t dots = 0;
  const absl::StatusOr<HloCounts> counts = ForEachInstruction(
      "f { a = f32[] parameter(0)  ROOT b = f32[] dot(a, a) }",
      [&dots](const HloInstructionText& instruction) {
        dots += instruction.opcode == "dot";
        return true;
      });
  ASSERT_TRUE(counts.ok());
  EXPECT_EQ(dots, 1);
  EXPECT_EQ(counts->instructions, 2);
}

// The options outlive the expression that sets what is told.
TEST(ForEachInstruction, TellsItsProgress) {
  const auto noting = [](std::vector<int64_t>* told) {
    HloStreamOptions options;
    options.window_bytes = 16;
    options.progress = [told](int64_t bytes) { told->push_back(bytes); };
    return options;
  };
  const std::string text =
      "f { a = f32[] p()\n b = f32[] q()\n c = f32[] r() }";
  std::vector<int64_t> told;
  const HloStreamOptions options = noting(&told);
  const auto source = MakeByteSource(text);
  const absl::StatusOr<HloCounts> counts = ForEachInstruction(
      source.get(), [](const HloInstructionText&) { return true; }, options);
  ASSERT_TRUE(counts.ok());
  EXPECT_EQ(counts->instructions, 3);
  ASSERT_GT(told.size(), 1);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), text.size());
}

TEST(ForEachInstruction, StopsWhereTheVisitorSaysSo) {
  for (size_t window_bytes : {1, 1000000}) {
    HloStreamOptions options;
    options.window_bytes = window_bytes;
    std::string seen;
    const auto source =
        MakeByteSource("f { a = f32[] p()\n b = f32[] q()\n c = f32[] r() }");
    const absl::StatusOr<HloCounts> counts = ForEachInstruction(
        source.get(),
        [&seen](const HloInstructionText& instruction) {
          absl::StrAppend(&seen, instruction.name);
          return instruction.name != "b";
        },
        options);
    EXPECT_EQ(seen, "ab");
    EXPECT_EQ(counts->instructions, 2);
  }
}

// Wherever a window ends, what is told is the same.
TEST(ForEachInstruction, TellsTheSameInWindowsOfAnySize) {
  for (const char* file : kDumpFiles) {
    const std::string text = ReadDump(file);
    const std::string want = Walk(text);
    for (size_t window_bytes : {997, 4096, 100000}) {
      EXPECT_EQ(WalkStream(text, window_bytes), want)
          << file << " " << window_bytes;
    }
  }
}

TEST(ForEachInstruction, TellsTheSameByteByByte) {
  for (absl::string_view text :
       {"", " ",
        "\xEF\xBB\xBFHloModule m, a={1}, b=\"x\"  \n f { x = f32[] g() }",
        "f { x = f32[2] g(%a, f32[3] b#0, add(c, d)), k=v, to_apply={\n"
        "  y = f32[] h(), to_apply={ z = f32[] i() }, w=1\n"
        "  ROOT u = f32[] j() }, m={n=1}\n}, execution_thread=\"t\"\n"
        "ENTRY e (p: f32[]) -> f32[] { q = f32[] constant({1, /*i*/ 2}) }",
        "HloModule a\n\nFileNames\n1 \"x\"\n\nStackFrames\n1 {a=1}\nf {\n}\n",
        "f { x = f32[ g() \n y = f32[] h() \n } } g { \n z = \n",
        "f {\n x = f32[] g(\n y = f32[] h(), k={\"a\n z = f32[] i()\n}\n",
        "f /* x */ { // y\n x = f32[] /*", "a = f32[] b(c)\nd = f32[] e(f)",
        "f32[2] add(f32[2], f32[2])", "@@@\nHloModule m, k=\nf { }"}) {
    const std::string want = Walk(text);
    for (size_t window_bytes : {1, 2, 3, 5, 8, 13, 64}) {
      EXPECT_EQ(WalkStream(text, window_bytes), want) << window_bytes << "\n"
                                                      << text;
    }
  }
}

TEST(ForEachInstruction, TellsTheSameOfDamagedText) {
#ifdef TESSERA_SANITIZER
  const int rounds = 60;
#else
  const int rounds = 3000;
#endif
  std::mt19937 random(11);
  for (int i = 0; i < rounds; ++i) {
    std::string text = ReadDump(kDumpFiles[random() % std::size(kDumpFiles)]);
    // Some lines of it, so that windows can be small. What is so broken that
    // the reader gives up reading it twice may come out differently.
    const size_t size = std::min<size_t>(text.size(), 3000);
    const size_t begin = random() % (text.size() - size + 1);
    text = text.substr(text.rfind('\n', begin) + 1, size);
    DamageHlo(&random, &text);
    const size_t window_bytes = 1 + random() % 2000;
    ASSERT_EQ(WalkStream(text, window_bytes), Walk(text))
        << "round " << i << " window " << window_bytes << "\n"
        << text;
  }
}

TEST(ForEachInstruction, UnpacksGzip) {
  const std::string text = ReadDump("while.hlo");
  const std::string packed = Gzipped(text);
  EXPECT_LT(packed.size(), text.size());
  EXPECT_EQ(WalkStream(packed, 5000), Walk(text));
  const size_t half = text.find("\n\n", text.size() / 2);
  EXPECT_EQ(WalkStream(Gzipped(text.substr(0, half)) +
                           Gzipped(text.substr(half)) + "trailing",
                       5000),
            Walk(text));
  EXPECT_EQ(WalkStream(packed.substr(0, packed.size() / 2), 5000),
            "DATA_LOSS: the gzip data ends too early");
  std::string broken = packed;
  broken[packed.size() / 2] ^= 0x55;
  EXPECT_EQ(WalkStream(broken, 1 << 20).substr(0, 34),
            "DATA_LOSS: the gzip data is broken");
  EXPECT_EQ(ForEachInstruction(packed, [](const auto&) { return true; })
                ->instructions,
            142);
}

TEST(ForEachInstruction, ReadsFromAPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string text = "f {\n a = f32[] p()\n}\n";
  ASSERT_EQ(write(ends[1], text.data(), text.size()), text.size());
  close(ends[1]);
  const auto counts =
      ForEachInstruction(ends[0], [](const auto&) { return true; });
  close(ends[0]);
  EXPECT_EQ(counts->instructions, 1);
}

TEST(ForEachInstruction, SaysThatAFileCannotBeRead) {
  const int folder = open("/", O_RDONLY);
  EXPECT_EQ(ForEachInstruction(folder, [](const auto&) { return true; })
                .status()
                .ToString(),
            "UNAVAILABLE: cannot be read: Is a directory");
  close(folder);
}

// A quote that is not closed does not fill the memory.
TEST(ForEachInstruction, GivesUpOnWhatHasNoEnd) {
  class Recorder : public HloHandler {
   public:
    void OnDiagnostic(const Diagnostic& diagnostic) override {
      problems.push_back(
          absl::StrCat(diagnostic.line, ": ", diagnostic.message));
    }
    std::vector<std::string> problems;
  };
  std::string text = "f {\n a = f32[] p()\n b = f32[] q(), k={\"";
  for (int i = 0; i < 1000; ++i) absl::StrAppend(&text, " lost ", i, "\n");
  absl::StrAppend(&text, " c = f32[] r()\n}\n");
  Recorder recorder;
  HloStreamOptions options;
  options.window_bytes = 64;
  options.max_instruction_bytes = 1000;
  options.handler = &recorder;
  std::string seen;
  const auto source = MakeByteSource(text);
  const absl::StatusOr<HloCounts> counts = ForEachInstruction(
      source.get(),
      [&seen](const HloInstructionText& instruction) {
        absl::StrAppend(&seen, instruction.name);
        return true;
      },
      options);
  EXPECT_EQ(seen, "ac");
  EXPECT_EQ(
      recorder.problems,
      std::vector<std::string>{"3: an instruction of more than 1000 bytes"});
  EXPECT_EQ(counts->diagnostics, 1);
}

}  // namespace
}  // namespace tessera
