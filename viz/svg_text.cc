#include "tessera/viz/svg_text.h"

#include <string>
#include <string_view>

#include "absl/strings/ascii.h"

namespace tessera {

std::string SvgText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out.append("&amp;");
        break;
      case '<':
        out.append("&lt;");
        break;
      case '>':
        out.append("&gt;");
        break;
      case '"':
        out.append("&quot;");
        break;
      default:
        out.push_back(absl::ascii_isprint(static_cast<unsigned char>(c)) ? c
                                                                         : '?');
    }
  }
  return out;
}

}  // namespace tessera
