// Escapes any bytes as text of an SVG document.
//
//   SvgText("a < b");   // "a &lt; b"

#ifndef TESSERA_VIZ_SVG_TEXT_H_
#define TESSERA_VIZ_SVG_TEXT_H_

#include <string>
#include <string_view>

namespace tessera {

// Returns text for an element or an attribute in double quotes. Bytes that are
// not printable ASCII become `?`.
std::string SvgText(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_VIZ_SVG_TEXT_H_
