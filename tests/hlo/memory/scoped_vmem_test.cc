#include "tessera/hlo/memory/scoped_vmem.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/hlo/tpu_generation.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::string Config(const std::string& reserved, const std::string& used) {
  const auto list = [](const std::string& bytes) {
    return bytes.empty()
               ? std::string()
               : absl::StrCat(R"({"memory_space":"1","offset":"0","size":")",
                              bytes, R"("})");
  };
  return absl::StrCat(", backend_config={\"scoped_memory_configs\":[",
                      list(reserved), "],\"used_scoped_memory_configs\":[",
                      list(used), "]}\n");
}

// Instructions in a loop's body, in a fusion and in the entry.
std::string Text(const std::string& a, const std::string& b,
                 const std::string& c) {
  return absl::StrCat(
      "HloModule m\n"
      "f { p = f32[8]{0} parameter(0)\n ROOT a = f32[8]{0} negate(p)",
      a,
      "}\nENTRY e {\n x = f32[8]{0} parameter(0)\n"
      " b = f32[8]{0} negate(x)",
      b, " ROOT c = f32[8]{0} fusion(b), kind=kLoop, calls=f", c, "}\n");
}

struct Found {
  std::string name;
  int64_t used;
  int64_t reserved;

  bool operator==(const Found& other) const {
    return name == other.name && used == other.used &&
           reserved == other.reserved;
  }
};

std::vector<Found> FoundIn(const ScopedVmem& scoped) {
  std::vector<Found> found;
  for (const ScopedVmem::Instruction& each : scoped.instructions) {
    found.push_back({std::string(each.instruction.name()), each.used_bytes,
                     each.reserved_bytes});
  }
  return found;
}

TEST(ScopedVmem, ThoseThatUseMostComeFirst) {
  const absl::StatusOr<HloDump> dump =
      ParseHlo(Text(Config("", "10"), Config("70", "30"), Config("50", "10")));
  ASSERT_THAT(dump, IsOk());
  const ScopedVmem scoped = FindScopedVmem(dump->modules()[0]);
  EXPECT_TRUE(scoped.is_known);
  EXPECT_EQ(scoped.reserved_bytes, 70);
  EXPECT_THAT(
      FoundIn(scoped),
      ElementsAre(Found{"b", 30, 70}, Found{"c", 10, 50}, Found{"a", 10, 0}));
  EXPECT_THAT(
      FindScopedVmemUse(dump->modules()[0]),
      UnorderedElementsAre(Pair("a", 10), Pair("b", 30), Pair("c", 10)));
}

// Before code generation there are reservations at most.
TEST(ScopedVmem, TheDumpBehindCodeGenerationSaysWhatIsUsed) {
  const absl::StatusOr<HloDump> dump = ParseHlo(Text("", Config("70", ""), ""));
  ASSERT_THAT(dump, IsOk());
  const ScopedVmem alone = FindScopedVmem(dump->modules()[0]);
  EXPECT_FALSE(alone.is_known);
  EXPECT_THAT(FoundIn(alone), ElementsAre(Found{"b", 0, 70}));
  const ScopedVmemUse use = {{"c", 20}, {"is_not_there", 5}};
  const ScopedVmem beside = FindScopedVmem(dump->modules()[0], &use);
  EXPECT_TRUE(beside.is_known);
  EXPECT_THAT(FoundIn(beside),
              ElementsAre(Found{"c", 20, 0}, Found{"b", 0, 70}));
  // That nothing is used is known, too.
  const ScopedVmemUse nothing;
  EXPECT_TRUE(FindScopedVmem(dump->modules()[0], &nothing).is_known);
}

TEST(ScopedVmem, OtherMemoriesDoNotCount) {
  const absl::StatusOr<HloDump> dump =
      ParseHlo(Text("", "",
                    R"(, backend_config={"used_scoped_memory_configs":[)"
                    R"({"memory_space":"0","offset":"0","size":"65536"}]})"));
  ASSERT_THAT(dump, IsOk());
  EXPECT_THAT(FoundIn(FindScopedVmem(dump->modules()[0])), IsEmpty());
}

TEST(ScopedVmem, LimitsOfGenerations) {
  constexpr int64_t kMiB = 1 << 20;
  struct Case {
    TpuGeneration generation;
    int64_t limit;
    int64_t vmem;
  };
  for (const Case& c :
       {Case{TpuGeneration::kV4, 16, 16}, Case{TpuGeneration::kV5e, 16, 128},
        Case{TpuGeneration::kV5p, 16, 64}, Case{TpuGeneration::kV6e, 32, 128},
        Case{TpuGeneration::kV7x, 32, 64},
        Case{TpuGeneration::kUnknown, 0, 0}}) {
    EXPECT_EQ(TpuMemoryOf(c.generation).scoped_vmem_limit, c.limit * kMiB);
    EXPECT_EQ(TpuMemoryOf(c.generation).vmem, c.vmem * kMiB);
  }
}

TEST(ScopedVmem, LimitOfTheCompilersOptions) {
  const std::string before = "xla_tpu_a: true\n";
  const std::string option = "xla_tpu_scoped_vmem_limit_kib: ";
  EXPECT_EQ(ScopedVmemLimitOfOptions(before + option + "65536\nb: 1\n"),
            65536 * 1024);
  EXPECT_EQ(ScopedVmemLimitOfOptions(option + "1"), 1024);
  for (const char* value : {"-1", "0", "x", "", "99999999999999999999"}) {
    EXPECT_EQ(ScopedVmemLimitOfOptions(before + option + value + "\n"),
              std::nullopt)
        << value;
  }
  EXPECT_EQ(ScopedVmemLimitOfOptions(before), std::nullopt);
  EXPECT_EQ(ScopedVmemLimitOfOptions(""), std::nullopt);
}

}  // namespace
}  // namespace tessera
