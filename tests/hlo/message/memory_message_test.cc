#include "tessera/hlo/message/memory_message.h"

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/message/stated_bytes.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Contents(const std::string& name) {
  std::ifstream file(absl::StrCat("tests/hlo/data/messages/", name));
  return {std::istreambuf_iterator<char>(file),
          std::istreambuf_iterator<char>()};
}

MemoryMessage Read(const std::string& text) {
  const std::vector<MemoryMessage> messages = ReadMemoryMessages(text);
  EXPECT_THAT(messages, SizeIs(1)) << text;
  return messages.empty() ? MemoryMessage() : messages[0];
}

TEST(StatedBytes, UnitsAndTheirLastDigit) {
  struct Case {
    const char* text;
    size_t size;
    int64_t bytes;
    int64_t slack;
  };
  constexpr Case kCases[] = {
      {"0B", 2, 0, 0},
      {"4B ", 2, 4, 0},
      {"64.0K", 5, 65536, 102},
      {"4K", 2, 4096, 1024},
      {"16.00G hbm", 6, int64_t{16} << 30, 10737418},
      {"3.40GiB", 7, 3650722201, 10737418},
      {"22271409880 bytes", 11, 22271409880, 0},
      {"1.50P.", 5, 1688849860263936, 11258999068426},
      {"12.5.1", 4, 12, 0},
      {"", 0, 0, 0},
      {"unknown size", 0, 0, 0},
      {"0x10", 0, 0, 0},
      {"1.25e3", 0, 0, 0},
      {".5G", 0, 0, 0},
      {"9999999P", 0, 0, 0},
      {"123456789012345678", 0, 0, 0},
  };
  for (const Case& c : kCases) {
    StatedBytes stated;
    EXPECT_EQ(ReadStatedBytes(c.text, &stated), c.size) << c.text;
    EXPECT_EQ(stated.bytes, c.bytes) << c.text;
    EXPECT_EQ(stated.slack, c.slack) << c.text;
  }
  StatedBytes stated;
  ReadStatedBytes("64.0K", &stated);
  EXPECT_TRUE(stated.Covers(65536 + 102));
  EXPECT_FALSE(stated.Covers(65536 + 103));
  EXPECT_TRUE(stated.Covers(65536 - 102));
  EXPECT_FALSE(stated.Covers(65536 - 103));
}

TEST(MemoryMessage, TotalsOfToday) {
  const MemoryMessage message = Read(Contents("e1000.txt"));
  EXPECT_EQ(message.kind, MemoryMessage::Kind::kTotals);
  EXPECT_EQ(message.error_code, "E1000");
  EXPECT_EQ(message.memory_space, "hbm");
  EXPECT_EQ(message.module, "jit_oom_hbm");
  EXPECT_EQ(message.needed->bytes, 20809116549);
  EXPECT_EQ(message.available->bytes, 16911433728);
  EXPECT_FALSE(message.excess.has_value());
  EXPECT_THAT(message.allocations, SizeIs(0));
  EXPECT_EQ(Read(Contents("e1000_arguments.txt")).module, "jit_args_too_big");
  EXPECT_EQ(Read(Contents("e1000_temporaries.txt")).module, "jit_temps");
}

TEST(MemoryMessage, TotalsWithoutAList) {
  const MemoryMessage message = Read(Contents("used_only.txt"));
  EXPECT_EQ(message.kind, MemoryMessage::Kind::kTotals);
  EXPECT_EQ(message.error_code, "E1000");
  EXPECT_EQ(message.memory_space, "hbm");
  EXPECT_EQ(message.available->bytes, 33554432000);
  EXPECT_EQ(message.excess->bytes, 197482596270);
}

TEST(MemoryMessage, Scoped) {
  const MemoryMessage message = Read(Contents("e1001.txt"));
  EXPECT_EQ(message.kind, MemoryMessage::Kind::kScoped);
  EXPECT_EQ(message.error_code, "E1001");
  EXPECT_EQ(message.memory_space, "vmem");
  EXPECT_EQ(message.needed->bytes, 43882905);
  EXPECT_EQ(message.available->bytes, 16777216);
  EXPECT_EQ(message.excess->bytes, 27105689);
  EXPECT_TRUE(
      tessera::StartsWith(message.instruction_text,
                          "%scoped.1 = bf16[2048,2048]{1,0:T(8,128)(2,1)} "
                          "custom-call(%x.1)"));
  EXPECT_TRUE(tessera::EndsWith(message.instruction_text, "stack_frame_id=2}"));
}

