// The shared memory layouts that the tensor cores of Hopper and Blackwell read,
// such as GMMA::Layout_K_SW128_Atom<half_t> in C++.
//
//   SharedMemoryAtom("Layout_K_SW128_Atom", 16)->ToString();
//                                  // "Sw<3,3,3> o 0 o (8,64):(64,1)"
//   SharedMemoryAtom("Layout_MN_INTER_Atom", 8)->ToString();
//                                  // "Sw<0,4,3> o 0 o (16,8):(1,16)"
//
// The rule (include/cute/atom/mma_traits_sm90_gmma.hpp, mma_traits_sm100.hpp):
// an atom has 8 rows, or 4 for SW128_32B. The name gives the bits of a row,
// which are upcast to elements. The swizzle acts on bytes; SwizzleOfElements
// gives it for elements.

#ifndef TESSERA_CUTE_CALCULATOR_SHARED_MEMORY_ATOM_H_
#define TESSERA_CUTE_CALCULATOR_SHARED_MEMORY_ATOM_H_

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/cute/composed_layout.h"

namespace tessera::cute {

// Returns whether `name`, without a qualifier, names such an atom: Layout_, MN_
// or K_, the swizzle, _Atom; then _Bits for elements of one bit. The DSL's
// kinds, such as K_SW128, are such names too.
bool IsSharedMemoryAtom(std::string_view name);

// Returns the atom of elements of `bits`. Precondition:
// IsSharedMemoryAtom(name). Errors: kInvalidArgument if `bits` is not a power
// of two up to 128.
absl::StatusOr<ComposedLayout> SharedMemoryAtom(std::string_view name,
                                                int64_t bits);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_SHARED_MEMORY_ATOM_H_
