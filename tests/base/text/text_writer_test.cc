#include "tessera/base/text/text_writer.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(TextWriter, IntsOfEveryLength) {
  std::vector<int64_t> values = {0, std::numeric_limits<int64_t>::min(),
                                 std::numeric_limits<int64_t>::max()};
  for (int64_t power = 1; power <= 1000000000000000000; power *= 10) {
    for (int64_t value : {power - 1, power, power + 1}) {
      values.push_back(value);
      values.push_back(-value);
    }
    if (power == 1000000000000000000) break;
  }
  for (int64_t value : values) {
    std::string out;
    { TextWriter(&out).Int(value); }
    EXPECT_EQ(out, std::to_string(value));
  }
}

TEST(TextWriter, AppendsInOrderAcrossItsBuffer) {
  // Every size of text around that of the buffer, pieces before and after.
  for (size_t size = 0; size < 600; ++size) {
    const std::string text(size, 'x');
    std::string out = "before ";
    {
      TextWriter writer(&out);
      writer.Int(12);
      writer.Text(text);
      writer.Char('|');
      writer.Text(text);
      writer.Ints({1, -2, 3});
    }
    EXPECT_EQ(out, "before 12" + text + "|" + text + "1,-2,3");
  }
}

}  // namespace
}  // namespace tessera
