// Finds the layouts of CuTe's MMA and copy atoms by their names in C++ or in
// the DSL: which thread holds which element of a matrix multiplication, and
// which bits a thread copies.
//
//   absl::StatusOr<Atom> mma = FindAtom("SM80_16x8x16_F32F16F16F32_TN");
//   mma->shape->ToString();              // "(16,8,16)": M, N, K
//   mma->threads.ToString();             // "32:1"
//   LayoutOf(*mma, "C")->ToString();     // "((4,8),(2,2)):((32,1),(16,8))"
//
//   // Lane 5, value 3, is at row 9 and column 3 of the 16 x 8 tile.
//   LayoutOf(*mma, "C")->At({5, 3});     // 57: 9 + 3 * 16
//
//   // The same atom in the CuTe DSL.
//   LayoutOf(*FindAtom("warp.MmaF16BF16Op(Float16,Float32,(16,8,16))"), "C")
//       ->ToString();                    // "((4,8),(2,2)):((32,1),(16,8))"
//
//   absl::StatusOr<Atom> copy = FindAtom("SM75_U32x4_LDSM_N");
//   copy->element_bits;                  // 1: offsets count bits
//   LayoutOf(*copy, "Src")->ToString();  // "(32,128):(128,1)"
//   // In elements of a type, as in C++'s Copy_Atom.
//   LayoutOf(*FindAtom("Copy_Atom<SM75_U32x4_LDSM_N, half_t>"), "Src")
//       ->ToString();                    // "(32,8):(8,1)"
//
// A part is a layout from (thread, value) to a place. For an MMA, the place is
// the column-major index in the tile: A is M x K, B is N x K, C is M x N. For a
// copy, it is the offset in units of element_bits. The same offset means the
// same element in source, destination and reference.
//
// The names are those of NVIDIA/cutlass 7107b05 (include/cute/arch) and of
// nvidia-cutlass-dsl 4.8.1, for SM61 to SM120: MMA, the warpgroup's GMMA and
// tcgen05's UMMA, both also sparse; ldmatrix, stmatrix, movmatrix, shuffles,
// cp.async, tensor memory. A table has the names. The layouts follow from shape
// and width by the rules of the PTX ISA for fragments. TMA atoms do not have a
// layout without their tensor, and AMD's atoms are not in the table. Both are
// refused, with the reason.

#ifndef TESSERA_CUTE_ATOMS_ATOM_H_
#define TESSERA_CUTE_ATOMS_ATOM_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/text_form.h"

namespace tessera::cute {

struct AtomPart {
  std::string_view name;  // "A", "B", "C"; "Src", "Dst", "Ref"
  Layout layout;
  // The reason why CuTe does not have this layout; "" if it does. If not empty,
  // `layout` is the intended layout.
  std::string refusal;
};

struct Atom {
  std::string name;  // as requested
  Layout threads;    // from the thread's number in the atom to that in the warp
  std::optional<IntTuple> shape;  // (M,N,K) of an MMA, in elements
  // The unit of a copy's offsets, in bits; 0 for an MMA.
  int64_t element_bits = 0;
  std::vector<AtomPart> parts;
  // The header, or the module of the DSL, that has the atom.
  std::string_view source;

  // Returns one line for each part: "Thr: 32:1\nShape: (16,8,16)\nA: ...". For
  // a part that is refused, the line has the reason instead of the layout.
  std::string ToString(const TextForm& form = {}) const;
};

// Returns the atom of this name. A name is a C++ name with its template
// arguments, alone or in MMA_Atom, MMA_Traits, Copy_Traits or Copy_Atom; or an
// operation of the DSL with its arguments, alone or in make_mma_atom or
// make_copy_atom. Qualifiers only distinguish operations of the DSL that have
// the same name. Errors: kInvalidArgument if there is no such atom, with the
// nearest names, or if it does not exist with these arguments; kUnimplemented
// for atoms of TMA and of AMD.
absl::StatusOr<Atom> FindAtom(std::string_view name);

// Returns this table's name of a part for its names in C++ and Python: "A" for
// "A", "ALayout", "LayoutA_TV" and "tv_layout_A", "Thr" for "ThrID" and
// "thr_id", "Shape" for "Shape_MNK". Returns "" for other names.
std::string_view AtomPartName(std::string_view name);

// Returns the layout of a part, whose name is one that AtomPartName knows;
// "Thr" returns the threads. Errors: kInvalidArgument if the atom does not have
// this layout, or if CuTe's own layout is not valid.
absl::StatusOr<Layout> LayoutOf(const Atom& atom, std::string_view part);

// Returns the number of bytes at the beginning of `text` that look like an
// atom's name, with qualifiers and arguments; 0 if there are none. FindAtom
// determines whether the atom exists.
size_t AtomNameLength(std::string_view text);

// Returns at most three names of the table that differ from `name` by a few
// letters, or, if there are none, that begin with it. Precondition: `name` has
// no qualifier.
std::vector<std::string> NearestAtoms(std::string_view name);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ATOMS_ATOM_H_
