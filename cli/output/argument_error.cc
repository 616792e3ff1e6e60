#include "tessera/cli/output/argument_error.h"

#include <sys/stat.h>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cli/output/message.h"
#include "tessera/report/text/json_line.h"

namespace tessera::cli {
namespace {

bool IsFile(const std::string& name) {
  struct stat status;
  return stat(name.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

bool PrintArgumentError(const std::string& argument, const absl::Status& error,
                        Console* console) {
  Diagnostic diagnostic = *DiagnosticOf(WithPlace(argument, error));
  // An index that is out of range may be the name of a file by chance.
  if (absl::IsInvalidArgument(error) && IsFile(argument)) {
    absl::StrAppend(
        &diagnostic.message,
        "; this is a file name; pass its contents: \"$(cat FILE)\"");
  }
  return PrintError({kArgumentName}, diagnostic, console);
}

bool PrintArgumentError(const std::string& argument, const absl::Status& error,
                        OutputFormat format, Console* console) {
  PrintArgumentError(argument, error, console);
  if (format == OutputFormat::kJson) {
    *console->out << ErrorLineOf(WithPlace(argument, error));
  }
  return false;
}

}  // namespace tessera::cli
