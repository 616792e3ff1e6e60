// What tests of relayouts move: maps of shapes, buffers of exact size,
// elements.
//
//   const Buffer from = RandomBuffer(/*bytes=*/7, /*seed=*/1);
//   const Buffer to(7);
//   SetElement(to.span(), 2, from.span(), 13, /*bits=*/4);

#ifndef TESSERA_TESTS_RELAYOUT_BUFFERS_H_
#define TESSERA_TESTS_RELAYOUT_BUFFERS_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"

namespace tessera {

inline constexpr int64_t kBits[] = {1, 2, 4, 8, 16, 32, 64, 128};

inline IndexMap MapOf(const std::string& shape) {
  const absl::StatusOr<Shape> parsed = ParseShape(shape);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  const absl::StatusOr<IndexMap> map = ToIndexMap(*parsed);
  EXPECT_TRUE(map.ok()) << map.status();
  return *map;
}

// A buffer that ends where its allocation ends, so that the sanitizers see
// every byte past it.
struct Buffer {
  explicit Buffer(int64_t bytes)
      : size(bytes), data(new uint8_t[static_cast<size_t>(bytes)]) {}
  Buffer Copy() const {
    Buffer copy(size);
    std::copy_n(data.get(), size, copy.data.get());
    return copy;
  }
  absl::Span<uint8_t> span() const {
    return absl::MakeSpan(data.get(), static_cast<size_t>(size));
  }
  int64_t size;
  std::unique_ptr<uint8_t[]> data;
};

inline Buffer RandomBuffer(int64_t bytes, uint64_t seed) {
  Buffer buffer(bytes);
  uint64_t state = seed * 2654435761 + 12345;
  uint8_t* byte = buffer.data.get();
  uint8_t* const end = byte + bytes;
  for (; end - byte >= 4; byte += 4) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const uint32_t word = static_cast<uint32_t>(state >> 32);
    std::memcpy(byte, &word, 4);
  }
  for (; byte != end; ++byte) {
    state = state * 6364136223846793005 + 1442695040888963407;
    *byte = static_cast<uint8_t>(state >> 56);
  }
  return buffer;
}

// Copies one element, bit by bit where it is not made of bytes.
inline void SetElement(absl::Span<uint8_t> to, int64_t to_position,
                       absl::Span<const uint8_t> from, int64_t from_position,
                       int64_t bits) {
  if (bits % 8 == 0) {
    const int64_t bytes = bits / 8;
    std::copy_n(&from[from_position * bytes], bytes, &to[to_position * bytes]);
    return;
  }
  for (int64_t bit = 0; bit < bits; ++bit) {
    const int64_t f = from_position * bits + bit, t = to_position * bits + bit;
    const int value = from[f / 8] >> (f % 8) & 1;
    to[t / 8] =
        static_cast<uint8_t>((to[t / 8] & ~(1 << (t % 8))) | value << (t % 8));
  }
}

inline bool Same(const Buffer& a, const Buffer& b) {
  return a.size == b.size &&
         std::equal(a.data.get(), a.data.get() + a.size, b.data.get());
}

}  // namespace tessera

#endif  // TESSERA_TESTS_RELAYOUT_BUFFERS_H_
