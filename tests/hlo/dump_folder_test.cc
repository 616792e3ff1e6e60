#include "tessera/hlo/dump_folder.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <zlib.h>

#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tests/hlo/made_proto.h"
#include "tests/hlo/proto_files.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr char kText[] = "HloModule m, is_scheduled=true\n";
constexpr char kAssignment[] = "BufferAssignment:\nallocation 0: size 8:\n";
constexpr char kValues[] = "Used values:\n";
constexpr char kRanges[] = "HloLiveRange (max 28):\n";
constexpr char kUsage[] = "Total bytes used: 8 (8B)\n";

std::string Module() {
  return MadeHloProto({MadeComputation("main", 9, 1, {Parameter("x", 1, 0)})});
}

std::string Gzipped(std::string_view text) {
  z_stream stream = {};
  constexpr int kGzipFormat = 16 + MAX_WBITS;
  EXPECT_EQ(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                         kGzipFormat, 8, Z_DEFAULT_STRATEGY),
            Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = text.size();
  stream.next_out = reinterpret_cast<Bytef*>(&packed[0]);
  stream.avail_out = packed.size();
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

using Files = std::vector<std::pair<std::string, std::string>>;

// A new folder with these files.
std::string FolderWith(const Files& files) {
  std::string folder = absl::StrCat(testing::TempDir(), "/dump_folder_XXXXXX");
  EXPECT_NE(mkdtemp(&folder[0]), nullptr);
  for (const auto& [name, contents] : files) {
    std::ofstream(absl::StrCat(folder, "/", name), std::ios::binary)
        << contents;
  }
  return folder;
}

std::vector<std::string> Names(const std::vector<HloDumpFile>& dumps) {
  std::vector<std::string> names;
  for (const HloDumpFile& dump : dumps) names.push_back(dump.name);
  return names;
}

std::map<std::string, std::string> Reasons(const DumpFolder& folder) {
  std::map<std::string, std::string> reasons;
  for (const UnreadFile& file : folder.unread) {
    reasons[file.name] = absl::StrCat(file.is_error ? "! " : "", file.reason);
  }
  return reasons;
}

TEST(HloFileKind, OfFirstBytes) {
  std::string usage_proto = MadeField(1, "\x08\x05\x1a\x02\x08\x01");
  struct Case {
    std::string bytes;
    HloFileKind want;
  };
  const Case kCases[] = {
      {kText, HloFileKind::kText},
      {"HloModule", HloFileKind::kText},
      {"HloModule,", HloFileKind::kText},
      {"\n \t// RUN: x\n# y\n/* \n*/ HloModule m", HloFileKind::kText},
      {"I0521 12:04:45.883483    1509 service.cc:186] HloModule m\n",
       HloFileKind::kText},
      {"HloModules", HloFileKind::kOther},
      {"HloModuleConfig", HloFileKind::kOther},
      {kAssignment, HloFileKind::kBufferAssignment},
      {absl::StrCat("\n\n", kAssignment), HloFileKind::kBufferAssignment},
      {kValues, HloFileKind::kBufferAssignmentValues},
      {kRanges, HloFileKind::kLiveRange},
      {kUsage, HloFileKind::kMemoryUsageReport},
      {"Memory Space: default (color=0)\n", HloFileKind::kMemoryUsageReport},
      {Module(), HloFileKind::kProto},
      {Module().substr(0, 20), HloFileKind::kProto},
      // An HloModuleProto.
      {std::string("\n\x03\n\x01m", 5), HloFileKind::kProto},
      {MadeField(1, "\x12\x0e/host:metadata"), HloFileKind::kProfile},
      {MadeField(1, "\x08\x02\x12\x0d/device:TPU:0"), HloFileKind::kProfile},
      {usage_proto, HloFileKind::kMemoryUsageReportProto},
      {MadeField(1, "\x08\x05\x10\x01"), HloFileKind::kMemoryUsageReportProto},
      {MadeField(1, "\x10\x01\x1a\x02\x08\x01"),
       HloFileKind::kMemoryUsageReportProto},
      {"", HloFileKind::kOther},
      {"\n", HloFileKind::kOther},
      {"// no end", HloFileKind::kOther},
      {"/* no end", HloFileKind::kOther},
      {"; ModuleID = 'f'\n", HloFileKind::kOther},
      // As tests of XLA begin, with many lines for FileCheck.
      {std::string(5000, ' ') + kText, HloFileKind::kText},
      {std::string(70000, ' ') + kText, HloFileKind::kOther},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(HloFileKindOf(c.bytes), c.want) << c.bytes;
  }
}

TEST(HloFileKind, OfRealFiles) {
  for (const ProtoFile& file : ReadProtoFiles()) {
    EXPECT_EQ(HloFileKindOf(file.bytes),
              tessera::StrContains(file.name, "xplane") ? HloFileKind::kProfile
                                                        : HloFileKind::kProto)
        << file.name;
  }
}

TEST(FindHloDumps, WhatXlaWritesIsOneDumpForEachModule) {
  const std::string folder = FolderWith({
      {"module_0001.jit_f.before_optimizations.txt", kText},
      {"module_0001.jit_f.cpu_after_optimizations.txt", kText},
      {"module_0001.jit_f.cpu_after_optimizations.hlo.pb", Module()},
      {"module_0001.jit_f.cpu_after_optimizations-buffer-assignment.txt",
       kAssignment},
      {"module_0001.jit_f.cpu_after_optimizations-buffer-assignment-values.txt",
       kValues},
      {"module_0001.jit_f.cpu_after_optimizations-live-range.txt", kRanges},
      {"module_0001.jit_f.cpu_after_optimizations-memory-usage-report.txt",
       kUsage},
      {"module_0001.jit_f.ir-no-opt.ll", "; ModuleID\n"},
      {"module_0002.jit_g.sm_9.0_gpu_after_optimizations.hlo.pb", Module()},
      {"module_0002.jit_g.before_optimizations.hlo.pb", Module()},
      {"module_0002.jit_g.sm_9.0_gpu_after_optimizations-buffer-assignment.txt",
       kAssignment},
      // The same name, another number.
      {"module_0003.jit_g.before_optimizations.txt", kText},
  });
  const absl::StatusOr<DumpFolder> found = FindHloDumps(folder);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE(found->is_folder);
  EXPECT_EQ(found->folder, folder + "/");
  ASSERT_THAT(
      Names(found->dumps),
      ElementsAre("module_0001.jit_f.cpu_after_optimizations.txt",
                  "module_0002.jit_g.sm_9.0_gpu_after_optimizations.hlo.pb",
                  "module_0003.jit_g.before_optimizations.txt"));
  const HloDumpFile& f = found->dumps[0];
  EXPECT_EQ(f.module, "module_0001.jit_f");
  EXPECT_EQ(f.kind, HloFileKind::kText);
  const std::string stem = "module_0001.jit_f.cpu_after_optimizations";
  EXPECT_THAT(
      f.sidecars,
      UnorderedElementsAre(
          Pair(HloFileKind::kProto, stem + ".hlo.pb"),
          Pair(HloFileKind::kBufferAssignment, stem + "-buffer-assignment.txt"),
          Pair(HloFileKind::kBufferAssignmentValues,
               stem + "-buffer-assignment-values.txt"),
          Pair(HloFileKind::kLiveRange, stem + "-live-range.txt"),
          Pair(HloFileKind::kMemoryUsageReport,
               stem + "-memory-usage-report.txt")));
  const HloDumpFile& g = found->dumps[1];
  EXPECT_EQ(g.module, "module_0002.jit_g");
  EXPECT_EQ(g.kind, HloFileKind::kProto);
  EXPECT_THAT(g.sidecars,
              ElementsAre(Pair(HloFileKind::kBufferAssignment, testing::_)));
  EXPECT_THAT(found->dumps[2].sidecars, IsEmpty());
  EXPECT_THAT(
      Reasons(*found),
      UnorderedElementsAre(
          Pair("module_0001.jit_f.before_optimizations.txt",
               "has an earlier stage of a module that is read"),
          Pair("module_0002.jit_g.before_optimizations.hlo.pb",
               "has an earlier stage of a module that is read"),
          Pair(stem + "-memory-usage-report.txt",
               "is a memory usage report: the buffer assignment has the same "
               "numbers, exactly"),
          Pair("module_0001.jit_f.ir-no-opt.ll", "is not an XLA dump")));
}

TEST(FindHloDumps, OneDumpOfAModuleCounts) {
  struct Case {
    std::vector<std::string> files;
    std::vector<std::string> want;
  };
  const Case kCases[] = {
      // Stages.
      {{"module_0001.f.0001.a.after_x.before_y.txt",
        "module_0001.f.0012.a.after_y.before_z.txt",
        "module_0001.f.before_optimizations.txt"},
       {"module_0001.f.before_optimizations.txt"}},
      {{"module_0001.f.0001.a.after_x.before_y.txt",
        "module_0001.f.0012.a.after_y.before_z.txt"},
       {"module_0001.f.0012.a.after_y.before_z.txt"}},
      {{"module_0001.f.tpu_after_optimizations_after_buffer_assignment.txt",
        "module_0001.f.tpu_after_optimizations.txt"},
       {"module_0001.f.tpu_after_optimizations.txt"}},
      {{"module_0001.f.before_optimizations.txt",
        "module_0001.f.tpu_after_optimizations_after_buffer_assignment.txt"},
       {"module_0001.f.tpu_after_optimizations_after_buffer_assignment.txt"}},
      {{"before_optimizations.txt", "after_optimizations.txt"},
       {"after_optimizations.txt"}},
      {{"module_0001.f.9999.a.after_x.before_y.txt",
        "module_0001.f.10000.a.after_y.before_z.txt"},
       {"module_0001.f.10000.a.after_y.before_z.txt"}},
      // What TPU's compiler dumps beside them is no module more.
      {{"module_0001.f.cl_1.after_codegen.txt",
        "module_0001.f.cl_1.after_optimizations.txt",
        "module_0001.f.cl_1.oom_intermediate_module.txt"},
       {"module_0001.f.cl_1.after_optimizations.txt"}},
      {{"module_0001.f.cl_1.before_optimizations.txt",
        "module_0001.f.cl_1.oom_intermediate_module.txt"},
       {"module_0001.f.cl_1.oom_intermediate_module.txt"}},
      // Devices.
      {{"module_0001.f.gfx942_gpu_after_optimizations.txt",
        "module_0001.f.before_optimizations.txt"},
       {"module_0001.f.gfx942_gpu_after_optimizations.txt"}},
      {{"module_0001.f.sm_8.0_gpu.after_optimizations.txt",
        "module_0001.f.before_optimizations.txt"},
       {"module_0001.f.sm_8.0_gpu.after_optimizations.txt"}},
      {{"1700.module_0001.a.b.gpu_after_optimizations.txt",
        "1700.module_0001.a.b.before_optimizations.txt"},
       {"1700.module_0001.a.b.gpu_after_optimizations.txt"}},
      // Packed, or not.
      {{"a.txt", "a.txt.gz", "a.hlo"}, {"a.hlo"}},
      {{"a.txt.gz", "b.txt"}, {"a.txt.gz", "b.txt"}},
      // Names that are not XLA's.
      {{"a.before.txt", "a.after.txt"}, {"a.after.txt", "a.before.txt"}},
      {{"my.net_after_optimizations.txt", "my.other_after_optimizations.txt"},
       {"my.net_after_optimizations.txt", "my.other_after_optimizations.txt"}},
      {{"a_after_optimizations.txt", "b_after_optimizations.txt"},
       {"a_after_optimizations.txt", "b_after_optimizations.txt"}},
      {{"a.0001.txt", "a.0002.txt"}, {"a.0001.txt", "a.0002.txt"}},
  };
  for (const Case& c : kCases) {
    Files files;
    for (const std::string& name : c.files) {
      files.emplace_back(
          name, tessera::EndsWith(name, ".gz") ? Gzipped(kText) : kText);
    }
    const absl::StatusOr<DumpFolder> found = FindHloDumps(FolderWith(files));
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(Names(found->dumps), c.want) << absl::StrJoin(c.files, " ");
    size_t sidecars = 0;
    for (const HloDumpFile& dump : found->dumps) {
      sidecars += dump.sidecars.size();
    }
    EXPECT_EQ(found->unread.size() + sidecars, c.files.size() - c.want.size());
  }
}

TEST(FindHloDumps, StagesAreInTheOrderOfCompilation) {
  const std::string f = "module_0001.f.";
  const std::vector<std::string> passes = {
      f + "0000.a.after_pipeline-start.before_x.txt",
      f + "0002.a.after_x.before_y.txt", f + "9999.b.after_z.before_w.txt",
      f + "10000.b.after_w.before_v.txt"};
  const std::string before = f + "before_optimizations.txt";
  const std::string after = f + "cpu_after_optimizations.txt";
  Files files = {{before, kText},
                 {after, kText},
                 // The same points of time once more.
                 {f + "0002.a.after_x.before_y.hlo.pb", Module()},
                 {f + "cpu_after_optimizations.hlo.pb", Module()},
                 // Of other modules.
                 {"module_0010.f.0001.a.after_x.before_y.txt", kText},
                 {"module_0002.g.before_optimizations.txt", kText},
                 {f + "cpu_after_optimizations-live-range.txt", kRanges}};
  for (const std::string& pass : passes) files.emplace_back(pass, kText);
  std::string folder = FolderWith(files);
  absl::StatusOr<DumpFolder> found = FindHloDumps(folder);
  ASSERT_TRUE(found.ok());
  ASSERT_THAT(Names(found->dumps),
              ElementsAre(after, "module_0002.g.before_optimizations.txt",
                          "module_0010.f.0001.a.after_x.before_y.txt"));
  EXPECT_THAT(found->dumps[0].stages, ElementsAre(before, passes[0], passes[1],
                                                  passes[2], passes[3], after));
  EXPECT_THAT(found->dumps[1].stages, IsEmpty());
  EXPECT_THAT(found->dumps[2].stages, IsEmpty());
  // Up to a file, whether or not it has sidecars.
  found = FindHloDumps(absl::StrCat(folder, "/", passes[1]));
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(found->dumps[0].stages,
              ElementsAre(before, passes[0], passes[1]));
  found = FindHloDumps(absl::StrCat(folder, "/", after));
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->dumps[0].stages.size(), 6);
  found = FindHloDumps(absl::StrCat(folder, "/", before));
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(found->dumps[0].stages, IsEmpty());
  DumpFolderOptions options;
  options.sidecars = false;
  found = FindHloDumps(absl::StrCat(folder, "/", after), options);
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(found->dumps[0].stages, IsEmpty());
  // A compilation that broke off: the module before optimizations is read, and
  // the last stage is a pass.
  folder =
      FolderWith({{before, kText}, {passes[1], kText}, {passes[0], kText}});
  found = FindHloDumps(folder);
  ASSERT_TRUE(found.ok());
  ASSERT_THAT(Names(found->dumps), ElementsAre(before));
  EXPECT_THAT(found->dumps[0].stages,
              ElementsAre(before, passes[0], passes[1]));
}

