#include "tessera/base/text/mlir_reader.h"

#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

using ::testing::StartsWith;

TEST(MlirReader, Example) {
  MlirReader reader("<4x8xf32, [-16, 2]");
  int64_t size, stride;
  EXPECT_TRUE(reader.Expect('<'));
  ASSERT_TRUE(reader.ReadSize("size", &size));
  EXPECT_EQ(size, 4);
  EXPECT_TRUE(reader.Expect('x'));
  ASSERT_TRUE(reader.ReadSize("size", &size));
  EXPECT_EQ(size, 8);
  EXPECT_TRUE(reader.ExpectKeyword("xf32"));
  EXPECT_TRUE(reader.Expect(','));
  EXPECT_TRUE(reader.Expect('['));
  ASSERT_TRUE(reader.ReadInteger("a stride", &stride));
  EXPECT_EQ(stride, -16);
  EXPECT_FALSE(reader.Expect(']'));
  EXPECT_THAT(std::string(reader.status().message()),
              StartsWith("1:15: expected ']', found ','\n"));
}

}  // namespace
}  // namespace tessera
