// What holds for the decoders of all values: on text of any kind they return,
// and what they refuse comes with a diagnostic that lies in the text.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/hlo/attributes/attribute_values.h"
#include "tessera/hlo/attributes/frame_tables.h"
#include "tessera/hlo/attributes/metadata.h"
#include "tessera/hlo/attributes/module_header.h"
#include "tessera/hlo/attributes/replica_groups.h"

namespace tessera {
namespace {

absl::Status Replica(std::string_view value) {
  const absl::StatusOr<ReplicaGroups> groups = DecodeReplicaGroups(value);
  if (!groups.ok()) return groups.status();
  // The corners of what was understood.
  for (const int64_t group : {int64_t{0}, groups->num_groups() - 1}) {
    if (groups->num_groups() == 0 || groups->GroupSize(group) == 0) continue;
    for (const int64_t i : {int64_t{0}, groups->GroupSize(group) - 1}) {
      EXPECT_GE(groups->Device(group, i), 0) << value;
    }
  }
  return absl::OkStatus();
}

absl::Status Frames(std::string_view text) {
  const absl::StatusOr<FrameTables> tables = DecodeFrameTables(text);
  if (!tables.ok()) return tables.status();
  for (int64_t id = -1; id < 5; ++id) {
    size_t visited = 0;
    tables
        ->ForEachFrame(id, [&](int64_t /*id*/,
                               const SourceFrame& /*frame*/) { ++visited; })
        .IgnoreError();
    EXPECT_LE(visited, tables->stack_frames.size());
  }
  return absl::OkStatus();
}

struct Decoder {
  absl::Status (*decode)(std::string_view);
  std::string_view example;
};

const Decoder kDecoders[] = {
    {[](std::string_view v) { return DecodeMetadata(v).status(); },
     R"({op_name="a\"b" source_line=3, profile_type={1,2} x={[1]}})"},
    {[](std::string_view v) { return DecodeBool(v).status(); }, "true"},
    {[](std::string_view v) { return DecodeInteger(v).status(); }, "-12"},
    {[](std::string_view v) { return DecodeString(v).status(); },
     R"("a\n'b\x41")"},
    {[](std::string_view v) { return DecodeIntegers(v).status(); },
     "{0, /*i*/ 1}"},
    {[](std::string_view v) { return DecodeBools(v).status(); },
     "{true,false}"},
    {[](std::string_view v) { return DecodeNames(v).status(); }, "{%a, b.1}"},
    {[](std::string_view v) { return DecodeSlice(v).status(); },
     "{[0:2], [1:9:3]}"},
    {[](std::string_view v) { return DecodeOutputOperandAliases(v).status(); },
     "{{0}: (1, {}), {1}: (0, {0})}"},
    {[](std::string_view v) {
       return DecodeEntryComputationLayout(v).status();
     },
     "{(f32[8]{0}, (s32[],bf16[2,3]{1,0:T(8,128)}))->f32[8]{0}}"},
    {[](std::string_view v) { return DecodeInputOutputAliases(v).status(); },
     "{ {0}: (0, {0}, must-alias), {1}: (0, {1}) }"},
    {[](std::string_view v) { return DecodeBufferDonors(v).status(); },
     "{ (0, {0}), (1, {}) }"},
    {[](std::string_view v) { return DecodeSourceTargetPairs(v).status(); },
     "{{0,1},{1,0}}"},
    {Replica, "{{0,1},{2,3},{4}}"},
    {Replica, "[3,10]<=[6,5]T(1,0)"},
    {Replica, "mesh['a'=2,'b'=8], device_ids=([2,8]T(1,0)) {'b':(2)2,'a'}"},
    {Replica, "mesh['a'=2,'b'=2], device_ids=(3,1,0,2) {'a'}"},
    {Replica, "maximal_mesh[device_id=3]"},
    {Frames,
     "FileNames\n1 \"f\"\nFunctionNames 1 \"g\"\nFileLocations\n"
     "1 {file_name_id=1 function_name_id=1 line=1}\nStackFrames\n"
     "1 {file_location_id=1 parent_frame_id=1}\n"
     "2 {file_location_id=1 parent_frame_id=2}"},
};

void Check(const Decoder& decoder, const std::string& text) {
  const absl::Status status = decoder.decode(text);
  if (status.ok()) return;
  const std::optional<Diagnostic> diagnostic = DiagnosticOf(status);
  ASSERT_TRUE(diagnostic.has_value()) << text;
  EXPECT_LE(diagnostic->offset, text.size()) << text;
}

TEST(ValueDecoders, Examples) {
  for (const Decoder& decoder : kDecoders) {
    EXPECT_TRUE(decoder.decode(decoder.example).ok())
        << decoder.decode(decoder.example);
    EXPECT_TRUE(decoder
                    .decode(absl::StrCat(" /*a*/\t", AbslView(decoder.example),
                                         "\r\n//b"))
                    .ok())
        << decoder.example;
  }
}

TEST(ValueDecoders, EveryTextOnEveryDecoder) {
  for (const Decoder& decoder : kDecoders) {
    Check(decoder, "");
    for (const Decoder& other : kDecoders) {
      for (size_t size = 0; size <= other.example.size(); ++size) {
        Check(decoder, std::string(other.example.substr(0, size)));
      }
    }
  }
}

TEST(ValueDecoders, ChangedExamples) {
  const std::string_view kPieces[] = {"{",
                                      "}",
                                      "(",
                                      ")",
                                      "[",
                                      "]",
                                      ",",
                                      ":",
                                      "=",
                                      "%",
                                      "\"",
                                      "'",
                                      "\\",
                                      "/*",
                                      "*/",
                                      "//",
                                      "\n",
                                      "T",
                                      "0",
                                      "1",
                                      "-1",
                                      "->",
                                      "<=",
                                      "true",
                                      "\x80",
                                      "mesh",
                                      "f32",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "-9223372036854775808"};
  std::mt19937 random(2026);
  for (const Decoder& decoder : kDecoders) {
    for (int round = 0; round < 2000; ++round) {
      std::string text(decoder.example);
      for (int change = random() % 3; change >= 0; --change) {
        const size_t at = random() % (text.size() + 1);
        const std::string_view piece =
            kPieces[random() % (sizeof(kPieces) / sizeof(kPieces[0]))];
        text.replace(at, random() % 3, piece.data(), piece.size());
      }
      Check(decoder, text);
    }
  }
}

// Time and memory grow with the text alone.
TEST(ValueDecoders, LongTexts) {
  const std::string parts[] = {
      "{",     "(",    "[",           "{{",  "{0,",   "{[0:1],", "{(",
      "\"",    "\\",   "/*",          "1",   "a",     "%a,",     "{a={",
      "{a=1 ", "{'a'", "mesh['a'=1,", "[1,", "{{0},", "// \n"};
  for (const std::string& part : parts) {
    std::string text;
    while (text.size() < 100000) text += part;
    for (const Decoder& decoder : kDecoders) Check(decoder, text);
    for (const Decoder& decoder : kDecoders) Check(decoder, "{" + text);
  }
}

}  // namespace
}  // namespace tessera
