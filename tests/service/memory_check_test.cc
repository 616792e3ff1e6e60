#include "tessera/service/questions/hlo/memory_check.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/version/version.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/service/json.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// `reserved` bytes in each memory space, and a peak of one less.
BaselineModule Memory(const std::string& name,
                      const std::map<int64_t, int64_t>& reserved) {
  BaselineModule memory;
  memory.set_module(name);
  auto& spaces = *memory.mutable_by_memory_space()->mutable_spaces();
  for (const auto& [space, bytes] : reserved) {
    spaces[space].set_reserved_bytes(bytes);
    spaces[space].set_peak_bytes(bytes - 1);
  }
  return memory;
}

MemoryBaseline Baseline(const std::vector<BaselineModule>& modules) {
  MemoryBaseline baseline;
  for (const BaselineModule& module : modules) *baseline.add_modules() = module;
  return baseline;
}

MemoryCheck CheckOf(const MemoryBudget& budget,
                    const std::optional<MemoryBaseline>& baseline,
                    const std::vector<BaselineModule>& modules) {
  MemoryChecker checker(budget, baseline);
  for (const BaselineModule& module : modules) {
    checker.Add("dump.txt", HloTarget::kTpu, module);
  }
  MemoryCheck check;
  checker.Finish(&check);
  return check;
}

// What one memory space of one module gives.
SpaceCheck SpaceOf(const MemoryBudget& budget, int64_t before, int64_t after) {
  const MemoryCheck check =
      CheckOf(budget, Baseline({Memory("m", {{0, before}})}),
              {Memory("m", {{0, after}})});
  const SpaceCheck& space = check.modules(0).by_memory_space().spaces().at(0);
  EXPECT_EQ(check.is_within_budget(),
            !space.exceeds_max_peak() && !space.exceeds_max_growth());
  EXPECT_EQ(check.is_within_budget(), space.over_bytes() == 0);
  return space;
}

MemoryBudget MaxPeak(int64_t bytes) {
  MemoryBudget budget;
  budget.max_reserved_bytes = bytes;
  return budget;
}

MemoryBudget MaxGrowth(int64_t ppm) {
  MemoryBudget budget;
  budget.max_growth_ppm = ppm;
  return budget;
}

TEST(MemoryCheck, Example) {
  const absl::StatusOr<HloDump> dump = ParseHlo(R"(
      HloModule m, is_scheduled=true
      ENTRY e { ROOT x = f32[2]{0} parameter(0) })");
  ASSERT_THAT(dump, IsOk());
  const absl::StatusOr<BaselineModule> memory =
      ComputeBaselineModule(*dump, dump->modules()[0]);
  ASSERT_THAT(memory, IsOk());
  const MemoryCheck check = CheckOf(MaxPeak(6), std::nullopt, {*memory});
  EXPECT_FALSE(check.is_within_budget());
  EXPECT_EQ(check.modules(0).by_memory_space().spaces().at(0).over_bytes(), 2);
}

TEST(MemoryCheck, ThePeakIsTheBytesReserved) {
  EXPECT_EQ(SpaceOf(MaxPeak(100), 0, 100).over_bytes(), 0);
  const SpaceCheck space = SpaceOf(MaxPeak(100), 0, 103);
  EXPECT_TRUE(space.exceeds_max_peak());
  EXPECT_FALSE(space.exceeds_max_growth());
  EXPECT_EQ(space.over_bytes(), 3);
  EXPECT_EQ(space.budget_bytes(), 100);
  EXPECT_EQ(space.reserved_bytes(), 103);
  EXPECT_EQ(space.peak_bytes(), 102);
  EXPECT_EQ(SpaceOf(MaxPeak(0), 0, kMax).over_bytes(), kMax);
}

