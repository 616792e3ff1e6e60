// Memory that runs out, at each allocation in turn: the request is refused, and
// the next one is answered as ever.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/service/answer_json.h"
#include "tessera/service/layout_service.h"
#include "tessera/service/within_memory.h"

namespace {

// The number of the allocation that fails, counted down; of this thread.
thread_local int64_t until_failure = std::numeric_limits<int64_t>::max();

void* Allocate(std::size_t size) {
  if (until_failure-- == 0) throw std::bad_alloc();
  void* const memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size); }
void* operator new[](std::size_t size) { return Allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace tessera {
namespace {

constexpr int64_t kPlenty = std::numeric_limits<int64_t>::max();

// A module whose containers grow several times.
std::string Module() {
  std::string text =
      "HloModule m, is_scheduled=true\\n\\nENTRY e {\\n"
      "  x0 = f32[8,128]{1,0:T(8,128)} parameter(0)\\n";
  for (int i = 1; i < 200; ++i) {
    absl::StrAppend(&text, "  x", i, " = f32[", 8 + i % 50,
                    ",128]{1,0:T(8,128)} fusion(x", i / 2, ", x", i - 1,
                    "), kind=kLoop, metadata={op_name=\\\"jit(f)/while/op", i,
                    "\\\" source_file=\\\"a.py\\\" source_line=", i, "}\\n");
  }
  return text + "}\\n";
}

std::vector<std::string> Questions() {
  std::vector<std::string> questions;
  std::ifstream file("tests/service/data/questions.txt");
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind("? ", 0) == 0) questions.push_back(line.substr(2));
  }
  const std::string module = absl::StrCat("\"", Module(), "\"");
  for (const char* name : {"peak", "summarize"}) {
    questions.push_back(
        absl::StrCat("{\"", name, "\":{\"hlo\":", module, "}}"));
  }
  questions.push_back(absl::StrCat("{\"peak\":{\"hlo\":", module,
                                   ",\"map\":true,\"series\":true}}"));
  questions.push_back(absl::StrCat("{\"diff\":{\"before\":", module,
                                   ",\"after\":", module, "}}"));
  return questions;
}

TEST(OutOfMemory, RefusesTheRequestAndAnswersTheNext) {
  const LayoutService service;
  const std::vector<std::string> questions = Questions();
  ASSERT_GT(questions.size(), 50u);
  int64_t refused = 0;
  for (const std::string& question : questions) {
    const std::string expected = AnswerJson(service, question);
    // Each of the first allocations, and every so many of the later ones.
    int64_t step = 1;
    for (int64_t allocations = 0;; allocations += step) {
      if (allocations > 200) step = std::max<int64_t>(allocations / 100, 1);
      std::string answer;
      until_failure = allocations;
      const absl::Status status = RunWithinMemory([&] {
        answer = AnswerJson(service, question);
        until_failure = kPlenty;
      });
      until_failure = kPlenty;
      if (status.ok()) {
        EXPECT_EQ(answer, expected);
        break;
      }
      ++refused;
    }
    EXPECT_EQ(AnswerJson(service, question), expected);
  }
  EXPECT_GT(refused, static_cast<int64_t>(10 * questions.size()));
}

}  // namespace
}  // namespace tessera