// It has what instructions use of scoped memory, and is of the same module.
TEST(FindHloDumps, AfterCodegenStandsBesideAfterOptimizations) {
  const std::string stem = "module_0001.f.cl_1.";
  const Files files = {{stem + "before_optimizations.txt", kText},
                       {stem + "after_optimizations.txt", kText},
                       {stem + "after_codegen.txt", kText},
                       {"module_0002.g.cl_1.after_codegen.txt", kText}};
  const std::string folder = FolderWith(files);
  absl::StatusOr<DumpFolder> found = FindHloDumps(folder);
  ASSERT_TRUE(found.ok());
  // By itself it is a module.
  ASSERT_THAT(Names(found->dumps),
              ElementsAre(stem + "after_optimizations.txt",
                          "module_0002.g.cl_1.after_codegen.txt"));
  EXPECT_THAT(found->dumps[0].sidecars,
              ElementsAre(Pair(HloFileKind::kAfterCodegen,
                               stem + "after_codegen.txt")));
  EXPECT_THAT(found->dumps[1].sidecars, IsEmpty());
  EXPECT_EQ(found->unread.size(), 1);
  for (const auto& [file, text] : files) {
    found = FindHloDumps(absl::StrCat(folder, "/", file));
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->dumps[0].sidecars.count(HloFileKind::kAfterCodegen),
              tessera::StrContains(file, "after_optimizations") ? 1 : 0)
        << file;
  }
}

