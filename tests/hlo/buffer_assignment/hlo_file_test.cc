#include "tessera/hlo/buffer_assignment/hlo_file.h"

#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/tests/status_matchers.h"
#include "tests/hlo/made_proto.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kModule[] =
    "HloModule m, is_scheduled=true\n"
    "ENTRY e { ROOT x = f32[2]{0} parameter(0) }\n";
constexpr char kAssignment[] =
    "BufferAssignment:\n"
    "allocation 0: size 8, parameter 0, shape |f32[2]| at ShapeIndex {}:\n"
    " value: <0 x @0> (size=8,offset=0): f32[2]{0}\n";

// Writes a file into a folder of this test's own; returns its path.
std::string Write(const std::string& name, std::string_view text) {
  const std::string path = ::testing::TempDir() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

TEST(HloFile, WhatStandsBesideItIsRead) {
  const std::string path = Write("a.txt", kModule);
  Write("a-buffer-assignment.txt", kAssignment);
  const absl::StatusOr<HloFile> file = ReadHloFile(path);
  ASSERT_THAT(file, IsOk());
  EXPECT_THAT(file->sidecar_problems, SizeIs(0));
  EXPECT_TRUE(file->assignments.are_sidecars);
  const BufferAssignment* assignment =
      file->assignments.Of(file->dump.modules()[0]);
  ASSERT_NE(assignment, nullptr);
  EXPECT_EQ(assignment->values[0].instruction, "x");
  EXPECT_THAT(file->assignments.of_modules, SizeIs(1));

  HloFileOptions options;
  options.sidecars = false;
  const absl::StatusOr<HloFile> alone = ReadHloFile(path, options);
  ASSERT_THAT(alone, IsOk());
  EXPECT_EQ(alone->assignments.Of(alone->dump.modules()[0]), nullptr);
}

TEST(HloFile, AnAnalysisTakesXlasAssignment) {
  const std::string path = Write("analyzed.txt", kModule);
  Write("analyzed-buffer-assignment.txt", kAssignment);
  const absl::StatusOr<HloFile> file = ReadHloFile(path);
  ASSERT_THAT(file, IsOk());
  const absl::StatusOr<ModuleAnalysis> beside = ModuleAnalysis::Of(*file);
  ASSERT_THAT(beside, IsOk());
  EXPECT_TRUE(beside->is_assigned_by_xla());
  EXPECT_EQ(beside->ReservedIn(0).assigned_bytes, 8);
  const absl::StatusOr<ModuleAnalysis> alone =
      ModuleAnalysis::Of(file->dump, file->dump.modules()[0]);
  ASSERT_THAT(alone, IsOk());
  EXPECT_FALSE(alone->is_assigned_by_xla());

  const absl::StatusOr<HloFile> empty = ReadHloBytes(FileBytes::OfText(""));
  ASSERT_THAT(empty, IsOk());
  EXPECT_EQ(ModuleAnalysis::Of(*empty).status(),
            absl::OutOfRangeError("there is no module 0: the file has 0"));
  EXPECT_EQ(ModuleAnalysis::Of(*file, -1).status().code(),
            absl::StatusCode::kOutOfRange);
}

TEST(HloFile, MistakesBesideItAreNoError) {
  const std::string path = Write("b.txt", kModule);
  const std::string beside = Write(
      "b-buffer-assignment.txt", "BufferAssignment:\nallocation 0: size ?:\n");
  const absl::StatusOr<HloFile> file = ReadHloFile(path);
  ASSERT_THAT(file, IsOk());
  ASSERT_THAT(file->sidecar_problems, SizeIs(1));
  EXPECT_EQ(file->sidecar_problems[0].file, beside);
  EXPECT_EQ(file->sidecar_problems[0].diagnostics[0].line, 2);
}

TEST(HloFile, AnAssignmentOfAnotherModuleIsNotTaken) {
  struct Case {
    const char* module;
    const char* message;  // "" if the assignment is taken
  };
  constexpr Case kCases[] = {
      {"HloModule m\nENTRY e { ROOT y = f32[2]{0} parameter(0) }\n",
       "this buffer assignment is of another module: it has x, f32[2], and the "
       "module has no such instruction"},
      {"HloModule m\nENTRY e { ROOT x = f32[4]{0} parameter(0) }\n",
       "this buffer assignment is of another module: x is f32[2] in it, and "
       "f32[4] in the module"},
      {"HloModule m\nENTRY e { ROOT x = s32[2]{0} parameter(0) }\n",
       "this buffer assignment is of another module: x is f32[2] in it, and "
       "s32[2] in the module"},
      {"HloModule m\nENTRY e { ROOT x = (f32[2]{0}) parameter(0) }\n", ""},
      {"HloModule m\nENTRY e { ROOT x = f32[2]{0:T(8)} parameter(0) }\n", ""},
      // Its instruction may be one that cannot be read.
      {"HloModule m\nENTRY e { ROOT x = f32[2 parameter(0) }\n", ""},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.module);
    const std::string path = Write("other.txt", c.module);
    const std::string beside =
        Write("other-buffer-assignment.txt", kAssignment);
    const absl::StatusOr<HloFile> file = ReadHloFile(path);
    ASSERT_THAT(file, IsOk());
    const bool is_taken = std::string_view(c.message).empty();
    EXPECT_EQ(file->assignments.Of(file->dump.modules()[0]) != nullptr,
              is_taken);
    ASSERT_THAT(file->sidecar_problems, SizeIs(is_taken ? 0 : 1));
    if (is_taken) continue;
    EXPECT_EQ(file->sidecar_problems[0].file, beside);
    EXPECT_EQ(file->sidecar_problems[0].status,
              absl::InvalidArgumentError(c.message));
  }
}

