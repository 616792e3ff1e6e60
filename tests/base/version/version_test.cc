#include "tessera/base/version/version.h"

#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(Version, IsThatOfTheFile) {
  std::ifstream file("VERSION");
  std::string version, rest;
  ASSERT_TRUE(file >> version);
  EXPECT_FALSE(file >> rest) << rest;
  EXPECT_EQ(version, TESSERA_VERSION);
  EXPECT_EQ(version,
            absl::StrCat(TESSERA_VERSION_MAJOR, ".", TESSERA_VERSION_MINOR, ".",
                         TESSERA_VERSION_PATCH));
  EXPECT_EQ(TESSERA_VERSION_NUMBER, TESSERA_VERSION_MAJOR * 10000 +
                                        TESSERA_VERSION_MINOR * 100 +
                                        TESSERA_VERSION_PATCH);
}

}  // namespace
}  // namespace tessera
