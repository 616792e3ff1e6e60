// Prints a picture as data: the service's answer to a PictureRequest.
//
//   PictureRequest question;
//   question.set_layout("f32[3,5]{1,0:T(2,2)}");
//   PrintPictureAnswer(question, console);  // {"rows":{"dimension":0,...

#ifndef TESSERA_CLI_LAYOUT_PICTURE_ANSWER_H_
#define TESSERA_CLI_LAYOUT_PICTURE_ANSWER_H_

#include "proto/layout_questions.pb.h"
#include "tessera/cli/output/console.h"

namespace tessera::cli {

// Returns false, and prints the error, if the layout has no such picture.
bool PrintPictureAnswer(const PictureRequest& question, Console* console);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_PICTURE_ANSWER_H_
