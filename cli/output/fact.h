// Aligned lines of a name and a value.
//
//   AppendFact("grid", "3x2", /*name_width=*/8, display, &out);
//   // "grid    3x2\n", the name dim where there are colours
//   FactsToText({{"grid", "3x2"}}, /*name_width=*/8, display);  // the same

#ifndef TESSERA_CLI_OUTPUT_FACT_H_
#define TESSERA_CLI_OUTPUT_FACT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/base/text/absl_view.h"
#include "tessera/report/text/display.h"

namespace tessera::cli {

// Precondition: the name is shorter than `name_width`.
inline void AppendFact(std::string_view name, std::string_view fact,
                       size_t name_width, const Display& display,
                       std::string* out) {
  StrAppend(out, Paint(name, Color::kDim, display),
            std::string(name_width - name.size(), ' '), fact, "\n");
}

using Facts = std::vector<std::pair<std::string, std::string>>;

// Precondition: as above. Each line begins with `indent`.
inline std::string FactsToText(const Facts& facts, size_t name_width,
                               const Display& display,
                               std::string_view indent = "") {
  std::string text;
  for (const auto& [name, fact] : facts) {
    StrAppend(&text, indent);
    AppendFact(name, fact, name_width, display, &text);
  }
  return text;
}

}  // namespace tessera::cli

#endif  // TESSERA_CLI_OUTPUT_FACT_H_
