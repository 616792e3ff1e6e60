#include "tessera/cli/layout/picture_answer.h"

#include "absl/status/status.h"
#include "tessera/cli/output/argument_error.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {

bool PrintPictureAnswer(const PictureRequest& question, Console* console) {
  PictureResult result;
  const absl::Status status =
      AnswerPicture(ServiceOptions::Unlimited(), question, &result);
  if (!status.ok()) {
    return PrintArgumentError(question.layout(), status, OutputFormat::kJson,
                              console);
  }
  *console->out << JsonLineOf(result);
  return true;
}

}  // namespace tessera::cli
