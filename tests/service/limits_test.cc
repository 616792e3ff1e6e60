// Every limit by its name, and requests that would take for ever without.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/service/answer_json.h"
#include "tessera/service/json.h"
#include "tessera/service/layout_service.h"
#include "tessera/service/service_options.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

// Protocol Buffers would not read the answer.
TEST(ServiceOptions, ShapesWithAMessageAreNotNestedDeeper) {
  for (const int depth : {94, 95, 8000}) {
    BatchRequest batch;
    ParseRequest& parse = *batch.add_requests()->mutable_parse();
    parse.set_with_shape_proto(true);
    parse.set_text(absl::StrCat(std::string(depth, '('), "f32[2]{0:T(2)}",
                                std::string(depth, ')')));
    const BatchResponse answers = LayoutService().AnswerBatch(batch);
    EXPECT_EQ(answers.responses(0).has_parse(), depth == 94);
    EXPECT_EQ(answers.responses(0).error().message(),
              depth == 94
                  ? ""
                  : "shape_nesting: in tuple: nested deeper than the limit of "
                    "94, beyond which Protocol Buffers cannot read a message");
    BatchResponse read;
    EXPECT_TRUE(read.ParseFromString(answers.SerializeAsString())) << depth;
  }
}

// Without limits, what a short text may ask for without end has one.
TEST(ServiceOptions, UnlimitedIsNotWithoutEnd) {
  const LayoutService service(ServiceOptions::Unlimited());
  std::string ones, names, grid = "3";
  for (int i = 0; i < 16; ++i) {
    absl::StrAppend(&ones, i == 0 ? "" : "x", 5);
    absl::StrAppend(&names, i == 0 ? "" : ", ", "d", i);
    if (i > 0) absl::StrAppend(&grid, "x3");
  }
  std::string shard = absl::StrReplaceAll(ones, {{"5", "2"}});
  Request request;
  request.mutable_describe()->set_layout(
      absl::StrCat("tensor<", ones, "xui8, #tt.metal_layout<(", names, ") -> (",
                   names, "), undef, <", grid, ">, memref<", shard,
                   "xui8, #tt.memory_space<l1>>>>"));
  EXPECT_EQ(service.Answer(request).error().message(),
            "table_rows: 1366 rows exceed the limit of 1365");

  request.mutable_runs()->set_layout("u8[1099511627776,2]{1,0:T(2,4)}");
  const Response runs = service.Answer(request);
  EXPECT_EQ(runs.runs().begins_size(), 4096);
  EXPECT_TRUE(runs.runs().truncated());
}

// However many are asked for come.
TEST(ServiceOptions, UnlimitedGivesWhatIsAsked) {
  const LayoutService service(ServiceOptions::Unlimited());
  Request request;
  request.mutable_runs()->set_layout("u8[1048576,2]{1,0:T(2,4)}");
  request.mutable_runs()->set_max_runs(1000000);
  EXPECT_EQ(service.Answer(request).runs().begins_size(), 1000000);
}

