#include "tessera/hlo/strict/opcode_rules.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace hlo_internal {
namespace {

struct RequiredRow {
  std::string_view opcode;
  std::string_view keys;  // with blanks between
};

// Sorted by name, as RequiredOf requires.
constexpr RequiredRow kRequired[] = {
    {"all-gather", "dimensions"},
    {"all-gather-start", "dimensions"},
    {"all-reduce", "to_apply"},
    {"all-reduce-start", "to_apply"},
    {"async-start", "calls"},
    {"batch-norm-grad", "epsilon feature_index"},
    {"batch-norm-inference", "epsilon feature_index"},
    {"batch-norm-training", "epsilon feature_index"},
    {"call", "to_apply"},
    {"collective-permute", "source_target_pairs"},
    {"collective-permute-start", "source_target_pairs"},
    {"compare", "direction"},
    {"concatenate", "dimensions"},
    {"convolution", "dim_labels"},
    {"custom-call", "custom_call_target"},
    {"domain", "domain"},
    {"dynamic-slice", "dynamic_slice_sizes"},
    {"fft", "fft_length fft_type"},
    {"fusion", "calls kind"},
    {"gather",
     "collapsed_slice_dims index_vector_dim offset_dims slice_sizes "
     "start_index_map"},
    {"get-dimension-size", "dimensions"},
    {"get-tuple-element", "index"},
    {"iota", "iota_dimension"},
    {"map", "to_apply"},
    {"pad", "padding"},
    {"reduce", "dimensions to_apply"},
    {"reduce-precision", "exponent_bits mantissa_bits"},
    {"reduce-scatter", "dimensions to_apply"},
    {"reduce-window", "to_apply"},
    {"reverse", "dimensions"},
    {"rng", "distribution"},
    {"rng-bit-generator", "algorithm"},
    {"rng-get-and-update-state", "delta"},
    {"scan", "dimensions num_carries to_apply"},
    {"scatter",
     "index_vector_dim inserted_window_dims scatter_dims_to_operand_dims "
     "to_apply update_window_dims"},
    {"select-and-scatter", "scatter select"},
    {"set-dimension-size", "dimensions"},
    {"slice", "slice"},
    {"sort", "dimensions to_apply"},
    {"topk", "k"},
    {"transpose", "dimensions"},
    {"while", "body condition"},
};

constexpr bool AreRequiredInOrder() {
  for (size_t i = 1; i < std::size(kRequired); ++i) {
    if (!(kRequired[i - 1].opcode < kRequired[i].opcode)) return false;
  }
  return true;
}
static_assert(AreRequiredInOrder(), "a search by bisection would miss opcodes");

std::vector<std::string_view> RequiredOf(std::string_view opcode) {
  const RequiredRow* const row =
      std::lower_bound(std::begin(kRequired), std::end(kRequired), opcode,
                       [](const RequiredRow& row, std::string_view opcode) {
                         return row.opcode < opcode;
                       });
  if (row == std::end(kRequired) || row->opcode != opcode) return {};
  return SplitViews(row->keys, ' ');
}

}  // namespace

OpcodeRules::OpcodeRules(std::string_view name)
    : facts(FindHloOpcode(name)),
      is_parameter(name == "parameter"),
      is_constant(name == "constant"),
      is_broadcast(name == "broadcast"),
      is_conditional(name == "conditional") {
  if (name == "reduce" || name == "reduce-window") parity = Parity::kEven;
  if (name == "scatter") parity = Parity::kOdd;
  const bool is_sugar = facts.has_value() && facts->is_async_sugar;
  needs_operand =
      name == "async-update" || name == "async-done" ||
      (is_sugar && (EndsWith(name, "-update") || EndsWith(name, "-done")));
  // Only the start has the attributes of the wrapped instruction.
  if (is_sugar) ConsumeSuffix(&name, "-start");
  required_attributes = RequiredOf(name);
}

}  // namespace hlo_internal
}  // namespace tessera
