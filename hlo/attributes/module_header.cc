#include "tessera/hlo/attributes/module_header.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/hlo/attributes/value_reader.h"
#include "tessera/parser/parser.h"

namespace tessera {
namespace {

bool ReadShape(ValueReader* reader, Shape* shape) {
  ParseOptions options;
  options.lenient = true;
  const size_t begin = reader->offset();
  const std::string_view rest = reader->rest();
  std::string_view behind = rest;
  absl::StatusOr<Shape> read = ConsumeShape(&behind, options);
  if (!read.ok()) return reader->FailWith(read.status(), begin);
  *shape = *std::move(read);
  reader->MoveTo(begin + rest.size() - behind.size());
  return true;
}

bool ReadLayout(ValueReader* reader, EntryComputationLayout* layout) {
  const auto read_parameter = [&] {
    layout->parameters.emplace_back();
    return ReadShape(reader, &layout->parameters.back());
  };
  if (!reader->Read('{') || !reader->ReadList('(', ')', read_parameter)) {
    return false;
  }
  if (!reader->TakePair('-', '>')) return reader->FailExpected("'->'");
  return ReadShape(reader, &layout->result) && reader->Read('}');
}

// Reads "(0, {1}", without the closing parenthesis.
bool ReadParameterPart(ValueReader* reader, int64_t* number,
                       ShapeIndex* index) {
  return reader->Read('(') &&
         reader->ReadIntegerFrom(0, "the parameter number", number) &&
         reader->Read(',') && reader->ReadShapeIndex(index);
}

bool ReadKind(ValueReader* reader, InputOutputAlias::Kind* kind) {
  const size_t at = reader->offset();
  const std::string_view word = reader->TakeIdentifier();
  if (word == "may-alias") {
    *kind = InputOutputAlias::Kind::kMayAlias;
  } else if (word == "must-alias") {
    *kind = InputOutputAlias::Kind::kMustAlias;
  } else {
    reader->MoveTo(at);
    return reader->FailExpected("may-alias or must-alias");
  }
  return true;
}

bool ReadProgramAlias(ValueReader* reader, InputOutputAlias* alias) {
  return reader->ReadShapeIndex(&alias->output_index) && reader->Read(':') &&
         ReadParameterPart(reader, &alias->parameter_number,
                           &alias->parameter_index) &&
         (!reader->Take(',') || ReadKind(reader, &alias->kind)) &&
         reader->Read(')');
}

}  // namespace

absl::StatusOr<EntryComputationLayout> DecodeEntryComputationLayout(
    std::string_view value) {
  return DecodeAll<EntryComputationLayout>(value, "entry computation layout",
                                           ReadLayout);
}

absl::StatusOr<std::vector<InputOutputAlias>> DecodeInputOutputAliases(
    std::string_view value) {
  return DecodeList<InputOutputAlias>(value, "list of aliases",
                                      /*is_loose=*/true, ReadProgramAlias);
}

absl::StatusOr<std::vector<BufferDonor>> DecodeBufferDonors(
    std::string_view value) {
  return DecodeList<BufferDonor>(
      value, "list of buffer donors", /*is_loose=*/true,
      [](ValueReader* reader, BufferDonor* donor) {
        return ReadParameterPart(reader, &donor->parameter_number,
                                 &donor->parameter_index) &&
               reader->Read(')');
      });
}

}  // namespace tessera
