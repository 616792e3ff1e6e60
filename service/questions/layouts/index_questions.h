// Answers a LinearizeRequest and a DelinearizeRequest; see
// service/layout_service.h. Many questions about one layout read it once:
//
//   const ServiceOptions options;
//   const absl::StatusOr<MappedLayout> layout =
//       ReadMappedLayout("f32[3,5]{1,0:T(2,2)}", ELEMENTS, options);
//   LinearizeRequest question;
//   question.add_indices(2);
//   question.add_indices(3);
//   LinearizeResult result;
//   AnswerLinearize(options, *layout, question, &result);
//   result.linear_indices(0);   // 17

#ifndef TESSERA_SERVICE_QUESTIONS_LAYOUTS_INDEX_QUESTIONS_H_
#define TESSERA_SERVICE_QUESTIONS_LAYOUTS_INDEX_QUESTIONS_H_

#include "absl/status/status.h"
#include "proto/layout_questions.pb.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerLinearize(const ServiceOptions& options,
                             const LinearizeRequest& question,
                             LinearizeResult* result);
absl::Status AnswerDelinearize(const ServiceOptions& options,
                               const DelinearizeRequest& question,
                               DelinearizeResult* result);

// The same for a layout that has been read, in the units of the question. They
// ignore the layout in the question.
absl::Status AnswerLinearize(const ServiceOptions& options,
                             const MappedLayout& layout,
                             const LinearizeRequest& question,
                             LinearizeResult* result);
absl::Status AnswerDelinearize(const ServiceOptions& options,
                               const MappedLayout& layout,
                               const DelinearizeRequest& question,
                               DelinearizeResult* result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_LAYOUTS_INDEX_QUESTIONS_H_
