#include "tessera/hlo/hlo_file_kind.h"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace tessera {
namespace {

// tests/hlo/dump_folder_test.cc has the kinds of files that XLA writes.
TEST(HloFileKind, OfWhatPeoplePaste) {
  struct Case {
    const char* text;
    HloFileKind want;
  };
  constexpr Case kCases[] = {
      {"RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm.",
       HloFileKind::kMemoryMessage},
      {"E1001: CompileTimeScopedVmemOom:", HloFileKind::kMemoryMessage},
      {"BufferAssignment OOM Debugging.\nBufferAssignment stats:\n",
       HloFileKind::kMemoryMessage},
      // '#' begins a comment elsewhere.
      {"# Out of memory while trying to allocate 12 bytes.",
       HloFileKind::kMemoryMessage},
      {"RESOURCE_EXHAUSTED: quota", HloFileKind::kOther},
      // A log of both is read as HLO.
      {"Ran out of memory in memory space hbm.\nHloModule m\n",
       HloFileKind::kOther},
      {"module @jit_f {\n  %0 = stablehlo.add %a, %a : tensor<8xf32>\n}",
       HloFileKind::kStableHlo},
      {"#loc = loc(unknown)\nmodule @jit_f attributes {mhlo.num_replicas = 1} "
       "{}",
       HloFileKind::kStableHlo},
      {"func.func @main() { stablehlo.return }", HloFileKind::kStableHlo},
      {"\"builtin.module\"() ({ \"stablehlo.add\"() })",
       HloFileKind::kStableHlo},
      {"module {\n  func.func @main() {}\n}", HloFileKind::kMlir},
      {"modules", HloFileKind::kOther},
      {"Layout(major_to_minor=(0, 1), tiling=None)", HloFileKind::kJaxLayout},
      {"Format(layout=DeviceLocalLayout(major_to_minor=(0,)))",
       HloFileKind::kJaxLayout},
      {"Layout(shape=(0, 1))", HloFileKind::kOther},
      {"f {\n  x = f32[2] add(a, b), metadata={op_name=\"g[layout="
       "Layout(major_to_minor=(0,))]\"}\n}",
       HloFileKind::kOther},
      {"%copy.6 = f16[2,128]{1,0} copy(f16[2,128]{0,1} %b)",
       HloFileKind::kInstruction},
      {"  ROOT x.1 = (f32[2]{0}, (s32[])) tuple(a, b)",
       HloFileKind::kInstruction},
      {"ROOT = f32[2] add(a, b)", HloFileKind::kInstruction},
      // CuTe's calculator.
      {"A = (8,4):(1,8)", HloFileKind::kOther},
      {"A = coalesce(4:1)", HloFileKind::kOther},
      {"f32 = 8:1", HloFileKind::kOther},
      {"f32[2]{0}", HloFileKind::kOther},
      {"(8,4):(1,8)", HloFileKind::kOther},
      {"%x = ", HloFileKind::kOther},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(HloFileKindOf(c.text), c.want) << c.text;
  }
}

TEST(HloFileKind, OfTheMessagesInTheTests) {
  for (const char* name :
       {"e1000.txt", "e1000_arguments.txt", "e1000_temporaries.txt",
        "e1001.txt", "e1001_in_python.txt", "window.txt", "tpu_list.txt",
        "vmem_list.txt", "gpu_list.txt", "allocation_hbm.txt", "request.txt",
        "used_only.txt"}) {
    std::ifstream file(absl::StrCat("tests/hlo/data/messages/", name));
    const std::string text{std::istreambuf_iterator<char>(file),
                           std::istreambuf_iterator<char>()};
    EXPECT_EQ(HloFileKindOf(text), HloFileKind::kMemoryMessage) << name;
  }
}

TEST(HloFileKind, Binaries) {
  using std::string_literals::operator""s;
  EXPECT_EQ(HloFileKindOf("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"s),
            HloFileKind::kBinary);
  EXPECT_EQ(HloFileKindOf("\x7f"
                          "ELF\x02\x01\x01\0\0\0"s),
            HloFileKind::kBinary);
  EXPECT_EQ(HloFileKindOf("\xff\xfeH\0l\0o\0"s), HloFileKind::kUtf16);
  EXPECT_EQ(HloFileKindOf("\xfe\xff\0H\0l\0o"s), HloFileKind::kUtf16);
  std::string random;
  uint32_t state = 7;
  for (int i = 0; i < 4096; ++i) {
    state = state * 1664525 + 1013904223;
    random.push_back(static_cast<char>(state >> 24));
  }
  EXPECT_EQ(HloFileKindOf(random), HloFileKind::kBinary);
  // Texts in any language, in colours, and damaged ones.
  EXPECT_EQ(HloFileKindOf("// \xe5\xbd\xa2\xe7\x8a\xb6\nHloModule m"),
            HloFileKind::kText);
  EXPECT_EQ(HloFileKindOf("\x1b[1mHloModule\x1b[0m m"), HloFileKind::kOther);
  EXPECT_EQ(HloFileKindOf("HloModule m, a={\0\1\2\3}"s), HloFileKind::kText);
}

TEST(HloFileKind, WhatToDoWithEach) {
  for (const HloFileKind kind :
       {HloFileKind::kText, HloFileKind::kProto, HloFileKind::kProfile,
        HloFileKind::kInstruction, HloFileKind::kOther}) {
    EXPECT_THAT(CheckIsHlo(kind), IsOk());
  }
  EXPECT_EQ(
      CheckIsHlo(HloFileKind::kMemoryMessage).message(),
      "this is a message about memory, not a module; 'tessera hlo explain' "
      "reads it");
  EXPECT_EQ(
      CheckIsHlo(HloFileKind::kJaxLayout).message(),
      "this is a layout of JAX, not a module; 'tessera hlo explain' reads "
      "it");
  EXPECT_EQ(CheckIsHlo(HloFileKind::kStableHlo).message(),
            "this is StableHLO, which has no layouts and takes no memory "
            "before it is compiled; in JAX, lowered.compile().as_text() is HLO "
            "text");
  EXPECT_EQ(CheckIsHlo(HloFileKind::kBinary).message(),
            "this is a binary file, not HLO text or a proto of XLA");
  EXPECT_EQ(CheckIsHlo(HloFileKind::kUtf16).message(),
            "this is text in UTF-16; convert it to UTF-8");
  EXPECT_EQ(CheckIsHlo(HloFileKind::kMlir).message(),
            "this is MLIR, not HLO; HLO text begins with the word HloModule");
  EXPECT_EQ(CheckIsHlo(HloFileKind::kBufferAssignment).message(),
            "this is a buffer assignment; give the module's own file, next to "
            "which XLA's buffer assignment is read; 'tessera hlo explain' "
            "reads this one by itself");
  EXPECT_EQ(CheckIsHlo(HloFileKind::kLiveRange, "a.txt").message(),
            "this is the live ranges of a buffer assignment; give the module's "
            "own file, a.txt");
}

}  // namespace
}  // namespace tessera
