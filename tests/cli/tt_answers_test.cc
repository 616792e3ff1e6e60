// `tessera tt ... --format=json` prints what the service answers, byte for
// byte.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/repeated_field.h"
#include "gtest/gtest.h"
#include "proto/layout_service.pb.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/service/error.h"
#include "tessera/service/json.h"
#include "tessera/service/layout_service.h"
#include "tessera/tests/status_matchers.h"
#include "tests/cli/run.h"

namespace tessera::cli {
namespace {

constexpr char kScalars[] =
    "tensor<2x3x64x128xf32, #tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 + "
    "d1 * 64 + d2, d3), undef, <2x4>, memref<192x32xf32, "
    "#tt.memory_space<l1>>>>";
constexpr char kTiled[] =
    "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), zero, <3x2>, "
    "memref<1x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>>>";
constexpr char kBlockFloat[] =
    "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
    "memref<1x1x!tt.tile<32x32, bfp_bf4>, #tt.memory_space<l1>>>>";
constexpr char kAligned[] =
    "tensor<2x2x1x1x!ttcore.tile<32x32, bf16>, "
    "#ttcore.metal_layout<logical_shape = 40x50, dim_alignments = 32x32, "
    "collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, "
    "sharded>>";
constexpr char kTtnn[] =
    "tensor<384x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <6x2>, "
    "memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
    "<height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,5)>]>>>";
// Of which there are no locations.
constexpr char kInL1[] =
    "tensor<64x128xui16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
    "memref<64x128xui16, #ttnn.buffer_type<l1>>, <interleaved>>>";
constexpr char kWrongMemRef[] =
    "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), zero, <3x2>, "
    "memref<18x31xf32, #tt.memory_space<l1>>>>";
// A broken rule is in the way of a memref.
constexpr char kTwoMapDims[] =
    "tensor<53xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), zero, <3x2>, "
    "memref<18x31xf32, #tt.memory_space<l1>>>>";
constexpr char kMalformed[] = "tensor<8x300xf32, #tt.metal_layout<(d0) -> d0>>";

const std::vector<std::string> kTensors = {
    kScalars, kTiled,       kBlockFloat, kAligned,  kTtnn,
    kInL1,    kWrongMemRef, kTwoMapDims, kMalformed};

using ::testing::HasSubstr;
using Numbers = std::vector<int64_t>;

void Assign(const Numbers& numbers,
            google::protobuf::RepeatedField<int64_t>* list) {
  list->Add(numbers.begin(), numbers.end());
}

// The answer as a line. An error about `text`, the line of that number, is at
// its beginning where it does not say where.
std::string Answer(const Request& request, const std::string& text = "",
                   int64_t line = 1) {
  Response response = LayoutService().Answer(request);
  if (response.has_error()) {
    Error& error = *response.mutable_error();
    if (!text.empty()) {
      if (!error.has_position()) {
        *error.mutable_position() =
            ToTextPosition(*DiagnosticOf(DiagnosticError(text, 0, "")));
      }
      error.mutable_position()->set_line(line);
    }
    return absl::StrCat("{\"error\":", ProtoToJson(error, JsonFields::kAll),
                        "}\n");
  }
  const google::protobuf::Reflection& reflection = *response.GetReflection();
  return ProtoToJson(reflection.GetMessage(
                         response,
                         reflection.GetOneofFieldDescriptor(
                             response, Response::descriptor()->FindOneofByName(
                                           "result"))),
                     JsonFields::kAll) +
         "\n";
}

std::string Print(std::vector<std::string> arguments,
                  const std::string& input = "") {
  arguments.insert(arguments.begin(), "tt");
  arguments.push_back("--format=json");
  const Outcome outcome = RunCommand(std::move(arguments), input);
  const bool is_bad = tessera::StrContains(outcome.out, "{\"error\":") ||
                      tessera::StrContains(outcome.out, "{\"ok\":false");
  EXPECT_EQ(outcome.exit_code, is_bad ? 1 : 0);
  return outcome.out;
}

// Asks about every tensor, as arguments and as lines.
void ExpectAnswers(std::vector<std::string> command,
                   const std::vector<std::string>& options,
                   Request (*ask)(const std::string& tensor)) {
  std::vector<std::string> arguments = command;
  std::vector<std::string> with_lines = command;
  std::string input, answers, answers_to_lines;
  for (size_t i = 0; i < kTensors.size(); ++i) {
    const Request request = ask(kTensors[i]);
    arguments.push_back(kTensors[i]);
    absl::StrAppend(&input, kTensors[i], "\n");
    absl::StrAppend(&answers, Answer(request, kTensors[i]));
    absl::StrAppend(&answers_to_lines, Answer(request, kTensors[i], i + 1));
  }
  with_lines.push_back("-");
  for (const std::string& option : options) {
    arguments.push_back(option);
    with_lines.push_back(option);
  }
  EXPECT_EQ(Print(arguments), answers);
  EXPECT_EQ(Print(with_lines, input), answers_to_lines);
}

TEST(TtAnswers, Describe) {
  ExpectAnswers({"describe"}, {}, [](const std::string& tensor) {
    Request request;
    request.mutable_describe()->set_layout(tensor);
    return request;
  });
}

TEST(TtAnswers, Check) {
  ExpectAnswers({"check"}, {}, [](const std::string& tensor) {
    Request request;
    request.mutable_check()->set_tensor(tensor);
    return request;
  });
}

TEST(TtAnswers, CoordsByOffset) {
  ExpectAnswers({"coords"}, {"--cell=1,1", "--offset=0,25"},
                [](const std::string& tensor) {
                  Request request;
                  request.mutable_classify()->set_tensor(tensor);
                  TensorPlace& place =
                      *request.mutable_classify()->add_places();
                  Assign({1, 1}, place.mutable_cell());
                  Assign({0, 25}, place.mutable_offset());
                  return request;
                });
}

TEST(TtAnswers, CoordsByTile) {
  ExpectAnswers({"coords"}, {"--cell=0,0", "--tile=0,0", "--in-tile=31,3"},
                [](const std::string& tensor) {
                  Request request;
                  request.mutable_classify()->set_tensor(tensor);
                  TensorPlace& place =
                      *request.mutable_classify()->add_places();
                  Assign({0, 0}, place.mutable_cell());
                  Assign({0, 0}, place.mutable_tile());
                  Assign({31, 3}, place.mutable_in_tile());
                  return request;
                });
}

Request Locate(const std::string& tensor, const Numbers& index) {
  Request request;
  request.mutable_locate()->set_tensor(tensor);
  Assign(index, request.mutable_locate()->mutable_indices());
  return request;
}

TEST(TtAnswers, Index) {
  const std::string scalars = Answer(Locate(kScalars, {1, 1, 6, 100})) +
                              Answer(Locate(kScalars, {1, 2, 63, 127}));
  EXPECT_EQ(Print({"index", kScalars, "1,1,6,100", "1,2,63,127"}), scalars);
  EXPECT_EQ(Print({"index", kScalars, "-"}, "1,1,6,100\n1,2,63,127\n"),
            scalars);
  for (const std::string& tensor : kTensors) {
    if (tensor == kScalars) continue;  // has four dimensions
    EXPECT_EQ(Print({"index", tensor, "18,31"}),
              Answer(Locate(tensor, {18, 31}), tensor));
    EXPECT_EQ(Print({"index", "-", "18,31"}, "\n" + tensor + "\n"),
              "\n" + Answer(Locate(tensor, {18, 31}), tensor, 2));
  }
}

// What is wrong with an index has its place in the text of that.
TEST(TtAnswers, IndexThatIsBad) {
  const std::string answers = absl::StrCat(
      Answer(Locate(kTiled, {1, 2})),
      R"js({"error":{"code":"OUT_OF_RANGE","message":"index[0] = 53 is )js"
      R"js(outside [0, 53)","field":"indices","position":{"offset":0,)js"
      R"js("line":2,"column":1,"excerpt":"53,0\n^"}}})js",
      "\n",
      R"js({"error":{"code":"INVALID_ARGUMENT","message":"the index has 4 )js"
      R"js(entries, but the array has 2 dimensions","field":"indices",)js"
      R"js("position":{"offset":0,"line":3,"column":1,"excerpt":)js"
      R"js("1,2,3,4\n^"}}})js",
      "\n",
      R"js({"error":{"code":"INVALID_ARGUMENT","message":"in index: )js"
      R"js(expected a 64-bit integer, found 'x'","field":"indices",)js"
      R"js("position":{"offset":2,"line":4,"column":3,"excerpt":)js"
      R"js("1,x\n  ^"}}})js",
      "\n");
  EXPECT_EQ(Print({"index", kTiled, "-"}, "1,2\n53,0\n1,2,3,4\n1,x\n"),
            answers);
}

