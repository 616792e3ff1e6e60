#include "tessera/cute/basis.h"

#include <ostream>
#include <string>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/value_type.h"

namespace tessera::cute {

std::string Basis::ToString() const {
  std::string out;
  for (int level = depth() - 1; level >= 0; --level) {
    absl::StrAppend(&out, "@", mode(level));
  }
  return out;
}

}  // namespace tessera::cute

TESSERA_DEFINE_VALUE(tessera::cute, Basis)
