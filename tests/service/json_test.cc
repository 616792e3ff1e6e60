#include "tessera/service/json.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "google/protobuf/arena.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/struct.pb.h"
#include "google/protobuf/util/json_util.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "proto/layout_service.pb.h"
#include "proto/xla_data.pb.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using xla_data_proto::ShapeProto;

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using ::google::protobuf::util::MessageDifferencer;
using ::testing::HasSubstr;

// The error's position and text.
struct Complaint {
  absl::StatusCode code;
  int64_t line;
  int64_t column;
  std::string message;
};

Complaint ComplaintOf(std::string_view json, Message* message) {
  const absl::Status status = JsonToProto(json, message);
  const std::optional<Diagnostic> diagnostic = DiagnosticOf(status);
  if (!diagnostic.has_value()) return {status.code(), 0, 0, ""};
  return {status.code(), diagnostic->line, diagnostic->column,
          diagnostic->message};
}

TEST(Json, Example) {
  ShapeProto proto;
  proto.set_element_type(xla_data_proto::F32);
  proto.add_dimensions(2);
  proto.add_dimensions(3);
  proto.mutable_layout()->add_minor_to_major(1);
  proto.mutable_layout()->add_minor_to_major(0);
  EXPECT_EQ(
      ProtoToJson(proto),
      R"({"element_type":"F32","dimensions":[2,3],"layout":{"minor_to_major":[1,0]}})");

  ShapeProto read;
  EXPECT_THAT(JsonToProto(R"({"dimensions":[9223372036854775807]})", &read),
              IsOk());
  EXPECT_EQ(read.dimensions(0), std::numeric_limits<int64_t>::max());
  ShapeProto bad;
  const Complaint complaint =
      ComplaintOf(R"({"dimensions":[2,"three"]})", &bad);
  EXPECT_EQ(complaint.column, 18);
  EXPECT_EQ(complaint.message, "dimensions[1]: 'three' is not an integer");
  LinearizeResult result;
  result.add_linear_indices(17);
  EXPECT_EQ(ProtoToJson(result, JsonFields::kProto3),
            R"({"linear_indices":["17"]})");
}

TEST(Json, EveryKindOfField) {
  ShapeProto proto;
  proto.add_dimensions(std::numeric_limits<int64_t>::min());
  proto.add_is_dynamic_dimension(true);
  proto.add_is_dynamic_dimension(false);
  proto.add_tuple_shapes();
  proto.add_tuple_shapes()->set_element_type(xla_data_proto::TOKEN);
  proto.mutable_layout()->add_dim_level_types(xla_data_proto::DIM_DENSE);
  proto.mutable_layout()->add_dim_level_types(xla_data_proto::DIM_SINGLETON);
  proto.mutable_layout()->set_memory_space(std::numeric_limits<int64_t>::max());
  EXPECT_EQ(ProtoToJson(proto),
            R"({"dimensions":[-9223372036854775808],)"
            R"("tuple_shapes":[{},{"element_type":"TOKEN"}],)"
            R"("layout":{"memory_space":9223372036854775807,)"
            R"("dim_level_types":["DIM_DENSE","DIM_SINGLETON"]},)"
            R"("is_dynamic_dimension":[true,false]})");
}

TEST(Json, NothingIsAnEmptyObject) {
  EXPECT_EQ(ProtoToJson(ShapeProto()), "{}");
}

TEST(Json, BytesThatAreNoUtf8AreReplaced) {
  Request request;
  request.set_id("a\xFF\"");
  EXPECT_EQ(ProtoToJson(request), "{\"id\":\"a\xEF\xBF\xBD\\\"\"}");
}