// As in a folder whose files were named anew.
TEST(FindHloDumps, TargetArgumentsWithoutAModuleAreOfAll) {
  const std::string target = "a: 1\ntpu_topology_args {\n}\n";
  const std::string folder = FolderWith({{"a.after_optimizations.txt", kText},
                                         {"b.after_optimizations.txt", kText},
                                         {"b.target_arguments.txt", target},
                                         {"target_arguments.txt", target}});
  absl::StatusOr<DumpFolder> found = FindHloDumps(folder);
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->dumps.size(), 2);
  EXPECT_THAT(
      found->dumps[0].sidecars,
      ElementsAre(Pair(HloFileKind::kTargetArguments, "target_arguments.txt")));
  EXPECT_THAT(found->dumps[1].sidecars,
              ElementsAre(Pair(HloFileKind::kTargetArguments,
                               "b.target_arguments.txt")));
  EXPECT_THAT(found->unread, IsEmpty());
  for (const auto& [file, beside] :
       {std::make_pair("a", "target_arguments.txt"),
        std::make_pair("b", "b.target_arguments.txt")}) {
    found = FindHloDumps(
        absl::StrCat(folder, "/", file, ".after_optimizations.txt"));
    ASSERT_TRUE(found.ok());
    EXPECT_THAT(found->dumps[0].sidecars,
                ElementsAre(Pair(HloFileKind::kTargetArguments, beside)));
  }
  found = FindHloDumps(FolderWith({{"target_arguments.txt", target}}));
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(found->dumps, IsEmpty());
  EXPECT_EQ(found->unread.size(), 1);
}

