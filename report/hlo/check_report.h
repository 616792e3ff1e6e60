// The report of `tessera hlo check`: the modules over budget, and by how much.

#ifndef TESSERA_REPORT_HLO_CHECK_REPORT_H_
#define TESSERA_REPORT_HLO_CHECK_REPORT_H_

#include <string>

#include "proto/memory_check.pb.h"
#include "tessera/report/text/display.h"

namespace tessera {

// "1 of 6 modules is over budget"
std::string CheckSentence(const MemoryCheck& check);

// For people: the sentence, and a table of what is over budget if something is.
std::string CheckToText(const MemoryCheck& check, const Display& display);

// The same as Markdown, for the summary of a run on a server.
std::string CheckToMarkdown(const MemoryCheck& check);

}  // namespace tessera

#endif  // TESSERA_REPORT_HLO_CHECK_REPORT_H_
