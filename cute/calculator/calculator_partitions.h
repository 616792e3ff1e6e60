// The functions of the calculator that hand parts of a layout to blocks and
// threads: local_tile, local_partition, make_tiled_copy and their kin.
//
// Names and orders of arguments are those of include/cute/tensor_impl.hpp and
// atom/, with layouts in place of tensors and atoms.

#ifndef TESSERA_CUTE_CALCULATOR_CALCULATOR_PARTITIONS_H_
#define TESSERA_CUTE_CALCULATOR_CALCULATOR_PARTITIONS_H_

#include "absl/types/span.h"
#include "tessera/cute/calculator/calculator_function.h"

namespace tessera::cute {

absl::Span<const CalculatorFunction> PartitionFunctions();

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_CALCULATOR_PARTITIONS_H_