TEST(MemoryMessage, LineBreaksOfPython) {
  const MemoryMessage message = Read(Contents("e1001_in_python.txt"));
  EXPECT_EQ(message.kind, MemoryMessage::Kind::kScoped);
  EXPECT_EQ(message.needed->bytes, 38010880);
  EXPECT_TRUE(tessera::EndsWith(message.instruction_text,
                                "metadata={op_name=\"jit(call)/pallas_call\"}"))
      << message.instruction_text;
}

TEST(MemoryMessage, Window) {
  const MemoryMessage message = Read(Contents("window.txt"));
  EXPECT_EQ(message.kind, MemoryMessage::Kind::kAllocation);
  EXPECT_EQ(message.memory_space, "vmem");
  EXPECT_EQ(message.needed->bytes, 268435456);
  EXPECT_EQ(message.available->bytes, 134217728);
  ASSERT_THAT(message.allocations, SizeIs(1));
  const StatedAllocation& allocation = message.allocations[0];
  EXPECT_EQ(allocation.shape_text, "u8[268435456]{0}");
  EXPECT_EQ(allocation.window_text, "f32[4096,8192]");
  EXPECT_EQ(allocation.full_text, "f32[8192,8192]");
  EXPECT_EQ(allocation.buffers, 2);
  EXPECT_EQ(allocation.instruction, "oom_vmem.1");
  EXPECT_EQ(allocation.type, "scoped");
}

TEST(MemoryMessage, AllocationInHbm) {
  const MemoryMessage message = Read(Contents("allocation_hbm.txt"));
  EXPECT_EQ(message.memory_space, "hbm");
  ASSERT_THAT(message.allocations, SizeIs(1));
  EXPECT_EQ(message.allocations[0].shape_text,
            "f32[320,4096,4096]{1,2,0:T(8,128)}");
  EXPECT_EQ(message.allocations[0].tag, "output of fusion.30.remat@{1}");
  EXPECT_EQ(message.allocations[0].instruction, "");
  EXPECT_EQ(message.allocations[0].buffers, 0);
}

std::vector<std::string> PartNames(const MemoryMessage& message) {
  std::vector<std::string> names;
  for (const StatedPart& part : message.parts) names.push_back(part.name);
  return names;
}

TEST(MemoryMessage, ListOfTpu) {
  const MemoryMessage message = Read(Contents("tpu_list.txt"));
  EXPECT_EQ(message.kind, MemoryMessage::Kind::kTpuList);
  EXPECT_EQ(message.memory_space, "hbm");
  EXPECT_EQ(message.needed->bytes, 44817983733);
  EXPECT_THAT(PartNames(message),
              ElementsAre("reserved", "program", "arguments", "program: global",
                          "program: scoped", "program: HLO temp"));
  EXPECT_EQ(message.parts[2].bytes.bytes, 0);
  ASSERT_THAT(message.allocations, SizeIs(5));
  const StatedAllocation& first = message.allocations[0];
  EXPECT_EQ(first.size.bytes, int64_t{32} << 30);
  EXPECT_EQ(first.unpadded->bytes, int64_t{1} << 30);
  EXPECT_EQ(first.shape_text, "s32[8388608,8,4]{2,1,0:T(8,128)}");
  EXPECT_EQ(first.op_name, "jit(step)/jit(main)/wrap/rem");
  EXPECT_EQ(first.source_line, "/home/user/simulate.py:41");
  EXPECT_EQ(first.instruction, "copy.88");
  EXPECT_EQ(first.type, "HLO temp");
  // Its op_name goes over several lines.
  EXPECT_EQ(message.allocations[1].op_name,
            "jit(step)/conv_general_dilated[ batch_group_count=1 "
            "lhs_shape=(1, 8, 2176, 1056, 2) ]");
  EXPECT_EQ(message.allocations[1].source_line, "/home/user/simulate.py:57");
  EXPECT_EQ(message.allocations[1].instruction, "broadcast.6042.remat3");
  EXPECT_EQ(message.allocations[4].op_name, "");
  EXPECT_FALSE(message.allocations[2].source_line.size() > 0);
}

