// What is wrong with a proto is said, and all else is read.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_printer.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/made_proto.h"

namespace tessera {
namespace {

std::vector<std::string> Messages(std::string_view proto) {
  const absl::StatusOr<HloDump> dump = ParseHloProto(proto);
  EXPECT_TRUE(dump.ok()) << dump.status();
  std::vector<std::string> messages;
  for (const Diagnostic& diagnostic : dump->diagnostics()) {
    EXPECT_EQ(diagnostic.line, 0);
    EXPECT_GE(diagnostic.offset, 0);
    EXPECT_LE(diagnostic.offset, static_cast<int64_t>(proto.size()));
    messages.push_back(diagnostic.message);
  }
  EXPECT_EQ(dump->diagnostic_count(), static_cast<int64_t>(messages.size()));
  return messages;
}

std::string Text(std::string_view proto) {
  const absl::StatusOr<HloDump> dump = ParseHloProto(proto);
  return dump.ok() ? std::string(dump->text()) : "";
}

std::string WithMain(const std::vector<MadeInstruction>& instructions,
                     int64_t root_id, hlo_proto::HloModuleProto module = {}) {
  return MadeHloProto({MadeComputation("main", 9, root_id, instructions)},
                      std::move(module));
}

MadeInstruction Calling(MadeInstruction op, int64_t computation) {
  op.add_called_computation_ids(computation);
  return op;
}

using hlo_proto::HloInstructionProto;
using Lines = std::vector<std::string>;

TEST(HloProtoErrors, AWholeProtoHasNone) {
  const std::string proto =
      WithMain({Parameter("x", 1, 0), Op("y", "negate", 2, {1})}, 2);
  EXPECT_EQ(Messages(proto), Lines{});
  EXPECT_EQ(Text(proto),
            "HloModule m\n\n"
            "ENTRY %main (x: f32[2]) -> f32[2] {\n"
            "  %x = f32[2]{0} parameter(0)\n"
            "  ROOT %y = f32[2]{0} negate(%x)\n"
            "}\n\n");
}

TEST(HloProtoErrors, IdsThatStandForNothing) {
  EXPECT_EQ(Messages(WithMain({Op("y", "add", 2, {2, 77})}, 2)),
            (Lines{"computation 'main', instruction 'y': operand 0, with the "
                   "id 2, does not come before it",
                   "computation 'main', instruction 'y': operand 1 has the id "
                   "77, which no instruction has"}));
  EXPECT_EQ(
      Messages(WithMain({Parameter("x", 1, 0)}, 5)),
      Lines{"computation 'main': root_id is 5, which no instruction has"});
  MadeInstruction late = Op("y", "negate", 2, {1});
  late.add_control_predecessor_ids(6);
  EXPECT_EQ(Messages(WithMain({Parameter("x", 1, 0), late}, 2)),
            Lines{"computation 'main', instruction 'y': a control predecessor "
                  "has the id 6, which no instruction has"});
  EXPECT_EQ(
      Messages(WithMain(
          {Parameter("x", 1, 0), Calling(Op("y", "call", 2, {1}), 44)}, 2)),
      Lines{"computation 'main', instruction 'y': it calls a computation "
            "with the id 44, which no computation has"});
  hlo_proto::HloModuleProto module;
  module.set_entry_computation_id(8);
  EXPECT_EQ(Messages(WithMain({Parameter("x", 1, 0)}, 1, module)),
            Lines{"entry_computation_id is 8, which no computation has"});
}

TEST(HloProtoErrors, IdsAndNamesThatAreGivenTwice) {
  EXPECT_EQ(
      Messages(WithMain({Parameter("x", 1, 0), Parameter("x", 1, 1)}, 1)),
      (Lines{"computation 'main', instruction 'x': the name 'x' is used twice",
             "computation 'main', instruction 'x.1': its id 1 is that of "
             "'x', too"}));
  const std::string main =
      MadeComputation("main", 9, 1, {Parameter("x", 1, 0)});
  EXPECT_EQ(Messages(MadeHloProto({main, main})),
            (Lines{"computation '_': the name 'main' is used twice",
                   "computation 'main.1': its id 9 is that of the computation "
                   "'main', too"}));
}

TEST(HloProtoErrors, NamesThatAreNone) {
  const std::string proto = WithMain(
      {Parameter("x\n}\nENTRY evil {", 1, 0), Op("", "neg ate", 2, {1})}, 1);
  EXPECT_EQ(Messages(proto),
            (Lines{"computation 'main', instruction 'x\\n}\\nENTRY evil {': "
                   "the name 'x\\n}\\nENTRY evil {' is not an identifier",
                   "computation 'main', instruction '': the name is empty",
                   "computation 'main', instruction '_': the opcode 'neg ate' "
                   "is not an identifier"}));
  EXPECT_TRUE(tessera::StrContains(Text(proto),
                                   "ROOT %x___ENTRY_evil__ = f32[2]{0} "
                                   "parameter(0)\n"));
}

TEST(HloProtoErrors, AComputationWithoutInstructionsIsLeftOut) {
  const std::string proto =
      MadeHloProto({MadeComputation("e", 3, 1, {}),
                    MadeComputation("main", 9, 1, {Parameter("x", 1, 0)})});
  EXPECT_EQ(Messages(proto), Lines{"computation 'e': it has no instruction"});
  EXPECT_EQ(ParseHloProto(proto)->computations().size(), 1);
}

TEST(HloProtoErrors, Cycles) {
  const std::string a =
      MadeComputation("a", 1, 1, {Calling(Op("x", "custom-call", 1, {}), 2)});
  const std::string b =
      MadeComputation("b", 2, 1, {Calling(Op("x", "custom-call", 1, {}), 1)});
  const std::string main = MadeComputation(
      "main", 9, 1, {Calling(Op("x", "custom-call", 1, {}), 1)});
  const std::string proto = MadeHloProto({a, b, main});
  EXPECT_EQ(Messages(proto),
            Lines{"computation 'b': it calls 'a', which calls it"});
  const absl::StatusOr<HloDump> dump = ParseHloProto(proto);
  EXPECT_EQ(dump->instructions().size(), 3);
  ModuleAnalysis::Of(*dump, dump->modules()[0]).status().IgnoreError();
}

TEST(HloProtoErrors, Schedules) {
  hlo_proto::HloModuleProto module;
  auto* sequence = module.mutable_schedule()->add_sequences();
  sequence->set_key(9);
  for (const int64_t id : {2, 1, 2, 66}) {
    sequence->mutable_value()->add_instruction_ids(id);
  }
  module.mutable_schedule()->add_sequences()->set_key(55);
  EXPECT_EQ(Messages(WithMain({Parameter("x", 1, 0), Op("y", "negate", 2, {1}),
                               Op("z", "negate", 3, {1})},
                              2, module)),
            (Lines{"computation 'main', instruction 'y': the schedule has it "
                   "twice",
                   "computation 'main': the schedule has the id 66, which no "
                   "instruction has",
                   "the schedule orders a computation with the id 55, which no "
                   "computation has",
                   "computation 'main', instruction 'z': it is not in the "
                   "schedule",
                   "computation 'main', instruction 'y': operand 0, with the "
                   "id 1, does not come before it"}));
}

TEST(HloProtoErrors, ValuesThatNoRuleAllows) {
  MadeInstruction negative = Parameter("x", 1, 0);
  negative.mutable_shape()->set_dimensions(0, -3);
  const std::vector<std::string> messages = Messages(
      WithMain({negative, Op("y", "negate", 2, {}), Op("z", "rng", 3, {})}, 2));
  ASSERT_FALSE(messages.empty());
  EXPECT_TRUE(tessera::StartsWith(
      messages[0], "computation 'main', instruction 'x': shape: "))
      << messages[0];
  MadeInstruction rng = Op("x", "rng", 1, {});
  rng.set_distribution(17);
  MadeInstruction convolution = Op("y", "convolution", 2, {});
  convolution.mutable_convolution_dimension_numbers();
  EXPECT_EQ(Messages(WithMain({rng, convolution}, 1)),
            (Lines{"computation 'main', instruction 'x': distribution is 17, "
                   "which is not one of its values",
                   "computation 'main', instruction 'y': "
                   "convolution_dimension_numbers do not give each dimension "
                   "one role"}));
}

TEST(HloProtoErrors, ABrokenInstructionLeavesTheOthers) {
  std::string main = MadeComputation("main", 9, 1, {Parameter("x", 1, 0)});
  main += MadeField(2, "\x0a\x01z\x12\x09neg");
  main += MadeField(2, "");
  main += MadeField(2, Op("y", "negate", 2, {1}).SerializeAsString());
  const std::string proto = MadeHloProto({main});
  const std::vector<std::string> messages = Messages(proto);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_TRUE(tessera::StrContains(messages[0], "says nothing")) << messages[0];
  EXPECT_TRUE(
      tessera::StrContains(messages[1],
                           "the message breaks off: field 2 is to have 9 "
                           "bytes and has 3"))
      << messages[1];
  EXPECT_EQ(ParseHloProto(proto)->instructions().size(), 2);
}

TEST(HloProtoErrors, AFileThatBreaksOff) {
  const std::string proto =
      WithMain({Parameter("x", 1, 0), Op("y", "negate", 2, {1})}, 1);
  const std::vector<std::string> messages =
      Messages(proto.substr(0, proto.size() - 1));
  ASSERT_FALSE(messages.empty());
  for (const std::string& message : messages) {
    EXPECT_TRUE(tessera::StrContains(
        message, absl::StrCat("at byte ", proto.size() - 1, ": ")))
        << message;
  }
  EXPECT_EQ(
      ParseHloProto(proto.substr(0, proto.size() - 1))->instructions().size(),
      1);
  // At every byte: no cut is silent but the one that leaves nothing.
  for (size_t size = 1; size < proto.size(); ++size) {
    EXPECT_GT(ParseHloProto(proto.substr(0, size))->diagnostic_count(), 0)
        << size;
  }
}

TEST(HloProtoErrors, ProtosOfSomethingElse) {
  EXPECT_EQ(Messages(""), Lines{"the proto has no HLO module"});
  EXPECT_EQ(Messages(MadeField(1, "\x08\x01")),
            Lines{"the XSpace has no HLO module: XLA puts them into its plane "
                  "/host:metadata"});
  EXPECT_EQ(Messages(MadeField(3, "abc")),
            Lines{"the proto has no HLO module"});
  EXPECT_FALSE(IsHloProto(""));
  EXPECT_FALSE(IsHloProto("\n\nHloModule m"));
  EXPECT_FALSE(IsHloProto("HloModule m\x01"));
  EXPECT_TRUE(IsHloProto(MadeHloProto({})));
}

TEST(HloProtoErrors, AShapeInTwoFieldsIsMerged) {
  const MadeInstruction x = Parameter("x", 1, 0);
  xla_data_proto::ShapeProto more;
  more.add_dimensions(3);
  more.mutable_layout()->add_minor_to_major(1);
  const std::string y = Parameter("y", 2, 1).SerializeAsString() +
                        MadeField(HloInstructionProto::kShapeFieldNumber,
                                  more.SerializeAsString());
  const std::string proto =
      MadeHloProto({MadeComputation("main", 9, 1, {x}) + MadeField(2, y) +
                    MadeField(2, Parameter("z", 3, 2).SerializeAsString())});
  EXPECT_EQ(Messages(proto), Lines{});
  EXPECT_EQ(Text(proto),
            "HloModule m\n\n"
            "ENTRY %main (x: f32[2], y: f32[2,3], z: f32[2]) -> f32[2] {\n"
            "  ROOT %x = f32[2]{0} parameter(0)\n"
            "  %y = f32[2,3]{0,1} parameter(1)\n"
            "  %z = f32[2]{0} parameter(2)\n"
            "}\n\n");
}

TEST(HloProtoErrors, EachOfManyShapesIsPrinted) {
  constexpr int64_t kShapes = 5000;
  std::vector<MadeInstruction> parameters;
  for (int64_t i = 0; i < 2 * kShapes; ++i) {
    parameters.push_back(Parameter(absl::StrCat("p", i), i + 1, i));
    parameters.back().mutable_shape()->set_dimensions(0, i % kShapes);
  }
  MadeInstruction tuple = Op("t", "parameter", 3 * kShapes, {});
  tuple.set_parameter_number(2 * kShapes);
  tuple.mutable_shape()->Clear();
  tuple.mutable_shape()->set_element_type(xla_data_proto::TUPLE);
  for (int64_t i = 0; i < kShapes; ++i) {
    *tuple.mutable_shape()->add_tuple_shapes() = parameters[i].shape();
  }
  parameters.push_back(tuple);
  const absl::StatusOr<HloDump> dump = ParseHloProto(WithMain(parameters, 1));
  ASSERT_TRUE(dump.ok()) << dump.status();
  EXPECT_EQ(dump->diagnostic_count(), 0);
  const auto main = dump->modules()[0].entry_computation()->instructions();
  ASSERT_EQ(main.size(), 2 * kShapes + 1);
  for (int64_t i = 0; i < 2 * kShapes; ++i) {
    const std::string shape = absl::StrCat("f32[", i % kShapes, "]{0}");
    EXPECT_EQ(main[i].shape()->ToString(), shape);
    EXPECT_EQ(main[2 * kShapes].shape()->tuple_shapes(i % kShapes).ToString(),
              shape);
  }
}

TEST(HloProtoErrors, StrictStopsAtTheFirst) {
  HloParseOptions options;
  options.strict = true;
  const absl::Status status =
      ParseHloProto(WithMain({Parameter("x", 1, 0)}, 5), options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "computation 'main': root_id is 5, which no instruction has");
}

// The rules are those of text.
TEST(HloProtoErrors, StrictWantsOutputsForAliases) {
  HloParseOptions options;
  options.strict = true;
  const auto status_of = [&](std::vector<int64_t> output) {
    hlo_proto::HloModuleProto module;
    auto* entry = module.mutable_input_output_alias()->add_entries();
    entry->mutable_output_shape_index()->Add(output.begin(), output.end());
    entry->set_kind(2);
    return ParseHloProto(WithMain({Parameter("x", 1, 0)}, 1, module), options)
        .status();
  };
  EXPECT_TRUE(status_of({}).ok()) << status_of({});
  EXPECT_TRUE(absl::StrContains(
      status_of({7}).message(),
      "in list of aliases: {7} is not a part of the result, f32[2]{0}"))
      << status_of({7});
}

// A name of a million bytes that a hundred thousand operands repeat would be
// 100 GB of text.
TEST(HloProtoErrors, TheTextStaysInProportion) {
  MadeInstruction all = Op("y", "tuple", 2, {});
  for (int i = 0; i < 100000; ++i) all.add_operand_ids(1);
  const std::string proto =
      WithMain({Parameter(std::string(1000000, 'n'), 1, 0), all}, 1);
  const std::vector<std::string> messages = Messages(proto);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_TRUE(tessera::StrContains(messages[0], "the text ends here"));
  EXPECT_LT(Text(proto).size(), 64 * proto.size() + (1 << 22));
}

TEST(HloProtoErrors, NestingHasAnEnd) {
  std::string shape;
  for (int i = 0; i < 20000; ++i) shape = MadeField(4, shape);
  std::string instruction = Op("x", "constant", 1, {}).SerializeAsString();
  instruction += MadeField(3, shape);
  const std::string computation =
      MadeComputation("main", 9, 1, {}) + MadeField(2, instruction) +
      MadeField(2, Parameter("p", 2, 0).SerializeAsString());
  const std::string proto = MadeHloProto({computation});
  const std::vector<std::string> messages = Messages(proto);
  ASSERT_FALSE(messages.empty());
  EXPECT_TRUE(tessera::StrContains(messages[0], "nested too deep"))
      << messages[0];
  EXPECT_EQ(ParseHloProto(proto)->instructions().size(), 1);
}

// Empty messages take two bytes each here, and two hundred in memory.
TEST(HloProtoErrors, FieldsHaveAnEnd) {
  std::string sharding;
  for (int i = 0; i < 2'000'000; ++i) sharding += MadeField(5, "");
  const std::string instruction =
      Op("x", "constant", 1, {}).SerializeAsString() + MadeField(40, sharding);
  const std::string computation =
      MadeComputation("main", 9, 1, {}) + MadeField(2, instruction) +
      MadeField(2, Parameter("p", 1, 0).SerializeAsString());
  const std::string proto = MadeHloProto({computation});
  const std::vector<std::string> messages = Messages(proto);
  EXPECT_THAT(messages,
              ::testing::Contains(::testing::HasSubstr("has too many fields")));
  EXPECT_EQ(ParseHloProto(proto)->instructions().size(), 1);
}

TEST(HloProtoErrors, StringsStayInTheirPlace) {
  MadeInstruction op = Op("y", "custom-call", 1, {});
  const std::string evil = "\"}\n}\nENTRY e { /* \xff \\";
  op.set_custom_call_target(evil);
  op.set_backend_config("{\"a\": \"}\"}, b={" + evil);
  op.mutable_metadata()->set_op_name(evil);
  op.mutable_metadata()->set_source_file(evil);
  auto* attribute = op.mutable_frontend_attributes()->add_map();
  attribute->set_key(evil);
  attribute->set_value(evil);
  const std::string proto = WithMain({op}, 1);
  EXPECT_EQ(Messages(proto), Lines{});
  const absl::StatusOr<HloDump> dump = ParseHloProto(proto);
  ASSERT_EQ(dump->instructions().size(), 1);
  EXPECT_EQ(dump->computations().size(), 1);
  std::vector<std::string> keys;
  for (const HloAttribute& a : dump->instructions()[0].attributes()) {
    keys.emplace_back(a.key);
  }
  EXPECT_EQ(keys, (Lines{"custom_call_target", "frontend_attributes",
                         "metadata", "backend_config"}));
}

}  // namespace
}  // namespace tessera
