// The protos that XLA wrote, read from the first module to the last.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_printer.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/hlo/strict_rules.h"
#include "tests/hlo/proto_files.h"

namespace tessera {
namespace {

TEST(HloProtos, HaveTheModulesThatAScriptCounted) {
  int64_t modules = 0;
  for (const ProtoFile& file : ReadProtoFiles()) {
    ASSERT_TRUE(IsHloProto(file.bytes)) << file.name;
    const absl::StatusOr<HloDump> dump = ParseHloProto(file.bytes);
    ASSERT_TRUE(dump.ok()) << file.name << " " << dump.status();
    EXPECT_TRUE(dump->is_from_proto());
    for (const Diagnostic& diagnostic : dump->diagnostics()) {
      ADD_FAILURE() << file.name << " " << diagnostic.ToString();
    }
    if (file.modules.empty()) continue;
    std::vector<std::pair<std::string, int64_t>> read;
    for (const HloModule module : dump->modules()) {
      int64_t instructions = 0;
      for (const HloComputation computation : module.computations()) {
        instructions += computation.instructions().size();
      }
      read.emplace_back(module.name(), instructions);
      EXPECT_TRUE(module.is_scheduled()) << file.name;
      EXPECT_TRUE(module.entry_computation().has_value()) << file.name;
    }
    std::sort(read.begin(), read.end());
    std::vector<std::pair<std::string, int64_t>> expected;
    for (const ProtoModule& module : file.modules) {
      expected.emplace_back(module.name, module.instructions);
    }
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(read, expected) << file.name;
    modules += static_cast<int64_t>(read.size());
  }
  EXPECT_EQ(modules, 41);
}

TEST(HloProtos, BreakNoRule) {
  for (const ProtoFile& file : ReadProtoFiles()) {
    HloParseOptions options;
    options.strict = true;
    const absl::StatusOr<HloDump> dump = ParseHloProto(file.bytes, options);
    EXPECT_TRUE(dump.ok()) << file.name << " " << dump.status();
  }
}

TEST(HloProtos, ArePrintedAsTextThatReadsTheSame) {
  for (const ProtoFile& file : ReadProtoFiles()) {
    const absl::StatusOr<HloDump> dump = ParseHloProto(file.bytes);
    ASSERT_TRUE(dump.ok()) << file.name;
    const std::string text = PrintHlo(*dump);
    EXPECT_FALSE(IsHloProto(text)) << file.name;
    const absl::StatusOr<HloDump> again = ParseHlo(text);
    ASSERT_TRUE(again.ok()) << file.name;
    EXPECT_EQ(again->diagnostic_count(), 0) << file.name;
    EXPECT_FALSE(again->is_from_proto());
    EXPECT_EQ(PrintHlo(*again), text) << file.name;
  }
}

// Written by hand from the protos' fields.
TEST(HloProtos, SayWhatXlaWouldPrint) {
  struct Case {
    const char* file;
    const char* line;
  };
  const Case kCases[] = {
      {"tracelens/jit__multi_slice_13_.hlo_proto.pb",
       "slice={[7:8], [0:32], [0:60], [0:104], [0:16]}, "
       "metadata={op_name=\"jit(_multi_slice)/jit(main)/slice\" "
       "source_file=\"/workspace/conv-jax/jax_conv_profiling.py\" "
       "source_line=72 stack_frame_id=2}"},
      {"xprof/a.xplane.pb", "replica_groups=[4,2]<=[2,4]T(1,0), "},
      {"xprof/a.xplane.pb",
       "sharding={devices=[2,1,1,1,1,4]<=[8] last_tile_dim_replicate}"},
      {"xprof/a.xplane.pb",
       "HloModule jit_f, is_scheduled=true, input_output_alias={ {0}: (0, {}, "
       "may-alias), {1}: (1, {}, may-alias), {2}: (2, {}, may-alias) }, "},
      {"xprof/a.xplane.pb", "\n6 {file_location_id=6 parent_frame_id=6}\n"},
  };
  std::vector<ProtoFile> files = ReadProtoFiles();
  for (const Case& c : kCases) {
    const auto file =
        std::find_if(files.begin(), files.end(),
                     [&c](const ProtoFile& f) { return f.name == c.file; });
    ASSERT_NE(file, files.end()) << c.file;
    const absl::StatusOr<HloDump> dump = ParseHloProto(file->bytes);
    ASSERT_TRUE(dump.ok());
    EXPECT_TRUE(tessera::StrContains(PrintHlo(*dump), c.line)) << c.line;
  }
}

}  // namespace
}  // namespace tessera
