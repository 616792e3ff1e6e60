#include "tessera/hlo/hlo_opcode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

constexpr int8_t kVariadic = HloOpcodeFacts::kVariadic;

// The flags of HloOpcodeFacts.
constexpr uint8_t kNeedsShape = 1;
constexpr uint8_t kElementwise = 2;
constexpr uint8_t kOperandShape = 4;

struct Row {
  std::string_view name;
  int8_t arity;
  uint8_t facts;
};

// Sorted by name, as FindRow requires.
constexpr Row kRows[] = {
    {"abs", 1, kElementwise},
    {"acos", 1, kElementwise | kOperandShape},
    {"acosh", 1, kElementwise | kOperandShape},
    {"add", 2, kElementwise | kOperandShape},
    {"add-dependency", 2, 0},
    {"after-all", kVariadic, 0},
    {"all-gather", kVariadic, kNeedsShape},
    {"all-gather-done", 1, kNeedsShape},
    {"all-gather-start", kVariadic, kNeedsShape},
    {"all-reduce", kVariadic, kNeedsShape},
    {"all-reduce-done", 1, kNeedsShape},
    {"all-reduce-start", kVariadic, kNeedsShape},
    {"all-to-all", kVariadic, kNeedsShape},
    {"and", 2, kElementwise | kOperandShape},
    {"asin", 1, kElementwise | kOperandShape},
    {"asinh", 1, kElementwise | kOperandShape},
    {"async-done", kVariadic, kNeedsShape},
    {"async-start", kVariadic, kNeedsShape},
    {"async-update", kVariadic, kNeedsShape},
    {"atan", 1, 0},
    {"atan2", 2, kElementwise | kOperandShape},
    {"atanh", 1, kElementwise | kOperandShape},
    {"batch-norm-grad", 5, 0},
    {"batch-norm-inference", 5, 0},
    {"batch-norm-training", 3, 0},
    {"bitcast", 1, kNeedsShape},
    {"bitcast-convert", 1, kNeedsShape | kElementwise},
    {"broadcast", 1, 0},
    {"call", kVariadic, 0},
    {"cbrt", 1, kElementwise | kOperandShape},
    {"ceil", 1, kElementwise | kOperandShape},
    {"cholesky", 1, 0},
    {"clamp", 3, kElementwise},
    {"collective-broadcast", kVariadic, kNeedsShape},
    {"collective-permute", kVariadic, kNeedsShape},
    {"collective-permute-done", 1, kNeedsShape},
    {"collective-permute-start", kVariadic, kNeedsShape},
    {"collective-reduce", kVariadic, kNeedsShape},
    {"compare", 2, kElementwise},
    {"complex", 2, kElementwise},
    {"concatenate", kVariadic, 0},
    {"conditional", kVariadic, 0},
    {"constant", 0, kNeedsShape},
    {"convert", 1, kNeedsShape | kElementwise},
    {"convolution", kVariadic, 0},
    {"copy", 1, kElementwise | kOperandShape},
    {"copy-done", 1, kNeedsShape},
    {"copy-start", 1, kNeedsShape},
    {"cosh", 1, kElementwise | kOperandShape},
    {"cosine", 1, kElementwise | kOperandShape},
    {"count-leading-zeros", 1, kElementwise | kOperandShape},
    {"custom-call", kVariadic, kNeedsShape},
    {"divide", 2, kElementwise | kOperandShape},
    {"domain", 1, 0},
    {"dot", kVariadic, 0},
    {"dynamic-reshape", kVariadic, kNeedsShape},
    {"dynamic-slice", kVariadic, kNeedsShape},
    {"dynamic-update-slice", kVariadic, kNeedsShape},
    {"erf", 1, kElementwise | kOperandShape},
    {"exponential", 1, kElementwise | kOperandShape},
    {"exponential-minus-one", 1, kElementwise | kOperandShape},
    {"fft", 1, 0},
    {"floor", 1, kElementwise | kOperandShape},
    {"fusion", kVariadic, kNeedsShape},
    {"gather", 2, 0},
    {"get-dimension-size", 1, 0},
    {"get-tuple-element", 1, 0},
    {"imag", 1, kElementwise},
    {"infeed", 1, kNeedsShape},
    {"iota", 0, kNeedsShape},
    {"is-finite", 1, kElementwise},
    {"log", 1, kElementwise | kOperandShape},
    {"log-plus-one", 1, kElementwise | kOperandShape},
    {"logistic", 1, kElementwise | kOperandShape},
    {"map", kVariadic, kElementwise},
    {"maximum", 2, kElementwise | kOperandShape},
    {"minimum", 2, kElementwise | kOperandShape},
    {"mulhi", 2, 0},
    {"multiply", 2, kElementwise | kOperandShape},
    {"negate", 1, kElementwise | kOperandShape},
    {"not", 1, kElementwise | kOperandShape},
    {"opt-barrier", 1, kOperandShape},
    {"or", 2, kElementwise | kOperandShape},
    {"outfeed", 2, 0},
    {"pad", 2, 0},
    {"parameter", 0, kNeedsShape},
    {"partition-id", 0, 0},
    {"popcnt", 1, kElementwise | kOperandShape},
    {"power", 2, kElementwise | kOperandShape},
    {"ragged-all-to-all", kVariadic, kNeedsShape},
    {"ragged-dot", 3, 0},
    {"real", 1, kElementwise},
    {"recv", 1, kNeedsShape},
    {"recv-done", 1, kNeedsShape},
    {"reduce", kVariadic, 0},
    {"reduce-precision", 1, kNeedsShape | kElementwise | kOperandShape},
    {"reduce-scatter", kVariadic, kNeedsShape},
    {"reduce-window", kVariadic, 0},
    {"remainder", 2, kElementwise | kOperandShape},
    {"replica-id", 0, 0},
    {"reshape", 1, kNeedsShape},
    {"reverse", 1, 0},
    {"rng", kVariadic, kNeedsShape},
    {"rng-bit-generator", kVariadic, kNeedsShape},
    {"rng-get-and-update-state", 0, kNeedsShape},
    {"round-nearest-afz", 1, kElementwise | kOperandShape},
    {"round-nearest-even", 1, kElementwise | kOperandShape},
    {"rsqrt", 1, kElementwise | kOperandShape},
    {"scaled-dot", kVariadic, 0},
    {"scan", kVariadic, 0},
    {"scatter", kVariadic, 0},
    {"select", 3, kElementwise},
    {"select-and-scatter", 3, 0},
    {"send", 2, kNeedsShape},
    {"send-done", 1, kNeedsShape},
    {"set-dimension-size", 2, 0},
    {"shift-left", 2, kElementwise | kOperandShape},
    {"shift-right-arithmetic", 2, kElementwise | kOperandShape},
    {"shift-right-logical", 2, kElementwise | kOperandShape},
    {"shuffle", 1, 0},
    {"sign", 1, kElementwise | kOperandShape},
    {"sine", 1, kElementwise | kOperandShape},
    {"sinh", 1, kElementwise | kOperandShape},
    {"slice", 1, kNeedsShape},
    {"sort", kVariadic, 0},
    {"sqrt", 1, kElementwise | kOperandShape},
    {"stochastic-convert", 2, kNeedsShape | kElementwise},
    {"subtract", 2, kElementwise | kOperandShape},
    {"tan", 1, kElementwise | kOperandShape},
    {"tanh", 1, kElementwise | kOperandShape},
    {"topk", 1, 0},
    {"transpose", 1, 0},
    {"triangular-solve", 2, 0},
    {"tuple", kVariadic, 0},
    {"while", 1, kOperandShape},
    {"xor", 2, kElementwise | kOperandShape},
};

