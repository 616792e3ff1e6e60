#include "tessera/hlo/buffer_assignment/buffer_assigner.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/buffer_assignment/memory_use.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/dataflow/program_values.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/parse_hlo.h"

namespace tessera::hlo_internal {
namespace {

TEST(BufferAssigner, PastItsLimitPlacesOnlyTellWhatIsShared) {
  const HloDump dump = *ParseHlo(R"(
      HloModule m, is_scheduled=true
      ENTRY e {
        p = f32[64]{0} parameter(0)
        a = f32[64]{0} sine(p)
        b = f32[32]{0} slice(a), slice={[0:32]}
        c = f32[64]{0} cosine(a)
        d = f32[32]{0} negate(b)
        e = f32[64]{0} concatenate(b, d), dimensions={0}
        ROOT f = f32[64]{0} add(c, e)
      })");
  const HloModule module = dump.modules()[0];
  ArrayTable arrays(&dump.shapes());
  WorkCheck check;
  const ProgramValues program = *FindProgramValues(
      module, *module.entry_computation(), ValueRules(), &arrays, &check);
  AssignmentRules rules;
  const AssignedBuffers packed = AssignBuffers(program, rules, &check);
  rules.pair_limit = 0;
  const AssignedBuffers loose = AssignBuffers(program, rules, &check);
  ASSERT_EQ(packed.temporaries.count(0), 1);
  ASSERT_EQ(loose.temporaries.count(0), 1);
  EXPECT_FALSE(packed.temporaries.at(0).is_not_packed);
  EXPECT_TRUE(loose.temporaries.at(0).is_not_packed);
  EXPECT_EQ(loose.temporaries.at(0).bytes, loose.temporaries.at(0).peak_bytes);
  // c in the place of a, b, d and e.
  EXPECT_EQ(loose.temporaries.at(0).bytes, 256 + 128 + 128 + 256);
}

TEST(BufferAssigner, TokensAreNotOverwrittenAndTakeNothing) {
  const HloDump dump = *ParseHlo(R"(
      HloModule m, is_scheduled=true
      fused {
        p = token[] parameter(0)
        ROOT c = f32[8]{0} iota(), iota_dimension=0
      }
      ENTRY e {
        t = token[] after-all()
        ROOT f = f32[8]{0} fusion(t), kind=kLoop, calls=fused
      })");
  const HloModule module = dump.modules()[0];
  ArrayTable arrays(&dump.shapes());
  WorkCheck check;
  const ProgramValues program = *FindProgramValues(
      module, *module.entry_computation(), ValueRules(), &arrays, &check);
  const AssignedBuffers assigned =
      AssignBuffers(program, AssignmentRules(), &check);
  ASSERT_EQ(assigned.allocations.size(), 2);
  EXPECT_EQ(assigned.allocations[0].bytes, 32);
  EXPECT_EQ(assigned.allocations[0].tenants.size(), 1);
  EXPECT_EQ(assigned.temporaries.at(0).bytes, 0);
  EXPECT_EQ(assigned.temporaries.at(0).peak_bytes, 0);
}

TEST(FindUse, AnAllocationWithoutTenantsIsThereFromTheFirstStep) {
  BufferAssignment assignment;
  BufferAssignment::Allocation allocation;
  allocation.bytes = 8;
  allocation.kind = BufferAssignment::Kind::kTemporary;
  assignment.allocations.push_back(allocation);
  WorkCheck check;
  const auto use = FindUse(assignment, 1, &check);
  ASSERT_EQ(use.count(0), 1);
  EXPECT_EQ(use.at(0).peak.bytes, 8);
  EXPECT_EQ(use.at(0).peak.step, 0);
}

// The bytes of the temporaries of a program on a GPU.
int64_t GpuTemporaries(const std::string& body) {
  const HloDump dump = *ParseHlo("HloModule m, is_scheduled=true\n" + body);
  const HloModule module = dump.modules()[0];
  ArrayTable arrays(&dump.shapes());
  WorkCheck check;
  const ProgramValues program = *FindProgramValues(
      module, *module.entry_computation(), ValueRules(), &arrays, &check);
  AssignmentRules rules;
  rules.sharing = BufferSharing::Rules::kGpu;
  const AssignedBuffers assigned = AssignBuffers(program, rules, &check);
  int64_t bytes = 0;
  for (const auto& [space, heap] : assigned.temporaries) bytes += heap.bytes;
  return bytes;
}

TEST(BufferAssigner, ProductsOfGpusAddToTheirThirdOperandInPlace) {
  const std::string begin =
      "ENTRY e {\n"
      "  a = f32[64,64]{1,0} parameter(0)\n"
      "  b = f32[64,64]{1,0} parameter(1)\n"
      "  c = f32[64,64]{1,0} sine(a)\n";
  const std::string call =
      " custom-call(a, b, c), custom_call_target=\"__cublas$lt$matmul\", "
      "backend_config={\"gemm_backend_config\":{\"beta\":1}}\n";
  EXPECT_EQ(GpuTemporaries(begin + "  d = f32[64,64]{1,0}" + call +
                           "  f = f32[64]{0} custom-call(d), "
                           "custom_call_target=\"f\"\n"
                           "  ROOT r = f32[8]{0} custom-call(f), "
                           "custom_call_target=\"f\" }\n"),
            64 * 64 * 4 + 64 * 4);
  EXPECT_EQ(
      GpuTemporaries(begin + "  d = (f32[64,64]{1,0}, s8[16]{0})" + call +
                     "  g = f32[64,64]{1,0} get-tuple-element(d), index=0\n"
                     "  f = f32[64]{0} custom-call(g), "
                     "custom_call_target=\"f\"\n"
                     "  ROOT r = f32[8]{0} custom-call(f), "
                     "custom_call_target=\"f\" }\n"),
      64 * 64 * 4 + 64 * 4 + 64);
}

TEST(BufferAssigner, FusionsOfGpusOverwriteArraysOfAnotherShape) {
  const auto temporaries = [](const std::string& shape) {
    return GpuTemporaries(
        "fused {\n"
        "  p = f32[16,256]{1,0} parameter(0)\n"
        "  s = f32[16,256]{1,0} sine(p)\n"
        "  ROOT t = " +
        shape +
        " bitcast(s)\n"
        "}\n"
        "ENTRY e {\n"
        "  a = f32[16,256]{1,0} parameter(0)\n"
        "  c = f32[16,256]{1,0} cosine(a)\n"
        "  d = " +
        shape +
        " fusion(c), kind=kLoop, calls=fused\n"
        "  f = f32[64]{0} custom-call(d), custom_call_target=\"f\"\n"
        "  ROOT r = f32[8]{0} custom-call(f), custom_call_target=\"f\"\n"
        "}\n");
  };
  EXPECT_EQ(temporaries("f32[64,64]{1,0}"), 16384 + 256);
  EXPECT_EQ(temporaries("f32[16,256]{1,0}"), 16384 + 256);
}

}  // namespace
}  // namespace tessera::hlo_internal