TEST(FindHloDumps, OptionsOfTheCompilerStandBesideEveryStage) {
  const std::string options =
      "xla_enable_async_collective_permute: AUTO\n"
      "xla_tpu_scoped_vmem_limit_kib: -1\n";
  EXPECT_EQ(HloFileKindOf(options), HloFileKind::kCompilerOptions);
  EXPECT_EQ(HloFileKindOf("xla_tpu_ior_cmem: \"\"\n"),
            HloFileKind::kCompilerOptions);
  for (const char* other : {"xla_enable_this: AUTO\n", "a, b\nxla_tpu_c: 1\n",
                            ": 1\nxla_tpu_c: 1\n", "a:b\nxla_tpu_c: 1\n"}) {
    EXPECT_EQ(HloFileKindOf(other), HloFileKind::kOther) << other;
  }
  for (const char* stage : {"after_optimizations", "before_optimizations"}) {
    const std::string name = absl::StrCat("module_0001.f.cl_1.", stage, ".txt");
    const absl::StatusOr<DumpFolder> found = FindHloDumps(FolderWith(
        {{name, kText}, {"module_0001.f.cl_1.tpu_comp_env.txt", options}}));
    ASSERT_TRUE(found.ok());
    ASSERT_THAT(Names(found->dumps), ElementsAre(name));
    EXPECT_THAT(found->dumps[0].sidecars,
                ElementsAre(Pair(HloFileKind::kCompilerOptions,
                                 "module_0001.f.cl_1.tpu_comp_env.txt")));
  }
}

