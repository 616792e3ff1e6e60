// What `tessera hlo explain` prints about a text that somebody pasted.
//
//   ExplainTextResult result;
//   result.mutable_layout()->set_layout("{1,0:T(8,128)}");
//   ExplanationToText(result, Display());   // "XLA writes {1,0:T(8,128)}\n"

#ifndef TESSERA_REPORT_HLO_EXPLANATION_REPORT_H_
#define TESSERA_REPORT_HLO_EXPLANATION_REPORT_H_

#include <string>

#include "proto/hlo_questions.pb.h"
#include "tessera/report/text/display.h"

namespace tessera {

// For people; ends in a line break.
std::string ExplanationToText(const ExplainTextResult& result,
                              const Display& display);

}  // namespace tessera

#endif  // TESSERA_REPORT_HLO_EXPLANATION_REPORT_H_
