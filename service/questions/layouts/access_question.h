// Answers an AccessRequest; see service/layout_service.h.
//
//   AccessRequest question;
//   question.set_layout("(8,64):(64,1)");
//   question.set_threads("(8,8):(1,8)");
//   question.set_element_bytes(2);
//   question.set_max_swizzles(1);
//   AccessResult result;
//   AnswerAccess({}, question, &result);
//   result.conflicts().ways();   // 8
//   result.swizzles(0);          // "Sw<3,3,3>"

#ifndef TESSERA_SERVICE_QUESTIONS_LAYOUTS_ACCESS_QUESTION_H_
#define TESSERA_SERVICE_QUESTIONS_LAYOUTS_ACCESS_QUESTION_H_

#include "absl/status/status.h"
#include "proto/layout_questions.pb.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerAccess(const ServiceOptions& options,
                          const AccessRequest& question, AccessResult* result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_LAYOUTS_ACCESS_QUESTION_H_