TEST(ServiceOptions, WhatIsAskedFor) {
  ServiceOptions options;
  options.table_rows = 100;
  EXPECT_EQ(*RowsToAnswer(options, 0, 10), 10);
  EXPECT_EQ(*RowsToAnswer(options, 0, 1000), 100);
  EXPECT_EQ(*RowsToAnswer(options, 100, 10), 100);
  EXPECT_EQ(RowsToAnswer(options, 101, 10).status().message(),
            "table_rows: 101 rows exceed the limit of 100");
  EXPECT_THAT(RowsToAnswer(options, -1, 10),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

// Limits that small requests reach.
ServiceOptions Small() {
  ServiceOptions options;
  options.text_bytes = 200;
  options.expression_bytes = 40;
  options.hlo_bytes = 60;
  options.hlo_computations = 2;
  options.hlo_shape_bytes = 20;
  options.hlo_answer_bytes = 1000;
  options.axes = 4;
  options.index_entries = 6;
  options.batch_requests = 2;
  options.table_rows = 3;
  options.picture_cells = 5;
  return options;
}

constexpr char kTensor[] =
    "tensor<5x7xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, "
    "memref<5x7xf32, #tt.memory_space<l1>>>>";

std::string Quoted(const std::string& text) {
  return absl::StrCat("\"", text, "\"");
}

TEST(Limits, EachIsNamed) {
  const std::string long_text = Quoted(std::string(201, ' '));
  const struct {
    std::string question;
    const char* message;
    const char* field;
  } cases[] = {
      {absl::StrCat(R"("parse":{"text":)", long_text, "}"),
       "text_bytes: 201 bytes exceed the limit of 200", "text"},
      {absl::StrCat(R"("describe":{"layout":)", long_text, "}"),
       "text_bytes: 201 bytes exceed the limit of 200", "layout"},
      {absl::StrCat(R"("linearize":{"layout":"1)", std::string(200, ' '),
                    "\"}"),
       "text_bytes: 201 bytes exceed the limit of 200", "layout"},
      {absl::StrCat(R"("check":{"tensor":)", long_text, "}"),
       "text_bytes: 201 bytes exceed the limit of 200", "tensor"},
      {absl::StrCat(R"("compare":{"from":"f32[2]","to":)", long_text, "}"),
       "text_bytes: 201 bytes exceed the limit of 200", "to"},
      {absl::StrCat(R"("derive":{"element":)", long_text, "}"),
       "text_bytes: 201 bytes exceed the limit of 200", "element"},
      {absl::StrCat(R"("evaluate":{"expression":)",
                    Quoted(std::string(41, '1')), "}"),
       "expression_bytes: 41 bytes exceed the limit of 40", "expression"},
      {absl::StrCat(R"("access":{"layout":)", Quoted(std::string(41, '1')),
                    "}"),
       "expression_bytes: 41 bytes exceed the limit of 40", "layout"},
      {absl::StrCat(R"("access":{"layout":"4:1","threads":)",
                    Quoted(std::string(41, '1')), "}"),
       "expression_bytes: 41 bytes exceed the limit of 40", "threads"},
      {absl::StrCat(R"("summarize":{"hlo":)", Quoted(std::string(61, 'x')),
                    "}"),
       "hlo_bytes: 61 bytes exceed the limit of 60", "hlo"},
      {absl::StrCat(R"("explain_text":{"text":)", Quoted(std::string(60, 'x')),
                    R"(,"values":"x"})"),
       "hlo_bytes: 61 bytes exceed the limit of 60", "text"},
      {R"("summarize":{"hlo":"HloModule a\nHloModule b\nHloModule c"})",
       "hlo_computations: 3 modules and computations exceed the limit of 2",
       "hlo"},
      {R"js("summarize":{"hlo":"ENTRY e {\n a = (f32[4],f32[5],f32[6]) p()\n}"})js",
       "hlo_shape_bytes: 22 bytes of distinct shapes exceed the limit of 20",
       "hlo"},
      // A line of a log counts like any other.
      {R"js("peak":{"hlo":"I0521 12:04:45.8 1 f.c:9] a = (f32[4],f32[5],f32[6]) p()"})js",
       "hlo_shape_bytes: 22 bytes of distinct shapes exceed the limit of 20",
       "hlo"},
      {absl::StrCat(R"("peak":{"hlo":)", Quoted(std::string(61, 'x')), "}"),
       "hlo_bytes: 61 bytes exceed the limit of 60", "hlo"},
      {R"("peak":{"hlo":"HloModule a\nHloModule b\nHloModule c"})",
       "hlo_computations: 3 modules and computations exceed the limit of 2",
       "hlo"},
      {R"js("peak":{"hlo":"ENTRY e {\n a = (f32[4],f32[5],f32[6]) p()\n}"})js",
       "hlo_shape_bytes: 22 bytes of distinct shapes exceed the limit of 20",
       "hlo"},
      {R"("peak":{"hlo":"","rows":4})",
       "table_rows: 4 rows exceed the limit of 3", "rows"},
      {absl::StrCat(R"("diff":{"before":)", Quoted(std::string(30, 'x')),
                    R"(,"after":)", Quoted(std::string(31, 'x')), "}"),
       "hlo_bytes: 61 bytes exceed the limit of 60", "after"},
      {absl::StrCat(R"("diff":{"before":)", Quoted(std::string(61, 'x')), "}"),
       "hlo_bytes: 61 bytes exceed the limit of 60", "before"},
      {R"("diff":{"before":"HloModule a\nHloModule b","after":"HloModule c"})",
       "hlo_computations: 3 modules and computations exceed the limit of 2",
       "after"},
      {R"js("diff":{"after":"ENTRY e {\n a = (f32[4],f32[5],f32[6]) p()\n}"})js",
       "hlo_shape_bytes: 22 bytes of distinct shapes exceed the limit of 20",
       "after"},
      // Earlier dumps count like the others.
      {absl::StrCat(R"("diff":{"before":)", Quoted(std::string(30, ' ')),
                    R"(,"after_passes":[{"hlo":)", Quoted(std::string(31, ' ')),
                    "}]}"),
       "hlo_bytes: 61 bytes exceed the limit of 60", "after_passes[0].hlo"},
      {absl::StrCat(R"("passes":{"dumps":[{"hlo":)",
                    Quoted("HloModule m" + std::string(20, ' ')),
                    R"(},{"hlo":)", Quoted(std::string(30, ' ')), "}]}"),
       "hlo_bytes: 61 bytes exceed the limit of 60", "dumps[1].hlo"},
      {R"("passes":{"dumps":[{"hlo":"HloModule a\nHloModule b\nHloModule c"}]})",
       "hlo_computations: 3 modules and computations exceed the limit of 2",
       "dumps[0].hlo"},
      {R"("passes":{"rows":4})", "table_rows: 4 rows exceed the limit of 3",
       "rows"},
      {R"("diff":{"rows":4})", "table_rows: 4 rows exceed the limit of 3",
       "rows"},
      {R"js("describe":{"layout":"((((f32[1], f32[1]))))"})js",
       "index_entries: 8 entries exceed the limit of 6", "layout"},
      {R"("linearize":{"layout":"f32[1,1,1,1,1]"})",
       "axes: 5 axes exceed the limit of 4", "layout"},
      {R"("padding":{"layout":"f32[1,1]{1,0:T(2,2)(2)}"})",
       "axes: 5 axes exceed the limit of 4", "layout"},
      {R"js("describe":{"layout":"(f32[1], b(f32[1,1,1,1,1]))"})js",
       "axes: 5 axes exceed the limit of 4", "layout"},
      {R"js("runs":{"layout":"((1,2),(3,4),5):((1,1),(1,1),1)"})js",
       "axes: 5 axes exceed the limit of 4", "layout"},
      {R"("derive":{"shape":[1,1,1],"grid":[1,1]})",
       "axes: 5 axes exceed the limit of 4", "shape"},
      {R"("ttnn":{"shape":[1],"strides":[1],"shard_shape":[1,1],)"
       R"("tile_shape":[1,1]})",
       "axes: 6 axes exceed the limit of 4", "shape"},
      {R"("linearize":{"layout":"f32[9]","indices":[1,2,3,4,5,6,7]})",
       "index_entries: 7 entries exceed the limit of 6", "indices"},
      {R"("delinearize":{"layout":"f32[9,9]","linear_indices":[1,2,3,4]})",
       "index_entries: 8 entries exceed the limit of 6", "linear_indices"},
      {R"js("describe":{"layout":"(f32[], f32[], f32[], f32[])"})js",
       "table_rows: 4 rows exceed the limit of 3", "layout"},
      {R"("runs":{"layout":"f32[9]","max_runs":4})",
       "table_rows: 4 rows exceed the limit of 3", "max_runs"},
      {R"("padding":{"layout":"f32[9]","max_ranges":4})",
       "table_rows: 4 rows exceed the limit of 3", "max_ranges"},
      {R"("evaluate":{"expression":"9:1","max_values":4})",
       "table_rows: 4 rows exceed the limit of 3", "max_values"},
      {R"("access":{"layout":"9:1","threads":"9:1","max_swizzles":4})",
       "table_rows: 4 rows exceed the limit of 3", "max_swizzles"},
      {R"("access":{"layout":"9:1","threads":"9:1","max_collisions":4})",
       "table_rows: 4 rows exceed the limit of 3", "max_collisions"},
      {R"("summarize":{"hlo":"","rows":4})",
       "table_rows: 4 rows exceed the limit of 3", "rows"},
      {R"("explain_text":{"text":"","rows":4})",
       "table_rows: 4 rows exceed the limit of 3", "rows"},
      {R"("picture":{"layout":"f32[2,3]"})",
       "picture_cells: 6 cells exceed the limit of 5", ""},
      {R"("picture":{"layout":"f32[2]","memory":{"count":6}})",
       "picture_cells: 6 positions exceed the limit of 5", "memory"},
      {absl::StrCat(R"("classify":{"tensor":")", kTensor,
                    R"(","places":[{},{},{},{}]})"),
       "table_rows: 4 rows exceed the limit of 3", "places"},
      {absl::StrCat(R"("locate":{"tensor":")", kTensor,
                    R"(","indices":[0,0,0,0,0,0,0,0]})"),
       "index_entries: 8 entries exceed the limit of 6", "indices"},
  };
  const LayoutService service(Small());
  for (const auto& c : cases) {
    Request request;
    ASSERT_THAT(JsonToProto("{" + c.question + "}", &request), IsOk())
        << c.question;
    const Response response = service.Answer(request);
    EXPECT_EQ(response.error().code(), Error::RESOURCE_EXHAUSTED)
        << c.question << "\n"
        << ProtoToJson(response);
    EXPECT_EQ(response.error().message(), c.message) << c.question;
    EXPECT_EQ(response.error().field(), c.field) << c.question;
  }
}

