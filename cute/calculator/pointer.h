// Reads the text before the layout of a tensor: a pointer with the size of its
// elements, or the coordinates at which a coordinate tensor begins.
//
//   Pointer pointer;
//   size_t end;
//   ReadPrintedPointer("smem_ptr[16b](unset) o (8,64):(64,1)", 0, &pointer,
//                      &end);                   // true
//   pointer.element_bits;                       // 16
//   pointer.ToString();                         // "smem_ptr[16b](unset)"
//   end;                                        // 20
//
// Bytes and elements are easily confused. A swizzle to the left of the pointer
// acts on byte addresses, and one to the right of it acts on elements
// (include/cute/pointer_flagged.hpp and pointer_swizzle.hpp): Sw<B,M,S> o
// smem_ptr[Nb](...) o L is Sw<B,M-log2(N/8),S> o 0 o L in elements of N bits.
//
//   SwizzleOfElements(*Swizzle::Create(3, 4, 3), 16)->ToString();
//                                               // "Sw<3,3,3>"

#ifndef TESSERA_CUTE_CALCULATOR_POINTER_H_
#define TESSERA_CUTE_CALCULATOR_POINTER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/swizzle.h"
#include "tessera/cute/text_form.h"

namespace tessera::cute {

struct Pointer {
  std::string name = "ptr";        // as it is printed: ptr, gmem_ptr, smem_ptr
  int64_t element_bits = 0;        // 0 if the text does not have them
  std::optional<Swizzle> swizzle;  // of byte addresses
  // The address modulo 2^63; 0 if the text does not have it.
  int64_t address = 0;
  // The coordinates at which a tensor begins, in place of an address.
  std::optional<IntTuple> coordinates;

  // Returns "Sw<3,4,3>_smem_ptr[16b](unset)" or "ArithTuple(0,0)", as C++
  // prints it, in any form and without the address.
  std::string ToString(const TextForm& form = {}) const;
};

// Reads a pointer as C++ prints it, from byte `begin` of `text` on: a name that
// ends in ptr or is tmem_, "[16b]", and an address in parentheses. Returns
// false if there is none.
bool ReadPrintedPointer(std::string_view text, size_t begin, Pointer* pointer,
                        size_t* end);

// Returns the pointer that a list describes, in C++ types, in Python or in
// MLIR: its element type is the first name of a type, its swizzle the first
// swizzle. "f16, smem, align<1024>, S<3,4,3>", "cute::smem_ptr<half_t*>".
Pointer PointerOfList(std::string_view list);

// Returns the byte after the end of the bracket that opens at byte `open` of
// `text`, or npos if it is not closed. Brackets are (), <> and [].
size_t PastBracket(std::string_view text, size_t open);

// Converts a swizzle of byte addresses to one of elements of `bits`, by C++'s
// upcast and downcast (include/cute/swizzle.hpp): if the base would fall below
// 0, the bits of a swizzle that lie inside an element are dropped. Errors:
// kInvalidArgument if `bits` is not a power of two.
absl::StatusOr<Swizzle> SwizzleOfElements(const Swizzle& bytes, int64_t bits);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_POINTER_H_