TEST(Json, AllFields) {
  EXPECT_EQ(ProtoToJson(LinearizeResult(), JsonFields::kAll),
            R"({"linear_indices":[]})");
  Response response;
  response.mutable_error()->set_code(Error::NOT_FOUND);
  // Of a oneof the member that is set, and null for a message that is absent.
  EXPECT_EQ(ProtoToJson(response, JsonFields::kAll),
            R"({"id":"","error":{"code":"NOT_FOUND","message":"","field":"",)"
            R"("position":null}})");
  DeriveRequest derive;
  derive.set_no_collapse(true);
  EXPECT_EQ(ProtoToJson(derive, JsonFields::kAll),
            R"({"shape":[],"grid":[],"element":"","collapse_intervals":[],)"
            R"("no_collapse":true,"reference_2024":false,"alignments":[],)"
            R"("memory_space_name":"","oob_value":""})");
  // Optional fields are null where they are absent, and 0 where they are 0.
  Sizes sizes;
  sizes.set_padded_bits(0);
  EXPECT_THAT(ProtoToJson(sizes, JsonFields::kAll),
              HasSubstr(R"("unpadded_bits":null,"padded_bits":0)"));
}

// google.protobuf.Struct and its kin have what our own messages have not.
TEST(Json, MapsAndFractions) {
  google::protobuf::Struct fields;
  (*fields.mutable_fields())["b"].set_number_value(1);
  (*fields.mutable_fields())["a\""].set_number_value(0.1);
  (*(*fields.mutable_fields())["c"]
        .mutable_struct_value()
        ->mutable_fields())["d"]
      .set_bool_value(true);
  // Its only field is a map, for which it stands.
  EXPECT_EQ(ProtoToJson(fields),
            R"({"a\"":{"number_value":0.1},"b":{"number_value":1.0},)"
            R"("c":{"struct_value":{"d":{"bool_value":true}}}})");
  EXPECT_EQ(ProtoToJson(google::protobuf::Struct()), "{}");
}

TEST(Json, FractionsAreRead) {
  for (const double number :
       {0.1, 7.0, -3.5, 1e300, 1.8285714285714285, 0x1p63, 0x1p65}) {
    google::protobuf::Value value;
    value.set_number_value(number);
    google::protobuf::Value read;
    EXPECT_THAT(JsonToProto(ProtoToJson(value), &read), IsOk()) << number;
    EXPECT_EQ(read.number_value(), number);
  }
  for (const char* integer :
       {"7", "9223372036854775808", "18446744073709551616"}) {
    google::protobuf::Value read;
    EXPECT_THAT(
        JsonToProto(absl::StrCat("{\"number_value\":", integer, "}"), &read),
        IsOk())
        << integer;
    EXPECT_EQ(read.number_value(), std::strtod(integer, nullptr));
  }
  google::protobuf::Value read;
  EXPECT_EQ(ComplaintOf(R"({"number_value":"a tenth"})", &read).message,
            "number_value: 'a tenth' is not a number");
}

TEST(Json, FractionsAreReadFromStrings) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const struct {
    const char* text;
    double value;
  } cases[] = {{"0.1", 0.1},
               {"-7", -7},
               {"1e300", 1e300},
               {"Infinity", kInfinity},
               {"-Infinity", -kInfinity}};
  for (const auto& c : cases) {
    google::protobuf::Value read;
    EXPECT_THAT(
        JsonToProto(absl::StrCat("{\"number_value\":\"", c.text, "\"}"), &read),
        IsOk())
        << c.text;
    EXPECT_EQ(read.number_value(), c.value);
    google::protobuf::Value again;
    EXPECT_THAT(JsonToProto(ProtoToJson(read), &again), IsOk()) << c.text;
    EXPECT_EQ(again.number_value(), c.value);
  }
  google::protobuf::Value nan;
  EXPECT_THAT(JsonToProto(R"({"number_value":"NaN"})", &nan), IsOk());
  EXPECT_TRUE(std::isnan(nan.number_value()));
  EXPECT_EQ(ProtoToJson(nan), R"({"number_value":"NaN"})");
  for (const char* text :
       {"", "inf", "nan", "0x10", " 1", "1 ", "1e999", "."}) {
    google::protobuf::Value read;
    EXPECT_EQ(
        ComplaintOf(absl::StrCat("{\"number_value\":\"", text, "\"}"), &read)
            .message,
        absl::StrCat("number_value: '", text, "' is not a number"));
  }
}

