// Writes a sample page of so many instructions to standard output.

#include <cstdio>
#include <string>

#include "absl/strings/numbers.h"
#include "tests/viz/sample_page.h"

int main(int argc, char** argv) {
  int instructions = 2000;
  if (argc > 1 && (!absl::SimpleAtoi(argv[1], &instructions) ||
                   instructions < 2 || instructions > 1000000)) {
    std::fprintf(stderr, "usage: write_sample_page [INSTRUCTIONS]\n");
    return 2;
  }
  const std::string html =
      tessera::RenderMemoryPage(tessera::SamplePage(instructions));
  std::fwrite(html.data(), 1, html.size(), stdout);
  return 0;
}
