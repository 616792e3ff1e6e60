#include "tessera/hlo/proto/attribute_text.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/proto/hlo_words.h"
#include "tessera/hlo/proto/literal_text.h"
#include "tessera/hlo/proto/sharding_text.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_proto.h"

namespace tessera {
namespace hlo_internal {
namespace {

using hlo_proto::HloInstructionProto;

// The values of one instruction's attributes. Each function returns "" where
// the attribute is not printed.
class Values {
 public:
  explicit Values(const InstructionFacts& facts)
      : facts_(facts), proto_(facts.proto) {}

  std::vector<std::string> TakeProblems() { return std::move(problems_); }

  std::string TupleIndex() {
    return Is("get-tuple-element") ? absl::StrCat(proto_.tuple_index()) : "";
  }
  std::string ChannelId() {
    const int64_t id = std::max(proto_.channel_id(), proto_.all_reduce_id());
    return id > 0 ? absl::StrCat(id) : "";
  }
  std::string ReplicaGroups();
  std::string ConstrainLayout() {
    return Flag(proto_.constrain_layout() && !Is("custom-call"));
  }
  std::string SourceTargetPairs();
  std::string Dimensions();
  std::string IotaDimension() {
    return Is("iota") && proto_.dimensions_size() == 1
               ? absl::StrCat(proto_.dimensions(0))
               : "";
  }
  std::string InferredDimension() {
    return Is("reshape") && proto_.dimensions_size() == 1
               ? absl::StrCat(proto_.dimensions(0))
               : "";
  }
  std::string UseGlobalDeviceIds() {
    return Flag(proto_.use_global_device_ids());
  }
  std::string IsHostTransfer() { return Flag(proto_.is_host_transfer()); }
  std::string IsStable() { return Flag(proto_.is_stable()); }
  std::string Slice();
  std::string DynamicSliceSizes() {
    return Set(proto_.dynamic_slice_sizes(), Is("dynamic-slice"));
  }
  std::string Padding();
  std::string Window();
  std::string DimLabels();
  std::string FeatureGroupCount() {
    return Above1(proto_.feature_group_count());
  }
  std::string BatchGroupCount() { return Above1(proto_.batch_group_count()); }

  std::string LhsBatchDims() {
    return Set(DotNumbers().lhs_batch_dimensions());
  }
  std::string LhsContractingDims() {
    return Set(DotNumbers().lhs_contracting_dimensions(), HasDotNumbers());
  }
  std::string RhsBatchDims() {
    return Set(DotNumbers().rhs_batch_dimensions());
  }
  std::string RhsContractingDims() {
    return Set(DotNumbers().rhs_contracting_dimensions(), HasDotNumbers());
  }
  std::string LhsRaggedDims() {
    return Set(proto_.ragged_dot_dimension_numbers().lhs_ragged_dimensions());
  }
  std::string RhsGroupDims() {
    return Set(proto_.ragged_dot_dimension_numbers().rhs_group_dimensions());
  }

  std::string OffsetDims() { return Set(Gather().offset_dims(), HasGather()); }
  std::string CollapsedSliceDims() {
    return Set(Gather().collapsed_slice_dims(), HasGather());
  }
  std::string StartIndexMap() {
    return Set(Gather().start_index_map(), HasGather());
  }
  std::string OperandBatchingDims() {
    return Set(Gather().operand_batching_dims());
  }
  std::string StartIndicesBatchingDims() {
    return Set(Gather().start_indices_batching_dims());
  }
  std::string UpdateWindowDims() {
    return Set(Scatter().update_window_dims(), HasScatter());
  }
  std::string InsertedWindowDims() {
    return Set(Scatter().inserted_window_dims(), HasScatter());
  }
  std::string ScatterDims() {
    return Set(Scatter().scatter_dims_to_operand_dims(), HasScatter());
  }
  std::string InputBatchingDims() {
    return Set(Scatter().input_batching_dims());
  }
  std::string ScatterIndicesBatchingDims() {
    return Set(Scatter().scatter_indices_batching_dims());
  }
  std::string IndexVectorDim() {
    if (HasGather()) return absl::StrCat(Gather().index_vector_dim());
    return HasScatter() ? absl::StrCat(Scatter().index_vector_dim()) : "";
  }
  std::string SliceSizes() {
    return Set(proto_.gather_slice_sizes(), HasGather());
  }
  std::string IndicesAreSorted() { return Flag(proto_.indices_are_sorted()); }
  std::string UniqueIndices() { return Flag(proto_.unique_indices()); }