TEST(Json, MapsAreRead) {
  PeakResult peak;
  const char* const json =
      R"({"modules":[{"by_memory_space":{"-7":{"name":"a"},"10":{}}}]})";
  ASSERT_THAT(JsonToProto(json, &peak), IsOk());
  const auto& spaces = peak.modules(0).by_memory_space().spaces();
  ASSERT_EQ(spaces.size(), 2);
  EXPECT_EQ(spaces.at(-7).name(), "a");
  EXPECT_EQ(ProtoToJson(peak), json);
  ModuleChange change;
  ASSERT_THAT(JsonToProto(R"({"by_memory_space":{"1":{"name":"b"}}})", &change),
              IsOk());
  EXPECT_EQ(change.by_memory_space().at(1).name(), "b");

  const struct {
    const char* json;
    const char* error;
  } cases[] = {
      {R"({"by_memory_space":{"x":{}}})",
       "1:21: by_memory_space: expected an integer as the key, found 'x'"},
      {R"({"by_memory_space":{"01":{}}})",
       "1:21: by_memory_space: expected an integer as the key, found '01'"},
      {R"({"by_memory_space":{"1":{},"1":{}}})",
       "1:28: by_memory_space: the key '1' comes twice"},
      {R"({"by_memory_space":{"1":3}})",
       "1:25: by_memory_space[1]: expected an object, found an integer"},
      {R"({"by_memory_space":{"1":null}})",
       "1:25: by_memory_space[1]: expected an object, found null"},
      {R"({"by_memory_space":{"1":{"name":2}}})",
       "1:33: by_memory_space[1].name: expected a string, found an integer"},
      {R"({"by_memory_space":[]})",
       "1:20: by_memory_space: expected an object, found an array"},
      {R"({"by_memory_space":3})",
       "1:20: by_memory_space: expected an object, found an integer"},
  };
  for (const auto& c : cases) {
    ModuleChange with_field;
    ModulePeak with_message;
    for (Message* message : {static_cast<Message*>(&with_field),
                             static_cast<Message*>(&with_message)}) {
      const Complaint complaint = ComplaintOf(c.json, message);
      EXPECT_EQ(absl::StrCat(complaint.line, ":", complaint.column, ": ",
                             complaint.message),
                c.error);
    }
  }
}

// A message that is only a map may stand with the name of the map, as proto3
// has it.
TEST(Json, MapsAreReadByName) {
  ModulePeak peak;
  ASSERT_THAT(
      JsonToProto(R"({"by_memory_space":{"spaces":{"-7":{"name":"a"}}}})",
                  &peak),
      IsOk());
  EXPECT_EQ(peak.by_memory_space().spaces().at(-7).name(), "a");
  EXPECT_EQ(ProtoToJson(peak), R"({"by_memory_space":{"-7":{"name":"a"}}})");
  EXPECT_THAT(ProtoToJson(peak, JsonFields::kProto3),
              HasSubstr(R"("by_memory_space":{"spaces":{"-7":{"name":"a",)"));
  ModulePeak none;
  EXPECT_THAT(JsonToProto(R"({"by_memory_space":{"spaces":null}})", &none),
              IsOk());
  EXPECT_TRUE(none.has_by_memory_space());
  const struct {
    const char* json;
    const char* error;
  } cases[] = {
      {R"({"by_memory_space":{"spaces":{},"1":{}}})",
       "by_memory_space: there is no field '1'"},
      {R"({"by_memory_space":{"spaces":{},"spaces":{}}})",
       "by_memory_space: there is no field 'spaces'"},
      {R"({"by_memory_space":{"1":{},"spaces":{}}})",
       "by_memory_space: expected an integer as the key, found 'spaces'"},
      {R"({"by_memory_space":{"spaces":{"1":3}}})",
       "by_memory_space.spaces[1]: expected an object, found an integer"},
      {R"({"by_memory_space":{"spaces":3}})",
       "by_memory_space.spaces: expected an object, found an integer"},
      {R"({"by_memory_space":{"spaces":[]}})",
       "by_memory_space.spaces: expected an object, found an array"},
  };
  for (const auto& c : cases) {
    ModulePeak read;
    EXPECT_EQ(ComplaintOf(c.json, &read).message, c.error) << c.json;
  }
}

