// Shows the steps of a divide, a product, a composition or an inverse.
//
//   #include "tessera/cute/parse.h"
//
//   const CalculatorValue a = *ParseLayout("(4,2,3):(2,1,8)");
//   const CalculatorValue b = *ParseLayout("4:2");
//   Explanation explanation{CalculatorOptions()};
//   explanation.Explain("logical_divide", {a, b},
//                       *ParseLayout("((2,2),(2,3)):((4,1),(2,8))"));
//   explanation.steps()[0].expression;   // "complement(4:2, 24)"
//   explanation.steps()[0].value;        // "(2,3):(1,8)"
//
// The calculator can evaluate every expression, and gives the value next to it.
// The last value is the result. The steps follow CuTe's definitions
// (02_layout_algebra.md). Where they do not lead to the result, because an
// exact decision found it, the call is the only step.

#ifndef TESSERA_CUTE_CALCULATOR_EXPLANATION_H_
#define TESSERA_CUTE_CALCULATOR_EXPLANATION_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/cute/calculator/calculator_value.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/tiler.h"

namespace tessera::cute {

class Explanation {
 public:
  // The most steps; calls past them are not explained.
  static constexpr size_t kMaxSteps = 256;

  explicit Explanation(const CalculatorOptions& options) : options_(options) {
    options_.explains = false;
  }

  // Adds the steps of a call whose value is `result`. Adds nothing for
  // functions without steps.
  void Explain(std::string_view function,
               absl::Span<const CalculatorValue> arguments,
               const CalculatorValue& result);
  // Like the function above, with a list in braces.
  void Explain(std::string_view function,
               std::initializer_list<CalculatorValue> arguments,
               const CalculatorValue& result) {
    Explain(function, absl::MakeConstSpan(arguments.begin(), arguments.size()),
            result);
  }
  // Adds the whole line as the last step, unless the last has its value.
  void Finish(std::string_view line, const CalculatorValue& value);

  const std::vector<ExplanationStep>& steps() const { return steps_; }

 private:
  // Returns the value of a step; nullopt if the step fails.
  std::optional<Layout> Step(const std::string& expression,
                             std::string_view reason);
  // Adds the steps of a function of these arguments. Returns false if one
  // fails.
  bool Derive(std::string_view function, const Layout& layout,
              const CalculatorValue* second);
  bool DeriveDivide(const Layout& layout, const Layout& tile);
  bool DeriveProduct(const Layout& block, const Layout& tiles);
  bool DeriveComposition(const Layout& a, const Layout& b);
  bool DeriveLeaf(const Layout& a, const Layout& b);
  bool DeriveByMode(std::string_view function, const Layout& layout,
                    const Tiler& tiler);
  bool DeriveComplement(const Layout& layout);
  bool DeriveInverse(const Layout& layout);
  bool DeriveOne(std::string_view function, const Layout& layout,
                 const Layout& second);

  CalculatorOptions options_;
  std::vector<ExplanationStep> steps_;
};

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_EXPLANATION_H_
