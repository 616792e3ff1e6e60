// What a command prints with --format=json is what the service answers to the
// same question, byte for byte: for an argument as for a line of standard
// input, for good layouts of every family and for bad ones.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/layout_service.pb.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/service/answer_json.h"
#include "tessera/service/layout_service.h"
#include "tests/cli/run.h"

namespace tessera::cli {
namespace {

constexpr char kTensor[] =
    "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), zero, <3x2>, "
    "memref<1x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>>>";
constexpr char kWrongTensor[] =
    "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), zero, <3x2>, "
    "memref<18x31xf32, #tt.memory_space<l1>>>>";

std::string Quoted(const std::string& text) {
  return absl::StrCat(
      "\"", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\"", "\\\""}}), "\"");
}

// The object under the question's name in the service's answer, or its error.
std::string ServiceAnswer(const std::string& question,
                          const std::string& fields) {
  const LayoutService service;
  const std::string answer = AnswerJson(
      service, absl::StrCat("{", Quoted(question), ":{", fields, "}}"));
  const std::string error = R"({"id":"","error":)";
  if (tessera::StartsWith(answer, error)) {
    return absl::StrCat(R"({"error":)", answer.substr(error.size()), "\n");
  }
  const std::string begin = absl::StrCat(R"({"id":"",)", Quoted(question), ":");
  EXPECT_TRUE(tessera::StartsWith(answer, begin)) << answer;
  return absl::StrCat(
      answer.substr(begin.size(), answer.size() - begin.size() - 1), "\n");
}

struct Asked {
  // With "?" for what an argument or a line of standard input says.
  std::vector<std::string> command;
  std::string what;
  std::string question;
  std::string fields;
};

// Every layout with an index that it has; bad ones among them.
struct Sample {
  std::string layout;
  std::string index;
  std::string list;
};

