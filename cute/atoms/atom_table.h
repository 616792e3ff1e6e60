// The tables of atoms: their names in C++ and in the DSL, and their layouts.
//
//   absl::StatusOr<Atom> atom;
//   FindCppMma(ReadAtomText("SM61_DP4A"), &atom);   // true: it has the name
//   atom->shape->ToString();                        // "(1,1,4)"
//
// A Find function returns whether its table has the name. If so, `*atom` is the
// atom, without its name, or the error if it does not exist with these
// arguments.

#ifndef TESSERA_CUTE_ATOMS_ATOM_TABLE_H_
#define TESSERA_CUTE_ATOMS_ATOM_TABLE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/cute/atoms/atom.h"
#include "tessera/cute/atoms/atom_text.h"

namespace tessera::cute {

bool FindCppMma(const AtomText& text, absl::StatusOr<Atom>* atom);
bool FindCppCopy(const AtomText& text, absl::StatusOr<Atom>* atom);
bool FindDslMma(const AtomText& text, absl::StatusOr<Atom>* atom);
bool FindDslCopy(const AtomText& text, absl::StatusOr<Atom>* atom);

// Return all names, without qualifiers and arguments. Names of GMMA have
// `gmma_columns` as N.
std::vector<std::string> CppMmaNames(int64_t gmma_columns);
std::vector<std::string> CppCopyNames();
std::vector<std::string> DslMmaNames();
std::vector<std::string> DslCopyNames();

struct MmaShape {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
};

// Atoms that follow a rule. The rule is the same in C++ and the DSL.
//
// Returns an MMA that one thread computes alone: SM61_DP4A, FMA.
Atom ThreadMma(const MmaShape& shape);
// Returns an MMA of a warp, with these numbers of elements of A and B in a
// register.
Atom WarpMma(const MmaShape& shape, int64_t a_per_register,
             int64_t b_per_register);
// Returns an MMA of four warps. B is in shared memory, and so is A if
// `a_is_shared`. Errors: kInvalidArgument if N is not a multiple of 8 (of 16
// past 32 for integers) up to 256.
absl::StatusOr<Atom> WarpgroupMma(const MmaShape& shape, bool a_is_shared,
                                  int64_t a_per_register, bool of_integers);
// Returns an MMA of one CTA or two, with all operands in shared and tensor
// memory. Errors: kInvalidArgument for an M or N that no instruction has;
// block-scaled MMAs of one CTA have M = 128.
absl::StatusOr<Atom> TensorMemoryMma(const MmaShape& shape, int64_t ctas,
                                     bool is_block_scaled);
// Converts a copy whose layouts count bits to one that counts elements of
// `bits` bits.
absl::StatusOr<Atom> CopyInElements(Atom atom, int64_t bits);

// The forms of ldmatrix and stmatrix. MatrixCopy returns a copy, in bits, of
// `matrices` matrices of eight rows of 16 bytes.
enum class MatrixForm : uint8_t {
  kPlain,          // 8 rows of 16 bytes, of any type
  kTransposed16,   // of 16 bits
  kTransposed8,    // 16 x 8 of 8 bits, as stmatrix.m16n8.trans leaves them
  kTransposed8x2,  // 16 x 16 of 8 bits: ldmatrix.m16n16.trans
};
enum class CopyDirection : uint8_t { kLoad, kStore };
Atom MatrixCopy(MatrixForm form, int64_t matrices, CopyDirection direction);

// Returns a copy between tensor memory and registers, in bits: "16dp256b",
// "32dp32b" and so on, with `repeats` repetitions. Errors: kInvalidArgument for
// a copy that does not exist.
absl::StatusOr<Atom> TensorMemoryCopy(std::string_view form, int64_t repeats,
                                      CopyDirection direction);
// Returns a copy from shared to tensor memory, in bits: "128dp256bit" and so
// on. Errors: kInvalidArgument for a form that does not exist.
absl::StatusOr<Atom> SharedToTensorMemoryCopy(std::string_view form,
                                              int64_t ctas);
// Returns a copy of this many bits by one thread.
Atom ThreadCopy(int64_t bits);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ATOMS_ATOM_TABLE_H_
