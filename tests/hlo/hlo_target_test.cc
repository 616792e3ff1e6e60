#include "tessera/hlo/hlo_target.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/proto_files.h"

namespace tessera {
namespace {

TEST(HloTarget, HasAName) {
  for (const char* name : {"none", "tpu", "gpu", "cpu"}) {
    ASSERT_TRUE(HloTargetOfName(name).has_value()) << name;
    EXPECT_EQ(HloTargetName(*HloTargetOfName(name)), name);
  }
  EXPECT_FALSE(HloTargetOfName("TPU").has_value());
  EXPECT_FALSE(HloTargetOfName("").has_value());
}

// A loop may leave nothing in the entry computation that tells.
TEST(HloTarget, GpuMarksTheModule) {
  const absl::StatusOr<HloDump> dump = ParseHlo(R"(
      HloModule m, frontend_attributes={fingerprint_before_lhs="ba1b7c"}
      ENTRY e { ROOT x = f32[] parameter(0) })");
  ASSERT_TRUE(dump.ok());
  EXPECT_EQ(GuessTarget(dump->modules()[0]), HloTarget::kGpu);
}

// In modules with frame tables, GPU does.
TEST(HloTarget, NewModulesThatWrapInstructionsAreOfCpu) {
  const absl::StatusOr<HloDump> dump = ParseHlo(
      "HloModule m\n\nFileNames\n1 \"a.py\"\n\n"
      "c { ROOT z = f32[] constant(0) }\n"
      "ENTRY e { ROOT wrapped_add = f32[] fusion(), kind=kLoop, calls=c }\n");
  ASSERT_TRUE(dump.ok());
  EXPECT_EQ(GuessTarget(dump->modules()[0]), HloTarget::kNone);
}

TEST(HloTarget, IsGuessedFromOneInstruction) {
  struct Case {
    const char* instruction;
    HloTarget target;
  };
  constexpr Case kCases[] = {
      {"x = f32[8]{0} parameter(0)", HloTarget::kNone},
      {"x = f32[8]{0:S(1)} parameter(0)", HloTarget::kNone},
      {"x = f32[8]{0:T(128)} parameter(0)", HloTarget::kTpu},
      {"x = (f32[8]{0}, (f32[8]{0:T(128)})) parameter(0)", HloTarget::kTpu},
      {"x = f32[] custom-call(), custom_call_target=\"tpu_custom_call\"",
       HloTarget::kTpu},
      {"x = f32[] custom-call(), custom_call_target=\"__cublas$gemm\"",
       HloTarget::kGpu},
      {"x = f32[] fusion(), kind=kLoop, calls=c, "
       "backend_config={\"fusion_backend_config\":{}}",
       HloTarget::kGpu},
      {"loop_add_fusion = f32[] fusion(), kind=kLoop, calls=c",
       HloTarget::kGpu},
      {"wrapped_add = f32[] fusion(), kind=kLoop, calls=c", HloTarget::kGpu},
      // CPU wraps instructions too.
      {"wrapped_add = f32[] fusion(), kind=kLoop, calls=c, "
       "backend_config={\"outer_dimension_partitions\":[\"2\"]}",
       HloTarget::kCpu},
      {"x = f32[] custom-call(), custom_call_target=\"__onednn$matmul\"",
       HloTarget::kCpu},
      {"x = f32[] custom-call(), custom_call_target=\"mine\"",
       HloTarget::kNone},
      // A fusion of CPU's libraries is custom, too.
      {"x = f32[] fusion(), kind=kCustom, calls=c", HloTarget::kNone},
      {"x = f32[] fusion(), kind=kCustom, calls=c, backend_config="
       "{\"fusion_config\":{\"kind\":\"__ynn_fusion\"},"
       "\"outer_dimension_partitions\":[]}",
       HloTarget::kCpu},
      {"x = f32[] fusion(), kind=kCustom, calls=c, backend_config="
       "{\"fusion_config\":{\"kind\":\"__xnn_fusion\"}}",
       HloTarget::kCpu},
      {"x = f32[] fusion(), kind=kCustom, calls=c, backend_config="
       "{\"fusion_config\":{\"kind\":\"__onednn_fusion\"}}",
       HloTarget::kCpu},
      {"x = f32[] fusion(), kind=kCustom, calls=c, backend_config="
       "{\"fusion_backend_config\":{\"kind\":\"__triton\"}}",
       HloTarget::kGpu},
  };
  for (const Case& c : kCases) {
    const HloDump dump =
        *ParseHlo(absl::StrCat("ENTRY e {\nROOT ", c.instruction, "\n}"));
    EXPECT_EQ(GuessTarget(dump.modules()[0]), c.target) << c.instruction;
  }
}

// Also where the dump breaks off.
TEST(HloTarget, IsGuessedOfRealModules) {
  struct Case {
    const char* file;
    HloTarget target;
  };
  constexpr Case kCases[] = {
      {"tpu_backbone.hlo", HloTarget::kTpu},
      {"tpu_jit_f.after_optimizations.txt", HloTarget::kTpu},
      {"tpu_maxtext_llama3_8b_2026-07-31.txt", HloTarget::kTpu},
      {"kernel_reuse.hlo", HloTarget::kGpu},
      {"while.hlo", HloTarget::kNone},
  };
  for (const Case& c : kCases) {
    const HloDump dump = *ParseHlo(ReadDump(c.file));
    EXPECT_EQ(GuessTarget(dump.modules()[0]), c.target) << c.file;
  }
  int gpu_modules = 0;
  for (const ProtoFile& file : ReadProtoFiles()) {
    if (!tessera::StrContains(file.name, "gpu_after_optimizations")) continue;
    const HloDump dump = *ParseHloProto(file.bytes);
    for (const HloModule module : dump.modules()) {
      EXPECT_NE(GuessTarget(module), HloTarget::kTpu) << file.name;
      gpu_modules += GuessTarget(module) == HloTarget::kGpu;
    }
  }
  EXPECT_EQ(gpu_modules, 13);
}

TEST(HloTarget, NamesMemorySpaces) {
  struct Case {
    HloTarget target;
    const char* names;  // of 0, 1 and 5
  };
  constexpr Case kCases[] = {{HloTarget::kNone, "default 1 host"},
                             {HloTarget::kTpu, "HBM VMEM host"},
                             {HloTarget::kGpu, "device collective host"},
                             {HloTarget::kCpu, "host 1 pinned host"}};
  for (const Case& c : kCases) {
    const MemorySpaceNames& names = MemorySpaceNamesOf(c.target);
    EXPECT_EQ(absl::StrCat(names.NameOf(0), " ", names.NameOf(1), " ",
                           names.NameOf(5)),
              c.names);
  }
}

}  // namespace
}  // namespace tessera
