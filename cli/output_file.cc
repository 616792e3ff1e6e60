#include "tessera/cli/output_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/cli/message.h"

namespace tessera {

bool WriteOutputFile(const std::string& name, absl::string_view text,
                     Console* console) {
  if (name == kStdinArgument) {
    *console->out << text;
    return true;
  }
  std::ofstream out(console->PathOf(name), std::ios::binary);
  out << text;
  out.close();
  if (out) return true;
  PrintError({name},
             absl::UnavailableError(
                 absl::StrCat("cannot be written: ", std::strerror(errno))),
             console);
  return false;
}

}  // namespace tessera
