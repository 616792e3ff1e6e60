// File: hlo/model/name_hash.h
//
// A hash of names and other short texts, in line: for the tables of hlo/, which
// look up a few for every instruction.
//
//   absl::flat_hash_map<absl::string_view, int32_t, NameHash> indices;

#ifndef TESSERA_HLO_MODEL_NAME_HASH_H_
#define TESSERA_HLO_MODEL_NAME_HASH_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/numeric/int128.h"
#include "absl/strings/string_view.h"

namespace tessera {

// Every byte counts, by the high and low halves of products.
struct NameHash {
  size_t operator()(absl::string_view name) const {
    const size_t size = name.size();
    const char* const begin = name.data();
    uint64_t hash = size * kOdd ^ Seed();
    if (size < 4) {
      // All of at most three bytes.
      if (size == 0) return hash;
      const auto byte = [begin](size_t i) {
        return static_cast<uint64_t>(static_cast<unsigned char>(begin[i]));
      };
      return Mix(hash ^ (byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16));
    }
    // The last bytes are loaded with some before them, which were loaded
    // already: no loop over bytes.
    const char* const end = begin + size;
    if (size < 8) {
      return Mix(hash ^ (Load<uint32_t>(begin) |
                         uint64_t{Load<uint32_t>(end - 4)} << 32));
    }
    for (const char* p = begin; p < end - 8; p += 8) {
      hash = Mix(hash ^ Load<uint64_t>(p));
    }
    return Mix(hash ^ Load<uint64_t>(end - 8));
  }

 private:
  static constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;

  template <typename Word>
  static Word Load(const char* p) {
    Word word;
    std::memcpy(&word, p, sizeof(word));
    return word;
  }
  static uint64_t Mix(uint64_t bits) {
    const absl::uint128 product = absl::uint128(bits) * kOdd;
    return absl::Uint128High64(product) ^ absl::Uint128Low64(product);
  }
  // Differs from run to run where programs are loaded at random places, so that
  // nobody writes names that collide.
  static uint64_t Seed() {
    static const char place = 0;
    return reinterpret_cast<uintptr_t>(&place);
  }
};

}  // namespace tessera

#endif  // TESSERA_HLO_MODEL_NAME_HASH_H_
