#include "tessera/tests/cute/cute_values.h"

#include <algorithm>
#include <iostream>
#include <string_view>

#include "gtest/gtest.h"
#include "tessera/cute/parse.h"

namespace tessera::cute {
namespace {

template <typename T>
T ValueOf(std::string_view text, const absl::StatusOr<T>& parsed) {
  if (!parsed.ok()) std::cerr << text << ": " << parsed.status() << "\n";
  return parsed.value();
}

}  // namespace

Layout LayoutOf(std::string_view text) {
  return ValueOf(text, ParseLayout(text));
}
IntTuple TupleOf(std::string_view text) {
  return ValueOf(text, ParseIntTuple(text));
}
Tiler TilerOf(std::string_view text) { return ValueOf(text, ParseTiler(text)); }

Layout LayoutOf(const LiteralLayout& literal) {
  return LayoutOf(literal.ToString());
}
Tiler TilerOf(const LiteralTiler& literal) {
  return TilerOf(literal.ToString());
}
LiteralLayout LiteralOf(const Layout& layout) {
  return ParseLiteralLayout(layout.ToString()).value();
}
LiteralTuple LiteralOf(const IntTuple& tuple) {
  return ParseLiteralTuple(tuple.ToString()).value();
}

std::vector<int64_t> ValuesOf(const Layout& layout) {
  return LiteralOf(layout).Values();
}
std::vector<int64_t> OffsetsOf(const Layout& layout) {
  std::vector<int64_t> offsets = ValuesOf(layout);
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  return offsets;
}

void ForEachRandomLayout(
    const RandomCuteOptions& options,
    absl::FunctionRef<void(const Layout& layout, RandomBits* random)> check) {
  RandomBits random(TestSeed());
  for (int64_t n = 0; n < Samples(10000); ++n) {
    const Layout layout = LayoutOf(RandomCuteLayout(options, &random));
    SCOPED_TRACE(layout.ToString());
    check(layout, &random);
    if (::testing::Test::HasFailure()) return;
  }
}

RandomCuteOptions SmallLayouts() {
  RandomCuteOptions options;
  options.max_size = 300;
  return options;
}

}  // namespace tessera::cute
