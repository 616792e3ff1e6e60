#include "tessera/hlo/attributes/attribute_values.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/attributes/value_reader.h"
#include "tessera/hlo/hlo_string.h"

namespace tessera {
namespace {

bool ReadSliceRange(ValueReader* reader, SliceRange* range) {
  if (!reader->Read('[') ||
      !reader->ReadIntegerFrom(0, "the start", &range->start) ||
      !reader->Read(':')) {
    return false;
  }
  const size_t at = reader->offset();
  if (!reader->ReadInteger(&range->limit, "the limit")) return false;
  if (range->limit < range->start) {
    return reader->Fail(at, StrCat("the limit = ", range->limit,
                                   " is less than the start = ", range->start));
  }
  if (reader->Take(':') &&
      !reader->ReadIntegerFrom(1, "the stride", &range->stride)) {
    return false;
  }
  return reader->Read(']');
}

bool ReadOperandAlias(ValueReader* reader, OutputOperandAlias* alias) {
  return reader->ReadShapeIndex(&alias->output_index) && reader->Read(':') &&
         reader->Read('(') &&
         reader->ReadIntegerFrom(0, "the operand number",
                                 &alias->operand_number) &&
         reader->Read(',') && reader->ReadShapeIndex(&alias->operand_index) &&
         reader->Read(')');
}

}  // namespace

absl::StatusOr<bool> DecodeBool(std::string_view value) {
  return DecodeAll<bool>(value, "truth value", &ValueReader::ReadBool);
}

absl::StatusOr<int64_t> DecodeInteger(std::string_view value) {
  return DecodeAll<int64_t>(value, "integer",
                            [](ValueReader* reader, int64_t* integer) {
                              return reader->ReadInteger(integer);
                            });
}

absl::StatusOr<HloString> DecodeString(std::string_view value) {
  return DecodeAll<HloString>(value, "string", &ValueReader::ReadString);
}

absl::StatusOr<HloIntegers> DecodeIntegers(std::string_view value) {
  return DecodeAll<HloIntegers>(value, "list of integers",
                                &ValueReader::ReadIntegers<HloIntegers>);
}

absl::StatusOr<std::vector<bool>> DecodeBools(std::string_view value) {
  using Bools = std::vector<bool>;
  return DecodeAll<Bools>(
      value, "list of truth values", [](ValueReader* reader, Bools* bools) {
        const auto read_bool = [&] {
          bool truth;
          if (!reader->ReadBool(&truth)) return false;
          bools->push_back(truth);
          return true;
        };
        return reader->At('{') ? reader->ReadList('{', '}', read_bool)
                               : read_bool();
      });
}

absl::StatusOr<HloNames> DecodeNames(std::string_view value) {
  return DecodeAll<HloNames>(value, "list of names",
                             [](ValueReader* reader, HloNames* names) {
                               const auto read_name = [&] {
                                 std::string_view name;
                                 if (!reader->ReadName(&name)) return false;
                                 names->push_back(name);
                                 return true;
                               };
                               if (reader->At('{'))
                                 return reader->ReadList('{', '}', read_name);
                               do {
                                 if (!read_name()) return false;
                               } while (reader->Take(','));
                               return true;
                             });
}

absl::StatusOr<std::vector<SliceRange>> DecodeSlice(std::string_view value) {
  return DecodeList<SliceRange>(value, "slice", /*is_loose=*/false,
                                ReadSliceRange);
}

absl::StatusOr<std::vector<OutputOperandAlias>> DecodeOutputOperandAliases(
    std::string_view value) {
  return DecodeList<OutputOperandAlias>(value, "list of aliases",
                                        /*is_loose=*/true, ReadOperandAlias);
}

}  // namespace tessera
