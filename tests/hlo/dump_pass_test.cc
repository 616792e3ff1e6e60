#include "tessera/hlo/dump_pass.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "tessera/hlo/dump_name.h"

namespace tessera {
namespace {

TEST(DumpName, Example) {
  const NameParts parts =
      NamePartsOf("module_0001.jit_f.sm_9.0_gpu_after_optimizations.txt",
                  HloFileKind::kText);
  EXPECT_EQ(parts.module, "module_0001.jit_f");
  EXPECT_EQ(parts.stage_text, "after_optimizations");
}

TEST(DumpPass, OfNames) {
  struct Case {
    std::string name;
    std::string module;
    int64_t number;  // -1: none
    std::string text;
  };
  const Case kCases[] = {
      {"module_0001.jit_f.0007.simplification.after_algsimp.before_dce.txt",
       "module_0001.jit_f", 7, "simplification/algsimp"},
      {"module_0001.jit_f.0003.fusion.after_pipeline-start.before_dce.hlo.pb",
       "module_0001.jit_f", 3, "fusion/pipeline-start"},
      {"module_0001.jit_f.0003.fusion.after_dce.before_pipeline-end.txt.gz",
       "module_0001.jit_f", 3, "fusion/dce"},
      {"1700.module_0001.jit_f.0000.a.after_b.before_c.txt",
       "1700.module_0001.jit_f", 0, "a/b"},
      {"module_0000.jit_f.cl_1014.0034.Main_fusion.after_tpu_fusion.before_"
       "pipeline-end.txt",
       "module_0000.jit_f.cl_1014", 34, "Main_fusion/tpu_fusion"},
      // A step of a pass.
      {"module_0001.jit_f.0022.copy-insertion.after_adding_special-case_"
       "copies.txt",
       "module_0001.jit_f", 22,
       "copy-insertion/after_adding_special-case_copies"},
      {"module_0001.f.0020.tpu-tiling-rewriter.before_tiling_rewriter.txt",
       "module_0001.f", 20, "tpu-tiling-rewriter/before_tiling_rewriter"},
      {"module_0001.f.0020.step.txt", "module_0001.f", 20, "step"},
      // Ten thousand dumps.
      {"module_0001.f.12345.a.after_b.before_c.txt", "module_0001.f", 12345,
       "a/b"},
      // Names in names.
      {"module_0001.f.0001.a.after_x.after_y.before_z.txt", "module_0001.f", 1,
       "a/x.after_y"},
      {"module_0001.f.0001.a.before_b.after_c.txt", "module_0001.f", 1,
       "a/before_b.after_c"},
      // Other stages.
      {"module_0001.jit_f.before_optimizations.txt", "module_0001.jit_f", -1,
       "before_optimizations"},
      {"module_0001.jit_f.cpu_after_optimizations.txt", "module_0001.jit_f", -1,
       "after_optimizations"},
      {"module_0001.jit_f.sm_9.0_gpu_after_optimizations.hlo.pb",
       "module_0001.jit_f", -1, "after_optimizations"},
      // Names that are not XLA's.
      {"step3.txt", "step3", -1, "step3"},
      {"a.0001.b.after_c.before_d.txt", "a.0001.b.after_c.before_d", -1,
       "a.0001.b.after_c.before_d"},
      {"", "", -1, ""},
  };
  for (const Case& c : kCases) {
    for (const std::string folder :
         {"", "dumps/", "/a/module_0009.g.0001.x/"}) {
      const DumpPass pass = DumpPassOf(folder + c.name);
      EXPECT_EQ(pass.file, c.name);
      EXPECT_EQ(pass.module, c.module) << c.name;
      EXPECT_EQ(pass.number.value_or(-1), c.number) << c.name;
      EXPECT_EQ(DumpPassText(pass), c.text) << c.name;
    }
  }
}

}  // namespace
}  // namespace tessera
