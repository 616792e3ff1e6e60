#include "tessera/hlo/memory/hlo_schedule.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/hlo/parse_hlo.h"

namespace tessera {
namespace {

constexpr char kComputations[] = R"(
    add { x = f32[] parameter(0)
      y = f32[] parameter(1)
      ROOT z = f32[] add(x, y) }
    fused { p = f32[256] parameter(0)
      ROOT r = f32[256] negate(p) }
    body { p = f32[256] parameter(0)
      a = f32[1024] broadcast(p), dimensions={0}
      ROOT b = f32[256] slice(a), slice={[0:256]} }
    test { p = f32[256] parameter(0)
      ROOT c = pred[] constant(false) }
    unused { ROOT p = f32[2] parameter(0) }
    empty { })";
constexpr char kEntry[] = R"(
    ENTRY main { x = f32[256] parameter(0)
      zero = f32[] constant(0)
      f = f32[256] fusion(x), kind=kLoop, calls=fused
      w = f32[256] while(f), condition=test, body=body
      ROOT s = f32[] reduce(w, zero), dimensions={0}, to_apply=add })";

TEST(HloSchedule, FindsWhatRuns) {
  const std::string scheduled = "HloModule m, is_scheduled=true";
  const std::string whole = std::string(kComputations) + kEntry;
  struct Case {
    const char* what;
    std::string text;
    const char* computation;  // "" for ENTRY
    bool assume_text_order;
    const char* result;  // the name, or the error
  };
  const Case kCases[] = {
      {"the entry", scheduled + whole, "", false, "main"},
      {"a body", scheduled + whole, "body", false, "body"},
      {"what nothing calls", scheduled + whole, "unused", false, "unused"},
      {"no schedule", "HloModule m" + whole, "", false,
       "not scheduled (no is_scheduled=true); assume_text_order uses the order "
       "of the text"},
      {"no schedule, for one computation", "HloModule m" + whole, "body", false,
       "not scheduled (no is_scheduled=true); assume_text_order uses the order "
       "of the text"},
      {"an order is assumed", "HloModule m" + whole, "", true, "main"},
      {"a fusion", scheduled + whole, "fused", false,
       "the computation 'fused' has no buffers: it is called by the fusion "
       "'f'"},
      {"a reducer", scheduled + whole, "add", false,
       "the computation 'add' has no buffers: it is called by the reduce 's'"},
      {"nothing in it", scheduled + whole, "empty", false,
       "the computation 'empty' has no instruction"},
      {"no ENTRY", scheduled + kComputations, "", false,
       "no computation is marked ENTRY"},
      {"no ENTRY, for one computation", scheduled + kComputations, "body",
       false, "body"},
      {"the text breaks off",
       scheduled + kComputations + "\nlast { p = f32[2] parameter(0)", "",
       false, "the text breaks off before ENTRY"},
      {"one that breaks off",
       scheduled + kComputations + "\nlast { p = f32[2] parameter(0)", "last",
       false, "the computation 'last' breaks off"},
      {"one before the end", scheduled + kComputations + "\nlast {", "body",
       false, "body"},
      {"an empty ENTRY", scheduled + "\nENTRY e { }", "", false,
       "the ENTRY computation has no instruction"},
  };
  for (const Case& c : kCases) {
    const absl::StatusOr<HloDump> dump = ParseHlo(c.text);
    ASSERT_TRUE(dump.ok());
    const HloModule module = dump->modules()[0];
    ScheduleOptions options;
    options.assume_text_order = c.assume_text_order;
    options.computation = c.computation;
    const absl::StatusOr<HloComputation> found =
        FindSchedule(*dump, module, options);
    if (found.ok()) {
      EXPECT_EQ(found->name(), c.result) << c.what;
    } else {
      EXPECT_EQ(std::string(found.status().message()), c.result) << c.what;
    }
  }
}

TEST(HloSchedule, ErrorsHaveCodes) {
  const absl::StatusOr<HloDump> dump =
      ParseHlo("HloModule m, is_scheduled=true\n" + std::string(kEntry) +
               "\nHloModule n\ne { ROOT x = f32[2] parameter(0) }");
  ScheduleOptions options;
  options.computation = "mai";
  const absl::Status status =
      FindSchedule(*dump, dump->modules()[0], options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(), "there is no computation 'mai'");
  EXPECT_EQ(FindSchedule(*dump, dump->modules()[1]).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

// What a body needs by itself: its parameter, and what it computes. What the
// header says of the parameters of ENTRY is not said of those of the body.
TEST(HloSchedule, TheMemoryOfOneComputation) {
  const absl::StatusOr<HloDump> dump = ParseHlo(
      "HloModule m, is_scheduled=true, buffer_donor={ (0, {}) }, "
      "input_output_alias={ {}: (0, {}, may-alias) }" +
      std::string(kComputations) + kEntry);
  const HloModule module = dump->modules()[0];
  MemoryOptions options;
  options.schedule.computation = "body";
  absl::StatusOr<ModuleAnalysis> analysis =
      ModuleAnalysis::Of(*dump, module, options);
  ASSERT_TRUE(analysis.ok());
  EXPECT_EQ(analysis->entry().name(), "body");
  EXPECT_EQ(analysis->use().at(0).peak_bytes, 1024 + 4096 + 1024);
  const SpaceReservation& space = analysis->reserved().at(0);
  EXPECT_EQ(space.parameter_bytes, 1024);
  EXPECT_EQ(space.output_bytes, 1024);
  EXPECT_EQ(space.temporary_bytes, 4096);
}

}  // namespace
}  // namespace tessera
