#include "tessera/viz/svg_text.h"

#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/str_replace.h"

namespace tessera {

std::string SvgText(std::string_view text) {
  std::string printable(text);
  for (char& c : printable) {
    if (!absl::ascii_isprint(static_cast<unsigned char>(c))) c = '?';
  }
  return absl::StrReplaceAll(
      printable,
      {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

}  // namespace tessera
