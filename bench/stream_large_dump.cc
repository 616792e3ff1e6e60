// Streams a generated dump of the size given in megabytes through
// ForEachInstruction and prints how long it took and how much memory.
//
//   ./bazelw run -c opt //bench:stream_large_dump -- 1024

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "bench/repeated_dump.h"
#include "tessera/hlo/for_each_instruction.h"

namespace tessera {
namespace {

constexpr char kFile[] = "tests/hlo/data/tpu_maxtext_llama3_8b_2026-07-31.txt";

// Makes the text as it is read, so that only what is read takes memory.
class GeneratedSource : public ByteSource {
 public:
  GeneratedSource(const RepeatedDump& dump, int64_t bytes)
      : dump_(dump), left_(bytes), held_(dump.Header()) {}

  absl::StatusOr<size_t> Read(char* data, size_t size) override {
    if (at_ == held_.size()) {
      if (left_ <= 0) return size_t{0};
      held_.clear();
      at_ = 0;
      dump_.Append(number_++, &held_);
    }
    size = std::min(size, held_.size() - at_);
    std::copy_n(held_.data() + at_, size, data);
    at_ += size;
    left_ -= size;
    consumed_ += size;
    return size;
  }
  int64_t bytes_consumed() const override { return consumed_; }

 private:
  const RepeatedDump& dump_;
  int64_t left_;
  int64_t number_ = 0;
  int64_t consumed_ = 0;
  std::string held_;
  size_t at_ = 0;
};

int64_t PeakKilobytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

int Main(int argc, char** argv) {
  int64_t megabytes = 1024;
  if (argc > 2 || (argc == 2 && !absl::SimpleAtoi(argv[1], &megabytes))) {
    std::cerr << "usage: stream_large_dump [MEGABYTES]\n";
    return 2;
  }
  std::ifstream file(kFile);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const RepeatedDump dump(text);
  const int64_t bytes = megabytes << 20;

  // Making the text alone, to tell it from reading.
  GeneratedSource unread(dump, bytes);
  std::string buffer(1 << 20, '\0');
  auto begin = std::chrono::steady_clock::now();
  while (*unread.Read(&buffer[0], buffer.size()) > 0) {
  }
  const double making = SecondsSince(begin);

  const int64_t peak_before = PeakKilobytes();
  GeneratedSource source(dump, bytes);
  int64_t longest = 0;
  begin = std::chrono::steady_clock::now();
  const absl::StatusOr<HloCounts> counts = ForEachInstruction(
      &source, [&longest](const HloInstructionText& instruction) {
        longest = std::max<int64_t>(longest, instruction.text.size());
        return true;
      });
  const double reading = SecondsSince(begin) - making;
  if (!counts.ok()) {
    std::cerr << counts.status() << "\n";
    return 1;
  }
  std::cout << source.bytes_consumed() << " bytes, " << counts->instructions
            << " instructions, " << counts->diagnostics << " diagnostics\n"
            << "longest instruction: " << longest << " bytes\n"
            << "reading: " << reading << " s, "
            << source.bytes_consumed() / reading / 1e6
            << " MB/s (making the text took " << making << " s more)\n"
            << "peak memory: " << PeakKilobytes() << " KB, of which "
            << peak_before << " KB before reading began\n";
  return 0;
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) { return tessera::Main(argc, argv); }
