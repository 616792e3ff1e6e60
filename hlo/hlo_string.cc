#include "tessera/hlo/hlo_string.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/strings/escaping.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

std::string_view HloString::View(std::string* storage) const {
  if (!has_escapes_ || !absl::CUnescape(AbslView(raw_), storage)) return raw_;
  return *storage;
}

std::string HloString::ToString() const {
  std::string storage;
  return std::string(View(&storage));
}

size_t HloString::BadEscape() const {
  std::string unescaped;
  if (!has_escapes_ || absl::CUnescape(AbslView(raw_), &unescaped)) {
    return std::string_view::npos;
  }
  // The first byte of an escape limits its length, but hexadecimal escapes may
  // have any number of digits. Each is tried with all bytes that may belong to
  // it.
  size_t at = raw_.find('\\');
  while (at != std::string_view::npos) {
    const size_t next = raw_.find('\\', at + 2);
    if (!absl::CUnescape(AbslView(raw_.substr(at, next - at)), &unescaped))
      return at;
    at = next;
  }
  return 0;
}

}  // namespace tessera
