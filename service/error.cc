#include "tessera/service/error.h"

#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

constexpr std::string_view kFieldPayload =
    "type.googleapis.com/tessera.RequestField";

}  // namespace

absl::Status InField(std::string_view field, absl::Status status) {
  if (!status.ok() && !status.GetPayload(AbslView(kFieldPayload)).has_value()) {
    status.SetPayload(AbslView(kFieldPayload), absl::Cord(AbslView(field)));
  }
  return status;
}

absl::Status CheckFromZero(std::string_view field, int64_t number) {
  if (number >= 0) return absl::OkStatus();
  return InvalidField(field, "expected a number from 0 up, found ", number);
}

absl::Status AtOffset(std::string_view text, int64_t offset,
                      const absl::Status& status) {
  absl::Status placed =
      DiagnosticError(text, offset, StdView(status.message()), status.code());
  const absl::optional<absl::Cord> field =
      status.GetPayload(AbslView(kFieldPayload));
  if (field.has_value()) placed.SetPayload(AbslView(kFieldPayload), *field);
  return placed;
}

Error ToError(const absl::Status& status, int64_t line) {
  Error error;
  // Both count as google.rpc.Code does.
  error.set_code(static_cast<Error::Code>(status.code()));
  if (const absl::optional<absl::Cord> field =
          status.GetPayload(AbslView(kFieldPayload))) {
    error.set_field(std::string(*field));
  }
  if (const std::optional<Diagnostic> diagnostic = DiagnosticOf(status)) {
    error.set_message(diagnostic->message);
    if (diagnostic->line > 0) {
      *error.mutable_position() = ToTextPosition(*diagnostic);
      error.mutable_position()->set_line(diagnostic->line + line - 1);
    }
  } else {
    error.set_message(std::string(status.message()));
  }
  return error;
}

TextPosition ToTextPosition(const Diagnostic& diagnostic) {
  TextPosition position;
  position.set_offset(diagnostic.offset);
  position.set_line(diagnostic.line);
  position.set_column(diagnostic.column);
  position.set_excerpt(absl::StrCat(diagnostic.excerpt, "\n",
                                    std::string(diagnostic.caret, ' '), "^"));
  return position;
}

TextNote ToTextNote(const Diagnostic& diagnostic) {
  TextNote note;
  note.set_message(diagnostic.message);
  if (diagnostic.line > 0) {
    *note.mutable_position() = ToTextPosition(diagnostic);
  }
  return note;
}

}  // namespace tessera
