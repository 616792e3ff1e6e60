// Is a reshape free, and what is wrong with a text that cannot be read?

#include <iostream>

#include "tessera/base/text/diagnostic.h"
#include "tessera/index_util/bitcast.h"
#include "tessera/parser/parser.h"

int main() {
  const auto flat = tessera::ParseShape("bf16[1024]{0}");
  const auto tiled = tessera::ParseShape("bf16[8,128]{1,0:T(8,128)}");
  if (!flat.ok() || !tiled.ok()) return 1;
  const auto is_free = tessera::IsBitcast(*tiled, *flat);
  if (!is_free.ok()) return 1;
  std::cout << (*is_free ? "free\n" : "not free\n");

  const auto wrong = tessera::ParseShape("bf16[8,128]{1,0:T(8,)}");
  const auto diagnostic = tessera::DiagnosticOf(wrong.status());
  if (!diagnostic.has_value()) return 1;
  std::cout << "line " << diagnostic->line << ", column " << diagnostic->column
            << ": " << diagnostic->message << "\n";
}
