// Returns how many bits an element has, by the name of its type in C++, Python
// or MLIR.
//
//   ElementTypeBits("half_t");          // 16
//   ElementTypeBits("float_e4m3_t");    // 8
//   ElementTypeBits("Float16");         // 16: of the CuTe DSL
//   ElementTypeBits("f8E4M3FN");        // 8: of MLIR
//   ElementTypeBits("T").has_value();   // false

#ifndef TESSERA_CUTE_ELEMENT_TYPE_H_
#define TESSERA_CUTE_ELEMENT_TYPE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::cute {

// `name` has no qualifier. The names are those of cutlass/numeric_types.h, of
// cuda_fp16.h and similar headers, of the CuTe DSL and of MLIR.
std::optional<int64_t> ElementTypeBits(std::string_view name);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ELEMENT_TYPE_H_
