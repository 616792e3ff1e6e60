#include "tessera/tenstorrent/mlir_file/layout_file.h"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tenstorrent/rule.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Row = std::vector<std::string>;

std::string ContentsOf(const std::string& folder, const std::string& name) {
  std::ifstream file(
      absl::StrCat("tests/tenstorrent/data/", folder, "/", name));
  EXPECT_TRUE(file.good()) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<Row> LinesOf(const std::string& folder, const std::string& name) {
  std::vector<Row> rows;
  for (const std::string& line : std::vector<std::string>(
           absl::StrSplit(ContentsOf(folder, name), '\n'))) {
    if (!line.empty() && line[0] != '#') {
      rows.push_back(absl::StrSplit(line, '\t'));
    }
  }
  return rows;
}

int64_t CountOf(const LayoutFile& file, FileItem::Kind kind) {
  int64_t count = 0;
  for (const FileItem& item : file.items) count += item.kind == kind;
  return count;
}

int64_t CountUnread(const LayoutFile& file) {
  int64_t count = 0;
  for (const FileItem& item : file.items) count += !item.status.ok();
  return count;
}

const FileItem* FirstTensor(const LayoutFile& file) {
  for (const FileItem& item : file.items) {
    if (item.kind == FileItem::kTensor) return &item;
  }
  return nullptr;
}

TEST(LayoutFile, CountsOfEveryFormAreThoseByHand) {
  const std::vector<Row> rows = LinesOf("mlir", "counts.tsv");
  EXPECT_GE(rows.size(), 60u);
  for (const Row& row : rows) {
    const LayoutFile file = ReadLayoutFile(ContentsOf("mlir", row[0]));
    const std::vector<int64_t> found = {
        CountOf(file, FileItem::kTensor),
        file.Uses(FileItem::kTensor),
        CountOf(file, FileItem::kLayout),
        file.Uses(FileItem::kLayout),
        CountOf(file, FileItem::kMemRef),
        file.Uses(FileItem::kMemRef),
        static_cast<int64_t>(file.undefined.size()),
        CountUnread(file)};
    EXPECT_EQ(absl::StrJoin(found, "\t"),
              absl::StrJoin(row.begin() + 1, row.end(), "\t"))
        << row[0];
  }
}

// The same file twice has the same types, twice as often.
TEST(LayoutFile, RepeatedFilesAddUsesAndNoTypes) {
  for (const Row& row : LinesOf("mlir", "counts.tsv")) {
    if (row[0] == "ir_in_json.json" || row[0] == "ir_in_json_with_mesh.json" ||
        row[0] == "json_lines_in_a_log.log" || row[0] == "usual_names.mlir" ||
        row[0] == "names_outlive_parts.mlir" ||
        row[0] == "undefined_name.mlir" || row[0] == "space_given_anew.mlir") {
      continue;  // a name means something else the second time, or JSON ends
    }
    const std::string text = ContentsOf("mlir", row[0]);
    const LayoutFile once = ReadLayoutFile(text);
    const LayoutFile twice = ReadLayoutFile(text + "\n// -----\n" + text);
    EXPECT_EQ(twice.items.size(), once.items.size()) << row[0];
    for (const FileItem::Kind kind :
         {FileItem::kTensor, FileItem::kLayout, FileItem::kMemRef}) {
      EXPECT_EQ(twice.Uses(kind), 2 * once.Uses(kind)) << row[0];
    }
  }
}

// Some writers of JSON escape angle brackets.
TEST(LayoutFile, EscapedAngleBracketsOfJson) {
  int files = 0;
  for (const Row& row : LinesOf("mlir", "counts.tsv")) {
    const std::string text = ContentsOf("mlir", row[0]);
    if (!absl::EndsWith(row[0], ".mlir")) continue;
    const std::string json =
        absl::StrCat("{\"ir\": \"",
                     absl::StrReplaceAll(
                         text, {{"\\", "\\\\"}, {"\"", "\\\""}, {"\n", "\\n"}}),
                     "\"}");
    const LayoutFile plain = ReadLayoutFile(json);
    const LayoutFile escaped = ReadLayoutFile(
        absl::StrReplaceAll(json, {{"<", "\\u003c"}, {">", "\\u003E"}}));
    ASSERT_EQ(escaped.items.size(), plain.items.size()) << row[0];
    for (size_t i = 0; i < plain.items.size(); ++i) {
      EXPECT_EQ(escaped.items[i].text, plain.items[i].text) << row[0];
      EXPECT_EQ(escaped.items[i].uses, plain.items[i].uses) << row[0];
    }
    EXPECT_EQ(escaped.functions.size(), plain.functions.size()) << row[0];
    ++files;
  }
  EXPECT_GE(files, 50);
  // A backslash that is itself escaped.
  EXPECT_THAT(
      ReadLayoutFile("{\"a\": \"tensor\\\\u003c1xf32, #dram\\u003e\"}").items,
      IsEmpty());
}

TEST(LayoutFile, PeaksAreThoseByHand) {
  const std::vector<Row> rows = LinesOf("mlir_peaks", "peaks.tsv");
  EXPECT_GE(rows.size(), 20u);
  for (const Row& row : rows) {
    const LayoutFile file = ReadLayoutFile(ContentsOf("mlir_peaks", row[0]));
    std::vector<std::string> found;
    for (const FunctionMemory& function : file.functions) {
      if (function.name != row[1]) continue;
      found = {absl::StrCat(function.l1.peak),
               absl::StrCat(function.l1.operation),
               absl::StrCat(function.dram.peak),
               absl::StrCat(function.dram.operation)};
    }
    EXPECT_THAT(found, ElementsAre(row[2], row[3], row[4], row[5]))
        << row[0] << " " << row[1];
  }
}

TEST(LayoutFile, PeakNamesItsTensors) {
  const LayoutFile file =
      ReadLayoutFile(ContentsOf("mlir_peaks", "deallocated_late.mlir"));
  ASSERT_EQ(file.functions.size(), 1u);
  const SpacePeak& peak = file.functions[0].l1;
  EXPECT_EQ(peak.operation_name, "ttnn.relu");
  EXPECT_EQ(peak.place.line, 12);
  EXPECT_THAT(peak.series,
              ElementsAre(2048, 4096, 6144, 8192, 8192, 6144, 4096, 2048));
  ASSERT_EQ(peak.live_count, 4);
  EXPECT_THAT(peak.live, ElementsAre(Field(&LiveTensor::name, "%arg0"),
                                     Field(&LiveTensor::name, "%0"),
                                     Field(&LiveTensor::name, "%1"),
                                     AllOf(Field(&LiveTensor::name, "%2"),
                                           Field(&LiveTensor::bytes, 2048),
                                           Field(&LiveTensor::line, 12))));
}

TEST(LayoutFile, PeakNamesTensorsOfCallees) {
  // Two files, since the callee of one frees its argument.
  struct Case {
    std::string name;
    std::vector<std::string> live;
    std::vector<int64_t> series;
  };
  const Case kCases[] = {
      {"callee.mlir",
       {"%0 of @inner", "%1 of @inner", "%arg0", "%0"},
       {2048, 4096, 12288, 10240, 6144}},
      {"callee_frees.mlir",
       {"%1 of @g", "%2 of @g", "%arg0"},
       {2048, 4096, 10240, 6144}},
  };
  for (const Case& c : kCases) {
    const LayoutFile file = ReadLayoutFile(ContentsOf("mlir_peaks", c.name));
    ASSERT_EQ(file.functions.size(), 2u);
    const SpacePeak& peak = file.functions[0].l1;
    std::vector<std::string> names;
    int64_t bytes = 0;
    for (const LiveTensor& live : peak.live) {
      names.push_back(live.name);
      bytes += live.bytes;
    }
    EXPECT_EQ(names, c.live) << c.name;
    EXPECT_EQ(bytes, peak.peak) << c.name;
    EXPECT_EQ(peak.live_count, names.size()) << c.name;
    EXPECT_EQ(peak.series, c.series) << c.name;
  }
}

// As tt-mlir counts them.
TEST(LayoutFile, OperationsByMemory) {
  const LayoutFile file = ReadLayoutFile(R"(
#l1 = #ttnn.buffer_type<l1>
#dram = #ttnn.buffer_type<dram>
#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>
#i = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#h = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xbf16, #ttnn.buffer_type<system_memory>>>
func.func @f(%arg0: tensor<32x32xbf16, #d>) {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.to_memory_config"(%arg0) : (tensor<32x32xbf16, #d>) -> tensor<32x32xbf16, #s>
  %1 = "ttnn.relu"(%0) : (tensor<32x32xbf16, #s>) -> tensor<32x32xbf16, #s>
  %2 = "ttnn.to_memory_config"(%1) : (tensor<32x32xbf16, #s>) -> tensor<32x32xbf16, #d>
  %3 = "ttnn.relu"(%0) : (tensor<32x32xbf16, #s>) -> tensor<32x32xbf16, #s>
  %4 = "ttnn.relu"(%2) : (tensor<32x32xbf16, #d>) -> tensor<32x32xbf16, #d>
  %5 = "ttnn.relu"(%2) : (tensor<32x32xbf16, #d>) -> tensor<32x32xbf16, #i>
  %6 = "ttnn.from_device"(%5) : (tensor<32x32xbf16, #i>) -> tensor<32x32xbf16, #h>
  %7 = ttcore.load_cached(@g, [%6]) : (tensor<32x32xbf16, #h>) -> tensor<32x32xbf16, #h>
  return
})");
  EXPECT_EQ(file.counts.operations, 9);
  EXPECT_EQ(file.counts.shardable, 5);
  EXPECT_EQ(file.counts.sharded, 2);
  EXPECT_EQ(file.counts.sharded_and_spilled, 1);
  EXPECT_EQ(file.counts.dram_spilled, 1);
  EXPECT_EQ(file.counts.system_memory, 1);
}

TEST(LayoutFile, UsualNamesAreNoted) {
  const LayoutFile file =
      ReadLayoutFile(ContentsOf("mlir", "usual_names.mlir"));
  EXPECT_THAT(
      file.notes,
      ElementsAre("#dram has no definition: read as #ttnn.buffer_type<dram>",
                  "#system_memory has no definition: read as "
                  "#ttnn.buffer_type<system_memory>",
                  "#l1 has no definition: read as #ttcore.memory_space<l1>"));
}

TEST(LayoutFile, UndefinedNamesHaveTheirPlace) {
  const LayoutFile file =
      ReadLayoutFile(ContentsOf("mlir", "undefined_name.mlir"));
  ASSERT_EQ(file.undefined.size(), 1u);
  EXPECT_EQ(file.undefined[0].name, "#ttnn_layout3");
  EXPECT_EQ(file.undefined[0].uses, 2);
  EXPECT_EQ(file.undefined[0].first.line, 1);
  EXPECT_EQ(file.undefined[0].first.column, 25);
}

TEST(LayoutFile, PlacesOfFirstUse) {
  const LayoutFile file =
      ReadLayoutFile(ContentsOf("mlir", "ttnn_interleaved_tiled.mlir"));
  ASSERT_EQ(file.items.size(), 2u);
  EXPECT_EQ(file.items[0].first.line, 2);
  EXPECT_EQ(file.items[0].first.column, 11);
  EXPECT_EQ(file.items[1].first.line, 3);
  EXPECT_EQ(file.items[1].first.column, 21);
  EXPECT_EQ(file.items[1].first_text, "tensor<32x64xbf16, #layout>");
}

// (y, x) in one dialect and (x, y) in the other: 2x4 cells have room on both.
TEST(LayoutFile, CoreRangesHaveTheOrderOfTheirDialect) {
  const FileItem* tensor;
  const LayoutFile rows =
      ReadLayoutFile(ContentsOf("mlir", "ttnn_row_first_ranges.mlir"));
  tensor = FirstTensor(rows);
  ASSERT_NE(tensor, nullptr);
  EXPECT_THAT(tensor->errors, IsEmpty());
  const LayoutFile columns = ReadLayoutFile(
      absl::StrReplaceAll(ContentsOf("mlir", "ttnn_row_first_ranges.mlir"),
                          {{"#ttcore.core_range", "#ttnn.core_range"}}));
  tensor = FirstTensor(columns);
  ASSERT_NE(tensor, nullptr);
  ASSERT_FALSE(tensor->errors.empty());
  EXPECT_EQ(tensor->errors[0].rule, Rule::kCoreRanges);
}

TEST(LayoutFile, TheCardIsThatOfTheFile) {
  const std::string text = ContentsOf("mlir", "system_desc.mlir");
  const CardMemory card = ReadLayoutFile(text).card;
  EXPECT_EQ(card.source, "#ttcore.system_desc in line 3");
  EXPECT_FALSE(card.is_assumed);
  EXPECT_EQ(card.chip.grid_rows * card.chip.grid_columns, 130);
  EXPECT_EQ(card.l1_bank_bytes, 1572864 - 107136);
  EXPECT_EQ(card.chip.dram_channels, 8);
  EXPECT_EQ(card.dram_bank_bytes, int64_t{4276142272} - 64);
  EXPECT_EQ(card.chip.dram_alignment, 64);
  CardOptions options;
  options.architecture = Architecture::kWormholeB0;
  options.l1_banks = 48;
  options.l1_bank_bytes = 1000;
  const CardMemory chosen = ReadLayoutFile(text, options).card;
  EXPECT_EQ(chosen.source, "wormhole_b0");
  EXPECT_EQ(BanksOf(BufferType::kL1, chosen.chip), 48);
  EXPECT_EQ(chosen.l1_bank_bytes, 1000);
  EXPECT_EQ(chosen.chip.dram_channels, 12);
  EXPECT_TRUE(ReadLayoutFile("").card.is_assumed);
  EXPECT_TRUE(ReadLayoutFile("// " + text.substr(text.find("#system_desc")))
                  .card.is_assumed);
}

TEST(LayoutFile, SizesOfAllThreeKinds) {
  const LayoutFile file =
      ReadLayoutFile(ContentsOf("mlir_peaks", "aligned_pages.mlir"));
  const FileItem* const tensor = FirstTensor(file);
  ASSERT_NE(tensor, nullptr);
  ASSERT_TRUE(tensor->sizes.has_value());
  EXPECT_EQ(tensor->sizes->written_per_bank, 390);
  EXPECT_EQ(tensor->sizes->content_per_bank, 390);
  EXPECT_EQ(tensor->sizes->taken_per_bank, 448);
}

TEST(LayoutFile, NamesThatGrowWithoutBoundEnd) {
  std::string text = "#a0 = affine_map<(d0, d1) -> (d0, d1)>\n";
  for (int i = 1; i < 60; ++i) {
    absl::StrAppend(&text, "#a", i, " = #ttnn.x<#a", i - 1, ", #a", i - 1,
                    ">\n");
  }
  absl::StrAppend(&text, "%0 = \"a.b\"() : () -> tensor<4x4xf32, #a59>");
  EXPECT_EQ(ReadLayoutFile(text).Uses(FileItem::kTensor), 0);
}

TEST(LayoutFile, HostileBracketsEndSoon) {
  std::string open;
  for (int i = 0; i < 200000; ++i) open += "tensor<";
  EXPECT_THAT(ReadLayoutFile(open).items, IsEmpty());
  std::string ops = "func.func @f() {\n";
  for (int i = 0; i < 50000; ++i) absl::StrAppend(&ops, "scf.for %i = %c {\n");
  EXPECT_THAT(ReadLayoutFile(ops).items, IsEmpty());
}

TEST(LayoutFile, OfManyFunctionsTheLargestAreKept) {
  const std::string text = ContentsOf("mlir_peaks", "chain.mlir");
  const size_t begin = text.find("func.func");
  std::string many = text.substr(0, begin);
  for (int i = 0; i < 300; ++i) {
    absl::StrAppend(&many,
                    absl::StrReplaceAll(text.substr(begin),
                                        {{"@f", absl::StrCat("@f", i)}}));
  }
  const std::string large = ContentsOf("mlir_peaks", "deallocated_late.mlir");
  many += large.substr(large.find("func.func"));
  const LayoutFile file = ReadLayoutFile(many);
  EXPECT_EQ(file.functions.size(), LayoutFile::kMaxFunctions);
  EXPECT_EQ(file.functions_left_out, 301 - 256);
  EXPECT_EQ(file.functions.back().l1.peak, 8192);
  EXPECT_EQ(file.counts.operations, 300 * 3 + 7);
}

}  // namespace
}  // namespace tessera::tenstorrent
