// Decodes the parts of an HLO module's header line about the program's
// arguments and results: their layouts, and which of them share memory.
//
//   absl::StatusOr<EntryComputationLayout> layout =
//       DecodeEntryComputationLayout("{(f32[8]{0}, s32[])->(f32[8]{0})}");
//   layout->parameters.size();         // 2
//   layout->parameters[0].ToString();  // "f32[8]{0}"
//   layout->result.ToString();         // "(f32[8]{0})"
//
//   absl::StatusOr<std::vector<InputOutputAlias>> aliases =
//       DecodeInputOutputAliases("{ {0}: (1, {}, must-alias) }");
//   (*aliases)[0].parameter_number;  // 1
//
// The other attributes of that line are bools, integers and lists of these
// (hlo/attributes/attribute_values.h). Text is read, and fails, as documented
// there; the rules are those of xla/hlo/parser/hlo_parser.cc. Trailing commas
// in lists of aliases and donors are accepted.

#ifndef TESSERA_HLO_ATTRIBUTES_MODULE_HEADER_H_
#define TESSERA_HLO_ATTRIBUTES_MODULE_HEADER_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_index.h"

namespace tessera {

struct EntryComputationLayout {
  std::vector<Shape> parameters;
  Shape result;
};

// Decodes the value of `entry_computation_layout`. Shapes are read with the
// lenient option (parser/parse_options.h), and get default layouts if the text
// lacks them.
//
// Errors also: kResourceExhausted for a shape nested too deep.
absl::StatusOr<EntryComputationLayout> DecodeEntryComputationLayout(
    std::string_view value);

// The part of the program's result at `output_index` may, or must, share the
// memory of the part of a parameter at `parameter_index`.
struct InputOutputAlias {
  enum class Kind { kMayAlias, kMustAlias };

  ShapeIndex output_index;
  int64_t parameter_number = 0;
  ShapeIndex parameter_index;
  Kind kind = Kind::kMayAlias;  // if the text lacks the kind
};

// Decodes the value of `input_output_alias`, which may be "{}". Negative
// numbers are an error.
absl::StatusOr<std::vector<InputOutputAlias>> DecodeInputOutputAliases(
    std::string_view value);

// A part of a parameter whose memory the program may use for any of its
// results.
struct BufferDonor {
  int64_t parameter_number = 0;
  ShapeIndex parameter_index;
};

// Decodes the value of `buffer_donor`, such as "{ (0, {0}), (1, {}) }".
// Negative numbers are an error.
absl::StatusOr<std::vector<BufferDonor>> DecodeBufferDonors(
    std::string_view value);

}  // namespace tessera

#endif  // TESSERA_HLO_ATTRIBUTES_MODULE_HEADER_H_
