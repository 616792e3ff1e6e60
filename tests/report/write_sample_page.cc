// Writes a sample page of so many instructions to standard output.

#include <cstdio>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "tessera/report/page/page_writer.h"
#include "tests/report/sample_page.h"

int main(int argc, char** argv) {
  int instructions = 2000;
  if (argc > 1 && (!absl::SimpleAtoi(argv[1], &instructions) ||
                   instructions < 2 || instructions > 1000000)) {
    std::fprintf(stderr, "usage: write_sample_page [INSTRUCTIONS]\n");
    return 2;
  }
  tessera::PageWriter page("sample.txt");
  page.Add(tessera::SamplePage(instructions));
  const std::string html = std::move(page).ToHtml();
  std::fwrite(html.data(), 1, html.size(), stdout);
  return 0;
}
