// `tessera serve` where there is no server to start; tests/service/transport
// starts it.

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/run.h"

namespace tessera::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ServeCommand, SaysWhatBuildsTheServer) {
  const Outcome outcome = RunCommand({"serve", "--grpc-port=0"});
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(
      outcome.err,
      AllOf(StartsWith("tessera serve: error: "), HasSubstr("/tessera_serve"),
            HasSubstr("'./bazelw build -c opt //cli:tessera_serve' "
                      "builds it")));
}

// Without the server, too.
TEST(ServeCommand, ReadsItsOptions) {
  EXPECT_THAT(RunCommand({"serve", "--help"}).out, HasSubstr("--grpc-port"));
  EXPECT_EQ(RunCommand({"serve", "--grpc-port=x"}).exit_code, kExitBadUsage);
}

}  // namespace
}  // namespace tessera::cli