TEST(TtAnswers, Derive) {
  const struct {
    std::vector<std::string> arguments;
    const char* question;
  } cases[] = {
      {{"--shape=2x3x64x128", "--grid=2x4"},
       R"({"shape":[2,3,64,128],"grid":[2,4]})"},
      {{"--shape=53x63", "--grid=3x2", "--element=tile<32x32,bfp_bf8>",
        "--memory-space=dram", "--oob=zero"},
       R"({"shape":[53,63],"grid":[3,2],"element":"tile<32x32,bfp_bf8>",)"
       R"("memory_space_name":"dram","oob_value":"zero"})"},
      {{"--shape=2x3x4x5", "--grid=1x1x1", "--collapse=0,2"},
       R"({"shape":[2,3,4,5],"grid":[1,1,1],"collapse_intervals":[0,2]})"},
      {{"--shape=2x8x32", "--grid=1x1x2", "--collapse=()"},
       R"({"shape":[2,8,32],"grid":[1,1,2],"no_collapse":true})"},
      {{"--shape=2x3x4x5", "--grid=1x1x1", "--collapse=()", "--collapse=0,2"},
       R"({"shape":[2,3,4,5],"grid":[1,1,1],"collapse_intervals":[0,2]})"},
      {{"--shape=8x96x32", "--grid=2x1x2", "--collapse-rule=reference-2024"},
       R"({"shape":[8,96,32],"grid":[2,1,2],"reference_2024":true})"},
      {{"--shape=2x8x32", "--grid=1x2", "--align=1,32,1"},
       R"({"shape":[2,8,32],"grid":[1,2],"alignments":[1,32,1]})"},
      {{"--shape=()", "--grid=1"}, R"({"grid":[1]})"},
      {{"--shape=8x96x32", "--grid=2x1x2"},
       R"({"shape":[8,96,32],"grid":[2,1,2]})"},
      {{"--shape=0x63", "--grid=3x2"}, R"({"shape":[0,63],"grid":[3,2]})"},
      {{"--shape=4611686018427387904x2", "--grid=1x1"},
       R"({"shape":[4611686018427387904,2],"grid":[1,1]})"},
  };
  for (const auto& c : cases) {
    Request request;
    ASSERT_THAT(JsonToProto(c.question, request.mutable_derive()), IsOk())
        << c.question;
    std::vector<std::string> arguments = c.arguments;
    arguments.insert(arguments.begin(), "derive");
    EXPECT_EQ(Print(arguments), Answer(request)) << c.question;
  }
}

