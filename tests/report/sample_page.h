// Pages of a made-up training step.
//
//   SummarizeResult page = SamplePage(2000);
//   page.modules(0).peak().step_instructions_size();  // 2000

#ifndef TESSERA_TESTS_REPORT_SAMPLE_PAGE_H_
#define TESSERA_TESTS_REPORT_SAMPLE_PAGE_H_

#include "proto/hlo_questions.pb.h"

namespace tessera {

// One scheduled module with about as many buffers as instructions, in two
// memory spaces; always the same for the same number. Precondition:
// instructions >= 2.
SummarizeResult SamplePage(int instructions);

}  // namespace tessera

#endif  // TESSERA_TESTS_REPORT_SAMPLE_PAGE_H_