// A tensor whose cells are of more kinds than rows.
TEST(Limits, CellBoxes) {
  ServiceOptions options;
  options.table_rows = 3;
  EXPECT_THAT(
      AnswerJson(LayoutService(options),
                 R"({"describe":{"layout":"tensor<53x63xf32, #tt.metal_layout<)"
                 R"((d0, d1) -> (d0, d1), undef, <3x2>, memref<18x32xf32, )"
                 R"(#tt.memory_space<l1>>>>"}})"),
      HasSubstr("table_rows: 4 rows exceed the limit of 3"));
}

// Six cells, of which four are unlike.
TEST(Limits, CellsAreLeftOut) {
  Request request;
  request.mutable_describe()->set_layout(
      "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
      "memref<18x32xf32, #tt.memory_space<l1>>>>");
  ServiceOptions options;
  options.table_rows = 6;
  EXPECT_EQ(
      LayoutService(options).Answer(request).describe().tensor().cells_size(),
      6);
  options.table_rows = 5;
  const Response response = LayoutService(options).Answer(request);
  EXPECT_EQ(response.describe().tensor().cells_size(), 0);
  EXPECT_EQ(response.describe().tensor().cell_boxes_size(), 4);
}

TEST(Limits, MessagesOfJson) {
  ServiceOptions options;
  options.json_messages = 2;
  const LayoutService service(options);
  EXPECT_THAT(AnswerJson(service, R"({"classify":{"places":[{},{}]}})"),
              HasSubstr("json_messages: 3 messages exceed the limit of 2"));
}

