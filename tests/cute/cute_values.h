// The values of cute/ as a test writes them: as text, and from the literal
// layouts of the judge and the generator.
//
//   Composition(LayoutOf("(6,2):(8,2)"), TilerOf("<3>"));
//   TextOf(Complement(LayoutOf("4:2"), 24));             // "(2,3):(1,8)"
//   TextOf(Complement(LayoutOf("4:-2"), 24));            // "error: ..."
//   ValuesOf(LayoutOf("(2,2):(3,1)"));                   // {0, 3, 1, 4}
//
// A text that is none ends the test: it is a mistake in the test itself.

#ifndef TESSERA_TESTS_CUTE_CUTE_VALUES_H_
#define TESSERA_TESTS_CUTE_CUTE_VALUES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/tiler.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"

namespace tessera::cute {

Layout LayoutOf(std::string_view text);
IntTuple TupleOf(std::string_view text);
Tiler TilerOf(std::string_view text);

Layout LayoutOf(const LiteralLayout& literal);
Tiler TilerOf(const LiteralTiler& literal);
// Precondition: no strides of basis elements, and not `():()`.
LiteralLayout LiteralOf(const Layout& layout);
LiteralTuple LiteralOf(const IntTuple& tuple);

// The offsets at 0 ... size-1, as the judge evaluates them. Precondition: as
// above.
std::vector<int64_t> ValuesOf(const Layout& layout);
// With each offset once, in ascending order.
std::vector<int64_t> OffsetsOf(const Layout& layout);

// Calls `check` with random layouts, 10,000 of them, until it fails.
void ForEachRandomLayout(
    const RandomCuteOptions& options,
    absl::FunctionRef<void(const Layout& layout, RandomBits* random)> check);
// Where every value is listed: up to 300 of them.
RandomCuteOptions SmallLayouts();

inline std::string TextOf(int64_t value) { return absl::StrCat(value); }
template <typename T>
std::string TextOf(const T& value) {
  return value.ToString();
}
// Or the message behind "error: ".
template <typename T>
std::string TextOf(const absl::StatusOr<T>& result) {
  return result.ok() ? TextOf(*result)
                     : absl::StrCat("error: ", result.status().message());
}

// How many random samples to take: fewer where a sanitizer slows them down.
constexpr int64_t Samples(int64_t count) {
#ifdef TESSERA_SANITIZER
  return count / 20;
#else
  return count;
#endif
}

}  // namespace tessera::cute

#endif  // TESSERA_TESTS_CUTE_CUTE_VALUES_H_