TEST(MemoryMessage, ListBehindPrefixes) {
  const MemoryMessage message = Read(Contents("vmem_list.txt"));
  EXPECT_EQ(message.kind, MemoryMessage::Kind::kTpuList);
  EXPECT_EQ(message.memory_space, "vmem");
  EXPECT_THAT(PartNames(message), ElementsAre("program: scoped"));
  ASSERT_THAT(message.allocations, SizeIs(3));
  EXPECT_EQ(message.allocations[0].tag, "scratch operand");
  EXPECT_EQ(message.allocations[0].instruction, "attention.72");
  EXPECT_EQ(message.allocations[1].instruction,
            "register allocator spill slots call depth 2");
  EXPECT_EQ(message.allocations[1].shape_text, "");
  EXPECT_EQ(message.allocations[2].shape_text, "f32[128,6]{1,0}");
}

TEST(MemoryMessage, ListOfGpu) {
  const MemoryMessage message = Read(Contents("gpu_list.txt"));
  EXPECT_EQ(message.kind, MemoryMessage::Kind::kGpuList);
  EXPECT_EQ(message.needed->bytes, 22271409880);
  EXPECT_THAT(
      PartNames(message),
      ElementsAre("parameter allocation", "constant allocation",
                  "maybe_live_out allocation", "preallocated temp allocation",
                  "preallocated temp fragmentation", "total allocation"));
  ASSERT_THAT(message.allocations, SizeIs(3));
  EXPECT_EQ(message.allocations[0].instruction, "fusion");
  EXPECT_EQ(message.allocations[0].source_line, "/home/user/rnn.py:1177");
  EXPECT_EQ(message.allocations[2].shape_text, "f32[11,5120,2605]");
}

TEST(MemoryMessage, Request) {
  const MemoryMessage message = Read(Contents("request.txt"));
  EXPECT_EQ(message.kind, MemoryMessage::Kind::kRequest);
  EXPECT_EQ(message.needed->bytes, 4241280204);
  EXPECT_EQ(message.available->bytes, 2061584302);
  EXPECT_EQ(message.memory_space, "hbm");
}

// As wikis and mails have it.
TEST(MemoryMessage, FieldsOnOneLine) {
  const MemoryMessage message = Read(
      "Largest program allocations in vmem:\n"
      "  1\\. Size: 36.00M  Shape: f8e4m3fn[2,2048,9,4,256]  Tag: scratch\n");
  ASSERT_THAT(message.allocations, SizeIs(1));
  EXPECT_EQ(message.allocations[0].shape_text, "f8e4m3fn[2,2048,9,4,256]");
  EXPECT_EQ(message.allocations[0].tag, "scratch");
}

TEST(MemoryMessage, WhatIsNone) {
  for (const char* text :
       {"", "f32[3,5]", "RESOURCE_EXHAUSTED: quota", "Size: 3.40GiB",
        "HloModule m", "Layout(major_to_minor=(0, 1))"}) {
    EXPECT_FALSE(IsMemoryMessage(text)) << text;
    EXPECT_THAT(ReadMemoryMessages(text), IsEmpty()) << text;
  }
}

// However little of a message is there.
TEST(MemoryMessage, CutOffAnywhere) {
  for (const char* name :
       {"tpu_list.txt", "gpu_list.txt", "e1001.txt", "window.txt"}) {
    const std::string text = Contents(name);
    for (size_t size = 0; size < text.size(); ++size) {
      const std::string cut = text.substr(0, size);
      EXPECT_THAT(ReadMemoryMessages(cut), SizeIs(IsMemoryMessage(cut))) << cut;
    }
  }
}

// Breaks lines as a terminal of `width` columns does; if `at_blanks`, as a mail
// program does, which drops the blank.
std::string Wrapped(const std::string& text, size_t width, bool at_blanks) {
  std::string wrapped;
  for (std::string_view line : SplitViews(text, '\n')) {
    while (line.size() > width) {
      const size_t blank =
          at_blanks ? line.substr(0, width).rfind(' ') : line.npos;
      const size_t size = blank == line.npos || blank == 0 ? width : blank;
      absl::StrAppend(&wrapped, AbslView(line.substr(0, size)), "\n");
      line.remove_prefix(size);
      if (blank == size) line.remove_prefix(1);
    }
    absl::StrAppend(&wrapped, AbslView(line), "\n");
  }
  return wrapped;
}

