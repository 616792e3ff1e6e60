#include "tessera/hlo/proto/attribute_text.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/proto/value_text.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_proto.h"

namespace tessera::hlo_internal {
namespace {

using hlo_proto::HloInstructionProto;

// Returns "{a,b}"; "" if the text of an element is empty.
template <typename List, typename ToText>
std::string SetOf(const List& list, std::string_view separator,
                  ToText to_text) {
  std::string set = "{";
  for (const auto& element : list) {
    const std::string text(to_text(element));
    if (text.empty()) return "";
    absl::StrAppend(&set, AbslView(set.size() > 1 ? separator : ""), text);
  }
  return set + "}";
}

// Returns "<=[4,2]T(1,0)": the devices of a sharding or of replica groups.
template <typename Proto>
std::string IotaText(const Proto& iota) {
  const auto& order = iota.iota_transpose_perm();
  return absl::StrCat("<=[", absl::StrJoin(iota.iota_reshape_dims(), ","), "]",
                      order.size() > 1
                          ? absl::StrCat("T(", absl::StrJoin(order, ","), ")")
                          : "");
}

// XLA's OpSharding.Type.
enum Type { kMaximal = 1, kTuple = 2, kOther = 3 };

// Returns "" for a type without a word.
std::string_view TypeWord(int type) {
  constexpr std::string_view kWords[] = {
      "replicated", "", "", "", "manual", "unknown", "unreduced"};
  return type >= 0 && type < static_cast<int>(std::size(kWords)) ? kWords[type]
                                                                 : "";
}

std::string TiledText(const hlo_proto::OpSharding& sharding) {
  std::string text = absl::StrCat(
      "{devices=[", absl::StrJoin(sharding.tile_assignment_dimensions(), ","),
      "]");
  if (sharding.iota_reshape_dims_size() == 0) {
    absl::StrAppend(&text,
                    absl::StrJoin(sharding.tile_assignment_devices(), ","));
  } else {
    absl::StrAppend(&text, IotaText(sharding));
  }
  if (sharding.replicate_on_last_tile_dim()) {
    absl::StrAppend(&text, " last_tile_dim_replicate");
  }
  if (!sharding.last_tile_dims().empty()) {
    const std::string last = SetOf(sharding.last_tile_dims(), ", ", TypeWord);
    if (last.empty()) return "";
    absl::StrAppend(&text, " last_tile_dims=", last);
  }
  return text + "}";
}

std::string LeafText(const hlo_proto::OpSharding& sharding) {
  if (sharding.type() == kMaximal &&
      sharding.tile_assignment_devices_size() == 1) {
    return absl::StrCat("{maximal device=", sharding.tile_assignment_devices(0),
                        "}");
  }
  if (sharding.type() == kOther &&
      sharding.tile_assignment_dimensions_size() > 0) {
    return TiledText(sharding);
  }
  const std::string_view word = TypeWord(sharding.type());
  return word.empty() ? "" : absl::StrCat("{", AbslView(word), "}");
}

// Returns "" for a sharding by mesh axes, and for one that XLA does not have.
std::string ShardingText(const hlo_proto::OpSharding& sharding) {
  return sharding.type() == kTuple
             ? SetOf(sharding.tuple_shardings(), ", ", LeafText)
             : LeafText(sharding);
}

bool IsOneOf(std::string_view word,
             std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Returns "b01f", the role of each dimension; "" if roles are not unique.
template <typename Spatial>
std::string Labels(char first, int64_t first_dimension, char second,
                   int64_t second_dimension, const Spatial& spatial) {
  // A label is a single digit.
  if (spatial.size() > 10) return "";
  std::string labels(spatial.size() + 2, '?');
  const auto place = [&labels](int64_t dimension, char label) {
    const bool fits = dimension >= 0 &&
                      dimension < static_cast<int64_t>(labels.size()) &&
                      labels[dimension] == '?';
    if (fits) labels[dimension] = label;
    return fits;
  };
  bool fits = place(first_dimension, first) && place(second_dimension, second);
  for (int i = 0; i < spatial.size(); ++i) {
    fits = fits && place(spatial.Get(i), static_cast<char>('0' + i));
  }
  return fits ? labels : "";
}

// Returns the opcode, or the one whose asynchronous half it is.
std::string_view OpcodeWithoutStart(const HloInstructionProto& proto) {
  return StripSuffix(proto.opcode(), "-start");
}

std::string ReplicaGroups(const HloInstructionProto& proto) {
  const auto& list = proto.collective_device_list();
  const hlo_proto::IotaReplicaGroupListProto& iota =
      proto.has_iota_collective_device_list()
          ? proto.iota_collective_device_list()
          : list.iota_replica_group_list();
  if (iota.iota_reshape_dims_size() > 0) {
    return absl::StrCat("[", iota.num_replica_groups(), ",",
                        iota.num_devices_per_group(), "]", IotaText(iota));
  }
  const auto& groups = list.replica_groups_size() > 0 ? list.replica_groups()
                                                      : proto.replica_groups();
  if (groups.empty() && !IsOneOf(OpcodeWithoutStart(proto),
                                 {"all-gather", "all-reduce", "all-to-all",
                                  "collective-broadcast", "ragged-all-to-all",
                                  "reduce-scatter"})) {
    return "";
  }
  return SetOf(groups, ",", [](const hlo_proto::ReplicaGroup& group) {
    return IntegerSet(group.replica_ids());
  });
}

std::string SourceTargetPairs(const HloInstructionProto& proto) {
  const auto& pairs = proto.source_target_pairs();
  if (pairs.empty() && OpcodeWithoutStart(proto) != "collective-permute") {
    return "";
  }
  return SetOf(pairs, ",", [](const hlo_proto::SourceTarget& pair) {
    return absl::StrCat("{", pair.source(), ",", pair.target(), "}");
  });
}

std::string Slice(const HloInstructionProto& proto) {
  if (proto.slice_dimensions().empty() && proto.opcode() != "slice") return "";
  return SetOf(proto.slice_dimensions(), ", ", [](const auto& slice) {
    const std::string stride =
        slice.stride() == 1 ? "" : absl::StrCat(":", slice.stride());
    return absl::StrCat("[", slice.start(), ":", slice.limit(), stride, "]");
  });
}

std::string Padding(const HloInstructionProto& proto) {
  const auto& dimensions = proto.padding_config().dimensions();
  const bool has_interior = absl::c_any_of(dimensions, [](const auto& each) {
    return each.interior_padding() != 0;
  });
  return absl::StrJoin(
      dimensions, "x", [&](std::string* out, const auto& dimension) {
        absl::StrAppend(out, dimension.edge_padding_low(), "_",
                        dimension.edge_padding_high());
        if (has_interior)
          absl::StrAppend(out, "_", dimension.interior_padding());
      });
}

std::string Window(const HloInstructionProto& proto) {
  const auto& dimensions = proto.window().dimensions();
  if (dimensions.empty()) return "";
  std::string text = "{";
  // Prints nothing if all dimensions have the usual value.
  const auto put = [&](const char* key, std::string_view usual, auto value_of) {
    std::vector<std::string> values;
    for (const auto& each : dimensions) {
      values.push_back(absl::StrCat(value_of(each)));
    }
    if (absl::c_count(values, usual) == dimensions.size()) return;
    absl::StrAppend(&text, key, absl::StrJoin(values, "x"));
  };
  put("size=", "", [](const auto& d) { return d.size(); });
  put(" stride=", "1", [](const auto& d) { return d.stride(); });
  put(" pad=", "0_0", [](const auto& d) {
    return absl::StrCat(d.padding_low(), "_", d.padding_high());
  });
  put(" lhs_dilate=", "1", [](const auto& d) { return d.base_dilation(); });
  put(" rhs_dilate=", "1", [](const auto& d) { return d.window_dilation(); });
  put(" rhs_reversal=", "0", [](const auto& d) { return d.window_reversal(); });
  return text + "}";
}

std::string OutputToOperandAliasing(const HloInstructionProto& proto) {
  if (proto.output_operand_aliasing().empty()) return "";
  return SetOf(proto.output_operand_aliasing(), ", ", [](const auto& pair) {
    return absl::StrCat(IntegerSet(pair.output_shape_index()), ": (",
                        pair.operand_index(), ", ",
                        IntegerSet(pair.operand_shape_index()), ")");
  });
}

std::string ParameterReplication(const HloInstructionProto& proto) {
  if (!proto.has_parameter_replication()) return "";
  return SetOf(proto.parameter_replication().replicated_at_leaf_buffers(), ",",
               [](bool value) { return value ? "true" : "false"; });
}

class Printer {
 public:
  Printer(const InstructionFacts& facts, std::string* out)
      : facts_(facts), proto_(facts.proto), out_(*out) {}

  // Prints all in the order of XLA. Returns the problems.
  std::vector<std::string> Print() && {
    const HloInstructionProto& p = proto_;
    const bool is_custom_call = Is("custom-call");
    PutInteger("index", p.tuple_index(), Is("get-tuple-element"));
    const int64_t channel = std::max(p.channel_id(), p.all_reduce_id());
    PutInteger("channel_id", channel, channel > 0);
    Put("replica_groups", ReplicaGroups(p));
    PutFlag("constrain_layout", p.constrain_layout() && !is_custom_call);
    Put("source_target_pairs", SourceTargetPairs(p));
    PutDimensions();
    PutFlag("use_global_device_ids", p.use_global_device_ids());
    PutFlag("is_host_transfer", p.is_host_transfer());
    PutFlag("is_stable", p.is_stable());
    Put("slice", Slice(p));
    PutSet("dynamic_slice_sizes", p.dynamic_slice_sizes(), Is("dynamic-slice"));
    Put("padding", Padding(p));
    Put("window", Window(p));
    Put("dim_labels", DimLabels());
    PutInteger("feature_group_count", p.feature_group_count(),
               p.feature_group_count() > 1);
    PutInteger("batch_group_count", p.batch_group_count(),
               p.batch_group_count() > 1);
    PutDotNumbers();
    PutGatherAndScatterNumbers();
    PutFlag("indices_are_sorted", p.indices_are_sorted());
    PutFlag("unique_indices", p.unique_indices());
    Put("operand_precision", OperandPrecision());
    PutAlgorithm();
    PutEnum("padding_type", "padding_type", p.padding_type(),
            {"", "PADDING_VALID", "PADDING_SAME"});
    if (is_custom_call) {
      PutString("custom_call_target", p.custom_call_target());
      Put("operand_layout_constraints", OperandLayoutConstraints());
    }
    PutFlag("custom_call_has_side_effect", p.custom_call_has_side_effect());
    Put("kind", Word("fusion_kind", p.fusion_kind()));
    Put("output_to_operand_aliasing", OutputToOperandAliasing(p));
    PutEnum("schedule", "custom_call_schedule", p.custom_call_schedule(),
            {"", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"});
    // XLA prints all except the original one.
    PutEnum("api_version", "custom_call_api_version",
            p.custom_call_api_version(),
            {"", "", "API_VERSION_STATUS_RETURNING",
             "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"});
    Put("direction", Word("comparison_direction", p.comparison_direction()));
    Put("type", ComparisonType());
    if (StartsWith(p.opcode(), "batch-norm-")) {
      Put("epsilon", ShortestText(p.epsilon()));
      PutInteger("feature_index", p.feature_index());
    }
    const bool is_reduce_precision = Is("reduce-precision");
    PutInteger("exponent_bits", p.exponent_bits(), is_reduce_precision);
    PutInteger("mantissa_bits", p.mantissa_bits(), is_reduce_precision);
    if (Is("rng")) {
      PutEnum("distribution", "distribution", p.distribution(),
              {"rng_invalid", "rng_uniform", "rng_normal"});
    }
    PutInteger("delta", p.delta(), Is("rng-get-and-update-state"));
    if (Is("fft")) {
      PutEnum("fft_type", "fft_type", p.fft_type(),
              {"FFT", "IFFT", "RFFT", "IRFFT"});
    }
    PutSet("fft_length", p.fft_length(), Is("fft"));
    const auto& solve = p.triangular_solve_options();
    PutFlag("left_side", solve.left_side());
    PutFlag("lower", solve.lower() || p.cholesky_options().lower());
    PutFlag("unit_diagonal", solve.unit_diagonal());
    PutEnum("transpose_a", "transpose_a", solve.transpose_a(),
            {"", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"});
    if (Is("topk")) {
      PutInteger("k", p.k());
      Put("largest", p.largest() ? "true" : "false");
    }
    PutInteger("cross_program_prefetch_index", p.cross_program_prefetch_index(),
               p.has_cross_program_prefetch_index());
    PutString("infeed_config", p.infeed_config());
    if (Is("outfeed") && p.has_outfeed_shape()) {
      Put("outfeed_shape", ShapeText("outfeed_shape", p.outfeed_shape()));
    }
    PutString("outfeed_config", p.outfeed_config());
    if (p.async_execution_thread() != "main") {
      PutString("async_execution_thread", p.async_execution_thread());
    }
    PutFlag("is_composite", p.is_composite());
    Put("parameter_replication", ParameterReplication(p));
    PutCalls();
    if (p.has_sharding()) Put("sharding", ShardingText(p.sharding()));
    Put("frontend_attributes", FrontendAttributesText(p.frontend_attributes()));
    if (!facts_.control_predecessors.empty()) {
      Put("control-predecessors", Names(facts_.control_predecessors));
    }
    PutMetadata();
    if (IsHloDictionary(p.backend_config())) {
      Put("backend_config", p.backend_config());
    } else {
      PutString("backend_config", p.backend_config());
    }
    return std::move(problems_);
  }

 private:
  // Each function prints nothing for an empty value.
  void Put(std::string_view key, std::string_view value) {
    if (value.empty()) return;
    out_.append(", ").append(key).append("=").append(value);
  }
  void PutFlag(std::string_view key, bool value) {
    Put(key, value ? "true" : "");
  }
  void PutInteger(std::string_view key, int64_t value, bool is_there = true) {
    if (is_there) Put(key, absl::StrCat(value));
  }
  // Prints an empty list only if it `is_needed`.
  template <typename Integers>
  void PutSet(std::string_view key, const Integers& integers,
              bool is_needed = false) {
    if (is_needed || !integers.empty()) Put(key, IntegerSet(integers));
  }
  void PutString(std::string_view key, std::string_view value) {
    if (value.empty()) return;
    out_.append(", ").append(key).append("=");
    AppendHloString(value, &out_);
  }
  void PutEnum(std::string_view key, std::string_view field, int value,
               std::initializer_list<std::string_view> words) {
    Put(key, EnumWord(field, value, words));
  }

  bool Is(std::string_view opcode) const { return proto_.opcode() == opcode; }
  std::string Word(std::string_view field, const std::string& value) {
    if (value.empty() || IsHloWord(value)) return value;
    problems_.push_back(absl::StrCat(AbslView(field), " is '",
                                     value.substr(0, 80),
                                     "', which is not a word"));
    return "";
  }
  // Returns words[value]; reports a problem if out of range.
  std::string_view EnumWord(std::string_view field, int value,
                            std::initializer_list<std::string_view> words) {
    if (value >= 0 && value < static_cast<int>(words.size())) {
      return words.begin()[value];
    }
    problems_.push_back(absl::StrCat(AbslView(field), " is ", value,
                                     ", which is not one of its values"));
    return "";
  }
  std::string ShapeText(std::string_view field, const ShapeProto& proto) {
    const absl::StatusOr<Shape> shape = ShapeFromProto(proto);
    if (shape.ok()) return shape->ToString();
    problems_.push_back(
        absl::StrCat(AbslView(field), ": ", shape.status().message()));
    return "";
  }
  static std::string Names(absl::Span<const std::string_view> names) {
    return absl::StrCat("{%", JoinViews(names, ", %"), "}");
  }

  void PutDimensions() {
    const auto& dimensions = proto_.dimensions();
    const bool is_iota = Is("iota");
    if (!is_iota && !Is("reshape")) {
      PutSet("dimensions", dimensions,
             IsOneOf(proto_.opcode(),
                     {"broadcast", "map", "reduce", "reverse", "transpose"}));
    } else if (dimensions.size() == 1) {
      PutInteger(is_iota ? "iota_dimension" : "inferred_dimension",
                 dimensions[0]);
    }
  }

  void PutDotNumbers() {
    const auto& ragged = proto_.ragged_dot_dimension_numbers();
    const bool is_ragged = proto_.has_ragged_dot_dimension_numbers();
    const auto& dot = is_ragged ? ragged.dot_dimension_numbers()
                                : proto_.dot_dimension_numbers();
    const bool is_dot = is_ragged || proto_.has_dot_dimension_numbers();
    PutSet("lhs_batch_dims", dot.lhs_batch_dimensions());
    PutSet("lhs_contracting_dims", dot.lhs_contracting_dimensions(), is_dot);
    PutSet("rhs_batch_dims", dot.rhs_batch_dimensions());
    PutSet("rhs_contracting_dims", dot.rhs_contracting_dimensions(), is_dot);
    PutSet("lhs_ragged_dims", ragged.lhs_ragged_dimensions());
    PutSet("rhs_group_dims", ragged.rhs_group_dimensions());
  }

  void PutGatherAndScatterNumbers() {
    const auto& gather = proto_.gather_dimension_numbers();
    const auto& scatter = proto_.scatter_dimension_numbers();
    const bool is_gather = proto_.has_gather_dimension_numbers();
    const bool is_scatter = proto_.has_scatter_dimension_numbers();
    if (!is_gather && !is_scatter) {
      return PutSet("slice_sizes", proto_.gather_slice_sizes());
    }
    PutSet("offset_dims", gather.offset_dims(), is_gather);
    PutSet("collapsed_slice_dims", gather.collapsed_slice_dims(), is_gather);
    PutSet("start_index_map", gather.start_index_map(), is_gather);
    PutSet("operand_batching_dims", gather.operand_batching_dims());
    PutSet("start_indices_batching_dims", gather.start_indices_batching_dims());
    PutSet("update_window_dims", scatter.update_window_dims(), is_scatter);
    PutSet("inserted_window_dims", scatter.inserted_window_dims(), is_scatter);
    PutSet("scatter_dims_to_operand_dims",
           scatter.scatter_dims_to_operand_dims(), is_scatter);
    PutSet("input_batching_dims", scatter.input_batching_dims());
    PutSet("scatter_indices_batching_dims",
           scatter.scatter_indices_batching_dims());
    PutInteger(
        "index_vector_dim",
        is_gather ? gather.index_vector_dim() : scatter.index_vector_dim(),
        is_gather || is_scatter);
    PutSet("slice_sizes", proto_.gather_slice_sizes(), is_gather);
  }

  void PutAlgorithm() {
    if (Is("rng-bit-generator")) {
      return PutEnum("algorithm", "rng_algorithm", proto_.rng_algorithm(),
                     {"rng_default", "rng_three_fry", "rng_philox"});
    }
    PutEnum(
        "algorithm", "algorithm", proto_.precision_config().algorithm(),
        {"", "dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum",
         "dot_f16_f16_f16", "dot_f16_f16_f32", "dot_bf16_bf16_bf16",
         "dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3", "dot_bf16_bf16_f32_x6",
         "dot_tf32_tf32_f32", "dot_tf32_tf32_f32_x3", "dot_f32_f32_f32",
         "dot_f64_f64_f64", "dot_bf16_bf16_f32_x9"});
  }

  void PutMetadata() {
    if (!proto_.has_metadata()) return;
    const hlo_proto::OpMetadata& metadata = proto_.metadata();
    const size_t begin = out_.size();
    out_.append(", metadata={");
    const size_t empty = out_.size();
    const auto put_key = [&](std::string_view key) {
      out_.append(out_.size() == empty ? "" : " ").append(key).append("=");
    };
    const auto put_string = [&](std::string_view key,
                                const std::string& value) {
      if (value.empty()) return;
      put_key(key);
      AppendHloString(value, &out_);
    };
    const auto put_number = [&](std::string_view key, int64_t value) {
      if (value == 0) return;
      put_key(key);
      absl::StrAppend(&out_, value);
    };
    put_string("op_type", metadata.op_type());
    put_string("op_name", metadata.op_name());
    put_string("source_file", metadata.source_file());
    put_number("source_line", metadata.source_line());
    put_number("source_end_line", metadata.source_end_line());
    put_number("source_column", metadata.source_column());
    put_number("source_end_column", metadata.source_end_column());
    if (!metadata.profile_type().empty()) {
      put_key("profile_type");
      out_.append(IntegerSet(metadata.profile_type()));
    }
    put_string("deduplicated_name", metadata.deduplicated_name());
    put_string("scheduling_name", metadata.scheduling_name());
    put_number("stack_frame_id", metadata.stack_frame_id());
    if (out_.size() == empty) return out_.resize(begin);
    out_.append("}");
  }

  std::string DimLabels() {
    if (!proto_.has_convolution_dimension_numbers()) return "";
    const auto& numbers = proto_.convolution_dimension_numbers();
    const std::string lhs = Labels('b', numbers.input_batch_dimension(), 'f',
                                   numbers.input_feature_dimension(),
                                   numbers.input_spatial_dimensions());
    const std::string rhs =
        Labels('i', numbers.kernel_input_feature_dimension(), 'o',
               numbers.kernel_output_feature_dimension(),
               numbers.kernel_spatial_dimensions());
    const std::string out = Labels('b', numbers.output_batch_dimension(), 'f',
                                   numbers.output_feature_dimension(),
                                   numbers.output_spatial_dimensions());
    if (lhs.empty() || rhs.empty() || out.empty()) {
      problems_.push_back(
          "convolution_dimension_numbers do not give each dimension one role");
      return "";
    }
    return absl::StrCat(lhs, "_", rhs, "->", out);
  }

  std::string OperandPrecision() {
    const auto& precisions = proto_.precision_config().operand_precision();
    // XLA prints them if one is not the default.
    if (absl::c_count(precisions, 0) == precisions.size()) return "";
    return SetOf(precisions, ",", [this](int precision) {
      return EnumWord("operand_precision", precision,
                      {"default", "high", "highest"});
    });
  }

  std::string OperandLayoutConstraints() {
    if (!proto_.constrain_layout()) return "";
    return SetOf(proto_.operand_shapes_with_layout(), ", ",
                 [this](const ShapeProto& shape) {
                   return ShapeText("operand_shapes_with_layout", shape);
                 });
  }

  std::string ComparisonType() {
    const std::string type = Word("comparison_type", proto_.comparison_type());
    const PrimitiveType operand = facts_.first_operand_type;
    std::string_view usual = "UNSIGNED";
    if (IsFloatingPointType(operand) || IsComplexType(operand)) usual = "FLOAT";
    if (IsIntegralType(operand) && !IsUnsignedIntegralType(operand)) {
      usual = "SIGNED";
    }
    return type == usual ? "" : type;
  }

  void PutCalls() {
    const absl::Span<const std::string_view> called =
        facts_.called_computations;
    // An async-update and an async-done call the computations of their
    // async-start, and XLA does not repeat them.
    if (called.empty() || Is("async-update") || Is("async-done")) return;
    const absl::Span<const std::string_view> first = called.subspan(0, 1);
    const absl::Span<const std::string_view> others = called.subspan(1);
    if (Is("custom-call")) {
      Put("called_computations", Names(called));
    } else if (Is("while")) {
      PutCall("condition", others);
      PutCall("body", first);
    } else if (Is("select-and-scatter")) {
      PutCall("select", first);
      PutCall("scatter", others);
    } else if (!Is("conditional")) {
      PutCall(Is("fusion") || Is("async-start") ? "calls" : "to_apply", called);
    } else if (facts_.first_operand_type != PRED) {
      Put("branch_computations", Names(called));
    } else {
      PutCall("true_computation", first);
      PutCall("false_computation", others);
    }
  }

  void PutCall(std::string_view key, absl::Span<const std::string_view> names) {
    if (names.empty()) return;
    if (names.size() > 1) {
      problems_.push_back(absl::StrCat(proto_.opcode(), " calls ", names.size(),
                                       " computations, but takes one"));
    }
    Put(key, absl::StrCat("%", AbslView(names[0])));
  }

  const InstructionFacts& facts_;
  const HloInstructionProto& proto_;
  std::string& out_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> AppendAttributes(const InstructionFacts& facts,
                                          std::string* out) {
  return Printer(facts, out).Print();
}

std::string FrontendAttributesText(
    const hlo_proto::FrontendAttributes& attributes) {
  if (attributes.map().empty()) return "";
  std::vector<std::string> entries;
  for (const auto& entry : attributes.map()) {
    entries.push_back(absl::StrCat(ToHloWord(entry.key()), "="));
    AppendHloString(entry.value(), &entries.back());
  }
  // The entries of a map are not ordered; XLA prints them by key.
  std::sort(entries.begin(), entries.end());
  return absl::StrCat("{", absl::StrJoin(entries, ","), "}");
}

}  // namespace tessera::hlo_internal
