// Maps type names of NumPy, PyTorch and MLIR to XLA's types.
//
//   PrimitiveTypeFromForeignName("bfloat16");        // BF16
//   PrimitiveTypeFromForeignName("float8_e4m3fn");   // F8E4M3FN
//   PrimitiveTypeFromForeignName("ui8");             // U8
//   PrimitiveTypeFromForeignName("g32");             // nullopt

#ifndef TESSERA_LAYOUT_FOREIGN_TYPE_NAME_H_
#define TESSERA_LAYOUT_FOREIGN_TYPE_NAME_H_

#include <optional>
#include <string_view>

#include "tessera/layout/primitive_type.h"

namespace tessera {

// Returns the array type of that name, in any case; XLA's own names are among
// them.
std::optional<PrimitiveType> PrimitiveTypeFromForeignName(
    std::string_view name);

}  // namespace tessera

#endif  // TESSERA_LAYOUT_FOREIGN_TYPE_NAME_H_