  std::string OperandPrecision();
  std::string Algorithm();
  std::string PaddingType();
  std::string CustomCallTarget() {
    return Is("custom-call") ? String(proto_.custom_call_target()) : "";
  }
  std::string OperandLayoutConstraints();
  std::string HasSideEffect() {
    return Flag(proto_.custom_call_has_side_effect());
  }
  std::string Kind() { return Word("fusion_kind", proto_.fusion_kind()); }
  std::string OutputToOperandAliasing();
  std::string Schedule();
  std::string ApiVersion();
  std::string Direction() {
    return Word("comparison_direction", proto_.comparison_direction());
  }
  std::string ComparisonType();
  std::string Epsilon() {
    return IsBatchNorm() ? ShortestText(proto_.epsilon()) : "";
  }
  std::string FeatureIndex() {
    return IsBatchNorm() ? absl::StrCat(proto_.feature_index()) : "";
  }
  std::string ExponentBits() {
    return Is("reduce-precision") ? absl::StrCat(proto_.exponent_bits()) : "";
  }
  std::string MantissaBits() {
    return Is("reduce-precision") ? absl::StrCat(proto_.mantissa_bits()) : "";
  }
  std::string Distribution();
  std::string Delta() {
    return Is("rng-get-and-update-state") ? absl::StrCat(proto_.delta()) : "";
  }
  std::string FftType();
  std::string FftLength() { return Set(proto_.fft_length(), Is("fft")); }
  std::string LeftSide() {
    return Flag(proto_.triangular_solve_options().left_side());
  }
  std::string Lower() {
    return Flag(proto_.triangular_solve_options().lower() ||
                proto_.cholesky_options().lower());
  }
  std::string UnitDiagonal() {
    return Flag(proto_.triangular_solve_options().unit_diagonal());
  }
  std::string TransposeA();
  std::string K() { return Is("topk") ? absl::StrCat(proto_.k()) : ""; }
  std::string Largest() {
    if (!Is("topk")) return "";
    return proto_.largest() ? "true" : "false";
  }
  std::string PrefetchIndex() {
    return proto_.has_cross_program_prefetch_index()
               ? absl::StrCat(proto_.cross_program_prefetch_index())
               : "";
  }
  std::string InfeedConfig() { return String(proto_.infeed_config()); }
  std::string OutfeedShape() {
    return Is("outfeed") && proto_.has_outfeed_shape()
               ? ShapeText("outfeed_shape", proto_.outfeed_shape())
               : "";
  }
  std::string OutfeedConfig() { return String(proto_.outfeed_config()); }
  std::string AsyncThread() {
    const std::string& thread = proto_.async_execution_thread();
    return thread == "main" ? "" : String(thread);
  }
  std::string IsComposite() { return Flag(proto_.is_composite()); }
  std::string ParameterReplication();

  std::string ToApply() { return Calls("to_apply"); }
  std::string CallsValue() { return Calls("calls"); }
  std::string Condition() { return Calls("condition"); }
  std::string Body() { return Calls("body"); }
  std::string Select() { return Calls("select"); }
  std::string ScatterCall() { return Calls("scatter"); }
  std::string TrueComputation() { return Calls("true_computation"); }
  std::string FalseComputation() { return Calls("false_computation"); }
  std::string BranchComputations() { return Calls("branch_computations"); }
  std::string CalledComputations() { return Calls("called_computations"); }

  std::string Sharding() {
    return proto_.has_sharding() ? ShardingText(proto_.sharding()) : "";
  }
  std::string FrontendAttributes();
  std::string ControlPredecessors() {
    return facts_.control_predecessors.empty()
               ? ""
               : Names(facts_.control_predecessors);
  }
  std::string Metadata();
  std::string BackendConfig() {
    const std::string& config = proto_.backend_config();
    return IsHloDictionary(config) ? config : String(config);
  }

 private:
  bool Is(std::string_view opcode) const { return proto_.opcode() == opcode; }
  bool IsBatchNorm() const {
    return StartsWith(proto_.opcode(), "batch-norm-");
  }
  // Whether an opcode is `opcode` or its asynchronous half.
  bool IsOrStarts(std::string_view opcode) const {
    std::string_view own = proto_.opcode();
    ConsumeSuffix(&own, "-start");
    return own == opcode;
  }

