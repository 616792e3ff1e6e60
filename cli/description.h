// File: cli/description.h
//
// What `tessera describe` prints of a shape.
//
//   // bf16[9,130]{1,0:T(8,128)(2,1)}
//   absl::StatusOr<Description> description = Describe(shape);
//   DescriptionToJson(*description)["elements"];  // 1170

#ifndef TESSERA_CLI_DESCRIPTION_H_
#define TESSERA_CLI_DESCRIPTION_H_

#include <string>

#include "tessera/cli/display.h"
#include "tessera/cli/json.h"
#include "tessera/index_util/description.h"

namespace tessera {

std::string DescriptionToText(const Description& description,
                              const Display& display);
// The sizes alone.
std::string DescriptionToLine(const Description& description);
Json DescriptionToJson(const Description& description);

}  // namespace tessera

#endif  // TESSERA_CLI_DESCRIPTION_H_
