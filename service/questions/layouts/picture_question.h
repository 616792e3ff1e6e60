// Answers a PictureRequest; see service/layout_service.h.

#ifndef TESSERA_SERVICE_QUESTIONS_LAYOUTS_PICTURE_QUESTION_H_
#define TESSERA_SERVICE_QUESTIONS_LAYOUTS_PICTURE_QUESTION_H_

#include "absl/status/status.h"
#include "proto/layout_questions.pb.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerPicture(const ServiceOptions& options,
                           const PictureRequest& question,
                           PictureResult* result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_LAYOUTS_PICTURE_QUESTION_H_
