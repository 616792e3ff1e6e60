// Decodes the values of attributes: the kinds that many attributes share.
// Attributes with their own rules have their own files.
//
//   DecodeIntegers("{0,1}");            // {0, 1}, as of dimensions
//   DecodeNames("{%add, %mul}");        // {"add", "mul"}
//   DecodeNames("%add");                // {"add"}, as of to_apply
//   DecodeBool("true");                 // true, as of is_scheduled
//   DecodeInteger("2");                 // 2, as of replica_count
//   DecodeBools("{true,false}");        // {true, false}
//   DecodeString("\"Sharding\"")->raw();          // "Sharding"
//   DecodeSlice("{[0:2], [1:9:3]}")->at(1).stride;          // 3
//   DecodeOutputOperandAliases("{{0}: (1, {})}")->at(0).output_index;   // {0}
//
// A value has the form that a reader of HLO text passes on: without the key,
// but with white space and comments inside it. Returned views point into it.
// The rules are those of xla/hlo/parser/hlo_parser.cc.
//
// Errors are diagnostics (base/text/diagnostic.h) that count from the start of
// the value: kInvalidArgument for text that is not of the kind, including
// integers past int64_t, and for the cases that a function lists below.

#ifndef TESSERA_HLO_ATTRIBUTES_ATTRIBUTE_VALUES_H_
#define TESSERA_HLO_ATTRIBUTES_ATTRIBUTE_VALUES_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "tessera/hlo/hlo_string.h"
#include "tessera/shape/shape_index.h"

namespace tessera {

// Decodes "true" or "false".
absl::StatusOr<bool> DecodeBool(std::string_view value);

// Decodes an integer, such as "2" or "-1".
absl::StatusOr<int64_t> DecodeInteger(std::string_view value);

// Decodes a string in single or double quotes. Its escapes are well formed.
absl::StatusOr<HloString> DecodeString(std::string_view value);

// The integers of a list, such as "{0,1}" or "{}".
using HloIntegers = absl::InlinedVector<int64_t, 6>;
absl::StatusOr<HloIntegers> DecodeIntegers(std::string_view value);

// Decodes "{true,false}", "{}", or a single "true" without braces.
absl::StatusOr<std::vector<bool>> DecodeBools(std::string_view value);

// The names of computations or instructions, without '%'. The list is "{%a,
// %b}", "{}", "%a", or "%a, %b" without braces, which XLA prints after
// `calls=`.
using HloNames = absl::InlinedVector<std::string_view, 2>;
absl::StatusOr<HloNames> DecodeNames(std::string_view value);

// One dimension of a slice: start, start + stride, ... below limit.
struct SliceRange {
  int64_t start = 0;
  int64_t limit = 0;
  int64_t stride = 1;
};

// Decodes "{[0:2], [1:9:3]}" or "{}". In the result, 0 <= start <= limit and 0
// < stride; any other text is an error.
absl::StatusOr<std::vector<SliceRange>> DecodeSlice(std::string_view value);

// The part of an instruction's result at `output_index` is the part of its
// operand number `operand_number` at `operand_index`.
struct OutputOperandAlias {
  ShapeIndex output_index;
  int64_t operand_number = 0;
  ShapeIndex operand_index;
};

// Decodes "{{0}: (1, {}), {1}: (0, {0})}" or "{}". Negative numbers are an
// error.
absl::StatusOr<std::vector<OutputOperandAlias>> DecodeOutputOperandAliases(
    std::string_view value);

}  // namespace tessera

#endif  // TESSERA_HLO_ATTRIBUTES_ATTRIBUTE_VALUES_H_
