// Makes a dump of the size given in megabytes in a file, maps that, reads it
// instruction by instruction and into a module, on one thread and on more, and
// prints how long it took and how much memory.
//
//   ./bazelw run -c opt //tests/bench:read_large_dump -- 1024

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/bench/repeated_dump.h"

namespace tessera {
namespace {

constexpr char kFile[] = "tests/hlo/data/tpu_maxtext_llama3_8b_2026-07-31.txt";

// A line of /proc/self/status, "RssAnon" for one, in kilobytes.
int64_t StatusKilobytes(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    std::string_view rest = line;
    int64_t kilobytes = 0;
    if (tessera::ConsumePrefix(&rest, absl::StrCat(AbslView(name), ":")) &&
        absl::SimpleAtoi(AbslView(tessera::StripSuffix(rest, " kB")),
                         &kilobytes)) {
      return kilobytes;
    }
  }
  return 0;
}

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         begin_)
        .count();
  }

 private:
  const std::chrono::steady_clock::time_point begin_ =
      std::chrono::steady_clock::now();
};

class Longest : public HloHandler {
 public:
  void OnInstruction(const HloInstructionText& instruction) override {
    bytes = std::max<int64_t>(bytes, instruction.text.size());
  }
  int64_t bytes = 0;
};

// Prints what a step took since these were measured.
class Step {
 public:
  void Print(const char* what, int64_t bytes) const {
    std::printf(
        "%s: %.2f s, %.0f MB/s; memory of its own grew by %.1f MB, pages of "
        "files by %.1f MB\n",
        what, watch_.seconds(), bytes / watch_.seconds() / 1e6,
        (StatusKilobytes("RssAnon") - anonymous_) / 1e3,
        (StatusKilobytes("RssFile") - file_) / 1e3);
  }

 private:
  const int64_t anonymous_ = StatusKilobytes("RssAnon");
  const int64_t file_ = StatusKilobytes("RssFile");
  const Stopwatch watch_;
};

// Writes a dump of `bytes` or a little more.
void Generate(int64_t bytes, const std::string& name) {
  std::ifstream source(kFile);
  const std::string text(std::istreambuf_iterator<char>(source), {});
  const RepeatedDump dump(text);
  std::ofstream out(name, std::ios::binary);
  std::string piece = dump.Header();
  for (int64_t number = 0; bytes > 0; ++number) {
    dump.Append(number, &piece);
    out << piece;
    bytes -= piece.size();
    piece.clear();
  }
}

int Main(int argc, char** argv) {
  int64_t megabytes = 1024;
  if (argc > 2 || (argc == 2 && !absl::SimpleAtoi(argv[1], &megabytes))) {
    std::cerr << "usage: read_large_dump [MEGABYTES]\n";
    return 2;
  }
  const char* const folder = std::getenv("TMPDIR");
  const std::string name = absl::StrCat(folder == nullptr ? "/tmp" : folder,
                                        "/large_dump_", getpid(), ".txt");
  Generate(megabytes << 20, name);
  absl::StatusOr<FileBytes> file = FileBytes::Open(name);
  std::remove(name.c_str());
  if (!file.ok()) {
    std::cerr << file.status() << "\n";
    return 1;
  }
  const int64_t bytes = file->text().size();
  HloCounts counts;
  {
    const Step step;
    HloShapeTable shapes;
    Longest longest;
    counts = ReadHlo(file->text(), &shapes, &longest);
    std::printf("%s bytes, %s instructions, the longest of %s bytes\n",
                absl::StrCat(bytes).c_str(),
                absl::StrCat(counts.instructions).c_str(),
                absl::StrCat(longest.bytes).c_str());
    step.Print("reading", bytes);
  }
  const int cores = std::max(std::thread::hardware_concurrency(), 1u);
  for (int threads = 1; threads <= cores; threads *= 2) {
    const Step step;
    HloParseOptions options;
    options.threads = threads;
    const absl::StatusOr<HloDump> dump = ParseHloView(file->text(), options);
    if (!dump.ok() || dump->counts().instructions != counts.instructions) {
      std::cerr << "the module is another\n";
      return 1;
    }
    step.Print(absl::StrCat("a module, threads: ", threads).c_str(), bytes);
  }
  return 0;
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) { return tessera::Main(argc, argv); }
