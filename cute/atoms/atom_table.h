// File: cute/atoms/atom_table.h
//
// The names of C++ and of the DSL, and the layouts behind each.
//
//   absl::StatusOr<Atom> atom;
//   FindCppMma(ReadAtomText("SM61_DP4A"), &atom);   // true: it has the name
//   atom->shape->ToString();                        // "(1,1,4)"
//
// A function returns whether it has a name like that; `*atom` is then the atom,
// or why it does not exist with these arguments. Its name is not filled in.

#ifndef TESSERA_CUTE_ATOMS_ATOM_TABLE_H_
#define TESSERA_CUTE_ATOMS_ATOM_TABLE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/cute/atoms/atom.h"
#include "tessera/cute/atoms/atom_text.h"

namespace tessera {
namespace cute {

bool FindCppMma(const AtomText& text, absl::StatusOr<Atom>* atom);
bool FindCppCopy(const AtomText& text, absl::StatusOr<Atom>* atom);
bool FindDslMma(const AtomText& text, absl::StatusOr<Atom>* atom);
bool FindDslCopy(const AtomText& text, absl::StatusOr<Atom>* atom);

// All names, without qualifiers and arguments. Those of GMMA have N columns.
std::vector<std::string> CppMmaNames(int64_t gmma_columns);
std::vector<std::string> CppCopyNames();
std::vector<std::string> DslMmaNames();
std::vector<std::string> DslCopyNames();

struct MmaShape {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
};

// The atoms by rule, of which C++ and the DSL have the same.
//
// Of one thread that computes all of it: SM61_DP4A, FMA.
Atom ThreadMma(const MmaShape& shape);
// Of a warp, with so many elements of A and B in a register.
Atom WarpMma(const MmaShape& shape, int64_t a_per_register,
             int64_t b_per_register);
// Of four warps: B, and A if it is, in shared memory. Errors: kInvalidArgument
// if N is not a multiple of 8 (of 16 past 32 for integers) up to 256.
absl::StatusOr<Atom> WarpgroupMma(const MmaShape& shape, bool a_is_shared,
                                  int64_t a_per_register, bool of_integers);
// Of one CTA or two, with all operands in shared and tensor memory. Errors:
// kInvalidArgument for an M or N that no instruction has; block-scaled ones of
// one CTA have M = 128.
absl::StatusOr<Atom> TensorMemoryMma(const MmaShape& shape, int64_t ctas,
                                     bool is_block_scaled);
// A copy between the layouts of bits of a source and a destination, in elements
// of `bits`.
absl::StatusOr<Atom> CopyInElements(Atom atom, int64_t bits);

// Of ldmatrix and stmatrix, in bits: `matrices` of eight rows of 16 bytes.
enum class MatrixForm : uint8_t {
  kPlain,          // 8 rows of 16-byte rows, of any type
  kTransposed16,   // of 16 bits
  kTransposed8,    // 16 x 8 of 8 bits, as stmatrix.m16n8.trans leaves them
  kTransposed8x2,  // 16 x 16 of 8 bits: ldmatrix.m16n16.trans
};
enum class CopyDirection : uint8_t { kLoad, kStore };
Atom MatrixCopy(MatrixForm form, int64_t matrices, CopyDirection direction);

// Between tensor memory and registers, in bits: "16dp256b", "32dp32b" and so
// on, repeated. Errors: kInvalidArgument for one that does not exist.
absl::StatusOr<Atom> TensorMemoryCopy(std::string_view form, int64_t repeats,
                                      CopyDirection direction);
// From shared to tensor memory, in bits: "128dp256bit" and so on; "" of the
// form if it does not exist.
absl::StatusOr<Atom> SharedToTensorMemoryCopy(std::string_view form,
                                              int64_t ctas);
// Of so many bits by one thread.
Atom ThreadCopy(int64_t bits);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_ATOMS_ATOM_TABLE_H_
