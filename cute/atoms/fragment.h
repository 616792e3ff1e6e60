// Makes the layouts from (thread, value) of which atoms consist.
//
//   ThreadValue({{4, 32}, {8, 1}}, {{2, 16}, {2, 8}}).ToString();
//                              // "((4,8),(2,2)):((32,1),(16,8))"
//   // A of m16n8k16 with two f16 in a register.
//   Fragment(16, 16, 2).ToString();
//                              // "((4,8),(2,2,2)):((32,1),(16,8,128))"
//   SharedTile(64, 16, 128, 1).ToString();   // "(128,(64,16)):(0,(1,64))"

#ifndef TESSERA_CUTE_ATOMS_FRAGMENT_H_
#define TESSERA_CUTE_ATOMS_FRAGMENT_H_

#include <cstdint>
#include <initializer_list>

#include "tessera/cute/layout.h"

namespace tessera::cute {

struct FragmentMode {
  int64_t size;
  int64_t stride;
};

// Returns the layout of these modes without those of size 1.
Layout ThreadValue(std::initializer_list<FragmentMode> threads,
                   std::initializer_list<FragmentMode> values);

// Returns the fragment of a rows x columns matrix. A register holds
// `per_register` neighbours in a row. Four adjacent threads share a row, and a
// warp covers 8 rows. The next values are the other 8 of 16 rows, then the next
// columns. Each 16 rows have their own warp. (PTX ISA, "Matrix Fragments for
// mma" and "Register Fragments for wgmma".) Preconditions: `rows` is 8 or a
// multiple of 16, `columns` a multiple of 4 * per_register.
Layout Fragment(int64_t rows, int64_t columns, int64_t per_register);

// Returns a rows x columns tile in memory. The rows are divided among the
// `ctas`. All `threads` of a CTA have the same elements.
Layout SharedTile(int64_t rows, int64_t columns, int64_t threads, int64_t ctas);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ATOMS_FRAGMENT_H_