TEST(Limits, LocateHasRows) {
  ServiceOptions options;
  options.table_rows = 1;
  EXPECT_THAT(AnswerJson(LayoutService(options),
                         absl::StrCat(R"({"locate":{"tensor":")", kTensor,
                                      R"(","indices":[0,0,1,1]}})")),
              HasSubstr("table_rows: 2 rows exceed the limit of 1"));
}

TEST(Limits, BatchesHaveNoMoreRequests) {
  const LayoutService service(Small());
  BatchRequest batch;
  batch.add_requests()->set_id("a");
  batch.add_requests()->set_id("b");
  EXPECT_EQ(service.AnswerBatch(batch).responses_size(), 2);
  batch.add_requests();
  const BatchResponse refused = service.AnswerBatch(batch);
  EXPECT_EQ(refused.responses_size(), 0);
  EXPECT_EQ(refused.error().code(), Error::RESOURCE_EXHAUSTED);
  EXPECT_EQ(refused.error().message(),
            "batch_requests: 3 requests exceed the limit of 2");
}

TEST(Limits, ListsAreCutAndSaySo) {
  const LayoutService service(Small());
  EXPECT_EQ(AnswerJson(service, R"js({"runs":{"layout":"(9):(2)"}})js"),
            R"({"id":"","runs":{"begins":[0,2,4],"lengths":[1,1,1],"rank":1,)"
            R"("first_indices":[0,1,2],"truncated":true}})");
  EXPECT_EQ(
      AnswerJson(service, R"js({"padding":{"layout":"(9):(2)"}})js"),
      R"({"id":"","padding":{"begins":[1,3,5],"ends":[2,4,6],"truncated":true}})");
  // As many as there may be is not too many.
  EXPECT_EQ(
      AnswerJson(service, R"js({"padding":{"layout":"(4):(2)"}})js"),
      R"({"id":"","padding":{"begins":[1,3,5],"ends":[2,4,6],"truncated":false}})");
}

