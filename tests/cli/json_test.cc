#include "tessera/report/text/json.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

TEST(Json, Example) {
  Json json;
  json["linear_index"] = 17;
  EXPECT_EQ(JsonLine(json), "{\"linear_index\":17}\n");
}

TEST(Json, IntegersAreNumbersAndKeysKeepTheirOrder) {
  Json json;
  json["z"] = std::numeric_limits<int64_t>::max();
  json["a"] = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(JsonLine(json),
            "{\"z\":9223372036854775807,\"a\":-9223372036854775808}\n");
}

TEST(Json, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(JsonLine(JsonString("a\xff")), "\"a\xef\xbf\xbd\"\n");
}

}  // namespace
}  // namespace tessera::cli