TEST(Json, DeepNesting) {
  google::protobuf::Arena arena;
  auto* proto = google::protobuf::Arena::CreateMessage<ShapeProto>(&arena);
  constexpr int kDepth = 100000;
  ShapeProto* innermost = proto;
  for (int i = 0; i < kDepth; ++i) innermost = innermost->add_tuple_shapes();
  std::string want;
  for (int i = 0; i < kDepth; ++i) want += "{\"tuple_shapes\":[";
  want += "{}";
  for (int i = 0; i < kDepth; ++i) want += "]}";
  EXPECT_EQ(ProtoToJson(*proto), want);
}

// -- Reading -----------------------------------------------------------------

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

// A message of any type with random fields.
void FillRandomly(int depth, RandomBits* random, Message* message) {
  const Reflection& reflection = *message->GetReflection();
  const auto integer = [random]() -> int64_t {
    switch (Uniform(0, 3, random)) {
      case 0:
        return kMost - Uniform(0, 2, random);
      case 1:
        return kLeast + Uniform(0, 2, random);
      default:
        return Uniform(-1000, 1000, random);
    }
  };
  const auto text = [random]() -> std::string {
    static constexpr const char* kTexts[] = {
        "",
        "f32[2]",
        "\"\\/\b\f\n\r\t",
        "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x92\xA1",
        "{\"id\":1}",
        "\x01\x1F\x7F"};
    const int64_t i = Uniform(0, 6, random);
    return i == 6 ? std::string("a\0b", 3) : kTexts[i];
  };
  for (int i = 0; i < message->GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor* field = message->GetDescriptor()->field(i);
    // A later member of a oneof takes the place of an earlier one.
    const int values =
        field->is_repeated() ? Uniform(0, 3, random) : Uniform(0, 1, random);
    for (int k = 0; k < values; ++k) {
      const bool repeats = field->is_repeated();
      switch (field->cpp_type()) {
        case FieldDescriptor::CPPTYPE_INT64:
          repeats ? reflection.AddInt64(message, field, integer())
                  : reflection.SetInt64(message, field, integer());
          break;
        case FieldDescriptor::CPPTYPE_DOUBLE: {
          const double fraction = static_cast<double>(integer()) / 7;
          repeats ? reflection.AddDouble(message, field, fraction)
                  : reflection.SetDouble(message, field, fraction);
          break;
        }
        case FieldDescriptor::CPPTYPE_BOOL:
          repeats ? reflection.AddBool(message, field, k % 2 == 0)
                  : reflection.SetBool(message, field, true);
          break;
        case FieldDescriptor::CPPTYPE_STRING:
          repeats ? reflection.AddString(message, field, text())
                  : reflection.SetString(message, field, text());
          break;
        case FieldDescriptor::CPPTYPE_ENUM: {
          const auto* values_of = field->enum_type();
          const auto* value = values_of->value(
              Uniform(0, values_of->value_count() - 1, random));
          repeats ? reflection.AddEnum(message, field, value)
                  : reflection.SetEnum(message, field, value);
          break;
        }
        default:
          if (depth == 0) break;
          FillRandomly(depth - 1, random,
                       repeats ? reflection.AddMessage(message, field)
                               : reflection.MutableMessage(message, field));
      }
    }
  }
}

template <typename Type>
void ExpectRoundTrips() {
  RandomBits random(TestSeed());
  for (int i = 0; i < 300; ++i) {
    Type filled, message;
    FillRandomly(4, &random, &filled);
    // No key stands twice in a map that was read.
    ASSERT_TRUE(message.ParseFromString(filled.SerializeAsString()));
    const std::string json = ProtoToJson(message);
    Type read;
    ASSERT_THAT(JsonToProto(json, &read), IsOk()) << json;
    ASSERT_TRUE(MessageDifferencer::Equals(read, message)) << json;
    // One line, and JSON by another's judgement.
    ASSERT_EQ(json.find('\n'), std::string::npos);
    ASSERT_TRUE(nlohmann::json::accept(json)) << json;
  }
}

