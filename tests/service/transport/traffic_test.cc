#include "tessera/service/transport/traffic.h"

#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

Traffic::Request Ask(const char* code, absl::Duration waited) {
  Traffic::Request request;
  request.transport = "http";
  request.client = "127.0.0.1:4711";
  request.method = "POST";
  request.path = "/v1/ask";
  request.status = 200;
  request.code = code;
  request.bytes_in = 10;
  request.bytes_out = 20;
  request.waited = waited;
  request.took = 2 * waited;
  return request;
}

TEST(Traffic, CountsForPrometheus) {
  Traffic traffic;
  traffic.AddGauge("tessera_example", "An example.", [] { return 7.5; });
  traffic.Add(Ask("OK", absl::Milliseconds(1)));
  traffic.Add(Ask("OK", absl::Milliseconds(30)));
  traffic.Add(Ask("INTERNAL", absl::Minutes(2)));
  const std::string text = traffic.Metrics();
  for (const char* line : {
           "# TYPE tessera_requests_total counter\n",
           "tessera_requests_total{transport=\"http\",code=\"INTERNAL\"} 1\n",
           "tessera_requests_total{transport=\"http\",code=\"OK\"} 2\n",
           "tessera_request_bytes_total 30\n",
           "tessera_answer_bytes_total 60\n",
           "# TYPE tessera_wait_seconds histogram\n",
           "tessera_wait_seconds_bucket{le=\"0.001\"} 1\n",
           "tessera_wait_seconds_bucket{le=\"0.05\"} 2\n",
           "tessera_wait_seconds_bucket{le=\"60\"} 2\n",
           "tessera_wait_seconds_bucket{le=\"+Inf\"} 3\n",
           "tessera_wait_seconds_sum 120.031\ntessera_wait_seconds_count 3\n",
           "tessera_request_seconds_sum 240.062\n",
           "# HELP tessera_example An example.\n# TYPE tessera_example gauge\n"
           "tessera_example 7.5\n",
       }) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_THAT(text, HasSubstr("\nprocess_threads "));
}

TEST(Traffic, LogsALineOfJsonForEach) {
  Traffic traffic;
  std::string log;
  traffic.Log([&log](std::string_view line) { log.append(line); });
  Traffic::Request request = Ask("OK", absl::Microseconds(1500));
  request.path = "/a\"b\\\n\xff";
  traffic.Add(request);
  EXPECT_THAT(
      log, MatchesRegex(
               R"(\{"time":"[0-9-]+T[0-9:]+\.[0-9]{3}Z","transport":"http",)"
               R"("client":"127.0.0.1:4711","method":"POST",)"
               R"("path":"/a\\"b\\\\\\u000a\\u00ff","status":200,"code":"OK",)"
               R"("bytes_in":10,"bytes_out":20,"waited_ms":1.500,)"
               R"("took_ms":3.000\})"
               "\n"));
}

}  // namespace
}  // namespace tessera