TEST(Limits, StepsEndAWalk) {
  ServiceOptions options;
  options.walk_steps = 1000;
  const LayoutService service(options);
  const char* const layout = "(1000000,1000):(2,10000000)";
  EXPECT_THAT(AnswerJson(service, absl::StrCat(R"({"runs":{"layout":")", layout,
                                               "\"}}")),
              HasSubstr(R"("truncated":true)"));
  EXPECT_THAT(AnswerJson(service, absl::StrCat(R"({"padding":{"layout":")",
                                               layout, "\"}}")),
              HasSubstr(R"("truncated":true)"));
}

TEST(Limits, AWalkThatFindsNothingIsRefused) {
  ServiceOptions options;
  options.walk_steps = 20;
  const LayoutService service(options);
  EXPECT_THAT(
      AnswerJson(service,
                 R"js({"runs":{"layout":"(1000000,1000):(2,10000000)"}})js"),
      HasSubstr("walk_steps: no run was found within 20 steps"));
  EXPECT_THAT(
      AnswerJson(service,
                 R"js({"padding":{"layout":"(1000000,1000):(2,10000000)"}})js"),
      HasSubstr("walk_steps: no range was found within 20 steps"));
}

// Where telling takes more tries than allowed, nothing is told.
TEST(Limits, Evaluations) {
  const LayoutService generous;
  ServiceOptions options;
  options.evaluations = 0;
  const LayoutService service(options);
  RandomBits random(TestSeed());
  int untold = 0;
  for (int i = 0; i < 1000; ++i) {
    const LiteralLayout layout = RandomLayout(RandomLayoutOptions(), &random);
    Request request;
    CompareRequest& question = *request.mutable_compare();
    question.set_from(layout.ToString());
    question.set_to(RewrittenLayout(layout, &random).ToString());
    const CompareResult all = generous.Answer(request).compare();
    ASSERT_TRUE(all.has_same_positions()) << question.from();
    const CompareResult some = service.Answer(request).compare();
    if (some.has_same_positions()) {
      EXPECT_EQ(some.same_positions(), all.same_positions());
    } else {
      ++untold;
    }
  }
  EXPECT_GT(untold, 0);
}

// A name that stands in the text once, and in every row of the answer.
TEST(Limits, LongNamesInAnswersOnHlo) {
  const std::string name(1 << 16, 'n');
  const auto module = [&](const char* layout) {
    std::string text = absl::StrCat(
        "HloModule m, is_scheduled=true\nENTRY e {\n  ROOT ", name, " = (");
    for (int i = 0; i < 1000; ++i) {
      absl::StrAppend(&text, i > 0 ? "," : "", "u8[9]", layout);
    }
    return absl::StrCat(text, ") custom-call()\n}\n");
  };
  Request peak, diff, summarize, passes;
  peak.mutable_peak()->set_hlo(module("{0}"));
  peak.mutable_peak()->set_rows(1000);
  diff.mutable_diff()->set_before(module("{0}"));
  diff.mutable_diff()->set_after(module("{0:T(8)}"));
  diff.mutable_diff()->set_rows(1000);
  summarize.mutable_summarize()->set_hlo(module("{0}"));
  summarize.mutable_summarize()->set_rows(1000);
  passes.mutable_passes()->add_dumps()->set_hlo(module("{0}"));
  passes.mutable_passes()->set_rows(1000);
  const LayoutService service;
  for (Request* request : {&peak, &diff, &summarize, &passes}) {
    const Response refused = service.Answer(*request);
    EXPECT_EQ(refused.error().code(), Error::RESOURCE_EXHAUSTED);
    EXPECT_THAT(refused.error().message(),
                MatchesRegex("hlo_answer_bytes: [0-9]+ bytes exceed the limit "
                             "of 33554432"));
    EXPECT_LT(service.Answer(*request).SpaceUsedLong(), 1 << 12);
  }
  EXPECT_EQ(service.Answer(peak).error().field(), "hlo");
  EXPECT_EQ(service.Answer(summarize).error().field(), "hlo");
  // Fewer rows are fine.
  peak.mutable_peak()->set_rows(10);
  EXPECT_EQ(service.Answer(peak)
                .peak()
                .modules(0)
                .by_memory_space()
                .spaces()
                .at(0)
                .live_at_peak_size(),
            10);
  diff.mutable_diff()->set_rows(10);
  EXPECT_EQ(service.Answer(diff).diff().modules(0).changes_size(), 10);
}