TEST(TtAnswers, Ttnn) {
  const struct {
    std::vector<std::string> arguments;
    const char* question;
  } cases[] = {
      {{"--shape=12x12x16", "--shard=72x16"},
       R"({"shape":[12,12,16],"shard_shape":[72,16]})"},
      {{"--shape=12x12x16", "--shard=96x16", "--pad"},
       R"({"shape":[12,12,16],"shard_shape":[96,16],"pad":true})"},
      {{"--shape=12x12x16", "--shard=96x16", "--strides=512,16,1"},
       R"({"shape":[12,12,16],"shard_shape":[96,16],"strides":[512,16,1]})"},
      {{"--shape=7", "--shard=1x4", "--tile=1x32"},
       R"({"shape":[7],"shard_shape":[1,4],"tile_shape":[1,32]})"},
      {{"--shape=()", "--shard=1x1"}, R"({"shard_shape":[1,1]})"},
      {{"--shape=0", "--shard=1x1"}, R"({"shape":[0],"shard_shape":[1,1]})"},
      {{"--shape=7x7", "--shard=1x1", "--tile=0x32", "--pad"},
       R"({"shape":[7,7],"shard_shape":[1,1],"tile_shape":[0,32],"pad":true})"},
      {{"--shape=2x2", "--shard=1x1", "--strides=1,1"},
       R"({"shape":[2,2],"shard_shape":[1,1],"strides":[1,1]})"},
      {{"--shape=9223372036854775807x2", "--shard=1x1"},
       R"({"shape":[9223372036854775807,2],"shard_shape":[1,1]})"},
  };
  for (const auto& c : cases) {
    Request request;
    ASSERT_THAT(JsonToProto(c.question, request.mutable_ttnn()), IsOk())
        << c.question;
    std::vector<std::string> arguments = c.arguments;
    arguments.insert(arguments.begin(), "ttnn");
    EXPECT_EQ(Print(arguments), Answer(request)) << c.question;
  }
}

