#include "tessera/hlo/hlo_opcode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/optional.h"

namespace tessera {
namespace {

constexpr int8_t kVariadic = HloOpcodeFacts::kVariadic;

struct Row {
  absl::string_view name;
  int8_t arity;
  bool needs_shape;
};

// By name, as FindRow wants them.
constexpr Row kRows[] = {
    {"abs", 1, false},
    {"acos", 1, false},
    {"acosh", 1, false},
    {"add", 2, false},
    {"add-dependency", 2, false},
    {"after-all", kVariadic, false},
    {"all-gather", kVariadic, true},
    {"all-gather-done", 1, true},
    {"all-gather-start", kVariadic, true},
    {"all-reduce", kVariadic, true},
    {"all-reduce-done", 1, true},
    {"all-reduce-start", kVariadic, true},
    {"all-to-all", kVariadic, true},
    {"and", 2, false},
    {"asin", 1, false},
    {"asinh", 1, false},
    {"async-done", 1, true},
    {"async-start", kVariadic, true},
    {"async-update", kVariadic, true},
    {"atan", 1, false},
    {"atan2", 2, false},
    {"atanh", 1, false},
    {"batch-norm-grad", 5, false},
    {"batch-norm-inference", 5, false},
    {"batch-norm-training", 3, false},
    {"bitcast", 1, true},
    {"bitcast-convert", 1, true},
    {"broadcast", 1, false},
    {"call", kVariadic, false},
    {"cbrt", 1, false},
    {"ceil", 1, false},
    {"cholesky", 1, false},
    {"clamp", 3, false},
    {"collective-broadcast", kVariadic, true},
    {"collective-permute", kVariadic, true},
    {"collective-permute-done", 1, true},
    {"collective-permute-start", kVariadic, true},
    {"collective-reduce", kVariadic, true},
    {"compare", 2, false},
    {"complex", 2, false},
    {"concatenate", kVariadic, false},
    {"conditional", kVariadic, false},
    {"constant", 0, true},
    {"convert", 1, true},
    {"convolution", kVariadic, false},
    {"copy", 1, false},
    {"copy-done", 1, true},
    {"copy-start", 1, true},
    {"cosh", 1, false},
    {"cosine", 1, false},
    {"count-leading-zeros", 1, false},
    {"custom-call", kVariadic, true},
    {"divide", 2, false},
    {"domain", 1, false},
    {"dot", 2, false},
    {"dynamic-reshape", kVariadic, true},
    {"dynamic-slice", kVariadic, true},
    {"dynamic-update-slice", kVariadic, true},
    {"erf", 1, false},
    {"exponential", 1, false},
    {"exponential-minus-one", 1, false},
    {"fft", 1, false},
    {"floor", 1, false},
    {"fusion", kVariadic, true},
    {"gather", 2, false},
    {"get-dimension-size", 1, false},
    {"get-tuple-element", 1, false},
    {"imag", 1, false},
    {"infeed", 1, true},
    {"iota", 0, true},
    {"is-finite", 1, false},
    {"log", 1, false},
    {"log-plus-one", 1, false},
    {"logistic", 1, false},
    {"map", kVariadic, false},
    {"maximum", 2, false},
    {"minimum", 2, false},
    {"mulhi", 2, false},
    {"multiply", 2, false},
    {"negate", 1, false},
    {"not", 1, false},
    {"opt-barrier", 1, false},
    {"or", 2, false},
    {"outfeed", 2, false},
    {"pad", 2, false},
    {"parameter", 0, true},
    {"partition-id", 0, false},
    {"popcnt", 1, false},
    {"power", 2, false},
    {"ragged-all-to-all", 6, true},
    {"ragged-dot", 3, false},
    {"real", 1, false},
    {"recv", 1, true},
    {"recv-done", 1, true},
    {"reduce", kVariadic, false},
    {"reduce-precision", 1, true},
    {"reduce-scatter", kVariadic, true},
    {"reduce-window", kVariadic, false},
    {"remainder", 2, false},
    {"replica-id", 0, false},
    {"reshape", 1, true},
    {"reverse", 1, false},
    {"rng", kVariadic, true},
    {"rng-bit-generator", 1, true},
    {"rng-get-and-update-state", 0, true},
    {"round-nearest-afz", 1, false},
    {"round-nearest-even", 1, false},
    {"rsqrt", 1, false},
    {"scaled-dot", kVariadic, false},
    {"scan", kVariadic, false},
    {"scatter", kVariadic, false},
    {"select", 3, false},
    {"select-and-scatter", 3, false},
    {"send", 2, true},
    {"send-done", 1, true},
    {"set-dimension-size", 2, false},
    {"shift-left", 2, false},
    {"shift-right-arithmetic", 2, false},
    {"shift-right-logical", 2, false},
    {"shuffle", 1, false},
    {"sign", 1, false},
    {"sine", 1, false},
    {"sinh", 1, false},
    {"slice", 1, true},
    {"sort", kVariadic, false},
    {"sqrt", 1, false},
    {"stochastic-convert", 2, true},
    {"subtract", 2, false},
    {"tan", 1, false},
    {"tanh", 1, false},
    {"topk", 1, false},
    {"transpose", 1, false},
    {"triangular-solve", 2, false},
    {"tuple", kVariadic, false},
    {"while", 1, false},
    {"xor", 2, false},
};

constexpr bool IsInOrder() {
  for (size_t i = 1; i < std::size(kRows); ++i) {
    if (!(kRows[i - 1].name < kRows[i].name)) return false;
  }
  return true;
}
static_assert(IsInOrder(), "a search by bisection would miss opcodes");

const Row* FindRow(absl::string_view name) {
  const Row* const row = std::lower_bound(
      std::begin(kRows), std::end(kRows), name,
      [](const Row& row, absl::string_view name) { return row.name < name; });
  return row != std::end(kRows) && row->name == name ? row : nullptr;
}

// These have asynchronous opcodes of their own.
bool HasOwnAsyncForms(absl::string_view name) {
  for (absl::string_view own : {"all-gather", "all-reduce",
                                "collective-permute", "copy", "recv", "send"}) {
    if (name == own) return true;
  }
  return false;
}

}  // namespace

absl::optional<HloOpcodeFacts> FindHloOpcode(absl::string_view name) {
  if (const Row* row = FindRow(name)) {
    return HloOpcodeFacts{row->arity, row->needs_shape, false};
  }
  for (absl::string_view suffix : {"-start", "-update", "-done"}) {
    absl::string_view wrapped = name;
    if (absl::ConsumeSuffix(&wrapped, suffix) && FindRow(wrapped) != nullptr &&
        !HasOwnAsyncForms(wrapped)) {
      return HloOpcodeFacts{kVariadic, true, true};
    }
  }
  return absl::nullopt;
}

}  // namespace tessera
