// What must hold for everything that is computed from a dump, however broken.

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tessera/hlo/diff/change_groups.h"
#include "tessera/hlo/diff/dump_diff.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/memory/relayouts.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/dump.h"

namespace tessera {
namespace {

#ifdef TESSERA_SANITIZER
constexpr int kMutants = 40;
#else
constexpr int kMutants = 400;
#endif

// Something of everything that liveness has rules for.
constexpr std::string_view kProgram = R"(
HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) },
    buffer_donor={ (1, {0}) }
body {
  p = (s32[], f32[256]{0}) parameter(0)
  v = f32[256]{0} get-tuple-element(p), index=1
  c = f32[256]{0:S(1)} copy(v)
  one = s32[] constant(1)
  i = s32[] add(%p#0, one)
  ROOT t = (s32[], f32[256]{0}) tuple(i, v)
}
condition {
  p = (s32[], f32[256]{0}) parameter(0)
  ROOT less = pred[] compare(%p#0, s32[] %p#0), direction=LT
}
fused {
  p = f32[256]{0} parameter(0)
  ROOT t = f32[16,16]{0,1} bitcast(p)
}
yes {
  p = f32[16,16]{0,1} parameter(0)
  ROOT n = f32[16,16]{0,1} negate(p)
}
ENTRY main {
  x = f32[256]{0} parameter(0)
  y = (f32[256]{0}, s32[]) parameter(1)
  init = (s32[], f32[256]{0}) tuple(%y#1, x)
  loop = (s32[], f32[256]{0}) while(init), condition=condition, body=body
  f = f32[16,16]{0,1} fusion(%loop#1), kind=kLoop, calls=fused,
      output_to_operand_aliasing={{}: (0, {})}
  k = s32[] constant(0)
  b = f32[16,16]{0,1} conditional(k, f, f), branch_computations={yes, yes}
  s = ((f32[16,16]{0,1}), f32[16,16]{0,1}, u32[]) async-start(b), calls=yes
  d = f32[16,16]{0,1} async-done(s)
  cs = (f32[16,16]{0,1:S(1)}, f32[16,16]{0,1}, u32[]) copy-start(d)
  cd = f32[16,16]{0,1:S(1)} copy-done(cs)
  r = f32[256]{0} reshape(cd)
  q = f32[16,16]{1,0} transpose(cd), dimensions={1,0}
  z = f32[256]{0} call(r), to_apply={ a = f32[256]{0} parameter(0)  ROOT e = f32[256]{0} negate(a) }
  ROOT t = (f32[256]{0}, f32[16,16]{1,0}) tuple(z, q)
}
)";

void CheckTotals(const MemoryTotals& totals) {
  EXPECT_GE(totals.unpadded_bytes, 0);
  EXPECT_GE(totals.padded_bytes, totals.unpadded_bytes);
}

void CheckReserved(const std::map<int64_t, SpaceReservation>& reserved) {
  for (const auto& [number, space] : reserved) {
    EXPECT_GE(space.parameter_bytes, 0);
    EXPECT_GE(space.constant_bytes, 0);
    EXPECT_GE(space.output_bytes, 0);
    EXPECT_GE(space.temporary_peak_bytes, 0);
    EXPECT_GE(space.temporary_bytes, space.temporary_peak_bytes);
  }
}

void CheckUse(const ModuleAnalysis& analysis) {
  const int64_t count = analysis.step_count();
  for (const LiveArray& array : analysis.Arrays()) {
    EXPECT_LE(array.first, array.last);
    EXPECT_LT(array.last, count);
    EXPECT_GT(array.padded_bytes, 0);
  }
  for (const auto& [space, use] : analysis.use()) {
    const std::vector<int64_t> bytes = analysis.UseByStep(space);
    ASSERT_EQ(bytes.size(), count);
    EXPECT_EQ(*std::max_element(bytes.begin(), bytes.end()), use.peak_bytes);
    EXPECT_EQ(bytes[use.peak_step], use.peak_bytes);
    EXPECT_LE(use.peak_bytes, analysis.ReservedIn(space).sum().bytes());
    const std::vector<int64_t> padding = analysis.PaddingByStep(space);
    ASSERT_EQ(padding.size(), count);
    for (int64_t step = 0; step < count; ++step) {
      EXPECT_GE(padding[step], 0);
      EXPECT_LE(padding[step], bytes[step]);
    }
    EXPECT_EQ(padding[use.peak_step], use.peak_bytes - use.peak_unpadded_bytes);
    int64_t at_peak = 0;
    for (const LiveArray& array : analysis.LiveAt(space, use.peak_step)) {
      EXPECT_EQ(array.memory_space, space);
      if (array.same_place_as < 0) at_peak += array.padded_bytes;
    }
    EXPECT_EQ(at_peak, use.peak_bytes);
  }
}

// Computes everything there is from `text`.
void Check(const std::string& text, const HloDump& original) {
  const absl::StatusOr<HloDump> dump = ParseHloView(text);
  ASSERT_TRUE(dump.ok());
  const MemoryReport report = ReportMemory(*dump);
  MemoryTotals modules;
  for (const ModuleMemory& module : report.modules) {
    modules.Add(module.memory.total);
    for (const auto& [opcode, totals] : module.memory.by_opcode) {
      CheckTotals(totals);
    }
  }
  CheckTotals(report.memory.total);
  EXPECT_EQ(report.memory.total.arrays, modules.arrays);
  EXPECT_EQ(report.memory.total.padded_bytes, modules.padded_bytes);
  for (const HloModule module : dump->modules()) {
    const RelayoutReport relayouts = FindRelayouts(*dump, module);
    EXPECT_EQ(relayouts.total.count, relayouts.relayouts.size());
    absl::StatusOr<ModuleAnalysis> analysis = ModuleAnalysis::Of(*dump, module);
    if (!analysis.ok()) continue;
    CheckUse(*analysis);
    CheckReserved(analysis->reserved());
  }
  const DumpDiff diff = DiffDumps(original, *dump);
  int64_t matched = 0;
  for (const ModuleDiff& module : diff.modules) {
    matched += module.matched_by_structure + module.matched_by_name +
               module.matched_by_signature + module.appeared;
    size_t grouped = 0;
    for (const ChangeGroup& group : GroupChanges(module.changes)) {
      grouped += group.changes.size();
    }
    EXPECT_EQ(grouped, module.changes.size());
    if (!module.peaks.has_value()) continue;
    for (const auto& [space, peak] : *module.peaks) {
      int64_t difference = 0;
      for (const ArrayChange& change : peak.changes) {
        EXPECT_NE(change.before_bytes, change.after_bytes);
        difference += change.after_bytes - change.before_bytes;
      }
      EXPECT_EQ(difference, peak.after - peak.before);
    }
  }
  EXPECT_EQ(matched, dump->counts().instructions);
}

// A cut, a few bytes that are others, or two words exchanged.
std::string Mutant(const std::string& text, std::mt19937* random) {
  auto below = [random](size_t n) { return (*random)() % n; };
  std::string mutant = text;
  switch (below(3)) {
    case 0:
      mutant.resize(below(text.size()));
      return mutant;
    case 1:
      for (int i = 0; i < 5; ++i) {
        constexpr std::string_view kBytes = "(){}[],=%#:0123 \na\"";
        mutant[below(text.size())] = kBytes[below(kBytes.size())];
      }
      return mutant;
    default: {
      auto word = [&]() {
        const size_t at =
            text.find_first_not_of(" \n,(){}", below(text.size()));
        const size_t begin = at == text.npos ? 0 : at;
        return std::make_pair(begin,
                              text.find_first_of(" \n,(){}", begin) - begin);
      };
      auto a = word(), b = word();
      if (a.first > b.first) std::swap(a, b);
      if (a.first + a.second >= b.first || b.second > text.size()) return text;
      mutant = absl::StrCat(
          text.substr(0, a.first), text.substr(b.first, b.second),
          text.substr(a.first + a.second, b.first - a.first - a.second),
          text.substr(a.first, a.second), text.substr(b.first + b.second));
      return mutant;
    }
  }
}

TEST(Analyses, TheProgramIsWhole) {
  const HloDump dump = *ParseHlo(std::string(kProgram));
  EXPECT_EQ(dump.diagnostic_count(), 0);
  absl::StatusOr<ModuleAnalysis> liveness =
      ModuleAnalysis::Of(dump, dump.modules()[0]);
  ASSERT_TRUE(liveness.ok());
  EXPECT_EQ(liveness->doubts().unresolved, 0);
  EXPECT_EQ(liveness->doubts().unresolved_calls, 0);
}

TEST(Analyses, HoldOnMutants) {
  std::vector<std::string> texts = {std::string(kProgram)};
  for (const char* file :
       {"import_async.hlo", "kernel_reuse.hlo", "slice_to_dynamic.hlo",
        "while.hlo", "tpu_jit_f.after_optimizations.txt"}) {
    texts.push_back(absl::StrReplaceAll(
        ReadDump(file), {{", entry_computation_layout",
                          ", is_scheduled=true, entry_computation_layout"}}));
  }
  std::mt19937 random(20260801);
  for (const std::string& text : texts) {
    const HloDump original = *ParseHlo(text);
    Check(text, original);
    for (int i = 0; i < kMutants; ++i) {
      const std::string mutant = Mutant(text, &random);
      Check(mutant, original);
      if (HasFailure()) {
        FAIL() << mutant;
      }
    }
  }
}

}  // namespace
}  // namespace tessera
