// What `tessera hlo peak` and `tessera hlo diff` print as JSON is what the
// service answers, byte for byte.

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/layout_service.pb.h"
#include "tessera/hlo/dump_folder.h"
#include "tessera/service/json.h"
#include "tessera/service/layout_service.h"
#include "tests/cli/run.h"
#include "tests/hlo/dump_files.h"

namespace tessera::cli {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kFolder[] = "tests/hlo/data/";

// Not scheduled, without ENTRY, broken, cut off, of several memory spaces, and
// with names that are no UTF-8.
constexpr const char* kTexts[] = {
    "HloModule m\nENTRY e { ROOT x = f32[2]{0} parameter(0) }\n",
    "HloModule m, is_scheduled=true\nf { ROOT x = f32[] parameter(0) }\n",
    "HloModule m, is_scheduled=true\nENTRY e {\n  x = f32[2 parameter(0)\n"
    "  ROOT y = f32[2]{0} negate(z)\n}\n",
    "HloModule m, is_scheduled=true\nENTRY e {\n  x = f32[2]{0} parameter(0)\n"
    "  y = f32[2]{0} neg",
    "HloModule m, is_scheduled=true\nENTRY e {\n"
    "  x = (f32[9]{0:S(10)}, f32[9]{0:S(9)}, f32[9]{0}) parameter(0)\n"
    "  ROOT y = f32[9]{0:T(8)S(2)} custom-call(x)\n}\n",
    "HloModule caf\xE9\xE9, is_scheduled=true\n"
    "ENTRY \xF0\x9F { ROOT \xE2\x82 = f32[2]{0} parameter(0) }\n",
};

std::string Read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::vector<std::string> Lines(const std::string& text) {
  return absl::StrSplit(text, '\n', absl::SkipEmpty());
}

std::string Json(const google::protobuf::Message& message) {
  return ProtoToJson(message, JsonFields::kAll);
}

std::vector<std::string> PeaksOf(const std::string& text,
                                 const std::string& file, int64_t rows) {
  Request request;
  PeakRequest& question = *request.mutable_peak();
  question.set_hlo(text);
  question.set_file(file);
  question.set_rows(rows);
  question.set_series(true);
  const Response response = LayoutService().Answer(request);
  EXPECT_TRUE(response.has_peak()) << Json(response);
  std::vector<std::string> lines;
  for (const ModulePeak& module : response.peak().modules()) {
    lines.push_back(Json(module));
  }
  return lines;
}

std::string DiffOf(const std::string& before, const std::string& before_file,
                   const std::string& after, const std::string& after_file,
                   int64_t rows) {
  Request request;
  DiffRequest& question = *request.mutable_diff();
  question.set_before(before);
  question.set_before_file(before_file);
  question.set_after(after);
  question.set_after_file(after_file);
  question.set_rows(rows);
  const Response response = LayoutService().Answer(request);
  EXPECT_TRUE(response.has_diff()) << Json(response);
  return Json(response.diff());
}

TEST(HloAnswer, PeaksOfDumps) {
  for (const char* name : kDumpFiles) {
    const std::string file = absl::StrCat(kFolder, name);
    const std::string text = Read(file);
    EXPECT_THAT(Lines(RunCommand({"hlo", "peak", "--format=json", file}).out),
                ElementsAreArray(PeaksOf(text, file, 0)))
        << file;
    EXPECT_THAT(
        Lines(
            RunCommand({"hlo", "peak", "--format=json", "--top=2", file}).out),
        ElementsAreArray(PeaksOf(text, file, 2)))
        << file;
  }
}

TEST(HloAnswer, PeaksOfDamagedTexts) {
  for (const char* text : kTexts) {
    const std::vector<std::string> lines =
        Lines(RunCommand({"hlo", "peak", "--format=json", "-"}, text).out);
    EXPECT_THAT(lines, ElementsAreArray(PeaksOf(text, "<stdin>", 0))) << text;
    EXPECT_THAT(lines, SizeIs(1)) << text;
  }
}

TEST(HloAnswer, DiffsOfDumps) {
  std::string before = absl::StrCat(kFolder, kCutOffDumpFile);
  for (const char* name : kDumpFiles) {
    const std::string after = absl::StrCat(kFolder, name);
    for (const int64_t rows : {3, 10}) {
      EXPECT_EQ(RunCommand({"hlo", "diff", "--format=json",
                            absl::StrCat("--top=", rows), before, after})
                    .out,
                DiffOf(Read(before), before, Read(after), after, rows) + "\n");
    }
    before = after;
  }
}

TEST(HloAnswer, DiffsOfDamagedTexts) {
  const std::string file = absl::StrCat(kFolder, "slice_to_dynamic.hlo");
  for (const char* text : kTexts) {
    EXPECT_EQ(RunCommand({"hlo", "diff", "--format=json", "-", file}, text).out,
              DiffOf(text, "<stdin>", Read(file), file, 0) + "\n");
    EXPECT_EQ(RunCommand({"hlo", "diff", "--format=json", file, "-"}, text).out,
              DiffOf(Read(file), file, text, "<stdin>", 0) + "\n");
  }
}

// The dumps of a module in the order of compilation, named as on the command
// line.
std::vector<PassText> PassesIn(const std::string& folder) {
  const absl::StatusOr<DumpFolder> found = FindHloDumps(folder);
  EXPECT_TRUE(found.ok()) << found.status();
  std::vector<PassText> passes;
  for (const std::string& stage : found->dumps[0].stages) {
    PassText& pass = passes.emplace_back();
    pass.set_file(found->folder + stage);
    pass.set_hlo(Read(pass.file()));
  }
  return passes;
}

TEST(HloAnswer, Passes) {
  for (const char* side : {"passes/before", "passes/after"}) {
    const std::string folder = absl::StrCat(kFolder, side);
    Request request;
    for (const PassText& pass : PassesIn(folder)) {
      *request.mutable_passes()->add_dumps() = pass;
    }
    const Response response = LayoutService().Answer(request);
    ASSERT_TRUE(response.has_passes()) << Json(response);
    EXPECT_EQ(RunCommand({"hlo", "passes", "--format=json", folder}).out,
              Json(response.passes()) + "\n");
    EXPECT_THAT(response.passes().arrays(), Not(IsEmpty()));
  }
}

TEST(HloAnswer, DiffsOfPasses) {
  const std::string before = absl::StrCat(kFolder, "passes/before");
  const std::string after = absl::StrCat(kFolder, "passes/after");
  Request request;
  DiffRequest& question = *request.mutable_diff();
  const auto fill = [](const std::string& folder, std::string* text,
                       std::string* file, auto* passes) {
    const std::vector<PassText> all = PassesIn(folder);
    for (size_t i = 0; i + 1 < all.size(); ++i) *passes->Add() = all[i];
    *text = all.back().hlo();
    *file = all.back().file();
  };
  fill(before, question.mutable_before(), question.mutable_before_file(),
       question.mutable_before_passes());
  fill(after, question.mutable_after(), question.mutable_after_file(),
       question.mutable_after_passes());
  const Response response = LayoutService().Answer(request);
  ASSERT_TRUE(response.has_diff()) << Json(response);
  EXPECT_EQ(RunCommand({"hlo", "diff", "--format=json", before, after}).out,
            Json(response.diff()) + "\n");
  const ModuleChange& module = response.diff().modules(0);
  EXPECT_EQ(module.passes().before_alike().name(), "pipeline-start");
  EXPECT_EQ(module.passes().before_next().pass_name().name(), "fusion");
  EXPECT_EQ(module.changes(0).after(), "copy.1");
  EXPECT_EQ(module.changes(0).after_pass().name(), "layout-fixup");
}

// On the command line 0 rows are none.
TEST(HloAnswer, NoRows) {
  const std::string file = absl::StrCat(kFolder, "slice_to_dynamic.hlo");
  EXPECT_THAT(RunCommand({"hlo", "peak", "--format=json", "--top=0", file}).out,
              HasSubstr(R"("live_at_peak":[])"));
  EXPECT_THAT(RunCommand({"hlo", "diff", "--format=json", "--top=0", file,
                          absl::StrCat(kFolder, "while.hlo")})
                  .out,
              HasSubstr(R"("changes":[])"));
}

}  // namespace
}  // namespace tessera::cli
