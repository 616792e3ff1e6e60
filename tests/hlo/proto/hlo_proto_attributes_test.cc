// Each field of an instruction's proto, as XLA prints it.

#include <string>

#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "proto/hlo.pb.h"
#include "tessera/hlo/proto/attribute_text.h"
#include "tessera/hlo/proto/value_text.h"
#include "tessera/hlo/proto/wire_fields.h"

namespace tessera::hlo_internal {
namespace {

using hlo_proto::HloInstructionProto;

HloInstructionProto Parse(const std::string& text) {
  HloInstructionProto proto;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &proto))
      << text;
  return proto;
}

TEST(AttributeText, OfEachField) {
  struct Case {
    const char* proto;
    const char* text;
  };
  const Case kCases[] = {
      {"opcode: 'get-tuple-element'", ", index=0"},
      {"opcode: 'get-tuple-element' tuple_index: 3", ", index=3"},
      {"opcode: 'broadcast'", ", dimensions={}"},
      {"opcode: 'transpose' dimensions: [1, 0]", ", dimensions={1,0}"},
      {"opcode: 'iota' dimensions: 0", ", iota_dimension=0"},
      {"opcode: 'sort' dimensions: 0 is_stable: true",
       ", dimensions={0}, is_stable=true"},
      {"opcode: 'slice' slice_dimensions { limit: 4 stride: 1 } "
       "slice_dimensions { start: 1 limit: 9 stride: 3 }",
       ", slice={[0:4], [1:9:3]}"},
      {"opcode: 'dynamic-slice' dynamic_slice_sizes: [1, 8]",
       ", dynamic_slice_sizes={1,8}"},
      {"opcode: 'pad' padding_config { dimensions { edge_padding_high: 1 } "
       "dimensions { edge_padding_low: -2 } }",
       ", padding=0_1x-2_0"},
      {"opcode: 'pad' padding_config { dimensions { interior_padding: 1 } "
       "dimensions { edge_padding_low: 2 } }",
       ", padding=0_0_1x2_0_0"},
      {"opcode: 'convolution' window { dimensions { size: 3 stride: 2 "
       "padding_low: 1 padding_high: 1 window_dilation: 1 base_dilation: 1 } } "
       "convolution_dimension_numbers { input_feature_dimension: 1 "
       "input_spatial_dimensions: 2 kernel_input_feature_dimension: 1 "
       "kernel_output_feature_dimension: 0 kernel_spatial_dimensions: 2 "
       "output_batch_dimension: 2 output_feature_dimension: 1 "
       "output_spatial_dimensions: 0 } feature_group_count: 1 "
       "batch_group_count: 4 precision_config { operand_precision: [2, 0] }",
       ", window={size=3 stride=2 pad=1_1}, dim_labels=bf0_oi0->0fb, "
       "batch_group_count=4, operand_precision={highest,default}"},
      {"opcode: 'dot' dot_dimension_numbers { lhs_contracting_dimensions: 1 "
       "rhs_contracting_dimensions: 0 lhs_batch_dimensions: 2 "
       "rhs_batch_dimensions: 3 } precision_config { algorithm: 6 }",
       ", lhs_batch_dims={2}, lhs_contracting_dims={1}, rhs_batch_dims={3}, "
       "rhs_contracting_dims={0}, algorithm=dot_bf16_bf16_f32"},
      {"opcode: 'gather' gather_dimension_numbers { offset_dims: 1 "
       "collapsed_slice_dims: 0 start_index_map: 0 index_vector_dim: 1 } "
       "gather_slice_sizes: [1, 5] indices_are_sorted: true",
       ", offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
       "index_vector_dim=1, slice_sizes={1,5}, indices_are_sorted=true"},
      {"opcode: 'scatter' scatter_dimension_numbers { "
       "scatter_dims_to_operand_dims: 0 } unique_indices: true",
       ", update_window_dims={}, inserted_window_dims={}, "
       "scatter_dims_to_operand_dims={0}, index_vector_dim=0, "
       "unique_indices=true"},
      {"opcode: 'all-reduce-start' channel_id: 2 use_global_device_ids: true",
       ", channel_id=2, replica_groups={}, use_global_device_ids=true"},
      {"opcode: 'all-gather' dimensions: 0 replica_groups { replica_ids: [0, "
       "1] "
       "} replica_groups { replica_ids: [2, 3] }",
       ", replica_groups={{0,1},{2,3}}, dimensions={0}"},
      {"opcode: 'all-to-all' collective_device_list { iota_replica_group_list "
       "{ "
       "num_replica_groups: 2 num_devices_per_group: 4 iota_reshape_dims: 8 "
       "iota_transpose_perm: 0 } }",
       ", replica_groups=[2,4]<=[8]"},
      {"opcode: 'collective-permute' source_target_pairs { target: 1 } "
       "source_target_pairs { source: 1 }",
       ", source_target_pairs={{0,1},{1,0}}"},
      {"opcode: 'custom-call' custom_call_target: 'a\"b' constrain_layout: "
       "true "
       "operand_shapes_with_layout { element_type: F32 dimensions: 2 layout { "
       "minor_to_major: 0 } } custom_call_has_side_effect: true "
       "output_operand_aliasing { output_shape_index: 0 operand_index: 1 } "
       "custom_call_schedule: 1 custom_call_api_version: 4 "
       "backend_config: 'plain'",
       ", custom_call_target=\"a\\\"b\", "
       "operand_layout_constraints={f32[2]{0}}, "
       "custom_call_has_side_effect=true, "
       "output_to_operand_aliasing={{0}: (1, {})}, schedule=SCHEDULE_LATEST, "
       "api_version=API_VERSION_TYPED_FFI, backend_config=\"plain\""},
      {"opcode: 'compare' comparison_direction: 'LT' comparison_type: "
       "'TOTALORDER'",
       ", direction=LT, type=TOTALORDER"},
      {"opcode: 'batch-norm-training' epsilon: 0.001 feature_index: 2",
       ", epsilon=0.001, feature_index=2"},
      {"opcode: 'reduce-precision' exponent_bits: 5 mantissa_bits: 10",
       ", exponent_bits=5, mantissa_bits=10"},
      {"opcode: 'rng' distribution: 1", ", distribution=rng_uniform"},
      {"opcode: 'rng-bit-generator' rng_algorithm: 1",
       ", algorithm=rng_three_fry"},
      {"opcode: 'fft' fft_type: 2 fft_length: 8",
       ", fft_type=RFFT, fft_length={8}"},
      {"opcode: 'triangular-solve' triangular_solve_options { left_side: true "
       "lower: true transpose_a: 1 }",
       ", left_side=true, lower=true, transpose_a=NO_TRANSPOSE"},
      {"opcode: 'topk' k: 3 largest: true", ", k=3, largest=true"},
      {"opcode: 'copy-start' cross_program_prefetch_index: 0",
       ", cross_program_prefetch_index=0"},
      {"opcode: 'send' channel_id: 1 is_host_transfer: true",
       ", channel_id=1, is_host_transfer=true"},
      {"opcode: 'async-start' async_execution_thread: 'sparse'",
       ", async_execution_thread=\"sparse\""},
      {"opcode: 'async-start' async_execution_thread: 'main'", ""},
      {"opcode: 'add' sharding { type: 1 tile_assignment_devices: 3 }",
       ", sharding={maximal device=3}"},
      {"opcode: 'tuple' sharding { type: 2 tuple_shardings { } "
       "tuple_shardings { type: 3 tile_assignment_dimensions: [2, 2] "
       "tile_assignment_devices: [0, 1, 2, 3] last_tile_dims: 4 } }",
       ", sharding={{replicated}, {devices=[2,2]0,1,2,3 "
       "last_tile_dims={manual}}}"},
      {"opcode: 'add' frontend_attributes { map { key: 'b' value: '2' } "
       "map { key: 'a' value: '{1}' } }",
       ", frontend_attributes={a=\"{1}\",b=\"2\"}"},
      {"opcode: 'add' metadata { op_type: 'Add' op_name: 'x' source_file: 'f' "
       "source_line: 7 stack_frame_id: 2 deduplicated_name: 'd' }",
       ", metadata={op_type=\"Add\" op_name=\"x\" source_file=\"f\" "
       "source_line=7 deduplicated_name=\"d\" stack_frame_id=2}"},
      {"opcode: 'while' backend_config: '{\"known\":{\"n\":\"}\"}}'",
       ", backend_config={\"known\":{\"n\":\"}\"}}"},
  };
  for (const Case& c : kCases) {
    const HloInstructionProto proto = Parse(c.proto);
    std::string text;
    EXPECT_TRUE(AppendAttributes(InstructionFacts(proto), &text).empty())
        << c.proto;
    EXPECT_EQ(text, c.text) << c.proto;
  }
}

