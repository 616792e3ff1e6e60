#include "tessera/hlo/strict/attribute_rules.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/optional.h"
#include "tessera/hlo/hlo_opcode.h"

namespace tessera {
namespace hlo_internal {
namespace {

using Kind = HloValueKind;

struct KeyRow {
  absl::string_view key;
  Kind kind;
};

// A key that is not here has a value that is not judged.
constexpr KeyRow kKeys[] = {
    {"algorithm", Kind::kWord},
    {"alias_passthrough_params", Kind::kBool},
    {"allow_spmd_sharding_propagation_to_output", Kind::kBools},
    {"allow_spmd_sharding_propagation_to_parameters", Kind::kBools},
    {"api_version", Kind::kWord},
    {"async_execution_thread", Kind::kString},
    {"backend_config", Kind::kStringOrObject},
    {"batch_group_count", Kind::kInteger},
    {"body", Kind::kComputation},
    {"branch_computations", Kind::kList},
    {"buffer_donor", Kind::kDonors},
    {"called_computations", Kind::kList},
    {"calls", Kind::kComputation},
    {"channel_id", Kind::kInteger},
    {"collapsed_slice_dims", Kind::kIntegers},
    {"condition", Kind::kComputation},
    {"constrain_layout", Kind::kBool},
    {"control-predecessors", Kind::kList},
    {"cross_program_prefetch_index", Kind::kInteger},
    {"custom_call_has_side_effect", Kind::kBool},
    {"custom_call_target", Kind::kString},
    {"delta", Kind::kInteger},
    {"dim_labels", Kind::kDimLabels},
    {"dimensions", Kind::kIntegers},
    {"direction", Kind::kDirection},
    {"distribution", Kind::kDistribution},
    {"domain", Kind::kList},
    {"dynamic_slice_sizes", Kind::kIntegers},
    {"entry_computation_layout", Kind::kEntryLayout},
    {"execution_thread", Kind::kString},
    {"exponent_bits", Kind::kInteger},
    {"false_computation", Kind::kComputation},
    {"feature_group_count", Kind::kInteger},
    {"feature_index", Kind::kInteger},
    {"fft_length", Kind::kIntegers},
    {"fft_type", Kind::kFftType},
    {"frontend_attributes", Kind::kList},
    {"index", Kind::kInteger},
    {"index_vector_dim", Kind::kInteger},
    {"indices_are_sorted", Kind::kBool},
    {"infeed_config", Kind::kString},
    {"inferred_dimension", Kind::kInteger},
    {"input_batching_dims", Kind::kIntegers},
    {"input_output_alias", Kind::kModuleAliases},
    {"inserted_window_dims", Kind::kIntegers},
    {"iota_dimension", Kind::kInteger},
    {"is_associative", Kind::kBool},
    {"is_composite", Kind::kBool},
    {"is_host_transfer", Kind::kBool},
    {"is_reverse", Kind::kBool},
    {"is_scheduled", Kind::kBool},
    {"is_stable", Kind::kBool},
    {"k", Kind::kInteger},
    {"kind", Kind::kFusionKind},
    {"largest", Kind::kBool},
    {"left_side", Kind::kBool},
    {"lhs_batch_dims", Kind::kIntegers},
    {"lhs_contracting_dims", Kind::kIntegers},
    {"lhs_ragged_dims", Kind::kIntegers},
    {"lower", Kind::kBool},
    {"mantissa_bits", Kind::kInteger},
    {"metadata", Kind::kMetadata},
    {"num_carries", Kind::kInteger},
    {"num_partitions", Kind::kInteger},
    {"offset_dims", Kind::kIntegers},
    {"operand_batching_dims", Kind::kIntegers},
    {"operand_layout_constraints", Kind::kList},
    {"operand_precision", Kind::kList},
    {"origin", Kind::kList},
    {"outfeed_config", Kind::kString},
    {"output_to_operand_aliasing", Kind::kOperandAliases},
    {"padding", Kind::kPadding},
    {"padding_type", Kind::kWord},
    {"parameter_replication", Kind::kBools},
    {"replica_count", Kind::kInteger},
    {"replica_groups", Kind::kReplicaGroups},
    {"result_accuracy", Kind::kList},
    {"rhs_batch_dims", Kind::kIntegers},
    {"rhs_contracting_dims", Kind::kIntegers},
    {"rhs_group_dims", Kind::kIntegers},
    {"scatter", Kind::kComputation},
    {"scatter_dims_to_operand_dims", Kind::kIntegers},
    {"scatter_indices_batching_dims", Kind::kIntegers},
    {"schedule", Kind::kWord},
    {"select", Kind::kComputation},
    {"sharding", Kind::kList},
    {"slice", Kind::kSlice},
    {"slice_sizes", Kind::kIntegersOrLists},
    {"source_target_pairs", Kind::kPairs},
    {"start_index_map", Kind::kIntegers},
    {"start_indices_batching_dims", Kind::kIntegers},
    {"statistics", Kind::kList},
    {"to_apply", Kind::kComputation},
    {"transpose_a", Kind::kWord},
    {"true_computation", Kind::kComputation},
    {"type", Kind::kComparisonType},
    {"unique_indices", Kind::kBool},
    {"unit_diagonal", Kind::kBool},
    {"update_window_dims", Kind::kIntegers},
    {"use_global_device_ids", Kind::kBool},
    {"window", Kind::kWindow},
};

// Of every instruction.
constexpr char kCommon[] =
    "backend_config control-predecessors frontend_attributes metadata origin "
    "parameter_replication sharding statistics";

struct OpcodeRow {
  absl::string_view opcode;
  // Keys, with blanks between. First those that must be there.
  const char* required;
  const char* optional;
};

constexpr char kAccuracy[] = "result_accuracy";
constexpr char kCollective[] =
    "channel_id constrain_layout mode replica_groups use_global_device_ids";
constexpr char kDot[] =
    "algorithm lhs_batch_dims lhs_contracting_dims operand_precision "
    "rhs_batch_dims rhs_contracting_dims sparsity_config";
constexpr char kRaggedDot[] =
    "algorithm lhs_batch_dims lhs_contracting_dims lhs_ragged_dims "
    "operand_precision rhs_batch_dims rhs_contracting_dims rhs_group_dims";
constexpr char kTransfer[] = "channel_id is_host_transfer";

// By name. An opcode that is not here has the common ones alone.
constexpr OpcodeRow kOpcodes[] = {
    {"acos", "", kAccuracy},
    {"acosh", "", kAccuracy},
    {"all-gather", "dimensions", kCollective},
    {"all-gather-start", "dimensions", kCollective},
    {"all-reduce", "to_apply", kCollective},
    {"all-reduce-start", "to_apply", kCollective},
    {"all-to-all", "",
     "channel_id constrain_layout dimensions mode replica_groups"},
    {"asin", "", kAccuracy},
    {"asinh", "", kAccuracy},
    {"async-done", "", "async_execution_thread calls"},
    {"async-start", "calls",
     "async_execution_thread output_to_operand_aliasing"},
    {"async-update", "", "async_execution_thread calls"},
    {"atanh", "", kAccuracy},
    {"batch-norm-grad", "epsilon feature_index", ""},
    {"batch-norm-inference", "epsilon feature_index", ""},
    {"batch-norm-training", "epsilon feature_index", ""},
    {"broadcast", "", "dimensions"},
    {"call", "to_apply", "is_composite"},
    {"cbrt", "", kAccuracy},
    {"cholesky", "", "lower"},
    {"collective-broadcast", "", "channel_id mode replica_groups"},
    {"collective-permute", "source_target_pairs",
     "channel_id mode slice_sizes"},
    {"collective-permute-start", "source_target_pairs",
     "channel_id mode slice_sizes"},
    {"compare", "direction", "type"},
    {"concatenate", "dimensions", ""},
    {"conditional", "",
     "branch_computations false_computation true_computation"},
    {"convolution", "dim_labels",
     "algorithm batch_group_count conv_kind feature_group_count "
     "operand_precision sparsity_config window"},
    {"copy-start", "", "cross_program_prefetch_index"},
    {"cosh", "", kAccuracy},
    {"cosine", "", kAccuracy},
    {"custom-call", "custom_call_target",
     "api_version batch_group_count called_computations "
     "custom_call_has_side_effect dim_labels feature_group_count literal "
     "operand_layout_constraints operand_precision output_to_operand_aliasing "
     "padding_type schedule to_apply window"},
    {"domain", "domain", ""},
    {"dot", "", kDot},
    {"dynamic-slice", "dynamic_slice_sizes", ""},
    {"erf", "", kAccuracy},
    {"exponential", "", kAccuracy},
    {"exponential-minus-one", "", kAccuracy},
    {"fft", "fft_length fft_type", ""},
    {"fusion", "calls kind", "output_to_operand_aliasing"},
    {"gather",
     "collapsed_slice_dims index_vector_dim offset_dims slice_sizes "
     "start_index_map",
     "indices_are_sorted operand_batching_dims start_indices_batching_dims"},
    {"get-dimension-size", "dimensions", ""},
    {"get-tuple-element", "index", ""},
    {"infeed", "", "infeed_config"},
    {"iota", "iota_dimension", ""},
    {"log", "", kAccuracy},
    {"log-plus-one", "", kAccuracy},
    {"logistic", "", kAccuracy},
    {"map", "to_apply", "dimensions"},
    {"outfeed", "", "outfeed_config outfeed_shape"},
    {"pad", "padding", ""},
    {"ragged-all-to-all", "", "channel_id dimensions mode replica_groups"},
    {"ragged-dot", "", kRaggedDot},
    {"recv", "", kTransfer},
    {"recv-done", "", kTransfer},
    {"reduce", "dimensions to_apply", ""},
    {"reduce-precision", "exponent_bits mantissa_bits", ""},
    {"reduce-scatter", "dimensions to_apply", kCollective},
    {"reduce-window", "to_apply", "window"},
    {"reshape", "", "inferred_dimension"},
    {"reverse", "dimensions", ""},
    {"rng", "distribution", ""},
    {"rng-bit-generator", "algorithm", ""},
    {"rng-get-and-update-state", "delta", ""},
    {"rsqrt", "", kAccuracy},
    {"scaled-dot", "", kDot},
    {"scan", "dimensions num_carries to_apply", "is_associative is_reverse"},
    {"scatter",
     "index_vector_dim inserted_window_dims scatter_dims_to_operand_dims "
     "to_apply update_window_dims",
     "indices_are_sorted input_batching_dims scatter_indices_batching_dims "
     "unique_indices"},
    {"select-and-scatter", "scatter select", "window"},
    {"send", "", kTransfer},
    {"send-done", "", kTransfer},
    {"set-dimension-size", "dimensions", ""},
    {"sine", "", kAccuracy},
    {"sinh", "", kAccuracy},
    {"slice", "slice", ""},
    {"sort", "dimensions to_apply", "is_stable"},
    {"sqrt", "", kAccuracy},
    {"tan", "", kAccuracy},
    {"tanh", "", kAccuracy},
    {"topk", "k", "largest"},
    {"transpose", "dimensions", ""},
    {"triangular-solve", "", "left_side lower transpose_a unit_diagonal"},
    {"while", "body condition", ""},
};

// Newer than the parser that was read.
constexpr absl::string_view kUnknownOpcodes[] = {"collective-reduce",
                                                 "shuffle"};

template <typename Row>
constexpr bool AreInOrder(const Row* rows, size_t size,
                          absl::string_view Row::*name) {
  for (size_t i = 1; i < size; ++i) {
    if (!(rows[i - 1].*name < rows[i].*name)) return false;
  }
  return true;
}
static_assert(AreInOrder(kKeys, std::size(kKeys), &KeyRow::key),
              "a search by bisection would miss keys");
static_assert(AreInOrder(kOpcodes, std::size(kOpcodes), &OpcodeRow::opcode),
              "a search by bisection would miss opcodes");

template <typename Row, size_t size>
const Row* FindRow(const Row (&rows)[size], absl::string_view Row::*name,
                   absl::string_view wanted) {
  const Row* const row =
      std::lower_bound(std::begin(rows), std::end(rows), wanted,
                       [name](const Row& row, absl::string_view wanted) {
                         return row.*name < wanted;
                       });
  return row != std::end(rows) && row->*name == wanted ? row : nullptr;
}

void Add(absl::string_view keys, bool is_required, HloAttributeRules* rules) {
  for (const absl::string_view key :
       absl::StrSplit(keys, ' ', absl::SkipEmpty())) {
    const KeyRow* const row = FindRow(kKeys, &KeyRow::key, key);
    rules->push_back(
        {key, row == nullptr ? Kind::kAnything : row->kind, is_required});
  }
}

void AddOfOpcode(absl::string_view opcode, HloAttributeRules* rules) {
  const OpcodeRow* const row = FindRow(kOpcodes, &OpcodeRow::opcode, opcode);
  if (row == nullptr) return;
  Add(row->required, true, rules);
  Add(row->optional, false, rules);
}

}  // namespace

HloAttributeRules AttributesOfModule() {
  HloAttributeRules rules;
  Add("alias_passthrough_params allow_spmd_sharding_propagation_to_output "
      "allow_spmd_sharding_propagation_to_parameters buffer_donor "
      "debug_attributes entry_computation_layout frontend_attributes "
      "input_output_alias is_scheduled num_partitions origin_recovery_table "
      "replica_count",
      false, &rules);
  return rules;
}

HloAttributeRules AttributesOfComputation() {
  HloAttributeRules rules;
  Add("execution_thread", false, &rules);
  return rules;
}

absl::optional<HloAttributeRules> AttributesOfOpcode(absl::string_view opcode) {
  const absl::optional<HloOpcodeFacts> facts = FindHloOpcode(opcode);
  if (!facts.has_value()) return absl::nullopt;
  HloAttributeRules rules;
  if (facts->is_async_sugar) {
    // Those of the wrapped instruction stand at its start alone.
    Add("async_execution_thread", false, &rules);
    if (absl::ConsumeSuffix(&opcode, "-start")) {
      Add("output_to_operand_aliasing", false, &rules);
    } else {
      opcode = "";
    }
  }
  for (const absl::string_view unknown : kUnknownOpcodes) {
    if (opcode == unknown) return absl::nullopt;
  }
  AddOfOpcode(opcode, &rules);
  Add(kCommon, false, &rules);
  return rules;
}

const HloAttributeRule* FindAttributeRule(const HloAttributeRules& rules,
                                          absl::string_view key) {
  for (const HloAttributeRule& rule : rules) {
    if (rule.key == key) return &rule;
  }
  return nullptr;
}

}  // namespace hlo_internal
}  // namespace tessera