TEST(HloFile, AnAssignmentOfMissingPartsIsNotTaken) {
  const std::string path = Write(
      "parts.txt", "HloModule m\nENTRY e { ROOT x = (f32[2]) parameter(0) }\n");
  for (const auto& [index, is_taken] :
       {std::pair("{0}", true), std::pair("{1}", false)}) {
    Write("parts-buffer-assignment.txt",
          absl::StrCat("BufferAssignment:\n"
                       "allocation 0: size 8, parameter 0, shape |f32[2]| at "
                       "ShapeIndex ",
                       index, ":\n value: <0 x", index,
                       " @0> (size=8,offset=0): f32[2]{0}\n"));
    const absl::StatusOr<HloFile> file = ReadHloFile(path);
    ASSERT_THAT(file, IsOk());
    ASSERT_THAT(file->sidecar_problems, SizeIs(is_taken ? 0 : 1)) << index;
    if (is_taken) continue;
    EXPECT_EQ(file->sidecar_problems[0].status.message(),
              "this buffer assignment is of another module: x{1} is f32[2] in "
              "it, and missing in the module");
  }
}

// What TPU's compiler says of scoped memory.
TEST(HloFile, ScopedVmemBesideIt) {
  const std::string stem = "module_0001.scoped.cl_1.";
  const std::string path = Write(stem + "after_optimizations.txt", kModule);
  Write(stem + "tpu_comp_env.txt",
        "xla_enable_a: true\nxla_tpu_scoped_vmem_limit_kib: 32768\n");
  const std::string codegen = Write(
      stem + "after_codegen.txt",
      "HloModule m, is_scheduled=true\n"
      "ENTRY e { ROOT x = f32[2]{0} parameter(0), backend_config={"
      "\"used_scoped_memory_configs\":[{\"memory_space\":\"1\",\"offset\":"
      "\"0\",\"size\":\"4096\"}]} }\n");
  absl::StatusOr<HloFile> file = ReadHloFile(path);
  ASSERT_THAT(file, IsOk());
  EXPECT_THAT(file->sidecar_problems, SizeIs(0));
  EXPECT_EQ(file->assignments.scoped_vmem_limit, 32 << 20);
  ASSERT_TRUE(file->assignments.scoped_vmem_use.has_value());
  EXPECT_EQ(file->assignments.scoped_vmem_use->at("x"), 4096);
  EXPECT_FALSE(file->assignments.are_sidecars);

  // What is wrong with it is said, and what can be read counts.
  Write(stem + "after_codegen.txt", "HloModule m\nENTRY e { x = f32[2 }\n");
  file = ReadHloFile(path);
  ASSERT_THAT(file, IsOk());
  ASSERT_THAT(file->sidecar_problems, SizeIs(1));
  EXPECT_EQ(file->sidecar_problems[0].file, codegen);
  EXPECT_GT(file->sidecar_problems[0].diagnostic_count, 0);

  HloFileOptions options;
  options.sidecars = false;
  file = ReadHloFile(path, options);
  ASSERT_THAT(file, IsOk());
  EXPECT_FALSE(file->assignments.scoped_vmem_use.has_value());
  // What the compiler was asked for is none of its results.
  EXPECT_EQ(file->assignments.scoped_vmem_limit, 32 << 20);
}

