// Reading in pieces makes the store that reading at one go makes, or says that
// it cannot.

#include "tessera/hlo/model/piece_reader.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/model/hlo_builder.h"
#include "tessera/hlo/model/hlo_store.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/hlo/reader/text_pieces.h"
#include "tests/hlo/damage.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/dump_files.h"

namespace tessera {
namespace hlo_internal {
namespace {

void ReadAtOneGo(std::string_view text, HloStore* store) {
  store->text = text;
  const std::function<void(int64_t)> progress;
  HloBuilder builder(/*diagnostic_limit=*/10, progress, store);
  store->counts = ReadHlo(text, &store->shapes, &builder);
  builder.Finish();
}

auto Fields(const HloStore::Instruction& i) {
  return std::make_tuple(i.begin, i.size, i.name_begin, uint32_t{i.name_size},
                         uint32_t{i.has_legal_name},
                         uint32_t{i.repeats_attribute}, i.operand_text_begin,
                         i.operand_text_size, i.attributes_begin, i.opcode,
                         i.shape, i.computation, i.first_operand,
                         i.operand_count, i.first_call, uint32_t{i.call_count},
                         uint32_t{i.has_nested_operands}, uint32_t{i.is_root});
}

auto Fields(const HloStore::Operand& o) {
  return std::make_tuple(o.owner, o.begin, o.size, o.shape_size, o.name_begin,
                         uint32_t{o.name_size}, HloStore::OperandKind{o.kind},
                         o.descendants, o.instruction);
}

auto Fields(const HloStore::Call& c) {
  return std::make_tuple(c.name_begin, c.name_size, c.instruction,
                         c.computation, c.kind);
}

auto Fields(const HloStore::Computation& c) {
  return std::make_tuple(c.name, c.program_shape_text, c.attributes_text.data(),
                         c.attributes_text.size(), c.module,
                         c.first_instruction, c.instruction_count, c.root,
                         c.caller, c.is_marked_entry, c.is_inline);
}

auto Fields(const HloStore::Module& m) {
  return std::make_tuple(m.name, m.attributes_text, m.frame_tables_text,
                         m.first_computation, m.computation_count,
                         m.has_header);
}

template <typename Sequence>
void ExpectSameFields(const Sequence& actual, const Sequence& expected,
                      const char* what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (size_t i = 0; i < actual.size(); ++i) {
    ASSERT_EQ(Fields(actual[i]), Fields(expected[i])) << what << " " << i;
  }
}

void ExpectSame(const HloStore& actual, const HloStore& expected) {
  ExpectSameFields(actual.instructions, expected.instructions, "instruction");
  ExpectSameFields(actual.operands, expected.operands, "operand");
  ExpectSameFields(actual.calls, expected.calls, "call");
  ExpectSameFields(actual.computations, expected.computations, "computation");
  ExpectSameFields(actual.modules, expected.modules, "module");
  EXPECT_EQ(actual.opcodes, expected.opcodes);
  ASSERT_EQ(actual.shapes.size(), expected.shapes.size());
  for (int64_t i = 0; i < actual.shapes.size(); ++i) {
    EXPECT_EQ(actual.shapes.text(i), expected.shapes.text(i));
    EXPECT_EQ(actual.shapes.shape(i), expected.shapes.shape(i));
  }
  EXPECT_EQ(actual.counts.modules, expected.counts.modules);
  EXPECT_EQ(actual.counts.computations, expected.counts.computations);
  EXPECT_EQ(actual.counts.instructions, expected.counts.instructions);
  EXPECT_EQ(actual.counts.roots, expected.counts.roots);
  EXPECT_EQ(actual.counts.operands, expected.counts.operands);
  EXPECT_EQ(actual.counts.diagnostics, 0);
  EXPECT_EQ(actual.diagnostic_count, 0);
}

// Reads `text` both ways. Returns whether it could be read in pieces.
bool ReadBothWays(std::string_view text, int64_t piece_bytes) {
  HloStore pieces;
  pieces.text = text;
  if (!ReadInPieces(piece_bytes, /*threads=*/2, nullptr, &pieces)) return false;
  HloStore whole;
  ReadAtOneGo(text, &whole);
  EXPECT_EQ(whole.diagnostic_count, 0);
  ExpectSame(pieces, whole);
  return true;
}

// A whole dump: what comes after its last closing brace is cut off.
std::string WholeDump(std::string_view file) {
  std::string text = ReadDump(file);
  if (file == kCutOffDumpFile) text.resize(text.rfind("\n}\n") + 3);
  return text;
}

TEST(PieceReader, MakesTheStoreOfTheWholeText) {
  std::string all;
  for (const char* file : kDumpFiles) {
    SCOPED_TRACE(file);
    const std::string text = WholeDump(file);
    HloStore whole;
    ReadAtOneGo(text, &whole);
    const bool has_several =
        whole.diagnostic_count == 0 &&
        CutBetweenComputations(text, /*piece_bytes=*/1).size() > 1;
    for (const int64_t piece_bytes : {1, 7, 300, 2000, 100000}) {
      const bool is_read = ReadBothWays(text, piece_bytes);
      if (piece_bytes == 1) {
        EXPECT_EQ(is_read, has_several);
      }
    }
    if (whole.diagnostic_count == 0) absl::StrAppend(&all, text, "\n\n");
  }
  EXPECT_TRUE(ReadBothWays(all, 1));
  EXPECT_TRUE(ReadBothWays(all, 3000));
}

TEST(PieceReader, LeavesTextThatNeedsAMessageToOneThread) {
  const struct {
    const char* text;
    bool is_read;
  } kCases[] = {
      {"f {\n}\ng {\n}\n", true},
      {"HloModule m\nf {\n}\n\nHloModule n\nf {\n}\n", true},
      // A call of what an earlier piece, a later one, and none has.
      {"f {\n}\ng {\nx = f32[] call(), to_apply=f\n}\n", true},
      {"g {\nx = f32[] call(), to_apply=f\n}\nf {\n}\n", false},
      {"f {\n}\ng {\nx = f32[] call(), to_apply=h\n}\n", false},
      // What another module has does not count.
      {"HloModule m\nf {\n}\nHloModule n\ng {\nx = f32[] call(), "
       "to_apply=f\n}\n",
       false},
      {"HloModule m\nf {\n}\nHloModule n\ng {\n}\nh {\nx = f32[] call(), "
       "to_apply=g\n}\n",
       true},
      // Two of a name.
      {"f {\n}\nf {\n}\n", false},
      {"HloModule m\nf {\n}\nHloModule n\ng {\n}\nf {\n}\n", true},
      // What looks like a cut stands in a comment.
      {"f {\n}\n/*}\ng {\n}\n*/\nh {\n}\n", false},
      // Computations written inline, in two pieces.
      {"f {\nx = f32[] add(y), to_apply={\n ROOT y = f32[] parameter(0) }\n}\n"
       "g {\nx = f32[] parameter(0)\ny = f32[] map(x), to_apply={\n ROOT z = "
       "f32[] parameter(0) }\n}\n",
       false},
      {"f {\nx = f32[] parameter(0)\n}\n"
       "g {\nx = f32[] parameter(0)\ny = f32[] map(x), to_apply={\n ROOT z = "
       "f32[] parameter(0) }\n}\n",
       true},
      // Instructions that stand in no computation.
      {"f {\n}\nx = f32[] parameter(0)\n", false},
      {"f {\n}\nFileNames\n1 \"a\"\n\ng {\n}\nh {\n}\n", true},
      {"f {\n}\ng {\n}\nFileNames\n1 \"a\"\n\nh {\n}\n", false},
      {"f {\n}\ng {\n", false},
      {"f {\n}\n", false},
      {"", false},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(ReadBothWays(c.text, 1), c.is_read) << c.text;
  }
}

TEST(PieceReader, DamagedTextIsReadAlikeOrNotAtAll) {
  std::vector<std::string> texts;
  for (const char* file : kDumpFiles) texts.push_back(WholeDump(file));
  int read = 0;
  for (int i = 0; i < 2000; ++i) {
    std::mt19937 random(i);
    std::string text = texts[i % texts.size()];
    DamageHlo(&random, &text);
    read += ReadBothWays(text, 1 + random() % 1000);
    ASSERT_FALSE(HasFailure()) << i;
  }
  EXPECT_GT(read, 10);
}

TEST(PieceReader, ThreadsOfParseHloChangeNothing) {
  std::string text;
  while (text.size() < (size_t{5} << 20)) {
    absl::StrAppend(&text, WholeDump(kCutOffDumpFile), "\n");
  }
  HloParseOptions options;
  options.threads = 3;
  int64_t told = 0;
  options.progress = [&told](int64_t bytes) {
    EXPECT_GE(bytes, told);
    told = bytes;
  };
  const absl::StatusOr<HloDump> on_three = ParseHloView(text, options);
  const absl::StatusOr<HloDump> on_one = ParseHloView(text);
  ASSERT_TRUE(on_three.ok() && on_one.ok());
  EXPECT_GT(told, 0);
  EXPECT_EQ(on_three->instructions().size(), on_one->instructions().size());
  EXPECT_EQ(on_three->modules().size(), on_one->modules().size());
  // One that breaks off is told of in the same words.
  told = 0;
  options.progress = nullptr;
  const std::string cut = text.substr(0, text.size() - 1000);
  const absl::StatusOr<HloDump> cut_on_three = ParseHloView(cut, options);
  const absl::StatusOr<HloDump> cut_on_one = ParseHloView(cut);
  ASSERT_TRUE(cut_on_three.ok() && cut_on_one.ok());
  ASSERT_GT(cut_on_one->diagnostic_count(), 0);
  ASSERT_EQ(cut_on_three->diagnostics().size(),
            cut_on_one->diagnostics().size());
  EXPECT_EQ(cut_on_three->diagnostics()[0].ToString(),
            cut_on_one->diagnostics()[0].ToString());
  EXPECT_EQ(cut_on_three->instructions().size(),
            cut_on_one->instructions().size());
}

TEST(CutBetweenComputations, CutsAtLinesThatBeginOne) {
  using Pieces = std::vector<std::string_view>;
  EXPECT_EQ(CutBetweenComputations("", 1), Pieces({""}));
  EXPECT_EQ(CutBetweenComputations("a {\n}\n", 1), Pieces({"a {\n}\n"}));
  EXPECT_EQ(CutBetweenComputations("a {\n}\n\nENTRY b {\n}\n", 1),
            Pieces({"a {\n}\n\n", "ENTRY b {\n}\n"}));
  EXPECT_EQ(CutBetweenComputations("a {\n}\nb {\n}\nc {\n}\n", 7),
            Pieces({"a {\n}\nb {\n}\n", "c {\n}\n"}));
  // A dictionary's brace ends the line of an instruction.
  EXPECT_EQ(CutBetweenComputations("a {\n x = f32[] p(), m={}\n y = f32[] p()\n"
                                   "}\nHloModule m\n",
                                   1),
            Pieces({"a {\n x = f32[] p(), m={}\n y = f32[] p()\n}\n",
                    "HloModule m\n"}));
}

}  // namespace
}  // namespace hlo_internal
}  // namespace tessera
