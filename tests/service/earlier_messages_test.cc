// Requests and responses as commit 53b8193 wrote them, as bytes and as JSON:
// before the questions lay in two files, and XLA's messages in a package of
// their own.

#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/message.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "proto/layout_service.pb.h"
#include "tessera/service/json.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using google::protobuf::util::MessageDifferencer;

std::string FileContents(const char* name) {
  std::ifstream in(absl::StrCat("tests/service/data/53b8193/", name),
                   std::ios::binary);
  EXPECT_TRUE(in) << name;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// Maps have an order in these bytes.
std::string BytesOf(const google::protobuf::Message& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    EXPECT_TRUE(message.SerializeToCodedStream(&coded));
  }
  return bytes;
}

// Expects that each line of the file is the JSON of one of the messages.
template <typename Messages>
void ExpectToBe(const Messages& messages, const char* file) {
  std::ifstream in(absl::StrCat("tests/service/data/53b8193/", file));
  std::string line;
  for (const auto& message : messages) {
    ASSERT_TRUE(std::getline(in, line)) << file;
    typename Messages::value_type read;
    ASSERT_THAT(JsonToProto(line, &read), IsOk()) << line;
    EXPECT_TRUE(MessageDifferencer::Equals(read, message)) << line;
  }
  EXPECT_FALSE(std::getline(in, line)) << file;
}

TEST(EarlierMessages, RequestsAreReadFromBytesAndJson) {
  BatchRequest batch;
  const std::string bytes = FileContents("requests.binpb");
  ASSERT_TRUE(batch.ParseFromString(bytes));
  ExpectToBe(batch.requests(), "requests.jsonl");
  EXPECT_EQ(BytesOf(batch), bytes);
}

TEST(EarlierMessages, ResponsesAreReadFromBytesAndJson) {
  BatchResponse batch;
  const std::string bytes = FileContents("responses.binpb");
  ASSERT_TRUE(batch.ParseFromString(bytes));
  ExpectToBe(batch.responses(), "responses.jsonl");
  EXPECT_EQ(BytesOf(batch), bytes);
}

}  // namespace
}  // namespace tessera
