// Prints CuTe's values as source code of C++ and of Python.
//
//   #include "tessera/cute/parse.h"
//
//   const Layout layout = *ParseLayout("(4,2):(1,16)");
//   SourceText(layout, Style::kCpp);
//       // "Layout<Shape<_4,_2>,Stride<_1,_16>>{}"
//   SourceText(layout, Style::kPython);
//       // "cute.make_layout((4, 2), stride=(1, 16))"
//
// cute/parse.h and the calculator read it back as the same value.
// Precondition of all: the style is one of these two.

#ifndef TESSERA_CUTE_INTERNAL_SOURCE_TEXT_H_
#define TESSERA_CUTE_INTERNAL_SOURCE_TEXT_H_

#include <string>

#include "tessera/cute/composed_layout.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/swizzle.h"
#include "tessera/cute/text_form.h"
#include "tessera/cute/tiler.h"

namespace tessera::cute {

std::string SourceText(const IntTuple& tuple, Style style);
std::string SourceText(const Layout& layout, Style style);
// The stride of the layout: "Stride<E<0>,_8>{}".
std::string StrideSourceText(const Layout& layout, Style style);
std::string SourceText(const Tiler& tiler, Style style);
std::string SourceText(const Swizzle& swizzle, Style style);
std::string SourceText(const ComposedLayout& composed, Style style);
std::string SourceText(const LayoutAfterSwizzle& composed, Style style);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_INTERNAL_SOURCE_TEXT_H_