TEST(MemoryCheck, GrowthIsExact) {
  struct Case {
    int64_t before;
    int64_t ppm;
    int64_t most;
  };
  for (const Case& test : {
           Case{100, 50'000, 105},
           // 1.15 is less than 115/100 as a double.
           Case{100, 150'000, 115},
           Case{1000, 3'000, 1003},
           Case{1000, 3'999, 1003},
           Case{19, 50'000, 19},
           Case{20, 50'000, 21},
           Case{7, 0, 7},
           Case{int64_t{1} << 53, 0, int64_t{1} << 53},
           // 2^53 + 2^53 / 10^6.
           Case{int64_t{1} << 53, 1, 9'007'208'261'940'246},
           Case{int64_t{1} << 40, 10'000'000, int64_t{11} << 40},
       }) {
    EXPECT_EQ(SpaceOf(MaxGrowth(test.ppm), test.before, test.most).over_bytes(),
              0);
    const SpaceCheck space =
        SpaceOf(MaxGrowth(test.ppm), test.before, test.most + 1);
    EXPECT_EQ(space.over_bytes(), 1) << test.before << " " << test.ppm;
    EXPECT_TRUE(space.exceeds_max_growth());
    EXPECT_FALSE(space.exceeds_max_peak());
    EXPECT_EQ(space.budget_bytes(), test.most);
    EXPECT_EQ(space.growth_bytes(), test.most + 1 - test.before);
  }
  EXPECT_EQ(SpaceOf(MaxGrowth(kMax), kMax, kMax).budget_bytes(), kMax);
  EXPECT_EQ(SpaceOf(MaxGrowth(1), kMax, kMax).budget_bytes(), kMax);
}

TEST(MemoryCheck, GrowthFromNothingIsTooMuch) {
  const SpaceCheck space = SpaceOf(MaxGrowth(kMax), 0, 1);
  EXPECT_TRUE(space.exceeds_max_growth());
  EXPECT_FALSE(space.has_growth_percent());
  EXPECT_EQ(SpaceOf(MaxGrowth(0), 0, 0).over_bytes(), 0);
}

TEST(MemoryCheck, TheTighterLimitIsTheBudget) {
  MemoryBudget budget = MaxGrowth(100'000);
  budget.max_reserved_bytes = 105;
  SpaceCheck space = SpaceOf(budget, 100, 120);
  EXPECT_EQ(space.budget_bytes(), 105);
  EXPECT_TRUE(space.exceeds_max_peak());
  EXPECT_TRUE(space.exceeds_max_growth());
  EXPECT_DOUBLE_EQ(space.growth_percent(), 20);
  space = SpaceOf(budget, 100, 107);
  EXPECT_EQ(space.over_bytes(), 2);
  EXPECT_FALSE(space.exceeds_max_growth());
  space = SpaceOf(budget, 50, 60);
  EXPECT_EQ(space.budget_bytes(), 55);
  EXPECT_FALSE(space.exceeds_max_peak());
}

TEST(MemoryCheck, ModulesAreMatchedByNameAndOrder) {
  const MemoryCheck check =
      CheckOf(MaxGrowth(0),
              Baseline({Memory("gone", {}), Memory("f", {{0, 10}}),
                        Memory("g", {{0, 5}}), Memory("f", {{0, 20}}),
                        Memory("f", {{0, 30}})}),
              {Memory("f", {{0, 11}}), Memory("f", {{0, 19}}),
               Memory("new", {{0, 99}}), Memory("g", {{0, 5}})});
  ASSERT_EQ(check.modules_size(), 4);
  std::vector<std::string> found;
  for (const ModuleCheck& module : check.modules()) {
    const SpaceCheck& space = module.by_memory_space().spaces().at(0);
    found.push_back(absl::StrCat(
        module.module(), " ", module.is_in_baseline(), " ",
        space.has_growth_bytes() ? absl::StrCat(space.growth_bytes()) : "-",
        " ", space.over_bytes()));
    EXPECT_EQ(space.has_budget_bytes(), module.is_in_baseline());
  }
  EXPECT_THAT(found,
              ElementsAre("f 1 1 1", "f 1 -1 0", "new 0 - 0", "g 1 0 0"));
  EXPECT_THAT(check.missing_modules(), ElementsAre("gone", "f"));
  EXPECT_FALSE(check.is_within_budget());
}

TEST(MemoryCheck, NewModulesAreHeldAgainstMaxPeakOnly) {
  MemoryBudget budget = MaxGrowth(0);
  budget.max_reserved_bytes = 10;
  EXPECT_TRUE(CheckOf(budget, MemoryBaseline(), {Memory("m", {{0, 10}})})
                  .is_within_budget());
  EXPECT_FALSE(CheckOf(budget, MemoryBaseline(), {Memory("m", {{0, 11}})})
                   .is_within_budget());
}

TEST(MemoryCheck, SpacesThatComeAndGo) {
  const MemoryCheck check =
      CheckOf(MaxGrowth(50'000), Baseline({Memory("m", {{0, 10}, {5, 7}})}),
              {Memory("m", {{0, 10}, {1, 3}})});
  const auto& spaces = check.modules(0).by_memory_space().spaces();
  ASSERT_EQ(spaces.size(), 3);
  EXPECT_EQ(spaces.at(1).name(), "VMEM");
  EXPECT_TRUE(spaces.at(1).exceeds_max_growth());
  EXPECT_EQ(spaces.at(1).baseline_reserved_bytes(), 0);
  EXPECT_EQ(spaces.at(5).name(), "host");
  EXPECT_EQ(spaces.at(5).reserved_bytes(), 0);
  EXPECT_EQ(spaces.at(5).growth_bytes(), -7);
  EXPECT_DOUBLE_EQ(spaces.at(5).growth_percent(), -100);
  EXPECT_EQ(spaces.at(5).over_bytes(), 0);
}

TEST(MemoryCheck, OneMemorySpace) {
  MemoryBudget budget = MaxPeak(5);
  for (const char* space : {"1", "VMEM", "vmem"}) {
    budget.memory_space = space;
    const MemoryCheck check =
        CheckOf(budget, std::nullopt, {Memory("m", {{0, 100}, {1, 5}})});
    EXPECT_TRUE(check.is_within_budget());
    EXPECT_EQ(check.modules(0).by_memory_space().spaces_size(), 1);
  }
  budget.memory_space = "HBM";
  EXPECT_FALSE(CheckOf(budget, std::nullopt, {Memory("m", {{0, 100}, {1, 5}})})
                   .is_within_budget());
}

TEST(MemoryCheck, AModuleOfWhichNothingIsKnown) {
  MemoryChecker checker(MaxPeak(5), Baseline({Memory("m", {{0, 1}})}));
  checker.AddUnknown("dump.txt", HloTarget::kGpu, "m", "it is not scheduled");
  MemoryCheck check;
  checker.Finish(&check);
  EXPECT_EQ(
      ProtoToJson(check, JsonFields::kAll),
      R"({"is_within_budget":false,"max_peak_bytes":5,)"
      R"("max_growth_percent":null,"baseline":null,"modules":[{)"
      R"("file":"dump.txt","module":"m","target":"gpu","is_in_baseline":true,)"
      R"("by_memory_space":null,"reason":"it is not scheduled",)"
      R"("scoped_vmem":null}],)"
      R"("missing_modules":[],"max_scoped_bytes":null,)"
      R"("tessera_version":")" TESSERA_VERSION R"("})");
}

TEST(MemoryCheck, NothingKnownWithoutABaseline) {
  EXPECT_EQ(
      ProtoToJson(
          CheckOf(MemoryBudget(), std::nullopt, {Memory("m", {{0, 8}})}),
          JsonFields::kAll),
      R"({"is_within_budget":true,"max_peak_bytes":null,)"
      R"("max_growth_percent":null,"baseline":null,"modules":[{)"
      R"("file":"dump.txt","module":"m","target":"tpu","is_in_baseline":null,)"
      R"("by_memory_space":{"0":{"name":"HBM","reserved_bytes":8,)"
      R"("peak_bytes":7,"baseline_reserved_bytes":null,)"
      R"("baseline_peak_bytes":null,"growth_bytes":null,)"
      R"("growth_percent":null,"budget_bytes":null,"over_bytes":0,)"
      R"("exceeds_max_peak":false,"exceeds_max_growth":false,)"
      R"("assigned_bytes":null,"baseline_assigned_bytes":null,)"
      R"("checked_bytes":8,"checked":"reserved_bytes"}},)"
      R"("reason":null,"scoped_vmem":null}],"missing_modules":[],)"
      R"("max_scoped_bytes":null,)"
      R"("tessera_version":")" TESSERA_VERSION R"("})");
}

TEST(MemoryCheck, OfADump) {
  const absl::StatusOr<HloDump> dump = ParseHlo(R"(
      HloModule m, is_scheduled=true
      ENTRY main {
        x = f32[256]{0} parameter(0)
        a = f32[1024]{0:S(1)} broadcast(x)
        b = f32[512]{0} slice(a)
        ROOT c = f32[512]{0} negate(b)
      }
      HloModule unscheduled
      ENTRY main { ROOT x = f32[256]{0} parameter(0) })");
  ASSERT_THAT(dump, IsOk());
  absl::StatusOr<BaselineModule> memory =
      ComputeBaselineModule(*dump, dump->modules()[0]);
  ASSERT_THAT(memory, IsOk());
  EXPECT_EQ(ProtoToJson(*memory, JsonFields::kAll),
            R"({"module":"m","by_memory_space":{)"
            R"("0":{"reserved_bytes":3072,"peak_bytes":3072,)"
            R"("assigned_bytes":null},)"
            R"("1":{"reserved_bytes":4096,"peak_bytes":4096,)"
            R"("assigned_bytes":null}}})");
  // All memory spaces have XLA's numbers, where these are known. What lies in
  // the allocation is not, so that it may be in use all the time.
  HloAssignments beside;
  beside.of_modules.emplace_back(BufferAssignment());
  beside.of_modules[0]->allocations.resize(1);
  beside.of_modules[0]->allocations[0].bytes = 9000;
  memory = ComputeBaselineModule(*dump, dump->modules()[0], {}, &beside);
  ASSERT_THAT(memory, IsOk());
  EXPECT_EQ(ProtoToJson(*memory, JsonFields::kAll),
            R"({"module":"m","by_memory_space":{)"
            R"("0":{"reserved_bytes":3072,"peak_bytes":9000,)"
            R"("assigned_bytes":9000},)"
            R"("1":{"reserved_bytes":4096,"peak_bytes":0,)"
            R"("assigned_bytes":0}}})");
  MemoryOptions options;
  memory = ComputeBaselineModule(*dump, dump->modules()[1], options);
  EXPECT_THAT(memory.status().message(), HasSubstr("not scheduled"));
  options.schedule.assume_text_order = true;
  EXPECT_THAT(ComputeBaselineModule(*dump, dump->modules()[1], options),
              IsOk());
}

// What instructions of a TPU set aside for themselves.
TEST(MemoryCheck, ScopedVmem) {
  const absl::StatusOr<HloDump> dump = ParseHlo(R"(
      HloModule m
      ENTRY e {
        a = f32[8]{0} constant({...})
        b = f32[8]{0} constant({...})
        ROOT c = f32[8]{0} constant({...})
      })");
  ASSERT_THAT(dump, IsOk());
  const auto scoped_of = [&](const ScopedVmemUse& use) {
    return FindScopedVmem(dump->modules()[0], &use);
  };
  struct Case {
    ScopedVmem scoped;
    HloTarget target;
    int64_t max;
    bool is_within;
    int64_t over;
    int64_t count;
  };
  const ScopedVmemUse uses = {{"a", 30}, {"b", 50}, {"c", 40}};
  const Case kCases[] = {
      {scoped_of(uses), HloTarget::kTpu, 50, true, 0, 0},
      {scoped_of(uses), HloTarget::kTpu, 49, false, 1, 1},
      {scoped_of(uses), HloTarget::kTpu, 35, false, 15, 2},
      {scoped_of(uses), HloTarget::kTpu, 0, false, 50, 3},
      {scoped_of(uses), HloTarget::kGpu, 0, true, 0, 0},
      {scoped_of({}), HloTarget::kTpu, 0, true, 0, 0},
      // Not known.
      {ScopedVmem(), HloTarget::kTpu, kMax, false, 0, 0},
  };
  for (const Case& c : kCases) {
    MemoryBudget budget;
    budget.max_scoped_bytes = c.max;
    EXPECT_TRUE(budget.has_limit());
    MemoryChecker checker(budget, std::nullopt);
    checker.Add("dump.txt", c.target, Memory("m", {{0, 8}}), c.scoped);
    MemoryCheck check;
    checker.Finish(&check);
    EXPECT_EQ(check.is_within_budget(), c.is_within) << c.max;
    const ModuleCheck& module = check.modules(0);
    EXPECT_EQ(module.has_scoped_vmem(), c.target == HloTarget::kTpu);
    EXPECT_EQ(module.scoped_vmem().over_bytes(), c.over) << c.max;
    EXPECT_EQ(module.scoped_vmem().over_limit(), c.count) << c.max;
    EXPECT_EQ(module.scoped_vmem().has_largest_bytes(),
              c.target == HloTarget::kTpu && c.scoped.is_known);
    if (c.over > 0) {
      EXPECT_EQ(module.scoped_vmem().instruction(), "b");
    }
  }
}

}  // namespace
}  // namespace tessera
