// The text that `tessera describe` prints about a layout that the service has
// described.
//
//   // bf16[9,130]{1,0:T(8,128)(2,1)}
//   DescriptionToLine(result);
//   // bf16[9,130]{1,0:T(8,128)(2,1)}: elements 1170, in 4096 positions; ...

#ifndef TESSERA_CLI_LAYOUT_DESCRIPTION_H_
#define TESSERA_CLI_LAYOUT_DESCRIPTION_H_

#include <string>

#include "proto/layout_questions.pb.h"
#include "tessera/report/text/display.h"

namespace tessera::cli {

std::string DescriptionToText(const DescribeResult& result,
                              const Display& display);
// Returns only the sizes, on one line.
std::string DescriptionToLine(const DescribeResult& result);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_DESCRIPTION_H_
