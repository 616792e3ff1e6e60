// Answers an ExplainTextRequest; see service/layout_service.h.
//
//   ExplainTextRequest question;
//   question.set_text("Layout(major_to_minor=(0, 1), tiling=((8, 128),))");
//   ExplainTextResult result;
//   absl::Status status = AnswerExplainText(ServiceOptions(), question, &result);
//   result.layout().layout();   // "{1,0:T(8,128)}"

#ifndef TESSERA_SERVICE_QUESTIONS_HLO_EXPLAIN_TEXT_QUESTION_H_
#define TESSERA_SERVICE_QUESTIONS_HLO_EXPLAIN_TEXT_QUESTION_H_

#include <string_view>

#include "absl/status/status.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/service/service_options.h"

namespace tessera {

// Answers the question. Errors: kInvalidArgument for a text of another kind,
// naming its kind; kResourceExhausted for hlo_bytes, axes and table_rows.
absl::Status AnswerExplainText(const ServiceOptions& options,
                               const ExplainTextRequest& question,
                               ExplainTextResult* result);

// Returns `refusal`, the error of a reader of layouts about the text. If the
// text is of another kind that people paste, returns an error that names the
// kind instead, so that the error does not use the terms of another language.
absl::Status RefusalOfLayout(std::string_view text, absl::Status refusal);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_HLO_EXPLAIN_TEXT_QUESTION_H_