TEST(AttributeText, OfCalledComputations) {
  struct Case {
    const char* opcode;
    PrimitiveType operand;
    const char* text;
  };
  const Case kCases[] = {
      {"while", TUPLE, ", condition=%b, body=%a"},
      {"select-and-scatter", F32, ", select=%a, scatter=%b"},
      {"conditional", PRED, ", true_computation=%a, false_computation=%b"},
      {"conditional", S32, ", branch_computations={%a, %b}"},
      {"custom-call", F32,
       ", custom_call_target=\"t\", called_computations={%a, %b}"},
  };
  for (const Case& c : kCases) {
    HloInstructionProto proto;
    proto.set_opcode(c.opcode);
    if (proto.opcode() == "custom-call") proto.set_custom_call_target("t");
    InstructionFacts facts(proto);
    facts.called_computations = {"a", "b"};
    facts.first_operand_type = c.operand;
    std::string text;
    EXPECT_TRUE(AppendAttributes(facts, &text).empty());
    EXPECT_EQ(text, c.text);
  }
  for (const char* opcode : {"fusion", "async-start"}) {
    HloInstructionProto proto;
    proto.set_opcode(opcode);
    InstructionFacts facts(proto);
    facts.called_computations = {"a"};
    facts.control_predecessors = {"x", "y"};
    std::string text;
    AppendAttributes(facts, &text);
    EXPECT_EQ(text, ", calls=%a, control-predecessors={%x, %y}");
  }
}