TEST(MemoryMessage, WrappedLines) {
  for (const char* name : {"e1000.txt", "e1001.txt", "window.txt"}) {
    const MemoryMessage whole = Read(Contents(name));
    for (const bool at_blanks : {false, true}) {
      for (size_t width = 70; width < 300; ++width) {
        SCOPED_TRACE(absl::StrCat(name, " ", width, " ", at_blanks));
        const MemoryMessage message =
            Read(Wrapped(Contents(name), width, at_blanks));
        EXPECT_EQ(message.kind, whole.kind);
        EXPECT_EQ(message.error_code, whole.error_code);
        EXPECT_EQ(message.memory_space, whole.memory_space);
        EXPECT_EQ(message.module, whole.module);
        EXPECT_EQ(message.needed.has_value(), whole.needed.has_value());
        EXPECT_EQ(message.needed->bytes, whole.needed->bytes);
        EXPECT_EQ(message.available->bytes, whole.available->bytes);
        ASSERT_EQ(message.allocations.size(), whole.allocations.size());
        for (size_t i = 0; i < whole.allocations.size(); ++i) {
          EXPECT_EQ(message.allocations[i].window_text,
                    whole.allocations[i].window_text);
          EXPECT_EQ(message.allocations[i].buffers,
                    whole.allocations[i].buffers);
        }
      }
    }
  }
}

// A number without its unit is not a number of bytes.
TEST(MemoryMessage, NumbersThatBreakOff) {
  for (const char* name : {"e1000.txt", "e1001.txt"}) {
    const std::string text = Contents(name);
    const MemoryMessage whole = Read(text);
    for (size_t size = 0; size < text.size(); ++size) {
      const std::vector<MemoryMessage> messages =
          ReadMemoryMessages(text.substr(0, size));
      if (messages.empty()) continue;
      if (messages[0].needed.has_value()) {
        EXPECT_EQ(messages[0].needed->bytes, whole.needed->bytes) << size;
      }
      if (messages[0].available.has_value()) {
        EXPECT_EQ(messages[0].available->bytes, whole.available->bytes) << size;
      }
      EXPECT_EQ(messages[0].kind, whole.kind) << size;
    }
  }
}

TEST(MemoryMessage, EachOfSeveral) {
  const std::string hbm = Contents("e1000.txt");
  const std::string scoped = Contents("e1001.txt");
  std::vector<MemoryMessage> messages = ReadMemoryMessages(hbm + scoped);
  ASSERT_THAT(messages, SizeIs(2));
  EXPECT_EQ(messages[0].error_code, "E1000");
  EXPECT_EQ(messages[0].module, "jit_oom_hbm");
  EXPECT_EQ(messages[1].error_code, "E1001");
  EXPECT_EQ(messages[1].module, "");
  messages = ReadMemoryMessages(
      absl::StrCat("step 1\n", scoped, "Traceback\n", scoped, hbm));
  ASSERT_THAT(messages, SizeIs(2));
  EXPECT_EQ(messages[0].error_code, "E1001");
  EXPECT_EQ(messages[1].error_code, "E1000");
  messages = ReadMemoryMessages(
      "RESOURCE_EXHAUSTED: Out of memory allocating 512 bytes.\n"
      "RESOURCE_EXHAUSTED: Out of memory allocating 1024 bytes.\n");
  ASSERT_THAT(messages, SizeIs(2));
  EXPECT_EQ(messages[1].needed->bytes, 1024);
}

TEST(MemoryMessage, WhenTheProgramIsLoaded) {
  const MemoryMessage message = Read(
      "RESOURCE_EXHAUSTED: Error loading program 'jit_step': Attempting to "
      "reserve 8.57G at the bottom of memory. That was not possible. There are "
      "6.20G free, 0B reserved, and 6.20G reservable.");
  EXPECT_EQ(message.kind, MemoryMessage::Kind::kLoad);
  EXPECT_EQ(message.module, "jit_step");
  EXPECT_EQ(message.needed->bytes, 9201967431);
  EXPECT_EQ(message.available->bytes, 6657199308);
}

TEST(MemoryMessage, CarriageReturns) {
  const std::string text =
      absl::StrReplaceAll(Contents("tpu_list.txt"), {{"\n", "\r\n"}});
  const MemoryMessage message = Read(text);
  ASSERT_THAT(message.allocations, SizeIs(5));
  EXPECT_EQ(message.allocations[0].shape_text,
            "s32[8388608,8,4]{2,1,0:T(8,128)}");
  EXPECT_THAT(message.parts, SizeIs(6));
}

}  // namespace
}  // namespace tessera
