// File: fuzz/tensor_layout_text.h
//
// What must hold for any text that is read as one of tt-mlir's tensor layouts?
//
//   TensorLayoutTextProblem("tensor<8xf32, #tt.metal_layout<...>>")  // ""

#ifndef TESSERA_FUZZ_TENSOR_LAYOUT_TEXT_H_
#define TESSERA_FUZZ_TENSOR_LAYOUT_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tessera {

// A property (fuzz/property.h) of the readers of tensor_layout/: what is read
// prints as a text that reads back as the same value; what is refused says
// where. ReadTensorText reads what exactly one of the readers for one form
// reads, as the same value.
std::string TensorLayoutTextProblem(absl::string_view text);

}  // namespace tessera

#endif  // TESSERA_FUZZ_TENSOR_LAYOUT_TEXT_H_