// The names of ttnn, and what is refused.
TEST(TtTtnn, Names) {
  const auto print = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"tt", "ttnn", "--shape=18x32x32"});
    const Outcome outcome = RunCommand(std::move(arguments));
    return outcome.out + outcome.err;
  };
  const std::string tile = print({"--dtype=bfloat16", "--layout=tile"});
  EXPECT_THAT(tile, HasSubstr("taken          36864 B in all (36.0 KiB); 4096 "
                              "B allocated in each of 12 banks"));
  for (const std::string layout :
       {"ttnn.TILE_LAYOUT", "TILE_LAYOUT", "Layout.TILE", "Layout::TILE"}) {
    EXPECT_EQ(print({"--dtype=ttnn.bfloat16", "--layout=" + layout}), tile)
        << layout;
  }
  const struct {
    std::vector<std::string> arguments;
    std::string error;
  } cases[] = {
      {{"--dtype=bfp8_b", "--layout=tile"},
       "'bfp8_b' is not a data type of ttnn; these are bfloat16, float32, "
       "bfloat8_b, bfloat4_b, uint8, uint16, uint32, int32, int8"},
      {{"--dtype=bfloat8_b", "--layout=row_major"},
       "a tensor of block floats, such as bfloat8_b, has the layout tile, not "
       "row_major"},
      {{"--dtype=bfloat16", "--layout=tiles"},
       "'tiles' is not tile or row_major"},
      {{"--dtype=bfloat16", "--layout=tile",
        "--memory-config=ttnn.L1_HEIGHT_SHARDED_MEMORY_CONFIG"},
       "the memory configuration is height_sharded, but it has no shard"},
  };
  for (const auto& c : cases) {
    EXPECT_THAT(print(c.arguments), HasSubstr(c.error));
  }
}

// What index says of a place, coords reads back.
TEST(TtCoords, FromABankACoreAndAPage) {
  const std::string interleaved =
      "tensor<3x40x70xbf16, #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, "
      "d2), <1x1>, memref<6x3x!ttcore.tile<32x32, bf16>, "
      "#ttnn.buffer_type<dram>>, <interleaved>>>";
  EXPECT_EQ(
      RunCommand({"tt", "coords", interleaved, "--bank=3", "--byte=2090"}).out,
      "2,33,5\n");
  EXPECT_EQ(
      RunCommand({"tt", "coords", interleaved, "--page=15", "--byte=42"}).out,
      "2,33,5\n");
  EXPECT_EQ(RunCommand({"tt", "coords", interleaved, "--bank=3", "--byte=2090",
                        "--banks=8"})
                .out,
            "1,33,69\n");
  const std::string sharded =
      "tensor<64x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, "
      "memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
      "<height_sharded>, core_ranges = <[#ttnn.core_range<(1,2), (2,2)>]>>>";
  EXPECT_EQ(RunCommand({"tt", "coords", sharded, "--core=2,2", "--byte=3"}).out,
            "32,1\n");
  EXPECT_THAT(
      RunCommand({"tt", "coords", sharded, "--core=0,0", "--byte=3"}).err,
      HasSubstr("no shard is on core (0,0)"));
  EXPECT_EQ(RunCommand({"tt", "coords", sharded, "--core=2,2"}).exit_code, 2);
  EXPECT_EQ(RunCommand(
                {"tt", "coords", sharded, "--core=2,2", "--bank=1", "--byte=1"})
                .exit_code,
            2);
}

}  // namespace
}  // namespace tessera::cli
