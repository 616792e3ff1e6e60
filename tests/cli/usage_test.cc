// Which Tessera this is.

#include "gtest/gtest.h"
#include "tests/cli/run.h"

namespace tessera {
namespace {

TEST(Version, Example) {
  for (const char* flag : {"--version", "-V"}) {
    const Outcome outcome = RunCommand({flag});
    EXPECT_EQ(outcome.exit_code, kExitOk);
    EXPECT_EQ(outcome.out, "tessera 0.1.0\n");
    EXPECT_EQ(outcome.err, "");
  }
}

}  // namespace
}  // namespace tessera