// The target of a compilation is that of the module at every stage.
TEST(FindHloDumps, TargetArgumentsStandBesideEveryStage) {
  const std::string target =
      "replica_count: 1\ntpu_topology_args {\n  version: "
      "TPU_VERSION_GHOSTLITE\n}\n";
  EXPECT_EQ(HloFileKindOf(target), HloFileKind::kTargetArguments);
  for (const char* stage : {"after_optimizations", "before_optimizations"}) {
    const std::string name = absl::StrCat("module_0001.f.cl_1.", stage, ".txt");
    const std::string folder =
        FolderWith({{name, kText},
                    {"module_0001.f.cl_1.target_arguments.txt", target},
                    {"module_0002.g.cl_1.target_arguments.txt", target}});
    absl::StatusOr<DumpFolder> found = FindHloDumps(folder);
    ASSERT_TRUE(found.ok());
    ASSERT_THAT(Names(found->dumps), ElementsAre(name));
    EXPECT_THAT(found->dumps[0].sidecars,
                ElementsAre(Pair(HloFileKind::kTargetArguments,
                                 "module_0001.f.cl_1.target_arguments.txt")));
    EXPECT_EQ(found->unread.size(), 1);
    found = FindHloDumps(absl::StrCat(folder, "/", name));
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->dumps[0].sidecars.size(), 1);
  }
}

