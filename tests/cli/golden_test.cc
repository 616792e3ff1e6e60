// What is printed for people, compared with the files in tests/cli/golden.
//
// When the output changes for a good reason, write the files anew and read the
// difference:
//
//   TESSERA_UPDATE_GOLDEN=1 ./bazelw run //tests/cli:tests
//   git diff tests/cli/golden

#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/cli/golden_file.h"
#include "tests/cli/run.h"

namespace tessera::cli {
namespace {

// As a person would see it in a terminal.
std::string Transcript(const std::vector<std::string>& arguments,
                       const Outcome& outcome) {
  std::string transcript =
      absl::StrCat(CommandLine(arguments), outcome.err, outcome.out);
  if (outcome.exit_code != 0) {
    absl::StrAppend(&transcript, "[exit code ", outcome.exit_code, "]\n");
  }
  return transcript;
}

struct Golden {
  const char* name;
  std::vector<std::vector<std::string>> commands;
  Display display;
};

class GoldenTest : public ::testing::TestWithParam<Golden> {};

TEST_P(GoldenTest, IsAsRecorded) {
  std::string transcript;
  for (const std::vector<std::string>& arguments : GetParam().commands) {
    if (!transcript.empty()) transcript.push_back('\n');
    transcript +=
        Transcript(arguments, RunCommand(arguments, "", GetParam().display));
  }
  const std::string file = GoldenFile(GetParam().name);
  if (const std::string update = FileToUpdate(file); !update.empty()) {
    std::ofstream(update) << transcript;
    return;
  }
  EXPECT_EQ(transcript, ContentsOf(file)) << file;
}

std::vector<std::string> Describe(const char* shape) {
  return {"describe", shape};
}

std::vector<std::string> Hlo(const char* file) {
  return {"hlo", absl::StrCat("tests/hlo/data/", file), "--top=4"};
}

Display Terminal(int columns, bool unicode, bool color = false) {
  Display display;
  display.columns = columns;
  display.unicode = unicode;
  display.color = color;
  return display;
}

INSTANTIATE_TEST_SUITE_P(
    All, GoldenTest,
    ::testing::Values(
        Golden{"tt",
               {{"tt",
                 "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), "
                 "undef, <3x2>, memref<1x1x!tt.tile<32x32, bfp_bf8>, "
                 "#tt.memory_space<l1>>>>"},
                {"tt", "describe",
                 "tensor<8x96x32xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * "
                 "96 + d1, d1, d2), undef, <2x1x2>, memref<384x96x16xf32, "
                 "#tt.memory_space<l1>>>>"},
                {"tt", "describe",
                 "tensor<5x7xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), "
                 "zero, <8x8>, memref<1x1xf32, #tt.memory_space<dram>>>>",
                 "--format=json"}},
               {}},
        Golden{"cute",
               {{"cute", "A = (6,2):(8,2); A o (4,3):(3,1)", "--table"},
                {"cute", "Sw<2,0,3> o 0 o (8,8):(8,1)", "--table"},
                {"cute", "(12,2):(3,1)", "((2,2),(2,2),2):((1,8),(2,4),16)",
                 "--table"},
                {"cute", "make_identity_layout((2,(2,2)))", "--table"},
                {"cute", "logical_divide((12,28):(1,12), (4,8):(1,4))"},
                {"cute", "composition(20:2, (5,4))"},
                {"cute", "logical_divid((12,28):(1,12), (4,8):(1,4))"}},
               {}},
        Golden{
            "draw",
            {{"draw", "f32[3,5]{1,0:T(2,2)}", "--memory", "0:24"},
             {"draw", "bf16[4,8]{1,0:T(2,4)(2,1)}", "--path"},
             {"draw", "f32[3,5]{1,0:T(2,2)}", "--cells=bytes"},
             {"draw", "f32[2,3]{0,1}", "--cells=indices"},
             {"draw", "s8[20]{0:T(8)(3)}", "--cells=none"},
             {"draw", "f32[2,7,3,5]{3,2,1,0:T(*,2,2)}", "--at=0,1,0,0"},
             {"draw", "f32[2,3,4]", "--rows=2", "--columns=0", "--at=0,2,0"},
             // 2^40 elements.
             {"draw", "f32[1048576,1048576]{1,0:T(8,128)}", "--window",
              "1048570:1048576,126:130"},
             {"draw", "(6,2):(8,2) o (4,3):(3,1)"},
             {"draw", "A = (8,8):(8,1); Sw<2,0,3> o 0 o A", "--mark",
              "Sw<2,0,3> o 0 o (2,2):(8,4)"},
             {"draw", "(4,(2,2)):(0,(1,3))"},
             {"draw",
              "tensor<7x9xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
              "<2x2>, memref<4x5xf32, #tt.memory_space<l1>>>>"},
             {"draw", "f32[]"},
             {"draw", "f32[0,4]"}},
            {}},
        Golden{
            "draw_terminal",
            {{"draw", "f32[3,5]{1,0:T(2,2)}"},
             {"draw", "bf16[20,300]{1,0:T(8,128)(2,1)}", "--window", "6:10,"},
             {"draw", "f32[7,1024,1024]{2,1,0:T(8,128)}", "--at=3,0,0",
              "--window", "4:10,122:132", "--path"}},
            Terminal(72, true)},
        Golden{"draw_colour",
               {{"draw", "f32[3,5]{1,0:T(2,2)}"}},
               Terminal(80, true, true)},
        Golden{"draw_errors",
               {{"draw", "f32[3,5]{1,0:T(2,)}"},
                {"draw", "f32[?,4]"},
                {"draw", "(f32[3,5])"},
                {"draw", "logical_divid((4,8):(8,1), 4:1)"},
                {"draw", "(4,8)"},
                {"draw", "tensor<7x9xf32>"},
                {"draw", "(4,8):(8,1)", "--family=xla"},
                {"draw", "(4,8):(8,1)", "--family=mlir"},
                {"draw", "(4,8):(8,1)", "--cells=bytes"},
                {"draw", "s4[3,4]{1,0:E(4)}", "--cells=bytes"},
                {"draw", "f32[3,4]", "--cells=words"},
                {"draw", "f32[3,4]", "--rows=1", "--columns=1"},
                {"draw", "f32[3,4]", "--rows=2"},
                {"draw", "f32[3,4]", "--at=1"},
                {"draw", "f32[3,4,5]", "--at=7,0,0"},
                {"draw", "f32[3,4]", "--window=0:9,0:4"},
                {"draw", "f32[3,4]", "--window=3:1,"},
                {"draw", "f32[3,4]", "--window=0:3,-1:2"},
                {"draw", "f32[3,4]", "--window=0:3,2"},
                {"draw", "f32[3,4]", "--memory=3:1"},
                {"draw", "f32[3,4]", "--tile=2"},
                {"draw", "f32[3,4]", "--tile=x"},
                {"draw", "f32[3,4]", "--memory=7"},
                {"draw", "f32[3,4]", "--mark=(4,2):(0,1)"},
                {"draw", "f32[3,4]", "-o", "no/such/folder/a.svg"}},
               {}},
        Golden{"explore",
               {{"explore", "f32[3,5"},
                {"explore", "(f32[3])"},
                {"explore", "f32[3,4,5]", "--at", "7,0,0"},
                {"explore", "f32[3]", "-o", "/nowhere/page.html"}},
               {}},
        Golden{"describe",
               {Describe("bf16[9,130]{1,0:T(8,128)(2,1)}"),
                Describe("f32[]"),
                Describe("f32[2,3]"),
                // One of everything.
                Describe("pred[1]{0:L(2)M(1)E(1)}"),
                // Packed.
                Describe("s4[100,300]{1,0:T(64,128)(8,1)E(4)S(1)}"),
                // Elements that E widens, narrows, and leaves as they are.
                Describe("pred[64,512,2048]{2,1,0:T(8,128)E(32)}"),
                Describe("s8[64,100]{1,0:T(8,128)E(32)}"),
                Describe("bf16[8,128]{1,0:E(4)}"),
                Describe("u8[2]{0:E(16)S(1)}"),
                // Memory spaces on a backend that is known, and on none.
                Describe("(f32[8]{0:T(8)S(3)}, u32[]{:S(2)}, f32[]{:S(6)})"),
                Describe("(f32[8]{0:S(1)}, u32[]{:S(2)}, f32[]{:S(5)})"),
                // The tail, and bytes in front.
                Describe("f32[4,33]{1,0:T(8)L(1024)}"),
                Describe("f32[<=100,8]{1,0:T(8,128)M(1024)S(7)}"),
                // No element, no size.
                Describe("f32[0,5]{1,0:T(8,128)}"),
                Describe("f32[?,<=4]"),
                // Tiles of more dimensions, and of joined ones.
                Describe("f32[3]{0:T(8,128)}"),
                Describe("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}"),
                Describe("token[]"),
                {"describe", "f32[2]", "pred[3]"}},
               {}},
        Golden{"describe_target",
               {{"describe", "bf16[9,130]", "--target=tpu"},
                {"describe", "F32[2000,3]{1,0:S(1)}", "--target=v5e"},
                {"describe", "(s2[100,513], token[], b(u8[0]), f32[5,<=3])",
                 "--target", "tpu"},
                {"describe", "bf16[9,130]", "--target=tpu", "--format=json"},
                {"describe", "((2,2),3):((24,2),8)", "--target=tpu"},
                {"describe", "f32[?,3]", "--target=tpu"},
                {"describe", "f6e2m3fn[3]", "--target=tpu"},
                {"describe", "f32[3]", "--target=gpu"},
                {"parse", "(f32[2000,3], s4[7])", "--target=tpu"},
                {"index", "bf16[9,130]", "8,129", "--target=tpu"},
                {"index", "bf16[9,130]", "8,129", "--target=tpu", "--explain"},
                {"coords", "bf16[9,130]", "3074", "--target=tpu"},
                {"runs", "f32[3,5]", "--target=tpu"},
                {"padding", "f32[3,5]", "--target=tpu", "--max-ranges=2"},
                {"compare", "f32[8,128]{1,0:T(8,128)}", "f32[8,128]",
                 "--target=tpu"},
                {"draw", "f32[3,5]", "--target=tpu", "--window=0:4,0:8"}},
               {}},
        Golden{"describe_tuple",
               {Describe("(f32[3,5]{1,0:T(2,2)}, (bf16[9,130], token[]), "
                         "b(s4[3,3]{1,0:E(4)S(1)}))"),
                Describe("()"), Describe("(f32[2], f32[?])")},
               {}},
        Golden{"describe_any",
               {Describe("((2,2),3):((24,2),8)"),
                Describe("coalesce((2,4):(1,2))"),
                Describe("logical_divide(48:1, 32)"), Describe("(3,2):(0,1)"),
                Describe("2:1@0"), Describe("Sw<2,0,3> o 0 o (8,8):(8,1)"),
                Describe("tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, "
                         "d1), undef, <3x2>, memref<1x1x!tt.tile<32x32, "
                         "bfp_bf8>, #tt.memory_space<l1>>>>"),
                Describe("(8,128)")},
               {}},
        Golden{"regions",
               {{"runs", "f32[3,5]{1,0:T(2,2)}"},
                {"runs", "f32[3,5]{1,0:T(2,2)}", "--start=0,2", "--limit=2,4"},
                {"runs", "f32[1000,1000]{1,0:T(8,128)}", "--max-runs=4"},
                {"runs", "Sw<2,0,3> o 0 o (8,8):(8,1)", "--limit=1,8"},
                {"runs", "f32[]"},
                {"runs", "(3,2):(0,1)"},
                {"padding", "f32[3,5]{1,0:T(2,2)}"},
                {"padding", "f32[3,5]{1,0:T(2,2)}", "--unit=bytes"},
                {"padding", "bf16[1000,1000]{1,0:T(8,128)(2,1)}",
                 "--max-ranges=3"},
                {"padding", "((2,2),3):((24,2),8)", "--max-ranges=3",
                 "--format=json"},
                {"padding",
                 "tensor<7x9xf32, #tt.metal_layout<(d0, d1) -> "
                 "(d0, d1), undef, <2x2>, memref<4x5xf32, "
                 "#tt.memory_space<l1>>>>"}},
               {}},
        Golden{"compare",
               {{"compare", "bf16[8,256]{1,0}", "bf16[8,256]{1,0:T(8,128)}"},
                {"compare", "f32[128,256]{1,0}", "f32[256,128]{0,1}",
                 "--to-dimensions=1,0"},
                {"compare", "f32[4,32]{1,0}", "f32[128]{0}"},
                {"compare", "f16[1,2,128,64]{3,2,1,0}",
                 "f16[1,128,2,64]{3,1,2,0}"},
                {"compare", "f16[1,2,128,64]{3,2,1,0}",
                 "f16[1,128,2,64]{3,1,2,0}", "--to-dimensions=0,2,1,3"},
                {"compare", "f16[1,2,128,64]{3,2,1,0}",
                 "f16[1,128,2,64]{3,2,1,0}", "--to-dimensions=0,2,1,3"},
                {"compare", "f16[1,2,128,64]{3,2,1,0}",
                 "f16[1,128,2,64]{3,1,2,0}", "--to-dimensions=0,1,2,3"},
                {"compare", "f8e4m3fn[12288,4096]{0,1}",
                 "f8e4m3fn[4096,12288]{1,0}"},
                {"compare", "bf16[33,65,130]{1,2,0:T(8,128)(2,1)}",
                 "bf16[65,33,130]{0,2,1:T(8,128)(2,1)}"},
                {"compare", "bf16[128,256]{1,0:T(8,128)(2,1)S(1)}",
                 "bf16[128,256]{1,0:T(8,128)(2,1)}"},
                {"compare", "f32[6,4]{0,1:S(1)}", "f32[4,6]{1,0}"},
                {"compare", "f32[6,4]{1,0}", "f16[6,4]{1,0}"},
                {"compare", "f32[1,7]{1,0}", "f32[7,1]{1,0}"},
                {"compare", "f32[6,4]{1,0}", "f32[4,6]{1,0}"},
                {"compare", "f32[4,6]{0,1}", "f32[8,3]{0,1}"},
                {"compare", "f32[4,6]{1,0:T(8,128)}", "f32[24]{0:T(128)}"},
                {"compare", "f32[100]{0:T(128)}", "f32[100]{0:T(1024)}"},
                {"compare", "int64[2,2] strides (8,16) bytes", "s64[2,2]{0,1}"},
                {"compare", "f16[1,2,128,64]{3,2,1,0}",
                 "f16[1,128,2,64]{3,1,2,0}", "--format=json"},
                {"compare", "f32[4,6]{0,1}", "f32[8,3]{0,1}", "--format=json"},
                {"compare", "(8,4):(1,8)", "(8,4):(4,1)", "--element-bits=16"},
                {"compare", "(8,4):(1,8)", "f32[8,4]{0,1}"},
                {"compare", "f32[3,5]", "f32[3,5]", "--format=json"},
                {"compare", "f32[3,5]", "f32[3"}},
               {}},
        Golden{"describe_colour",
               {Describe("(f32[3,5]{1,0:T(2,2)}, token[])")},
               Terminal(80, true, true)},
        Golden{"describe_json",
               {{"describe", "bf16[9,130]{1,0:T(8,128)(2,1)}", "--format=json"},
                {"describe", "f32[?,<=4]", "--format=json"},
                {"describe", "f32[2,5]{1,0:T(*,3)L(7)}", "--format=json"},
                {"describe", "(f32[2], (token[]), b(u8[0]))", "--format=json"},
                {"describe", "(f32[2], f32[?])", "--format=json"},
                {"describe", "((2,2),3):((24,2),8)", "--format=json"},
                {"describe", "f32[2", "--format=json"}},
               {}},
        Golden{
            "relayout",
            {{"relayout", "--plan", "--to", "bf16[9,130]{1,0:T(8,128)(2,1)}"},
             {"relayout", "--plan", "--from", "f32[16,256]{1,0:T(8,128)}",
              "--from-begin", "5,0", "--extent", "8,100"},
             {"relayout", "--plan", "--from", "f32[2,3,4]", "--transpose",
              "2,0,1"},
             {"relayout", "--plan", "--from", "f32[3,5]", "--to", "f32[3,6]",
              "--to-begin", "0,2"},
             {"relayout", "--plan", "--to", "f32[1001,1001]{0,1:T(8,128)}",
              "--pad-value=1"},
             {"relayout", "--plan", "--from", "u4[3,5]{1,0:E(4)}", "--to",
              "u4[3,5]{0,1:E(4)}"},
             {"relayout", "--plan", "--from", "f32[3,5]", "--to",
              "f32[3,5]{1,0:M(64)}"}},
            {}},
        Golden{"explain",
               {{"index", "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}",
                 "7,0,1279,16383", "--explain"},
                {"coords", "bf16[9,130]{1,0:T(8,128)(2,1)}", "3074", "3075",
                 "4095", "--explain"}},
               {}},
        Golden{"hlo_piped",
               {Hlo("tpu_jit_f.after_optimizations.txt"),
                Hlo("tpu_maxtext_llama3_8b_2026-07-31.txt"),
                Hlo("import_async.hlo"), Hlo("custom_call.hlo")},
               {}},
        Golden{"hlo_80_columns",
               {Hlo("tpu_maxtext_llama3_8b_2026-07-31.txt"),
                Hlo("tpu_jit_f.after_optimizations.txt")},
               Terminal(80, true)},
        Golden{"hlo_120_columns",
               {Hlo("tpu_maxtext_llama3_8b_2026-07-31.txt")},
               Terminal(120, true)},
        Golden{"hlo_ascii",
               {Hlo("tpu_maxtext_llama3_8b_2026-07-31.txt")},
               Terminal(80, false)},
        Golden{"hlo_colour",
               {Hlo("tpu_jit_f.after_optimizations.txt")},
               Terminal(80, true, true)},
        Golden{
            "hlo_instructions",
            {{"hlo", "tests/hlo/data/tpu_jit_f.after_optimizations.txt",
              "--instructions"},
             {"hlo", "tests/hlo/data/tpu_jit_f.after_optimizations.txt",
              "--instructions", "--format=json"},
             {"hlo", "tests/hlo/data/slice_to_dynamic.hlo", "--instructions"}},
            {}},
        Golden{"hlo_report",
               {{"hlo", "tests/hlo/data/tpu_jit_f.after_optimizations.txt",
                 "--computation=fused_computation"},
                {"hlo", "tests/hlo/data/tpu_maxtext_llama3_8b_2026-07-31.txt",
                 "--top=3", "--format=csv"},
                {"hlo", "report", "--strict",
                 "tests/hlo/data/tpu_maxtext_llama3_8b_2026-07-31.txt"}},
               {}},
        Golden{
            "hlo_explain",
            {{"hlo", "explain", "tests/hlo/data/messages/e1000.txt"},
             {"hlo", "explain", "tests/hlo/data/messages/e1000_arguments.txt"},
             {"hlo", "explain",
              "tests/hlo/data/messages/e1000_temporaries.txt"},
             {"hlo", "explain", "tests/hlo/data/messages/e1001.txt"},
             {"hlo", "explain", "tests/hlo/data/messages/e1001_in_python.txt"},
             {"hlo", "explain", "tests/hlo/data/messages/window.txt"},
             {"hlo", "explain", "tests/hlo/data/messages/tpu_list.txt"},
             {"hlo", "explain", "tests/hlo/data/messages/vmem_list.txt"},
             {"hlo", "explain", "tests/hlo/data/messages/gpu_list.txt"},
             {"hlo", "explain", "tests/hlo/data/messages/allocation_hbm.txt"},
             {"hlo", "explain", "tests/hlo/data/messages/request.txt"},
             {"hlo", "explain", "tests/hlo/data/messages/used_only.txt"},
             {"hlo", "explain", "tests/hlo/data/messages/stablehlo.mlir"},
             {"hlo", "explain",
              "tests/hlo/data/assignments/apart-buffer-assignment.txt"},
             {"hlo", "explain",
              "tests/hlo/data/assignments/one_file-buffer-assignment.txt"},
             {"hlo", "explain",
              "tests/hlo/data/truth/cpu/"
              "conditional.after_optimizations-buffer-assignment.txt",
              "--top=3"},
             {"hlo", "explain",
              "%copy.6 = f16[2,128,128]{2,1,0} copy(f16[2,128,128]{1,2,0} "
              "%b)"},
             {"hlo", "explain",
              "ROOT %t = bf16[65,33,130]{0,2,1:T(8,128)(2,1)} "
              "transpose(bf16[33,65,130]{1,2,0:T(8,128)(2,1)} %p), "
              "dimensions={1,0,2}"},
             {"hlo", "explain",
              "bf16[9,130] Layout(major_to_minor=(0, 1), tiling=((8, 128), "
              "(2, 1)))"},
             {"hlo", "explain",
              "Layout(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)))"},
             {"hlo", "explain", "hello"},
             {"hlo", "peak", "tests/hlo/data/messages/e1000.txt"},
             {"hlo", "peak", "tests/hlo/data/messages/stablehlo.mlir"}},
            {}},
        Golden{"hlo_explain_colour",
               {{"hlo", "explain", "tests/hlo/data/messages/tpu_list.txt"},
                {"hlo", "explain", "tests/hlo/data/messages/window.txt"}},
               Terminal(120, /*unicode=*/true, /*color=*/true)},
        Golden{"hlo_peak",
               {{"hlo", "peak", "tests/hlo/data/kernel_reuse.hlo",
                 "tests/hlo/data/while.hlo", "--top=3"},
                {"hlo", "peak", "tests/hlo/data/while.hlo"},
                {"hlo", "peak", "--format=json",
                 "tests/hlo/data/tpu_jit_f.after_optimizations.txt"}},
               {}},
        Golden{
            "hlo_check",
            {{"hlo", "check", "tests/hlo/data/kernel_reuse.hlo",
              "tests/hlo/data/tpu_backbone.hlo", "--max-reserved=50MiB"},
             {"hlo", "check", "tests/hlo/data/tpu_backbone.hlo",
              "--max-reserved=100MiB", "--markdown=-"},
             {"hlo", "check", "tests/hlo/data/tpu_backbone.hlo",
              "--max-reserved=93MiB", "--space=vmem", "--format=json"},
             {"hlo", "check", "tests/hlo/data/tpu_backbone.hlo",
              "--max-reserved=94MiB", "--markdown=-"},
             {"hlo", "check", "tests/hlo/data/tpu_backbone.hlo",
              "--max-reserved=1", "--space=7"},
             {"hlo", "check", "tests/hlo/data/slice_to_dynamic.hlo",
              "tests/hlo/data/tpu_backbone.hlo",
              "--baseline=tests/hlo/data/tpu_jit_f.after_optimizations.txt",
              "--max-growth=2.5%"},
             {"hlo", "check", "tests/hlo/data/while.hlo", "--max-reserved=1M"},
             {"hlo", "check", "tests/hlo/data/while.hlo", "--write-baseline=-"},
             {"hlo", "check", "tests/hlo/data/tpu_backbone.hlo",
              "--write-baseline=-"},
             {"hlo", "check", "tests/hlo/data/while.hlo"},
             {"hlo", "check", "tests/hlo/data/while.hlo", "--max-growth=5%"},
             {"hlo", "check", "tests/hlo/data/while.hlo", "--max-growth=-5%"}},
            {}},
        Golden{
            "hlo_vmem",
            {{"hlo", "vmem", "--block=bf16[512,1000]", "--block=f32[3,100]",
              "--scratch=f32[512,512]"},
             {"hlo", "vmem", "--block=bf16[4096,1024]", "--buffers=1",
              "--target=v5e"},
             {"hlo", "vmem", "--block=bf16[4096,1024]", "--target=v5e",
              "--format=json"},
             {"hlo", "vmem", "--block=bf16[4096,1024]", "--scoped-limit=16KiB"},
             {"hlo", "vmem", "--block=f32[8,"},
             {"hlo", "vmem", "--block=f64[8,128]"},
             {"hlo", "vmem", "--scratch=f32[]"},
             {"hlo", "vmem"},
             {"hlo", "vmem", "--block=f32[8,128]", "--buffers=0"},
             {"hlo", "vmem", "--block=f32[8,128]", "--target=v3"}},
            {}},
        Golden{"hlo_scoped",
               {{"hlo", "peak", "--target=v5p",
                 "tests/hlo/data/truth/v5p/conv.after_codegen.txt", "--top=2"},
                {"hlo", "peak",
                 "tests/hlo/data/truth/v5e/pallas_matmul.after_codegen.txt",
                 "--scoped-limit=4MiB", "--top=3"},
                {"hlo", "check",
                 "tests/hlo/data/truth/v5e/pallas_matmul.after_codegen.txt",
                 "--max-scoped=4MiB"},
                {"hlo", "check",
                 "tests/hlo/data/truth/v5e/pallas_matmul.after_codegen.txt",
                 "--max-scoped=13MiB"},
                {"hlo", "check",
                 "tests/hlo/data/truth/v5e/attention.after_optimizations.txt",
                 "--max-scoped=13MiB"}},
               {}},
        Golden{
            "hlo_map",
            {{"hlo", "map", "tests/hlo/data/tpu_backbone.hlo", "--top=3"},
             {"hlo", "map", "tests/hlo/data/tpu_jit_f.after_optimizations.txt",
              "--svg=-"},
             {"hlo", "map", "tests/hlo/data/tpu_jit_f.after_optimizations.txt",
              "--color=source", "--trace=-"},
             {"hlo", "map", "tests/hlo/data/tpu_backbone.hlo", "--space=7"},
             {"hlo", "map", "tests/hlo/data/tpu_backbone.hlo",
              "--module=other"},
             {"hlo", "map", "tests/hlo/data/while.hlo"},
             {"hlo", "map", "tests/hlo/data/while.hlo", "--color=red"}},
            {}},
        Golden{"hlo_peak_80_columns",
               {{"hlo", "peak", "tests/hlo/data/tpu_backbone.hlo", "--top=4"},
                {"hlo", "peak",
                 "tests/hlo/data/tpu_maxtext_llama3_8b_2026-07-31.txt"}},
               Terminal(80, true)},
        Golden{"hlo_peak_colour",
               {{"hlo", "peak", "tests/hlo/data/slice_to_dynamic.hlo"}},
               Terminal(80, true, true)},
        Golden{
            "hlo_diff",
            {{"hlo", "diff", "tests/hlo/data/slice_to_dynamic.hlo",
              "tests/hlo/data/tpu_jit_f.after_optimizations.txt", "--top=5"}},
            Terminal(120, true)},
        Golden{
            "hlo_diff_80_columns",
            {{"hlo", "diff", "tests/hlo/data/slice_to_dynamic.hlo",
              "tests/hlo/data/tpu_jit_f.after_optimizations.txt", "--top=5"}},
            Terminal(80, true)},
        Golden{
            "hlo_passes",
            {{"hlo", "passes", "tests/hlo/data/passes/before"},
             {"hlo", "passes", "tests/hlo/data/passes/after", "--top=2"},
             {"hlo", "passes",
              "tests/hlo/data/passes/after/module_0003.jit_f.0005.fusion."
              "after_fusion.before_layout-fixup.txt",
              "--top=1"},
             {"hlo", "passes", "tests/hlo/data/passes/before", "--format=csv"},
             {"hlo", "passes", "tests/hlo/data/passes/before", "--top=1",
              "--format=json"},
             {"hlo", "passes", "tests/hlo/data/while.hlo"},
             {"hlo", "passes", "tests/hlo/data/messages"},
             {"hlo", "passes", "no/such/folder"}},
            {}},
        Golden{"hlo_passes_colour",
               {{"hlo", "passes", "tests/hlo/data/passes/after"}},
               Terminal(100, /*unicode=*/true, /*color=*/true)},
        Golden{"hlo_diff_passes",
               {{"hlo", "diff", "tests/hlo/data/passes/before",
                 "tests/hlo/data/passes/after"},
                {"hlo", "diff", "tests/hlo/data/passes/before",
                 "tests/hlo/data/passes/before"},
                {"hlo", "diff", "tests/hlo/data/passes/after",
                 "tests/hlo/data/passes/before", "--format=csv"}},
               {}},
        Golden{
            "hlo_cat",
            {{"hlo", "cat", "tests/hlo/data/tpu_jit_f.after_optimizations.txt",
              "--no-metadata", "--no-backend-config"}},
            {}},
        Golden{"help",
               {{"--help"},
                {"hlo", "--help"},
                {"hlo", "report", "--help"},
                {"hlo", "instructions", "--help"},
                {"hlo", "peak", "--help"},
                {"hlo", "diff", "--help"},
                {"hlo", "passes", "--help"},
                {"hlo", "check", "--help"},
                {"hlo", "vmem", "--help"},
                {"hlo", "cat", "--help"},
                {"describe", "--help"},
                {"index", "--help"},
                {"coords", "--help"},
                {"runs", "--help"},
                {"padding", "--help"},
                {"compare", "--help"},
                {"parse", "--help"},
                {"batch", "--help"},
                {"serve", "--help"},
                {"relayout", "--help"},
                {"draw", "--help"},
                {"explore", "--help"},
                {"cute", "--help"},
                {"tt", "--help"},
                {"tt", "describe", "--help"},
                {"tt", "check", "--help"},
                {"tt", "index", "--help"},
                {"tt", "coords", "--help"},
                {"tt", "derive", "--help"},
                {"tt", "ttnn", "--help"}},
               {}}),
    [](const ::testing::TestParamInfo<Golden>& info) {
      return info.param.name;
    });

}  // namespace
}  // namespace tessera::cli
