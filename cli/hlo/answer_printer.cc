#include "tessera/cli/hlo/answer_printer.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/units.h"

namespace tessera::cli {

void AnswerPrinter::Add(Answer answer) {
  // In text form, the largest comes first.
  if (argument_->is_folder || options_.format == OutputFormat::kText) {
    answers_.push_back(std::move(answer));
  } else {
    Print(answer.text);
  }
}

// Separates answers in text form, and prints titles above those in CSV.
void AnswerPrinter::Print(const std::string& text) {
  if (options_.format == OutputFormat::kCsv && is_first_) {
    *console_.out << options_.csv_titles;
  }
  if (options_.format == OutputFormat::kText && !is_first_) {
    *console_.out << "\n";
  }
  *console_.out << text;
  is_first_ = false;
}

std::string AnswerPrinter::Heading() const {
  Table table(options_.columns);
  const int64_t all = answers_.size();
  const int64_t shown = std::min(all, options_.top);
  for (int64_t i = 0; i < shown; ++i) {
    for (const std::vector<std::string>& row : answers_[i].rows) {
      table.AddRow(row);
    }
  }
  return StrCat(
      Paint(argument_->name, Color::kBold, console_.out_display), "\n", kIndent,
      HumanQuantity(all, options_.noun),
      0 < shown && shown < all
          ? absl::StrCat(", the ", shown,
                         shown == 1 ? " that takes most" : " that take most")
          : "",
      "\n",
      table.empty()
          ? ""
          : absl::StrCat("\n", table.ToString(kIndent, console_.out_display)));
}

void AnswerPrinter::End() {
  std::stable_sort(
      answers_.begin(), answers_.end(),
      [](const Answer& a, const Answer& b) { return a.bytes > b.bytes; });
  if (options_.format == OutputFormat::kText && answers_.size() > 1) {
    Print(Heading());
    answers_.resize(std::min<uint64_t>(answers_.size(), options_.top));
  }
  for (const Answer& answer : answers_) Print(answer.text);
  answers_.clear();
}

}  // namespace tessera::cli
