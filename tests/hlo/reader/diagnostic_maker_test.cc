#include "tessera/hlo/reader/diagnostic_maker.h"

#include <string>

#include "gtest/gtest.h"

namespace tessera {
namespace hlo_internal {
namespace {

TEST(DiagnosticMaker, Example) {
  DiagnosticMaker maker("a\nbc");
  EXPECT_EQ(maker.At(3, "odd").ToString(), "2:2: odd\n  bc\n   ^");
}

// The same as MakeDiagnostic says, in whatever order it is asked.
TEST(DiagnosticMaker, AgreesWithMakeDiagnostic) {
  std::string text = "\n\nfirst\r\n" + std::string(3000, 'x') + "\n\n";
  text += std::string(500, 'y') + "\nlast";
  DiagnosticMaker forward(text), backward(text), leaping(text);
  for (size_t i = 0; i <= text.size(); ++i) {
    const size_t leap = i * 2027 % (text.size() + 1);
    EXPECT_EQ(forward.At(i, "m").ToString(),
              MakeDiagnostic(text, i, "m").ToString());
    EXPECT_EQ(backward.At(text.size() - i, "m").ToString(),
              MakeDiagnostic(text, text.size() - i, "m").ToString());
    EXPECT_EQ(leaping.At(leap, "m").ToString(),
              MakeDiagnostic(text, leap, "m").ToString());
    EXPECT_EQ(leaping.At(leap, "m").offset, static_cast<int64_t>(leap));
  }
}

TEST(DiagnosticMaker, EmptyText) {
  EXPECT_EQ(DiagnosticMaker("").At(0, "m").ToString(),
            MakeDiagnostic("", 0, "m").ToString());
}

}  // namespace
}  // namespace hlo_internal
}  // namespace tessera