// Numbers of a series, for each instruction and memory space.
TEST(Limits, SeriesOfPeaks) {
  Request request;
  PeakRequest& question = *request.mutable_peak();
  std::string hlo =
      "HloModule m, is_scheduled=true\nENTRY e {\n  x = (u8[1]{0}";
  for (int i = 1; i < 64; ++i) absl::StrAppend(&hlo, ",u8[1]{0:S(", i, ")}");
  absl::StrAppend(&hlo, ") parameter(0)\n");
  for (int i = 0; i < 100000; ++i) absl::StrAppend(&hlo, "y=u8[] z()\n");
  question.set_hlo(hlo + "}\n");
  const LayoutService service;
  EXPECT_TRUE(service.Answer(request).has_peak());
  question.set_series(true);
  const Response refused = service.Answer(request);
  EXPECT_EQ(refused.error().code(), Error::RESOURCE_EXHAUSTED);
  EXPECT_THAT(refused.error().message(), HasSubstr("hlo_answer_bytes: "));
}

std::string Repeated(const std::string& text, int times) {
  return absl::StrJoin(std::vector<std::string>(times, text), "");
}

// Every one of these stands for more than a machine could walk.
TEST(Limits, HostileRequestsAreAnswered) {
  const std::string many_leaves =
      absl::StrJoin(std::vector<std::string>(40, "2"), ",");
  const std::vector<std::string> layouts = {
      "f32[1023,1023,1023,1023,1023]{4,3,2,1,0:T(8,128)}",
      "f32[100003,100003]{1,0:T(4096,3516)(*,3516)(7,11)(*,13)}",
      "s8[2147483647,4294967295]{0,1:T(*,7)(3)(*,5)}",
      "(2147483648,1073741824):(2,8589934592)",
      "Sw<20,3,25> o 0 o (4294967296,536870912):(536870912,1)",
      "(4611686018427387904):(0)",
      absl::StrCat("(", many_leaves, "):(", many_leaves, ")"),
      "tensor<1048575x1023xf32, #tt.metal_layout<(d0, d1) -> ((d0 + d1) mod "
      "8, d0 * 7 + d1 * 3), undef, <1x1>, memref<8x7343085xf32, "
      "#tt.memory_space<dram>>>>",
      "f32[1000000]{0:T" + Repeated("(2)", 200000) + "}",
      "(" + Repeated("(", 100000),
      Repeated("(", 200000) + "1" + Repeated(")", 200000),
      "(" + Repeated("f32[1003]{0:T(40)(33)}, ", 4000) + "f32[])",
  };
  const LayoutService service;
  for (const std::string& layout : layouts) {
    const std::string text = Quoted(layout);
    for (const std::string& request :
         {absl::StrCat(R"({"parse":{"text":)", text, "}}"),
          absl::StrCat(R"({"describe":{"layout":)", text, "}}"),
          absl::StrCat(R"({"runs":{"layout":)", text, "}}"),
          absl::StrCat(R"({"padding":{"layout":)", text, "}}"),
          absl::StrCat(R"({"check":{"tensor":)", text, "}}"),
          absl::StrCat(R"({"compare":{"from":)", text, R"(,"to":)", text,
                       "}}")}) {
      const std::string answer = AnswerJson(service, request);
      EXPECT_THAT(answer, HasSubstr(":{")) << request.substr(0, 100);
      EXPECT_LT(answer.size(), 10 << 20) << request.substr(0, 100);
    }
  }
}