TEST(LiteralText, OfEachType) {
  struct Case {
    const char* literal;
    const char* text;
  };
  const Case kCases[] = {
      {"shape { element_type: PRED } preds: true", "true"},
      {"shape { element_type: PRED dimensions: 2 } preds: [true, false]",
       "{1, 0}"},
      {"shape { element_type: S32 } s32s: -7", "-7"},
      {"shape { element_type: U8 dimensions: 1 } u8s: '\\377'", "{255}"},
      {"shape { element_type: S8 dimensions: 1 } s8s: '\\377'", "{-1}"},
      {"shape { element_type: S16 } s16s: '\\376\\377'", "-2"},
      {"shape { element_type: F32 } f32s: 0.1", "0.1"},
      {"shape { element_type: F32 } f32s: 1e30", "1e+30"},
      {"shape { element_type: F32 } f32s: -inf", "-inf"},
      {"shape { element_type: F32 } f32s: nan", "nan"},
      {"shape { element_type: F64 } f64s: 0.3", "0.3"},
      {"shape { element_type: BF16 } bf16s: '\\000\\077'", "0.5"},
      {"shape { element_type: F16 } f16s: '\\000\\300'", "-2"},
      {"shape { element_type: F16 } f16s: '\\001\\000'", "6e-08"},
      {"shape { element_type: S32 dimensions: [2, 2] layout { minor_to_major: "
       "[1, 0] } } s32s: [0, 1, 2, 3]",
       "{ { 0, 1 }, { 2, 3 } }"},
      {"shape { element_type: S32 dimensions: [2, 2] layout { minor_to_major: "
       "[0, 1] } } s32s: [0, 1, 2, 3]",
       "{ { 0, 2 }, { 1, 3 } }"},
      // XLA has no blanks round a single element in the innermost dimension.
      {"shape { element_type: S32 dimensions: [2, 1] layout { minor_to_major: "
       "[1, 0] } } s32s: [0, 1]",
       "{ {0}, {1} }"},
      // Too many, too few, of no known type.
      {"shape { element_type: S32 dimensions: 11 } s32s: [0, 1, 2, 3, 4, 5, 6, "
       "7, 8, 9, 10]",
       "{...}"},
      {"shape { element_type: S32 dimensions: 3 } s32s: [0, 1]", "{...}"},
      {"shape { element_type: F8E5M2 }", "{...}"},
      {"shape { element_type: TUPLE }", "{...}"},
  };
  for (const Case& c : kCases) {
    hlo_proto::LiteralProto literal;
    ASSERT_TRUE(
        google::protobuf::TextFormat::ParseFromString(c.literal, &literal))
        << c.literal;
    EXPECT_EQ(LiteralText(literal.SerializeAsString(), literal.shape()), c.text)
        << c.literal;
  }
  EXPECT_EQ(LiteralText("\xff", hlo_proto::LiteralProto().shape()), "{...}");
}

TEST(WireFields, SayWhereAMessageEnds) {
  struct Case {
    std::string bytes;
    const char* problem;
    int64_t offset;
  };
  const Case kCases[] = {
      {"\x08\x05", "", 100},
      {"\x08", "the message breaks off in a number", 101},
      {"\x12\x05hi",
       "the message breaks off: field 2 is to have 5 bytes and "
       "has 2",
       104},
      {std::string("\x00", 1), "this is not the tag of a field", 100},
      {"\x0b", "field 1 has the wire type 3, which XLA's messages do not have",
       100},
      {"\x08" + std::string(11, '\xff'), "this number has more than 10 bytes",
       101},
      {"\x0d"
       "abc",
       "the message breaks off: field 1 is to have 4 bytes and "
       "has 3",
       104},
  };
  for (const Case& c : kCases) {
    WireFields fields(c.bytes, 100);
    WireField field;
    while (fields.Next(&field)) {
    }
    EXPECT_EQ(fields.problem(), c.problem);
    EXPECT_EQ(fields.problem_offset(), c.offset) << c.problem;
  }
}

}  // namespace
}  // namespace tessera::hlo_internal
