// Every question, good and bad, as JSON with its answer: data/questions.txt.
//
// When answers change for a good reason, write the file anew and read the
// difference:
//
//   TESSERA_UPDATE_GOLDEN=1 ./bazelw run //tests/service:tests
//   git diff tests/service/data

#include <fstream>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/service/answer_json.h"
#include "tessera/service/layout_service.h"
#include "tests/golden_file.h"

namespace tessera {
namespace {

constexpr char kFile[] = "tests/service/data/questions.txt";

TEST(Questions, AreAnsweredAsRecorded) {
  std::ifstream in(kFile);
  ASSERT_TRUE(in) << kFile;
  const LayoutService service;
  std::string recorded, actual, line;
  int questions = 0;
  while (std::getline(in, line)) {
    absl::StrAppend(&recorded, line, "\n");
    std::string_view question = line;
    if (tessera::ConsumePrefix(&question, "? ")) {
      ++questions;
      absl::StrAppend(&actual, line, "\n= ", AnswerJson(service, question),
                      "\n");
    } else if (!tessera::ConsumePrefix(&question, "= ")) {
      absl::StrAppend(&actual, line, "\n");
    }
  }
  EXPECT_GT(questions, 80);
  if (const std::string update = FileToUpdate(kFile); !update.empty()) {
    std::ofstream(update) << actual;
    return;
  }
  EXPECT_EQ(actual, recorded);
}

}  // namespace
}  // namespace tessera