TEST(Json, RequestsRoundTrip) { ExpectRoundTrips<Request>(); }
TEST(Json, ResponsesRoundTrip) { ExpectRoundTrips<Response>(); }
TEST(Json, BatchesRoundTrip) { ExpectRoundTrips<BatchResponse>(); }
TEST(Json, ShapesRoundTrip) { ExpectRoundTrips<ShapeProto>(); }

// Protocol Buffers' own functions judge: their reader accepts what is written
// for it, and what they write is read.
template <typename Type>
void ExpectProto3() {
  using google::protobuf::util::JsonPrintOptions;
  RandomBits random(TestSeed());
  JsonPrintOptions forms[4];
  forms[1].preserve_proto_field_names = true;
  forms[2].always_print_primitive_fields = true;
  forms[3].always_print_enums_as_ints = true;
  for (int i = 0; i < 300; ++i) {
    Type filled, message;
    FillRandomly(4, &random, &filled);
    ASSERT_TRUE(message.ParseFromString(filled.SerializeAsString()));
    const std::string json = ProtoToJson(message, JsonFields::kProto3);
    Type theirs, ours;
    ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(json, &theirs).ok())
        << json;
    ASSERT_TRUE(MessageDifferencer::Equals(theirs, message)) << json;
    ASSERT_THAT(JsonToProto(json, &ours), IsOk()) << json;
    ASSERT_TRUE(MessageDifferencer::Equals(ours, message)) << json;
    for (const JsonPrintOptions& form : forms) {
      std::string printed;
      ASSERT_TRUE(
          google::protobuf::util::MessageToJsonString(message, &printed, form)
              .ok());
      Type read;
      ASSERT_THAT(JsonToProto(printed, &read), IsOk()) << printed;
      ASSERT_TRUE(MessageDifferencer::Equals(read, message)) << printed;
    }
  }
}

TEST(Json, RequestsAreProto3) { ExpectProto3<Request>(); }
TEST(Json, ResponsesAreProto3) { ExpectProto3<Response>(); }
TEST(Json, BatchRequestsAreProto3) { ExpectProto3<BatchRequest>(); }
TEST(Json, BatchesAreProto3) { ExpectProto3<BatchResponse>(); }
TEST(Json, ShapesAreProto3) { ExpectProto3<ShapeProto>(); }

TEST(Json, IntegersInEveryForm) {
  const struct {
    const char* json;
    int64_t value;
  } cases[] = {
      {"\"17\"", 17},
      {"\"-9223372036854775808\"", kLeast},
      {"\"9223372036854775807\"", kMost},
      {"1.0", 1},
      {"-2.50e1", -25},
      {"1e3", 1000},
      {"1200e-2", 12},
      {"0e5", 0},
      {"-0.0", 0},
      {"9223372036854775807.0", kMost},
      {"922337203685477580.7e1", kMost},
      {"\"1e2\"", 100},
      {"\"007\"", 7},
      {"0e-99999999999999999999", 0},
  };
  for (const auto& c : cases) {
    LinearizeResult read;
    EXPECT_THAT(
        JsonToProto(absl::StrCat("{\"linear_indices\":[", c.json, "]}"), &read),
        IsOk())
        << c.json;
    ASSERT_EQ(read.linear_indices_size(), 1) << c.json;
    EXPECT_EQ(read.linear_indices(0), c.value) << c.json;
  }
  const struct {
    const char* json;
    const char* message;
  } refused[] = {
      {"1.5", "expected an integer, found a fraction"},
      {"1e-3", "expected an integer, found a fraction"},
      {"9223372036854775807.5", "expected an integer, found a fraction"},
      {"9223372036854775808.0",
       "9223372036854775808.0 is outside the range of 64-bit integers"},
      {"1e300", "1e300 is outside the range of 64-bit integers"},
      {"\"9223372036854775808\"",
       "9223372036854775808 is outside the range of 64-bit integers"},
      {"\"1e99999999999999999999\"",
       "1e99999999999999999999 is outside the range of 64-bit integers"},
      {"\"\"", "'' is not an integer"},
      {"\" 1\"", "' 1' is not an integer"},
      {"\"+1\"", "'+1' is not an integer"},
      {"\"1.5\"", "'1.5' is not an integer"},
      {"\"0x10\"", "'0x10' is not an integer"},
      {"\"-\"", "'-' is not an integer"},
      {"\"1-\"", "'1-' is not an integer"},
      {"null", "expected an integer, found null"},
  };
  for (const auto& c : refused) {
    LinearizeResult read;
    EXPECT_EQ(
        ComplaintOf(absl::StrCat("{\"linear_indices\":[", c.json, "]}"), &read)
            .message,
        absl::StrCat("linear_indices[0]: ", c.message));
  }
}

