// Answers a ParseRequest; see service/layout_service.h.

#ifndef TESSERA_SERVICE_QUESTIONS_LAYOUTS_PARSE_QUESTION_H_
#define TESSERA_SERVICE_QUESTIONS_LAYOUTS_PARSE_QUESTION_H_

#include "absl/status/status.h"
#include "proto/layout_questions.pb.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerParse(const ServiceOptions& options,
                         const ParseRequest& question, ParseResult* result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_LAYOUTS_PARSE_QUESTION_H_