TEST(HloFile, ASidecarIsNoDump) {
  const std::string module = Write("c.txt", kModule);
  const std::string path = Write("c-buffer-assignment.txt", kAssignment);
  const absl::Status status = ReadHloFile(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      status.message(),
      absl::StrCat("this is a buffer assignment; give the module's own file, ",
                   module, "; 'tessera hlo explain' reads this one by itself"));
  EXPECT_THAT(
      std::string(
          ReadHloBytes(FileBytes::OfText(kAssignment)).status().message()),
      HasSubstr("next to which XLA's buffer assignment is read"));
}

TEST(HloFile, Protos) {
  const absl::StatusOr<HloFile> file = ReadHloBytes(FileBytes::OfText(
      MadeHloProto({MadeComputation("main", 9, 1, {Parameter("x", 1, 0)})})));
  ASSERT_THAT(file, IsOk());
  EXPECT_TRUE(file->dump.is_from_proto());
  EXPECT_FALSE(MayHaveSidecars(file->dump));
  EXPECT_THAT(file->assignments.of_modules, SizeIs(1));
}

TEST(HloFile, WhatIsNotThere) {
  EXPECT_EQ(ReadHloFile("/no/such/dump.txt").status(),
            absl::UnavailableError("/no/such/dump.txt: cannot be read: No such "
                                   "file or directory"));
}

TEST(HloFile, EachFileBesideItHasItsOwnMistakes) {
  const std::string path = Write("d.txt", kModule);
  const std::string own = Write("d-buffer-assignment.txt",
                                std::string(kAssignment) + "allocation 1: ?\n");
  const std::string values =
      Write("d-buffer-assignment-values.txt",
            "\nTotal bytes used: x\n\nUsed values:\n<4 b>\n");
  const std::string ranges =
      Write("d-live-range.txt",
            "HloLiveRange (max 1):\n  InstructionSequence:\n    0:x\n"
            "  BufferLiveRange:\n    x{}:0-2\n"
            "  Live ranges at 0 (peak):\n");
  const absl::StatusOr<HloFile> file = ReadHloFile(path);
  ASSERT_THAT(file, IsOk());
  ASSERT_THAT(file->sidecar_problems, SizeIs(3));
  const std::vector<std::string> files = {own, values, ranges};
  const std::vector<size_t> counts = {1, 2, 1};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(file->sidecar_problems[i].file, files[i]);
    EXPECT_THAT(file->sidecar_problems[i].diagnostics, SizeIs(counts[i])) << i;
    EXPECT_EQ(file->sidecar_problems[i].diagnostic_count, counts[i]) << i;
  }
}

TEST(HloFile, SeveralModulesHaveNoFilesBesideThem) {
  const std::string path = Write("e.txt", std::string(kModule) + kModule);
  Write("e-buffer-assignment.txt", kAssignment);
  const absl::StatusOr<HloFile> file = ReadHloFile(path);
  ASSERT_THAT(file, IsOk());
  EXPECT_FALSE(file->assignments.are_sidecars);
}

}  // namespace
}  // namespace tessera
