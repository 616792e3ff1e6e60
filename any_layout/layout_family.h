// Determines the family to which the text of a layout belongs.
//
//   FamilyOf("f32[3,5]{1,0:T(2,2)}");               // LayoutFamily::kXla
//   FamilyOf("(8,4):(1,8)");                        // LayoutFamily::kCute
//   FamilyOf("coalesce((2,4):(1,2))");              // LayoutFamily::kCute
//   FamilyOf("cute::Layout<cute::tuple<");          // LayoutFamily::kCute
//   FamilyOf("tensor<2x3xf32, #tt.metal_layout<");
//       // LayoutFamily::kTenstorrent
//   FamilyOf("memref<4x8xf32, strided<[16, 2]>>");  // LayoutFamily::kStrided
//
// This is the only function that distinguishes the families. It looks only at
// the start of the text, so a mistake later in the text gets the error of the
// intended family. The first row that applies decides:
//
//   the text begins with           family        example
//   -----------------------------  ------------  ------------------------
//   "!cute.", "#ttg.", '?', '"'    CuTe          !cute.layout<"8:1">
//   '#' or '!'                     Tenstorrent   #layout = #tt.metal_layout<
//   '{'                            XLA           {1,0:T(8,128)}
//   then all '(', ')' and ',' are skipped, and after them
//   nothing, or "->"               XLA           (), () -> f32[2]
//   no name, '_', "_3", "SW_"      CuTe          ((2,2),3):((24,2),8), _3:_1
//   a name and "::", words and '=' CuTe          cute::Layout<, auto x = 8:1
//   words, ':' and a layout        CuTe          TV Layout C: (4,8):(8,1)
//   a name that ends in "ptr"      CuTe          smem_ptr[16b](unset) o 8:1
//   a name and '='                 CuTe          A = 8:1; A
//   "tensor<" and a pointer or '(' CuTe          tensor<ptr<f16, gmem> o 8:1>
//   "tensor" and '<'               Tenstorrent   tensor<2x3xf32, #layout>
//   "memref" and '<'               strided       memref<4x8xf32>
//   a name, '[', all up to a ']',
//   and "strides"                  strided       f32[4] strides (8) bytes
//   XLA's name of a type           XLA           f32[2], F32(2), bf16
//   "b" and '('                    XLA           b(f32[2])
//   a name and '(', '<' or "o"     CuTe          coalesce(4:1), Sw<2,0,3> o 0
//   any other name                 XLA           g32[2], token[], x: f32[2]

#ifndef TESSERA_ANY_LAYOUT_LAYOUT_FAMILY_H_
#define TESSERA_ANY_LAYOUT_LAYOUT_FAMILY_H_

#include <cstdint>
#include <string_view>

namespace tessera {

enum class LayoutFamily : uint8_t { kXla, kCute, kTenstorrent, kStrided };

inline constexpr LayoutFamily kLayoutFamilies[] = {
    LayoutFamily::kXla, LayoutFamily::kCute, LayoutFamily::kTenstorrent,
    LayoutFamily::kStrided};

// Returns the name in options and tests: "xla", "cute", "tt", "strided".
std::string_view NameOf(LayoutFamily family);

// Returns the family by the table above. Never fails: for a text that is not a
// layout, returns the family whose reader best explains the error.
LayoutFamily FamilyOf(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_ANY_LAYOUT_LAYOUT_FAMILY_H_
