// Converts the layouts that JAX prints to XLA's notation.
//
//   const absl::StatusOr<Layout> layout = ReadJaxLayout(
//       "Layout(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)))");
//   layout->ToString();   // "{1,0:T(8,128)(2,1)}"
//   FindJaxLayout("bf16[9,130] Layout(major_to_minor=(0, 1))");   // 12
//
// JAX has printed the class as Layout and as DeviceLocalLayout, and its fields
// with an underscore in front and without: jax/_src/layout.py.

#ifndef TESSERA_HLO_MESSAGE_JAX_LAYOUT_H_
#define TESSERA_HLO_MESSAGE_JAX_LAYOUT_H_

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/layout/layout.h"

namespace tessera {

// Returns the offset of the first `Layout(major_to_minor=`; npos if there is
// none. Takes time linear in the text.
size_t FindJaxLayout(std::string_view text);

// Reads the first layout of JAX in the text. The text around it is skipped. The
// fields may be major_to_minor, tiling and sub_byte_element_size_in_bits.
//
// Errors: kInvalidArgument with a Diagnostic if there is none, or if it cannot
// be read, has other fields, or is not a layout.
absl::StatusOr<Layout> ReadJaxLayout(std::string_view text);

// Returns the part of `text` that ReadJaxLayout reads, for callers that use the
// text around it; empty if there is none. A layout that breaks off extends to
// the end.
std::string_view JaxLayoutText(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_HLO_MESSAGE_JAX_LAYOUT_H_