TEST(Json, KeysEnumsAndNullAsInProto3) {
  Request request;
  EXPECT_THAT(
      JsonToProto(R"({"id":null,"parse":{"kind":2,"withoutLayout":true,)"
                  R"("text":null,"lenient":null}})",
                  &request),
      IsOk());
  EXPECT_EQ(request.parse().kind(), ParseRequest::XLA_LAYOUT);
  EXPECT_TRUE(request.parse().without_layout());
  Request lists;
  EXPECT_THAT(JsonToProto(R"({"linearize":{"indices":null},"id":"1"})", &lists),
              IsOk());
  EXPECT_TRUE(lists.has_linearize());
  Request none;
  EXPECT_THAT(JsonToProto(R"({"parse":null})", &none), IsOk());
  EXPECT_EQ(none.question_case(), Request::QUESTION_NOT_SET);
  // A value that came over the wire and has no name stays a number.
  ParseResult parsed;
  parsed.set_kind(static_cast<ParseRequest::Kind>(99));
  EXPECT_EQ(ProtoToJson(parsed), R"({"kind":99})");

  const struct {
    const char* json;
    const char* message;
  } refused[] = {
      {R"({"parse":{"kind":99}})", "parse.kind: 99 is not a number of Kind"},
      {R"({"parse":{"kind":4294967296}})",
       "parse.kind: 4294967296 is not a number of Kind"},
      {R"({"parse":{"kind":1.5}})",
       "parse.kind: expected a name of Kind, found a fraction"},
      {R"({"parse":{"withoutLayout":true,"without_layout":true}})",
       "parse: the field 'without_layout' comes twice"},
      {R"({"classify":{"places":[null]}})",
       "classify.places[0]: expected an object, found null"},
  };
  for (const auto& c : refused) {
    Request read;
    EXPECT_EQ(ComplaintOf(c.json, &read).message, c.message) << c.json;
  }
}

TEST(Json, IntegersAreExact) {
  for (const int64_t value : {kMost, kMost - 1, kLeast, kLeast + 1,
                              (int64_t{1} << 53) + 1, int64_t{0}}) {
    LinearizeResult result, read;
    result.add_linear_indices(value);
    ASSERT_THAT(JsonToProto(ProtoToJson(result), &read), IsOk()) << value;
    EXPECT_EQ(read.linear_indices(0), value);
  }
}

TEST(Json, WhiteSpaceAndEscapes) {
  Request request;
  EXPECT_THAT(
      JsonToProto("\xEF\xBB\xBF \t\r\n{ \"id\" :\n\"\\u20AC\\ud83d\\udca1"
                  "\\n\" , \"linearize\":{\"indices\":[ ] } } \n",
                  &request),
      IsOk());
  EXPECT_EQ(request.id(), "\xE2\x82\xAC\xF0\x9F\x92\xA1\n");
  EXPECT_TRUE(request.has_linearize());
}