TEST(Limits, AnswersOfABatchTogether) {
  const LayoutService unlimited;
  BatchRequest batch;
  for (const char* id : {"1", "2", "3", "4"}) {
    Request& request = *batch.add_requests();
    request.set_id(id);
    request.mutable_padding()->set_layout("f32[100,3]{1,0:T(8,128)}");
  }
  // Small, and wrong, which would be seen if it were looked at.
  batch.add_requests()->set_id("5");
  const int64_t bytes = unlimited.Answer(batch.requests(0)).SpaceUsedLong();
  ServiceOptions options;
  options.batch_answer_bytes = 2 * bytes + bytes / 2;
  const BatchResponse responses = LayoutService(options).AnswerBatch(batch);
  ASSERT_EQ(responses.responses_size(), 5);
  for (const int i : {0, 1}) {
    EXPECT_TRUE(responses.responses(i).has_padding()) << i;
  }
  for (const int i : {2, 3, 4}) {
    EXPECT_EQ(responses.responses(i).id(), batch.requests(i).id());
    EXPECT_EQ(responses.responses(i).error().code(), Error::RESOURCE_EXHAUSTED);
    EXPECT_EQ(responses.responses(i).error().message(),
              absl::StrCat("batch_answer_bytes: ", 3 * bytes,
                           " bytes exceed the limit of ",
                           options.batch_answer_bytes));
  }
}

// Whether to go on is asked before each request that is looked at.
TEST(Limits, ABatchIsNotWorkedOnPastItsBytes) {
  ServiceOptions options;
  options.batch_answer_bytes = 1;
  BatchRequest batch;
  for (int i = 0; i < 100; ++i) {
    batch.add_requests()->mutable_parse()->set_text("f32[2]");
  }
  int asked = 0;
  const BatchResponse responses =
      LayoutService(options).AnswerBatch(batch, [&] {
        ++asked;
        return absl::OkStatus();
      });
  EXPECT_EQ(asked, 1);
  ASSERT_EQ(responses.responses_size(), 100);
  for (const Response& response : responses.responses()) {
    EXPECT_EQ(response.error().code(), Error::RESOURCE_EXHAUSTED);
  }
}

TEST(Limits, ABatchIsStopped) {
  BatchRequest batch;
  for (const char* id : {"1", "2", "3", "4"}) {
    batch.add_requests()->set_id(id);
    batch.mutable_requests()->rbegin()->mutable_parse()->set_text("f32[2]");
  }
  int asked = 0;
  const BatchResponse responses = LayoutService().AnswerBatch(batch, [&] {
    return ++asked > 2 ? absl::CancelledError("enough") : absl::OkStatus();
  });
  ASSERT_EQ(responses.responses_size(), 4);
  EXPECT_EQ(asked, 4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(responses.responses(i).id(), batch.requests(i).id());
    EXPECT_EQ(responses.responses(i).has_parse(), i < 2);
    EXPECT_EQ(responses.responses(i).error().message(), i < 2 ? "" : "enough");
  }
}

// Before and after the dump is read, while it is analyzed, and while the answer
// is written.
TEST(Limits, AQuestionAboutADumpIsStopped) {
  Request request;
  request.mutable_peak()->set_hlo(
      "HloModule m, is_scheduled=true\n\nENTRY e {\n"
      "  x = f32[8,128]{1,0} parameter(0)\n"
      "  ROOT y = f32[8,128]{1,0} negate(x)\n}\n");
  const LayoutService service;
  int calls = 0;
  EXPECT_TRUE(service
                  .Answer(request,
                          [&calls] {
                            ++calls;
                            return absl::OkStatus();
                          })
                  .has_peak());
  EXPECT_GE(calls, 5);
  for (int last = 0; last < calls; ++last) {
    int asked = 0;
    const Response response = service.Answer(request, [&asked, last] {
      return asked++ < last ? absl::OkStatus() : absl::AbortedError("enough");
    });
    EXPECT_EQ(response.error().message(), "enough") << last;
    EXPECT_EQ(asked, last + 1);
  }
}

}  // namespace
}  // namespace tessera
