// tessera_manual: writes the man pages and completions of `tessera` into a
// folder, as they are installed: man1/, bash/, zsh/ and fish/.

#include <sys/stat.h>

#include <iostream>
#include <string>

#include "tessera/base/version/version.h"
#include "tessera/cli/command/command_description.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/manual/completions.h"
#include "tessera/cli/manual/man_page.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/run_tessera.h"

namespace {

bool Write(const std::string& folder, const std::string& name,
           const std::string& text) {
  mkdir(folder.c_str(), 0755);
  tessera::cli::Console console;
  console.out = &std::cout;
  console.err = &std::cerr;
  return tessera::cli::WriteOutputFile(folder + "/" + name, text, &console);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: tessera_manual FOLDER\n";
    return 2;
  }
  const std::string folder = argv[1];
  mkdir(folder.c_str(), 0755);
  const tessera::cli::CommandDescription program =
      tessera::cli::DescribeTessera();
  bool is_written = Write(folder + "/bash", "tessera",
                          tessera::cli::BashCompletion(program)) &&
                    Write(folder + "/zsh", "_tessera",
                          tessera::cli::ZshCompletion(program)) &&
                    Write(folder + "/fish", "tessera.fish",
                          tessera::cli::FishCompletion(program));
  for (const tessera::cli::ManPage& page :
       tessera::cli::ManPagesOf(program, tessera::kVersion)) {
    is_written =
        is_written && Write(folder + "/man1", page.file_name, page.text);
  }
  return is_written ? 0 : 1;
}
