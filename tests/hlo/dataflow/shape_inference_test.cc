#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/hlo/hlo_printer.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/parse_hlo.h"

namespace tessera {
namespace {

// The shape of the root; "" if it is not known.
std::string ShapeOfRoot(const std::string& root) {
  const HloDump dump = *ParseHlo(absl::StrCat(
      "HloModule m\n"
      "c { q = (f32[2]{0}) parameter(0)\n ROOT r = pred[] constant(false) }\n"
      "b { ROOT q = (f32[2]{0}) parameter(0) }\n"
      "ENTRY e { p = f32[2,3]{0,1} parameter(0)\n"
      " r = f32[2,3]{1,0} parameter(1)\n"
      " t = (f32[2]{0}, (s32[], pred[4])) parameter(2)\n"
      " v = f32[2]{0:S(1)} parameter(3)\n"
      " n = pred[] parameter(4)\n"
      " w = (f32[2]{0}) parameter(5)\n"
      " u = pad(p)\n ROOT ",
      root, " }"));
  const HloInstruction instruction =
      *dump.modules()[0].entry_computation()->root();
  EXPECT_EQ(instruction.has_shape(), instruction.is_shape_inferred());
  EXPECT_EQ(instruction.shape_text(), "");
  return instruction.has_shape() ? instruction.shape()->ToString() : "";
}

TEST(ShapeInference, ByOpcode) {
  struct Case {
    const char* root;
    const char* shape;
  };
  constexpr Case kCases[] = {
      {"x = negate(p)", "f32[2,3]{0,1}"},
      {"x = add(p, p)", "f32[2,3]{0,1}"},
      {"x = cosine(p)", "f32[2,3]{0,1}"},
      {"x = copy(t)", "(f32[2]{0}, (s32[], pred[4]{0}))"},
      {"x = while(w), condition=c, body=b", "(f32[2]{0})"},
      {"x = select(n, p, p)", "f32[2,3]{0,1}"},
      {"x = clamp(n, r, n)", "f32[2,3]{1,0}"},
      {"x = tuple(p, t, n)",
       "(f32[2,3]{0,1}, (f32[2]{0}, (s32[], pred[4]{0})), pred[])"},
      {"x = tuple(v)", "(f32[2]{0:S(1)})"},
      {"x = tuple()", "()"},
      {"x = get-tuple-element(t), index=0", "f32[2]{0}"},
      {"x = get-tuple-element(t), index=1", "(s32[], pred[4]{0})"},
      // Which layout the compiler chooses does not follow from the operands.
      {"x = add(p, r)", ""},
      // Nor does whether the result stays in that memory space.
      {"x = negate(v)", ""},
      {"x = add(p, u)", ""},
      {"x = tuple(p, u)", ""},
      {"x = negate(%t#0)", ""},
      {"x = get-tuple-element(t), index=2", ""},
      {"x = get-tuple-element(t), index=-1", ""},
      {"x = get-tuple-element(t)", ""},
      {"x = get-tuple-element(p), index=0", ""},
      {"x = compare(p, p), direction=EQ", ""},
      {"x = convert(p)", ""},
      {"x = abs(p)", ""},
      {"x = bitcast(p)", ""},
      {"x = broadcast(n), dimensions={}", ""},
      {"x = add(missing, missing)", ""},
      {"x = add()", ""},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(ShapeOfRoot(c.root), c.shape) << c.root;
}

// Instructions whose shape is inferred take memory, and the text stays as it
// was.
TEST(ShapeInference, IsSeenByAnalysesAndNotByThePrinter) {
  constexpr char kText[] =
      "HloModule m, is_scheduled=true\n\n"
      "ENTRY %e (x: f32[1024]) -> f32[1024] {\n"
      "  %x = f32[1024] parameter(0)\n"
      "  %y = negate(%x)\n"
      "  ROOT %z = f32[1024] negate(%y)\n"
      "}\n";
  const HloDump dump = *ParseHlo(std::string(kText));
  const ModuleAnalysis analysis = *ModuleAnalysis::Of(dump, dump.modules()[0]);
  EXPECT_EQ(analysis.use().at(0).peak_bytes, 8 * 1024);
  EXPECT_EQ(analysis.doubts().instructions_without_shape, 0);
  const MemoryReport report = ReportMemory(dump);
  EXPECT_EQ(report.memory.instructions_without_shape, 0);
  EXPECT_EQ(report.memory.total.padded_bytes, 12 * 1024);
  EXPECT_EQ(PrintHlo(dump), kText);
}

// On several threads too.
TEST(ShapeInference, OfALongText) {
  std::string text = "HloModule m\nENTRY e {\n x0 = f32[8] parameter(0)\n";
  constexpr int kInstructions = 200000;
  for (int i = 1; i < kInstructions; ++i) {
    absl::StrAppend(&text, " x", i, " = negate(x", i - 1, ")\n");
  }
  text += "}\nf { p = f32[4] parameter(0)\n ROOT q = negate(p)\n}\n";
  for (const int threads : {1, 2}) {
    HloParseOptions options;
    options.threads = threads;
    const HloDump dump = *ParseHlo(text, options);
    EXPECT_EQ(dump.instructions()[kInstructions - 1].shape()->ToString(),
              "f32[8]{0}");
    EXPECT_EQ(dump.instructions()[kInstructions + 1].shape()->ToString(),
              "f32[4]{0}");
  }
}

// Each tuple is twice as long as the one before: what is kept is bounded.
TEST(ShapeInference, OfTuplesThatDouble) {
  std::string text = "ENTRY e {\n x0 = f32[8] parameter(0)\n";
  for (int i = 1; i < 100; ++i) {
    absl::StrAppend(&text, " x", i, " = tuple(x", i - 1, ", x", i - 1, ")\n");
  }
  const HloDump dump = *ParseHlo(text + "}");
  EXPECT_TRUE(dump.instructions()[1].has_shape());
  EXPECT_FALSE(dump.instructions()[99].has_shape());
  int64_t bytes = 0;
  for (int64_t i = 0; i < dump.shapes().size(); ++i) {
    bytes += dump.shapes().text(i).size();
  }
  EXPECT_LT(bytes, 5 * text.size());
}

// What is put together or compared is bounded, however often that is asked.
TEST(ShapeInference, OfLongShapesAgainAndAgain) {
  std::string shape = "(f32[2]";
  for (int i = 0; i < 1000; ++i) shape += ", f32[2]";
  std::string text =
      absl::StrCat("ENTRY e {\n p = ", shape, ") parameter(0)\n q = ", shape,
                   ", f32[2]) parameter(1)\n");
  for (int i = 0; i < 1000; ++i) {
    absl::StrAppend(&text, " t", i, " = tuple(p, q)\n");
    absl::StrAppend(&text, " a", i, " = add(p, q)\n");
  }
  const HloDump dump = *ParseHlo(text + "}");
  EXPECT_TRUE(dump.instructions()[2].has_shape());
  EXPECT_FALSE(dump.instructions()[2000].has_shape());
}

}  // namespace
}  // namespace tessera