  static std::string Flag(bool value) { return value ? "true" : ""; }
  static std::string Above1(int64_t value) {
    return value > 1 ? absl::StrCat(value) : "";
  }
  // "" for an empty list unless it `is_needed`.
  template <typename Integers>
  static std::string Set(const Integers& integers, bool is_needed = false) {
    return integers.empty() && !is_needed ? "" : IntegerSet(integers);
  }
  static std::string String(std::string_view value) {
    std::string text;
    if (!value.empty()) AppendHloString(value, &text);
    return text;
  }
  std::string Word(std::string_view field, const std::string& value) {
    if (value.empty() || IsHloWord(value)) return value;
    problems_.push_back(absl::StrCat(AbslView(field), " is '",
                                     value.substr(0, 80),
                                     "', which is not a word"));
    return "";
  }
  // Returns words[value]; reports a problem if out of range.
  std::string EnumWord(std::string_view field, int value,
                       std::initializer_list<std::string_view> words) {
    if (value >= 0 && value < static_cast<int>(words.size())) {
      return std::string(words.begin()[value]);
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
  static std::string Names(const std::vector<std::string_view>& names) {
    return absl::StrCat("{%", JoinViews(names, ", %"), "}");
  }
  std::string Calls(std::string_view key);
  std::string_view KeyOfCall(size_t index) const;

  bool HasDotNumbers() const {
    return proto_.has_dot_dimension_numbers() ||
           proto_.has_ragged_dot_dimension_numbers();
  }
  const hlo_proto::DotDimensionNumbers& DotNumbers() const {
    return proto_.has_ragged_dot_dimension_numbers()
               ? proto_.ragged_dot_dimension_numbers().dot_dimension_numbers()
               : proto_.dot_dimension_numbers();
  }
  bool HasGather() const { return proto_.has_gather_dimension_numbers(); }
  const hlo_proto::GatherDimensionNumbers& Gather() const {
    return proto_.gather_dimension_numbers();
  }
  bool HasScatter() const { return proto_.has_scatter_dimension_numbers(); }
  const hlo_proto::ScatterDimensionNumbers& Scatter() const {
    return proto_.scatter_dimension_numbers();
  }

  const InstructionFacts& facts_;
  const HloInstructionProto& proto_;
  std::vector<std::string> problems_;
};

std::string Values::ReplicaGroups() {
  const hlo_proto::IotaReplicaGroupListProto& iota =
      proto_.has_iota_collective_device_list()
          ? proto_.iota_collective_device_list()
          : proto_.collective_device_list().iota_replica_group_list();
  if (iota.iota_reshape_dims_size() > 0) {
    const std::string transposed =
        iota.iota_transpose_perm_size() > 1
            ? absl::StrCat("T(", absl::StrJoin(iota.iota_transpose_perm(), ","),
                           ")")
            : "";
    return absl::StrCat(
        "[", iota.num_replica_groups(), ",", iota.num_devices_per_group(),
        "]<=[", absl::StrJoin(iota.iota_reshape_dims(), ","), "]", transposed);
  }
  const auto& groups = proto_.collective_device_list().replica_groups_size() > 0
                           ? proto_.collective_device_list().replica_groups()
                           : proto_.replica_groups();
  if (groups.empty()) {
    for (std::string_view opcode :
         {"all-gather", "all-reduce", "all-to-all", "collective-broadcast",
          "ragged-all-to-all", "reduce-scatter"}) {
      if (IsOrStarts(opcode)) return "{}";
    }
    return "";
  }
  return absl::StrCat(
      "{",
      absl::StrJoin(groups, ",",
                    [](std::string* out, const hlo_proto::ReplicaGroup& group) {
                      absl::StrAppend(out, IntegerSet(group.replica_ids()));
                    }),
      "}");
}

std::string Values::SourceTargetPairs() {
  if (proto_.source_target_pairs().empty()) {
    return IsOrStarts("collective-permute") ? "{}" : "";
  }
  return absl::StrCat(
      "{",
      absl::StrJoin(proto_.source_target_pairs(), ",",
                    [](std::string* out, const hlo_proto::SourceTarget& pair) {
                      absl::StrAppend(out, "{", pair.source(), ",",
                                      pair.target(), "}");
                    }),
      "}");
}

std::string Values::Dimensions() {
  if (Is("iota") || Is("reshape")) return "";
  bool is_needed = false;
  for (std::string_view opcode :
       {"broadcast", "map", "reduce", "reverse", "transpose"}) {
    is_needed |= Is(opcode);
  }
  return Set(proto_.dimensions(), is_needed);
}

std::string Values::Slice() {
  if (proto_.slice_dimensions().empty()) return Is("slice") ? "{}" : "";
  std::vector<std::string> parts;
  for (const HloInstructionProto::SliceDimensions& slice :
       proto_.slice_dimensions()) {
    const std::string stride =
        slice.stride() == 1 ? "" : absl::StrCat(":", slice.stride());
    parts.push_back(
        absl::StrCat("[", slice.start(), ":", slice.limit(), stride, "]"));
  }
  return absl::StrCat("{", absl::StrJoin(parts, ", "), "}");
}

std::string Values::Padding() {
  bool has_interior = false;
  for (const auto& dimension : proto_.padding_config().dimensions()) {
    has_interior |= dimension.interior_padding() != 0;
  }
  std::vector<std::string> parts;
  for (const auto& dimension : proto_.padding_config().dimensions()) {
    parts.push_back(absl::StrCat(dimension.edge_padding_low(), "_",
                                 dimension.edge_padding_high()));
    if (has_interior) {
      absl::StrAppend(&parts.back(), "_", dimension.interior_padding());
    }
  }
  return absl::StrJoin(parts, "x");
}

std::string Values::Window() {
  using Dimension = hlo_proto::WindowDimension;
  struct Part {
    std::string_view key;
    bool (*is_usual)(const Dimension&);
    std::string (*text)(const Dimension&);
  };
  static constexpr Part kParts[] = {
      {"stride=", [](const Dimension& d) { return d.stride() == 1; },
       [](const Dimension& d) { return absl::StrCat(d.stride()); }},
      {"pad=",
       [](const Dimension& d) {
         return d.padding_low() == 0 && d.padding_high() == 0;
       },
       [](const Dimension& d) {
         return absl::StrCat(d.padding_low(), "_", d.padding_high());
       }},
      {"lhs_dilate=", [](const Dimension& d) { return d.base_dilation() == 1; },
       [](const Dimension& d) { return absl::StrCat(d.base_dilation()); }},
      {"rhs_dilate=",
       [](const Dimension& d) { return d.window_dilation() == 1; },
       [](const Dimension& d) { return absl::StrCat(d.window_dilation()); }},
      {"rhs_reversal=", [](const Dimension& d) { return !d.window_reversal(); },
       [](const Dimension& d) {
         return std::string(d.window_reversal() ? "1" : "0");
       }},
  };
  const auto& dimensions = proto_.window().dimensions();
  if (dimensions.empty()) return "";
  std::string text = "{size=";
  absl::StrAppend(
      &text,
      absl::StrJoin(dimensions, "x", [](std::string* out, const Dimension& d) {
        absl::StrAppend(out, d.size());
      }));
  for (const Part& part : kParts) {
    if (std::all_of(dimensions.begin(), dimensions.end(), part.is_usual)) {
      continue;
    }
    absl::StrAppend(
        &text, " ", AbslView(part.key),
        absl::StrJoin(dimensions, "x",
                      [&part](std::string* out, const Dimension& d) {
                        absl::StrAppend(out, part.text(d));
                      }));
  }
  return text + "}";
}

// "b01f": which role each dimension has. "" if they are not one each.
template <typename Spatial>
std::string Labels(char first, int64_t first_dimension, char second,
                   int64_t second_dimension, const Spatial& spatial) {
  // The digits end.
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

std::string Values::DimLabels() {
  if (!proto_.has_convolution_dimension_numbers()) return "";
  const hlo_proto::ConvolutionDimensionNumbers& numbers =
      proto_.convolution_dimension_numbers();
  const std::string lhs = Labels('b', numbers.input_batch_dimension(), 'f',
                                 numbers.input_feature_dimension(),
                                 numbers.input_spatial_dimensions());
  const std::string rhs = Labels('i', numbers.kernel_input_feature_dimension(),
                                 'o', numbers.kernel_output_feature_dimension(),
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

std::string Values::OperandPrecision() {
  const auto& precisions = proto_.precision_config().operand_precision();
  if (std::all_of(precisions.begin(), precisions.end(),
                  [](int precision) { return precision == 0; })) {
    return "";
  }
  std::vector<std::string> words;
  for (const int precision : precisions) {
    words.push_back(EnumWord("operand_precision", precision,
                             {"default", "high", "highest"}));
    if (words.back().empty()) return "";
  }
  return absl::StrCat("{", JoinViews(words, ","), "}");
}

std::string Values::Algorithm() {
  if (Is("rng-bit-generator")) {
    return EnumWord("rng_algorithm", proto_.rng_algorithm(),
                    {"rng_default", "rng_three_fry", "rng_philox"});
  }
  if (proto_.precision_config().algorithm() == 0) return "";
  return EnumWord(
      "algorithm", proto_.precision_config().algorithm(),
      {"", "dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum",
       "dot_f16_f16_f16", "dot_f16_f16_f32", "dot_bf16_bf16_bf16",
       "dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3", "dot_bf16_bf16_f32_x6",
       "dot_tf32_tf32_f32", "dot_tf32_tf32_f32_x3", "dot_f32_f32_f32",
       "dot_f64_f64_f64", "dot_bf16_bf16_f32_x9"});
}

std::string Values::PaddingType() {
  return EnumWord("padding_type", proto_.padding_type(),
                  {"", "PADDING_VALID", "PADDING_SAME"});
}

std::string Values::OperandLayoutConstraints() {
  if (!Is("custom-call") || !proto_.constrain_layout()) return "";
  std::vector<std::string> shapes;
  for (const ShapeProto& proto : proto_.operand_shapes_with_layout()) {
    shapes.push_back(ShapeText("operand_shapes_with_layout", proto));
    if (shapes.back().empty()) return "";
  }
  return absl::StrCat("{", absl::StrJoin(shapes, ", "), "}");
}

std::string Values::OutputToOperandAliasing() {
  std::vector<std::string> pairs;
  for (const hlo_proto::OutputOperandAliasing& pair :
       proto_.output_operand_aliasing()) {
    pairs.push_back(absl::StrCat(IntegerSet(pair.output_shape_index()), ": (",
                                 pair.operand_index(), ", ",
                                 IntegerSet(pair.operand_shape_index()), ")"));
  }
  return pairs.empty() ? ""
                       : absl::StrCat("{", absl::StrJoin(pairs, ", "), "}");
}

std::string Values::Schedule() {
  return EnumWord("custom_call_schedule", proto_.custom_call_schedule(),
                  {"", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"});
}

std::string Values::ApiVersion() {
  // XLA prints all but the original one.
  return EnumWord(
      "custom_call_api_version", proto_.custom_call_api_version(),
      {"", "", "API_VERSION_STATUS_RETURNING",
       "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"});
}

std::string Values::ComparisonType() {
  const std::string type = Word("comparison_type", proto_.comparison_type());
  const PrimitiveType operand = facts_.first_operand_type;
  std::string_view usual = "UNSIGNED";
  if (IsFloatingPointType(operand) || IsComplexType(operand)) usual = "FLOAT";
  if (IsIntegralType(operand) && !IsUnsignedIntegralType(operand)) {
    usual = "SIGNED";
  }
  return type == usual ? "" : type;
}

std::string Values::Distribution() {
  if (!Is("rng")) return "";
  return EnumWord("distribution", proto_.distribution(),
                  {"rng_invalid", "rng_uniform", "rng_normal"});
}

std::string Values::FftType() {
  if (!Is("fft")) return "";
  return EnumWord("fft_type", proto_.fft_type(),
                  {"FFT", "IFFT", "RFFT", "IRFFT"});
}

std::string Values::TransposeA() {
  return EnumWord("transpose_a",
                  proto_.triangular_solve_options().transpose_a(),
                  {"", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"});
}

std::string Values::ParameterReplication() {
  if (!proto_.has_parameter_replication()) return "";
  return absl::StrCat(
      "{",
      absl::StrJoin(proto_.parameter_replication().replicated_at_leaf_buffers(),
                    ",",
                    [](std::string* out, bool value) {
                      absl::StrAppend(out, value ? "true" : "false");
                    }),
      "}");
}

// Under which key XLA prints the computation that is called `index`-th.
std::string_view Values::KeyOfCall(size_t index) const {
  if (Is("fusion") || Is("async-start")) return "calls";
  if (Is("while")) return index == 0 ? "body" : "condition";
  if (Is("select-and-scatter")) return index == 0 ? "select" : "scatter";
  if (Is("conditional")) {
    if (facts_.first_operand_type != PRED) return "branch_computations";
    return index == 0 ? "true_computation" : "false_computation";
  }
  if (Is("custom-call")) return "called_computations";
  // They call what their async-start calls, and XLA does not say it again.
  if (Is("async-update") || Is("async-done")) return "";
  return "to_apply";
}

std::string Values::Calls(std::string_view key) {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < facts_.called_computations.size(); ++i) {
    if (KeyOfCall(i) == key) names.push_back(facts_.called_computations[i]);
  }
  if (names.empty()) return "";
  if (key == "branch_computations" || key == "called_computations") {
    return Names(names);
  }
  if (names.size() > 1) {
    problems_.push_back(absl::StrCat(proto_.opcode(), " calls ", names.size(),
                                     " computations, but takes one"));
  }
  return absl::StrCat("%", AbslView(names[0]));
}

std::string Values::FrontendAttributes() {
  if (proto_.frontend_attributes().map().empty()) return "";
  std::string text;
  AppendFrontendAttributes(proto_.frontend_attributes(), &text);
  return text;
}

std::string Values::Metadata() {
  const hlo_proto::OpMetadata& metadata = proto_.metadata();
  std::string text;
  const auto put = [&text](std::string_view key, std::string_view value) {
    absl::StrAppend(&text, text.empty() ? "" : " ", AbslView(key), "=",
                    AbslView(value));
  };
  const auto put_string = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) put(key, String(value));
  };
  const auto put_number = [&](std::string_view key, int64_t value) {
    if (value != 0) put(key, absl::StrCat(value));
  };
  put_string("op_type", metadata.op_type());
  put_string("op_name", metadata.op_name());
  put_string("source_file", metadata.source_file());
  put_number("source_line", metadata.source_line());
  put_number("source_end_line", metadata.source_end_line());
  put_number("source_column", metadata.source_column());
  put_number("source_end_column", metadata.source_end_column());
  if (!metadata.profile_type().empty()) {
    put("profile_type", IntegerSet(metadata.profile_type()));
  }
  put_string("deduplicated_name", metadata.deduplicated_name());
  put_string("scheduling_name", metadata.scheduling_name());
  put_number("stack_frame_id", metadata.stack_frame_id());
  return text.empty() ? "" : absl::StrCat("{", text, "}");
}

struct Attribute {
  std::string_view key;
  std::string (Values::*value)();
};

// In the order in which XLA prints them.
constexpr Attribute kAttributes[] = {
    {"index", &Values::TupleIndex},
    {"channel_id", &Values::ChannelId},
    {"replica_groups", &Values::ReplicaGroups},
    {"constrain_layout", &Values::ConstrainLayout},
    {"source_target_pairs", &Values::SourceTargetPairs},
    {"dimensions", &Values::Dimensions},
    {"iota_dimension", &Values::IotaDimension},
    {"inferred_dimension", &Values::InferredDimension},
    {"use_global_device_ids", &Values::UseGlobalDeviceIds},
    {"is_host_transfer", &Values::IsHostTransfer},
    {"is_stable", &Values::IsStable},
    {"slice", &Values::Slice},
    {"dynamic_slice_sizes", &Values::DynamicSliceSizes},
    {"padding", &Values::Padding},
    {"window", &Values::Window},
    {"dim_labels", &Values::DimLabels},
    {"feature_group_count", &Values::FeatureGroupCount},
    {"batch_group_count", &Values::BatchGroupCount},
    {"lhs_batch_dims", &Values::LhsBatchDims},
    {"lhs_contracting_dims", &Values::LhsContractingDims},
    {"rhs_batch_dims", &Values::RhsBatchDims},
    {"rhs_contracting_dims", &Values::RhsContractingDims},
    {"lhs_ragged_dims", &Values::LhsRaggedDims},
    {"rhs_group_dims", &Values::RhsGroupDims},
    {"offset_dims", &Values::OffsetDims},
    {"collapsed_slice_dims", &Values::CollapsedSliceDims},
    {"start_index_map", &Values::StartIndexMap},
    {"operand_batching_dims", &Values::OperandBatchingDims},
    {"start_indices_batching_dims", &Values::StartIndicesBatchingDims},
    {"update_window_dims", &Values::UpdateWindowDims},
    {"inserted_window_dims", &Values::InsertedWindowDims},
    {"scatter_dims_to_operand_dims", &Values::ScatterDims},
    {"input_batching_dims", &Values::InputBatchingDims},
    {"scatter_indices_batching_dims", &Values::ScatterIndicesBatchingDims},
    {"index_vector_dim", &Values::IndexVectorDim},
    {"slice_sizes", &Values::SliceSizes},
    {"indices_are_sorted", &Values::IndicesAreSorted},
    {"unique_indices", &Values::UniqueIndices},
    {"operand_precision", &Values::OperandPrecision},
    {"algorithm", &Values::Algorithm},
    {"padding_type", &Values::PaddingType},
    {"custom_call_target", &Values::CustomCallTarget},
    {"operand_layout_constraints", &Values::OperandLayoutConstraints},
    {"custom_call_has_side_effect", &Values::HasSideEffect},
    {"kind", &Values::Kind},
    {"output_to_operand_aliasing", &Values::OutputToOperandAliasing},
    {"schedule", &Values::Schedule},
    {"api_version", &Values::ApiVersion},
    {"direction", &Values::Direction},
    {"type", &Values::ComparisonType},
    {"epsilon", &Values::Epsilon},
    {"feature_index", &Values::FeatureIndex},
    {"exponent_bits", &Values::ExponentBits},
    {"mantissa_bits", &Values::MantissaBits},
    {"distribution", &Values::Distribution},
    {"delta", &Values::Delta},
    {"fft_type", &Values::FftType},
    {"fft_length", &Values::FftLength},
    {"left_side", &Values::LeftSide},
    {"lower", &Values::Lower},
    {"unit_diagonal", &Values::UnitDiagonal},
    {"transpose_a", &Values::TransposeA},
    {"k", &Values::K},
    {"largest", &Values::Largest},
    {"cross_program_prefetch_index", &Values::PrefetchIndex},
    {"infeed_config", &Values::InfeedConfig},
    {"outfeed_shape", &Values::OutfeedShape},
    {"outfeed_config", &Values::OutfeedConfig},
    {"async_execution_thread", &Values::AsyncThread},
    {"is_composite", &Values::IsComposite},
    {"parameter_replication", &Values::ParameterReplication},
    {"calls", &Values::CallsValue},
    {"condition", &Values::Condition},
    {"body", &Values::Body},
    {"select", &Values::Select},
    {"scatter", &Values::ScatterCall},
    {"true_computation", &Values::TrueComputation},
    {"false_computation", &Values::FalseComputation},
    {"branch_computations", &Values::BranchComputations},
    {"called_computations", &Values::CalledComputations},
    {"to_apply", &Values::ToApply},
    {"sharding", &Values::Sharding},
    {"frontend_attributes", &Values::FrontendAttributes},
    {"control-predecessors", &Values::ControlPredecessors},
    {"metadata", &Values::Metadata},
    {"backend_config", &Values::BackendConfig},
};

}  // namespace

std::vector<std::string> AppendAttributes(const InstructionFacts& facts,
                                          std::string* out) {
  Values values(facts);
  for (const Attribute& attribute : kAttributes) {
    const std::string value = (values.*attribute.value)();
    if (value.empty()) continue;
    absl::StrAppend(out, ", ", AbslView(attribute.key), "=", value);
  }
  return values.TakeProblems();
}

void AppendFrontendAttributes(const hlo_proto::FrontendAttributes& attributes,
                              std::string* out) {
  std::vector<std::string> entries;
  for (const auto& entry : attributes.map()) {
    entries.push_back(absl::StrCat(ToHloWord(entry.key()), "="));
    AppendHloString(entry.value(), &entries.back());
  }
  // A map's entries have no order; XLA prints them by key.
  std::sort(entries.begin(), entries.end());
  absl::StrAppend(out, "{", absl::StrJoin(entries, ","), "}");
}

}  // namespace hlo_internal
}  // namespace tessera
