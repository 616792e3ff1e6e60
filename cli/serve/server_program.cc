#include "tessera/cli/serve/server_program.h"

#include <limits.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/cli/output/message.h"

namespace tessera::cli {
namespace {

// The path of tessera_serve in the folder of this program; "" if that folder is
// not known.
std::string ServerPath() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof(path));
  if (size <= 0 || size == sizeof(path)) return "";
  const std::string program(path, size);
  return program.substr(0, program.rfind('/') + 1) + "tessera_serve";
}

}  // namespace

bool RunServerProgram(const std::vector<std::string>& arguments,
                      Console* console) {
  const std::string path = ServerPath();
  std::string name = "tessera_serve";
  std::vector<std::string> copies = arguments;
  std::vector<char*> words = {&name[0]};
  for (std::string& argument : copies) words.push_back(&argument[0]);
  words.push_back(nullptr);
  console->out->flush();
  execv(path.c_str(), words.data());
  return PrintError(
      {"tessera serve"},
      errno == ENOENT
          ? absl::NotFoundError(absl::StrCat(
                "the server is a separate program, and there is no ", path,
                ": the Debian package tessera-server has it, and "
                "'./bazelw build -c opt //cli:tessera_serve' builds it"))
          : absl::UnavailableError(
                absl::StrCat(path, " cannot be run: ", std::strerror(errno))),
      console);
}

}  // namespace tessera::cli
