// The origin of an array in the user's program, on one line.
//
//   OriginText("model.py:12", "jit(step)/mlp/dot_general", display);
//   // "model.py:12  jit(step)/mlp/dot_general"

#ifndef TESSERA_REPORT_HLO_ORIGIN_TEXT_H_
#define TESSERA_REPORT_HLO_ORIGIN_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "tessera/report/text/display.h"

namespace tessera {

// Returns the source line, followed by as much of the end of the op_name as
// fits, both Printable(). Either may be empty.
std::string OriginText(std::string_view source_line, std::string_view op_name,
                       const Display& display);

// Returns the notes that are not empty, on one line.
std::string JoinNotes(std::vector<std::string> notes);

}  // namespace tessera

#endif  // TESSERA_REPORT_HLO_ORIGIN_TEXT_H_
