#include "tessera/viz/operation_panels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/product.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/viz/picture.h"
#include "tessera/viz/thread_panels.h"

namespace tessera {
namespace {

std::optional<cute::ComposedLayout> LayoutOfValue(
    const cute::CalculatorValue& value) {
  if (const auto* composed = std::get_if<cute::ComposedLayout>(&value)) {
    return *composed;
  }
  const auto* layout = std::get_if<cute::Layout>(&value);
  if (layout == nullptr || layout->has_basis()) return std::nullopt;
  return cute::ComposedLayout(cute::Swizzle(), 0, *layout);
}

// The colours of the panels of one call.
class CallColors {
 public:
  // Precondition: both have at most kMaxPictureCells elements.
  CallColors(const cute::CalculatorCall& call, const cute::ComposedLayout& a,
             const cute::ComposedLayout& result)
      : function_(call.function), a_(a) {
    const cute::Layout& layout = result.layout();
    // ((tile, rest), (tile, rest)): a colour for each tile. By one layout, a
    // divide has one mode of tiles instead.
    const bool divides_by_mode =
        function_ == "logical_divide" && call.arguments.size() == 2 &&
        !std::holds_alternative<cute::Layout>(call.arguments[1]);
    const bool is_by_mode =
        (divides_by_mode || function_ == "blocked_product" ||
         function_ == "raked_product") &&
        layout.rank() == 2 && layout.Mode(0).rank() == 2 &&
        layout.Mode(1).rank() == 2;
    const int64_t rows = layout.rank() < 2 ? 1 : layout.Mode(0).size();
    const int64_t tile_rows = is_by_mode ? layout.Mode(0).Mode(0).size() : rows;
    const int64_t tile_columns = is_by_mode ? layout.Mode(1).Mode(0).size() : 1;
    for (int64_t i = 0; i < result.size(); ++i) {
      const int64_t color =
          i % rows / tile_rows + 3 * (i / rows / tile_columns);
      of_result_.push_back(static_cast<int>((is_by_mode ? color : color / 3) %
                                            ThreadPicture::kColors));
      of_numbers_.emplace(result(i), of_result_.back());
    }
  }

  const std::vector<int>& of_result() const { return of_result_; }

  std::vector<int> OfA() const {
    std::vector<int> colors;
    for (int64_t i = 0; i < a_.size(); ++i) {
      const int64_t number = a_(i);
      // Cell (number) of an inverse has the number of this cell.
      const auto cells = static_cast<int64_t>(of_result_.size());
      colors.push_back(!EndsWith(function_, "inverse") ? ColorOf(number)
                       : number < cells                ? of_result_[number]
                                                       : -1);
    }
    return colors;
  }

  std::vector<int> OfB(const cute::ComposedLayout& b) const {
    std::vector<int> colors(b.size(), -1);
    if (EndsWith(function_, "product")) {
      const auto repeated =
          cute::LogicalProduct(a_.layout(), cute::Tiler(b.layout()));
      for (int64_t i = 0; repeated.ok() && i < b.size(); ++i) {
        colors[i] = ColorOf((*repeated)(a_.size() * i));
      }
    } else if (function_ == "composition" || EndsWith(function_, "divide")) {
      for (int64_t i = 0; i < b.size(); ++i) {
        const int64_t coordinate = b(i);
        if (coordinate < a_.size()) colors[i] = ColorOf(a_(coordinate));
      }
    }
    return colors;
  }

 private:
  int ColorOf(int64_t number) const {
    const auto found = of_numbers_.find(number);
    return found == of_numbers_.end() ? -1 : found->second;
  }

  const std::string_view function_;
  const cute::ComposedLayout& a_;
  std::vector<int> of_result_;         // by coordinate
  std::map<int64_t, int> of_numbers_;  // of the result
};

// "A", "B", ..., "Z", "A26".
std::string NameOfOperand(size_t number) {
  constexpr size_t kLetters = 26;
  if (number >= kLetters) return absl::StrCat("A", number);
  return std::string(1, static_cast<char>('A' + number));
}

struct Operand {
  std::string title;
  cute::ComposedLayout layout;
};

// Returns the operands of a call, and then its result; nothing if the call is
// not from layouts to a layout.
std::vector<Operand> OperandsOf(const cute::CalculatorCall& call) {
  std::optional<cute::ComposedLayout> result = LayoutOfValue(call.value);
  std::vector<Operand> operands;
  std::string text = absl::StrCat(call.function, "(");
  const char* separator = "";
  for (const cute::CalculatorValue& argument : call.arguments) {
    std::optional<cute::ComposedLayout> layout = LayoutOfValue(argument);
    std::string value = ToString(argument);
    if (layout.has_value()) {
      std::string name = NameOfOperand(operands.size());
      operands.push_back(
          {absl::StrCat(name, " = ", value), *std::move(layout)});
      value = std::move(name);
    }
    absl::StrAppend(&text, separator, value);
    separator = ", ";
  }
  if (!result.has_value() || operands.empty()) return {};
  operands.push_back(
      {absl::StrCat(text, ") = ", ToString(call.value)), *std::move(result)});
  return operands;
}

absl::Status AppendCall(const cute::CalculatorCall& call, int place_row,
                        int64_t* cells, std::vector<ThreadPanel>* panels) {
  const std::vector<Operand> operands = OperandsOf(call);
  if (operands.empty()) return absl::OkStatus();
  const size_t first = panels->size();
  for (const Operand& operand : operands) {
    *cells += std::min(operand.layout.size(), kMaxPictureCells + 1);
    if (*cells > kMaxPictureCells) {
      return ResourceExhaustedError("a picture has at most ", kMaxPictureCells,
                                    " cells, and the operations have more");
    }
    ThreadPanel panel = MemoryPanelOf({operand.layout, 0});
    panel.title = operand.title;
    panel.is_operand = true;
    panel.place_row = place_row;
    panel.place_column = static_cast<int>(panels->size() - first);
    // Layouts without a value somewhere are rejected before their values are
    // used.
    TESSERA_RETURN_IF_ERROR(MakeThreadPicture({panel}, {}).status());
    panels->push_back(std::move(panel));
  }
  const CallColors colors(call, operands.front().layout,
                          operands.back().layout);
  panels->back().is_result = true;
  panels->back().colors = colors.of_result();
  (*panels)[first].colors = colors.OfA();
  for (size_t i = 1; i + 1 < operands.size(); ++i) {
    (*panels)[first + i].colors = colors.OfB(operands[i].layout);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<ThreadPanel>> OperationPanelsOf(
    std::string_view expression) {
  cute::CalculatorOptions options;
  options.explains = true;
  cute::Calculator calculator(options);
  TESSERA_ASSIGN_OR_RETURN(const cute::CalculatorResult result,
                           calculator.Evaluate(expression));
  std::vector<ThreadPanel> panels;
  int64_t cells = 0;
  for (const cute::CalculatorCall& call : result.calls) {
    const int row = panels.empty() ? 0 : panels.back().place_row + 1;
    TESSERA_RETURN_IF_ERROR(AppendCall(call, row, &cells, &panels));
  }
  if (panels.empty()) {
    return absl::InvalidArgumentError(
        "expected an operation from layouts to a layout");
  }
  return panels;
}

}  // namespace tessera