std::vector<Sample> Samples() {
  return {
      {"f32[3,5]{1,0:T(2,2)}", "2,3", "[2,3]"},
      {"F32[3,5]<1,0:T(2,2)>", "2,3", "[2,3]"},
      {"bf16[9,130]{1,0:T(8,128)(2,1)L(100)S(1)}", "8,129", "[8,129]"},
      {"s4[3,3]{1,0:E(4)}", "(1,2)", "[1,2]"},
      {"u32[]{:T(128)}", "()", "[]"},
      {"f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "0 1 2 3 4", "[0,1,2,3,4]"},
      {"f32[0,5]", "0,0", "[0,0]"},
      {"f32[?,4]", "0,0", "[0,0]"},
      {"(f32[3], token[], b(s4[3]{0:E(4)}))", "1", "[1]"},
      {"token[]", "()", "[]"},
      {"((2,2),3):((24,2),8)", "[3,2]", "[3,2]"},
      {"(3,2):(0,1)", "2,1", "[2,1]"},
      {"2:1@0", "1", "[1]"},
      {"Sw<2,0,3> o 0 o (8,8):(8,1)", "5,1", "[5,1]"},
      {"coalesce((2,4):(1,2))", "7", "[7]"},
      {"A = (6,2):(8,2); A o (4,3):(3,1)", "3,2", "[3,2]"},
      {"logical_divide(48:1, 32)", "5,1", "[5,1]"},
      {kTensor, "18,57", "[18,57]"},
      {kWrongTensor, "18,57", "[18,57]"},
      // Bad.
      {"", "0", "[0]"},
      {"f32[3,5]{1,0:T(2,)}", "0,0", "[0,0]"},
      {"f32[3,5]{}", "0,0", "[0,0]"},
      {"g32[2]", "0", "[0]"},
      {"f32[1]{0:T(2305843009213693952)}", "0", "[0]"},
      {"(8,128)", "0,0", "[0,0]"},
      {"(3,2):(2,1", "0,0", "[0,0]"},
      {"coalesc((2,4):(1,2))", "0", "[0]"},
      {"tensor<53x63xf32, #l>", "0,0", "[0,0]"},
      {"tensor<", "0,0", "[0,0]"},
  };
}

std::vector<Asked> Questions() {
  std::vector<Asked> asked = {
      {{"cute", "?", "--bare-shapes", "--dialect=ir", "--compile-time"},
       "complement((2,3), 24)",
       "evaluate",
       R"js("expression":"complement((2,3), 24)","bare_shapes":true,)js"
       R"("dialect":"IR","marks_compile_time":true,"max_values":4096)"},
      {{"parse", "?", "--lenient"},
       "F32[2]{}",
       "parse",
       R"("text":"F32[2]{}","lenient":true,"with_shape_proto":true)"},
      {{"parse", "?", "--no-layout"},
       "(f32[2], token[])",
       "parse",
       R"js("text":"(f32[2], token[])","without_layout":true,)js"
       R"("with_shape_proto":true)"},
      {{"index", "f32[3,5]", "?", "--unit=bytes"},
       "2,3",
       "linearize",
       R"("layout":"f32[3,5]","indices":[2,3],"units":"BYTES")"},
      {{"index", "f32[3,5]", "?", "--unit=bits", "--explain"},
       "2,3",
       "explain",
       R"("layout":"f32[3,5]","index":[2,3],"units":"BITS")"},
      {{"coords", "f32[3,5]{1,0:T(2,2)}", "?", "--unit=bytes", "--explain"},
       "36",
       "delinearize",
       R"("layout":"f32[3,5]{1,0:T(2,2)}","linear_indices":[36],)"
       R"("units":"BYTES","explain_padding":true)"},
      {{"runs", "?", "--start=0,2", "--limit=2,4", "--max-runs=1",
        "--unit=bytes"},
       "f32[3,5]{1,0:T(2,2)}",
       "runs",
       R"("layout":"f32[3,5]{1,0:T(2,2)}","start":[0,2],"limit":[2,4],)"
       R"("max_runs":1,"units":"BYTES")"},
      {{"padding", "?", "--max-ranges=2", "--unit=bits"},
       "f32[3,5]{1,0:T(2,2)}",
       "padding",
       R"("layout":"f32[3,5]{1,0:T(2,2)}","max_ranges":2,"units":"BITS")"},
      {{"compare", "(8,4):(1,8)", "?", "--to-dimensions=1,0",
        "--element-bits=16"},
       "(4,8):(8,1)",
       "compare",
       R"js("from":"(8,4):(1,8)","to":"(4,8):(8,1)","to_dimensions":[1,0],)js"
       R"("element_bits":16)"},
  };
  for (const Sample& sample : Samples()) {
    const std::string text = Quoted(sample.layout);
    const std::string layout = absl::StrCat("\"layout\":", text);
    const std::string with_index = absl::StrCat(layout, ",\"index\":");
    asked.push_back({{"describe", "?"}, sample.layout, "describe", layout});
    asked.push_back({{"runs", "?"}, sample.layout, "runs", layout});
    asked.push_back({{"padding", "?"}, sample.layout, "padding", layout});
    asked.push_back(
        {{"parse", "?"},
         sample.layout,
         "parse",
         absl::StrCat("\"text\":", text, ",\"with_shape_proto\":true")});
    asked.push_back(
        {{"cute", "?"},
         sample.layout,
         "evaluate",
         absl::StrCat("\"expression\":", text, ",\"max_values\":4096")});
    asked.push_back({{"compare", "f32[3,5]", "?"},
                     sample.layout,
                     "compare",
                     absl::StrCat(R"("from":"f32[3,5]","to":)", text)});
    asked.push_back({{"compare", sample.layout, "?"},
                     "(3,5):(5,1)",
                     "compare",
                     absl::StrCat(R"js("to":"(3,5):(5,1)","from":)js", text)});
    asked.push_back({{"index", sample.layout, "?"},
                     sample.index,
                     "linearize",
                     absl::StrCat(layout, ",\"indices\":", sample.list)});
    asked.push_back({{"index", sample.layout, "?", "--explain"},
                     sample.index,
                     "explain",
                     absl::StrCat(with_index, sample.list)});
    asked.push_back({{"coords", sample.layout, "?"},
                     "1",
                     "delinearize",
                     absl::StrCat(layout, ",\"linear_indices\":[1]")});
    asked.push_back({{"coords", sample.layout, "?", "--explain"},
                     "0",
                     "delinearize",
                     absl::StrCat(layout,
                                  ",\"linear_indices\":[0],"
                                  "\"explain_padding\":true")});
  }
  return asked;
}

// An answer whose error has no place of its own.
constexpr char kNoPlace[] = R"("position":null}})";

// What the command says in its place: where the text begins that is at fault.
std::string WithoutPosition(const std::string& error) {
  const size_t place = error.find(R"("position":{)");
  EXPECT_NE(place, std::string::npos) << error;
  return absl::StrCat(error.substr(0, place), kNoPlace, "\n");
}

void ExpectAnswer(const Asked& asked, const std::string& argument,
                  const std::string& input, int64_t line) {
  std::vector<std::string> command;
  for (const std::string& word : asked.command) {
    command.push_back(word == "?" ? argument : word);
  }
  command.push_back("--format=json");
  SCOPED_TRACE(absl::StrJoin(command, " "));
  std::string want = ServiceAnswer(asked.question, asked.fields);
  const bool is_error = tessera::StartsWith(want, R"({"error":)");
  const Outcome outcome = RunCommand(command, input);
  EXPECT_EQ(outcome.exit_code, is_error ? kExitBadInput : kExitOk);
  EXPECT_EQ(is_error, tessera::StrContains(outcome.err, "error: "));
  // A layout in front of what a line says is read once, and is no line.
  const bool is_of_line =
      asked.command[1] == "?" ||
      !tessera::StrContains(
          want,
          absl::StrCat("\"field\":\"",
                       asked.question == "compare" ? "from" : "layout", "\""));
  std::string got = outcome.out;
  // Of an error or of a note.
  if (is_of_line && line > 1) {
    want = absl::StrReplaceAll(
        want, {{R"("line":1,)", absl::StrCat("\"line\":", line, ",")}});
  }
  if (line > 1 && (is_of_line || !is_error)) want = "\n" + want;
  if (tessera::StrContains(want, kNoPlace)) got = WithoutPosition(got);
  EXPECT_EQ(got, want);
}

TEST(ServiceAnswers, AreWhatCommandsPrint) {
  int errors = 0;
  for (const Asked& asked : Questions()) {
    errors += tessera::StartsWith(ServiceAnswer(asked.question, asked.fields),
                                  R"({"error":)");
    ExpectAnswer(asked, asked.what, "", 1);
    // A blank line is answered by an empty one, whatever is asked.
    if (asked.what.empty()) continue;
    ExpectAnswer(asked, "-", asked.what + "\n", 1);
    ExpectAnswer(asked, "-", "\n" + asked.what + "\n", 2);
  }
  EXPECT_GT(errors, 100);
}

// What a command says that the service cannot be asked: a text that is no
// index. It is an error like the others.
TEST(ServiceAnswers, IndicesThatAreNone) {
  for (const auto& [command, field] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"index", "f32[3,5]", "x"}, "indices"},
           {{"index", "f32[3,5]", "1,2,3"}, "indices"},
           {{"index", "f32[3,5]", "1,2,1,2"}, "indices"},
           {{"index", "f32[3,5]", "x", "--explain"}, "index"},
           {{"coords", "f32[3,5]", "x"}, "linear_indices"}}) {
    std::vector<std::string> arguments = command;
    arguments.push_back("--format=json");
    const Outcome outcome = RunCommand(arguments);
    EXPECT_EQ(outcome.exit_code, kExitBadInput);
    EXPECT_THAT(outcome.out,
                ::testing::StartsWith(
                    R"({"error":{"code":"INVALID_ARGUMENT","message":")"));
    EXPECT_THAT(outcome.out, ::testing::HasSubstr(absl::StrCat(
                                 R"(","field":")", field,
                                 R"(","position":{"offset":0,"line":1,)")));
  }
}

}  // namespace
}  // namespace tessera::cli