TEST(Json, MistakesAreSaidWithTheirPlace) {
  using absl::StatusCode;
  const StatusCode invalid = StatusCode::kInvalidArgument;
  const struct {
    std::string json;
    Complaint want;
  } cases[] = {
      {"",
       {invalid, 1, 1,
        "invalid JSON: syntax error while parsing value - "
        "unexpected end of input; expected '[', '{', or a "
        "literal"}},
      {"{\"id\":\"1\"",
       {invalid, 1, 10,
        "invalid JSON: syntax error while parsing object - "
        "unexpected end of input; expected '}'"}},
      {"{\"id\":\"1\"} x",
       {invalid, 1, 12,
        "invalid JSON: syntax error while parsing value - "
        "invalid literal; last read: '\"1\"} x'; expected end of input"}},
      {"[]", {invalid, 1, 1, "expected an object, found an array"}},
      {"7", {invalid, 1, 1, "expected an object, found an integer"}},
      {"\"a\"", {invalid, 1, 1, "expected an object, found a string"}},
      {"null", {invalid, 1, 1, "expected an object, found null"}},
      {"{\n \"id\": 7}",
       {invalid, 2, 8, "id: expected a string, found an integer"}},
      {"{\"id\":[\"a\"]}",
       {invalid, 1, 7, "id: expected a string, found an array"}},
      {"{\"id\":{}}",
       {invalid, 1, 7, "id: expected a string, found an object"}},
      {"{\"id\":true}",
       {invalid, 1, 7, "id: expected a string, found a boolean"}},
      {"{\"id\":1.5}",
       {invalid, 1, 7, "id: expected a string, found a fraction"}},
      {"{\"ID\":\"1\"}", {invalid, 1, 2, "there is no field 'ID'"}},
      {"{\"\":1}", {invalid, 1, 2, "there is no field ''"}},
      {"{\"id\":\"1\", \"id\":\"2\"}",
       {invalid, 1, 12, "the field 'id' comes twice"}},
      {"{\"parse\":{},\n\"check\":{}}",
       {invalid, 2, 1, "'check' is a second question after parse"}},
      {"{\"parse\":[]}",
       {invalid, 1, 10, "parse: expected an object, found an array"}},
      {"{\"parse\":\"f32[2]\"}",
       {invalid, 1, 10, "parse: expected an object, found a string"}},
      {"{\"parse\":{\"kind\":\"foo\"}}",
       {invalid, 1, 18, "parse.kind: 'foo' is not a name of Kind"}},
      {"{\"parse\":{\"lenient\":\"true\"}}",
       {invalid, 1, 21, "parse.lenient: expected a boolean, found a string"}},
      {"{\"linearize\":{\"indices\":7}}",
       {invalid, 1, 25,
        "linearize.indices: expected an array, found an integer"}},
      {"{\"linearize\":{\"indices\":{}}}",
       {invalid, 1, 25,
        "linearize.indices: expected an array, found an object"}},
      {"{\"linearize\":{\"indices\":[1,\n 2, [3]]}}",
       {invalid, 2, 5,
        "linearize.indices[2]: expected an integer, found an array"}},
      {"{\"linearize\":{\"indices\":[1,{}]}}",
       {invalid, 1, 28,
        "linearize.indices[1]: expected an integer, found an object"}},
      {"{\"linearize\":{\"indices\":[1.5]}}",
       {invalid, 1, 26,
        "linearize.indices[0]: expected an integer, found a fraction"}},
      {"{\"linearize\":{\"indices\":[-9223372036854775809]}}",
       {StatusCode::kOutOfRange, 1, 26,
        "linearize.indices[0]: -9223372036854775809 is outside the range of "
        "64-bit integers"}},
      {"{\"linearize\":{\"indices\":[0, 18446744073709551616]}}",
       {StatusCode::kOutOfRange, 1, 29,
        "linearize.indices[1]: 18446744073709551616 is outside the range of "
        "64-bit integers"}},
      {"{\"linearize\":{\"indices\":[0,1,]}}",
       {invalid, 1, 30,
        "invalid JSON: syntax error while parsing value - "
        "unexpected ']'; expected '[', '{', or a literal"}},
      {"{\"classify\":{\"places\":[{},{\"cell\":[0],\"cel\":1}]}}",
       {invalid, 1, 39,
        "classify.places[1]: there is no field 'cel'; the fields are cell, "
        "offset, tile, in_tile, bank, core, page, byte, bit"}},
      // A column counts bytes, as of every text.
      {"{\"id\":\"\xC3\xA9\",\"x\":1}",
       {invalid, 1, 12, "there is no field 'x'"}},
  };
  for (const auto& c : cases) {
    Request request;
    const Complaint got = ComplaintOf(c.json, &request);
    EXPECT_EQ(got.code, c.want.code) << c.json;
    EXPECT_EQ(got.line, c.want.line) << c.json;
    EXPECT_EQ(got.column, c.want.column) << c.json;
    EXPECT_EQ(got.message, c.want.message) << c.json;
  }
}

