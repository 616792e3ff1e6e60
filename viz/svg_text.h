// File: viz/svg_text.h
//
// Any bytes as the text of an SVG document.
//
//   SvgText("a < b");   // "a &lt; b"

#ifndef TESSERA_VIZ_SVG_TEXT_H_
#define TESSERA_VIZ_SVG_TEXT_H_

#include <string>
#include <string_view>

namespace tessera {

// Fit for an element or an attribute in double quotes. What is not printable
// ASCII becomes `?`.
std::string SvgText(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_VIZ_SVG_TEXT_H_
