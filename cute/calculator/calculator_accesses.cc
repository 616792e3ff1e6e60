#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/access/bank_conflicts.h"
#include "tessera/cute/access/coalescing.h"
#include "tessera/cute/access/find_swizzle.h"
#include "tessera/cute/calculator/calculator_function.h"

namespace tessera::cute {
namespace {

using Arguments = CalculatorArguments;

// Takes the threads of argument 1; 32 means 32:1.
Layout TakeThreads(Arguments& a) {
  if (!a.IsInteger(1)) return a.TakeLayout(1);
  const absl::StatusOr<Layout> threads =
      Layout::ColumnMajor(IntTuple(a.TakeInteger(1)));
  if (threads.ok()) return *threads;
  a.Fail(1, StdView(threads.status().message()), threads.status().code());
  return Layout();
}

// Takes the bytes of an element: argument 2, or those of argument 0.
int64_t TakeBytes(Arguments& a) {
  if (a.count() == 3) return a.TakeInteger(2);
  const int64_t bits = a.element_bits(0);
  if (bits % 8 == 0 && bits > 0) return bits / 8;
  a.Fail(bits == 0 ? absl::StrCat("the layout does not have the size of an "
                                  "element; give its bytes as argument 3")
                   : absl::StrCat("an element of ", bits,
                                  " bits is not a number of bytes"));
  return 1;
}

template <typename Ask>
ValueOr Reported(Arguments& a, std::string_view kind, const Ask& ask) {
  const Layout threads = TakeThreads(a);
  const int64_t bytes = TakeBytes(a);
  const auto* composed = std::get_if<ComposedLayout>(&a.value(0));
  TESSERA_ASSIGN_OR_RETURN(std::string text,
                           composed != nullptr
                               ? ask(*composed, threads, bytes)
                               : ask(a.TakeLayout(0), threads, bytes));
  return ToValue(Report{std::string(kind), std::move(text)});
}

template <typename Answer>
absl::StatusOr<std::string> TextOfAnswer(const absl::StatusOr<Answer>& answer) {
  if (!answer.ok()) return answer.status();
  return answer->ToString();
}

absl::StatusOr<std::string> TextOfSwizzles(
    const absl::StatusOr<std::vector<Swizzle>>& swizzles) {
  if (!swizzles.ok()) return swizzles.status();
  if (swizzles->empty()) {
    return absl::StrCat("none: each Sw<B,M,S> with B <= S and B + M + S <= ",
                        kMaxSwizzleReach, " leaves a conflict");
  }
  constexpr size_t kMostListed = 16;
  const size_t listed = std::min(swizzles->size(), kMostListed);
  std::string text =
      absl::StrJoin(absl::MakeConstSpan(*swizzles).subspan(0, listed), ", ",
                    [](std::string* out, const Swizzle& swizzle) {
                      absl::StrAppend(out, swizzle.ToString());
                    });
  if (listed < swizzles->size()) {
    absl::StrAppend(&text, ", and ", swizzles->size() - listed, " more");
  }
  return text;
}

ValueOr ReportConflicts(Arguments& a) {
  return Reported(
      a, "bank conflicts",
      [](const auto& layout, const Layout& threads, int64_t bytes) {
        return TextOfAnswer(BankConflictsOf(layout, threads, bytes));
      });
}

ValueOr ReportCoalescing(Arguments& a) {
  return Reported(a, "coalescing",
                  [](const auto& layout, const Layout& threads, int64_t bytes) {
                    return TextOfAnswer(CoalescingOf(layout, threads, bytes));
                  });
}

ValueOr ReportSwizzles(Arguments& a) {
  const auto* composed = std::get_if<ComposedLayout>(&a.value(0));
  const auto* own =
      composed == nullptr ? nullptr : std::get_if<Swizzle>(&composed->outer());
  if (own != nullptr && !own->is_identity()) {
    a.Note(0, absl::StrCat("each swizzle replaces ", own->ToString(),
                           ", the swizzle of the layout"));
  }
  return Reported(a, "swizzles",
                  [](const auto& layout, const Layout& threads, int64_t bytes) {
                    return TextOfSwizzles(FindSwizzles(layout, threads, bytes));
                  });
}

}  // namespace

absl::Span<const CalculatorFunction> AccessFunctions() {
  static constexpr CalculatorFunction kFunctions[] = {
      {"bank_conflicts", "A, threads[, bytes]", 2, 3, false, ReportConflicts},
      {"coalescing", "A, threads[, bytes]", 2, 3, false, ReportCoalescing},
      {"find_swizzle", "A, threads[, bytes]", 2, 3, false, ReportSwizzles},
  };
  return kFunctions;
}

}  // namespace tessera::cute