TEST(Json, WhatIsNoUtf8IsRefusedWhereItStands) {
  for (const char* text :
       {"\xFF", "\xC3", "\xC0\x80", "\xED\xA0\x80", "\\ud800", "\x01"}) {
    Request request;
    const std::string json = absl::StrCat("{\"id\":\"ab", text, "\"}");
    const Complaint complaint = ComplaintOf(json, &request);
    EXPECT_EQ(complaint.code, absl::StatusCode::kInvalidArgument) << text;
    EXPECT_GE(complaint.column, 10) << text;
    EXPECT_LE(complaint.column, 16) << text;
  }
}

// Long names and texts do not come back whole.
TEST(Json, MessagesAreShort) {
  const std::string name(100000, 'x');
  for (const std::string& json :
       {absl::StrCat("{\"", name, "\":1}"),
        absl::StrCat("{\"parse\":{\"kind\":\"", name, "\"}}"),
        absl::StrCat("{\"linearize\":{\"indices\":[", std::string(5000, '7'),
                     "]}}"),
        absl::StrCat("{\"id\":\"", name)}) {
    Request request;
    EXPECT_LT(ComplaintOf(json, &request).message.size(), 300);
  }
}

TEST(Json, WhatStandsBeforeTheErrorIsRead) {
  Request request;
  EXPECT_FALSE(
      JsonToProto(R"({"id":"7","linearize":{"indices":[5,x)", &request).ok());
  EXPECT_EQ(request.id(), "7");
  EXPECT_EQ(request.linearize().indices(0), 5);
}

TEST(Json, NestingIsBounded) {
  const auto nested = [](int depth) {
    std::string json;
    for (int i = 1; i < depth; ++i) json += "{\"tuple_shapes\":[";
    json += "{}";
    for (int i = 1; i < depth; ++i) json += "]}";
    return json;
  };
  ShapeProto allowed;
  EXPECT_THAT(JsonToProto(nested(kJsonNestingLimit), &allowed), IsOk());
  for (const int depth : {kJsonNestingLimit + 1, 200000}) {
    ShapeProto shape;
    const Complaint complaint = ComplaintOf(nested(depth), &shape);
    EXPECT_EQ(complaint.code, absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(complaint.message,
                HasSubstr("messages are nested deeper than 100"));
  }
  // Brackets alone.
  Request request;
  EXPECT_EQ(ComplaintOf(std::string(1000000, '['), &request).message,
            "expected an object, found an array");
}

TEST(Json, MessagesAreCounted) {
  JsonLimits limits;
  limits.json_messages = 3;
  const std::string three = R"({"classify":{"places":[{},{})";
  Request request;
  EXPECT_THAT(JsonToProto(three + "]}}", &request, limits), IsOk());
  EXPECT_EQ(request.classify().places_size(), 2);
  Request more;
  const absl::Status status = JsonToProto(three + ",{}]}}", &more, limits);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_EQ(DiagnosticOf(status)->message,
            "json_messages: 4 messages exceed the limit of 3");
  EXPECT_EQ(DiagnosticOf(status)->column, 30);
}

// Whatever is cut off, turned over or inserted, there is an answer.
TEST(Json, DamagedTextsAreRefusedOrRead) {
  RandomBits random(TestSeed());
  for (int i = 0; i < 3000; ++i) {
    Request request;
    FillRandomly(2, &random, &request);
    std::string json = ProtoToJson(request);
    const int64_t at = Uniform(0, json.size() - 1, &random);
    switch (Uniform(0, 2, &random)) {
      case 0:
        json.resize(at);
        break;
      case 1:
        json[at] = static_cast<char>(Uniform(0, 255, &random));
        break;
      default:
        json.insert(at, 1, "{}[]\",:0-e\\"[Uniform(0, 10, &random)]);
    }
    Request read;
    const absl::Status status = JsonToProto(json, &read);
    if (!status.ok()) {
      ASSERT_TRUE(DiagnosticOf(status).has_value()) << json;
    }
  }
}

}  // namespace
}  // namespace tessera
