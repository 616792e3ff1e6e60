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

// "(0, {1}", without the closing parenthesis.
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

bool ReadAlias(ValueReader* reader, InputOutputAlias* alias) {
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
  using Aliases = std::vector<InputOutputAlias>;
  return DecodeAll<Aliases>(value, "list of aliases",
                            [](ValueReader* reader, Aliases* aliases) {
                              return reader->ReadLooseList([&] {
                                aliases->emplace_back();
                                return ReadAlias(reader, &aliases->back());
                              });
                            });
}

absl::StatusOr<std::vector<BufferDonor>> DecodeBufferDonors(
    std::string_view value) {
  using Donors = std::vector<BufferDonor>;
  return DecodeAll<Donors>(
      value, "list of buffer donors", [](ValueReader* reader, Donors* donors) {
        return reader->ReadLooseList([&] {
          donors->emplace_back();
          return ReadParameterPart(reader, &donors->back().parameter_number,
                                   &donors->back().parameter_index) &&
                 reader->Read(')');
        });
      });
}

}  // namespace tessera