TEST(FindHloDumps, AProfileIsADumpOfItsOwn) {
  const std::string profile = MadeField(1, "\x12\x0e/host:metadata");
  const absl::StatusOr<DumpFolder> found =
      FindHloDumps(FolderWith({{"host.xplane.pb", profile},
                               {"host.txt", kText},
                               {"host-buffer-assignment.txt", kAssignment}}));
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(Names(found->dumps), ElementsAre("host.txt", "host.xplane.pb"));
  EXPECT_EQ(found->dumps[0].sidecars.size(), 1);
  EXPECT_THAT(found->dumps[1].sidecars, IsEmpty());
}

TEST(FindHloDumps, WhateverElseIsInTheFolderIsNamed) {
  const std::string folder = FolderWith({
      {"a.txt", kText},
      {"empty.txt", ""},
      {"lost-buffer-assignment.txt", kAssignment},
      {"notes.md", "# Notes\n"},
      {"secret.txt", kText},
      {"short.gz", std::string("\x1F\x8B\x08", 3)},
      {"x.txt.xz",
       "\xFD"
       "7zXZ and so on"},
      {"z.txt.zst", "\x28\xB5\x2F\xFD and so on"},
  });
  const auto path = [&folder](const char* name) {
    return absl::StrCat(folder, "/", name);
  };
  ASSERT_EQ(mkdir(path("folder").c_str(), 0700), 0);
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  ASSERT_EQ(symlink("loop", path("loop").c_str()), 0);
  ASSERT_EQ(symlink("nowhere", path("dangling").c_str()), 0);
  ASSERT_EQ(symlink("a.txt", path("link.txt").c_str()), 0);
  ASSERT_EQ(symlink("/dev/zero", path("zero").c_str()), 0);
  ASSERT_EQ(chmod(path("secret.txt").c_str(), 0), 0);
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string socket_path = path("socket");
  const bool has_socket =
      socket_path.size() < sizeof(address.sun_path) &&
      (socket_path.copy(address.sun_path, socket_path.size()),
       bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof(address)) ==
           0);

  const absl::StatusOr<DumpFolder> found = FindHloDumps(folder);
  close(listener);
  ASSERT_TRUE(found.ok()) << found.status();
  std::vector<std::string> dumps = {"a.txt", "link.txt"};
  std::map<std::string, std::string> want = {
      {"dangling", "! cannot be read: No such file or directory"},
      {"empty.txt", "is empty"},
      {"fifo", "is not a regular file"},
      {"folder", "is a folder"},
      {"loop", "! cannot be read: Too many levels of symbolic links"},
      {"lost-buffer-assignment.txt",
       "is a buffer assignment, but its module is not next to it"},
      {"notes.md", "is not an XLA dump"},
      {"short.gz", "! the gzip data ends too early"},
      {"x.txt.xz",
       "is compressed by xz, which is not supported; decompress it"},
      {"z.txt.zst",
       "is compressed by zstd, which is not supported; decompress it"},
      {"zero", "is not a regular file"},
  };
  if (has_socket) want["socket"] = "is not a regular file";
  // Root may read everything.
  if (access(path("secret.txt").c_str(), R_OK) == 0) {
    dumps.push_back("secret.txt");
  } else {
    want["secret.txt"] = "! cannot be read: Permission denied";
  }
  EXPECT_EQ(Names(found->dumps), dumps);
  EXPECT_EQ(Reasons(*found), want);
}

