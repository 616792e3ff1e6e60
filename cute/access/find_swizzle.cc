#include "tessera/cute/access/find_swizzle.h"

#include <variant>

#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/internal/thread_access.h"

namespace tessera::cute {
namespace {

// Returns whether `swizzle`, of bytes, keeps the vectors contiguous and leaves
// no conflict.
bool Suffices(const Swizzle& swizzle, const ThreadAccess& plain,
              ThreadAccess* swizzled) {
  // A field that is read or changed within a vector splits the vector, unless
  // the other field is always 0.
  const int64_t vector = plain.vector_bytes;
  for (size_t i = 0; i < plain.addresses.size(); ++i) {
    const int64_t address = plain.addresses[i];
    const int64_t first = swizzle(address);
    if ((int64_t{1} << swizzle.base()) < vector) {
      if ((first & (vector - 1)) != 0) return false;
      for (int64_t byte = 1; byte < vector; ++byte) {
        if (swizzle(address + byte) != first + byte) return false;
      }
    }
    swizzled->addresses[i] = first;
  }
  bool is_free = true;
  ForEachGroup(plain, plain.phase_threads(),
               [&](int64_t v, int64_t begin, int64_t end) {
                 is_free = IsFree(*swizzled, v, begin, end);
                 return is_free;
               });
  return is_free;
}

int Log2(int64_t power) { return __builtin_ctzll(power); }

}  // namespace

absl::StatusOr<std::vector<Swizzle>> FindSwizzles(const ComposedLayout& layout,
                                                  const Layout& threads,
                                                  int64_t bytes) {
  if (std::holds_alternative<Layout>(layout.outer())) {
    return UnimplementedError("the outer function of ", layout.ToString(),
                              " is a layout, which no swizzle can replace");
  }
  TESSERA_ASSIGN_OR_RETURN(
      const ThreadAccess plain,
      MakeThreadAccess(
          ComposedLayout(Swizzle(), layout.offset(), layout.layout()), threads,
          bytes));
  ThreadAccess swizzled = plain;
  std::vector<Swizzle> found;
  if (Suffices(Swizzle(), plain, &swizzled)) found.emplace_back();
  const int element = Log2(bytes);
  for (int bits = 1; 2 * bits <= kMaxSwizzleReach; ++bits) {
    for (int base = 0; base + 2 * bits <= kMaxSwizzleReach; ++base) {
      for (int shift = bits; bits + base + shift <= kMaxSwizzleReach; ++shift) {
        TESSERA_ASSIGN_OR_RETURN(const Swizzle of_bytes,
                                 Swizzle::Create(bits, base + element, shift));
        if (!Suffices(of_bytes, plain, &swizzled)) continue;
        TESSERA_ASSIGN_OR_RETURN(const Swizzle of_elements,
                                 Swizzle::Create(bits, base, shift));
        found.push_back(of_elements);
      }
    }
  }
  return found;
}

absl::StatusOr<std::vector<Swizzle>> FindSwizzles(const Layout& layout,
                                                  const Layout& threads,
                                                  int64_t bytes) {
  return FindSwizzles(ComposedLayout(Swizzle(), 0, layout), threads, bytes);
}

}  // namespace tessera::cute