constexpr bool IsInOrder() {
  for (size_t i = 1; i < std::size(kRows); ++i) {
    if (!(kRows[i - 1].name < kRows[i].name)) return false;
  }
  return true;
}
static_assert(IsInOrder(), "a search by bisection would miss opcodes");

const Row* FindRow(std::string_view name) {
  const Row* const row = std::lower_bound(
      std::begin(kRows), std::end(kRows), name,
      [](const Row& row, std::string_view name) { return row.name < name; });
  return row != std::end(kRows) && row->name == name ? row : nullptr;
}

// These have their own asynchronous opcodes.
bool HasOwnAsyncForms(std::string_view name) {
  for (std::string_view own : {"all-gather", "all-reduce", "collective-permute",
                               "copy", "recv", "send"}) {
    if (name == own) return true;
  }
  return false;
}

}  // namespace

std::optional<HloOpcodeFacts> FindHloOpcode(std::string_view name) {
  if (const Row* row = FindRow(name)) {
    HloOpcodeFacts facts;
    facts.arity = row->arity;
    facts.needs_shape = (row->facts & kNeedsShape) != 0;
    facts.is_elementwise = (row->facts & kElementwise) != 0;
    facts.has_shape_of_operands = (row->facts & kOperandShape) != 0;
    return facts;
  }
  for (std::string_view suffix : {"-start", "-update", "-done"}) {
    std::string_view wrapped = name;
    if (ConsumeSuffix(&wrapped, suffix) && FindRow(wrapped) != nullptr &&
        !HasOwnAsyncForms(wrapped)) {
      HloOpcodeFacts facts;
      facts.needs_shape = true;
      facts.is_async_sugar = true;
      return facts;
    }
  }
  return std::nullopt;
}

}  // namespace tessera