TEST(FindHloDumps, AFileFindsItsNeighbours) {
  const std::string stem = "module_0001.f.cpu_after_optimizations";
  const std::string folder = FolderWith({
      {"module_0001.f.before_optimizations.txt", kText},
      {stem + ".txt", kText},
      {stem + "-buffer-assignment.txt", kAssignment},
      {"module_0001.g.cpu_after_optimizations-buffer-assignment.txt",
       kAssignment},
      {"module_0002.f.cpu_after_optimizations-buffer-assignment.txt",
       kAssignment},
  });
  const std::string file = absl::StrCat(folder, "/", stem, ".txt");
  absl::StatusOr<DumpFolder> found = FindHloDumps(file);
  ASSERT_TRUE(found.ok());
  EXPECT_FALSE(found->is_folder);
  EXPECT_EQ(found->folder, folder + "/");
  EXPECT_THAT(Names(found->dumps), ElementsAre(stem + ".txt"));
  EXPECT_THAT(found->dumps[0].sidecars,
              ElementsAre(Pair(HloFileKind::kBufferAssignment,
                               stem + "-buffer-assignment.txt")));
  EXPECT_THAT(found->unread, IsEmpty());

  DumpFolderOptions alone;
  alone.sidecars = false;
  found = FindHloDumps(file, alone);
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(Names(found->dumps), ElementsAre(stem + ".txt"));
  EXPECT_THAT(found->dumps[0].sidecars, IsEmpty());

  // The assignment is of the module after optimizations, not before.
  found = FindHloDumps(folder + "/module_0001.f.before_optimizations.txt");
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(found->dumps[0].sidecars, IsEmpty());

  // A sidecar finds its module.
  found =
      FindHloDumps(absl::StrCat(folder, "/", stem, "-buffer-assignment.txt"));
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(Names(found->dumps), ElementsAre(stem + ".txt"));
  EXPECT_THAT(Reasons(*found),
              ElementsAre(Pair(stem + "-buffer-assignment.txt",
                               "is a buffer assignment without a module")));
  found = FindHloDumps(
      folder + "/module_0001.g.cpu_after_optimizations-buffer-assignment.txt");
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(found->dumps, IsEmpty());
  EXPECT_EQ(found->unread.size(), 1);
}

TEST(FindHloDumps, AFileOfAnotherNameFindsItsNeighboursToo) {
  const std::string folder =
      FolderWith({{"f.txt", kText},
                  {"f-buffer-assignment.txt", kAssignment},
                  {"f.live-range.txt", kRanges},
                  {"f2-buffer-assignment.txt", kAssignment}});
  const absl::StatusOr<DumpFolder> found = FindHloDumps(folder + "/f.txt");
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(
      found->dumps[0].sidecars,
      UnorderedElementsAre(
          Pair(HloFileKind::kBufferAssignment, "f-buffer-assignment.txt"),
          Pair(HloFileKind::kLiveRange, "f.live-range.txt")));
}

// A pipe that nobody writes to is not opened, and a file that is no dump is
// left to whoever reads it.
TEST(FindHloDumps, AFileIsADumpWhateverItIs) {
  const std::string folder = FolderWith({{"text", "ENTRY e { }"}});
  ASSERT_EQ(mkfifo((folder + "/fifo").c_str(), 0600), 0);
  for (const char* name : {"text", "fifo"}) {
    const absl::StatusOr<DumpFolder> found =
        FindHloDumps(absl::StrCat(folder, "/", name));
    ASSERT_TRUE(found.ok());
    EXPECT_THAT(Names(found->dumps), ElementsAre(name));
    EXPECT_EQ(found->dumps[0].kind, HloFileKind::kOther);
    EXPECT_THAT(found->unread, IsEmpty());
  }
}

TEST(FindHloDumps, RelativeNames) {
  const std::string folder = FolderWith({{"f.txt", kText}});
  const int here = open(".", O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(chdir(folder.c_str()), 0);
  EXPECT_EQ(FindHloDumps("f.txt")->folder, "");
  EXPECT_THAT(Names(FindHloDumps("f.txt")->dumps), ElementsAre("f.txt"));
  EXPECT_EQ(FindHloDumps(".")->folder, "./");
  EXPECT_THAT(Names(FindHloDumps("./")->dumps), ElementsAre("f.txt"));
  EXPECT_EQ(fchdir(here), 0);
  close(here);
}

TEST(FindHloDumps, Errors) {
  const absl::Status missing = FindHloDumps("/no/such/folder").status();
  EXPECT_TRUE(absl::IsUnavailable(missing));
  EXPECT_THAT(missing.message(), HasSubstr("No such file or directory"));
  EXPECT_TRUE(absl::IsUnavailable(FindHloDumps("").status()));
}

}  // namespace
}  // namespace tessera
