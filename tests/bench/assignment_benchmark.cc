// XLA's buffer assignment as text: reading it, beside the limit, a search for
// each line break.
//
//   ./bazelw run -c opt //tests/bench -- --benchmark_filter=Assignment

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/assignment_text.h"

namespace tessera {
namespace {

// Behind the digits that `text` begins with, which become `number`.
std::string_view TakeNumber(std::string_view text, int64_t* number) {
  const size_t size =
      std::min(text.find_first_not_of("0123456789"), text.size());
  if (!absl::SimpleAtoi(AbslView(text.substr(0, size)), number)) std::abort();
  return text.substr(size);
}

// An assignment over and over, under fresh numbers and names.
class RepeatedAssignment {
 public:
  explicit RepeatedAssignment(std::string_view text)
      : lines_(SplitViews(text, '\n')) {
    for (const std::string_view line : lines_) {
      allocations_ += tessera::StartsWith(line, "allocation ");
      steps_ += IsStep(line);
    }
  }

  // The allocations alone, or all.
  std::string Make(int64_t times, bool is_all) const {
    int64_t total = 0;
    std::string text = "BufferAssignment:\n";
    for (int64_t i = 0; i < times; ++i) AddAllocations(i, &text, &total);
    if (!is_all) return text;
    absl::StrAppend(&text, "\nTotal bytes used: ", total,
                    " (1GiB)\n\nUsed values:\n");
    for (int64_t i = 0; i < times; ++i) AddUsedValues(i, &text);
    absl::StrAppend(&text, "\n\nHloLiveRange (max ", steps_ * times,
                    "):\n  InstructionSequence:\n");
    for (int64_t i = 0; i < times; ++i) AddSteps(i, &text);
    absl::StrAppend(&text, "  BufferLiveRange:\n");
    for (int64_t i = 0; i < times; ++i) AddRanges(i, &text);
    absl::StrAppend(&text, "  Live ranges at 0 (peak):\n");
    return text;
  }

 private:
  static bool IsStep(std::string_view line) {
    return tessera::ConsumePrefix(&line, "    ") && !line.empty() &&
           line[0] >= '0' && line[0] <= '9' &&
           line.find_first_not_of("0123456789") == line.find(':');
  }

  // "<86 add{1} @0> ..."
  static void AddName(int64_t repetition, std::string_view name,
                      std::string* text) {
    int64_t id = 0;
    name = TakeNumber(name.substr(1), &id);
    const size_t end = name.find_first_of(" {>", 1);
    absl::StrAppend(text, "<", id + repetition * 1000000,
                    AbslView(name.substr(0, end)), ".r", repetition,
                    AbslView(name.substr(end)), "\n");
  }

  void AddAllocations(int64_t repetition, std::string* text,
                      int64_t* total) const {
    for (std::string_view line : lines_) {
      if (tessera::ConsumePrefix(&line, " value: ")) {
        text->append(" value: ");
        AddName(repetition, line, text);
      } else if (tessera::ConsumePrefix(&line, "allocation ")) {
        int64_t number = 0;
        line = TakeNumber(line, &number);
        absl::StrAppend(text, "allocation ", number + repetition * allocations_,
                        AbslView(line), "\n");
        TakeNumber(tessera::StripPrefix(line, ": size "), &number);
        *total += number;
      }
    }
  }

  void AddUsedValues(int64_t repetition, std::string* text) const {
    bool is_in_value = false;
    for (const std::string_view line : lines_) {
      if (tessera::StartsWith(line, "<")) {
        is_in_value = true;
        AddName(repetition, line, text);
      } else if (is_in_value && !line.empty()) {
        absl::StrAppend(text, AbslView(line), "\n");
      } else {
        is_in_value = false;
      }
    }
  }

  void AddSteps(int64_t repetition, std::string* text) const {
    for (std::string_view line : lines_) {
      if (!IsStep(line)) continue;
      int64_t step = 0;
      line = TakeNumber(tessera::StripPrefix(line, "    "), &step);
      absl::StrAppend(text, "    ", step + repetition * steps_, AbslView(line),
                      ".r", repetition, "\n");
    }
  }

  void AddRanges(int64_t repetition, std::string* text) const {
    bool is_range = false;
    for (const std::string_view line : lines_) {
      if (tessera::StartsWith(line, "    ") && is_range) {
        const size_t brace = line.find('{');
        const size_t colon = line.find(':', brace);
        int64_t first = 0;
        int64_t last = 0;
        const std::string_view rest =
            TakeNumber(line.substr(colon + 1), &first);
        TakeNumber(rest.substr(1), &last);
        absl::StrAppend(text, AbslView(line.substr(0, brace)), ".r", repetition,
                        AbslView(line.substr(brace, colon + 1 - brace)),
                        first + repetition * steps_, "-",
                        last + repetition * steps_, "\n");
      } else {
        is_range = line == "  BufferLiveRange:";
      }
    }
  }

  std::vector<std::string_view> lines_;
  int64_t allocations_ = 0;
  int64_t steps_ = 0;
};

// 0: all in one file, that of a train step of 7,757 instructions over and over.
// 1: its allocations alone, as newer versions of XLA write it.
const std::string& AssignmentText(int64_t number) {
  static const std::vector<std::string>& texts =
      *new std::vector<std::string>([] {
        std::ifstream file("tests/hlo/train_step-buffer-assignment.txt");
        const std::string text(std::istreambuf_iterator<char>(file), {});
        const RepeatedAssignment repeated(text);
        constexpr int64_t kBytes = 56 << 20;
        std::vector<std::string> texts;
        for (const bool is_all : {true, false}) {
          const int64_t bytes = repeated.Make(1, is_all).size();
          texts.push_back(repeated.Make(kBytes / bytes, is_all));
        }
        return texts;
      }());
  return texts[number];
}

void BM_FindAssignmentLines(benchmark::State& state) {
  const std::string& text = AssignmentText(state.range(0));
  for (auto _ : state) {
    int64_t lines = 0;
    for (size_t i = text.find('\n'); i != text.npos;
         i = text.find('\n', i + 1)) {
      ++lines;
    }
    benchmark::DoNotOptimize(lines);
  }
  state.SetBytesProcessed(state.iterations() * text.size());
}
BENCHMARK(BM_FindAssignmentLines)->DenseRange(0, 1);

void BM_ReadAssignment(benchmark::State& state) {
  const std::string& text = AssignmentText(state.range(0));
  for (auto _ : state) {
    const BufferAssignment assignment = ReadBufferAssignmentText(text);
    if (assignment.problem_count > 0 || assignment.values.empty()) {
      return state.SkipWithError("not read as it should be");
    }
  }
  state.SetBytesProcessed(state.iterations() * text.size());
}
BENCHMARK(BM_ReadAssignment)->DenseRange(0, 1);

}  // namespace
}  // namespace tessera
